//! A TRACK chunk: where its lines are, and the track without its clips and bus.

use super::item::is_active;
use super::lines::{Child, Document};
use crate::format::ReadError;
use crate::project::{Automated, ProjectTrack, decibels};

/// Where the lines of a track are.
#[derive(Default)]
pub(super) struct Track {
    pub(super) chunk: usize,
    pub(super) name: Option<usize>,
    pub(super) color: Option<usize>,
    pub(super) gain: Option<usize>,
    pub(super) mute: Option<usize>,
    pub(super) folder: Option<usize>,
    id: Option<usize>,
    lock: Option<usize>,
    lanes: Option<usize>,
    pub(super) polarity: Option<usize>,
    /// Each line AUXRECV.
    pub(super) receives: Vec<usize>,
    /// The chunks of its items.
    pub(super) items: Vec<usize>,
    automated: Automated,
    is_frozen: bool,
}

impl Track {
    pub(super) fn of(document: &Document<'_>, chunk: usize) -> Self {
        let mut track = Self { chunk, ..Self::default() };
        for child in document.children(chunk) {
            track.add(document, child);
        }
        track
    }

    fn add(&mut self, document: &Document<'_>, child: Child) {
        let line = Some(child.line);
        let is_active =
            |chunk: Option<usize>| chunk.is_some_and(|chunk| is_active(document, chunk));
        match document.tag(child.line) {
            b"NAME" => self.name = line,
            b"PEAKCOL" => self.color = line,
            b"VOLPAN" => self.gain = line,
            b"MUTESOLO" => self.mute = line,
            b"ISBUS" => self.folder = line,
            b"TRACKID" => self.id = line,
            b"LOCK" => self.lock = line,
            b"FREEMODE" => self.lanes = line,
            b"IPHASE" => self.polarity = line,
            b"AUXRECV" => self.receives.push(child.line),
            b"ITEM" => self.items.extend(child.chunk),
            b"FREEZE" => self.is_frozen = true,
            b"VOLENV" | b"VOLENV2" | b"VOLENV3" => self.automated.gain |= is_active(child.chunk),
            b"PANENV" | b"PANENV2" => self.automated.pan |= is_active(child.chunk),
            b"MUTEENV" => self.automated.mute |= is_active(child.chunk),
            _ => {}
        }
    }

    /// The track's own name in the file, which need not be unique.
    pub(super) fn guid(&self, document: &Document<'_>) -> Option<String> {
        let by_line = self.id.and_then(|line| document.text(line, 1));
        let id = by_line.or_else(|| document.text(document.head(self.chunk), 1))?;
        Some(id.into_owned())
    }

    /// Whether its items can lie in lanes of which not all play.
    pub(super) fn has_lanes(&self, document: &Document<'_>) -> Result<bool, ReadError> {
        Ok(document.number_of(self.lanes, 1, 0.0)? == 2.0)
    }

    /// How many folders it opens (1) or closes (below 0).
    pub(super) fn depth_change(&self, document: &Document<'_>) -> Result<i64, ReadError> {
        Ok(document.number_of(self.folder, 2, 0.0)? as i64)
    }

    pub(super) fn read(&self, document: &Document<'_>) -> Result<ProjectTrack, ReadError> {
        let number = |line, field, missing| document.number_of(line, field, missing);
        let name = self.name.and_then(|line| document.text(line, 1));
        let is_locked = number(self.lock, 1, 0.0)? != 0.0;
        let locked = match () {
            () if self.is_frozen => Some("it is frozen: unfreeze it in REAPER".to_owned()),
            () if is_locked => Some("it is locked: unlock it in REAPER".to_owned()),
            () => None,
        };
        Ok(ProjectTrack {
            name: name.unwrap_or_default().into_owned(),
            gain_db: decibels(number(self.gain, 1, 1.0)?),
            pan: number(self.gain, 2, 0.0)?.clamp(-1.0, 1.0),
            mute: number(self.mute, 1, 0.0)? != 0.0,
            solo: number(self.mute, 2, 0.0)? != 0.0,
            color: color(document, number(self.color, 1, 0.0)?),
            automated: self.automated,
            locked,
            ..ProjectTrack::default()
        })
    }
}

/// Set in a color that a person chose.
const IS_CUSTOM: u32 = 0x100_0000;

/// Windows keeps red in the lowest byte, other systems blue; line 1 names the system.
fn is_red_lowest(document: &Document<'_>) -> bool {
    let version = document.text(0, 2).unwrap_or_default();
    !["mac", "OSX", "linux"].iter().any(|system| version.contains(system))
}

fn color(document: &Document<'_>, number: f64) -> Option<[u8; 3]> {
    let number = number as u32;
    let [low, green, high, _] = number.to_le_bytes();
    let is_red_lowest = is_red_lowest(document);
    let color = if is_red_lowest { [low, green, high] } else { [high, green, low] };
    (number & IS_CUSTOM != 0).then_some(color)
}

pub(super) fn color_number(document: &Document<'_>, color: Option<[u8; 3]>) -> String {
    let number = color.map_or(16576, |[red, green, blue]| {
        let bytes =
            if is_red_lowest(document) { [red, green, blue, 1] } else { [blue, green, red, 1] };
        u32::from_le_bytes(bytes)
    });
    number.to_string()
}

//! An ITEM chunk: where its lines are, and the clip that it plays.

use super::lines::{Child, Document};
use super::source::Source;
use crate::format::ReadError;
use crate::project::{FadeShape, ProjectClip, ProjectFade, decibels};

/// Where the lines of an item are.
#[derive(Default)]
pub(super) struct Item {
    pub(super) chunk: usize,
    pub(super) position: Option<usize>,
    pub(super) length: Option<usize>,
    pub(super) fade_in: Option<usize>,
    pub(super) fade_out: Option<usize>,
    pub(super) mute: Option<usize>,
    lock: Option<usize>,
    looped: Option<usize>,
    id: Option<usize>,
    lane: Option<usize>,
    /// The item's gain; the first take's too.
    pub(super) gain: Option<usize>,
    pub(super) takes: Vec<Take>,
    pub(super) active: usize,
}

/// Where the lines of a take are.
#[derive(Default)]
pub(super) struct Take {
    /// The line TAKE; the first take has none.
    pub(super) head: Option<usize>,
    pub(super) name: Option<usize>,
    pub(super) gain: Option<usize>,
    pub(super) offset: Option<usize>,
    pub(super) rate: Option<usize>,
    channels: Option<usize>,
    id: Option<usize>,
    pub(super) source: Option<usize>,
    has_envelope: bool,
    has_stretch_markers: bool,
}

/// Why an item is no clip: alone and in numbers.
pub(super) type Unplayable = (&'static str, &'static str);

impl Item {
    pub(super) fn of(document: &Document<'_>, chunk: usize) -> Self {
        let mut item = Self { chunk, takes: vec![Take::default()], ..Self::default() };
        for child in document.children(chunk) {
            item.add(document, child);
        }
        item
    }

    fn add(&mut self, document: &Document<'_>, child: Child) {
        let line = Some(child.line);
        match document.tag(child.line) {
            b"POSITION" => self.position = line,
            b"LENGTH" => self.length = line,
            b"FADEIN" => self.fade_in = line,
            b"FADEOUT" => self.fade_out = line,
            b"MUTE" => self.mute = line,
            b"LOCK" => self.lock = line,
            b"LOOP" => self.looped = line,
            b"IGUID" => self.id = line,
            b"YPOS" => self.lane = line,
            b"TAKE" => self.add_take(document, child.line),
            b"VOLPAN" => self.gain = line,
            tag => {
                if let Some(take) = self.takes.last_mut() {
                    take.add(document, tag, child);
                }
            }
        }
    }

    fn add_take(&mut self, document: &Document<'_>, line: usize) {
        if document.fields(line).any(|field| &document.bytes[field.whole] == b"SEL") {
            self.active = self.takes.len();
        }
        self.takes.push(Take { head: Some(line), ..Take::default() });
    }

    pub(super) fn take(&self) -> &Take {
        &self.takes[self.active]
    }

    /// The line and the field of the active take's gain.
    pub(super) fn take_gain(&self) -> (Option<usize>, usize) {
        match self.active {
            0 => (self.gain, 3),
            _ => (self.take().gain, 2),
        }
    }

    /// The line and the field of the active take's pan.
    fn take_pan(&self) -> (Option<usize>, usize) {
        match self.active {
            0 => (self.gain, 2),
            _ => (self.take().gain, 1),
        }
    }

    pub(super) fn has_pan(&self, document: &Document<'_>) -> Result<bool, ReadError> {
        let (line, field) = self.take_pan();
        Ok(document.number_of(line, field, 0.0)? != 0.0)
    }

    /// The item's own name in the file, which need not be unique.
    pub(super) fn guid(&self, document: &Document<'_>) -> Option<String> {
        let line = self.id.or(self.takes[0].id)?;
        document.text(line, 1).map(std::borrow::Cow::into_owned)
    }

    /// The clip, or why Deskhand cannot play it.
    pub(super) fn clip(
        &self,
        document: &Document<'_>,
        has_lanes: bool,
    ) -> Result<Result<ProjectClip, Unplayable>, ReadError> {
        let take = self.take();
        let source = match take.source {
            Some(chunk) => Source::of(document, chunk)?,
            None => Err(("empty item", "empty items")),
        };
        let source = match source {
            Ok(source) => source,
            Err(unplayable) => return Ok(Err(unplayable)),
        };
        if has_lanes && document.number_of(self.lane, 2, 1.0)? < 1.0 {
            return Ok(Err(("clip in a lane of its track", "clips in lanes of their tracks")));
        }
        if let Some(unplayable) = take.unplayable(document)? {
            return Ok(Err(unplayable));
        }
        self.clip_of(document, &source)
    }

    fn clip_of(
        &self,
        document: &Document<'_>,
        source: &Source<'_>,
    ) -> Result<Result<ProjectClip, Unplayable>, ReadError> {
        let number = |line, field, missing| document.number_of(line, field, missing);
        let (gain_line, gain_field) = self.take_gain();
        let take_gain = number(gain_line, gain_field, 1.0)?;
        let offset = number(self.take().offset, 1, 0.0)?;
        let is_locked = number(self.lock, 1, 0.0)? != 0.0;
        let name = self.take().name.and_then(|line| document.text(line, 1));
        let clip = ProjectClip {
            name: name.unwrap_or_default().into_owned(),
            file: source.file.clone().into_owned(),
            position: number(self.position, 1, 0.0)?,
            start: offset + source.section.map_or(0.0, |section| section.start),
            length: number(self.length, 1, 0.0)?,
            gain_db: decibels(number(self.gain, 1, 1.0)? * take_gain),
            mute: number(self.mute, 1, 0.0)? != 0.0,
            is_inverted: take_gain < 0.0,
            is_looped: number(self.looped, 1, 1.0)? != 0.0,
            fade_in: fade(document, self.fade_in)?,
            fade_out: fade(document, self.fade_out)?,
            locked: is_locked.then(|| "it is locked: unlock it in REAPER".to_owned()),
            ..ProjectClip::default()
        };
        let exceeds = source.section.is_some_and(|section| offset + clip.length > section.length);
        Ok(match () {
            () if clip.length <= 0.0 => Err(("clip without a length", "clips without a length")),
            () if clip.position < 0.0 => Err(("clip before 0:00", "clips before 0:00")),
            () if offset < 0.0 => {
                Err(("clip that begins before its file", "clips that begin before their files"))
            }
            () if exceeds => Err(("looped section", "looped sections")),
            () => Ok(clip),
        })
    }
}

impl Take {
    fn add(&mut self, document: &Document<'_>, tag: &[u8], child: Child) {
        let line = Some(child.line);
        match tag {
            b"NAME" => self.name = line,
            b"TAKEVOLPAN" => self.gain = line,
            b"SOFFS" => self.offset = line,
            b"PLAYRATE" => self.rate = line,
            b"CHANMODE" => self.channels = line,
            b"GUID" => self.id = line,
            b"SM" => self.has_stretch_markers = true,
            b"SOURCE" => self.source = child.chunk,
            b"VOLENV" | b"PANENV" | b"MUTEENV" | b"PITCHENV" => {
                let chunk = child.chunk;
                self.has_envelope |= chunk.is_some_and(|chunk| is_active(document, chunk));
            }
            _ => {}
        }
    }

    fn unplayable(&self, document: &Document<'_>) -> Result<Option<Unplayable>, ReadError> {
        let rate = document.number_of(self.rate, 1, 1.0)?;
        let pitch = document.number_of(self.rate, 3, 0.0)?;
        let channels = document.number_of(self.channels, 1, 0.0)?;
        Ok(match () {
            () if rate != 1.0 || self.has_stretch_markers => {
                Some(("stretched clip", "stretched clips"))
            }
            () if pitch != 0.0 => Some(("clip with another pitch", "clips with another pitch")),
            () if channels != 0.0 => {
                Some(("clip with some channels of its file", "clips with some channels of theirs"))
            }
            () if self.has_envelope => Some(("clip with an envelope", "clips with envelopes")),
            () => None,
        })
    }
}

/// Whether an envelope is on and has a point.
pub(super) fn is_active(document: &Document<'_>, chunk: usize) -> bool {
    let is = |tag: &'static [u8], on: &'static str| {
        document.children(chunk).any(|child| {
            document.tag(child.line) == tag
                && (on.is_empty() || document.text(child.line, 1).as_deref() == Some(on))
        })
    };
    is(b"ACT", "1") && is(b"PT", "")
}

/// The length counts in field 3 where REAPER made a crossfade by itself, or else in field 2.
fn fade(document: &Document<'_>, line: Option<usize>) -> Result<ProjectFade, ReadError> {
    let Some(line) = line else { return Ok(ProjectFade::default()) };
    let by_hand = document.number(line, 2, 0.0)?;
    let automatic = document.number(line, 3, 0.0)?;
    let length = if automatic > 0.0 { automatic } else { by_hand.max(0.0) };
    let shape = document.number(line, 1, 0.0)?;
    let is_plain =
        document.number(line, 4, shape)? == shape && document.number(line, 6, 0.0)? == 0.0;
    let shape = match () {
        () if is_plain && shape == 0.0 => FadeShape::Linear,
        () if is_plain && shape == 1.0 => FadeShape::EqualPower,
        () => FadeShape::Other,
    };
    Ok(ProjectFade { length, shape })
}

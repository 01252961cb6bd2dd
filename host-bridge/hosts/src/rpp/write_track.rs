//! Changes of tracks: their values, their clips, their order and their folders.

use std::collections::{HashMap, HashSet};

use super::fields::{Anchored, Guids, set_fields};
use super::lines::quoted;
use super::read::Parsed;
use super::track::{Track, color_number};
use super::write_clip;
use crate::format::WriteError;
use crate::project::{Project, ProjectClip, ProjectTrack, linear};
use crate::splice::Splices;
use crate::track_order::{Placed, placed};
use crate::validate::Before;

pub(super) fn write(
    parsed: &Parsed<'_>,
    splices: &mut Splices,
    guids: &mut Guids,
    wanted: &Project,
) -> Result<(), WriteError> {
    let order = placed(&parsed.project.tracks, &wanted.tracks);
    let writer = Writer::new(parsed, wanted, &order);
    let mut cursor = writer.first_place();
    let stays = order.iter().filter(|track| track.stays).filter_map(|track| track.known);
    let stays = stays.collect::<HashSet<_>>();
    for (index, track) in parsed.tracks.iter().enumerate() {
        if !stays.contains(&index) {
            splices.delete(parsed.document.chunk_bytes(track.chunk));
        }
    }
    for (place, track) in order.iter().enumerate() {
        let folder = writer.folder(&order, place);
        match track.known {
            Some(known) if track.stays => {
                writer.edit(splices, guids, known, track.wanted, folder)?;
                cursor = parsed.document.chunk_bytes(parsed.tracks[known].chunk).end;
            }
            Some(known) => {
                let mut local = Splices::default();
                writer.edit(&mut local, guids, known, track.wanted, folder)?;
                let range = parsed.document.chunk_bytes(parsed.tracks[known].chunk);
                splices.insert(cursor, local.apply(parsed.document.bytes, range)?);
            }
            None => splices.insert(cursor, writer.new_track(guids, track.wanted, folder)?),
        }
    }
    Ok(())
}

struct Writer<'w, 'a> {
    parsed: &'w Parsed<'a>,
    before: Before<'w>,
    /// The track that each clip of the original is on.
    track_of: HashMap<&'w str, usize>,
    wanted_clips: HashSet<&'w str>,
    /// The new number of each track of the original.
    number_of: HashMap<usize, usize>,
}

/// What a line ISBUS says: `None` leaves it as it is.
type Folder = Option<i64>;

impl<'w, 'a> Writer<'w, 'a> {
    fn new(parsed: &'w Parsed<'a>, wanted: &'w Project, order: &[Placed<'_>]) -> Self {
        let clips = |project: &'w Project| {
            let tracks = project.tracks.iter().enumerate();
            tracks.flat_map(|(index, track)| {
                let ids = track.clips.iter().filter_map(|clip| clip.id.as_deref());
                ids.map(move |id| (id, index))
            })
        };
        let numbers = order.iter().enumerate();
        Self {
            parsed,
            before: Before::of(&parsed.project),
            track_of: clips(&parsed.project).collect(),
            wanted_clips: clips(wanted).map(|(id, _)| id).collect(),
            number_of: numbers.filter_map(|(new, track)| Some((track.known?, new))).collect(),
        }
    }

    /// Where a track comes that comes before all others.
    fn first_place(&self) -> usize {
        let document = &self.parsed.document;
        match self.parsed.tracks.first() {
            Some(track) => document.chunk_bytes(track.chunk).start,
            None => document.end(0),
        }
    }

    /// A folder is opened by the track before its first track and closed by its last one.
    fn folder(&self, order: &[Placed<'_>], place: usize) -> Folder {
        let track = &order[place];
        let depth = track.depth as i64;
        let known = track.known.map(|known| &self.parsed.tracks[known]);
        let is = known.map_or(0, |known| known.depth_change(&self.parsed.document).unwrap_or(0));
        let effect = is.clamp(-depth, 1);
        let wanted = match order.get(place + 1) {
            Some(next) => next.depth as i64 - depth,
            None if track.wanted.is_bus => 1,
            None if known.is_some() && effect <= 0 => effect,
            None => -depth,
        };
        (known.is_none() || wanted != effect).then_some(wanted)
    }

    fn edit(
        &self,
        splices: &mut Splices,
        guids: &mut Guids,
        known: usize,
        new: &ProjectTrack,
        folder: Folder,
    ) -> Result<(), WriteError> {
        let track = &self.parsed.tracks[known];
        let old = &self.parsed.project.tracks[known];
        self.edit_values(splices, track, old, new, folder);
        self.edit_receives(splices, track);
        let stays = new.clips.iter().filter_map(|clip| clip.id.as_deref());
        let stays = stays.collect::<HashSet<_>>();
        for clip in old.clips.iter().filter_map(|clip| clip.id.as_deref()) {
            if !stays.contains(clip)
                && let Some(item) = self.parsed.items.get(clip)
            {
                splices.delete(self.parsed.document.chunk_bytes(item.chunk));
            }
        }
        for clip in &new.clips {
            self.edit_clip(splices, guids, known, clip)?;
        }
        Ok(())
    }

    fn edit_values(
        &self,
        splices: &mut Splices,
        track: &Track,
        old: &ProjectTrack,
        new: &ProjectTrack,
        folder: Folder,
    ) {
        let document = &self.parsed.document;
        let after = document.head(track.chunk);
        let mut set = |line, tag, values: &[(usize, String)], missing: &[&str]| {
            Anchored { line, tag, after }.set(document, splices, values, missing);
        };
        if old.name != new.name {
            set(track.name, "NAME", &[(1, quoted(&new.name))], &["\"\""]);
        }
        if old.color != new.color {
            set(track.color, "PEAKCOL", &[(1, color_number(document, new.color))], &["16576"]);
        }
        let gain = (old.gain_db != new.gain_db).then(|| (1, linear(new.gain_db).to_string()));
        let pan = (old.pan != new.pan).then(|| (2, new.pan.to_string()));
        let values = [gain, pan].into_iter().flatten().collect::<Vec<_>>();
        set(track.gain, "VOLPAN", &values, &["1", "0", "-1", "-1", "1"]);
        let mute = (old.mute != new.mute).then(|| (1, u8::from(new.mute).to_string()));
        let solo = (old.solo != new.solo).then(|| (2, solo(new.solo).to_owned()));
        let values = [mute, solo].into_iter().flatten().collect::<Vec<_>>();
        set(track.mute, "MUTESOLO", &values, &["0", "0", "0"]);
        if let Some(change) = folder {
            let values = [(1, folder_kind(change).to_owned()), (2, change.to_string())];
            set(track.folder, "ISBUS", &values, &["0", "0"]);
        }
    }

    /// A send names its track by number: one that moved has another, one that is gone sends nothing.
    fn edit_receives(&self, splices: &mut Splices, track: &Track) {
        let document = &self.parsed.document;
        for &line in &track.receives {
            let number = document.text(line, 1).and_then(|text| text.parse::<usize>().ok());
            let Some(number) = number.filter(|number| *number < self.parsed.tracks.len()) else {
                continue;
            };
            match self.number_of.get(&number) {
                Some(new) if *new == number => {}
                Some(new) => set_fields(document, splices, line, &[(1, new.to_string())], &[]),
                None => self.delete_receive(splices, track, line),
            }
        }
    }

    /// The line, and the envelopes that follow it.
    fn delete_receive(&self, splices: &mut Splices, track: &Track, line: usize) {
        let document = &self.parsed.document;
        let mut end = document.line(line).next;
        let after = document.children(track.chunk).skip_while(|child| child.line <= line);
        for child in after {
            let is_its = document.tag(child.line).starts_with(b"AUX");
            let Some(chunk) = child.chunk.filter(|_| is_its) else { break };
            end = document.chunk_bytes(chunk).end;
        }
        splices.delete(document.line(line).start..end);
    }

    fn edit_clip(
        &self,
        splices: &mut Splices,
        guids: &mut Guids,
        known: usize,
        clip: &ProjectClip,
    ) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        let is_of = |id: &str| self.track_of.get(id) == Some(&known);
        if let Some(id) = clip.id.as_deref().filter(|id| is_of(id))
            && let Some(item) = self.parsed.items.get(id)
        {
            return write_clip::edit(document, splices, item, self.before.clip(id)?, clip);
        }
        let track = document.head(self.parsed.tracks[known].chunk);
        let text = self.clip_text(guids, clip, &format!("{}  ", document.indent(track)))?;
        let like = clip.like.as_deref().filter(|id| is_of(id) && self.wanted_clips.contains(id));
        let at = match like.and_then(|id| self.parsed.items.get(id)) {
            Some(item) => document.chunk_bytes(item.chunk).end,
            None => document.end(self.parsed.tracks[known].chunk),
        };
        splices.insert(at, text);
        Ok(())
    }

    /// The bytes of a clip that is new on its track.
    fn clip_text(
        &self,
        guids: &mut Guids,
        clip: &ProjectClip,
        indent: &str,
    ) -> Result<Vec<u8>, WriteError> {
        let document = &self.parsed.document;
        let item = |id: &Option<String>| self.parsed.items.get(id.as_deref()?);
        if let (Some(item), Some(id)) = (item(&clip.id), clip.id.as_deref()) {
            return write_clip::moved(document, item, self.before.clip(id)?, clip);
        }
        if let (Some(item), Some(id)) = (item(&clip.like), clip.like.as_deref()) {
            return write_clip::copy(document, item, self.before.clip(id)?, clip, guids);
        }
        Ok(self.lines(indent, &write_clip::new(clip, guids)))
    }

    fn lines(&self, indent: &str, lines: &[String]) -> Vec<u8> {
        let end = self.parsed.document.line_end();
        let lines = lines.iter().map(|line| format!("{indent}{line}{end}"));
        lines.collect::<String>().into_bytes()
    }

    fn new_track(
        &self,
        guids: &mut Guids,
        track: &ProjectTrack,
        folder: Folder,
    ) -> Result<Vec<u8>, WriteError> {
        let lines = track_lines(self.parsed, guids, track, folder.unwrap_or_default());
        let mut text = self.lines("  ", &lines);
        for clip in &track.clips {
            text.extend(self.clip_text(guids, clip, "    ")?);
        }
        text.extend(self.lines("  ", &[">".to_owned()]));
        Ok(text)
    }
}

/// 2 is solo in place, as REAPER's button makes it.
const fn solo(is_on: bool) -> &'static str {
    if is_on { "2" } else { "0" }
}

const fn folder_kind(change: i64) -> &'static str {
    match change {
        1.. => "1",
        0 => "0",
        _ => "2",
    }
}

fn track_lines(
    parsed: &Parsed<'_>,
    guids: &mut Guids,
    track: &ProjectTrack,
    folder: i64,
) -> Vec<String> {
    let guid = guids.next();
    let color = color_number(&parsed.document, track.color);
    let ProjectTrack { name, gain_db, pan, mute, solo: is_solo, .. } = track;
    vec![
        format!("<TRACK {guid}"),
        format!("  NAME {}", quoted(name)),
        format!("  PEAKCOL {color}"),
        "  BEAT -1".to_owned(),
        "  AUTOMODE 0".to_owned(),
        format!("  VOLPAN {} {pan} -1 -1 1", linear(*gain_db)),
        format!("  MUTESOLO {} {} 0", u8::from(*mute), solo(*is_solo)),
        "  IPHASE 0".to_owned(),
        "  PLAYOFFS 0 1".to_owned(),
        format!("  ISBUS {} {folder}", folder_kind(folder)),
        "  BUSCOMP 0 0 0 0 0".to_owned(),
        "  SHOWINMIX 1 0.6667 0.5 1 0.5 0 0 0".to_owned(),
        "  FREEMODE 0".to_owned(),
        "  SEL 0".to_owned(),
        "  REC 0 0 1 0 0 0 0 0".to_owned(),
        "  VU 2".to_owned(),
        "  TRACKHEIGHT 0 0 0 0 0 0".to_owned(),
        "  INQ 0 0 0 0.5 100 0 0 100".to_owned(),
        "  NCHAN 2".to_owned(),
        "  FX 1".to_owned(),
        format!("  TRACKID {guid}"),
        "  PERF 0".to_owned(),
        "  MIDIOUT -1".to_owned(),
        "  MAINSEND 1 0".to_owned(),
    ]
}

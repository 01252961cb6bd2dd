//! A whole RPP file as a `Project`, with where each object's lines are.

use std::collections::{HashMap, HashSet};

use super::item::{Item, is_active};
use super::lines::Document;
use super::markers::{self, MarkerLines};
use super::track::Track;
use crate::format::ReadError;
use crate::project::{Left, MeterPoint, Project, ProjectClip, TempoPoint, decibels};

/// A file, and where what it holds is.
pub(super) struct Parsed<'a> {
    pub(super) document: Document<'a>,
    pub(super) project: Project,
    /// One for each track of the project.
    pub(super) tracks: Vec<Track>,
    /// The item of each clip, by the clip's id.
    pub(super) items: HashMap<String, Item>,
    /// The lines of each marker, by its id.
    pub(super) markers: HashMap<String, MarkerLines>,
    /// The line of the master's fader.
    pub(super) master: Option<usize>,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Project, ReadError> {
    Ok(parse(bytes)?.project)
}

pub(super) fn parse(bytes: &[u8]) -> Result<Parsed<'_>, ReadError> {
    let document = Document::parse(bytes)?;
    let mut reader = Reader::new(&document);
    for child in document.children(0) {
        match (document.tag(child.line), child.chunk) {
            (b"SAMPLERATE", _) => {
                let rate = document.number(child.line, 1, 0.0)?;
                reader.project.rate = (rate >= 1.0).then_some(rate as u32);
            }
            (b"TEMPO", _) => reader.add_tempo(child.line)?,
            (b"TEMPOENVEX", Some(chunk)) => reader.add_tempo_map(chunk)?,
            (b"MASTER_VOLUME", _) => {
                reader.project.master_gain_db = decibels(document.number(child.line, 1, 1.0)?);
                reader.master = Some(child.line);
            }
            (b"MARKER", _) => reader.marker_lines.push(child.line),
            (b"TRACK", Some(chunk)) => reader.add_track(chunk)?,
            _ => {}
        }
    }
    reader.finish()?;
    let Reader { mut project, tracks, items, markers, master, left, .. } = reader;
    project.left = left.lines();
    Ok(Parsed { document, project, tracks, items, markers, master })
}

struct Reader<'d, 'a> {
    document: &'d Document<'a>,
    project: Project,
    tracks: Vec<Track>,
    items: HashMap<String, Item>,
    markers: HashMap<String, MarkerLines>,
    marker_lines: Vec<usize>,
    master: Option<usize>,
    left: Left,
    ids: HashSet<String>,
    /// The ids of the folders that are open.
    folders: Vec<Option<String>>,
}

impl<'d, 'a> Reader<'d, 'a> {
    fn new(document: &'d Document<'a>) -> Self {
        Self {
            document,
            project: Project::default(),
            tracks: Vec::new(),
            items: HashMap::new(),
            markers: HashMap::new(),
            marker_lines: Vec::new(),
            master: None,
            left: Left::default(),
            ids: HashSet::new(),
            folders: Vec::new(),
        }
    }

    fn add_tempo(&mut self, line: usize) -> Result<(), ReadError> {
        let number = |field, missing| self.document.number(line, field, missing);
        let meter = (number(2, 4.0)?, number(3, 4.0)?);
        let bpm = number(1, 120.0)?;
        if bpm > 0.0 {
            self.project.tempo.push(TempoPoint { position: 0.0, bpm });
        }
        self.add_meter(0.0, meter.0 as u32, meter.1 as u32);
        Ok(())
    }

    fn add_meter(&mut self, position: f64, numerator: u32, denominator: u32) {
        if numerator > 0 && denominator > 0 {
            self.project.meter.retain(|point| point.position != position);
            self.project.meter.push(MeterPoint { position, numerator, denominator });
        }
    }

    /// Points of time, tempo, shape (0 is a ramp to the next) and, where it changes, the meter:
    /// the numerator in the lower 16 bits.
    fn add_tempo_map(&mut self, chunk: usize) -> Result<(), ReadError> {
        let document = self.document;
        if !is_active(document, chunk) {
            return Ok(());
        }
        for line in document.children(chunk).map(|child| child.line) {
            if document.tag(line) != b"PT" {
                continue;
            }
            let [position, bpm] = [document.number(line, 1, 0.0)?, document.number(line, 2, 0.0)?];
            if bpm > 0.0 {
                self.project.tempo.retain(|point| point.position != position);
                self.project.tempo.push(TempoPoint { position, bpm });
            }
            if document.number(line, 3, 1.0)? == 0.0 {
                self.left.count("tempo ramp", "tempo ramps");
            }
            let meter = document.number(line, 4, 0.0)? as u32;
            self.add_meter(position, meter & 0xffff, meter >> 16);
        }
        Ok(())
    }

    fn add_track(&mut self, chunk: usize) -> Result<(), ReadError> {
        let document = self.document;
        let place = Track::of(document, chunk);
        let mut track = place.read(document)?;
        let fallback = format!("track {}", self.tracks.len() + 1);
        track.id = Some(self.unique(place.guid(document), fallback));
        track.parent = self.folders.last().cloned().flatten();
        let change = place.depth_change(document)?;
        track.is_bus = change > 0;
        if track.is_bus {
            self.folders.push(track.id.clone());
        }
        let closed = usize::try_from(-change).unwrap_or_default();
        self.folders.truncate(self.folders.len().saturating_sub(closed));
        let has_lanes = place.has_lanes(document)?;
        for item in &place.items {
            track.clips.extend(self.add_item(*item, has_lanes, &track.locked)?);
        }
        self.note_track(&place, &track.name, track.automated)?;
        self.project.tracks.push(track);
        self.tracks.push(place);
        Ok(())
    }

    fn add_item(
        &mut self,
        chunk: usize,
        has_lanes: bool,
        frozen: &Option<String>,
    ) -> Result<Option<ProjectClip>, ReadError> {
        let item = Item::of(self.document, chunk);
        for _ in 1..item.takes.len() {
            self.left.count("take that is not active", "takes that are not active");
        }
        match item.clip(self.document, has_lanes)? {
            Ok(mut clip) => {
                let fallback = format!("item {}", self.items.len() + 1);
                let id = self.unique(item.guid(self.document), fallback);
                if item.has_pan(self.document)? {
                    self.left.count("clip with its own pan", "clips with their own pan");
                }
                if frozen.as_ref().is_some_and(|why| why.contains("frozen")) {
                    clip.locked = Some("its track is frozen: unfreeze it in REAPER".to_owned());
                }
                clip.id = Some(id.clone());
                self.items.insert(id, item);
                Ok(Some(clip))
            }
            Err((one, many)) => {
                self.left.count(one, many);
                Ok(None)
            }
        }
    }

    fn note_track(
        &mut self,
        place: &Track,
        name: &str,
        automated: crate::project::Automated,
    ) -> Result<(), ReadError> {
        for _ in &place.receives {
            self.left.count("send", "sends");
        }
        if self.document.number_of(place.polarity, 1, 0.0)? != 0.0 {
            self.left.count("track with inverted polarity", "tracks with inverted polarity");
        }
        self.left.automation(name, automated);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        for line in document.lines_in(0) {
            match document.tag_of_chunk(line) {
                Some(b"VST" | b"AU" | b"JS" | b"CLAP" | b"DX" | b"LV2" | b"VIDEO_EFFECT") => {
                    self.left.count("plugin", "plugins");
                }
                Some(b"PARMENV" | b"AUXVOLENV" | b"AUXPANENV" | b"AUXMUTEENV") => {
                    self.left.count("other automation", "other automations");
                }
                _ => {}
            }
        }
        let lines = std::mem::take(&mut self.marker_lines);
        for (guid, fallback, marker, place) in markers::read(document, &lines, &mut self.left)? {
            let id = self.unique(guid, fallback);
            self.markers.insert(id.clone(), place);
            self.project.markers.push(crate::project::ProjectMarker { id: Some(id), ..marker });
        }
        self.project.tempo.sort_by(|a, b| a.position.total_cmp(&b.position));
        self.project.meter.sort_by(|a, b| a.position.total_cmp(&b.position));
        Ok(())
    }

    /// `guid` if no other object has it: files made by scripts often repeat one.
    fn unique(&mut self, guid: Option<String>, fallback: String) -> String {
        let mut id = guid.filter(|guid| guid.len() > 2).unwrap_or_else(|| fallback.clone());
        if self.ids.contains(&id) {
            id = format!("{fallback} {id}");
        }
        while !self.ids.insert(id.clone()) {
            id.push('\'');
        }
        id
    }
}

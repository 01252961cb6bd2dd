//! `project.xml` as a `Project`, with where each object's elements are.

use std::collections::{HashMap, HashSet};

use super::clip::{Clip, unit};
use super::program::PROGRAM;
use super::tempo::{Tempo, TempoMap, Unit};
use crate::format::ReadError;
use crate::project::{
    Automated, Left, MeterPoint, Project, ProjectMarker, ProjectTrack, TempoPoint, decibels,
};
use crate::xml::Document;

/// A project, and where what it holds is.
pub(super) struct Parsed<'a> {
    pub(super) document: Document<'a>,
    pub(super) project: Project,
    pub(super) map: TempoMap,
    /// The elements of each track of the project.
    pub(super) tracks: Vec<Track>,
    pub(super) clips: HashMap<String, Clip>,
    pub(super) markers: HashMap<String, usize>,
    pub(super) master: Option<usize>,
    /// The element Structure.
    pub(super) structure: Option<usize>,
    /// The element Arrangement.
    pub(super) arrangement: Option<usize>,
}

/// The elements of a track.
pub(super) struct Track {
    pub(super) element: usize,
    pub(super) channel: Option<usize>,
    /// The first element Clips, and the unit of its times.
    pub(super) lane: Option<(usize, Unit)>,
}

pub(super) fn parse(xml: &[u8]) -> Result<Parsed<'_>, ReadError> {
    let document = Document::parse(xml, PROGRAM)?;
    if document.name(0) != "Project" {
        return Err(ReadError::Kind(PROGRAM));
    }
    let structure = document.child(0, "Structure");
    let arrangement = document.child(0, "Arrangement");
    let mut reader = Reader::new(&document, arrangement)?;
    reader.add_tracks(structure)?;
    reader.add_lanes()?;
    reader.add_markers()?;
    reader.note_rest();
    let Reader { mut project, map, tracks, clips, markers, master, left, .. } = reader;
    project.left = left.lines();
    Ok(Parsed { document, project, map, tracks, clips, markers, master, structure, arrangement })
}

struct Reader<'d, 'a> {
    document: &'d Document<'a>,
    arrangement: Option<usize>,
    project: Project,
    map: TempoMap,
    tracks: Vec<Track>,
    /// The number of each track by its id.
    numbers: HashMap<String, usize>,
    clips: HashMap<String, Clip>,
    markers: HashMap<String, usize>,
    master: Option<usize>,
    /// Ids of parameters that an automation sets.
    automated: HashSet<String>,
    /// Ids of the faders, pans and mute buttons of tracks.
    own: HashSet<String>,
    left: Left,
}

impl<'d, 'a> Reader<'d, 'a> {
    fn new(document: &'d Document<'a>, arrangement: Option<usize>) -> Result<Self, ReadError> {
        let tempos = tempos(document, arrangement)?;
        let map = TempoMap::new(&tempos);
        let point =
            |tempo: &Tempo| TempoPoint { position: map.seconds(tempo.beat), bpm: tempo.bpm };
        let project = Project {
            tempo: tempos.iter().map(point).collect(),
            meter: meters(document, arrangement, &map)?,
            ..Project::default()
        };
        Ok(Self {
            document,
            arrangement,
            project,
            map,
            tracks: Vec::new(),
            numbers: HashMap::new(),
            clips: HashMap::new(),
            markers: HashMap::new(),
            master: None,
            automated: automated(document, arrangement),
            own: HashSet::new(),
            left: Left::default(),
        })
    }

    fn add_tracks(&mut self, structure: Option<usize>) -> Result<(), ReadError> {
        let document = self.document;
        let Some(structure) = structure else { return Ok(()) };
        let is_track = |at: &usize| document.name(*at) == "Track";
        for element in document.inside(structure).filter(is_track) {
            let channel = document.child(element, "Channel");
            if channel.is_some_and(|channel| document.is(channel, "role", "master")) {
                let volume = channel.and_then(|channel| document.child(channel, "Volume"));
                self.project.master_gain_db = self.gain(volume)?;
                self.master = volume;
            } else {
                self.add_track(element, channel)?;
            }
        }
        Ok(())
    }

    fn add_track(&mut self, element: usize, channel: Option<usize>) -> Result<(), ReadError> {
        let document = self.document;
        let number = self.tracks.len();
        let id = document.owned(element, "id").filter(|id| !self.numbers.contains_key(id));
        let id = id.unwrap_or_else(|| format!("track {}", number + 1));
        let child = |name| channel.and_then(|channel| document.child(channel, name));
        let role = channel.and_then(|channel| document.text(channel, "role"));
        let has_tracks = document.child(element, "Track").is_some();
        let mute = child("Mute").filter(|mute| document.is(*mute, "value", "true"));
        let mut is_automated = |name| {
            let id = child(name).and_then(|child| document.owned(child, "id"));
            let is_automated = id.as_ref().is_some_and(|id| self.automated.contains(id));
            self.own.extend(id);
            is_automated
        };
        let automated = Automated {
            gain: is_automated("Volume"),
            pan: is_automated("Pan"),
            mute: is_automated("Mute"),
        };
        let track = ProjectTrack {
            id: Some(id.clone()),
            name: document.owned(element, "name").unwrap_or_default(),
            gain_db: self.gain(child("Volume"))?,
            pan: self.pan(child("Pan"))?,
            mute: mute.is_some(),
            solo: channel.is_some_and(|channel| document.is(channel, "solo", "true")),
            color: document.text(element, "color").and_then(|color| rgb(&color)),
            is_bus: has_tracks || matches!(role.as_deref(), Some("effect" | "submix")),
            parent: document.parent(element).and_then(|parent| document.owned(parent, "id")),
            automated,
            ..ProjectTrack::default()
        };
        self.left.automation(&track.name, automated);
        self.numbers.insert(id, number);
        self.project.tracks.push(track);
        self.tracks.push(Track { element, channel, lane: None });
        Ok(())
    }

    fn gain(&mut self, volume: Option<usize>) -> Result<f64, ReadError> {
        let Some(volume) = volume else { return Ok(0.0) };
        let value = self.document.number(volume, "value")?.unwrap_or(1.0);
        Ok(match self.document.text(volume, "unit").as_deref() {
            Some("decibel") => value,
            Some("percent") => decibels(value / 100.0),
            _ => decibels(value),
        })
    }

    fn pan(&self, pan: Option<usize>) -> Result<f64, ReadError> {
        let Some(pan) = pan else { return Ok(0.0) };
        let [low, high] = pan_range(self.document, pan)?;
        let middle = f64::midpoint(low, high);
        let value = self.document.number(pan, "value")?.unwrap_or(middle);
        Ok(((value - middle) / (high - middle)).clamp(-1.0, 1.0))
    }

    /// All clips of the arrangement, whose track and unit may be set at any element around them.
    fn add_lanes(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        let Some(arrangement) = self.arrangement else { return Ok(()) };
        let mut scope: Vec<(usize, Unit, Option<usize>)> = Vec::new();
        let mut next = arrangement;
        while next < document.inside(arrangement).end {
            let element = next;
            next += 1;
            while scope.last().is_some_and(|(of, ..)| element >= document.inside(*of).end) {
                scope.pop();
            }
            let (_, around, track) = scope.last().copied().unwrap_or((0, Unit::Beats, None));
            let unit = unit(document, element, "timeUnit", around);
            let own = document.text(element, "track");
            let track = own.and_then(|id| self.numbers.get(&*id).copied()).or(track);
            scope.push((element, unit, track));
            match (document.name(element), track) {
                ("Clips", Some(track)) if self.tracks[track].lane.is_none() => {
                    self.tracks[track].lane = Some((element, unit));
                }
                ("Clip", track) => {
                    self.add_clip(element, unit, track)?;
                    next = document.inside(element).end;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add_clip(
        &mut self,
        element: usize,
        unit: Unit,
        track: Option<usize>,
    ) -> Result<(), ReadError> {
        let document = self.document;
        let Some(track) = track else {
            self.left.count("clip without a track", "clips without a track");
            return Ok(());
        };
        let read = match Clip::of(document, &self.map, element, unit)? {
            Ok(place) => place.read(document, &self.map)?.map(|clip| (place, clip)),
            Err(unplayable) => Err(unplayable),
        };
        match read {
            Ok((place, mut clip)) => {
                let track = &mut self.project.tracks[track];
                let name = track.id.as_deref().unwrap_or_default();
                let id = format!("{name} clip {}", track.clips.len() + 1);
                clip.id = Some(id.clone());
                track.clips.push(clip);
                self.clips.insert(id, place);
            }
            Err((one, many)) => self.left.count(one, many),
        }
        Ok(())
    }

    fn add_markers(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        let markers = self.arrangement.and_then(|at| document.child(at, "Markers"));
        let Some(markers) = markers else { return Ok(()) };
        let unit = unit(document, markers, "timeUnit", Unit::Beats);
        for (index, element) in document.named(markers, "Marker").enumerate() {
            let id = format!("marker {}", index + 1);
            let time = document.number(element, "time")?.unwrap_or_default();
            self.project.markers.push(ProjectMarker {
                id: Some(id.clone()),
                name: document.owned(element, "name").unwrap_or_default(),
                position: self.map.seconds_of(unit, time),
                length: 0.0,
            });
            self.markers.insert(id, element);
        }
        Ok(())
    }

    fn note_rest(&mut self) {
        let document = self.document;
        for element in document.inside(0) {
            let parent = document.parent(element).map_or("", |parent| document.name(parent));
            match (parent, document.name(element)) {
                ("Devices", _) => self.left.count("plugin", "plugins"),
                ("Sends", _) => self.left.count("send", "sends"),
                ("ClipSlot", "Clip") => self.left.count("launcher clip", "launcher clips"),
                _ => {}
            }
        }
        let others = self.automated.difference(&self.own).count();
        for _ in 0..others {
            self.left.count("other automation", "other automations");
        }
    }
}

/// The lowest and the highest value of a pan.
pub(super) fn pan_range(document: &Document<'_>, pan: usize) -> Result<[f64; 2], ReadError> {
    let lowest = if document.is(pan, "unit", "normalized") { 0.0 } else { -1.0 };
    let low = document.number(pan, "min")?.unwrap_or(lowest);
    let high = document.number(pan, "max")?.unwrap_or(1.0);
    Ok(if low < high { [low, high] } else { [lowest, 1.0] })
}

fn rgb(color: &str) -> Option<[u8; 3]> {
    let digits = color.strip_prefix('#')?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some([byte(0)?, byte(2)?, byte(4)?])
}

/// Ids of the parameters that lanes with at least one point set.
fn automated(document: &Document<'_>, arrangement: Option<usize>) -> HashSet<String> {
    let inside = arrangement.map(|arrangement| document.inside(arrangement)).unwrap_or_default();
    let points = inside.filter(|at| document.name(*at) == "Points");
    let target = |points: usize| {
        let target = document.child(points, "Target")?;
        let has_point = document.children(points).count() > 1;
        document.owned(target, "parameter").filter(|_| has_point)
    };
    points.filter_map(target).collect()
}

fn tempos(document: &Document<'_>, arrangement: Option<usize>) -> Result<Vec<Tempo>, ReadError> {
    let transport = document.child(0, "Transport");
    let tempo = transport.and_then(|transport| document.child(transport, "Tempo"));
    let bpm = tempo.map(|tempo| document.number(tempo, "value")).transpose()?.flatten();
    let bpm = bpm.filter(|bpm| *bpm > 0.0).unwrap_or(120.0);
    let mut tempos = vec![Tempo { beat: 0.0, bpm, is_ramp: false }];
    let automation = arrangement.and_then(|at| document.child(at, "TempoAutomation"));
    let Some(automation) = automation else { return Ok(tempos) };
    let unit = unit(document, automation, "timeUnit", Unit::Beats);
    for point in document.named(automation, "RealPoint") {
        let time = document.number(point, "time")?.unwrap_or_default();
        let is_ramp = document.is(point, "interpolation", "linear");
        let Some(bpm) = document.number(point, "value")?.filter(|bpm| *bpm > 0.0) else { continue };
        if is_ramp && unit == Unit::Seconds {
            return Err(document.damaged_in(point, "a tempo ramp over seconds cannot be followed"));
        }
        let beat = match unit {
            Unit::Beats => time,
            Unit::Seconds => TempoMap::new(&tempos).beats(time),
        };
        tempos.retain(|tempo| tempo.beat < beat);
        tempos.push(Tempo { beat, bpm, is_ramp });
    }
    Ok(tempos)
}

fn meters(
    document: &Document<'_>,
    arrangement: Option<usize>,
    map: &TempoMap,
) -> Result<Vec<MeterPoint>, ReadError> {
    let transport = document.child(0, "Transport");
    let first = transport.and_then(|transport| document.child(transport, "TimeSignature"));
    let automation = arrangement.and_then(|at| document.child(at, "TimeSignatureAutomation"));
    let points = automation.map(|at| document.named(at, "TimeSignaturePoint").collect::<Vec<_>>());
    let unit = automation.map_or(Unit::Beats, |at| unit(document, at, "timeUnit", Unit::Beats));
    let mut meters: Vec<MeterPoint> = Vec::new();
    for element in first.into_iter().chain(points.unwrap_or_default()) {
        let number = |name| Ok::<_, ReadError>(document.number(element, name)?.unwrap_or_default());
        let position = map.seconds_of(unit, number("time")?);
        let [numerator, denominator] = [number("numerator")? as u32, number("denominator")? as u32];
        meters.retain(|meter| meter.position != position);
        meters.push(MeterPoint { position, numerator, denominator });
    }
    Ok(meters)
}

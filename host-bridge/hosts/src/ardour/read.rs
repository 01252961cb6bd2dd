//! A whole session as a `Project`, with where each object's elements are.

use std::collections::{HashMap, HashSet};

use super::PROGRAM;
use super::clock::{Clock, seconds};
use super::region::{self, Sources};
use crate::format::ReadError;
use crate::project::{
    Automated, Left, MeterPoint, Project, ProjectClip, ProjectMarker, ProjectTrack, TempoPoint,
    decibels,
};
use crate::xml::Document;

/// A session, and where what it holds is.
pub(super) struct Parsed<'a> {
    pub(super) document: Document<'a>,
    pub(super) project: Project,
    pub(super) rate: f64,
    /// How new times are written.
    pub(super) clock: Clock,
    /// The elements of each track, by its id.
    pub(super) tracks: HashMap<String, Track>,
    /// The element Region of each clip, by its id.
    pub(super) regions: HashMap<String, usize>,
    /// The element Location of each marker, by its id.
    pub(super) markers: HashMap<String, usize>,
    pub(super) sources: Sources,
    /// The Controllable of the master's fader.
    pub(super) master: Option<usize>,
}

/// The elements of a track.
pub(super) struct Track {
    pub(super) route: usize,
    pub(super) playlist: Option<usize>,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Project, ReadError> {
    Ok(parse(bytes)?.project)
}

pub(super) fn parse(bytes: &[u8]) -> Result<Parsed<'_>, ReadError> {
    let document = Document::parse(bytes, PROGRAM)?;
    if document.name(0) != "Session" {
        return Err(ReadError::Kind(PROGRAM));
    }
    let rate = document.number(0, "sample-rate")?.filter(|rate| *rate >= 1.0).unwrap_or(48000.0);
    let mut reader = Reader::new(&document, rate);
    reader.add_tempo_map()?;
    reader.add_routes()?;
    reader.add_locations()?;
    reader.note_rest();
    let Reader { mut project, tracks, regions, markers, sources, master, left, .. } = reader;
    project.rate = Some(rate as u32);
    project.left = left.lines();
    project.tracks = buses_first(project.tracks);
    let version = document.number(0, "version")?.unwrap_or_default();
    let clock = if version >= 7000.0 { Clock::Ticks } else { Clock::Samples(rate) };
    Ok(Parsed { document, project, rate, clock, tracks, regions, markers, sources, master })
}

/// The Controllable of a name, of a route or of its processor of a kind.
pub(super) fn control(
    document: &Document<'_>,
    route: usize,
    place: &str,
    name: &str,
) -> Option<usize> {
    let parent = document.children(route).find(|child| {
        let is_processor = document.name(*child) == "Processor";
        document.name(*child) == place || is_processor && document.is(*child, "type", place)
    });
    let parent = if place.is_empty() { Some(route) } else { parent };
    let mut controls = document.named(parent?, "Controllable");
    controls.find(|control| document.is(*control, "name", name))
}

struct Reader<'d, 'a> {
    document: &'d Document<'a>,
    rate: f64,
    project: Project,
    tracks: HashMap<String, Track>,
    regions: HashMap<String, usize>,
    markers: HashMap<String, usize>,
    sources: Sources,
    /// Elements Playlist by their ids.
    playlists: HashMap<String, usize>,
    master: Option<usize>,
    left: Left,
}

impl<'d, 'a> Reader<'d, 'a> {
    fn new(document: &'d Document<'a>, rate: f64) -> Self {
        let by_id = |parent: &str, name: &str| {
            let parent = document.child(0, parent);
            let elements =
                parent.into_iter().flat_map(|at| document.named(at, name).collect::<Vec<_>>());
            elements
                .filter_map(|at| Some((document.owned(at, "id")?, at)))
                .collect::<HashMap<_, _>>()
        };
        Self {
            document,
            rate,
            project: Project::default(),
            tracks: HashMap::new(),
            regions: HashMap::new(),
            markers: HashMap::new(),
            sources: by_id("Sources", "Source"),
            playlists: by_id("Playlists", "Playlist"),
            master: None,
            left: Left::default(),
        }
    }

    fn add_tempo_map(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        let Some(map) = document.child(0, "TempoMap") else { return Ok(()) };
        for element in document.inside(map) {
            let number = |name| document.number(element, name);
            let position = match number("sclock")? {
                Some(ticks) => Clock::Ticks.seconds(ticks),
                None => number("frame")?.unwrap_or_default() / self.rate,
            };
            match document.name(element) {
                "Tempo" => {
                    let notes = number("npm")?.or(number("beats-per-minute")?).unwrap_or(120.0);
                    let bpm = notes * 4.0 / number("note-type")?.unwrap_or(4.0).max(1.0);
                    self.project.tempo.push(TempoPoint { position, bpm });
                }
                "Meter" => {
                    let note = number("note-value")?.or(number("note-type")?);
                    self.project.meter.push(MeterPoint {
                        position,
                        numerator: number("divisions-per-bar")?.unwrap_or(4.0) as u32,
                        denominator: note.unwrap_or(4.0) as u32,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add_routes(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        let routes = document.child(0, "Routes");
        let routes = routes.map(|routes| document.named(routes, "Route").collect::<Vec<_>>());
        let mut routes = routes.unwrap_or_default();
        let information = |route: usize| document.child(route, "PresentationInfo");
        let order = |route: &usize| {
            let order = information(*route).map(|at| document.number(at, "order"));
            order.and_then(Result::ok).flatten().unwrap_or(f64::MAX)
        };
        routes.sort_by(|a, b| order(a).total_cmp(&order(b)));
        let names = routes.iter().filter_map(|route| {
            Some((document.owned(*route, "name")?, document.owned(*route, "id")?))
        });
        let names = names.collect::<HashMap<_, _>>();
        for route in routes {
            let flags = information(route).and_then(|at| document.text(at, "flags"));
            let flags = flags.unwrap_or_default();
            let has = |flag| flags.split(',').any(|one| one == flag);
            if has("MasterOut") {
                self.master = control(document, route, "amp", "gaincontrol");
                self.project.master_gain_db = self.gain(self.master)?;
            } else if !["MonitorOut", "Auditioner", "FoldbackBus"].into_iter().any(has) {
                self.add_route(route, has("AudioBus") || has("MidiBus"), &names)?;
            }
        }
        Ok(())
    }

    fn gain(&self, control: Option<usize>) -> Result<f64, ReadError> {
        let value = control.map(|at| self.document.number(at, "value")).transpose()?.flatten();
        Ok(decibels(value.unwrap_or(1.0)))
    }

    fn add_route(
        &mut self,
        route: usize,
        is_bus: bool,
        names: &HashMap<String, String>,
    ) -> Result<(), ReadError> {
        let document = self.document;
        let Some(id) = document.owned(route, "id") else {
            return Err(document.damaged_in(route, "a Route has no id"));
        };
        let is_on = |place, name| {
            control(document, route, place, name).is_some_and(|at| document.is(at, "value", "1"))
        };
        let pan = control(document, route, "Pannable", "pan-azimuth");
        let pan = pan.map(|pan| document.number(pan, "value")).transpose()?.flatten();
        let playlist = document.text(route, "audio-playlist");
        let playlist = playlist.and_then(|id| self.playlists.get(&*id).copied());
        let muted = document.child(route, "MuteMaster");
        let mut track = ProjectTrack {
            id: Some(id.clone()),
            name: document.owned(route, "name").unwrap_or_default(),
            gain_db: self.gain(control(document, route, "amp", "gaincontrol"))?,
            pan: (pan.unwrap_or(0.5) * 2.0 - 1.0).clamp(-1.0, 1.0),
            mute: muted.is_some_and(|at| document.is(at, "muted", "1")) || is_on("", "mute"),
            solo: is_on("", "solo"),
            color: color(document, route)?,
            is_bus,
            parent: self.output(route).and_then(|name| names.get(&name).cloned()),
            automated: automated(document, route),
            ..ProjectTrack::default()
        };
        track.clips = self.clips(playlist)?;
        self.left.automation(&track.name, track.automated);
        self.project.tracks.push(track);
        self.tracks.insert(id, Track { route, playlist });
        Ok(())
    }

    /// The clips of a playlist that can be played.
    fn clips(&mut self, playlist: Option<usize>) -> Result<Vec<ProjectClip>, ReadError> {
        let document = self.document;
        let mut clips = Vec::new();
        let regions = playlist.map(|at| document.named(at, "Region").collect::<Vec<_>>());
        for element in regions.unwrap_or_default() {
            match region::read(document, &self.sources, element, self.rate)? {
                Ok(mut clip) => {
                    let known = clip.id.clone().filter(|id| !self.regions.contains_key(id));
                    let id = known.unwrap_or_else(|| format!("region {}", self.regions.len() + 1));
                    clip.id = Some(id.clone());
                    self.regions.insert(id, element);
                    clips.push(clip);
                }
                Err((one, many)) => self.left.count(one, many),
            }
        }
        Ok(clips)
    }

    /// The name of the route that a route's first output is connected to.
    fn output(&self, route: usize) -> Option<String> {
        let document = self.document;
        let mut outputs = document.named(route, "IO");
        let output = outputs.find(|io| document.is(*io, "direction", "Output"))?;
        let mut inside = document.inside(output);
        let connection = inside.find(|child| document.name(*child) == "Connection")?;
        let other = document.owned(connection, "other")?;
        Some(other.split_once('/')?.0.to_owned())
    }

    fn add_locations(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        let Some(locations) = document.child(0, "Locations") else { return Ok(()) };
        for element in document.named(locations, "Location") {
            let flags = document.text(element, "flags").unwrap_or_default();
            let is_range = flags == "IsRangeMarker";
            let Some(id) = document.owned(element, "id") else { continue };
            if !is_range && flags != "IsMark" || self.markers.contains_key(&id) {
                continue;
            }
            let start = seconds(document, element, "start", self.rate)?;
            let end = seconds(document, element, "end", self.rate)?;
            let (Some(position), Some(end)) = (start, end) else {
                self.left.count("marker in musical time", "markers in musical time");
                continue;
            };
            self.project.markers.push(ProjectMarker {
                id: Some(id.clone()),
                name: document.owned(element, "name").unwrap_or_default(),
                position,
                length: if is_range { (end - position).max(0.0) } else { 0.0 },
            });
            self.markers.insert(id, element);
        }
        Ok(())
    }

    fn note_rest(&mut self) {
        let document = self.document;
        for element in document.inside(0) {
            let kind = document.text(element, "type").unwrap_or_default();
            match (document.name(element), &*kind) {
                ("Processor", "lv2" | "ladspa" | "lxvst" | "vst3" | "windows-vst" | "mac-vst") => {
                    self.left.count("plugin", "plugins");
                }
                ("Processor", "audiounit" | "luaproc") | ("RegionFXPlugin", _) => {
                    self.left.count("plugin", "plugins");
                }
                ("Processor", "intsend" | "send") => self.left.count("send", "sends"),
                ("VCA", _) => self.left.count("VCA", "VCAs"),
                ("Controllable", _)
                    if document
                        .text(element, "phase-invert")
                        .is_some_and(|of| of.contains('1')) =>
                {
                    self.left
                        .count("track with inverted polarity", "tracks with inverted polarity");
                }
                _ => {}
            }
        }
        let unused = document.child(0, "UnusedPlaylists");
        for _ in unused.into_iter().flat_map(|at| document.children(at).collect::<Vec<_>>()) {
            self.left.count("unused playlist", "unused playlists");
        }
    }
}

/// Red, green, blue and opacity in one number; 0 is none.
fn color(document: &Document<'_>, route: usize) -> Result<Option<[u8; 3]>, ReadError> {
    let information = document.child(route, "PresentationInfo");
    let number = information.map(|at| document.number(at, "color")).transpose()?.flatten();
    let number = number.unwrap_or_default() as u32;
    let [red, green, blue, _] = number.to_be_bytes();
    Ok((number != 0).then_some([red, green, blue]))
}

fn automated(document: &Document<'_>, route: usize) -> Automated {
    let mut automated = Automated::default();
    for list in document.inside(route).filter(|at| document.name(*at) == "AutomationList") {
        let state = document.text(list, "state").unwrap_or_default();
        let is_read = matches!(&*state, "Play" | "Touch" | "Latch");
        let has_points = document.child(list, "events").is_some();
        let processor = document.parent(list).and_then(|at| document.parent(at));
        let is_fader = processor.is_some_and(|at| document.is(at, "type", "amp"));
        match document.text(list, "automation-id").as_deref() {
            _ if !is_read || !has_points => {}
            Some("gain") => automated.gain |= is_fader,
            Some("pan-azimuth") => automated.pan = true,
            Some("mute") => automated.mute = true,
            _ => {}
        }
    }
    automated
}

/// Each bus before the tracks that play through it. Buses that play in a circle play to the master.
pub(super) fn buses_first(tracks: Vec<ProjectTrack>) -> Vec<ProjectTrack> {
    let mut inside: HashMap<Option<String>, Vec<ProjectTrack>> = HashMap::new();
    let buses = tracks.iter().filter(|track| track.is_bus).filter_map(|track| track.id.clone());
    let buses = buses.collect::<HashSet<_>>();
    for mut track in tracks {
        track.parent = track.parent.filter(|parent| buses.contains(parent));
        inside.entry(track.parent.clone()).or_default().push(track);
    }
    let mut order = Vec::new();
    let mut waiting = inside.remove(&None).unwrap_or_default();
    waiting.reverse();
    loop {
        while let Some(track) = waiting.pop() {
            let children = inside.remove(&track.id).unwrap_or_default();
            waiting.extend(children.into_iter().rev());
            order.push(track);
        }
        let Some(circle) = inside.keys().min().cloned() else { return order };
        let free = inside.remove(&circle).unwrap_or_default().into_iter().rev();
        waiting.extend(free.map(|track| ProjectTrack { parent: None, ..track }));
    }
}

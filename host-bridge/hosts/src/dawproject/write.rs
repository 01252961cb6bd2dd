//! A wanted project written into `project.xml`.

use std::collections::{HashMap, HashSet};

use super::archive::Archive;
use super::clip::unit;
use super::ids::Ids;
use super::read::{Parsed, Track, pan_range, parse};
use super::tempo::Unit;
use super::write_clip::{self, Editor};
use crate::format::WriteError;
use crate::project::{Project, ProjectClip, ProjectMarker, ProjectTrack, linear};
use crate::splice::Splices;
use crate::track_order::{Placed, placed};
use crate::validate::{Before, refused, validate};
use crate::xml::{Document, escaped};

pub(super) fn write(archive: &Archive<'_>, wanted: &Project) -> Result<Vec<u8>, WriteError> {
    let parsed = parse(&archive.project)?;
    validate(&parsed.project, wanted)?;
    let order = placed(&parsed.project.tracks, &wanted.tracks);
    let mut writer = Writer {
        parsed: &parsed,
        before: Before::of(&parsed.project),
        files: &archive.names,
        ids: Ids::of(&parsed.document),
        splices: Splices::default(),
        wanted_clips: clip_ids(wanted),
        new_lanes: String::new(),
    };
    writer.master(wanted)?;
    writer.markers(wanted)?;
    writer.tracks(&order)?;
    Ok(writer.splices.apply(&archive.project, 0..archive.project.len())?)
}

fn clip_ids(project: &Project) -> HashSet<String> {
    let clips = project.tracks.iter().flat_map(|track| &track.clips);
    clips.filter_map(|clip| clip.id.clone()).collect()
}

struct Writer<'w, 'a> {
    parsed: &'w Parsed<'a>,
    before: Before<'w>,
    files: &'w HashSet<String>,
    ids: Ids,
    splices: Splices,
    wanted_clips: HashSet<String>,
    /// Lanes of tracks that have none yet.
    new_lanes: String,
}

impl Writer<'_, '_> {
    fn master(&mut self, wanted: &Project) -> Result<(), WriteError> {
        if self.parsed.project.master_gain_db != wanted.master_gain_db {
            let refusal = || refused("the master", "the project has no fader of it");
            self.volume(self.parsed.master.ok_or_else(refusal)?, wanted.master_gain_db);
        }
        Ok(())
    }

    fn volume(&mut self, volume: usize, gain_db: f64) {
        let document = &self.parsed.document;
        let value = match document.text(volume, "unit").as_deref() {
            Some("decibel") => gain_db.max(-1000.0),
            Some("percent") => linear(gain_db) * 100.0,
            _ => linear(gain_db),
        };
        document.set(&mut self.splices, volume, "value", &value.to_string());
    }

    fn markers(&mut self, wanted: &Project) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        if let Some(region) = wanted.markers.iter().find(|marker| marker.length > 0.0) {
            let why = "DAWproject has no regions: make it a marker";
            return Err(refused(format!("region {:?}", region.name), why));
        }
        let arrangement = self.parsed.arrangement;
        let list = arrangement.and_then(|at| document.child(at, "Markers"));
        let unit = list.map_or(Unit::Beats, |at| unit(document, at, "timeUnit", Unit::Beats));
        for (id, element) in &self.parsed.markers {
            let new = wanted.markers.iter().find(|marker| marker.id.as_ref() == Some(id));
            let Some(new) = new else {
                document.delete(&mut self.splices, *element);
                continue;
            };
            let old = self.before.marker(id)?;
            if old.position != new.position {
                let time = self.parsed.map.time_of(unit, new.position).to_string();
                document.set(&mut self.splices, *element, "time", &time);
            }
            if old.name != new.name {
                document.set(&mut self.splices, *element, "name", &new.name);
            }
        }
        let new = wanted.markers.iter().filter(|marker| marker.id.is_none()).collect::<Vec<_>>();
        self.new_markers(list, unit, &new)
    }

    /// Markers come after Lanes and before all else. A list of none is not allowed.
    fn new_markers(
        &mut self,
        list: Option<usize>,
        unit: Unit,
        markers: &[&ProjectMarker],
    ) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        if markers.is_empty() {
            return Ok(());
        }
        let arrangement = self.arrangement()?;
        let place = list.unwrap_or(arrangement);
        let (end, indent) = (document.line_end(), document.indent(place));
        let deeper = if list.is_some() { "    " } else { "        " };
        let line = |marker: &&ProjectMarker| {
            let time = self.parsed.map.time_of(unit, marker.position);
            let name = escaped(&marker.name);
            format!("{indent}{deeper}<Marker time=\"{time}\" name=\"{name}\"/>{end}")
        };
        let lines = markers.iter().map(line).collect::<String>();
        if let Some(list) = list {
            document.append(&mut self.splices, list, &lines);
            return Ok(());
        }
        let id = self.ids.next();
        let inside = format!("{indent}    ");
        let list = format!(
            "{inside}<Markers timeUnit=\"beats\" id=\"{id}\">{end}{lines}{inside}</Markers>{end}"
        );
        match document.child(arrangement, "Lanes") {
            Some(lanes) => document.add_after(&mut self.splices, lanes, &list),
            None => return Err(refused("the new markers", "the project has no arrangement")),
        }
        Ok(())
    }

    fn arrangement(&self) -> Result<usize, WriteError> {
        let arrangement = self.parsed.arrangement;
        arrangement.ok_or_else(|| refused("the project", "it has no arrangement to write to"))
    }

    fn tracks(&mut self, order: &[Placed<'_>]) -> Result<(), WriteError> {
        let kept = order.iter().filter_map(|track| track.known).collect::<HashSet<_>>();
        self.delete_tracks(&kept)?;
        for track in order {
            let Some(known) = track.known else { continue };
            let old = &self.parsed.project.tracks[known];
            if !track.stays || old.parent != track.wanted.parent {
                let why =
                    "move tracks in the DAW: DAWproject keeps their place by other things too";
                return Err(refused(format!("track {:?}", track.wanted.name), why));
            }
            self.track(known, old, track.wanted)?;
            let lane = self.parsed.tracks[known].lane;
            let id = track.wanted.id.clone().unwrap_or_default();
            self.clips(lane, &id, Some(old), track.wanted)?;
        }
        self.new_tracks(order)?;
        if self.new_lanes.is_empty() {
            return Ok(());
        }
        let document = &self.parsed.document;
        let lanes = document.child(self.arrangement()?, "Lanes");
        let lanes = lanes.ok_or_else(|| refused("the new clips", "the project has no lanes"))?;
        document.append(&mut self.splices, lanes, &self.new_lanes);
        Ok(())
    }

    fn track(
        &mut self,
        known: usize,
        old: &ProjectTrack,
        new: &ProjectTrack,
    ) -> Result<(), WriteError> {
        let parsed = self.parsed;
        let document = &parsed.document;
        let Track { element, channel, .. } = parsed.tracks[known];
        if old.name != new.name {
            document.set(&mut self.splices, element, "name", &new.name);
        }
        if old.color != new.color {
            match new.color {
                Some(color) => document.set(&mut self.splices, element, "color", &hex(color)),
                None => document.unset(&mut self.splices, element, "color"),
            }
        }
        let part = |name: &str| {
            let part = channel.and_then(|channel| document.child(channel, name));
            let why = format!("the file says no {name} of it: change it in the DAW once");
            part.ok_or_else(|| refused(format!("track {:?}", new.name), why))
        };
        if old.gain_db != new.gain_db {
            self.volume(part("Volume")?, new.gain_db);
        }
        if old.pan != new.pan {
            let pan = part("Pan")?;
            let [low, high] = pan_range(document, pan)?;
            let middle = f64::midpoint(low, high);
            let value = (middle + new.pan * (high - middle)).to_string();
            document.set(&mut self.splices, pan, "value", &value);
        }
        if old.mute != new.mute {
            document.set(&mut self.splices, part("Mute")?, "value", &new.mute.to_string());
        }
        if let Some(channel) = channel.filter(|_| old.solo != new.solo) {
            document.set(&mut self.splices, channel, "solo", &new.solo.to_string());
        }
        Ok(())
    }

    /// Clips stay where they are, or come after the one that they are like, or at a lane's end.
    fn clips(
        &mut self,
        lane: Option<(usize, Unit)>,
        track: &str,
        old: Option<&ProjectTrack>,
        new: &ProjectTrack,
    ) -> Result<(), WriteError> {
        let parsed = self.parsed;
        let document = &parsed.document;
        let ids = |track: &ProjectTrack| {
            track.clips.iter().filter_map(|clip| clip.id.clone()).collect::<HashSet<_>>()
        };
        let (here, wanted) = (old.map(ids).unwrap_or_default(), ids(new));
        for id in here.difference(&wanted) {
            document.delete(&mut self.splices, parsed.clips[id].element);
        }
        let (unit, indent) = match lane {
            Some((lane, unit)) => (unit, format!("{}    ", document.indent(lane))),
            None => (self.lane_unit()?, " ".repeat(16)),
        };
        let mut appended = String::new();
        for clip in &new.clips {
            if let Some(id) = clip.id.as_ref().filter(|id| here.contains(*id)) {
                let editor = Editor { parsed, files: self.files, place: &parsed.clips[id] };
                editor.edit(&mut self.splices, self.before.clip(id)?, clip)?;
                continue;
            }
            let text = self.clip_text(unit, clip)?;
            let line = format!("{indent}{text}{}", document.line_end());
            let like = clip.like.as_ref();
            let like = like.filter(|id| here.contains(*id) && self.wanted_clips.contains(*id));
            match like {
                Some(id) => document.add_after(&mut self.splices, parsed.clips[id].element, &line),
                None => appended += &line,
            }
        }
        match lane {
            Some((lane, _)) => document.append(&mut self.splices, lane, &appended),
            None if appended.is_empty() => {}
            None => self.add_lane(track, &appended),
        }
        Ok(())
    }

    fn lane_unit(&self) -> Result<Unit, WriteError> {
        let document = &self.parsed.document;
        let lanes = self.parsed.arrangement.and_then(|at| document.child(at, "Lanes"));
        Ok(lanes.map_or(Unit::Beats, |lanes| unit(document, lanes, "timeUnit", Unit::Beats)))
    }

    fn add_lane(&mut self, track: &str, clips: &str) {
        let (end, indent) = (self.parsed.document.line_end(), " ".repeat(12));
        let (track, lanes, list) = (escaped(track), self.ids.next(), self.ids.next());
        self.new_lanes += &format!(
            "{indent}<Lanes track=\"{track}\" id=\"{lanes}\"><Clips id=\"{list}\">{end}{clips}\
             {indent}</Clips></Lanes>{end}"
        );
    }

    fn clip_text(&mut self, unit: Unit, clip: &ProjectClip) -> Result<String, WriteError> {
        let parsed = self.parsed;
        let Some(id) = clip.id.as_ref().or(clip.like.as_ref()) else {
            return write_clip::new(parsed, self.files, unit, clip);
        };
        let place = &parsed.clips[id];
        if place.unit != unit {
            let why = "the other track counts time in another unit: move the clip in the DAW";
            return Err(refused(format!("clip {:?}", clip.name), why));
        }
        let editor = Editor { parsed, files: self.files, place };
        let ids = clip.id.is_none().then_some(&mut self.ids);
        editor.text(self.before.clip(id)?, clip, ids)
    }

    /// What refers to a deleted track by its lane goes with it; a send to it is refused.
    fn delete_tracks(&mut self, kept: &HashSet<usize>) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        let tracks = self.parsed.tracks.iter().enumerate();
        let mut gone = HashMap::new();
        let mut end = 0;
        for (number, track) in tracks.filter(|(number, _)| !kept.contains(number)) {
            let inside = document.inside(track.element);
            for element in track.element..inside.end {
                gone.extend(document.owned(element, "id").map(|id| (id, number)));
            }
            if inside.end > end {
                document.delete(&mut self.splices, track.element);
                end = inside.end;
            }
        }
        if gone.is_empty() {
            return Ok(());
        }
        let mut next = 0;
        while next < document.inside(0).end {
            let element = next;
            next += 1;
            let is_gone = document.owned(element, "id").is_some_and(|id| gone.contains_key(&id));
            if is_gone && document.name(element) == "Track" {
                next = document.inside(element).end;
            } else if document.owned(element, "track").is_some_and(|id| gone.contains_key(&id)) {
                document.delete(&mut self.splices, element);
                next = document.inside(element).end;
            } else if let Some(number) = referred(document, element, &gone) {
                let name = &self.parsed.project.tracks[number].name;
                let why = "sends or automation refer to it: delete it in the DAW";
                return Err(refused(format!("track {name:?}"), why));
            }
        }
        Ok(())
    }

    fn new_tracks(&mut self, order: &[Placed<'_>]) -> Result<(), WriteError> {
        for (place, track) in order.iter().enumerate().filter(|(_, track)| track.known.is_none()) {
            let wanted = track.wanted;
            if wanted.id.is_some() || wanted.is_bus {
                let why = "make a bus in the DAW: Deskhand makes no buses in DAWproject";
                return Err(refused(format!("track {:?}", wanted.name), why));
            }
            let is_sibling =
                |other: &&Placed<'_>| other.known.is_some() && other.wanted.parent == wanted.parent;
            let sibling = order[..place].iter().rev().find(is_sibling).and_then(|at| at.known);
            let parent = wanted.parent.as_deref();
            let parent =
                order.iter().find(|at| parent.is_some() && at.wanted.id.as_deref() == parent);
            self.new_track(wanted, sibling, parent.and_then(|parent| parent.known))?;
        }
        Ok(())
    }

    fn new_track(
        &mut self,
        track: &ProjectTrack,
        sibling: Option<usize>,
        parent: Option<usize>,
    ) -> Result<(), WriteError> {
        let parsed = self.parsed;
        let document = &parsed.document;
        let place = |number: usize| &parsed.tracks[number];
        let bus = parent.and_then(|parent| place(parent).channel);
        let id = self.ids.next();
        let text = self.track_text(track, &id, bus)?;
        let before = match (sibling, bus) {
            (Some(sibling), _) => Some(place(sibling).element),
            (None, channel) => channel,
        };
        let indented =
            |element| format!("{}{text}{}", document.indent(element), document.line_end());
        match (before, self.parsed.structure) {
            (Some(element), _) => {
                document.add_after(&mut self.splices, element, &indented(element));
            }
            (None, Some(structure)) => match document.children(structure).next() {
                Some(first) => self.splices.insert(document.lines(first).start, indented(first)),
                None => document.append(&mut self.splices, structure, &indented(structure)),
            },
            (None, None) => return Err(refused("the new track", "the project has no tracks")),
        }
        self.clips(None, &id, None, track)
    }

    fn track_text(
        &mut self,
        track: &ProjectTrack,
        id: &str,
        bus: Option<usize>,
    ) -> Result<String, WriteError> {
        let document = &self.parsed.document;
        let master = self.parsed.master.and_then(|volume| document.parent(volume));
        let output = bus.or(master).and_then(|channel| document.owned(channel, "id"));
        let output = output.map(|id| format!(" destination=\"{}\"", escaped(&id)));
        let output = output.unwrap_or_default();
        let [channel, mute, pan, volume] = std::array::from_fn(|_| self.ids.next());
        let color = track.color.map(|color| format!(" color=\"{}\"", hex(color)));
        let (name, color) = (escaped(&track.name), color.unwrap_or_default());
        let (is_mute, is_solo) = (track.mute, track.solo);
        let (position, gain) = (0.5 + track.pan / 2.0, linear(track.gain_db));
        // Exports of Bitwig say contentType, the schema contentTypes: neither is needed.
        Ok(format!(
            "<Track loaded=\"true\" id=\"{id}\" name=\"{name}\"{color}><Channel \
             audioChannels=\"2\"{output} role=\"regular\" solo=\"{is_solo}\" id=\"{channel}\"><Mute \
             value=\"{is_mute}\" id=\"{mute}\" name=\"Mute\"/><Pan max=\"1\" min=\"0\" \
             unit=\"normalized\" value=\"{position}\" id=\"{pan}\" name=\"Pan\"/><Volume max=\"2\" \
             min=\"0\" unit=\"linear\" value=\"{gain}\" id=\"{volume}\" name=\"Volume\"/></Channel></Track>"
        ))
    }
}

/// The number of the deleted track that an attribute of `element` refers to.
fn referred(
    document: &Document<'_>,
    element: usize,
    gone: &HashMap<String, usize>,
) -> Option<usize> {
    let names = ["destination", "parameter", "reference"];
    names.iter().find_map(|name| gone.get(&document.owned(element, name)?).copied())
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

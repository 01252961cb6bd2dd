//! A wanted project written into a session.

use std::collections::{HashMap, HashSet};

use super::read::{Parsed, control, parse};
use super::region::clock;
use super::write_region;
use super::write_route::{NewIds, Routes, color};
use crate::format::WriteError;
use crate::project::{Project, ProjectClip, ProjectMarker, ProjectTrack, linear};
use crate::splice::Splices;
use crate::validate::{Before, refused, validate};
use crate::xml::{Document, escaped};

pub(crate) fn write(original: &[u8], wanted: &Project) -> Result<Vec<u8>, WriteError> {
    let parsed = parse(original)?;
    validate(&parsed.project, wanted)?;
    let mut writer = Writer {
        before: Before::of(&parsed.project),
        ids: Ids::of(&parsed.document),
        splices: Splices::default(),
        sources: NewSources::of(&parsed),
        parsed: &parsed,
    };
    if parsed.project.master_gain_db != wanted.master_gain_db {
        writer.set(parsed.master, "the master", "value", linear(wanted.master_gain_db))?;
    }
    writer.markers(wanted)?;
    writer.tracks(wanted)?;
    let Writer { ids, mut splices, sources, .. } = writer;
    sources.write(&parsed.document, &mut splices)?;
    ids.write(&parsed.document, &mut splices);
    Ok(splices.apply(original, 0..original.len())?)
}

/// New ids, from the session's counter on.
pub(super) struct Ids {
    first: u64,
    next: u64,
}

impl Ids {
    fn of(document: &Document<'_>) -> Self {
        let counter = document.text(0, "id-counter").and_then(|text| text.parse::<u64>().ok());
        let ids = document.inside(0).filter_map(|at| document.text(at, "id")?.parse::<u64>().ok());
        // A counter below an id that is taken would name two objects alike.
        let highest = ids.filter(|id| *id < u64::MAX / 2).max().unwrap_or_default();
        let counter = counter.filter(|counter| *counter < u64::MAX / 2).unwrap_or_default();
        let first = counter.max(highest + 1);
        Self { first, next: first }
    }

    pub(super) fn next(&mut self) -> String {
        self.next += 1;
        (self.next - 1).to_string()
    }

    fn write(&self, document: &Document<'_>, splices: &mut Splices) {
        if self.next > self.first {
            document.set(splices, 0, "id-counter", &self.next.to_string());
        }
    }
}

/// Sources of files that the session does not have yet.
pub(super) struct NewSources {
    known: HashMap<(String, u16), String>,
    lines: String,
}

impl NewSources {
    fn of(parsed: &Parsed<'_>) -> Self {
        let document = &parsed.document;
        let source = |(id, at): (&String, &usize)| {
            let channel = document.number(*at, "channel").ok()?.unwrap_or_default();
            Some(((document.owned(*at, "name")?, channel as u16), id.clone()))
        };
        let known = parsed.sources.iter().filter_map(source).collect();
        Self { known, lines: String::new() }
    }

    /// The id of the source of one channel of a file.
    pub(super) fn id(&mut self, file: &str, channel: u16, ids: &mut Ids) -> String {
        let key = (file.to_owned(), channel);
        if let Some(id) = self.known.get(&key) {
            return id.clone();
        }
        let (id, name) = (ids.next(), escaped(file));
        self.lines += &format!(
            "    <Source name=\"{name}\" take-id=\"\" type=\"audio\" flags=\"\" id=\"{id}\" \
             channel=\"{channel}\" origin=\"\" gain=\"1\"/>\n"
        );
        self.known.insert(key, id.clone());
        id
    }

    fn write(self, document: &Document<'_>, splices: &mut Splices) -> Result<(), WriteError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let sources = document.child(0, "Sources");
        let sources = sources.ok_or_else(|| refused("the session", "it has no list of sources"))?;
        document.append(splices, sources, &self.lines);
        Ok(())
    }
}

struct Writer<'w, 'a> {
    parsed: &'w Parsed<'a>,
    before: Before<'w>,
    ids: Ids,
    splices: Splices,
    sources: NewSources,
}

impl Writer<'_, '_> {
    fn set(
        &mut self,
        element: Option<usize>,
        object: &str,
        name: &str,
        value: f64,
    ) -> Result<(), WriteError> {
        let why = "the session does not say this value: change it in Ardour once";
        let element = element.ok_or_else(|| refused(object, why))?;
        self.parsed.document.set(&mut self.splices, element, name, &value.to_string());
        Ok(())
    }

    fn markers(&mut self, wanted: &Project) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        let named = wanted.markers.iter().filter_map(|marker| Some((marker.id.as_ref()?, marker)));
        let named = named.collect::<HashMap<_, _>>();
        for (id, element) in &self.parsed.markers {
            match named.get(id) {
                Some(new) => self.marker(*element, self.before.marker(id)?, new),
                None => document.delete(&mut self.splices, *element),
            }
        }
        let new = wanted.markers.iter().filter(|marker| marker.id.is_none());
        let lines = new.map(|marker| self.new_marker(marker)).collect::<String>();
        if !lines.is_empty() {
            let locations = document.child(0, "Locations");
            let why = "the session has no list of markers";
            let locations = locations.ok_or_else(|| refused("the new markers", why))?;
            document.append(&mut self.splices, locations, &lines);
        }
        Ok(())
    }

    fn marker(&mut self, element: usize, old: &ProjectMarker, new: &ProjectMarker) {
        let document = &self.parsed.document;
        if old.name != new.name {
            document.set(&mut self.splices, element, "name", &new.name);
        }
        if (old.position, old.length) != (new.position, new.length) {
            let [start, end] = self.location_times(new);
            document.set(&mut self.splices, element, "start", &start);
            document.set(&mut self.splices, element, "end", &end);
        }
    }

    fn location_times(&self, marker: &ProjectMarker) -> [String; 2] {
        let ProjectMarker { position, length, .. } = marker;
        [*position, position + length].map(|time| self.parsed.clock.text(time))
    }

    fn new_marker(&mut self, marker: &ProjectMarker) -> String {
        let [start, end] = self.location_times(marker);
        let flags = if marker.length > 0.0 { "IsRangeMarker" } else { "IsMark" };
        let (id, name) = (self.ids.next(), escaped(&marker.name));
        format!(
            "    <Location id=\"{id}\" name=\"{name}\" start=\"{start}\" end=\"{end}\" \
             flags=\"{flags}\" locked=\"0\" timestamp=\"0\" cue=\"0\"/>\n"
        )
    }

    fn tracks(&mut self, wanted: &Project) -> Result<(), WriteError> {
        let routes = Routes::new(self.parsed, wanted)?;
        routes.write(&mut self.splices)?;
        let (mut added, mut playlists) = (String::new(), String::new());
        for (at, new) in wanted.tracks.iter().enumerate() {
            if let Some(id) = new.known_id() {
                let old = self.before.track(id)?;
                self.track(id, old, new)?;
                self.clips(id, old, new)?;
                continue;
            }
            if new.is_bus && !new.clips.is_empty() {
                return Err(no_playlist(new));
            }
            let own = NewIds { route: self.ids.next(), playlist: self.ids.next() };
            added += &routes.new_route(at, &own, &mut self.ids);
            if !new.is_bus {
                playlists += &self.playlist(&own, new)?;
            }
        }
        for (list, lines) in [("Routes", added), ("Playlists", playlists)] {
            let document = &self.parsed.document;
            let list = document.child(0, list);
            match list.filter(|_| !lines.is_empty()) {
                Some(list) => document.append(&mut self.splices, list, &lines),
                None if lines.is_empty() => {}
                None => return Err(refused("the new tracks", "the session has no list of them")),
            }
        }
        Ok(())
    }

    /// The clips of a track that is new.
    fn playlist(&mut self, own: &NewIds, track: &ProjectTrack) -> Result<String, WriteError> {
        let (name, NewIds { route, playlist }) = (escaped(&track.name), own);
        let mut lines = format!(
            "    <Playlist id=\"{playlist}\" name=\"{name}\" type=\"audio\" orig-track-id=\"{route}\" \
             shared-with-ids=\"\" frozen=\"0\" combine-ops=\"0\">\n"
        );
        for clip in &track.clips {
            lines += &format!("      {}\n", self.clip_text(clip)?);
        }
        Ok(lines + "    </Playlist>\n")
    }

    fn track(
        &mut self,
        id: &str,
        old: &ProjectTrack,
        new: &ProjectTrack,
    ) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        let object = format!("track {:?}", new.name);
        let Some(place) = self.parsed.tracks.get(id) else { return Ok(()) };
        let route = place.route;
        if old.gain_db != new.gain_db {
            let fader = control(document, route, "amp", "gaincontrol");
            self.set(fader, &object, "value", linear(new.gain_db))?;
        }
        if old.pan != new.pan {
            let pan = control(document, route, "Pannable", "pan-azimuth");
            self.set(pan, &object, "value", f64::midpoint(new.pan, 1.0))?;
        }
        if old.mute != new.mute {
            let mute = f64::from(u8::from(new.mute));
            self.set(document.child(route, "MuteMaster"), &object, "muted", mute)?;
            self.set(control(document, route, "", "mute"), &object, "value", mute)?;
        }
        if old.solo != new.solo {
            let solo = f64::from(u8::from(new.solo));
            let control = control(document, route, "", "solo");
            self.set(control, &object, "value", solo)?;
            self.set(control, &object, "self-solo", solo)?;
        }
        if old.color != new.color {
            let information = document.child(route, "PresentationInfo");
            self.set(information, &object, "color", f64::from(color(new.color)))?;
        }
        Ok(())
    }

    fn clips(
        &mut self,
        id: &str,
        old: &ProjectTrack,
        new: &ProjectTrack,
    ) -> Result<(), WriteError> {
        let parsed = self.parsed;
        let document = &parsed.document;
        let ids = |track: &ProjectTrack| {
            track.clips.iter().filter_map(|clip| clip.id.clone()).collect::<HashSet<_>>()
        };
        let (here, wanted) = (ids(old), ids(new));
        for id in here.difference(&wanted) {
            document.delete(&mut self.splices, parsed.regions[id]);
        }
        let mut added = String::new();
        for clip in &new.clips {
            match clip.id.as_ref().filter(|id| here.contains(*id)) {
                Some(id) => {
                    let mut editor = write_region::Editor {
                        parsed,
                        region: parsed.regions[id],
                        ids: &mut self.ids,
                        sources: &mut self.sources,
                    };
                    editor.edit(&mut self.splices, self.before.clip(id)?, clip)?;
                }
                None => {
                    let text = self.clip_text(clip)?;
                    added += &format!("      {text}{}", document.line_end());
                }
            }
        }
        let playlist = parsed.tracks.get(id).and_then(|track| track.playlist);
        match playlist {
            Some(playlist) => document.append(&mut self.splices, playlist, &added),
            None if added.is_empty() => {}
            None => return Err(no_playlist(new)),
        }
        Ok(())
    }

    /// The element of a clip that is new on its track.
    fn clip_text(&mut self, clip: &ProjectClip) -> Result<String, WriteError> {
        let parsed = self.parsed;
        let Some(id) = clip.id.as_ref().or(clip.like.as_ref()) else {
            return write_region::new(parsed.clock, clip, &mut self.ids, &mut self.sources);
        };
        let mut editor = write_region::Editor {
            parsed,
            region: parsed.regions[id],
            ids: &mut self.ids,
            sources: &mut self.sources,
        };
        editor.text(self.before.clip(id)?, clip, clip.id.is_none())
    }
}

fn no_playlist(track: &ProjectTrack) -> WriteError {
    let why = "it has no playlist for audio: move the clips to another track";
    refused(format!("track {:?}", track.name), why)
}

impl Parsed<'_> {
    /// How the times of a region are written.
    pub(super) fn clock_of(&self, region: usize) -> super::clock::Clock {
        clock(&self.document, region, self.rate)
    }
}

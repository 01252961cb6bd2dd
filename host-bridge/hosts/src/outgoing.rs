//! The project as the session wants it: the values of the file that was read, with those in their place that the
//! session changed.

use crate::audio_files;
use crate::format::WriteError;
use crate::in_session_units::{clip, frames, gain, is_unnamed, marker, track};
use crate::link::Places;
use crate::project::{
    FadeShape, NEW, Project, ProjectClip, ProjectFade, ProjectMarker, ProjectTrack,
};
use crate::validate::refused;
use deskhand_dsp::{Fade, FadeCurve, Frames, Polarity, SampleRate};
use deskhand_session::{
    Clip, ClipId, HostRef, MarkerId, ObjectId, Output, Session, SourceId, Track, TrackId, TrackKind,
};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the session and the project say of each other.
pub(crate) struct Outgoing<'a> {
    session: &'a Session,
    base: &'a Project,
    places: &'a Places,
    /// What objects are called in the project.
    called: BTreeMap<ObjectId, &'a str>,
    /// The tracks and buses by what they are called there; a bus with clips of its own is two.
    tracks: BTreeMap<&'a str, Vec<TrackId>>,
    clips: BTreeMap<&'a str, ClipId>,
    markers: BTreeMap<&'a str, MarkerId>,
    /// The clips of the project by their names in it, with the place of their track.
    written: BTreeMap<&'a str, (usize, &'a ProjectClip)>,
    /// Where the files of the project are, by their paths; looked for once.
    found: OnceCell<BTreeMap<PathBuf, &'a str>>,
}

impl<'a> Outgoing<'a> {
    pub(crate) fn new(
        session: &'a Session,
        named: &'a BTreeMap<ObjectId, HostRef>,
        base: &'a Project,
        places: &'a Places,
    ) -> Self {
        let objects = named.iter();
        let called = objects.map(|(object, host)| (*object, host.id.as_str())).collect();
        let mut tracks: BTreeMap<&str, Vec<TrackId>> = BTreeMap::new();
        let (mut clips, mut markers) = (BTreeMap::new(), BTreeMap::new());
        for (object, host) in named {
            match object {
                ObjectId::Track(id) => tracks.entry(&host.id).or_default().push(*id),
                ObjectId::Clip(id) => drop(clips.insert(host.id.as_str(), *id)),
                ObjectId::Marker(id) => drop(markers.insert(host.id.as_str(), *id)),
                _ => {}
            }
        }
        let on = base.tracks.iter().enumerate();
        let written = on.flat_map(|(at, track)| track.clips.iter().map(move |clip| (at, clip)));
        let named = |(at, clip): (usize, &'a ProjectClip)| Some((clip.id.as_deref()?, (at, clip)));
        let written = written.filter_map(named).collect();
        let found = OnceCell::new();
        Self { session, base, places, called, tracks, clips, markers, written, found }
    }

    /// The project as the session wants it.
    ///
    /// # Errors
    /// When a clip that is new to the project plays one channel of its file: projects have no word for that.
    pub(crate) fn wanted(&self) -> Result<Project, WriteError> {
        for (id, clip) in &self.session.clips {
            let source = self.session.sources.get(&clip.source);
            let is_new =
                || self.called.get(&(*id).into()).is_none_or(|it| !self.written.contains_key(it));
            if source.is_some_and(|source| source.channel.is_some()) && is_new() {
                let why = "it plays one channel of its file: export its track, and import that file instead";
                return Err(refused(format!("clip {:?}", clip.name), why));
            }
        }
        Ok(self.projected())
    }

    fn projected(&self) -> Project {
        let base = self.base;
        let was = gain(base.master_gain_db);
        let now = self.session.master_gain;
        Project {
            master_gain_db: if was == now { base.master_gain_db } else { now.0 },
            tracks: self.wanted_tracks(),
            markers: self.wanted_markers(),
            ..base.clone()
        }
    }

    fn rate(&self) -> SampleRate {
        self.session.rate
    }

    /// All tracks in the order of the session, each after the bus that it plays into.
    fn wanted_tracks(&self) -> Vec<ProjectTrack> {
        let mut all = Vec::new();
        self.tracks_into(Output::Master, &mut all);
        all
    }

    fn tracks_into(&self, output: Output, all: &mut Vec<ProjectTrack>) {
        for (id, now) in self.session.tracks_in_order() {
            if now.output != output || self.is_inner(id) {
                continue;
            }
            let called = self.called.get(&id.into());
            let from = called.and_then(|called| {
                self.base.tracks.iter().find(|track| track.id.as_deref() == Some(called))
            });
            all.push(match from {
                Some(from) => self.known_track(from, id),
                None => self.new_track(id, now),
            });
            if now.kind == TrackKind::Bus {
                self.tracks_into(Output::Bus(id), all);
            }
        }
    }

    /// Whether a track holds the clips of a bus that is one track in the project.
    fn is_inner(&self, id: TrackId) -> bool {
        let Some(called) = self.called.get(&id.into()) else { return false };
        self.bus(called).is_some_and(|bus| bus != id)
    }

    fn known_track(&self, from: &ProjectTrack, id: TrackId) -> ProjectTrack {
        let ids = from.id.as_deref().and_then(|called| self.tracks.get(called));
        let on = ids.map_or(&[] as &[TrackId], Vec::as_slice);
        let parent = from.parent.as_deref().and_then(|parent| self.bus(parent));
        let was = track(from, 0, parent.map_or(Output::Master, Output::Bus));
        let mut out = self.track_values(from, &was, &self.session.tracks[&id]);
        out.clips = self.clips_of(from, on);
        out
    }

    fn bus(&self, called: &str) -> Option<TrackId> {
        let ids = self.tracks.get(called)?;
        let is_bus = |id: &&TrackId| {
            self.session.tracks.get(id).is_some_and(|track| track.kind == TrackKind::Bus)
        };
        ids.iter().find(is_bus).copied()
    }

    fn track_values(&self, from: &ProjectTrack, was: &Track, now: &Track) -> ProjectTrack {
        let mut out = from.clone();
        // A track without a name is called by its number here.
        if !(from.id.is_some() && from.name.trim().is_empty() && is_unnamed(&now.name)) {
            set(&was.name, &now.name, &mut out.name, String::clone);
        }
        set(&was.gain, &now.gain, &mut out.gain_db, |gain| gain.0);
        set(&was.pan, &now.pan, &mut out.pan, |pan| *pan);
        set(&was.mute, &now.mute, &mut out.mute, |it| *it);
        set(&was.solo, &now.solo, &mut out.solo, |it| *it);
        set(&was.color, &now.color, &mut out.color, |color| {
            color.clone().and_then(|color| rgb(&String::from(color)))
        });
        set(&was.output, &now.output, &mut out.parent, |output| self.parent(*output));
        out
    }

    /// What the project calls the bus of an output; the master has no name.
    fn parent(&self, output: Output) -> Option<String> {
        match output {
            Output::Master => None,
            Output::Bus(id) => match self.called.get(&id.into()) {
                Some(called) => Some((*called).to_owned()),
                None => Some(new_id(id)),
            },
        }
    }

    fn new_track(&self, id: TrackId, new: &Track) -> ProjectTrack {
        let is_bus = new.kind == TrackKind::Bus;
        let blank = ProjectTrack { id: Some(new_id(id)), is_bus, ..ProjectTrack::default() };
        let was = track(&blank, 0, Output::Master);
        let mut out = self.track_values(&blank, &was, new);
        out.clips = self.new_clips(&[id], None);
        out
    }

    /// The clips of a track of the project: those that are still on it, then new ones.
    fn clips_of(&self, from: &ProjectTrack, ids: &[TrackId]) -> Vec<ProjectClip> {
        let known = from.clips.iter().filter_map(|clip| self.known_clip(clip, ids));
        let mut all: Vec<ProjectClip> = known.collect();
        all.extend(self.new_clips(ids, from.id.as_deref()));
        all
    }

    /// A clip of the project; `None` if the session removed it, or has it on another track.
    fn known_clip(&self, from: &ProjectClip, on: &[TrackId]) -> Option<ProjectClip> {
        let Some(id) = from.id.as_deref().and_then(|id| self.clips.get(id)) else {
            return Some(from.clone());
        };
        let now = self.session.clips.get(id).filter(|clip| on.contains(&clip.track))?;
        Some(self.clip_values(from, now))
    }

    /// Clips on these tracks that the project does not have there. What came from a clip of the project, as by a split or
    /// a move to another track, takes over what Deskhand does not model.
    fn new_clips(&self, ids: &[TrackId], on: Option<&str>) -> Vec<ProjectClip> {
        let clips = ids.iter().flat_map(|id| self.session.clips_on(*id));
        let is_new = |(id, _): &(ClipId, &Clip)| {
            let called = self.called.get(&(*id).into());
            called.and_then(|id| self.written.get(id)).is_none_or(|(at, _)| {
                self.base.tracks.get(*at).and_then(|track| track.id.as_deref()) != on
            })
        };
        clips.filter(is_new).map(|(id, clip)| self.new_clip(id, clip, on)).collect()
    }

    fn new_clip(&self, id: ClipId, now: &Clip, on: Option<&str>) -> ProjectClip {
        let Some(like) = self.alike(id, now, on) else {
            let (id, file) = (Some(new_id(id)), self.file(now.source));
            let channels = self.session.sources.get(&now.source).map(|source| source.channels);
            let blank = ProjectClip { id, file, channels, ..ProjectClip::default() };
            return self.clip_values(&blank, now);
        };
        let from = ProjectClip { id: Some(new_id(id)), like: like.id.clone(), ..like.clone() };
        self.clip_values(&from, now)
    }

    /// The clip of the project that another was made from: itself where it changed tracks, else one of the same file,
    /// nearest to it on the same track first.
    fn alike(&self, id: ClipId, now: &Clip, on: Option<&str>) -> Option<&'a ProjectClip> {
        if let Some((_, own)) = self.called.get(&id.into()).and_then(|id| self.written.get(id)) {
            return Some(own);
        }
        let file = self.file(now.source);
        let of_file = self.written.values().filter(|(_, clip)| clip.file == file);
        let start = now.start.seconds(self.rate()).0;
        let far = |(at, clip): &&(usize, &ProjectClip)| {
            let is_elsewhere = self.base.tracks[*at].id.as_deref() != on;
            let by = if start < clip.start { clip.start - start } else { start - clip.start };
            (is_elsewhere, (by * 1e6) as i64)
        };
        of_file.min_by_key(far).map(|(_, clip)| *clip)
    }

    /// What the project calls a source's file, or would.
    fn file(&self, source: SourceId) -> String {
        let Some(source) = self.session.sources.get(&source) else { return String::new() };
        let path = Path::new(&source.path);
        if let Ok(inside) = path.strip_prefix(&self.places.unpacked) {
            return inside.to_string_lossy().into_owned();
        }
        match self.found.get_or_init(|| self.find()).get(path) {
            Some(file) => (*file).to_owned(),
            None => self.places.written(source),
        }
    }

    fn find(&self) -> BTreeMap<PathBuf, &'a str> {
        let clips = self.written.values().map(|(_, clip)| clip.file.as_str());
        let files: BTreeSet<&str> = clips.collect();
        files
            .into_iter()
            .filter_map(|it| Some((audio_files::find(self.places.folder(), it)?, it)))
            .collect()
    }

    fn clip_values(&self, from: &ProjectClip, now: &Clip) -> ProjectClip {
        let rate = self.rate();
        let source = self.session.sources.get(&now.source);
        let was = source.and_then(|source| clip(from, now.track, (now.source, source), rate));
        let was = was.unwrap_or_else(|| Clip::new("", now.track, now.source, Frames::ZERO));
        let mut out = from.clone();
        let seconds = |frames: &Frames| frames.seconds(rate).0;
        set(&was.name, &now.name, &mut out.name, String::clone);
        set(&was.position, &now.position, &mut out.position, seconds);
        set(&was.start, &now.start, &mut out.start, seconds);
        set(&was.length, &now.length, &mut out.length, seconds);
        set(&was.gain, &now.gain, &mut out.gain_db, |gain| gain.0);
        set(&was.mute, &now.mute, &mut out.mute, |it| *it);
        set(&was.polarity, &now.polarity, &mut out.is_inverted, |it| *it == Polarity::Inverted);
        let fade =
            |fade: &Fade| ProjectFade { length: seconds(&fade.length), shape: shape(fade.curve) };
        set(&was.fade_in, &now.fade_in, &mut out.fade_in, fade);
        set(&was.fade_out, &now.fade_out, &mut out.fade_out, fade);
        // Fades that reach over each other are cut to fit here: at another length they would be cut otherwise.
        let is_cut = |from: &ProjectFade, now: &Fade| frames(from.length, rate) != now.length;
        if was.length != now.length && is_cut(&from.fade_in, &now.fade_in) {
            out.fade_in = fade(&now.fade_in);
        }
        if was.length != now.length && is_cut(&from.fade_out, &now.fade_out) {
            out.fade_out = fade(&now.fade_out);
        }
        out
    }

    fn wanted_markers(&self) -> Vec<ProjectMarker> {
        let known = self.base.markers.iter().filter_map(|from| self.known_marker(from));
        let mut all: Vec<ProjectMarker> = known.collect();
        let is_there = |called: &str| {
            self.base.markers.iter().any(|marker| marker.id.as_deref() == Some(called))
        };
        for (id, new) in &self.session.markers {
            // One that is gone from the project comes back as a new one.
            if !self.called.get(&(*id).into()).is_some_and(|called| is_there(called)) {
                let blank = ProjectMarker { id: Some(new_id(*id)), ..ProjectMarker::default() };
                all.push(self.marker_values(&blank, new));
            }
        }
        all
    }

    fn known_marker(&self, from: &ProjectMarker) -> Option<ProjectMarker> {
        let Some(id) = from.id.as_deref().and_then(|id| self.markers.get(id)) else {
            return Some(from.clone());
        };
        Some(self.marker_values(from, self.session.markers.get(id)?))
    }

    fn marker_values(&self, from: &ProjectMarker, now: &deskhand_session::Marker) -> ProjectMarker {
        let was = marker(from, self.rate());
        let mut out = from.clone();
        let seconds = |frames: &Frames| frames.seconds(self.rate()).0;
        set(&was.name, &now.name, &mut out.name, String::clone);
        set(&was.position, &now.position, &mut out.position, seconds);
        set(&was.length, &now.length, &mut out.length, seconds);
        out
    }
}

/// What an object is called that the project does not have yet.
fn new_id(id: impl Into<ObjectId>) -> String {
    format!("{NEW}{}", id.into())
}

/// Puts a value in the place of another if the session changed it.
fn set<T: PartialEq, V>(was: &T, now: &T, out: &mut V, value: impl FnOnce(&T) -> V) {
    if was != now {
        *out = value(now);
    }
}

fn shape(curve: FadeCurve) -> FadeShape {
    match curve {
        FadeCurve::Linear => FadeShape::Linear,
        FadeCurve::EqualPower => FadeShape::EqualPower,
    }
}

/// "#4fc5fc" in bytes.
fn rgb(hex: &str) -> Option<[u8; 3]> {
    let hex = hex.strip_prefix('#')?;
    let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    Some([byte(0)?, byte(2)?, byte(4)?])
}

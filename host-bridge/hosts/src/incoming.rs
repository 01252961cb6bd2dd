//! What changed in the DAW's project since it was last read, as changes of the session.

use crate::changed_values::{Placed, all_changes, clip_changes, marker_changes, track_changes};
use crate::in_session_units::{clip, gain, marker, track};
use crate::link::{Link, Places};
use crate::merge::level;
use crate::opening::{meter, tempo};
use crate::project::{Project, ProjectClip, ProjectMarker, ProjectTrack};
use crate::{audio_files, dawproject};
use deskhand_edit::source_of_file;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Binding, Change, ClipId, Edit, Group, HostRef, IdSeed, InsertOwner, MarkerId, ObjectId, Output,
    RevisionId, Session, Source, SourceId, Track, TrackId, TrackKind,
};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most objects that are named.
const NAMED: usize = 3;

/// What changed.
pub(crate) struct Incoming {
    pub(crate) changes: Vec<Change>,
    /// What new objects are called in the project.
    pub(crate) names: BTreeMap<ObjectId, HostRef>,
    /// Objects that the session does not have any more.
    pub(crate) gone: Vec<ObjectId>,
    /// What changed, for people.
    pub(crate) what: String,
}

/// What changed from the first project to the second, for a session whose next revision has this number.
///
/// # Errors
/// When the run is stopped.
pub(crate) fn incoming(
    (was, now): (&Project, &Project),
    (binding, link, next): (&Binding, &Link, RevisionId),
    places: &Places,
    context: &PlanContext,
) -> Result<Incoming, ToolError> {
    let mut tracks: BTreeMap<String, Vec<TrackId>> = BTreeMap::new();
    let (mut clips, mut markers) = (BTreeMap::new(), BTreeMap::new());
    for (object, HostRef { id }) in link.objects.clone() {
        match object {
            ObjectId::Track(track) => tracks.entry(id).or_default().push(track),
            ObjectId::Clip(clip) => drop(clips.insert(id, clip)),
            ObjectId::Marker(marker) => drop(markers.insert(id, marker)),
            _ => {}
        }
    }
    let mut coming = Coming {
        session: Session::clone(&context.session),
        changes: Vec::new(),
        names: BTreeMap::new(),
        changed: Vec::new(),
        left: Vec::new(),
        // The same where the session ended before the revision was stored.
        ids: IdSeed::new("project", &binding.path, next.0),
        tracks,
        clips,
        markers,
        places,
        context,
    };
    coming.all(was, now)?;
    let mut what = named(&coming.changed);
    if !coming.left.is_empty() {
        what += &format!(", but not all of {}", named(&coming.left));
    }
    let gone =
        link.objects.keys().filter(|object| !coming.session.has(**object)).copied().collect();
    Ok(Incoming { changes: coming.changes, names: coming.names, gone, what })
}

/// The session while it follows the project.
struct Coming<'a> {
    session: Session,
    changes: Vec<Change>,
    names: BTreeMap<ObjectId, HostRef>,
    /// The objects that changed, for people.
    changed: Vec<String>,
    /// Those of which a change does not fit the session.
    left: Vec<String>,
    ids: IdSeed,
    /// What the session has of the project, by what it is called there. A bus with clips of its own is two tracks.
    tracks: BTreeMap<String, Vec<TrackId>>,
    clips: BTreeMap<String, ClipId>,
    markers: BTreeMap<String, MarkerId>,
    places: &'a Places,
    context: &'a PlanContext,
}

impl Coming<'_> {
    fn all(&mut self, was: &Project, now: &Project) -> Result<(), ToolError> {
        self.whole(was, now);
        let (old_clips, new_clips) = (placed(was), placed(now));
        for id in old_clips.keys().filter(|id| !new_clips.contains_key(*id)) {
            self.remove_clip(id);
        }
        self.tracks(was, now);
        for (id, (on, clip)) in &new_clips {
            self.clip(id, old_clips.get(id), (on, clip))?;
        }
        self.gone_tracks(was, now);
        self.markers(was, now);
        Ok(())
    }

    /// Makes a change of the session, if it has it differently and takes it. What it does not take stays here as it is.
    fn change(&mut self, object: String, change: Change) {
        self.bundle(object, vec![change]);
    }

    /// The same for changes of which none makes sense without the others.
    fn bundle(&mut self, object: String, mut changes: Vec<Change>) {
        changes.retain(|change| !change.is_identity());
        if changes.is_empty() {
            return;
        }
        if let Ok(session) = self.session.with(&changes) {
            self.session = session;
            self.changes.extend(changes);
            self.changed.push(object);
        } else {
            self.left.push(object);
        }
    }

    fn name(&mut self, object: impl Into<ObjectId>, id: &str) {
        self.names.insert(object.into(), HostRef { id: id.to_owned() });
    }

    /// The master, the tempo and the meter.
    fn whole(&mut self, was: &Project, now: &Project) {
        let (on, rate) = (self.session.id, self.session.rate);
        if !level(&was.master_gain_db, &now.master_gain_db) {
            let edit = Edit::new(on, self.session.master_gain, gain(now.master_gain_db));
            self.change("the mix".into(), Change::SetMasterGain(edit));
        }
        if was.tempo != now.tempo {
            let edit = Edit::new(on, self.session.tempo.clone(), tempo(now, rate));
            self.change("the tempo".into(), Change::SetTempo(edit));
        }
        if was.meter != now.meter {
            let edit = Edit::new(on, self.session.meter.clone(), meter(now, rate));
            self.change("the meter".into(), Change::SetMeter(edit));
        }
    }

    fn tracks(&mut self, was: &Project, now: &Project) {
        let old: BTreeMap<&str, &ProjectTrack> = by_id(&was.tracks);
        for (place, new) in now.tracks.iter().enumerate() {
            let Some(id) = new.known_id() else { continue };
            match old.get(id) {
                Some(old) if old.is_bus && !new.is_bus => {}
                Some(old) => self.track((id, place), old, new),
                None => self.add_track((id, place), new),
            }
        }
    }

    /// Tracks that are gone, and buses that nothing plays into any more. Clips have left them by now.
    fn gone_tracks(&mut self, was: &Project, now: &Project) {
        let (old, new) = (by_id(&was.tracks), by_id(&now.tracks));
        for (id, old) in old.iter().rev().filter(|(id, _)| !new.contains_key(*id)) {
            for track in self.tracks.remove(*id).unwrap_or_default().into_iter().rev() {
                self.remove_track(track, old);
            }
        }
        for (place, new) in now.tracks.iter().enumerate().filter(|(_, new)| !new.is_bus) {
            if let (Some(id), Some(old)) =
                (new.known_id(), new.known_id().and_then(|id| old.get(id)))
                && old.is_bus
            {
                self.track((id, place), old, new);
            }
        }
    }

    fn add_track(&mut self, (called, place): (&str, usize), new: &ProjectTrack) {
        let id = TrackId::new(self.ids.next_bits());
        let index = place.min(self.session.tracks.len());
        let made = PlacedTrack { index, track: track(new, place, self.output(new)) };
        self.change(quoted("track", &new.name), Change::AddTrack(Edit::create(id, made)));
        self.name(id, called);
        self.tracks.entry(called.to_owned()).or_default().push(id);
    }

    /// With what only the session has on it: its place in a group, processors, and clips.
    fn remove_track(&mut self, id: TrackId, old: &ProjectTrack) {
        let index = self.session.tracks_in_order().position(|(track, _)| track == id);
        let (Some(index), Some(track)) = (index, self.session.tracks.get(&id).cloned()) else {
            return;
        };
        let mut changes = Vec::new();
        if let Some((group, was)) = self.session.group_of(id) {
            let tracks: Vec<TrackId> = was.tracks.iter().copied().filter(|it| *it != id).collect();
            let after = (!tracks.is_empty()).then(|| Group { tracks, ..was.clone() });
            changes.push(Change::SetGroup(Edit::new(group, Some(was.clone()), after)));
        }
        for (insert, placed) in self.session.inserts_on(InsertOwner::Track(id)) {
            changes.push(Change::SetInsert(Edit::remove(insert, placed.clone())));
        }
        for (clip, value) in self.session.clips_on(id) {
            changes.push(Change::RemoveClip(Edit::remove(clip, value.clone())));
        }
        let feeding = self.session.tracks.iter().filter(|(_, it)| it.output == Output::Bus(id));
        for (fed, it) in feeding {
            let edit = Edit::new(*fed, it.output, track.output);
            changes.push(Change::SetTrackOutput(edit));
        }
        changes.push(Change::RemoveTrack(Edit::remove(id, PlacedTrack { index, track })));
        self.bundle(quoted("track", &old.name), changes);
    }

    fn output(&self, of: &ProjectTrack) -> Output {
        let bus = of.parent.as_ref().and_then(|parent| self.on(parent, TrackKind::Bus));
        bus.map_or(Output::Master, Output::Bus)
    }

    /// The track for the clips of one of the project: of a bus, a track that plays into it.
    fn clips_track(&mut self, called: &str) -> Option<TrackId> {
        let found = self.on(called, TrackKind::Audio)?;
        let track = self.session.tracks.get(&found).filter(|track| track.kind == TrackKind::Bus);
        let Some(bus) = track.cloned() else { return Some(found) };
        let id = TrackId::new(self.ids.next_bits());
        let index = self.session.tracks_in_order().position(|(track, _)| track == found);
        let index = index.map_or(self.session.tracks.len(), |index| index + 1);
        let track = Track { output: Output::Bus(found), ..Track::audio(bus.name.clone()) };
        let made = PlacedTrack { index, track };
        self.change(quoted("track", &bus.name), Change::AddTrack(Edit::create(id, made)));
        self.name(id, called);
        self.tracks.entry(called.to_owned()).or_default().push(id);
        Some(id)
    }

    /// The track that the project calls so, of this kind where it is two.
    fn on(&self, called: &str, kind: TrackKind) -> Option<TrackId> {
        let ids = self.tracks.get(called)?;
        let is_it = |id: &&TrackId| self.session.tracks.get(id).is_some_and(|it| it.kind == kind);
        ids.iter().find(is_it).or(ids.first()).copied()
    }

    fn track(&mut self, (called, place): (&str, usize), old: &ProjectTrack, new: &ProjectTrack) {
        let id = self.on(called, TrackKind::Bus);
        let Some((id, has)) = id.and_then(|id| Some((id, self.session.tracks.get(&id)?.clone())))
        else {
            return;
        };
        let made = track(new, place, self.output(new));
        let told = quoted("track", &made.name);
        if has.kind != made.kind {
            return self.kind(called, (id, has), made);
        }
        if let Some(inner) = self.on(called, TrackKind::Audio).filter(|inner| *inner != id)
            && self.session.name_of(inner.into()) == has.name
            && old.name != new.name
        {
            // The clips of a bus are on a track of its name.
            let edit = Edit::new(inner, has.name.clone(), made.name.clone());
            self.change(told.clone(), Change::RenameTrack(edit));
        }
        let changes = track_changes(id, (old, new), (has, made));
        for change in changes {
            self.change(told.clone(), change);
        }
    }

    /// A track that became a bus, or a bus that became a track. What is on the track stays on it.
    fn kind(&mut self, called: &str, (id, has): (TrackId, Track), made: Track) {
        let name = quoted("track", &made.name);
        let index = self.session.tracks_in_order().position(|(track, _)| track == id);
        let index = index.unwrap_or_default();
        if made.kind == TrackKind::Bus {
            let bus = TrackId::new(self.ids.next_bits());
            let inner = Track { output: Output::Bus(bus), ..Track::audio(made.name.clone()) };
            let mut changes =
                vec![Change::AddTrack(Edit::create(bus, PlacedTrack { index, track: made }))];
            changes.extend(all_changes(id, has, inner));
            self.bundle(name, changes);
            self.name(bus, called);
            self.tracks.entry(called.to_owned()).or_default().push(bus);
            return;
        }
        let gone = Change::RemoveTrack(Edit::remove(id, PlacedTrack { index, track: has }));
        let inner = self.on(called, TrackKind::Audio).filter(|inner| *inner != id);
        let inner = inner.and_then(|it| Some((it, self.session.tracks.get(&it)?.clone())));
        match inner {
            Some((inner, was)) => {
                let mut changes = all_changes(inner, was, made);
                changes.push(gone);
                self.bundle(name, changes);
            }
            None => {
                let track = TrackId::new(self.ids.next_bits());
                let made = PlacedTrack { index, track: made };
                let added = Change::AddTrack(Edit::create(track, made));
                self.bundle(name, vec![gone, added]);
                self.name(track, called);
                self.tracks.entry(called.to_owned()).or_default().push(track);
            }
        }
    }

    fn remove_clip(&mut self, called: &str) {
        let id = self.clips.get(called).copied();
        if let Some((id, clip)) = id.and_then(|id| Some((id, self.session.clips.get(&id)?.clone())))
        {
            let name = quoted("clip", &clip.name);
            self.change(name, Change::RemoveClip(Edit::remove(id, clip)));
        }
    }

    fn clip(
        &mut self,
        called: &str,
        old: Option<&Placed<'_>>,
        (on, new): (&str, &ProjectClip),
    ) -> Result<(), ToolError> {
        if old.is_some_and(|old| is_same((old.0, old.1), (on, new))) {
            return Ok(());
        }
        let Some(track) = self.clips_track(on) else { return Ok(()) };
        let Some(source) = self.source(&new.file)? else { return Ok(()) };
        let made = self
            .session
            .sources
            .get(&source)
            .and_then(|it| clip(new, track, (source, it), self.session.rate));
        let Some(made) = made else { return Ok(()) };
        let known = self.clips.get(called).copied();
        let known = known.and_then(|id| Some((id, self.session.clips.get(&id)?.clone())));
        match (known, old) {
            (Some((id, has)), Some(old)) if has.source == source => {
                for change in clip_changes(id, (old, &(on, new)), (has, made)) {
                    self.change(quoted("clip", &new.name), change);
                }
            }
            // It was removed here: what the DAW does to it does not bring it back.
            (None, Some(_)) => {}
            (known, _) => {
                if known.is_some() {
                    self.remove_clip(called);
                }
                let id = ClipId::new(self.ids.next_bits());
                let change = Change::AddClip(Edit::create(id, made));
                self.change(quoted("clip", &new.name), change);
                self.name(id, called);
            }
        }
        Ok(())
    }

    /// The source of a file, which may be new; `None` if it cannot be found or read.
    fn source(&mut self, file: &str) -> Result<Option<SourceId>, ToolError> {
        let inside = self.places.unpacked.join(file);
        let inside = inside.is_file().then_some(inside);
        let found = inside.or_else(|| audio_files::find(self.places.folder(), file));
        let found = match found {
            Some(found) => Some(found),
            None => self.unpacked(file),
        };
        let Some(path) = found.map(|path| path.to_string_lossy().into_owned()) else {
            return Ok(None);
        };
        let is_it = |it: &Source| {
            let played = self.places.copy_for_ardour(it).unwrap_or_else(|| self.places.played(it));
            it.path == path || played == Path::new(&path)
        };
        if let Some((id, _)) = self.session.sources.iter().find(|(_, it)| is_it(it)) {
            return Ok(Some(*id));
        }
        self.context.check()?;
        let Ok(source) = source_of_file(&path, self.context) else { return Ok(None) };
        let known = self.session.sources.iter().find(|(_, it)| it.path == source.path);
        if let Some((id, _)) = known {
            return Ok(Some(*id));
        }
        let id = SourceId::new(self.ids.next_bits());
        let name = format!("file {file}");
        self.change(name, Change::AddSource(Edit::create(id, source)));
        Ok(self.session.sources.contains_key(&id).then_some(id))
    }

    /// A file that the project holds itself.
    fn unpacked(&self, file: &str) -> Option<std::path::PathBuf> {
        let bytes =
            std::fs::read(&self.places.path).ok().filter(|bytes| bytes.starts_with(b"PK"))?;
        dawproject::unpack(&bytes, file, &self.places.unpacked).ok()?
    }

    fn markers(&mut self, was: &Project, now: &Project) {
        let known = |all: &'_ [ProjectMarker]| -> BTreeMap<String, ProjectMarker> {
            all.iter().filter_map(|it| Some((it.known_id()?.to_owned(), it.clone()))).collect()
        };
        let (old, new) = (known(&was.markers), known(&now.markers));
        for (called, new) in &new {
            let made = marker(new, self.session.rate);
            let id = self.markers.get(called).copied();
            let has = id.and_then(|id| Some((id, self.session.markers.get(&id)?.clone())));
            match (old.get(called), has) {
                (Some(old), Some((id, has))) => {
                    for change in marker_changes(id, (old, new), (has, made)) {
                        self.change(quoted("marker", &new.name), change);
                    }
                }
                (Some(_), None) => {}
                (None, _) => {
                    let id = MarkerId::new(self.ids.next_bits());
                    let change = Change::AddMarker(Edit::create(id, made));
                    self.change(quoted("marker", &new.name), change);
                    self.name(id, called);
                }
            }
        }
        for (called, old) in old.iter().filter(|(called, _)| !new.contains_key(*called)) {
            let id = self.markers.get(called).copied();
            if let Some((id, has)) =
                id.and_then(|id| Some((id, self.session.markers.get(&id)?.clone())))
            {
                let change = Change::RemoveMarker(Edit::remove(id, has));
                self.change(quoted("marker", &old.name), change);
            }
        }
    }
}

/// The first of these objects, for people.
fn named(objects: &[String]) -> String {
    let mut known = BTreeSet::new();
    let all = objects.iter().filter(|it| known.insert(*it)).map(String::as_str);
    let all: Vec<&str> = all.collect();
    match all.as_slice() {
        [one] => (*one).to_owned(),
        [first @ .., last] if all.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        _ => {
            let named: Vec<&str> = all.iter().take(NAMED).copied().collect();
            format!("{} and {} more", named.join(", "), all.len().saturating_sub(NAMED))
        }
    }
}

fn placed(project: &Project) -> BTreeMap<&str, Placed<'_>> {
    let mut placed = BTreeMap::new();
    for track in &project.tracks {
        let Some(on) = track.known_id() else { continue };
        let clips = track.clips.iter().filter_map(|clip| Some((clip.known_id()?, (on, clip))));
        placed.extend(clips);
    }
    placed
}

fn by_id(tracks: &[ProjectTrack]) -> BTreeMap<&str, &ProjectTrack> {
    tracks.iter().filter_map(|track| Some((track.known_id()?, track))).collect()
}

fn quoted(kind: &str, name: &str) -> String {
    format!("{kind} \"{name}\"")
}

fn is_same(old: Placed<'_>, new: Placed<'_>) -> bool {
    let at_rest = |clip: &ProjectClip| ProjectClip { channels: None, locked: None, ..clip.clone() };
    old.0 == new.0 && at_rest(old.1) == at_rest(new.1)
}

//! Instances of the plugin: each is a track. An instance joins, and leaves when its connection closes. Its
//! reports about its host count as the host's work, so they wait for no decision.

use crate::bridge::Bridge;
use crate::commit::{NewRevision, Then};
use crate::errors::storage;
use crate::house::written;
use crate::ids::{Asker, ConnectionId};
use deskhand_dsp::{Decibels, Frames, Seconds};
use deskhand_protocol::clean::clean;
use deskhand_protocol::{
    Clock, Instance, InstanceState, Joined, LEAD, News, Saved, Switches, ToolResult,
};
use deskhand_session::change::Edit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Author, Change, Color, IdSeed, Revision, RevisionId, Track, TrackId, TrackKind,
};
use std::iter::once;
use std::time::{Duration, Instant};

/// A clock without a report for this long has stopped.
const STALE: Duration = Duration::from_secs(2);

/// A gain that stays for this long ends a gesture.
const PAUSE: Duration = Duration::from_millis(600);

/// A gesture that goes on for longer becomes a step on the way: automation may ride through a whole song.
const LONGEST_GESTURE: Duration = Duration::from_secs(60);

/// The longest name that a host gives.
const LONGEST: usize = 100;

/// The longest message of an instance, in letters.
const LONGEST_TROUBLE: usize = 500;

/// An instance that is there.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    state: InstanceState,
    told: Instant,
    /// A move of the host's trim that goes on.
    gesture: Option<Gesture>,
    /// Whether it was bypassed at any time since the pass began that it records.
    was_bypassed: bool,
    /// Whether its host reported the name of its track.
    is_named: bool,
    /// The step that made its track, where that was made for it.
    made: Option<RevisionId>,
}

/// Gains that a host reported in sequence. They become one step.
#[derive(Clone, Copy, Debug)]
struct Gesture {
    /// The connection that reported the newest.
    asker: Asker,
    gain: Decibels,
    /// Whether it came with a state.
    is_loaded: bool,
    began: Instant,
    newest: Instant,
}

/// Which moves of hosts become steps now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gestures {
    /// Those that ended, or go on for long.
    Over,
    /// All: something else is about to be done.
    All,
}

impl Live {
    pub(crate) fn is_track(&self, track: TrackId) -> bool {
        self.state.track == track
    }

    pub(crate) fn track(&self) -> TrackId {
        self.state.track
    }

    /// The step that made its track, where that was made for it.
    pub(crate) fn made(&self) -> Option<RevisionId> {
        self.made
    }

    /// Whether it plays the session in place of its input.
    pub(crate) fn plays(&self) -> bool {
        self.state.plays
    }

    /// Whether it records its input.
    pub(crate) fn captures(&self) -> bool {
        self.state.captures
    }

    /// What it does to its output, apart from gain.
    pub(crate) fn switches(&self) -> Switches {
        self.state.switches
    }

    /// Whether it would record nothing if its host played.
    pub(crate) fn is_off(&self) -> bool {
        self.state.is_off
    }

    pub(crate) fn host(&self) -> &str {
        &self.state.host
    }

    fn moves(&self) -> bool {
        self.told.elapsed() < STALE && self.state.clock.is_some_and(|clock| clock.moves)
    }
}

impl Bridge {
    /// Makes a connection an instance: the track it was bound to, or a new one.
    pub(crate) fn join(&mut self, asker: Asker, instance: Instance) {
        // The same instance may come back before its old connection is known to be closed.
        self.instances.retain(|_, live| live.state.id != instance.id);
        self.instances.remove(&asker.connection);
        match self.free_track(instance.binding) {
            Some(track) => {
                self.bind(asker.connection, &instance, track);
                let result = self.joined(track, instance.revision);
                self.answer(asker, result);
                let at = self.moment();
                self.renew_hearing(at);
            }
            None => self.join_anew(asker, &instance),
        }
    }

    /// The track, if an instance can become it.
    fn free_track(&self, binding: Option<TrackId>) -> Option<TrackId> {
        let id = binding?;
        let is_audio = self.session.tracks.get(&id)?.kind == TrackKind::Audio;
        let is_held = self.instances.values().any(|live| live.state.track == id);
        (is_audio && !is_held).then_some(id)
    }

    /// Makes a track for an instance, with its trim.
    fn join_anew(&mut self, asker: Asker, instance: &Instance) {
        let id = self.new_track_id(&instance.id);
        let named = instance.name.as_deref().and_then(usable);
        let way = named.as_deref().and_then(|name| self.make_way(name, id));
        let name = named.unwrap_or_else(|| self.unnamed());
        let gain = rounded(instance.trim);
        let track = Track { gain, color: instance.color.clone(), ..Track::audio(name.clone()) };
        let placed = PlacedTrack { index: self.session.track_order.len(), track };
        let change = Change::AddTrack(Edit::create(id, placed));
        let connection = asker.connection;
        let changes = way.into_iter().chain([change]).collect();
        let made = Some(self.history.next_id());
        let told = self.host_step(asker, format!("Track {name} from the host"), changes);
        if let Err(error) = told.map(|()| self.bind(connection, instance, id)) {
            return self.fail(asker, error);
        }
        if let Some(live) = self.instances.get_mut(&connection) {
            live.made = made;
        }
    }

    /// The name of a track for which the host sends no name: a number in the order in which its instances
    /// joined.
    fn unnamed(&self) -> String {
        let is_taken = |name: &String| self.session.tracks.values().any(|it| it.name == *name);
        let mut names = (self.session.tracks.len() + 1..).map(|number| format!("Track {number}"));
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }

    /// Renumbers an unnamed track if a host gives its placeholder name to another track. Instances in
    /// separate processes join in any order, and no two tracks may share a name.
    fn make_way(&self, name: &str, of: TrackId) -> Option<Change> {
        let number = name.strip_prefix("Track ")?;
        number.parse::<usize>().ok()?;
        let unnamed = self.instances.values().filter(|live| !live.is_named);
        let mut numbered = unnamed.map(Live::track).filter(|id| *id != of);
        let id =
            numbered.find(|id| self.session.tracks.get(id).is_some_and(|it| it.name == name))?;
        Some(Change::RenameTrack(Edit::new(id, name.to_owned(), self.unnamed())))
    }

    fn new_track_id(&self, instance: &str) -> TrackId {
        let mut seed = IdSeed::new("join", instance, self.history.next_id().0);
        loop {
            let id = TrackId::new(seed.next_bits());
            if !self.session.tracks.contains_key(&id) {
                return id;
            }
        }
    }

    fn bind(&mut self, connection: ConnectionId, instance: &Instance, track: TrackId) {
        let state = InstanceState {
            id: clean(&instance.id, LONGEST),
            track,
            host: clean(&instance.host, LONGEST),
            format: clean(&instance.format, LONGEST),
            clock: None,
            plays: false,
            captures: false,
            switches: Switches::default(),
            is_off: false,
        };
        let is_named = instance.name.as_deref().and_then(usable).is_some();
        let (told, gesture, made) = (Instant::now(), None, None);
        let live = Live { state, told, gesture, was_bypassed: false, is_named, made };
        self.instances.insert(connection, live);
        self.tell_instances();
    }

    /// What an instance learns about its track.
    fn joined(&self, track: TrackId, saved: Option<RevisionId>) -> ToolResult {
        let known = self.session.tracks.get(&track);
        let gain = known.map_or(Decibels::UNITY, |track| track.gain);
        let captures = self.store.captures_dir();
        let head = self.history.head();
        let name = self.session.name_of(track.into());
        let saved = saved.and_then(|revision| self.saved(revision));
        let choices = saved.iter().flat_map(|saved| &saved.choices).cloned();
        let summary = once(format!("joined as {name}")).chain(choices).collect::<Vec<_>>();
        let joined = Joined { track, gain, captures, is_new: false, head, saved };
        ToolResult { answer: Some(written(&joined)), ..self.ok(summary.join("; ")) }
    }

    /// The choice for a person if the host saved another revision than the session's and somebody edited in
    /// between. Recordings and host changes do not count.
    fn saved(&self, revision: RevisionId) -> Option<Saved> {
        let head = self.history.head();
        let way = self.history.way_to(revision);
        let is_known = way.is_some();
        let (back, forth) = way.unwrap_or_default();
        let is_edit = |step: &Revision| !step.is_stepped_over() && !step.is_passed_over();
        let went_on = back.into_iter().chain(forth).any(is_edit);
        let proceed = format!("continue here, at revision {head}");
        let branch = is_known.then(|| format!("branch from the saved revision {revision}"));
        let choices = once(proceed).chain(branch).collect();
        (went_on || !is_known).then_some(Saved { revision, can_branch: is_known, choices })
    }

    /// A connection is gone, and its instance with it.
    pub(crate) fn instance_left(&mut self, connection: ConnectionId) {
        let gesture = self.instances.get_mut(&connection).and_then(|live| live.gesture.take());
        gesture.into_iter().for_each(|gesture| self.commit_gesture(gesture));
        if let Some(live) = self.instances.remove(&connection) {
            self.tell_instances();
            let at = self.moment();
            self.renew_hearing(at);
            // An instance that ends normally ends and reports its recording first. A killed host leaves an
            // unreported one.
            if live.captures() {
                self.sweep_captures();
            }
        }
    }

    /// An instance plays the session from now on, or its input.
    pub(crate) fn instance_plays(&mut self, connection: ConnectionId, plays: bool) {
        let Some(live) = self.instances.get_mut(&connection) else { return };
        if std::mem::replace(&mut live.state.plays, plays) != plays {
            self.tell_instances();
            let at = self.moment();
            self.renew_hearing(at);
        }
    }

    /// An instance records from now on, or does no more; with capture switched off it will not either.
    pub(crate) fn instance_captures(&mut self, asker: Asker, captures: bool, is_off: bool) {
        let Some(live) = self.instances.get_mut(&asker.connection) else {
            let error = self.own_track(asker).err();
            return error.into_iter().for_each(|error| self.fail(asker, error));
        };
        if captures {
            live.was_bypassed = live.state.switches.bypass;
        }
        let state = &mut live.state;
        let was = (state.captures, state.is_off);
        (state.captures, state.is_off) = (captures, is_off);
        if was != (captures, is_off) {
            self.tell_instances();
        }
        self.reply(asker, self.ok("noted"));
    }

    /// An instance does other things to its output from now on.
    pub(crate) fn instance_switched(&mut self, asker: Asker, switches: Switches) {
        let Some(live) = self.instances.get_mut(&asker.connection) else {
            let error = self.own_track(asker).err();
            return error.into_iter().for_each(|error| self.fail(asker, error));
        };
        live.was_bypassed |= switches.bypass;
        if std::mem::replace(&mut live.state.switches, switches) != switches {
            self.tell_instances();
        }
        self.reply(asker, self.ok("noted"));
    }

    /// Whether the pass that an instance has recorded was heard without its gain, at least in part.
    pub(crate) fn ended_bypassed(&mut self, connection: ConnectionId) -> bool {
        self.instances.get_mut(&connection).is_some_and(|live| {
            let is_on = live.state.switches.bypass;
            std::mem::replace(&mut live.was_bypassed, is_on)
        })
    }

    /// Shows what went wrong in an instance, by the name of its track.
    pub(crate) fn instance_trouble(&mut self, asker: Asker, message: &str) {
        match self.own_track(asker) {
            Ok((_, track)) => {
                let message = clean(message, LONGEST_TROUBLE);
                self.notify_error(format!("\"{}\": {message}", track.name));
                self.answer(asker, self.ok("told"));
            }
            Err(error) => self.fail(asker, error),
        }
    }

    /// Takes the gain that the host's trim makes with the desk gain. While it goes on moving it is one step.
    pub(crate) fn host_gain(&mut self, asker: Asker, gain: Decibels, is_loaded: bool) {
        if let Err(error) = self.own_track(asker) {
            return self.fail(asker, error);
        }
        if is_loaded {
            // Earlier moves are a step of their own.
            self.settle_gestures(Gestures::All);
        }
        let Some(live) = self.instances.get_mut(&asker.connection) else { return };
        let newest = Instant::now();
        let began = live.gesture.map_or(newest, |gesture| gesture.began);
        let before = live.gesture.replace(Gesture { asker, gain, is_loaded, began, newest });
        if let Some(Gesture { asker, .. }) = before {
            self.reply(asker, self.ok("noted; it goes on moving"));
        }
    }

    /// Makes steps of what hosts moved.
    pub(crate) fn settle_gestures(&mut self, which: Gestures) {
        let is_due = |gesture: &Gesture| {
            which == Gestures::All
                || gesture.is_loaded
                || gesture.newest.elapsed() > PAUSE
                || gesture.began.elapsed() > LONGEST_GESTURE
        };
        let due =
            self.instances.values_mut().filter_map(|live| live.gesture.take_if(|it| is_due(it)));
        let due: Vec<Gesture> = due.collect();
        due.into_iter().for_each(|gesture| self.commit_gesture(gesture));
    }

    fn commit_gesture(&mut self, Gesture { asker, gain, is_loaded, .. }: Gesture) {
        let step = self.own_track(asker).and_then(|(id, track)| {
            let (name, gain) = (track.name.clone(), rounded(gain));
            let change = Change::SetTrackGain(Edit::new(id, track.gain, gain));
            let how = if is_loaded { "by a state that the host loaded" } else { "in the host" };
            let label = format!("{name} to {:.2} dB {how}", gain.0);
            self.host_step_loaded(asker, label, vec![change], is_loaded)
        });
        if let Err(error) = step {
            self.fail(asker, error);
        }
    }

    /// Takes the name and the color of the host's track.
    pub(crate) fn host_name(&mut self, asker: Asker, name: Option<String>, color: Option<Color>) {
        let named = name.as_deref().and_then(usable);
        if let Some(live) = self.instances.get_mut(&asker.connection) {
            live.is_named |= named.is_some();
        }
        let step = self.own_track(asker).and_then(|(id, track)| {
            let way = named.as_deref().and_then(|name| self.make_way(name, id));
            let renamed =
                named.map(|name| Change::RenameTrack(Edit::new(id, track.name.clone(), name)));
            let colored = color.map(|color| {
                Change::SetTrackColor(Edit::new(id, track.color.clone(), Some(color)))
            });
            let label = format!("{} named by the host", track.name);
            let changes = way.into_iter().chain(renamed).chain(colored);
            self.host_step(asker, label, changes.collect())
        });
        if let Err(error) = step {
            self.fail(asker, error);
        }
    }

    /// Commits what the host did; the asker is answered with its track.
    pub(crate) fn host_step(
        &mut self,
        asker: Asker,
        label: String,
        changes: Vec<Change>,
    ) -> Result<(), ToolError> {
        self.host_step_loaded(asker, label, changes, false)
    }

    fn host_step_loaded(
        &mut self,
        asker: Asker,
        label: String,
        mut changes: Vec<Change>,
        is_loaded: bool,
    ) -> Result<(), ToolError> {
        changes.retain(|change| !change.is_identity());
        if changes.is_empty() {
            let result = self.ok("so it is already");
            self.answer(asker, result);
            return Ok(());
        }
        if let Some(error) = &self.read_only {
            return Err(storage(error));
        }
        let session = self.session.with(&changes).map_err(|error| {
            ToolError::prepare(Code::BadParams, error.to_string(), "nothing was changed")
        })?;
        let made = changes.iter().find_map(|change| match change {
            Change::AddTrack(edit) => Some(edit.target),
            _ => None,
        });
        let step = NewRevision::new(session, label.clone(), changes);
        let step = NewRevision { is_loaded, ..step };
        let mut result = self.ok(label);
        result.revision = self.history.next_id();
        if let Some(track) = made {
            result.answer = Some(written(&self.joined_anew(track, &step)));
        }
        let then = Then::Answer(Box::new(result));
        self.commit_revision(asker, Author::Host, step, |_, _| then);
        Ok(())
    }

    fn joined_anew(&self, track: TrackId, step: &NewRevision) -> Joined {
        let made = step.session.tracks.get(&track);
        Joined {
            track,
            gain: made.map_or(Decibels::UNITY, |track| track.gain),
            captures: self.store.captures_dir(),
            is_new: true,
            head: self.history.next_id(),
            saved: None,
        }
    }

    /// The track of the asker's instance.
    pub(crate) fn own_track(&self, asker: Asker) -> Result<(TrackId, Track), ToolError> {
        let live = self.instances.get(&asker.connection).ok_or_else(|| {
            let message = "this connection is no instance of the plugin";
            ToolError::prepare(Code::Refused, message, "join first")
        })?;
        let id = live.state.track;
        let track = self.session.tracks.get(&id).cloned().map(|track| (id, track));
        track.ok_or_else(|| {
            let message = "the track of this instance was removed from the session";
            ToolError::prepare(Code::NoTarget, message, "undo that, or join again")
        })
    }

    /// Notes where a host's transport is. All hear of it when it starts or stops.
    pub(crate) fn clock(&mut self, asker: Asker, clock: Clock) {
        let Some(live) = self.instances.get_mut(&asker.connection) else {
            let error = self.own_track(asker).err();
            return error.into_iter().for_each(|error| self.fail(asker, error));
        };
        let turned = live.state.clock.is_none_or(|before| before.moves != clock.moves);
        live.state.clock = Some(clock);
        live.told = Instant::now();
        if turned {
            self.tell_instances();
        }
        self.reply(asker, self.ok("noted"));
    }

    /// The timeline frame at which every instance applies a change; `None` while no transport moves.
    pub(crate) fn moment(&self) -> Option<Frames> {
        let moving = self.instances.values().filter(|live| live.moves());
        let newest = moving.max_by_key(|live| live.told)?;
        let ahead = Seconds((newest.told.elapsed() + LEAD).as_secs_f64());
        Some(newest.state.clock?.at + ahead.frames(self.session.rate))
    }

    /// All instances, by the order in which they joined.
    pub(crate) fn instance_states(&self) -> Vec<InstanceState> {
        self.instances.values().map(|live| live.state.clone()).collect()
    }

    fn tell_instances(&mut self) {
        let instances = self.instance_states();
        self.tell(Author::Host, None, News::Instances { instances });
    }
}

/// The host's name as a name of ours, if there is any in it.
fn usable(name: &str) -> Option<String> {
    let name = clean(name, LONGEST).replace('\n', " ");
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// To 0.001 dB, as in plans: a host's parameters are 32 bits wide.
fn rounded(gain: Decibels) -> Decibels {
    Decibels((gain.0 * 1000.0).round() / 1000.0 + 0.0)
}

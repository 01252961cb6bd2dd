//! What instances of the plugin report about their hosts. It counts as the host's work, so it waits for no decision.

use crate::bridge::Bridge;
use crate::builtin_calls::written;
use crate::commits::{Commits, NewRevision, Then};
use crate::host_words::OnHosts;
use crate::hosts::{GainMove, GainMoves, Live, no_instance, rounded, unnamed_track, usable};
use crate::ids::{Asker, ConnectionId};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::clean::clean;
use deskhand_protocol::{Instance, Joined, News, Saved, ToolResult};
use deskhand_session::change::Edit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{Author, Change, Color, IdSeed, Revision, RevisionId, Track, TrackId};
use std::iter::once;

/// The longest message of an instance, in letters.
const LONGEST_TROUBLE: usize = 500;

impl Bridge {
    /// The session as the hosts see it.
    pub(crate) fn on_hosts(&self) -> OnHosts<'_> {
        OnHosts { hosts: &self.hosts, session: &self.commits.session, tools: &self.registry }
    }

    /// Makes a connection an instance: the track it was bound to, or a new one.
    pub(crate) fn join(&mut self, asker: Asker, instance: Instance) {
        self.hosts.make_room(asker.connection, &instance.id);
        match self.hosts.free_track(&self.commits.session, instance.binding) {
            Some(track) => {
                self.hosts.bind(asker.connection, &instance, track, None);
                self.tell_instances();
                let result = self.joined(track, instance.revision);
                self.answer(asker, result);
                self.renew_hearing(self.moment());
            }
            None => self.join_anew(asker, &instance),
        }
    }

    /// Makes a track for an instance, with its trim.
    fn join_anew(&mut self, asker: Asker, instance: &Instance) {
        let id = self.commits.new_track_id(&instance.id);
        let named = instance.name.as_deref().and_then(usable);
        let way =
            named.as_deref().and_then(|name| self.hosts.make_way(&self.commits.session, name, id));
        let name = named.unwrap_or_else(|| unnamed_track(&self.commits.session));
        let gain = rounded(instance.trim);
        let track = Track { gain, color: instance.color.clone(), ..Track::audio(name.clone()) };
        let placed = PlacedTrack { index: self.commits.session.track_order.len(), track };
        let change = Change::AddTrack(Edit::create(id, placed));
        let changes = way.into_iter().chain([change]).collect();
        let made = Some(self.commits.history.next_id());
        match self.host_step(asker, format!("Track {name} from the host"), changes) {
            Ok(()) => {
                self.hosts.bind(asker.connection, instance, id, made);
                self.tell_instances();
            }
            Err(error) => self.fail(asker, error),
        }
    }

    /// What an instance learns about its track.
    fn joined(&self, track: TrackId, saved: Option<RevisionId>) -> ToolResult {
        let known = self.commits.session.tracks.get(&track);
        let gain = known.map_or(Decibels::UNITY, |track| track.gain);
        let captures = self.commits.store.captures_dir();
        let head = self.commits.history.head();
        let name = self.commits.session.name_of(track.into());
        let saved = saved.and_then(|revision| self.commits.saved(revision));
        let choices = saved.iter().flat_map(|saved| &saved.choices).cloned();
        let summary = once(format!("joined as {name}")).chain(choices).collect::<Vec<_>>();
        let joined = Joined { track, gain, captures, is_new: false, head, saved };
        ToolResult { answer: Some(written(&joined)), ..self.ok(summary.join("; ")) }
    }

    /// A connection is gone, and its instance with it.
    pub(crate) fn instance_left(&mut self, connection: ConnectionId) {
        let gesture = self.hosts.take_gesture(connection);
        gesture.into_iter().for_each(|gesture| self.commit_gesture(gesture));
        if let Some(live) = self.hosts.remove(connection) {
            self.tell_instances();
            self.renew_hearing(self.moment());
            // An instance that ends normally ends and reports its recording first. A killed host leaves an
            // unreported one.
            if live.captures() {
                self.sweep_captures();
            }
        }
    }

    /// An instance plays the session from now on, or its input.
    pub(crate) fn instance_plays(&mut self, connection: ConnectionId, plays: bool) {
        if self.hosts.get_mut(connection).is_some_and(|live| live.set_plays(plays)) {
            self.tell_instances();
            self.renew_hearing(self.moment());
        }
    }

    /// Notes what an instance reports. All hear of it where that is news to `note`.
    pub(crate) fn note_instance(&mut self, asker: Asker, note: impl FnOnce(&mut Live) -> bool) {
        let Some(live) = self.hosts.get_mut(asker.connection) else {
            return self.fail(asker, no_instance());
        };
        if note(live) {
            self.tell_instances();
        }
        self.reply(asker, self.ok("noted"));
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
            self.settle_gestures(GainMoves::All);
        }
        if let Some(before) = self.hosts.move_gain(asker, gain, is_loaded) {
            self.reply(before, self.ok("noted; it goes on moving"));
        }
    }

    /// Makes steps of what hosts moved.
    pub(crate) fn settle_gestures(&mut self, which: GainMoves) {
        let due = self.hosts.take_gestures(which);
        due.into_iter().for_each(|gesture| self.commit_gesture(gesture));
    }

    fn commit_gesture(&mut self, GainMove { asker, gain, is_loaded, .. }: GainMove) {
        let step = self.own_track(asker).and_then(|(id, track)| {
            let (name, gain) = (track.name.clone(), rounded(gain));
            let change = Change::SetTrackGain(Edit::new(id, track.gain, gain));
            let how = if is_loaded { "by a state that the host loaded" } else { "in the host" };
            let label = format!("{name} to {:.2} dB {how}", gain.0);
            self.host_step_loaded(asker, label, vec![change], is_loaded)
        });
        self.fail_if(asker, step);
    }

    /// Takes the name and the color of the host's track.
    pub(crate) fn host_name(&mut self, asker: Asker, name: Option<String>, color: Option<Color>) {
        let named = name.as_deref().and_then(usable);
        if named.is_some() {
            self.hosts.set_named(asker.connection);
        }
        let step = self.own_track(asker).and_then(|(id, track)| {
            let way = |name: &str| self.hosts.make_way(&self.commits.session, name, id);
            let way = named.as_deref().and_then(way);
            let renamed =
                named.map(|name| Change::RenameTrack(Edit::new(id, track.name.clone(), name)));
            let colored = color.map(|color| {
                Change::SetTrackColor(Edit::new(id, track.color.clone(), Some(color)))
            });
            let label = format!("{} named by the host", track.name);
            let changes = way.into_iter().chain(renamed).chain(colored);
            self.host_step(asker, label, changes.collect())
        });
        self.fail_if(asker, step);
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
        self.commits.writable()?;
        let session = self.commits.session.with(&changes).map_err(|error| {
            ToolError::prepare(Code::BadParams, error.to_string(), "nothing was changed")
        })?;
        let made = changes.iter().find_map(|change| match change {
            Change::AddTrack(edit) => Some(edit.target),
            _ => None,
        });
        let step = NewRevision::new(session, label.clone(), changes);
        let step = NewRevision { is_loaded, ..step };
        let mut result = self.ok(label);
        result.revision = self.commits.history.next_id();
        if let Some(track) = made {
            result.answer = Some(written(&self.commits.joined_anew(track, &step)));
        }
        let then = Then::Answer(Box::new(result));
        self.commit_revision(asker, Author::Host, step, then);
        Ok(())
    }

    /// The track of the asker's instance.
    pub(crate) fn own_track(&self, asker: Asker) -> Result<(TrackId, Track), ToolError> {
        self.hosts.own_track(asker, &self.commits.session)
    }

    /// The timeline frame at which every instance applies a change; `None` while no transport moves.
    pub(crate) fn moment(&self) -> Option<Frames> {
        self.hosts.moment(self.commits.session.rate)
    }

    fn tell_instances(&mut self) {
        let instances = self.hosts.states();
        self.tell(Author::Host, None, News::Instances { instances });
    }
}

impl Commits {
    fn new_track_id(&self, instance: &str) -> TrackId {
        let mut seed = IdSeed::new("join", instance, self.history.next_id().0);
        loop {
            let id = TrackId::new(seed.next_bits());
            if !self.session.tracks.contains_key(&id) {
                return id;
            }
        }
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
}

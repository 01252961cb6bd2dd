//! One instance at the hub: what the hub tells it, and what it reports.
//!
//! Thread: hub's link

mod gains;
mod reports;

use super::audition::Listening;
use super::playing::Playing;
use super::session_choice::host_name;
use crate::guard::Entry;
use crate::port::HubPort;
use crate::shared::{HostTrack, Seated, Shared, Standing, WindowLink};
use crate::tempo::Tempo;
use deskhand_dsp::{Decibels, Frames};
use deskhand_engine::Side;
use deskhand_protocol::socket::SocketLink;
use deskhand_protocol::{
    CallId, Event, Hearing, Instance, Joined, Link, News, Op, Switches, TempoStretch,
};
use deskhand_session::{Author, Change, RevisionId, Session, SessionId, TrackId};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Gains nearer than this are one, in dB.
const SAME: f32 = 0.004;

/// A host loads a project's state after it makes an instance: nothing is decided before.
const GRACE: Duration = Duration::from_millis(700);

/// A host that starts to use an instance before loading its state loads it within this time.
const LOADING: Duration = Duration::from_secs(60);

/// How far an instance is.
enum Stage {
    /// Not connected; the next attempt is due then.
    Away {
        again: Instant,
    },
    /// The dialer is asked.
    Dialing,
    /// Connected; whoever came earlier joins first.
    Waiting,
    /// Connected, and asked to join.
    Joining(CallId),
    Joined {
        gain: f32,
    },
}

pub(super) struct SeatState {
    pub(super) shared: Arc<Shared>,
    link: Option<SocketLink>,
    stage: Stage,
    came: Instant,
    /// The session by whose name it was decided where it is.
    decided: Option<SessionId>,
    /// The gain that its track had in the session when that was heard last.
    known: Option<(TrackId, f32)>,
    /// Since when trim differs from the reported one.
    moved_since: Option<Instant>,
    /// How many blocks have passed, and when that was seen first.
    heartbeat: (u64, Instant),
    told_fault: Option<Entry>,
    told_track: HostTrack,
    told_clock: (bool, Instant),
    /// The host's last tempo, since when it holds, and the reported one.
    tempo: (Option<Tempo>, Instant),
    told_tempo: Option<Tempo>,
    /// The tempo of played stretches that are not reported yet, and since when.
    tempi: (Vec<TempoStretch>, Instant),
    /// The session that got the report.
    tempo_of: Option<SessionId>,
    port: Option<HubPort>,
    playing: Option<Playing>,
    listening: Listening,
    told_plays: bool,
    /// Whether it records, and whether capture is off.
    told_captures: (bool, bool),
    told_switches: Switches,
    is_armed: bool,
    /// Whether it was a track before. Then the project's values are those that it reported itself.
    was_joined: bool,
    /// The plan that is heard, and since which frame of the session and of the host.
    heard: Option<Box<Hearing>>,
    heard_at: (Option<Frames>, Option<i64>),
    /// Whether its playback was brought to it.
    is_compared: bool,
    /// Whether it joined and was not given the copy of the session yet.
    is_fresh: bool,
}

impl SeatState {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let now = Instant::now();
        Self {
            shared,
            link: None,
            stage: Stage::Away { again: now },
            came: now,
            decided: None,
            known: None,
            moved_since: None,
            heartbeat: (0, now),
            told_fault: None,
            told_track: HostTrack::default(),
            told_clock: (false, now),
            tempo: (None, now),
            told_tempo: None,
            tempi: (Vec::new(), now),
            tempo_of: None,
            port: None,
            playing: None,
            listening: Listening::default(),
            told_plays: false,
            told_captures: (false, false),
            told_switches: Switches::default(),
            is_armed: false,
            was_joined: false,
            heard: None,
            heard_at: (None, None),
            is_compared: true,
            is_fresh: false,
        }
    }

    /// Whether its project's state is loaded, or it is here so long that there is no state.
    pub(super) fn knows_its_project(&self) -> bool {
        self.came.elapsed() > GRACE || self.shared.saved.now().session.is_some()
    }

    /// The place of the instance is decided, by the current state of its project.
    pub(super) fn is_decided(&mut self) {
        self.decided = self.shared.saved.now().session;
    }

    /// Whether its project was loaded after the decision and names another session. Once the instance is a
    /// track it stays.
    pub(super) fn means_another(&self) -> bool {
        !self.was_joined && self.shared.saved.now().session != self.decided
    }

    /// Whether the instance leaves its track for the one that its project names, because the project's state came
    /// only after it had become a track. It leaves a track that `is_bare` of recordings, soon after it came; else it
    /// stays for good.
    pub(super) fn may_leave(&self, is_bare: bool) -> bool {
        if !self.is_joined() {
            return false;
        }
        let may = is_bare && self.came.elapsed() <= LOADING;
        if !may {
            self.shared.saved.leave_late();
        }
        may
    }

    /// Leaves for the track of the project. The session that it leaves has `rate`, and `is_made` if it was made only
    /// because the project's session was not known yet.
    pub(super) fn leave_for_project(&mut self, rate: Option<u32>, is_made: bool) {
        // Its last recording is reported before it leaves, and stays in this session.
        self.tell_passes(rate);
        self.submit(Op::Leave { is_made });
        let saved = &self.shared.saved;
        saved.take_late();
        self.end_playing();
        self.away(Duration::ZERO);
        (self.was_joined, self.known) = (false, None);
        self.shared.set_standing(Standing::Coming);
    }

    /// Whether it needs a session: its window is open, it has to play one, or a recording should be kept.
    pub(super) fn needs_session(&self) -> bool {
        let is_open = !matches!(*self.shared.window(), WindowLink::Closed);
        is_open || self.shared.plays() || self.shared.has_passes()
    }

    /// Leaves for good. If the host stored nothing of the instance, its unused new track or session is
    /// removed too.
    pub(super) fn leave_nothing(&self) {
        if self.is_joined() && !self.shared.saved.is_kept() {
            self.submit(Op::Leave { is_made: true });
        }
    }

    /// Whether it never was a track of a session.
    pub(super) fn is_new(&self) -> bool {
        !self.was_joined
    }

    pub(super) fn is_away(&self) -> bool {
        matches!(self.stage, Stage::Away { .. })
    }

    /// Whether to make a connection for it now.
    pub(super) fn wants_link(&mut self) -> bool {
        let due = matches!(self.stage, Stage::Away { again } if Instant::now() >= again);
        let due = due && self.knows_its_project();
        if due {
            self.stage = Stage::Dialing;
            self.shared.set_standing(Standing::Coming);
        }
        due
    }

    /// No connection; a little later it is tried again.
    pub(super) fn failed(&mut self, why: String) {
        self.away(Duration::from_secs(3));
        self.shared.set_standing(Standing::Failed { why });
    }

    /// Leaves the session, to come to another.
    pub(super) fn away(&mut self, wait: Duration) {
        self.shared.set_records(false);
        self.unlinked(wait);
    }

    fn unlinked(&mut self, wait: Duration) {
        self.link = None;
        self.stage = Stage::Away { again: Instant::now() + wait };
        // Nobody could say any more when it ends.
        self.heard_is(None, None, None);
        self.listening.leave(&self.shared);
    }

    pub(super) fn attached(&mut self, link: SocketLink) {
        if self.means_another() {
            return self.away(Duration::ZERO);
        }
        (self.told_plays, self.told_captures) = (false, (false, false));
        // A session keeps what was reported to it: another hub may take over in the middle of a map.
        if self.tempo_of.replace(link.session()) != Some(link.session()) {
            self.told_tempo = None;
        }
        self.told_switches = Switches::default();
        self.link = Some(link);
        self.stage = Stage::Waiting;
    }

    /// Asks to join, where it waits for that.
    pub(super) fn join(&mut self) {
        let (Stage::Waiting, Some(session)) = (&self.stage, self.link_session()) else { return };
        let instance = self.instance(session);
        if let Some(call) = self.submit(Op::Join { instance }) {
            self.stage = Stage::Joining(call);
        }
    }

    /// Whether it is connected and has not asked to join yet.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.stage, Stage::Waiting)
    }

    /// Whether it asked to join and is not answered yet.
    pub(super) fn is_joining(&self) -> bool {
        matches!(self.stage, Stage::Joining(_))
    }

    fn instance(&mut self, session: SessionId) -> Instance {
        let saved = self.shared.saved.now();
        // The project's state for another session does not apply to this one.
        let same = saved.session == Some(session);
        self.told_track = self.shared.host_track();
        let HostTrack { name, color } = self.told_track.clone();
        Instance {
            id: self.shared.id.clone(),
            binding: saved.track.filter(|_| same),
            name,
            color,
            host: host_name(),
            format: self.shared.format().into(),
            trim: Decibels(f64::from(self.shared.params.trim())),
            revision: saved.revision.filter(|_| same).map(RevisionId),
        }
    }

    fn link_session(&self) -> Option<SessionId> {
        self.link.as_ref().map(SocketLink::session)
    }

    /// The next event that was heard. `Err` when the hub is gone.
    pub(super) fn next(&mut self) -> Result<Option<Event>, ()> {
        let Some(link) = &self.link else { return Ok(None) };
        match link.events().try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(crossbeam_channel::TryRecvError::Empty) => Ok(None),
            Err(crossbeam_channel::TryRecvError::Disconnected) => Err(()),
        }
    }

    /// The hub is gone. A recording goes on: its file is on this disk, and is reported to the next hub.
    pub(super) fn lost(&mut self) {
        self.unlinked(Duration::from_millis(500));
        self.shared.set_standing(Standing::Coming);
    }

    /// What concerns this instance in an event.
    pub(super) fn hear(&mut self, event: &Event, dir: &Path, rate: Option<u32>) {
        match (&event.news, &self.stage) {
            (News::Done { result }, Stage::Joining(call)) if event.call == Some(*call) => {
                let joined = result.answer.clone().and_then(|it| serde_json::from_value(it).ok());
                match joined {
                    Some(joined) => self.joined(joined, dir.to_owned(), rate),
                    None => self.failed(result.summary.clone()),
                }
            }
            (News::Moved { changes, at, .. }, Stage::Joined { .. }) => {
                self.moved(changes, *at, rate, event.author);
            }
            (News::Hearing { hearing, at }, _) => {
                let own = self.own_frame(*at, rate);
                self.heard_is(hearing.clone(), *at, own);
            }
            _ => {}
        }
    }

    fn joined(&mut self, joined: Joined, dir: PathBuf, rate: Option<u32>) {
        if self.means_another() {
            return self.away(Duration::ZERO);
        }
        let session = self.link_session();
        self.shared.saved.seat(session, joined.track, joined.head.0);
        let (track, captures, gain) = (joined.track, joined.captures, joined.gain);
        self.shared.set_standing(Standing::Joined(Seated { track, dir, captures, rate }));
        if std::mem::replace(&mut self.was_joined, true) {
            self.gain_is(track, gain);
        } else {
            self.shared.set_saved_elsewhere(joined.saved);
            // The project's values are heard: if the session has another gain, it is told.
            self.gain_is_told(gain);
        }
        self.is_fresh = true;
    }

    /// The session was read again. If its gain is the same, the host's moves meanwhile stay and are
    /// reported now, also those whose hub ended before storing them.
    fn gain_is(&mut self, track: TrackId, gain: Decibels) {
        if self.known == Some((track, gain.0 as f32)) {
            return self.gain_is_told(gain);
        }
        let moved = match self.stage {
            Stage::Joined { gain: told } => self.moved_from(told),
            Stage::Away { .. } | Stage::Dialing | Stage::Waiting | Stage::Joining(_) => 0.0,
        };
        self.take_gain_below(gain, moved, None);
    }

    fn moved(&mut self, changes: &[Change], at: Option<Frames>, rate: Option<u32>, author: Author) {
        let Standing::Joined(Seated { track, .. }) = self.shared.standing() else { return };
        let at = self.own_frame(at, rate);
        for change in changes {
            match change {
                // What this host moved is so already, and may have moved on.
                Change::SetTrackGain(edit) if edit.target == track && author == Author::Host => {
                    self.known = Some((track, edit.after.0 as f32));
                }
                Change::SetTrackGain(edit) if edit.target == track => {
                    self.step_gain(edit.before, edit.after, at);
                }
                Change::AddTrack(edit) | Change::RemoveTrack(edit) if edit.target == track => {
                    match &edit.after {
                        Some(placed) => self.take_gain_below(placed.track.gain, 0.0, at),
                        // The person removed it: the instance stays, as a new track.
                        None => self.rejoin(),
                    }
                }
                _ => {}
            }
        }
    }

    fn rejoin(&mut self) {
        if let Some(link) = self.link.take() {
            self.attached(link);
        }
    }

    /// The session was read again, because something may have been missed.
    pub(super) fn resync(&mut self, session: &Session, hearing: Option<&Hearing>) {
        let Standing::Joined(mut seated) = self.shared.standing() else { return };
        seated.rate = Some(session.rate.0);
        self.heard_is(hearing.cloned().map(Box::new), None, None);
        match session.tracks.get(&seated.track) {
            Some(track) => self.gain_is(seated.track, track.gain),
            None => self.rejoin(),
        }
        self.shared.set_standing(Standing::Joined(seated));
    }

    pub(super) fn submit(&self, op: Op) -> Option<CallId> {
        self.link.as_ref().map(|link| link.submit(op))
    }

    /// Whether it joined since this was asked last.
    pub(super) fn take_fresh(&mut self) -> bool {
        std::mem::take(&mut self.is_fresh)
    }

    pub(super) fn track(&self) -> Option<TrackId> {
        match self.shared.standing() {
            Standing::Joined(Seated { track, .. }) => Some(track),
            Standing::Alone | Standing::Coming | Standing::Failed { .. } => None,
        }
    }

    pub(super) fn is_joined(&self) -> bool {
        matches!(self.stage, Stage::Joined { .. })
    }

    /// Plays its track if the output is the session, and the stretch that plays alone.
    pub(super) fn play(&mut self, session: &Session, head: RevisionId) {
        if let Some(port) = self.shared.take_port() {
            (self.port, self.playing) = (Some(port), None);
        }
        let Standing::Joined(Seated { track, dir, .. }) = self.shared.standing() else { return };
        self.listening.look(&self.shared, session, &dir);
        let Some(port) = self.port.as_mut().filter(|_| self.shared.plays()) else { return };
        port.tidy();
        if self.playing.is_none() {
            self.playing = Playing::start(port, &dir, session, track);
            self.is_compared = false;
        }
        let Some(playing) = &mut self.playing else { return };
        playing.follow(session, head, track);
        if !std::mem::replace(&mut self.is_compared, true) {
            let (at, own) = self.heard_at;
            match &self.heard {
                Some(heard) if !heard.changes.is_empty() => {
                    let is_planned = heard.gains.contains_key(&track);
                    let planned = Side::Other { gain: Decibels::UNITY };
                    let side = if is_planned { planned } else { Side::Current };
                    playing.compare(session, track, &heard.changes, side, at);
                }
                Some(_) | None => playing.compare_no_more(at, own),
            }
        }
        playing.tidy(self.shared.clock.place());
        self.shared.took_away(playing.reductions());
    }

    /// Another session has other files: what played ends, and plays on silent until it is replaced.
    pub(super) fn end_playing(&mut self) {
        self.playing = None;
        self.listening.leave(&self.shared);
        self.shared.plays_no_more();
    }
}

#[cfg(test)]
mod tests;

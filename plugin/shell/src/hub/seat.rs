//! One instance at the hub: what it is told, and what it tells.
//!
//! Thread: hub's link

use super::meeting::host_name;
use super::playing::Playing;
use crate::capturing::Capturing;
use crate::port::HubPort;
use crate::shared::{HostTrack, Pass, Seated, Shared, Standing};
use deskhand_dsp::{Decibels, Frames};
use deskhand_engine::Side;
use deskhand_protocol::socket::SocketLink;
use deskhand_protocol::{CallId, Event, Hearing, Instance, Joined, Link, News, Op};
use deskhand_session::{Author, Change, RevisionId, Session, SessionId};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A gain of the host that has stood this long is told.
const SETTLED: Duration = Duration::from_millis(300);
/// How often a gain of the host that goes on moving is told.
const RIDE: Duration = Duration::from_millis(500);
/// How often a moving transport is told.
const CLOCK: Duration = Duration::from_millis(200);
/// A desk gain that waits for a frame which does not come is taken after this long.
const LATE: Duration = Duration::from_secs(1);
/// Gains nearer than this are one, in dB.
const SAME: f32 = 0.004;

/// How far an instance is.
enum Stage {
    /// Not connected; the next attempt is due then.
    Away { again: Instant },
    /// The dialer is asked.
    Dialing,
    /// Connected, and asked to join.
    Joining(CallId),
    /// It is a track.
    Joined { gain: f32 },
}

pub(super) struct SeatState {
    pub(super) shared: Arc<Shared>,
    link: Option<SocketLink>,
    stage: Stage,
    came: Instant,
    /// The sum of the gains as it was seen last, and since when.
    sum: (f32, Instant),
    coming_since: Option<Instant>,
    told_gain: Instant,
    told_track: HostTrack,
    told_clock: (bool, Instant),
    port: Option<HubPort>,
    playing: Option<Playing>,
    told_plays: bool,
    is_armed: bool,
    /// Whether it was a track before: then what the project says is what it told itself.
    was_joined: bool,
    /// The plan that is heard, and since which frame of the session and of the host.
    heard: Option<Box<Hearing>>,
    heard_at: (Option<Frames>, Option<i64>),
    /// Whether what plays was brought to it.
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
            sum: (0.0, now),
            coming_since: None,
            told_gain: now,
            told_track: HostTrack::default(),
            told_clock: (false, now),
            port: None,
            playing: None,
            told_plays: false,
            is_armed: false,
            was_joined: false,
            heard: None,
            heard_at: (None, None),
            is_compared: true,
            is_fresh: false,
        }
    }

    /// How long it is here.
    pub(super) fn age(&self) -> Duration {
        self.came.elapsed()
    }

    /// Whether a connection shall be made for it now.
    pub(super) fn wants_link(&mut self) -> bool {
        let due = matches!(self.stage, Stage::Away { again } if Instant::now() >= again);
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
        self.link = None;
        self.stage = Stage::Away { again: Instant::now() + wait };
        // Nobody could say any more when it ends.
        self.heard_is(None, None, None);
    }

    pub(super) fn attached(&mut self, link: SocketLink) {
        let call = link.submit(Op::Join { instance: self.instance(link.session()) });
        self.stage = Stage::Joining(call);
        self.told_plays = false;
        self.link = Some(link);
    }

    fn instance(&mut self, session: SessionId) -> Instance {
        let (pair, saved) = (self.shared.gains.pair(), self.shared.saved.now());
        // What the project says of another session means nothing in this one.
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
            trim: Decibels(f64::from(pair.trim)),
            desk: Decibels(f64::from(pair.desk)),
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

    pub(super) fn lost(&mut self) {
        self.away(Duration::from_millis(500));
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
        let session = self.link_session();
        self.shared.saved.change(|saved| {
            saved.session = session;
            saved.track = Some(joined.track);
            saved.revision = Some(joined.head.0);
        });
        if !std::mem::replace(&mut self.was_joined, true) {
            self.shared.set_saved_elsewhere(joined.saved);
        }
        let (track, captures) = (joined.track, joined.captures);
        self.shared.set_standing(Standing::Joined(Seated { track, dir, captures, rate }));
        self.take_gain(joined.gain, None);
        self.is_fresh = true;
    }

    /// The session says what the track's gain is; what trim does not give, the desk gain does.
    fn take_gain(&mut self, gain: Decibels, at: Option<i64>) {
        self.stage = Stage::Joined { gain: gain.0 as f32 };
        self.settle_gains(at);
    }

    /// A plan is heard from a frame on, or none: `at` is the session's, `own` the host's.
    fn heard_is(&mut self, heard: Option<Box<Hearing>>, at: Option<Frames>, own: Option<i64>) {
        if self.heard != heard {
            (self.heard, self.heard_at) = (heard, (at, own));
            self.is_compared = false;
            self.settle_gains(own);
        }
    }

    /// Has the audio thread go to the gains that are wanted, at a frame of the host's or at once.
    fn settle_gains(&mut self, at: Option<i64>) {
        let Shared { gains, coming, .. } = &*self.shared;
        let pair = gains.pair();
        let (desk, extra) = coming.waiting().unwrap_or((pair.desk, gains.extra()));
        let gain = match self.stage {
            Stage::Joined { gain } => gain,
            Stage::Away { .. } | Stage::Dialing | Stage::Joining(_) => pair.trim + desk,
        };
        let moves = (pair.trim + desk - gain).abs() > SAME;
        let wanted = (if moves { gain - pair.trim } else { desk }, self.heard_gain(gain));
        if wanted != (desk, extra) {
            coming.set(wanted.0, wanted.1, at);
            self.coming_since = Some(Instant::now());
            self.shared.repaint.request_repaint();
        }
    }

    /// What the plan that is heard adds to the session's gain of this track.
    fn heard_gain(&self, gain: f32) -> f32 {
        let Standing::Joined(Seated { track, .. }) = self.shared.standing() else { return 0.0 };
        let heard = self.heard.as_ref().and_then(|heard| heard.gains.get(&track));
        heard.map_or(0.0, |heard| heard.0 as f32 - gain)
    }

    /// The host's frame for one of the session's; none while the host stands.
    fn own_frame(&self, at: Option<Frames>, rate: Option<u32>) -> Option<i64> {
        let place = self.shared.clock.place();
        let (at, rate) = at.filter(|_| place.moves).zip(rate)?;
        Some((at.0 as f64 * f64::from(place.rate) / f64::from(rate)).round() as i64)
    }

    fn moved(&mut self, changes: &[Change], at: Option<Frames>, rate: Option<u32>, author: Author) {
        let Standing::Joined(Seated { track, .. }) = self.shared.standing() else { return };
        let at = self.own_frame(at, rate);
        for change in changes {
            match change {
                // What this host moved is so already, and may have moved on.
                Change::SetTrackGain(edit) if edit.target == track && author != Author::Host => {
                    self.take_gain(edit.after, at);
                }
                Change::AddTrack(edit) if edit.target == track => match &edit.after {
                    Some(placed) => self.take_gain(placed.track.gain, at),
                    // The person removed it: the instance stays, as a new track.
                    None => self.rejoin(),
                },
                _ => {}
            }
        }
    }

    fn rejoin(&mut self) {
        if let Some(link) = self.link.take() {
            self.attached(link);
        }
    }

    /// The session was read anew: something may have been missed.
    pub(super) fn resync(&mut self, session: &Session, hearing: Option<&Hearing>) {
        let Standing::Joined(mut seated) = self.shared.standing() else { return };
        seated.rate = Some(session.rate.0);
        self.heard_is(hearing.cloned().map(Box::new), None, None);
        match session.tracks.get(&seated.track) {
            Some(track) => self.take_gain(track.gain, None),
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

    pub(super) fn is_joined(&self) -> bool {
        matches!(self.stage, Stage::Joined { .. })
    }

    /// Plays its track where the output is the session.
    pub(super) fn play(&mut self, session: &Session, head: RevisionId) {
        if let Some(port) = self.shared.take_port() {
            (self.port, self.playing) = (Some(port), None);
        }
        let Standing::Joined(Seated { track, dir, .. }) = self.shared.standing() else { return };
        let Some(port) = self.port.as_mut().filter(|_| self.shared.plays()) else { return };
        port.tidy();
        if self.playing.is_none() {
            self.playing = Playing::start(port, &dir);
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
    }

    /// Another session has other files: what played ends, and plays on silent until it is replaced.
    pub(super) fn end_playing(&mut self) {
        self.playing = None;
    }

    /// Tells what changed in the host since the last time.
    pub(super) fn tell(&mut self, rate: Option<u32>) {
        self.take_late();
        if self.is_joined() {
            self.tell_gain();
            self.tell_plays();
            self.look_at_capture();
            self.tell_track();
            self.tell_clock(rate);
            self.tell_passes(rate);
        }
    }

    /// Where no sound runs the audio thread takes nothing.
    fn take_late(&mut self) {
        if !self.shared.coming.is_waiting() {
            self.coming_since = None;
        } else if self.coming_since.is_none_or(|since| since.elapsed() > LATE) {
            self.shared.coming.take(&self.shared.gains);
        }
    }

    fn tell_gain(&mut self) {
        let Stage::Joined { gain } = self.stage else { return };
        let sum = self.shared.gains.pair().sum();
        if (sum - self.sum.0).abs() > SAME / 4.0 {
            self.sum = (sum, Instant::now());
        }
        let is_due = self.sum.1.elapsed() > SETTLED || self.told_gain.elapsed() > RIDE;
        let is_ours = self.shared.gains.is_folding() || self.shared.coming.is_waiting();
        if (sum - gain).abs() > SAME && is_due && !is_ours {
            self.submit(Op::HostGain { gain: Decibels(f64::from(sum)).rounded() });
            self.stage = Stage::Joined { gain: sum };
            self.told_gain = Instant::now();
        }
    }

    /// Whether what comes in is recorded is looked at here: the audio thread sees the outcome.
    fn look_at_capture(&mut self) {
        let is_armed = self.shared.saved.is_armed();
        // A pass is one or the other.
        let is_turned = std::mem::replace(&mut self.is_armed, is_armed) != is_armed;
        let is_wanted = is_armed || Capturing::now().rolls;
        self.shared.set_records(is_wanted && !is_turned);
    }

    /// Where the output is the session, cuts are heard too.
    fn tell_plays(&mut self) {
        let plays = self.shared.plays();
        if plays != self.told_plays {
            self.submit(Op::Player { ready: plays });
            self.told_plays = plays;
        }
    }

    fn tell_track(&mut self) {
        let track = self.shared.host_track();
        if track != self.told_track {
            let HostTrack { name, color } = track.clone();
            self.submit(Op::HostName { name, color });
            self.told_track = track;
        }
    }

    /// Tells what was recorded, once the session's rate is known.
    pub(super) fn tell_passes(&self, rate: Option<u32>) {
        let Some(rate) = rate.filter(|_| self.is_joined()) else { return };
        for Pass { file, at, rate: own, kind } in self.shared.take_passes() {
            let at = Frames((at as f64 * f64::from(rate) / f64::from(own)).round() as i64);
            let most_bytes = Some(Capturing::now().most_bytes());
            self.submit(Op::Captured { file, at, kind, most_bytes });
        }
    }

    fn tell_clock(&mut self, rate: Option<u32>) {
        let place = self.shared.clock.place();
        let (moved, told) = self.told_clock;
        let is_due = (place.moves && told.elapsed() > CLOCK) || place.moves != moved;
        if let Some(rate) = rate.filter(|_| is_due && place.rate > 0.0) {
            let at = (place.at as f64 * f64::from(rate) / f64::from(place.rate)).round() as i64;
            self.submit(Op::Clock { at: Frames(at), moves: place.moves });
            self.told_clock = (place.moves, Instant::now());
        }
    }
}

//! One session that instances of this process work on: a host may have several projects open.
//!
//! Thread: hub's link. It waits for nothing longer than a tick.

use super::dialer::{For, Request};
use super::instance::SeatState;
use super::session_choice::Place;
use crate::shared::{Shared, WindowLink};
use crate::state::{Snapshot, SnapshotTrack};
use crossbeam_channel::Sender;
use deskhand_protocol::socket::SocketLink;
use deskhand_protocol::{CallId, Event, Followed, Link, Mirror, News, Op, Read};
use deskhand_session::{Session, SessionId};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A copy of the session, kept up to date from the events of one of the instances.
#[derive(Default)]
struct Copy {
    /// Whose connection it hangs on, and the call that asked for it.
    of: Option<(u64, CallId)>,
    mirror: Option<Mirror>,
}

/// The instances of one session.
pub(super) struct Room {
    pub(super) dir: PathBuf,
    pub(super) seats: BTreeMap<u64, SeatState>,
    copy: Copy,
    /// A message for the person about the session, until one of the instances can show it.
    word: Option<String>,
    /// The session that projects name and that was not found. This one replaces it.
    missing: Option<SessionId>,
    /// The session that projects name and that must be here.
    expected: Option<SessionId>,
    /// Whether it was created here, for instances whose project named none.
    pub(super) is_made: bool,
    /// When it was looked last whether the person opened the missing one.
    looked: Instant,
}

/// How often it is looked whether somebody opened a session that was missing.
const LOOKS: Duration = Duration::from_secs(1);

impl Room {
    pub(super) fn new(dir: PathBuf, seats: BTreeMap<u64, SeatState>) -> Self {
        let (copy, looked) = (Copy::default(), Instant::now());
        let (word, missing, expected) = (None, None, None);
        Self { dir, seats, copy, word, missing, expected, is_made: false, looked }
    }

    /// It was decided by the session that projects name that the instances are here.
    pub(super) fn is_for(&mut self, session: Option<SessionId>, place: Place) {
        let Place { word, is_anew, is_made, .. } = place;
        self.is_made |= is_made;
        if !is_anew {
            self.expected = session;
        } else if session.is_some() {
            (self.missing, self.expected) = (session, None);
            // Later instances are told as well, until somebody answers.
            let shared = || self.seats.values().map(|seat| &seat.shared);
            let told = word.clone().or_else(|| shared().find_map(|shared| shared.made_anew()));
            shared().for_each(|shared| shared.set_made_anew(told.clone()));
        }
        self.word = word.or(self.word.take());
    }

    /// The expected session, if another one is served: somebody replaced it.
    pub(super) fn is_displaced(&self, served: SessionId) -> Option<SessionId> {
        let is_new = self.seats.values().all(SeatState::is_new);
        self.expected.filter(|expected| is_new && *expected != served)
    }

    /// Shows each message for the person once, in the session.
    fn say_word(&mut self) {
        let Some(seat) = self.seats.values().find(|seat| seat.is_joined()) else { return };
        if let Some(message) = self.word.take() {
            seat.submit(Op::Trouble { message });
        }
    }

    fn look_for_missing(&mut self, requests: &Sender<Request>) {
        let Some(session) = self.missing.filter(|_| self.looked.elapsed() > LOOKS) else { return };
        self.looked = Instant::now();
        drop(requests.send(Request::Look { dir: self.dir.clone(), session }));
    }

    /// An instance goes, out of the host or to another session.
    pub(super) fn take_out(&mut self, id: u64) -> Option<SeatState> {
        self.forget_copy_of(id);
        self.seats.remove(&id)
    }

    /// Instances that were decided to be here, and whose project means another session after all.
    pub(super) fn take_strangers(&mut self) -> Vec<(u64, SeatState)> {
        let strange = self.seats.iter().filter(|(_, seat)| seat.is_away() && seat.means_another());
        let ids: Vec<u64> = strange.map(|(id, _)| *id).collect();
        ids.into_iter().filter_map(|id| Some((id, self.take_out(id)?))).collect()
    }

    /// Whether an instance leaves the track that it became before its project's state came.
    fn leaves(&mut self, id: u64) -> bool {
        let (rate, is_made) = (self.rate(), self.is_made);
        let Some((mirror, seat)) = self.copy.mirror.as_ref().zip(self.seats.get_mut(&id)) else {
            return false;
        };
        // A running recording belongs to this session, so it ends first.
        if !seat.shared.saved.is_late() || seat.shared.captures() {
            return false;
        }
        let own = seat.track();
        let is_bare = !mirror.snapshot.session.clips.values().any(|clip| Some(clip.track) == own);
        if !seat.may_leave(is_bare) {
            return false;
        }
        seat.leave_for_project(rate, is_made);
        window_leaves(&seat.shared);
        self.forget_copy_of(id);
        true
    }

    /// All go to another session.
    pub(super) fn empty(&mut self) -> BTreeMap<u64, SeatState> {
        let rate = self.rate();
        self.copy = Copy::default();
        for seat in self.seats.values_mut() {
            // What was recorded here is reported here.
            seat.tell_passes(rate);
            seat.end_playing();
            seat.away(Duration::ZERO);
            window_leaves(&seat.shared);
        }
        std::mem::take(&mut self.seats)
    }

    /// The session that the person chose cannot be had; a little later they come back to this one.
    pub(super) fn failed(&mut self, why: &str) {
        self.copy.of = None;
        self.seats.values_mut().for_each(|seat| seat.failed(why.to_owned()));
    }

    pub(super) fn attached(&mut self, whom: For, link: Result<Box<SocketLink>, String>) {
        let (For::Instance(id) | For::Window(id)) = whom;
        let Some(seat) = self.seats.get_mut(&id) else { return };
        match (whom, link) {
            (For::Instance(_), Ok(link)) => seat.attached(*link),
            (For::Instance(_), Err(why)) => seat.failed(why),
            (For::Window(_), link) => {
                let mut window = seat.shared.window();
                if let WindowLink::Coming = *window {
                    *window = match link {
                        Ok(link) => WindowLink::Open(Arc::from(link)),
                        // The instance's own connection says why.
                        Err(_) => WindowLink::Wanted,
                    };
                    seat.shared.repaint.request_repaint();
                }
            }
        }
    }

    pub(super) fn tick(&mut self, requests: &Sender<Request>) {
        let attach = |dir, whom| drop(requests.send(Request::Attach { dir, whom }));
        let ids: Vec<u64> = self.seats.keys().copied().collect();
        for id in ids {
            self.listen(id);
            if self.leaves(id) {
                continue;
            }
            let rate = self.rate();
            let Some(seat) = self.seats.get_mut(&id) else { continue };
            if seat.wants_link() {
                attach(self.dir.clone(), For::Instance(id));
            }
            seat.tell(rate);
            if let Some(mirror) = &self.copy.mirror {
                seat.play(&mirror.snapshot.session, mirror.snapshot.head);
            }
            if seat.is_joined() && window_wants(&seat.shared) {
                attach(self.dir.clone(), For::Window(id));
            }
        }
        self.join_next();
        self.say_word();
        self.look_for_missing(requests);
        self.keep_copy();
        // An instance that joined after the last step learns of the others at the next step.
        if self.copy.mirror.is_none() {
            return;
        }
        let fresh = self.seats.values_mut().filter_map(|seat| seat.take_fresh().then_some(()));
        if fresh.count() > 0 {
            self.save_copy();
        }
    }

    /// Instances join one after the other, in the order in which the host started to use them. Hosts then
    /// follow their track order, and unnamed tracks are numbered in it.
    fn join_next(&mut self) {
        if self.seats.values().any(SeatState::is_joining) {
            return;
        }
        if let Some(next) = self.seats.values_mut().find(|seat| seat.is_waiting()) {
            next.join();
        }
    }

    fn listen(&mut self, id: u64) {
        loop {
            let rate = self.rate();
            let Some(seat) = self.seats.get_mut(&id) else { return };
            match seat.next() {
                Ok(Some(event)) => {
                    seat.hear(&event, &self.dir, rate);
                    self.copy_hears(id, &event);
                }
                Ok(None) => return,
                Err(()) => {
                    seat.lost();
                    self.forget_copy_of(id);
                    return;
                }
            }
        }
    }

    fn forget_copy_of(&mut self, id: u64) {
        if self.copy.of.is_some_and(|(of, _)| of == id) {
            self.copy.of = None;
        }
    }

    pub(super) fn rate(&self) -> Option<u32> {
        self.copy.mirror.as_ref().map(|mirror| mirror.snapshot.session.rate.0)
    }

    /// One of the joined instances asks for the session when nobody has.
    fn keep_copy(&mut self) {
        if self.copy.of.is_some() {
            return;
        }
        let of = self.seats.iter().find(|(_, seat)| seat.is_joined()).and_then(|(id, seat)| {
            seat.submit(Op::Read { what: Read::Snapshot }).map(|call| (*id, call))
        });
        self.copy.of = of;
    }

    fn copy_hears(&mut self, id: u64, event: &Event) {
        let Some((of, call)) = self.copy.of else { return };
        if of != id {
            return;
        }
        if let News::Done { result } = &event.news
            && event.call == Some(call)
        {
            let snapshot = result.answer.clone().and_then(|it| serde_json::from_value(it).ok());
            self.copy.mirror = snapshot.map(|snapshot| Mirror::new(snapshot, event.number));
            self.spread();
            return;
        }
        let Some(mirror) = &mut self.copy.mirror else { return };
        match mirror.hear(event) {
            Followed::Yes if matches!(event.news, News::Moved { .. }) => self.save_copy(),
            Followed::Yes => {}
            Followed::Lost => self.copy.of = None,
        }
    }

    /// The session was read: every instance looks whether it missed something.
    fn spread(&mut self) {
        let Some(mirror) = &self.copy.mirror else { return };
        let (session, hearing) = (&mirror.snapshot.session, mirror.snapshot.hearing.as_deref());
        self.seats.values_mut().for_each(|seat| seat.resync(session, hearing));
        self.save_copy();
    }

    /// What the host's project stores of the session.
    fn save_copy(&mut self) {
        let Some(mirror) = &self.copy.mirror else { return };
        let snapshot = snapshot_of(&mirror.snapshot.session);
        for seat in self.seats.values().filter(|seat| seat.is_joined()) {
            seat.shared.saved.change(|saved| {
                saved.snapshot = Some(snapshot.clone());
                saved.revision = Some(mirror.snapshot.head.0);
            });
        }
    }
}

/// A window that is open waits for a connection to another session.
fn window_leaves(shared: &Shared) {
    let mut window = shared.window();
    if !matches!(*window, WindowLink::Closed) {
        *window = WindowLink::Wanted;
    }
}

/// Whether a window waits for its connection. A window that got news is drawn again.
fn window_wants(shared: &Shared) -> bool {
    let mut window = shared.window();
    match &*window {
        WindowLink::Wanted => {
            *window = WindowLink::Coming;
            true
        }
        WindowLink::Open(link) => {
            // The playhead moves while the host does.
            if !link.events().is_empty() || shared.clock.place().moves {
                shared.repaint.request_repaint();
            }
            false
        }
        WindowLink::Closed | WindowLink::Coming => false,
    }
}

fn snapshot_of(session: &Session) -> Snapshot {
    let tracks = session.track_order.iter().filter_map(|id| {
        let track = session.tracks.get(id)?;
        let name: String = track.name.chars().take(80).collect();
        let (gain, pan, kind, output) = (track.gain.0, track.pan, track.kind, track.output);
        Some(SnapshotTrack { id: *id, name, gain, pan, kind, output })
    });
    Snapshot { rate: session.rate.0, tracks: tracks.collect() }.fitted()
}

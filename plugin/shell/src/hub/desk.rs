//! The loop of the link's thread: which instance works on which session.
//!
//! Thread: hub's link. It waits for nothing longer than a tick.
//!
//! An instance works on the session that its project names. Without one, it uses the last session of this
//! process.

use super::dialer::{Dialer, Reply, Request};
use super::instance::SeatState;
use super::order::{Order, TICK};
use super::session_choice::{self, Wanted};
use super::shared_session::Room;
use crate::capture;
use crate::shared::WindowLink;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use deskhand_session::SessionId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often it is looked whether a session is needed.
const LOOK: Duration = Duration::from_millis(200);
/// How long after a failure a session is asked for again.
const PAUSE: Duration = Duration::from_secs(3);

pub(super) struct Desk {
    orders: Receiver<Order>,
    dialer: Dialer,
    /// Instances whose session is not decided.
    lobby: BTreeMap<u64, SeatState>,
    /// Sessions that are asked for, by what projects name.
    asked: BTreeSet<Option<SessionId>>,
    /// When the next is asked for at the earliest.
    again: Instant,
    rooms: Vec<Room>,
    /// Sessions in whose place another was found, and where.
    displaced: BTreeMap<SessionId, PathBuf>,
}

impl Desk {
    pub(super) fn new(orders: Receiver<Order>) -> Self {
        Self {
            orders,
            dialer: Dialer::start(),
            lobby: BTreeMap::new(),
            asked: BTreeSet::new(),
            again: Instant::now(),
            rooms: Vec::new(),
            displaced: BTreeMap::new(),
        }
    }

    /// Until nobody can order any more.
    pub(super) fn run(mut self) {
        loop {
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(crate::guard::Entry::Hub);
            match self.orders.recv_timeout(TICK) {
                Ok(order) => self.obey(order),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Ok(reply) = self.dialer.replies.try_recv() {
                self.answered(reply);
            }
            self.choose();
            for room in &mut self.rooms {
                room.tick(&self.dialer.requests);
            }
        }
        session_choice::leave();
        capture::leave();
    }

    fn seats(&self) -> impl Iterator<Item = &SeatState> {
        self.lobby.values().chain(self.rooms.iter().flat_map(|room| room.seats.values()))
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Come { seat, shared } => {
                self.lobby.insert(seat, SeatState::new(shared));
            }
            Order::Go { seat, gone } => {
                let is_made = self.room_of(seat).is_some_and(|room| room.is_made);
                if let Some((state, rate)) = self.take_out(seat) {
                    // Its last recording is reported before it leaves.
                    state.tell_passes(rate);
                    if is_made {
                        state.leave_nothing();
                    }
                    *state.shared.window() = WindowLink::Closed;
                }
                self.rooms.retain(|room| !room.seats.is_empty());
                gone.send(()).ok();
            }
            Order::Keep(wanted) => self.request(Request::Keep(wanted)),
            Order::Use { seat, dir, makes } => {
                let new_at = makes.then(|| self.rate_of_host());
                self.request(Request::Use { seat, dir, new_at });
            }
        }
    }

    fn request(&self, request: Request) {
        drop(self.dialer.requests.send(request));
    }

    /// An instance, with the rate of its session where that is known.
    fn take_out(&mut self, id: u64) -> Option<(SeatState, Option<u32>)> {
        let waits = self.lobby.remove(&id).map(|seat| (seat, None));
        let mut rooms = self.rooms.iter_mut();
        waits.or_else(|| rooms.find_map(|room| Some((room.take_out(id)?, room.rate()))))
    }

    fn rate_of_host(&self) -> u32 {
        let rates = self.seats().map(|seat| seat.shared.clock.place().rate);
        rates.filter(|rate| *rate > 0.0).map(|rate| rate as u32).next().unwrap_or(48_000)
    }

    /// Requests the sessions that instances wait for, once they exist long enough to know their projects'
    /// state.
    fn choose(&mut self) {
        let strangers = self.rooms.iter_mut().flat_map(Room::take_strangers);
        self.lobby.extend(strangers);
        self.rooms.retain(|room| !room.seats.is_empty());
        if Instant::now() < self.again {
            return;
        }
        let rate = self.rate_of_host();
        let makes = self.seats().any(SeatState::needs_session);
        self.lobby.values_mut().for_each(SeatState::look_at_capture);
        let ready = self.lobby.values().filter(|seat| seat.knows_its_project());
        for saved in ready.map(|seat| seat.shared.saved.now()) {
            let (session, snapshot) = (saved.session, saved.snapshot);
            if self.asked.insert(session) {
                let not_in = session.and_then(|id| self.displaced.get(&id).cloned());
                self.request(Request::Decide(Wanted { session, snapshot, rate, not_in, makes }));
            }
        }
    }

    fn answered(&mut self, reply: Reply) {
        match reply {
            Reply::Decided { session, place } => {
                self.asked.remove(&session);
                let means = |seat: &SeatState| {
                    seat.knows_its_project() && seat.shared.saved.now().session == session
                };
                match place {
                    Ok(None) => self.again = Instant::now() + LOOK,
                    Ok(Some(place)) => {
                        let came = self.lobby.extract_if(.., |_, seat| means(seat)).collect();
                        self.seat_in(place.dir.clone(), came);
                        if let Some(room) = self.room(&place.dir) {
                            room.is_for(session, place);
                        }
                    }
                    Err(why) => {
                        self.again = Instant::now() + PAUSE;
                        let waiting = self.lobby.values_mut().filter(|seat| means(seat));
                        waiting.for_each(|seat| seat.failed(why.clone()));
                    }
                }
            }
            Reply::Moved { from, to } => {
                let came = self.room(&from).map(Room::empty).unwrap_or_default();
                self.send_to(to, came);
            }
            Reply::Used { seat, dir: Ok(dir) } => self.go_to(seat, dir),
            Reply::Used { seat, dir: Err(why) } => match self.room_of(seat) {
                Some(room) => room.failed(&why),
                None => self.lobby.values_mut().for_each(|seat| seat.failed(why.clone())),
            },
            Reply::Attached { whom, dir, link } => {
                // A seat that changed to another session meanwhile needs no link to this one.
                let Some(room) = self.room(&dir) else { return };
                match link.as_ref().ok().and_then(|link| room.is_displaced(link.session())) {
                    Some(session) => self.look_elsewhere(session, dir),
                    None => room.attached(whom, link),
                }
            }
        }
    }

    /// In the place of the session that projects name there is another: that one is not touched.
    fn look_elsewhere(&mut self, session: SessionId, dir: PathBuf) {
        let came = self.room(&dir).map(Room::empty).unwrap_or_default();
        self.lobby.extend(came);
        self.rooms.retain(|room| !room.seats.is_empty());
        self.displaced.insert(session, dir);
    }

    fn room(&mut self, dir: &Path) -> Option<&mut Room> {
        self.rooms.iter_mut().find(|room| room.dir == dir)
    }

    fn seat_in(&mut self, dir: PathBuf, mut came: BTreeMap<u64, SeatState>) {
        came.values_mut().for_each(SeatState::is_decided);
        match self.room(&dir) {
            Some(room) => room.seats.append(&mut came),
            None if came.is_empty() => {}
            None => self.rooms.push(Room::new(dir, came)),
        }
    }

    fn room_of(&mut self, seat: u64) -> Option<&mut Room> {
        self.rooms.iter_mut().find(|room| room.seats.contains_key(&seat))
    }

    /// The person chose a session for the project of an instance: all of it go there.
    fn go_to(&mut self, id: u64, dir: PathBuf) {
        let came = match self.room_of(id) {
            Some(room) => room.empty(),
            None => std::mem::take(&mut self.lobby),
        };
        self.send_to(dir, came);
    }

    fn send_to(&mut self, dir: PathBuf, came: BTreeMap<u64, SeatState>) {
        self.rooms.retain(|room| !room.seats.is_empty());
        came.values().for_each(|seat| seat.shared.set_made_anew(None));
        self.seat_in(dir, came);
    }
}

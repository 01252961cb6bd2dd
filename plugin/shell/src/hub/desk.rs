//! The loop of the link's thread.
//!
//! Thread: hub's link. It waits for nothing longer than a tick.

use super::Order;
use super::dialer::{Dialer, For, Reply, Request};
use super::meeting::{self, Wanted};
use super::seat::SeatState;
use crate::shared::{Shared, WindowLink};
use crate::state::{Snapshot, SnapshotTrack};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use deskhand_protocol::socket::SocketLink;
use deskhand_protocol::{CallId, Event, Followed, Link, Mirror, News, Op, Read};
use deskhand_session::Session;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Between two looks at everything.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// Which session this process works on.
enum Chosen {
    Nothing { again: Instant },
    Asked,
    At(PathBuf),
}

/// A copy of the session, kept from what one of the instances hears.
#[derive(Default)]
struct Copy {
    /// Whose connection it hangs on, and the call that asked for it.
    of: Option<(u64, CallId)>,
    mirror: Option<Mirror>,
}

pub(super) struct Desk {
    orders: Receiver<Order>,
    dialer: Dialer,
    chosen: Chosen,
    seats: BTreeMap<u64, SeatState>,
    copy: Copy,
}

impl Desk {
    pub(super) fn new(orders: Receiver<Order>) -> Self {
        let chosen = Chosen::Nothing { again: Instant::now() };
        let (seats, copy) = (BTreeMap::new(), Copy::default());
        Self { orders, dialer: Dialer::start(), chosen, seats, copy }
    }

    /// Until nobody can order any more.
    pub(super) fn run(mut self) {
        loop {
            #[cfg(feature = "plant")]
            crate::plant::trip(crate::guard::Entry::Hub);
            match self.orders.recv_timeout(TICK) {
                Ok(order) => self.obey(order),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Ok(reply) = self.dialer.replies.try_recv() {
                self.answered(reply);
            }
            self.choose();
            self.tick();
            // With a session and without one.
            self.seats.values().for_each(SeatState::fold);
        }
        meeting::leave();
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Come { seat, shared } => {
                self.seats.insert(seat, SeatState::new(shared));
            }
            Order::Go { seat, gone } => {
                let rate = self.rate();
                if let Some(state) = self.seats.remove(&seat) {
                    // What it recorded last is told ahead of its leaving.
                    state.tell_passes(rate);
                    *state.shared.window() = WindowLink::Closed;
                }
                if self.copy.of.is_some_and(|(of, _)| of == seat) {
                    self.copy.of = None;
                }
                gone.send(()).ok();
            }
            Order::Keep(wanted) => drop(self.dialer.requests.send(Request::Keep(wanted))),
            Order::Use { dir, makes } => {
                let rate = self.rate_of_host();
                self.ask(Request::Use { dir, new_at: makes.then_some(rate) });
            }
        }
    }

    fn ask(&mut self, request: Request) {
        self.chosen = Chosen::Asked;
        drop(self.dialer.requests.send(request));
    }

    fn rate_of_host(&self) -> u32 {
        let rates = self.seats.values().map(|seat| seat.shared.clock.place().rate);
        rates.filter(|rate| *rate > 0.0).map(|rate| rate as u32).next().unwrap_or(48_000)
    }

    /// Asks which session it is, once an instance is here long enough to know what its project says.
    fn choose(&mut self) {
        let Chosen::Nothing { again } = self.chosen else { return };
        let is_ready = self.seats.values().any(SeatState::has_waited);
        if is_ready && Instant::now() >= again {
            let mut saved = self.seats.values().map(|seat| seat.shared.saved.now());
            let saved = saved.find(|saved| saved.session.is_some()).unwrap_or_default();
            let rate = self.rate_of_host();
            let (session, snapshot) = (saved.session, saved.snapshot);
            self.ask(Request::Decide(Wanted { session, snapshot, rate }));
        }
    }

    fn answered(&mut self, reply: Reply) {
        match reply {
            Reply::Decided(Ok(dir)) => self.go_to(dir),
            Reply::Decided(Err(why)) => {
                self.chosen = Chosen::Nothing { again: Instant::now() + Duration::from_secs(3) };
                self.seats.values_mut().for_each(|seat| seat.failed(why.clone()));
            }
            Reply::Attached { whom: For::Instance(id), link } => {
                if let Some(seat) = self.seats.get_mut(&id) {
                    match link {
                        Ok(link) => seat.attached(*link),
                        Err(why) => seat.failed(why),
                    }
                }
            }
            Reply::Attached { whom: For::Window(id), link } => self.window_attached(id, link),
        }
    }

    fn go_to(&mut self, dir: PathBuf) {
        self.copy = Copy::default();
        for seat in self.seats.values_mut() {
            seat.end_playing();
            seat.away(Duration::ZERO);
            let mut window = seat.shared.window();
            if !matches!(*window, WindowLink::Closed) {
                *window = WindowLink::Wanted;
            }
        }
        self.chosen = Chosen::At(dir);
    }

    fn window_attached(&mut self, id: u64, link: Result<Box<SocketLink>, String>) {
        let Some(seat) = self.seats.get(&id) else { return };
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

    fn tick(&mut self) {
        let Chosen::At(dir) = &self.chosen else { return };
        let dir = dir.clone();
        let requests = self.dialer.requests.clone();
        let attach = |whom| drop(requests.send(Request::Attach { dir: dir.clone(), whom }));
        let ids: Vec<u64> = self.seats.keys().copied().collect();
        for id in ids {
            self.listen(id, &dir);
            let rate = self.rate();
            let Some(seat) = self.seats.get_mut(&id) else { continue };
            if seat.wants_link() {
                attach(For::Instance(id));
            }
            seat.tell(rate);
            if let Some(mirror) = &self.copy.mirror {
                seat.play(&mirror.snapshot.session, mirror.snapshot.head);
            }
            if seat.is_joined() && window_wants(&seat.shared) {
                attach(For::Window(id));
            }
        }
        self.keep_copy();
        // Who joined behind the last step hears of no other until the next.
        if self.copy.mirror.is_none() {
            return;
        }
        let fresh = self.seats.values_mut().filter_map(|seat| seat.take_fresh().then_some(()));
        if fresh.count() > 0 {
            self.save_copy();
        }
    }

    fn listen(&mut self, id: u64, dir: &std::path::Path) {
        loop {
            let rate = self.rate();
            let Some(seat) = self.seats.get_mut(&id) else { return };
            match seat.next() {
                Ok(Some(event)) => {
                    seat.hear(&event, dir, rate);
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

    fn rate(&self) -> Option<u32> {
        self.session().map(|session| session.rate.0)
    }

    fn session(&self) -> Option<&Session> {
        self.copy.mirror.as_ref().map(|mirror| &mirror.snapshot.session)
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

/// Whether a window waits for its connection; and one that heard something is drawn anew.
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

//! The link to the hub: one thread for all instances in this process, which come and go at any time.
//!
//! Thread: hub's link; [`Seat`]s are made and dropped on the host's main thread

mod audition;
mod desk;
mod dialer;
mod engine;
mod instance;
mod order;
mod playing;
mod session_choice;
mod session_places;
mod shared_session;

pub(crate) use engine::{file_of, open};
pub(crate) use session_choice::{beside, host_name};

use crate::capturing::Capturing;
use crate::guard::{Entry, caught};
use crate::shared::Shared;
use crossbeam_channel::{Sender, bounded, unbounded};
use order::Order;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long the destruction of an instance may take at most.
const PATIENCE: Duration = Duration::from_millis(800);

struct Running {
    /// Which of the threads of this process, one after another.
    turn: u64,
    orders: Sender<Order>,
    thread: JoinHandle<()>,
    seats: usize,
}

/// Numbers of threads and of seats; no number is used again.
static NEXT: AtomicU64 = AtomicU64::new(1);

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// An instance's place at the thread. The thread lives from the first to the last.
pub(crate) struct Seat {
    id: u64,
    turn: u64,
    orders: Sender<Order>,
}

impl Seat {
    /// Takes a seat; `None` if no thread can be started.
    pub(crate) fn take(shared: &Arc<Shared>) -> Option<Self> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if running.as_ref().is_none_or(|it| it.thread.is_finished()) {
            *running = Some(start(shared)?);
        }
        let running = running.as_mut()?;
        running.seats += 1;
        let (id, turn, orders) = (number(), running.turn, running.orders.clone());
        let order = Order::Come { seat: id, shared: Arc::clone(shared) };
        #[cfg(feature = "test-probes")]
        NEWEST.store(id, Ordering::Relaxed);
        shared.enlist();
        orders.send(order).ok().map(|()| Self { id, turn, orders })
    }

    /// Whether its thread went on an error.
    fn is_lost(&self) -> bool {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref().is_none_or(|it| it.turn != self.turn || it.thread.is_finished())
    }

    /// Asks for another session for all instances of the project.
    pub(crate) fn use_session(&self, dir: PathBuf, makes: bool) {
        // The thread ends only after the last seat.
        drop(self.orders.send(Order::Use { seat: self.id, dir, makes }));
    }
}

/// The seat that was taken last.
#[cfg(feature = "test-probes")]
static NEWEST: AtomicU64 = AtomicU64::new(0);

/// Asks for another session as the window of the newest instance does; it is made there where it `makes` one.
#[cfg(feature = "test-probes")]
pub(crate) fn use_session(dir: PathBuf, makes: bool) {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let seat = NEWEST.load(Ordering::Relaxed);
    if let Some(running) = &*running {
        drop(running.orders.send(Order::Use { seat, dir, makes }));
    }
}

fn start(shared: &Arc<Shared>) -> Option<Running> {
    let (orders, taken) = unbounded();
    let for_faults = Arc::clone(shared);
    let body = move || {
        if caught(Entry::Hub, &for_faults.faults, || desk::Desk::new(taken).run()).is_none() {
            Shared::all().iter().for_each(|one| one.lost_link());
        }
    };
    let thread = thread::Builder::new().name("deskhand-link".into()).spawn(body).ok()?;
    Some(Running { turn: number(), orders, thread, seats: 0 })
}

fn number() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Drop for Seat {
    fn drop(&mut self) {
        let (gone, answered) = bounded(1);
        if self.orders.send(Order::Go { seat: self.id, gone }).is_ok() {
            // No answer in time: the host must not wait, so the thread is abandoned.
            answered.recv_timeout(PATIENCE).ok();
        }
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(of_all) = running.as_mut().filter(|it| it.turn == self.turn) else { return };
        of_all.seats -= 1;
        if of_all.seats > 0 {
            return;
        }
        let last = running.take();
        drop(running);
        self.orders = bounded(0).0;
        if let Some(Running { orders, thread, .. }) = last {
            drop(orders);
            join(thread);
        }
    }
}

/// The seat of an instance. It is taken when the host activates the instance, not when it scans it.
#[derive(Default)]
pub(crate) struct Chair(Mutex<Option<Seat>>);

impl Chair {
    /// Takes a seat, if it has no seat, or lost it on an error of the link.
    pub(crate) fn sit(&self, shared: &Arc<Shared>) {
        let mut seat = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seat.as_ref().is_none_or(Seat::is_lost) {
            // The old one goes first: it may be the last of its thread. What it said of its end is over.
            if seat.take().is_some() {
                shared.faults.clear();
            }
            *seat = Seat::take(shared);
        }
    }

    pub(crate) fn stand_up(&self) {
        let seat = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(seat);
    }

    /// What the person wants captured, from now on and later.
    pub(crate) fn capture(&self, wanted: Capturing) {
        let wanted = wanted.hold();
        if let Some(seat) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            // The thread ends only after the last seat.
            drop(seat.orders.send(Order::Keep(wanted)));
        }
    }

    /// Asks for another session for all instances of the project.
    pub(crate) fn use_session(&self, dir: PathBuf, makes: bool) {
        if let Some(seat) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            seat.use_session(dir, makes);
        }
    }
}

/// The thread ends when nobody can order any more; it waits for nothing longer than a moment.
fn join(thread: JoinHandle<()>) {
    let steps = PATIENCE.as_millis() / 5;
    for _ in 0..steps {
        if thread.is_finished() {
            // It caught its own panics.
            drop(thread.join());
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

//! The thread that opens and closes devices: a driver may take its time, and the window does not wait.

use super::clock_map::Anchor;
use super::device::{Choice, SoundError};
use super::library::Library;
use super::make;
use super::stream::ready;
use super::watch::Watch;
use crossbeam_channel::{Receiver, Sender, unbounded};
use deskhand_compile::Player;
use deskhand_dsp::SampleRate;
use deskhand_engine::DiskThread;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long the end of the thread is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// A device that plays.
pub struct Running {
    pub name: String,
    pub player: Player,
    /// The timeline's position on the device's clock.
    pub anchor: Anchor,
    xruns: Arc<AtomicU64>,
    _disk: Option<DiskThread>,
}

impl Running {
    /// A player that is driven and read for by somebody else.
    #[must_use]
    pub fn elsewhere(name: impl Into<String>, player: Player) -> Self {
        let (name, anchor) = (name.into(), Anchor::default());
        Self { name, player, anchor, xruns: Arc::default(), _disk: None }
    }

    /// How often the device was not served in time.
    #[must_use]
    pub fn xruns(&self) -> u64 {
        self.xruns.load(Ordering::Relaxed)
    }
}

pub(super) struct Order {
    pub(super) number: u64,
    pub(super) choice: Choice,
    pub(super) rate: SampleRate,
    pub(super) library: Library,
}

pub(super) enum Report {
    Opened(Box<Running>),
    Failed(SoundError),
    /// The device is gone, and what the system said.
    Lost(String),
}

/// The window's end.
pub(super) struct Keeper {
    orders: Option<Sender<Order>>,
    reports: Receiver<(u64, Report)>,
    /// Nothing is ever sent: it closes when the thread has ended.
    ended: Receiver<()>,
}

impl Keeper {
    /// `wake` is called whenever there is a report. Each device that is opened gets a `watch` around its callback.
    pub(super) fn new<W: Watch>(
        wake: impl Fn() + Send + Clone + 'static,
        watch: impl Fn() -> W + Send + 'static,
    ) -> Result<Self, SoundError> {
        let (orders, taken) = unbounded();
        let (told, reports) = unbounded();
        let (alive, ended) = crossbeam_channel::bounded::<()>(0);
        let thread = std::thread::Builder::new().name("sound".into());
        let run = move || {
            keep(&taken, &told, &wake, &watch);
            drop(alive);
        };
        let failed = |error: std::io::Error| SoundError::Thread { why: error.to_string() };
        thread.spawn(run).map_err(failed)?;
        Ok(Self { orders: Some(orders), reports, ended })
    }

    pub(super) fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // A thread that is gone reports nothing: the output stays silent.
            drop(orders.send(order));
        }
    }

    pub(super) fn report(&self) -> Option<(u64, Report)> {
        self.reports.try_recv().ok()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.orders = None;
        self.ended.recv_timeout(PATIENCE).ok();
    }
}

/// Holds the stream until the next order, or the end.
fn keep<W: Watch>(
    orders: &Receiver<Order>,
    told: &Sender<(u64, Report)>,
    wake: &(impl Fn() + Send + Clone + 'static),
    watch: &impl Fn() -> W,
) {
    let mut held = None;
    for order in orders {
        // A device is opened once at a time.
        drop(held.take());
        let number = order.number;
        let tell = {
            let (told, wake) = (told.clone(), wake.clone());
            move |report| {
                drop(told.send((number, report)));
                wake();
            }
        };
        let lost = tell.clone();
        match open(order, watch(), move |why| lost(Report::Lost(why))) {
            Ok((stream, running)) => {
                held = Some(stream);
                tell(Report::Opened(Box::new(running)));
            }
            Err(error) => tell(Report::Failed(error)),
        }
    }
}

fn open(
    order: Order,
    watch: impl Watch,
    lost: impl FnMut(String) + Send + 'static,
) -> Result<(cpal::Stream, Running), SoundError> {
    let ready = ready(&order.choice, order.rate)?;
    let (player, pull, disk) = make(ready.rate(), &order.library)?;
    let xruns = Arc::new(AtomicU64::new(0));
    let disk = disk.spawn().map_err(|error| SoundError::Thread { why: error.to_string() })?;
    let anchor = pull.anchor();
    let stream = ready.start(pull, watch, &xruns, lost)?;
    Ok((stream, Running { name: ready.name, player, anchor, xruns, _disk: Some(disk) }))
}

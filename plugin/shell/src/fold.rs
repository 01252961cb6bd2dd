//! The desk gain moves into trim, by one gesture. A host takes gestures on its main thread alone, so it is
//! asked for a call there; the trim that it sets is the answer, which [`Gains`] takes without a jump.
//!
//! Thread: the host's main thread makes the gesture; the window and the hub's link look whether it is due

use crate::clock::Coming;
use crate::gains::Gains;
use crate::params::{LEAST_TRIM, MOST_TRIM};
use nice_plug::context::PluginApi;
use nice_plug::context::gui::GuiContext;
use nice_plug::prelude::FloatParam;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// A desk gain that has stood this long moves into trim.
const SETTLED: Duration = Duration::from_millis(500);
/// A host that may drop a trim, and did not take it in this time, does not take it.
const PATIENCE: Duration = Duration::from_secs(2);
/// So long a host is left alone that took nothing.
const REST: Duration = Duration::from_secs(10);
/// How long an instance that goes waits at most for the link to come back from the host.
const FAREWELL: Duration = Duration::from_millis(800);

/// Has the host's main thread call [`Fold::make`]. It may be called on any thread, and waits for nothing.
type Call = Box<dyn Fn() + Send + Sync>;

/// What moves the desk gain of one instance.
#[derive(Default)]
pub(crate) struct Fold {
    watch: Mutex<Watch>,
    /// From the first window on.
    hand: Mutex<Option<Hand>>,
    call: OnceLock<Call>,
    /// Whether a call was asked for that has not come.
    is_asked: AtomicBool,
    /// Whether the host uses the instance, so that the link may ask.
    lets_in: AtomicBool,
    /// Held while the link asks.
    inside: Mutex<()>,
}

/// What the desk gain does.
#[derive(Default)]
struct Watch {
    desk: f32,
    /// Since when it is so; ahead of now while the host is left alone.
    since: Option<Instant>,
    /// When the host was given a trim last.
    given: Option<Instant>,
    /// The desk gain that makes up for a loaded state: it stays one until it changes.
    left: Option<f32>,
}

/// What came with the window: the way to the host's parameters, and the host's main thread.
#[derive(Clone)]
struct Hand {
    gui: GuiContext,
    main: ThreadId,
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the framework finds the host's main thread where no window is open. For a VST3 plugin on Linux it
/// has none then, and calls on a thread of its own.
fn calls_without_window(api: PluginApi) -> bool {
    match api {
        PluginApi::Clap => true,
        PluginApi::Vst3 => cfg!(any(target_os = "macos", target_os = "windows")),
        PluginApi::Standalone => false,
    }
}

/// Whether a trim that was given to the framework may never come back. For CLAP it sets the parameter itself,
/// with the next block or flush, however late that is.
fn may_be_lost(api: PluginApi) -> bool {
    match api {
        PluginApi::Clap => false,
        PluginApi::Vst3 | PluginApi::Standalone => true,
    }
}

impl Fold {
    /// How the host's main thread is asked for.
    pub(crate) fn set_call(&self, call: Call) {
        // The framework makes one editor.
        self.call.set(call).ok();
    }

    /// A window was opened, on the host's main thread, which is this one.
    pub(crate) fn opened(&self, gui: GuiContext) {
        *lock(&self.hand) = Some(Hand { gui, main: thread::current().id() });
        // What a closed window's host was asked for may be lost.
        self.is_asked.store(false, Ordering::SeqCst);
    }

    /// The host uses the instance: the link may ask from now on.
    pub(crate) fn let_in(&self) {
        self.is_asked.store(false, Ordering::SeqCst);
        self.lets_in.store(true, Ordering::SeqCst);
    }

    /// The instance may be destroyed next: the link asks no more, and is not in the host any more. A call
    /// upholds the instance while it runs, so none may run into its end.
    pub(crate) fn keep_out(&self) {
        self.lets_in.store(false, Ordering::SeqCst);
        let start = Instant::now();
        while matches!(self.inside.try_lock(), Err(TryLockError::WouldBlock))
            && start.elapsed() < FAREWELL
        {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Asks for the gesture where it is due. For the window, which is gone ahead of the instance.
    pub(crate) fn look_in_window(&self, gains: &Gains, coming: &Coming) {
        if self.is_due(gains, coming, Instant::now()).is_some() {
            self.ask();
        }
    }

    /// The same where no window is open. For the link.
    pub(crate) fn look_behind_window(&self, gains: &Gains, coming: &Coming) {
        let hand = self.is_due(gains, coming, Instant::now());
        if !hand.is_some_and(|hand| calls_without_window(hand.gui.plugin_api())) {
            return;
        }
        let _inside = lock(&self.inside);
        if self.lets_in.load(Ordering::SeqCst) {
            self.ask();
        }
    }

    /// This desk gain stays one.
    pub(crate) fn leave(&self, desk: f32) {
        lock(&self.watch).left = Some(desk);
    }

    fn ask(&self) {
        if let Some(call) = self.call.get()
            && !self.is_asked.swap(true, Ordering::SeqCst)
        {
            call();
        }
    }

    /// Makes the gesture, if it still is due and this is the host's main thread.
    pub(crate) fn make(&self, gains: &Gains, coming: &Coming, trim: &FloatParam) {
        self.is_asked.store(false, Ordering::SeqCst);
        let now = Instant::now();
        let Some(Hand { gui, main }) = self.is_due(gains, coming, now) else { return };
        if thread::current().id() != main {
            self.rest(now);
            return;
        }
        let Some(wanted) = gains.begin_fold(LEAST_TRIM, MOST_TRIM) else { return };
        lock(&self.watch).given = Some(now);
        #[cfg(feature = "plant")]
        crate::plant::trip(crate::guard::Entry::Fold);
        let setter = gui.param_setter();
        setter.begin_set_parameter(trim);
        setter.set_parameter(trim, wanted);
        setter.end_set_parameter(trim);
    }

    /// It panicked: the desk gain stays one until a window is opened anew.
    pub(crate) fn broke(&self, gains: &Gains) {
        *lock(&self.hand) = None;
        gains.give_up_fold();
    }

    /// What makes the gesture, where the gains have stood long enough and there is something to move.
    fn is_due(&self, gains: &Gains, coming: &Coming, now: Instant) -> Option<Hand> {
        let hand = lock(&self.hand).clone()?;
        let is_still = self.is_still(gains.pair().desk, now);
        if gains.is_folding() {
            if may_be_lost(hand.gui.plugin_api()) && self.is_late(now) {
                gains.give_up_fold();
                self.rest(now);
            }
            return None;
        }
        let is_due = is_still && !coming.is_waiting();
        gains.foldable(LEAST_TRIM, MOST_TRIM).filter(|_| is_due).map(|_| hand)
    }

    /// Whether the desk gain has not moved for long enough.
    fn is_still(&self, desk: f32, now: Instant) -> bool {
        let mut watch = lock(&self.watch);
        if watch.desk.to_bits() != desk.to_bits() {
            (watch.desk, watch.since) = (desk, None);
        }
        if watch.left.is_some_and(|left| left.to_bits() == desk.to_bits()) {
            return false;
        }
        let since = *watch.since.get_or_insert(now);
        now.saturating_duration_since(since) >= SETTLED
    }

    fn is_late(&self, now: Instant) -> bool {
        let given = lock(&self.watch).given;
        given.is_some_and(|given| now.saturating_duration_since(given) > PATIENCE)
    }

    fn rest(&self, now: Instant) {
        lock(&self.watch).since = Some(now + REST);
    }
}

#[cfg(test)]
mod tests;

//! A JACK server without a card: it calls the app's own output back in real time while edits land. Passed over where
//! there is no `jackd`; `cargo xtask setup` says how to get it.

mod edits;

use crate::user_session::{RATE, Seat, tone};
use cpal::traits::HostTrait;
use deskhand_editor::{Action, Model};
use deskhand_engine::clicks::click_score;
use deskhand_protocol::desk::Play;
use deskhand_standalone::sound::{Choice, Output, Watch};
use edits::{Edits, KINDS, Kind, Landed};
use std::cell::Cell;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Seconds that are played.
const SECONDS: usize = 8;

/// How long the server may take to answer, and the pause between two questions.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);

/// The beginning of a line that says what was not tested.
pub(crate) const SKIPPED: &str = "SKIPPED:";

/// Names the server to the test in the child process.
const CHILD: &str = "DESKHAND_TEST_ON_JACK";

/// Two servers that start at once disturb each other.
static ALONE: Mutex<()> = Mutex::new(());

/// A server of our own; it ends with the test.
pub(crate) struct Server {
    child: Child,
    _alone: MutexGuard<'static, ()>,
}

impl Server {
    /// `None` if JACK is not installed.
    pub(crate) fn start(name: &str) -> Option<Self> {
        let words = ["--no-realtime", "-t", "5000", "-n", name, "-d", "dummy", "-r", "48000"];
        let mut command = Command::new("jackd");
        command.args(words).args(["-p", "1024"]).stdout(Stdio::null()).stderr(Stdio::null());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        command.spawn().ok().map(|child| Self { child, _alone: alone })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Asked first: a server that is killed leaves its place taken, and JACK has eight for all.
        drop(Command::new("kill").arg(self.child.id().to_string()).status());
        let asked = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && asked.elapsed() < PATIENCE {
            std::thread::sleep(PAUSE);
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn a_session_plays_on_jack_while_edits_land() {
    let name = format!("deskhand-test-{}", std::process::id());
    let Some(_server) = Server::start(&name) else {
        loudly(&format!(
            "{SKIPPED} a session on JACK: there is no jackd; `cargo xtask setup` says how to get it"
        ));
        return;
    };
    in_child("jack::child", CHILD, &name);
}

/// Runs the test of that name with the server: libjack takes its name from the environment, so in a process of its
/// own, to which `variable` says that it is the one.
#[expect(clippy::print_stdout, reason = "the figures are what such a test is read for")]
pub(crate) fn in_child(test: &str, variable: &str, server: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture"]);
    command.env(variable, "1").env("JACK_DEFAULT_SERVER", server);
    let child = command.output().unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success(), "{said}{}", String::from_utf8_lossy(&child.stderr));
    said.lines().filter(|line| line.contains(SKIPPED)).for_each(loudly);
    println!("{said}");
}

/// Past the test harness, which keeps what a passing test prints to itself.
pub(crate) fn loudly(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// Asks for the server until it answers; false when it does not within `PATIENCE`.
pub(crate) fn wait_for_server() -> bool {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        if device().is_some() {
            return true;
        }
        std::thread::sleep(PAUSE);
    }
    false
}

fn device() -> Option<cpal::Device> {
    cpal::host_from_id(cpal::HostId::Jack).ok()?.default_output_device()
}

/// What the callback writes down.
struct Heard {
    left: Box<[AtomicUsize]>,
    frames: AtomicUsize,
    /// The sound is recorded.
    is_kept: AtomicBool,
    late: AtomicU64,
    /// Nanoseconds that the thread computed in all, and how many blocks took longer than they last.
    computed: AtomicU64,
    ours: AtomicU64,
}

impl Heard {
    /// With room for this many frames.
    fn new(room: usize) -> Arc<Self> {
        Arc::new(Self {
            left: std::iter::repeat_with(AtomicUsize::default).take(room).collect(),
            frames: AtomicUsize::new(0),
            is_kept: AtomicBool::new(false),
            late: AtomicU64::new(0),
            computed: AtomicU64::new(0),
            ours: AtomicU64::new(0),
        })
    }

    /// Runs the computation of a block of this many frames, and notes its time.
    fn measure(&self, clock: &Clock, frames: usize, compute: &mut dyn FnMut()) {
        let (started, computed) = (Instant::now(), clock.read());
        assert_no_alloc::assert_no_alloc(compute);
        let (took, all) = (started.elapsed(), clock.read());
        let lasts = Duration::from_secs(1) * frames as u32 / RATE.0;
        // On the clock a busy machine is late too: that is a figure to read. A computation longer than the
        // block misses a cycle by its own fault.
        self.late.fetch_add(u64::from(took > lasts), Ordering::Relaxed);
        self.computed.store(all.as_nanos() as u64, Ordering::Relaxed);
        self.ours.fetch_add(u64::from(all.saturating_sub(computed) > lasts), Ordering::Relaxed);
    }

    /// Records the sound.
    fn keep(&self, first: &mut dyn Iterator<Item = f32>) {
        if !self.is_kept.load(Ordering::Relaxed) {
            return;
        }
        let mut frames = self.frames.load(Ordering::Relaxed);
        for sample in first {
            if let Some(cell) = self.left.get(frames) {
                cell.store(sample.to_bits() as usize, Ordering::Relaxed);
            }
            frames += 1;
        }
        // A reader of this number finds them there.
        self.frames.store(frames, Ordering::Release);
    }
}

/// Wraps the callback of the app's own output.
struct Watcher {
    heard: Arc<Heard>,
    /// The clock of the audio thread, once it came.
    clock: Option<Clock>,
}

impl Watch for Watcher {
    fn block(&mut self, frames: usize, compute: &mut dyn FnMut()) {
        let clock = self.clock.get_or_insert_with(Clock::of_this_thread);
        self.heard.measure(clock, frames, compute);
    }

    fn heard(&mut self, first: &mut dyn Iterator<Item = f32>) {
        self.heard.keep(first);
    }
}

/// A block that computes for longer than it lasts is counted; one that does not is not.
#[test]
fn a_block_that_is_late_by_own_fault_is_counted() {
    let (heard, clock) = (Heard::new(0), Clock::of_this_thread());
    heard.measure(&clock, RATE.0 as usize, &mut || {});
    assert_eq!(heard.ours.load(Ordering::Relaxed), 0);
    let started = Instant::now();
    let mut computes = || {
        let from = clock.read();
        while clock.read() - from < Duration::from_millis(20) && started.elapsed() < PATIENCE {
            std::hint::spin_loop();
        }
    };
    heard.measure(&clock, 64, &mut computes);
    assert_eq!(heard.ours.load(Ordering::Relaxed), 1);
}

/// The test itself; without a server it has nothing to do.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    if !wait_for_server() {
        println!("{SKIPPED} a session on JACK: jackd did not answer within {PATIENCE:?}");
        return;
    }
    let (mut seat, heard) = watched();
    seat.import_tone();
    seat.until("the import", || {}, |model| model.session().unwrap().clips.len() == 1);
    seat.open.act(&mut seat.model, Action::Play(Play::Loop { range: Some((at(1), at(9))) }));
    // From where every clip sounds: a clip may begin before it, and the hard edge of a clip is no fault.
    seat.open.act(&mut seat.model, Action::Play(Play::Seek { at: at(1) }));
    heard.is_kept.store(true, Ordering::Relaxed);
    seat.open.act(&mut seat.model, Action::Play(Play::Start));
    let landed = edit_for(&mut seat, &heard);
    report(&mut seat, &heard, &landed);
}

/// A seat whose output is the app's own, as the app opens it, with the detectors around its callback.
fn watched() -> (Seat, Arc<Heard>) {
    let heard = Heard::new(RATE.0 as usize * (SECONDS + 4));
    let mut seat = Seat::new();
    let (library, log) = (seat.open.library().clone(), Arc::clone(&heard));
    let watch = move || Watcher { heard: Arc::clone(&log), clock: None };
    seat.open.set_output(Output::watched(library, RATE, Choice::default(), || {}, watch));
    let is_there = |model: &Model| model.session().is_some() && model.live.has_transport();
    seat.until("the session and its device", || {}, is_there);
    assert_eq!(seat.open.output().unwrap().running().unwrap().name, "JACK");
    (seat, heard)
}

fn at(seconds: i64) -> deskhand_dsp::Frames {
    deskhand_dsp::Frames(seconds * i64::from(RATE.0))
}

/// What a thread has computed so far, as the kernel counts it with each of its ticks, of a few milliseconds: other
/// threads and the server are not in it.
struct Clock(File);

impl Clock {
    fn of_this_thread() -> Self {
        Self(File::open("/proc/thread-self/schedstat").unwrap())
    }

    fn read(&self) -> Duration {
        let mut text = [0; 64];
        let length = self.0.read_at(&mut text, 0).unwrap();
        let digits = text[..length].iter().take_while(|it| it.is_ascii_digit());
        let nanos = digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        Duration::from_nanos(nanos)
    }
}

/// Edits as fast as they are answered, until enough was played and every kind landed.
fn edit_for(seat: &mut Seat, heard: &Heard) -> Vec<Landed> {
    let (enough, are_all) = (RATE.0 as usize * SECONDS, Cell::new(false));
    let is_full = || are_all.get() && heard.frames.load(Ordering::Relaxed) >= enough;
    let played = || heard.frames.load(Ordering::Relaxed);
    let mut edits = Edits::new(seat, is_full, played);
    let started = Instant::now();
    while !is_full() {
        let limit = Duration::from_secs(10 * SECONDS as u64);
        assert!(started.elapsed() < limit, "the server stopped calling back");
        edits.next(seat);
        let has = |kind: &Kind| edits.landed.iter().any(|landed| landed.kind == *kind);
        are_all.set(KINDS.iter().all(has));
    }
    edits.landed
}

#[expect(clippy::print_stdout, reason = "the figures are what this test is read for")]
fn report(seat: &mut Seat, heard: &Heard, landed: &[Landed]) {
    let frames = heard.frames.load(Ordering::Acquire).min(heard.left.len());
    let samples = heard.left[..frames].iter();
    let left: Vec<f32> =
        samples.map(|it| f32::from_bits(it.load(Ordering::Relaxed) as u32)).collect();
    let running = seat.open.output().unwrap().running().unwrap();
    let xruns = running.xruns();
    let late = heard.late.load(Ordering::Relaxed);
    let ours = heard.ours.load(Ordering::Relaxed);
    let edits = landed.len();
    let computed = heard.computed.load(Ordering::Relaxed) as f64 / 1e9;
    println!(
        "{frames} frames, {computed:.2} s of CPU, {edits} edits, {xruns} xruns of the server, {late} late, {ours} of ours"
    );
    assert!(left.iter().any(|sample| sample.abs() > 0.01), "nothing was heard");
    for kind in KINDS {
        assert!(landed.iter().any(|it| it.kind == kind), "{kind:?} is not among {edits} edits");
    }
    assert!(computed > 0.0, "the kernel tells what a thread computes");
    assert_eq!(ours, 0, "blocks that took us longer than they last");
    assert_eq!(assert_no_alloc::violation_count(), 0);
    let missing = running.player.trouble().missing_frames;
    if late > 0 && missing > 0 {
        println!("{SKIPPED} a session on JACK: the machine was too busy, {missing} frames missing");
        return;
    }
    assert_eq!(missing, 0);
    let score = click_score(&left, &tone(4800));
    assert!(score < 1.1, "a click of {score}: {}", around(&left, landed));
}

/// The place with the loudest click, the sound there, and the edits that landed then.
fn around(left: &[f32], landed: &[Landed]) -> String {
    let bend = |at: &usize| (left[at - 1] - 2.0 * left[*at] + left[at + 1]).abs();
    let at = (1..left.len() - 1).max_by(|a, b| bend(a).total_cmp(&bend(b))).unwrap_or(1);
    let near = |it: &&Landed| it.frames + 12_000 > at && it.frames < at + 12_000;
    let edits: Vec<_> = landed.iter().filter(near).collect();
    let heard = &left[at.saturating_sub(16)..(at + 16).min(left.len())];
    format!("at frame {at}, near {edits:?}, {heard:?}")
}

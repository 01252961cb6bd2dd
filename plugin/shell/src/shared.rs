//! The state that the threads of one instance share.
//!
//! Thread: any. The audio thread touches only the atomics.

use crate::audition::{Alone, Stretch};
use crate::clock::HostClock;
use crate::guard::{Entry, Faults};
use crate::meter::MeterPlace;
use crate::params::DeskhandParams;
use crate::port::HubPort;
use crate::state::SavedField;
use crate::tempo::Played;
use crate::trim_moves::Steps;
use deskhand_protocol::socket::SocketLink;
use deskhand_protocol::{CaptureKind, Saved, Switches};
use deskhand_session::{Color, InsertId, TrackId};
use nice_plug_egui::RepaintNotifier;
use ringbuf::HeapCons;
use ringbuf::traits::Consumer;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// What the host says about the track of the instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostTrack {
    pub name: Option<String>,
    pub color: Option<Color>,
}

/// The state of the instance's connection to the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Standing {
    /// Nobody asked for a session yet.
    #[default]
    Alone,
    Coming,
    /// No session, and why.
    Failed {
        /// In words, with the way out.
        why: String,
    },
    Joined(Seated),
}

/// The track an instance is.
#[derive(Clone, Debug, PartialEq)]
pub struct Seated {
    pub track: TrackId,
    /// The session folder.
    pub dir: PathBuf,
    /// Where captured files go.
    pub captures: PathBuf,
    /// Hz of the session; `None` before it is known.
    pub rate: Option<u32>,
}

/// A piece of input that was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// 32-bit float WAV in the session's folder for captures.
    pub file: PathBuf,
    /// Timeline frame of its first sample, at the host's rate.
    pub at: i64,
    /// The host's rate in Hz.
    pub rate: u32,
    /// How it came to be recorded.
    pub kind: CaptureKind,
}

/// The window's own connection.
#[derive(Clone, Default)]
pub enum WindowLink {
    /// There is no window.
    #[default]
    Closed,
    /// There is a window, which waits for its connection.
    Wanted,
    Coming,
    Open(Arc<SocketLink>),
}

/// Everything that crosses between the threads of an instance.
pub struct Shared {
    /// New for each instance.
    pub id: String,
    /// "CLAP" or "VST3".
    format: Mutex<&'static str>,
    /// What the host sees and automates.
    pub params: Arc<DeskhandParams>,
    /// Moves of trim that wait for their frame.
    pub steps: Steps,
    pub faults: Faults,
    /// What the project stores.
    pub saved: SavedField,
    pub clock: HostClock,
    /// What the person hears by itself.
    pub(crate) alone: Alone,
    pub meter: MeterPlace,
    /// Asks the window for a new picture.
    pub repaint: Repaint,
    host: Mutex<HostTrack>,
    standing: Mutex<Standing>,
    /// Whether there is a folder into which the input is recorded.
    records: AtomicBool,
    /// Whether the output mode is "session".
    plays: AtomicBool,
    /// What processors of the session that it plays took away last, dB.
    reductions: Mutex<BTreeMap<InsertId, f32>>,
    port: Mutex<Option<HubPort>>,
    /// The tempi of played stretches come out here.
    tempi: Mutex<Option<HeapCons<Played>>>,
    passes: Mutex<Vec<Pass>>,
    capture_trouble: Mutex<Option<String>>,
    /// The thread that records ended on an error.
    capture_is_broken: AtomicBool,
    /// If the folder is full and nothing is captured: its size in bytes, until the hub is told. 0
    /// otherwise.
    lacks_room: AtomicU64,
    /// Whether a pass is being written.
    captures: AtomicBool,
    /// Whether the next passage is recorded for a person who asked in a window.
    learns: AtomicBool,
    /// The project was saved at another revision than the session is at, and the person has not chosen.
    saved_elsewhere: Mutex<Option<Saved>>,
    /// The session replaces one that was not found, and the person has not answered: which one, and the way
    /// out.
    made_anew: Mutex<Option<String>>,
    window: Mutex<WindowLink>,
}

/// Every instance of this process that took its seat.
static ALL: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks the window for a new picture while one is shown. Nothing for an audio thread.
#[derive(Default)]
pub struct Repaint(Mutex<Option<RepaintNotifier>>);

impl Repaint {
    /// Sets the open window; `None` once it is closed.
    pub(crate) fn set(&self, window: Option<RepaintNotifier>) {
        *lock(&self.0) = window;
    }

    pub fn request_repaint(&self) {
        if let Some(window) = &*lock(&self.0) {
            window.request_repaint();
        }
    }
}

impl Shared {
    /// A new instance's.
    #[must_use]
    pub fn new(params: Arc<DeskhandParams>) -> Self {
        Self {
            id: format!("instance_{:016x}", RandomState::new().build_hasher().finish()),
            format: Mutex::new("CLAP"),
            steps: Steps::default(),
            faults: Faults::default(),
            saved: params.saved.clone(),
            params,
            clock: HostClock::default(),
            alone: Alone::default(),
            meter: MeterPlace::default(),
            saved_elsewhere: Mutex::default(),
            made_anew: Mutex::default(),
            repaint: Repaint::default(),
            host: Mutex::default(),
            standing: Mutex::default(),
            records: AtomicBool::new(false),
            plays: AtomicBool::new(false),
            reductions: Mutex::default(),
            port: Mutex::default(),
            tempi: Mutex::default(),
            passes: Mutex::default(),
            capture_trouble: Mutex::default(),
            capture_is_broken: AtomicBool::new(false),
            lacks_room: AtomicU64::new(0),
            captures: AtomicBool::new(false),
            learns: AtomicBool::new(false),
            window: Mutex::default(),
        }
    }

    #[must_use]
    pub fn format(&self) -> &'static str {
        *lock(&self.format)
    }

    /// Says which plugin format the host loaded.
    pub fn set_format(&self, format: &'static str) {
        *lock(&self.format) = format;
    }

    /// The host's data on its track.
    #[must_use]
    pub fn host_track(&self) -> HostTrack {
        lock(&self.host).clone()
    }

    /// The host says something of its track.
    pub fn set_host_track(&self, track: HostTrack) {
        *lock(&self.host) = track;
    }

    /// The state of the connection to the session.
    #[must_use]
    pub fn standing(&self) -> Standing {
        lock(&self.standing).clone()
    }

    /// Whether the input is to be recorded.
    #[must_use]
    pub fn records(&self) -> bool {
        self.records.load(Ordering::Relaxed)
    }

    /// Says whether it is to be: where there is a folder, and the person wants it.
    pub(crate) fn set_records(&self, records: bool) {
        let is_whole = !self.capture_is_broken.load(Ordering::Relaxed);
        self.records.store(records && is_whole, Ordering::Relaxed);
    }

    /// There is a thread that records.
    pub(crate) fn capture_begins(&self) {
        self.capture_is_broken.store(false, Ordering::Relaxed);
    }

    /// It ended on an error: nothing is recorded until there is another.
    pub(crate) fn capture_broke(&self) {
        self.capture_is_broken.store(true, Ordering::Relaxed);
        self.set_captures(false);
        self.set_records(false);
        self.faults.note(Entry::Capture);
        self.repaint.request_repaint();
    }

    /// What the instance does to its output apart from gain.
    pub(crate) fn switches(&self) -> Switches {
        self.params.switches()
    }

    pub(crate) fn set_plays(&self, plays: bool) {
        self.plays.store(plays, Ordering::Relaxed);
    }

    pub(crate) fn plays(&self) -> bool {
        self.plays.load(Ordering::Relaxed)
    }

    /// Adds gain reduction readings of processors; those of other processors stay.
    pub(crate) fn took_away(&self, told: BTreeMap<InsertId, f32>) {
        if !told.is_empty() {
            lock(&self.reductions).extend(told);
        }
    }

    pub(crate) fn plays_no_more(&self) {
        lock(&self.reductions).clear();
    }

    /// What processors of the session that it plays took away last, dB; nothing while it plays its input.
    pub(crate) fn reductions(&self) -> BTreeMap<InsertId, f32> {
        if self.plays() { lock(&self.reductions).clone() } else { BTreeMap::new() }
    }

    /// The way to a new audio side.
    pub(crate) fn set_port(&self, port: HubPort) {
        *lock(&self.port) = Some(port);
    }

    pub(crate) fn take_port(&self) -> Option<HubPort> {
        lock(&self.port).take()
    }

    /// Where a new audio side tells its tempi.
    pub(crate) fn set_tempi(&self, tempi: HeapCons<Played>) {
        *lock(&self.tempi) = Some(tempi);
    }

    /// The tempi of stretches played since the last call.
    pub(crate) fn take_tempi(&self) -> Vec<Played> {
        lock(&self.tempi).as_mut().map_or_else(Vec::new, |tempi| tempi.pop_iter().collect())
    }

    pub(crate) fn add_pass(&self, pass: Pass) {
        lock(&self.passes).push(pass);
    }

    /// Whether there are recordings that the hub does not know.
    pub(crate) fn has_passes(&self) -> bool {
        !lock(&self.passes).is_empty()
    }

    /// Takes the recordings that the hub does not know.
    pub(crate) fn take_passes(&self) -> Vec<Pass> {
        std::mem::take(&mut *lock(&self.passes))
    }

    /// Notes that there was no room for the input, with this many bytes in the folder.
    pub(crate) fn want_room(&self, held: u64) {
        self.lacks_room.store(held, Ordering::Relaxed);
    }

    /// How many bytes are in the folder, where there was no room since this was asked last.
    pub(crate) fn take_want_of_room(&self) -> Option<u64> {
        Some(self.lacks_room.swap(0, Ordering::Relaxed)).filter(|held| *held > 0)
    }

    /// Says whether a pass is being written.
    pub(crate) fn set_captures(&self, captures: bool) {
        self.captures.store(captures, Ordering::Relaxed);
    }

    /// Whether all that comes in is kept: the project says so, or a person asked for the next passage.
    pub(crate) fn is_armed(&self) -> bool {
        self.learns.load(Ordering::Relaxed) || self.saved.is_armed()
    }

    /// Keeps the next passage whole, or ends that.
    pub(crate) fn set_learns(&self, learns: bool) {
        self.learns.store(learns, Ordering::Relaxed);
    }

    /// Whether a pass is being written.
    pub(crate) fn captures(&self) -> bool {
        self.captures.load(Ordering::Relaxed)
    }

    /// The choice that the person has: the project was saved at another revision than the session is at.
    #[must_use]
    pub fn saved_elsewhere(&self) -> Option<Saved> {
        lock(&self.saved_elsewhere).clone()
    }

    pub(crate) fn set_saved_elsewhere(&self, saved: Option<Saved>) {
        *lock(&self.saved_elsewhere) = saved;
        self.repaint.request_repaint();
    }

    /// What the person should know about a recreated session.
    #[must_use]
    pub fn made_anew(&self) -> Option<String> {
        lock(&self.made_anew).clone()
    }

    pub(crate) fn set_made_anew(&self, words: Option<String>) {
        *lock(&self.made_anew) = words;
        self.repaint.request_repaint();
    }

    /// Counts among the instances of this process.
    pub(crate) fn enlist(self: &Arc<Self>) {
        let mut all = lock(&ALL);
        all.retain(|one| one.strong_count() > 0 && !std::ptr::eq(one.as_ptr(), Arc::as_ptr(self)));
        all.push(Arc::downgrade(self));
    }

    /// The instances of this process that took their seat.
    pub(crate) fn all() -> Vec<Arc<Self>> {
        lock(&ALL).iter().filter_map(Weak::upgrade).collect()
    }

    /// Plays a stretch alone here and in no other instance of the session; `None` ends it.
    pub(crate) fn hear_alone(&self, stretch: Option<Stretch>) {
        self.peers().iter().for_each(|(_, one)| one.alone.ask(None));
        self.alone.ask(stretch);
    }

    /// What processors take away in all instances of the session, dB, as a window shows it.
    pub(crate) fn shown_reductions(&self) -> BTreeMap<InsertId, f32> {
        self.peers().iter().flat_map(|(_, one)| one.reductions()).collect()
    }

    /// The instances of this process that work on the session of this one, itself among them.
    #[must_use]
    pub fn peers(&self) -> Vec<(Seated, Arc<Self>)> {
        let Standing::Joined(Seated { dir, .. }) = self.standing() else { return Vec::new() };
        let joined = Self::all().into_iter().filter_map(|one| match one.standing() {
            Standing::Joined(seated) if seated.dir == dir => Some((seated, one)),
            Standing::Joined(_) | Standing::Alone | Standing::Coming | Standing::Failed { .. } => {
                None
            }
        });
        joined.collect()
    }

    /// The thread that links it to the hub went on an error.
    pub(crate) fn lost_link(&self) {
        self.faults.note(Entry::Hub);
        self.set_records(false);
        self.set_standing(Standing::Failed { why: Entry::Hub.message().into() });
    }

    /// Why something of the input was not recorded.
    #[must_use]
    pub fn capture_trouble(&self) -> Option<String> {
        lock(&self.capture_trouble).clone()
    }

    pub(crate) fn set_capture_trouble(&self, trouble: Option<String>) {
        *lock(&self.capture_trouble) = trouble;
    }

    pub(crate) fn set_standing(&self, standing: Standing) {
        let mut now = lock(&self.standing);
        if *now != standing {
            *now = standing;
            self.repaint.request_repaint();
        }
    }

    pub(crate) fn window(&self) -> MutexGuard<'_, WindowLink> {
        lock(&self.window)
    }
}

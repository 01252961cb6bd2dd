//! The state of an instance in the host's project. It is checked completely before any part is applied.
//!
//! Thread: message

use crate::guard::{Entry, Faults, caught};
use crate::param_ranges::{LEAST_TRIM, LOW_CUT_OFF, MOST_LOW_CUT, MOST_TRIM};
use deskhand_session::{Output, SessionId, TrackId, TrackKind};
use nice_plug::params::persist::PersistentField;
use nice_plug::plugin::ParamValue;
use nice_plug::prelude::PluginState;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The key of the state in the host's project.
pub const FIELD: &str = "deskhand";
/// The largest snapshot, in bytes as JSON.
pub const LARGEST_SNAPSHOT: usize = 64 * 1024;
/// The largest desk gain either way, in dB, that older versions kept apart from trim.
const MOST_DESK_GAIN: f32 = 250.0;
/// The narrowest and the widest window.
pub const WIDTHS: [u32; 2] = [720, 1600];
/// The lowest and the highest window.
pub const HEIGHTS: [u32; 2] = [480, 1000];
/// The smallest and the largest zoom.
pub const ZOOMS: [f32; 2] = [0.5, 3.0];

/// Everything but the parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// The session this instance belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The session's revision when the project was saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track: Option<TrackId>,
    /// For where no folder with the session exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Snapshot>,
    /// Whether all that comes in is kept, however long.
    #[serde(default, skip_serializing_if = "is_off")]
    pub armed: bool,
    /// The window as it was last.
    #[serde(default)]
    pub window: Window,
}

fn is_off(it: &bool) -> bool {
    !it
}

/// Gains and layout of the session, without its audio.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Hz.
    pub rate: u32,
    /// From the first to the last.
    pub tracks: Vec<SnapshotTrack>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotTrack {
    pub id: TrackId,
    pub name: String,
    /// dB.
    pub gain: f64,
    /// -1 to 1.
    pub pan: f64,
    /// Whether clips are on it or tracks play through it.
    #[serde(default, skip_serializing_if = "is_audio")]
    pub kind: TrackKind,
    /// Where it plays to.
    #[serde(default, skip_serializing_if = "is_master")]
    pub output: Output,
}

fn is_audio(kind: &TrackKind) -> bool {
    *kind == TrackKind::Audio
}

fn is_master(output: &Output) -> bool {
    *output == Output::Master
}

/// Size in points and zoom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Points.
    pub width: u32,
    /// Points.
    pub height: u32,
    /// 1 is as designed.
    pub zoom: f32,
    /// Light instead of dark.
    #[serde(default)]
    pub is_light: bool,
    /// Nothing moves that does not have to.
    #[serde(default)]
    pub reduces_motion: bool,
}

impl Default for Window {
    fn default() -> Self {
        Self { width: 900, height: 600, zoom: 1.0, is_light: false, reduces_motion: false }
    }
}

/// Why a state is not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StateError {
    #[error("the saved state is not one of Deskhand ({why}); the state before it is kept")]
    Unreadable { why: String },
    #[error(
        "the saved state has {what} = {value}, which is outside {range}; the state before it is kept"
    )]
    Range { what: String, value: f64, range: String },
    #[error(
        "the saved snapshot has {bytes} bytes, more than {LARGEST_SNAPSHOT}; the state before it is kept"
    )]
    Large { bytes: usize },
}

impl Saved {
    /// Reads a written state.
    ///
    /// # Errors
    /// When it is not whole or a value cannot be.
    pub fn read(json: &str) -> Result<Self, StateError> {
        // A project file may come from anywhere: look at the size before the content.
        if json.len() > 2 * LARGEST_SNAPSHOT {
            return Err(StateError::Large { bytes: json.len() });
        }
        let saved: Self = serde_json::from_str(json)
            .map_err(|error| StateError::Unreadable { why: error.to_string() })?;
        saved.check()?;
        Ok(saved)
    }

    fn check(&self) -> Result<(), StateError> {
        inside("width", self.window.width as f32, WIDTHS.map(|width| width as f32))?;
        inside("height", self.window.height as f32, HEIGHTS.map(|height| height as f32))?;
        inside("zoom", self.window.zoom, ZOOMS)?;
        let Some(snapshot) = &self.snapshot else { return Ok(()) };
        inside("rate", snapshot.rate as f32, [1_000.0, 768_000.0])?;
        for track in &snapshot.tracks {
            inside("gain", track.gain as f32, [-1_000.0, 1_000.0])?;
            inside("pan", track.pan as f32, [-1.0, 1.0])?;
        }
        let bytes = snapshot.bytes();
        if bytes > LARGEST_SNAPSHOT { Err(StateError::Large { bytes }) } else { Ok(()) }
    }
}

impl Snapshot {
    /// Its size as JSON.
    #[must_use]
    pub fn bytes(&self) -> usize {
        serde_json::to_vec(self).map_or(usize::MAX, |json| json.len())
    }

    /// Without the last tracks where it would be too large.
    #[must_use]
    pub fn fitted(mut self) -> Self {
        while self.bytes() > LARGEST_SNAPSHOT {
            let keep = self.tracks.len() * 3 / 4;
            self.tracks.truncate(keep);
        }
        // A bus that did not fit cannot be played to.
        let kept: BTreeSet<TrackId> = self.tracks.iter().map(|track| track.id).collect();
        for track in &mut self.tracks {
            if matches!(track.output, Output::Bus(bus) if !kept.contains(&bus)) {
                track.output = Output::Master;
            }
        }
        self
    }
}

fn inside(what: &str, value: f32, [least, most]: [f32; 2]) -> Result<(), StateError> {
    if value.is_finite() && (least..=most).contains(&value) {
        return Ok(());
    }
    let (what, range) = (what.to_owned(), format!("{least} to {most}"));
    Err(StateError::Range { what, value: f64::from(value), range })
}

/// Checks a whole state of the host's.
///
/// # Errors
/// Names the first thing that cannot be.
pub fn check(state: &PluginState) -> Result<(), StateError> {
    if let Some(json) = state.fields.get(FIELD) {
        Saved::read(json)?;
        inside("desk_gain", desk_gain(json)?, [-MOST_DESK_GAIN, MOST_DESK_GAIN])?;
    } else if !state.fields.is_empty() || state.params.is_empty() {
        let why = format!("it has no part named `{FIELD}`");
        return Err(StateError::Unreadable { why });
    }
    state.params.iter().try_for_each(|(id, value)| check_parameter(id, value))
}

fn check_parameter(id: &str, value: &ParamValue) -> Result<(), StateError> {
    let unreadable = || StateError::Unreadable { why: format!("`{id}` is not a parameter of it") };
    match (id, value) {
        ("trim", ParamValue::F32(trim)) => inside(id, *trim, [LEAST_TRIM, MOST_TRIM]),
        ("low_cut", ParamValue::F32(hertz)) => inside(id, *hertz, [LOW_CUT_OFF, MOST_LOW_CUT]),
        ("bypass" | "polarity" | "mono", ParamValue::Bool(_)) => Ok(()),
        ("output", ParamValue::String(mode)) if mode == "input" || mode == "session" => Ok(()),
        _ => Err(unreadable()),
    }
}

/// Leaves nothing to load of a state that is refused. Notes an error of ours in `faults`.
pub(crate) fn filter(state: &mut PluginState, faults: &Faults) {
    let checked = caught(Entry::State, faults, || {
        #[cfg(feature = "test-probes")]
        crate::planted_faults::trip(Entry::State);
        check(state)
    });
    if !matches!(checked, Some(Ok(()))) {
        state.params = BTreeMap::new();
        state.fields = BTreeMap::new();
    }
    fold_desk_gain(state);
}

/// The desk gain of older versions, which they stored apart from trim, in dB.
fn desk_gain(json: &str) -> Result<f32, StateError> {
    #[derive(Default, Deserialize)]
    struct Older {
        #[serde(default)]
        desk_gain: f32,
    }
    let unreadable = |error: serde_json::Error| StateError::Unreadable { why: error.to_string() };
    serde_json::from_str::<Older>(json).map(|older| older.desk_gain).map_err(unreadable)
}

/// Sets the knob of a state from an older version to the gain that was heard.
fn fold_desk_gain(state: &mut PluginState) {
    let apart = state.fields.get(FIELD).and_then(|json| desk_gain(json).ok()).unwrap_or(0.0);
    if apart == 0.0 {
        return;
    }
    let trim = state.params.entry("trim".into()).or_insert(ParamValue::F32(0.0));
    if let ParamValue::F32(trim) = trim {
        *trim = (*trim + apart).clamp(LEAST_TRIM, MOST_TRIM);
    }
}

/// The saved state of a living instance.
#[derive(Clone, Debug, Default)]
pub struct SavedField(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    saved: Saved,
    /// Whether it is a track of a session: then it stays that one, whatever is loaded.
    is_seated: bool,
    /// Whether a state was loaded and not yet handled.
    is_loaded: bool,
    /// A state was not taken or not gathered, for an error of ours.
    is_faulty: bool,
    /// Whether the host has a state that names its session: one that it loaded, or one that it took.
    is_kept: bool,
    /// Whether it became a track before any state that names one. The first such state may be its
    /// project's.
    is_new: bool,
    /// That state, until it is decided whether it is.
    late: Option<Box<Saved>>,
}

impl SavedField {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a state was loaded since this was asked last.
    #[must_use]
    pub fn take_loaded(&self) -> bool {
        std::mem::take(&mut self.lock().is_loaded)
    }

    /// Whether the host has a state that names its session.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.lock().is_kept
    }

    /// Whether a state was not taken or not gathered since this was asked last, for an error of ours.
    #[must_use]
    pub fn take_fault(&self) -> bool {
        std::mem::take(&mut self.lock().is_faulty)
    }

    #[must_use]
    pub fn now(&self) -> Saved {
        self.lock().saved.clone()
    }

    /// Whether all that comes in is kept.
    #[must_use]
    pub fn is_armed(&self) -> bool {
        self.lock().saved.armed
    }

    /// Changes the state that is saved next.
    pub fn change(&self, change: impl FnOnce(&mut Saved)) {
        change(&mut self.lock().saved);
    }

    fn take(&self, saved: Saved) {
        #[cfg(feature = "test-probes")]
        crate::planted_faults::trip(Entry::Load);
        let mut kept = self.lock();
        kept.is_kept |= saved.session.is_some();
        kept.is_loaded = true;
        if kept.is_seated {
            kept.look_at(&saved);
            kept.load(saved);
        } else {
            kept.saved = saved;
        }
    }

    /// It is a track of a session, as which it is saved from now on.
    pub fn seat(&self, session: Option<SessionId>, track: TrackId, revision: u64) {
        let mut kept = self.lock();
        if !std::mem::replace(&mut kept.is_seated, true) {
            kept.is_new = kept.saved.session.is_none();
        }
        kept.saved.session = session;
        (kept.saved.track, kept.saved.revision) = (Some(track), Some(revision));
    }

    /// Whether its project's state may have come late: it names another track than the one that it became without it.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.lock().late.is_some()
    }

    /// The state that came late is its project's: it is no track, and means what that names.
    pub fn take_late(&self) {
        let mut kept = self.lock();
        if let Some(late) = kept.late.take() {
            (kept.saved, kept.is_seated) = (*late, false);
        }
    }

    /// It stays the track that it is, whatever came late.
    pub fn leave_late(&self) {
        self.lock().late = None;
    }
}

impl Kept {
    /// Looks at a state that may come after the instance became a track.
    fn look_at(&mut self, loaded: &Saved) {
        if loaded.session.is_some() && (std::mem::take(&mut self.is_new) || self.late.is_some()) {
            let is_other = (loaded.session, loaded.track) != (self.saved.session, self.saved.track);
            self.late = is_other.then(|| Box::new(loaded.clone()));
        }
    }

    /// What the host loads into a track: the session and its place in it stay. Its trim is a move of the host's.
    fn load(&mut self, loaded: Saved) {
        let Saved { session, revision, track, snapshot, .. } = self.saved.clone();
        self.saved = Saved { session, revision, track, snapshot, ..loaded };
    }
}

impl PersistentField<'_, Saved> for SavedField {
    fn set(&self, saved: Saved) {
        let took = caught(Entry::Load, &Faults::default(), || self.take(saved));
        if took.is_none() {
            self.lock().is_faulty = true;
        }
    }

    fn map<F, R>(&self, look: F) -> R
    where
        F: Fn(&Saved) -> R,
    {
        let gathered = caught(Entry::Save, &Faults::default(), || {
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Save);
            let mut kept = self.lock();
            kept.is_kept |= kept.saved.session.is_some();
            kept.saved.clone()
        });
        look(&gathered.unwrap_or_else(|| {
            let mut kept = self.lock();
            kept.is_faulty = true;
            kept.saved.clone()
        }))
    }
}

#[cfg(test)]
mod tests;

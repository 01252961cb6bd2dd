//! Probes for tests: what a window would ask and show.
//!
//! Thread: any

use crate::capturing::Capturing;
use crate::shared::{Shared, Standing, WindowLink};
use deskhand_dsp::Frames;
use deskhand_session::{InsertId, SourceId};
use egui::epaint::Vertex;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// The words of the newest frame of a window.
static WORDS: Mutex<String> = Mutex::new(String::new());
/// Bits of an amplitude, the highest since it was asked for: bits of those that are not negative are in their order.
static LEVEL: AtomicU32 = AtomicU32::new(0);
/// Bits of a height in points, the highest of a waveform in the newest frame of a window.
static WAVE: AtomicU32 = AtomicU32::new(0);

/// Applies the preferences: whether the last minutes of played sound are kept, and how many.
pub fn capture(rolls: bool, minutes: u32) {
    Capturing { rolls, minutes, ..Capturing::default() }.hold();
}

/// Whether the only instance records whatever plays.
#[must_use]
pub fn records() -> bool {
    Shared::all().first().is_some_and(|one| one.records())
}

/// Whether the only instance is a track of a session now.
#[must_use]
pub fn is_joined() -> bool {
    Shared::all().first().is_some_and(|one| matches!(one.standing(), Standing::Joined(_)))
}

/// What the window of the only instance shows that failed; else why something was not captured.
#[must_use]
pub fn shown_trouble() -> Option<String> {
    let all = Shared::all();
    let one = all.first()?;
    one.faults.latest().map(|entry| entry.message().to_owned()).or_else(|| one.capture_trouble())
}

/// Asks as the session menu of the newest instance's window does: all of its project go to the session in `dir`.
pub fn use_session(dir: &Path) {
    crate::hub::use_session(dir.to_owned(), false);
}

/// Asks for a new session in `dir`, as that menu does.
pub fn make_session(dir: &Path) {
    crate::hub::use_session(dir.to_owned(), true);
}

/// From now on somebody looks at every instance, as through a window that no display shows.
pub fn look_at_all() {
    Shared::all().iter().for_each(|one| *one.window() = WindowLink::Wanted);
}

/// What the instances' windows say about a session that was recreated.
#[must_use]
pub fn told_of_made_anew() -> Vec<String> {
    Shared::all().iter().filter_map(|one| one.made_anew()).collect()
}

/// Asks like a click in a window, in the only instance: a stretch of a source plays alone; `None` ends it.
pub fn hear_alone(stretch: Option<(SourceId, Frames, Frames)>) {
    Shared::all().iter().for_each(|one| one.hear_alone(stretch));
}

/// The window state of the only instance: the playing frame of the source, or the reason for silence.
#[must_use]
pub fn heard_alone() -> (Option<Frames>, Option<String>) {
    let all = Shared::all();
    let one = all.first();
    let at = one.and_then(|one| one.alone.place()).map(|(_, at)| at);
    (at, one.and_then(|one| one.alone.trouble()))
}

/// What the window of the only instance shows that processors take away, dB.
#[must_use]
pub fn reductions() -> BTreeMap<InsertId, f32> {
    Shared::all().first().map(|one| one.shown_reductions()).unwrap_or_default()
}

/// Whether something can be heard by itself in the only instance: not while it renders offline. Asked once for each time
/// that it was activated.
#[must_use]
pub fn may_hear_alone() -> bool {
    Shared::all().first().is_some_and(|one| one.alone.take_port().is_some())
}

/// A window shows a frame: its words so far are noted, the highest of the meters' levels, and the highest waveform.
pub(crate) fn note_shown(ui: &egui::Ui, level: f32) {
    let floating: Vec<_> = ui.ctx().memory(|memory| memory.layer_ids().collect());
    let (mut words, mut wave) = (String::new(), 0.0_f32);
    ui.ctx().graphics(|layers| {
        for layer in [ui.layer_id()].into_iter().chain(floating) {
            let Some(painted) = layers.get(layer) else { continue };
            for one in painted.all_entries() {
                read(&one.shape, &mut words);
                wave = wave.max(wave_in(&one.shape));
            }
        }
    });
    WAVE.store(wave.to_bits(), Ordering::SeqCst);
    *WORDS.lock().unwrap_or_else(PoisonError::into_inner) = words;
    LEVEL.fetch_max(level.max(0.0).to_bits(), Ordering::SeqCst);
}

/// A line for each text in a shape.
pub(crate) fn read(shape: &egui::Shape, words: &mut String) {
    match shape {
        egui::Shape::Text(text) => *words += &format!("{}\n", text.galley.text()),
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| read(shape, words)),
        _ => {}
    }
}

/// The height of the highest waveform in a shape, in points; 0 if there is none.
fn wave_in(shape: &egui::Shape) -> f32 {
    match shape {
        egui::Shape::Mesh(mesh) if is_wave(mesh) => mesh.calc_bounds().height(),
        egui::Shape::Vec(shapes) => shapes.iter().map(wave_in).fold(0.0, f32::max),
        _ => 0.0,
    }
}

/// Whether it is a band of columns with soft edges above and below.
fn is_wave(mesh: &egui::Mesh) -> bool {
    const LEAST_COLUMNS: usize = 16;
    let is_column = |column: &[Vertex]| match column {
        [top, upper, lower, bottom] => {
            let is_soft = |edge: &Vertex| edge.color == egui::Color32::TRANSPARENT;
            let is_upright = top.pos.x == bottom.pos.x && upper.color == lower.color;
            is_soft(top) && is_soft(bottom) && is_upright
        }
        _ => false,
    };
    mesh.vertices.len() >= 4 * LEAST_COLUMNS && mesh.vertices.chunks(4).all(is_column)
}

/// The height of the highest waveform in the newest frame of a window, in points; 0 if none was drawn.
#[must_use]
pub fn shown_wave() -> f32 {
    f32::from_bits(WAVE.load(Ordering::SeqCst))
}

/// The words of the newest frame that a window showed, a line for each text.
#[must_use]
pub fn shown_words() -> String {
    WORDS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The highest level that track meters showed since the last call, 1 at full scale; 0 if none did.
#[must_use]
pub fn shown_level() -> f32 {
    f32::from_bits(LEVEL.swap(0, Ordering::SeqCst))
}

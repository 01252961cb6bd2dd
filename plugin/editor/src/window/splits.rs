//! The edges between the areas of the window.

use crate::action::{Action, Actions};
use crate::kit::Cx;
use crate::kit::splitter::{Moved, Splitter};
use crate::layout::{CONVERSATION, Layout, MIXER, WORDS};
use crate::library;
use crate::model::Model;
use crate::settings::SettingsChange;
use crate::theme::{Theme, size};
use egui::{Rect, Ui};

/// The largest share of the window for the conversation, and of the room next to it for the mixer.
const MOST: f32 = 0.45;
/// The least width of timeline and mixer, points: the heads of the tracks and as much of the lanes, three strips and the
/// master.
const WORK: f32 = 400.0;

/// The least width of the timeline beside the words, points.
const TIMELINE: f32 = 480.0;
/// In a narrower window the words have the place of the mixer, points.
const NARROW: f32 = 1280.0;
/// The words want this much height where the mixer is, points, and take at most this share of the room.
const TALL: f32 = 300.0;
const MOST_WORDS: f32 = 0.6;

/// Where the words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dock {
    Away,
    /// Right of timeline and mixer.
    Beside,
    /// In the place of the mixer.
    Below,
}

/// Where the words are in a window of this width, whose timeline and mixer have `work`.
pub(super) fn dock(model: &Model, window: f32, work: Rect) -> Dock {
    if !model.desk.words.is_open || model.mirror.is_none() {
        Dock::Away
    } else if window >= NARROW && work.width() >= TIMELINE + size::GAP + WORDS.0 {
        Dock::Beside
    } else {
        Dock::Below
    }
}

/// The width of the words beside a timeline, where both and their gap are so wide.
pub(super) fn words_width(layout: Layout, both: f32) -> f32 {
    layout.words.min(most_words(both))
}

fn most_words(both: f32) -> f32 {
    WORDS.1.min(both - size::GAP - TIMELINE)
}

/// The person's layout, if it can be set.
pub(super) fn layout(model: &Model) -> Layout {
    model.settings.as_ref().map(|settings| settings.layout.checked()).unwrap_or_default()
}

/// The largest width of the conversation in a window of this width. An open library leaves it only what the
/// timeline does not need; `None` if that is too little.
pub(super) fn most(window: f32, has_library: bool) -> Option<f32> {
    let share = window * MOST;
    if !has_library {
        return Some(share);
    }
    let room = window - library::WIDTH - 2.0 * size::GAP - WORK;
    (room >= CONVERSATION.0).then(|| share.min(room))
}

/// The height of the mixer, or of the words in its place, below a timeline, where both are so high.
pub(super) fn height(layout: Layout, dock: Dock, both: f32) -> f32 {
    match dock {
        Dock::Below => layout.mixer.max(TALL).min(both * MOST_WORDS),
        Dock::Away | Dock::Beside => layout.mixer.min(both * MOST),
    }
}

/// Draws the edge of the conversation in `gap`, which is `most` wide at most.
pub(super) fn conversation(
    ui: &Ui,
    theme: &Theme,
    model: &mut Model,
    (gap, area): (Rect, Rect),
    most: f32,
    out: &mut Actions,
) {
    let edge = Splitter {
        name: "Width of the conversation",
        is_above: false,
        ends: (CONVERSATION.0, CONVERSATION.1.min(most)),
        usual: Layout::default().conversation,
    };
    let put = |layout: &mut Layout, size| layout.conversation = size;
    split(ui, theme, model, (gap, area), edge, put, out);
}

/// Draws the edge of the words in `gap`, where timeline and words are so wide.
pub(super) fn words(
    ui: &Ui,
    theme: &Theme,
    model: &mut Model,
    (gap, area): (Rect, Rect),
    both: f32,
    out: &mut Actions,
) {
    let edge = Splitter {
        name: "Width of the words",
        is_above: false,
        ends: (WORDS.0, most_words(both)),
        usual: Layout::default().words,
    };
    let put = |layout: &mut Layout, size| layout.words = size;
    split(ui, theme, model, (gap, area), edge, put, out);
}

/// Draws the edge of the mixer in `gap`, where timeline and mixer are so high.
pub(super) fn mixer(
    ui: &Ui,
    theme: &Theme,
    model: &mut Model,
    (gap, area): (Rect, Rect),
    both: f32,
    out: &mut Actions,
) {
    let edge = Splitter {
        name: "Height of the mixer",
        is_above: true,
        ends: (MIXER.0, MIXER.1.min(both * MOST)),
        usual: Layout::default().mixer,
    };
    let put = |layout: &mut Layout, size| layout.mixer = size;
    split(ui, theme, model, (gap, area), edge, put, out);
}

fn split(
    ui: &Ui,
    theme: &Theme,
    model: &mut Model,
    (gap, area): (Rect, Rect),
    edge: Splitter<'_>,
    put: impl FnOnce(&mut Layout, f32),
    out: &mut Actions,
) {
    let Some(settings) = &mut model.settings else { return };
    let Some(Moved { size, is_set }) = edge.show(&Cx::new(ui, theme), gap, area) else { return };
    put(&mut settings.layout, size);
    if is_set {
        out.push(Action::Settings(SettingsChange::Layout(settings.layout)));
    }
}

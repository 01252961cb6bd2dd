//! The edges between the areas of the window.

use crate::action::{Action, Actions};
use crate::kit::Cx;
use crate::kit::splitter::{Moved, Splitter};
use crate::layout::{CONVERSATION, Layout, MIXER, PROCESSORS, WORDS};
use crate::library;
use crate::model::Model;
use crate::settings::SettingsChange;
use crate::theme::size;
use egui::Rect;

/// The largest share of the window for the conversation, and of the room next to it for the mixer.
const MOST: f32 = 0.45;
/// The least width of timeline and mixer, points: the heads of the tracks and as much of the lanes, three strips and the
/// master.
const WORK: f32 = 400.0;

/// The least width of the timeline beside the words, points.
const TIMELINE: f32 = 480.0;
/// In a narrower window the words have the place of the mixer, points.
const NARROW: f32 = 1280.0;
/// The least height of a timeline above the processors, points.
const LANES: f32 = 196.0;
/// The words want this much height where the mixer is, points, and take at most this share of the room.
const TALL: f32 = 300.0;
const MOST_WORDS: f32 = 0.6;

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

/// What is below the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lower {
    Nothing,
    Mixer,
    Processors,
    Words,
}

/// What is below the timeline, where the words are in this dock.
pub(super) fn lower(model: &Model, dock: Dock) -> Lower {
    let layout = layout(model);
    match dock {
        Dock::Below => Lower::Words,
        _ if !model.has_timeline() => Lower::Nothing,
        _ if model.desk.inserts.open.is_some() && !layout.floats_processors => Lower::Processors,
        _ if layout.hides_mixer => Lower::Nothing,
        _ => Lower::Mixer,
    }
}

/// The height of what is below a timeline, where both are so high.
pub(super) fn height(layout: Layout, lower: Lower, both: f32) -> f32 {
    match lower {
        Lower::Nothing => 0.0,
        Lower::Words => layout.mixer.max(TALL).min(both * MOST_WORDS),
        Lower::Processors => layout.processors.min(most_processors(both)),
        Lower::Mixer => layout.mixer.min(both * MOST),
    }
}

/// Where the window is low, the processors leave the timeline half of the room.
fn most_processors(both: f32) -> f32 {
    PROCESSORS.1.min((both - LANES).max(both / 2.0))
}

/// What lies at an edge, and the room that it and its neighbor have.
#[derive(Clone, Copy)]
pub(super) enum Edge {
    /// The conversation, which is this wide at most.
    Conversation(f32),
    Words(f32),
    Mixer(f32),
    Processors(f32),
}

impl Edge {
    /// Draws it in `gap`, beside what lies in `area`.
    pub(super) fn show(
        self,
        cx: &Cx<'_>,
        model: &mut Model,
        (gap, area): (Rect, Rect),
        out: &mut Actions,
    ) {
        let Some(settings) = &mut model.settings else { return };
        let (layout, mut usual) = (&mut settings.layout, Layout::default());
        let (name, ends) = match self {
            Self::Conversation(most) => {
                ("Width of the conversation", (CONVERSATION.0, CONVERSATION.1.min(most)))
            }
            Self::Words(both) => ("Width of the words", (WORDS.0, most_words(both))),
            Self::Mixer(both) => ("Height of the mixer", (MIXER.0, MIXER.1.min(both * MOST))),
            Self::Processors(both) => {
                ("Height of the processors", (PROCESSORS.0, most_processors(both)))
            }
        };
        let is_above = matches!(self, Self::Mixer(_) | Self::Processors(_));
        let usual = *self.of(&mut usual);
        let edge = Splitter { name, is_above, ends, usual };
        let Some(Moved { size, is_set }) = edge.show(cx, gap, area) else { return };
        *self.of(layout) = size;
        if is_set {
            out.push(Action::Settings(SettingsChange::Layout(settings.layout)));
        }
    }

    fn of(self, layout: &mut Layout) -> &mut f32 {
        match self {
            Self::Conversation(_) => &mut layout.conversation,
            Self::Words(_) => &mut layout.words,
            Self::Mixer(_) => &mut layout.mixer,
            Self::Processors(_) => &mut layout.processors,
        }
    }
}

//! The edges between the areas of the window.

use crate::action::Action;
use crate::kit::Cx;
use crate::kit::splitter::{Moved, Splitter};
use crate::layout::{CONVERSATION, Layout, MIXER};
use crate::model::Model;
use crate::settings::SettingsChange;
use crate::theme::Theme;
use egui::{Rect, Ui};

/// How much of the window the conversation takes at most, and how much of what is beside it the mixer.
const MOST: f32 = 0.45;

/// What the person set, where something can be set.
pub(super) fn layout(model: &Model) -> Layout {
    model.settings.as_ref().map(|settings| settings.layout.checked()).unwrap_or_default()
}

/// The width of the conversation in a window that is so wide.
pub(super) fn width(layout: Layout, window: f32) -> f32 {
    layout.conversation.min(window * MOST)
}

/// The height of the mixer below a timeline, where both are so high.
pub(super) fn height(layout: Layout, both: f32) -> f32 {
    layout.mixer.min(both * MOST)
}

/// Draws the edge of the conversation in `gap`, of a window that is so wide.
pub(super) fn conversation(
    ui: &Ui,
    theme: &Theme,
    model: &mut Model,
    (gap, area): (Rect, Rect),
    window: f32,
    out: &mut Vec<Action>,
) {
    let edge = Splitter {
        name: "Width of the conversation",
        is_above: false,
        ends: (CONVERSATION.0, CONVERSATION.1.min(window * MOST)),
        usual: Layout::default().conversation,
    };
    let put = |layout: &mut Layout, size| layout.conversation = size;
    split(ui, theme, model, (gap, area), edge, put, out);
}

/// Draws the edge of the mixer in `gap`, where timeline and mixer are so high.
pub(super) fn mixer(
    ui: &Ui,
    theme: &Theme,
    model: &mut Model,
    (gap, area): (Rect, Rect),
    both: f32,
    out: &mut Vec<Action>,
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
    out: &mut Vec<Action>,
) {
    let Some(settings) = &mut model.settings else { return };
    let Some(Moved { size, is_set }) = edge.show(&Cx::new(ui, theme), gap, area) else { return };
    put(&mut settings.layout, size);
    if is_set {
        out.push(Action::Settings(SettingsChange::Layout(settings.layout)));
    }
}

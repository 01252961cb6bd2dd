//! The conversation at the right of the window: a column, or a rail if the open library and the timeline
//! leave no room.

use super::splits::Edge;
use super::{has_library, splits};
use crate::action::Actions;
use crate::kit::controls::icon_button;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::size;
use crate::{areas, conversation, icons};
use egui::{Event, Key, Rect, Ui, vec2};

/// Width of the rail, points.
const RAIL: f32 = 36.0;

/// The conversation's place in the window.
pub(super) struct Talk {
    area: Rect,
    gap: Rect,
    /// The largest width; `None` while folded.
    most: Option<f32>,
}

/// Draws it at the right of the remaining window, and takes its room from that.
pub(super) fn show(ui: &mut Ui, model: &mut Model, rest: &mut Rect, out: &mut Actions) -> Talk {
    let window = rest.width();
    unfold(ui, model, window);
    let most = splits::most(window, has_library(model));
    let width = most.map_or(RAIL, |most| splits::layout(model).conversation.min(most));
    let area = rest.cut_right(width);
    areas::begin(ui, &mut model.areas, "Conversation", area);
    if most.is_some() {
        conversation::show(ui, model, area, conversation::Size::Full, out);
    } else {
        rail(&Cx::new(ui), model, area);
    }
    Talk { area, gap: rest.cut_right(size::GAP), most }
}

impl Talk {
    /// Draws the edge that sets its width, above its neighbors.
    pub(super) fn edge(&self, ui: &Ui, model: &mut Model, out: &mut Actions) {
        if let Some(most) = self.most {
            let cx = Cx::new(ui);
            Edge::Conversation(most).show(&cx, model, (self.gap, self.area), out);
        }
    }
}

/// Unfolds the conversation, in place of the library, when the person goes to something in it.
fn unfold(ui: &Ui, model: &mut Model, window: f32) {
    let goes_there = std::mem::take(&mut model.desk.library.gives_way);
    // The composer takes the key itself, once it is there.
    let is_key = |event: &Event| matches!(event, Event::Key { key: Key::K, pressed: true, modifiers, .. } if modifiers.command);
    let asks = ui.input(|input| input.events.iter().any(is_key));
    let is_folded = splits::most(window, has_library(model)).is_none();
    if is_folded && (goes_there || asks || model.wants_composer) {
        model.desk.library.is_open = false;
    }
}

/// The way back to it, with a dot while a plan waits there.
fn rail(cx: &Cx<'_>, model: &mut Model, area: Rect) {
    cx.fill(area, 0.0, cx.t.panel);
    let cell = Rect::from_center_size(area.center_top() + vec2(0.0, 20.0), vec2(28.0, 28.0));
    let name = "Conversation in place of the library";
    if icon_button(cx, cell, icons::CARET_LEFT, name).clicked() {
        model.desk.library.is_open = false;
    }
    if model.open_plan().is_some() {
        cx.p.circle_filled(cell.right_top() + vec2(-5.0, 5.0), 3.0, cx.t.accent);
    }
}

//! The line on the card of a plan that marks takes. It leads to the page that shows them side by side.

use crate::card::view::Card;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::theme::space;
use crate::tools::Tools;
use crate::{icons, words};
use deskhand_session::Plan;
use egui::{Rect, Ui, vec2};

const LINE: f32 = 36.0;

/// The height of the line; 0 if the plan marks no takes.
pub(super) fn height(tools: &Tools, plan: &Plan) -> f32 {
    if words::marks_takes(tools, plan) { LINE } else { 0.0 }
}

/// Draws the button; says whether it has the keyboard.
pub(super) fn show(ui: &Ui, card: &mut Card, rect: Rect) -> bool {
    if rect.height() <= 0.0 {
        return false;
    }
    let cx = Cx::new(ui);
    let button = Button::new(Kind::Secondary, "Compare the takes").icon(icons::WAVEFORM);
    let button = button.salt(card.number as u64);
    let cell = rect.row_box(rect.left() + space::M, vec2(button.width(&cx), 24.0));
    let told = "Hear them side by side, see where they differ, and choose";
    if button.show(&cx, cell).on_hover_text(told).clicked() {
        card.view.asks.opens_takes = true;
    }
    cx.focused.get()
}

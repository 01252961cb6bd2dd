//! The card of a plan in a window of its own: the same parts with more room, values drawn on scales.

use super::place::Place;
use crate::action::Actions;
use crate::card::view::Card;
use crate::icons;
use crate::kit::controls::icon_button;
use crate::kit::{Cut, Cx, floating};
use crate::model::Model;
use crate::theme::{Theme, Type, radius};
use crate::waves::Waves;
use deskhand_session::{PlanId, PlanState};
use egui::{Order, Rect, Sense, Ui, UiBuilder, Vec2, pos2, vec2};

const SIZE: Vec2 = vec2(752.0, 816.0);
/// The title of its window.
const HEAD: f32 = 32.0;
/// The gap around a card in its window, points: with the card's own margin 24.
const BESIDE: f32 = 12.0;
/// The id of a card's window.
pub(crate) fn id(plan: PlanId) -> egui::Id {
    egui::Id::unique(("wide card", plan))
}

/// Draws the plan that was taken out of the conversation, over everything.
pub(crate) fn show(ui: &Ui, model: &mut Model, waves: &dyn Waves, out: &mut Actions) {
    let Some(id) = model.wide else { return };
    let Some(snapshot) = model.mirror.as_ref().map(|mirror| &mirror.snapshot) else { return };
    let waits =
        |card: &&mut Card| matches!(card.stored.state, PlanState::Waiting | PlanState::Applying);
    let Some(card) = model.cards.get_mut(&id).filter(waits) else {
        // Its receipt is in the conversation.
        model.wide = None;
        return;
    };
    let place = Place {
        session: &snapshot.session,
        tools: &model.tools,
        folder: &snapshot.folder,
        head: snapshot.head,
        live: &model.live,
        settings: model.settings.as_ref(),
        is_compact: false,
        is_wide: true,
        waves: Some(waves),
        link: &model.desk.timeline.link,
    };
    let mut is_open = true;
    let room = ui.ctx().content_rect().size() - vec2(80.0, 120.0);
    let title = format!("Plan {}", card.number);
    let window = floating::window(ui.ctx(), self::id(id), title, Theme::of(ui.visuals()).raised)
        .default_pos(pos2(96.0, 72.0))
        .default_size(SIZE.min(room))
        .min_width(640.0)
        .resizable(true);
    window.order(Order::Middle).show(ui.ctx(), |ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        is_open = !head(ui, card);
        let body = ui.available_rect_before_wrap().pad(BESIDE, 0.0);
        let mut inner = ui.new_child(UiBuilder::new().max_rect(body));
        let drawn = super::waiting(&mut inner, &place, card, out);
        ui.allocate_rect(drawn.expand2(vec2(BESIDE, 0.0)), Sense::hover());
    });
    super::requests::carry_out(model, id);
    if !is_open {
        model.wide = None;
    }
}

/// The title of the window; a click there gives the card the keyboard. Returns whether the window should
/// close.
fn head(ui: &mut Ui, card: &mut Card) -> bool {
    let size = vec2(ui.available_width(), HEAD);
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK);
    card.view.focus.takes_keyboard |= response.clicked();
    let cx = Cx::new(ui);
    let number = format!("Plan {}", card.number);
    let text = cx.left(rect.left_mid(BESIDE + 12.0), &number, Type::SMALL_STRONG, cx.t.text);
    let at = pos2(text.right() + 8.0, text.center().y);
    let summary = super::title::words(card);
    let room = rect.right() - at.x - 44.0;
    cx.elided(at, &summary, Type::SMALL, cx.t.text_3, room);
    response.on_hover_text(&summary);
    let close = rect.row_box(rect.right() - 28.0, vec2(24.0, 24.0));
    let name = format!("Close the window of plan {}", card.number);
    let is_closed = icon_button(&cx, close, icons::X, &name).clicked();
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    is_closed
}

/// The placeholder in the conversation while the card is in its own window. A click brings the card back.
pub(crate) fn stands_elsewhere(ui: &mut Ui, number: usize) -> (Rect, bool) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::click());
    let words = format!("Plan {number} is in its own window. Bring it back");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
    let cx = Cx::new(ui);
    cx.border(rect, radius::CARD, cx.t.line_strong);
    let at = pos2(rect.left() + 12.0, rect.center().y);
    cx.elided(at, &words, Type::SMALL, cx.t.text_2, rect.width() - 24.0);
    cx.ring(&response, rect, radius::CARD);
    (rect, response.clicked())
}

#[cfg(test)]
mod tests;

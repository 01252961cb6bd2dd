//! The card of a plan in a window of its own: the same parts with more room, values drawn on scales.

use super::Place;
use crate::action::Action;
use crate::kit::Cx;
use crate::kit::scale::linear_pos;
use crate::model::Model;
use crate::theme::{Theme, Type, radius};
use deskhand_session::{PlanId, PlanState, PlannedChange};
use egui::{Order, Rect, Sense, Ui, Vec2, pos2, vec2};

/// The least width of a window in which a card has a window of its own.
const ROOM: f32 = 1_000.0;
const SIZE: Vec2 = vec2(752.0, 640.0);
/// Of the drawing in a row.
pub(super) const DRAWING: f32 = 104.0;
/// Gains that a drawing shows, dB.
const GAINS: (f32, f32) = (-24.0, 12.0);

/// What the window of a card is known by.
pub(crate) fn id(plan: PlanId) -> egui::Id {
    egui::Id::unique(("wide card", plan))
}

/// Whether cards can have a window of their own here.
pub(super) fn has_room(ui: &Ui) -> bool {
    ui.ctx().content_rect().width() >= ROOM
}

/// Draws the plan that was taken out of the conversation, over everything.
pub(crate) fn show(ui: &Ui, theme: &Theme, model: &mut Model, out: &mut Vec<Action>) {
    let Some(id) = model.wide else { return };
    let Some(snapshot) = model.mirror.as_ref().map(|mirror| &mirror.snapshot) else { return };
    let waits = |card: &&mut crate::model::Card| {
        matches!(card.stored.state, PlanState::Waiting | PlanState::Applying)
    };
    let Some(card) = model.cards.get_mut(&id).filter(waits) else {
        // Its receipt stands in the conversation.
        model.wide = None;
        return;
    };
    let place = Place {
        theme,
        session: &snapshot.session,
        head: snapshot.head,
        live: &model.live,
        settings: model.settings.as_ref(),
        is_compact: false,
        is_wide: true,
        link: &model.desk.timeline.link,
    };
    let mut is_open = true;
    let room = ui.ctx().content_rect().size() - vec2(80.0, 120.0);
    let window = egui::Window::new(format!("Plan {}", card.number)).open(&mut is_open);
    let window = window.id(self::id(id)).collapsible(false);
    let window = window.default_pos(pos2(96.0, 96.0)).default_size(SIZE.min(room));
    let window = window.min_width(640.0).resizable(true);
    window.order(Order::Middle).show(ui.ctx(), |ui| {
        super::waiting(ui, &place, card, out);
    });
    let wish = card.view.wish.take();
    if let Some(wish) = wish {
        (model.draft, model.wants_composer) = (wish, true);
    }
    if !is_open {
        model.wide = None;
    }
}

/// What stands in the conversation meanwhile; a click brings the card back.
pub(crate) fn stands_elsewhere(ui: &mut Ui, theme: &Theme, number: usize) -> (Rect, bool) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::click());
    let words = format!("Plan {number} is in its own window. Bring it back");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
    let cx = Cx::new(ui, theme);
    cx.border(rect, radius::CARD, theme.line_strong);
    let at = pos2(rect.left() + 12.0, rect.center().y);
    cx.elided(at, &words, Type::SMALL, theme.text_2, rect.width() - 24.0);
    if response.has_focus() {
        cx.focus_ring(rect, radius::CARD);
    }
    (rect, response.clicked())
}

/// Draws the number of a change on its scale: where it is now, and where it would be.
pub(super) fn drawing(cx: &Cx<'_>, rect: Rect, planned: &PlannedChange, edited: Option<f64>) {
    let json = serde_json::to_value(&planned.change).unwrap_or_default();
    let (Some(before), Some(after)) = (json["before"].as_f64(), json["after"].as_f64()) else {
        return;
    };
    let (low, high) = match (planned.unit.as_deref(), planned.change.op()) {
        (Some("dB"), _) => GAINS,
        (_, "set_track_pan") => (-1.0, 1.0),
        _ => return,
    };
    let after = edited.unwrap_or(after);
    cx.fill(rect, radius::CONTROL, cx.t.well);
    let line = rect.shrink2(vec2(8.0, 4.0));
    let y = line.center().y;
    let x = |value: f64| {
        let place = linear_pos((value as f32).clamp(low, high), low, high);
        (line.left() + line.width() * place).round()
    };
    cx.hline(line.left(), line.right(), y, cx.t.outline);
    let zero = Rect::from_center_size(pos2(x(0.0), y), vec2(1.0, 8.0));
    cx.fill(zero, 0.0, cx.t.outline);
    let now = Rect::from_center_size(pos2(x(before), y), vec2(3.0, 16.0));
    cx.fill(now, 1.0, cx.t.text_2);
    let then = Rect::from_center_size(pos2(x(after), y), vec2(3.0, 16.0));
    cx.fill(then, 1.0, cx.t.accent);
}

//! The question before a used code is removed, shown in its row: everything coded with it loses the code
//! too.

use crate::action::{Actions, Gesture, call};
use crate::coding::codebook::view::CodesView;
use crate::coding::order::in_order;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius, space};
use deskhand_session::text::count;
use deskhand_session::{CodeId, Session};
use egui::{Key, Modifiers, Rect, Ui, vec2};
use serde_json::json;

/// Removes a code; a used one only once the person confirms.
pub(super) fn remove(session: &Session, view: &mut CodesView, id: CodeId, out: &mut Actions) {
    let has_children = session.codes.values().any(|code| code.parent == Some(id));
    if view.count(id) > 0 || has_children {
        (view.removes, view.asks, view.goes_to) = (Some(id), true, Some(id));
    } else {
        go(session, view, id, out);
    }
}

/// Removes the code. The next code gets the keyboard, so that nothing else receives a key that was meant
/// for codes.
fn go(session: &Session, view: &mut CodesView, id: CodeId, out: &mut Actions) {
    out.push(call(Gesture::RemoveCode, json!({"code_id": id})));
    let all = in_order(session);
    let place = all.iter().position(|(known, _)| *known == id).unwrap_or(0);
    let beside = all.get(place + 1).or_else(|| all.get(place.checked_sub(1)?));
    view.goes_to = beside.map(|(beside, _)| *beside);
    view.chosen = view.goes_to;
}

/// Asks in the row of the code.
pub(super) fn show(
    ui: &Ui,
    session: &Session,
    view: &mut CodesView,
    id: CodeId,
    row: Rect,
    out: &mut Actions,
) {
    let cx = Cx::new(ui);
    view.goes_to = view.goes_to.filter(|wanted| *wanted != id);
    cx.fill(row, radius::CONTROL, cx.t.danger_soft);
    let mut right = row.right() - 4.0;
    let mut button = |kind, label| {
        let button = Button::new(kind, label);
        let width = button.width(&cx);
        right -= width + 4.0;
        button.show(&cx, row.row_box(right, vec2(width, 24.0)))
    };
    let keep = button(Kind::Quiet, "Keep it");
    let goes = button(Kind::Danger, "Remove it");
    let words = question(session, id, view.count(id));
    let room = right - row.left() - 2.0 * space::M;
    let text = cx.elided(row.left_mid(space::M), &words, Type::SMALL, cx.t.text, room);
    cx.label(text, ("removes", id), &words);
    if std::mem::take(&mut view.asks) {
        goes.request_focus();
    }
    let is_left = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if goes.clicked() {
        view.removes = None;
        go(session, view, id, out);
    } else if keep.clicked() || is_left {
        view.removes = None;
        view.goes_to = Some(id);
    }
}

/// The question: what is removed with a code, and what moves up.
fn question(session: &Session, id: CodeId, used: usize) -> String {
    let name = session.name_of(id.into());
    let goes =
        if used == 0 { String::new() } else { format!(" and its {}", count(used, "coding")) };
    let under = session.codes.values().filter(|code| code.parent == Some(id)).count();
    let moves = if under == 0 { "" } else { " What is under it moves up." };
    format!("Remove {name}{goes}?{moves}")
}

//! What can be asked, in a conversation in which nothing was said yet: a click says it.

use super::composer::{self, Size};
use crate::action::{Action, Actions};
use crate::asks::{Ask, asks};
use crate::example::example;
use crate::icons;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Type, radius};
use egui::{Rect, Ui, pos2};

const ROW: f32 = 56.0;
const GAP: f32 = 8.0;
/// Title and its line below.
const HEAD: f32 = 48.0;

/// Draws the wishes for the session at the foot of `rect`. Without a session they are for the example, which a click
/// opens; the plugin has no example.
pub(super) fn show(ui: &mut Ui, model: &mut Model, rect: Rect, size: Size, out: &mut Actions) {
    let (is_open, wishes) = match (model.session().map(asks), size) {
        (Some(wishes), _) => (true, wishes),
        (None, Size::Full) => (false, asks(&example().session)),
        (None, Size::Small) => return,
    };
    if wishes.is_empty() {
        return;
    }
    let cx = Cx::new(ui).clip(rect);
    let mut whole = rect;
    let mut rest = whole.cut_bottom(HEAD + wishes.len() as f32 * (ROW + GAP) + GAP);
    head(&cx, rest.cut_top(HEAD), wishes.len(), is_open);
    let mut said = None;
    for wish in &wishes {
        let row = rest.cut_top(ROW);
        rest.cut_top(GAP);
        if card(&cx, row, wish) {
            said = Some(wish.words.clone());
        }
    }
    match said {
        Some(words) if is_open => {
            composer::send(model, words, out);
        }
        Some(words) => out.push(Action::OpenExample { asks: Some(words) }),
        None => {}
    }
}

fn head(cx: &Cx<'_>, mut rect: Rect, wishes: usize, is_open: bool) {
    let title = if wishes == 3 { "Three things to try" } else { "Things to try" };
    cx.left(rect.cut_top(20.0).left_mid(0.0), title, Type::BODY_STRONG, cx.t.text);
    let about = match is_open {
        true => "Nothing changes until you apply.",
        false => "Each opens the example and asks for you. Nothing changes until you apply.",
    };
    let line = rect.cut_top(16.0).left_mid(0.0);
    cx.elided(line, about, Type::CAPTION, cx.t.text_3, rect.width());
}

/// One wish; says whether it was clicked.
fn card(cx: &Cx<'_>, row: Rect, wish: &Ask) -> bool {
    let response = cx.button(row, ("ask", &wish.words), &wish.words);
    let is_hovered = response.hovered() || response.has_focus();
    if is_hovered {
        cx.fill(row, radius::CARD, cx.t.control);
    }
    cx.border(row, radius::CARD, if is_hovered { cx.t.outline } else { cx.t.line_strong });
    cx.icon(row.left_mid(20.0), wish.icon, 16.0, cx.t.text_3);
    let (left, room) = (row.left() + 40.0, row.width() - 80.0);
    let y = row.center().y;
    cx.elided(pos2(left, y - 9.0), &wish.words, Type::BODY_STRONG, cx.t.text, room);
    cx.elided(pos2(left, y + 10.0), &wish.detail, Type::CAPTION, cx.t.text_3, room);
    let (icon, color) = match is_hovered {
        true => (icons::ARROW_RIGHT, cx.t.text),
        false => (icons::CARET_RIGHT, cx.t.text_3),
    };
    cx.icon(row.right_mid(20.0), icon, 14.0, color);
    cx.ring(&response, row, radius::CARD);
    response.on_hover_text(format!("{}. {}", wish.words, wish.detail)).clicked()
}

#[cfg(test)]
mod tests {
    use crate::example::example;
    use crate::testing::prelude::*;

    const DUCK: &str = "Duck Music under Host and Guest";

    #[test]
    fn a_wish_opens_the_example_where_nothing_is_open() {
        let mut harness = harness(Model::new());
        harness.click_on(DUCK);
        let open = Action::OpenExample { asks: Some(DUCK.into()) };
        assert_eq!(harness.state().actions, [open]);
    }

    #[test]
    fn a_wish_is_said_in_the_session_that_is_open_and_is_about_its_tracks() {
        let mut model = open_model();
        model.entries.clear();
        let mut desk = harness(model);
        assert!(desk.query_by_label(DUCK).is_none(), "there is no music");
        desk.state_mut().model.mirror.as_mut().unwrap().snapshot.session =
            example().session.clone();
        desk.run_steps(2);
        desk.click_on(DUCK);
        assert_eq!(desk.state().actions, [Action::Say(DUCK.into())]);
    }
}

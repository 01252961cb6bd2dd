//! The page of the chosen code: its description, a memo, and all its places.

use super::{menu, quotes};
use crate::action::{Actions, Gesture, call};
use crate::coding::codebook::view::CodesView;
use crate::coding::coded::color_of;
use crate::icons;
use crate::kit::controls::{State, icon_button, icon_button_in};
use crate::kit::{Cut, Cx, menu as kit_menu};
use crate::scene::Scene;
use crate::theme::{Type, space};
use deskhand_session::{CodeId, ObjectId, Session};
use egui::{Rect, Ui, vec2};
use serde_json::json;

/// How high it is: at least its head and its fields, and some places.
pub(super) const HEIGHT: f32 = 360.0;

fn memo(session: &Session, id: CodeId) -> &str {
    session.memos.get(&ObjectId::Code(id)).map(String::as_str).unwrap_or_default()
}

pub(super) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut CodesView,
    id: CodeId,
    rect: Rect,
    out: &mut Actions,
) {
    let Some(code) = scene.session.codes.get(&id) else { return };
    view.about.quotes.settle(scene, id);
    view.about.description.settle(id, &code.description);
    view.about.memo.settle(id, memo(scene.session, id));
    let mut rest = rect;
    let cx = Cx::new(ui);
    cx.fill(rect, 0.0, cx.t.raised);
    cx.hline(rect.left(), rect.right(), rect.top(), cx.t.line);
    head(&cx, scene, view, id, rest.cut_top(36.0), out);
    drop(cx);
    let field = rest.cut_top(44.0).pad(space::M, 2.0);
    let (name, hint) = ("Description", "Description: when to use it");
    if let Some(text) = view.about.description.show(ui, field, name, hint) {
        out.push(call(Gesture::SetCode, json!({"code_id": id, "description": text})));
    }
    let field = rest.cut_top(56.0).pad(space::M, 4.0);
    let hint = "Memo: what you think of it";
    if let Some(text) = view.about.memo.show(ui, field, "Memo", hint) {
        out.push(call(Gesture::SetMemo, json!({"target": id, "text": text})));
    }
    quotes::show(ui, scene, view, id, rest, out);
}

/// The name, the places one after the other, and everything that can be done with the code.
fn head(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut CodesView,
    id: CodeId,
    rect: Rect,
    out: &mut Actions,
) {
    let dot = rect.left_mid(space::M + 4.0);
    cx.p.circle_filled(dot, 5.0, color_of(cx.t, scene.session, id));
    let size = vec2(28.0, 28.0);
    let edit = rect.row_box(rect.right() - 36.0, size);
    let edit = icon_button(cx, edit, icons::PENCIL_SIMPLE, "Edit the code");
    let state = if view.count(id) > 0 { State::Normal } else { State::Disabled };
    for (left, icon, name, by) in
        [(-68.0, icons::CARET_DOWN, "Next place", 1), (-98.0, icons::CARET_UP, "Place before", -1)]
    {
        let cell = rect.row_box(rect.right() + left, size);
        if icon_button_in(cx, cell, icon, false, name, state).clicked() {
            view.about.quotes.step(scene, id, by, out);
        }
    }
    let name = scene.session.name_of(id.into());
    cx.elided(rect.left_mid(28.0), &name, Type::BODY_STRONG, cx.t.text, rect.width() - 136.0);
    kit_menu::of(&edit).show(|ui| menu::show(ui, scene.session, view, id, out));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use crate::testing::spoken;
    use crate::words::view::Page;

    fn bench() -> Harness<'static, Desk> {
        let mut model = open_model();
        let mut session = spoken();
        let light = session.codes.get_mut(&CodeId::new(1)).unwrap();
        light.description = "Whatever shines".into();
        model.mirror.as_mut().unwrap().snapshot.session = session;
        (model.desk.words.is_open, model.desk.words.page) = (true, Page::Codes);
        let mut bench = harness(model);
        bench.click_on("Code Light, 1 coded");
        bench
    }

    fn types(bench: &mut Harness<'static, Desk>, field: &str, text: &str) {
        bench.focus_on(field);
        bench.press_with(Modifiers::COMMAND, Key::A);
        bench.type_into(field, text);
    }

    fn asked(gesture: Gesture, params: serde_json::Value) -> Action {
        Action::Call { gesture, params }
    }

    #[test]
    fn a_description_and_a_memo_are_kept_by_enter_and_left_by_esc() {
        let mut bench = bench();
        let id = CodeId::new(1);
        types(&mut bench, "Description", "Lamps and fires");
        bench.press(Key::Enter);
        let described = json!({"code_id": id, "description": "Lamps and fires"});
        assert_eq!(bench.state().actions, [asked(Gesture::SetCode, described)]);
        types(&mut bench, "Memo", "Ask Anna");
        bench.press(Key::Enter);
        let memo = json!({"target": id, "text": "Ask Anna"});
        assert_eq!(bench.state().actions[1..], [asked(Gesture::SetMemo, memo)]);
        types(&mut bench, "Memo", "Nothing of it");
        bench.press(Key::Escape);
        assert_eq!(bench.state().actions.len(), 2);
        assert!(bench.state().model.desk.words.is_open, "the window stays");
    }

    #[test]
    fn a_memo_that_is_left_by_tab_is_kept_once() {
        let mut bench = bench();
        types(&mut bench, "Memo", "Ask Anna");
        bench.press(Key::Tab);
        let memo = json!({"target": CodeId::new(1), "text": "Ask Anna"});
        assert_eq!(bench.state().actions, [asked(Gesture::SetMemo, memo)]);
    }

    #[test]
    fn what_is_typed_outlives_a_revision_that_is_about_something_else() {
        let mut bench = bench();
        types(&mut bench, "Memo", "Ask Anna");
        let snapshot = &mut bench.state_mut().model.mirror.as_mut().unwrap().snapshot;
        snapshot.session.codes.insert(CodeId::new(9), deskhand_session::Code::new("Sea"));
        snapshot.head.0 += 1;
        bench.run_steps(3);
        bench.press(Key::Enter);
        let memo = json!({"target": CodeId::new(1), "text": "Ask Anna"});
        assert_eq!(bench.state().actions, [asked(Gesture::SetMemo, memo)]);
    }

    #[test]
    fn everything_of_a_code_is_edited_from_its_menu() {
        let mut bench = bench();
        bench.click_on("Edit the code");
        for entry in ["Color", "Move under", "Merge into", "Remove", "Rename…"] {
            assert!(bench.query_all_by_label_contains(entry).next().is_some(), "{entry}");
        }
        bench.click_on("Describe…");
        assert!(bench.get_by_label("Description").is_focused());
    }
}

//! The filter field of the codebook, the codes that match, and the text shown if none does.

use crate::coding::codebook::view::CodesView;
use crate::coding::order::{hits, in_order};
use crate::icons;
use crate::kit::controls::{Button, Kind, icon_button};
use crate::kit::{Cut, Cx, field};
use crate::theme::{Theme, Type, radius, space};
use deskhand_session::{CodeId, Session};
use egui::{Align, Key, Rect, Response, Role, TextEdit, Ui, WidgetInfo, pos2, vec2};
use std::collections::BTreeSet;

/// Height of the text shown if no code matches.
const NOTHING: f32 = 36.0;

/// Draws the field in `rect`, with the number of matching codes. Returns those. Esc clears it, Enter goes
/// to the first.
pub(super) fn show(
    ui: &mut Ui,
    view: &mut CodesView,
    session: &Session,
    rect: Rect,
) -> BTreeSet<CodeId> {
    let theme = Theme::of(ui.visuals());
    let all = session.codes.len();
    if all == 0 {
        view.filter.clear();
        Cx::new(ui).left(rect.left_mid(4.0), "0 codes", Type::SMALL, theme.text_2);
        return BTreeSet::new();
    }
    let response = typed(ui, view, rect);
    let hits = hits(session, &view.filter);
    took(ui, view, session, &hits, &response);
    let is_all = view.filter.trim().is_empty();
    let words = match (is_all, all) {
        (true, 1) => "1 code".to_owned(),
        (true, _) => format!("{all} codes"),
        (false, _) => format!("{} of {all}", hits.len()),
    };
    let right = rect.right_mid(if view.filter.is_empty() { space::S } else { 30.0 });
    let cx = Cx::new(ui);
    let text = cx.right(right, &words, Type::CAPTION, cx.t.text_3);
    cx.label(text, "codes that match", &words);
    hits
}

/// The frame, the button that clears it, and the field.
fn typed(ui: &mut Ui, view: &mut CodesView, rect: Rect) -> Response {
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CONTROL, cx.t.input);
    cx.border(rect, radius::CONTROL, cx.t.line_strong);
    let clear = rect.row_box(rect.right() - 26.0, vec2(24.0, 24.0));
    if !view.filter.is_empty() && icon_button(&cx, clear, icons::X, "Clear the filter").clicked() {
        view.filter.clear();
    }
    drop(cx);
    let edit = TextEdit::singleline(&mut view.filter).hint_text("Filter by name or description");
    let edit = edit.font(Type::SMALL.font()).id_salt("filter codes");
    let room = Rect::from_min_max(rect.min, pos2(rect.right() - 96.0, rect.bottom()));
    let response = field::put(ui, room, Align::Min, edit);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter codes"));
    if std::mem::take(&mut view.filters) {
        response.request_focus();
    }
    response
}

/// Takes the typed text, and the keys that leave the field.
fn took(
    ui: &Ui,
    view: &mut CodesView,
    session: &Session,
    hits: &BTreeSet<CodeId>,
    response: &Response,
) {
    if response.changed() {
        // The search results are in the tree.
        view.report = None;
    }
    if !response.lost_focus() {
        return;
    }
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    if pressed(Key::Escape) {
        view.filter.clear();
    } else if pressed(Key::Enter) {
        let mut codes = in_order(session).into_iter().map(|(id, _)| id);
        view.goes_to = codes.find(|id| hits.contains(id));
        view.chosen = view.goes_to.or(view.chosen);
    }
}

/// Draws that no code matches, and the way back.
pub(super) fn nothing(ui: &Ui, view: &mut CodesView, rect: Rect) {
    let cx = Cx::new(ui);
    let row = rect.with_max_y(rect.top() + NOTHING);
    let button = Button::new(Kind::Quiet, "Show all");
    let width = button.width(&cx);
    let cell = row.row_box(row.right() - space::M - width, vec2(width, 24.0));
    let words = format!("No code matches \"{}\"", view.filter.trim());
    let room = cell.left() - row.left() - 2.0 * space::M;
    let text = cx.elided(row.left_mid(space::M), &words, Type::SMALL, cx.t.text_2, room);
    cx.label(text, "no code", &words);
    if button.show(&cx, cell).clicked() {
        view.filter.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::order::matching;
    use crate::testing::prelude::*;
    use crate::testing::spoken;
    use crate::words::view::Page;
    use deskhand_session::Code;

    /// "Lamps" under "Light", and "Garden" with a description.
    fn book() -> Session {
        let mut session = spoken();
        let garden = Code { description: "Whatever is green".into(), ..Code::new("Garden") };
        session.codes.insert(CodeId::new(3), garden);
        session
    }

    type Bench = Harness<'static, Desk>;

    fn bench() -> Bench {
        let mut model = open_model();
        model.mirror.as_mut().unwrap().snapshot.session = book();
        (model.desk.words.is_open, model.desk.words.page) = (true, Page::Codes);
        let mut bench = harness(model);
        bench.focus_on("Filter codes");
        bench
    }

    const ROWS: [&str; 3] = ["Code Garden, 0 coded", "Code Light, 1 coded", "Code Lamps, 0 coded"];

    fn rows(bench: &Bench) -> [bool; 3] {
        ROWS.map(|name| bench.query_by_label(name).is_some())
    }

    #[test]
    fn a_code_is_found_by_its_name_or_by_what_it_is_for_with_what_it_stands_under() {
        let session = book();
        let found = |filter| matching(&session, &hits(&session, filter));
        let [light, lamps, garden] = [1, 2, 3].map(CodeId::new);
        assert_eq!(found(" LAMP "), [(light, 0), (lamps, 1)]);
        assert_eq!(found("green"), [(garden, 0)]);
        assert_eq!(found("nets"), []);
        assert_eq!(found(""), in_order(&session));
    }

    #[test]
    fn what_is_typed_leaves_the_codes_that_match_until_esc_clears_it() {
        let mut bench = bench();
        bench.type_into("Filter codes", "lamp");
        assert_eq!(rows(&bench), [false, true, true]);
        bench.press(Key::Escape);
        assert_eq!(rows(&bench), [true; 3]);
        assert!(bench.state().model.desk.words.is_open, "the window stays");
        bench.focus_on("Filter codes");
        bench.type_into("Filter codes", "nets");
        assert_eq!(rows(&bench), [false; 3]);
        assert!(bench.query_by_label("No code matches \"nets\"").is_some());
        bench.click_on("Show all");
        assert_eq!(rows(&bench), [true; 3]);
    }

    #[test]
    fn enter_goes_to_the_first_code_that_matches() {
        let mut bench = bench();
        bench.type_into("Filter codes", "lamp");
        bench.press(Key::Enter);
        let codes = &bench.state().model.desk.words.codes;
        assert_eq!(codes.chosen, Some(CodeId::new(2)), "what it stands under does not match");
        assert!(bench.get_by_label(ROWS[2]).is_focused());
    }
}

//! A field of one line in a frame that was drawn for it.

use super::controls::icon_button;
use super::{Cut, Cx};
use crate::icons;
use crate::theme::{Theme, Type, radius};
use egui::{
    Align, Align2, Direction, Frame, Layout, Margin, Rect, Response, Role, TextEdit, Ui, UiBuilder,
    WidgetInfo, vec2,
};

/// Room between the frame and the text, points.
const PAD: i8 = 6;

/// Draws the frame of a field, with a ring inside it while it has the keyboard.
pub(crate) fn frame(cx: &Cx<'_>, rect: Rect, has_keyboard: bool) {
    cx.fill(rect, radius::CONTROL, cx.t.input);
    edge(cx, rect, has_keyboard);
}

fn edge(cx: &Cx<'_>, rect: Rect, has_keyboard: bool) {
    let (width, color) = if has_keyboard { (2.0, cx.t.focus) } else { (1.0, cx.t.line_strong) };
    cx.stroke(rect, radius::CONTROL, width, color);
}

/// A framed field of one line, with a `hint` while it is empty. A screen reader hears its `name`.
pub(crate) fn line(
    ui: &mut Ui,
    rect: Rect,
    text: &mut String,
    (name, hint): (&str, &str),
) -> Response {
    let edit = TextEdit::singleline(text).hint_text(hint).font(Type::SMALL.font());
    framed(ui, rect, edit, (Role::TextInput, name))
}

/// The same for a secret, which is not shown.
pub(crate) fn secret(
    ui: &mut Ui,
    rect: Rect,
    text: &mut String,
    (name, hint): (&str, &str),
) -> Response {
    let edit = TextEdit::singleline(text).hint_text(hint).font(Type::SMALL.font());
    framed(ui, rect, edit.password(true), (Role::PasswordInput, name))
}

/// The same for what finds something, with a cross that clears it.
pub(crate) fn search(
    ui: &mut Ui,
    rect: Rect,
    text: &mut String,
    (name, hint): (&str, &str),
) -> Response {
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CONTROL, cx.t.input);
    let mut room = rect;
    let clear = room.cut_right(28.0).row_box(rect.right() - 26.0, vec2(24.0, 24.0));
    if !text.is_empty() && icon_button(&cx, clear, icons::X, "Clear the search").clicked() {
        text.clear();
    }
    drop(cx);
    let edit = TextEdit::singleline(text).hint_text(hint).font(Type::SMALL.font());
    let response = put(ui, room, Align::Min, edit);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
    edge(&Cx::new(ui), rect, response.has_focus());
    response
}

fn framed(ui: &mut Ui, rect: Rect, edit: TextEdit<'_>, (role, name): (Role, &str)) -> Response {
    Cx::new(ui).fill(rect, radius::CONTROL, Theme::of(ui.visuals()).input);
    let response = put(ui, rect, Align::Min, edit);
    response.widget_info(|| WidgetInfo::labeled(role, true, name));
    edge(&Cx::new(ui), rect, response.has_focus());
    response
}

/// Puts `edit` into the frame at `rect`, at its full size. The text starts at its `side`, or for numbers
/// ends there, and is centered vertically.
pub(crate) fn put(ui: &mut Ui, rect: Rect, side: Align, edit: TextEdit<'_>) -> Response {
    let frame = Frame::NONE.inner_margin(Margin::symmetric(PAD, 0));
    let edit = edit.frame(frame).desired_width(f32::INFINITY);
    let edit = edit.align(Align2([side, Align::Center]));
    let layout = Layout::centered_and_justified(Direction::TopDown);
    let place = ui.scope_builder(UiBuilder::new().max_rect(rect).layout(layout), |ui| {
        // A field is as high as a button, even where its frame is lower: its text would sit below the middle.
        ui.spacing_mut().interact_size.y = rect.height();
        ui.add(edit)
    });
    place.inner
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use egui::{Rect, Shape};

    /// The rectangle of the named field, and of `text` inside it.
    fn placed(harness: &Harness<'_, Desk>, name: &str, text: &str) -> (Rect, Rect) {
        let field = harness.get_by_label(name).rect();
        let shapes = harness.output().shapes.iter();
        let mut texts = shapes.filter_map(|it| match &it.shape {
            Shape::Text(shape) if shape.galley.text() == text => {
                Some(shape.galley.rect.translate(shape.pos.to_vec2()))
            }
            _ => None,
        });
        let inside = texts.find(|it| field.expand(6.0).contains(it.center()));
        (field, inside.unwrap_or_else(|| panic!("no {text} in {name}")))
    }

    fn middle(harness: &Harness<'_, Desk>, name: &str, text: &str, height: f32) {
        let (field, text) = placed(harness, name, text);
        assert!((field.height() - height).abs() < 0.5, "{name} is {} high", field.height());
        let off = text.center().y - field.center().y;
        assert!(off.abs() < 1.5, "{off} below the middle of {name}");
    }

    fn shown(model: Model) -> Harness<'static, Desk> {
        harness(model)
    }

    #[test]
    fn text_stands_in_the_middle_of_a_field_that_is_as_high_as_its_frame() {
        let mut value = shown(with_plan());
        value.click_on("Edit the value of c1");
        middle(&value, "New value", "4.5", 22.0);
        let mut reason = shown(with_plan());
        reason.click_on("Reject…");
        middle(&reason, "Reason", "optional", 32.0);
        let mut many = with_plan();
        let plan = &mut many.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        let first = plan.changes[0].clone();
        plan.changes = (1..=14).map(|_| first.clone()).collect();
        middle(&shown(many), "Filter changes", "Filter by name, kind or reason", 28.0);
        let mut model = open_model();
        model.desk.library.is_open = true;
        middle(&shown(model), "Search library", "Search", 28.0);
        let mut mixer = shown(open_model());
        mixer.focus_on("Fader Vocal");
        mixer.press(egui::Key::Enter);
        middle(&mixer, "Fader Vocal value", "0.0", 24.0);
    }
}

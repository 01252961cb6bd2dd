//! The history panel: every step, newest first; the one the session is at is marked.

use crate::action::Action;
use crate::icons;
use crate::kit::controls::icon_button;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Theme, Type, radius, space};
use deskhand_session::{Author, Revision};
use egui::{Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};

const WIDTH: f32 = 320.0;
const ROW: f32 = 28.0;

/// Draws the panel over the right edge of `area`.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    area: Rect,
    out: &mut Vec<Action>,
) {
    let mut rest = area;
    let rect = rest.cut_right(WIDTH).shrink(8.0);
    let cx = Cx::new(ui, theme);
    // The panel takes the clicks that fall on it.
    cx.interact(rect, "history", Sense::click());
    cx.shadow(rect, radius::WINDOW);
    cx.fill(rect, radius::WINDOW, theme.raised);
    cx.border(rect, radius::WINDOW, theme.line_strong);
    let mut body = rect;
    let head = body.cut_top(40.0);
    cx.left(head.left_mid(space::M), "History", Type::BODY_STRONG, theme.text);
    let close = head.row_box(head.right() - 36.0, vec2(28.0, 28.0));
    if icon_button(&cx, close, icons::X, false, "Close the history").clicked() {
        model.shows_history = false;
    }
    let undo = head.row_box(head.right() - 68.0, vec2(28.0, 28.0));
    if icon_button(&cx, undo, icons::ARROW_COUNTER_CLOCKWISE, false, "Undo the last step").clicked()
    {
        out.push(Action::Undo);
    }
    drop(cx);
    let head_revision = model.mirror.as_ref().map(|mirror| mirror.snapshot.head);
    let mut child = ui.new_child(UiBuilder::new().max_rect(body.shrink2(vec2(4.0, 4.0))));
    child.spacing_mut().item_spacing.y = 0.0;
    let count = model.history.len();
    ScrollArea::vertical().id_salt("history").auto_shrink(false).show_rows(
        &mut child,
        ROW,
        count,
        |ui, range| {
            for index in range {
                let revision = &model.history[count - 1 - index];
                row(ui, theme, revision, Some(revision.id) == head_revision);
            }
        },
    );
}

fn row(ui: &mut Ui, theme: &Theme, revision: &Revision, is_head: bool) {
    let size = vec2(ui.available_width(), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let words = format!("{} {}", revision.id, revision.label);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    let cx = Cx::new(ui, theme);
    if is_head {
        cx.fill(rect, radius::CONTROL, theme.control);
    }
    cx.right(rect.left_mid(28.0), &revision.id.to_string(), Type::CAPTION, theme.text_3);
    let color = if is_head { theme.text } else { theme.text_2 };
    let room = rect.width() - 100.0;
    cx.elided(rect.left_mid(40.0), &revision.label, Type::SMALL, color, room);
    let author = match revision.author {
        Author::User => "you",
        Author::Agent => "agent",
        Author::Host => "host",
        Author::Capture => "recording",
    };
    cx.right(rect.right_mid(8.0), author, Type::CAPTION, theme.text_3);
}

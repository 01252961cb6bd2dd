//! The field in which something is named in place.

use super::calls::call;
use super::{Named, TimelineView};
use crate::action::Action;
use crate::kit::Cx;
use crate::theme::{Theme, Type, radius};
use egui::{Key, Rect, TextEdit, Ui, vec2};
use serde_json::json;

/// A name that is being typed.
pub(crate) struct Naming {
    what: Named,
    was: String,
    text: String,
    /// Where the field is; the thing that is named says so when it is drawn.
    rect: Rect,
    is_new: bool,
}

impl TimelineView {
    /// Begins to name something.
    pub(crate) fn rename(&mut self, what: Named, name: &str, rect: Rect) {
        let (was, text) = (name.to_owned(), name.to_owned());
        self.naming = Some(Naming { what, was, text, rect, is_new: true });
    }

    /// Says where the field of something is.
    pub(super) fn place_field(&mut self, what: Named, rect: Rect) {
        if let Some(naming) = self.naming.as_mut().filter(|naming| naming.what == what) {
            naming.rect = rect;
        }
    }
}

/// Draws the field. Enter or a click elsewhere sets the name, Esc leaves it.
pub(super) fn show(ui: &mut Ui, theme: &Theme, view: &mut TimelineView, out: &mut Vec<Action>) {
    let Some(naming) = &mut view.naming else { return };
    let rect = if naming.rect.is_positive() {
        naming.rect
    } else {
        Rect::from_center_size(ui.max_rect().center(), vec2(220.0, 28.0))
    };
    let cx = Cx::new(ui, theme);
    cx.fill(rect, radius::CONTROL, theme.input);
    cx.border(rect, radius::CONTROL, theme.focus);
    drop(cx);
    let edit = TextEdit::singleline(&mut naming.text).frame(egui::Frame::NONE).char_limit(200);
    let field = ui.put(rect.shrink2(vec2(6.0, 2.0)), edit.font(Type::SMALL.font()));
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name"));
    if naming.is_new {
        field.request_focus();
        naming.is_new = false;
        return;
    }
    if !field.lost_focus() {
        return;
    }
    let Some(naming) = view.naming.take() else { return };
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    let name = naming.text.trim();
    if escaped || name.is_empty() || name == naming.was {
        return;
    }
    out.push(match &naming.what {
        Named::Track(id) => call("cmd_rename_track", json!({"targets": [id], "name": name})),
        Named::Clip(id) => call("cmd_rename_clip", json!({"targets": [id], "name": name})),
        Named::Marker(id) => call("cmd_rename_marker", json!({"marker": id, "name": name})),
        Named::Group(tracks) => call("cmd_set_group", json!({"targets": tracks, "name": name})),
    });
}

//! The field in which something is named in place.

use super::calls::call;
use super::{Named, TimelineView};
use crate::action::Action;
use crate::kit::name_field::{NameField, Typed};
use crate::theme::Theme;
use egui::{Rect, Ui, vec2};
use serde_json::json;

/// A name that is being typed.
pub(crate) struct Naming {
    what: Named,
    was: String,
    field: NameField,
    /// Where the field is; the thing that is named says so when it is drawn.
    rect: Rect,
}

impl TimelineView {
    /// Begins to name something.
    pub(crate) fn rename(&mut self, what: Named, name: &str, rect: Rect) {
        let (was, field) = (name.to_owned(), NameField::new(name));
        self.naming = Some(Naming { what, was, field, rect });
    }

    /// Says where the field of something is.
    pub(super) fn place_field(&mut self, what: Named, rect: Rect) {
        if let Some(naming) = self.naming.as_mut().filter(|naming| naming.what == what) {
            naming.rect = rect;
        }
    }
}

/// Draws the field, and sets the name when it is left.
pub(super) fn show(ui: &mut Ui, theme: &Theme, view: &mut TimelineView, out: &mut Vec<Action>) {
    let Some(naming) = &mut view.naming else { return };
    let rect = if naming.rect.is_positive() {
        naming.rect
    } else {
        Rect::from_center_size(ui.max_rect().center(), vec2(220.0, 28.0))
    };
    let typed = naming.field.show(ui, theme, rect, "Name");
    if matches!(typed, Typed::Goes) {
        return;
    }
    let Some(naming) = view.naming.take() else { return };
    let Typed::Set(name) = typed else { return };
    if name == naming.was {
        return;
    }
    out.push(match &naming.what {
        Named::Track(id) => call("cmd_rename_track", json!({"targets": [id], "name": name})),
        Named::Clip(id) => call("cmd_rename_clip", json!({"targets": [id], "name": name})),
        Named::Marker(id) => call("cmd_rename_marker", json!({"marker": id, "name": name})),
        Named::Group(tracks) => call("cmd_set_group", json!({"targets": tracks, "name": name})),
    });
}

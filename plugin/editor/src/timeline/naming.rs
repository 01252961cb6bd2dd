//! The field in which something is named in place.

use crate::action::{Actions, Gesture, call};
use crate::kit::Cx;
use crate::kit::name_field::{NameField, Typed};
use crate::theme::{Type, radius, space};
use crate::timeline::view::{Named, Naming, TimelineView};
use deskhand_session::ClipId;
use egui::{Rect, Ui, vec2};
use serde_json::json;

impl TimelineView {
    /// Begins to name something.
    pub(crate) fn rename(&mut self, what: Named, name: &str, rect: Rect) {
        let (was, field) = (name.to_owned(), NameField::new(name));
        self.naming = Some(Naming { what, was, field, rect, was_awaited: false });
    }

    pub(super) fn place_field(&mut self, what: Named, rect: Rect) {
        if let Some(naming) = self.naming.as_mut().filter(|naming| naming.what == what) {
            naming.rect = rect;
        }
    }

    pub(super) fn named_clip(&self) -> Option<ClipId> {
        match self.naming.as_ref()?.what {
            Named::Clip(id) => Some(id),
            Named::Track(_) | Named::Marker(_) | Named::Group(_) => None,
        }
    }
}

/// Draws the field, and sets the name when it is left. If the named object is not in view, the field is in
/// the middle of `area`.
pub(super) fn show(ui: &mut Ui, view: &mut TimelineView, area: Rect, out: &mut Actions) {
    let Some(naming) = &mut view.naming else { return };
    let rect = if naming.rect.is_positive() {
        naming.rect
    } else if std::mem::replace(&mut naming.was_awaited, true) {
        plate(&Cx::new(ui), area, title(&naming.what))
    } else {
        return ui.ctx().request_repaint();
    };
    let typed = naming.field.show(ui, rect, "Name");
    if matches!(typed, Typed::Goes) {
        return;
    }
    let Some(naming) = view.naming.take() else { return };
    let Typed::Set(name) = typed else { return };
    if name == naming.was {
        return;
    }
    out.push(match &naming.what {
        Named::Track(id) => call(Gesture::RenameTrack, json!({"targets": [id], "name": name})),
        Named::Clip(id) => call(Gesture::RenameClip, json!({"targets": [id], "name": name})),
        Named::Marker(id) => call(Gesture::RenameMarker, json!({"marker": id, "name": name})),
        Named::Group(tracks) => {
            call(Gesture::GroupTracks, json!({"targets": tracks, "name": name}))
        }
    });
}

fn title(what: &Named) -> &'static str {
    match what {
        Named::Track(_) => "Name of the track",
        Named::Clip(_) => "Name of the clip",
        Named::Marker(_) => "Name of the marker",
        Named::Group(_) => "Name of the group",
    }
}

/// A plate that says what is being named. Returns the rectangle for the field.
fn plate(cx: &Cx<'_>, area: Rect, title: &str) -> Rect {
    let rect = Rect::from_center_size(area.center(), vec2(268.0, 96.0));
    cx.shadow(rect, radius::WINDOW);
    cx.fill(rect, radius::WINDOW, cx.t.raised);
    cx.border(rect, radius::WINDOW, cx.t.line_strong);
    let at = rect.left_top() + vec2(space::L, 20.0);
    let words = cx.left(at, title, Type::BODY_STRONG, cx.t.text);
    cx.label(words, "what is named", title);
    let at = rect.left_bottom() + vec2(space::L, -16.0);
    cx.left(at, "Enter sets it, Esc leaves it", Type::CAPTION, cx.t.text_3);
    Rect::from_center_size(rect.center(), vec2(rect.width() - 2.0 * space::L, 28.0))
}

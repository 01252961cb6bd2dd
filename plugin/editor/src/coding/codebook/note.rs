//! A note about a code, edited in place: Enter or a click elsewhere saves it, Shift+Enter starts a line,
//! Esc restores it.

use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius, space};
use deskhand_session::CodeId;
use egui::{
    Event, Key, KeyboardShortcut, Modifiers, Rect, Role, ScrollArea, TextEdit, Ui, UiBuilder,
    WidgetInfo,
};

/// A note about a code that is being written.
#[derive(Default)]
pub(super) struct Note {
    of: Option<CodeId>,
    kept: String,
    text: String,
    /// It should get the keyboard.
    pub(super) is_wanted: bool,
    /// It had the keyboard, and the typed text is not saved yet: the loss of the keyboard shows two frames
    /// later.
    is_open: bool,
}

impl Note {
    /// Takes the session's text. A text that is being typed stays, unless the session's text changes.
    pub(super) fn settle(&mut self, of: CodeId, kept: &str) {
        if self.of != Some(of) || self.kept != kept {
            self.of = Some(of);
            kept.clone_into(&mut self.kept);
            kept.clone_into(&mut self.text);
        }
    }

    /// Draws it in `rect`; gives the text once it is left and is another.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        name: &'static str,
        hint: &'static str,
    ) -> Option<String> {
        let cx = Cx::new(ui);
        cx.fill(rect, radius::CONTROL, cx.t.input);
        cx.border(rect, radius::CONTROL, cx.t.line_strong);
        drop(cx);
        let newline = KeyboardShortcut::new(Modifiers::SHIFT, Key::Enter);
        let edit = TextEdit::multiline(&mut self.text).frame(egui::Frame::NONE).desired_rows(1);
        let edit = edit.return_key(newline).hint_text(hint).font(Type::SMALL.font());
        let builder = UiBuilder::new().max_rect(rect.pad(space::S, 4.0)).id_salt(name);
        let response = ScrollArea::vertical()
            .id_salt(name)
            .show(&mut ui.new_child(builder), |ui| ui.add(edit.desired_width(f32::INFINITY)))
            .inner;
        response.widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, name));
        if std::mem::take(&mut self.is_wanted) {
            response.request_focus();
        }
        self.is_open |= response.has_focus();
        if response.has_focus() && ui.input(|input| input.events.iter().any(is_enter)) {
            response.surrender_focus();
            return None; // it has lost the keyboard in the next frame
        }
        if !response.lost_focus() || !std::mem::take(&mut self.is_open) {
            return None;
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.text.clone_from(&self.kept);
            return None;
        }
        let text = self.text.trim();
        (text != self.kept.trim()).then(|| text.to_owned())
    }
}

fn is_enter(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Enter, pressed: true, modifiers, .. } if modifiers.is_none())
}

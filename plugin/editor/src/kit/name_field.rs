//! The field in which something is named. Enter or a click elsewhere sets the name, Esc leaves it.

use super::choice::select_all;
use super::{Cx, field};
use crate::theme::{Type, radius};
use egui::{Align, Key, Rect, TextEdit, Ui, WidgetInfo};

/// A name that is being typed.
pub(crate) struct NameField {
    text: String,
    /// It has no keyboard yet.
    is_new: bool,
}

pub(crate) enum Typed {
    Goes,
    /// It was left, or is empty.
    Left,
    /// It is this, without spaces around it.
    Set(String),
}

impl NameField {
    /// A field with `text` in it, which takes the keyboard.
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), is_new: true }
    }

    /// Whether it was not drawn yet.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    pub(crate) fn show(&mut self, ui: &mut Ui, rect: Rect, name: &str) -> Typed {
        let cx = Cx::new(ui);
        cx.fill(rect, radius::CONTROL, cx.t.input);
        cx.border(rect, radius::CONTROL, cx.t.focus);
        drop(cx);
        let edit = TextEdit::singleline(&mut self.text).char_limit(200);
        let edit = edit.hint_text(name).font(Type::SMALL.font());
        let field = field::put(ui, rect, Align::Min, edit);
        field.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, name));
        if std::mem::take(&mut self.is_new) {
            select_all(ui, field.id, &self.text);
            field.request_focus();
            return Typed::Goes;
        }
        if !field.lost_focus() {
            return Typed::Goes;
        }
        let name = self.text.trim();
        if name.is_empty() || ui.input(|input| input.key_pressed(Key::Escape)) {
            return Typed::Left;
        }
        Typed::Set(name.to_owned())
    }
}

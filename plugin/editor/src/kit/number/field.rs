//! The field of a number. A click, Enter or Space types; Enter sets what was typed, Esc leaves it.

use super::{Number, TRAVEL, Turned};
use crate::kit::choice::select_all;
use crate::kit::{Cut, Cx, field};
use crate::theme::{Type, space};
use egui::{
    Align, CursorIcon, EventFilter, Id, Key, Rect, Response, Role, Sense, TextEdit, Ui, WidgetInfo,
};

#[derive(Clone)]
struct Typed {
    text: String,
    /// The text that the field began with.
    before: String,
}

impl Number<'_> {
    /// Draws the field; `now` is its value.
    pub(crate) fn field(&self, ui: &mut Ui, rect: Rect, now: f64) -> Option<Turned> {
        let id = ui.scope_id().with(("number", self.name));
        let typed: Option<Typed> = ui.data(|data| data.get_temp(id));
        if let Some(typed) = typed {
            return self.typing(ui, (rect, id), typed, now);
        }
        let cx = Cx::new(ui);
        let response = cx.interact(rect, ("number", self.name, "shown"), Sense::click_and_drag());
        response.widget_info(|| self.info(Role::SpinButton, now));
        let is_near = response.hovered() || response.dragged();
        field::frame(&cx, rect, response.has_focus());
        if is_near {
            ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        let delta = response.drag_delta();
        let along = (delta.x - delta.y) / TRAVEL;
        let arrows = EventFilter { vertical_arrows: true, ..EventFilter::default() };
        let turned = self.dragged(&response, now, along);
        let turned = turned.or_else(|| self.set(&cx, &response, now, arrows));
        self.paint(&cx, rect, turned.map_or(now, |turned| turned.value));
        if turned.is_none() && response.clicked() {
            let (text, _) = self.words(now);
            let text = text.trim_start_matches('+').to_owned();
            ui.data_mut(|data| data.insert_temp(id, Typed { before: text.clone(), text }));
            ui.ctx().request_repaint();
        }
        turned
    }

    /// What a screen reader hears.
    pub(super) fn info(&self, role: Role, now: f64) -> WidgetInfo {
        let mut info = WidgetInfo::labeled(role, true, self.name);
        info.value = Some(now);
        info.current_text_value = Some(self.text(now));
        info
    }

    fn paint(&self, cx: &Cx<'_>, rect: Rect, now: f64) {
        let (number, unit) = self.words(now);
        if unit.starts_with(':') {
            let words = format!("{number}{unit}");
            cx.left(rect.left_mid(space::S), &words, Type::SMALL_STRONG, cx.t.text);
            return;
        }
        cx.left(rect.left_mid(space::S), &number, Type::SMALL_STRONG, cx.t.text);
        cx.right(rect.right_mid(space::S), unit, Type::SMALL, cx.t.text_3);
    }

    fn typing(
        &self,
        ui: &mut Ui,
        (rect, id): (Rect, Id),
        mut typed: Typed,
        now: f64,
    ) -> Option<Turned> {
        field::frame(&Cx::new(ui), rect, true);
        let edit = TextEdit::singleline(&mut typed.text).id(id.with("text"));
        let edit = edit.font(Type::SMALL_STRONG.font());
        let response = field::put(ui, rect, Align::Min, edit);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, self.name));
        let is_same = typed.text == typed.before;
        // The second click of a double click comes to the field that the first one opened.
        if is_same && response.double_clicked() {
            ui.data_mut(|data| data.remove::<Typed>(id));
            return Some(Turned { value: self.usual, is_set: true });
        }
        if !response.lost_focus() {
            if !response.has_focus() {
                select_all(ui, response.id, &typed.text);
                response.request_focus();
            }
            ui.data_mut(|data| data.insert_temp(id, typed));
            return None;
        }
        ui.data_mut(|data| data.remove::<Typed>(id));
        self.back(ui, &response);
        let is_left = is_same || ui.input(|input| input.key_pressed(Key::Escape));
        let value = self.read(&typed.text).filter(|value| !is_left && *value != now)?;
        Some(Turned { value, is_set: true })
    }

    /// After Enter or Esc the keyboard stays where it was.
    fn back(&self, ui: &Ui, typed: &Response) {
        let by_key = ui.input(|it| it.key_pressed(Key::Enter) || it.key_pressed(Key::Escape));
        if by_key {
            let id = ui.scope_id().with(("number", self.name, "shown"));
            typed.ctx.memory_mut(|memory| memory.request_focus(id));
        }
    }
}

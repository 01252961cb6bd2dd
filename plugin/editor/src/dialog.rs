//! The frame of a modal dialog above all windows, drawn like a floating window: nothing below it takes a
//! click or a key.

use crate::icons;
use crate::kit::controls::{Button, Kind, icon_button};
use crate::kit::{Cut, Cx};
use crate::theme::{Theme, Type};
use egui::{
    Area, Context, Frame, Id, Key, Memory, Modal, Modifiers, Order, Response, Role, Sense, Ui,
    Vec2, WidgetInfo, vec2,
};
use std::time::Duration;

const HEAD: f32 = 44.0;
/// The margin beside and below the content.
const PAD: f32 = 16.0;
/// Width of the content, and height of its buttons, points.
const WIDTH: f32 = 440.0;
const BUTTON: f32 = 28.0;
/// How long the dialog must be in view before a key answers it, seconds.
const SEEN: f64 = 0.5;

/// What can be done with it without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// It stays until it is answered.
    Never,
    /// By Esc, and by the cross in its head.
    ByEsc,
}

/// A dialog, and how it is drawn.
pub(crate) struct Dialog<'a> {
    pub(crate) title: &'a str,
    pub(crate) icon: char,
    /// The text for a screen reader.
    pub(crate) read: &'a str,
    pub(crate) leaving: Leaving,
}

/// The result of a dialog in a frame.
pub(crate) struct Drawn<T> {
    pub(crate) inner: T,
    /// The head. It may have the keyboard; keys answer nothing there.
    pub(crate) whole: Response,
    /// The keyboard is in the head, or on its cross.
    pub(crate) is_in_head: bool,
    /// It was left without an answer.
    pub(crate) is_left: bool,
}

impl Dialog<'_> {
    /// Draws it in the middle, over all windows.
    pub(crate) fn show<T>(
        &self,
        context: &Context,
        content: impl FnOnce(&mut Ui) -> T,
    ) -> Drawn<T> {
        let style = context.global_style();
        let theme = Theme::of(&style.visuals);
        let id = Id::unique(("dialog", self.title));
        note(context, id);
        // Above windows that stay on top, too: of two windows of one order the newer one would cover the
        // other.
        let area: Area = Modal::default_area(id).order(Order::Tooltip);
        let frame = Frame::window(&style).inner_margin(0.0).fill(theme.raised);
        let modal = Modal::new(id).area(area).frame(frame).backdrop_color(theme.scrim);
        modal.show(context, |ui| self.framed(ui, content)).inner
    }

    fn framed<T>(&self, ui: &mut Ui, content: impl FnOnce(&mut Ui) -> T) -> Drawn<T> {
        let width = WIDTH.min(ui.ctx().content_rect().width() - 64.0);
        ui.set_width(width + 2.0 * PAD);
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let (whole, cross) = self.head(ui);
        let body = Frame::NONE.inner_margin(PAD).show(ui, |ui| {
            ui.set_width(width);
            content(ui)
        });
        let mut is_left = cross.as_ref().is_some_and(Response::clicked);
        if self.leaving == Leaving::ByEsc {
            is_left |= ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        }
        let is_in_head = whole.has_focus() || cross.is_some_and(|cross| cross.has_focus());
        Drawn { inner: body.inner, whole, is_in_head, is_left }
    }

    /// Icon and title, and a cross where it can be left.
    fn head(&self, ui: &mut Ui) -> (Response, Option<Response>) {
        let size = vec2(ui.available_width(), HEAD);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let cx = Cx::new(ui);
        cx.icon(rect.left_mid(24.0), self.icon, 16.0, cx.t.text_2);
        let room = rect.width() - 88.0;
        cx.elided(rect.left_mid(40.0), self.title, Type::TITLE, cx.t.text, room);
        let whole = cx.interact(rect, "all", Sense::focusable_noninteractive());
        whole.widget_info(|| WidgetInfo::labeled(Role::Window, true, self.read));
        cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
        let close = rect.row_box(rect.right() - 36.0, vec2(28.0, 28.0));
        let name = format!("Close {}", self.title);
        let has_cross = self.leaving == Leaving::ByEsc;
        let cross = has_cross.then(|| icon_button(&cx, close, icons::X, &name));
        (whole, cross)
    }
}

/// Where the keyboard was when a dialog came.
#[derive(Clone, Copy)]
struct Before {
    dialog: Id,
    /// What had the keyboard before any dialog.
    focused: Option<Id>,
    /// When it opened, seconds. `None` once a choice had the keyboard, or if somebody was typing when it
    /// opened: further typing answers nothing.
    came: Option<f64>,
}

fn before() -> Id {
    Id::unique("before dialogs")
}

/// Remembers the keyboard focus when a dialog opens. A dialog that replaces another keeps the other's
/// memory.
fn note(context: &Context, dialog: Id) {
    let known = context.data(|data| data.get_temp::<Before>(before()));
    if known.is_some_and(|known| known.dialog == dialog) {
        return;
    }
    let now = context.input(|input| input.time);
    let came = (!context.text_edit_focused()).then_some(now);
    let focused = known.map_or_else(|| context.memory(Memory::focused), |known| known.focused);
    context.data_mut(|data| {
        data.insert_temp(before(), Before { dialog, focused, came });
    });
}

/// Whether a choice may get the keyboard now: the dialog was in view long enough, and nobody was typing
/// when it opened. True only once.
pub(crate) fn takes_choice(context: &Context) -> bool {
    let Some(noted) = context.data(|data| data.get_temp::<Before>(before())) else { return false };
    let Some(came) = noted.came else { return false };
    let left = SEEN - (context.input(|input| input.time) - came);
    if left > 0.0 {
        context.request_repaint_after(Duration::from_secs_f64(left));
        return false;
    }
    context.data_mut(|data| {
        data.insert_temp(before(), Before { came: None, ..noted });
    });
    true
}

/// Called when no dialog is open any more. The keyboard returns to the control that had it, unless
/// something else took it meanwhile.
pub(crate) fn give_back(context: &Context) {
    let Some(noted) = context.data(|data| data.get_temp::<Before>(before())) else { return };
    context.data_mut(|data| data.remove::<Before>(before()));
    if let Some(id) = noted.focused.filter(|_| context.memory(Memory::focused).is_none()) {
        context.memory_mut(|memory| memory.request_focus(id));
    }
}

/// Buttons side by side, in several rows if one is not enough.
pub(crate) fn buttons(ui: &mut Ui, all: &[(Kind, &str)]) -> Vec<Response> {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
        let show = |ui: &mut Ui| {
            let one = |&(kind, words): &(Kind, &str)| {
                let button = Button::new(kind, words);
                let width = button.width(&Cx::new(ui));
                let (rect, _) = ui.allocate_exact_size(vec2(width, BUTTON), Sense::hover());
                button.show(&Cx::new(ui), rect)
            };
            all.iter().map(one).collect()
        };
        ui.horizontal_wrapped(show).inner
    })
    .inner
}

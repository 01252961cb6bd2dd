//! A sheet over the window: a scrim, a title bar with a cross, and room for the content. Nothing below it takes
//! a click, and Tab stays in it.

use super::controls::icon_button;
use super::{Cut, Cx};
use crate::icons;
use crate::theme::{Type, radius, space};
use egui::{Area, Context, Id, Memory, Order, Rect, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

const HEAD: f32 = 48.0;
/// The height of a footer, points.
const FOOT: f32 = 64.0;
/// The least room between a sheet and the edges of the window, points.
const EDGE: f32 = 24.0;

/// A sheet, and how large it is where there is room.
pub(crate) struct Sheet<'s> {
    pub(crate) id: Id,
    pub(crate) title: &'s str,
    /// What it is about, after the title; may be empty.
    pub(crate) subject: &'s str,
    pub(crate) icon: char,
    pub(crate) size: Vec2,
}

/// The parts of a sheet for its content.
pub(crate) struct Parts {
    /// What is free in the title bar.
    pub(crate) head: Rect,
    pub(crate) body: Rect,
}

/// What became of a sheet in a frame.
pub(crate) struct Shown<T> {
    pub(crate) inner: T,
    /// The cross was clicked.
    pub(crate) is_closed: bool,
}

/// What had the keyboard before a sheet.
#[derive(Clone, Copy, Default)]
struct Before(Option<Id>);

fn note(context: &Context, sheet: Id) {
    let is_known = context.data(|data| data.get_temp::<Before>(sheet).is_some());
    if !is_known {
        let focused = context.memory(Memory::focused);
        context.data_mut(|data| data.insert_temp(sheet, Before(focused)));
    }
}

/// Called while the sheet is closed. The keyboard returns to the control that had it, unless another has it.
pub(crate) fn give_back(context: &Context, sheet: Id) {
    let known = context.data_mut(|data| data.remove_temp::<Before>(sheet));
    let is_free = context.memory(Memory::focused).is_none();
    if let Some(id) = known.and_then(|Before(id)| id).filter(|_| is_free) {
        context.memory_mut(|memory| memory.request_focus(id));
    }
}

impl Sheet<'_> {
    pub(crate) fn show<T>(
        &self,
        context: &Context,
        content: impl FnOnce(&mut Ui, Parts) -> T,
    ) -> Shown<T> {
        note(context, self.id);
        let window = context.content_rect();
        let area = Area::new(self.id).order(Order::Middle).fixed_pos(window.min).movable(false);
        let shown = area.constrain(false).show(context, |ui| {
            context.memory_mut(|memory| memory.set_modal_layer(ui.layer_id()));
            ui.set_clip_rect(window);
            // The scrim takes the clicks beside the sheet.
            ui.allocate_rect(window, Sense::CLICK | Sense::DRAG);
            let size = self.size.min(window.size() - Vec2::splat(2.0 * EDGE));
            let place = Rect::from_center_size(window.center().round(), size.round());
            let is_closed = self.frame(ui, (window, place));
            let mut body = place;
            let mut head = body.cut_top(HEAD);
            head.max.x -= HEAD;
            head.min.x = self.titled(ui, head);
            let inner = ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
                content(ui, Parts { head, body })
            });
            Shown { inner: inner.inner, is_closed }
        });
        shown.inner
    }

    /// Scrim, frame and cross. Returns whether the cross was clicked.
    fn frame(&self, ui: &Ui, (window, place): (Rect, Rect)) -> bool {
        let cx = Cx::new(ui);
        cx.fill(window, 0.0, cx.t.scrim);
        cx.shadow(place, radius::WINDOW);
        cx.fill(place, radius::WINDOW, cx.t.raised);
        cx.border(place, radius::WINDOW, cx.t.line_strong);
        let node = cx.interact(place, "sheet", Sense::hover());
        node.widget_info(|| WidgetInfo::labeled(Role::Window, true, self.title));
        let mut head = place;
        let head = head.cut_top(HEAD);
        cx.hline(head.left() + 1.0, head.right() - 1.0, head.bottom() - 1.0, cx.t.line);
        let cross = head.row_box(head.right() - 40.0, vec2(28.0, 28.0));
        icon_button(&cx, cross, icons::X, &format!("Close {}", self.title)).clicked()
    }

    /// Draws icon, title and subject. Returns where they end.
    fn titled(&self, ui: &Ui, head: Rect) -> f32 {
        let cx = Cx::new(ui);
        cx.icon(head.left_mid(28.0), self.icon, 16.0, cx.t.text);
        let title = cx.left(head.left_mid(44.0), self.title, Type::TITLE, cx.t.text);
        let at = egui::pos2(title.right() + 10.0, head.center().y);
        let room = head.right() - at.x;
        let subject = cx.elided(at, self.subject, Type::BODY, cx.t.text_3, room);
        subject.right() + space::M
    }
}

/// Cuts a footer for buttons off the body, with a hairline above it.
pub(crate) fn footer(cx: &Cx<'_>, body: &mut Rect) -> Rect {
    let foot = body.cut_bottom(FOOT);
    cx.hline(foot.left() + 1.0, foot.right() - 1.0, foot.top(), cx.t.line);
    foot.pad(24.0, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;

    /// How often the button below the sheet, and the one in it, were clicked; whether the sheet is closed.
    type Seen = (usize, usize, bool);

    fn shown() -> Harness<'static, Seen> {
        let builder = Harness::builder().with_size(vec2(900.0, 600.0));
        let mut harness = builder.with_context_setup(crate::install).build_ui_state(
            |ui, (below, inside, is_closed): &mut Seen| {
                let button = |ui: &Ui, name: &str, rect: Rect| {
                    let cx = Cx::new(ui);
                    usize::from(icon_button(&cx, rect, icons::X, name).clicked())
                };
                let corner = Rect::from_min_size(egui::pos2(4.0, 4.0), vec2(28.0, 28.0));
                *below += button(ui, "Below", corner);
                let size = vec2(2_000.0, 300.0);
                let (id, icon) = (Id::unique("test sheet"), icons::GEAR_SIX);
                let sheet = Sheet { id, title: "Test", subject: "of a sheet", icon, size };
                let shown = sheet.show(ui.ctx(), |ui, parts| {
                    button(ui, "Inside", parts.body.row_box(parts.body.left(), vec2(28.0, 28.0)))
                });
                *inside += shown.inner;
                *is_closed |= shown.is_closed;
            },
            Seen::default(),
        );
        harness.run_steps(3);
        harness
    }

    #[test]
    fn nothing_below_a_sheet_takes_a_click_or_the_keyboard() {
        let mut harness = shown();
        let below = harness.get_by_label("Below").rect().center();
        harness.click_at(below);
        assert_eq!(*harness.state(), (0, 0, false));
        for _ in 0..6 {
            harness.press(Key::Tab);
            assert!(!harness.get_by_label("Below").is_focused(), "Tab leaves the sheet");
        }
        harness.click_on("Inside");
        harness.click_on("Close Test");
        assert_eq!(*harness.state(), (0, 1, true));
    }

    #[test]
    fn a_sheet_that_is_too_large_leaves_room_at_the_edges() {
        let harness = shown();
        let sheet = harness.get_by_label("Test").rect();
        assert_eq!((sheet.left(), sheet.right()), (EDGE, 900.0 - EDGE));
        assert_eq!(sheet.height(), 300.0);
    }
}

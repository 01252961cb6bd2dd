//! A list to choose from: a control that shows the choice and opens a menu.

use super::controls::State;
use super::{Cut, Cx, context, menu};
use crate::icons;
use crate::theme::{Type, radius, space};
use egui::{
    EventFilter, Key, Popup, PopupCloseBehavior, Rect, Response, Role, ScrollArea, Sense, Ui,
    WidgetInfo,
};

/// The most that is seen of a list at once, points.
const TALL: f32 = 320.0;

/// A control that opens a list; `shown` is the choice.
pub(crate) struct Select<'s> {
    pub(crate) name: &'s str,
    pub(crate) shown: &'s str,
}

impl Select<'_> {
    /// Draws it, with one entry for each of `all`. Returns the chosen one, if it is another than `chosen`.
    pub(crate) fn show<W: AsRef<str>>(
        &self,
        cx: &Cx<'_>,
        rect: Rect,
        all: &[W],
        chosen: Option<usize>,
    ) -> Option<usize> {
        let response = self.button(cx, rect);
        let stepped = step(&response, chosen, all.len());
        let taken = open(&response, |ui| {
            let mut taken = None;
            for (index, words) in all.iter().enumerate() {
                let entry = menu::choice(ui, chosen == Some(index), words.as_ref());
                if entry.clicked() {
                    taken = Some(index);
                }
            }
            taken
        });
        taken.flatten().or(stepped).filter(|taken| chosen != Some(*taken))
    }

    /// Draws it, with a menu of its own content.
    pub(crate) fn with<T>(
        &self,
        cx: &Cx<'_>,
        rect: Rect,
        content: impl FnOnce(&mut Ui) -> T,
    ) -> Option<T> {
        let response = self.button(cx, rect);
        open(&response, content)
    }

    fn button(&self, cx: &Cx<'_>, rect: Rect) -> Response {
        let response = cx.interact(rect, ("select", self.name), Sense::click());
        response.widget_info(|| WidgetInfo {
            current_text_value: Some(self.shown.to_owned()),
            ..WidgetInfo::labeled(Role::ComboBox, true, self.name)
        });
        let is_open = Popup::is_id_open(cx.ui.ctx(), Popup::default_response_id(&response));
        let state = if response.hovered() || is_open { State::Hover } else { State::Normal };
        let fill = if state == State::Hover { cx.t.hover } else { cx.t.control };
        cx.fill(rect, radius::CONTROL, fill);
        cx.ring(&response, rect, radius::CONTROL);
        let room = rect.width() - space::M - 28.0;
        cx.elided(rect.left_mid(space::M), self.shown, Type::SMALL_STRONG, cx.t.text, room);
        cx.icon(rect.right_mid(14.0), icons::CARET_DOWN, 12.0, cx.t.text_3);
        super::controls::whole_name(cx, response, self.shown, (Type::SMALL_STRONG, room))
    }
}

/// Opens the list below its control, as wide as that. When it closes, the control has the keyboard again.
fn open<T>(button: &Response, content: impl FnOnce(&mut Ui) -> T) -> Option<T> {
    let id = Popup::default_response_id(button);
    context::give_back(&button.ctx, id, button.id);
    let menu = menu::of(button).width(button.rect.width());
    let menu = menu.close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let shown = menu.show(|ui| {
        let width = button.rect.width() - ui.spacing().menu_margin.sum().x;
        ui.set_width(width);
        ScrollArea::vertical().max_height(TALL).show(ui, |ui| {
            ui.set_width(width);
            content(ui)
        })
    });
    shown.map(|shown| shown.inner.inner)
}

/// The choice that an arrow key takes while the list is closed.
fn step(response: &Response, chosen: Option<usize>, count: usize) -> Option<usize> {
    let arrows = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    if !context::has_keys(response, arrows) {
        return None;
    }
    let pressed = |key| response.ctx.input(|input| input.key_pressed(key));
    match (pressed(Key::ArrowDown), pressed(Key::ArrowUp)) {
        (true, _) => Some(chosen.map_or(0, |index| index + 1)).filter(|next| *next < count),
        (_, true) => chosen.and_then(|index| index.checked_sub(1)),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use egui::{pos2, vec2};

    const ALL: [&str; 3] = ["Bell", "Shelf", "Pass"];

    fn shown() -> Harness<'static, usize> {
        let builder = Harness::builder().with_size(vec2(300.0, 400.0));
        let mut harness = builder.with_context_setup(crate::install).build_ui_state(
            |ui, now: &mut usize| {
                let rect = Rect::from_min_size(pos2(20.0, 20.0), vec2(200.0, 28.0));
                let select = Select { name: "Shape", shown: ALL[*now] };
                let cx = Cx::new(ui);
                if let Some(taken) = select.show(&cx, rect, &ALL, Some(*now)) {
                    *now = taken;
                }
            },
            0,
        );
        harness.run_steps(2);
        harness
    }

    #[test]
    fn an_arrow_key_takes_the_next_choice_and_enter_opens_the_list() {
        let mut harness = shown();
        harness.focus_on("Shape");
        harness.press(Key::ArrowUp);
        assert_eq!(*harness.state(), 0, "there is none before");
        harness.press(Key::ArrowDown);
        assert_eq!(*harness.state(), 1);
        harness.press(Key::Enter);
        harness.press(Key::ArrowDown);
        assert!(harness.get_by_label(ALL[0]).is_focused(), "the keys go to the list");
        harness.press(Key::Enter);
        assert_eq!(*harness.state(), 0);
        assert!(harness.query_by_label(ALL[2]).is_none(), "the list is closed");
        let button = harness.get_by_role_and_label(Role::ComboBox, "Shape");
        assert!(button.is_focused());
        assert_eq!(button.accesskit_node().value().as_deref(), Some(ALL[0]));
    }
}

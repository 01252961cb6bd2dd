//! A question that nothing goes on without: it stands above all windows, and nothing but its choices takes a click
//! or a key until it is answered.

use crate::theme::Type;
use egui::{
    Align, Context, Frame, Id, Label, Layout, Modal, Order, RichText, Role, Sense, Ui, WidgetInfo,
};

/// Width of the words, points.
const WIDTH: f32 = 440.0;

/// What is asked, and what can be answered.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// In a few words.
    pub title: &'a str,
    /// What is to be known before an answer.
    pub words: &'a str,
    /// What the buttons say, the one that changes nothing first.
    pub choices: &'a [&'a str],
}

impl Question<'_> {
    /// Draws it, behind the views of the frame; gives the place of the choice that the person took.
    #[must_use]
    pub fn show(&self, context: &Context) -> Option<usize> {
        let id = Id::unique(("question", self.title));
        // Above what stays on top, too: of two windows of one order the newer one would lie above.
        let area = Modal::default_area(id).order(Order::Tooltip);
        let frame = Frame::window(&context.global_style()).inner_margin(16.0);
        let modal = Modal::new(id).area(area).frame(frame);
        modal.show(context, |ui| self.content(ui)).inner
    }

    fn content(&self, ui: &mut Ui) -> Option<usize> {
        ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 64.0));
        let title = RichText::new(self.title).font(Type::TITLE.font()).strong();
        let title = ui.label(title);
        let holder = ui.scope_id().with("all");
        let whole = ui.interact(title.rect, holder, Sense::focusable_noninteractive());
        let read = format!("{}. {}", self.title, self.words);
        whole.widget_info(|| WidgetInfo::labeled(Role::Window, true, &read));
        ui.add_space(8.0);
        ui.add(Label::new(self.words).wrap());
        ui.add_space(16.0);
        let buttons = ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            self.choices.iter().map(|words| ui.button(*words)).collect::<Vec<_>>()
        });
        let buttons = buttons.inner;
        // The keyboard comes to the question and not to a choice: Enter may be meant for what had it.
        if !whole.has_focus() && !buttons.iter().any(egui::Response::has_focus) {
            whole.request_focus();
        }
        buttons.iter().position(egui::Response::clicked)
    }
}

/// Draws views, with no key for them while a question stands above.
pub(crate) fn behind<T>(context: &Context, views: impl FnOnce() -> T) -> T {
    if context.memory(egui::Memory::top_modal_layer).is_none() {
        return views();
    }
    let is_key = |event: &egui::Event| {
        matches!(event, egui::Event::Key { .. } | egui::Event::Text(_) | egui::Event::Paste(_))
    };
    let all = context.input(|input| input.events.clone());
    context.input_mut(|input| input.events.retain(|event| !is_key(event)));
    let drawn = views();
    context.input_mut(|input| input.events = all);
    drawn
}

#[cfg(test)]
mod tests;

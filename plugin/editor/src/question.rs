//! A question that nothing goes on without: it stands above all windows, and nothing but its choices takes a click
//! or a key until it is answered.

use crate::dialog::{self, Dialog, Drawn, Leaving, buttons, para};
use crate::icons;
use crate::kit::controls::Kind;
use crate::theme::Theme;
use egui::{Context, Response, Ui};

/// What is asked, and what can be answered.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// In a few words.
    pub title: &'a str,
    /// What is to be known before an answer.
    pub words: &'a str,
    /// What the buttons say, the one that changes nothing first.
    pub choices: &'a [&'a str],
    /// The choice that Esc takes; without one it is answered by a choice alone.
    pub escape: Option<usize>,
}

impl Question<'_> {
    /// Draws it, behind the views of the frame; gives the place of the choice that the person took.
    #[must_use]
    pub fn show(&self, context: &Context) -> Option<usize> {
        let read = format!("{}. {}", self.title, self.words);
        let (title, icon) = (self.title, icons::QUESTION);
        let leaving = if self.escape.is_some() { Leaving::ByEsc } else { Leaving::Never };
        let dialog = Dialog { title, icon, read: &read, leaving };
        let drawn = dialog.show(context, |ui, theme| self.content(ui, theme));
        self.take_keyboard(context, &drawn);
        let left = self.escape.filter(|_| drawn.is_left);
        let answer = drawn.inner.iter().position(Response::clicked).or(left);
        if answer.is_some() {
            // What had the keyboard before has it again in the frame behind the next.
            context.request_repaint();
        }
        answer
    }

    /// The keyboard comes to the question and not to a choice: Enter may be meant for what had it. Once the question
    /// was seen it goes on to the choice that changes nothing.
    fn take_keyboard(&self, context: &Context, drawn: &Drawn<Vec<Response>>) {
        if !drawn.is_in_head && !drawn.inner.iter().any(Response::has_focus) {
            drawn.whole.request_focus();
        } else if drawn.whole.has_focus() && dialog::takes_choice(context) {
            let safe = drawn.inner.get(self.escape.unwrap_or(0));
            safe.unwrap_or(&drawn.whole).request_focus();
        }
    }

    fn content(&self, ui: &mut Ui, theme: &Theme) -> Vec<Response> {
        para(ui, theme, self.words, theme.text_2);
        ui.add_space(16.0);
        let all: Vec<_> = self.choices.iter().map(|words| (Kind::Secondary, *words)).collect();
        buttons(ui, theme, &all)
    }
}

/// Draws views, with no key for them while a question stands above.
pub(crate) fn behind<T>(context: &Context, views: impl FnOnce() -> T) -> T {
    if context.memory(egui::Memory::top_modal_layer).is_none() {
        dialog::give_back(context);
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

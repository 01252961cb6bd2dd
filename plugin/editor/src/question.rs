//! A modal question above all windows. Until it is answered, only its choices take clicks and keys.

use crate::dialog::{self, Dialog, Drawn, Leaving, buttons};
use crate::icons;
use crate::kit::controls::Kind;
use crate::kit::rows;
use crate::theme::{Theme, Type};
use egui::{Context, Response, Ui};

/// A question, and its possible answers.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub title: &'a str,
    /// The text that the person should read before the answer.
    pub words: &'a str,
    /// The labels of the buttons, the one that changes nothing first.
    pub choices: &'a [&'a str],
    /// The choice for Esc; without one only a choice answers the question.
    pub escape: Option<usize>,
}

impl Question<'_> {
    /// Draws the question after the views of the frame. Returns the index of the choice that the person
    /// took.
    #[must_use]
    pub fn show(&self, context: &Context) -> Option<usize> {
        let read = format!("{}. {}", self.title, self.words);
        let (title, icon) = (self.title, icons::QUESTION);
        let leaving = if self.escape.is_some() { Leaving::ByEsc } else { Leaving::Never };
        let dialog = Dialog { title, icon, read: &read, leaving };
        let drawn = dialog.show(context, |ui| self.content(ui));
        self.take_keyboard(context, &drawn);
        let left = self.escape.filter(|_| drawn.is_left);
        let answer = drawn.inner.iter().position(Response::clicked).or(left);
        if answer.is_some() {
            // The control that had the keyboard gets it back two frames later.
            context.request_repaint();
        }
        answer
    }

    /// The keyboard goes to the question and not to a choice, because Enter may be meant for the previous
    /// control. Once the question was seen, the keyboard moves to the choice that changes nothing.
    fn take_keyboard(&self, context: &Context, drawn: &Drawn<Vec<Response>>) {
        if !drawn.is_in_head && !drawn.inner.iter().any(Response::has_focus) {
            drawn.whole.request_focus();
        } else if drawn.whole.has_focus() && dialog::takes_choice(context) {
            let safe = drawn.inner.get(self.escape.unwrap_or(0));
            safe.unwrap_or(&drawn.whole).request_focus();
        }
    }

    fn content(&self, ui: &mut Ui) -> Vec<Response> {
        let theme = Theme::of(ui.visuals());
        rows::para(ui, self.words, (Type::BODY, theme.text_2));
        ui.add_space(16.0);
        let all: Vec<_> = self.choices.iter().map(|words| (Kind::Secondary, *words)).collect();
        buttons(ui, &all)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Above {
    Question,
    Anything,
}

/// Draws views, without keys for them while something is above.
pub(crate) fn behind<T>(context: &Context, above: Above, views: impl FnOnce() -> T) -> T {
    let top = context.memory(egui::Memory::top_modal_layer);
    if top.is_none() {
        dialog::give_back(context);
    }
    let is_above =
        |layer: egui::LayerId| above == Above::Anything || layer.order == egui::Order::Tooltip;
    if !top.is_some_and(is_above) {
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

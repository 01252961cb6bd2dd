//! The views of Deskhand: conversation, plan card, receipt, timeline, mixer, notices, history. One set for
//! the app and the plugin.
//!
//! Thread: window. [`Model`] hears events, [`show`] draws it and gives what the person did as
//! [`Action`]s, which the application submits on a person's link.
//!
//! Does not know: links, files, devices, threads. It decides nothing a person did not click.

#![forbid(unsafe_code)]

mod action;
mod card;
mod conversation;
mod describe;
mod desk;
#[cfg(test)]
mod desk_tests;
mod fonts;
mod history;
mod icons;
mod kit;
mod library;
mod live;
mod meters;
mod mixer;
mod model;
mod receipt;
mod tempo;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod talk_tests;
mod theme;
mod timeline;
mod toasts;
mod topbar;
mod track_menu;
#[cfg(test)]
mod ui_tests;
mod waves;
mod window;

pub use action::Action;
pub use live::{Levels, Live, Motion, SoundOutput};
pub use model::{Entry, Model, ToolLine};
pub use waves::{Column, NoWaves, Waves};

use theme::Theme;

/// Gives a context the fonts and the style of the views. Once, before the first frame.
pub fn install(context: &egui::Context) {
    fonts::install(context);
    theme::apply(context, &Theme::DARK);
}

/// Draws the whole window, and gives what the person did.
#[must_use]
pub fn show(ui: &mut egui::Ui, model: &mut Model, waves: &dyn Waves) -> Vec<Action> {
    let theme = if model.is_light { &Theme::LIGHT } else { &Theme::DARK };
    if ui.visuals().dark_mode != theme.dark {
        theme::apply(ui.ctx(), theme);
    }
    let mut actions = Vec::new();
    let rect = ui.max_rect();
    window::show(ui, theme, model, waves, rect, &mut actions);
    actions
}

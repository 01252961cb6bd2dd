//! The views of Deskhand: conversation, plan card, receipt, timeline, mixer, notices, history. One set for
//! the app and the plugin.
//!
//! Thread: window. [`Model`] hears events, [`show`] draws it and gives what the person did as
//! [`Action`]s, which the application submits on a person's link.
//!
//! Does not know: links, devices, where files are. Threads of its own look whether they are there and read
//! samples of them, as the application says. It decides nothing a person did not click.

#![forbid(unsafe_code)]

mod action;
mod areas;
mod asks;
mod card;
mod clip_facts;
mod coding;
mod contents;
#[cfg(test)]
mod contrast_tests;
#[cfg(test)]
mod control_tests;
mod conversation;
mod describe;
mod desk;
#[cfg(test)]
mod desk_tests;
mod dialog;
mod empty;
#[cfg(test)]
mod esc_tests;
mod example;
mod export;
mod file_call;
mod files;
mod fixes;
mod fonts;
mod history;
#[cfg(test)]
mod host_tests;
mod icons;
mod inserts;
mod instance;
mod jobs;
#[cfg(test)]
mod keyboard_tests;
mod kit;
mod layout;
#[cfg(test)]
mod layout_tests;
mod library;
mod live;
mod live_findings;
mod markdown;
#[cfg(test)]
mod menu_tests;
mod meters;
mod missing;
mod mixer;
mod model;
#[cfg(test)]
mod no_id_tests;
mod path_field;
mod path_question;
mod plugin;
mod preferences;
mod question;
mod receipt;
mod resources;
mod samples;
mod saved_view;
mod scene;
mod session_menu;
mod settings;
mod show_menu;
#[cfg(test)]
mod talk_tests;
mod tempo;
#[cfg(test)]
mod testing;
mod theme;
mod threads;
mod timeline;
mod toasts;
mod tools;
mod topbar;
mod track_menu;
#[cfg(test)]
mod ui_tests;
#[cfg(test)]
mod view_tests;
mod waves;
mod window;
mod windows;
mod words;
mod zoom;

pub use action::{Action, Gesture};
pub use asks::{Ask, asks};
pub use contents::Contents;
pub use contents::pictures::MakeSpectrogram;
pub use file_call::{AssemblyFile, CodesReport, FileCall, is_transcript};
pub use files::{AllLost, Files, Loss, Lost};
pub use fixes::at_window;
pub use layout::Layout;
pub use live::{
    Audition, InputChannels, Instance, Learning, Levels, Live, Motion, SoundOutput, Watched,
};
pub use model::{Entry, Model, ToolLine};
pub use path_field::proposed_session;
pub use path_question::{PathAnswer, PathQuestion, PathWords};
pub use question::Question;
pub use resources::{Listed, Resource, Resources, Spectrogram, SpokenLine, Table};
pub use samples::Samples;
pub use saved_view::{EndedTurn, Seen, SeenCard};
pub use settings::{
    CaptureMode, CaptureSettings, ModelOffer, Preset, Provider, Settings, SettingsChange, Stranger,
    StrangerLook, StrangerState,
};
pub use waves::{Column, NoWaves, Waves};

use question::Above;
use theme::Theme;

/// Sets the fonts and the style of the views in a context. Called once, before the first frame.
pub fn install(context: &egui::Context) {
    fonts::install(context);
    theme::apply(context, &Theme::DARK);
}

/// Draws the whole window, and returns the person's actions.
#[must_use]
pub fn show(ui: &mut egui::Ui, model: &mut Model, waves: &dyn Waves) -> Vec<Action> {
    draw(ui, model, waves, window::show)
}

/// Draws the window of the plugin, 900 x 600 by default and at least 720 x 480. The host has the transport.
/// Returns the person's actions.
#[must_use]
pub fn show_plugin(ui: &mut egui::Ui, model: &mut Model, waves: &dyn Waves) -> Vec<Action> {
    draw(ui, model, waves, plugin::show)
}

type View = fn(&mut egui::Ui, &mut Model, &dyn Waves, egui::Rect, &mut Vec<Action>);

fn draw(ui: &mut egui::Ui, model: &mut Model, waves: &dyn Waves, view: View) -> Vec<Action> {
    let theme = if model.is_light { &Theme::LIGHT } else { &Theme::DARK };
    if ui.visuals().dark_mode != theme.dark {
        theme::apply(ui.ctx(), theme);
        // This frame is drawn in it already.
        ui.reset_style();
    }
    fonts::follow(ui.ctx());
    settle(ui.ctx(), model);
    let context = ui.ctx().clone();
    question::behind(&context, Above::Question, || {
        close_menus(&context);
        preferences::keys(ui, model);
        export::keys(ui, model);
    });
    let mut actions = question::behind(&context, Above::Anything, || {
        kit::in_view::follow(ui.ctx());
        let mut actions = Vec::new();
        let rect = ui.max_rect();
        view(ui, model, waves, rect, &mut actions);
        model.take_words(ui.ctx(), &mut actions);
        kit::in_view::ask(ui.ctx());
        actions
    });
    export::take(model, &mut actions);
    // A sheet takes all keys: it is not behind itself.
    question::behind(&context, Above::Question, || {
        preferences::show(ui, model, &mut actions);
        export::show(ui, model, &mut actions);
    });
    actions
}

/// Esc closes an open menu or list, and no window below it receives the key.
fn close_menus(context: &egui::Context) {
    let is_esc =
        |input: &mut egui::InputState| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape);
    if egui::Popup::is_any_open(context) && context.input_mut(is_esc) {
        egui::Popup::close_all(context);
    }
}

/// Motion as the person set it.
fn settle(context: &egui::Context, model: &Model) {
    let Some(settings) = &model.settings else { return };
    let time = if settings.reduces_motion { 0.0 } else { theme::motion::TOGGLE };
    if (context.global_style().animation_time - time).abs() > f32::EPSILON {
        context.style_mut_of(context.theme(), |style| style.animation_time = time);
    }
}

//! The window itself, frame by frame, without a screen: what the system tells it, and what it answers.

use crate::seat::{Seat, write_tone};
use deskhand_editor::Model;
use deskhand_standalone::{App, Start};
use eframe::App as _;
use egui::{Context, DroppedFile, RawInput, ViewportCommand, ViewportEvent, ViewportId};
use serde_json::json;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A window on the session of a seat; the seat's own person looks on.
struct Screen {
    context: Context,
    app: App,
    frame: eframe::Frame,
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("nobody reads it here".into())
    }
}

impl Screen {
    fn of(seat: &Seat) -> Self {
        let context = Context::default();
        deskhand_editor::install(&context);
        context.enable_accesskit();
        let dir = Some(seat.open.desk().dir().to_owned());
        let app = App::new(&context, Start { dir, ..Start::default() });
        Self { context, app, frame: eframe::Frame::_new_kittest() }
    }

    /// Draws a frame after what the system told; gives what the window asks of it, and the names on it.
    fn draw(&mut self, input: RawInput) -> (Vec<ViewportCommand>, Vec<String>) {
        let Self { context, app, frame } = self;
        let mut output = context.run_ui(input, |ui| {
            app.logic(ui.ctx(), frame);
            app.ui(ui, frame);
        });
        output.textures_delta.clear();
        let root = output.viewport_output.remove(&ViewportId::ROOT);
        let commands = root.map(|root| root.commands).unwrap_or_default();
        let nodes = output.platform_output.accesskit_update.into_iter().flat_map(|it| it.nodes);
        (commands, nodes.filter_map(|(_, node)| node.label().map(str::to_owned)).collect())
    }

    /// Whether something of that name is on the window.
    fn shows(&mut self, name: &str) -> bool {
        self.draw(input()).1.iter().any(|known| known.contains(name))
    }

    fn drop_file(&mut self, file: &Path) {
        let dropped: Arc<dyn DroppedFile + Send + Sync> = Arc::new(Dropped(file.to_owned()));
        self.draw(RawInput { dropped_files: vec![dropped], ..input() });
    }

    fn close(&mut self) -> Vec<ViewportCommand> {
        let mut input = input();
        let root = input.viewports.entry(ViewportId::ROOT).or_default();
        root.events.push(ViewportEvent::Close);
        self.draw(input).0
    }
}

fn input() -> RawInput {
    let size = egui::vec2(1440.0, 900.0);
    let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
    RawInput { screen_rect, ..RawInput::default() }
}

/// Draws frames until the window shows something of that name.
fn until_shown(seat: &mut Seat, screen: &mut Screen, name: &str) {
    let is_there = Cell::new(false);
    seat.until(name, || is_there.set(screen.shows(name)), |_| is_there.get());
}

/// A seat with a track, and a window that shows it.
fn opened() -> (Seat, Screen) {
    let mut seat = Seat::new();
    seat.until("the session", || {}, |model| model.session().is_some());
    seat.call("cmd_add_track", json!({ "name": "Kick" }));
    let mut screen = Screen::of(&seat);
    until_shown(&mut seat, &mut screen, "Track Kick");
    (seat, screen)
}

fn has_clip(model: &Model) -> bool {
    model.session().is_some_and(|session| session.clips.len() == 1)
}

#[test]
fn dropped_files_are_imported() {
    let (mut seat, mut screen) = opened();
    let file = seat.folder.join("dropped.wav");
    write_tone(&file);
    screen.drop_file(&file);
    seat.until("the import", || {}, has_clip);
    until_shown(&mut seat, &mut screen, "Track dropped");
}

#[test]
fn a_window_that_works_asks_before_it_closes_and_goes_when_the_work_is_done() {
    let (mut seat, mut screen) = opened();
    let file = seat.folder.join("dropped.wav");
    write_tone(&file);
    screen.drop_file(&file);
    let commands = screen.close();
    assert!(commands.contains(&ViewportCommand::CancelClose), "{commands:?}");
    assert!(!commands.contains(&ViewportCommand::Close));
    let goes = Cell::new(false);
    let draw = || goes.set(goes.get() || screen.draw(input()).0.contains(&ViewportCommand::Close));
    seat.until("its end", draw, |model| has_clip(model) && goes.get());
}

#[test]
fn a_window_that_rests_closes_at_once() {
    let (_seat, mut screen) = opened();
    assert!(!screen.close().contains(&ViewportCommand::CancelClose));
}

#[test]
fn a_window_that_a_tool_opens_stands_on_the_window() {
    let (mut seat, mut screen) = opened();
    assert!(!screen.shows("on top"));
    seat.call("display_resource", json!({ "handle": "deskhand://session" }));
    until_shown(&mut seat, &mut screen, "on top");
}

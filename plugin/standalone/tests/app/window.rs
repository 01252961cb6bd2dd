//! The window itself, frame by frame, without a screen: input from the system, and the window's answers.

use crate::user_session::{Seat, write_tone};
use deskhand_editor::Model;
use deskhand_standalone::{App, Kept, Start};
use eframe::App as _;
use egui::{Context, DroppedFile, RawInput, ViewportCommand, ViewportEvent, ViewportId};
use serde_json::json;
use std::cell::Cell;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A window on the session of a seat; the seat's own person looks on.
pub(crate) struct Screen {
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
    pub(crate) fn of(seat: &Seat) -> Self {
        let dir = Some(seat.open.desk().dir().to_owned());
        Self::started(Start { dir, ..Start::default() })
    }

    fn started(start: Start) -> Self {
        let context = Context::default();
        deskhand_editor::install(&context);
        context.enable_accesskit();
        let app = App::new(&context, start);
        Self { context, app, frame: eframe::Frame::_new_kittest() }
    }

    /// Clicks in the middle of the control with that name.
    fn click(&mut self, name: &str) {
        let at = self.place(name).unwrap_or_else(|| panic!("nothing is called {name}"));
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
            let press = egui::Event::PointerButton { pos: at, button, pressed, modifiers };
            let events = vec![egui::Event::PointerMoved(at), press];
            self.draw(RawInput { events, ..input() });
        }
    }

    /// Drags the control with that name by this many points.
    pub(crate) fn drag(&mut self, name: &str, by: egui::Vec2) {
        let from = self.place(name).unwrap_or_else(|| panic!("nothing is called {name}"));
        let press = |pos, pressed| {
            let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
            egui::Event::PointerButton { pos, button, pressed, modifiers }
        };
        let moved = egui::Event::PointerMoved;
        for events in [
            vec![moved(from), press(from, true)],
            vec![moved(from + by * 0.5)],
            vec![moved(from + by)],
            vec![press(from + by, false)],
        ] {
            self.draw(RawInput { events, ..input() });
        }
    }

    fn place(&mut self, name: &str) -> Option<egui::Pos2> {
        let Self { context, app, frame } = self;
        let mut output = context.run_ui(input(), |ui| {
            app.logic(ui.ctx(), frame);
            app.ui(ui, frame);
        });
        output.textures_delta.clear();
        let nodes = output.platform_output.accesskit_update.into_iter().flat_map(|it| it.nodes);
        let named = nodes.filter(|(_, node)| said(node).is_some_and(|it| it.contains(name)));
        // Of several the leftmost: the order of the nodes says nothing.
        let bounds = named.filter_map(|(_, node)| node.bounds());
        let bounds = bounds.min_by(|a, b| a.x0.total_cmp(&b.x0))?;
        Some(egui::pos2(
            ((bounds.x0 + bounds.x1) / 2.0) as f32,
            ((bounds.y0 + bounds.y1) / 2.0) as f32,
        ))
    }

    /// Draws a frame after an input from the system. Returns the window's commands, and the names on it.
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
        (commands, nodes.filter_map(|(_, node)| said(&node).map(str::to_owned)).collect())
    }

    /// The names on the window before it takes any result.
    fn at_first(&mut self) -> Vec<String> {
        let Self { context, app, frame } = self;
        let mut output = context.run_ui(input(), |ui| app.ui(ui, frame));
        output.textures_delta.clear();
        let nodes = output.platform_output.accesskit_update.into_iter().flat_map(|it| it.nodes);
        nodes.filter_map(|(_, node)| said(&node).map(str::to_owned)).collect()
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

/// What a node is called; a text is its own name.
fn said(node: &egui::accesskit::Node) -> Option<&str> {
    node.label().or_else(|| node.value())
}

fn input() -> RawInput {
    let size = egui::vec2(1440.0, 900.0);
    let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size));
    RawInput { screen_rect, ..RawInput::default() }
}

/// Draws frames until the window shows something of that name.
pub(crate) fn until_shown(seat: &mut Seat, screen: &mut Screen, name: &str) {
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

/// Three hours and a half in stereo and 24 bit, in bytes.
const HOURS: u32 = 3_600_000_000;

/// This many bytes of stereo in 24 bit. They take no room on disk, because they were never written.
fn write_long(path: &Path, bytes: u32) {
    let mut header = b"RIFF".to_vec();
    header.extend((bytes + 36).to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(16u32.to_le_bytes());
    header.extend([1u16, 2].map(u16::to_le_bytes).concat());
    header.extend([48_000u32, 288_000].map(u32::to_le_bytes).concat());
    header.extend([6u16, 24].map(u16::to_le_bytes).concat());
    header.extend(b"data");
    header.extend(bytes.to_le_bytes());
    let mut file = File::create(path).unwrap();
    file.write_all(&header).unwrap();
    file.set_len(u64::from(bytes) + header.len() as u64).unwrap();
}

#[test]
fn an_import_says_what_it_reads_and_leaves_nothing_behind_when_it_is_cancelled() {
    let (mut seat, mut screen) = opened();
    let (long, short) = (seat.folder.join("long.wav"), seat.folder.join("dropped.wav"));
    write_long(&long, HOURS);
    screen.drop_file(&long);
    until_shown(&mut seat, &mut screen, "Cancel Importing long");
    screen.click("Cancel Importing long");
    let goes_on = Cell::new(true);
    let draw = || goes_on.set(screen.shows("Cancel Importing long"));
    seat.until("its end", draw, |_| !goes_on.get());
    // The next action finds the session as it was.
    write_tone(&short);
    screen.drop_file(&short);
    seat.until("the import", || {}, has_clip);
    let session = seat.model.session().unwrap();
    assert_eq!((session.sources.len(), session.tracks.len()), (1, 2));
    let media = fs::read_dir(seat.folder.join("session/media")).unwrap().flatten();
    let files: Vec<PathBuf> =
        media.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    assert_eq!(files, Vec::<PathBuf>::new());
}

#[test]
fn a_dropped_folder_is_imported_and_what_is_held_over_the_window_is_told() {
    let (mut seat, mut screen) = opened();
    let takes = seat.folder.join("takes");
    std::fs::create_dir(&takes).unwrap();
    write_tone(&takes.join("dropped.wav"));
    std::fs::write(takes.join("cover.jpg"), "no audio").unwrap();
    let held = |path: &Path| {
        let file = egui::HoveredFile { path: Some(path.to_owned()), ..Default::default() };
        RawInput { hovered_files: vec![file], ..input() }
    };
    // An area has its place from the second frame on.
    let told = [(); 3].map(|()| screen.draw(held(&takes)).1).concat();
    assert!(told.iter().any(|words| words == "Drop to import the audio in takes"), "{told:?}");
    let session = seat.open.desk().dir().to_owned();
    let told = [(); 3].map(|()| screen.draw(held(&session)).1).concat();
    assert!(told.iter().any(|words| words == "Drop to open the session"), "{told:?}");
    screen.drop_file(&takes.join("cover.jpg"));
    until_shown(&mut seat, &mut screen, "cover.jpg");
    screen.drop_file(&takes);
    let draw = || drop(screen.draw(input()));
    seat.until("the import", draw, has_clip);
    until_shown(&mut seat, &mut screen, "Track dropped");
    assert!(!screen.shows("Drop to"));
}

/// What the window before kept: it had the session of a seat open.
fn kept(seat: &Seat) -> Start {
    let mut kept = Kept::default();
    kept.remember(&seat.folder.join("gone.deskhand"));
    kept.remember(seat.open.desk().dir());
    Start { kept, ..Start::default() }
}

#[test]
fn a_session_that_was_open_before_is_one_click_away() {
    let (mut seat, _) = opened();
    let mut screen = Screen::started(kept(&seat));
    assert!(screen.shows("gone.deskhand"), "what is gone stands there too: opening it says so");
    let dir = seat.open.desk().dir().display().to_string();
    screen.click(&format!("Open {dir}"));
    until_shown(&mut seat, &mut screen, "Track Kick");
    screen.click("Session: open, new, recent");
    assert!(screen.shows("New session…") && screen.shows("gone"));
}

#[test]
fn where_a_folder_holds_no_session_one_is_made_by_a_click() {
    let mut seat = Seat::new();
    let folder = seat.folder.join("takes");
    fs::create_dir(&folder).unwrap();
    let mut screen = Screen::started(Start { dir: Some(folder), ..Start::default() });
    // An area has its place from the second frame on.
    let told = [(); 3].map(|()| screen.at_first()).concat();
    assert!(told.iter().any(|words| words.contains("Opening takes…")), "{told:?}");
    until_shown(&mut seat, &mut screen, "Make a session here");
    assert!(!screen.shows("Opening takes…"));
    screen.click("Make a session here");
    // Where the program that serves sessions is not installed, the window says so and asks again.
    let goes_on = Cell::new(false);
    let draw = || goes_on.set(screen.shows("Make it") || screen.shows("Import audio"));
    seat.until("a session, or a question for one", draw, |_| goes_on.get());
}

#[test]
fn a_second_window_of_a_session_says_that_there_is_another() {
    let (mut seat, mut first) = opened();
    let mut second = Screen::of(&seat);
    until_shown(&mut seat, &mut second, "open in another window too");
    assert!(!first.shows("open in another window too"));
}

#[test]
fn the_title_says_which_session_is_open() {
    let mut seat = Seat::new();
    let mut screen = Screen::of(&seat);
    let (title, is_named) = (ViewportCommand::Title("session - Deskhand".into()), Cell::new(false));
    let draw = || is_named.set(is_named.get() || screen.draw(input()).0.contains(&title));
    seat.until("its name", draw, |_| is_named.get());
}

#[test]
fn size_and_place_of_the_window_are_kept_and_those_of_a_full_one_are_not() {
    let tmp = tempfile::tempdir().unwrap();
    let file = tmp.path().join("window.toml");
    let mut screen = Screen::started(Start { file: Some(file.clone()), ..Start::default() });
    let mut stands = |rect: egui::Rect, is_full| {
        let mut input = input();
        let root = input.viewports.entry(ViewportId::ROOT).or_default();
        (root.inner_rect, root.outer_rect) = (Some(rect), Some(rect.expand(4.0)));
        root.maximized = Some(is_full);
        screen.draw(input);
        screen.app.on_exit(None);
        let kept = Kept::load(&file);
        (kept.size, kept.place, kept.is_maximized)
    };
    let rect = egui::Rect::from_min_size(egui::pos2(84.0, 44.0), egui::vec2(1_000.0, 700.0));
    let (size, place) = (Some([1_000.0, 700.0]), Some([80.0, 40.0]));
    assert_eq!(stands(rect, false), (size, place, false));
    assert_eq!(stands(rect.expand(200.0), true), (size, place, true));
}

#[test]
fn a_session_that_is_opened_again_is_looked_at_as_it_was_left() {
    let (mut seat, _) = opened();
    let (dir, file) = (seat.open.desk().dir().to_owned(), seat.folder.join("window.toml"));
    let start =
        |kept| Start { dir: Some(dir.clone()), file: Some(file.clone()), kept, ..Start::default() };
    let mut screen = Screen::started(start(Kept::default()));
    until_shown(&mut seat, &mut screen, "Track Kick");
    assert!(!screen.shows("Close the library"));
    screen.click("Library");
    assert!(screen.shows("Close the library"));
    screen.app.on_exit(None);
    let mut again = Screen::started(start(Kept::load(&file)));
    until_shown(&mut seat, &mut again, "Close the library");
}

#[test]
fn files_that_are_dropped_on_an_empty_window_go_to_the_session_that_comes() {
    let (mut seat, _) = opened();
    let mut screen = Screen::started(kept(&seat));
    let file = seat.folder.join("dropped.wav");
    write_tone(&file);
    screen.drop_file(&file);
    let dir = seat.open.desk().dir().display().to_string();
    // Others come to it.
    let more = seat.folder.join("more.wav");
    write_tone(&more);
    screen.drop_file(&more);
    // The window asks for a place for a new session; an earlier one will do.
    screen.click(&format!("Use {dir}"));
    until_shown(&mut seat, &mut screen, "Track dropped");
    until_shown(&mut seat, &mut screen, "Track more");
}

#[test]
fn who_cannot_keep_what_is_set_is_told() {
    let mut seat = Seat::new();
    let taken = seat.folder.join("taken");
    fs::write(&taken, "").unwrap();
    let (dir, file) = (seat.open.desk().dir().to_owned(), taken.join("window.toml"));
    let start = Start { dir: Some(dir), file: Some(file), ..Start::default() };
    let mut screen = Screen::started(start);
    until_shown(&mut seat, &mut screen, "is known until this window closes");
}

#[test]
fn esc_puts_a_question_away_whatever_is_chosen_below_it() {
    let (_seat, mut screen) = opened();
    let press = |screen: &mut Screen, key, modifiers| {
        for pressed in [true, false] {
            let (physical_key, repeat) = (None, false);
            let event = egui::Event::Key { key, physical_key, pressed, repeat, modifiers };
            screen.draw(RawInput { events: vec![event], ..input() });
        }
    };
    press(&mut screen, egui::Key::N, egui::Modifiers::COMMAND);
    screen.draw(input());
    assert!(screen.shows("Make it"));
    press(&mut screen, egui::Key::Escape, egui::Modifiers::NONE);
    screen.draw(input());
    assert!(!screen.shows("Make it"));
}

#[test]
fn a_window_that_works_asks_before_it_closes_and_goes_when_the_work_is_done() {
    let (mut seat, mut screen) = opened();
    let file = seat.folder.join("dropped.wav");
    // Long enough that it is not there by the next frame.
    write_long(&file, HOURS / 30);
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

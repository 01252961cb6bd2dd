//! The window: the open session, its questions, and the person's actions.

mod autosave;
mod close;
mod drops;
mod example;
mod files;
mod frame;
mod late_session;
mod open_session;
mod providers;

use crate::closing_sessions::Left;
use crate::desk::{Desk, DeskError};
use crate::dialog::Dialog;
use crate::open::{OpenSession, Wake};
use crate::preferences::Preferences;
use crate::question::{Question, Wanted, session_for};
use crate::saved_state::{Frame, Kept};
use crate::sound::Output;
use close::Ending;
use crossbeam_channel::Receiver;
use deskhand_editor::{Action, Gesture, Model, NoWaves, PathAnswer, SettingsChange, show};
use deskhand_protocol::show_file::{ShowError, open_file, show_in_folder};
use deskhand_session::PlanId;
use egui::{Context, Key, Modifiers, Ui};
use open_session::{LATE, come, later};
use serde_json::json;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Under this name the window says which session it comes to.
const COMING: &str = "coming";
/// How often the picture is drawn while sound plays.
const FRAME: Duration = Duration::from_millis(16);
/// How long after a failure the hub is started again, at first and at most.
const AGAIN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];

/// What the window begins with.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The session folder; without one the window asks.
    pub dir: Option<PathBuf>,
    /// A plan to bring into view.
    pub plan: Option<PlanId>,
    /// The state that the previous window stored, and its file.
    pub kept: Kept,
    /// Where to keep it; nowhere when absent.
    pub file: Option<PathBuf>,
}

/// The window of the app.
pub struct App {
    model: Model,
    open: Option<OpenSession>,
    left: Left,
    coming: Option<Coming>,
    question: Option<Question>,
    dialogs: Vec<Dialog>,
    /// Files dropped on a window without a session; they are imported into the next one.
    dropped: Vec<PathBuf>,
    held: drops::Held,
    /// How far the end of the window is.
    ending: Ending,
    /// What is said to the model of the example once it is open.
    says: Option<String>,
    /// A session that replaces this one once the person agrees, because work is running here.
    next: Option<(Wanted, PathBuf)>,
    title: String,
    /// Held while this is the only window of its session.
    only: Option<File>,
    plan: Option<PlanId>,
    kept: Kept,
    /// The same as last written: differences were set in this window since.
    known: Kept,
    /// When it was written last, and the window's frame then.
    kept_at: (Instant, Frame),
    file: Option<PathBuf>,
    preferences: Preferences,
    /// The preferences were shown in the frame before.
    shows_preferences: bool,
    /// The number of tools waiting for the person that were reported.
    told_of_tools: usize,
    wake: Wake,
}

/// A session that is being come to, on another thread.
struct Coming {
    wanted: Wanted,
    dir: PathBuf,
    desk: Receiver<Result<Desk, DeskError>>,
    /// To come back to a session whose hub went: when, and how long to wait after that.
    back: Option<(Instant, Duration)>,
    /// When to say that it takes long; `None` once that was said, or something else is.
    late: Option<Instant>,
}

impl App {
    /// A window. Its session comes while it is shown.
    #[must_use]
    pub fn new(context: &Context, start: Start) -> Self {
        let Start { dir, plan, kept, file } = start;
        if let Some(zoom) = kept.zoom {
            context.set_zoom_factor(zoom);
        }
        let painted = context.clone();
        let wake: Wake = Arc::new(move || painted.request_repaint());
        let kept_at = (Instant::now(), kept.frame());
        let mut app = Self {
            model: Model::new(),
            open: None,
            left: Left::default(),
            coming: None,
            question: None,
            dialogs: Vec::new(),
            dropped: Vec::new(),
            held: drops::Held::default(),
            ending: Ending::default(),
            says: None,
            next: None,
            title: String::new(),
            only: None,
            plan,
            known: kept.clone(),
            kept,
            kept_at,
            file,
            preferences: Preferences::new(Arc::clone(&wake)),
            shows_preferences: false,
            told_of_tools: 0,
            wake,
        };
        app.show_kept();
        if let Some(dir) = dir {
            app.go(Wanted::Open, dir);
        }
        app
    }

    /// Opens the session in `dir`, or makes one there. Asks first if work is running in the open one.
    fn go(&mut self, wanted: Wanted, dir: PathBuf) {
        if self.model.is_at_work() {
            self.question = None;
            self.next = Some((wanted, dir));
        } else {
            self.come_to(wanted, dir);
        }
    }

    fn come_to(&mut self, wanted: Wanted, dir: PathBuf) {
        if wanted != Wanted::Example {
            self.says = None;
        }
        let opens = matches!(wanted, Wanted::Open | Wanted::Project);
        let does = if opens { "Opening" } else { "Making" };
        let name = dir.file_name().unwrap_or(dir.as_os_str()).display();
        self.model.inform(COMING, format!("{does} {name}…"));
        let desk = come(wanted, &dir, &self.wake);
        self.question = None;
        let late = Some(Instant::now() + LATE);
        self.coming = Some(Coming { wanted, dir, desk, back: None, late });
    }

    /// Takes a session that was come to; a failure becomes the question again.
    fn arrive(&mut self) {
        let Some(coming) = &self.coming else { return };
        let Ok(desk) = coming.desk.try_recv() else { return self.tell_late() };
        let Some(coming) = self.coming.take() else { return };
        if coming.back.is_some() {
            return self.back(coming, desk);
        }
        let opened = desk.map_err(|error| error.to_string()).and_then(|desk| {
            let sound = self.kept.sound.clone();
            let opened = OpenSession::new(desk, sound, Arc::clone(&self.wake));
            opened.map_err(|error| DeskError::Thread(error.to_string()).to_string())
        });
        match opened {
            Ok(open) => self.show_session(open),
            Err(failed) => {
                self.model.untell(COMING);
                let question = Question::new(coming.wanted, &self.kept.recent);
                self.question = Some(question.again(&coming.dir, &failed));
            }
        }
    }

    fn show_session(&mut self, mut open: OpenSession) {
        self.note_seen();
        self.model = Model::new();
        let seen = self.kept.seen_of(open.desk().dir());
        open.begin_at(seen.position, seen.cycle);
        self.model.look_again(seen);
        if let Some(before) = &self.open {
            open.wait_for_sound_of(before);
        }
        self.told_of_tools = 0;
        self.preferences.open(open.desk().dir().to_owned());
        self.look_for_others(open.desk().dir());
        self.show_kept();
        self.kept.remember(open.desk().dir());
        open.remember_inputs(self.kept.inputs_of(open.desk().dir()));
        self.keep();
        if let Some(plan) = self.plan.take() {
            self.model.focus_plan(plan);
        }
        Model::start().into_iter().for_each(|op| open.submit(&mut self.model, op));
        self.left.add(self.open.replace(open));
        let dropped = std::mem::take(&mut self.dropped);
        if !dropped.is_empty() {
            self.import(&dropped);
        }
    }

    /// Shows the stored settings.
    fn show_kept(&mut self) {
        self.model.set_light(self.kept.is_light);
        self.model.settings = Some(self.preferences.settings(&self.kept));
    }

    /// The hub that went is there again, or another try is due.
    fn back(&mut self, coming: Coming, desk: Result<Desk, DeskError>) {
        let Some(open) = &mut self.open else { return };
        match desk {
            Ok(desk) => {
                open.reconnect(desk, &mut self.model);
                let words =
                    "the hub ended and was started again; what ran then is to be asked again";
                self.model.tell("hub", words);
            }
            Err(error) => {
                self.model.lost(format!("{error}; it is tried again"));
                let [first, longest] = AGAIN;
                let (_, pause) = coming.back.unwrap_or((Instant::now(), first));
                let at = Instant::now() + pause;
                let desk = later(&coming.dir, pause, &self.wake);
                let back = Some((at, (pause * 2).min(longest)));
                self.coming = Some(Coming { desk, back, ..coming });
            }
        }
    }

    fn hear(&mut self) {
        let Some(open) = &mut self.open else { return };
        let gone = open.hear(&mut self.model).err();
        if let (Some(gone), None) = (gone, &self.coming) {
            self.model.lost(format!("{gone}; it is started again"));
            let dir = open.desk().dir().to_owned();
            let desk = come(Wanted::Open, &dir, &self.wake);
            let back = Some((Instant::now(), AGAIN[0]));
            let wanted = Wanted::Open;
            self.coming = Some(Coming { wanted, dir, desk, back, late: None });
        }
    }

    fn act(&mut self, action: Action) {
        if let (Action::TakeInput { track, channels }, Some(open)) = (&action, &self.open) {
            self.kept.take_input(open.desk().dir(), *track, *channels);
            self.keep();
        }
        let action = match &mut self.open {
            Some(open) => open.act(&mut self.model, action),
            None => Some(action),
        };
        let wanted = match action {
            Some(Action::OpenSession) => Wanted::Open,
            Some(Action::NewSession) => Wanted::New,
            Some(Action::OpenProject) => Wanted::Project,
            Some(Action::Import) => Wanted::Import,
            Some(Action::File(call)) => Wanted::File(call),
            Some(Action::OpenExample { asks }) => return self.open_example(asks),
            Some(Action::OpenRecent(dir)) => return self.go(Wanted::Open, dir),
            Some(Action::ShowInFolder(file)) => return self.tell_failed(show_in_folder(&file)),
            Some(Action::OpenFile(file)) => return self.tell_failed(open_file(&file)),
            Some(Action::Settings(change)) => return self.set(change),
            Some(_) | None => return,
        };
        self.ask_for(wanted);
    }

    /// The system has no program for a file.
    fn tell_failed(&mut self, shown: Result<(), ShowError>) {
        if let Err(error) = shown {
            self.model.tell("file", error.to_string());
        }
    }

    /// Applies the person's change of a setting, and stores it.
    fn set(&mut self, change: SettingsChange) {
        match change {
            SettingsChange::Device(name) => {
                self.kept.sound.device = name.map(|name| self.preferences.device(&name));
                self.choose_sound();
            }
            SettingsChange::Rate(rate) => {
                self.kept.sound.rate = rate;
                self.choose_sound();
            }
            SettingsChange::Buffer(buffer) => {
                self.kept.sound.buffer = buffer;
                self.choose_sound();
            }
            SettingsChange::Provider(_)
            | SettingsChange::Model { .. }
            | SettingsChange::Key { .. }
            | SettingsChange::Server { .. }
            | SettingsChange::Test { .. } => self.set_provider(change),
            SettingsChange::Install { model } => self.preferences.install(model),
            SettingsChange::StopInstall { model } => self.preferences.stop_install(model),
            SettingsChange::Uninstall { model } => self.preferences.uninstall(model),
            SettingsChange::LookAtTool { file } => self.preferences.look_at_tool(file),
            SettingsChange::ApproveTool { file, fingerprint } => {
                self.preferences.approve_tool(file, fingerprint);
            }
            SettingsChange::ForgetTool { file } => self.preferences.forget_tool(file),
            SettingsChange::Light(is_light) => self.kept.is_light = is_light,
            SettingsChange::Zoom(zoom) => self.kept.zoom = Some(zoom),
            SettingsChange::ReduceMotion(reduces) => self.kept.reduces_motion = reduces,
            SettingsChange::Layout(layout) => self.kept.layout = layout,
            SettingsChange::KeepPreset(preset) => self.kept.keep_preset(preset),
            SettingsChange::RemovePreset(preset) => self.kept.remove_preset(&preset),
            // The hub's.
            SettingsChange::LocalOnly(_)
            | SettingsChange::Asking(_)
            | SettingsChange::Capture(_)
            | SettingsChange::Rule { .. } => return,
        }
        self.show_kept();
        self.keep();
    }

    fn choose_sound(&mut self) {
        if let Some(open) = &mut self.open {
            open.choose(self.kept.sound.clone());
        }
        self.preferences.refresh_devices(&self.kept.sound);
    }

    /// Takes the news about the preferences. When the person opens them, they show the current state.
    fn look_at_preferences(&mut self) {
        let was_shown = self.shows_preferences;
        self.shows_preferences = self.model.shows_preferences();
        if self.shows_preferences && !was_shown {
            self.preferences.refresh(&self.kept.sound);
            self.open.iter_mut().for_each(OpenSession::look_for_sound);
        }
        let (is_new, wrong) = self.preferences.look();
        if let Some(wrong) = wrong {
            self.model.tell("settings", wrong);
        } else if is_new {
            self.model.untell("settings");
        }
        if is_new {
            self.show_kept();
            self.tell_of_tools();
        }
    }

    /// Tools that came with a session do not run by themselves: the person is told, once.
    fn tell_of_tools(&mut self) {
        let waiting = self.preferences.waiting_tools();
        if std::mem::replace(&mut self.told_of_tools, waiting) == waiting {
            return;
        }
        let words = match waiting {
            0 => return self.model.untell("tools"),
            1 => "A tool came with this session. It does".to_owned(),
            count => format!("{count} tools came with this session. They do"),
        };
        let way = "nothing until you approve it in the preferences, under Tools.";
        self.model.inform("tools", format!("{words} {way}"));
    }

    /// The keys that every program has for its files.
    fn take_keys(&mut self, context: &Context) {
        let keys = [(Key::N, Wanted::New), (Key::O, Wanted::Open), (Key::I, Wanted::Import)];
        for (key, wanted) in keys {
            let is_pressed = context.input_mut(|input| input.consume_key(Modifiers::COMMAND, key));
            if is_pressed && (wanted != Wanted::Import || self.open.is_some()) {
                self.ask_for(wanted);
            }
        }
    }

    /// Asks by the system's dialog, else by a question of its own.
    fn ask_for(&mut self, wanted: Wanted) {
        let wake = Arc::clone(&self.wake);
        let offered = match wanted {
            Wanted::File(call) => self.model.offer(call),
            Wanted::Open | Wanted::New | Wanted::Example | Wanted::Project | Wanted::Import => {
                PathBuf::new()
            }
        };
        if let Some(dialog) = Dialog::open(wanted, offered.clone(), move || wake()) {
            self.dialogs.push(dialog);
            return;
        }
        self.question = Some(match wanted {
            Wanted::File(call) => Question::file(call, &offered),
            Wanted::Open | Wanted::New | Wanted::Example | Wanted::Project | Wanted::Import => {
                Question::new(wanted, &self.kept.recent)
            }
        });
    }

    fn import(&mut self, files: &[PathBuf]) {
        if let Some(open) = &mut self.open {
            let (gesture, params) = (Gesture::ImportAudio, json!({"files": files}));
            open.act(&mut self.model, Action::Call { gesture, params });
        } else {
            self.dropped.extend_from_slice(files);
            if self.coming.is_none() {
                self.ask_for(Wanted::New);
            }
        }
    }

    fn ask(&mut self, context: &Context) {
        let Some(question) = &mut self.question else { return };
        match (question.show(context), question.wanted) {
            (PathAnswer::NotYet, _) => {}
            (PathAnswer::Never, _) => {
                self.question = None;
                self.dropped.clear();
            }
            (PathAnswer::Recent(path), _) => self.go(Wanted::Open, path),
            (PathAnswer::Path { path, .. }, Wanted::Import) => self.import_typed(&path),
            (PathAnswer::Path { path, .. }, Wanted::File(call)) => {
                self.question = None;
                self.take_file(call, &path);
            }
            (PathAnswer::Path { path, by: 1 }, Wanted::Open) => {
                self.go(Wanted::New, session_for(&path));
            }
            (PathAnswer::Path { path, .. }, wanted) => self.go(wanted, path),
        }
    }
}

impl eframe::App for App {
    /// Also called while the window is hidden: edits of others are heard all the same.
    fn logic(&mut self, context: &Context, _: &mut eframe::Frame) {
        self.arrive();
        self.hear();
        self.say_to_example();
        self.look_at_preferences();
        if let Some(open) = &mut self.open {
            open.show(&mut self.model);
        }
        self.keep_place(context);
        let live = &self.model.live;
        if live.motion != deskhand_editor::Motion::Stopped || !live.incoming.is_empty() {
            context.request_repaint_after(FRAME);
        }
        let due = self.open.as_ref().and_then(OpenSession::output).and_then(Output::due);
        let late = self.coming.as_ref().and_then(|coming| coming.late);
        for due in due.into_iter().chain(late) {
            context.request_repaint_after(due.saturating_duration_since(Instant::now()));
        }
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        self.take_drops(&context);
        self.take_keys(&context);
        self.take_chosen();
        self.note_frame(&context);
        self.name_window(&context);
        let actions = match &self.open {
            Some(open) => show(ui, &mut self.model, &open.peaks),
            None => show(ui, &mut self.model, &NoWaves),
        };
        actions.into_iter().for_each(|action| self.act(action));
        self.ask(&context);
        self.ask_to_switch(&context);
        self.close(&context);
        self.show_held(&context);
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        self.keep();
        self.left.add(self.open.take());
        self.left = Left::default();
    }
}

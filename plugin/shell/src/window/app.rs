//! What the window shows: the views on the session, or why there is none.
//!
//! Thread: window

use crate::guard::Entry;
use crate::hub::Chair;
use crate::params::{DeskhandParams, LEAST_TRIM, MOST_TRIM};
use crate::shared::{Seated, Shared, Standing, WindowLink};
use deskhand_dsp::Frames;
use deskhand_editor::{
    Action, Model, Motion, NoWaves, Settings, SettingsChange, SoundOutput, show_plugin,
};
use deskhand_protocol::socket::SocketLink;
use deskhand_protocol::{Link, Op};
use egui::{Align, Layout, RichText, Ui};
use nice_plug::context::gui::GuiContext;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A desk gain that has stood this long moves into trim.
const SETTLED: Duration = Duration::from_millis(500);
/// How often it is looked whether it may move.
const GLANCE: Duration = Duration::from_millis(50);
/// A host that does not take a trim in this time does not take it.
const FOLD_PATIENCE: Duration = Duration::from_secs(2);

/// The path of a session, as the person types it.
struct Question {
    makes: bool,
    path: String,
}

/// The views and what they stand on.
pub(super) struct App {
    params: Arc<DeskhandParams>,
    shared: Arc<Shared>,
    chair: Arc<Chair>,
    model: Model,
    link: Option<Arc<SocketLink>>,
    gui: Option<GuiContext>,
    question: Option<Question>,
    is_broken: bool,
    /// The desk gain as it was seen last, and since when.
    desk: (f32, Instant),
}

impl App {
    pub(super) fn new(params: Arc<DeskhandParams>, shared: Arc<Shared>, chair: Arc<Chair>) -> Self {
        Self {
            params,
            shared,
            chair,
            model: Model::new(),
            link: None,
            gui: None,
            question: None,
            is_broken: false,
            desk: (0.0, Instant::now()),
        }
    }

    /// A window shows it from now on.
    pub(super) fn opened(&mut self, context: &egui::Context, gui: GuiContext) {
        deskhand_editor::install(context);
        self.gui = Some(gui);
        self.is_broken = false;
    }

    /// The window is gone; the model stays.
    pub(super) fn closed(&mut self) {
        self.link = None;
    }

    /// It panicked: the views are not asked again until the window is opened anew.
    pub(super) fn broke(&mut self) {
        self.is_broken = true;
        self.link = None;
        self.model = Model::new();
    }

    pub(super) fn show(&mut self, ui: &mut Ui) {
        if self.is_broken {
            say(ui, "Deskhand's window stopped", Entry::Window.message());
            return;
        }
        self.fold(ui.ctx());
        self.take_link();
        self.hear();
        if self.link.is_some() {
            self.follow_host(ui.ctx());
            self.settle(ui.ctx());
            let actions = show_plugin(ui, &mut self.model, &NoWaves);
            actions.into_iter().for_each(|action| self.act(action, ui.ctx()));
        } else {
            self.explain(ui);
        }
        self.ask(ui.ctx());
        let failed = self.shared.faults.latest().map(|entry| entry.message().to_owned());
        if let Some(words) = failed.or_else(|| self.shared.capture_trouble()) {
            trouble(ui.ctx(), &words);
        }
    }

    /// Shows where the host is; its transport is not ours to move.
    fn follow_host(&mut self, context: &egui::Context) {
        let (place, live) = (self.shared.clock.place(), &mut self.model.live);
        live.output = SoundOutput::Host { name: crate::hub::host_name() };
        live.motion = if place.moves { Motion::Playing } else { Motion::Stopped };
        if let Standing::Joined(Seated { rate: Some(rate), .. }) = self.shared.standing()
            && place.rate > 0.0
        {
            let at = place.at as f64 * f64::from(rate) / f64::from(place.rate);
            live.position = Frames(at.round() as i64);
        }
        if place.moves {
            context.request_repaint_after(GLANCE);
        }
    }

    /// What can be set here: how the window looks. Sound is the host's, and who answers is the hub's.
    fn settle(&mut self, context: &egui::Context) {
        let window = self.shared.saved.now().window;
        self.model.set_light(window.is_light);
        self.model.settings = Some(Settings {
            is_light: window.is_light,
            zoom: context.zoom_factor(),
            reduces_motion: window.reduces_motion,
            ..Settings::default()
        });
    }

    /// Carries out what was set; the project stores it with the instance.
    fn set(&mut self, change: SettingsChange, context: &egui::Context) {
        let saved = &self.shared.saved;
        match change {
            SettingsChange::Light(on) => saved.change(|saved| saved.window.is_light = on),
            SettingsChange::ReduceMotion(on) => {
                saved.change(|saved| saved.window.reduces_motion = on);
            }
            // What is drawn next tells the new zoom, which is then saved.
            SettingsChange::Zoom(zoom) => context.set_zoom_factor(zoom),
            other => {
                if let Some(op) = other.op() {
                    self.submit(op);
                }
            }
        }
    }

    /// Follows the connection that the link's thread made for this window.
    fn take_link(&mut self) {
        let mut window = self.shared.window();
        let open = match &*window {
            WindowLink::Open(link) => Some(Arc::clone(link)),
            WindowLink::Closed => {
                *window = WindowLink::Wanted;
                None
            }
            WindowLink::Wanted | WindowLink::Coming => None,
        };
        drop(window);
        let same = match (&self.link, &open) {
            (Some(mine), Some(open)) => Arc::ptr_eq(mine, open),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !same {
            self.link = open;
            self.model = Model::new();
            Model::start().into_iter().for_each(|op| self.submit(op));
        }
    }

    fn submit(&mut self, op: Op) {
        if let Some(link) = &self.link {
            let call = link.submit(op.clone());
            self.model.sent(call, &op);
        }
    }

    fn hear(&mut self) {
        while let Some(link) = &self.link {
            match link.events().try_recv() {
                Ok(event) => {
                    let wanted = self.model.hear(&event);
                    wanted.into_iter().for_each(|op| self.submit(op));
                }
                Err(crossbeam_channel::TryRecvError::Empty) => return,
                Err(crossbeam_channel::TryRecvError::Disconnected) => {
                    self.link = None;
                    *self.shared.window() = WindowLink::Wanted;
                }
            }
        }
    }

    fn act(&mut self, action: Action, context: &egui::Context) {
        match action {
            Action::Settings(change) => self.set(change, context),
            Action::OpenSession => {
                self.question = Some(Question { makes: false, path: String::new() });
            }
            Action::NewSession => {
                self.question = Some(Question { makes: true, path: String::new() });
            }
            other => {
                if let Some(op) = other.op() {
                    self.submit(op);
                }
            }
        }
    }

    /// Why there is no session to show.
    fn explain(&self, ui: &mut Ui) {
        match self.shared.standing() {
            Standing::Failed { why } => say(ui, "Deskhand has no session yet", &why),
            Standing::Alone | Standing::Coming => {
                say(ui, "Coming to the session…", "Sound passes, and every parameter works.");
            }
            Standing::Joined(_) => say(ui, "Opening the session…", ""),
        }
    }

    /// Moves the desk gain into trim by one gesture, on the host's main thread, where we are.
    fn fold(&mut self, context: &egui::Context) {
        let pair = self.shared.gains.pair();
        if pair.desk != 0.0 || self.shared.coming.is_waiting() {
            context.request_repaint_after(GLANCE);
        }
        if pair.desk.to_bits() != self.desk.0.to_bits() {
            self.desk = (pair.desk, Instant::now());
        }
        let waited = self.desk.1.elapsed();
        if self.shared.gains.is_folding() {
            if waited > SETTLED + FOLD_PATIENCE {
                self.shared.gains.cancel_fold();
                self.desk.1 = Instant::now() + FOLD_PATIENCE * 5;
            }
            return;
        }
        if waited < SETTLED || self.shared.coming.is_waiting() {
            return;
        }
        let wanted = self.shared.gains.begin_fold(LEAST_TRIM, MOST_TRIM);
        if let (Some(trim), Some(gui)) = (wanted, &self.gui) {
            let setter = gui.param_setter();
            setter.begin_set_parameter(&self.params.trim);
            setter.set_parameter(&self.params.trim, trim);
            setter.end_set_parameter(&self.params.trim);
        }
    }

    fn ask(&mut self, context: &egui::Context) {
        let Some(question) = &mut self.question else { return };
        let (title, label) =
            if question.makes { ("New session", "Make it") } else { ("Open a session", "Open") };
        let (mut goes, mut stays) = (false, true);
        egui::Window::new(title).collapsible(false).resizable(false).show(context, |ui| {
            let edit = egui::TextEdit::singleline(&mut question.path).hint_text("a folder");
            let field = ui.add(edit.desired_width(420.0));
            if question.path.is_empty() && !field.has_focus() {
                field.request_focus();
            }
            ui.horizontal(|ui| {
                let enter = field.lost_focus() && ui.input(|it| it.key_pressed(egui::Key::Enter));
                goes = ui.button(label).clicked() || enter;
                if !question.makes && ui.button("Make a new one there").clicked() {
                    (goes, question.makes) = (true, true);
                }
                stays = !ui.button("Cancel").clicked();
            });
        });
        let path = question.path.trim().to_owned();
        let makes = question.makes;
        if goes && !path.is_empty() {
            self.chair.use_session(PathBuf::from(path), makes);
        }
        if !stays || goes {
            self.question = None;
        }
    }
}

fn say(ui: &mut Ui, title: &str, words: &str) {
    ui.with_layout(Layout::top_down(Align::Center), |ui| {
        ui.add_space((ui.available_height() * 0.35).max(0.0));
        ui.label(RichText::new(title).heading());
        ui.add_space(8.0);
        ui.add(egui::Label::new(words).wrap());
    });
}

fn trouble(context: &egui::Context, words: &str) {
    egui::Area::new(egui::Id::unique("deskhand fault"))
        .anchor(egui::Align2::CENTER_BOTTOM, [0.0, -24.0])
        .show(context, |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.colored_label(ui.visuals().error_fg_color, words);
            });
        });
}

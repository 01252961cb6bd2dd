//! What the window shows: the views on the session, or why there is none.
//!
//! Thread: window

use crate::capturing::Capturing;
use crate::guard::Entry;
use crate::hub::Chair;
use crate::meter::{Looker, Reading};
use crate::params::{DeskhandParams, LEAST_TRIM, MOST_TRIM};
use crate::shared::{Seated, Shared, Standing, WindowLink};
use crate::window::waves::HubWaves;
use deskhand_dsp::{Frames, Lufs};
use deskhand_editor::{
    Action, CaptureMode, CaptureSettings, Levels, Model, Motion, Settings, SettingsChange,
    SoundOutput, show_plugin,
};
use deskhand_protocol::desk::{Play, Which};
use deskhand_protocol::socket::SocketLink;
use deskhand_protocol::{Apply, Link, Op};
use deskhand_session::PlanId;
use egui::{Align, Layout, RichText, Ui};
use nice_plug::context::gui::GuiContext;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A desk gain that has stood this long moves into trim.
const SETTLED: Duration = Duration::from_millis(500);
/// How often it is looked whether it may move.
const GLANCE: Duration = Duration::from_millis(33);
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
    waves: HubWaves,
    /// While the window is open.
    looker: Option<Looker>,
    is_broken: bool,
    /// The ticks of the plan that is heard, as they were last.
    ticks: Option<(PlanId, u64)>,
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
            waves: HubWaves::default(),
            looker: None,
            is_broken: false,
            ticks: None,
            desk: (0.0, Instant::now()),
        }
    }

    /// A window shows it from now on.
    pub(super) fn opened(&mut self, context: &egui::Context, gui: GuiContext) {
        deskhand_editor::install(context);
        self.gui = Some(gui);
        self.looker = Some(Looker::new());
        self.is_broken = false;
    }

    /// The window is gone; the model stays.
    pub(super) fn closed(&mut self) {
        (self.link, self.looker) = (None, None);
        self.waves = HubWaves::default();
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
            let actions = show_plugin(ui, &mut self.model, &self.waves);
            actions.into_iter().for_each(|action| self.act(action, ui.ctx()));
            self.follow_ticks();
            self.ask_for_waves(ui.ctx());
            self.ask_where_to_go(ui.ctx());
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
        let hearing = self.model.heard_in_host();
        let heard = hearing.map(|it| ((it.plan, it.which), it.match_gain));
        let (place, live) = (self.shared.clock.place(), &mut self.model.live);
        live.hearing = heard.map(|(heard, _)| heard);
        live.match_gain = heard.and_then(|(_, gain)| gain);
        live.output = SoundOutput::Host { name: crate::hub::host_name() };
        live.motion = if place.moves { Motion::Playing } else { Motion::Stopped };
        if let Standing::Joined(Seated { rate: Some(rate), .. }) = self.shared.standing()
            && place.rate > 0.0
        {
            let at = place.at as f64 * f64::from(rate) / f64::from(place.rate);
            live.position = Frames(at.round() as i64);
        }
        self.show_levels();
        if place.moves {
            context.request_repaint_after(GLANCE);
        }
    }

    /// Meters of every instance of this process: each measures what leaves it.
    fn show_levels(&mut self) {
        self.model.live.tracks.clear();
        for (Seated { track, .. }, one) in self.shared.peers() {
            self.model.live.tracks.insert(track, levels(&one.meter.reading()));
        }
    }

    fn ask_for_waves(&self, context: &egui::Context) {
        if let Some(link) = &self.link {
            self.waves.ask(|op| link.submit(op));
        }
        if self.waves.is_waiting() {
            context.request_repaint_after(GLANCE);
        }
    }

    /// The project was saved at another revision than the session is at: what now is the person's choice.
    fn ask_where_to_go(&mut self, context: &egui::Context) {
        let Some(saved) = self.shared.saved_elsewhere() else { return };
        let mut choice = None;
        let title = "The session went on without this project";
        egui::Window::new(title).collapsible(false).resizable(false).show(context, |ui| {
            ui.label(format!(
                "The host saved this project at revision {} of the session, which is at another now.",
                saved.revision
            ));
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                for (words, goes) in saved.choices.iter().zip([None, Some(saved.revision)]) {
                    if ui.button(capitalized(words)).clicked() {
                        choice = Some(goes);
                    }
                }
            });
        });
        let Some(goes) = choice else { return };
        if let Some(revision) = goes {
            self.submit(Op::GoTo { revision });
        }
        // All instances of a project were saved at one moment.
        let same =
            |one: &Shared| one.saved_elsewhere().is_some_and(|it| it.revision == saved.revision);
        let peers = self.shared.peers().into_iter().filter(|(_, one)| same(one));
        peers.for_each(|(_, one)| one.set_saved_elsewhere(None));
    }

    /// What can be set here: how the window looks. Sound is the host's, and who answers is the hub's.
    fn settle(&mut self, context: &egui::Context) {
        let window = self.shared.saved.now().window;
        self.model.set_light(window.is_light);
        let (wanted, is_armed) = (Capturing::now(), self.shared.saved.is_armed());
        let mode = match (is_armed, wanted.rolls) {
            (true, _) => CaptureMode::Armed,
            (false, true) => CaptureMode::Rolling,
            (false, false) => CaptureMode::Off,
        };
        let Capturing { minutes, most_gb, .. } = wanted;
        self.model.settings = Some(Settings {
            capture: Some(CaptureSettings { mode, minutes, most_gb }),
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
            SettingsChange::Capture(CaptureSettings { mode, minutes, most_gb }) => {
                saved.change(|saved| saved.armed = mode == CaptureMode::Armed);
                // What is armed here says nothing of what rolls elsewhere.
                let rolls = match mode {
                    CaptureMode::Rolling => true,
                    CaptureMode::Armed => Capturing::now().rolls,
                    CaptureMode::Off => false,
                };
                self.chair.capture(Capturing { rolls, minutes, most_gb });
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
            (self.model, self.waves) = (Model::new(), HubWaves::default());
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
                    if self.waves.hear(&event) {
                        continue;
                    }
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
            Action::Play(Play::Hear { plan, which }) => self.hear_plan(plan, which),
            other => {
                if let Some(op) = other.op() {
                    self.submit(op);
                }
            }
        }
    }

    /// Asks the hub for a side of a plan, as it is ticked, in every instance.
    fn hear_plan(&mut self, plan: PlanId, which: Which) {
        let mut params = json!({"plan_id": plan, "which": which});
        if let Some((only, set)) = self.model.ticks(plan) {
            let set: Map<String, Value> =
                set.into_iter().map(|edit| (edit.change, edit.after)).collect();
            (params["only"], params["set"]) = (json!(only), Value::Object(set));
        }
        let tool = "cmd_hear".into();
        self.submit(Op::Call { tool, params, apply: Apply::ByPolicy });
    }

    /// A plan that is heard is heard as it is ticked now.
    fn follow_ticks(&mut self) {
        let heard = self.model.live.hearing.filter(|(_, which)| *which != Which::Current);
        let ticks = heard.and_then(|(plan, _)| Some((plan, self.model.ticks_of(plan)?)));
        let changed = ticks
            .zip(self.ticks)
            .is_some_and(|(now, before)| now.0 == before.0 && now.1 != before.1);
        self.ticks = ticks;
        if let Some((plan, which)) = heard.filter(|_| changed) {
            self.hear_plan(plan, which);
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

fn levels(reading: &Reading) -> Levels {
    let lufs =
        |energy: f32| Lufs::from_energy(energy.into()).map_or(f32::NEG_INFINITY, |it| it.0 as f32);
    let [momentary, short_term] = reading.energies.map(lufs);
    Levels {
        peak: reading.peak,
        rms: reading.mean_square.map(f32::sqrt),
        momentary,
        short_term,
        integrated: f32::NEG_INFINITY,
        true_peak: reading.true_peak,
    }
}

/// The first letter large.
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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

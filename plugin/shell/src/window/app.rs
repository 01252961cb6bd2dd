//! The content of the window: the views of the session, or why there is none.
//!
//! Thread: window

mod following;
mod hearing;
mod learning;
mod questions;

use crate::guard::Entry;
use crate::hub::Chair;
use crate::meter::Looker;
use crate::shared::{Shared, Standing, WindowLink};
use crate::window::providers::Providers;
use crate::window::waves::HubWaves;
use deskhand_editor::{Action, Contents, Files, Model, show_plugin};
use deskhand_protocol::desk::Play;
use deskhand_protocol::show_file::{ShowError, open_file, show_in_folder};
use deskhand_protocol::socket::SocketLink;
use deskhand_protocol::{Link, News, Op};
use deskhand_session::PlanId;
use egui::{Align, Layout, RichText, Ui};
use learning::Learn;
use questions::Question;
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked at what moves.
const GLANCE: Duration = Duration::from_millis(33);

/// The views and what they need.
pub(super) struct App {
    shared: Arc<Shared>,
    chair: Arc<Chair>,
    model: Model,
    link: Option<Arc<SocketLink>>,
    question: Option<Question>,
    waves: HubWaves,
    /// While there is a session.
    files: Option<Files>,
    /// What floating windows show, likewise.
    contents: Option<Contents>,
    /// The providers, likewise.
    providers: Option<Providers>,
    /// While the window is open.
    looker: Option<Looker>,
    is_broken: bool,
    /// The ticks of the plan that is heard, as they were last.
    ticks: Option<(PlanId, u64)>,
    /// While the next passage is recorded for the person.
    learn: Option<Learn>,
}

impl App {
    pub(super) fn new(shared: Arc<Shared>, chair: Arc<Chair>) -> Self {
        Self {
            shared,
            chair,
            model: Model::new(),
            link: None,
            question: None,
            waves: HubWaves::default(),
            files: None,
            contents: None,
            providers: None,
            looker: None,
            is_broken: false,
            ticks: None,
            learn: None,
        }
    }

    /// A window shows it from now on.
    pub(super) fn opened(&mut self, context: &egui::Context) {
        deskhand_editor::install(context);
        self.looker = Some(Looker::new());
        self.is_broken = false;
    }

    /// The window is gone; the model stays.
    pub(super) fn closed(&mut self) {
        self.shared.alone.ask(None);
        self.learn(false);
        (self.link, self.looker, self.files) = (None, None, None);
        (self.contents, self.model.resources, self.providers) = (None, None, None);
        self.waves = HubWaves::default();
    }

    /// Called after a panic: the views do not run again until the window is reopened.
    pub(super) fn broke(&mut self) {
        self.is_broken = true;
        (self.link, self.contents, self.providers) = (None, None, None);
        self.model = Model::new();
    }

    /// The window has no room for the zoom that was set.
    pub(super) fn say_of_zoom(&mut self, words: String) {
        self.model.inform("zoom", words);
    }

    pub(super) fn show(&mut self, ui: &mut Ui) {
        if self.is_broken {
            say(ui, "Deskhand's window stopped", Entry::Window.message());
            return;
        }
        if self.shared.saved.take_fault() {
            self.shared.faults.note(Entry::State);
        }
        self.take_link();
        self.hear();
        if self.link.is_some() {
            self.follow_host(ui.ctx());
            self.settle(ui.ctx());
            self.follow_session();
            let actions = show_plugin(ui, &mut self.model, &self.waves);
            actions.into_iter().for_each(|action| self.act(action, ui.ctx()));
            self.follow_ticks();
            self.ask_for_waves(ui.ctx());
            let goes = self.ask_where_to_go(ui.ctx());
            goes.into_iter().for_each(|op| self.submit(op));
            self.ask_for_missing(ui.ctx());
        } else {
            self.explain(ui);
        }
        self.ask(ui.ctx());
        let failed = self.shared.faults.latest().map(|entry| entry.message().to_owned());
        let failed = failed.or_else(|| self.shared.capture_trouble());
        if let Some(words) = failed.or_else(|| self.shared.alone.trouble()) {
            trouble(ui.ctx(), &words);
        }
        #[cfg(feature = "test-probes")]
        self.note_shown(ui);
    }

    #[cfg(feature = "test-probes")]
    fn note_shown(&self, ui: &Ui) {
        let levels = self.model.live.tracks.values().flat_map(|levels| levels.peak);
        crate::test_probes::note_shown(ui, levels.fold(0.0, f32::max));
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
            (self.model, self.waves) = (Model::new(), HubWaves::new(self.read_samples()));
            self.files = self.look_after_files();
            self.show_contents();
            self.providers = Providers::new(self.waker());
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
                    if let (News::Window { .. }, Some(contents)) = (&event.news, &self.contents) {
                        contents.forget_files();
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
            Action::OpenSession => self.question = Some(Question::new(false)),
            Action::NewSession => self.question = Some(Question::new(true)),
            Action::File(call) => {
                self.question = Some(Question::file(call, &self.model.offer(call)));
            }
            Action::Play(Play::Hear { plan, which }) => self.hear_plan(plan, which),
            Action::Learn(starts) => self.learn(starts),
            Action::ShowInFolder(file) => self.tell_failed(show_in_folder(&file)),
            Action::OpenFile(file) => self.tell_failed(open_file(&file)),
            Action::Audition(stretch) => self.shared.hear_alone(stretch),
            other => {
                if let Some(op) = self.model.op(other) {
                    self.submit(op);
                }
            }
        }
    }

    /// The system has no program for a file.
    fn tell_failed(&mut self, shown: Result<(), ShowError>) {
        if let Err(error) = shown {
            self.model.tell("file", error.to_string());
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

#[cfg(all(test, feature = "test-probes"))]
mod tests;

//! The window: events into the model, actions onto the link.

use crate::desk::Desk;
use crate::peaks::Peaks;
use deskhand_editor::{Action, Model, NoWaves, show};
use deskhand_protocol::{Apply, News, Op};
use deskhand_session::PlanId;
use egui::{Context, Ui};
use serde_json::json;
use std::path::{Path, PathBuf};

/// What the path in the question is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Open,
    New,
}

/// A question for a folder.
struct Question {
    wanted: Wanted,
    path: String,
    failed: String,
}

/// The window of the app.
pub struct App {
    model: Model,
    open: Option<(Desk, Peaks)>,
    question: Option<Question>,
    plan: Option<PlanId>,
    is_light: bool,
}

impl App {
    /// A window on the session in `dir`; without one it asks. `plan` is brought into view.
    pub fn new(
        context: &Context,
        dir: Option<PathBuf>,
        plan: Option<PlanId>,
        is_light: bool,
    ) -> Self {
        let (model, open, question) = (Model::new(), None, None);
        let mut app = Self { model, open, question, plan, is_light };
        app.model.set_light(is_light);
        if let Some(dir) = dir {
            app.go(context, Wanted::Open, &dir);
        }
        app
    }

    /// Opens or makes the session in `dir`; a failure becomes the question again.
    fn go(&mut self, context: &Context, wanted: Wanted, dir: &Path) {
        match reach(context, wanted, dir) {
            Ok(open) => {
                self.open = Some(open);
                self.question = None;
                self.model = Model::new();
                self.model.set_light(self.is_light);
                if let Some(plan) = self.plan.take() {
                    self.model.focus_plan(plan);
                }
                Model::start().into_iter().for_each(|op| self.submit(op));
            }
            Err(error) => {
                let (path, failed) = (dir.display().to_string(), format!("{error:#}"));
                self.question = Some(Question { wanted, path, failed });
            }
        }
    }

    fn submit(&mut self, op: Op) {
        if let Some((desk, _)) = &self.open {
            let call = desk.submit(op.clone());
            self.model.sent(call, &op);
        }
    }

    fn hear(&mut self) {
        loop {
            let Some((desk, peaks)) = &mut self.open else { return };
            match desk.next() {
                Ok(Some(event)) => {
                    if let News::Media { source, .. } = &event.news {
                        peaks.ask_again(*source);
                    }
                    let wanted = self.model.hear(&event);
                    wanted.into_iter().for_each(|op| self.submit(op));
                }
                Ok(None) => break,
                Err(error) => {
                    self.model.lost(error.to_string());
                    break;
                }
            }
        }
        if let (Some((_, peaks)), Some(session)) = (&mut self.open, self.model.session()) {
            peaks.follow(session);
        }
    }

    fn act(&mut self, action: Action) {
        let wanted = match action {
            Action::OpenSession => Wanted::Open,
            Action::NewSession => Wanted::New,
            other => {
                if let Some(op) = other.op() {
                    self.submit(op);
                }
                return;
            }
        };
        let (path, failed) = (String::new(), String::new());
        self.question = Some(Question { wanted, path, failed });
    }

    /// Dropped files are imported; a dropped session is opened.
    fn take_drops(&mut self, context: &Context) {
        let paths: Vec<PathBuf> = context.input(|input| {
            input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect()
        });
        if let Some(session) = paths.iter().find(|path| path.join("session.db").is_file()) {
            self.go(context, Wanted::Open, &session.clone());
        } else if !paths.is_empty() {
            let params = json!({"files": paths});
            self.submit(Op::Call { tool: "import_audio".into(), params, apply: Apply::Now });
        }
    }

    fn ask(&mut self, context: &Context) {
        let Some(question) = &mut self.question else { return };
        let (title, label, hint) = match question.wanted {
            Wanted::Open => ("Open a session", "Open", "the folder of a session"),
            Wanted::New => ("New session", "Make it", "a folder that is not there yet"),
        };
        let (mut goes, mut stays) = (false, true);
        egui::Window::new(title).collapsible(false).resizable(false).show(context, |ui| {
            let edit = egui::TextEdit::singleline(&mut question.path).hint_text(hint);
            let field = ui.add(edit.desired_width(420.0));
            if question.path.is_empty() && !field.has_focus() {
                field.request_focus();
            }
            if !question.failed.is_empty() {
                ui.colored_label(ui.visuals().error_fg_color, &question.failed);
            }
            ui.horizontal(|ui| {
                let enter = field.lost_focus() && ui.input(|it| it.key_pressed(egui::Key::Enter));
                goes = ui.button(label).clicked() || enter;
                stays = !ui.button("Cancel").clicked();
            });
        });
        if !stays {
            self.question = None;
        } else if goes && !question.path.trim().is_empty() {
            let (wanted, path) = (question.wanted, PathBuf::from(question.path.trim()));
            self.go(context, wanted, &path);
        }
    }
}

fn reach(context: &Context, wanted: Wanted, dir: &Path) -> anyhow::Result<(Desk, Peaks)> {
    let wake = || {
        let context = context.clone();
        move || context.request_repaint()
    };
    let desk = match wanted {
        Wanted::Open => Desk::open(dir, wake())?,
        Wanted::New => Desk::create(dir, wake())?,
    };
    let peaks = Peaks::new(&desk.dir, wake())?;
    Ok((desk, peaks))
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        self.hear();
        self.take_drops(&context);
        let actions = match &self.open {
            Some((_, peaks)) => show(ui, &mut self.model, peaks),
            None => show(ui, &mut self.model, &NoWaves),
        };
        actions.into_iter().for_each(|action| self.act(action));
        self.ask(&context);
    }
}

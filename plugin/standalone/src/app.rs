//! The window: what is open, what is asked, and what the person did.

use crate::desk::{Desk, DeskError};
use crate::open::{OpenSession, Wake};
use crate::question::{Answer, Question, Wanted};
use crate::sound::Choice;
use crossbeam_channel::{Receiver, bounded};
use deskhand_editor::{Action, Model, NoWaves, show};
use deskhand_protocol::{Apply, Op};
use deskhand_session::PlanId;
use egui::{Context, Ui};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Hz of a new session.
const RATE: u32 = 48_000;
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
    /// Light instead of dark.
    pub is_light: bool,
}

/// The window of the app.
pub struct App {
    model: Model,
    open: Option<OpenSession>,
    coming: Option<Coming>,
    question: Option<Question>,
    plan: Option<PlanId>,
    is_light: bool,
    wake: Wake,
}

/// A session that is being come to, on another thread.
struct Coming {
    wanted: Wanted,
    dir: PathBuf,
    desk: Receiver<Result<Desk, DeskError>>,
    /// To come back to a session whose hub went: when, and how long to wait after that.
    back: Option<(Instant, Duration)>,
}

impl App {
    /// A window. Its session comes while it is shown.
    #[must_use]
    pub fn new(context: &Context, start: Start) -> Self {
        let context = context.clone();
        let wake: Wake = Arc::new(move || context.request_repaint());
        let (open, coming, question) = (None, None, None);
        let Start { dir, plan, is_light } = start;
        let mut app = Self { model: Model::new(), open, coming, question, plan, is_light, wake };
        app.model.set_light(is_light);
        if let Some(dir) = dir {
            app.go(Wanted::Open, dir);
        }
        app
    }

    /// Comes to the session in `dir`, or makes one there.
    fn go(&mut self, wanted: Wanted, dir: PathBuf) {
        let desk = come(wanted, &dir, &self.wake);
        self.question = None;
        self.coming = Some(Coming { wanted, dir, desk, back: None });
    }

    /// Takes a session that was come to; a failure becomes the question again.
    fn arrive(&mut self) {
        let Some(coming) = &self.coming else { return };
        let Ok(desk) = coming.desk.try_recv() else { return };
        let Some(coming) = self.coming.take() else { return };
        if coming.back.is_some() {
            return self.back(coming, desk);
        }
        let opened = desk.map_err(|error| error.to_string()).and_then(|desk| {
            let opened = OpenSession::new(desk, Choice::default(), Arc::clone(&self.wake));
            opened.map_err(|error| error.to_string())
        });
        match opened {
            Ok(open) => self.show_session(open),
            Err(failed) => {
                self.question = Some(Question::again(coming.wanted, &coming.dir, failed));
            }
        }
    }

    fn show_session(&mut self, open: OpenSession) {
        self.model = Model::new();
        self.model.set_light(self.is_light);
        if let Some(plan) = self.plan.take() {
            self.model.focus_plan(plan);
        }
        Model::start().into_iter().for_each(|op| open.submit(&mut self.model, op));
        self.open = Some(open);
    }

    /// The hub that went is there again, or another try is due.
    fn back(&mut self, coming: Coming, desk: Result<Desk, DeskError>) {
        let Some(open) = &mut self.open else { return };
        match desk {
            Ok(desk) => open.reconnect(desk, &mut self.model),
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
            self.coming = Some(Coming { wanted: Wanted::Open, dir, desk, back });
        }
    }

    fn act(&mut self, action: Action) {
        let action = match &mut self.open {
            Some(open) => open.act(&mut self.model, action),
            None => Some(action),
        };
        let wanted = match action {
            Some(Action::OpenSession) => Wanted::Open,
            Some(Action::NewSession) => Wanted::New,
            Some(Action::Import) => Wanted::Import,
            Some(_) | None => return,
        };
        self.question = Some(Question::new(wanted));
    }

    /// Dropped files are imported; a dropped session is opened.
    fn take_drops(&mut self, context: &Context) {
        let paths: Vec<PathBuf> = context.input(|input| {
            input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect()
        });
        if let Some(session) = paths.iter().find(|path| path.join("session.db").is_file()) {
            self.go(Wanted::Open, session.clone());
        } else if !paths.is_empty() {
            self.import(&paths);
        }
    }

    fn import(&mut self, files: &[PathBuf]) {
        if let Some(open) = &self.open {
            let (tool, params) = ("import_audio".into(), json!({"files": files}));
            open.submit(&mut self.model, Op::Call { tool, params, apply: Apply::Now });
        } else {
            self.question = Some(Question::new(Wanted::New));
        }
    }

    fn ask(&mut self, context: &Context) {
        let Some(question) = &mut self.question else { return };
        match (question.show(context), question.wanted) {
            (Answer::NotYet, _) => {}
            (Answer::Never, _) => self.question = None,
            (Answer::Path(path), Wanted::Import) => {
                self.question = None;
                self.import(&[path]);
            }
            (Answer::Path(path), wanted) => self.go(wanted, path),
        }
    }
}

/// Comes to a session on a thread: starting a hub takes a while.
fn come(wanted: Wanted, dir: &Path, wake: &Wake) -> Receiver<Result<Desk, DeskError>> {
    start(dir, wake, move |dir, wake| {
        if wanted == Wanted::New {
            Desk::create(dir, RATE)?;
        }
        Desk::open(dir, wake)
    })
}

/// The same after a pause.
fn later(dir: &Path, pause: Duration, wake: &Wake) -> Receiver<Result<Desk, DeskError>> {
    start(dir, wake, move |dir, wake| {
        std::thread::sleep(pause);
        Desk::open(dir, wake)
    })
}

fn start<F>(dir: &Path, wake: &Wake, work: F) -> Receiver<Result<Desk, DeskError>>
where
    F: FnOnce(&Path, Box<dyn Fn() + Send>) -> Result<Desk, DeskError> + Send + 'static,
{
    let (done, desk) = bounded(1);
    let (dir, wake, failed) = (dir.to_owned(), Arc::clone(wake), done.clone());
    let run = move || {
        let news = Arc::clone(&wake);
        drop(done.send(work(&dir, Box::new(move || news()))));
        wake();
    };
    if let Err(error) = std::thread::Builder::new().name("come".into()).spawn(run) {
        drop(failed.send(Err(DeskError::Thread(error.to_string()))));
    }
    desk
}

impl eframe::App for App {
    /// Also called while the window is hidden: edits of others are heard all the same.
    fn logic(&mut self, context: &Context, _: &mut eframe::Frame) {
        self.arrive();
        self.hear();
        if let Some(open) = &mut self.open {
            open.show(&mut self.model);
        }
        if self.model.live.motion != deskhand_editor::Motion::Stopped {
            context.request_repaint_after(FRAME);
        }
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        self.take_drops(&context);
        let actions = match &self.open {
            Some(open) => show(ui, &mut self.model, &open.peaks),
            None => show(ui, &mut self.model, &NoWaves),
        };
        actions.into_iter().for_each(|action| self.act(action));
        self.ask(&context);
    }
}

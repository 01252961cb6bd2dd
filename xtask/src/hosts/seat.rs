//! A person's seat before the app: a display, a JACK server, a home, keyboard and mouse.

use super::desk::Desk;
use super::report::{check, pictures};
use super::screen::{Screen, Window};
use super::server::Jack;
use crate::limit::{self, Running};
use crate::setup::need;
use crate::workspace;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

pub(super) const LIMIT: Duration = Duration::from_secs(60);
/// A button does nothing until it was in view for half a second: it is clicked again after this time.
const TAKEN: Duration = Duration::from_secs(15);
const CLICKS: usize = 4;
/// Inside the conversation of a window of the size at which it was designed, where the newest card is.
const CARD: [i32; 2] = [1232, 400];
/// Programs, and the packages that bring them.
const PROGRAMS: [(&str, &str); 5] = [
    ("jackd", "jackd2"),
    ("Xvfb", "xvfb"),
    ("openbox", "openbox"),
    ("xdotool", "xdotool"),
    ("import", "imagemagick"),
];

/// The app, and what looks at it.
pub(super) struct Seat {
    pub(super) desk: Desk,
    pub(super) screen: Screen,
    pub(super) jack: Jack,
    pub(super) window: Window,
    /// What is wrong so far.
    pub(super) problems: Vec<String>,
    /// What drives it, for the lines that a person reads.
    host: &'static str,
    app: Running,
}

impl Seat {
    /// Opens a new session in the app; `more` is for `deskhand new`.
    pub(super) fn at_new_session(host: &'static str, name: &str, more: &[&str]) -> Result<Self> {
        need("the app's window", &PROGRAMS)?;
        let desk = Desk::new()?;
        let session = desk.sessions().join(name);
        std::fs::create_dir_all(desk.sessions())?;
        limit::run(desk.program("deskhand").arg("new").arg(&session).args(more), LIMIT)?;
        let (screen, jack) = (Screen::start()?, Jack::start(host)?);
        let mut app = desk.program("deskhand-app");
        app.env("DESKHAND_MODELS", workspace::target()?.join("tmp/models"));
        app.arg(session).env("DISPLAY", screen.display()).env("JACK_DEFAULT_SERVER", jack.name());
        // Without a dialog of the system the window asks for the path itself.
        app.env("PATH", "").env_remove("DBUS_SESSION_BUS_ADDRESS").env_remove("WAYLAND_DISPLAY");
        let app = Running::start(
            app.env("LIBGL_ALWAYS_SOFTWARE", "1").stdout(Stdio::null()).stderr(Stdio::null()),
        )?;
        let window = screen.window("Deskhand$", LIMIT)?;
        Ok(Self { desk, screen, jack, window, problems: Vec::new(), host, app })
    }

    /// Closes the window; what was wrong.
    pub(super) fn close(mut self) -> Result<Vec<String>> {
        self.screen.close(&self.window)?;
        let ended = limit::until(LIMIT, || self.app.ended())?;
        let code = ended.and_then(|status| status.code());
        let figure = code.map_or("none".into(), |code| code.to_string());
        self.note("its window closes, exit code", &figure, code == Some(0));
        Ok(self.problems)
    }

    pub(super) fn note(&mut self, what: &str, figure: &str, holds: bool) {
        self.problems.extend(check(self.host, what, figure, holds));
    }

    pub(super) fn keep(&self, name: &str) -> Result<()> {
        self.screen.picture(&self.window, &pictures()?.join(name))
    }

    /// Ctrl-I and a typed path, until the session has so many clips.
    pub(super) fn import(&self, file: &Path, clips: usize) -> Result<bool> {
        self.screen.press(&self.window, "ctrl+i")?;
        // The window may dim before the field has the keyboard.
        self.screen.blinks(&self.window)?;
        self.screen.type_words(&file.display().to_string())?;
        let has_clips =
            |session: &Value| session["clips"].as_array().is_some_and(|all| all.len() == clips);
        Ok(self.desk.wait("show", has_clips)?.is_some())
    }

    /// Ctrl-K, words and Enter: the first plan for which `is_it` holds.
    pub(super) fn ask(&self, words: &str, is_it: impl Fn(&Value) -> bool) -> Result<Option<Value>> {
        self.screen.press(&self.window, "ctrl+k")?;
        // What changed first may have been something else than the composer.
        self.screen.blinks(&self.window)?;
        self.screen.type_words(words)?;
        let found = |plans: &Value| plan(plans, &is_it);
        let plans = self.desk.wait("plans", |plans| found(plans).is_some())?;
        Ok(plans.as_ref().and_then(found))
    }

    /// The wish, and its plan applied.
    pub(super) fn ask_and_apply(&self, words: &str) -> Result<bool> {
        let known = self.desk.glance("plans", Value::is_array)?.unwrap_or_default();
        let is_new = |plan: &Value| {
            !known
                .as_array()
                .is_some_and(|all| all.iter().any(|it| it["plan"]["id"] == plan["plan"]["id"]))
        };
        let is_there = |plan: &Value| {
            is_new(plan) && matches!(plan["state"].as_str(), Some("waiting" | "applied"))
        };
        let Some(plan) = self.ask(words, is_there)? else { return Ok(false) };
        // What only adds to what is known of a recording is applied at once.
        if plan["state"] == "applied" {
            return Ok(true);
        }
        self.hear_each(&plan)?;
        Ok(self.apply_plan(&plan)?.is_some())
    }

    /// J plays each change that must be heard, to its end, and X ticks it.
    fn hear_each(&self, plan: &Value) -> Result<()> {
        let changes = plan["plan"]["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let count = changes.iter().filter(|change| change["to_hear"] == true).count();
        if count == 0 {
            return Ok(());
        }
        self.screen.still(&self.window)?;
        self.screen.click(&self.window, CARD)?;
        for _ in 0..count {
            self.screen.press(&self.window, "j")?;
            self.screen.still(&self.window)?;
            self.screen.key("x")?;
        }
        Ok(())
    }

    /// Clicks the button that applies the open card's plan; the plan as it is then, with its receipt.
    pub(super) fn apply_plan(&self, plan: &Value) -> Result<Option<Value>> {
        let id = &plan["plan"]["id"];
        let is_done = |it: &Value| {
            it["plan"]["id"] == *id && it["state"] == "applied" && !it["receipt"].is_null()
        };
        let found = |plans: &Value| self::plan(plans, is_done);
        for _ in 0..CLICKS {
            self.screen.still(&self.window)?;
            let Some([x, y]) = self.screen.accent(&self.window, LIMIT)? else {
                self.keep("no-card.png")?;
                return Ok(None);
            };
            self.screen.click(&self.window, [x, y + 8])?;
            let look = || self.desk.glance("plans", |plans| found(plans).is_some());
            if let Some(plans) = limit::until(TAKEN, look)? {
                return Ok(found(&plans));
            }
        }
        Ok(None)
    }

    /// A click gives the card the keyboard, and Ctrl-Enter applies it: asked for until `is_done`, as the card must
    /// have been in view for half a second.
    pub(super) fn apply<T>(
        &self,
        mut is_done: impl FnMut() -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let [x, y] = self.screen.accent(&self.window, LIMIT)?.context("the card is gone")?;
        self.screen.click(&self.window, [x - 160, y + 8])?;
        limit::until(LIMIT, || {
            self.screen.key("ctrl+Return")?;
            is_done()
        })
    }
}

/// The newest plan for which `is_it` holds.
fn plan(plans: &Value, is_it: impl Fn(&Value) -> bool) -> Option<Value> {
    plans.as_array()?.iter().rfind(|plan| is_it(plan)).cloned()
}

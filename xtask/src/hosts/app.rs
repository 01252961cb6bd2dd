//! The app by keyboard and mouse alone, on a display and a JACK server of its own: a file is imported, a
//! change is requested offline, heard, applied and taken back. The sound is measured at the app's output.

use super::desk::Desk;
use super::report::{check, pictures, yes};
use super::screen::{Screen, Window};
use super::server::Jack;
use crate::limit::{self, Running};
use crate::setup::need;
use crate::wav;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

const HOST: &str = "the app";
const LIMIT: Duration = Duration::from_secs(60);
/// Programs, and the packages that bring them.
const PROGRAMS: [(&str, &str); 5] = [
    ("jackd", "jackd2"),
    ("Xvfb", "xvfb"),
    ("openbox", "openbox"),
    ("xdotool", "xdotool"),
    ("import", "imagemagick"),
];
const WORDS: &str = "make it 3 dB louder";
const LOUDER: f64 = 3.0;
/// How near a level that is heard has to be, in dB.
const NEAR: f64 = 0.02;
const RATE: u32 = 48_000;
/// Longer than all of this takes.
const SECONDS: u32 = 240;
/// The app's left channel, as JACK names it.
const PORT: &str = "_out:out_0";

/// The app, and what looks at it.
struct Seat {
    desk: Desk,
    screen: Screen,
    jack: Jack,
    window: Window,
    problems: Vec<String>,
}

/// Drives it, and judges by the command line's output and the sound.
pub(super) fn run() -> Result<Vec<String>> {
    need("the app's window", &PROGRAMS)?;
    let desk = Desk::new()?;
    let session = desk.sessions().join("song.deskhand");
    std::fs::create_dir_all(desk.sessions())?;
    limit::run(desk.program("deskhand").arg("new").arg(&session), LIMIT)?;
    tone(&desk.home().join("tone.wav"))?;
    let (screen, jack) = (Screen::start()?, Jack::start("app")?);
    let mut app = desk.program("deskhand-app");
    app.arg(session).env("DISPLAY", screen.display()).env("JACK_DEFAULT_SERVER", jack.name());
    // Without a dialog of the system the window asks for the path itself.
    app.env("PATH", "").env_remove("DBUS_SESSION_BUS_ADDRESS").env_remove("WAYLAND_DISPLAY");
    let mut app = Running::start(
        app.env("LIBGL_ALWAYS_SOFTWARE", "1").stdout(Stdio::null()).stderr(Stdio::null()),
    )?;
    let window = screen.window("Deskhand$", LIMIT)?;
    let mut seat = Seat { desk, screen, jack, window, problems: Vec::new() };
    seat.drive()?;
    seat.screen.close(&seat.window)?;
    let ended = limit::until(LIMIT, || app.ended())?;
    let code = ended.and_then(|status| status.code());
    seat.note(
        "its window closes, exit code",
        &code.map_or("none".into(), |code| code.to_string()),
        code == Some(0),
    );
    Ok(seat.problems)
}

impl Seat {
    fn drive(&mut self) -> Result<()> {
        if !self.import()? || !self.ask()? {
            return Ok(());
        }
        self.hear()?;
        self.apply()?;
        self.undo()
    }

    fn note(&mut self, what: &str, figure: &str, holds: bool) {
        self.problems.extend(check(HOST, what, figure, holds));
    }

    /// Ctrl-I, and a path that is typed.
    fn import(&mut self) -> Result<bool> {
        self.screen.press(&self.window, "ctrl+i")?;
        let file = self.desk.home().join("tone.wav");
        self.screen.type_words(&file.display().to_string())?;
        let has_clip =
            |session: &Value| session["clips"].as_array().is_some_and(|clips| clips.len() == 1);
        let is_in = self.desk.wait("show", has_clip)?.is_some();
        self.note("Ctrl-I and a typed path import a file", yes(is_in), is_in);
        Ok(is_in)
    }

    /// Ctrl-K, words and Enter.
    fn ask(&mut self) -> Result<bool> {
        self.screen.press(&self.window, "ctrl+k")?;
        self.screen.type_words(WORDS)?;
        let waits = |plans: &Value| plan(plans, "waiting").is_some_and(|change| change == LOUDER);
        let is_there = self.desk.wait("plans", waits)?.is_some();
        let arrived = is_there && self.desk.has_words(WORDS);
        self.note("Ctrl-K and words bring up a plan, words whole", yes(arrived), arrived);
        Ok(is_there)
    }

    /// Space, then 2, L and 1: the app's output follows each.
    fn hear(&mut self) -> Result<()> {
        self.screen.accent(&self.window, LIMIT)?.context("no card came up")?;
        self.keep("app-plan.png")?;
        // Out of the composer, whose cursor blinks: nothing may be seen of it.
        self.screen.key("Escape")?;
        self.screen.key("space")?;
        // A tone of -20 dBFS, and 3 dB less on each side for a track in the middle.
        let current = self.heard(-20.0 - 6.02)?;
        self.note_level("Space plays the session as it is", current, -26.02);
        self.screen.key("2")?;
        let matched = self.heard(current)?;
        self.note_level("key 2: the plan, level matched", matched, current);
        self.screen.key("l")?;
        let own = self.heard(current + LOUDER)?;
        self.note_level("key L: the plan at its own level, +3.00 dB", own, current + LOUDER);
        self.keep("app-heard.png")?;
        self.screen.key("1")?;
        let back = self.heard(current)?;
        self.note_level("key 1: the session as it is", back, current);
        let untouched = self.desk.wait_for_gain(0.0)?.is_some();
        self.note("hearing changes nothing: gain 0.00 dB", yes(untouched), untouched);
        Ok(())
    }

    /// A click gives the card the keyboard, and Ctrl-Enter applies it.
    fn apply(&mut self) -> Result<()> {
        let [x, y] = self.screen.accent(&self.window, LIMIT)?.context("the card is gone")?;
        let before_button = [x - 160, y + 8];
        self.screen.click(&self.window, before_button)?;
        // It must have been in view for half a second: asked for until it is taken.
        let applied = limit::until(LIMIT, || {
            self.screen.key("ctrl+Return")?;
            self.desk.glance("show", |session| gain(session) == Some(LOUDER))
        })?;
        let figure = figure(applied.as_ref());
        self.note("Ctrl-Enter in the card applies: gain", &figure, applied.is_some());
        let heard = self.heard(-26.02 + LOUDER)?;
        self.note_level("and is heard", heard, -26.02 + LOUDER);
        self.keep("app-applied.png")
    }

    /// Ctrl-Z.
    fn undo(&mut self) -> Result<()> {
        self.screen.key("ctrl+z")?;
        let undone = self.desk.wait_for_gain(0.0)?;
        let figure = figure(undone.as_ref());
        self.note("Ctrl-Z takes it back: gain", &figure, undone.is_some());
        let heard = self.heard(-26.02)?;
        self.note_level("and is heard", heard, -26.02);
        self.keep("app-undone.png")
    }

    fn keep(&self, name: &str) -> Result<()> {
        self.screen.picture(&self.window, &pictures()?.join(name))
    }

    /// The level that the app plays, once it is `wanted`; else the last one.
    fn heard(&self, wanted: f64) -> Result<f64> {
        let mut last = f64::NEG_INFINITY;
        limit::until(LIMIT, || {
            last = self.jack.level(PORT, self.desk.home())?;
            Ok(((last - wanted).abs() < NEAR).then_some(()))
        })?;
        Ok(last)
    }

    fn note_level(&mut self, what: &str, heard: f64, wanted: f64) {
        self.note(what, &format!("{heard:.2} dBFS"), (heard - wanted).abs() < NEAR);
    }
}

/// A tone whose crest is -20 dBFS, and whose RMS is 3.01 dB less.
fn tone(file: &Path) -> Result<()> {
    let turn = 440.0 * std::f64::consts::TAU / f64::from(RATE);
    #[expect(clippy::cast_possible_truncation, reason = "of a sample's precision")]
    let sample = |frame: u32| (0.1 * (turn * f64::from(frame)).sin()) as f32;
    wav::write(file, RATE, &[(0..RATE * SECONDS).map(sample).collect()])
}

/// How far the only change of the newest plan in this state goes, in dB.
fn plan(plans: &Value, state: &str) -> Option<f64> {
    let plans = plans.as_array()?;
    let plan = plans.iter().rfind(|plan| plan["state"] == state)?;
    let change = &plan["plan"]["changes"][0];
    Some(change["after"].as_f64()? - change["before"].as_f64()?)
}

fn gain(session: &Value) -> Option<f64> {
    session["tracks"][0]["gain"].as_f64()
}

fn figure(session: Option<&Value>) -> String {
    session.and_then(gain).map_or("none".into(), |gain| format!("{gain:+.2} dB"))
}

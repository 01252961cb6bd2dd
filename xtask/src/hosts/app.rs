//! The app by keyboard and mouse alone, on a display and a JACK server of its own: a file is imported, a
//! change is requested offline, heard, applied and taken back. The sound is measured at the app's output.

use super::report::yes;
use super::seat::{LIMIT, Seat};
use crate::{limit, wav};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;

const WORDS: &str = "make it 3 dB louder";
const LOUDER: f64 = 3.0;
/// How near a level that is heard has to be, in dB.
const NEAR: f64 = 0.02;
const RATE: u32 = 48_000;
/// Longer than all of this takes.
const SECONDS: u32 = 240;
/// The app's left channel, as JACK names it.
const PORT: &str = "_out:out_0";

/// Drives it, and judges by the command line's output and the sound.
pub(super) fn run() -> Result<Vec<String>> {
    let mut seat = Seat::at_new_session("the app", "song.deskhand", &[])?;
    tone(&seat.desk.home().join("tone.wav"))?;
    seat.drive()?;
    seat.close()
}

impl Seat {
    fn drive(&mut self) -> Result<()> {
        if !self.bring_in()? || !self.ask_for_more()? {
            return Ok(());
        }
        self.hear()?;
        self.take()?;
        self.undo()
    }

    fn bring_in(&mut self) -> Result<bool> {
        let is_in = self.import(&self.desk.home().join("tone.wav"), 1)?;
        self.note("Ctrl-I and a typed path import a file", yes(is_in), is_in);
        Ok(is_in)
    }

    fn ask_for_more(&mut self) -> Result<bool> {
        let waits = |plan: &Value| plan["state"] == "waiting" && step(plan) == Some(LOUDER);
        let is_there = self.ask(WORDS, waits)?.is_some();
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

    fn take(&mut self) -> Result<()> {
        let is_louder = || self.desk.glance("show", |session| gain(session) == Some(LOUDER));
        let applied = self.apply(is_louder)?;
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

/// How far the only change of a plan goes, in dB.
fn step(plan: &Value) -> Option<f64> {
    let change = &plan["plan"]["changes"][0];
    Some(change["after"].as_f64()? - change["before"].as_f64()?)
}

fn gain(session: &Value) -> Option<f64> {
    session["tracks"][0]["gain"].as_f64()
}

fn figure(session: Option<&Value>) -> String {
    session.and_then(gain).map_or("none".into(), |gain| format!("{gain:+.2} dB"))
}

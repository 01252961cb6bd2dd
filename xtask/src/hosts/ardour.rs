//! Ardour without a window: `tests/hosts/ardour.lua` plays two tracks with an instance each, has a plan across
//! both made and applied, and reads Ardour's own meters. It saves the session, changes trim and closes the session without
//! saving; another Ardour opens the session. Then two tracks are exported.

mod export;
pub(super) mod session;
pub(super) mod window;

use super::desk::Desk;
use super::report::check;
use crate::shell::at_home;
use crate::{limit, setup, shell, workspace};
use anyhow::{Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

const HOST: &str = "Ardour";
const LIMIT: Duration = Duration::from_secs(180);
/// Where Debian keeps what the scanner is linked with.
const LIBRARIES: &str = "/usr/lib/ardour7";
/// The index of the parameter `trim` in Ardour's list.
const TRIM_INDEX: &str = "1";
/// What the second track is trimmed by, in dB.
const TRIM: f64 = -6.0;
const DECIMAL: f64 = 0.1;
/// The first track's trim when the session is saved, and when it is closed without saving, in dB.
const SAVED: f64 = -10.0;
const UNSAVED: f64 = 10.0;

/// Runs the script and judges what it measured.
pub(super) fn run() -> Result<Vec<String>> {
    install_ardour()?;
    let desk = Desk::new()?;
    scan(desk.home())?;
    let mut said = play(&desk, None)?;
    let session = said.get("session").cloned();
    said.extend(play(&desk, session.as_deref())?);
    let mut problems = judge(&said);
    let desk = Desk::new()?; // without the passes of the first
    scan(desk.home())?;
    problems.extend(export::run(&desk)?);
    Ok(problems)
}

fn install_ardour() -> Result<()> {
    if !shell::on_path("ardour7-lua") {
        let refused = setup::install(&["ardour"]).unwrap_or_default();
        if !shell::on_path("ardour7-lua") {
            bail!("ardour7-lua is not here; install Ardour 7 and run it again. {refused}");
        }
    }
    Ok(())
}

/// Ardour knows only plugins that its scanner has looked at.
fn scan(home: &Path) -> Result<()> {
    let mut scanner = at_home(Path::new(LIBRARIES).join("ardour-vst3-scanner"), home);
    scanner.env("LD_LIBRARY_PATH", LIBRARIES).arg("-f").arg(home.join(".vst3/Deskhand.vst3"));
    let scanned = limit::run(&mut scanner, LIMIT)?;
    if !scanned.stdout.contains("Found Plugin: Deskhand") {
        bail!("Ardour's scanner finds no plugin: {}{}", scanned.stdout, scanned.stderr);
    }
    // What it noted counts only when it is younger than the plugin, which was copied in this second.
    for noted in std::fs::read_dir(home.join(".cache/ardour7/vst"))? {
        let noted = std::fs::File::options().append(true).open(noted?.path())?;
        noted.set_modified(SystemTime::now() + Duration::from_secs(2))?;
    }
    Ok(())
}

/// Ardour without a window, running a script of `tests/hosts`.
fn script(desk: &Desk, name: &str) -> Command {
    let mut lua = at_home("ardour7-lua", desk.home());
    lua.arg(workspace::root().join("tests/hosts").join(name)).env("HOSTS_FOLDER", desk.home());
    lua
}

/// What the script said, by name. With a session of Deskhand it opens what it saved.
fn play(desk: &Desk, reopens: Option<&str>) -> Result<BTreeMap<String, String>> {
    let mut lua = script(desk, "ardour.lua");
    lua.env("HOSTS_DESKHAND", desk.program("deskhand").get_program());
    lua.env("HOSTS_SESSIONS", desk.sessions());
    lua.env("HOSTS_TRIM_INDEX", TRIM_INDEX).env("HOSTS_TRIM_VALUE", TRIM.to_string());
    lua.env("HOSTS_SAVED", SAVED.to_string()).env("HOSTS_UNSAVED", UNSAVED.to_string());
    lua.envs(reopens.map(|session| ("HOSTS_REOPENS", session)));
    let played = limit::run(&mut lua, LIMIT)?;
    let lines = played.stdout.lines().filter_map(|line| line.strip_prefix("HOSTS "));
    let said = lines.filter_map(|line| line.split_once(' '));
    let said: BTreeMap<_, _> = said.map(|(what, it)| (what.to_owned(), it.to_owned())).collect();
    if !said.contains_key(if reopens.is_some() { "kept" } else { "session" }) {
        bail!(
            "Ardour did not come far:\n{}",
            limit::last_lines(&format!("{}{}", played.stdout, played.stderr))
        );
    }
    Ok(said)
}

fn judge(said: &BTreeMap<String, String>) -> Vec<String> {
    let level = |name: &str| level(said, name);
    let holds = |name: &str, wanted: f64| (level(name) - wanted).abs() < DECIMAL;
    let figure = |one: &str, other: &str| format!("{:.2} and {:.2} dBFS", level(one), level(other));
    let tracks = names(&json(said, "shown")["tracks"]);
    let [one, other] = moves(&json(said, "planned"));
    let both = said.get("applied").map_or(0, |text| text.matches("as promised").count());
    let heard = played_as_promised(said);
    let is_moved =
        holds("after1", level("before1") + one) && holds("after2", level("before2") + other);
    let is_back = holds("undo1", level("before1")) && holds("undo2", level("before2"));
    let after = format!("{} for {one:+.2} and {other:+.2} dB", figure("after1", "after2"));
    [
        check(
            HOST,
            "instances are tracks named as in Ardour",
            &tracks,
            tracks == "Voice 1, Voice 2",
        ),
        check(
            HOST,
            "meters before, the second trimmed by -6 dB",
            &figure("before1", "before2"),
            holds("before2", level("before1") + TRIM),
        ),
        check(
            HOST,
            "one plan across both, kept promises of its receipt",
            &both.to_string(),
            both == 2,
        ),
        check(HOST, "meters moved as planned within 0.1 dB", &after, is_moved && one < -1.0),
        check(HOST, "what it played next is as promised, on both", &heard.to_string(), heard == 2),
        check(HOST, "meters after one undo", &figure("undo1", "undo2"), is_back),
        reopened(said),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What a meter or a knob showed; NaN where nothing is said of it.
fn level(said: &BTreeMap<String, String>, name: &str) -> f64 {
    said.get(name).and_then(|it| it.parse().ok()).unwrap_or(f64::NAN)
}

/// Whether a session that was closed without saving opens as it was saved.
fn reopened(said: &BTreeMap<String, String>) -> Option<String> {
    let level = |name: &str| level(said, name);
    let kept = gain_of(&json(said, "kept"), "Voice 1");
    let holds = |name: &str, by: f64| (level(name) - level("before1") - by).abs() < DECIMAL;
    let is_kept = [level("knob"), kept].iter().all(|gain| (gain - SAVED).abs() < 0.001)
        && holds("reopened1", SAVED)
        && holds("unsaved1", UNSAVED);
    let figure = format!(
        "knob {:.2}, session {kept:.2} dB, {:.2} and {:.2} dBFS",
        level("knob"),
        level("unsaved1"),
        level("reopened1")
    );
    check(HOST, "trim -10, saved; +10; closed unsaved, reopened", &figure, is_kept)
}

/// Of how many tracks the receipt says that they then played as promised.
fn played_as_promised(said: &BTreeMap<String, String>) -> usize {
    let lines = said.get("receipt").map_or("", String::as_str).split('|');
    let played = lines.filter(|line| line.contains("as it played next"));
    played.filter(|line| line.contains("as promised")).count()
}

fn json(said: &BTreeMap<String, String>, name: &str) -> Value {
    said.get(name).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

fn names(tracks: &Value) -> String {
    let names = tracks.as_array().into_iter().flatten().filter_map(|track| track["name"].as_str());
    // They come in the order in which they joined the desk, each on a thread of its own.
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.join(", ")
}

/// The gain of a track of a session, in dB.
fn gain_of(session: &Value, name: &str) -> f64 {
    let tracks = session["tracks"].as_array().into_iter().flatten();
    let gain = tracks.clone().find(|track| track["name"] == name).map(|track| &track["gain"]);
    gain.and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// How far the plan moves each of the two tracks, in dB.
fn moves(plan: &Value) -> [f64; 2] {
    ["Voice 1", "Voice 2"].map(|name| {
        let changes = plan["changes"].as_array().into_iter().flatten();
        let change = changes.clone().find(|change| change["name"] == name);
        let number = |side: &str| change.and_then(|change| change[side].as_f64());
        number("after").zip(number("before")).map_or(f64::NAN, |(after, before)| after - before)
    })
}

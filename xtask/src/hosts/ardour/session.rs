//! A session that Ardour made is changed by Deskhand, loaded and saved by Ardour, and opened by Deskhand again: it is
//! still the same.

use super::super::desk::Desk;
use super::super::report::check;
use super::{HOST, install_ardour, script};
use crate::{limit, workspace};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);
const RECORDINGS: [&str; 3] = ["dialogue-1.flac", "dialogue-2.flac", "screen-recording.mp4"];
/// The film has a microphone on each of two of its tracks.
const CLIPS: usize = 4;
/// What is said to Deskhand.
const WISHES: [&str; 8] = [
    "make a bus called Talk",
    "route dialogue-1 and dialogue-2 to the bus Talk",
    "rename Voice 1 to Anna & Co",
    "turn dialogue-2 down by 3 dB",
    "pan dialogue-1 20 % left",
    "mute Guest",
    "fade dialogue-2 in over 2 s",
    "delete the track Voice 2",
];

pub(in crate::hosts) fn run() -> Result<Vec<String>> {
    install_ardour()?;
    let desk = Desk::new()?;
    let folder = desk.home().join("talk");
    in_ardour(&desk, "talk", true)?;
    let session = deskhand(&desk, &["open", &text(&folder.join("talk.ardour"))], "talk.deskhand")?;
    let audio = workspace::root().join("tests/audio");
    let recordings = RECORDINGS.map(|name| text(&audio.join(name)));
    let mut import = vec!["import".to_owned(), text(&session)];
    import.extend(recordings);
    said(&desk, &import)?;
    for wish in WISHES {
        said(&desk, &["ask".into(), text(&session), wish.into(), "--yes".into()])?;
    }
    said(&desk, &["write".into(), text(&session), "--yes".into()])?;
    let routes = in_ardour(&desk, "talk (Deskhand)", false)?;
    let written = text(&folder.join("talk (Deskhand).ardour"));
    let again = deskhand(&desk, &["open", &written], "again.deskhand")?;
    let (here, there) = (shown(&desk, &session)?, shown(&desk, &again)?);
    Ok(judge(&routes, &here, &there))
}

fn judge(routes: &[String], here: &[Value], there: &[Value]) -> Vec<String> {
    let heard = routes.iter().map(|route| route.matches("heard").count()).sum::<usize>();
    let silent = routes.iter().any(|route| route.contains("silent"));
    let same = here.iter().filter(|it| there.contains(it)).count();
    let other = |one: &[Value], two: &[Value]| {
        let other = one.iter().find(|it| !two.contains(it));
        other.map(|it| format!(", {it}")).unwrap_or_default()
    };
    let all = format!("{same} of {} tracks and clips", here.len());
    let figure = format!("{all}{}{}", other(here, there), other(there, here));
    let is_same = here.len() == there.len() && same == here.len();
    let found = [
        check(
            HOST,
            "a session written by Deskhand loads, each region with its file",
            &format!("{} tracks, {heard} regions", routes.len()),
            heard == CLIPS && !silent,
        ),
        check(HOST, "saved by Ardour and opened again, it is as it was", &figure, is_same),
    ];
    found.into_iter().flatten().collect()
}

/// What Ardour says of each of its tracks; it saves the session.
fn in_ardour(desk: &Desk, name: &str, is_new: bool) -> Result<Vec<String>> {
    let mut lua = script(desk, "ardour-session.lua");
    lua.env("HOSTS_SESSION", name).envs(is_new.then_some(("HOSTS_NEW", "1")));
    let run = limit::run(&mut lua, LIMIT)?;
    let routes = run.stdout.lines().filter_map(|line| line.strip_prefix("HOSTS route "));
    let routes: Vec<String> = routes.map(str::to_owned).collect();
    if routes.is_empty() {
        let said = limit::last_lines(&format!("{}{}", run.stdout, run.stderr));
        bail!("Ardour does not open {name}:\n{said}");
    }
    Ok(routes)
}

fn said(desk: &Desk, arguments: &[String]) -> Result<String> {
    let run = limit::run(desk.program("deskhand").args(arguments), LIMIT)?;
    match run.code {
        0 => Ok(run.stdout),
        _ => bail!("deskhand {}: {}{}", arguments.join(" "), run.stdout, run.stderr),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Runs a command that makes a session.
fn deskhand(desk: &Desk, arguments: &[&str], session: &str) -> Result<PathBuf> {
    let session = desk.home().join("talk").join(session);
    let all = arguments.iter().map(|it| (*it).to_owned()).chain([text(&session)]);
    said(desk, &all.collect::<Vec<_>>())?;
    Ok(session)
}

/// The tracks and clips of a session, without their ids.
fn shown(desk: &Desk, session: &Path) -> Result<Vec<Value>> {
    let session = said(desk, &["show".into(), text(session), "--json".into()])?;
    let session: Value = serde_json::from_str(&session)?;
    let all = |list: &str| session[list].as_array().cloned().unwrap_or_default();
    let name = |id: &Value| {
        let track = all("tracks").into_iter().find(|track| track["id"] == *id);
        track.map(|track| track["name"].clone()).unwrap_or_default()
    };
    let level = |value: &Value| (value.as_f64().unwrap_or_default() * 1e3).round() as i64;
    let track = |it: Value| {
        let to = name(&it["output"]["bus"]);
        json!([it["name"], it["kind"], level(&it["gain"]), level(&it["pan"]), it["mute"], to])
    };
    let clip = |it: Value| {
        let (on, fade) = (name(&it["track"]), &it["fade_in"]["length"]);
        json!([it["name"], on, it["position"], it["start"], it["length"], level(&it["gain"]), fade])
    };
    let tracks = all("tracks").into_iter().map(track);
    Ok(tracks.chain(all("clips").into_iter().map(clip)).collect())
}

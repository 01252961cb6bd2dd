//! Ardour's export without a window, which runs faster than real time: what each instance captured of it is compared
//! with what its track plays, sample for sample.

use super::super::check;
use super::super::desk::Desk;
use super::{HOST, script};
use crate::{limit, wav};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(180);
/// What is exported, from the start.
const FRAMES: usize = 3 * 48_000;
/// A pass ends with a block of the host.
const BLOCK: usize = 512;
/// Ardour fades each region in over so many frames.
const FADE: usize = 64;
const TRACKS: usize = 2;

/// Exports a session of its own, and judges what was captured.
pub(super) fn run(desk: &Desk) -> Result<Vec<String>> {
    let mut lua = script(desk, "ardour-export.lua");
    lua.env("HOSTS_DESKHAND", desk.program("deskhand").get_program());
    lua.env("HOSTS_SESSIONS", desk.sessions()).env("HOSTS_FRAMES", FRAMES.to_string());
    let played = limit::run(&mut lua, LIMIT)?;
    if !played.stdout.contains("HOSTS exported true") || !played.stdout.contains("HOSTS clips 0") {
        let said = format!("{}{}", played.stdout, played.stderr);
        bail!("Ardour did not export:\n{}", limit::last_lines(&said));
    }
    let has_clips = |session: &Value| clips(session).len() == TRACKS;
    let session = desk.wait("show", has_clips)?.unwrap_or_default();
    let lengths: Vec<usize> = clips(&session).iter().map(|clip| number(clip, "length")).collect();
    let is_whole = |length: &usize| (FRAMES..FRAMES + BLOCK).contains(length);
    let holds = lengths.len() == TRACKS && lengths.iter().all(is_whole);
    let from_start = clips(&session).iter().all(|clip| clip["position"] == 0);
    let figure = format!("{lengths:?} of {FRAMES} frames");
    let mut same = 0;
    for clip in clips(&session) {
        same += same_samples(desk.home(), &session, clip)?;
    }
    let all = TRACKS * 2 * (FRAMES - FADE);
    let exact = format!("{same} of {all}");
    let found = [
        check(HOST, "an export is a pass of both instances", &figure, holds && from_start),
        check(HOST, "samples as the tracks play them, after their fade", &exact, same == all),
    ];
    Ok(found.into_iter().flatten().collect())
}

fn clips(session: &Value) -> &[Value] {
    session["clips"].as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value, key: &str) -> usize {
    value[key].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(0)
}

/// How many samples of a pass are those that its track recorded.
fn same_samples(home: &Path, session: &Value, clip: &Value) -> Result<usize> {
    let named = |list: &str, id: &Value| {
        let all = session[list].as_array().into_iter().flatten();
        all.clone().find(|it| it["id"] == *id).cloned()
    };
    let source = named("sources", &clip["source"]).context("a clip without its source")?;
    let track = named("tracks", &clip["track"]).context("a clip without its track")?;
    let captured = wav::read(Path::new(source["path"].as_str().unwrap_or_default()))?;
    let start = number(clip, "start");
    let mut same = 0;
    for (channel, side) in ["L", "R"].into_iter().enumerate() {
        let recorded =
            wav::read(&recording(home, track["name"].as_str().unwrap_or_default(), side))?;
        let frames = captured.samples.chunks_exact(captured.channels).skip(start);
        let heard = frames.filter_map(|frame| frame.get(channel));
        let pairs = heard.zip(&recorded.samples).take(FRAMES).skip(FADE);
        same += pairs.filter(|(one, other)| one.to_bits() == other.to_bits()).count();
    }
    Ok(same)
}

/// Where Ardour keeps what a track recorded in its first pass.
fn recording(home: &Path, track: &str, side: &str) -> PathBuf {
    let folder = home.join("export/interchange/export/audiofiles");
    folder.join(format!("Take1_{track}-1%{side}.wav"))
}

//! Ardour's export without a window, which runs faster than real time: what each instance captured of it is compared
//! with what its track plays, sample for sample. What it plays afterwards, in real time again, is captured too.

use super::super::desk::Desk;
use super::super::report::check;
use super::{HOST, script};
use crate::{limit, wav};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The tracks are recorded in real time.
const LIMIT: Duration = Duration::from_secs(300);
/// The exported length, from the start: a minute.
const FRAMES: usize = 60 * 48_000;
/// A pass begins and ends with a block of the host.
const BLOCK: usize = 512;
/// Where it plays on afterwards. A second after the export is recorded.
const BEHIND: usize = FRAMES + 12_000;
const RECORDED: usize = FRAMES + 48_000;
/// A start in the middle fades in over less.
const START: usize = 4_800;
/// Ardour fades each region in over this many frames.
const FADE: usize = 64;
const TRACKS: usize = 2;

/// Exports a session of its own, and judges the capture.
pub(super) fn run(desk: &Desk) -> Result<Vec<String>> {
    let mut lua = script(desk, "ardour-export.lua");
    lua.env("HOSTS_DESKHAND", desk.program("deskhand").get_program());
    lua.env("HOSTS_SESSIONS", desk.sessions()).env("HOSTS_FRAMES", FRAMES.to_string());
    lua.env("HOSTS_BEHIND", BEHIND.to_string());
    let played = limit::run(&mut lua, LIMIT)?;
    if !played.stdout.contains("HOSTS exported true") || !played.stdout.contains("HOSTS clips 0") {
        let said = format!("{}{}", played.stdout, played.stderr);
        bail!("Ardour did not export:\n{}", limit::last_lines(&said));
    }
    let has_clips = |session: &Value| clips(session).len() == 2 * TRACKS;
    let session = desk.wait("show", has_clips)?.unwrap_or_default();
    let (exported, live): (Vec<&Value>, Vec<&Value>) =
        clips(&session).iter().partition(|clip| number(clip, "position") == 0);
    let mut found = judge_export(desk, &session, &exported, &pace(&played.stdout))?;
    found.extend(judge_live(desk, &session, &live)?);
    Ok(found)
}

fn judge_export(desk: &Desk, session: &Value, clips: &[&Value], pace: &str) -> Result<Vec<String>> {
    let lengths: Vec<usize> = clips.iter().map(|clip| number(clip, "length")).collect();
    let figure = format!("{lengths:?} of {FRAMES} frames, {pace}");
    let is_one = |length: &usize| (FRAMES..FRAMES + BLOCK).contains(length);
    let is_whole = lengths.len() == TRACKS && lengths.iter().all(is_one);
    let same = same_in_all(desk.home(), session, clips, FADE..FRAMES)?;
    let all = TRACKS * 2 * (FRAMES - FADE);
    let exact = format!("{same} of {all}");
    let found = [
        check(HOST, "an export of a minute is a pass of both instances", &figure, is_whole),
        check(HOST, "samples as the tracks play them, after their fade", &exact, same == all),
    ];
    Ok(found.into_iter().flatten().collect())
}

fn judge_live(desk: &Desk, session: &Value, clips: &[&Value]) -> Result<Option<String>> {
    let places: Vec<usize> = clips.iter().map(|clip| number(clip, "position")).collect();
    let same = same_in_all(desk.home(), session, clips, BEHIND + START..RECORDED)?;
    let all = TRACKS * 2 * (RECORDED - BEHIND - START);
    let figure = format!("from {places:?}, {same} of {all} samples");
    // Ardour begins a little before the place it was put.
    let is_there = |place: &usize| (BEHIND - 2 * BLOCK..=BEHIND).contains(place);
    let holds = places.len() == TRACKS && places.iter().all(is_there) && same == all;
    Ok(check(HOST, "playback after the export is captured in real time", &figure, holds))
}

/// How fast it exported, as the script says.
fn pace(said: &str) -> String {
    let seconds = said.lines().find_map(|line| line.strip_prefix("HOSTS seconds "));
    let seconds = seconds.and_then(|it| it.parse::<f64>().ok()).unwrap_or(f64::NAN);
    format!("{:.0} times as fast as it plays", FRAMES as f64 / 48_000.0 / seconds)
}

fn same_in_all(
    home: &Path,
    session: &Value,
    clips: &[&Value],
    range: Range<usize>,
) -> Result<usize> {
    clips.iter().map(|clip| same_samples(home, session, clip, range.clone())).sum()
}

fn clips(session: &Value) -> &[Value] {
    session["clips"].as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value, key: &str) -> usize {
    value[key].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(0)
}

/// How many samples of a pass, in this range of the timeline, are those that its track recorded.
fn same_samples(home: &Path, session: &Value, clip: &Value, range: Range<usize>) -> Result<usize> {
    let named = |list: &str, id: &Value| {
        let all = session[list].as_array().into_iter().flatten();
        all.clone().find(|it| it["id"] == *id).cloned()
    };
    let source = named("sources", &clip["source"]).context("a clip without its source")?;
    let track = named("tracks", &clip["track"]).context("a clip without its track")?;
    let captured = wav::read(Path::new(source["path"].as_str().unwrap_or_default()))?;
    let (start, position) = (number(clip, "start"), number(clip, "position"));
    let skipped = range.start.saturating_sub(position);
    let mut same = 0;
    for (channel, side) in ["L", "R"].into_iter().enumerate() {
        let recorded =
            wav::read(&recording(home, track["name"].as_str().unwrap_or_default(), side))?;
        let frames = captured.samples.chunks_exact(captured.channels).skip(start + skipped);
        let heard = frames.filter_map(|frame| frame.get(channel));
        let wanted = recorded.samples.get(range.clone());
        let wanted = wanted.with_context(|| {
            format!("its track recorded {} frames of {range:?}", recorded.samples.len())
        })?;
        let pairs = heard.zip(wanted);
        same += pairs.filter(|(one, other)| one.to_bits() == other.to_bits()).count();
    }
    Ok(same)
}

/// Where Ardour keeps what a track recorded in its first pass.
fn recording(home: &Path, track: &str, side: &str) -> PathBuf {
    let folder = home.join("export/interchange/export/audiofiles");
    folder.join(format!("Take1_{track}-1%{side}.wav"))
}

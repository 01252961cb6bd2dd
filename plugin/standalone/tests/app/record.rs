//! Recording from a JACK server without a card. The output is fed back into the input, the app records it
//! to an armed track, and it must be placed where it was heard. Skipped if JACK's programs are missing.

use crate::jack::{SKIPPED, Server, in_child, loudly, wait_for_server};
use crate::user_session::{RATE, Seat};
use deskhand_dsp::Frames;
use deskhand_editor::{Action, Model};
use deskhand_media::{BitDepth, Opener, WavWriter};
use deskhand_protocol::desk::Play;
use deskhand_session::{Clip, ClipId, Media, TrackId};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// Names the server to the test in the child process.
const CHILD: &str = "DESKHAND_TEST_RECORDS";
const CLICK: i64 = 72_000;
/// How far the clock of a busy machine may be off, frames.
const TREMBLE: i64 = 480;

#[test]
fn what_is_played_back_into_the_input_stands_where_it_was_heard() {
    let name = format!("deskhand-record-{}", std::process::id());
    let has_tools = Command::new("jack_lsp").arg("--version").output().is_ok();
    let Some(_server) = Some(()).filter(|()| has_tools).and_then(|()| Server::start(&name)) else {
        loudly(&format!("{SKIPPED} recording on JACK: there is no jackd with jack_lsp"));
        return;
    };
    in_child("record::child", CHILD, &name);
}

#[test]
fn what_a_killed_window_was_recording_is_back_on_its_track() {
    let mut seat = Seat::new();
    seat.until("the session", || {}, |model| model.session().is_some());
    seat.call("cmd_add_track", json!({ "name": "Take" }));
    seat.until("the track", || {}, |model| track(model).is_some());
    let take = track(&seat.model).unwrap();
    let captures = seat.folder.join("session/media/captures");
    let name = format!("armed-0-{take}-{CLICK}");
    let mut writer = WavWriter::create(&captures.join(&name), RATE, 2, BitDepth::F32).unwrap();
    let tone = [0.25; 96_000];
    writer.write(&[&tone, &tone]).unwrap();
    let [part] =
        std::fs::read_dir(&captures).unwrap().flatten().collect::<Vec<_>>().try_into().unwrap();
    // Nobody holds the copy: so a killed program leaves it.
    std::fs::copy(part.path(), captures.join(format!(".deskhand-{name}-aaaaaa.part"))).unwrap();
    drop(writer);
    let mut seat = seat.closed_and_opened();
    seat.until("the take", || {}, |model| taken(model, take).is_some());
    let (clip, file) = taken(&seat.model, take).unwrap();
    assert_eq!((clip.position, file), (Frames(CLICK), format!("media/captures/{name}.wav")));
    assert!(clip.length > Frames(48_000));
}

/// The test itself; without a server it has nothing to do.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    if !wait_for_server() {
        println!("{SKIPPED} recording on JACK: jackd did not answer");
        return;
    }
    let mut seat = Seat::new();
    seat.until("the session", || {}, |model| model.session().is_some());
    seat.until("the device", || {}, |model| model.live.has_transport());
    let file = seat.folder.join("click.wav");
    write_click(&file);
    seat.call("import_audio", json!({ "files": [file] }));
    seat.until("the import", || {}, |model| model.session().unwrap().clips.len() == 1);
    seat.call("cmd_add_track", json!({ "name": "Take" }));
    seat.until("the track", || {}, |model| track(model).is_some());
    let take = track(&seat.model).unwrap();
    act(&mut seat, Action::Arm(take));
    seat.until("the input", connect, |_| are_connected());
    assert!(seat.model.live.armed.contains(&take));
    // The inputs of the missing card, and none of the ports that JACK would make.
    seat.until("its inputs", || {}, |model| model.live.input_channels == 2);
    act(&mut seat, Action::Record(true));
    let enough = Frames(CLICK + 48_000);
    seat.until("the music", || {}, |model| model.live.position > enough);
    assert!(seat.model.live.records);
    act(&mut seat, Action::Play(Play::Stop));
    seat.until("the take", || {}, |model| taken(model, take).is_some());
    assert!(!seat.model.live.records);
    let (clip, file) = taken(&seat.model, take).unwrap();
    if clip.end() < Frames(CLICK + 24_000) || clip.position > Frames(CLICK - 24_000) {
        println!(
            "{SKIPPED} recording on JACK: the machine was too busy, and the take is in pieces"
        );
        return;
    }
    report(&seat, &clip, &file);
    keeps_what_runs_when_the_window_closes(seat, take);
}

#[expect(clippy::print_stdout, reason = "the test that runs this one looks for the word")]
fn keeps_what_runs_when_the_window_closes(mut seat: Seat, take: TrackId) {
    // So that the imported click alone is led back, once.
    let before: Vec<ClipId> = on_track(&seat.model, take).map(|(id, _)| id).collect();
    seat.call("cmd_remove_clip", json!({ "targets": before }));
    seat.until("the removal", || {}, |model| on_track(model, take).next().is_none());
    act(&mut seat, Action::Play(Play::Seek { at: Frames::ZERO }));
    seat.until("the start", || {}, |model| model.live.position == Frames::ZERO);
    act(&mut seat, Action::Record(true));
    let enough = |model: &Model| model.live.position > Frames(CLICK + 48_000);
    seat.until("more music", || {}, enough);
    assert!(seat.model.live.records);
    let heard = seat.model.live.position;
    let mut seat = seat.closed_and_opened();
    seat.until("the take", || {}, |model| on_track(model, take).next().is_some());
    let new: Vec<Clip> = on_track(&seat.model, take).map(|(_, clip)| clip.clone()).collect();
    let [clip] = &new[..] else {
        println!(
            "{SKIPPED} closing while it records: the machine was too busy, and the take is in pieces"
        );
        return;
    };
    assert!(clip.position < Frames(CLICK), "{clip:?}");
    // As far as the person had heard it when the window closed, except for the part on its way.
    let missing = heard.0 - clip.end().0;
    assert!(missing < 24_000, "{missing} frames of {heard:?} are not in {clip:?}");
    let session = seat.model.session().unwrap();
    let source = &session.sources[&clip.source];
    assert!(source.frames >= clip.start + clip.length, "{source:?} of {clip:?}");
    let Media::Conformed(file) = &source.media else { panic!("{source:?}") };
    report(&seat, clip, file);
}

fn on_track(model: &Model, track: TrackId) -> impl Iterator<Item = (ClipId, &Clip)> {
    let clips = model.session().into_iter().flat_map(|session| &session.clips);
    clips.filter(move |(_, clip)| clip.track == track).map(|(id, clip)| (*id, clip))
}

fn act(seat: &mut Seat, action: Action) {
    assert_eq!(seat.open.act(&mut seat.model, action), None);
}

/// The clip that was recorded, and its file in the session folder.
fn taken(model: &Model, take: TrackId) -> Option<(Clip, String)> {
    let session = model.session()?;
    let clip = session.clips.values().find(|clip| clip.track == take)?;
    let Media::Conformed(file) = &session.sources.get(&clip.source)?.media else {
        return None;
    };
    Some((clip.clone(), file.clone()))
}

fn track(model: &Model) -> Option<TrackId> {
    model.session()?.tracks.iter().find(|(_, track)| track.name == "Take").map(|(id, _)| *id)
}

fn client(end: &str) -> String {
    format!("cpal_client_{}_{end}", std::process::id())
}

/// Leads the output back into the input.
fn connect() {
    for side in 0..2 {
        let from = format!("{}:out_{side}", client("out"));
        let to = format!("{}:in_{side}", client("in"));
        // Until both are there it fails, and is tried again.
        drop(Command::new("jack_connect").args([from, to]).output());
    }
}

fn lsp(option: &str, port: &str) -> String {
    let asked = Command::new("jack_lsp").args([option, port]).output().unwrap();
    String::from_utf8_lossy(&asked.stdout).into_owned()
}

fn are_connected() -> bool {
    let is_there = |side: &str| {
        lsp("-c", &format!("{}:in_{side}", client("in"))).contains(&format!("out_{side}"))
    };
    is_there("0") && is_there("1")
}

/// The latency that JACK states for a port, frames.
fn latency(port: &str, way: &str) -> i64 {
    let said = lsp("-l", port);
    let line =
        said.lines().find(|line| line.contains(&format!("{way} latency"))).unwrap_or_default();
    let mut words = line.split_whitespace().filter_map(|word| word.parse().ok());
    words.next().unwrap_or_else(|| panic!("{said}"))
}

fn write_click(path: &Path) {
    let mut samples = vec![0f32; 192_000];
    samples[CLICK as usize] = 0.5;
    let mut file = WavWriter::create(path, RATE, 2, BitDepth::F32).unwrap();
    file.write(&[&samples, &samples]).unwrap();
    file.finish().unwrap();
}

#[expect(clippy::print_stdout, reason = "the figures are what this test is read for")]
fn report(seat: &Seat, clip: &Clip, file: &str) {
    let path = seat.folder.join("session").join(file);
    let mut reader = Opener::in_process().open(&path).unwrap();
    let length = clip.length.0 as usize + clip.start.0 as usize;
    let (mut left, mut right) = (vec![0f32; length], vec![0f32; length]);
    reader.read(Frames::ZERO, &mut [&mut left, &mut right]).unwrap();
    let loudest = left.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap();
    assert!((loudest.1 - 0.5).abs() < 1e-6 && left[loudest.0] == right[loudest.0], "{loudest:?}");
    let others = left.iter().zip(&right).enumerate().filter(|(at, _)| *at != loudest.0);
    let quiet = others.map(|(_, (left, right))| left.abs().max(right.abs())).fold(0.0, f32::max);
    assert!(quiet < 1e-6, "nothing but the click was fed in: {quiet}");
    let stands = clip.position.0 - clip.start.0 + loudest.0 as i64;
    // A cable between the two would add both latencies; this connection, inside JACK, adds none.
    let cable = latency("system:playback_1", "playback") + latency("system:capture_1", "capture");
    let off = stands + cable - CLICK;
    println!(
        "{length} frames recorded; the click stands {off} frames off, {cable} of latency taken off"
    );
    assert!(off.abs() <= TREMBLE, "{off} frames off, with {cable} of latency");
}

//! Recordings that were never reported to the hub.

use crate::captures::{captured, joined, pass};
use crate::desk::Desk;
use crate::sound::{BASS, DRUMS};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::{Op, Status};
use deskhand_session::{Author, Source};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name of what an instance records to the drums from frame `at` of its host on, `ago` seconds ago.
fn name(ago: u64, at: i64) -> String {
    let began = SystemTime::now() - Duration::from_secs(ago);
    let began = began.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros();
    format!("{began:x}-1f2a-{DRUMS}-{at}.wav")
}

fn found(desk: &Desk) -> Vec<&Source> {
    let revisions = desk.bridge.history().iter().filter(|it| it.author == Author::Capture);
    let files = revisions.flat_map(|it| &it.changes).filter_map(|change| match change {
        deskhand_session::Change::AddSource(edit) => edit.after.as_ref(),
        _ => None,
    });
    files.collect()
}

fn swept(desk: &mut Desk, count: usize) {
    desk.bridge.sweep_captures();
    desk.until(|desk| found(desk).len() == count && !desk.bridge.is_working());
}

/// Writes the unfinished file of a killed host: the header of an empty file, and samples. Returns its path and
/// the path of the finished file.
fn cut_off(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let file = folder.join(name);
    let writer = WavWriter::create(&file, SampleRate(48_000), 1, BitDepth::F32).unwrap();
    writer.finish().unwrap();
    let mut begun = std::fs::read(&file).unwrap();
    begun.extend([0; 4 * 24_000]);
    std::fs::remove_file(&file).unwrap();
    let stem = file.file_stem().unwrap().to_str().unwrap();
    let part = folder.join(format!(".deskhand-{stem}-abcdef.part"));
    std::fs::write(&part, begun).unwrap();
    (part, file)
}

#[test]
fn a_pass_that_nobody_told_of_is_taken_in_where_it_belongs() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    // At the host's rate, which is not the session's.
    let file = pass(&folder, &name(0, 88_200), 44_100, 44_100);
    swept(&mut desk, 1);
    let clips = desk.session().clips_on(DRUMS);
    let (_, clip) = clips.last().unwrap();
    assert_eq!((clip.position.0, clip.length.0), (96_000, 48_000));
    assert_eq!(clip.name, "Drums take 1");
    // Its host reports it after all.
    let steps = desk.bridge.history().iter().count();
    let told = captured(&mut desk, &mut plugin, file, 96_000);
    assert_eq!((told.status, told.summary.as_str()), (Status::Ok, "that was taken in already"));
    assert_eq!(desk.bridge.history().iter().count(), steps);
    swept(&mut desk, 1);
    let session = desk.session().clone();
    assert_eq!(desk.reopened().session(), &session);
}

#[test]
fn what_came_before_newer_work_or_has_no_place_goes_to_the_library() {
    let mut desk = Desk::new();
    let (_plugin, folder) = joined(&mut desk);
    desk.now("cmd_set_track_gain", json!({"targets": "Bass", "gain_db": -3.0}));
    let clips = desk.session().clips.clone();
    pass(&folder, &name(60, 0), 10_000, 48_000);
    pass(&folder, "63e5-1f2a-480.wav", 9_000, 48_000);
    std::fs::write(folder.join("noise.wav"), "no audio").unwrap();
    swept(&mut desk, 2);
    assert_eq!(desk.session().clips, clips, "nothing that stands there is covered");
    let mut names: Vec<_> = found(&desk).iter().map(|source| source.name.clone()).collect();
    names.sort();
    assert_eq!(names, ["63e5-1f2a-480 (found)", "Drums take, found"]);
    assert!(folder.join("noise.wav").is_file());
}

#[test]
fn what_was_recorded_along_with_a_track_that_was_told_of_is_taken_in_where_it_belongs() {
    let mut desk = Desk::new();
    let (_plugin, folder) = joined(&mut desk);
    pass(&folder, &format!("armed-{}", name(60, 96_000)), 10_000, 48_000);
    let file = pass(&folder, "armed-told.wav", 9_000, 48_000);
    let recorded = Op::Recorded { track: BASS, file, at: Frames(96_000), tracks: 1 };
    assert_eq!(desk.ask(recorded).status, Status::Ok);
    swept(&mut desk, 1);
    let clips = desk.session().clips_on(DRUMS);
    let (_, clip) = clips.last().unwrap();
    assert_eq!((clip.position.0, clip.name.as_str()), (96_000, "Drums take 1"));
}

#[test]
fn what_a_killed_host_was_writing_is_completed_and_what_was_armed_is_left_to_the_app() {
    let mut desk = Desk::new();
    let (_plugin, folder) = joined(&mut desk);
    let (armed, whole) = cut_off(&folder, &format!("armed-{}", name(0, 0)));
    let (part, rolling) = cut_off(&folder, &name(0, 96_000));
    swept(&mut desk, 1);
    assert!(rolling.is_file() && !part.exists(), "it is complete");
    assert!(armed.is_file() && !whole.exists(), "nobody else touches what was armed");
    let clips = desk.session().clips_on(DRUMS);
    assert_eq!(clips.last().unwrap().1.position.0, 96_000);
}

#[test]
fn what_a_killed_host_was_writing_outlives_the_hub() {
    let mut desk = Desk::new();
    let (_plugin, folder) = joined(&mut desk);
    let (part, rolling) = cut_off(&folder, &name(0, 96_000));
    let written = std::fs::File::options().write(true).open(&part).unwrap();
    written.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    let mut desk = desk.reopened();
    swept(&mut desk, 1);
    assert!(rolling.is_file() && !part.exists());
    assert_eq!(desk.session().clips_on(DRUMS).last().unwrap().1.position.0, 96_000);
}

#[test]
fn what_a_killed_host_was_writing_is_taken_in_once_it_is_gone() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    plugin.ask(&mut desk, Op::Capturing { on: true, is_off: false });
    let (_part, rolling) = cut_off(&folder, &name(0, 96_000));
    drop(plugin);
    desk.until(|desk| found(desk).len() == 1 && !desk.bridge.is_working());
    assert!(rolling.is_file());
}

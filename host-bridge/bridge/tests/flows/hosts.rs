//! Reports between the hub and instances in hosts: moves of trim as one step, room for takes, waveforms by
//! column.

use crate::desk::{Desk, WORKERS, call, code};
use crate::instances::{Plugin, instance};
use crate::sound::{BASS, DRUMS};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::peaks::{FULL_SCALE, LAST_LEVEL, MOST_COLUMNS, PeakColumns};
use deskhand_protocol::{Apply, CaptureKind, Decision, Hearing, News, Op, Read, Status};
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, SourceId};
use serde_json::json;
use std::path::Path;

/// The reports of hearing, the newest last.
fn told(desk: &Desk) -> Vec<Option<Hearing>> {
    let told = desk.heard.iter().filter_map(|event| match &event.news {
        News::Hearing { hearing, .. } => Some(hearing.as_deref().cloned()),
        _ => None,
    });
    told.collect()
}

#[test]
fn a_ride_of_the_host_s_trim_is_one_step() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    let before = desk.bridge.history().iter().count();
    for step in 1..20 {
        plugin.submit(Op::HostGain { gain: Decibels(-0.5 * f64::from(step)), is_loaded: false });
    }
    let last = plugin.ask(&mut desk, Op::HostGain { gain: Decibels(-10.0), is_loaded: false });
    assert_eq!(last.status, Status::Ok);
    let new: Vec<_> = desk.bridge.history().iter().skip(before).cloned().collect();
    assert_eq!(new.len(), 1, "{new:#?}");
    assert_eq!(
        (new[0].author, new[0].label.as_str()),
        (Author::Host, "Drums to -10.00 dB in the host")
    );
    assert_eq!(plugin.unanswered(), 0, "each is answered");
}

#[test]
fn what_the_host_moved_stands_ahead_of_what_is_asked_next() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    plugin.submit(Op::HostGain { gain: Decibels(-3.0), is_loaded: false });
    let plan = desk.plan("cmd_set_track_gain", json!({"targets": "Drums", "change_db": 1.0}));
    let change = serde_json::to_value(&desk.stored(plan).plan.changes[0]).unwrap();
    assert_eq!((&change["before"], &change["after"]), (&json!(-3.0), &json!(-2.0)));
    plugin.submit(Op::HostGain { gain: Decibels(-4.0), is_loaded: false });
    drop(plugin);
    desk.until(|desk| desk.session().tracks[&DRUMS].gain == Decibels(-4.0));
}

#[test]
fn a_plan_is_heard_in_hosts_as_far_as_instances_can() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    let gain = desk.plan("cmd_set_track_gain", json!({"targets": "Drums", "change_db": 3.0}));
    let hear = |plan, which| json!({"plan_id": plan, "which": which});
    let result = desk.now("cmd_hear", hear(gain, "plan"));
    assert_eq!(result.status, Status::Ok, "{result:#?}");
    let hearing = told(&desk).pop().flatten().unwrap();
    assert_eq!((hearing.plan, hearing.gains[&DRUMS]), (gain, Decibels(3.0)));
    assert!(hearing.changes.is_empty(), "nobody plays the session");
    // Another step on the same track is what the plan was not made for.
    plugin.ask(&mut desk, Op::HostGain { gain: Decibels(-1.0), is_loaded: false });
    desk.until(|desk| told(desk).last() == Some(&None));

    let both =
        desk.plan("cmd_set_track_gain", json!({"targets": ["Drums", "Bass"], "change_db": 3.0}));
    let result = desk.now("cmd_hear", hear(both, "plan"));
    assert!(
        result.summary.contains("Bass has no instance of Deskhand in the host"),
        "{}",
        result.summary
    );
    let master = desk.plan("cmd_set_master_gain", json!({"gain_db": -3.0}));
    let result = desk.now("cmd_hear", hear(master, "plan"));
    assert_eq!(code(&result), Code::Refused);
    assert!(result.summary.contains("the master is the host's"), "{}", result.summary);
    let result = desk.now("cmd_play", json!({}));
    assert!(result.summary.contains("follow the transport of their host"), "{}", result.summary);
    plugin.ask(&mut desk, Op::Player { ready: true });
    assert_eq!(code(&desk.now("cmd_play", json!({}))), Code::NoTarget, "it is no app");
    drop(plugin);
    desk.until(|desk| {
        told(desk).last().is_some_and(|it| it.as_ref().is_none_or(|it| it.gains.is_empty()))
    });
}

#[test]
fn a_plan_that_was_undone_is_heard_in_hosts_and_one_that_was_rejected_is_not() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    let plan = desk.plan("cmd_set_track_gain", json!({"targets": "Drums", "change_db": 3.0}));
    assert_eq!(desk.apply(plan).status, Status::Applied);
    desk.undo();
    let hear = || json!({"plan_id": plan, "which": "plan"});
    let result = desk.now("cmd_hear", hear());
    assert_eq!(result.status, Status::Ok, "{result:#?}");
    let hearing = told(&desk).pop().flatten().unwrap();
    assert_eq!(hearing.gains[&DRUMS], Decibels(3.0), "it can be applied again");
    desk.decide(plan, Decision::Reject { reason: "no".into() });
    desk.until(|desk| told(desk).last() == Some(&None));
    assert_eq!(code(&desk.now("cmd_hear", hear())), Code::Refused);
}

fn pass(folder: &Path, name: &str) -> std::path::PathBuf {
    let file = folder.join(name);
    let mut writer = WavWriter::create(&file, SampleRate(48_000), 1, BitDepth::F32).unwrap();
    writer.write(&[&[0.25; 48_000]]).unwrap();
    writer.finish().unwrap();
    file
}

#[test]
fn the_oldest_rolling_takes_go_when_there_is_no_room_and_what_plays_or_was_armed_stays() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    let folder = plugin.join(&mut desk, instance("a", Some(DRUMS))).captures;
    let names = ["armed-1.wav", "2.wav", "3.wav", "4.wav"];
    let files = names.map(|name| pass(&folder, name));
    // Each covers the one before; three of four fit.
    for file in files.clone() {
        let (at, kind, most_bytes) = (Frames(0), CaptureKind::Rolling, Some(3 * 193_000));
        let result = plugin.ask(&mut desk, Op::Captured { file, at, kind, most_bytes });
        assert_eq!(result.status, Status::Ok, "{result:#?}");
    }
    let there = |n: usize| files[n].is_file();
    desk.until(|_| !there(1));
    assert_eq!([0, 2, 3].map(there), [true; 3]);
    let takes = desk.session().sources.values().filter(|source| source.origin.is_some());
    assert_eq!(takes.count(), 3);
    let last = desk.bridge.history().iter().last().unwrap();
    assert_eq!(last.author, Author::Capture);
    assert!(last.label.starts_with("Removed 1 old take ("), "{}", last.label);
}

#[test]
fn of_takes_at_another_rate_both_files_go_and_room_is_made_where_it_is_asked_for() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    let folder = plugin.join(&mut desk, instance("a", Some(DRUMS))).captures;
    let slow = |name: &str, level: f32| {
        let file = folder.join(name);
        let mut writer = WavWriter::create(&file, SampleRate(44_100), 1, BitDepth::F32).unwrap();
        writer.write(&[&[level; 44_100]]).unwrap();
        writer.finish().unwrap();
        file
    };
    let files = [slow("1.wav", 0.1), slow("2.wav", 0.2), slow("3.wav", 0.3)];
    for file in files.clone() {
        let (at, kind) = (Frames(0), CaptureKind::Rolling);
        let op = Op::Captured { file, at, kind, most_bytes: None };
        assert_eq!(plugin.ask(&mut desk, op).status, Status::Ok);
    }
    desk.until(|desk| desk.bridge.conforming() == 0);
    let conformed = |desk: &Desk| {
        let files = std::fs::read_dir(desk.folder().join("media")).unwrap().flatten();
        files.filter(|file| file.file_type().unwrap().is_file()).count()
    };
    assert_eq!(conformed(&desk), 3);
    // Raw and conformed, the one that plays fits.
    let result = plugin.ask(&mut desk, Op::MakeRoom { most_bytes: 380_000, held_bytes: 0 });
    assert_eq!(result.status, Status::Ok, "{result:#?}");
    desk.until(|desk| !files[0].is_file() && !files[1].is_file() && conformed(desk) == 1);
    assert!(files[2].is_file());
    let label = desk.bridge.history().iter().last().unwrap().label.clone();
    assert!(label.starts_with("Removed 2 old takes (0.7 MB)"), "{label}");
}

#[test]
fn files_that_the_session_does_not_know_count_where_the_instance_found_them() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    let folder = plugin.join(&mut desk, instance("a", Some(DRUMS))).captures;
    let files = ["1.wav", "2.wav"].map(|name| pass(&folder, name));
    for file in files.clone() {
        let (at, kind, most_bytes) = (Frames(0), CaptureKind::Rolling, None);
        plugin.ask(&mut desk, Op::Captured { file, at, kind, most_bytes });
    }
    // Files of undone recordings, for example.
    pass(&folder, "unknown.wav");
    let all = std::fs::read_dir(&folder).unwrap().flatten();
    let held_bytes: u64 = all.map(|file| file.metadata().unwrap().len()).sum();
    let room = |most_bytes| Op::MakeRoom { most_bytes, held_bytes };
    plugin.ask(&mut desk, room(held_bytes));
    assert!(files[0].is_file(), "all of it fits");
    plugin.ask(&mut desk, room(held_bytes - 1));
    desk.until(|_| !files[0].is_file());
    assert!(files[1].is_file(), "a clip plays it");
}

#[test]
fn what_was_undone_stays_for_redo_while_there_is_room_and_goes_first_when_there_is_none() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    let folder = plugin.join(&mut desk, instance("a", Some(DRUMS))).captures;
    let names = ["1.wav", "2.wav", "armed-3.wav", "4.wav"];
    let files = names.map(|name| pass(&folder, name));
    let there = |n: usize| files[n].is_file();
    let capture = |desk: &mut Desk, plugin: &mut Plugin, n: usize, most_bytes| {
        let (at, kind) = (Frames(0), CaptureKind::Rolling);
        let op = Op::Captured { file: files[n].clone(), at, kind, most_bytes };
        assert_eq!(plugin.ask(desk, op).status, Status::Ok);
        desk.bridge.history().head()
    };
    // The second covers the first, which stays as a take; it and the armed one are undone.
    let heads = [0, 1, 2].map(|n| capture(&mut desk, &mut plugin, n, None));
    desk.ask(Op::GoTo { revision: heads[0] });
    let last = capture(&mut desk, &mut plugin, 3, Some(4 * 193_000));
    assert_eq!([0, 1, 2, 3].map(there), [true; 4], "there is room for all of them");
    desk.ask(Op::GoTo { revision: heads[2] });
    assert!(desk.session().clips_on(DRUMS).len() == 1, "and what was undone is done again");
    desk.ask(Op::GoTo { revision: last });
    let before = desk.session().clone();
    let room = Op::MakeRoom { most_bytes: 3 * 193_000, held_bytes: 0 };
    plugin.ask(&mut desk, room.clone());
    desk.until(|_| !there(1));
    assert_eq!([0, 2, 3].map(there), [true; 3], "a take that is in the library and what was armed");
    assert_eq!(desk.session(), &before, "nothing of the session goes while something undone does");
    // The file that went counts no more.
    plugin.ask(&mut desk, room);
    assert_eq!(desk.session(), &before);
    plugin.ask(&mut desk, Op::MakeRoom { most_bytes: 2 * 193_000, held_bytes: 0 });
    desk.until(|_| !there(0));
    assert_eq!([2, 3].map(there), [true; 2]);
}

#[test]
fn what_another_session_recorded_and_was_imported_from_there_stays() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    let other = tempfile::tempdir().unwrap();
    let captures = other.path().join("media/captures");
    std::fs::create_dir_all(&captures).unwrap();
    let file = pass(&captures, "1.wav");
    desk.now("import_audio", json!({"files": file, "library": true}));
    let before = desk.session().clone();
    assert!(before.sources.values().any(|source| source.path.ends_with("media/captures/1.wav")));
    plugin.ask(&mut desk, Op::MakeRoom { most_bytes: 0, held_bytes: 0 });
    assert_eq!(desk.session().sources, before.sources);
}

#[test]
fn what_a_person_recorded_and_did_again_counts_once() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    let folder = plugin.join(&mut desk, instance("a", Some(DRUMS))).captures;
    let files = ["armed-1.wav", "2.wav", "3.wav"].map(|name| pass(&folder, name));
    let (file, at) = (files[0].clone(), Frames(0));
    let recorded = Op::Recorded { track: BASS, file, at, tracks: 1 };
    assert_eq!(desk.ask(recorded).status, Status::Ok);
    for file in files[1..].iter().cloned() {
        let (at, kind, most_bytes) = (Frames(0), CaptureKind::Rolling, None);
        let op = Op::Captured { file, at, kind, most_bytes };
        assert_eq!(plugin.ask(&mut desk, op).status, Status::Ok);
    }
    desk.undo();
    desk.redo();
    let before = desk.session().clone();
    assert_eq!(before.clips_on(BASS)[0].1.name, "Bass take 1", "it is there again");
    plugin.ask(&mut desk, Op::MakeRoom { most_bytes: 3 * 193_000, held_bytes: 0 });
    assert_eq!(desk.session(), &before, "all three fit");
}

#[test]
fn a_track_that_records_is_not_said_to_have_recorded_nothing() {
    let mut desk = Desk::new();
    let (mut one, mut two) = (Plugin::new(&mut desk), Plugin::new(&mut desk));
    one.join(&mut desk, instance("a", None));
    two.join(&mut desk, instance("b", None));
    let said = |desk: &mut Desk| desk.now("tool_measure", json!({"targets": "all"})).summary;
    let before = said(&mut desk);
    assert!(before.contains("have recorded nothing yet: play them once"), "{before}");
    one.ask(&mut desk, Op::Capturing { on: true, is_off: false });
    let now = said(&mut desk);
    assert!(now.contains(" records now: what it heard is there once "), "{now}");
    assert!(
        now.contains("stop it and ask again; ") && now.contains("has recorded nothing"),
        "{now}"
    );
    two.ask(&mut desk, Op::Capturing { on: true, is_off: false });
    assert!(said(&mut desk).contains(" record now: what they heard"));
    for plugin in [&mut one, &mut two] {
        plugin.ask(&mut desk, Op::Capturing { on: false, is_off: false });
    }
    assert_eq!(said(&mut desk), before);
}

#[test]
fn where_capture_is_off_the_way_out_says_where_to_turn_it_on() {
    let mut desk = Desk::new();
    let (mut one, mut two) = (Plugin::new(&mut desk), Plugin::new(&mut desk));
    one.join(&mut desk, instance("a", None));
    two.join(&mut desk, instance("b", None));
    let said = |desk: &mut Desk| desk.now("tool_measure", json!({"targets": "all"})).summary;
    let before = said(&mut desk);
    one.ask(&mut desk, Op::Capturing { on: false, is_off: true });
    let now = said(&mut desk);
    assert!(now.contains("has recorded nothing yet: play it once"), "the other one: {now}");
    assert!(now.contains("has recorded nothing, for capture is off: turn it on in "), "{now}");
    assert!(now.contains("or arm the track there") && now.contains("which records it"), "{now}");
    two.ask(&mut desk, Op::Capturing { on: false, is_off: true });
    let now = said(&mut desk);
    assert!(now.contains("have recorded nothing, for") && !now.contains("once"), "{now}");
    for plugin in [&mut one, &mut two] {
        plugin.ask(&mut desk, Op::Capturing { on: false, is_off: false });
    }
    assert_eq!(said(&mut desk), before);
}

#[test]
fn a_pass_that_is_being_taken_in_is_said_to_be() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    let joined = plugin.join(&mut desk, instance("a", None));
    let name = desk.session().tracks[&joined.track].name.clone();
    let way = |desk: &mut Desk| {
        let result = desk.now("tool_strip_silence", json!({"targets": name}));
        result.error.map(|error| error.fix).unwrap_or_default()
    };
    assert!(way(&mut desk).contains("has recorded nothing yet"));
    // No worker is free.
    let listen = || call("fake_listen", json!({}), Apply::Never);
    desk.sound.close_gate();
    for _ in 0..WORKERS {
        desk.person.submit(listen());
    }
    desk.until(|desk| desk.sound.waiting() == WORKERS);
    let (at, kind, most_bytes) = (Frames(0), CaptureKind::Rolling, None);
    plugin.submit(Op::Captured { file: pass(&joined.captures, "1.wav"), at, kind, most_bytes });
    let now = way(&mut desk);
    assert!(now.contains("has just recorded, which is being taken in: ask again"), "{now}");
    desk.sound.open_gate();
    desk.until(|desk| !desk.session().clips_on(joined.track).is_empty());
    assert_eq!(way(&mut desk), "");
}

#[test]
fn a_waveform_is_read_by_column_and_never_more_than_fits() {
    let mut desk = Desk::new();
    let (id, source) =
        desk.session().sources.iter().next().map(|(id, it)| (*id, it.clone())).unwrap();
    let read =
        |level, first, count| Op::Read { what: Read::Peaks { source: id, level, first, count } };
    let columns = |desk: &mut Desk, op| -> PeakColumns {
        serde_json::from_value(desk.ask(op).answer.unwrap()).unwrap()
    };
    let all = columns(&mut desk, read(0, 0, u32::MAX));
    let length = source.frames.index();
    assert_eq!(all.frames, length as u64);
    assert_eq!(all.columns.len(), length.div_ceil(256).min(MOST_COLUMNS as usize));
    assert!(all.columns.iter().any(|[peak, _]| f32::from(*peak) / FULL_SCALE > 0.01));
    assert!(all.columns.iter().all(|[peak, rms]| peak >= rms));
    let coarse = columns(&mut desk, read(1, 0, 2));
    let four = all.columns[..4].iter().map(|[peak, _]| *peak).max().unwrap();
    assert_eq!(coarse.columns[0][0], four);
    assert!(columns(&mut desk, read(0, 1 << 40, 10)).columns.is_empty(), "behind the end");
    assert_eq!(code(&desk.ask(read(LAST_LEVEL + 1, 0, 1))), Code::BadParams);
    let other = SourceId::new(77);
    let what = Read::Peaks { source: other, level: 0, first: 0, count: 1 };
    assert_eq!(code(&desk.ask(Op::Read { what })), Code::NoTarget);
}

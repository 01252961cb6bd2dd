//! A session's timeline for other programs, and back.

use crate::handoff::FrameRate;
use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_session::{Clip, ClipId, Marker, MarkerId, Session};
use deskhand_toolkit::testing::{Desk, tone};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const RATE: SampleRate = SampleRate(48_000);
const EXPORT: &str = "tool_export_timeline";
const IMPORT: &str = "import_timeline";

/// Two recordings of eight seconds, the second one in stereo.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, channels) in [("one.wav", 1), ("two.wav", 2)] {
        let path = folder.path().join(name);
        let mut writer = WavWriter::create(&path, RATE, channels, BitDepth::S16).unwrap();
        let sound = tone(220.0, -20.0, 8.0);
        writer.write(&vec![sound.as_slice(); channels]).unwrap();
        writer.finish().unwrap();
    }
    folder
}

fn desk() -> Desk {
    Desk::new([crate::all(), deskhand_edit::all()].concat())
}

/// Both recordings on tracks of their own; the first is cut in two, with a crossfade.
fn talk(folder: &Path) -> Desk {
    let mut desk = desk();
    let files = [folder.join("one.wav"), folder.join("two.wav")];
    let draft = desk.plan("import_audio", json!({"files": files, "at_s": 0.5}));
    desk.apply(&draft);
    let fade = Fade { length: Frames(24_000), curve: FadeCurve::Linear };
    let session = &mut desk.session;
    let (id, first) = session.clips.iter().find(|(_, clip)| clip.name == "one").unwrap();
    let (id, first) = (*id, first.clone());
    let left = Clip { length: Frames(96_100), fade_out: fade, ..first.clone() };
    let right = Clip {
        name: "one, later".into(),
        start: Frames(200_001),
        position: left.end() - fade.length,
        length: Frames(120_000),
        fade_in: fade,
        gain: Decibels(-3.0),
        ..first
    };
    session.clips.insert(id, left);
    session.clips.insert(ClipId::new(77), right);
    let marker = |name: &str, length| Marker {
        name: name.into(),
        position: Frames(48_010),
        length,
        code: None,
    };
    session.markers.insert(MarkerId::new(1), marker("Talk", Frames(96_000)));
    desk
}

/// The answer of an export, with its warnings.
fn exported(desk: &Desk, params: Value) -> (PathBuf, Vec<String>) {
    let draft = desk.plan(EXPORT, params);
    assert_eq!(draft.changes, []);
    let path = draft.answer.unwrap()["path"].as_str().unwrap().into();
    (path, draft.warnings)
}

/// What comes in from a file, in a session that has a track already.
fn imported(path: &Path, params: Value) -> Session {
    let mut desk = desk();
    desk.track(deskhand_session::Track::audio("First"));
    let mut all = json!({"path": path});
    all.as_object_mut().unwrap().extend(params.as_object().unwrap().clone());
    let draft = desk.plan(IMPORT, all);
    assert_eq!(draft.parts.len(), 1, "it is one row");
    desk.apply(&draft);
    assert_eq!(desk.session.tracks_in_order().next().unwrap().1.name, "First");
    assert!(desk.session.host.is_none());
    desk.session
}

/// File, position, end, start and fades of all clips, in frames of a rate of picture.
fn held(session: &Session, rate: FrameRate) -> Vec<(String, [i64; 5])> {
    let frame = |at| rate.nearest(at, RATE);
    let held = |clip: &Clip| {
        let times =
            [clip.position, clip.end(), clip.start, clip.fade_in.length, clip.fade_out.length];
        (session.sources[&clip.source].name.clone(), times.map(frame))
    };
    let mut all: Vec<_> = session.clips.values().map(held).collect();
    all.sort();
    all
}

/// An edge between two frames of picture goes to one of them.
fn are_near(one: &[(String, [i64; 5])], other: &[(String, [i64; 5])]) -> bool {
    let mut pairs = one.iter().zip(other);
    let is_near = |one: &[i64; 5], other: &[i64; 5]| {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() <= 1)
    };
    one.len() == other.len()
        && pairs.all(|(one, other)| one.0 == other.0 && is_near(&one.1, &other.1))
}

#[test]
fn each_format_that_is_read_comes_back_as_it_was() {
    let rates = [
        ("24", FrameRate::Fps24),
        ("25", FrameRate::Fps25),
        ("29.97 drop", FrameRate::Fps2997Drop),
    ];
    for (said, rate) in rates {
        let folder = folder();
        let desk = talk(folder.path());
        for ending in ["edl", "fcpxml", "otio"] {
            let path = folder.path().join(format!("talk.{ending}"));
            let (path, _) = exported(&desk, json!({"path": path, "frame_rate": said}));
            let own = if ending == "edl" { json!({"frame_rate": said}) } else { json!({}) };
            let again = imported(&path, own);
            assert!(
                are_near(&held(&again, rate), &held(&desk.session, rate)),
                "{ending} at {said}"
            );
            let marker = again.markers.values().next().unwrap();
            let frames = |at| rate.nearest(at, RATE);
            let length = if ending == "edl" { 0 } else { frames(Frames(96_000)) };
            assert_eq!(marker.name, "Talk");
            assert_eq!(
                (frames(marker.position), frames(marker.length)),
                (frames(Frames(48_010)), length),
                "{ending} at {said}"
            );
        }
    }
}

#[test]
fn otio_keeps_every_frame_of_audio_and_the_gains() {
    let folder = folder();
    let mut desk = talk(folder.path());
    let id = *desk.session.tracks.keys().next().unwrap();
    let track = desk.session.tracks.get_mut(&id).unwrap();
    (track.gain, track.pan, track.mute) = (Decibels(-4.5), 0.25, true);
    let (path, _) = exported(&desk, json!({"path": folder.path().join("talk.otio")}));
    let again = imported(&path, json!({}));
    let clips = |session: &Session| {
        let facts = |clip: &Clip| {
            let (fades, gain) = (clip.fades(), (clip.gain.0 * 1e3) as i64);
            format!("{} {:?} {fades:?} {gain}", clip.name, clip.window())
        };
        let mut all: Vec<String> = session.clips.values().map(facts).collect();
        all.sort();
        all
    };
    assert_eq!(clips(&again), clips(&desk.session));
    let track = desk.session.tracks[&id].clone();
    let named = again.tracks.values().find(|it| it.name == track.name).unwrap();
    assert_eq!((named.gain, named.pan, named.mute), (track.gain, track.pan, track.mute));
}

#[test]
fn losses_are_told() {
    let folder = folder();
    let desk = talk(folder.path());
    let path = folder.path().join("talk.edl");
    let draft = desk.plan(EXPORT, json!({"path": path}));
    assert!(draft.summary.starts_with("Wrote 2 tracks, 3 clips to "), "{}", draft.summary);
    assert!(draft.summary.ends_with("does not hold all of the session"), "{}", draft.summary);
    assert!(draft.warnings.contains(&"The gain of 1 clip is lost: an EDL has none.".into()));
    let answer = draft.answer.unwrap();
    assert_eq!((&answer["tracks"], &answer["clips"]), (&json!(2), &json!(3)));
    assert_eq!(answer["losses"], json!(draft.warnings));
}

#[test]
fn an_aaf_is_linked_or_holds_the_audio() {
    let folder = folder();
    let desk = talk(folder.path());
    let size = |params: Value| {
        let (path, _) = exported(&desk, params);
        let bytes = std::fs::read(path).unwrap();
        assert!(bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "no compound file");
        bytes.len()
    };
    let at = |name: &str| folder.path().join(name);
    let linked = size(json!({"path": at("linked.aaf")}));
    let little = size(json!({"path": at("little.aaf"), "embed": true, "handles_s": 0}));
    let whole = size(json!({"path": at("whole.aaf"), "embed": true, "handles_s": 9}));
    // The files are 8 s of 16 bits, one of them in stereo.
    let audio = 3 * 8 * 48_000 * 2;
    assert!(linked < audio / 4 && whole > audio && little < whole, "{linked} {little} {whole}");
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 5, "nothing else is left in the folder");
    let refused = desk.refusal(EXPORT, json!({"path": at("whole.aaf"), "embed": true}));
    assert!(refused.contains("whole.aaf exists already"), "{refused}");
    let (next, _) =
        exported(&desk, json!({"path": at("whole.aaf"), "embed": true, "or_next_free": true}));
    assert_eq!(next, at("whole-2.aaf"));
    std::fs::remove_file(at("two.wav")).unwrap();
    let refused = desk.refusal(EXPORT, json!({"path": at("away.aaf"), "embed": true}));
    assert!(refused.contains("two.wav") && !at("away.aaf").exists(), "{refused}");
    let (_, warnings) = exported(&desk, json!({"path": at("away.aaf")}));
    assert!(warnings.last().unwrap().starts_with("\"two.wav\" cannot be found"), "{warnings:?}");
}

#[test]
fn a_missing_file_is_named_and_the_rest_comes_in() {
    let folder = folder();
    let desk_of_talk = talk(folder.path());
    let (path, _) = exported(&desk_of_talk, json!({"path": folder.path().join("talk.fcpxml")}));
    std::fs::remove_file(folder.path().join("two.wav")).unwrap();
    let draft = desk().plan(IMPORT, json!({"path": path}));
    assert!(draft.warnings[0].contains("two.wav\" cannot be found"), "{:?}", draft.warnings);
    assert_eq!(draft.summary, "Import talk.fcpxml: 2 tracks, 2 clips");
    let answer = draft.answer.unwrap();
    assert!(answer["missing"][0].as_str().unwrap().ends_with("two.wav"), "{answer}");
    std::fs::remove_file(folder.path().join("one.wav")).unwrap();
    let refused = desk().refusal(IMPORT, json!({"path": path}));
    assert!(refused.starts_with("none of the audio can be found: "), "{refused}");
}

// tidy: table
#[test]
fn a_list_of_another_program_finds_audio_by_its_name_and_time_stamp() {
    let folder = folder();
    let list = "\
TITLE: Cut
FCM: NON-DROP FRAME
001  ONE      A     C        00:00:02:00 00:00:04:00 01:00:01:00 01:00:03:00
* SOURCE FILE: D:\\media\\one.wav
002  TWO      AA    C        00:00:07:00 00:00:10:00 01:00:03:00 01:00:06:00
003  TWO      V     C        00:00:00:00 00:00:01:00 01:00:06:00 01:00:07:00
004  TWO      A     C        00:01:00:00 00:01:01:00 01:00:08:00 01:00:09:00
";
    let path = folder.path().join("cut.edl");
    std::fs::write(&path, list).unwrap();
    std::fs::rename(folder.path().join("two.wav"), folder.path().join("TWO.wav")).unwrap();
    let mut desk = desk();
    let draft = desk.plan(IMPORT, json!({"path": path}));
    let told = [
        "Left out: 1 clip. Its file does not reach there.",
        "The file of 2 clips ends before the clip does: the clip ends there.",
        "An EDL names no frame rate: it is read at 25 frames a second.",
        "1 event of picture was left out.",
    ];
    assert_eq!(draft.notes, told);
    desk.apply(&draft);
    let whole = FrameRate::Fps25;
    let expected = [
        ("TWO".into(), [75, 100, 175, 0, 0]),
        ("TWO".into(), [75, 100, 175, 0, 0]),
        ("one".into(), [25, 75, 50, 0, 0]),
    ];
    assert_eq!(held(&desk.session, whole), expected);
    let stamped = list.replace("00:00:02:00 00:00:04:00", "10:00:02:00 10:00:04:00");
    std::fs::write(&path, stamped).unwrap();
    for source in desk.session.sources.values_mut().filter(|source| source.name == "one") {
        source.origin = Some(Frames(36_000 * 48_000 + 100));
    }
    let draft = desk.plan(IMPORT, json!({"path": path}));
    desk.apply(&draft);
    assert_eq!(desk.session.sources.len(), 2, "what is in the library is not added again");
    let starts: Vec<i64> = desk
        .session
        .clips
        .values()
        .filter(|clip| clip.length == Frames(96_000))
        .map(|clip| clip.start.0)
        .collect();
    assert!(starts.contains(&(96_000 - 100)) && starts.contains(&96_000), "{starts:?}");
}

#[test]
fn one_channel_of_a_file_is_a_source_of_its_own() {
    let folder = folder();
    let mut desk = desk();
    let file = folder.path().join("two.wav");
    let draft = desk.plan("import_audio", json!({"files": file, "split_channels": true}));
    desk.apply(&draft);
    for name in ["split.otio", "split.fcpxml"] {
        let (path, _) = exported(&desk, json!({"path": folder.path().join(name)}));
        let again = imported(&path, json!({}));
        let channels = again.sources.values().map(|it| (it.channels, it.channel));
        let channels: Vec<_> = channels.collect();
        assert_eq!(channels.len(), 2, "{name}: {channels:?}");
        assert!(channels.contains(&(1, Some(0))) && channels.contains(&(1, Some(1))));
    }
}

#[test]
fn what_cannot_work_is_refused() {
    let folder = folder();
    let desk_of_talk = talk(folder.path());
    let export = |params| desk_of_talk.refusal(EXPORT, params);
    let starts = |refused: String, with: &str| assert!(refused.starts_with(with), "{refused}");
    starts(desk().refusal(EXPORT, json!({"path": "a.edl"})), "the session has no clips");
    starts(export(json!({"path": "a.txt"})), "\"a.txt\" does not say what to write");
    starts(export(json!({"path": "a.edl", "embed": true})), "only an AAF holds audio");
    starts(
        export(json!({"path": "a.edl", "start": "01:00:00:25"})),
        "\"01:00:00:25\" is no timecode at 25 frames a second",
    );
    let import = |params| desk().refusal(IMPORT, params);
    starts(import(json!({"path": "a.aaf"})), "Deskhand writes AAF files, and reads none");
    starts(import(json!({"path": "a.txt"})), "\"a.txt\" is no timeline");
    starts(
        import(json!({"path": "a.otio", "frame_rate": "25"})),
        "this timeline names its own frame rate",
    );
    let broken = folder.path().join("broken.edl");
    std::fs::write(&broken, "001 nothing").unwrap();
    let refused = import(json!({"path": broken}));
    assert!(refused.contains("broken.edl: line 1: an event has a number"), "{refused}");
}

//! Tests of `import_audio`, on files that are written for them.

use deskhand_dsp::SampleRate;
use deskhand_media::{BitDepth, WavWriter};
use deskhand_session::{Media, Track};
use deskhand_toolkit::testing::{Desk, talk, tone};
use deskhand_toolkit::{PlanContext, Progress, Registry, Request};
use parking_lot::Mutex;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

fn wav(folder: &TempDir, name: &str, rate: u32, channels: usize) -> String {
    let path = folder.path().join(name);
    write(&path, rate, channels);
    path.canonicalize().unwrap().to_str().unwrap().to_owned()
}

fn write(path: &Path, rate: u32, channels: usize) {
    let mut writer = WavWriter::create(path, SampleRate(rate), channels, BitDepth::S24).unwrap();
    let wave = tone(440.0, -12.0, 1.0);
    writer.write(&vec![wave.as_slice(); channels]).unwrap();
    writer.finish().unwrap();
}

#[test]
fn each_file_gets_a_source_a_track_and_a_clip() {
    let folder = tempfile::tempdir().unwrap();
    let vox = wav(&folder, "01_Lead Vox_take2.wav", 48_000, 1);
    let odd = wav(&folder, "a\nb \u{1f3a4}.wav", 44_100, 2);
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("import_audio", json!({"files": [vox, odd]}));
    assert_eq!(draft.summary, "Import \"01_Lead Vox_take2.wav\" and \"a b \u{1f3a4}.wav\"");
    desk.apply(&draft);
    let names: Vec<_> = desk.session.tracks_in_order().map(|(_, t)| t.name.clone()).collect();
    assert_eq!(names, ["Lead Vox", "a b \u{1f3a4}"]);
    let source = |name: &str| desk.session.sources.values().find(|s| s.name == name).unwrap();
    let here = source("01_Lead Vox_take2");
    assert_eq!((here.media.clone(), here.frames.0, here.rate.0), (Media::InPlace, 48_000, 48_000));
    let there = source("a b \u{1f3a4}");
    let expected = format!("media/{}-48000.wav", &there.hash.0[..16]);
    assert_eq!(there.media, Media::Conformed(expected));
    assert_eq!((there.channels, there.frames.0), (2, 52_245), "48,000 frames at 44.1 kHz");
    let clip = draft.changes.iter().find(|c| c.change.op() == "add_clip").unwrap();
    assert_eq!(clip.needs, ["c1", "c3"]);
}

/// Puts a time stamp (BWF), in frames, into a WAV file.
fn stamp(path: &str, frames: u64) {
    let mut bytes = std::fs::read(path).unwrap();
    let mut bext = vec![0u8; 602];
    bext[338..346].copy_from_slice(&frames.to_le_bytes());
    let chunk = [&b"bext"[..], &602u32.to_le_bytes(), &bext].concat();
    bytes.splice(12..12, chunk);
    let size = u32::try_from(bytes.len() - 8).unwrap();
    bytes[4..8].copy_from_slice(&size.to_le_bytes());
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn files_that_were_recorded_at_the_same_time_begin_at_their_stamps_and_count_as_one_recording() {
    let folder = tempfile::tempdir().unwrap();
    let [host, guest, later] =
        ["host.wav", "guest.wav", "later.wav"].map(|name| wav(&folder, name, 48_000, 1));
    for (path, frames) in [(&host, 480_000), (&guest, 500_000), (&later, 9_000_000)] {
        stamp(path, frames);
    }
    let files = json!([host, guest, later]);
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("import_audio", json!({"files": files}));
    assert_eq!(draft.warnings.len(), 1, "{:?}", draft.warnings);
    let together =
        Desk::new(crate::all()).plan("import_audio", json!({"files": files, "at_s": 0.0}));
    assert_eq!(together.warnings, [""; 0]);
    desk.apply(&draft);
    let begins: Vec<_> = desk.session.clips.values().map(|clip| clip.position.0).collect();
    assert_eq!(begins.iter().sum::<i64>(), 20_000, "{begins:?}");
    let sets = deskhand_session::recorded::recorded_together(&desk.session);
    assert_eq!(sets.len(), 1);
    assert_eq!(sets[0].evidence, deskhand_session::recorded::Evidence::TimeStamp);
}

/// Two microphones in one room, the second of which was started later by some frames: each hears the other's speaker at
/// -24 dB and 4 ms late. Both are shorter than what was said.
fn two_microphones(folder: &TempDir, later: usize) -> [String; 2] {
    let [anna, ben] = [1, 2].map(|seed| talk(seed, 25));
    let heard = |own: &[f32], other: &[f32]| -> Vec<f32> {
        let late = std::iter::repeat_n(&0.0, 192).chain(other);
        own.iter().zip(late).map(|(own, other)| own + 0.063 * other).collect()
    };
    let write = |name: &str, samples: &[f32]| {
        let path = folder.path().join(name);
        let mut writer = WavWriter::create(&path, SampleRate(48_000), 1, BitDepth::S24).unwrap();
        writer.write(&[samples]).unwrap();
        writer.finish().unwrap();
        path.canonicalize().unwrap().to_str().unwrap().to_owned()
    };
    let host = &heard(&anna, &ben)[..22 * 48_000];
    [write("host.wav", host), write("guest.wav", &heard(&ben, &anna)[later..])]
}

#[test]
fn microphones_that_hear_each_other_are_noted_on_their_sources() {
    let folder = tempfile::tempdir().unwrap();
    let [host, guest] = two_microphones(&folder, 48_000);
    let (mut together, mut in_turn) = (Desk::new(crate::all()), Desk::new(crate::all()));
    together.apply(&together.plan("import_audio", json!({"files": [host, guest]})));
    in_turn.apply(&in_turn.plan("import_audio", json!({"files": host})));
    in_turn.apply(&in_turn.plan("import_audio", json!({"files": guest, "track": "Guest"})));
    for desk in [together, in_turn] {
        let source = |name: &str| desk.session.sources.values().find(|s| s.name == name).unwrap();
        let later = source("guest").began_later_than(source("host")).unwrap();
        assert!((later.0 - 48_000).abs() <= 250, "{later:?}");
    }
    let mut desk = Desk::new(crate::all());
    desk.apply(&desk.plan("import_audio", json!({"files": [host, guest], "library": true})));
    assert!(desk.session.sources.values().all(|source| source.same_sound.is_empty()));
}

#[test]
fn a_copy_of_a_file_is_the_same_recording_and_not_another_microphone() {
    let folder = tempfile::tempdir().unwrap();
    let [host, _] = two_microphones(&folder, 0);
    let copy = folder.path().join("copy.wav");
    std::fs::copy(&host, &copy).unwrap();
    stamp(copy.to_str().unwrap(), 0);
    let draft = Desk::new(crate::all()).plan("import_audio", json!({"files": [host, copy]}));
    let changes = serde_json::to_string(&draft.changes).unwrap();
    assert!(!changes.contains("same_sound"), "{changes}");
}

/// Keeps what is told of how far a run is.
#[derive(Default)]
struct Told(Mutex<Vec<(f64, String)>>);

impl Progress for Told {
    fn report(&self, fraction: f64, what: &str) {
        self.0.lock().push((fraction, what.to_owned()));
    }
}

/// What an import of `files` tells of how far it is.
fn told_of(files: &[String]) -> Vec<(f64, String)> {
    let (desk, told) = (Desk::new(crate::all()), Arc::new(Told::default()));
    let (params, progress) = (json!({"files": files}), Arc::clone(&told));
    let context = PlanContext { progress, ..desk.context("import_audio", &params) };
    let registry = Registry::new(crate::all());
    let request = Request { session: &desk.session, base: context.base, params: &params };
    registry.get("import_audio").unwrap().prepare(&request).unwrap().task.run(&context).unwrap();
    drop(context);
    Arc::into_inner(told).unwrap().0.into_inner()
}

#[test]
fn an_import_tells_which_file_it_reads_and_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a.wav", "b.wav"].map(|name| wav(&folder, name, 48_000, 1));
    let [a, b] = ["Importing a", "Importing b"].map(str::to_owned);
    let expected = [(0.0, a.clone()), (0.5, a), (0.5, b.clone()), (1.0, b)];
    assert_eq!(told_of(&files), expected);
}

#[test]
fn a_single_file_tells_how_far_it_is_while_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    // A second of it is 1.2 MB.
    let told = told_of(&[wav(&folder, "Interview.wav", 48_000, 8)]);
    let [(first, _), middle @ .., (last, _)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((*first, *last), (0.0, 1.0));
    assert!(middle.iter().any(|(done, _)| *done > 0.1 && *done < 0.9), "{told:?}");
    assert!(told.is_sorted_by(|one, next| one.0 <= next.0), "{told:?}");
    assert!(told.iter().all(|(_, what)| what == "Importing Interview"), "{told:?}");
}

#[test]
fn a_known_file_is_not_added_again() {
    let folder = tempfile::tempdir().unwrap();
    let vox = wav(&folder, "Vox.wav", 48_000, 1);
    let mut desk = Desk::new(crate::all());
    desk.apply(&desk.plan("import_audio", json!({"files": vox, "library": true})));
    let again = desk.plan("import_audio", json!({"files": [vox, vox], "library": true}));
    assert_eq!(again.changes, []);
    assert_eq!(again.summary, "Nothing to change; 2 sources in the library already");
    let twice = desk.plan("import_audio", json!({"files": [vox, vox]}));
    desk.apply(&twice);
    assert_eq!((desk.session.sources.len(), desk.session.clips.len()), (1, 2));
    let names: Vec<_> = desk.session.tracks_in_order().map(|(_, t)| t.name.clone()).collect();
    assert_eq!(names, ["Vox 1", "Vox 2"]);
}

#[test]
fn one_track_gets_the_files_one_after_another() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (wav(&folder, "a.wav", 48_000, 1), wav(&folder, "b.wav", 48_000, 1));
    let mut desk = Desk::new(crate::all());
    desk.apply(&desk.plan("import_audio", json!({"files": [a, b], "track": "Voice", "at_s": 2})));
    desk.apply(&desk.plan("import_audio", json!({"files": a, "track": "voice"})));
    let track = desk.session.track_order[0];
    let starts: Vec<_> = desk.session.clips_on(track).iter().map(|(_, c)| c.position.0).collect();
    assert_eq!((desk.session.tracks.len(), starts), (1, vec![96_000, 144_000, 192_000]));
    desk.track(Track::bus("Bus"));
    let bus = desk.refusal("import_audio", json!({"files": a, "track": "Bus"}));
    assert!(bus.contains("is a bus"), "{bus}");
}

#[test]
fn channels_are_split_into_tracks() {
    let folder = tempfile::tempdir().unwrap();
    let stereo = wav(&folder, "02 Piano.wav", 48_000, 2);
    let mut desk = Desk::new(crate::all());
    desk.apply(&desk.plan("import_audio", json!({"files": stereo, "split_channels": true})));
    let names: Vec<_> = desk.session.tracks_in_order().map(|(_, t)| t.name.clone()).collect();
    assert_eq!(names, ["Piano L", "Piano R"]);
    let mut channels: Vec<_> =
        desk.session.sources.values().map(|s| (s.channel, s.channels)).collect();
    channels.sort_unstable();
    assert_eq!(channels, [(Some(0), 1), (Some(1), 1)]);
    let again = desk.plan("tool_rename_tracks", json!({"targets": "all"}));
    assert_eq!(again.changes, [], "the names are those of the renaming tool");
}

#[test]
fn files_that_cannot_be_used_are_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let (good, fine) = (wav(&folder, "good.wav", 48_000, 1), wav(&folder, "fine.wav", 48_000, 1));
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "no audio in here").unwrap();
    let missing = folder.path().join("missing.wav");
    let mut desk = Desk::new(crate::all());
    let files = json!({"files": [good, text, missing, fine]});
    let draft = desk.plan("import_audio", files);
    assert_eq!(draft.summary, "Import good.wav and fine.wav");
    assert_eq!(draft.warnings.len(), 2, "{:?}", draft.warnings);
    for (warning, name) in draft.warnings.iter().zip(["notes.txt", "missing.wav"]) {
        assert!(warning.starts_with("not imported: ") && warning.contains(name), "{warning}");
    }
    desk.apply(&draft);
    assert_eq!((desk.session.sources.len(), desk.session.clips.len()), (2, 2));
    let again = json!({"files": [good, missing], "library": true});
    let again = desk.plan("import_audio", again);
    assert_eq!((again.changes.len(), again.warnings.len()), (0, 1), "it is told all the same");
}

#[test]
fn where_no_file_can_be_used_the_error_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let missing: Vec<_> = (0..22).map(|n| folder.path().join(format!("{n}.wav"))).collect();
    let desk = Desk::new(crate::all());
    let one = desk.refusal("import_audio", json!({"files": missing[0]}));
    assert!(one.contains("0.wav") && !one.contains("none of"), "{one}");
    let all = desk.refusal("import_audio", json!({"files": missing}));
    assert!(all.contains("none of the 22 files") && all.contains("19.wav"), "{all}");
    assert!(all.contains("and 2 more"), "{all}");
}

#[test]
fn a_file_without_a_time_stamp_is_placed_at_the_start_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let good = wav(&folder, "good.wav", 48_000, 1);
    let unstamped =
        Desk::new(crate::all()).plan("import_audio", json!({"files": good, "origin": true}));
    assert!(unstamped.warnings[0].ends_with("has no time stamp and is placed at 0"));
}

#[test]
fn contradictions_are_refused() {
    let desk = Desk::new(crate::all());
    let cases = [
        (json!({"files": "a.wav", "library": true, "track": "A"}), "only into the library"),
        (json!({"files": "a.wav", "origin": true, "at_s": 1}), "not both"),
        (json!({"files": "a.wav", "split_channels": true, "track": "A"}), "split"),
        (json!({"files": []}), "no file was given"),
    ];
    for (params, expected) in cases {
        let refusal = desk.refusal("import_audio", params);
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[test]
fn a_file_that_is_shorter_than_it_says_is_told_in_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let path = wav(&folder, "Talk.wav", 48_000, 1);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 3000]).unwrap();
    let draft = Desk::new(crate::all()).plan("import_audio", json!({"files": path}));
    let told = "Talk.wav\": It is cut off: less than 0.1 s of its 1.0 s is missing.";
    assert!(draft.warnings[0].ends_with(told), "{:?}", draft.warnings);
    assert_eq!(draft.warnings.len(), 1);
}

#[test]
fn a_header_that_contradicts_itself_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = wav(&folder, "Lie.wav", 48_000, 2);
    let mut bytes = std::fs::read(&path).unwrap();
    let format = bytes.windows(4).position(|name| name == b"fmt ").unwrap();
    bytes[format + 20] = 4;
    std::fs::write(&path, &bytes).unwrap();
    let refusal = Desk::new(crate::all()).refusal("import_audio", json!({"files": path}));
    assert!(refusal.contains("Lie.wav") && refusal.contains("it says 4"), "{refusal}");
}

/// An AIFF file of silence that says which channel is which.
fn surround(path: &Path) {
    let chunk = |id: &[u8], body: &[u8]| [id, &(body.len() as u32).to_be_bytes(), body].concat();
    let channels = [0, 6];
    let frames = [0, 0, 0, 10];
    let bits = [0, 16];
    let rate = [0x40, 0x0e, 0xbb, 0x80, 0, 0, 0, 0, 0, 0];
    let common = [&channels[..], &frames, &bits, &rate].concat();
    // L R C LFE Ls Rs.
    let layout = [0, 121, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0];
    let chunks = [
        b"AIFF".to_vec(),
        chunk(b"COMM", &common),
        chunk(b"CHAN", &layout),
        chunk(b"SSND", &[0; 8 + 10 * 6 * 2]),
    ];
    std::fs::write(path, chunk(b"FORM", &chunks.concat())).unwrap();
}

#[test]
fn the_channels_of_surround_get_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Hall.aiff");
    surround(&path);
    let mut desk = Desk::new(crate::all());
    desk.apply(&desk.plan("import_audio", json!({"files": path, "split_channels": true})));
    let names: Vec<_> = desk.session.tracks_in_order().map(|(_, t)| t.name.clone()).collect();
    assert_eq!(names, ["Hall L", "Hall R", "Hall C", "Hall LFE", "Hall Ls", "Hall Rs"]);
}

/// A film with audio tracks of 2 s, each with a level in dBFS and a title, written by ffmpeg if it is there.
fn film(folder: &TempDir, name: &str, tracks: &[(f64, &str)]) -> Option<String> {
    let to = folder.path().join(name);
    let mut command = std::process::Command::new("ffmpeg");
    command.args(["-v", "error", "-y"]);
    for (index, (level, _)) in tracks.iter().enumerate() {
        let from = folder.path().join(format!("{index}.wav"));
        let mut writer = WavWriter::create(&from, SampleRate(48_000), 2, BitDepth::S24).unwrap();
        let wave = tone(440.0 * (index + 1) as f64, *level, 2.0);
        writer.write(&[wave.as_slice(), &wave]).unwrap();
        writer.finish().unwrap();
        // The third comes in later.
        command.args(["-itsoffset", if index == 2 { "0.75" } else { "0" }, "-i"]).arg(from);
    }
    for (index, (_, title)) in tracks.iter().enumerate() {
        command.args(["-map", &index.to_string(), &format!("-metadata:s:a:{index}")]);
        command.arg(format!("title={title}"));
    }
    let is_made = command.args(["-c:a", "aac"]).arg(&to).status().is_ok_and(|made| made.success());
    if !is_made {
        eprintln!("skipped: no ffmpeg that writes {name}");
    }
    is_made.then(|| to.canonicalize().unwrap().to_str().unwrap().to_owned())
}

const OBS: [(f64, &str); 4] = [(-200.0, "Desktop"), (-20.0, "Mic"), (-12.0, ""), (-200.0, "")];

#[test]
fn each_sounding_track_of_a_film_comes_in_with_its_title() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["obs.mp4", "obs.mkv"] {
        let Some(film) = film(&folder, name, &OBS) else { return };
        let mut desk = Desk::new(crate::all());
        let draft = desk.plan("import_audio", json!({"files": film, "at_s": 10}));
        let told: Vec<_> = draft.warnings.iter().map(|w| w.rsplit_once(": ").unwrap().1).collect();
        let silent = [
            "audio track 1 (\"Desktop\") is silent and was left out",
            "audio track 4 is silent and was left out",
        ];
        assert_eq!(told, silent);
        desk.apply(&draft);
        let tracks = desk.session.tracks_in_order();
        let names: Vec<_> = tracks.map(|(_, track)| track.name.clone()).collect();
        assert_eq!(names, ["Mic", "obs audio 3"]);
        let source = |name: &str| {
            desk.session
                .sources
                .iter()
                .find(|(_, s)| s.name == name)
                .map(|(id, s)| (*id, s))
                .unwrap()
        };
        for (name, track, level, at) in
            [("obs Mic", 1, -20.0, 10.0), ("obs audio 3", 2, -12.0, 10.75)]
        {
            let (id, source) = source(name);
            assert_eq!((source.hash.track(), source.channels), (Some(track), 2));
            let Media::Conformed(path) = &source.media else { panic!("{source:?}") };
            assert!(path.ends_with(&format!("-48000-{}.wav", track + 1)), "{path}");
            assert!((peak(&desk, id) - level).abs() < 1.0, "{name}: {}", peak(&desk, id));
            let clip = desk.session.clips.values().find(|clip| clip.source == id).unwrap();
            let begin = clip.position.0 as f64 / 48_000.0;
            assert!((begin - at).abs() < 0.03, "{name}: {begin}");
        }
        let again = desk.plan("import_audio", json!({"files": film, "library": true}));
        assert_eq!(again.changes, []);
    }
}

/// The peak of a second of a source in dBFS.
fn peak(desk: &Desk, id: deskhand_session::SourceId) -> f64 {
    let audio = desk.context("import_audio", &json!({})).audio;
    let mut reader = audio.source(&desk.session, id).unwrap();
    let (mut left, mut right) = (vec![0.0; 48_000], vec![0.0; 48_000]);
    reader.read(deskhand_dsp::Frames(24_000), &mut [&mut left, &mut right]).unwrap();
    let peak = left.iter().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
    20.0 * f64::from(peak).log10()
}

#[test]
fn a_film_that_is_silent_brings_its_first_track() {
    let folder = tempfile::tempdir().unwrap();
    let Some(film) = film(&folder, "obs.mp4", &[(-200.0, "A"), (-200.0, "B")]) else { return };
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("import_audio", json!({"files": film}));
    let told = "no audio track that can be read sounds; only the first of them was imported";
    assert!(draft.warnings[0].ends_with(told), "{:?}", draft.warnings);
    desk.apply(&draft);
    let names: Vec<_> = desk.session.tracks_in_order().map(|(_, t)| t.name.clone()).collect();
    assert_eq!((names, desk.session.sources.len()), (vec!["A".to_owned()], 1));
}

#[test]
fn the_audio_tracks_of_a_film_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let Some(film) = film(&folder, "obs.mp4", &OBS) else { return };
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("import_audio", json!({"files": film, "audio_tracks": [1, 3]}));
    assert_eq!(draft.warnings, Vec::<String>::new());
    desk.apply(&draft);
    let names: Vec<_> = desk.session.tracks_in_order().map(|(_, t)| t.name.clone()).collect();
    assert_eq!(names, ["Desktop", "obs audio 3"]);
    let refusal = desk.refusal("import_audio", json!({"files": film, "audio_tracks": [5]}));
    assert!(refusal.contains("has 4 audio tracks, so it has no audio track 5"), "{refusal}");
    let refusal = desk.refusal("import_audio", json!({"files": film, "track": "Talk"}));
    assert!(refusal.contains("audio tracks that sound at the same time"), "{refusal}");
    let one = json!({"files": film, "track": "Talk", "audio_tracks": [2]});
    assert_eq!(desk.plan("import_audio", one).changes.len(), 3);
}

#[test]
fn an_audio_track_that_cannot_be_read_is_named_and_the_others_come_in() {
    let folder = tempfile::tempdir().unwrap();
    let Some(film) = film(&folder, "obs.mp4", &OBS) else { return };
    let mut bytes = std::fs::read(&film).unwrap();
    let at = bytes.windows(4).position(|four| four == b"mp4a").unwrap();
    bytes[at..at + 4].copy_from_slice(b"dtsc");
    std::fs::write(&film, bytes).unwrap();
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("import_audio", json!({"files": film}));
    let is_it = |warning: &&String| warning.contains("audio track 1 (\"Desktop\") was left out: ");
    let refused = draft.warnings.iter().find(is_it);
    let told = "audio track 1 (\"Desktop\") was left out: it holds DTS audio";
    assert!(refused.is_some_and(|it| it.contains(told)), "{:?}", draft.warnings);
    // Once to name the file, and once in the command that converts it.
    assert_eq!(refused.unwrap().matches(&film).count(), 2, "{refused:?}");
    desk.apply(&draft);
    assert_eq!(desk.session.sources.len(), 2);
}

//! A REAPER project as a session and back.

use crate::session_edits::{edit, markers, seen};
use deskhand_dsp::{Decibels, Frames, Polarity, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_session::{
    Change, Clip, ClipId, ContentHash, Edit, Media, Source, SourceId, TrackKind,
};
use deskhand_toolkit::testing::{Desk, tone};
use proptest::prelude::*;
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;

const RATE: u32 = 48_000;
/// Seconds of each recording.
const LONG: f64 = 8.0;

pub(crate) const PROJECT: &str = r#"<REAPER_PROJECT 0.1 "7.06/linux-x86_64" 1700000000
  RIPPLE 0
  SAMPLERATE 48000 1 0
  TEMPO 96 3 4
  MASTER_VOLUME 0.5 0 -1 -1 1
  MARKER 1 2.5 "Intro ends" 0
  MARKER 2 3 Talk 1 0 1 R {00000000-0000-0000-0000-0000000000A1}
  MARKER 2 5 "" 1
  <TRACK {11111111-1111-1111-1111-111111111111}
    NAME Voices
    VOLPAN 1 0 -1 -1 1
    MUTESOLO 0 0 0
    ISBUS 1 1
    TRACKID {11111111-1111-1111-1111-111111111111}
    <FXCHAIN
      <VST "VST: ReaComp (Cockos)" reacomp.vst.so 0 "" 1919247213
        bWNlciDgAAA=
      >
    >
    <ITEM
      POSITION 6
      LENGTH 1
      IGUID {AAAAAAAA-0000-0000-0000-000000000009}
      NAME "On the bus"
      VOLPAN 1 0 1 -1
      SOFFS 0
      GUID {BBBBBBBB-0000-0000-0000-000000000009}
      <SOURCE WAVE
        FILE "two.wav"
      >
    >
  >
  <TRACK {22222222-2222-2222-2222-222222222222}
    NAME Host
    PEAKCOL 16809034
    VOLPAN 0.70794578438414 -0.2 -1 -1 1
    MUTESOLO 0 0 0
    ISBUS 0 0
    TRACKID {22222222-2222-2222-2222-222222222222}
    <ITEM
      POSITION 0
      LENGTH 3
      FADEIN 1 0.01 0 1 0 0 0
      FADEOUT 1 0.25 0 1 0 0 0
      MUTE 0 0
      IGUID {AAAAAAAA-0000-0000-0000-000000000001}
      NAME one
      VOLPAN 1 0 1 -1
      SOFFS 0
      PLAYRATE 1 1 0 -1 0 0.0025
      GUID {BBBBBBBB-0000-0000-0000-000000000001}
      <SOURCE WAVE
        FILE "one.wav"
      >
    >
    <ITEM
      POSITION 3.5
      LENGTH 4
      IGUID {AAAAAAAA-0000-0000-0000-000000000002}
      NAME "one, again"
      VOLPAN 0.5 0 -1 -1
      SOFFS 2.25
      GUID {BBBBBBBB-0000-0000-0000-000000000002}
      <SOURCE WAVE
        FILE "one.wav"
      >
    >
  >
  <TRACK {33333333-3333-3333-3333-333333333333}
    NAME Guest
    VOLPAN 1 0.2 -1 -1 1
    MUTESOLO 1 0 0
    ISBUS 2 -1
    TRACKID {33333333-3333-3333-3333-333333333333}
    <ITEM
      POSITION 0
      LENGTH 8
      MUTE 1 0
      IGUID {AAAAAAAA-0000-0000-0000-000000000003}
      NAME two
      VOLPAN 1 0 1 -1
      GUID {BBBBBBBB-0000-0000-0000-000000000003}
      <SOURCE WAVE
        FILE "two.wav"
      >
    >
  >
>
"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one.wav", "two.wav"] {
        let path = folder.path().join(name);
        let mut writer = WavWriter::create(&path, SampleRate(RATE), 1, BitDepth::S16).unwrap();
        writer.write(&[tone(220.0, -20.0, LONG).as_slice()]).unwrap();
        writer.finish().unwrap();
    }
    std::fs::write(folder.path().join("talk.RPP"), PROJECT).unwrap();
    folder
}

fn opened(project: &Path) -> Desk {
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("tool_open_project", json!({"path": project}));
    desk.apply(&draft);
    desk
}

fn written(desk: &Desk, to: &Path) -> String {
    let answer = desk.plan("tool_write_project", json!({"path": to})).answer.unwrap();
    std::fs::read_to_string(answer["path"].as_str().unwrap()).unwrap()
}

#[test]
fn a_project_is_a_session_with_its_audio_where_it_is() {
    let folder = folder();
    let mut desk = Desk::new(crate::all());
    let path = folder.path().join("talk.RPP");
    let draft = desk.plan("tool_open_project", json!({"path": path}));
    assert_eq!(draft.summary, "Open talk.RPP: 3 tracks, 4 clips");
    assert_eq!(draft.notes, ["Deskhand leaves as they are: 1 plugin."]);
    assert_eq!(draft.parts.len(), 1, "it is one row");
    desk.apply(&draft);
    let tracks = seen(&desk.session);
    let names: Vec<&str> = tracks.iter().map(|track| track.0.as_str()).collect();
    assert_eq!(names, ["Voices", "Voices", "Host", "Guest"], "the clips of a bus have a track");
    let kinds: Vec<TrackKind> = tracks.iter().map(|track| track.1).collect();
    assert_eq!(kinds, [TrackKind::Bus, TrackKind::Audio, TrackKind::Audio, TrackKind::Audio]);
    assert_eq!((tracks[2].2, tracks[2].3, tracks[2].6.as_str()), (-3000, -200, "Voices"));
    assert_eq!(tracks[3].4, [true, false]);
    assert_eq!(desk.session.tempo[0].bpm, 96.0);
    assert_eq!(desk.session.meter[0].meter.numerator, 3);
    assert!((desk.session.master_gain.0 + 6.0206).abs() < 1e-3);
    let at = |seconds: f64| Frames((seconds * f64::from(RATE)) as i64);
    let expected =
        [("Intro ends".to_owned(), at(2.5), Frames::ZERO), ("Talk".into(), at(3.0), at(2.0))];
    assert_eq!(markers(&desk.session), expected);
    let again = desk.session.clips.values().find(|clip| clip.name == "one, again").unwrap();
    assert_eq!((again.start, again.length, again.position), (at(2.25), at(4.0), at(3.5)));
    assert_eq!(again.polarity, Polarity::Inverted);
    assert!((again.gain.0 + 6.0206).abs() < 1e-3);
    let source = &desk.session.sources[&again.source];
    assert_eq!(Path::new(&source.path), folder.path().join("one.wav").canonicalize().unwrap());
    let again = desk.plan("tool_open_project", json!({"path": path}));
    assert_eq!(again.summary, "Nothing to change: this session was opened from talk.RPP");
    std::fs::write(folder.path().join("other.RPP"), PROJECT).unwrap();
    let other = json!({"path": folder.path().join("other.RPP")});
    let refused = desk.refusal("tool_open_project", other);
    assert!(refused.starts_with("this session has tracks already"), "{refused}");
}

#[test]
fn what_is_not_changed_is_written_byte_for_byte() {
    let folder = folder();
    let desk = opened(&folder.path().join("talk.RPP"));
    assert_eq!(written(&desk, &folder.path().join("copy.RPP")), PROJECT);
    let draft = desk.plan("tool_write_project", json!({}));
    let beside = folder.path().join("talk (Deskhand).RPP");
    assert!(draft.summary.ends_with("talk (Deskhand).RPP: nothing in it changed"));
    assert_eq!(std::fs::read_to_string(beside).unwrap(), PROJECT);
}

#[test]
fn one_value_changes_one_line() {
    let folder = folder();
    let mut desk = opened(&folder.path().join("talk.RPP"));
    let (id, guest) = desk.session.tracks_in_order().last().unwrap();
    let change = Change::SetTrackGain(Edit::new(id, guest.gain, Decibels(-6.0)));
    desk.session = desk.session.with([&change]).unwrap();
    let text = written(&desk, &folder.path().join("copy.RPP"));
    let changed: Vec<_> = text.lines().zip(PROJECT.lines()).filter(|(a, b)| a != b).collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].0.starts_with("    VOLPAN 0.50118723"), "{changed:?}");
}

#[test]
fn a_project_is_written_into_itself_with_a_copy_and_then_again() {
    let folder = folder();
    let path = folder.path().join("talk.RPP");
    let mut desk = opened(&path);
    std::fs::create_dir_all(desk.context("", &json!({})).folder).unwrap();
    let quieter = |desk: &mut Desk, gain: f64| {
        let (id, guest) = desk.session.tracks_in_order().last().unwrap();
        let change = Change::SetTrackGain(Edit::new(id, guest.gain, Decibels(gain)));
        desk.session = desk.session.with([&change]).unwrap();
        desk.plan("tool_write_project", json!({"in_place": true}))
    };
    let first = quieter(&mut desk, -6.0);
    assert!(first.summary.starts_with("Wrote talk.RPP; as it was before: "), "{}", first.summary);
    let copy = first.summary.split_once("before: ").unwrap().1;
    assert_eq!(std::fs::read_to_string(copy).unwrap(), PROJECT);
    quieter(&mut desk, 0.0);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), PROJECT.lines().count());
    let again = desk.plan("tool_write_project", json!({"in_place": true}));
    assert_eq!(again.summary, "Nothing to write: talk.RPP has all of it");
    // A copy is made of what is there by now.
    assert!(written(&desk, &folder.path().join("copy.RPP")).contains("VOLPAN 1 "));
    let both = json!({"in_place": true, "path": "copy.RPP"});
    assert!(desk.refusal("tool_write_project", both).contains("name only one of the two"));
    std::fs::write(&path, PROJECT.replace("NAME Guest", "NAME Anna")).unwrap();
    let refused = desk.refusal("tool_write_project", json!({"in_place": true}));
    assert!(refused.starts_with("talk.RPP changed since it was opened"), "{refused}");
}

#[test]
fn a_copy_is_a_project_of_the_same_program() {
    let folder = folder();
    let desk = opened(&folder.path().join("talk.RPP"));
    let refused = desk.refusal("tool_write_project", json!({"path": "mix.ardour"}));
    let wanted = "mix.ardour cannot be a copy of talk.RPP, a project of REAPER; give a `path` that ends in .RPP";
    assert!(refused.starts_with(wanted), "{refused}");
}

#[test]
fn a_project_that_moved_on_is_not_written() {
    let folder = folder();
    let path = folder.path().join("talk.RPP");
    let desk = opened(&path);
    std::fs::write(&path, PROJECT.replace("NAME Guest", "NAME Anna")).unwrap();
    let refused = desk.refusal("tool_write_project", json!({}));
    assert!(refused.starts_with("talk.RPP changed since it was opened"), "{refused}");
    assert!(!folder.path().join("talk (Deskhand).RPP").exists());
}

#[test]
fn a_missing_file_is_named_and_its_clips_stay_in_the_project() {
    let folder = folder();
    let path = folder.path().join("talk.RPP");
    std::fs::remove_file(folder.path().join("two.wav")).unwrap();
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("tool_open_project", json!({"path": path}));
    assert!(draft.warnings[0].starts_with("\"two.wav\" cannot be found"), "{:?}", draft.warnings);
    desk.apply(&draft);
    assert_eq!(desk.session.clips.len(), 2);
    assert_eq!(written(&desk, &folder.path().join("copy.RPP")), PROJECT);
}

/// Adds a clip of a file that the project does not know, on the session's last track.
fn add_clip(desk: &mut Desk, source: Source) {
    let (id, track) = (SourceId::new(7), desk.session.tracks_in_order().last().unwrap().0);
    let clip = Clip { length: source.frames, ..Clip::new("New", track, id, Frames(48_000)) };
    let changes = [
        Change::AddSource(Edit::create(id, source)),
        Change::AddClip(Edit::create(ClipId::new(8), clip)),
    ];
    desk.session = desk.session.with(&changes).unwrap();
}

fn new_source(path: &Path) -> Source {
    let mut writer = WavWriter::create(path, SampleRate(RATE), 2, BitDepth::S16).unwrap();
    let sound = tone(330.0, -20.0, 2.0);
    writer.write(&[sound.as_slice(), sound.as_slice()]).unwrap();
    writer.finish().unwrap();
    let source = Source::in_place(path.to_str().unwrap(), SampleRate(RATE), 2, Frames(96_000));
    Source { hash: ContentHash("0123456789abcdef#2".into()), ..source }
}

#[test]
fn new_audio_is_copied_to_where_ardour_keeps_it() {
    let folder = folder();
    for (name, file) in [("one.wav", "host.wav"), ("two.wav", "guest.wav")] {
        std::fs::rename(folder.path().join(name), folder.path().join(file)).unwrap();
    }
    let path = folder.path().join("talk.ardour");
    std::fs::write(&path, include_str!("../fixtures/ardour7.ardour")).unwrap();
    let mut desk = opened(&path);
    // The film cannot be played by a DAW: its audio is a copy of ours.
    let session = desk.context("", &json!({})).folder;
    std::fs::create_dir_all(session.join("media")).unwrap();
    let source = new_source(&session.join("media/01-48000-2.wav"));
    let film = folder.path().join("film.mp4").to_string_lossy().into_owned();
    let media = Media::Conformed("media/01-48000-2.wav".into());
    add_clip(&mut desk, Source { path: film, media, ..source });
    let copy = folder.path().join("copy.ardour");
    let text = written(&desk, &copy);
    assert!(text.contains("<Source name=\"film-01234567-2.wav\""), "{text}");
    let kept = folder.path().join("interchange/talk/audiofiles/film-01234567-2.wav");
    let same = std::fs::read(session.join("media/01-48000-2.wav")).unwrap();
    assert!(std::fs::read(kept).unwrap() == same);
    assert_eq!(seen(&opened(&copy).session), seen(&desk.session));
}

#[test]
fn audio_that_is_not_conformed_yet_comes_to_ardour_at_the_rate_of_the_session() {
    let folder = folder();
    for (name, file) in [("one.wav", "host.wav"), ("two.wav", "guest.wav")] {
        std::fs::rename(folder.path().join(name), folder.path().join(file)).unwrap();
    }
    let path = folder.path().join("talk.ardour");
    std::fs::write(&path, include_str!("../fixtures/ardour7.ardour")).unwrap();
    let mut desk = opened(&path);
    let slow = folder.path().join("slow.wav");
    let mut writer = WavWriter::create(&slow, SampleRate(44_100), 1, BitDepth::S16).unwrap();
    writer.write(&[vec![0.1; 88_200].as_slice()]).unwrap();
    writer.finish().unwrap();
    let source = Source::in_place(slow.to_str().unwrap(), SampleRate(44_100), 1, Frames(96_000));
    let hash = ContentHash("fedcba9876543210".into());
    add_clip(
        &mut desk,
        Source { hash, media: Media::Conformed("media/slow.wav".into()), ..source },
    );
    written(&desk, &folder.path().join("copy.ardour"));
    let kept = folder.path().join("interchange/talk/audiofiles/slow-fedcba98.wav");
    let probe = deskhand_media::probe(&kept).unwrap();
    assert_eq!((probe.rate, probe.frames), (SampleRate(RATE), Frames(96_000)));
}

#[test]
fn a_clip_of_one_channel_of_its_file_is_refused_by_name() {
    let folder = folder();
    let mut desk = opened(&folder.path().join("talk.RPP"));
    let source = new_source(&folder.path().join("stereo.wav"));
    add_clip(&mut desk, Source { channel: Some(1), channels: 1, ..source });
    let refused = desk.refusal("tool_write_project", json!({}));
    assert!(refused.contains("clip \"New\": it plays one channel of its file"), "{refused}");
    assert!(!folder.path().join("talk (Deskhand).RPP").exists());
}

const DAWPROJECT: &str = r##"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Project version="1.0">
    <Application name="Bitwig Studio" version="5.1"/>
    <Transport><Tempo unit="bpm" value="120.0" id="id0"/></Transport>
    <Structure>
        <Track contentType="audio" loaded="true" id="id2" name="Voice" color="#d92e24">
            <Channel audioChannels="2" role="regular" solo="false" id="id3" destination="id9">
                <Mute value="false" id="id4"/>
                <Pan max="1.0" min="0.0" unit="normalized" value="0.5" id="id5"/>
                <Volume max="2.0" min="0.0" unit="linear" value="1.0" id="id6"/>
            </Channel>
        </Track>
        <Track contentType="audio notes" loaded="true" id="id8" name="Master">
            <Channel audioChannels="2" role="master" solo="false" id="id9">
                <Volume max="2.0" min="0.0" unit="linear" value="1.0" id="id10"/>
            </Channel>
        </Track>
    </Structure>
    <Arrangement id="id11">
        <Lanes timeUnit="beats" id="id12">
            <Lanes track="id2" id="id13">
                <Clips id="id14">
                    <Clip time="2.0" duration="8.0" contentTimeUnit="seconds" playStart="1.0" name="take">
                        <Audio channels="1" duration="8.0" sampleRate="48000" id="id15">
                            <File path="audio/one.wav"/>
                        </Audio>
                    </Clip>
                </Clips>
            </Lanes>
        </Lanes>
    </Arrangement>
</Project>
"##;

/// A project of Bitwig that holds its audio itself.
fn packed(folder: &TempDir) -> std::path::PathBuf {
    use std::io::Write as _;
    let path = folder.path().join("song.dawproject");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("project.xml", options).unwrap();
    zip.write_all(DAWPROJECT.as_bytes()).unwrap();
    zip.start_file("audio/one.wav", options).unwrap();
    zip.write_all(&std::fs::read(folder.path().join("one.wav")).unwrap()).unwrap();
    zip.finish().unwrap();
    std::fs::remove_file(folder.path().join("one.wav")).unwrap();
    path
}

#[test]
fn audio_in_a_dawproject_is_unpacked_and_named_as_before_when_it_is_written() {
    let folder = folder();
    let path = packed(&folder);
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("tool_open_project", json!({"path": path}));
    assert_eq!(draft.warnings, Vec::<String>::new());
    assert_eq!(draft.artifacts.len(), 1);
    assert_eq!(draft.artifacts[0].path, "media/project/audio/one.wav");
    desk.apply(&draft);
    let (id, clip) = desk.session.clips.iter().next().unwrap();
    let at = |seconds: f64| Frames((seconds * f64::from(RATE)) as i64);
    assert_eq!((clip.position, clip.start, clip.length), (at(1.0), at(1.0), at(4.0)));
    let copy = |desk: &Desk, name: &str| {
        let to = folder.path().join(name);
        desk.plan("tool_write_project", json!({"path": to}));
        std::fs::read(to).unwrap()
    };
    assert_eq!(copy(&desk, "same.dawproject"), std::fs::read(&path).unwrap());
    // A second clip of the same audio, after the first.
    let more = Clip { position: clip.end(), ..clip.clone() };
    let changes = [
        Change::SetClipGain(Edit::new(*id, clip.gain, Decibels(-6.0))),
        Change::DuplicateClip(Edit::create(ClipId::new(9), more)),
    ];
    desk.session = desk.session.with(&changes).unwrap();
    let bytes = copy(&desk, "copy.dawproject");
    let project = crate::format::read(crate::format::Format::DawProject, &bytes).unwrap();
    let files: Vec<&str> = project.tracks[0].clips.iter().map(|it| it.file.as_str()).collect();
    assert_eq!(files, ["audio/one.wav"; 2]);
    assert!((project.tracks[0].clips[0].gain_db + 6.0).abs() < 1e-3);
}

#[test]
fn a_session_of_its_own_has_no_project_to_write() {
    let desk = Desk::new(crate::all());
    let refused = desk.refusal("tool_write_project", json!({}));
    assert!(refused.starts_with("this session was not opened from a project"), "{refused}");
}

#[test]
fn every_ending_that_the_window_offers_is_a_format() {
    for ending in deskhand_session::binding::PROJECT_ENDINGS {
        let path = format!("song.{ending}");
        assert!(crate::format::Format::of(Path::new(&path), b"").is_some(), "{ending}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        if std::env::var_os("DESKHAND_LONG").is_some() { 1_000 } else { 60 }
    ))]

    /// Whatever was changed, the copy opens as the session is.
    #[test]
    fn a_written_copy_opens_as_the_session_is(
        edits in prop::collection::vec([0..21usize, 0..10_000usize, 0..10_000usize], 0..14)
    ) {
        let folder = folder();
        let mut desk = opened(&folder.path().join("talk.RPP"));
        for numbers in edits {
            if let Some(change) = edit(&desk.session, numbers)
                && let Ok(next) = desk.session.with([&change])
            {
                desk.session = next;
            }
        }
        let copy = folder.path().join("copy.RPP");
        written(&desk, &copy);
        let again = opened(&copy);
        prop_assert_eq!(seen(&again.session), seen(&desk.session));
        prop_assert_eq!(markers(&again.session), markers(&desk.session));
        prop_assert!((again.session.master_gain.0 - desk.session.master_gain.0).abs() < 1e-3);
    }
}

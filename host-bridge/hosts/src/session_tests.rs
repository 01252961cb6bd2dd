//! A REAPER project as a session and back.

use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, Polarity, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_session::clip::{ClipPlace, ClipWindow};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Change, Clip, ClipId, Edit, Fades, Marker, MarkerId, MarkerSpan, Output, Session, SplitState,
    Track, TrackId, TrackKind,
};
use deskhand_toolkit::testing::{Desk, tone};
use proptest::prelude::*;
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;

const RATE: u32 = 48_000;
/// Seconds of each recording.
const LONG: f64 = 8.0;

const PROJECT: &str = r#"<REAPER_PROJECT 0.1 "7.06/linux-x86_64" 1700000000
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

/// A track as a person sees it: values, and where it plays to.
type Seen = (String, TrackKind, i64, i64, [bool; 2], Option<String>, String, Vec<String>);

fn seen(session: &Session) -> Vec<Seen> {
    let name = |id: TrackId| session.tracks[&id].name.clone();
    let track = |(id, track): (TrackId, &Track)| {
        let output = match track.output {
            Output::Master => String::new(),
            Output::Bus(bus) => name(bus),
        };
        let clips = session.clips_on(id).into_iter().map(|(_, clip)| {
            let Clip { name, start, length, position, mute, polarity, .. } = clip;
            let (gain, fades) = ((clip.gain.0 * 1e3).round() as i64, clip.fades());
            format!("{name} {start:?} {length:?} {position:?} {gain} {fades:?} {mute} {polarity:?}")
        });
        let mut clips: Vec<String> = clips.collect();
        clips.sort();
        let color = track.color.clone().map(String::from);
        let round = |value: f64| (value * 1e3).round() as i64;
        let values = (round(track.gain.0), round(track.pan), [track.mute, track.solo]);
        (track.name.clone(), track.kind, values.0, values.1, values.2, color, output, clips)
    };
    let all = session.tracks_in_order().map(track);
    // A bus without clips needs no track for them.
    all.filter(|(name, kind, .., output, clips)| {
        *kind == TrackKind::Bus || name != output || !clips.is_empty()
    })
    .collect()
}

fn markers(session: &Session) -> Vec<(String, Frames, Frames)> {
    let marker = |it: &Marker| (it.name.clone(), it.position, it.length);
    let mut all: Vec<_> = session.markers.values().map(marker).collect();
    all.sort();
    all
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

/// One edit by a person or a plan, out of random numbers.
// tidy: table
fn edit(session: &Session, [kind, object, amount]: [usize; 3]) -> Option<Change> {
    fn pick<T>(mut all: impl ExactSizeIterator<Item = T>, object: usize) -> Option<T> {
        let count = all.len().max(1);
        all.nth(object % count)
    }
    let share = amount as f64 / 1e4;
    let (track, of_track) = pick(session.tracks.iter(), object)?;
    // What a bus has clips on is one track in the project.
    if of_track.name == "Voices" && (kind == 4 || kind < 4 && of_track.kind == TrackKind::Audio) {
        return None;
    }
    let db = Decibels((share * 40.0 - 30.0).round());
    let clips = session.clips.len();
    let clip = pick(session.clips.iter(), object);
    let within = |length: Frames| Frames((share * length.0 as f64) as i64);
    let new = ClipId::new((kind * 7_919 + object * 104_729 + amount + clips * 31) as u64 + 1_000);
    Some(match kind {
        0 => Change::SetTrackGain(Edit::new(*track, of_track.gain, db)),
        1 => Change::SetTrackPan(Edit::new(
            *track,
            of_track.pan,
            ((share * 2.0 - 1.0) * 100.0).round() / 100.0,
        )),
        2 => Change::SetTrackMute(Edit::new(*track, of_track.mute, !of_track.mute)),
        3 => Change::SetTrackSolo(Edit::new(*track, of_track.solo, !of_track.solo)),
        4 => Change::RenameTrack(Edit::new(*track, of_track.name.clone(), format!("T {amount}"))),
        5 => {
            let (id, now) = clip?;
            let after = ClipPlace { position: within(Frames(480_000)), ..now.place() };
            Change::MoveClip(Edit::new(*id, now.place(), after))
        }
        6 => {
            let (id, now) = clip?;
            let audio = session.tracks.iter().filter(|(_, it)| it.kind == TrackKind::Audio);
            let audio: Vec<TrackId> = audio.map(|(id, _)| *id).collect();
            let after = ClipPlace { track: audio[amount % audio.len()], ..now.place() };
            Change::MoveClip(Edit::new(*id, now.place(), after))
        }
        7 => {
            let (id, now) = clip?;
            let cut = within(now.length - Frames(1));
            let after = ClipWindow {
                start: now.start + cut,
                length: now.length - cut,
                position: now.position + cut,
            };
            if now.fades().fitted(after.length) != now.fades() {
                return None;
            }
            Change::TrimClip(Edit::new(*id, now.window(), after))
        }
        8 => {
            let (id, now) = clip.filter(|(_, clip)| clip.length > Frames(2))?;
            let at = Frames(1) + within(now.length - Frames(2));
            let whole = SplitState::Whole { clip: now.clone(), right_id: new };
            Change::SplitClip(Edit::new(*id, whole, SplitState::parts(now, new, at)))
        }
        9 => {
            let (id, now) = clip?;
            let fade = Fade { length: within(Frames(now.length.0 / 2)), curve: FadeCurve::Linear };
            Change::SetClipFades(Edit::new(
                *id,
                now.fades(),
                Fades { fade_in: fade, fade_out: fade },
            ))
        }
        10 => Change::SetClipGain(Edit::new(*clip?.0, clip?.1.gain, db)),
        11 => Change::SetClipMute(Edit::new(*clip?.0, clip?.1.mute, !clip?.1.mute)),
        12 => {
            let polarity = clip?.1.polarity;
            Change::SetClipPolarity(Edit::new(*clip?.0, polarity, polarity.reversed()))
        }
        13 => Change::RemoveClip(Edit::remove(*clip?.0, clip?.1.clone())),
        14 => {
            let copy = Clip { position: within(Frames(480_000)), ..clip?.1.clone() };
            Change::DuplicateClip(Edit::create(new, copy))
        }
        15 => {
            let marker = Marker {
                name: format!("M {amount}"),
                position: within(Frames(480_000)),
                length: Frames((object % 2) as i64 * 48_000),
                code: None,
            };
            Change::AddMarker(Edit::create(MarkerId::new(new_bits(amount, object)), marker))
        }
        16 => {
            let (id, now) = pick(session.markers.iter(), object)?;
            let after = MarkerSpan { position: within(Frames(480_000)), ..now.span() };
            Change::MoveMarker(Edit::new(*id, now.span(), after))
        }
        17 => {
            let (id, now) = pick(session.markers.iter(), object)?;
            Change::RemoveMarker(Edit::remove(*id, now.clone()))
        }
        18 => {
            let id = TrackId::new(new_bits(amount, object));
            let (index, track) = (session.track_order.len(), Track::audio(format!("New {amount}")));
            Change::AddTrack(Edit::create(id, PlacedTrack { index, track }))
        }
        19 => Change::SetMasterGain(Edit::new(session.id, session.master_gain, db)),
        _ => Change::RenameClip(Edit::new(
            *clip?.0,
            clip?.1.name.clone(),
            format!("C \"{amount}\"'"),
        )),
    })
}

fn new_bits(amount: usize, object: usize) -> u64 {
    (amount * 65_537 + object * 257) as u64 + 5_000
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

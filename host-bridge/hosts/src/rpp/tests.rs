//! Reading and writing whole projects, in each dialect.

use proptest::prelude::*;

use super::{read, write};
use crate::format::{Format, WriteError};
use crate::project::*;
use crate::test_changes::{Abilities, assert_same, changed, changes};

const REAPER_4: &str = include_str!("../../fixtures/reaper4.RPP");
const REAPER_5: &str = include_str!("../../fixtures/reaper5.RPP");
const REAPER_7: &str = include_str!("../../fixtures/reaper7.RPP");
fn fixtures() -> Vec<Vec<u8>> {
    let with = |text: &str| [text.as_bytes().to_vec(), text.replace('\n', "\r\n").into_bytes()];
    [REAPER_5, REAPER_4, REAPER_7].into_iter().flat_map(with).collect()
}

fn generated(clips: usize) -> String {
    let mut text =
        "<REAPER_PROJECT 0.1 \"6.80/linux-x86_64\" 1\n  SAMPLERATE 48000 0 0\n".to_owned();
    for clip in 0..clips {
        if clip % 500 == 0 {
            text += if clip > 0 { "  >\n" } else { "" };
            text += &format!(
                "  <TRACK {{T{clip}}}\n    NAME \"Track {clip}\"\n    VOLPAN 1 0 -1 -1 1\n"
            );
        }
        text += &format!(
            "    <ITEM\n      POSITION {}\n      SNAPOFFS 0\n      LENGTH 1.5\n      LOOP 1\n      \
             ALLTAKES 0\n      FADEIN 1 0 0 1 0 0\n      FADEOUT 1 0 0 1 0 0\n      MUTE 0 0\n      \
             SEL 0\n      IGUID {{I{clip}}}\n      IID {clip}\n      NAME \"clip {clip}.wav\"\n      \
             VOLPAN 1 0 1 -1\n      SOFFS 0.25\n      PLAYRATE 1 1 0 -1 0 0.0025\n      CHANMODE 0\n      \
             GUID {{G{clip}}}\n      <SOURCE WAVE\n        FILE \"Audio/clip {clip}.wav\"\n      >\n    >\n",
            clip as f64 * 0.5,
        );
    }
    text + "  >\n>\n"
}

fn edited(text: &str, edit: impl FnOnce(&mut Project)) -> String {
    let mut wanted = read(text.as_bytes()).unwrap();
    edit(&mut wanted);
    let written = write(text.as_bytes(), &wanted).unwrap();
    assert_same(&wanted, &read(&written).unwrap());
    String::from_utf8(written).unwrap()
}

/// The lines that are not in `before`, and those that are no more.
fn difference<'a>(before: &'a str, after: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let only = |a: &'a str, b: &str| {
        let known = b.lines().collect::<std::collections::HashSet<_>>();
        a.lines().filter(|line| !known.contains(line)).map(str::trim).collect()
    };
    (only(after, before), only(before, after))
}

#[test]
fn reads_the_newest_dialect() {
    let project = read(REAPER_7.as_bytes()).unwrap();
    assert_eq!((project.rate, project.master_gain_db), (Some(48000), decibels(0.5)));
    let tempo = project.tempo.iter().map(|point| (point.position, point.bpm)).collect::<Vec<_>>();
    assert_eq!(tempo, [(0.0, 120.0), (8.0, 90.0), (20.0, 100.0)]);
    let meter = project.meter.iter().map(|at| (at.position, at.numerator, at.denominator));
    assert_eq!(meter.collect::<Vec<_>>(), [(0.0, 4, 4), (8.0, 3, 4)]);
    let tracks = project.tracks.iter().map(|track| {
        let parent = track.parent.as_deref().unwrap_or_default();
        (track.name.as_str(), track.is_bus, !parent.is_empty(), track.clips.len())
    });
    let expected = [
        ("The talk", true, false, 0),
        ("Host", false, true, 3),
        ("Guest", false, true, 1),
        ("Music bed", false, false, 0),
    ];
    assert_eq!(tracks.collect::<Vec<_>>(), expected);
    let markers = project.markers.iter().map(|at| (at.name.as_str(), at.position, at.length));
    let expected = [
        ("Intro", 2.5, 0.0),
        ("First \"half\" of it", 4.0, 6.25),
        ("a \"quoted\" name", 12.0, 0.0),
    ];
    assert_eq!(markers.collect::<Vec<_>>(), expected);
}

#[test]
fn reads_the_values_of_tracks_and_clips() {
    let project = read(REAPER_7.as_bytes()).unwrap();
    let [talk, host, guest, music] = &project.tracks[..] else { panic!() };
    assert!((talk.gain_db + 1.0).abs() < 1e-9 && talk.automated.gain && !talk.automated.pan);
    assert_eq!((host.pan, host.solo, host.color), (-0.25, true, Some([255, 128, 64])));
    assert_eq!(guest.locked.as_deref(), Some("it is locked: unlock it in REAPER"));
    assert!(guest.mute);
    assert_eq!((music.gain_db, music.pan), (f64::NEG_INFINITY, 1.0));
    let [first, second, third] = &host.clips[..] else { panic!() };
    let times = |clip: &ProjectClip| (clip.position, clip.start, clip.length);
    assert_eq!(times(first), (1.5, 0.75, 4.25));
    assert_eq!((first.gain_db, first.file.as_str()), (decibels(0.5), "Audio/Host 01.wav"));
    assert_eq!(first.fade_in, ProjectFade { length: 0.01, shape: FadeShape::EqualPower });
    assert_eq!(first.fade_out, ProjectFade { length: 0.35, shape: FadeShape::Linear });
    assert_eq!(
        (second.name.as_str(), second.file.as_str()),
        ("second \"take\"", "Audio/second.mp3")
    );
    assert!(second.mute && second.is_inverted && second.gain_db == 0.0);
    assert_eq!((times(second), second.fade_in.shape), ((6.0, 2.0, 3.0), FadeShape::Other));
    assert_eq!((times(third), third.file.as_str()), ((10.0, 3.5, 2.0), "Audio/Host 01.wav"));
    assert!(guest.clips[0].is_looped && guest.clips[0].locked.is_some());
}

#[test]
fn names_what_it_leaves() {
    let left = read(REAPER_7.as_bytes()).unwrap().left;
    let expected = [
        "1 tempo ramp",
        "1 volume automation on \"The talk\": its fader is overridden",
        "1 take that is not active",
        "1 clip with its own pan",
        "1 stretched clip",
        "1 reversed clip",
        "1 MIDI item",
        "1 empty item",
        "2 sends",
        "2 plugins",
        "1 other automation",
        "1 region without an end",
    ];
    assert_eq!(left, expected);
}

#[test]
fn reads_the_older_dialects() {
    let project = read(REAPER_5.as_bytes()).unwrap();
    let clip = &project.tracks[0].clips[0];
    assert_eq!((clip.file.as_str(), clip.is_looped), ("media/kick.ogg", true));
    assert_eq!(project.tracks[0].color, Some([0, 0, 255]), "red is highest on a Mac");
    assert_eq!(project.markers.iter().map(|at| at.length).collect::<Vec<_>>(), [0.0, 2.0]);
    let project = read(REAPER_4.as_bytes()).unwrap();
    assert_eq!(project.tracks[1].parent, project.tracks[0].id);
    let ids = project.tracks[1].clips.iter().map(|clip| clip.id.clone().unwrap());
    assert_eq!(ids.collect::<Vec<_>>(), ["item 1", "item 2"]);
    assert_eq!(project.tracks[1].clips[0].fade_in.length, 0.25);
}

#[test]
fn objects_with_one_name_are_told_apart() {
    let text = generated(3).replace("{I1}", "{I0}").replace("{I2}", "{I0}");
    let text = edited(&text, |project| project.tracks[0].clips[2].position = 77.0);
    assert_eq!(text.matches("POSITION 77").count(), 1);
    assert!(text.find("POSITION 77").unwrap() > text.find("clip 1.wav").unwrap());
}

#[test]
fn what_is_not_changed_is_the_same_to_the_byte() {
    for bytes in fixtures() {
        assert_eq!(write(&bytes, &read(&bytes).unwrap()).unwrap(), bytes);
    }
    for clips in [1000, 10_000] {
        let bytes = generated(clips).into_bytes();
        assert_eq!(write(&bytes, &read(&bytes).unwrap()).unwrap(), bytes);
    }
}

#[test]
fn a_change_touches_its_own_lines_only() {
    let text = edited(REAPER_7, |project| {
        project.tracks[1].gain_db = -6.0;
        project.tracks[1].clips[0].position = 2.5;
        project.tracks[1].clips[0].fade_out.length = 0.125;
        project.markers[1].position = 5.0;
    });
    let (new, old) = difference(REAPER_7, &text);
    let expected = [
        "MARKER 2 5 'First \"half\" of it' 1 0 1 R {11111111-AAAA-4AAA-8AAA-000000000004} 0 1",
        "MARKER 2 11.25 \"\" 1",
        "VOLPAN 0.5011872336272722 -0.25 -1 -1 1",
        "POSITION 2.5",
        "FADEOUT 0 0.125 0 0 0 0 0",
    ];
    assert_eq!((new.as_slice(), old.len()), (expected.as_slice(), 5));
}

#[test]
fn missing_lines_and_fields_are_added() {
    let text = edited(REAPER_4, |project| {
        let track = &mut project.tracks[1];
        (track.pan, track.solo, track.color) = (0.5, true, Some([1, 2, 3]));
        let clip = &mut track.clips[1];
        (clip.gain_db, clip.is_inverted, clip.mute, clip.start) = (-20.0, true, true, 0.5);
        clip.fade_out = ProjectFade { length: 0.1, shape: FadeShape::EqualPower };
        project.master_gain_db = -20.0;
        project.markers.push(ProjectMarker { length: 2.0, ..ProjectMarker::default() });
    });
    for line in [
        "    VOLPAN 0.500000 0.5\n",
        "    MUTESOLO 0 2\n",
        "    PEAKCOL 16974337\n",
        "      VOLPAN 0.1 0 -1 -1\n",
        "      MUTE 1 0\n",
        "      SOFFS 0.5\n",
        "      FADEOUT 1 0.1 0 1 0 0 0\n",
        "  MASTER_VOLUME 0.1 0 -1 -1 1\n",
        "  MARKER 2 2 \"\" 1\n",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn a_split_copies_the_rest_of_the_item() {
    let text = edited(REAPER_7, |project| {
        let clips = &mut project.tracks[1].clips;
        let mut right = clips[1].clone();
        clips[1].length = 1.0;
        (right.like, right.id) = (right.id.take(), None);
        (right.position, right.start, right.length) = (7.0, 3.0, 2.0);
        clips.push(right);
    });
    let right = &text[text.find("POSITION 7\n").unwrap()..text.find("POSITION 10\n").unwrap()];
    assert!(right.contains("FADEIN 5 0.5 0 5 0 0 0") && right.contains("TAKEVOLPAN 0 -2 -1"));
    assert!(right.contains("SOFFS 3\n"), "the active take");
    assert_eq!(right.matches("SOFFS 2\n").count(), 1, "the other take moves with it");
    assert!(!right.contains("{33333333") && !right.contains("IID"));
    assert_eq!(text.matches("{33333333-AAAA-4AAA-8AAA-000000000004}").count(), 1);
}

#[test]
fn a_deleted_clip_and_track_leave_nothing() {
    let text = edited(REAPER_7, |project| {
        project.tracks[1].clips.remove(0);
        project.tracks.remove(3);
    });
    assert!(!text.contains("000000000001}\n      IID") && !text.contains("Music bed"));
    assert!(!text.contains("AUXRECV 3"), "a send from a deleted track");
    assert!(text.contains("AUXRECV 1"));
}

#[test]
fn sends_and_folders_follow_when_tracks_move() {
    let text = edited(REAPER_7, |project| {
        let music = project.tracks.remove(3);
        project.tracks.insert(0, music);
    });
    assert!(text.contains("AUXRECV 2 0") && text.contains("AUXRECV 0 0"));
    let text = edited(REAPER_7, |project| {
        let mut guest = project.tracks.remove(2);
        guest.parent = None;
        project.tracks.push(guest);
    });
    let (new, _) = difference(REAPER_7, &text);
    assert_eq!(new, ["AUXRECV 2 0 1 0 0 0 0 0 0 -1:U 0 -1 ''"]);
    let host = &text[text.find("NAME Host").unwrap()..];
    assert!(host.find("ISBUS 2 -1") < host.find("NAME \"Music bed\""));
}

#[test]
fn a_new_bus_takes_tracks() {
    edited(REAPER_5, |project| {
        let bus = ProjectTrack {
            id: Some("new:1".into()),
            name: "Bus".into(),
            is_bus: true,
            ..ProjectTrack::default()
        };
        project.tracks.insert(0, bus);
        project.tracks[1].parent = Some("new:1".into());
    });
}

#[test]
fn another_file_brings_another_source() {
    let text = edited(REAPER_7, |project| {
        for clip in &mut project.tracks[1].clips {
            clip.file = "Deskhand/clean one.flac".into();
        }
    });
    assert_eq!(text.matches("FILE \"Deskhand/clean one.flac\"").count(), 3);
    assert_eq!(text.matches("<SOURCE SECTION").count(), 1, "the reversed clip keeps its section");
}

fn refusal(edit: impl FnOnce(&mut Project)) -> String {
    let mut wanted = read(REAPER_7.as_bytes()).unwrap();
    edit(&mut wanted);
    write(REAPER_7.as_bytes(), &wanted).unwrap_err().to_string()
}

#[test]
fn what_cannot_be_changed_is_refused_by_name() {
    let automated = refusal(|project| project.tracks[0].gain_db = 0.0);
    assert_eq!(automated, "track \"The talk\": automation sets its gain: change it in the DAW");
    let locked = refusal(|project| project.tracks[2].pan = 1.0);
    assert_eq!(locked, "track \"Guest\": it is locked: unlock it in REAPER");
    let moved = refusal(|project| project.tracks[2].clips[0].position = 9.0);
    assert!(moved.contains("locked: unlock it in REAPER"), "{moved}");
    let deleted = refusal(|project| project.tracks[2].clips.clear());
    assert!(deleted.contains("locked: unlock it in REAPER"), "{deleted}");
    let section = refusal(|project| project.tracks[1].clips[2].length = 20.0);
    assert!(section.contains("it plays a section of its file"), "{section}");
    let tempo = refusal(|project| project.tempo.clear());
    assert!(tempo.contains("change its sample rate, tempo and meter in the DAW"), "{tempo}");
    let unknown = refusal(|project| project.tracks[1].id = Some("?".into()));
    assert!(unknown.contains("the project has no track \"?\""), "{unknown}");
    let twice = refusal(|project| project.markers.push(project.markers[0].clone()));
    assert!(twice.contains("is wanted twice"), "{twice}");
    let nan = refusal(|project| project.tracks[1].clips[0].position = f64::NAN);
    assert!(nan.contains("its position cannot be NaN"), "{nan}");
    let shape = refusal(|project| project.tracks[1].clips[0].fade_in.shape = FadeShape::Other);
    assert!(shape.contains("only linear and equal-power"), "{shape}");
}

#[test]
fn damage_is_named_by_line() {
    let error = |from: &str, to: &str| read(REAPER_5.replace(from, to).as_bytes()).unwrap_err();
    let message = error("POSITION 0.5", "POSITION here").to_string();
    assert!(
        message.starts_with("line 19: field 1 of POSITION is \"here\", not a number"),
        "{message}"
    );
    assert!(error("LENGTH 1.1", "LENGTH NaN1.1").to_string().contains("not a number"));
    assert!(error("VOLPAN 1.12", "VOLPAN 1e999").to_string().contains("not a number"));
}

#[test]
fn a_file_cut_off_anywhere_is_an_error_or_a_project() {
    for bytes in [REAPER_4, REAPER_5, REAPER_7] {
        let bytes = bytes.as_bytes();
        for end in 0..bytes.len() {
            if let Ok(project) = read(&bytes[..end]) {
                assert!(end + 3 >= bytes.len(), "{end}");
                assert_eq!(write(&bytes[..end], &project).unwrap(), &bytes[..end]);
            }
        }
    }
}

#[test]
fn the_format_is_known_by_ending_or_first_bytes() {
    assert_eq!(Format::of("a/b.Rpp".as_ref(), b""), Some(Format::Reaper));
    assert_eq!(Format::of("a/b.bak".as_ref(), REAPER_4.as_bytes()), Some(Format::Reaper));
    assert_eq!(Format::of("a/b.wav".as_ref(), b"RIFF"), None);
    let foreign = write(b"RIFF", &Project::default());
    assert!(matches!(foreign, Err(WriteError::Read(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_wanted_project_reads_back(changes in changes(), fixture in 0..6_usize) {
        let bytes = &fixtures()[fixture];
        let wanted = changed(&read(bytes).unwrap(), &changes, Abilities::ALL);
        let written = write(bytes, &wanted).unwrap();
        assert_same(&wanted, &read(&written).unwrap());
        let line_end = if fixture % 2 == 1 { written.iter().filter(|byte| **byte == b'\r').count() } else { 0 };
        prop_assert!(fixture % 2 == 0 || line_end == written.iter().filter(|byte| **byte == b'\n').count());
    }

    #[test]
    fn damaged_bytes_never_panic(at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>()) {
        let mut bytes = REAPER_7.as_bytes().to_vec();
        let place = at.index(bytes.len());
        bytes[place] = byte;
        let line = cut.index(bytes.len());
        bytes.drain(line..(line + 20).min(bytes.len()));
        // Damage outside of what is read may be met when it is written.
        if let Ok(project) = read(&bytes)
            && let Ok(written) = write(&bytes, &project)
        {
            prop_assert_eq!(written, bytes);
        }
    }
}

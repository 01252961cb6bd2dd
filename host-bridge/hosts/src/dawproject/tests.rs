//! Reading and writing whole DAWprojects.

use std::io::{Cursor, Read, Write};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{read, write};
use crate::format::ReadError;
use crate::project::*;
use crate::test_changes::{Abilities, assert_same, changed, changes};

const BITWIG: &str = include_str!("../../fixtures/bitwig.xml");
const SECONDS: &str = include_str!("../../fixtures/seconds.xml");
fn zipped(xml: &str) -> Vec<u8> {
    packed(&[
        ("metadata.xml", b"<MetaData/>"),
        ("project.xml", xml.as_bytes()),
        ("audio/host.wav", &[7; 5000]),
    ])
}

fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let method = if name.ends_with("wav") {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn xml_of(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
    zip.by_name("project.xml").unwrap().read_to_string(&mut text).unwrap();
    text
}

fn edited(xml: &str, edit: impl FnOnce(&mut Project)) -> String {
    let original = zipped(xml);
    let mut wanted = read(&original).unwrap();
    edit(&mut wanted);
    let written = write(&original, &wanted).unwrap();
    assert_same(&wanted, &read(&written).unwrap());
    xml_of(&written)
}

fn refusal(xml: &str, edit: impl FnOnce(&mut Project)) -> String {
    let mut wanted = read(&zipped(xml)).unwrap();
    edit(&mut wanted);
    write(&zipped(xml), &wanted).unwrap_err().to_string()
}

fn generated(clips: usize) -> String {
    let clip = |number: usize| {
        format!(
            "          <Clip time=\"{}\" duration=\"2\" contentTimeUnit=\"seconds\" playStart=\"0.5\" name=\"c{number}\">\
             <Audio channels=\"1\" sampleRate=\"48000\" duration=\"9\"><File path=\"audio/{number}.wav\"/></Audio></Clip>\n",
            number * 3
        )
    };
    let clips = (0..clips).map(clip).collect::<String>();
    SECONDS.replace("        <Clips id=\"ca\">\n", &format!("        <Clips id=\"ca\">\n{clips}"))
}

#[test]
fn reads_bitwigs_double_clips() {
    let project = read(&zipped(BITWIG)).unwrap();
    assert_eq!(project.master_gain_db, decibels(0.8));
    let tracks = project.tracks.iter().map(|track| {
        (track.name.as_str(), track.is_bus, track.parent.as_deref(), track.clips.len())
    });
    let expected = [
        ("Voices", true, None, 0),
        ("Host & co", false, Some("id2"), 2),
        ("Guest", false, Some("id2"), 0),
        ("FX 1", true, None, 0),
    ];
    assert_eq!(tracks.collect::<Vec<_>>(), expected);
    let host = &project.tracks[1];
    assert_eq!((host.pan, host.solo, host.color), (-0.5, true, Some([0xd9, 0x2e, 0x24])));
    assert!(project.tracks[2].automated.gain && project.tracks[2].mute);
    let [first, second] = &host.clips[..] else { panic!() };
    let times = |clip: &ProjectClip| (clip.position, clip.start, clip.length);
    assert_eq!(times(first), (2.0, 1.5, 4.0));
    assert_eq!((first.name.as_str(), first.gain_db), ("Take \"1\"", decibels(0.5)));
    assert_eq!((first.fade_in.length, first.file.as_str()), (0.25, "audio/host.wav"));
    assert_eq!(
        (times(second), second.mute, second.fade_out.length),
        ((7.0, 0.0, 2.0), true, 0.125)
    );
    let expected = [
        "1 volume automation on \"Guest\": its fader is overridden",
        "1 stretched clip",
        "1 looped clip",
        "1 MIDI clip",
        "1 plugin",
        "1 send",
        "1 launcher clip",
    ];
    assert_eq!(project.left, expected);
}

#[test]
fn reads_seconds_decibels_and_a_tempo_map() {
    let project = read(&zipped(SECONDS)).unwrap();
    let [vocal, bed] = &project.tracks[..] else { panic!() };
    assert_eq!((vocal.gain_db, vocal.pan, vocal.color), (-3.5, 0.5, Some([16, 32, 48])));
    assert_eq!(bed.gain_db, decibels(0.5));
    let times = vocal.clips.iter().map(|clip| (clip.position, clip.start, clip.length));
    assert_eq!(times.collect::<Vec<_>>(), [(1.5, 0.25, 4.0), (6.0, 3.0, 4.0)]);
    assert_eq!(project.markers.iter().map(|at| at.position).collect::<Vec<_>>(), [2.0, 9.5]);
    assert_eq!(project.tempo[1].position, 4.0);
    assert!(
        (project.tempo[2].position - 8.1588831).abs() < 1e-6,
        "a ramp from 120 to 60 over 6 beats"
    );
    assert_eq!(project.meter[0].numerator, 3);
}

#[test]
fn what_is_not_changed_is_the_same_to_the_byte() {
    for xml in
        [BITWIG.to_owned(), SECONDS.to_owned(), BITWIG.replace('\n', "\r\n"), generated(10_000)]
    {
        let bytes = zipped(&xml);
        assert_eq!(write(&bytes, &read(&bytes).unwrap()).unwrap(), bytes);
    }
}

#[test]
fn a_change_touches_its_own_values_only() {
    let xml = edited(BITWIG, |project| {
        project.tracks[1].gain_db = -6.0;
        let clip = &mut project.tracks[1].clips[0];
        (clip.position, clip.gain_db) = (3.0, -12.0);
    });
    let expected = BITWIG
        .replace(
            "value=\"1.000000\" id=\"id14\"",
            &format!("value=\"{}\" id=\"id14\"", linear(-6.0)),
        )
        .replace("<Clip time=\"4.0\"", "<Clip time=\"6\"")
        .replace(
            "time=\"0.000000\" value=\"0.500000\"/>",
            &format!("time=\"0.000000\" value=\"{}\"/>", linear(-12.0)),
        );
    assert_eq!(xml, expected);
}

#[test]
fn other_files_of_the_archive_stay_as_they_are() {
    let original = zipped(BITWIG);
    let mut wanted = read(&original).unwrap();
    wanted.master_gain_db = -1.0;
    let written = write(&original, &wanted).unwrap();
    let entries = |bytes: &[u8]| {
        let mut zip = ZipArchive::new(Cursor::new(bytes.to_vec())).unwrap();
        let entry = |index| {
            let entry = zip.by_index_raw(index).unwrap();
            (entry.name().unwrap().into_owned(), entry.crc32(), entry.compression())
        };
        (0..3).map(entry).collect::<Vec<_>>()
    };
    let (before, after) = (entries(&original), entries(&written));
    assert_eq!((&before[0], &before[2]), (&after[0], &after[2]));
    assert!(before[1].0 == after[1].0 && before[1].1 != after[1].1);
}

#[test]
fn a_longer_clip_moves_where_its_loop_ends() {
    let xml = edited(BITWIG, |project| project.tracks[1].clips[1].length = 3.0);
    assert!(xml.contains("duration=\"6\" playStart=\"0.0\" loopStart=\"0.0\" loopEnd=\"6\""));
    let xml = edited(SECONDS, |project| project.tracks[0].clips[0].start = 1.0);
    assert!(xml.contains("playStart=\"1\" playStop=\"5\""));
}

#[test]
fn new_things_are_written_in_the_order_of_the_schema() {
    let xml = edited(BITWIG, |project| {
        project.markers.push(ProjectMarker {
            name: "A <b>".into(),
            position: 3.0,
            ..Default::default()
        });
        project.tracks[1].clips[1].gain_db = -6.0;
        let clip = ProjectClip {
            file: "Deskhand/x.wav".into(),
            length: 1.0,
            gain_db: -3.0,
            ..Default::default()
        };
        project.tracks[3].clips.push(clip.clone());
        let track = ProjectTrack {
            name: "New & old".into(),
            parent: Some("id2".into()),
            ..Default::default()
        };
        project.tracks.insert(3, ProjectTrack { clips: vec![clip], ..track });
    });
    let lanes = xml.find("</Lanes>\n        <Markers timeUnit=\"beats\"").unwrap();
    assert!(lanes < xml.find("<TimeSignatureAutomation").unwrap());
    assert!(xml.contains("<Marker time=\"6\" name=\"A &lt;b&gt;\"/>"));
    assert!(xml.contains("<File path=\"Deskhand/x.wav\" external=\"true\"/>"));
    assert!(xml.find("name=\"Guest\"") < xml.find("New &amp; old"));
    assert!(xml.find("New &amp; old") < xml.find("FX 1"));
}

#[test]
fn a_split_copies_the_clip_with_new_ids() {
    let xml = edited(BITWIG, |project| {
        let clips = &mut project.tracks[1].clips;
        let mut right = clips[0].clone();
        clips[0].length = 1.0;
        right.like = right.id.take();
        (right.position, right.start, right.length) = (3.0, 2.5, 3.0);
        clips.push(right);
    });
    assert_eq!(xml.matches("<File path=\"audio/host.wav\"/>").count(), 2);
    assert_eq!(xml.matches("id=\"id58\"").count(), 1);
    assert!(xml.contains("<Clip time=\"6\" duration=\"6\" playStart=\"4\" loopStart=\"0.0\""));
}

#[test]
fn a_deleted_track_takes_its_lanes_and_slots_with_it() {
    let xml = edited(BITWIG, |project| {
        project.tracks.remove(2);
    });
    for id in ["id15", "id17", "id71", "id73", "id79"] {
        assert!(!xml.contains(&format!("\"{id}\"")), "{id}");
    }
}

#[test]
fn what_the_format_cannot_say_is_refused() {
    let region = |project: &mut Project| {
        project.markers.push(ProjectMarker { length: 1.0, ..Default::default() });
    };
    assert!(refusal(BITWIG, region).contains("DAWproject has no regions"));
    let invert = |project: &mut Project| project.tracks[1].clips[0].is_inverted = true;
    assert!(refusal(BITWIG, invert).contains("no inverted polarity"));
    let delete = |project: &mut Project| {
        project.tracks.remove(3);
    };
    assert!(refusal(BITWIG, delete).contains("sends or automation refer to it"));
    let automated = |project: &mut Project| project.tracks[2].gain_db = -1.0;
    assert!(refusal(BITWIG, automated).contains("automation sets its gain"));
    let swap = |project: &mut Project| project.tracks.swap(1, 2);
    assert!(refusal(BITWIG, swap).contains("move tracks in the DAW"));
    let beats = SECONDS
        .replace(
            "time=\"1.5\" duration=\"4\" playStart=\"0.25\" playStop=\"4.25\"",
            "time=\"1.5\" duration=\"4\"",
        )
        .replace("<Lanes timeUnit=\"seconds\"", "<Lanes timeUnit=\"beats\"");
    assert_eq!(
        read(&zipped(&beats)).unwrap().left,
        ["2 stretched clips"],
        "beats over a tempo map"
    );
}

#[test]
fn harmful_archives_are_refused() {
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert!(error(b"PK").contains("no DAWproject project"));
    assert!(error(&packed(&[("a.xml", b"")])).contains("no DAWproject project"));
    assert!(error(&packed(&[("project.xml", b"<A/>")])).contains("no DAWproject project"));
    let outside = packed(&[("project.xml", BITWIG.as_bytes()), ("../../x", b"")]);
    assert!(error(&outside).contains("outside of itself"));
    let entities = BITWIG.replace("<Project", "<!DOCTYPE a [<!ENTITY b \"c\">]><Project");
    assert!(matches!(read(&zipped(&entities)), Err(ReadError::TooLarge { .. })));
    let number = error(&zipped(&BITWIG.replace("time=\"4.0\"", "time=\"NaN\"")));
    assert!(number.contains("time of Clip is \"NaN\", not a number"), "{number}");
}

#[test]
fn a_file_cut_off_anywhere_is_an_error() {
    let bytes = zipped(SECONDS);
    assert!((0..bytes.len()).all(|end| read(&bytes[..end]).is_err()));
    for end in (0..SECONDS.trim_end().len()).step_by(13) {
        assert!(read(&zipped(&SECONDS[..end])).is_err(), "{end}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_wanted_project_reads_back(changes in changes(), is_bitwig: bool) {
        let original = zipped(if is_bitwig { BITWIG } else { SECONDS });
        let wanted = changed(&read(&original).unwrap(), &changes, Abilities::DAWPROJECT);
        match write(&original, &wanted) {
            Ok(written) => assert_same(&wanted, &read(&written).unwrap()),
            Err(refused) => prop_assert!(refused.to_string().contains("counts time in another unit"), "{refused}"),
        }
    }

    #[test]
    fn damaged_bytes_never_panic(at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>()) {
        let mut xml = BITWIG.as_bytes().to_vec();
        let place = at.index(xml.len());
        xml[place] = byte;
        let line = cut.index(xml.len());
        xml.drain(line..(line + 20).min(xml.len()));
        let bytes = packed(&[("project.xml", &xml)]);
        if let Ok(project) = read(&bytes) {
            prop_assert_eq!(write(&bytes, &project).unwrap(), bytes);
        }
    }
}

//! Reading and writing whole sessions.

use proptest::prelude::*;

use super::{read, write};
use crate::project::*;
use crate::test_changes::{Abilities, assert_same, changed, changes};

/// Made by Ardour 7.3, less its options.
const ARDOUR_7: &str = include_str!("../../fixtures/ardour7.ardour");
const ARDOUR_6: &str = include_str!("../../fixtures/ardour6.ardour");
/// As Ardour 8 has it, by its source: regions in groups and with plugins of their own.
fn ardour_8() -> String {
    let grouped = ARDOUR_7.replace("version=\"7002\"", "version=\"7003\"");
    let grouped = grouped.replace(" ancestral-start=", " reg-group=\"0\" ancestral-start=");
    let plugin =
        "<RegionFXPlugin id=\"9000\" type=\"lv2\" unique-id=\"urn:comp\"/>\n        <Envelope>";
    grouped.replacen("<Envelope>", plugin, 1)
}

fn edited(text: &str, edit: impl FnOnce(&mut Project)) -> String {
    let mut wanted = read(text.as_bytes()).unwrap();
    edit(&mut wanted);
    let written = write(text.as_bytes(), &wanted).unwrap();
    assert_same(&wanted, &read(&written).unwrap());
    String::from_utf8(written).unwrap()
}

fn refusal(edit: impl FnOnce(&mut Project)) -> String {
    let mut wanted = read(ARDOUR_6.as_bytes()).unwrap();
    edit(&mut wanted);
    write(ARDOUR_6.as_bytes(), &wanted).map(|_| ()).unwrap_err().to_string()
}

fn generated(clips: usize) -> String {
    let region = |number: usize| {
        format!(
            "      <Region name=\"c{number}\" start=\"0\" length=\"96000\" position=\"{}\" \
             scale-amplitude=\"1\" id=\"{}\" type=\"audio\" source-0=\"100\" channels=\"1\"/>\n",
            number * 96000,
            number + 1000
        )
    };
    let regions = (0..clips).map(region).collect::<String>();
    ARDOUR_6
        .replace("      <Region name=\"bed.1\"", &format!("{regions}      <Region name=\"bed.1\""))
}

#[test]
fn reads_a_session_of_ardour_7() {
    let project = read(ARDOUR_7.as_bytes()).unwrap();
    assert_eq!((project.rate, project.master_gain_db), (Some(48000), 0.0));
    let tracks = project.tracks.iter().map(|track| {
        (track.name.as_str(), track.is_bus, track.parent.as_deref(), track.clips.len())
    });
    let expected =
        [("Voice 2", false, None, 1), ("Bus 1", true, None, 0), ("Voice 1", false, Some("257"), 2)];
    assert_eq!(tracks.collect::<Vec<_>>(), expected);
    let [guest, _, voice] = &project.tracks[..] else { panic!() };
    assert!(guest.automated.gain && guest.clips[0].mute);
    assert_eq!((voice.gain_db, voice.color), (decibels(0.7), Some([0xff, 0x80, 0x40])));
    let [left, right] = &voice.clips[..] else { panic!() };
    let times = |clip: &ProjectClip| (clip.position, clip.start, clip.length);
    assert_eq!((times(left), times(right)), ((2.0, 0.0, 2.0), (4.0, 2.0, 4.0)));
    assert_eq!(
        (left.file.as_str(), left.gain_db, left.channels),
        ("host.wav", decibels(0.5), Some(1))
    );
    assert_eq!(left.fade_in, ProjectFade { length: 0.1, shape: FadeShape::EqualPower });
    assert_eq!((right.fade_out.length, right.fade_in.length), (0.2, 0.0));
    let markers = project.markers.iter().map(|at| (at.name.as_str(), at.position, at.length));
    assert_eq!(markers.collect::<Vec<_>>(), [("range1", 1.0, 1.0), ("Intro & talk", 0.5, 0.0)]);
    assert_eq!(project.left, ["1 volume automation on \"Voice 2\": its fader is overridden"]);
}

#[test]
fn plugins_of_regions_in_ardour_8_stay_and_are_told() {
    let text = ardour_8();
    let project = read(text.as_bytes()).unwrap();
    assert!(project.left.contains(&"1 plugin".to_owned()), "{:?}", project.left);
    assert_eq!(project.tracks, read(ARDOUR_7.as_bytes()).unwrap().tracks);
    let quieter = edited(&text, |project| project.tracks[2].clips[0].gain_db = -12.0);
    assert!(quieter.contains("<RegionFXPlugin id=\"9000\""));
}

#[test]
fn reads_a_session_that_counts_samples() {
    let project = read(ARDOUR_6.as_bytes()).unwrap();
    assert_eq!(project.master_gain_db, decibels(0.25));
    let [bed, mix, voice] = &project.tracks[..] else { panic!() };
    assert_eq!((voice.parent.clone(), voice.pan, voice.mute), (mix.id.clone(), 0.5, true));
    let [clip, locked] = &voice.clips[..] else { panic!() };
    assert_eq!((clip.position, clip.start, clip.length), (0.5, 0.1, 5.0));
    assert!(clip.is_inverted && clip.gain_db == decibels(0.5) && locked.locked.is_some());
    assert_eq!(clip.fade_in, ProjectFade { length: 0.1, shape: FadeShape::Linear });
    assert_eq!((bed.clips[0].channels, bed.clips[0].mute), (Some(2), true));
    assert_eq!((project.tempo[0].bpm, project.meter[0].numerator), (90.0, 3));
    let expected = ["1 compound clip", "1 clip with an envelope", "1 plugin", "1 unused playlist"];
    assert_eq!(project.left, expected);
}

#[test]
fn what_is_not_changed_is_the_same_to_the_byte() {
    for text in [
        ARDOUR_7.to_owned(),
        ARDOUR_6.to_owned(),
        ardour_8(),
        ARDOUR_7.replace('\n', "\r\n"),
        generated(10_000),
    ] {
        let written = write(text.as_bytes(), &read(text.as_bytes()).unwrap()).unwrap();
        assert!(written == text.as_bytes());
    }
}

#[test]
fn a_change_touches_its_own_values_only() {
    let text = edited(ARDOUR_7, |project| {
        project.tracks[2].gain_db = -20.0;
        project.tracks[2].clips[0].position = 1.0;
        project.tracks[2].clips[0].is_inverted = true;
        project.markers[0].length = 2.0;
    });
    let expected = ARDOUR_7
        .replace("value=\"0.69999999999999996\"", "value=\"0.1\"")
        .replacen("a564480000@a564480000", "a564480000@a282240000", 1)
        .replace("end=\"a564480000\"", "end=\"a846720000\"");
    let place = expected.find("<Region name=\"host.1\"").unwrap();
    let (before, after) = expected.split_at(place);
    assert_eq!(
        text,
        before.to_owned()
            + &after.replacen("scale-amplitude=\"0.5\"", "scale-amplitude=\"-0.5\"", 1)
    );
}

#[test]
fn a_region_without_elements_gets_both_fades() {
    let text = edited(ARDOUR_6, |project| {
        let clip = &mut project.tracks[0].clips[0];
        clip.fade_in = ProjectFade { length: 0.5, shape: FadeShape::EqualPower };
        clip.fade_out = ProjectFade { length: 0.25, shape: FadeShape::Linear };
    });
    assert!(text.contains("<events>0 1\n48000 0.0000001\n</events>"), "{text}");
}

#[test]
fn new_objects_count_on_from_the_counter() {
    let text = edited(ARDOUR_7, |project| {
        let clips = &mut project.tracks[2].clips;
        let mut right = clips[0].clone();
        clips[0].length = 1.0;
        right.like = right.id.take();
        (right.position, right.start, right.length) = (3.0, 1.0, 1.0);
        right.fade_in = ProjectFade::default();
        let file = ProjectClip { file: "new.wav".into(), like: None, ..right.clone() };
        clips.extend([right, file]);
        project.markers.push(ProjectMarker { name: "<New>".into(), ..Default::default() });
    });
    let counter = text.split("id-counter=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(counter.parse::<u64>().unwrap() > 2420);
    let mut ids = text
        .split(" id=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect::<Vec<_>>();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    // Ardour itself lists one region twice: in its list of all regions and where it plays.
    assert_eq!(
        count - ids.len(),
        ARDOUR_7.matches(" id=\"").count() - {
            let mut old = ARDOUR_7
                .split(" id=\"")
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap())
                .collect::<Vec<_>>();
            old.sort_unstable();
            old.dedup();
            old.len()
        }
    );
    assert!(text.contains("<Source name=\"new.wav\" take-id=\"\" type=\"audio\""));
    assert!(text.contains("name=\"&lt;New&gt;\""));
}

#[test]
fn what_the_format_cannot_say_is_refused() {
    let name = refusal(|project| project.tracks[0].name = "Mix".into());
    assert!(name.contains("another track of this name"), "{name}");
    let slash = refusal(|project| project.tracks[0].name = "L/R".into());
    assert!(slash.contains("allows no / and :"), "{slash}");
    let kind = refusal(|project| project.tracks[0].is_bus = true);
    assert!(kind.contains("cannot become a bus"), "{kind}");
    let locked = refusal(|project| project.tracks[2].clips[1].gain_db = -1.0);
    assert!(locked.contains("unlock it in Ardour"), "{locked}");
    let clip = ProjectClip { length: 1.0, ..ProjectClip::default() };
    let channels = refusal(|project| project.tracks[0].clips.push(clip));
    assert!(channels.contains("needs the number of channels"), "{channels}");
}

#[test]
fn a_new_name_is_written_wherever_the_session_says_it() {
    let text = edited(ARDOUR_7, |project| project.tracks[1].name = "Talk & <co>".into());
    let ours = ARDOUR_7
        .replace("\"Bus 1\"", "\"Talk &amp; &lt;co&gt;\"")
        .replace("\"Bus 1/", "\"Talk &amp; &lt;co&gt;/");
    assert!(text == ours, "{text}");
}

#[test]
fn a_track_that_plays_to_another_bus_leaves_the_old_one_at_both_ends() {
    let text = edited(ARDOUR_7, |project| {
        project.tracks[2].parent = None;
        project.tracks.swap(1, 2);
    });
    assert!(!text.contains("other=\"Bus 1/audio_in"), "{text}");
    assert!(!text.contains("other=\"Voice 1/audio_out"), "{text}");
    assert_eq!(text.matches("<Connection other=\"Master/audio_in 1\"/>").count(), 1);
}

#[test]
fn a_deleted_track_goes_with_its_clips_and_connections() {
    let text = edited(ARDOUR_7, |project| drop(project.tracks.remove(2)));
    assert!(!text.contains("<Route version=\"7002\" id=\"121\""));
    assert!(!text.contains("orig-track-id=\"121\"") && !text.contains("\"Voice 1/"), "{text}");
    let sent = ARDOUR_7.replace("<Slavable/>", "<Processor type=\"intsend\" target=\"121\"/>");
    let mut wanted = read(sent.as_bytes()).unwrap();
    wanted.tracks.remove(2);
    let refused = write(sent.as_bytes(), &wanted).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("a send or a group of tracks needs it"), "{refused}");
}

#[test]
fn stems_come_on_new_tracks_with_a_bus() {
    let text = edited(ARDOUR_7, |project| {
        let bus = ProjectTrack { id: Some("new:1".into()), is_bus: true, ..Default::default() };
        project.tracks.push(ProjectTrack { name: "{name} {id}".into(), pan: -0.5, ..bus });
        let clip = ProjectClip {
            file: "s.wav".into(),
            length: 1.0,
            channels: Some(2),
            ..Default::default()
        };
        let stem = ProjectTrack {
            name: "Drums".into(),
            parent: Some("new:1".into()),
            ..Default::default()
        };
        project.tracks.push(ProjectTrack { clips: vec![clip], gain_db: -6.0, solo: true, ..stem });
    });
    let route = text.split("<Route id=").nth(2).unwrap();
    assert!(route.contains("name=\"Drums\"") && route.contains("Drums/audio_in 2"), "{route}");
    assert!(route.contains("<Connection other=\"{name} {id}/audio_in 2\"/>"), "{route}");
}

#[test]
fn buses_in_a_circle_end() {
    let port = |bus: &str| {
        format!("name=\"{bus}\" id=\"1\" direction=\"Output\"><Port><Connection other=")
    };
    let text = ARDOUR_6.replace(
        "<PresentationInfo order=\"3\"",
        &format!(
            "<IO {}\"Mix/audio_in 1\"/></Port></IO><PresentationInfo order=\"3\"",
            port("Mix")
        ),
    );
    let project = read(text.as_bytes()).unwrap();
    assert_eq!(project.tracks.len(), 3);
    assert!(project.tracks.iter().all(|track| track.parent != track.id));
}

#[test]
fn a_file_cut_off_anywhere_is_an_error() {
    let text = ARDOUR_6.trim_end();
    assert!((0..text.len()).step_by(7).all(|end| read(&text.as_bytes()[..end]).is_err()));
    assert!(read(text.replace("length=\"960000\"", "length=\"NaN\"").as_bytes()).is_err());
    assert!(read(b"<Project/>").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_wanted_project_reads_back(changes in changes(), version in 0..3_usize) {
        let text = [ARDOUR_6.to_owned(), ARDOUR_7.to_owned(), ardour_8()][version].clone();
        let original = text.as_bytes();
        let wanted = changed(&read(original).unwrap(), &changes, Abilities::ARDOUR);
        match write(original, &wanted) {
            Ok(written) => assert_same(&wanted, &read(&written).unwrap()),
            Err(refused) => {
                let refused = refused.to_string();
                let is_known = ["no playlist for audio", "does not say its outputs"];
                prop_assert!(is_known.iter().any(|why| refused.contains(why)), "{refused}");
            }
        }
    }

    #[test]
    fn damaged_bytes_never_panic(at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>()) {
        let mut bytes = ARDOUR_6.as_bytes().to_vec();
        let place = at.index(bytes.len());
        bytes[place] = byte;
        let line = cut.index(bytes.len());
        bytes.drain(line..(line + 20).min(bytes.len()));
        if let Ok(project) = read(&bytes) {
            prop_assert_eq!(write(&bytes, &project).unwrap(), bytes);
        }
    }
}

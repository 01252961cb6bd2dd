//! OpenTimelineIO, written and read back.

use super::super::testing::{clip, media, small};
use super::super::timecode::FrameRate;
use super::super::timeline::{Clip, Timeline, Track};
use super::{read, write};
use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, SampleRate};
use proptest::prelude::*;

const RATE: SampleRate = SampleRate(48_000);

#[test]
fn a_small_timeline_comes_back() {
    let mut timeline = small(FrameRate::Fps2997);
    timeline.tracks[0].clips[1].fade_in.length = Frames(48_000);
    let again = read(&write(&timeline), RATE).unwrap();
    // The file says no rate and no channels.
    timeline.media.iter_mut().for_each(|media| (media.rate, media.channels) = (RATE, 0));
    assert_eq!((again.timeline, again.notes), (timeline, Vec::new()));
}

#[test]
fn a_clip_is_written_like_this() {
    let mut timeline = Timeline::new("T", RATE, FrameRate::Fps25);
    timeline.media = vec![media("Voice")];
    timeline.tracks = vec![Track { clips: vec![clip(24, 48)], ..Track::default() }];
    let written: serde_json::Value = serde_json::from_str(&write(&timeline)).unwrap();
    let time = |value| serde_json::json!({"OTIO_SCHEMA": "RationalTime.1", "rate": 48_000.0, "value": value});
    let items = &written["tracks"]["children"][0]["children"];
    assert_eq!(
        (&items[0]["OTIO_SCHEMA"], &items[1]["OTIO_SCHEMA"]),
        (&"Gap.1".into(), &"Clip.2".into())
    );
    assert_eq!(items[0]["source_range"]["duration"], time(24.0));
    assert_eq!(items[1]["source_range"]["duration"], time(48.0));
    let media = &items[1]["media_references"]["DEFAULT_MEDIA"];
    assert_eq!(media["target_url"], "file:///audio/Voice.wav");
}

/// As others write it: times in frames of picture, an older clip, picture, a nested stack, another speed.
const OTHERS: &str = r#"{"OTIO_SCHEMA": "SerializableCollection.1", "children": [{"OTIO_SCHEMA": "Timeline.1",
 "name": "Reel", "global_start_time": {"OTIO_SCHEMA": "RationalTime.1", "value": 86400, "rate": 24},
 "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [
  {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": []},
  {"OTIO_SCHEMA": "Track.1", "kind": "Audio", "name": "A1", "source_range": null, "children": [
   {"OTIO_SCHEMA": "Gap.1", "source_range": {"start_time": {"value": 0, "rate": 24}, "duration": {"value": 24, "rate": 24}}},
   {"OTIO_SCHEMA": "Clip.1", "name": "one", "enabled": false,
    "source_range": {"start_time": {"value": 96, "rate": 24}, "duration": {"value": 48, "rate": 24}},
    "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "file:///a/x%20y.wav",
     "available_range": {"start_time": {"value": 48, "rate": 24}, "duration": {"value": 2400, "rate": 24}}},
    "markers": [{"name": "m", "marked_range": {"start_time": {"value": 108, "rate": 24}, "duration": {"value": 0, "rate": 24}}}]},
   {"OTIO_SCHEMA": "Transition.1", "in_offset": {"value": 12, "rate": 24}, "out_offset": {"value": 6, "rate": 24}},
   {"OTIO_SCHEMA": "Clip.2", "name": "two", "effects": [{"OTIO_SCHEMA": "LinearTimeWarp.1"}],
    "source_range": {"start_time": {"value": 72, "rate": 24}, "duration": {"value": 24, "rate": 24}},
    "media_references": {"DEFAULT_MEDIA": {"OTIO_SCHEMA": "MissingReference.1"}}},
   {"OTIO_SCHEMA": "Stack.1", "children": [{"OTIO_SCHEMA": "Track.1", "children": [
     {"OTIO_SCHEMA": "Gap.1", "source_range": {"start_time": {"value": 0, "rate": 24}, "duration": {"value": 24, "rate": 24}}}]}]},
   {"OTIO_SCHEMA": "Clip.2", "name": "three",
    "source_range": {"start_time": {"value": 0, "rate": 24}, "duration": {"value": 24, "rate": 24}}}
  ]}]}}]}"#;

#[test]
fn timelines_of_others_come_in() {
    let again = read(OTHERS, RATE).unwrap();
    let facts = |clip: &Clip| {
        let quarters = |at: Frames| at.0 * 4 / 48_000;
        let fades = (quarters(clip.fade_in.length), quarters(clip.fade_out.length));
        (
            clip.name.clone(),
            quarters(clip.position),
            quarters(clip.start),
            quarters(clip.length),
            fades,
        )
    };
    let clips: Vec<_> = again.timeline.clips().map(facts).collect();
    // In quarters of a second: "one" starts at 1 s, and plays on for a quarter through the transition.
    let expected = [
        ("one".to_owned(), 4, 8, 9, (0, 3)),
        ("two".to_owned(), 10, 10, 6, (3, 0)),
        ("three".to_owned(), 20, 0, 4, (0, 0)),
    ];
    assert_eq!(clips, expected);
    assert!(again.timeline.tracks[0].clips[0].mute);
    assert_eq!(again.timeline.media[0].path, "/a/x y.wav");
    assert_eq!((again.timeline.start, again.timeline.frame_rate), (86_400, FrameRate::Fps24));
    assert_eq!(again.timeline.markers[0].position, Frames(72_000));
    let notes = [
        "Left out: 1 track of picture.",
        "Left out: 1 nested stack.",
        "1 clip had another speed: it plays at normal speed.",
    ];
    assert_eq!(again.notes, notes);
}

#[test]
fn each_bad_file_is_named() {
    let told = |text: &str| read(text, RATE).unwrap_err().to_string();
    let changed = |from: &str, to: &str| told(&OTHERS.replacen(from, to, 1));
    assert!(told("{").contains("this is no OTIO file"));
    assert!(told(&"[".repeat(1_000_000)).contains("recursion limit"));
    assert!(told("{\"OTIO_SCHEMA\": \"Clip.2\"}").contains("only \"Clip\""));
    assert!(changed("\"kind\": \"Audio\"", "\"kind\": \"Video\"").contains("no audio track"));
    assert!(
        changed("\"value\": 96, \"rate\": 24", "\"value\": 1e300, \"rate\": 24")
            .contains("source_range of \"one\"")
    );
    assert!(
        changed("\"value\": 96, \"rate\": 24", "\"value\": 96, \"rate\": 0")
            .contains("source_range of \"one\"")
    );
    assert!(changed("\"value\": 12,", "\"value\": -12,").contains("in_offset"));
}

/// Clips on one track, some of which cross.
fn clips() -> impl Strategy<Value = Vec<Clip>> {
    let part =
        (0_i64..9000, 1000_i64..90_000, 0_i64..400, -600_i32..120, 0_i64..9000, any::<bool>());
    prop::collection::vec(part, 1..20).prop_map(|parts| {
        let (mut at, mut clips) = (0_i64, Vec::<Clip>::new());
        for (gap, length, cross, gain, start, flag) in parts {
            let crosses = gap < 3000 && cross > 0 && !clips.is_empty();
            let position = if crosses { at - cross } else { at + gap };
            let mut next = clip(position, length);
            next.start = Frames(start);
            next.mute = flag;
            next.gain = Decibels(f64::from(gain) / 10.0);
            let curve = if flag { FadeCurve::Linear } else { FadeCurve::EqualPower };
            next.fade_in = Fade { length: Frames(if crosses { cross } else { 100 }), curve };
            if let Some(last) = clips.last_mut().filter(|_| crosses) {
                last.fade_out.length = Frames(cross);
            }
            at = position + length;
            clips.push(next);
        }
        clips
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_to_the_sample(clips in clips(), which in 0_usize..10) {
        let rate = FrameRate::ALL[which];
        let mut timeline = Timeline::new("T", RATE, rate);
        timeline.start = rate.nominal() * 60;
        timeline.media = vec![super::super::timeline::Media { channels: 0, ..media("Voice") }];
        timeline.tracks = vec![Track { clips, ..Track::default() }];
        let again = read(&write(&timeline), RATE).unwrap().timeline;
        timeline.frame_rate = rate.counting_all();
        prop_assert_eq!(again, timeline);
    }

    #[test]
    fn nothing_panics_the_reader(cut in 0_usize..3000, byte in "[ -~]") {
        let mut text = OTHERS.to_owned();
        let at = cut % text.len();
        drop(read(&text[..at], RATE));
        text.replace_range(at..=at, &byte);
        drop(read(&text, RATE));
    }
}

//! Edit decision lists, written and read back.

use super::super::testing::{clip, media, small};
use super::super::timecode::FrameRate;
use super::super::timeline::{Clip, Timeline, Track};
use super::{Problem, read, write};
use deskhand_dsp::{Frames, SampleRate};
use proptest::prelude::*;

const RATE: SampleRate = SampleRate(48_000);

#[test]
fn a_small_timeline_is_this_text() {
    let expected = "\
TITLE: Episode 1
FCM: NON-DROP FRAME

001  HOSTTALK A     C        00:00:00:00 00:00:04:00 01:00:01:00 01:00:05:00
* FROM CLIP NAME: Take 1
* SOURCE FILE: /audio/Host talk.wav
* LOC: 01:00:01:00 RED     Intro
002  GUESTFRI A2    C        00:00:02:00 00:00:05:00 01:00:02:00 01:00:05:00
* FROM CLIP NAME: Guest
* SOURCE FILE: /audio/Guest & friend.wav
003  HOSTTALK A     C        00:00:04:00 00:00:04:00 01:00:05:00 01:00:05:00
003  HOSTTALK A     D    025 00:00:20:00 00:00:24:00 01:00:05:00 01:00:09:00
* FROM CLIP NAME: Take 1
* TO CLIP NAME: Take \"2\"
* SOURCE FILE: /audio/Host talk.wav
* LOC: 01:00:06:00 RED     A < B
";
    assert_eq!(write(&small(FrameRate::Fps25)), expected);
}

#[test]
fn drop_frame_is_said_and_written_with_semicolons() {
    let text = write(&small(FrameRate::Fps2997Drop));
    assert!(text.contains("FCM: DROP FRAME"), "{text}");
    assert!(text.contains("00:00:20;00 00:00:24;00 01:00:05;00"), "{text}");
    let again = read(&text, FrameRate::Fps2997, RATE).unwrap();
    assert_eq!(again.timeline.frame_rate, FrameRate::Fps2997Drop);
}

#[test]
fn a_list_comes_in_with_dissolves_and_locators() {
    let list = "\
TITLE: Cut 3
FCM: NON-DROP FRAME
001  TAPE1    AA/V  C        10:00:00:00 10:00:02:00 01:00:00:00 01:00:02:00
* FROM CLIP NAME: Opening
* FROM CLIP: file:///a/b%20c.mov
M2   TAPE1    025.0          10:00:00:00
002  TAPE1    V     C        10:00:00:00 10:00:02:00 01:00:02:00 01:00:04:00
003  BL       A     D    012 00:00:00:00 00:00:02:00 01:00:02:00 01:00:04:00
* LOC: 01:00:03:05 GREEN   Look here
";
    let read = read(list, FrameRate::Fps25, RATE).unwrap();
    let timeline = read.timeline;
    assert_eq!((timeline.name.as_str(), timeline.start), ("Cut 3", 90_000));
    assert_eq!(read.notes, ["1 event of picture was left out."]);
    let tracks: Vec<_> = timeline.tracks.iter().map(|t| (t.name.as_str(), t.clips.len())).collect();
    assert_eq!(tracks, [("A1", 1), ("A2", 1)]);
    let first = &timeline.tracks[0].clips[0];
    assert_eq!((first.name.as_str(), first.start), ("Opening", Frames(36_000 * 48_000)));
    assert_eq!(
        (first.length, first.fade_out.length),
        (Frames(2 * 48_000 + 23_040), Frames(23_040))
    );
    assert_eq!(timeline.tracks[1].clips[0].fade_out.length, Frames::ZERO);
    assert_eq!(
        (timeline.markers[0].name.as_str(), timeline.markers[0].position.0),
        ("Look here", 153_600)
    );
    let media = &timeline.media[0];
    assert_eq!((media.name.as_str(), media.path.as_str()), ("b c", "/a/b c.mov"));
}

#[test]
fn each_bad_line_is_named() {
    let event = "001  R  A  C  00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00";
    let problem = |text: &str, rate| {
        let error = read(text, rate, RATE).unwrap_err();
        (error.line, error.problem)
    };
    let fps = FrameRate::Fps25;
    assert_eq!(problem("", fps), (0, Problem::Empty));
    assert_eq!(problem("FCM: DROP FRAME", fps), (1, Problem::NoDrop(25)));
    assert_eq!(problem(&format!("{event}\n002 R A C 1"), fps), (2, Problem::NoEvent));
    let wrong = |from: &str, to: &str| problem(&event.replacen(from, to, 1), fps);
    assert_eq!(wrong(" C ", " X "), (1, Problem::NoEdit("X".into())));
    assert_eq!(wrong(" A ", " Q "), (1, Problem::NoChannel("Q".into())));
    assert_eq!(wrong(" A ", " A65 "), (1, Problem::NoChannel("A65".into())));
    assert_eq!(wrong(" C ", " D "), (1, Problem::NoEvent));
    assert_eq!(
        wrong("00:00:01:00", "00:00:01:25"),
        (1, Problem::NoTimecode("00:00:01:25".into(), 25))
    );
    let many = format!("{event}\n").repeat(100_001);
    assert_eq!(problem(&many, fps), (100_001, Problem::TooLong));
}

/// Clips of one track in frames of picture, some of which lie over the end of the one before.
fn tracks(rate: FrameRate) -> impl Strategy<Value = Timeline> {
    let parts = prop::collection::vec((0_i64..200, 60_i64..400, 0_i64..30, 0_i64..5000), 1..12);
    prop::collection::vec(parts, 1..4).prop_map(move |tracks| {
        let mut timeline = Timeline::new("T", RATE, rate);
        timeline.start =
            rate.frame(&format!("10:00:00{}00", if rate.is_drop() { ';' } else { ':' })).unwrap();
        timeline.media = vec![media("Voice"), media("Room")];
        let samples = |frame| rate.samples(frame, RATE);
        for parts in tracks {
            let (mut at, mut clips) = (0_i64, Vec::<Clip>::new());
            for (n, (gap, length, over, start)) in parts.into_iter().enumerate() {
                let over = if gap < 100 && n > 0 { over } else { 0 };
                let from = if gap < 100 { at - over } else { at + gap };
                let (position, end) = (samples(from), samples(from + length));
                let mut next = clip(position.0, (end - position).0);
                next.start = samples(start);
                next.media = n % 2;
                next.fade_in.length = samples(from + over) - position;
                if let Some(last) = clips.last_mut().filter(|_| over > 0) {
                    last.fade_out.length = next.fade_in.length;
                }
                at = from + length;
                clips.push(next);
            }
            timeline.tracks.push(Track { clips, ..Track::default() });
        }
        timeline
    })
}

/// What an EDL holds of a clip, in frames of picture.
fn held(timeline: &Timeline) -> Vec<Vec<[i64; 6]>> {
    let frame = |at| timeline.frame_rate.nearest(at, timeline.rate);
    let held = |clip: &Clip| {
        let path = &timeline.media[clip.media].path;
        [
            frame(clip.position),
            frame(clip.end()),
            frame(clip.start),
            frame(clip.fade_in.length),
            frame(clip.fade_out.length),
            i64::from(path == "/audio/Room.wav"),
        ]
    };
    timeline.tracks.iter().map(|track| track.clips.iter().map(held).collect()).collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        timeline in (0_usize..10).prop_flat_map(|n| tracks(FrameRate::ALL[n])),
    ) {
        let text = write(&timeline);
        let again = read(&text, timeline.frame_rate, RATE).unwrap().timeline;
        prop_assert_eq!(held(&again), held(&timeline), "{}", text);
        prop_assert_eq!(again.start, timeline.start);
    }

    #[test]
    fn nothing_panics_the_reader(text in "[ -~\n]{0,300}", cut in 0_usize..900, byte in "[0-9:; A-Z]") {
        drop(read(&text, FrameRate::Fps2997Drop, RATE));
        let mut list = write(&small(FrameRate::Fps2997Drop));
        list.replace_range(cut % list.len()..=cut % list.len(), &byte);
        drop(read(&list, FrameRate::Fps2997Drop, RATE));
        drop(read(&list[..cut % list.len()], FrameRate::Fps2997Drop, RATE));
    }
}

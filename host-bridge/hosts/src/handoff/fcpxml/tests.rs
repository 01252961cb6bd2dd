//! FCPXML, written and read back.

use super::super::testing::{clip, media, small};
use super::super::timecode::FrameRate;
use super::super::timeline::{Clip, Media, Timeline, Track};
use super::{read, write};
use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, SampleRate};
use proptest::prelude::*;

const RATE: SampleRate = SampleRate(48_000);

#[test]
fn a_small_timeline_is_this_text() {
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.10">
  <resources>
    <format id="r1" name="FFVideoFormat1080p2997" frameDuration="1001/30000s" width="1920" height="1080"/>
    <asset id="r2" name="Host talk" start="0s" duration="600s" hasAudio="1" audioSources="1" audioRate="48000" audioChannels="1">
      <media-rep kind="original-media" src="file:///audio/Host%20talk.wav"/>
    </asset>
  </resources>
  <library>
    <event name="Episode 1">
      <project name="Episode 1">
        <sequence format="r1" duration="181181/30000s" tcStart="8999991/2500s" tcFormat="DF" audioLayout="stereo" audioRate="48k">
          <spine>
            <gap name="Gap" offset="8999991/2500s" start="0s" duration="181181/30000s">
              <asset-clip ref="r2" lane="-1" offset="1001/1000s" name="Take 1" start="1/1000s" duration="1001/200s" audioRole="Host">
                <adjust-volume amount="-3dB">
                  <param name="amount">
                    <fadeIn type="linear" duration="1s"/>
                    <fadeOut type="linear" duration="1s"/>
                  </param>
                </adjust-volume>
              </asset-clip>
              <marker start="1001/1000s" duration="1001/30000s" value="Intro"/>
            </gap>
          </spine>
        </sequence>
      </project>
    </event>
  </library>
</fcpxml>
"#;
    let mut timeline = small(FrameRate::Fps2997Drop);
    timeline.tracks.truncate(1);
    timeline.tracks[0].clips.truncate(1);
    timeline.media.truncate(1);
    timeline.markers.truncate(1);
    assert_eq!(write(&timeline), expected);
}

#[test]
fn a_small_timeline_comes_back() {
    let timeline = small(FrameRate::Fps25);
    let again = read(&write(&timeline), RATE).unwrap();
    assert_eq!(again.notes, Vec::<String>::new());
    let mut expected = timeline;
    // No two clips of a lane lie over each other, and a fader is in its clips.
    let crossed = expected.tracks[0].clips.remove(1);
    let lane = Track { name: "Host".into(), clips: vec![crossed], ..Track::default() };
    expected.tracks.insert(1, lane);
    let guest = &mut expected.tracks[2];
    guest.gain = Decibels::UNITY;
    guest.clips.iter_mut().for_each(|clip| clip.gain = Decibels(-6.0));
    assert_eq!(again.timeline, expected);
}

/// Elements that others write: a clip with picture and sound, a connected clip, a storyline, a compound clip.
const OTHERS: &str = r#"<?xml version="1.0"?><!DOCTYPE fcpxml>
<fcpxml version="1.9"><resources>
<format id="r1" frameDuration="100/2500s"/>
<asset id="r2" name="A" src="file:///a.mov" start="10s" duration="100s" hasVideo="1" hasAudio="1" audioChannels="2"/>
<asset id="r3" name="Still" src="file:///b.png" duration="0s" hasVideo="1"/>
<media id="r4"><sequence format="r1"><spine><asset-clip ref="r2" duration="1s"/></spine></sequence></media>
</resources><asset-clip ref="r2" duration="5s"><marker start="10s" value="no"/></asset-clip><project name="P"><sequence format="r1" tcStart="3600s"><spine>
<asset-clip ref="r2" offset="3600s" start="20s" duration="4s" audioRole="dialogue">
  <asset-clip ref="r2" lane="-1" offset="21s" duration="2s" enabled="0"><marker start="11s" duration="1/25s" value="M"/></asset-clip>
  <spine lane="-2" offset="22s"><asset-clip ref="r2" offset="1s" start="12s" duration="1s"><timeMap/></asset-clip></spine>
  <audio-channel-source srcCh="2"><adjust-volume amount="-9dB"/></audio-channel-source>
</asset-clip>
<ref-clip ref="r4" offset="3604s" duration="2s"/>
<clip offset="3606s" start="1s" duration="2s"><video ref="r3" offset="0s" duration="9s">
  <audio ref="r2" lane="-1" offset="0s" start="30s" duration="9s"/></video></clip>
<transition duration="1s"/>
</spine></sequence></project></fcpxml>"#;

#[test]
fn projects_of_others_come_in() {
    let again = read(OTHERS, RATE).unwrap();
    let tell = |track: &Track| {
        let clip = |c: &Clip| {
            let seconds = |at: Frames| at.0 / 48_000;
            (seconds(c.position), seconds(c.start), seconds(c.length), c.mute)
        };
        (track.name.clone(), track.clips.iter().map(clip).collect::<Vec<_>>())
    };
    let tracks: Vec<_> = again.timeline.tracks.iter().map(tell).collect();
    let expected = [
        ("Lane 0".to_owned(), vec![(0, 10, 4, false), (6, 21, 2, false)]),
        ("Lane -1".to_owned(), vec![(1, 0, 2, true)]),
        ("Lane -2".to_owned(), vec![(3, 2, 1, false)]),
    ];
    assert_eq!(tracks, expected);
    let first = &again.timeline.tracks[0].clips[0];
    let channel = again.timeline.media[first.media].channel;
    assert_eq!((channel, first.gain), (Some(1), Decibels::UNITY));
    assert_eq!(again.timeline.markers[0].position, Frames(2 * 48_000));
    assert_eq!((again.timeline.name.as_str(), again.timeline.start), ("P", 90_000));
    let notes = [
        "Left out: 1 compound, multicam or synchronized clip.",
        "1 clip had another speed: it plays at normal speed.",
        "Left out: 1 transition.",
    ];
    assert_eq!(again.notes, notes);
}

#[test]
fn each_bad_file_is_named_with_its_line() {
    let told = |text: &str| read(text, RATE).unwrap_err().to_string();
    let changed = |from: &str, to: &str| told(&OTHERS.replacen(from, to, 1));
    assert!(told("").contains("there is no project"), "{}", told(""));
    assert!(told("<fcpxml>\n<a").starts_with("line 2: this is no XML"), "{}", told("<fcpxml>\n<a"));
    assert!(changed("ref=\"r2\" offset", "ref=\"r9\" offset").contains("no asset \"r9\""));
    assert!(changed("format=\"r1\" tcStart", "format=\"r9\" tcStart").contains("no format \"r9\""));
    assert!(changed("100/2500s", "1/7s").contains("a frame of 1/7s"));
    assert!(changed("start=\"10s\"", "start=\"10\"").contains("start=\"10\" of <asset>"));
    assert!(changed("<!DOCTYPE fcpxml>", "<!DOCTYPE a [<!ENTITY b \"b\">]>").contains("entities"));
    assert!(changed("value=\"M\"", "value=\"&bomb;\"").contains("this is no XML"));
    assert!(told(&"<a>".repeat(1_000_000)).contains("64 deep"));
    assert!(
        told(&OTHERS.replace("hasAudio=\"1\"", "")).contains("no clip of the project has audio")
    );
    let long = format!("<fcpxml a=\"{}\">", "x".repeat(10_000_000));
    assert!(told(&long).contains("ends too early"));
}

/// Clips in frames of picture on up to three tracks.
fn timelines(rate: FrameRate) -> impl Strategy<Value = Timeline> {
    let part = (0_i64..200, 1_i64..400, 0_i64..400_000, -600_i32..120, 0_i64..9000, any::<bool>());
    let tracks = prop::collection::vec(prop::collection::vec(part, 1..10), 1..4);
    (tracks, -100_i32..=100).prop_map(move |(tracks, pan)| {
        let mut timeline = Timeline::new("Q & A", RATE, rate);
        timeline.start = rate.nominal() * 3600;
        timeline.media = vec![Media { origin: Frames(123_457), ..media("Voice") }, media("Room")];
        for (n, parts) in tracks.into_iter().enumerate() {
            let (mut at, mut clips) = (0_i64, Vec::new());
            for (gap, length, start, gain, fade, flag) in parts {
                let (from, to) =
                    (rate.samples(at + gap, RATE), rate.samples(at + gap + length, RATE));
                at += gap + length;
                let mut next = clip(from.0, (to - from).0);
                next.start = Frames(start);
                next.media = usize::from(flag);
                next.mute = flag;
                next.gain = Decibels(f64::from(gain) / 10.0);
                let curve = if flag { FadeCurve::Linear } else { FadeCurve::EqualPower };
                next.fade_in = Fade { length: Frames(fade.min(next.length.0)), curve };
                if next.fade_in.length == Frames::ZERO {
                    next.fade_in = Fade::default();
                }
                clips.push(next);
            }
            let name = format!("T{n}");
            timeline.tracks.push(Track {
                name,
                pan: f64::from(pan) / 100.0,
                clips,
                ..Track::default()
            });
        }
        timeline
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        timeline in (0_usize..10).prop_flat_map(|n| timelines(FrameRate::ALL[n])),
    ) {
        let text = write(&timeline);
        let mut again = read(&text, RATE).unwrap().timeline;
        let mut expected = timeline;
        // Only files that play come back, in the order in which they do.
        let path = |timeline: &Timeline, n: usize| timeline.media[n].path.clone();
        let paths = |t: &Timeline| t.clips().map(|c| path(t, c.media)).collect::<Vec<_>>();
        prop_assert_eq!(paths(&again), paths(&expected));
        for timeline in [&mut again, &mut expected] {
            timeline.media.clear();
            timeline.tracks.iter_mut().flat_map(|t| &mut t.clips).for_each(|c| c.media = 0);
        }
        prop_assert_eq!(again, expected, "{}", text);
    }

    #[test]
    fn nothing_panics_the_reader(cut in 0_usize..3000, byte in "[ -~]") {
        let mut text = write(&small(FrameRate::Fps24)) + OTHERS;
        let at = cut % text.len();
        drop(read(&text[..at], RATE));
        text.replace_range(at..=at, &byte);
        drop(read(&text, RATE));
        let mut text = OTHERS.to_owned();
        let at = cut % text.len();
        text.replace_range(at..=at, &byte);
        drop(read(&text, RATE));
    }
}

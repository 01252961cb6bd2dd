//! Two microphones that hear each other keep their distance in time, measured in the rendered sound.

use super::{Line, plays, track, written};
use deskhand_dsp::Frames;
use deskhand_session::Track;
use deskhand_toolkit::testing::{Desk, SECOND, noise};
use serde_json::{Value, json};
use std::ops::Range;

const PHRASES: usize = 200;
/// Every phrase sounds for half of this, in s.
const EACH: f64 = 0.5;
/// How much later each microphone hears the other's speaker, in frames, and how much quieter.
const LATE: usize = 144;
const BLEED: f32 = 0.126;
/// The comparison: this many frames, with this many to both sides, where they are this loud (the sum of
/// their squares).
const WINDOW: usize = 1_200;
const AROUND: usize = 40;
const LOUD: f32 = 4.0;
/// How long a crossfade is at a cut, in frames.
const CROSSFADE: usize = 480;

/// The recordings of the host, who says every other phrase, and of the guest, who says the rest.
fn recordings() -> [Vec<f32>; 2] {
    let seconds = PHRASES as f64 * EACH;
    let mut voices = [noise(-18.0, seconds), noise(-18.0, seconds)];
    voices[1].reverse();
    let half = (EACH * SECOND as f64 / 2.0) as usize;
    for (who, voice) in voices.iter_mut().enumerate() {
        for (n, part) in voice.chunks_mut(half).enumerate() {
            // A phrase and the pause after it make two parts.
            if n % 4 != 2 * who {
                part.fill(0.0);
            }
        }
    }
    let room = noise(-66.0, seconds);
    let heard = |own: &[f32], other: &[f32]| -> Vec<f32> {
        let late = std::iter::repeat_n(&0.0, LATE).chain(other);
        let sum = own.iter().zip(late).map(|(own, other)| own + BLEED * other);
        sum.zip(&room).map(|(voice, room)| voice + room).collect()
    };
    [heard(&voices[0], &voices[1]), heard(&voices[1], &voices[0])]
}

fn desk() -> Desk {
    let line = |n: usize| -> Line { (n as f64 * EACH, (n as f64 + 0.5) * EACH, "Well said.") };
    let mut desk = Desk::new(crate::testing::tools());
    for (who, (name, audio)) in ["Host", "Guest"].into_iter().zip(recordings()).enumerate() {
        let track = desk.track(Track::audio(name));
        let clip = desk.clip(track, name, 0, audio);
        let source = desk.session.clips[&clip].source;
        let lines: Vec<Line> = (0..PHRASES).filter(|n| n % 2 == who).map(line).collect();
        written(&mut desk, source, name, &lines);
    }
    desk.apply(&desk.plan("cmd_set_group", json!({"name": "Talk", "targets": "all"})));
    desk
}

/// A rendered track.
fn stem(desk: &Desk, name: &str) -> Vec<f32> {
    let context = desk.context("render", &Value::Null);
    let mut reader = context.audio.render(&desk.session, track(desk, name).into()).unwrap();
    let mut planes = vec![vec![0.0f32; reader.frames().index()]; 2];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    reader.read(Frames::ZERO, &mut out).unwrap();
    planes.swap_remove(0)
}

/// How much later the second hears what the first does around a time.
fn lag(first: &[f32], second: &[f32], at: usize) -> usize {
    let own = &first[at..at + WINDOW];
    let alike =
        |late: usize| -> f32 { own.iter().zip(&second[at + late..]).map(|(a, b)| a * b).sum() };
    let lags = LATE - AROUND..=LATE + AROUND;
    lags.max_by(|a, b| alike(*a).total_cmp(&alike(*b))).unwrap()
}

/// In every one of `places`, where it is loudest, the other microphone hears it as late as it did.
fn in_sync(desk: &Desk, names: [&str; 2], places: &[Range<usize>]) {
    let [host, guest] = names.map(|name| stem(desk, name));
    let energy = |stem: &[f32], at: usize| -> f32 {
        stem[at..at + WINDOW].iter().map(|sample| sample * sample).sum()
    };
    let loudest = |stem: &[f32], place: &Range<usize>| -> (usize, f32) {
        let last = place.end.min(stem.len()) - WINDOW - LATE - AROUND;
        let all = (place.start..last).step_by(WINDOW / 4).map(|at| (at, energy(stem, at)));
        all.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
    };
    for place in places {
        let (own, other) = (loudest(&host, place), loudest(&guest, place));
        assert!(own.1.max(other.1) >= LOUD, "nobody speaks in {place:?}");
        let own_is_louder = own.1 > other.1;
        let (loud, quiet) = if own_is_louder { (&host, &guest) } else { (&guest, &host) };
        let at = if own_is_louder { own.0 } else { other.0 };
        assert_eq!(lag(loud, quiet, at), LATE, "at frame {at}");
    }
}

/// Where the clips of a track are on the timeline.
fn clips(desk: &Desk, name: &str) -> Vec<Range<usize>> {
    let own = track(desk, name);
    let clips = desk.session.clips.values().filter(|clip| clip.track == own);
    clips.map(|clip| clip.position.index()..(clip.position + clip.length).index()).collect()
}

#[test]
fn two_hundred_phrases_in_another_order_are_rendered_in_sync() {
    let mut desk = desk();
    let each = (EACH * SECOND as f64) as usize;
    let said: Vec<_> = (0..PHRASES).map(|n| n * each..(n + 1) * each).collect();
    in_sync(&desk, ["Host", "Guest"], &said);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(plays(&desk).len(), PHRASES);
    let order = &desk.session.assembly.order;
    let (even, odd): (Vec<_>, Vec<_>) = order.iter().enumerate().partition(|(n, _)| n % 2 == 0);
    let wanted: Vec<_> = even.iter().rev().chain(&odd).map(|(_, id)| **id).collect();
    desk.settle("tool_reorder_segments", &json!({"ordered_group_ids": wanted}));
    let names = ["Host (assembly)", "Guest (assembly)"];
    for name in names {
        let places = clips(&desk, name);
        assert_eq!(places.len(), PHRASES);
        in_sync(&desk, names, &places);
    }
}

#[test]
fn two_hundred_pauses_are_shortened_in_sync() {
    let mut desk = desk();
    let shorter = json!({"targets": "all", "pauses_longer_than_s": 0.2, "pause_to_s": 0.1});
    let draft = desk.settle_once("tool_tighten", shorter);
    let cuts = draft.changes.iter().filter(|c| c.change.op() == "ripple_delete").count();
    assert!(cuts >= PHRASES - 2, "{cuts}");
    for name in ["Host", "Guest"] {
        // Between two of them lie the two sides of a crossfade, in the pause.
        let mut places = clips(&desk, name);
        places.retain(|place| place.len() > CROSSFADE);
        assert!(places.len() > cuts, "{}", places.len());
        in_sync(&desk, ["Host", "Guest"], &places);
    }
}

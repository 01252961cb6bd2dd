//! Two microphones that hear each other stay as far from one another as they were, measured in what is rendered.

use super::{Line, plays, track, written};
use crate::testing::{Desk, SECOND, noise};
use deskhand_dsp::Frames;
use deskhand_session::Track;
use serde_json::{Value, json};

const PHRASES: usize = 200;
/// Every phrase sounds for half of this, in s.
const EACH: f64 = 0.5;
/// How much later each microphone hears the other's speaker, in frames, and how much quieter.
const LATE: usize = 144;
const BLEED: f32 = 0.126;
/// What is compared: so many frames, so far to both sides, so often in a second.
const WINDOW: usize = 1_200;
const AROUND: usize = 40;
const OFTEN: usize = 4;

/// The recordings of the host, who says every other phrase, and of the guest, who says the rest.
fn recordings() -> [Vec<f32>; 2] {
    let seconds = PHRASES as f64 * EACH;
    let mut voices = [noise(-18.0, seconds), noise(-18.0, seconds)];
    voices[1].reverse();
    let half = (EACH * SECOND as f64 / 2.0) as usize;
    for (who, voice) in voices.iter_mut().enumerate() {
        for (n, part) in voice.chunks_mut(half).enumerate() {
            // A phrase and the pause behind it make two parts.
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
    let mut desk = Desk::new();
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

/// A track as it is rendered.
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

/// Wherever one of them speaks the other microphone hears it as late as it did. How many places were compared.
fn in_sync(desk: &Desk, names: [&str; 2]) -> usize {
    let [host, guest] = names.map(|name| stem(desk, name));
    let energy = |stem: &[f32], at: usize| -> f32 {
        stem[at..at + WINDOW].iter().map(|sample| sample * sample).sum()
    };
    let mut compared = 0;
    let last = host.len().min(guest.len()) - WINDOW - LATE - AROUND;
    for at in (0..last).step_by(SECOND as usize / OFTEN) {
        let (own, other) = (energy(&host, at), energy(&guest, at));
        if own.max(other) < 4.0 {
            continue;
        }
        let (loud, quiet) = if own > other { (&host, &guest) } else { (&guest, &host) };
        assert_eq!(lag(loud, quiet, at), LATE, "at frame {at}");
        compared += 1;
    }
    compared
}

#[test]
fn two_hundred_phrases_in_another_order_are_rendered_in_sync() {
    let mut desk = desk();
    let before = in_sync(&desk, ["Host", "Guest"]);
    assert!(before > 150, "{before}");
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(plays(&desk).len(), PHRASES);
    let order = &desk.session.assembly.order;
    let (even, odd): (Vec<_>, Vec<_>) = order.iter().enumerate().partition(|(n, _)| n % 2 == 0);
    let wanted: Vec<_> = even.iter().rev().chain(&odd).map(|(_, id)| **id).collect();
    desk.settle("tool_reorder_segments", &json!({"ordered_group_ids": wanted}));
    let compared = in_sync(&desk, ["Host (assembly)", "Guest (assembly)"]);
    assert!(compared > 120, "{compared}");
}

#[test]
fn two_hundred_pauses_are_shortened_in_sync() {
    let mut desk = desk();
    let shorter = json!({"targets": "all", "pauses_longer_than_s": 0.2, "pause_to_s": 0.1});
    let draft = desk.settle_once("tool_tighten", shorter);
    let cuts = draft.changes.iter().filter(|c| c.change.op() == "ripple_delete").count();
    assert!(cuts >= PHRASES - 2, "{cuts}");
    let compared = in_sync(&desk, ["Host", "Guest"]);
    assert!(compared > 120, "{compared}");
}

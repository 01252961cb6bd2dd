//! Phrases of known level, pace, noise, laughter, overlap and distance.

use super::laughter::is_written;
use crate::testing::desk_at;
use deskhand_dsp::Frames;
use deskhand_session::{BLEED_OF, Fact, Segment, SegmentId, SourceId, Word};
use deskhand_toolkit::testing::Desk;
use serde_json::{Value, json};
use std::f64::consts::TAU;

const RATE: f64 = 48_000.0;
const SECOND: i64 = 48_000;

fn frames(seconds: f64) -> Frames {
    Frames((seconds * RATE).round() as i64)
}

/// A phrase of words that take all of its time.
fn say(desk: &mut Desk, source: SourceId, at: f64, seconds: f64, text: &str) -> SegmentId {
    let id = SegmentId::new(desk.session.segments.len() as u64 + 1);
    let words: Vec<&str> = text.split(' ').collect();
    let each = seconds / words.len() as f64;
    let word = |(n, text): (usize, &&str)| Word {
        text: (*text).into(),
        start: frames(at + each * n as f64),
        end: frames(at + each * (n + 1) as f64),
        confidence: None,
    };
    let words = words.iter().enumerate().map(word).collect();
    let segment = Segment { words, ..Segment::new(source, frames(at), frames(seconds)) };
    desk.session.segments.insert(id, segment);
    id
}

fn recording(desk: &mut Desk, name: &str, sound: Vec<f32>) -> SourceId {
    let source = desk.recording(&format!("{name}.wav"), sound.len() as i64);
    desk.clip_of(name, source, [0, sound.len() as i64, 0]);
    desk.sound(source, sound);
    source
}

fn describe(desk: &mut Desk, targets: Value) -> Value {
    let draft = desk.call("tool_describe_speech", json!({"targets": targets})).unwrap();
    desk.apply(&draft);
    draft.answer.unwrap()
}

fn places(list: &Value) -> Vec<Value> {
    list.as_array().unwrap().iter().map(|place| place["id"].clone()).collect()
}

fn value(desk: &Desk, id: SegmentId, fact: &str) -> Option<Value> {
    let facts = &desk.session.segments[&id].description.facts;
    facts.get(fact).map(|fact| fact.value.clone())
}

fn noise(sound: &mut [f32], gain: f32) {
    let mut seed = 1u32;
    for sample in sound {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *sample += gain * ((seed >> 8) as f32 / 8_388_608.0 - 1.0);
    }
}

/// A vowel that comes and goes for `seconds`, with resonances at `formants`.
fn vowel(seconds: f64, hz: f64, formants: [f64; 2]) -> Vec<f32> {
    let sample = |n: usize| {
        let time = n as f64 / RATE;
        let tone = |k: f64| {
            let near = |f: f64| 1.0 / (1.0 + ((k * hz - f) / 150.0).powi(2));
            (TAU * hz * k * time).sin() * (near(formants[0]) + near(formants[1]))
        };
        let swell = (std::f64::consts::PI * time / seconds).sin();
        ((1..30).map(|k| tone(f64::from(k))).sum::<f64>() * swell * 0.15) as f32
    };
    (0..(seconds * RATE) as usize).map(sample).collect()
}

fn put(sound: &mut [f32], at: f64, what: &[f32]) {
    let from = (at * RATE) as usize;
    sound[from..].iter_mut().zip(what).for_each(|(sample, more)| *sample += more);
}

/// Vowels, each another one than the next, five a second.
fn talk(sound: &mut [f32], at: f64, seconds: f64) {
    let vowels =
        [[700.0, 1200.0], [300.0, 2300.0], [500.0, 900.0], [450.0, 1900.0], [320.0, 700.0]];
    for n in 0..(seconds * 5.0) as usize {
        put(sound, at + n as f64 * 0.2, &vowel(0.15, 118.0, vowels[n % vowels.len()]));
    }
}

fn silence(seconds: f64) -> Vec<f32> {
    let mut sound = vec![0.0; (seconds * RATE) as usize];
    noise(&mut sound, 0.001);
    sound
}

#[test]
fn level_pace_and_noise_are_measured() {
    let mut desk = desk_at(48_000);
    let mut sound = silence(6.0);
    let tone = |n: usize| (TAU * 1000.0 * n as f64 / RATE).sin() as f32 * 0.1;
    let tone: Vec<f32> = (0..2 * SECOND as usize).map(tone).collect();
    put(&mut sound, 2.0, &tone);
    let source = recording(&mut desk, "Talk", sound);
    let id = say(&mut desk, source, 2.0, 2.0, "one two three four five six");
    let answer = describe(&mut desk, json!("Talk"));
    // A sine of -20 dBFS at 1 kHz in one channel; noise that is evenly spread over 0.001.
    assert_eq!(value(&desk, id, "level"), Some(json!(-23.0)));
    assert_eq!(value(&desk, id, "pace"), Some(json!(180)));
    let floor = value(&desk, id, "noise").unwrap().as_f64().unwrap();
    assert!((-65.8..=-64.5).contains(&floor), "{floor}");
    let rare = ["laughter", "overlap", "off_mic"].map(|fact| value(&desk, id, fact));
    assert_eq!(rare, [None, None, None]);
    assert_eq!(answer["level_lufs"], json!(-23.0));
    assert_eq!((&answer["phrases"], &answer["words_per_min"]), (&json!(1), &json!(180.0)));
}

#[test]
fn what_a_microphone_heard_of_another_is_not_described() {
    let mut desk = desk_at(48_000);
    let source = recording(&mut desk, "Talk", silence(6.0));
    let own = say(&mut desk, source, 1.0, 1.0, "one two three");
    let copy = say(&mut desk, source, 3.0, 1.0, "four five six");
    let fact = Fact { value: json!("Ann"), unit: None, confidence: None, by: "test".into() };
    let facts = &mut desk.session.segments.get_mut(&copy).unwrap().description.facts;
    facts.insert(BLEED_OF.into(), fact);
    let answer = describe(&mut desk, json!("Talk"));
    assert_eq!(answer["phrases"], 1);
    assert_eq!([own, copy].map(|id| value(&desk, id, "pace").is_some()), [true, false]);
}

#[test]
fn where_all_that_is_written_down_is_of_another_it_says_so() {
    let mut desk = desk_at(48_000);
    let source = recording(&mut desk, "Talk", silence(6.0));
    let copy = say(&mut desk, source, 1.0, 1.0, "one two three");
    let fact = Fact { value: json!("Ann"), unit: None, confidence: None, by: "test".into() };
    let facts = &mut desk.session.segments.get_mut(&copy).unwrap().description.facts;
    facts.insert(BLEED_OF.into(), fact);
    let error = desk.call("tool_describe_speech", json!({"targets": "Talk"})).unwrap_err();
    let told = error.to_string();
    assert!(told.starts_with("what is written down there was heard of the speakers of"), "{told}");
}

#[test]
fn laughter_is_told_from_talk_as_fast() {
    let mut desk = desk_at(48_000);
    let mut sound = silence(10.0);
    talk(&mut sound, 0.5, 2.0);
    for n in 0..7 {
        put(&mut sound, 3.0 + f64::from(n) * 0.18, &vowel(0.11, 180.0, [650.0, 1300.0]));
    }
    talk(&mut sound, 6.0, 2.0);
    for n in 0..8 {
        // An alarm clock.
        let beep = |n: usize| (TAU * 2_000.0 * n as f64 / RATE).sin() as f32 * 0.1;
        let beep: Vec<f32> = (0..4_800).map(beep).collect();
        put(&mut sound, 8.2 + f64::from(n) * 0.2, &beep);
    }
    let source = recording(&mut desk, "Talk", sound);
    let merry = say(&mut desk, source, 0.5, 2.0, "that is how it went");
    let plain = say(&mut desk, source, 6.0, 2.0, "and then we left");
    let draft = desk.call("tool_describe_speech", json!({"targets": "Talk"})).unwrap();
    assert!(draft.summary.ends_with("laughter in 1"), "{}", draft.summary);
    assert!(draft.warnings[0].contains("tool_mark_speakers"), "{:?}", draft.warnings);
    desk.apply(&draft);
    let seconds = value(&desk, merry, "laughter").unwrap().as_f64().unwrap();
    assert!((1.0..=1.5).contains(&seconds), "{seconds}");
    assert_eq!(value(&desk, plain, "laughter"), None);
}

#[test]
fn laughter_that_is_written_down_counts_and_its_words_are_no_pace() {
    let mut desk = desk_at(48_000);
    let source = recording(&mut desk, "Talk", silence(6.0));
    let id = say(&mut desk, source, 1.0, 3.0, "well yes Haha! it is (laughs)");
    describe(&mut desk, json!("Talk"));
    assert_eq!(value(&desk, id, "laughter"), Some(json!(1.0)));
    // Four words from 1.0 to 3.5 s.
    assert_eq!(value(&desk, id, "pace"), Some(json!(96)));
    let words = |text: &str| -> Vec<Word> {
        let word = |text: &str| Word {
            text: text.into(),
            start: Frames::ZERO,
            end: Frames::ZERO,
            confidence: None,
        };
        text.split(' ').map(word).collect()
    };
    for laughs in ["haha", "[Laughter]", "*chuckles*", "Hehehe,", "Hahah.", "ha ha", "Ho ho ho"] {
        assert!(is_written(&words(laughs), 0), "{laughs}");
    }
    for said in ["laughter is good", "hi there", "hoe", "has", "he he", "hi hi"] {
        assert!(!is_written(&words(said), 0), "{said}");
    }
}

#[test]
fn who_talks_over_whom_is_known_by_their_names() {
    let mut desk = desk_at(48_000);
    let source = recording(&mut desk, "Talk", silence(9.0));
    let ids = [(1.0, "Ann"), (3.0, "Ben"), (3.5, "Ann"), (6.0, "Ben")].map(|(at, who)| {
        let id = say(&mut desk, source, at, 2.0, "so it is");
        desk.session.segments.get_mut(&id).unwrap().speaker = Some(who.into());
        id
    });
    let answer = describe(&mut desk, json!("Talk"));
    let shares = ids.map(|id| value(&desk, id, "overlap"));
    assert_eq!(shares, [None, Some(json!(75)), Some(json!(75)), None]);
    assert_eq!(places(&answer["overlap"]), [ids[1], ids[2]].map(|id| json!(id)));
    assert_eq!(answer["overlap"][1]["start_s"], json!(3.5));
}

#[test]
fn two_microphones_that_hear_each_other_do_not_talk_over_each_other() {
    let mut desk = desk_at(48_000);
    let (mut host, mut guest) = (silence(12.0), silence(12.0));
    let mut own = vec![0.0; host.len()];
    talk(&mut own, 1.0, 2.0);
    talk(&mut own, 9.0, 2.0);
    let mut other = vec![0.0; host.len()];
    talk(&mut other, 5.0, 2.0);
    talk(&mut other, 10.0, 2.0);
    for at in 0..host.len() {
        host[at] += own[at] + other[at] * 0.1;
        guest[at] += other[at] + own[at] * 0.1;
    }
    let host = recording(&mut desk, "Host", host);
    let guest = recording(&mut desk, "Guest", guest);
    let asks = say(&mut desk, host, 1.0, 2.0, "where was that");
    // What the guest's microphone hears of it was written down as well.
    say(&mut desk, guest, 1.0, 2.0, "where was that");
    say(&mut desk, guest, 5.0, 2.0, "on the coast");
    let (over, under) = (
        say(&mut desk, host, 9.0, 2.0, "and how did"),
        say(&mut desk, guest, 10.0, 2.0, "we took the"),
    );
    describe(&mut desk, json!("all"));
    assert_eq!(value(&desk, asks, "overlap"), None);
    assert_eq!(
        [over, under].map(|id| value(&desk, id, "overlap")),
        [50, 50].map(|it| Some(json!(it)))
    );
}

/// Farther away in a room: the voice softer, its reflections not.
fn from_afar(sound: &[f32]) -> Vec<f32> {
    let mut out: Vec<f32> = sound.iter().map(|sample| sample * 0.15).collect();
    for (late, again) in [(1_687, 0.82), (1_931, 0.80), (2_053, 0.79), (2_251, 0.77)] {
        let mut comb = vec![0.0f32; sound.len()];
        for at in late..sound.len() {
            comb[at] = sound[at - late] + again * comb[at - late];
        }
        out.iter_mut().zip(&comb).for_each(|(sample, more)| *sample += more * 0.05);
    }
    out
}

#[test]
fn away_from_the_microphone_is_told_from_softly() {
    let mut desk = desk_at(48_000);
    let mut sound = silence(22.0);
    let mut ids = Vec::new();
    for n in 0..6 {
        let mut own = vec![0.0; (3.5 * RATE) as usize];
        talk(&mut own, 0.0, 2.0);
        let own = match n {
            2 => from_afar(&own),
            4 => own.iter().map(|sample| sample * 0.3).collect(),
            _ => own,
        };
        put(&mut sound, 0.5 + 3.5 * f64::from(n), &own);
    }
    let source = recording(&mut desk, "Talk", sound);
    for n in 0..6 {
        ids.push(say(&mut desk, source, 0.5 + 3.5 * f64::from(n), 2.2, "it is what it is"));
    }
    let answer = describe(&mut desk, json!("Talk"));
    assert_eq!(places(&answer["off_mic"]), [json!(ids[2])]);
    let fact = &desk.session.segments[&ids[2]].description.facts["off_mic"];
    assert!(fact.confidence.is_some_and(|sure| (0.5..=1.0).contains(&sure)), "{fact:?}");
}

#[test]
fn again_nothing_changes_and_what_a_person_wrote_stays() {
    let mut desk = desk_at(48_000);
    let mut sound = silence(4.0);
    talk(&mut sound, 1.0, 2.0);
    let source = recording(&mut desk, "Talk", sound);
    let id = say(&mut desk, source, 1.0, 2.0, "this is fine then");
    let (by, old) = ("user".to_owned(), "tool_describe_speech".to_owned());
    let facts = &mut desk.session.segments.get_mut(&id).unwrap().description.facts;
    let fact = |value: Value, by| Fact { value, unit: None, confidence: None, by };
    facts.insert("pace".into(), fact(json!("slow"), by));
    facts.insert("laughter".into(), fact(json!(3.0), old));
    describe(&mut desk, json!("Talk"));
    assert_eq!(value(&desk, id, "pace"), Some(json!("slow")));
    assert_eq!(value(&desk, id, "laughter"), None, "of an earlier run");
    let again = desk.call("tool_describe_speech", json!({"targets": "Talk"})).unwrap();
    assert_eq!(again.changes, []);
    let denied = Fact { value: json!(false), ..fact(json!(null), "user".into()) };
    let facts = &mut desk.session.segments.get_mut(&id).unwrap().description.facts;
    facts.insert("laughter".into(), denied);
    assert_eq!(describe(&mut desk, json!("Talk"))["laughter"], json!([]));
}

#[test]
fn without_words_it_says_so() {
    let mut desk = desk_at(48_000);
    recording(&mut desk, "Talk", silence(2.0));
    let error = desk.call("tool_describe_speech", json!({"targets": "Talk"})).unwrap_err();
    insta::assert_snapshot!(error, @"nothing is written down there yet; transcribe it first: tool_transcribe");
}

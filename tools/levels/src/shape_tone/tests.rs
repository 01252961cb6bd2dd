//! Sounds with the spectrum of a reference, and a part of it that is too much or too little.

use super::reference::Reference;
use crate::bands::CENTERS;
use deskhand_dsp::effects::{Band, BandShape, Effect, Limiter};
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Change, Edit, InsertId, InsertOwner, Measure, PlacedInsert, Switch, Track};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::{Desk, tone};
use serde_json::{Value, json};

/// Tones whose third octaves have the levels of a reference, and `more` dB on top from `from` to `to` Hz.
fn like(reference: Reference, (from, to): (f64, f64), more: f64) -> Vec<f32> {
    let mut sum = vec![0f32; 96_000];
    for (at, hz) in CENTERS.into_iter().enumerate().filter(|(_, hz)| *hz >= 63.0) {
        let on_top = if (from..=to).contains(&hz) { more } else { 0.0 };
        let level = reference.level(at, hz) - reference.level(9, 250.0) - 36.0 + on_top;
        for step in [0.96, 1.0, 1.04] {
            let tone = tone(hz * step, level, 2.0);
            sum.iter_mut().zip(tone).for_each(|(sum, it)| *sum += it);
        }
    }
    sum
}

/// Hits that ring on, four a second, at a level between them that is not far below.
fn hits() -> Vec<f32> {
    let ring = |n: usize| (-(n as f32) / 9_000.0).exp() * 0.5;
    tone(180.0, 0.0, 3.0).iter().enumerate().map(|(n, it)| it * ring(n % 12_000)).collect()
}

fn desk(name: &str, sound: Vec<f32>) -> Desk {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio(name));
    desk.clip(track, "take", 0, sound);
    desk
}

fn flat(reference: Reference) -> Vec<f32> {
    like(reference, (0.0, 0.0), 0.0)
}

fn call(direction: &str) -> Value {
    json!({"targets": "Host", "direction": direction})
}

/// The bands that a draft adds or changes.
fn bands(draft: &Draft) -> Vec<Band> {
    let after = draft.changes.iter().filter_map(|it| match &it.change {
        Change::SetInsert(Edit { after: Some(after), .. }) => Some(&after.effect),
        _ => None,
    });
    let mut equalizers = after.filter_map(|effect| match effect {
        Effect::Equalizer(it) => Some(it.bands.clone()),
        _ => None,
    });
    equalizers.next().unwrap_or_default()
}

/// Shape, frequency and gain.
fn shown(bands: &[Band]) -> Vec<(BandShape, f64, f64)> {
    bands.iter().map(|it| (it.shape, it.frequency_hz, it.gain.0)).collect()
}

#[test]
fn what_is_as_the_reference_changes_by_the_amount() {
    let desk = desk("Host", flat(Reference::Speech));
    let warm = |amount: &str| {
        let params = json!({"targets": "Host", "direction": "warmer", "amount": amount});
        shown(&bands(&desk.plan("tool_shape_tone", params)))
    };
    let shelf = |gain| (BandShape::HighShelf, 8000.0, gain);
    assert_eq!(warm("subtle"), [(BandShape::Bell, 200.0, 1.0), shelf(-0.5)]);
    assert_eq!(warm("normal"), [(BandShape::Bell, 200.0, 2.0), shelf(-1.0)]);
    assert_eq!(warm("strong"), [(BandShape::Bell, 200.0, 3.0), shelf(-1.5)]);
}

#[test]
fn a_bump_is_lowered_where_it_is_and_a_hollow_is_filled_more() {
    let bump = desk("Host", like(Reference::Speech, (250.0, 250.0), 6.0));
    let muddy = bands(&bump.plan("tool_shape_tone", call("less_muddy")));
    assert_eq!(
        shown(&muddy),
        [(BandShape::Bell, 250.0, -3.0)],
        "2 dB, and some of what is too much"
    );
    let flat_one = desk("Host", flat(Reference::Speech));
    let boxy = |desk: &Desk| bands(&desk.plan("tool_shape_tone", call("less_boxy")))[0].gain.0;
    assert!((-2.5..=-1.5).contains(&boxy(&flat_one)), "{}", boxy(&flat_one));
    let dull = desk("Host", like(Reference::Speech, (5000.0, 16_000.0), -3.0));
    let brighter = bands(&dull.plan("tool_shape_tone", call("brighter")));
    assert_eq!(shown(&brighter), [(BandShape::HighShelf, 6000.0, 3.0)]);
}

#[test]
fn what_is_beyond_the_reference_stays_and_says_so() {
    let mut desk = desk("Host", like(Reference::Speech, (5000.0, 16_000.0), 6.0));
    let draft = desk.settle("tool_shape_tone", &call("brighter"));
    assert_eq!(draft.changes, []);
    assert_eq!(
        draft.summary,
        "Nothing to change to make it brighter (\"Host\": already brighter than the reference)"
    );
}

#[test]
fn asking_again_goes_one_step_further_in_the_same_bands_up_to_3_db() {
    let mut desk = desk("Host", flat(Reference::Speech));
    let mut gains = Vec::new();
    for _ in 0..6 {
        let draft = desk.plan("tool_shape_tone", call("brighter"));
        desk.apply(&draft);
        gains.extend(bands(&draft).first().map(|it| it.gain.0));
    }
    assert_eq!(desk.session.inserts.len(), 1, "one equalizer");
    assert!(gains.len() >= 2 && gains.windows(2).all(|it| it[0] < it[1]), "{gains:?}");
    assert!(gains.iter().all(|it| *it <= 3.0), "{gains:?}");
    assert_eq!(desk.plan("tool_shape_tone", call("brighter")).changes, []);
}

#[test]
fn a_change_is_to_be_heard_and_its_loudness_is_said_and_measured() {
    let mut desk = desk("Host", flat(Reference::Speech));
    let draft = desk.settle_once("tool_shape_tone", call("fuller"));
    assert!(draft.changes.iter().all(|it| it.to_hear));
    assert_eq!(draft.predicted[0].measure, Measure::IntegratedLoudness);
    let said = |it: &String| it.starts_with("the loudness of Host rises by ");
    assert!(draft.notes.iter().any(said), "{:?}", draft.notes);
    assert_eq!(draft.summary, "Make Host fuller: +2 dB below 150 Hz");
}

#[test]
fn a_single_instrument_is_compared_loosely_and_silence_is_skipped() {
    let mut desk = desk("Tuba", tone(110.0, -20.0, 2.0));
    desk.track(Track::audio("Empty"));
    let params = json!({"targets": ["Tuba", "Empty"], "direction": "brighter"});
    let draft = desk.plan("tool_shape_tone", params);
    assert_eq!(draft.changes, [], "nothing is there to be raised");
    assert!(draft.summary.contains("\"Empty\": silent"), "{}", draft.summary);
    let darker =
        bands(&desk.plan("tool_shape_tone", json!({"targets": "Tuba", "direction": "darker"})));
    assert!(darker.iter().all(|it| it.gain.0 >= -3.0), "{darker:?}");
}

#[test]
fn punch_is_a_compressor_with_a_slow_attack_that_lets_the_peaks_stand_out() {
    let mut desk = desk("Kick", hits());
    let draft =
        desk.settle_once("tool_shape_tone", json!({"targets": "Kick", "direction": "punchier"}));
    let found = draft.changes.iter().find_map(|it| match &it.change {
        Change::SetInsert(Edit {
            after: Some(PlacedInsert { effect: Effect::Compressor(it), .. }),
            ..
        }) => Some(it),
        _ => None,
    });
    let compressor = found.expect("a compressor");
    assert!(compressor.attack_ms >= 20.0 && compressor.ratio == 3.0, "{compressor:?}");
    let level = |measure| {
        let now = draft.findings.iter().find(|it| it.measure == measure);
        let then = draft.predicted.iter().find(|it| it.measure == measure);
        (now.unwrap().value.unwrap(), then.unwrap().value)
    };
    let (peak, active) = (level(Measure::SamplePeak), level(Measure::ActiveRms));
    assert!(peak.1 - active.1 >= peak.0 - active.0 + 0.3, "{peak:?} {active:?}");
    let loudness = level(Measure::IntegratedLoudness);
    assert!((loudness.1 - loudness.0).abs() < 0.5, "{loudness:?}");
    let swell = |n: usize| (n as f32 / 24_000.0).min(1.0);
    let pad = tone(300.0, -20.0, 3.0).iter().enumerate().map(|(n, it)| it * swell(n)).collect();
    let steady = self::desk("Pad", pad);
    let kept = steady.plan("tool_shape_tone", json!({"targets": "Pad", "direction": "punchier"}));
    let is_compressor = |it: &str| it.starts_with("compressor");
    assert!(!kept.changes.iter().any(|it| is_compressor(&it.name)), "{}", kept.summary);
}

#[test]
fn the_mix_is_meant_where_nothing_is_named_and_its_limiter_stays_last() {
    let mut desk = desk("Host", flat(Reference::Speech));
    let effect = Effect::Limiter(Limiter {
        gain: Decibels::UNITY,
        ceiling: Decibels(-1.0),
        release_ms: 80.0,
    });
    let limiter = PlacedInsert { on: InsertOwner::Master, index: 0, switch: Switch::On, effect };
    desk.session.inserts.insert(InsertId::new(7), limiter);
    let draft = desk.settle_once("tool_shape_tone", json!({"direction": "warmer"}));
    assert_eq!(draft.summary, "Make the mix warmer: +2 dB at 200 Hz, -1 dB above 8000 Hz");
    let order = desk.session.inserts_on(InsertOwner::Master).into_iter();
    let order: Vec<_> = order.map(|(_, it)| it.effect.title()).collect();
    assert_eq!(order, ["equalizer", "limiter"]);
}

#[test]
fn a_bus_is_not_shaped_again_after_its_tracks() {
    let mut desk = desk("Host", flat(Reference::Speech));
    let bus = desk.track(Track::bus("Voices"));
    let host = desk.session.track_order[0];
    desk.session.tracks.get_mut(&host).unwrap().output = deskhand_session::Output::Bus(bus);
    let draft = desk.plan("tool_shape_tone", json!({"targets": "all", "direction": "clearer"}));
    assert_eq!(draft.changes.len(), 1);
    assert!(draft.warnings[0].starts_with("\"Voices\": unchanged"), "{:?}", draft.warnings);
    let nothing = Desk::new(crate::all());
    let told = nothing.refusal("tool_shape_tone", json!({"direction": "clearer"}));
    assert!(told.contains("the session has no clips"), "{told}");
    assert!(desk.session.end() > Frames::ZERO);
}

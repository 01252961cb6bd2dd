//! Mixes whose parts stay below full scale and whose sum does not.

use deskhand_dsp::Decibels;
use deskhand_session::{Measure, ObjectId, Track};
use deskhand_toolkit::Draft;
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::testing::{Desk, SECOND, tone};
use serde_json::json;

/// Two tracks that play one tone together, each with its peak at -20 dBFS.
fn duet() -> Desk {
    let mut desk = Desk::new(crate::all());
    for name in ["High", "Low"] {
        let track = desk.track(Track::audio(name));
        desk.clip(track, name, 0, tone(1000.0, -20.0, 4.0));
    }
    desk
}

fn of_the_mix(desk: &Desk, draft: &Draft) -> Vec<Measure> {
    let mix = ObjectId::from(desk.session.id);
    let of_mix = draft.predicted.iter().filter(|promise| promise.target == mix);
    of_mix.map(|promise| promise.measure).collect()
}

#[test]
fn what_takes_the_mix_over_full_scale_is_told_first_and_the_mix_is_promised() {
    // A track plays its mono clip on both sides, which is 3 LU louder.
    for (per, loudness) in [("clip", -6.0), ("track", -3.0)] {
        let mut desk = duet();
        let params = json!({"targets": "all", "target_lufs": loudness, "per": per});
        let draft = desk.settle("tool_normalize", &params);
        let told = &draft.warnings[0];
        assert!(told.starts_with("the mix would peak at +3."), "{told}");
        assert!(told.contains(" dBTP (now -14.") && told.contains(" LUFS (now -"), "{told}");
        let labels: Vec<_> = draft.offers.iter().map(|offer| offer.label.as_str()).collect();
        let [limiter, lower] = labels[..] else { panic!("{labels:?}") };
        assert!(limiter == "Add a limiter" && lower.starts_with("Lower the mix 4"), "{labels:?}");
        for offer in &draft.offers {
            let fixed = desk.plan(&offer.tool, offer.params.clone());
            let changes = fixed.changes.iter().map(|planned| &planned.change);
            let after = desk.session.with(changes).unwrap();
            let context = desk.context("tool_normalize", &json!({}));
            let levels = context.levels_in(&after, after.id.into()).unwrap();
            let peak = level_of(&levels, Measure::TruePeak).unwrap();
            assert!(peak <= -0.9, "{}: {peak}", offer.label);
        }
        let promised = of_the_mix(&desk, &draft);
        assert_eq!(promised, [Measure::IntegratedLoudness, Measure::TruePeak], "{per}");
    }
}

#[test]
fn a_mix_that_is_over_already_is_told_where_it_is_raised_and_not_where_it_is_lowered() {
    let mut desk = duet();
    desk.session.master_gain = Decibels(20.0);
    let louder = desk.plan("tool_normalize", json!({"targets": "all", "target_lufs": -20.0}));
    assert!(louder.warnings[0].contains("(now +6."), "{:?}", louder.warnings);
    let softer = desk.plan("tool_normalize", json!({"targets": "all", "target_lufs": -24.0}));
    assert!(softer.warnings.is_empty(), "{:?}", softer.warnings);
}

#[test]
fn a_mix_that_stays_below_full_scale_is_not_measured_where_its_clips_tell() {
    let mut desk = duet();
    let track = desk.session.track_order[0];
    desk.clip(track, "Later", 8 * SECOND, tone(1000.0, -20.0, 4.0));
    let draft = desk.settle("tool_normalize", &json!({"targets": "all", "target_lufs": -16.0}));
    assert!(draft.warnings.is_empty() && of_the_mix(&desk, &draft).is_empty(), "{draft:?}");
    assert_eq!(desk.measurements(), 3, "the clips and nothing else");
}

#[test]
fn faders_that_are_pushed_up_together_are_told_as_well() {
    let desk = duet();
    let by = |db: f64| {
        desk.plan("cmd_set_track_gain", json!({"targets": "all", "change_db": db})).warnings
    };
    let told = by(18.0);
    assert!(told[0].starts_with("the mix would peak at +4."), "{told:?}");
    assert!(by(3.0).is_empty() && by(-3.0).is_empty());
}

#[test]
fn where_nobody_plays_the_mix_nothing_is_said_of_it() {
    let desk = duet();
    let params = json!({"targets": "all", "change_db": 18.0});
    let context = desk.context("cmd_set_track_gain", &params);
    let context = deskhand_toolkit::PlanContext { mix_is_heard: false, ..context };
    let mut draft = desk.plan("cmd_set_track_gain", params);
    draft.warnings.clear();
    super::tell(&context, &mut draft, &super::Peaks::new()).unwrap();
    assert!(draft.warnings.is_empty(), "{:?}", draft.warnings);
}

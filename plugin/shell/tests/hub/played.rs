//! The host's next pass is compared with the prediction of a plan for its tracks.

use crate::desk::{Desk, turn};
use crate::rig::{Rig, sine};
use crate::{RATE, joined, play_until};
use deskhand_protocol::Decision;
use deskhand_session::Receipt;
use serde_json::json;

/// Four seconds of a tone, from the start of the timeline.
fn play(rig: &mut Rig, level: f32) {
    let input: Vec<f32> = sine(440.0, RATE, 192_000).iter().map(|sample| sample * level).collect();
    rig.roll(&input, 0, RATE, 480);
    rig.halt(192_000, RATE);
}

#[test]
fn the_next_pass_is_compared_with_the_receipt_and_takes_nothing_back() {
    for (level, is_kept) in [(1.0, true), (0.5, false)] {
        let _turn = turn();
        let desk = Desk::new();
        let mut rig = joined(&desk);
        play(&mut rig, 1.0);
        play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
        let plan = desk.plan("tool_gain_stage", json!({"targets": "all"}));
        desk.decide(plan, Decision::Apply);
        let gain = desk.tracks()[0].1.gain;
        let receipt = || -> Receipt { serde_json::from_value(desk.receipt(plan)).unwrap() };
        assert!(!receipt().measured.is_empty() && receipt().played.is_empty());
        play(&mut rig, level);
        play_until(&mut [&mut rig], |_| !receipt().played.is_empty());
        let found = receipt();
        assert_eq!(found.played.iter().all(|it| it.measured.within), is_kept, "{found:?}");
        assert!(!found.rolled_back && desk.tracks()[0].1.gain == gain);
    }
}

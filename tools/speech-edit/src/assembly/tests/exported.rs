//! Whatever is done to an edit, the timeline that is written for other editors is the one that plays.

use super::clips_on;
use super::properties::{Act, LINES, Steps, accounted, acts, assembled};
use deskhand_dsp::Frames;
use deskhand_edit::assembly::block::standing;
use deskhand_toolkit::testing::Desk;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Steps; some of them tighten the edit.
fn edits() -> impl Strategy<Value = Vec<Act>> {
    (acts(), prop::collection::vec(any::<bool>(), 10)).prop_map(|(acts, tight)| {
        let each = acts.into_iter().zip(tight);
        let each =
            each.flat_map(|(act, tight)| tight.then_some(Act::Tighten).into_iter().chain([act]));
        each.collect()
    })
}

/// The timeline as OTIO.
fn written(desk: &Desk) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.otio");
    desk.plan("tool_export_assembly", json!({"path": path}));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Checks that each clip of a written track plays, at its place, what the session plays there. The track
/// ends where that does.
fn plays_as_written(desk: &Desk, track: &Value) {
    let clips = clips_on(desk, track["name"].as_str().unwrap());
    let mut at = Frames::ZERO;
    for item in track["children"].as_array().unwrap() {
        let frames =
            |name: &str| item["source_range"][name]["value"].as_f64().map(|it| Frames(it as i64));
        let (Some(start), Some(length)) = (frames("start_time"), frames("duration")) else {
            continue;
        };
        assert!(length > Frames::ZERO, "{item}");
        let plays = |at: Frames, from: Frames| {
            let here = clips.iter().filter(|(_, clip)| clip.position <= at && at < clip.end());
            here.into_iter().any(|(_, clip)| clip.start + (at - clip.position) == from)
        };
        if item["OTIO_SCHEMA"] == "Clip.2" {
            let last = length - Frames(1);
            assert!(plays(at, start) && plays(at + last, start + last), "at {at:?}: {item}");
        }
        at += length;
    }
    assert_eq!(Some(at), clips.iter().map(|(_, clip)| clip.end()).max());
}

fn follows(desk: &Desk) {
    let blocks = standing(&desk.session);
    let Some(end) = blocks.last().map(|last| last.start + last.block.length) else { return };
    let timeline = written(desk);
    for track in timeline["tracks"]["children"].as_array().unwrap() {
        plays_as_written(desk, track);
        let items = track["children"].as_array().unwrap().iter();
        let lengths = items.filter_map(|item| item["source_range"]["duration"]["value"].as_f64());
        assert_eq!(lengths.sum::<f64>(), end.0 as f64, "as long as the edit");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_written_timeline_is_what_plays(acts in edits()) {
        let mut desk = assembled(&LINES[..5], &LINES[5..]);
        let mut steps = Steps::default();
        for act in &acts {
            steps.act(&mut desk, act);
            accounted(&desk.session);
            follows(&desk);
        }
    }
}

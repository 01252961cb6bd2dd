//! Tests of the cuts, and of how they depend on each other.

use crate::assembly::tests::{Line, alone, ids, interview, plays, recording};
use deskhand_dsp::Frames;
use deskhand_session::plan::{CutKind, CutOut};
use deskhand_session::{Clip, Plan, PlannedChange, SegmentId, Track, TrackId};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::{Desk, RATE, SECOND, plan_of, tone};
use proptest::prelude::*;
use serde_json::{Value, json};

pub(super) const HOST: [Line; 6] = [
    (0.5, 1.5, "So we went"),
    (1.9, 2.3, "um,"),
    (2.6, 3.6, "to the sea."),
    (6.0, 7.0, "I think I think"),
    (7.0, 8.0, "it was cold."),
    (12.0, 13.0, "Very very cold."),
];

pub(super) fn end(desk: &Desk, track: TrackId) -> f64 {
    let clips = desk.session.clips_on(track);
    clips.iter().map(|(_, clip)| clip.end()).max().unwrap().seconds(RATE).0
}

pub(super) fn ops(draft: &Draft, op: &str) -> Vec<PlannedChange> {
    draft.changes.iter().filter(|c| c.change.op() == op).cloned().collect()
}

pub(super) fn reasons(draft: &Draft) -> Vec<String> {
    ops(draft, "ripple_delete").iter().map(|change| change.reason.clone()).collect()
}

/// All of a position less its place in the source, clip by clip.
fn offsets(desk: &Desk, track: TrackId) -> Vec<(Frames, Frames)> {
    let clips = desk.session.clips_on(track);
    let offset = |clip: &Clip| (clip.position, clip.position - clip.start);
    let mut offsets: Vec<_> = clips.iter().map(|(_, clip)| offset(clip)).collect();
    offsets.sort_unstable();
    offsets
}

#[test]
fn fillers_false_starts_and_pauses_go_and_each_is_a_change_of_its_own() {
    let (mut desk, [host, guest]) = interview(14.0, &HOST, &[(9.2, 10.2, "Oh dear.")]);
    let before = (end(&desk, host), end(&desk, guest));
    let draft = desk.plan("tool_tighten", json!({"targets": "Host"}));
    assert_eq!(draft.warnings, Vec::<String>::new());
    let found = reasons(&draft);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(
        found[0].starts_with("a pause of 1.8") && found[1].starts_with("a pause of 1.2"),
        "{found:?}"
    );
    assert!(found[2].starts_with("\"I think\", said again at 0:0"), "{found:?}");
    assert!(
        found[3].starts_with("a pause of 2.4") && found[4].starts_with("\"um,\" at 0:01"),
        "{found:?}"
    );
    assert!(draft.summary.starts_with("Tighten by "), "{}", draft.summary);
    desk.apply(&draft);
    let gone: f64 = before.0 - end(&desk, host);
    assert!((before.1 - end(&desk, guest) - gone).abs() < 1e-9, "both tracks are as much shorter");
    assert!(gone > 4.0, "{gone}");
    assert_eq!(offsets(&desk, host), offsets(&desk, guest), "in sync to the sample");
    let again = desk.plan("tool_tighten", json!({"targets": "Host"}));
    assert_eq!(again.changes, [], "{}", again.summary);
}

#[test]
fn each_filler_is_to_be_heard_and_nothing_else() {
    let (desk, _) = interview(14.0, &HOST, &[(9.2, 10.2, "Oh dear.")]);
    for room_tone in [false, true] {
        let draft = desk.plan("tool_tighten", json!({"targets": "Host", "room_tone": room_tone}));
        let heard: Vec<_> = draft.changes.iter().filter(|change| change.to_hear).collect();
        assert_eq!(heard.len(), 1, "one change stands for the whole cut: {heard:?}");
        assert!(heard[0].reason.starts_with("\"um,\" at 0:01"), "{heard:?}");
        assert!(heard[0].reason.ends_with(", between \"went\" and \"to\""), "{heard:?}");
    }
}

#[test]
fn the_answer_lists_the_cuts_in_order_each_with_its_change() {
    let (desk, _) = interview(14.0, &HOST, &[(9.2, 10.2, "Oh dear.")]);
    for room_tone in [false, true] {
        let params = json!({"targets": "Host", "room_tone": room_tone});
        let draft = desk.plan("tool_tighten", params);
        let answer = draft.answer.unwrap();
        let cuts = answer["cuts"].as_array().unwrap();
        let kinds: Vec<&str> = cuts.iter().map(|cut| cut["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["filler", "pause", "false_start", "pause", "pause"]);
        assert_eq!(cuts[0]["what"], "\"um,\"");
        assert_eq!(cuts[0]["between"], json!(["went", "to"]));
        assert!((1.7..2.0).contains(&cuts[0]["at_s"].as_f64().unwrap()), "{answer}");
        for cut in cuts {
            assert!(cut["length_s"].as_f64().unwrap() > 0.05, "{cut}");
            let change = draft.changes.iter().find(|change| cut["change"] == change.id.as_str());
            let what = cut["what"].as_str().unwrap();
            assert!(change.unwrap().reason.starts_with(what), "{cut}");
        }
    }
}

#[test]
fn each_row_of_a_plan_says_what_it_cuts() {
    let (desk, _) = interview(14.0, &HOST, &[(9.2, 10.2, "Oh dear.")]);
    for room_tone in [false, true] {
        let draft = desk.plan("tool_tighten", json!({"targets": "Host", "room_tone": room_tone}));
        let plan = Plan { tool: "tool_tighten".into(), ..plan_of(&draft.changes) };
        let rows: Vec<&CutOut> =
            plan.cuts().unwrap().iter().map(|row| row.head.cut.as_ref().unwrap()).collect();
        let kinds: Vec<CutKind> = rows.iter().map(|cut| cut.kind).collect();
        let pause = CutKind::Pause;
        assert_eq!(kinds, [CutKind::Filler, pause, CutKind::FalseStart, pause, pause]);
        assert_eq!(rows[0].what, "\"um,\"");
        let around = [&rows[0].before, &rows[0].after].map(Option::as_deref);
        assert_eq!(around, [Some("went"), Some("to")]);
        assert!(rows.windows(2).all(|pair| pair[0].at + pair[0].length <= pair[1].at), "{rows:?}");
        let told = plan.changes.iter().filter(|change| change.cut.is_some()).count();
        assert_eq!(told, rows.len(), "one change stands for each");
    }
}

#[test]
fn nothing_goes_from_under_another_speaker() {
    let guest = [(1.8, 2.5, "Where did you go?"), (4.2, 5.6, "Tell me all of it.")];
    let (desk, _) = interview(14.0, &HOST, &guest);
    let draft = desk.plan("tool_tighten", json!({"targets": "Host", "fillers": true}));
    assert_eq!(draft.changes, []);
    assert_eq!(draft.warnings, ["1 filler: left in, somebody else speaks there"]);
    let pauses = desk.plan("tool_tighten", json!({"targets": "Host", "pauses_longer_than_s": 1.0}));
    assert!(
        reasons(&pauses).iter().all(|reason| reason.starts_with("a pause of 4.0")),
        "{pauses:?}"
    );
}

#[test]
fn music_under_a_talk_is_nobody_who_speaks() {
    let (mut desk, [host, _]) = interview(14.0, &HOST, &[(9.2, 10.2, "Oh dear.")]);
    let bed = desk.track(Track::audio("Bed"));
    desk.clip(bed, "Bed", 0, tone(220.0, -24.0, 14.0));
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
    assert_eq!(draft.summary, "Tighten by 0.7 s: 1 filler");
    assert_eq!(draft.warnings, Vec::<String>::new());
    desk.apply(&draft);
    assert_eq!(offsets(&desk, host), offsets(&desk, bed), "it is cut along, to the sample");
}

#[test]
fn what_breaks_off_inside_of_a_phrase_goes_as_one() {
    let said: [Line; 1] =
        [(0.5, 4.5, "The budget for the green- the budget for the greenhouse is")];
    let desk = alone(6.0, &said);
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "false_starts": true}));
    let found = reasons(&draft);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("\"The budget for the green-\", said again at 0:00."),
        "{found:?}"
    );
    assert!(found[0].ends_with(", before \"the\""), "{found:?}");
}

#[test]
fn what_may_be_said_twice_on_purpose_or_begins_elsewhere_is_to_be_heard_first() {
    let to_hear = |said: &[Line]| {
        let desk = alone(8.0, said);
        let draft = desk.plan("tool_tighten", json!({"targets": "all", "false_starts": true}));
        let cuts: Vec<bool> =
            draft.changes.iter().filter(|it| it.cut.is_some()).map(|it| it.to_hear).collect();
        cuts
    };
    assert_eq!(to_hear(&[(0.5, 4.5, "And then I think I think it was the other one")]), [false]);
    assert_eq!(
        to_hear(&[(0.5, 2.5, "I said stop."), (2.6, 3.2, "Stop."), (3.3, 5.0, "Stop it now.")]),
        [true]
    );
}

#[test]
fn a_word_that_takes_no_time_was_not_said_again() {
    let mut desk = alone(6.0, &[(0.5, 4.5, "Turn the speed dial speed dial")]);
    let segment = desk.session.segments.values_mut().next().unwrap();
    segment.words[4].start = segment.words[4].end;
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "false_starts": true}));
    assert_eq!(draft.changes, [], "{:?}", reasons(&draft));
}

#[test]
fn a_pause_keeps_what_is_asked() {
    let mut desk = alone(14.0, &HOST);
    let params = json!({"targets": "all", "pauses_longer_than_s": 1.5, "pause_to_s": 0.8});
    let draft = desk.settle("tool_tighten", &params);
    assert_eq!(reasons(&draft).len(), 2);
    assert!(desk.session.groups.is_empty(), "the group was for the step alone");
    let track = *desk.session.tracks.keys().next().unwrap();
    // 2.4 s and 4 s become 0.8 s each, and the crossfades lie in the kept parts.
    let gone = 14.0 - end(&desk, track);
    assert!((gone - (1.6 + 3.2)).abs() < 0.06, "{gone}");
}

#[test]
fn one_length_of_pauses_brings_the_other_along() {
    let ripples = |params: Value| {
        let draft = alone(14.0, &HOST).plan("tool_tighten", params);
        let lengths = ops(&draft, "ripple_delete").into_iter().map(|change| {
            let cut = serde_json::to_value(&change.change).unwrap();
            (cut["before"]["length"].as_f64().unwrap() / SECOND as f64 * 10.0).round() / 10.0
        });
        lengths.collect::<Vec<_>>()
    };
    // Of 4 and 2.4 s: to 1.5; to half of 0.4, where 0.3 between words is no long pause.
    let only = |name: &str, seconds: f64| {
        let mut params = json!({"targets": "all", "fillers": false, "false_starts": false});
        params[name] = json!(seconds);
        params
    };
    assert_eq!(ripples(only("pause_to_s", 1.5)), [2.5, 0.9]);
    assert_eq!(ripples(only("pauses_longer_than_s", 0.4))[..2], [3.8, 2.2]);
}

#[test]
fn room_tone_keeps_the_time() {
    let mut desk = alone(14.0, &HOST);
    let track = *desk.session.tracks.keys().next().unwrap();
    let params = json!({"targets": "all", "fillers": true, "room_tone": true});
    let draft = desk.plan("tool_tighten", params);
    desk.apply(&draft);
    assert!(ops(&draft, "ripple_delete").is_empty());
    assert_eq!(end(&desk, track), 14.0);
    let context = desk.context("render", &Value::Null);
    let mut reader = context.audio.render(&desk.session, track.into()).unwrap();
    let mut planes = vec![vec![0.0f32; 14 * SECOND as usize]; 2];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    reader.read(Frames::ZERO, &mut out).unwrap();
    let loud = |from: f64, to: f64| {
        let part = &planes[0][(from * SECOND as f64) as usize..(to * SECOND as f64) as usize];
        (part.iter().map(|x| f64::from(x * x)).sum::<f64>() / part.len() as f64).sqrt()
    };
    // The um is gone, and the room goes on.
    assert!(loud(1.95, 2.25) < 0.002 && loud(1.95, 2.25) > 0.0001, "{}", loud(1.95, 2.25));
    assert!(loud(0.6, 1.4) > 0.05);
}

#[test]
fn a_finished_edit_is_open_again_once_any_of_it_is_cut() {
    for room_tone in [false, true] {
        let mut desk = alone(14.0, &HOST);
        desk.settle("tool_find_phrases", &json!({"targets": "all"}));
        desk.session.assembly.finished = Some("Done.".into());
        let params = json!({"targets": "all", "false_starts": true, "room_tone": room_tone});
        let draft = desk.plan("tool_tighten", params);
        assert!(!draft.changes.is_empty());
        desk.apply(&draft);
        assert_eq!(desk.session.assembly.finished, None, "{room_tone}");
    }
}

#[test]
fn nothing_written_down_is_told() {
    let mut desk = Desk::new(crate::testing::tools());
    let track = desk.track(Track::audio("Voice"));
    desk.clip(track, "Talk", 0, recording(14.0, &HOST, 220.0));
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
    assert_eq!(draft.changes, []);
    assert!(
        draft.warnings[0].ends_with("are not looked for; transcribe it first"),
        "{:?}",
        draft.warnings
    );
    let params = json!({"targets": "all", "pauses_longer_than_s": 0.4, "pause_to_s": 0.5});
    let told = desk.refusal("tool_tighten", params);
    assert_eq!(
        told,
        "a pause of 0.5 s would not become shorter; give `pause_to_s` below `pauses_longer_than_s`"
    );
}

#[test]
fn a_phrase_of_which_nothing_is_left_is_a_removed_one() {
    let lines = [(0.5, 1.5, "We went."), (2.6, 3.1, "Um."), (4.5, 5.5, "To the sea.")];
    let mut desk = alone(7.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(plays(&desk), ["We went.", "Um.", "To the sea."]);
    let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
    let [cut] = &ops(&draft, "ripple_delete")[..] else { panic!("{draft:?}") };
    assert_eq!(cut.name, "Voice (assembly)");
    let [mark] = &ops(&draft, "add_marker")[..] else { panic!("{draft:?}") };
    assert_eq!(mark.needs, std::slice::from_ref(&cut.id));
    assert!(cut.needs.contains(&mark.id), "both or none: {draft:?}");
    desk.apply(&draft);
    assert_eq!(plays(&desk), ["We went.", "To the sea."]);
    assert_eq!(desk.session.assembly.removed.len(), 1);
    // It comes back whole, as a removed one does.
    let um = ids(&desk, &["Um."]);
    desk.settle("tool_restore_segments", &json!({"group_ids": um}));
    assert_eq!(plays(&desk), ["We went.", "Um.", "To the sea."]);
}

#[test]
fn an_assembly_is_tightened_and_its_recordings_stay() {
    let (mut desk, [host, _]) = interview(14.0, &HOST, &[(9.2, 10.2, "Oh dear.")]);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let clips = desk.session.clips_on(host).len();
    let draft = desk.settle_once("tool_tighten", json!({"targets": "all", "fillers": true}));
    assert_eq!(reasons(&draft).len(), 1, "{:?}", reasons(&draft));
    assert_eq!(desk.session.clips_on(host).len(), clips);
    assert_eq!(draft.warnings, ["\"Talk\": muted, left as it is"]);
    // The next step keeps the cuts.
    let order: Vec<_> = desk.session.assembly.order.iter().rev().copied().collect();
    let length = |desk: &Desk| desk.session.clips.values().map(Clip::end).max().unwrap();
    let tight = crate::assembly::tests::clips_on(&desk, "Host (assembly)").len();
    desk.settle("tool_reorder_segments", &json!({"ordered_group_ids": order}));
    assert_eq!(crate::assembly::tests::clips_on(&desk, "Host (assembly)").len(), tight);
    assert!(length(&desk).0 > 0);
    let ids: Vec<SegmentId> = desk.session.segments.keys().copied().collect();
    assert_eq!(ids.len(), 7);
}

#[test]
fn what_an_edit_was_made_of_stays_as_it_is_though_nothing_of_it_plays() {
    let mut desk = alone(14.0, &HOST);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let all = desk.session.assembly.order.clone();
    desk.settle("tool_remove_segments", &json!({"group_ids": all}));
    let draft = desk.plan("tool_tighten", json!({"targets": "all"}));
    assert_eq!(draft.changes, []);
    assert_eq!(draft.warnings, ["\"Voice\": muted, left as it is"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_of_the_cuts_can_be_left_out(taken in prop::collection::vec(any::<bool>(), 5)) {
        let (mut desk, [host, guest]) = interview(14.0, &HOST, &[(9.2, 10.2, "Oh dear.")]);
        let draft = desk.plan("tool_tighten", json!({"targets": "Host"}));
        let cuts = ops(&draft, "ripple_delete");
        prop_assert_eq!(cuts.len(), 5);
        let only: Vec<String> =
            cuts.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(cut, _)| cut.id.clone()).collect();
        let closure = plan_of(&draft.changes).closure(&only).unwrap();
        let part = draft.changes.iter().filter(|change| closure.contains(&change.id));
        desk.session = desk.session.with(part.map(|planned| &planned.change)).unwrap();
        prop_assert_eq!(offsets(&desk, host), offsets(&desk, guest));
        let length = |change: &PlannedChange| serde_json::to_value(&change.change).unwrap()["before"]["length"].as_i64().unwrap();
        let gone: i64 = cuts.iter().filter(|cut| only.contains(&cut.id)).map(length).sum();
        let last = desk.session.clips_on(host).iter().map(|(_, clip)| clip.end()).max().unwrap();
        prop_assert_eq!(last.0 + gone, 14 * SECOND, "each cut takes its own time");
        let heard = desk.session.clips_on(host).len();
        prop_assert!(only.is_empty() == (heard == 1), "nothing is split where nothing is cut");
    }
}

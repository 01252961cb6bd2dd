//! The tools as they are called: plans, answers, and the findings kept after a stop.

use super::super::features::Features;
use super::sounds::{both, chord, clicks, frames, heard};
use deskhand_session::{Change, ClipId, ObjectId, Track, Trust};
use deskhand_toolkit::testing::{Desk, SECOND, joined, noise};
use deskhand_toolkit::{Draft, PlanContext, Progress, Provisional, Registry, Request};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::sync::Arc;

const HITS: [f64; 4] = [0.5, 1.0, 1.75, 2.5];

fn drums() -> (Desk, ClipId) {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Drums"));
    let id = desk.clip(track, "Loop", 2 * SECOND, clicks(&HITS, 0.5, 4.0));
    (desk, id)
}

#[test]
fn onsets_are_answered_from_the_start_of_the_clip_and_counted_in_its_segment() {
    let (mut desk, id) = drums();
    let draft = desk.settle("tool_detect_onsets", &json!({"targets": "Loop"}));
    assert_eq!(draft.summary, "4 onsets in Loop");
    let row = draft.answer.unwrap()[0].clone();
    assert_eq!((&row["id"], &row["count"]), (&json!(id), &json!(4)));
    let times: Vec<f64> = serde_json::from_value(row["times_s"].clone()).unwrap();
    assert!(times.iter().zip(HITS).all(|(a, b)| (a - b).abs() < 0.015), "{times:?}");
    let [(_, segment)] = desk.session.segments.iter().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!(segment.description.facts["onsets"].value, json!(4));
    assert_eq!(segment.description.facts["onsets"].by, "tool_detect_onsets");
}

#[test]
fn onsets_become_markers_on_the_timeline_and_another_sensitivity_replaces_them() {
    let (mut desk, _) = drums();
    desk.settle("tool_detect_onsets", &json!({"targets": "Loop", "as": "markers"}));
    let at: Vec<f64> =
        desk.session.markers.values().map(|m| m.position.0 as f64 / 48_000.0).collect();
    assert_eq!(at.len(), 4);
    assert!(at.iter().all(|at| HITS.iter().any(|hit| (hit + 2.0 - at).abs() < 0.015)), "{at:?}");
    assert!(desk.session.markers.values().all(|m| m.code.as_deref() == Some("onset")));
    desk.settle(
        "tool_detect_onsets",
        &json!({"targets": "Loop", "as": "markers", "sensitivity": 8}),
    );
    assert_eq!(desk.session.markers.len(), 4, "none is set twice");
}

#[test]
fn a_region_is_listened_to_once() {
    let (desk, _) = drums();
    desk.plan("tool_detect_onsets", json!({"targets": "Loop"}));
    let once = desk.measurements();
    desk.plan("tool_detect_beats", json!({"targets": "Loop", "as": "answer"}));
    desk.plan("tool_classify_content", json!({"targets": "Loop"}));
    assert_eq!((once, desk.measurements()), (1, 1));
    let features = heard(&clicks(&HITS, 0.5, 4.0));
    assert_eq!(Features::from_bytes(&features.to_bytes()), Some(features.clone()));
    assert_eq!(Features::from_bytes(&features.to_bytes()[..99]), None);
}

#[test]
fn channels_out_of_phase_are_heard_as_one_channel_is_and_named() {
    let (mut desk, id) = drums();
    let answers = |desk: &Desk| {
        let tools = ["tool_classify_content", "tool_detect_onsets", "tool_find_problems"];
        tools.map(|tool| {
            let params = json!({"targets": "Loop"});
            let draft = desk.plan(tool, params);
            (draft.answer.unwrap(), draft.warnings.join("\n"))
        })
    };
    let plain = answers(&desk);
    assert!(plain.iter().all(|(_, warnings)| !warnings.contains("out of phase")), "{plain:?}");
    let left = clicks(&HITS, 0.5, 4.0);
    for (by, offset) in [(-1.0, 0.0), (-0.6, 0.0), (-1.0, 0.04)] {
        let channel = |by: f32| -> Vec<f32> { left.iter().map(|x| x * by + offset).collect() };
        let source = desk.source("turned.wav", vec![channel(1.0), channel(by)]);
        desk.session.clips.get_mut(&id).unwrap().source = source;
        for (n, (answer, warnings)) in answers(&desk).into_iter().enumerate() {
            if n == 0 {
                assert_eq!(answer[0]["mostly"], plain[n].0[0]["mostly"]);
            } else if n == 1 {
                assert_eq!(answer[0]["count"], plain[n].0[0]["count"]);
            }
            assert!(warnings.contains("are out of phase and cancel in mono"), "{by}: {warnings}");
        }
    }
}

#[test]
fn the_tempo_map_follows_a_recording_that_begins_late() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Drums"));
    let beats: Vec<f64> = (0..64).map(|n| 0.3 + f64::from(n) * 0.6).collect();
    desk.clip(track, "Loop", SECOND, clicks(&beats, 0.5, 40.0));
    let params = json!({"targets": "Loop", "meter": 4});
    let draft = desk.settle("tool_detect_beats", &params);
    assert!(draft.summary.starts_with("\"Loop\" has 100 bpm"), "{}", draft.summary);
    let tempo = &desk.session.tempo;
    assert_eq!(tempo[0].position.0, 0);
    // Whole beats from the start to each beat that was heard.
    let quarters = |at: f64| {
        let ends = tempo.iter().skip(1).map(|p| p.position.0 as f64 / 48_000.0).chain([f64::MAX]);
        tempo.iter().zip(ends).fold(0.0, |sum, (point, end)| {
            let from = point.position.0 as f64 / 48_000.0;
            sum + (end.min(at) - from).max(0.0) * point.bpm / 60.0
        })
    };
    for beat in beats {
        let q = quarters(beat + 1.0);
        assert!((q - q.round()).abs() < 0.05, "{beat} lies at {q} beats: {tempo:?}");
    }
    let two = desk.refusal("tool_detect_beats", json!({"targets": [], "as": "tempo"}));
    assert!(!two.is_empty());
}

#[test]
fn parts_become_markers_or_clips() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Song"));
    let bars: Vec<Vec<f32>> = (0..10).map(|n| chord(&[n % 3, n % 3 + 4, 7], 2.0, 440.0)).collect();
    let audio = joined(&[joined(&bars), noise(-20.0, 20.0)]);
    let id = desk.clip(track, "Song", 0, audio);
    let marked = desk.plan("tool_detect_segments", json!({"targets": "Song"}));
    let answer = marked.answer.unwrap();
    assert_eq!(
        (&answer["count"], &answer["duration_s"], &answer["sample_rate"]),
        (&json!(2), &json!(40.0), &json!(48_000))
    );
    let draft = desk.settle_once("tool_detect_segments", json!({"targets": "Song", "as": "clips"}));
    assert!(draft.changes.iter().any(|c| matches!(c.change, Change::SplitClip(_))));
    let clips = desk.session.clips_on(track);
    assert_eq!(clips.len(), 2);
    assert!(
        (clips[1].1.position.0 as f64 / 48_000.0 - 20.0).abs() < 0.3,
        "{:?}",
        clips[1].1.position
    );
    assert_eq!(clips[0].0, id);
}

#[test]
fn what_is_applied_at_once_and_what_waits_is_said_by_the_parameters() {
    let (desk, _) = drums();
    let trust = |tool: &str, params: Value| {
        let registry = Registry::new(crate::all());
        let request = Request {
            session: &desk.session,
            base: deskhand_session::RevisionId(0),
            params: &params,
        };
        let tool = registry.get(tool).unwrap();
        tool.prepare(&request).unwrap().trust.unwrap_or(tool.spec().trust)
    };
    let of = |becomes: &str| json!({"targets": "Loop", "as": becomes});
    assert_eq!(trust("tool_detect_segments", of("markers")), Trust::Notify);
    assert_eq!(trust("tool_detect_segments", of("clips")), Trust::Suggest);
    assert_eq!(trust("tool_detect_beats", of("tempo")), Trust::Suggest);
    assert_eq!(trust("tool_detect_beats", of("answer")), Trust::Notify);
    assert_eq!(trust("tool_detect_onsets", of("markers")), Trust::Notify);
}

/// Remembers the shown findings, and the last partial plan.
#[derive(Default)]
struct Shown {
    found: Mutex<Vec<Provisional>>,
    partial: Mutex<Draft>,
}

impl Progress for Shown {
    fn report(&self, fraction: f64, _: &str) {
        assert!((0.0..=1.0).contains(&fraction));
    }

    fn provisional(&self, found: &[Provisional], partial: &mut dyn FnMut() -> Draft) {
        self.found.lock().extend_from_slice(found);
        *self.partial.lock() = partial();
    }
}

fn run(desk: &Desk, tool: &'static str, params: Value) -> (Arc<Shown>, Draft) {
    let shown = Arc::new(Shown::default());
    let progress = Arc::clone(&shown);
    let context = PlanContext { progress, ..desk.context(tool, &params) };
    let registry = Registry::new(crate::all());
    let request = Request { session: &desk.session, base: context.base, params: &params };
    let draft = registry.get(tool).unwrap().prepare(&request).unwrap().task.run(&context).unwrap();
    (shown, draft)
}

#[test]
fn onsets_are_shown_while_listening_and_a_partial_plan_says_how_far_it_got() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Drums"));
    let hits: Vec<f64> = (0..60).map(|n| 0.25 + f64::from(n) * 0.5).collect();
    let id = desk.clip(track, "Loop", SECOND, clicks(&hits, 0.5, 30.0));
    let (shown, draft) =
        run(&desk, "tool_detect_onsets", json!({"targets": "Loop", "as": "markers"}));
    let found = shown.found.lock();
    assert!((30..60).contains(&found.len()), "{}", found.len());
    assert!(found.iter().all(|one| one.target == ObjectId::Clip(id) && one.position.0 > SECOND));
    let marker = |draft: &Draft| {
        let added = draft.changes.iter().filter_map(|planned| match &planned.change {
            Change::AddMarker(edit) => edit.after.as_ref().map(|marker| marker.position),
            _ => None,
        });
        added.collect::<Vec<_>>()
    };
    let positions: Vec<_> = found.iter().map(|one| one.position).collect();
    let partial = shown.partial.lock();
    assert_eq!(marker(&partial), positions, "what was shown is what would be kept");
    assert_eq!(marker(&draft)[..positions.len()], positions, "and what the whole plan has");
    assert!(partial.summary.contains("as far as 0:2"), "{}", partial.summary);
    desk.session.with(partial.changes.iter().map(|planned| &planned.change)).unwrap();
}

#[test]
fn everything_is_one_step_and_a_source_that_cannot_be_read_fails_all_of_it() {
    let (mut desk, _) = drums();
    let folder = tempfile::tempdir().unwrap();
    let plan = |desk: &Desk| {
        let params = json!({"targets": "Loop"});
        let context = PlanContext {
            folder: folder.path().into(),
            ..desk.context("tool_analyze_all", &params)
        };
        let registry = Registry::new(crate::all());
        let request = Request { session: &desk.session, base: context.base, params: &params };
        registry.get("tool_analyze_all").unwrap().prepare(&request).unwrap().task.run(&context)
    };
    let draft = plan(&desk).unwrap();
    let answer = draft.answer.clone().unwrap();
    assert_eq!(answer["failed"], json!({}));
    assert_eq!(answer["results"].as_object().unwrap().len(), 7);
    assert_eq!(answer["results"]["tool_detect_onsets"][0]["count"], json!(4));
    let picture = folder.path().join(&draft.artifacts[0].path);
    assert_eq!(&std::fs::read(picture).unwrap()[1..4], b"PNG");
    desk.apply(&draft);
    assert_eq!(plan(&desk).unwrap().changes, [], "it is all known");
    let by: std::collections::BTreeSet<&str> = desk
        .session
        .segments
        .values()
        .flat_map(|segment| segment.description.facts.values())
        .map(|fact| fact.by.as_str())
        .collect();
    assert!(by.contains("tool_find_problems") && by.contains("tool_detect_onsets"), "{by:?}");
}

#[test]
fn one_analysis_that_fails_does_not_lose_the_others() {
    let (desk, _) = drums();
    // There is no folder for pictures: a file blocks its name.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("media"), b"").unwrap();
    let params = json!({"targets": "Loop"});
    let context =
        PlanContext { folder: folder.path().into(), ..desk.context("tool_analyze_all", &params) };
    let registry = Registry::new(crate::all());
    let request = Request { session: &desk.session, base: context.base, params: &params };
    let tool = registry.get("tool_analyze_all").unwrap();
    let draft = tool.prepare(&request).unwrap().task.run(&context).unwrap();
    let answer = draft.answer.unwrap();
    assert_eq!(
        answer["failed"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["tool_analyze_spectrum"]
    );
    assert_eq!(answer["results"].as_object().unwrap().len(), 6);
    assert!(draft.warnings[0].starts_with("tool_analyze_spectrum failed"), "{:?}", draft.warnings);
    assert!(draft.summary.contains("1 analysis failed"), "{}", draft.summary);
}

#[test]
fn speech_less_music_and_quiet_are_described_and_problems_are_told_by_time() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Tape"));
    let mut audio = both(noise(-35.0, 8.0), &vec![0.01; frames(8.0)]);
    audio[frames(3.0)..frames(3.02)].fill(0.0);
    desk.clip(track, "Tape", SECOND, audio);
    let draft = desk.settle("tool_find_problems", &json!({"targets": "Tape"}));
    assert_eq!(draft.summary, "\"Tape\": 1 dropout, a DC offset");
    let row = &draft.answer.unwrap()[0];
    assert_eq!(row["problems"], json!([{"problem": "dropout", "start_s": 4.0, "end_s": 4.02}]));
    assert_eq!(row["count"], json!(2));
    let content = desk.settle("tool_classify_content", &json!({"targets": "Tape"}));
    assert!(content.summary.starts_with("\"Tape\" is mostly noise"), "{}", content.summary);
}

//! The parts of a plan that are heard where hosts play: gains go to tracks, and the plan names what is not
//! heard.

use crate::captures::{captured, joined};
use crate::desk::{Desk, call};
use crate::instances::{Plugin, instance};
use crate::played::pass_at;
use crate::sound::BASS;
use deskhand_dsp::SampleRate;
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::{Apply, Op, Status, Switches};
use deskhand_session::{PlanId, Verify};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The ops of a plan.
fn ops(desk: &Desk, plan: PlanId) -> Vec<&'static str> {
    desk.stored(plan).plan.changes.iter().map(|planned| planned.change.op()).collect()
}

fn warnings(desk: &Desk, plan: PlanId) -> String {
    desk.stored(plan).plan.warnings.join("\n")
}

fn notes(desk: &Desk, plan: PlanId) -> String {
    desk.stored(plan).plan.notes.join("\n")
}

/// The op that a call plans, with the current instance of the drums.
fn op_of(desk: &mut Desk, tool: &str, params: Value) -> &'static str {
    let plan = desk.plan(tool, params);
    let ops = ops(desk, plan);
    assert!(ops.iter().all(|op| *op == ops[0]), "{ops:?}");
    ops[0]
}

#[test]
fn a_level_goes_to_the_tracks_that_a_host_plays() {
    let mut desk = Desk::new();
    let calls = [
        ("tool_normalize", json!({"targets": "all", "target_lufs": -16.0})),
        ("tool_normalize", json!({"targets": "Drums", "target_lufs": -16.0})),
        ("tool_normalize", json!({"targets": "Kick", "target_lufs": -16.0})),
        ("tool_match_loudness", json!({"targets": "Kick", "reference": "Vocals"})),
    ];
    let planned = |desk: &mut Desk| calls.clone().map(|(tool, params)| op_of(desk, tool, params));
    assert_eq!(planned(&mut desk), ["set_clip_gain"; 4], "no host");
    let (mut plugin, _) = joined(&mut desk);
    assert_eq!(planned(&mut desk), ["set_track_gain"; 4]);
    let plan = desk.plan("tool_normalize", calls[1].1.clone());
    assert!(desk.stored(plan).plan.params.get("per").is_none(), "the call stays as it was made");
    let promised = &desk.stored(plan).plan.predicted;
    assert!(promised.iter().all(|it| it.verify == Verify::Playback), "{promised:?}");
    // An explicit request, a track without a host, and the mix work as before.
    let said = json!({"targets": "Drums", "target_lufs": -16.0, "per": "clip"});
    assert_eq!(op_of(&mut desk, "tool_normalize", said), "set_clip_gain");
    let other = json!({"targets": "Bass", "target_lufs": -16.0});
    assert_eq!(op_of(&mut desk, "tool_normalize", other), "set_clip_gain");
    let mix = json!({"targets": "mix", "target_lufs": -16.0});
    assert_eq!(op_of(&mut desk, "tool_normalize", mix), "set_master_gain");
    // An instance that plays the session plays its clips.
    plugin.ask(&mut desk, Op::Player { ready: true });
    assert_eq!(planned(&mut desk)[1..], ["set_clip_gain"; 3]);
}

#[test]
fn a_model_gets_the_same_and_clips_that_were_named_are_said_to_be_passed_by() {
    let mut desk = Desk::new();
    let _host = joined(&mut desk);
    let params = json!({"targets": "Kick", "target_lufs": -16.0});
    let op = crate::desk::call("tool_normalize", params.clone(), deskhand_protocol::Apply::Never);
    let result = desk.ask_as_agent(op);
    assert_eq!(result.status, Status::Waiting, "{result:#?}");
    let plan = result.plan.unwrap();
    assert_eq!(plan.changes[0].change.op(), "set_track_gain");
    let noted = plan.notes.join("\n");
    assert_eq!(
        noted.lines().next().unwrap(),
        "clips were named, and their tracks get the gain: Ardour 8 plays its own input, which follows no gain of a clip"
    );
    let tracks = desk.plan("tool_normalize", json!({"targets": "Drums", "target_lufs": -16.0}));
    assert!(!notes(&desk, tracks).contains("clips were named"));
}

#[test]
fn a_clip_gain_that_no_host_plays_is_warned_of() {
    let mut desk = Desk::new();
    let (mut plugin, _) = joined(&mut desk);
    let params = |gain: f64| json!({"targets": ["Kick", "Riff"], "gain_db": gain});
    let plan = desk.plan("cmd_set_clip_gain", params(-3.0));
    assert_eq!(
        warnings(&desk, plan),
        "clip gains on \"Drums\" are not heard in Ardour 8, which plays its own input there: ask for the gain of the \
         track, or set Output to Session in its Deskhand"
    );
    assert!(!notes(&desk, plan).contains("clips, gain lines"), "it is said once");
    let mut bass = Plugin::new(&mut desk);
    bass.join(&mut desk, instance("b", Some(BASS)));
    plugin.ask(&mut desk, Op::Player { ready: true });
    let plan = desk.plan("cmd_set_clip_gain", params(-4.0));
    assert!(warnings(&desk, plan).contains("clip gains on \"Bass\""));
    assert!(notes(&desk, plan).contains("clips, gain lines and processors on 1 track"));
    bass.ask(&mut desk, Op::Player { ready: true });
    let plan = desk.plan("cmd_set_clip_gain", params(-5.0));
    assert_eq!(warnings(&desk, plan), "");
}

/// A recording of 3 s with silence from 1 s to 2 s.
fn with_a_gap(folder: &Path) -> PathBuf {
    let file = folder.join("gap.wav");
    let mut writer = WavWriter::create(&file, SampleRate(48_000), 1, BitDepth::F32).unwrap();
    let sounds = |at: usize| !(48_000..96_000).contains(&at);
    let tone = |at: usize| if sounds(at) { (at as f32 * 0.13).sin() * 0.25 } else { 0.0 };
    writer.write(&[&(0..144_000).map(tone).collect::<Vec<f32>>()]).unwrap();
    writer.finish().unwrap();
    file
}

#[test]
fn a_plan_that_moves_sound_along_time_warns_of_what_stays_where_it_is() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    let taken = captured(&mut desk, &mut plugin, with_a_gap(&folder), 0);
    assert_eq!(taken.status, Status::Ok, "{taken:#?}");
    let strip = |close| json!({"targets": "Drums take 1", "close_gaps": close});
    let warned = |desk: &mut Desk, tool, params| {
        let plan = desk.plan(tool, params);
        warnings(desk, plan).contains("tracks of Ardour 8 without Deskhand will not move")
    };
    for (tool, params, moves) in [
        ("tool_strip_silence", strip(true), true),
        ("tool_strip_silence", strip(false), false),
        ("cmd_move_clip", json!({"targets": "Drums take 1", "by_s": 0.5}), true),
        ("cmd_move_clip", json!({"targets": "Riff", "by_s": 0.5}), false),
        ("cmd_duplicate_clip", json!({"targets": "Drums take 1", "at_s": 8.0}), false),
        ("cmd_split_clip", json!({"targets": "Drums take 1", "at_s": 0.5}), false),
    ] {
        assert_eq!(warned(&mut desk, tool, params.clone()), moves, "{tool} {params}");
    }
    let plan = desk.plan("tool_strip_silence", strip(true));
    assert_eq!(
        warnings(&desk, plan),
        "\"Bass\", \"Vocals\" move along, so that all tracks stay in sync.\n\
         time is closed or put in: tracks of Ardour 8 without Deskhand will not move"
    );
}

#[test]
fn a_person_and_a_model_are_told_the_same_of_one_call() {
    let mut desk = Desk::new();
    let calls = [
        ("cmd_ripple_delete", json!({"targets": "Drums", "start_s": 0.1, "end_s": 0.2})),
        (
            "cmd_ripple_delete",
            json!({"targets": "Drums", "start_s": 0.1, "end_s": 0.2, "sync": "named"}),
        ),
    ];
    for (tool, params) in calls {
        let plan = desk.plan(tool, params.clone());
        let person = warnings(&desk, plan);
        let model = desk.ask_as_agent(call(tool, params, Apply::Never));
        let model = model.plan.unwrap().warnings.join("\n");
        assert_eq!(person, model, "{tool}");
        let all = person.contains("move along") || person.contains("will not be in sync");
        assert!(all, "{tool}: {person}");
    }
}

fn switched(desk: &mut Desk, plugin: &mut Plugin, switches: Switches) {
    let done = plugin.ask(desk, Op::Switches { switches });
    assert_eq!(done.status, Status::Ok, "{done:#?}");
}

fn level_of_drums() -> Value {
    json!({"targets": "Drums", "target_lufs": -20.0})
}

#[test]
fn what_an_instance_does_beside_its_gain_is_said_with_the_plan() {
    let mut desk = Desk::new();
    let (mut plugin, _) = joined(&mut desk);
    let said = |desk: &mut Desk, tool: &str, params| {
        let plan = desk.plan(tool, params);
        warnings(desk, plan)
    };
    let asked = json!({"targets": "Drums", "gain_db": -3.0});
    assert_eq!(said(&mut desk, "tool_normalize", level_of_drums()), "");
    switched(&mut desk, &mut plugin, Switches { low_cut: true, mono: true, bypass: false });
    assert_eq!(
        said(&mut desk, "tool_normalize", level_of_drums()),
        "Low Cut and Mono in Deskhand on \"Drums\" come after the point that was measured: the levels heard there \
         differ, and change by as much"
    );
    assert_eq!(said(&mut desk, "cmd_set_track_gain", asked.clone()), "", "nothing was measured");
    switched(&mut desk, &mut plugin, Switches { bypass: true, ..Switches::default() });
    let bypassed = "Bypass is on in Deskhand on \"Drums\": nothing of this is heard there, and no pass is compared \
                    with it, until it is off";
    assert_eq!(said(&mut desk, "tool_normalize", level_of_drums()), bypassed);
    assert_eq!(said(&mut desk, "cmd_set_track_gain", asked.clone()), bypassed);
    let bass = json!({"targets": "Bass", "gain_db": -3.0});
    assert_eq!(said(&mut desk, "cmd_set_track_gain", bass), "");
    // A plan applied while it is on says so, whatever the plan said before.
    for (tool, params) in [("tool_normalize", level_of_drums()), ("cmd_set_track_gain", asked)] {
        switched(&mut desk, &mut plugin, Switches::default());
        let plan = desk.plan(tool, params);
        switched(&mut desk, &mut plugin, Switches { bypass: true, ..Switches::default() });
        assert_eq!(desk.apply(plan).warnings, [bypassed], "{tool}");
    }
    let other = Op::Switches { switches: Switches::default() };
    assert_eq!(desk.ask(other).status, Status::Error, "a window is no instance");
}

#[test]
fn a_pass_that_went_around_the_gain_is_compared_with_no_promise() {
    let mut desk = Desk::new();
    let (mut plugin, folder) = joined(&mut desk);
    captured(&mut desk, &mut plugin, pass_at(&folder, "one.wav", 192_000, 0.25), 0);
    let plan = desk.plan("tool_normalize", level_of_drums());
    assert_eq!(desk.apply(plan).status, Status::Applied);
    let on = Switches { bypass: true, ..Switches::default() };
    let next = |desk: &mut Desk, plugin: &mut Plugin, name: &str| {
        captured(desk, plugin, pass_at(&folder, name, 192_000, 0.25), 0);
        desk.until(|desk| !desk.bridge.is_working());
        desk.stored(plan).receipt.as_ref().unwrap().played.len()
    };
    // All of it, and only the beginning.
    switched(&mut desk, &mut plugin, on);
    assert_eq!(next(&mut desk, &mut plugin, "two.wav"), 0);
    switched(&mut desk, &mut plugin, Switches::default());
    assert_eq!(next(&mut desk, &mut plugin, "three.wav"), 0);
    // A switch that was on before a recording does not affect it.
    switched(&mut desk, &mut plugin, on);
    switched(&mut desk, &mut plugin, Switches::default());
    plugin.ask(&mut desk, Op::Capturing { on: true, is_off: false });
    assert_eq!(next(&mut desk, &mut plugin, "four.wav"), 1);
}

#[test]
fn where_hosts_play_no_mix_is_promised() {
    let mut desk = Desk::new();
    let of_mix = |desk: &mut Desk| {
        let plan = desk.plan("tool_gain_stage", json!({"targets": "all", "target_rms_dbfs": -3.0}));
        let plan = &desk.stored(plan).plan;
        let promised = plan.predicted.iter().any(|it| it.target == plan.session.into());
        let words = [vec![plan.summary.clone()], plan.warnings.clone()].concat().join("; ");
        (promised, words.contains("the mix"), !plan.offers.is_empty())
    };
    assert_eq!(of_mix(&mut desk), (true, true, true));
    let (_plugin, _) = joined(&mut desk);
    assert_eq!(of_mix(&mut desk), (false, false, false));
    // An app that plays too plays it.
    desk.ask(Op::Player { ready: true });
    assert_eq!(of_mix(&mut desk), (true, true, true));
}

#[test]
fn tracks_without_a_name_are_numbered_as_they_come_and_never_alike() {
    let mut desk = Desk::new();
    let come = |desk: &mut Desk, id: &str| {
        let mut plugin = Plugin::new(desk);
        let unnamed = deskhand_protocol::Instance { name: None, ..instance(id, None) };
        let track = plugin.join(desk, unnamed).track;
        (desk.session().tracks[&track].name.clone(), plugin)
    };
    let (one, _one) = come(&mut desk, "a");
    let (two, _two) = come(&mut desk, "b");
    assert_eq!((one.as_str(), two.as_str()), ("Track 4", "Track 5"));
    desk.now("cmd_rename_track", json!({"targets": "Track 4", "name": "Track 6"}));
    let (three, _three) = come(&mut desk, "c");
    assert_eq!(three, "Track 7");
}

#[test]
fn a_number_makes_way_for_the_name_that_a_host_tells_for_another_track() {
    let mut desk = Desk::new();
    let come = |desk: &mut Desk, id: &str, name: Option<&str>| {
        let mut plugin = Plugin::new(desk);
        let name = name.map(str::to_owned);
        let told = deskhand_protocol::Instance { name, ..instance(id, None) };
        let track = plugin.join(desk, told).track;
        (track, plugin)
    };
    let name = |desk: &Desk, track| desk.session().tracks[&track].name.clone();
    let (numbered, _one) = come(&mut desk, "a", None);
    let (told, _two) = come(&mut desk, "b", Some("Track 4"));
    assert_eq!([numbered, told].map(|it| name(&desk, it)), ["Track 5", "Track 4"]);
    // The name comes later than the instance, as many hosts tell it.
    let (late, mut three) = come(&mut desk, "c", None);
    let (other, _four) = come(&mut desk, "d", None);
    assert_eq!([late, other].map(|it| name(&desk, it)), ["Track 6", "Track 7"]);
    let op = Op::HostName { name: Some("Track 7".into()), color: None };
    assert_eq!(three.ask(&mut desk, op).status, Status::Ok);
    assert_eq!([late, other].map(|it| name(&desk, it)), ["Track 7", "Track 8"]);
    // Two that the host itself calls alike are alike.
    let (alike, _five) = come(&mut desk, "e", Some("Track 7"));
    assert_eq!([late, alike].map(|it| name(&desk, it)), ["Track 7", "Track 7"]);
}

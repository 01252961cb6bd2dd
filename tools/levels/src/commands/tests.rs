//! Tests of the commands, each on the session that it changes.

mod envelopes;
mod inserts;

use deskhand_dsp::Decibels;
use deskhand_session::{Output, Track};
use deskhand_toolkit::testing::{Desk, voice_and_guitar};
use serde_json::{Value, json};

/// A voice track with two clips, a bus that it plays to, a guitar, and a marker.
fn desk() -> Desk {
    voice_and_guitar(crate::all())
}

fn run(desk: &mut Desk, tool: &str, params: Value) -> Vec<&'static str> {
    desk.ops(tool, params)
}

#[test]
fn gains_are_absolute_or_relative() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_track_gain", json!({"targets": "Voice", "gain_db": -3.0}));
    run(&mut desk, "cmd_set_track_gain", json!({"targets": "Voice", "change_db": -1.5}));
    run(&mut desk, "cmd_set_clip_gain", json!({"targets": "Verse", "change_db": 2}));
    run(&mut desk, "cmd_set_master_gain", json!({"gain_db": -1}));
    let voice = &desk.session.tracks[&desk.session.track_order[0]];
    assert_eq!((voice.gain, desk.session.master_gain), (Decibels(-4.5), Decibels(-1.0)));
    let again = desk.plan("cmd_set_track_gain", json!({"targets": "Voice", "gain_db": -4.5}));
    assert_eq!(again.changes, []);
    let both = json!({"targets": "Voice", "gain_db": 1, "change_db": 1});
    assert!(desk.refusal("cmd_set_track_gain", both).contains("exactly one"));
    let high = json!({"targets": "Voice", "change_db": 60});
    let refusal = desk.refusal("cmd_set_track_gain", high);
    assert!(refusal.contains("a gain of 55.5 dB is outside -150 to 48 dB"), "{refusal}");
}

#[test]
fn a_strip_is_set() {
    let mut desk = desk();
    run(&mut desk, "cmd_set_track_mute", json!({"targets": "Gui*", "mute": true}));
    run(&mut desk, "cmd_set_track_solo", json!({"targets": "Voice", "solo": true}));
    run(&mut desk, "cmd_set_track_pan", json!({"targets": "Guitar", "pan": 0.25}));
    run(&mut desk, "cmd_set_track_color", json!({"targets": "Guitar", "color": "#4FC5FC"}));
    run(&mut desk, "cmd_set_track_output", json!({"targets": "Guitar", "output": "bus"}));
    let order = &desk.session.track_order;
    let guitar = &desk.session.tracks[&order[2]];
    assert!(guitar.mute && desk.session.tracks[&order[0]].solo);
    assert_eq!((guitar.pan, guitar.output), (0.25, Output::Bus(order[1])));
    assert_eq!(guitar.color.clone().map(String::from).as_deref(), Some("#4fc5fc"));
}

#[test]
fn two_tracks_are_panned_to_both_sides() {
    let mut desk = desk();
    let spread = json!({"targets": ["Voice", "Guitar"], "spread": 0.5});
    let draft = desk.plan("cmd_set_track_pan", spread);
    assert_eq!(draft.summary, "Pan Voice and Guitar to both sides by 0.5");
    desk.apply(&draft);
    let pan = |desk: &Desk, at: usize| desk.session.tracks[&desk.session.track_order[at]].pan;
    assert_eq!((pan(&desk, 0), pan(&desk, 2)), (-0.5, 0.5));
    let refused = |params| desk.refusal("cmd_set_track_pan", params);
    assert!(
        refused(json!({"targets": "Voice", "spread": 0.5}))
            .contains("a spread needs two tracks, not 1")
    );
    assert!(refused(json!({"targets": "Voice"})).contains("it was not said where to pan"));
}

#[test]
fn a_strip_refuses_what_makes_no_sense() {
    let mut desk = desk();
    let wrong = desk.refusal("cmd_set_track_color", json!({"targets": "Guitar", "color": "red"}));
    assert!(wrong.contains("#rrggbb"), "{wrong}");
    let to_audio = json!({"targets": "Voice", "output": "Guitar"});
    assert!(desk.refusal("cmd_set_track_output", to_audio).contains("no bus is called"));
    desk.track(Track::bus("Second"));
    run(&mut desk, "cmd_set_track_output", json!({"targets": "Second", "output": "Bus"}));
    let loop_ = desk.refusal("cmd_set_track_output", json!({"targets": "Bus", "output": "Second"}));
    assert!(loop_.contains("that would be a loop"), "{loop_}");
}

#[test]
fn a_route_names_the_buses() {
    let mut desk = desk();
    let route = |output| json!({"targets": "Guitar", "output": output});
    let draft = desk.plan("cmd_set_track_output", route("bus"));
    let reason = &draft.changes[0].reason;
    assert_eq!(reason, "from the master to \"Bus\", as asked");
    desk.apply(&draft);
    let draft = desk.plan("cmd_set_track_output", route("master"));
    let reason = &draft.changes[0].reason;
    assert_eq!(reason, "from \"Bus\" to the master, as asked");
}

#[test]
fn summaries_name_what_they_are_about() {
    let desk = desk();
    let said = [
        (
            "cmd_set_track_mute",
            json!({"targets": ["Voice", "Guitar"], "mute": true}),
            "Mute Voice and Guitar",
        ),
        (
            "cmd_set_track_mute",
            json!({"targets": "Voice", "mute": false}),
            "Unmute Voice: that way already",
        ),
        ("cmd_set_track_pan", json!({"targets": "Guitar", "pan": 0.25}), "Pan Guitar to 0.25"),
        (
            "cmd_set_track_color",
            json!({"targets": "Guitar", "color": "#4fc5fc"}),
            "Color Guitar #4fc5fc",
        ),
        (
            "cmd_set_track_output",
            json!({"targets": "Guitar", "output": "Bus"}),
            "Route Guitar to \"Bus\"",
        ),
        (
            "cmd_set_track_gain",
            json!({"targets": "Voice", "change_db": -12}),
            "Turn Voice down by 12 dB",
        ),
        ("cmd_set_clip_gain", json!({"targets": "all", "gain_db": -3}), "Set 3 clips to -3 dB"),
        ("cmd_set_master_gain", json!({"gain_db": -1}), "Set the mix to -1 dB"),
        ("cmd_set_master_gain", json!({"gain_db": 0}), "the mix: the gain is that already"),
    ];
    for (tool, params, summary) in said {
        assert_eq!(desk.plan(tool, params).summary, summary, "{tool}");
    }
}

//! The plugin's layout, and what a host has there in place of the window.

use crate::testing::prelude::*;
use crate::view_tests::{spoken_line, with_window};
use crate::*;
use deskhand_protocol::desk::{Play, Which};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{Marker, MarkerId, PlannedChange, Track};
use egui::accesskit::Role;
use egui::{Shape, vec2};

fn hosted(size: egui::Vec2) -> Harness<'static, Desk> {
    hosted_with(size, with_plan())
}

fn hosted_with(size: egui::Vec2, mut model: Model) -> Harness<'static, Desk> {
    model.live.output = SoundOutput::Host { name: "Ardour".into() };
    model.live.motion = Motion::Playing;
    let desk = Desk { model, ..Desk::default() };
    let mut harness =
        Harness::builder().with_size(size).with_context_setup(install).build_ui_state(
            |ui, desk: &mut Desk| desk.actions.extend(show_plugin(ui, &mut desk.model, &NoWaves)),
            desk,
        );
    harness.run_steps(4);
    harness
}

#[test]
fn in_a_host_there_is_no_play_button_and_the_conversation_stands_beside() {
    let harness = hosted(vec2(900.0, 600.0));
    assert!(harness.query_by_label("Following Ardour").is_some());
    assert!(harness.query_by_label("Play").is_none());
    assert!(harness.query_by_label("Hear the plan").is_none());
    assert!(harness.query_by_label("Ask").is_some());
    assert!(harness.query_by_label("Apply 2 changes").is_some());
}

#[test]
fn before_there_is_a_plan_a_button_leads_to_where_one_asks_in_a_wide_window_and_in_a_narrow_one() {
    for size in [vec2(900.0, 600.0), vec2(720.0, 480.0)] {
        let mut harness = hosted_with(size, open_model());
        harness.click_on("Ask for a change");
        assert!(harness.get_by_label("Ask").is_focused(), "{size:?}");
    }
    let none = hosted_with(vec2(900.0, 600.0), Model::new());
    let ask = none.get_by_label("Ask for a change");
    assert!(ask.accesskit_node().is_disabled(), "there is nothing to change");
}

#[test]
fn in_a_narrow_window_a_plan_and_the_number_of_a_ghost_lead_to_the_card() {
    for name in ["Plan 1, Waiting", "Ghost of change 1"] {
        let mut harness = hosted(vec2(720.0, 480.0));
        assert!(harness.query_by_label("Ask").is_none(), "the conversation is a tab");
        harness.get_by_label_contains(name).click();
        harness.run_steps(4);
        assert!(harness.query_by_label("Card of plan 1").is_some(), "{name}");
    }
}

#[test]
fn in_a_host_there_is_no_control_of_what_the_host_does() {
    let mut harness = hosted(vec2(1400.0, 900.0));
    assert!(harness.query_all_by_label("Mute Vocal").next().is_none(), "nor on the timeline");
    harness.click_on("Mixer");
    assert!(harness.query_all_by_label("Fader Vocal").next().is_some(), "a gain is heard");
    for label in ["Mute Vocal", "Solo Vocal", "Pan Vocal", "Fader Master"] {
        assert!(harness.query_all_by_label(label).next().is_none(), "{label} moves nothing there");
    }
    let alone = crate::ui_tests::harness(open_model());
    for label in ["Mute Vocal", "Solo Vocal", "Pan Vocal", "Fader Master"] {
        assert!(alone.query_all_by_label(label).next().is_some(), "{label} is in the app");
    }
}

#[test]
fn in_a_host_the_sides_of_a_plan_are_compared_and_the_transport_is_the_hosts() {
    let mut harness = hosted(vec2(900.0, 600.0));
    harness.click_on("Plan");
    harness.click_on("Current");
    let plan = gain_plan().id;
    let hear = |which| Action::Play(Play::Hear { plan, which });
    assert_eq!(harness.state().actions, [hear(Which::LevelMatched), hear(Which::Current)]);
}

#[test]
fn in_a_host_nothing_looks_as_if_it_moved_the_transport() {
    let model = with_window(open_model(), spoken_line());
    let mut harness = hosted_with(vec2(900.0, 600.0), model);
    assert!(harness.query_by_label("Go to: And on").is_none());
    harness.get_by_role_and_label(Role::Label, "And on").click();
    harness.get_by_role_and_label(Role::Label, "Ruler").click();
    harness.click_on("Keyboard");
    assert!(harness.query_by_label("To the start, to the end: Home, End").is_none());
    assert!(harness.query_by_label("Undo, redo the last step: Ctrl Z, Ctrl Shift Z").is_some());
    assert_eq!(harness.state().actions, []);
}

#[test]
fn in_a_host_a_card_has_a_window_of_its_own_where_there_is_room() {
    let mut harness = hosted(vec2(1_200.0, 800.0));
    harness.click_on("Plan 1 in a window of its own");
    harness.click_on("Apply 2 changes");
    assert_eq!(harness.state().actions.len(), 1, "it is decided there");
}

#[test]
fn in_a_host_meters_move_and_keys_take_back_and_go_from_area_to_area() {
    let mut model = open_model();
    let levels = Levels { peak: [0.5; 2], rms: [0.25; 2], ..Levels::default() };
    model.live.tracks.insert(TrackId::new(1), levels);
    let mut harness = hosted_with(vec2(900.0, 600.0), model);
    let peak = harness.state().model.desk.meters.track(TrackId::new(1))[0].peak;
    assert!((peak - -6.02).abs() < 0.1, "{peak}");
    harness.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(harness.state().actions, [Action::Undo]);
    harness.press(Key::F6);
    assert!(harness.get_by_label("Conversation area").is_focused());
}

#[test]
fn the_history_opens_in_a_plugin_and_what_instances_record_is_set_there() {
    let mut harness = hosted(vec2(900.0, 600.0));
    harness.click_on("History");
    assert!(harness.query_by_label("Close the history").is_some());
    harness.click_on("Close the history");
    let capture = CaptureSettings { mode: CaptureMode::Rolling, minutes: 10, most_gb: 8 };
    let given = Settings { capture: Some(capture), ..Settings::default() };
    harness.state_mut().model.settings = Some(given);
    harness.run_steps(2);
    harness.click_on("Preferences");
    harness.click_on("All of it, in this instance");
    let armed = CaptureSettings { mode: CaptureMode::Armed, ..capture };
    let set = Action::Settings(SettingsChange::Capture(armed));
    assert_eq!(harness.state().actions, [set]);
}

#[test]
fn a_narrow_plugin_has_the_conversation_in_a_tab() {
    let mut harness = hosted(vec2(720.0, 480.0));
    assert!(harness.query_by_label("Ask").is_none());
    harness.click_on("Conversation");
    assert!(harness.query_by_label("Ask").is_some());
    let name = "Plan 1, Waiting: Bring 2 clips to -16 LUFS";
    assert!(harness.query_by_label(name).is_none(), "the foot belongs to the work views");
    harness.click_on("Mixer");
    assert!(harness.query_by_label(name).is_some());
    assert_eq!(gain_plan().summary, "Bring 2 clips to -16 LUFS");
}

#[test]
fn in_a_host_a_step_shows_the_change_and_says_who_plays_it() {
    let mut harness = hosted(vec2(900.0, 600.0));
    let plan = gain_plan().id;
    let timeline = &mut harness.state_mut().model.desk.timeline;
    (timeline.zoom, timeline.left) = (Some(400.0), 5.0);
    let card = harness.state_mut().model.cards.get_mut(&plan).unwrap();
    card.view.focus.takes_keyboard = true;
    harness.run_steps(3);
    let before = harness.state().actions.clone();
    harness.press(Key::J);
    assert_eq!(harness.state().actions, before, "the transport is the host's");
    assert_eq!(harness.state().model.cards[&plan].view.list.current, Some(0));
    let hint = "Not applied. Play in Ardour to hear change 1";
    assert!(harness.query_by_label_contains(hint).is_some());
    assert_eq!(harness.state().model.desk.timeline.left, 0.0, "the clip is shown whole");
}

/// A session with this many tracks and no clip, and, if it `is_asked`, a plan of a track and a marker.
fn bare(tracks: usize, is_asked: bool) -> Harness<'static, Desk> {
    let mut model = open_model();
    let session = crate::desk_tests::session(&mut model);
    session.clips.clear();
    session.track_order.truncate(tracks);
    let order = session.track_order.clone();
    session.tracks.retain(|id, _| order.contains(id));
    if is_asked {
        let placed = PlacedTrack { index: tracks, track: Track::audio("Choir") };
        let (position, length) = (Frames(48_000), Frames::ZERO);
        let solo = Marker { name: "Solo".into(), position, length, code: None };
        let add = [
            Change::AddTrack(Edit::create(TrackId::new(9), placed)),
            Change::AddMarker(Edit::create(MarkerId::new(9), solo)),
        ];
        let changes = (1..).zip(add).map(|(number, change)| {
            PlannedChange::new(number, change, "Choir".into(), "asked".into())
        });
        let none = Vec::new();
        let plan = Plan { changes: changes.collect(), predicted: none, ..gain_plan() };
        drop(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })));
    }
    hosted_with(vec2(900.0, 600.0), model)
}

#[test]
fn the_ghosts_of_a_plan_are_seen_in_a_host_where_nothing_was_played_yet() {
    for tracks in [0, 2] {
        let teaches = |harness: &Harness<'_, Desk>| {
            harness.query_by_label_contains("Play the song once").is_some()
        };
        assert!(teaches(&bare(tracks, false)), "{tracks} tracks");
        let harness = bare(tracks, true);
        assert!(!teaches(&harness), "{tracks} tracks");
        let lanes = harness.get_by_label("Lanes").rect();
        for words in ["Choir", "Solo"] {
            let is_ghost = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
                Shape::Text(text) => text.galley.text() == words && text.pos.x < lanes.right(),
                _ => false,
            };
            let shapes = &harness.output().shapes;
            assert!(shapes.iter().any(is_ghost), "{words} with {tracks} tracks");
        }
    }
}

/// An instance on the first track of the session.
fn with_instance(learning: Option<Learning>) -> Model {
    let mut model = open_model();
    let track = model.session().map(|session| session.track_order[0]).unwrap();
    let levels = Levels { short_term: -18.24, true_peak: [0.5, 0.25], ..Levels::default() };
    model.live.tracks.insert(track, levels);
    let gain = deskhand_dsp::Decibels(2.0);
    model.live.instance = Some(Instance { track, gain, spectrum: vec![-20.0; 96], learning });
    model
}

#[test]
fn in_a_host_level_loudness_spectrum_and_gain_of_the_instance_are_shown() {
    for size in [vec2(900.0, 600.0), vec2(720.0, 480.0), vec2(1600.0, 1000.0)] {
        let harness = hosted_with(size, with_instance(None));
        for label in
            ["Short-term −18.2 LUFS", "True peak −6.0 dBTP", "Gain +2.0 dB", "Spectrum of Vocal"]
        {
            assert!(harness.query_by_label(label).is_some(), "{label} at {size:?}");
        }
    }
}

#[test]
fn before_anything_was_captured_a_button_lets_deskhand_learn_and_counts_down() {
    let bare = |learning| {
        let mut model = with_instance(learning);
        model.mirror = None;
        model
    };
    for (learning, button, starts, words) in [
        (Learning::Offered, "Learn", true, "Let Deskhand hear the song"),
        (Learning::Listening { left: 12 }, "Stop", false, "Listening, 12 s left"),
    ] {
        let mut harness = hosted_with(vec2(900.0, 600.0), bare(Some(learning)));
        assert!(harness.query_by_label_contains(words).is_some(), "{words}");
        harness.click_on(button);
        assert_eq!(harness.state().actions, [Action::Learn(starts)]);
    }
}

//! Menus of tracks, clips and markers, and the rows of the history, used as a person uses them.

use crate::SoundOutput;
use crate::desk_tests::{Desk, call, desk, session};
use crate::testing;
use crate::testing::prelude::*;
use crate::testing::tool_of;
use crate::words::transcript::tests::right_click;
use deskhand_protocol::Read;
use deskhand_protocol::desk::Play;
use deskhand_session::{Marker, MarkerId, Revision, TimeRange, Track};
use egui::accesskit::Role;
use serde_json::Value;

/// The last call, whatever came before it.
fn call_last(desk: &Desk) -> (Gesture, Value) {
    match desk.state().actions.last() {
        Some(Action::Call { gesture, params }) => (*gesture, params.clone()),
        other => panic!("{other:?}"),
    }
}

/// Opens the menu of something, and takes an entry of it.
fn choose(desk: &mut Desk, of: &str, entry: &str) {
    desk.get_by_label(of).click_secondary();
    desk.run_steps(3);
    take_entry(desk, entry);
}

/// Takes an entry of the open menu; after its words may come a key.
fn take_entry(desk: &mut Desk, entry: &str) {
    match desk.query_by_label(entry) {
        Some(node) => node.click(),
        None => desk.get_by_label_contains(entry).click(),
    }
    desk.run_steps(4);
}

#[test]
fn the_menu_of_a_track_moves_renames_and_removes_it() {
    let track = TrackId::new(1);
    let mut moves = desk(open_model());
    choose(&mut moves, "Track Vocal", "Move down");
    let down = json!({"targets": [track], "index": 1});
    assert_eq!(call(&moves), (Gesture::MoveTrack, down));
    let mut adds = desk(open_model());
    choose(&mut adds, "Track Vocal", "Add a bus below");
    let bus = json!({"kind": "bus", "name": "Bus 1", "index": 1});
    assert_eq!(call(&adds), (Gesture::AddTrack, bus));
    let mut model = open_model();
    session(&mut model).tracks.get_mut(&TrackId::new(2)).unwrap().name = "Bus 1".into();
    let mut adds = desk(model);
    choose(&mut adds, "Track Vocal", "Add a bus below");
    assert_eq!(call(&adds).1["name"], "Bus 2", "no two have one name");
    let mut removes = desk(open_model());
    choose(&mut removes, "Track Vocal", "Remove track with its clips");
    let offered = |tool: &str, params| Action::Offered { tool: tool.to_owned(), params };
    let removed = offered("cmd_remove_track", json!({"targets": [track]}));
    assert_eq!(removes.state().actions, [removed]);
    let mut renames = desk(open_model());
    choose(&mut renames, "Track Vocal", "Rename…");
    assert!(renames.query_by_label("Name").is_some());
}

#[test]
fn a_menu_and_its_submenu_are_used_by_the_keyboard_alone() {
    let mut desk = desk(open_model());
    desk.focus_on("Track Vocal");
    desk.press_with(Modifiers::SHIFT, Key::F10);
    assert!(desk.get_by_label("Ask about this").is_focused());
    desk.press(Key::ArrowDown);
    desk.press(Key::ArrowDown);
    desk.press(Key::ArrowRight);
    assert!(desk.get_by_label("Rose").is_focused());
    desk.press(Key::ArrowLeft);
    assert!(desk.get_by_label("Color").is_focused());
    desk.press(Key::ArrowRight);
    desk.press(Key::Enter);
    let (gesture, params) = call(&desk);
    assert_eq!((gesture, &params["targets"]), (Gesture::ColorTrack, &json!([TrackId::new(1)])));
    assert!(desk.query_by_label("Rose").is_none() && desk.query_by_label("Color").is_none());
    desk.press_with(Modifiers::SHIFT, Key::F10);
    desk.press(Key::Escape);
    assert!(desk.query_by_label("Color").is_none());
}

#[test]
fn the_output_of_the_selected_tracks_is_set_together() {
    for (selected, entry, targets) in
        [(vec![1_u64, 2], "Output of 2 tracks", vec![1_u64, 2]), (vec![2], "Output", vec![1])]
    {
        let ids = |numbers: &[u64]| -> Vec<TrackId> {
            numbers.iter().map(|number| TrackId::new(*number)).collect()
        };
        let (mut model, bus) = (open_model(), TrackId::new(9));
        let known = session(&mut model);
        known.tracks.insert(bus, Track::bus("Band"));
        known.track_order.push(bus);
        known.selection.tracks = ids(&selected);
        let mut desk = desk(model);
        desk.get_by_label("Track Vocal").click_secondary();
        desk.run_steps(3);
        desk.get_by_label_contains(entry).click();
        desk.run_steps(4);
        desk.state_mut().actions.clear();
        desk.click_role(Role::RadioButton, "Band");
        let wanted = json!({"targets": ids(&targets), "output": bus});
        assert_eq!(call(&desk), (Gesture::RouteTrack, wanted));
    }
}

#[test]
fn the_menu_of_a_clip_sets_its_gain_draws_on_it_and_renames_it() {
    let clip = ClipId::new(1);
    let name = "Clip Vocal take at 0:00.000";
    let open = || {
        let mut desk = desk(open_model());
        let at = desk.get_by_label(name).rect().center();
        desk.hover_at(at);
        desk.run_steps(1);
        desk.get_by_label(name).click_secondary();
        desk.run_steps(3);
        desk
    };
    let take = |entry: &str| {
        let mut desk = open();
        take_entry(&mut desk, entry);
        desk
    };
    // A right click chooses the clip first.
    let last = |entry| call_last(&take(entry));
    let (tool, params) =
        (tool_of(Gesture::SetClipGain), json!({"targets": [clip], "gain_db": 0.0}));
    let offered = Action::Offered { tool, params };
    assert_eq!(take("Gain to 0 dB").state().actions.last(), Some(&offered));
    let normal = json!({"target_lufs": -16.0, "targets": [clip]});
    let measured = Action::Measure { tool: "tool_normalize".into(), params: normal };
    assert_eq!(take("Normalize to −16 LUFS").state().actions.last(), Some(&measured), "it waits");
    let muted = json!({"targets": [TrackId::new(1)], "mute": true});
    assert_eq!(last("Mute the track"), (Gesture::MuteTrack, muted));
    let on = |switch: &str| json!({"targets": [clip], switch: true});
    assert_eq!(last("Mute the clip"), (Gesture::MuteClip, on("mute")));
    assert_eq!(last("Reverse polarity"), (Gesture::TurnClip, on("inverted")));
    let mut gains = take("Gain");
    gains.click_on("Draw gain over time");
    let (gesture, params) = call_last(&gains);
    assert_eq!((gesture, params["points"].as_array().unwrap().len()), (Gesture::DrawClipGain, 2));
    let mut fades = take("Fades");
    fades.click_on("Fade in up to here");
    let (gesture, params) = call_last(&fades);
    let (at, targets) = (params["fade_in_ms"].as_f64().unwrap(), &params["targets"]);
    assert_eq!((gesture, targets), (Gesture::FadeClip, &json!([clip])));
    assert!((at - 5_000.0).abs() < 200.0, "the pointer is in the middle of 10 s: {at} ms");
    assert!(take("Rename…").query_by_label("Name").is_some());
}

#[test]
fn what_is_named_has_its_field_on_it_and_a_group_a_plate_that_says_so() {
    let mut groups = desk(open_model());
    choose(&mut groups, "Track Vocal", "Make a group…");
    assert!(groups.query_by_label("Name of the group").is_some());
    let mut clips = desk(open_model());
    let name = "Clip Vocal take at 0:00.000";
    let at = clips.get_by_label(name).rect().center();
    clips.hover_at(at);
    clips.run_steps(1);
    choose(&mut clips, name, "Rename…");
    let field = clips.get_by_label("Name").rect();
    assert!(clips.get_by_label(name).rect().contains(field.center()), "{field}");
    assert!(clips.query_by_label("Name of the clip").is_none());
}

#[test]
fn the_menu_of_a_marker_removes_it() {
    let mut model = open_model();
    let (name, position, length) = ("Verse".to_owned(), Frames(96_000), Frames::ZERO);
    let marker = Marker { name, position, length, code: None };
    session(&mut model).markers.insert(MarkerId::new(3), marker);
    let mut desk = desk(model);
    choose(&mut desk, "Marker Verse", "Remove marker");
    assert_eq!(call(&desk), (Gesture::RemoveMarker, json!({"marker": MarkerId::new(3)})));
}

#[test]
fn who_asks_about_a_clip_or_a_track_writes_next() {
    for name in ["Clip Vocal take at 0:00.000", "Track Guitar"] {
        let mut desk = desk(open_model());
        let at = desk.get_by_label(name).rect().center();
        desk.hover_at(at);
        desk.run_steps(1);
        choose(&mut desk, name, "Ask about this");
        let mut asks = desk.query_all_by_label("Ask");
        assert!(asks.any(|node| node.is_focused()), "{name}");
        assert_eq!(call_last(&desk).0, Gesture::Select, "{name}");
    }
}

/// A desk where the second track plays 5 s, two seconds of both tracks are selected from 4 s on.
fn ranged() -> Desk {
    let mut model = open_model();
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    let session = session(&mut model);
    session.clips.get_mut(&ClipId::new(2)).unwrap().length = Frames(5 * 48_000);
    session.selection.clips.clear();
    session.selection.tracks = vec![TrackId::new(1), TrackId::new(2)];
    let [start, end] = [4, 6].map(|at| Frames(at * 48_000));
    session.selection.range = Some(TimeRange { start, end });
    desk(model)
}

fn on_lane(desk: &Desk, track: &str, second: f32) -> egui::Pos2 {
    let ruler = desk.get_by_label("Ruler").rect();
    let y = desk.get_by_label(track).rect().center().y;
    egui::pos2(ruler.left() + ruler.width() * second / 10.2, y)
}

/// Opens the menu at a place, and takes an entry.
fn choose_at(desk: &mut Desk, at: egui::Pos2, entries: &[&str]) {
    right_click(desk, at);
    entries.iter().for_each(|entry| take_entry(desk, entry));
}

#[test]
fn a_clip_is_trimmed_to_the_selected_time_which_stays_selected() {
    let mut desk = ranged();
    let at = on_lane(&desk, "Track Vocal", 5.0);
    choose_at(&mut desk, at, &["Trim to the selected time"]);
    let edges = json!({"targets": [ClipId::new(1)], "start_s": 4.0, "end_s": 6.0});
    assert_eq!(desk.state().actions, [Action::Call { gesture: Gesture::TrimClip, params: edges }]);
    let mut desk = ranged();
    let at = on_lane(&desk, "Track Guitar", 4.5);
    choose_at(&mut desk, at, &["Trim to the selected time"]);
    let start = json!({"targets": [ClipId::new(2)], "start_s": 4.0});
    assert_eq!(call_last(&desk), (Gesture::TrimClip, start), "it never grows");
}

#[test]
fn the_menu_of_an_empty_lane_imports_adds_tracks_and_inserts_silence() {
    let open = |entries: &[&str]| {
        let mut desk = ranged();
        let at = on_lane(&desk, "Track Guitar", 8.0);
        choose_at(&mut desk, at, entries);
        desk
    };
    assert_eq!(open(&["Import audio…"]).state().actions, [Action::Import]);
    let (gesture, params) = call(&open(&["Add an audio track below"]));
    assert_eq!((gesture, &params["index"]), (Gesture::AddTrack, &json!(2)));
    let (gesture, params) = call(&open(&["Insert silence here", "2 s"]));
    let at = params["at_s"].as_f64().unwrap();
    assert_eq!(gesture, Gesture::InsertTime);
    assert_eq!((&params["targets"], &params["length_s"]), (&json!([TrackId::new(2)]), &json!(2.0)));
    assert!((at - 8.0).abs() < 0.1, "{at}");
    assert_eq!(call(&open(&["Add a marker here"])).0, Gesture::AddMarker);
    assert!(open(&[]).query_by_label("Split here").is_none(), "no clip is there");
}

#[test]
fn the_menu_of_the_ruler_loops_zooms_marks_and_deletes_time() {
    let open = |entry: &str| {
        let mut desk = ranged();
        let at = desk.get_by_label("Ruler").rect().center();
        choose_at(&mut desk, at, &[entry]);
        desk
    };
    let [from, to] = [4, 6].map(|at| Frames(at * 48_000));
    let looped = |range| [Action::Play(Play::Loop { range: Some(range) })];
    assert_eq!(open("Loop the selected time").state().actions, looped((from, to)));
    assert_eq!(open("Loop everything").state().actions, looped((Frames(0), Frames(480_000))));
    let zoomed = open("Zoom to the selected time");
    let view = &zoomed.state().model.desk.timeline;
    let shown = f64::from(zoomed.get_by_label("Ruler").rect().width()) / view.zoom.unwrap();
    assert!((1.9..3.0).contains(&shown) && view.left < 4.0, "{shown} s from {} s", view.left);
    assert_eq!(call(&open("Add a marker here")).0, Gesture::AddMarker);
    assert_eq!(call(&open("Mark the selected time")).1["length_s"], json!(2.0));
    let deleted = call_last(&open("Delete the selected time and close the gap"));
    assert_eq!((deleted.0, &deleted.1["start_s"]), (Gesture::DeleteTime, &json!(4.0)));
}

fn step(id: u64, label: &str) -> Revision {
    let gain = Edit::new(SessionId::new(1), Decibels(0.0), Decibels(1.0));
    Revision { label: label.into(), ..testing::revision(id, vec![Change::SetMasterGain(gain)]) }
}

/// A desk with two steps, of which the second is undone.
fn with_history(labels: [&str; 2]) -> Model {
    let mut model = open_model();
    model.sent(CallId(4), &Op::Read { what: Read::History });
    let revisions = [step(1, labels[0]), step(2, labels[1])];
    let result = ToolResult {
        answer: Some(json!({"revisions": revisions, "undo": [1], "redo": [2]})),
        ..ToolResult::new(Status::Ok, "read", RevisionId(1))
    };
    let result = Box::new(result);
    assert_eq!(model.hear(&event(2, Some(CallId(4)), News::Done { result })), []);
    model
}

#[test]
fn the_menu_of_the_session_says_what_undo_and_redo_do() {
    for (entry, action) in [("Undo: Louder", Action::Undo), ("Redo: Fade to −6 dB", Action::Redo)]
    {
        let mut desk = desk(with_history(["Louder", "Fade to -6 dB"]));
        desk.click_on(crate::session_menu::NAME);
        desk.get_by_label_contains(entry).click();
        desk.run_steps(3);
        assert_eq!(desk.state().actions, [action], "{entry}");
    }
}

#[test]
fn a_long_title_of_a_step_is_shown_whole() {
    let long =
        "Bring the lead vocal forward in the chorus, and double the backing vocals in the bridge";
    let mut model = with_history([long, "Softer"]);
    model.shows_history = true;
    let desk = desk(model);
    let [one, other] = [format!("1 {long}"), "2 Softer".to_owned()];
    let [one, other] = [one, other].map(|row| desk.get_by_label(&row).rect());
    assert!(one.height() > other.height() + 10.0, "{one} and {other}");
    assert!((380.0..420.0).contains(&one.width()), "{one}");
    let drawn = desk.output().shapes.iter().find_map(|it| match &it.shape {
        egui::Shape::Text(text) if text.galley.text() == long => Some(text.galley.clone()),
        _ => None,
    });
    let drawn = drawn.unwrap();
    assert!(drawn.rows.len() > 1 && !drawn.elided);
}

#[test]
fn a_click_on_a_row_of_the_history_goes_there() {
    let mut model = with_history(["Louder", "Softer"]);
    model.shows_history = true;
    let mut desk = desk(model);
    for (row, gesture, revision) in
        [("2 Softer", Gesture::RedoStep, 2), ("0 The start", Gesture::UndoStep, 1)]
    {
        desk.click_on(row);
        assert_eq!(call(&desk), (gesture, json!({"revision": revision})));
        desk.state_mut().actions.clear();
    }
    desk.click_on("Undo the last step");
    desk.click_on("Redo the last step");
    assert_eq!(desk.state().actions, [Action::Undo, Action::Redo]);
}

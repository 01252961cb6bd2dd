//! Menus of tracks, clips and markers, and the rows of the history, used as a person uses them.

use crate::Action;
use crate::action::Gesture;
use crate::desk_tests::{Desk, call, desk, session};
use crate::testing;
use crate::testing::{UserInput as _, tool_of};
use crate::ui_tests::{event, open_model};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::{CallId, News, Op, Read, Status, ToolResult};
use deskhand_session::{
    Change, ClipId, Edit, Marker, MarkerId, Revision, RevisionId, SessionId, Track, TrackId,
};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

/// Opens the menu of something, and takes an entry of it.
fn choose(desk: &mut Desk, of: &str, entry: &str) {
    desk.get_by_label(of).click_secondary();
    desk.run_steps(3);
    desk.get_by_label_contains(entry).click();
    desk.run_steps(3);
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
        desk.get_by_role_and_label(Role::RadioButton, "Band").click();
        desk.run_steps(3);
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
        desk.get_by_label_contains(entry).click();
        desk.run_steps(3);
        desk
    };
    // A right click chooses the clip first.
    let last = |entry| match take(entry).state_mut().actions.pop() {
        Some(Action::Call { gesture, params }) => (gesture, params),
        other => panic!("{other:?}"),
    };
    let (tool, params) =
        (tool_of(Gesture::SetClipGain), json!({"targets": [clip], "gain_db": 0.0}));
    let offered = Action::Offered { tool, params };
    assert_eq!(take("Gain to 0 dB").state().actions.last(), Some(&offered));
    let (gesture, params) = last("Draw gain over time");
    assert_eq!((gesture, params["points"].as_array().unwrap().len()), (Gesture::DrawClipGain, 2));
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

fn step(id: u64, label: &str) -> Revision {
    let gain = Edit::new(SessionId::new(1), Decibels(0.0), Decibels(1.0));
    Revision { label: label.into(), ..testing::revision(id, vec![Change::SetMasterGain(gain)]) }
}

#[test]
fn a_click_on_a_row_of_the_history_goes_there() {
    let mut model = open_model();
    model.sent(CallId(4), &Op::Read { what: Read::History });
    let revisions = [step(1, "Louder"), step(2, "Softer")];
    let result = ToolResult {
        answer: Some(json!({"revisions": revisions, "undo": [1], "redo": [2]})),
        ..ToolResult::new(Status::Ok, "read", RevisionId(1))
    };
    let result = Box::new(result);
    assert_eq!(model.hear(&event(2, Some(CallId(4)), News::Done { result })), []);
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
    assert_eq!(desk.state().actions, [Action::Undo]);
}

//! The first start: the example, recent sessions, and files that are dropped.

use crate::desk_tests::{desk, session};
use crate::testing::prelude::*;
use crate::testing::tool_of;
use crate::ui_tests::sized;

#[test]
fn a_session_without_tracks_gets_its_first_by_a_click() {
    let mut model = open_model();
    let session = session(&mut model);
    session.clips.clear();
    session.tracks.clear();
    session.track_order.clear();
    let mut desk = desk(model);
    desk.click_on("Add a track to record on");
    let (tool, params) = (tool_of(Gesture::AddTrack), json!({"kind": "audio"}));
    assert_eq!(desk.state().actions, [Action::Offered { tool, params }]);
}

#[test]
fn the_first_window_opens_the_example() {
    let mut harness = harness(Model::new());
    harness.click_on("Open the example interview");
    assert_eq!(harness.state().actions, [Action::OpenExample { asks: None }]);
}

fn with(settings: crate::Settings) -> Model {
    let mut model = Model::new();
    model.settings = Some(settings);
    model
}

#[test]
fn a_recent_session_opens_by_a_click_and_files_are_chosen() {
    let recent = vec!["/music/harbour.deskhand".into()];
    let settings = crate::Settings { recent, ..crate::Settings::default() };
    let mut harness = harness(with(settings));
    harness.click_on("Open /music/harbour.deskhand");
    harness.click_on("Drop recordings or a project here, or choose files");
    let opened = Action::OpenRecent("/music/harbour.deskhand".into());
    assert_eq!(harness.state().actions, [opened, Action::Import]);
}

#[test]
fn the_drop_area_says_what_a_drop_does() {
    let mut model = Model::new();
    model.held_files = Some("Drop 3 files: new session".into());
    let harness = harness(model);
    assert!(harness.query_by_label("Drop 3 files: new session").is_some());
}

#[test]
fn the_smallest_window_reaches_every_way_in() {
    let recent = (1..=5).map(|number| format!("/music/{number}.deskhand").into()).collect();
    let settings = crate::Settings { recent, ..crate::Settings::default() };
    let mut harness = sized(with(settings), egui::vec2(900.0, 600.0));
    let ways = [
        ("Open a project… REAPER, Ardour, DAWproject", Action::OpenProject),
        ("Open a session… Ctrl O", Action::OpenSession),
        ("New session… Ctrl N", Action::NewSession),
    ];
    for (name, _) in &ways {
        harness.get_by_label(name).scroll_to_me();
        harness.run_steps(4);
        harness.click_on(name);
    }
    assert_eq!(harness.state().actions, ways.map(|(_, action)| action));
}

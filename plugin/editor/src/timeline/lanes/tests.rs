//! Clips that are chosen together, and the scissors, used as a person uses them.

use crate::desk_tests::{Desk, call, desk, session};
use crate::testing::prelude::*;
use crate::testing::tool_of;
use deskhand_protocol::Apply;
use deskhand_protocol::desk::Play;
use deskhand_session::{Clip, Group, GroupId, Marker, MarkerId, Track};
use egui::{Pos2, vec2};

const VOCAL: &str = "Clip Vocal take at 0:00.000";
const GUITAR: &str = "Clip Guitar take at 0:00.000";

fn place(desk: &Desk, label: &str) -> Pos2 {
    desk.get_by_label(label).rect().center()
}

#[test]
fn a_click_with_shift_takes_a_clip_in_and_out_of_the_selection() {
    let (first, second) = (ClipId::new(1), ClipId::new(2));
    let mut model = open_model();
    session(&mut model).selection.clips = vec![first];
    let mut desk = desk(model);
    let tracks = [TrackId::new(1), TrackId::new(2)];
    let both =
        json!({"targets": [json!(tracks[0]), json!(tracks[1]), json!(first), json!(second)]});
    let one = json!({"targets": [json!(tracks[1]), json!(second)]});
    for (label, wanted, then) in [(GUITAR, both, vec![first, second]), (VOCAL, one, vec![second])] {
        desk.get_by_label(label).click_modifiers(Modifiers::SHIFT);
        desk.run_steps(2);
        assert_eq!(call(&desk), (Gesture::Select, wanted));
        session(&mut desk.state_mut().model).selection.clips = then;
        desk.state_mut().actions.clear();
        desk.run_steps(2);
    }
}

/// Presses a modifier, or lets go of all.
fn modifiers(desk: &mut Desk, modifiers: Modifiers) {
    desk.event(egui::Event::ModifiersChanged(modifiers));
    desk.run_steps(1);
}

#[test]
fn a_drag_with_ctrl_brings_a_copy_to_another_track_and_ctrl_counts_when_it_is_let_go() {
    let target = json!([ClipId::new(1)]);
    let mut copies = desk(open_model());
    let at = place(&copies, VOCAL);
    let below = at + vec2(0.0, 76.0);
    copies.hold(at, below);
    modifiers(&mut copies, Modifiers::COMMAND);
    copies.drop_at(below);
    copies.run_steps(2);
    let wanted = json!({
        "targets": target, "at_s": 0.0, "track": TrackId::new(2),
        "crossfade": true, "select": true,
    });
    assert_eq!(call(&copies), (Gesture::DuplicateClip, wanted));
    let mut moves = desk(open_model());
    modifiers(&mut moves, Modifiers::COMMAND);
    moves.hold(at, below);
    modifiers(&mut moves, Modifiers::NONE);
    moves.drop_at(below);
    moves.run_steps(2);
    let wanted = json!({"targets": target, "track": TrackId::new(2), "crossfade": true});
    assert_eq!(call(&moves), (Gesture::MoveClip, wanted));
}

#[test]
fn clips_that_are_selected_on_two_tracks_are_dragged_down_together_in_one_call() {
    let clips = [ClipId::new(1), ClipId::new(2)];
    let mut model = open_model();
    let session = session(&mut model);
    session.selection.clips = clips.into();
    session.track_order.push(TrackId::new(3));
    session.tracks.insert(TrackId::new(3), Track::audio("Bass"));
    let mut desk = desk(model);
    let at = place(&desk, VOCAL);
    desk.drag(at, at + vec2(0.0, 76.0));
    let wanted = json!({"targets": clips, "down": 1, "crossfade": true});
    assert_eq!(call(&desk), (Gesture::MoveClip, wanted));
}

#[test]
fn shift_and_delete_close_the_gap_and_ctrl_d_selects_the_copies() {
    let clip = ClipId::new(1);
    let press = |modifiers, key| {
        let mut model = open_model();
        session(&mut model).selection.clips = vec![clip];
        let mut desk = desk(model);
        desk.press_with(modifiers, key);
        call(&desk)
    };
    let gap = json!({"targets": [TrackId::new(1)], "start_s": 0.0, "end_s": 10.0});
    assert_eq!(press(Modifiers::SHIFT, Key::Delete), (Gesture::DeleteTime, gap));
    let removed = json!({"targets": [clip]});
    assert_eq!(press(Modifiers::NONE, Key::Delete), (Gesture::RemoveClip, removed));
    let copied = json!({"targets": [clip], "select": true});
    assert_eq!(press(Modifiers::COMMAND, Key::D), (Gesture::DuplicateClip, copied));
}

#[test]
fn a_crossfade_that_cannot_be_made_says_why() {
    let mut model = open_model();
    session(&mut model).selection.clips = vec![ClipId::new(1), ClipId::new(2)];
    let mut desk = desk(model);
    desk.press(Key::X);
    let (gesture, params) = call(&desk);
    assert_eq!(gesture, Gesture::Crossfade);
    let model = &mut desk.state_mut().model;
    let asked = CallId(9);
    model.sent(asked, &Op::Call { tool: tool_of(gesture), params, apply: Apply::Now });
    let words = "Nothing to change: no two of the clips touch or overlap";
    let result = Box::new(ToolResult::new(Status::Ok, words, RevisionId(1)));
    assert_eq!(model.hear(&event(2, Some(asked), News::Done { result })), []);
    desk.run_steps(2);
    assert!(desk.query_by_label(words).is_some());
}

#[test]
fn a_crossfade_of_nothing_says_what_it_joins() {
    for (clips, words) in [(vec![], "joins clips that touch"), (vec![1], "touches no other clip")] {
        let mut model = open_model();
        session(&mut model).selection.clips = clips.into_iter().map(ClipId::new).collect();
        let mut desk = desk(model);
        desk.press(Key::X);
        assert_eq!(desk.state().actions, [], "it is no affair of the application");
        assert!(desk.query_all_by_label_contains(words).next().is_some());
    }
}

#[test]
fn a_clip_alone_is_crossfaded_with_what_it_meets_on_its_track() {
    let mut model = open_model();
    let session = session(&mut model);
    let clip = session.clips[&ClipId::new(1)].clone();
    let next = Clip { position: clip.end(), ..clip };
    session.clips.insert(ClipId::new(11), next);
    session.selection.clips = vec![ClipId::new(1)];
    let mut desk = desk(model);
    desk.press(Key::X);
    let (gesture, params) = call(&desk);
    assert_eq!(
        (gesture, &params["targets"]),
        (Gesture::Crossfade, &json!([ClipId::new(1), ClipId::new(11)]))
    );
}

#[test]
fn an_edit_rescales_nothing_until_something_is_out_of_view_or_all_is_shown_by_hand() {
    let mut desk = desk(open_model());
    let width = |desk: &mut Desk, seconds: i64| {
        let session = session(&mut desk.state_mut().model);
        session.clips.values_mut().for_each(|clip| clip.length = Frames(seconds * 48_000));
        desk.run_steps(2);
        desk.get_by_label(VOCAL).rect().width()
    };
    let whole = width(&mut desk, 10);
    assert!((width(&mut desk, 5) - whole / 2.0).abs() < 2.0, "a second is as wide as before");
    assert!((width(&mut desk, 10) - whole).abs() < 2.0, "nor does the undo of it move anything");
    assert!((width(&mut desk, 40) - whole).abs() < 2.0, "what is out of view comes into view");
    assert!((width(&mut desk, 10) - whole / 4.0).abs() < 2.0);
    desk.press(Key::Num0);
    assert!((width(&mut desk, 10) - whole).abs() < 2.0, "all is shown by hand");
}

#[test]
fn keys_do_not_go_through_an_open_menu() {
    let mut desk = desk(open_model());
    let at = place(&desk, VOCAL);
    desk.hover_at(at);
    desk.run_steps(1);
    desk.get_by_label("Lanes").click_secondary();
    desk.run_steps(3);
    assert!(egui::Popup::is_any_open(&desk.ctx));
    desk.state_mut().actions.clear();
    desk.press(Key::M);
    assert_eq!(desk.state().actions, []);
}

#[test]
fn end_goes_to_the_end_and_home_to_the_start() {
    let mut desk = desk(open_model());
    desk.press(Key::End);
    desk.press(Key::Home);
    let at = [480_000, 0].map(|at| Action::Play(Play::Seek { at: Frames(at) }));
    assert_eq!(desk.state().actions, at);
}

#[test]
fn the_scissors_split_a_clip_where_it_is_clicked_until_they_are_put_away() {
    let mut desk = desk(open_model());
    desk.click_on("Split where you click (C)");
    let rect = desk.get_by_label(GUITAR).rect();
    let quarter = rect.left_center() + vec2(rect.width() / 4.0, 0.0);
    desk.click_at(quarter);
    let (gesture, params) = call(&desk);
    assert_eq!((gesture, &params["targets"]), (Gesture::SplitClip, &json!([ClipId::new(2)])));
    // The clip is 10 s long.
    let at = params["at_s"].as_f64().unwrap();
    assert!((at - 2.5).abs() < 0.02, "{at}");
    desk.state_mut().actions.clear();
    desk.press(Key::V);
    let at = place(&desk, GUITAR);
    desk.click_at(at);
    assert_eq!(call(&desk).0, Gesture::Select, "the arrow again");
}

#[test]
fn the_menu_of_a_clip_shows_it_in_a_window() {
    for (words, viewer) in [("Waveform", "waveform"), ("Transcript", "transcript")] {
        let mut desk = desk(open_model());
        let at = place(&desk, VOCAL);
        desk.hover_at(at);
        desk.run_steps(1);
        desk.get_by_label(VOCAL).click_secondary();
        desk.run_steps(3);
        desk.state_mut().actions.clear();
        desk.get_by_label_contains("Show in a window").click();
        desk.run_steps(4);
        desk.click_on(words);
        let params = json!({"handle": "deskhand://clips/clip_000000000001", "viewer": viewer});
        assert_eq!(call(&desk), (Gesture::OpenWindow, params));
    }
}

/// The two tracks as a group.
fn grouped() -> crate::Model {
    let mut model = open_model();
    let tracks = [1, 2].map(TrackId::new).into();
    let group = Group { name: "Band".into(), tracks };
    session(&mut model).groups.insert(GroupId::new(1), group);
    model
}

#[test]
fn a_clip_that_is_dragged_snaps_and_does_not_while_alt_is_held() {
    let moved = |held: Modifiers| {
        let mut desk = desk(open_model());
        let rect = desk.get_by_label(VOCAL).rect();
        // The clip is 10 s long: a hair further than to the mark of the first second.
        let to = rect.center() + vec2(rect.width() / 10.0 + 2.0, 0.0);
        desk.hold(rect.center(), to);
        modifiers(&mut desk, held);
        desk.drop_at(to);
        desk.run_steps(2);
        call(&desk).1["by_s"].as_f64().unwrap()
    };
    assert_eq!(moved(Modifiers::NONE), 1.0);
    let loose = moved(Modifiers::ALT);
    assert!(loose > 1.005 && loose < 1.05, "{loose}");
}

#[test]
fn the_clips_of_a_group_are_trimmed_and_faded_together() {
    let both = json!([ClipId::new(1), ClipId::new(2)]);
    let mut trims = desk(grouped());
    let edge = trims.get_by_label(VOCAL).rect().right_center() - vec2(1.0, 0.0);
    trims.drag(edge, edge - vec2(100.0, 0.0));
    let (gesture, params) = call(&trims);
    assert_eq!((gesture, &params["targets"]), (Gesture::TrimClip, &both));
    let mut fades = desk(grouped());
    let handle = fades.get_by_label(GUITAR).rect().left_top() + vec2(5.0, 17.0);
    fades.drag(handle, handle + vec2(82.0, 0.0));
    let (gesture, params) = call(&fades);
    let other = json!([ClipId::new(2), ClipId::new(1)]);
    assert_eq!((gesture, &params["targets"]), (Gesture::FadeClip, &other));
    assert!(params["fade_in_ms"].as_f64().unwrap() > 900.0, "{params}");
}

#[test]
fn a_fade_is_no_longer_than_each_of_the_clips_has_room_for() {
    let mut model = grouped();
    // The other one fades out over 9.5 of its 10 s.
    let other = session(&mut model).clips.get_mut(&ClipId::new(2)).unwrap();
    other.fade_out.length = Frames(456_000);
    let mut desk = desk(model);
    let handle = desk.get_by_label(VOCAL).rect().left_top() + vec2(5.0, 17.0);
    desk.drag(handle, handle + vec2(200.0, 0.0));
    assert_eq!(call(&desk).1["fade_in_ms"], json!(500.0));
}

#[test]
fn esc_takes_a_rubber_band_a_trim_and_a_fade_back() {
    let starts = [vec2(300.0, 160.0), vec2(-1.0, 30.0), vec2(5.0, 17.0)];
    for (place, start) in starts.into_iter().enumerate() {
        let mut desk = desk(open_model());
        let rect = desk.get_by_label(VOCAL).rect();
        let corner = if place == 1 { rect.right_top() } else { rect.left_top() };
        let (from, to) = (corner + start, corner + start + vec2(-80.0, -20.0));
        let to = if place == 2 { from + vec2(80.0, 0.0) } else { to };
        desk.hold(from, to);
        assert!(desk.state().model.desk.timeline.drag.is_some(), "{place}");
        desk.press(Key::Escape);
        desk.drop_at(to);
        desk.run_steps(2);
        assert_eq!(desk.state().actions, [], "{place}");
    }
}

#[test]
fn alt_and_the_arrows_nudge_in_time_finely_with_shift_and_to_another_track() {
    let press = |modifiers, key| {
        let mut model = open_model();
        session(&mut model).selection.clips = vec![ClipId::new(1)];
        let mut desk = desk(model);
        desk.press_with(modifiers, key);
        call(&desk)
    };
    let by = |modifiers| press(modifiers, Key::ArrowRight).1["by_s"].as_f64().unwrap();
    let (usual, fine) = (by(Modifiers::ALT), by(Modifiers::ALT | Modifiers::SHIFT));
    assert!((usual / fine - 8.0).abs() < 0.1, "{usual} and {fine}");
    let target = json!([ClipId::new(1)]);
    let wanted = json!({"targets": target, "crossfade": true, "track": TrackId::new(2)});
    assert_eq!(press(Modifiers::ALT, Key::ArrowDown), (Gesture::MoveClip, wanted));
    let mut model = open_model();
    session(&mut model).selection.clips = vec![ClipId::new(1)];
    let mut desk = desk(model);
    desk.press_with(Modifiers::ALT, Key::ArrowUp);
    assert_eq!(desk.state().actions, [], "there is no track above");
}

#[test]
fn ctrl_and_the_arrows_take_the_playhead_to_the_next_edge_or_marker() {
    let mut model = open_model();
    let session = session(&mut model);
    let verse =
        Marker { name: "Verse".into(), position: Frames(96_000), length: Frames::ZERO, code: None };
    session.markers.insert(MarkerId::new(1), verse);
    model.live.position = Frames(48_000);
    let mut desk = desk(model);
    for (from, key) in [
        (48_000, Key::ArrowRight),
        (96_000, Key::ArrowRight),
        (480_000, Key::ArrowRight),
        (480_000, Key::ArrowLeft),
        (96_000, Key::ArrowLeft),
    ] {
        desk.state_mut().model.live.position = Frames(from);
        desk.press_with(Modifiers::COMMAND, key);
    }
    let places = [96_000, 480_000, 96_000, 0].map(|at| Action::Play(Play::Seek { at: Frames(at) }));
    assert_eq!(desk.state().actions, places);
}

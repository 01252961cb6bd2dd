//! Clips that are chosen together, and the scissors, used as a person uses them.

use crate::desk_tests::{Desk, call, click, desk, session};
use crate::ui_tests::open_model;
use deskhand_session::{ClipId, TrackId};
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

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
        assert_eq!(call(&desk), ("cmd_set_selection", wanted));
        session(&mut desk.state_mut().model).selection.clips = then;
        desk.state_mut().actions.clear();
        desk.run_steps(2);
    }
}

#[test]
fn the_scissors_split_a_clip_where_it_is_clicked_until_they_are_put_away() {
    let mut desk = desk(open_model());
    desk.get_by_label("Split where you click (C)").click();
    desk.run_steps(2);
    let rect = desk.get_by_label(GUITAR).rect();
    let quarter = rect.left_center() + vec2(rect.width() / 4.0, 0.0);
    click(&mut desk, quarter);
    let (tool, params) = call(&desk);
    assert_eq!((tool, &params["targets"]), ("cmd_split_clip", &json!([ClipId::new(2)])));
    // The clip is 10 s long.
    let at = params["at_s"].as_f64().unwrap();
    assert!((at - 2.5).abs() < 0.02, "{at}");
    desk.state_mut().actions.clear();
    desk.key_press(Key::V);
    desk.run_steps(2);
    let at = place(&desk, GUITAR);
    click(&mut desk, at);
    assert_eq!(call(&desk).0, "cmd_set_selection", "the arrow again");
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
        desk.get_by_label(words).click();
        desk.run_steps(3);
        let params = json!({"handle": "deskhand://clips/clip_000000000001", "viewer": viewer});
        assert_eq!(call(&desk), ("display_resource", params));
    }
}

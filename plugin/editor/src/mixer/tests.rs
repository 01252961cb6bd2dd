//! The mixer used as a person uses it, where the values and the names are not the usual ones.

use crate::desk_tests::{Desk, call, desk, session};
use crate::testing::prelude::*;
use crate::theme::Theme;
use deskhand_session::{PlannedChange, Track};
use egui::{Rect, Shape, vec2};

/// Where the things of this name are, from left to right, from the top down.
fn all(desk: &Desk, label: &str) -> Vec<Rect> {
    let mut all: Vec<Rect> = desk.get_all_by_label(label).map(|node| node.rect()).collect();
    all.sort_by(|a, b| (a.left(), a.top()).partial_cmp(&(b.left(), b.top())).unwrap());
    all
}

/// Two tracks of one name.
fn twins() -> Desk {
    let mut model = open_model();
    session(&mut model).tracks.insert(TrackId::new(2), Track::audio("Vocal"));
    desk(model)
}

#[test]
fn each_of_two_tracks_of_one_name_has_its_own_controls() {
    let controls = [
        ("Fader Vocal", vec2(0.0, 30.0)),
        ("Pan Vocal", vec2(20.0, 0.0)),
        ("Fader Vocal in the header", vec2(-12.0, 0.0)),
        ("Pan Vocal in the header", vec2(24.0, 0.0)),
    ];
    for (name, by) in controls {
        for number in [1, 2] {
            let mut desk = twins();
            let at = all(&desk, name)[number - 1].center();
            desk.drag(at, at + by);
            let (_, params) = call(&desk);
            assert_eq!(params["targets"], json!(TrackId::new(number as u64)), "{name}");
        }
    }
}

#[test]
fn the_over_mark_of_a_track_is_cleared_on_its_own_meter() {
    let mut desk = twins();
    let loud = crate::Levels { peak: [2.0; 2], ..crate::Levels::default() };
    let tracks = [1, 2].map(TrackId::new);
    desk.state_mut().model.live.tracks = tracks.map(|id| (id, loud)).into();
    desk.run_steps(1);
    desk.state_mut().model.live.tracks.clear();
    desk.run_steps(2);
    let at = all(&desk, "Meter Vocal")[0].center();
    desk.click_at(at);
    let meters = &mut desk.state_mut().model.desk.meters;
    let over = tracks.map(|id| meters.track(id)[0].is_over());
    assert_eq!(over, [false, true]);
}

#[test]
fn the_strip_of_an_armed_track_shows_what_comes_in() {
    let mut desk = twins();
    let loud = crate::Levels { peak: [2.0; 2], ..crate::Levels::default() };
    let live = &mut desk.state_mut().model.live;
    live.tracks.insert(TrackId::new(2), loud);
    live.incoming.insert(TrackId::new(1), [2.0; 2]);
    desk.run_steps(1);
    let overs = |desk: &Desk| {
        let mixer = desk.get_by_label("Mixer area").rect();
        let is_over = |shape: &Shape| {
            let Shape::Rect(it) = shape else { return false };
            it.fill == Theme::DARK.meter_over && mixer.contains_rect(it.rect)
        };
        desk.output().shapes.iter().filter(|it| is_over(&it.shape)).count()
    };
    let both = overs(&desk);
    desk.state_mut().model.live.incoming.clear();
    desk.state_mut().model.desk.meters.reset();
    desk.run_steps(1);
    let one = overs(&desk);
    assert!(one > 0 && both == 2 * one, "{both} and {one}");
}

fn at_gain(db: f64) -> Desk {
    let mut model = open_model();
    session(&mut model).tracks.get_mut(&TrackId::new(1)).unwrap().gain = Decibels(db);
    desk(model)
}

fn notch(desk: &mut Desk, by: f32) {
    desk.input_mut().events.push(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, by),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
}

#[test]
fn a_gain_beyond_the_scale_is_only_turned_inward() {
    for (gain, by, set) in [
        (12.0, 1.0, None),
        (12.0, -1.0, Some(11.5)),
        (-80.0, -1.0, None),
        (-80.0, 1.0, Some(-79.5)),
    ] {
        let mut desk = at_gain(gain);
        let at = all(&desk, "Fader Vocal")[0].center();
        desk.hover_at(at);
        desk.run_steps(1);
        notch(&mut desk, by);
        desk.run_steps(60);
        let calls = desk.state().actions.iter().filter(|it| matches!(it, Action::Call { .. }));
        match set {
            None => assert_eq!(calls.count(), 0, "{gain} turned by {by}"),
            Some(set) => assert_eq!(call(&desk).1["gain_db"], json!(set)),
        }
    }
}

#[test]
fn a_fader_that_slides_under_the_pointer_while_the_strips_scroll_stays_as_it_is() {
    let mut model = open_model();
    for number in 3..30 {
        let (id, session) = (TrackId::new(number), session(&mut model));
        session.tracks.insert(id, Track::audio(format!("Track {number}")));
        session.track_order.push(id);
    }
    let mut desk = desk(model);
    let beside = all(&desk, "Fader Vocal")[0].center() + vec2(super::STRIP / 2.0, 0.0);
    desk.hover_at(beside);
    desk.run_steps(1);
    let before = desk.state().model.desk.mixer.left;
    for _ in 0..12 {
        notch(&mut desk, -1.0);
        desk.run_steps(6);
    }
    assert!(desk.state().model.desk.mixer.left > before + 300.0);
    assert_eq!(desk.state().actions, []);
}

#[test]
fn a_fader_that_stands_above_its_scale_is_not_dragged_down_by_going_up() {
    let mut desk = at_gain(12.0);
    let at = all(&desk, "Fader Vocal")[0].center_top() + vec2(0.0, 6.0);
    desk.drag(at, at - vec2(0.0, 20.0));
    let is_call = |it: &Action| matches!(it, Action::Call { .. });
    assert!(!desk.state().actions.iter().any(is_call), "{:?}", desk.state().actions);
}

#[test]
fn a_notch_that_is_told_twice_counts_once_and_parts_of_one_add_up() {
    for parts in [vec![1.0, 1.0], vec![0.25; 4]] {
        let mut desk = at_gain(0.0);
        let at = all(&desk, "Fader Vocal")[0].center();
        desk.hover_at(at);
        desk.run_steps(1);
        parts.iter().for_each(|by| notch(&mut desk, *by));
        desk.run_steps(60);
        assert_eq!(call(&desk).1["gain_db"], json!(0.5), "{parts:?}");
    }
}

#[test]
fn what_is_typed_is_set_as_it_is_and_what_is_only_looked_at_stays() {
    for (typed, set) in [(Some("12"), Some(12.0)), (Some("-90.25"), Some(-90.25)), (None, None)] {
        let mut desk = at_gain(3.25);
        desk.focus_on("Fader Vocal");
        desk.press(Key::Enter);
        if let Some(typed) = typed {
            desk.get_by_label("Fader Vocal value").type_text(typed);
        }
        desk.run_steps(2);
        desk.press(Key::Enter);
        match set {
            Some(set) => assert_eq!(call(&desk).1["gain_db"], json!(set)),
            None => assert_eq!(desk.state().actions, []),
        }
    }
}

#[test]
fn solo_is_set_and_taken_back_on_the_strip_and_on_the_header() {
    for place in [0, 1] {
        for is_on in [false, true] {
            let mut model = open_model();
            session(&mut model).tracks.get_mut(&TrackId::new(2)).unwrap().solo = is_on;
            let mut desk = desk(model);
            let at = all(&desk, "Solo Guitar")[place].center();
            desk.click_at(at);
            let params = json!({"targets": TrackId::new(2), "solo": !is_on});
            assert_eq!(call(&desk), (Gesture::SoloTrack, params));
        }
    }
}

#[test]
fn the_master_has_one_of_its_forms_and_half_of_the_mixer_at_most() {
    let forms = [
        (300.0, super::SLIM_MASTER),
        (423.0, super::SLIM_MASTER),
        (424.0, super::NARROW_MASTER),
        (639.0, super::NARROW_MASTER),
        (640.0, super::NUMBERED),
        (2000.0, super::MASTER),
    ];
    for (room, wide) in forms {
        assert_eq!(super::master_width(room), wide, "{room}");
        assert!(wide <= room / 2.0);
    }
}

#[test]
fn beside_the_library_in_a_small_window_nothing_of_the_master_is_cut() {
    let mut model = open_model();
    model.desk.library.is_open = true;
    let mut desk = desk(model);
    desk.set_size(vec2(1000.0, 625.0));
    desk.run_steps(3);
    assert!(desk.query_by_label("Close the library").is_some());
    let mixer = desk.get_by_label("Mixer area").rect().expand(1.0);
    for name in ["Fader Master", "Meter Master", "Integrated −∞ LUFS", "True peak −∞ dBTP"]
    {
        let rect = desk.get_by_label(name).rect();
        assert!(mixer.contains_rect(rect), "{name} at {rect} of {mixer}");
    }
}

#[test]
fn of_a_narrow_strip_the_meter_stands_clear_of_the_number_of_a_planned_fader() {
    let mut model = open_model();
    for number in 3..6 {
        let (id, session) = (TrackId::new(number), session(&mut model));
        session.tracks.insert(id, Track::audio(format!("Track {number}")));
        session.track_order.push(id);
    }
    let edit = Edit::new(TrackId::new(1), Decibels::UNITY, Decibels(3.0));
    let reason = String::new();
    let change = PlannedChange::new(1, Change::SetTrackGain(edit), "Vocal".into(), reason);
    let plan = Plan { changes: vec![change], predicted: Vec::new(), ..gain_plan() };
    drop(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })));
    let mut desk = desk(model);
    desk.set_size(vec2(900.0, 600.0));
    desk.run_steps(3);
    let mixer = desk.get_by_label("Mixer area").rect();
    let meter = all(&desk, "Meter Vocal")[0].shrink(4.0);
    assert!(meter.width() > 12.0 && mixer.contains_rect(meter), "{meter}");
    let is_tag = |rect: Rect| (rect.size() - vec2(16.0, 16.0)).abs().max_elem() < 0.5;
    let shapes = desk.output().shapes.iter();
    let tags: Vec<Rect> = shapes
        .filter_map(|it| match &it.shape {
            Shape::Rect(shape) if shape.fill == Theme::DARK.accent => Some(shape.rect),
            _ => None,
        })
        .filter(|rect| is_tag(*rect) && mixer.contains_rect(*rect))
        .collect();
    assert_eq!(tags.len(), 1, "{tags:?}");
    assert!(tags[0].right() <= meter.left(), "{tags:?} lies on {meter}");
}

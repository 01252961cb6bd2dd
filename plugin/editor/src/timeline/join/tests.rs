//! The handle of a crossfade, used with the mouse.

use crate::desk_tests::{Desk, call, desk, session};
use crate::testing::prelude::*;
use deskhand_dsp::Fade;
use deskhand_session::{Clip, Crossing};
use egui::{Pos2, Rect, Shape, vec2};

const FIRST: ClipId = ClipId::new(1);
const SECOND: ClipId = ClipId::new(11);

/// The vocal, and a second clip of another part of it that begins `overlap` before the end of the first.
fn joined(overlap: i64) -> Model {
    let mut model = open_model();
    let session = session(&mut model);
    let fade = Fade { length: Frames(overlap), ..Fade::default() };
    let first = session.clips.get_mut(&FIRST).unwrap();
    first.fade_out = fade;
    let (start, position) = (Frames(960_000), first.end() - Frames(overlap));
    let second = Clip { name: "Reply".into(), start, position, fade_in: fade, ..first.clone() };
    session.clips.insert(SECOND, Clip { fade_out: Fade::default(), ..second });
    model
}

fn handles(desk: &Desk) -> Vec<Rect> {
    desk.get_all_by_label_contains("rossfade of Vocal take and Reply").map(|it| it.rect()).collect()
}

fn frames_per_point(desk: &Desk) -> f32 {
    480_000.0 / desk.get_by_label("Clip Vocal take at 0:00.000").rect().width()
}

/// The length that the only call asks for, frames.
fn asked(desk: &Desk) -> i64 {
    let (gesture, params) = call(desk);
    assert_eq!((gesture, &params["resize"]), (Gesture::Crossfade, &json!(true)));
    assert_eq!(params["targets"], json!([FIRST, SECOND]));
    (params["crossfade_ms"].as_f64().unwrap() * 48.0).round() as i64
}

fn is_painted(desk: &Desk, words: &str) -> bool {
    desk.output().shapes.iter().any(|clipped| match &clipped.shape {
        Shape::Text(text) => text.galley.text() == words,
        _ => false,
    })
}

#[test]
fn where_clips_touch_a_drag_makes_a_crossfade_about_the_join() {
    for way in [-1.0, 1.0] {
        let mut desk = desk(joined(0));
        let [handle] = handles(&desk)[..] else { panic!("one") };
        let per_point = frames_per_point(&desk);
        desk.drag(handle.center(), handle.center() + vec2(30.0 * way, 0.0));
        let off = asked(&desk) as f32 - 2.0 * 30.0 * per_point;
        assert!(off.abs() < 4.0 * per_point, "{off} frames off");
    }
}

#[test]
fn while_it_is_dragged_the_clips_and_the_length_are_shown_and_esc_takes_it_back() {
    let mut desk = desk(joined(0));
    let [handle] = handles(&desk)[..] else { panic!("one") };
    let to = handle.center() + vec2(30.0, 0.0);
    desk.hold(handle.center(), to);
    let timeline = &desk.state().model.desk.timeline;
    let Some(super::Drag::Join(join)) = &timeline.drag else { panic!("{:?}", timeline.drag) };
    let length = join.after[0].length();
    let session = desk.state().model.session().unwrap().clone();
    let first = join.changed(FIRST, &session.clips[&FIRST]).unwrap();
    let second = join.changed(SECOND, &session.clips[&SECOND]).unwrap();
    assert_eq!(first.end() - second.position, length);
    assert_eq!([first.fade_out.length, second.fade_in.length], [length; 2]);
    assert!(is_painted(&desk, &super::words(&session, length)));
    desk.press(egui::Key::Escape);
    desk.drop_at(to);
    desk.run_steps(2);
    assert_eq!(desk.state().actions, []);
}

#[test]
fn both_ends_of_a_crossfade_make_it_longer_outwards_and_shorter_inwards() {
    for (end, by, sign) in [(0, -20.0, 1), (0, 20.0, -1), (1, 20.0, 1), (1, -20.0, -1)] {
        let mut desk = desk(joined(48_000));
        let [left, right] = handles(&desk)[..] else { panic!("two") };
        let at = [left, right][end].center();
        let change = 2.0 * 20.0 * frames_per_point(&desk) * sign as f32;
        desk.drag(at, at + vec2(by, 0.0));
        let off = asked(&desk) as f32 - 48_000.0 - change;
        assert!(off.abs() < 4.0 * frames_per_point(&desk), "{off} frames off at end {end}");
    }
}

#[test]
fn one_that_is_dragged_together_is_taken_off() {
    let mut desk = desk(joined(48_000));
    let [left, right] = handles(&desk)[..] else { panic!("two") };
    desk.drag(right.center(), left.center() - vec2(20.0, 0.0));
    assert_eq!(asked(&desk), 0);
}

#[test]
fn no_longer_than_the_source_reaches() {
    let mut model = joined(0);
    let sources = &mut session(&mut model).sources;
    sources.values_mut().for_each(|source| source.frames = Frames(1_440_000));
    let second = session(&mut model).clips.get_mut(&SECOND).unwrap();
    second.start = Frames(4_800);
    let first = session(&mut model).clips.get_mut(&FIRST).unwrap();
    first.start = Frames(960_000 - 2_400);
    let mut desk = desk(model);
    let [handle] = handles(&desk)[..] else { panic!("one") };
    desk.drag(handle.center(), handle.center() + vec2(60.0, 0.0));
    assert_eq!(asked(&desk), 7_200);
}

#[test]
fn the_tracks_of_a_group_cross_at_the_same_time() {
    let mut model = joined(0);
    let session = session(&mut model);
    for (id, number) in [(FIRST, 2), (SECOND, 12)] {
        let clip = Clip { track: TrackId::new(2), ..session.clips[&id].clone() };
        session.clips.insert(ClipId::new(number), clip);
    }
    let tracks = vec![TrackId::new(1), TrackId::new(2)];
    let group = deskhand_session::Group { name: "Band".into(), tracks };
    session.groups.insert(deskhand_session::GroupId::new(1), group);
    let held = Crossing::of(session, FIRST, SECOND).unwrap();
    let join = super::Join::start(session, held, held.from).follow(session, Frames(484_800));
    let Some(Action::Call { params, .. }) = join.finish(session) else { panic!("a call") };
    let mut targets = params["targets"].as_array().unwrap().clone();
    targets.sort_by_key(ToString::to_string);
    let mut all = [1, 11, 2, 12].map(|number| json!(ClipId::new(number)));
    all.sort_by_key(ToString::to_string);
    assert_eq!(targets, all);
    assert_eq!(params["crossfade_ms"], json!(200.0));
}

#[test]
fn a_crossfade_that_is_out_of_view_has_no_handles() {
    let mut desk = desk(joined(48_000));
    assert_eq!(handles(&desk).len(), 2);
    let timeline = &mut desk.state_mut().model.desk.timeline;
    // It lies about the second 9.5.
    (timeline.zoom, timeline.left) = (Some(400.0), 0.0);
    desk.run_steps(2);
    assert!(desk.query_by_label_contains("rossfade of Vocal take and Reply").is_none());
}

/// The lines of fades, in the order in which they are drawn.
fn fades(desk: &Desk) -> Vec<(usize, Vec<Pos2>)> {
    let shapes = desk.output().shapes.iter().enumerate();
    let lines = shapes.filter_map(|(place, it)| match &it.shape {
        Shape::Path(path) if path.points.len() == 13 => Some((place, path.points.clone())),
        _ => None,
    });
    lines.collect()
}

#[test]
fn a_crossfade_shows_how_the_clip_below_ends() {
    let desk = desk(joined(96_000));
    let second = desk.output().shapes.iter().position(|it| match &it.shape {
        Shape::Text(text) => text.galley.text() == "Reply",
        _ => false,
    });
    let above: Vec<Vec<Pos2>> = fades(&desk)
        .into_iter()
        .filter(|(place, _)| Some(*place) > second)
        .map(|(_, points)| points)
        .collect();
    // From its silent end the one goes back, the other on.
    let back = above.iter().filter(|line| line[12].x < line[0].x).count();
    let on = above.iter().filter(|line| line[12].x > line[0].x).count();
    assert_eq!((back, on), (1, 1), "{above:?}");
}

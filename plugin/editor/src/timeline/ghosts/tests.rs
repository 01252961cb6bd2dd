//! A ghost for each row, its number where it can be read.

use crate::Theme;
use crate::testing::prelude::*;
use crate::testing::session;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Clip, ClipPlace, ClipWindow, Fades, Group, GroupId, InsertId, Marker, MarkerId, Meter,
    MeterPoint, PlannedChange, Ripple, TempoPoint, Track,
};
use egui::{Pos2, Shape};

pub(super) fn drawn(changes: Vec<Change>) -> Harness<'static, Desk> {
    drawn_in(open_model(), changes)
}

pub(super) fn drawn_in(mut model: Model, changes: Vec<Change>) -> Harness<'static, Desk> {
    let planned = (1..).zip(changes).map(|(number, change)| {
        PlannedChange::new(number, change, "Guitar".into(), "measured".into())
    });
    let changes = planned.collect();
    let plan = Plan { changes, predicted: Vec::new(), findings: Vec::new(), ..gain_plan() };
    assert_eq!(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })), []);
    harness(model)
}

/// Where words are painted left of the conversation.
pub(super) fn places(harness: &Harness<'_, Desk>, words: &str) -> Vec<Pos2> {
    let mut found = Vec::new();
    for clipped in &harness.output().shapes {
        let Shape::Text(text) = &clipped.shape else { continue };
        if text.galley.text() == words && text.pos.x < 1_000.0 {
            found.push(text.pos);
        }
    }
    found
}

/// Whether something of a color is painted with its middle in a range of heights, left of the conversation.
pub(super) fn is_drawn(
    harness: &Harness<'_, Desk>,
    color: egui::Color32,
    heights: egui::Rangef,
) -> bool {
    harness.output().shapes.iter().any(|clipped| {
        let is_it = match &clipped.shape {
            Shape::LineSegment { stroke, .. } => stroke.color == color,
            Shape::Rect(rect) => rect.fill == color || rect.stroke.color == color,
            _ => false,
        };
        let middle = clipped.shape.visual_bounding_rect().center();
        is_it && heights.contains(middle.y) && middle.x < 1_000.0
    })
}

/// The heights of the lane of a clip, by the name on it.
pub(super) fn lane(harness: &Harness<'_, Desk>, clip: &str) -> egui::Rangef {
    let [name] = places(harness, clip)[..] else { panic!("{clip} is there once") };
    egui::Rangef::new(name.y, name.y + 60.0)
}

fn limiter(number: u64, on: serde_json::Value) -> Change {
    let placed = json!({"on": on, "index": 0, "switch": "on",
        "effect": {"kind": "limiter", "gain": 0.0, "ceiling": -1.0, "release_ms": 50.0}});
    let placed = serde_json::from_value(placed).unwrap();
    Change::SetInsert(Edit::create(InsertId::new(number), placed))
}

#[test]
fn every_change_of_a_strip_has_a_number_of_its_own_there_and_in_its_lane() {
    let track = TrackId::new(2);
    let pan = Change::SetTrackPan(Edit::new(track, 0.0, 0.5));
    let mute = Change::SetTrackMute(Edit::new(track, false, true));
    let gain = Edit::new(session().id, deskhand_dsp::Decibels(0.0), deskhand_dsp::Decibels(-3.0));
    let changes = vec![
        pan,
        mute,
        limiter(1, json!({"track": track})),
        limiter(2, json!("master")),
        Change::SetMasterGain(gain),
    ];
    let harness = drawn(changes);
    let [pan, mute, insert] = ["1", "2", "3"].map(|number| places(&harness, number));
    let lane = pan[0].y;
    assert!(mute[0].y == lane && mute[0].x >= pan[0].x + 16.0, "{mute:?} {pan:?}");
    assert!(insert.iter().any(|at| at.y == lane && at.x >= mute[0].x + 16.0), "{insert:?}");
    assert!(insert.iter().any(|at| at.y > lane + 100.0), "in the mixer: {insert:?}");
    for number in ["4", "5"] {
        assert!(!places(&harness, number).is_empty(), "{number} is of the mix");
    }
}

#[test]
fn the_words_of_a_trim_stand_on_what_is_kept() {
    let window = |length| ClipWindow {
        start: deskhand_dsp::Frames::ZERO,
        length: deskhand_dsp::Frames(length),
        position: deskhand_dsp::Frames::ZERO,
    };
    let trim = Edit::new(ClipId::new(2), window(480_000), window(240_000));
    let harness = drawn(vec![Change::TrimClip(trim)]);
    assert!(places(&harness, "Remove").is_empty());
    let [trim] = places(&harness, "Trim")[..] else { panic!("one") };
    let name = places(&harness, "Guitar take")[0];
    let width = 1_000.0 - name.x;
    assert!(trim.x < name.x + width / 2.0, "{trim:?} of {name:?}");
}

#[test]
fn a_clip_that_goes_to_another_track_is_drawn_there_and_its_place_as_left() {
    let place = |track, position| ClipPlace {
        track: TrackId::new(track),
        position: deskhand_dsp::Frames(position),
    };
    let to_vocal = Edit::new(ClipId::new(2), place(2, 0), place(1, 120_000));
    let harness = drawn(vec![Change::MoveClip(to_vocal)]);
    let [vocal, guitar] = ["Vocal take", "Guitar take"].map(|clip| lane(&harness, clip));
    let [words] = places(&harness, "To Vocal")[..] else { panic!("one ghost") };
    assert!(vocal.contains(words.y), "{words:?} {vocal:?}");
    let theme = Theme::DARK;
    assert!(is_drawn(&harness, theme.accent, vocal), "its edges");
    assert!(!is_drawn(&harness, theme.accent, guitar), "nothing comes here");
    assert!(is_drawn(&harness, theme.outline, guitar), "it goes from here");
}

fn clip_on(track: TrackId, position: i64) -> Clip {
    let Some(clip) = session().clips.remove(&ClipId::new(2)) else { panic!("a clip") };
    Clip { name: "Double".into(), track, position: deskhand_dsp::Frames(position), ..clip }
}

#[test]
fn a_track_that_a_plan_makes_has_a_lane_below_the_others_and_the_clips_on_it_are_there() {
    let new = TrackId::new(9);
    let placed = PlacedTrack { index: 0, track: Track::audio("Choir") };
    let harness = drawn(vec![
        Change::AddTrack(Edit::create(new, placed)),
        Change::AddClip(Edit::create(ClipId::new(9), clip_on(new, 0))),
        Change::SetClipFades(Edit::new(ClipId::new(9), Fades::default(), Fades::default())),
    ]);
    let guitar = lane(&harness, "Guitar take");
    let below = guitar.min + 76.0..guitar.min + 152.0;
    for words in ["Choir", "Double", "Fades"] {
        let found = places(&harness, words);
        assert!(found.iter().any(|at| below.contains(&at.y)), "{words}: {found:?} in {below:?}");
    }
    assert!(is_drawn(&harness, Theme::DARK.accent, egui::Rangef::new(below.start, below.end)));
}

#[test]
fn a_track_that_is_moved_stands_among_those_there_are_whatever_new_ones_come_ahead() {
    let placed = PlacedTrack { index: 0, track: Track::audio("Choir") };
    let line = |changes: Vec<Change>| {
        let harness = drawn(changes);
        let top = lane(&harness, "Vocal take").min;
        is_drawn(&harness, Theme::DARK.accent, egui::Rangef::new(top - 24.0, top))
    };
    let moved = |from, to| Change::MoveTrack(Edit::new(TrackId::new(2), from, to));
    assert!(line(vec![moved(1, 0)]), "ahead of the first");
    let add = Change::AddTrack(Edit::create(TrackId::new(9), placed));
    let behind = vec![add.clone(), moved(2, 1)];
    assert!(line(behind), "behind the new one, ahead of the first there is");
    assert!(line(vec![add, moved(2, 0)]), "ahead of both");
}

#[test]
fn the_lanes_of_new_tracks_are_scrolled_to() {
    let placed = |index| PlacedTrack { index, track: Track::audio(format!("Voice {index}")) };
    let add =
        |index| Change::AddTrack(Edit::create(TrackId::new(20 + index as u64), placed(index)));
    let mut harness = drawn((0..12).map(add).collect());
    let last = |harness: &Harness<'_, Desk>| places(harness, "Voice 11");
    let bottom = harness.get_by_label("Lanes").rect().bottom();
    assert!(last(&harness).iter().all(|at| at.y > bottom), "out of view");
    harness.state_mut().model.desk.timeline.down = 10_000.0;
    harness.run_steps(3);
    assert!(last(&harness).iter().any(|at| at.y < bottom), "{:?}", last(&harness));
}

#[test]
fn a_clip_that_a_plan_puts_behind_the_end_is_in_reach() {
    let late = clip_on(TrackId::new(2), 960_000);
    let harness = drawn(vec![Change::AddClip(Edit::create(ClipId::new(9), late))]);
    let right = harness.get_by_label("Lanes").rect().right();
    let [name] = places(&harness, "Double")[..] else { panic!("one ghost") };
    assert!(name.x < right, "{name:?} ends at {right}");
}

/// A session with a marker at 2 s, 4 s, 6 s and 8 s, and a plan of these changes.
fn drawn_with_markers(changes: Vec<Change>) -> Harness<'static, Desk> {
    let mut model = open_model();
    for (number, name) in (1..).zip(["Intro", "Verse", "Chorus", "Bridge"]) {
        let markers = &mut crate::desk_tests::session(&mut model).markers;
        markers.insert(MarkerId::new(number), marker(name, number as i64 * 96_000));
    }
    drawn_in(model, changes)
}

pub(super) fn marker(name: &str, position: i64) -> Marker {
    let (position, length) = (deskhand_dsp::Frames(position), deskhand_dsp::Frames::ZERO);
    Marker { name: name.into(), position, length, code: None }
}

#[test]
fn markers_that_come_go_move_and_are_named_anew_have_flags() {
    let span = |position| marker("", position).span();
    let harness = drawn_with_markers(vec![
        Change::AddMarker(Edit::create(MarkerId::new(9), marker("Solo", 0))),
        Change::RenameMarker(Edit::new(MarkerId::new(1), "Intro".into(), "Opening".into())),
        Change::RemoveMarker(Edit::remove(MarkerId::new(2), marker("Verse", 192_000))),
        Change::MoveMarker(Edit::new(MarkerId::new(3), span(288_000), span(432_000))),
        Change::SetMarkerCode(Edit::new(MarkerId::new(4), None, Some("keep".into()))),
    ]);
    let x = |words: &str| {
        let found = places(&harness, words);
        found.iter().map(|at| at.x).fold(f32::NEG_INFINITY, f32::max)
    };
    let second = (x("Verse") - x("Solo")) / 4.0;
    assert!((x("Opening") - x("Solo")) > 2.0 * second, "behind what it was");
    assert!((x("Chorus") - x("Solo") - 9.0 * second).abs() < 2.0, "where it comes to");
    assert!((x("Bridge: keep") - x("Solo") - 8.0 * second).abs() < 2.0);
    let row = places(&harness, "Solo")[0].y;
    let heights = egui::Rangef::new(row - 2.0, row + 18.0);
    for (number, words) in ["Solo", "Opening", "Verse", "Chorus", "Bridge: keep"].iter().enumerate()
    {
        let numbers = places(&harness, &(number + 1).to_string());
        assert!(numbers.iter().any(|at| heights.contains(at.y)), "{words}: {numbers:?}");
    }
    assert!(is_drawn(&harness, Theme::DARK.danger, heights), "the removed one is crossed out");
}

/// A session with a group of some tracks, and 2 s from 4 s on that are taken out of it, or put in.
fn two_seconds(tracks: &[u64], is_put_in: bool) -> Harness<'static, Desk> {
    let mut model = open_model();
    let session = crate::desk_tests::session(&mut model);
    let tracks: Vec<TrackId> = tracks.iter().map(|track| TrackId::new(*track)).collect();
    let group = GroupId::new(1);
    session.groups.insert(group, Group { name: "Band".into(), tracks: tracks.clone() });
    let [at, length] = [192_000, 96_000].map(deskhand_dsp::Frames);
    let new_id = || ClipId::new(77);
    let change = if is_put_in {
        let before = Ripple::now(session, &tracks, at, deskhand_dsp::Frames::ZERO);
        let after = before.opened(length, new_id);
        Change::RippleInsert(Edit { target: group, before, after })
    } else {
        let before = Ripple::now(session, &tracks, at, length);
        let after = before.closed(new_id);
        Change::RippleDelete(Edit { target: group, before, after })
    };
    drawn_in(model, vec![change])
}

#[test]
fn time_is_closed_and_put_in_over_the_lanes_it_touches() {
    let theme = Theme::DARK;
    for (is_put_in, color, words) in
        [(false, theme.danger, "Close time"), (true, theme.accent, "Insert 2.0\u{a0}s")]
    {
        let harness = two_seconds(&[2], is_put_in);
        let [vocal, guitar] = ["Vocal take", "Guitar take"].map(|clip| lane(&harness, clip));
        let [label] = places(&harness, words)[..] else { panic!("{words} once") };
        assert!(guitar.contains(label.y), "{label:?} {guitar:?}");
        assert!(is_drawn(&harness, color, guitar), "{words}");
        assert!(!is_drawn(&harness, color, vocal), "{words} leaves that track alone");
        let both = two_seconds(&[1, 2], is_put_in);
        assert_eq!(places(&both, words).len(), 1, "lanes that touch are one band");
    }
}

#[test]
fn tempo_and_meter_have_flags_where_they_differ() {
    let tempo = |at, bpm| TempoPoint { position: deskhand_dsp::Frames(at), bpm };
    let meter = |at, numerator| MeterPoint {
        position: deskhand_dsp::Frames(at),
        meter: Meter { numerator, denominator: 4 },
    };
    let mut model = open_model();
    let session = crate::desk_tests::session(&mut model);
    session.meter = vec![meter(0, 4), meter(384_000, 3)];
    let changes = vec![
        Change::SetTempo(Edit::new(
            session.id,
            vec![tempo(0, 120.0)],
            vec![tempo(0, 96.0), tempo(240_000, 101.5)],
        )),
        Change::SetMeter(Edit::new(
            session.id,
            vec![meter(0, 4), meter(384_000, 3)],
            vec![meter(0, 4)],
        )),
    ];
    let harness = drawn_in(model, changes);
    let x = |words: &str| {
        let [at] = places(&harness, words)[..] else { panic!("{words} once") };
        at.x
    };
    let flags = ["120\u{a0}bpm", "96\u{a0}bpm", "101.5\u{a0}bpm", "3/4"].map(x);
    assert!(flags.is_sorted(), "{flags:?}");
    assert!(places(&harness, "4/4").is_empty(), "that stays");
    let numbers = ["1", "2"].map(|number| places(&harness, number).len());
    assert!(numbers[0] >= 2 && numbers[1] >= 1, "{numbers:?}");
}

#[test]
fn the_first_tracks_of_a_session_have_lanes_while_they_are_planned() {
    let mut model = open_model();
    let session = crate::desk_tests::session(&mut model);
    (session.tracks, session.clips, session.track_order) = Default::default();
    let new = TrackId::new(9);
    let placed = PlacedTrack { index: 0, track: Track::audio("Choir") };
    let changes = vec![
        Change::AddTrack(Edit::create(new, placed)),
        Change::AddClip(Edit::create(ClipId::new(9), clip_on(new, 0))),
    ];
    let mut harness = drawn_in(model, changes);
    assert!(harness.query_by_label("Ghost of change 2: Double").is_some());
    let lanes = harness.get_by_label("Lanes").rect();
    let from = lanes.left_top() + egui::vec2(40.0, 40.0);
    harness.drag(from, lanes.center());
    let params = json!({"targets": []});
    let nothing = crate::Action::Call { gesture: Gesture::Select, params };
    assert_eq!(harness.state().actions, [nothing], "no clip is there yet");
}

#[test]
fn a_row_without_a_tick_has_a_faint_ghost_and_its_number() {
    let mut harness = drawn(vec![
        Change::AddClip(Edit::create(ClipId::new(8), clip_on(TrackId::new(1), 0))),
        Change::AddClip(Edit::create(ClipId::new(9), clip_on(TrackId::new(2), 0))),
    ]);
    let guitar = lane(&harness, "Guitar take");
    let [whole, faint] =
        [1.0, super::FAINT].map(|it| crate::kit::cx::alpha(Theme::DARK.accent, it));
    let card = |harness: &mut Harness<'static, Desk>, current| {
        let cards = &mut harness.state_mut().model.cards;
        let view = &mut cards.get_mut(&gain_plan().id).unwrap().view;
        view.ticks.off.insert("c2".into());
        view.list.current = current;
        harness.run_steps(3);
    };
    assert!(is_drawn(&harness, whole, guitar));
    card(&mut harness, None);
    assert!(!is_drawn(&harness, whole, guitar) && is_drawn(&harness, faint, guitar));
    assert!(harness.query_by_label("Ghost of change 2: Double").is_some());
    card(&mut harness, Some(1));
    assert!(!is_drawn(&harness, whole, guitar) && is_drawn(&harness, faint, guitar));
}

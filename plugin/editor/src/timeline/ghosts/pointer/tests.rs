//! The pointer on a row and on its ghost.

use crate::Theme;
use crate::card::view::CardView;
use crate::kit::cx::alpha;
use crate::testing::prelude::*;
use crate::timeline::ghosts::tests::{drawn, is_drawn, lane};
use deskhand_session::Clip;
use egui::{Rect, Shape, pos2, vec2};

const ROWS: [&str; 2] = [
    "Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB",
    "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB",
];

fn gains() -> Harness<'static, Desk> {
    harness(with_plan())
}

fn view<'h>(harness: &'h Harness<'_, Desk>) -> &'h CardView {
    &harness.state().model.cards[&gain_plan().id].view
}

/// The middle of a row of the card, next to its tick.
fn row(harness: &Harness<'_, Desk>, index: usize) -> egui::Pos2 {
    harness.get_by_label(ROWS[index]).rect().center() + vec2(120.0, 4.0)
}

/// A point of the ghost of a clip, below its name.
fn ghost(harness: &Harness<'_, Desk>, clip: &str) -> egui::Pos2 {
    let clip = harness.get_by_label(clip).rect();
    pos2(clip.left() + clip.width() / 3.0, clip.center().y)
}

/// Whether a row of the card is lit.
fn is_lit(harness: &Harness<'_, Desk>, index: usize) -> bool {
    let (color, at) = (alpha(Theme::DARK.hover, 0.9), row(harness, index));
    let shapes = harness.output().shapes.iter();
    let mut fills = shapes.filter_map(|clipped| match &clipped.shape {
        Shape::Rect(rect) if rect.fill == color => Some(rect.rect),
        _ => None,
    });
    fills.any(|rect: Rect| rect.contains(at))
}

#[test]
fn the_pointer_on_a_row_leaves_its_ghost_as_it_is_and_the_others_faint() {
    let mut harness = gains();
    let lanes = ["Vocal take", "Guitar take"].map(|clip| lane(&harness, clip));
    let [whole, faint] = [1.0, super::super::FAINT].map(|it| alpha(Theme::DARK.accent, it));
    assert!(lanes.iter().all(|lane| is_drawn(&harness, whole, *lane)));
    let at = row(&harness, 0);
    harness.hover_at(at);
    harness.run_steps(3);
    assert!(is_drawn(&harness, whole, lanes[0]) && !is_drawn(&harness, faint, lanes[0]));
    assert!(is_drawn(&harness, faint, lanes[1]) && !is_drawn(&harness, whole, lanes[1]));
    harness.hover_at(pos2(500.0, 800.0));
    harness.run_steps(3);
    assert!(lanes.iter().all(|lane| is_drawn(&harness, whole, *lane)), "it is gone from there");
}

#[test]
fn the_pointer_on_a_ghost_lights_its_row() {
    let mut harness = gains();
    for (index, clip) in
        ["Clip Vocal take at 0:00.000", "Clip Guitar take at 0:00.000"].into_iter().enumerate()
    {
        let at = ghost(&harness, clip);
        harness.hover_at(at);
        harness.run_steps(3);
        assert!(is_lit(&harness, index), "{clip}");
        assert!(!is_lit(&harness, 1 - index), "{clip}");
    }
    let tag = harness.get_by_label("Ghost of change 1: +4.5\u{a0}dB").rect().center();
    harness.hover_at(tag);
    harness.run_steps(3);
    assert!(is_lit(&harness, 0), "on its number");
}

#[test]
fn a_click_on_a_number_goes_to_its_row_which_has_the_keyboard() {
    let mut harness = gains();
    harness.click_on("Ghost of change 2: −3.0\u{a0}dB");
    assert_eq!(view(&harness).list.current, Some(1));
    assert!(view(&harness).focus.whole.is_some(), "the card has the keyboard");
    assert_eq!(harness.state().actions, [], "nothing is selected");
}

#[test]
fn a_click_on_a_ghost_chooses_its_row_and_the_clip_that_is_there() {
    let mut harness = gains();
    let at = ghost(&harness, "Clip Guitar take at 0:00.000");
    harness.click_at(at);
    assert_eq!(view(&harness).list.current, Some(1));
    assert!(view(&harness).focus.whole.is_none(), "the lanes have the keyboard");
    assert_eq!(harness.state().actions.len(), 1, "{:?}", harness.state().actions);
}

#[test]
fn a_number_of_several_rows_goes_through_them() {
    let clip = |number: u64| {
        let clip = crate::testing::session().clips[&ClipId::new(1)].clone();
        let (position, length) = (Frames(number as i64 * 2_000), Frames(1_500));
        let clip = Clip { track: TrackId::new(2), position, length, ..clip };
        Change::AddClip(Edit::create(ClipId::new(100 + number), clip))
    };
    let mut harness = drawn((0..5).map(clip).collect());
    for wanted in [0, 1, 2] {
        harness.click_on("Ghosts of changes 1–5");
        assert_eq!(view(&harness).list.current, Some(wanted));
    }
}

#[test]
fn a_row_that_a_filter_hides_is_brought_back_by_its_ghost() {
    let mut harness = gains();
    let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
    card.view.list.filter = "vocal".into();
    harness.run_steps(3);
    assert!(harness.query_by_label(ROWS[1]).is_none());
    harness.click_on("Ghost of change 2: −3.0\u{a0}dB");
    assert!(harness.query_by_label(ROWS[1]).is_some());
}

/// Whether the number of a row is visible in the lanes.
fn is_seen(harness: &Harness<'_, Desk>, label: &str) -> bool {
    let lanes = harness.get_by_label("Lanes").rect();
    harness.query_by_label(label).is_some_and(|tag| lanes.contains_rect(tag.rect()))
}

#[test]
fn a_step_and_a_click_on_a_row_bring_the_change_into_view() {
    let late = crate::testing::session().clips[&ClipId::new(1)].clone();
    let late = Clip { position: Frames(48_000 * 50), length: Frames(48_000), ..late };
    let lanes = (0..12).map(|index| {
        let track = deskhand_session::Track::audio(format!("Voice {index}"));
        let placed = deskhand_session::track::PlacedTrack { index, track };
        Change::AddTrack(Edit::create(TrackId::new(20 + index as u64), placed))
    });
    let on_last = Clip { track: TrackId::new(31), ..late };
    let mut changes: Vec<Change> = lanes.collect();
    changes.push(Change::AddClip(Edit::create(ClipId::new(9), on_last)));
    for is_step in [true, false] {
        let mut harness = drawn(changes.clone());
        let view = &mut harness.state_mut().model.desk.timeline;
        (view.zoom, view.left) = (Some(200.0), 0.0);
        harness.run_steps(3);
        let label = "Ghost of change 13: Vocal take";
        assert!(!is_seen(&harness, label));
        if is_step {
            let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
            (card.view.focus.takes_keyboard, card.view.list.current) = (true, Some(11));
            harness.run_steps(3);
            harness.key_press(egui::Key::J);
        } else {
            let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
            card.view.list.go_to(12);
            harness.run_steps(4);
            let row = harness.get_by_label_contains("Change 13:").rect().center();
            let row = row + vec2(120.0, 4.0);
            harness.hover_at(row);
            harness.run_steps(1);
            harness.drag_at(row);
            harness.drop_at(row);
        }
        harness.run_steps(4);
        assert!(is_seen(&harness, label), "by a step: {is_step}");
        assert_eq!(harness.state().model.desk.timeline.zoom, Some(200.0));
    }
}

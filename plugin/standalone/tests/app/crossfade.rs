//! Clips that cross, with the mouse on a real window, a real hub and the real tools.

use crate::user_session::Seat;
use crate::window::{Screen, until_shown};
use deskhand_dsp::{FadeCurve, Frames};
use deskhand_editor::{Action, Model};
use deskhand_session::{Clip, ClipId};
use egui::vec2;
use serde_json::json;
use std::collections::BTreeMap;

const SECOND: i64 = 48_000;
const JOIN: i64 = 6 * SECOND;

/// A seat with two clips of the tone that touch at 6 s, of different parts of it.
fn joined() -> Seat {
    let mut seat = Seat::new();
    seat.until("the session", || {}, |model| model.session().is_some());
    seat.import_tone();
    seat.until("the import", || {}, |model| clips(model).len() == 1);
    seat.call("cmd_trim_clip", json!({"targets": "tone", "end_s": 6}));
    seat.until("the trim", || {}, |model| has_ends(model, JOIN));
    let second =
        json!({"track": "tone", "source": "tone", "at_s": 6, "start_s": 2, "name": "reply"});
    seat.call("cmd_add_clip", second);
    seat.until("the second clip", || {}, |model| clips(model).len() == 2);
    seat
}

fn clips(model: &Model) -> BTreeMap<ClipId, Clip> {
    model.session().map(|session| session.clips.clone()).unwrap_or_default()
}

fn has_ends(model: &Model, at: i64) -> bool {
    clips(model).values().any(|clip| clip.end() == Frames(at))
}

/// The clip that ends at the join, and the one that begins there.
fn pair(model: &Model) -> [Clip; 2] {
    let mut clips: Vec<Clip> = clips(model).into_values().collect();
    clips.sort_by_key(|clip| clip.position);
    clips.try_into().unwrap()
}

/// How long both play; they cross about the join, with fades over all of it.
fn crossed(model: &Model) -> Frames {
    let [first, second] = pair(model);
    let length = first.end() - second.position;
    assert_eq!([first.fade_out.length, second.fade_in.length], [length; 2]);
    let off = (first.end() + second.position).0 - 2 * JOIN;
    assert!(off.abs() <= 1, "{off} frames from the middle");
    length
}

/// Draws frames of the window until what the last drag asked for is there.
fn until_changed(seat: &mut Seat, screen: &mut Screen) {
    let before = seat.model.head();
    seat.until("the change", || {}, |model| model.head() != before);
    until_shown(seat, screen, "rossfade of tone and reply");
}

#[test]
fn clips_are_crossed_with_the_mouse_and_each_drag_is_one_step_to_undo() {
    let mut seat = joined();
    let touching = clips(&seat.model);
    // Where clips only touch the handle is there for those that are selected.
    let ids: Vec<ClipId> = touching.keys().copied().collect();
    seat.call("cmd_set_selection", json!({"targets": ids}));
    let is_selected = |model: &Model| model.session().unwrap().selection.clips.len() == 2;
    seat.until("the selection", || {}, is_selected);
    let mut screen = Screen::of(&seat);
    until_shown(&mut seat, &mut screen, "Drag for a crossfade of tone and reply");
    screen.drag("Drag for a crossfade of tone and reply", vec2(24.0, 0.0));
    until_changed(&mut seat, &mut screen);
    let short = crossed(&seat.model);
    let [first, _] = pair(&seat.model);
    assert!(short > Frames(SECOND / 10), "{short:?}");
    assert_eq!(first.fade_out.curve, FadeCurve::EqualPower);
    let crossing = clips(&seat.model);

    until_shown(&mut seat, &mut screen, "Crossfade of tone and reply");
    screen.drag("Crossfade of tone and reply", vec2(-20.0, 0.0));
    until_changed(&mut seat, &mut screen);
    let long = crossed(&seat.model);
    assert!(long > short, "{long:?} after {short:?}");

    for (step, wanted) in [("the length", crossing), ("the crossfade", touching)] {
        assert_eq!(seat.open.act(&mut seat.model, Action::Undo), None);
        seat.until(step, || {}, |model| clips(model) == wanted);
    }
}

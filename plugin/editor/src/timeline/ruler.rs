//! Ruler and markers: click to go, drag to repeat, markers to move and name.

use super::Axis;
use super::calls::{add_marker, seconds};
use super::marker_names::Apart;
use super::menu::{close_gap, mark, markers};
use super::snap::Snap;
use crate::action::{Action, Actions, Gesture, call};
use crate::kit::cx::alpha;
use crate::kit::menu::{self as kit_menu, entries, entry, entry_with_key};
use crate::kit::{Cut, Cx, context};
use crate::scene::Scene;
use crate::theme::Type;
use crate::timeline::view::{Named, Pull, TimelineView};
use deskhand_dsp::Frames;
use deskhand_protocol::desk::Play;
use deskhand_session::{Marker, MarkerId};
use egui::{CursorIcon, Rect, Response, Sense, Ui, pos2, vec2};
use serde_json::json;

/// Height of the row of times.
pub(super) const TIMES: f32 = 24.0;
/// Markers that are closer than this share a stack, points.
const TIGHT: f32 = 10.0;

pub(super) fn show(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    rect: Rect,
    axis: &Axis,
    out: &mut Actions,
) {
    let mut rest = rect;
    let times = rest.cut_top(TIMES);
    cycle(cx, scene, view, times, axis);
    cx.hline(rect.left(), rect.right(), times.bottom() - 1.0, cx.t.line);
    for (second, is_major) in axis.ticks() {
        let height = if is_major { 8.0 } else { 4.0 };
        let (x, bottom) = (axis.x(second), times.bottom() - 1.0);
        cx.vline(x, bottom - height, bottom, cx.t.line_strong);
        if is_major {
            let at = pos2(x + 4.0, times.top() + 10.0);
            cx.left(at, &axis.label(second), Type::TICK, cx.t.text_3);
        }
    }
    go(cx, scene, view, times, axis, out);
    marker_row(cx, scene, view, rest, axis, out);
    let (stacks, names) = (stacks(scene, view, axis), Apart::of(scene.session));
    for (place, stack) in stacks.iter().enumerate() {
        let end = stacks.get(place + 1).map_or(f32::INFINITY, |next| next.x - 2.0);
        self::marker(cx, scene, view, rest, axis, (stack, end, &names), out);
    }
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line_strong);
}

/// The range that repeats: real when the player has it, else the one being drawn.
fn cycle(cx: &Cx<'_>, scene: Scene<'_>, view: &TimelineView, times: Rect, axis: &Axis) {
    let drawn = match view.pull {
        Some(Pull::Loop { from, to }) => Some((from.min(to), from.max(to))),
        Some(Pull::Cancelled | Pull::Playhead { .. } | Pull::Marker { .. }) | None => {
            scene.live.cycle
        }
    };
    let Some((from, to)) = drawn else { return };
    let (left, right) = (axis.frame_x(from), axis.frame_x(to));
    let bar = Rect::from_min_max(pos2(left, times.top()), pos2(right, times.bottom() - 1.0));
    cx.fill(bar, 0.0, cx.t.hover);
    cx.fill(Rect::from_min_size(bar.min, vec2(bar.width(), 3.0)), 0.0, cx.t.text_2);
}

/// Where the playhead at `x` is taken.
fn grip(times: Rect, x: f32) -> Rect {
    let foot = pos2(x + 0.5, times.bottom());
    Rect::from_min_max(foot - vec2(7.0, 10.0), foot + vec2(7.0, 0.0))
}

/// The times: a click goes there, a drag repeats a range, the playhead is dragged along.
fn go(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    times: Rect,
    axis: &Axis,
    out: &mut Actions,
) {
    // Where a host has the transport it is a ruler, and no control.
    let (sense, role) = if scene.live.is_hosted() {
        (Sense::hover(), egui::Role::Label)
    } else {
        (Sense::click_and_drag(), egui::Role::Button)
    };
    let response = cx.interact(times, "ruler", sense);
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, "Ruler"));
    if scene.live.is_hosted() {
        return;
    }
    menu(scene, view, axis, &response, out);
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) {
        out.push(Action::Play(Play::Seek { at: axis.frame_at(at.x) }));
    }
    let grip = grip(times, axis.frame_x(scene.live.position));
    if response.hover_pos().is_some_and(|at| grip.contains(at)) {
        cx.ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    drag(cx, scene, view, (axis, grip), &response, out);
}

/// Drags the playhead by its `grip`, else the range that repeats.
fn drag(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    (axis, grip): (&Axis, Rect),
    response: &egui::Response,
    out: &mut Actions,
) {
    let alt = cx.ui.input(|input| input.modifiers.alt);
    let is_on = !view.is_loose && !alt;
    let snapped = |x: f32, playhead: Frames| {
        let snap = Snap { session: scene.session, axis, playhead, without: &[], is_on };
        snap.at(axis.frame_at(x))
    };
    let Some(pointer) = response.interact_pointer_pos() else { return };
    let position = scene.live.position;
    if response.drag_started() {
        let pressed = cx.ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        let from = snapped(pressed.x, position);
        let is_grip = grip.contains(pressed);
        let (playhead, cycle) = (Pull::Playhead { to: position }, Pull::Loop { from, to: from });
        view.pull = Some(if is_grip { playhead } else { cycle });
    }
    match &mut view.pull {
        Some(Pull::Loop { to, .. }) => *to = snapped(pointer.x, position),
        Some(Pull::Playhead { to }) => {
            // It does not snap to itself.
            let at = snapped(pointer.x, Frames::ZERO);
            if std::mem::replace(to, at) != at {
                out.push(Action::Play(Play::Seek { at }));
            }
        }
        Some(Pull::Cancelled | Pull::Marker { .. }) | None => {}
    }
    if response.drag_stopped()
        && let Some(Pull::Loop { from, to }) = view.pull.take()
        && from != to
    {
        let range = Some((from.min(to), from.max(to)));
        view.last_loop = range;
        out.push(Action::Play(Play::Loop { range }));
    }
}

/// The row under the markers: a double click makes one.
fn marker_row(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    row: Rect,
    axis: &Axis,
    out: &mut Actions,
) {
    // No stop of Tab: the keyboard adds a marker by M.
    let response = cx.interact(row, "markers", Sense::CLICK);
    menu(scene, view, axis, &response, out);
    let Some(at) = response.interact_pointer_pos() else { return };
    let frame = axis.frame_at(at.x);
    if response.double_clicked() {
        out.push(add_marker(scene.session, frame));
    }
}

/// The menu of the ruler: the loop, the zoom, markers and the selected time.
fn menu(
    scene: Scene<'_>,
    view: &mut TimelineView,
    axis: &Axis,
    response: &Response,
    out: &mut Actions,
) {
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.secondary_clicked()) {
        view.menu_frame = axis.frame_at(at.x);
    }
    kit_menu::on(response, |ui| {
        let range = scene.session.selection.range;
        let selected = range.map(|range| (range.start, range.end));
        if !scene.live.is_hosted() {
            loops(ui, scene, view, selected, out);
            kit_menu::line(ui);
        }
        let stretches = [("the selected time", selected), ("the loop", scene.live.cycle)];
        for (words, stretch) in stretches {
            if let Some(stretch) = stretch
                && entry(ui, format!("Zoom to {words}"))
            {
                axis.zoom_to(view, stretch);
            }
        }
        if entry_with_key(ui, "Show all", "0") {
            view.show_all();
        }
        kit_menu::line(ui);
        markers(ui, scene, view.menu_frame, out);
        if let Some(range) = range {
            out.extend(entries(ui, [mark(scene.session, range)]));
            kit_menu::line(ui);
            close_gap(ui, scene.session, out);
        }
    });
}

/// Begins a loop over the selected time or the session, or ends it.
fn loops(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TimelineView,
    selected: Option<(Frames, Frames)>,
    out: &mut Actions,
) {
    let end = scene.session.end();
    let whole = (end > Frames::ZERO).then_some((Frames::ZERO, end));
    for (words, range) in [("Loop the selected time", selected), ("Loop everything", whole)] {
        if range.is_some() && entry(ui, words) {
            view.last_loop = range;
            out.push(Action::Play(Play::Loop { range }));
        }
    }
    if scene.live.cycle.is_some() && entry(ui, "End the loop") {
        view.last_loop = scene.live.cycle;
        out.push(Action::Play(Play::Loop { range: None }));
    }
}

/// Markers at one place on screen.
struct Stack<'a> {
    x: f32,
    /// Where the last of their ranges ends.
    end: f32,
    shown: (MarkerId, &'a Marker),
    all: Vec<(MarkerId, &'a Marker)>,
}

impl Stack<'_> {
    /// The name of the shown marker, and the number of others.
    fn words(&self, names: &Apart) -> String {
        let (id, marker) = self.shown;
        let name = names.name(id, marker);
        match self.all.len() - 1 {
            0 => name.to_owned(),
            others => format!("{name} +{others}"),
        }
    }

    /// The marker that a click chooses: the shown one, then the next.
    fn next(&self, chosen: Option<MarkerId>) -> MarkerId {
        let at = self.all.iter().position(|(id, _)| chosen == Some(*id));
        let next = at.and_then(|at| self.all.get((at + 1) % self.all.len()));
        next.map_or(self.shown.0, |(id, _)| *id)
    }
}

/// All markers, in stacks of those that are too close to tell apart.
fn stacks<'a>(scene: Scene<'a>, view: &TimelineView, axis: &Axis) -> Vec<Stack<'a>> {
    let position = |id: MarkerId, marker: &Marker| match view.pull {
        Some(Pull::Marker { id: pulled, to, .. }) if pulled == id => to,
        Some(_) | None => marker.position,
    };
    let markers = scene.session.markers.iter();
    let mut placed: Vec<_> =
        markers.map(|(id, marker)| (position(*id, marker), *id, marker)).collect();
    placed.sort_by_key(|(at, id, _)| (*at, *id));
    let mut stacks: Vec<Stack<'a>> = Vec::new();
    for (at, id, marker) in placed {
        let (x, end) = (axis.frame_x(at), axis.frame_x(at + marker.length));
        match stacks.last_mut().filter(|stack| x - stack.x < TIGHT) {
            Some(stack) => {
                stack.all.push((id, marker));
                stack.end = stack.end.max(end);
                if view.marker == Some(id) {
                    stack.shown = (id, marker);
                }
            }
            None => stacks.push(Stack { x, end, shown: (id, marker), all: vec![(id, marker)] }),
        }
    }
    stacks
}

fn marker(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    row: Rect,
    axis: &Axis,
    (stack, end, names): (&Stack<'_>, f32, &Apart),
    out: &mut Actions,
) {
    if stack.x > row.right() {
        return;
    }
    let (id, marker) = stack.shown;
    let words = stack.words(names);
    let width = (cx.width(&words, Type::CAPTION_STRONG) + 12.0).min(end - stack.x);
    let tag = Rect::from_min_size(pos2(stack.x, row.top() + 2.0), vec2(width.ceil(), 16.0));
    if stack.end > stack.x {
        let right = stack.end.max(tag.right());
        let span = Rect::from_min_max(tag.left_top(), pos2(right, tag.bottom()));
        cx.fill(span, 2.0, alpha(cx.t.control, 0.6));
    }
    let response = cx.interact(tag, ("marker", id), Sense::click_and_drag());
    let name = format!("Marker {words}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    self::tag(cx, tag, &words, &response, view.marker == Some(id));
    let all: Vec<&str> = stack.all.iter().map(|(id, marker)| names.name(*id, marker)).collect();
    let response = response.on_hover_text(all.join("\n"));
    view.place_field(Named::Marker(id), tag.expand2(vec2(24.0, 4.0)));
    if response.clicked() {
        view.marker = Some(stack.next(view.marker));
        if !scene.live.is_hosted() {
            out.push(Action::Play(Play::Seek { at: marker.position }));
        }
    }
    if response.double_clicked() {
        view.rename(Named::Marker(id), &marker.name, tag.expand2(vec2(24.0, 4.0)));
    }
    pull(cx, scene, view, axis, &response, (id, marker), out);
    context::menu(&response, tag).show(|ui| {
        if entry_with_key(ui, "Rename…", "F2") {
            view.rename(Named::Marker(id), &marker.name, tag.expand2(vec2(24.0, 4.0)));
        }
        if entry_with_key(ui, "Remove marker", "Del") {
            out.push(call(Gesture::RemoveMarker, json!({"marker": id})));
        }
    });
}

fn tag(cx: &Cx<'_>, rect: Rect, words: &str, response: &egui::Response, is_chosen: bool) {
    cx.fill(rect, 2.0, if is_chosen || response.hovered() { cx.t.hover } else { cx.t.control });
    let room = rect.width() - 8.0;
    cx.elided(rect.left_mid(6.0), words, Type::CAPTION_STRONG, cx.t.text_2, room);
    cx.ring(response, rect, 2.0);
}

fn pull(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    axis: &Axis,
    response: &egui::Response,
    (id, marker): (MarkerId, &Marker),
    out: &mut Actions,
) {
    let Some(pointer) = response.interact_pointer_pos() else { return };
    if response.drag_started() {
        let from = cx.ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        let grabbed = axis.frame_at(from.x) - marker.position;
        view.pull = Some(Pull::Marker { id, grabbed, to: marker.position });
    }
    let alt = cx.ui.input(|input| input.modifiers.alt);
    let is_on = !view.is_loose && !alt;
    if let Some(Pull::Marker { id: pulled, grabbed, to }) = &mut view.pull
        && *pulled == id
    {
        let playhead = scene.live.position;
        let snap = Snap { session: scene.session, axis, playhead, without: &[], is_on };
        *to = snap.at((axis.frame_at(pointer.x) - *grabbed).max(Frames::ZERO));
    }
    if response.drag_stopped()
        && let Some(Pull::Marker { to, .. }) = view.pull.take()
        && to != marker.position
    {
        let at = seconds(scene.session, to);
        out.push(call(Gesture::MoveMarker, json!({"marker": id, "at_s": at})));
    }
}

/// The playhead, over ruler and lanes.
pub(super) fn playhead(cx: &Cx<'_>, scene: Scene<'_>, axis: &Axis, ruler: Rect, lanes: Rect) {
    let x = axis.frame_x(scene.live.position);
    let cx = cx.clip(Rect::from_min_max(ruler.min, lanes.max));
    cx.vline(x, ruler.top() + 20.0, lanes.bottom(), cx.t.playhead);
    cx.triangle(pos2(x + 0.5, ruler.top() + 24.0 - 7.0), 5.0, 7.0, cx.t.playhead);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SoundOutput;
    use crate::desk_tests::{Desk, desk, session};
    use crate::testing::prelude::*;
    use crate::testing::spoken;
    use deskhand_session::{Duplicates, PhraseId};

    /// The seeks that were asked for; nothing else was.
    fn seeks(desk: &Desk) -> Vec<i64> {
        let seek = |action: &Action| match action {
            Action::Play(Play::Seek { at }) => at.0,
            other => panic!("{other:?}"),
        };
        desk.state().actions.iter().map(seek).collect()
    }

    #[test]
    fn the_playhead_is_dragged_by_its_triangle_and_makes_no_loop() {
        let mut model = open_model();
        model.live.output = SoundOutput::Device { name: "Speakers".into() };
        model.live.position = Frames(240_000);
        let mut desk = desk(model);
        let ruler = desk.get_by_label("Ruler").rect();
        // 10 s and a little more.
        let x = |second: f32| ruler.left() + ruler.width() * second / 10.2;
        let y = ruler.bottom() - 4.0;
        desk.drag(pos2(x(5.0), y), pos2(x(8.0), y));
        let seeks = seeks(&desk);
        assert!(seeks.is_sorted() && seeks.len() > 1, "{seeks:?}");
        assert!((seeks[seeks.len() - 1] - 384_000).abs() < 2400, "{seeks:?}");
        assert!(desk.state().model.desk.timeline.pull.is_none());
    }

    #[test]
    fn markers_at_one_place_are_a_stack_and_a_click_goes_through_it() {
        let mut model = open_model();
        for (number, (name, at)) in (1..).zip([("Verse", 0), ("Take", 0), ("Chorus", 480_000)]) {
            let marker = Marker {
                name: name.into(),
                position: Frames(at),
                length: Frames::ZERO,
                code: None,
            };
            session(&mut model).markers.insert(MarkerId::new(number), marker);
        }
        let mut desk = desk(model);
        assert!(desk.query_by_label("Marker Chorus").is_some(), "it stands alone");
        for name in ["Marker Verse +1", "Marker Verse +1", "Marker Take +1", "Marker Verse +1"] {
            desk.click_on(name);
        }
        let chosen = desk.state().model.desk.timeline.marker;
        assert_eq!(chosen, Some(MarkerId::new(2)));
    }

    #[test]
    fn markers_of_takes_that_say_the_same_are_told_apart_by_their_recordings() {
        let mut model = open_model();
        let session = session(&mut model);
        *session = spoken();
        let takes = [1, 2, 3].map(PhraseId::new);
        session.assembly.order = vec![takes[0]];
        session.assembly.duplicates = vec![Duplicates {
            phrase: "the lamps".into(),
            takes: takes.to_vec(),
            chosen: takes[0],
            reason: String::new(),
        }];
        let named = |name: &str, at| Marker {
            name: name.into(),
            position: Frames(at),
            length: Frames::ZERO,
            code: None,
        };
        for take in &takes[1..] {
            session.markers.insert(take.marker(), named("other take: the lamps", 0));
        }
        session.markers.insert(MarkerId::new(3), named("Verse", 480_000));
        let mut desk = desk(model);
        assert!(desk.query_by_label("Marker Verse").is_some());
        let mut told = Vec::new();
        for _ in 0..3 {
            let label = desk.get_by_label_contains("other take: ").accesskit_node().label();
            let label = label.unwrap();
            desk.click_on(&label);
            told.push(label);
        }
        told.sort();
        told.dedup();
        let wanted = ["Guitar 0:00.0", "Vocal 0:04.5"];
        assert_eq!(told, wanted.map(|at| format!("Marker {at} · other take: the lamps +1")));
    }
}

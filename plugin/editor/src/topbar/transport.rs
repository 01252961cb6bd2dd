//! Transport: go to start, play and stop, loop, and the player's position.

use crate::action::{Action, Actions};
use crate::kit::Cx;
use crate::kit::controls::{State, icon_button_in, icon_toggle_in};
use crate::kit::scale::{MINUS, num};
use crate::live::{Live, Motion, SoundOutput};
use crate::model::Model;
use crate::theme::Type;
use crate::{icons, tempo};
use deskhand_dsp::Frames;
use deskhand_protocol::desk::{Play, Which};
use deskhand_session::Session;
use deskhand_session::text::{clock, tenths};
use egui::{Align2, Key, Modifiers, Rect, Ui, pos2, vec2};
use std::ops::Range;

const BUTTONS: f32 = 4.0 * 32.0;
/// Width of the well with the time alone, and with bars and tempo or length and loudness.
const SHORT: f32 = 120.0;
const LONG: f32 = 304.0;

/// Draws the transport between `room`, in the middle where it fits.
pub(super) fn show(
    cx: &Cx<'_>,
    model: &mut Model,
    rect: Rect,
    room: Range<f32>,
    out: &mut Actions,
) {
    let is_open = model.mirror.is_some();
    let is_hosted = model.live.is_hosted();
    let buttons = if is_hosted { 0.0 } else { BUTTONS + 16.0 };
    let free = room.end - room.start - 32.0;
    let long = if is_open && free >= buttons + LONG { LONG } else { SHORT };
    let width = buttons + long;
    if free < width {
        return;
    }
    let middle = rect.center().x - width / 2.0;
    let left = middle.clamp(room.start + 16.0, (room.end - 16.0 - width).max(room.start + 16.0));
    if !is_hosted {
        self::buttons(cx, model, pos2(left, rect.center().y), out);
    }
    let at = pos2(left + buttons, rect.center().y);
    readouts(cx, model, Rect::from_min_size(pos2(at.x, at.y - 16.0), vec2(long, 32.0)));
}

fn buttons(cx: &Cx<'_>, model: &mut Model, at: egui::Pos2, out: &mut Actions) {
    let is_open = model.mirror.is_some();
    let live = &model.live;
    let state = if is_open && live.has_transport() { State::Normal } else { State::Disabled };
    let cell =
        |index: f32| Rect::from_min_size(pos2(at.x + index * 32.0, at.y - 14.0), vec2(28.0, 28.0));
    let open = if is_open { State::Normal } else { State::Disabled };
    let start = icon_button_in(cx, cell(0.0), icons::SKIP_BACK, false, "Go to the start", open);
    if start.on_hover_text("Home").clicked() && is_open {
        out.push(Action::Play(Play::Seek { at: Frames::ZERO }));
    }
    let (icon, name) = match live.motion {
        Motion::Stopped => (icons::PLAY, "Play"),
        Motion::Playing | Motion::Waiting => (icons::STOP, "Stop"),
    };
    let is_on = state == State::Normal;
    let response = icon_button_in(cx, cell(1.0), icon, is_on, name, state);
    if is_on {
        cx.fill(cell(1.0).shrink(6.0), 0.0, cx.t.control);
        cx.icon_fill(cell(1.0).center(), icon, 16.0, cx.t.text);
    }
    let response = match &live.output {
        SoundOutput::None { why } if !is_on => response.on_hover_text(why),
        _ => response.on_hover_text("Space"),
    };
    if response.clicked() && is_on {
        out.push(start_or_stop(live));
    }
    let loops = live.cycle.is_some();
    let can_loop = loops || to_loop(model).is_some();
    let state = if can_loop { open } else { State::Disabled };
    let response = icon_toggle_in(cx, cell(2.0), icons::REPEAT, loops, "Loop", state);
    if response.clicked() && can_loop {
        out.extend(toggle_loop(model));
    }
    record(cx, &model.live, cell(3.0), is_on, out);
}

/// Records to the armed tracks; red while it does.
fn record(cx: &Cx<'_>, live: &Live, cell: Rect, can_play: bool, out: &mut Actions) {
    let can_record = can_play && !live.armed.is_empty();
    let state = if can_record { State::Normal } else { State::Disabled };
    let name = if live.records { "Stop recording" } else { "Record" };
    let response = icon_button_in(cx, cell, icons::RECORD, live.records, name, state);
    if live.records {
        cx.fill(cell.shrink(4.0), 4.0, cx.t.control);
        cx.icon_fill(cell.center(), icons::RECORD, 16.0, cx.t.danger);
    }
    if !can_record {
        response.on_hover_text("Arm a track first: the R on its header");
    } else if response.clicked() {
        out.push(Action::Record(!live.records));
    }
}

fn start_or_stop(live: &Live) -> Action {
    Action::Play(match live.motion {
        Motion::Stopped => Play::Start,
        Motion::Playing | Motion::Waiting => Play::Stop,
    })
}

/// Loop off, or on.
fn toggle_loop(model: &mut Model) -> Option<Action> {
    if let Some(cycle) = model.live.cycle {
        model.desk.timeline.last_loop = Some(cycle);
        return Some(Action::Play(Play::Loop { range: None }));
    }
    let range = to_loop(model)?;
    Some(Action::Play(Play::Loop { range: Some(range) }))
}

/// What would loop: the selected time, the selected clips, the last range, or everything. `None` if the
/// session is empty.
fn to_loop(model: &Model) -> Option<(Frames, Frames)> {
    let session = model.session()?;
    selected(session).or(model.desk.timeline.last_loop).or_else(|| whole(session))
}

fn selected(session: &Session) -> Option<(Frames, Frames)> {
    if let Some(range) = session.selection.range {
        return Some((range.start, range.end));
    }
    let clips = session.selection.clips.iter().filter_map(|id| session.clips.get(id));
    let spans: Vec<_> = clips.map(|clip| (clip.position, clip.end())).collect();
    let first = spans.iter().map(|span| span.0).min();
    first.zip(spans.iter().map(|span| span.1).max())
}

fn whole(session: &Session) -> Option<(Frames, Frames)> {
    (session.end() > Frames::ZERO).then(|| (Frames::ZERO, session.end()))
}

fn readouts(cx: &Cx<'_>, model: &Model, well: Rect) {
    cx.fill(well, 4.0, cx.t.well);
    let middle = well.center().y;
    let Some(session) = model.session() else {
        let at = pos2(well.left() + 96.0, middle);
        cx.right(at, "–:––.–––", Type::READOUT, cx.t.disabled);
        return;
    };
    let position = model.live.position;
    let time = clock(position, session.rate);
    let at = pos2(well.left() + 104.0, middle);
    let text = cx.right(at, &time, Type::READOUT, cx.t.text);
    let name = format!("Position {time}");
    cx.label(text, "position", &name);
    if is_previewing(model) {
        // The sound is a plan's: the line shows that it is not the session.
        let line = Rect::from_min_max(pos2(well.left(), well.bottom() - 2.0), well.max);
        cx.fill(line, 0.0, cx.t.accent);
    }
    if well.width() < LONG {
        return;
    }
    let mut x = well.left() + 120.0;
    for (value, unit, width) in cells(model, session) {
        let runs = [
            (value.as_str(), Type::SMALL_STRONG, cx.t.text),
            (" ", Type::SMALL, cx.t.text_3),
            (unit, Type::TICK, cx.t.text_3),
        ];
        let drawn = cx.runs(pos2(x, middle), Align2::LEFT_CENTER, &runs);
        cx.label(drawn, ("clock", unit), format!("{value} {unit}"));
        x += width;
    }
}

/// What the clock says beside the time, with the unit and the width of each: bars, tempo and meter. Of a
/// session without a tempo of its own, its length and how loud it was since the meters were reset.
fn cells(model: &Model, session: &Session) -> Vec<(String, &'static str, f32)> {
    let position = model.live.position;
    if tempo::is_set(session) {
        let (bpm, meter) = tempo::at(session, position);
        let meter = format!("{}/{}", meter.numerator, meter.denominator);
        let bar = tempo::bars(session, position).to_string();
        return vec![(bar, "bar", 76.0), (format!("{bpm:.2}"), "BPM", 80.0), (meter, "", 24.0)];
    }
    let length = tenths(session.end().seconds(session.rate).0);
    let integrated = model.desk.meters.loudness.shown.integrated;
    let loudness = if integrated.is_finite() { num(integrated, 1) } else { format!("{MINUS}∞") };
    vec![(length, "long", 92.0), (loudness, "LUFS", 84.0)]
}

/// Whether the planned side of a plan is heard.
fn is_previewing(model: &Model) -> bool {
    match model.live.hearing {
        Some((_, Which::Plan | Which::LevelMatched)) => model.live.motion != Motion::Stopped,
        Some((_, Which::Current)) | None => false,
    }
}

/// Space, Home and End, while no control has the keyboard: a button takes Space itself.
pub(crate) fn keys(ui: &Ui, model: &Model, out: &mut Actions) {
    if model.mirror.is_none() || model.live.is_hosted() {
        return;
    }
    if !model.is_desk(ui) {
        return;
    }
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if model.live.has_transport() && pressed(Key::Space) {
        out.push(start_or_stop(&model.live));
    }
    if pressed(Key::Home) {
        out.push(Action::Play(Play::Seek { at: Frames::ZERO }));
    }
    if pressed(Key::End)
        && let Some(session) = model.session()
    {
        out.push(Action::Play(Play::Seek { at: session.end() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui_tests::open_model;
    use deskhand_session::{ClipId, TimeRange};

    #[test]
    fn an_empty_session_has_nothing_to_repeat() {
        let mut model = open_model();
        assert!(to_loop(&model).is_some());
        let snapshot = &mut model.mirror.as_mut().unwrap().snapshot;
        snapshot.session.clips.clear();
        assert_eq!(to_loop(&model), None);
    }

    #[test]
    fn the_clock_tells_bars_and_tempo_or_length_and_loudness() {
        let mut model = open_model();
        let told = |model: &Model| -> Vec<String> {
            let cells = cells(model, model.session().unwrap()).into_iter();
            cells.map(|(value, unit, _)| format!("{value} {unit}")).collect()
        };
        assert_eq!(told(&model), ["0:10.0 long", "−∞ LUFS"]);
        model.desk.meters.loudness.shown.integrated = -16.44;
        assert_eq!(told(&model)[1], "−16.4 LUFS");
        model.mirror.as_mut().unwrap().snapshot.session.tempo[0].bpm = 96.0;
        model.live.position = Frames(5 * 48_000);
        assert_eq!(told(&model), ["3.1.1 bar", "96.00 BPM", "4/4 "]);
    }

    #[test]
    fn a_loop_begins_over_what_is_selected_then_over_what_it_was_then_over_everything() {
        let mut model = open_model();
        let begun = |model: &mut Model| match toggle_loop(model) {
            Some(Action::Play(Play::Loop { range })) => range.map(|(from, to)| (from.0, to.0)),
            other => panic!("{other:?}"),
        };
        assert_eq!(begun(&mut model), Some((0, 480_000)));
        model.live.cycle = Some((Frames(10), Frames(20)));
        assert_eq!(begun(&mut model), None, "it ends");
        model.live.cycle = None;
        assert_eq!(begun(&mut model), Some((10, 20)));
        let snapshot = &mut model.mirror.as_mut().unwrap().snapshot;
        snapshot.session.clips.get_mut(&ClipId::new(2)).unwrap().position = Frames(500);
        snapshot.session.selection.clips = vec![ClipId::new(2)];
        assert_eq!(begun(&mut model), Some((500, 480_500)));
        let snapshot = &mut model.mirror.as_mut().unwrap().snapshot;
        let range = TimeRange { start: Frames(30), end: Frames(40) };
        snapshot.session.selection.range = Some(range);
        assert_eq!(begun(&mut model), Some((30, 40)));
    }
}

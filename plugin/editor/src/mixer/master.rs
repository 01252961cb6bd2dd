//! The master: fader, peak, loudness, its history, and the numbers.

use super::knob::fader_knob;
use super::planned;
use crate::action::{Action, Actions};
use crate::card::predictions;
use crate::desk::DeskView;
use crate::kit::controls::{hint, icon_button};
use crate::kit::cx::alpha;
use crate::kit::meter::{self, DBFS_TICKS, LUFS};
use crate::kit::scale::{num, signed};
use crate::kit::{Cut, Cx};
use crate::meters::{FLOOR, Loudness};
use crate::mixer::view::{Knob, fader_area};
use crate::scene::Scene;
use crate::theme::{Type, space};
use crate::{icons, inserts};
use deskhand_session::{InsertOwner, Measure, ObjectId};
use egui::{Color32, Mesh, Pos2, Rect, pos2, vec2};

/// The default target lines, LUFS: for speech and most platforms.
const USUAL: f32 = -16.0;
/// How opaque the area under the line of loudness is.
const FILL: f32 = 0.35;

/// The loudness that the open plan is made for, else the one before it.
fn target(scene: Scene<'_>, known: &mut Option<f32>) -> f32 {
    let asked = scene.plan.and_then(|card| card.stored.plan.params["target_lufs"].as_f64());
    *known = asked.map(|lufs| lufs as f32).or(*known);
    known.unwrap_or(USUAL)
}

pub(super) fn show(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    desk: &mut DeskView,
    rect: Rect,
    out: &mut Actions,
) {
    let cx = &cx.clip(rect);
    cx.fill(rect, 0.0, cx.t.raised);
    cx.vline(rect.left(), rect.top(), rect.bottom(), cx.t.line_strong);
    let mut head = rect;
    let mut head = head.cut_top(32.0);
    cx.left(head.left_mid(space::L), "Master", Type::BODY_STRONG, cx.t.text);
    let is_slim = rect.width() < super::NARROW_MASTER;
    let at = match is_slim {
        true => rect.min + vec2(space::M, 32.0),
        false => pos2(head.left() + 84.0, head.center().y - 8.0),
    };
    // In a plugin's window the mix is the host's.
    if !scene.live.is_hosted() {
        fader(cx, scene, desk, at, rect, out);
    }
    reset(cx, desk, head.cut_right(40.0), out);
    let mut body = Rect::from_min_max(
        pos2(rect.left() + 44.0, rect.top() + if is_slim { 60.0 } else { 40.0 }),
        pos2(rect.right(), rect.bottom() - 12.0),
    );
    let target = target(scene, &mut desk.mixer.target);
    let is_numbered = rect.width() >= super::NUMBERED;
    if !is_numbered {
        let foot = body.cut_bottom(2.0 * Type::CAPTION.line + 4.0);
        small_numbers(cx, &desk.meters.loudness, foot, if is_slim { 1 } else { 2 });
    }
    peaks(cx, desk, body);
    if !is_slim {
        loudness(cx, scene, desk, body, target);
    }
    if !is_numbered {
        return;
    }
    let numbers = Rect::from_min_max(
        pos2(body.left() + 168.0, body.top()),
        pos2(body.right() - space::M, body.bottom()),
    );
    let history = self::numbers(cx, scene, &desk.meters.loudness, numbers);
    paint_history(cx, &desk.meters.loudness, history, target);
}

/// The button that resets all measurements.
fn reset(cx: &Cx<'_>, desk: &mut DeskView, rect: Rect, out: &mut Actions) {
    let cell = rect.row_box(rect.left() + 4.0, vec2(24.0, 24.0));
    if icon_button(cx, cell, icons::ARROW_COUNTER_CLOCKWISE, "Reset meters").clicked() {
        desk.meters.reset();
        out.push(Action::ResetMeters);
    }
}

/// Processors at `at` and the fader of the mix.
fn fader(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    desk: &mut DeskView,
    at: Pos2,
    rect: Rect,
    out: &mut Actions,
) {
    let owner = InsertOwner::Master;
    let fx = Rect::from_min_size(at, vec2(34.0, 16.0));
    inserts::button(cx, scene.session, &mut desk.inserts, owner, fx);
    planned::processors(cx, scene, owner, pos2(fx.right() + 46.0, fx.center().y));
    let area = fader_area(rect);
    let slot = Rect::from_min_size(area.min + vec2(12.0, 0.0), vec2(32.0, area.height()));
    let planned = planned::fader(scene, owner);
    let gain = fader_knob(cx, scene, &mut desk.mixer, Knob::Master, slot, planned, out);
    let at = pos2(slot.center().x, rect.bottom() - 20.0);
    cx.center(at, &signed(gain as f32, 1), Type::SMALL_STRONG, cx.t.text_2);
}

/// A column among the meters, over what they are called: from `x` on, so wide.
fn column(body: Rect, x: f32, width: f32) -> Rect {
    let top_left = body.min + vec2(x, 4.0);
    Rect::from_min_max(top_left, pos2(top_left.x + width, body.bottom() - 20.0))
}

fn peaks(cx: &Cx<'_>, desk: &mut DeskView, body: Rect) {
    let peak = column(body, 36.0, 21.0);
    meter::stereo(cx, peak, desk.meters.master);
    meter::dbfs_ticks(cx, column(body, 4.0, 30.0), peak, &DBFS_TICKS);
    if meter::over(cx, peak, desk.meters.master, None, "Meter Master") {
        desk.meters.clear(None);
    }
    cx.center(peak.center_bottom() + vec2(0.0, 12.0), "dBFS", Type::TICK, cx.t.text_3);
}

fn loudness(cx: &Cx<'_>, scene: Scene<'_>, desk: &DeskView, body: Rect, target: f32) {
    let span = |x: f32, width: f32| column(body, x, width);
    meter::lufs_ticks(cx, span(68.0, 28.0), span(98.0, 8.0));
    let levels = &scene.live.master;
    let bars = [("M", levels.momentary), ("S", levels.short_term), ("I", levels.integrated)];
    for (index, (label, lufs)) in bars.into_iter().enumerate() {
        let bar = span(98.0 + index as f32 * 16.0, 12.0);
        meter::loudness(cx, bar, lufs, Some(target));
        cx.center(bar.center_bottom() + vec2(0.0, 12.0), label, Type::TICK, cx.t.text_3);
    }
    let told = bars.map(|(name, lufs)| format!("{name} {} LUFS", shown(lufs))).join(", ");
    let told = format!("{told}, true peak {} dBTP", peak(desk.meters.loudness.true_peak));
    let node = cx.label(span(98.0, 44.0), "loudness", &told);
    hint(node, &told);
    if let Some(lufs) = predicted(scene, Measure::IntegratedLoudness) {
        let bar = span(130.0, 12.0);
        let y = meter::lufs_y(bar, lufs);
        let mark =
            Rect::from_min_max(pos2(bar.left() - 2.0, y - 1.0), pos2(bar.right() + 4.0, y + 1.0));
        cx.fill(mark, 0.0, cx.t.accent);
    }
}

/// The value that the open plan predicts for the mix, with its ticks and edits. `None` if only measuring
/// can give it.
fn predicted(scene: Scene<'_>, measure: Measure) -> Option<f32> {
    let card = scene.plan?;
    let mut predicted = card.stored.plan.predicted.iter();
    let found = predicted.find(|it| it.measure == measure && is_mix(scene, it.target))?;
    predictions::value(card, found).map(|value| value as f32)
}

/// The open plan's measurement of the mix. The meters may show another stretch or time.
fn measured(scene: Scene<'_>, measure: Measure) -> Option<f32> {
    let mut findings = scene.plan?.stored.plan.findings.iter();
    let found = findings.find(|it| it.measure == measure && is_mix(scene, it.target))?;
    found.value.map(|value| value as f32)
}

fn is_mix(scene: Scene<'_>, target: ObjectId) -> bool {
    target == ObjectId::Session(scene.session.id)
}

/// A level as people read it.
fn shown(level: f32) -> String {
    if level > FLOOR { num(level, 1) } else { "−∞".into() }
}

/// A peak as people read it, with its sign as above the meter: over full scale it is a fault.
fn peak(level: f32) -> String {
    if level > FLOOR { signed(level, 1) } else { shown(level) }
}

struct Reading {
    label: &'static str,
    /// The label where there is little room.
    short: &'static str,
    value: String,
    unit: &'static str,
    measure: Measure,
}

impl Reading {
    /// Adds a label for screen readers at this place.
    fn tell(&self, cx: &Cx<'_>, rect: Rect) -> egui::Response {
        let name = format!("{} {} {}", self.label, self.value, self.unit);
        cx.label(rect, ("number", self.label), &name)
    }

    /// A level of this measure as people read it.
    fn text(&self, level: f32) -> String {
        if self.measure == Measure::TruePeak { peak(level) } else { num(level, 1) }
    }

    /// The open plan's value, next to the label and away from the meter reading: the two cover different
    /// stretches. The hint gives the plan's measured value before the change.
    fn planned(&self, cx: &Cx<'_>, scene: Scene<'_>, right: Pos2) {
        let Some(after) = predicted(scene, self.measure) else { return };
        let after = self.text(after);
        let number = cx.right(right, &after, Type::SMALL_STRONG, cx.t.accent);
        let at = pos2(number.left() - 4.0, right.y);
        let plan = cx.right(at, "plan", Type::CAPTION, cx.t.text_3);
        let from = measured(scene, self.measure);
        let from = from.map_or_else(String::new, |from| format!(" from {} to", self.text(from)));
        let said = format!("{} with the plan{from} {after} {}", self.label, self.unit);
        let id = ("planned", self.label);
        let node = cx.label(plan.union(number), id, &said);
        hint(node, &said);
    }
}

fn readings(loudness: &Loudness) -> [Reading; 4] {
    let range = loudness.range.map_or_else(|| "–".into(), |range| num(range, 1));
    let (integrated, short_term) = (loudness.shown.integrated, loudness.shown.short_term);
    let all = [
        ("Integrated", "I", shown(integrated), "LUFS", Measure::IntegratedLoudness),
        ("Short-term", "S", shown(short_term), "LUFS", Measure::MaxShortTerm),
        ("True peak", "TP", peak(loudness.true_peak), "dBTP", Measure::TruePeak),
        ("Range", "LRA", range, "LU", Measure::LoudnessRange),
    ];
    all.map(|(label, short, value, unit, measure)| Reading { label, short, value, unit, measure })
}

/// The four numbers in two rows with their short labels, or the first column of them alone.
fn small_numbers(cx: &Cx<'_>, loudness: &Loudness, rect: Rect, columns: usize) {
    let size = vec2((rect.width() - 16.0) / columns as f32, Type::CAPTION.line);
    let top_left = rect.left_bottom() + vec2(8.0, -2.0 * size.y);
    let all = readings(loudness).into_iter().enumerate();
    for (index, reading) in all.filter(|(index, _)| index % 2 < columns) {
        let place = vec2((index % 2) as f32, (index / 2) as f32);
        let cell = Rect::from_min_size(top_left + place * size, size);
        cx.left(cell.left_mid(0.0), reading.short, Type::CAPTION, cx.t.text_3);
        cx.left(cell.left_mid(26.0), &reading.value, Type::SMALL_STRONG, cx.t.text);
        let hint = format!("{}, {}", reading.label, reading.unit);
        reading.tell(cx, cell).on_hover_text(hint);
    }
}

/// Draws four numbers. Returns the rest of the area below.
fn numbers(cx: &Cx<'_>, scene: Scene<'_>, loudness: &Loudness, rect: Rect) -> Rect {
    let step = (rect.height() / 5.5).floor().clamp(32.0, 44.0);
    for (index, reading) in readings(loudness).into_iter().enumerate() {
        let Reading { label, value, unit, .. } = &reading;
        let y = rect.top() + step * index as f32;
        cx.left(pos2(rect.left(), y + 6.0), label, Type::CAPTION, cx.t.text_3);
        reading.planned(cx, scene, pos2(rect.right(), y + 6.0));
        let y = y + 6.0 + (step / 2.0).min(20.0);
        let text = cx.left(pos2(rect.left(), y), value, Type::TITLE, cx.t.text);
        reading.tell(cx, text);
        let at = pos2(text.right() + 4.0, y + 1.0);
        cx.left(at, unit, Type::CAPTION, cx.t.text_3);
    }
    Rect::from_min_max(pos2(rect.left(), rect.top() + step * 4.0 + 8.0), rect.max)
}

/// Short-term loudness of the last minute, newest at the right.
fn paint_history(cx: &Cx<'_>, loudness: &Loudness, rect: Rect, target: f32) {
    if rect.height() < 24.0 {
        return;
    }
    cx.fill(rect, 0.0, cx.t.well);
    for limit in [target - 1.0, target + 1.0] {
        cx.hline(rect.left(), rect.right(), meter::lufs_y(rect, limit), cx.t.line_strong);
    }
    let count = loudness.history.len();
    let step = rect.width() / 600.0;
    let points = loudness.history.iter().enumerate().map(|(index, lufs)| {
        let x = rect.right() - (count - index) as f32 * step;
        pos2(x, meter::lufs_y(rect, lufs.max(LUFS.0)))
    });
    let points: Vec<_> = points.collect();
    if points.len() > 1 {
        let clip = cx.clip(rect);
        clip.p.add(under(&points, rect.bottom(), alpha(cx.t.meter, FILL)));
        clip.path(points, 1.0, cx.t.meter);
    }
    let node = cx.label(rect, "loudness history", "Loudness history");
    let lines = num(target, 0);
    node.on_hover_text(format!(
        "Short-term loudness of the last minute; lines at {lines} ± 1 LUFS"
    ));
}

/// The area between a line and a height.
fn under(line: &[Pos2], bottom: f32, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    for (index, point) in (0..).step_by(2).zip(line) {
        mesh.colored_vertex(*point, color);
        mesh.colored_vertex(pos2(point.x, bottom), color);
        if index > 0 {
            mesh.add_triangle(index - 2, index - 1, index);
            mesh.add_triangle(index - 1, index, index + 1);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk_tests::{Desk, desk};
    use crate::live::Motion;
    use crate::testing::prelude::*;
    use crate::theme::Theme;
    use deskhand_session::{Finding, Prediction};

    #[test]
    fn the_lines_stand_where_the_last_plan_was_asked_for() {
        let mut model = with_plan();
        let mut known = None;
        assert_eq!(target(model.scene().unwrap().0, &mut known), USUAL);
        let card = model.cards.values_mut().next().unwrap();
        card.stored.plan.params = json!({"target_lufs": -23.0});
        assert_eq!(target(model.scene().unwrap().0, &mut known), -23.0);
        model.cards.clear();
        assert_eq!(
            target(model.scene().unwrap().0, &mut known),
            -23.0,
            "it was taken, and holds on"
        );
    }

    #[test]
    fn in_the_least_window_the_numbers_of_the_mix_stand_apart_below_its_meters() {
        let mut desk = desk(open_model());
        desk.set_size(vec2(900.0, 600.0));
        desk.run_steps(3);
        let names = ["Integrated −∞ LUFS", "Short-term −∞ LUFS", "True peak −∞ dBTP", "Range – LU"];
        let mut seen = vec![desk.get_by_label("Meter Master").rect()];
        for name in names {
            let rect = desk.get_by_label(name).rect();
            assert!(rect.right() <= 900.0 && rect.bottom() <= 600.0, "{name} at {rect}");
            let over = seen.iter().find(|it| it.shrink(1.0).intersects(rect.shrink(1.0)));
            assert_eq!(over, None, "{name} at {rect}");
            seen.push(rect);
        }
    }

    #[test]
    fn what_the_plan_makes_of_the_mix_stands_apart_from_the_meters() {
        let mut model = with_plan();
        model.live.motion = Motion::Playing;
        model.live.master.integrated = -9.1;
        let card = model.cards.values_mut().next().unwrap();
        let plan = &mut card.stored.plan;
        let (mix, measure) = (ObjectId::Session(plan.session), Measure::IntegratedLoudness);
        let from = vec!["c1".to_owned(), "c2".to_owned()];
        plan.predicted.push(Prediction::now(mix, measure, -14.0, 0.1, from));
        let mut desk = desk(model);
        desk.run_steps(2);
        assert!(desk.query_by_label("Integrated with the plan −14.0 LUFS").is_some());
        let card = desk.state_mut().model.cards.values_mut().next().unwrap();
        card.stored.plan.findings.push(Finding::new(mix, measure, Some(-18.6)));
        desk.run_steps(2);
        let planned = "Integrated with the plan from −18.6 to −14.0 LUFS";
        let planned = desk.get_by_label(planned).rect();
        let metered = desk.get_by_label_contains("Integrated −").rect();
        assert!(planned.center().y < metered.top(), "{planned:?} beside {metered:?}");
        let card = desk.state_mut().model.cards.values_mut().next().unwrap();
        card.view.ticks.tick(&gain_plan(), "c2");
        desk.run_steps(2);
        assert!(desk.query_by_label_contains("Integrated with the plan").is_none());
    }

    /// The line of the history, from left to right, in the color of meters.
    fn line(desk: &Desk) -> Vec<Pos2> {
        let is_line = |path: &egui::epaint::PathShape| {
            path.points.len() > 1
                && path.stroke.color == egui::epaint::ColorMode::Solid(Theme::DARK.meter)
        };
        let shapes = desk.output().shapes.iter().map(|it| &it.shape);
        let lines = shapes.filter_map(|shape| match shape {
            egui::Shape::Path(path) if is_line(path) => Some(path.points.clone()),
            _ => None,
        });
        lines.flatten().collect()
    }

    #[test]
    fn the_history_follows_short_term_loudness_while_it_plays() {
        let mut desk = desk(open_model());
        assert_eq!(line(&desk), []);
        desk.state_mut().model.live.motion = Motion::Playing;
        let told = [-30.0, -20.0, -20.0, -12.0];
        for short_term in told {
            desk.state_mut().model.live.master.short_term = short_term;
            desk.run_steps(1);
        }
        let rect = desk.get_by_label("Loudness history").rect();
        let expected = told.map(|lufs| meter::lufs_y(rect, lufs));
        assert_eq!(line(&desk).iter().map(|at| at.y).collect::<Vec<_>>(), expected);
        assert!(line(&desk).is_sorted_by(|a, b| a.x < b.x), "the newest is at the right");
        let newest = line(&desk)[3].x;
        assert!((rect.right() - newest) < 1.0, "{newest} in {rect}");
        assert!(desk.query_by_label("Short-term −12.0 LUFS").is_some());
        desk.state_mut().model.live.motion = Motion::Stopped;
        desk.run_steps(3);
        assert_eq!(line(&desk).len(), 4, "nothing is added while it stands");
        desk.click_on("Reset meters");
        assert_eq!(line(&desk), []);
    }
}

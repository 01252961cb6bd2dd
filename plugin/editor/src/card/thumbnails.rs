//! Small drawings of a change, for a card with room: a fader's move, a clip's waveform with its new contour, where a
//! clip goes, the response of an equalizer.

use super::place::Place;
use crate::describe::{hue_of, track_of};
use crate::icons;
use crate::inserts::response;
use crate::kit::cx::alpha;
use crate::kit::scale::{fader_pos, linear_pos};
use crate::kit::wave::{self, Column};
use crate::kit::{Cut, Cx};
use crate::theme::Hue;
use deskhand_dsp::effects::Effect;
use deskhand_session::{Change, Clip, PlannedChange};
use egui::{Color32, Rect, Vec2, pos2, vec2};

pub(super) const SIZE: Vec2 = vec2(104.0, 36.0);
/// Columns of a waveform, two a point.
const COLUMNS: usize = 192;
/// Marks of a fader, dB.
const MARKS: [f32; 6] = [6.0, 0.0, -6.0, -12.0, -24.0, -48.0];

/// Draws a change that has a picture. `edited` replaces its value.
pub(super) fn show(
    cx: &Cx<'_>,
    place: &Place<'_>,
    rect: Rect,
    planned: &PlannedChange,
    (is_on, edited): (bool, Option<f64>),
) {
    let color = if is_on { cx.t.accent } else { cx.t.outline };
    let cx = &cx.clip(rect);
    let hue = cx.t.hues[hue_of(track_of(&planned.change, place.session), place.session)];
    match &planned.change {
        Change::SetTrackGain(edit) => {
            fader(cx, rect, edit.before.0, edited.unwrap_or(edit.after.0), color);
        }
        Change::SetMasterGain(edit) => {
            fader(cx, rect, edit.before.0, edited.unwrap_or(edit.after.0), color);
        }
        Change::SetTrackPan(edit) => pan(cx, rect, (edit.before, edit.after), color),
        Change::SetClipGain(edit) => {
            let by = edited.unwrap_or(edit.after.0) - edit.before.0;
            let clip = place.session.clips.get(&edit.target);
            if !clip.is_some_and(|clip| gain(cx, place, rect, clip, by, (hue, color))) {
                fader(cx, rect, edit.before.0, edit.before.0 + by, color);
            }
        }
        Change::AddClip(_) => copied(cx, rect, None, color),
        Change::DuplicateClip(_) | Change::MoveClip(_) => copied(cx, rect, Some(hue), color),
        Change::SetInsert(edit) => {
            if let Some(Effect::Equalizer(it)) = edit.after.as_ref().map(|placed| &placed.effect) {
                ground(cx, rect);
                response(cx, rect, it, place.session.rate, color);
            }
        }
        _ => {}
    }
}

fn ground(cx: &Cx<'_>, rect: Rect) {
    cx.fill(rect, 3.0, cx.t.well);
}

fn fader(cx: &Cx<'_>, rect: Rect, before: f64, after: f64, color: Color32) {
    ground(cx, rect);
    let bar = rect.pad(8.0, 0.0);
    let x = |db: f32| (bar.left() + bar.width() * fader_pos(db).clamp(0.0, 1.0)).round();
    let middle = scale(cx, bar, MARKS.map(x));
    moved(cx, x(before as f32), x(after as f32), middle, color);
}

fn pan(cx: &Cx<'_>, rect: Rect, (before, after): (f64, f64), color: Color32) {
    ground(cx, rect);
    let bar = rect.pad(8.0, 0.0);
    let x = |pan: f64| (bar.left() + bar.width() * linear_pos(pan as f32, -1.0, 1.0)).round();
    let middle = scale(cx, bar, [-1.0, 0.0, 1.0].map(x));
    moved(cx, x(before), x(after), middle, color);
}

/// A line with marks; gives its height.
fn scale(cx: &Cx<'_>, bar: Rect, marks: impl IntoIterator<Item = f32>) -> f32 {
    let middle = bar.center().y.round();
    cx.hline(bar.left(), bar.right(), middle, cx.t.line_strong);
    for x in marks {
        cx.vline(x, middle - 3.0, middle + 4.0, cx.t.line_strong);
    }
    middle
}

fn moved(cx: &Cx<'_>, before: f32, after: f32, middle: f32, color: Color32) {
    let way = [pos2(before.min(after), middle - 1.0), pos2(before.max(after), middle + 2.0)];
    cx.fill(Rect::from_min_max(way[0], way[1]), 0.0, alpha(color, 0.6));
    for (x, color) in [(before, cx.t.text_2), (after, color)] {
        let mark = Rect::from_center_size(pos2(x, middle + 0.5), vec2(4.0, 18.0));
        cx.fill(mark, 1.0, color);
    }
}

/// Draws the waveform of a clip and its outline `by` dB louder; false while there is no waveform.
fn gain(
    cx: &Cx<'_>,
    place: &Place<'_>,
    rect: Rect,
    clip: &Clip,
    by: f64,
    (hue, color): (Hue, Color32),
) -> bool {
    let Some(waves) = place.waves else { return false };
    let per_column = (clip.length.0 as f64 / COLUMNS as f64).max(1.0);
    let Some(columns) = waves.columns(clip.source, clip.start, per_column, COLUMNS) else {
        return false;
    };
    ground(cx, rect);
    let body = rect.pad(4.0, 3.0);
    let level = 10f64.powf(clip.gain.0 / 20.0) as f32;
    let louder = level * 10f64.powf(by / 20.0) as f32;
    // The louder of both fills the drawing.
    let highest = columns.iter().map(|it| it.peak).fold(0.0, f32::max) * level.max(louder);
    let fit = if highest > 0.0 { 0.94 / highest } else { 1.0 };
    wave::paint(cx, body, &columns, level * fit, alpha(hue.strong, 0.45), hue.strong);
    let highest_of = |few: &[Column]| few.iter().map(|it| it.peak).fold(0.0, f32::max);
    let contour: Vec<Column> =
        columns.chunks(4).map(|few| Column { peak: highest_of(few), rms: 0.0 }).collect();
    wave::outline(cx, body, &contour, louder * fit, color);
    true
}

/// The planned copy next to its source.
fn copied(cx: &Cx<'_>, rect: Rect, from: Option<Hue>, color: Color32) {
    ground(cx, rect);
    let size = vec2(34.0, 20.0);
    let mut made = Rect::from_center_size(rect.center(), size);
    if let Some(hue) = from {
        let source = Rect::from_min_size(rect.min + vec2(8.0, 8.0), size);
        cx.fill(source, 2.0, hue.soft);
        cx.fill(Rect::from_min_size(source.min, vec2(size.x, 4.0)), 1.0, hue.strong);
        made = source.translate(vec2(54.0, 0.0));
        let between = pos2(source.right().midpoint(made.left()), source.center().y);
        cx.icon(between, icons::ARROW_RIGHT, 12.0, color);
    }
    cx.hatch(made, 6.0, alpha(color, 0.35));
    cx.dashed_border(made, color);
}

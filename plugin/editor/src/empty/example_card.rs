//! The card of the example interview, with its lanes and what a plan would do to them.

use crate::action::{Action, Actions};
use crate::example::{Example, Lane, example};
use crate::icons;
use crate::kit::controls::{Button, Kind, plan_tag, plan_tag_of};
use crate::kit::cx::{alpha, mix};
use crate::kit::wave;
use crate::kit::{Cut, Cx};
use crate::theme::{Hue, Type, radius};
use deskhand_session::text::mark;
use egui::{Pos2, Rect, pos2, vec2};

const TALL: f32 = 248.0;
/// Without its lanes.
const SMALL: f32 = 200.0;
const WORDS: f32 = 300.0;
/// A card narrower than this has no lanes.
const LANES: f32 = 640.0;
const EDGE: f32 = 20.0;
const CUTS: usize = 3;
/// Loud enough to see the guest.
const GAIN: f32 = 1.5;
/// How much lower the music is under the voices, dB.
const DEPTH: f32 = -12.0;
/// Pauses shorter than this stay down, and how long the curve takes, seconds.
const HOLDS: f64 = 1.0;
const RAMP: f64 = 0.4;

pub(super) fn height(width: f32) -> f32 {
    if width < LANES { SMALL } else { TALL }
}

pub(super) fn show(cx: &Cx<'_>, rect: Rect, out: &mut Actions) {
    cx.fill(rect, radius::CARD, cx.t.raised);
    cx.border(rect, radius::CARD, cx.t.line_strong);
    let example = example();
    let mut inner = rect.shrink(EDGE);
    let has_lanes = rect.width() >= LANES;
    let words = inner.cut_left(if has_lanes { WORDS } else { inner.width() });
    about(cx, example, words, out);
    if has_lanes {
        inner.cut_left(EDGE);
        lanes(cx, example, inner);
    }
}

fn about(cx: &Cx<'_>, example: &Example, rect: Rect, out: &mut Actions) {
    let mut rest = rect;
    let top = rest.cut_top(16.0);
    cx.left(top.left_mid(0.0), "Comes with Deskhand", Type::CAPTION, cx.t.text_3);
    rest.cut_top(8.0);
    let title = rest.cut_top(24.0).left_mid(0.0);
    cx.left(title, "The example interview", Type::READOUT, cx.t.text);
    let long = mark(example.seconds.round(), 1.0);
    let words = format!(
        "Two voices with fillers and retakes, and a music bed. {long} long, with its words."
    );
    cx.para(rest.min + vec2(0.0, 4.0), &words, Type::BODY, cx.t.text_2, rect.width());
    let note = rest.cut_bottom(16.0);
    cx.left(note.left_mid(0.0), "You work on a copy.", Type::CAPTION, cx.t.text_3);
    rest.cut_bottom(8.0);
    let button = Button::new(Kind::Primary, "Open the example interview").icon(icons::PLAY);
    let foot = rest.cut_bottom(32.0);
    let cell = Rect::from_min_size(foot.min, vec2(button.width(cx) + 8.0, 32.0));
    if button.show(cx, cell).clicked() {
        out.push(Action::OpenExample { asks: None });
    }
}

/// Draws the tracks, three cuts of both voices, and the curve of the music.
fn lanes(cx: &Cx<'_>, example: &Example, rect: Rect) {
    let cx = &cx.clip(rect);
    cx.label(
        rect,
        "example lanes",
        "The lanes of the example: two voices and music, with planned cuts",
    );
    let count = example.lanes.len().max(1) as f32;
    let tall = ((rect.height() - 4.0 * (count - 1.0)) / count).floor();
    let mut rest = rect;
    let mut places = Vec::new();
    // Rose, sand and sage, which are far apart.
    for (lane, hue) in example.lanes.iter().zip([0, 5, 4]) {
        let place = rest.cut_top(tall);
        rest.cut_top(4.0);
        track(cx, lane, place, cx.t.hues[hue]);
        places.push(place);
    }
    let x = |second: f64| rect.left() + rect.width() * (second / example.seconds.max(1.0)) as f32;
    if let [voices @ .., music] = places.as_slice() {
        let pauses = example.pauses(CUTS);
        for (number, pause) in (1..).zip(&pauses) {
            cut(cx, voices, (x(pause.start), x(pause.end)), number);
        }
        duck(cx, *music, &curve(example), x, pauses.len() + 1);
    }
}

fn track(cx: &Cx<'_>, lane: &Lane, rect: Rect, hue: Hue) {
    cx.fill(rect, 2.0, hue.soft);
    let tones = [mix(hue.soft, hue.strong, 0.48), hue.strong];
    let body = Rect::from_min_max(rect.min + vec2(0.0, 12.0), rect.max);
    wave::paint(cx, body, &lane.columns, GAIN, tones[0], tones[1]);
    cx.left(rect.min + vec2(6.0, 9.0), &lane.name, Type::TICK, hue.strong);
}

/// A stretch that would go from all voices: a block on each, its number on the first.
fn cut(cx: &Cx<'_>, voices: &[Rect], (from, to): (f32, f32), number: usize) {
    for (index, lane) in voices.iter().enumerate() {
        let block = Rect::from_x_y_ranges(from.round()..=to.round(), lane.y_range());
        cx.hatch(block, 6.0, alpha(cx.t.danger, 0.42));
        cx.dashed_border(block, cx.t.accent);
        if index == 0 {
            plan_tag(cx, pos2(block.center().x, block.top() + 12.0), number, true);
        }
    }
}

/// The gain of the music over time: seconds and dB.
fn curve(example: &Example) -> Vec<(f64, f32)> {
    let mut points = vec![(0.0, 0.0)];
    let mut talk = example.talk.iter().peekable();
    while let Some(first) = talk.next() {
        let (start, mut end) = (first.start, first.end);
        while let Some(next) = talk.next_if(|next| next.start - end < HOLDS) {
            end = end.max(next.end);
        }
        points.extend([(start - RAMP, 0.0), (start, DEPTH), (end, DEPTH), (end + RAMP, 0.0)]);
    }
    points.push((example.seconds, 0.0));
    points
}

fn duck(cx: &Cx<'_>, rect: Rect, curve: &[(f64, f32)], x: impl Fn(f64) -> f32, number: usize) {
    // 12 dB are half of the lane.
    let y = |db: f32| rect.top() + 14.0 + db / DEPTH * rect.height() * 0.45;
    let points: Vec<Pos2> = curve.iter().map(|(at, db)| pos2(x(*at), y(*db))).collect();
    cx.dashes(&points, 1.5, cx.t.accent);
    let words = "−12 dB under the voices";
    let width = cx.width(words, Type::CAPTION_STRONG) + 40.0;
    let plate =
        Rect::from_min_size(rect.right_bottom() - vec2(width + 4.0, 26.0), vec2(width, 20.0));
    cx.fill(plate, 3.0, cx.t.panel);
    cx.left(plate.left_mid(6.0), words, Type::CAPTION_STRONG, cx.t.accent);
    let tag = Rect::from_min_size(plate.right_top() + vec2(-22.0, 2.0), vec2(18.0, 16.0));
    plan_tag_of(cx, tag, &number.to_string());
}

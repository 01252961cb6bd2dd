//! An instance in a host: what it plays now, and the invitation to let it learn the song.

use crate::action::{Action, Actions};
use crate::kit::controls::{Button, Kind};
use crate::kit::meter::{self, STRIP_TICKS};
use crate::kit::scale::{num, signed};
use crate::kit::{Cut, Cx};
use crate::live::{Instance, Learning, Live, Motion, SoundOutput};
use crate::meters::Loudness;
use crate::model::Model;
use crate::theme::{Type, radius};
use egui::{Pos2, Rect, Shape, Stroke, pos2, vec2};

/// Levels of a spectrum that are drawn, dBFS.
const SHOWN: (f32, f32) = (-90.0, 0.0);
/// Frequencies that are named below a spectrum.
const NAMED: [(f32, &str); 3] = [(100.0, "100"), (1_000.0, "1k"), (10_000.0, "10k")];

/// Level, loudness, true peak, gain and spectrum of the instance whose window this is.
pub(crate) fn show(cx: &Cx<'_>, model: &Model, rect: Rect) {
    let Some(instance) = &model.live.instance else { return };
    let track = model.session().and_then(|session| session.tracks.get(&instance.track));
    let name = track.map_or("This track", |track| track.name.as_str());
    let mut rest = rect.pad(16.0, 8.0);
    let head = rest.cut_top(28.0);
    cx.elided(head.left_mid(0.0), name, Type::BODY_STRONG, cx.t.text, head.width());
    levels(cx, model, instance, rest.cut_left(116.0));
    rest.cut_left(16.0);
    numbers(cx, &model.desk.meters.loudness, instance, rest.cut_top(60.0));
    rest.cut_top(8.0);
    spectrum(cx, instance, name, rest);
}

/// Both channels in dBFS; momentary and short-term loudness in LUFS.
fn levels(cx: &Cx<'_>, model: &Model, instance: &Instance, rect: Rect) {
    let mut bars = rect;
    let labels = bars.cut_bottom(16.0);
    let column = |left: f32, width: f32| {
        Rect::from_min_size(pos2(bars.left() + left, bars.top()), vec2(width, bars.height()))
    };
    let stereo = column(24.0, 21.0);
    meter::dbfs_ticks(cx, column(0.0, 22.0), stereo, &STRIP_TICKS);
    meter::stereo(cx, stereo, model.desk.meters.track(instance.track));
    meter::lufs_ticks(cx, column(50.0, 26.0), column(78.0, 12.0));
    let loudness = &model.desk.meters.loudness.shown;
    let two = [(78.0, "M", loudness.momentary), (96.0, "S", loudness.short_term)];
    for (left, name, lufs) in two {
        let bar = column(left, 12.0);
        meter::loudness(cx, bar, lufs, None);
        cx.center(pos2(bar.center().x, labels.center().y), name, Type::TICK, cx.t.text_3);
    }
    cx.center(pos2(stereo.center().x, labels.center().y), "dBFS", Type::TICK, cx.t.text_3);
}

fn numbers(cx: &Cx<'_>, loudness: &Loudness, instance: &Instance, rect: Rect) {
    let short = loudness.shown.short_term;
    let lufs = if short.is_finite() { num(short, 1) } else { "−∞".into() };
    let rows = [
        ("Short-term", lufs, "LUFS"),
        ("True peak", signed(loudness.true_peak, 1), "dBTP"),
        ("Gain", signed(instance.gain.0 as f32, 1), "dB"),
    ];
    let mut rest = rect;
    for (name, value, unit) in rows {
        let row = rest.cut_top(20.0);
        cx.left(row.left_mid(0.0), name, Type::SMALL, cx.t.text_2);
        let left = cx.right(row.right_mid(0.0), unit, Type::CAPTION, cx.t.text_3).left();
        let edge = left.min(row.right() - 30.0) - 4.0;
        cx.right(pos2(edge, row.center().y), &value, Type::BODY_STRONG, cx.t.text);
        let words = format!("{name} {value} {unit}");
        cx.label(row, ("instance", name), &words);
    }
}

fn spectrum(cx: &Cx<'_>, instance: &Instance, name: &str, rect: Rect) {
    let mut area = rect;
    let ticks = area.cut_bottom(14.0);
    cx.fill(area, radius::CONTROL, cx.t.well);
    let (low, high) = Instance::HERTZ;
    for (hertz, label) in NAMED {
        let x = area.left() + area.width() * (hertz / low).ln() / (high / low).ln();
        cx.vline(x, area.top(), area.bottom(), cx.t.line);
        cx.center(pos2(x, ticks.center().y), label, Type::TICK, cx.t.text_3);
    }
    let points = outline(&instance.spectrum, area);
    for pair in points.windows(2) {
        if let [from, to] = pair {
            let below = |at: &Pos2| pos2(at.x, area.bottom());
            let corners = vec![*from, *to, below(to), below(from)];
            let fill = cx.t.meter.gamma_multiply(0.35);
            cx.p.add(Shape::convex_polygon(corners, fill, Stroke::NONE));
        }
    }
    cx.path(points, 1.0, cx.t.meter);
    let words = format!("Spectrum of {name}");
    cx.label(area, "spectrum", &words);
}

/// A point for each step of a spectrum, from the left to the right edge of `area`.
fn outline(spectrum: &[f32], area: Rect) -> Vec<Pos2> {
    let (low, high) = SHOWN;
    let last = spectrum.len().saturating_sub(1).max(1) as f32;
    let point = |(index, level): (usize, &f32)| {
        let height = ((level - low) / (high - low)).clamp(0.0, 1.0);
        let x = area.left() + area.width() * index as f32 / last;
        pos2(x, area.bottom() - area.height() * height)
    };
    spectrum.iter().enumerate().map(point).collect()
}

/// The instructions before the first recording.
pub(crate) fn invite(cx: &Cx<'_>, live: &Live, rect: Rect, out: &mut Actions) {
    let at = rect.min + vec2(24.0, rect.height() * 0.3);
    let learning = live.instance.as_ref().and_then(|instance| instance.learning);
    let (title, words) = invitation(live, learning);
    let room = (rect.width() - 48.0).min(420.0);
    // While the host plays, the playhead passes under it.
    let text = 20.0 + cx.para_height(words, Type::BODY, room);
    let button = if learning.is_some() { 40.0 } else { 0.0 };
    let back = Rect::from_min_size(at - vec2(0.0, 10.0), vec2(room, text + button + 10.0));
    cx.fill(back.expand(16.0), radius::CARD, cx.t.panel);
    let title_rect = cx.left(at, &title, Type::TITLE, cx.t.text);
    cx.para(at + vec2(0.0, 20.0), words, Type::BODY, cx.t.text_2, room);
    cx.label(title_rect, "invitation", format!("{title}. {words}"));
    let (label, starts) = match learning {
        None => return,
        Some(Learning::Offered) => ("Learn", true),
        Some(Learning::Listening { .. }) => ("Stop", false),
    };
    let button = Button::new(Kind::Secondary, label);
    let cell = Rect::from_min_size(at + vec2(0.0, text + 12.0), vec2(button.width(cx), 28.0));
    if button.show(cx, cell).clicked() {
        out.push(Action::Learn(starts));
    }
}

fn invitation(live: &Live, learning: Option<Learning>) -> (String, &'static str) {
    match learning {
        Some(Learning::Listening { left }) if live.motion == Motion::Playing => {
            (format!("Listening, {left} s left"), "Deskhand records each track that it is on.")
        }
        Some(Learning::Listening { left }) => {
            let host = match &live.output {
                SoundOutput::Host { name } => name.as_str(),
                SoundOutput::Device { .. } | SoundOutput::None { .. } => "the host",
            };
            (format!("Press play in {host}"), listening_words(left))
        }
        Some(Learning::Offered) => (
            "Let Deskhand hear the song".into(),
            "Press Learn, then play a passage of 15 seconds. Deskhand records each track that it is on. Nothing changes \
             until you press Apply.",
        ),
        None => (
            "Play the song once".into(),
            "Each instance of Deskhand records what its track plays. Play or render a passage, then ask. Nothing \
             changes until you press Apply.",
        ),
    }
}

fn listening_words(left: u32) -> &'static str {
    match left {
        0..=14 => "The recording goes on when the host plays.",
        15.. => "The recording begins when the host plays.",
    }
}

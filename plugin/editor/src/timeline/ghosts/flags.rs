//! Flags on the ruler: what a plan would change there, each with the number of its row.

use super::numbers::numbers;
use crate::icons;
use crate::kit::controls::plan_tag_of;
use crate::kit::{Cut, Cx};
use crate::theme::Type;
use egui::{Rect, pos2, vec2};

/// Flags that are closer to each other are one, points.
const TIGHT: f32 = 20.0;
const HEIGHT: f32 = 16.0;
/// Around an arrow between two words.
const ARROW: f32 = 16.0;

/// One flag: the marker before, and after.
pub(super) struct Flag {
    pub(super) x: f32,
    /// By their place in the plan, from 0.
    pub(super) rows: Vec<usize>,
    /// The words it replaces; empty if there are none.
    pub(super) was: String,
    /// Words that would be there; empty where it would be gone.
    pub(super) is: String,
}

impl Flag {
    pub(super) fn words(&self) -> String {
        match (self.was.as_str(), self.is.as_str()) {
            ("", is) => is.to_owned(),
            (was, "") => format!("{was} removed"),
            (was, is) => format!("{was} to {is}"),
        }
    }

    /// How wide it would be with all its words.
    fn width(&self, cx: &Cx<'_>) -> f32 {
        let width = |words: &str| match words {
            "" => 0.0,
            words => cx.width(words, Type::CAPTION_STRONG),
        };
        let arrow = if self.was.is_empty() || self.is.is_empty() { 0.0 } else { ARROW };
        width(&self.was) + arrow + width(&self.is) + 14.0 + self.number(cx)
    }

    fn number(&self, cx: &Cx<'_>) -> f32 {
        (cx.width(&numbers(&self.rows), Type::CAPTION_STRONG) + 6.0).max(14.0)
    }

    pub(super) fn paint(&self, cx: &Cx<'_>, rect: Rect) {
        let goes = self.is.is_empty();
        let color = if goes { cx.t.danger } else { cx.t.accent };
        cx.fill(rect, 2.0, cx.t.panel);
        let number = self.number(cx);
        let mut words = rect.pad(6.0, number + 4.0);
        if words.width() > 8.0 {
            if !self.was.is_empty() {
                let at = words.left_center();
                let tone = if goes { cx.t.danger } else { cx.t.text_3 };
                let was = cx.elided(at, &self.was, Type::CAPTION_STRONG, tone, words.width());
                cx.hline(was.left(), was.right(), was.center().y, tone);
                words.min.x = was.right();
            }
            if !self.was.is_empty() && !goes && words.width() > ARROW + 8.0 {
                let at = pos2(words.left() + ARROW / 2.0, rect.center().y);
                cx.icon(at, icons::ARROW_RIGHT, 10.0, cx.t.text_3);
                words.min.x += ARROW;
            }
            if !goes && words.width() > 8.0 {
                let at = words.left_center();
                cx.elided(at, &self.is, Type::CAPTION_STRONG, color, words.width());
            }
        }
        cx.dashed_border(rect, color);
        let size = vec2(number, HEIGHT - 2.0);
        let at = pos2(rect.right() - 1.0 - number / 2.0, rect.center().y);
        plan_tag_of(cx, Rect::from_center_size(at, size), &numbers(&self.rows));
    }
}

/// The places of flags in a row whose top is `top`, without overlap.
pub(super) fn placed(cx: &Cx<'_>, flags: Vec<Flag>, top: f32) -> Vec<(Rect, Flag)> {
    let flags = stacked(flags);
    let ends: Vec<f32> = flags.iter().skip(1).map(|next| next.x - 2.0).collect();
    let mut placed = Vec::new();
    for (place, flag) in flags.into_iter().enumerate() {
        let room = ends.get(place).map_or(f32::INFINITY, |end| end - flag.x);
        let size = vec2(flag.width(cx).min(room).ceil(), HEIGHT);
        let rect = Rect::from_min_size(pos2(flag.x, top), size);
        placed.push((rect, flag));
    }
    placed
}

/// Sorts flags from left to right and merges those at one place on screen.
fn stacked(mut flags: Vec<Flag>) -> Vec<Flag> {
    flags.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut all: Vec<Flag> = Vec::new();
    for flag in flags {
        match all.last_mut().filter(|last| flag.x - last.x < TIGHT) {
            Some(last) => last.rows.extend(flag.rows),
            None => all.push(flag),
        }
    }
    for flag in &mut all {
        flag.rows.sort_unstable();
        flag.rows.dedup();
    }
    all
}

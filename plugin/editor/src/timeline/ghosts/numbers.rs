//! Where the numbers of rows stand on the lanes: beside each other, and together where there is no room for that.

use crate::kit::controls::plan_tag_of;
use crate::kit::{Cut, Cx};
use crate::theme::Type;
use egui::{Rect, pos2, vec2};
use std::collections::BTreeMap;

/// Room between two, points.
const GAP: f32 = 2.0;
const HEIGHT: f32 = 18.0;

/// Which corner of a ghost its number stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Corner {
    TopRight,
    BottomLeft,
}

/// The number of a row, or those of several, with the words of one.
pub(super) struct Tag {
    left: f32,
    right: f32,
    y: f32,
    /// By their place in the plan, from 0.
    pub(super) rows: Vec<usize>,
    pub(super) words: String,
}

impl Tag {
    pub(super) fn rect(&self) -> Rect {
        let top = self.y - HEIGHT / 2.0;
        Rect::from_min_max(pos2(self.left, top), pos2(self.right, top + HEIGHT))
    }

    fn is_in_the_way(&self, left: f32, right: f32) -> bool {
        right + GAP > self.left && left < self.right + GAP
    }

    pub(super) fn paint(&self, cx: &Cx<'_>) {
        let rect = self.rect();
        let mut number = rect;
        if !self.words.is_empty() {
            cx.fill(rect, 3.0, cx.t.panel);
            cx.left(rect.left_mid(6.0), &self.words, Type::CAPTION_STRONG, cx.t.accent);
            number.min.x = rect.right() - 1.0 - width(cx, &self.rows);
            number.max.x = rect.right() - 1.0;
        }
        let size = vec2(number.width(), 16.0);
        plan_tag_of(cx, Rect::from_center_size(number.center(), size), &numbers(&self.rows));
    }
}

/// All of them, by the height at which they stand.
#[derive(Default)]
pub(super) struct Numbers {
    bands: BTreeMap<i32, Vec<Tag>>,
}

impl Numbers {
    /// Adds the number of a row to what is seen of its ghost, centered at a height; with its words where they fit.
    pub(super) fn add(
        &mut self,
        cx: &Cx<'_>,
        (seen, y): (Rect, f32),
        row: usize,
        words: &str,
        corner: Corner,
    ) {
        let tags = self.bands.entry(y.round() as i32).or_default();
        let number = width(cx, &[row]);
        let has_words = !words.is_empty() && seen.width() > number + 16.0;
        let whole =
            if has_words { cx.width(words, Type::CAPTION_STRONG) + number + 12.0 } else { 0.0 };
        let tag = |left: f32, width: f32, words: &str| {
            let (right, words) = (left + width, words.to_owned());
            Tag { left, right, y, rows: vec![row], words }
        };
        let fits = |left: &f32| *left >= seen.left() + 4.0;
        if has_words && let Some(left) = slide(tags, seen, whole, corner).filter(fits) {
            return tags.push(tag(left, whole, words));
        }
        if let Some(left) = slide(tags, seen, number, corner) {
            return tags.push(tag(left, number, ""));
        }
        // Without their words there may be room for both.
        for other in tags.iter_mut().filter(|tag| seen.x_range().contains(tag.right)) {
            other.words.clear();
            other.left = other.left.max(other.right - width(cx, &other.rows));
        }
        if let Some(left) = slide(tags, seen, number, corner) {
            return tags.push(tag(left, number, ""));
        }
        join(tags, seen, row, corner);
    }

    /// All, those that would lie on each other joined.
    pub(super) fn settled(self, cx: &Cx<'_>) -> Vec<Tag> {
        self.bands.into_values().flat_map(|tags| apart(cx, tags)).collect()
    }
}

/// Where a number begins that goes inward from its corner until it lies on no other; none where it would leave the
/// ghost.
fn slide(tags: &[Tag], seen: Rect, width: f32, corner: Corner) -> Option<f32> {
    let begin = match corner {
        Corner::TopRight => seen.right() - 3.0 - width,
        Corner::BottomLeft => seen.left() + 4.0,
    };
    let mut left = begin;
    while let Some(other) = tags.iter().find(|tag| tag.is_in_the_way(left, left + width)) {
        left = match corner {
            Corner::TopRight => other.left - GAP - width,
            Corner::BottomLeft => other.right + GAP,
        };
        if left < seen.left() || left + width > seen.right() {
            return None;
        }
    }
    Some(left)
}

/// Adds a row to the number that stands nearest.
fn join(tags: &mut [Tag], seen: Rect, row: usize, corner: Corner) {
    let wanted = if corner == Corner::TopRight { seen.right() } else { seen.left() };
    let apart = |tag: &Tag| (tag.rect().center().x - wanted).abs();
    let nearest = tags.iter_mut().min_by(|a, b| apart(a).total_cmp(&apart(b)));
    if let Some(tag) = nearest {
        tag.rows.push(row);
        tag.words.clear();
    }
}

/// Numbers of one height, from left to right, none on another.
fn apart(cx: &Cx<'_>, mut tags: Vec<Tag>) -> Vec<Tag> {
    tags.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut done: Vec<Tag> = Vec::new();
    for tag in tags {
        let mut tag = fitted(cx, tag);
        while let Some(last) = done.pop_if(|last| last.right > tag.left) {
            tag = fitted(cx, together(last, tag));
        }
        done.push(tag);
    }
    done
}

fn together(mut one: Tag, other: Tag) -> Tag {
    one.rows.extend(other.rows);
    one.words.clear();
    Tag { left: one.left.min(other.left), right: one.right.max(other.right), ..one }
}

/// As wide as what it says, around where it stood.
fn fitted(cx: &Cx<'_>, mut tag: Tag) -> Tag {
    if tag.words.is_empty() {
        tag.rows.sort_unstable();
        tag.rows.dedup();
        let (middle, half) = ((tag.left + tag.right) / 2.0, width(cx, &tag.rows) / 2.0);
        (tag.left, tag.right) = ((middle - half).round(), (middle + half).round());
    }
    tag
}

fn width(cx: &Cx<'_>, rows: &[usize]) -> f32 {
    (cx.width(&numbers(rows), Type::CAPTION_STRONG) + 8.0).max(16.0).ceil()
}

/// "3", "3–7", or "3 +4": the first and how many besides.
pub(super) fn numbers(rows: &[usize]) -> String {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return String::new() };
    match rows.len() - 1 {
        0 => (first + 1).to_string(),
        more if last - first == more => format!("{}–{}", first + 1, last + 1),
        more => format!("{} +{more}", first + 1),
    }
}

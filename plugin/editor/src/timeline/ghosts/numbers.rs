//! Places the numbers of rows on the lanes: side by side, or merged if there is no room.

use crate::kit::controls::plan_tag_of;
use crate::kit::{Cut, Cx};
use crate::theme::Type;
use egui::{Rect, pos2, vec2};
use std::collections::BTreeMap;

/// Room between two, points.
const GAP: f32 = 2.0;
const HEIGHT: f32 = 18.0;

/// The corner of a ghost that holds its number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Corner {
    TopRight,
    BottomLeft,
}

/// The number of one or more rows, with the text of one.
pub(super) struct Tag {
    left: f32,
    right: f32,
    number: f32,
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
            number.min.x = rect.right() - 1.0 - self.number;
            number.max.x = rect.right() - 1.0;
        }
        let size = vec2(number.width(), 16.0);
        plan_tag_of(cx, Rect::from_center_size(number.center(), size), &numbers(&self.rows));
    }
}

/// All numbers, by their height on screen.
pub(super) struct Numbers {
    bands: BTreeMap<i32, Vec<Tag>>,
    widths: Widths,
}

/// The widths of numbers. There may be thousands, so no text is laid out to find them.
#[derive(Clone, Copy)]
struct Widths {
    digit: f32,
    /// The width of the dash between two numbers.
    dash: f32,
    plus: f32,
}

impl Widths {
    fn new(cx: &Cx<'_>) -> Self {
        let [digit, dash, plus] = ["0", "–", " +"].map(|it| cx.width(it, Type::CAPTION_STRONG));
        Self { digit, dash, plus }
    }

    /// Of the tag of some rows, which are in order.
    fn of(self, rows: &[usize]) -> f32 {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return 0.0 };
        let digits = |number: usize| (number.max(1).ilog10() + 1) as f32 * self.digit;
        let words = match rows.len() - 1 {
            0 => digits(first + 1),
            more if last - first == more => digits(first + 1) + self.dash + digits(last + 1),
            more => digits(first + 1) + self.plus + digits(more),
        };
        (words + 8.0).max(16.0).ceil()
    }
}

impl Numbers {
    pub(super) fn new(cx: &Cx<'_>) -> Self {
        Self { bands: BTreeMap::new(), widths: Widths::new(cx) }
    }

    /// Adds the number of a row to the visible part of its ghost, centered at a height, with its text if
    /// that fits.
    pub(super) fn add(
        &mut self,
        cx: &Cx<'_>,
        (seen, y): (Rect, f32),
        row: usize,
        words: &str,
        corner: Corner,
    ) {
        let (tags, widths) = (self.bands.entry(y.round() as i32).or_default(), self.widths);
        let number = widths.of(&[row]);
        let has_words = !words.is_empty() && seen.width() > number + 16.0;
        let whole =
            if has_words { cx.width(words, Type::CAPTION_STRONG) + number + 12.0 } else { 0.0 };
        let tag = |left: f32, width: f32, words: &str| {
            let (right, words) = (left + width, words.to_owned());
            Tag { left, right, number, y, rows: vec![row], words }
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
            other.left = other.left.max(other.right - other.number);
        }
        if let Some(left) = slide(tags, seen, number, corner) {
            return tags.push(tag(left, number, ""));
        }
        join(tags, seen, row, corner);
    }

    /// All numbers: overlapping ones joined, and none outside the lanes.
    pub(super) fn settled(self, lanes: Rect) -> Vec<Tag> {
        let Self { bands, widths } = self;
        bands.into_values().flat_map(|tags| apart(widths, tags, lanes)).collect()
    }
}

/// The left edge of a number, moved inward from its corner until it overlaps no other. `None` if it would
/// leave the ghost.
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

/// Adds a row to the nearest number.
fn join(tags: &mut [Tag], seen: Rect, row: usize, corner: Corner) {
    let wanted = if corner == Corner::TopRight { seen.right() } else { seen.left() };
    let apart = |tag: &Tag| (tag.rect().center().x - wanted).abs();
    let nearest = tags.iter_mut().min_by(|a, b| apart(a).total_cmp(&apart(b)));
    if let Some(tag) = nearest {
        tag.rows.push(row);
        tag.words.clear();
    }
}

/// Numbers of one height, from left to right, without overlap.
fn apart(widths: Widths, mut tags: Vec<Tag>, lanes: Rect) -> Vec<Tag> {
    tags.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut done: Vec<Tag> = Vec::new();
    for tag in tags {
        let mut tag = fitted(widths, tag, lanes);
        while let Some(last) = done.pop_if(|last| last.right > tag.left) {
            tag = fitted(widths, together(last, tag), lanes);
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

/// Sizes a tag to its text, centered where it was.
fn fitted(widths: Widths, mut tag: Tag, lanes: Rect) -> Tag {
    if tag.words.is_empty() {
        tag.rows.sort_unstable();
        tag.rows.dedup();
        tag.number = widths.of(&tag.rows);
        let (middle, half) = ((tag.left + tag.right) / 2.0, tag.number / 2.0);
        let middle = middle.min(lanes.right() - half).max(lanes.left() + half);
        (tag.left, tag.right) = ((middle - half).round(), (middle + half).round());
    }
    tag
}

/// "3", "3–7", or "3 +4": the first, and how many more.
pub(super) fn numbers(rows: &[usize]) -> String {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return String::new() };
    match rows.len() - 1 {
        0 => (first + 1).to_string(),
        more if last - first == more => format!("{}–{}", first + 1, last + 1),
        more => format!("{} +{more}", first + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::ui_tests::harness;
    use proptest::prelude::*;

    const LANES: Rect = Rect { min: pos2(184.0, 0.0), max: pos2(984.0, 76.0) };

    /// The numbers of ghosts from and to a place, those with words with these.
    fn numbered(ghosts: &[(f32, f32, bool)]) -> Vec<Tag> {
        let harness = harness(Model::new());
        let ui =
            egui::Ui::new(harness.ctx.clone(), egui::Id::unique("numbers"), Default::default());
        let cx = Cx::new(&ui);
        let mut numbers = Numbers::new(&cx);
        for (row, (left, width, has_words)) in ghosts.iter().enumerate() {
            let rect = Rect::from_min_size(pos2(*left, 2.0), vec2(*width, 71.0));
            let words = if *has_words { "Remove" } else { "" };
            numbers.add(&cx, (rect.intersect(LANES), 14.0), row, words, Corner::TopRight);
        }
        numbers.settled(LANES)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
        #[test]
        fn every_row_has_its_number_once_and_none_lies_on_another(
            ghosts in prop::collection::vec((184.0f32..980.0, 2.0f32..300.0, any::<bool>()), 1..200),
        ) {
            let tags = numbered(&ghosts);
            let mut rows: Vec<usize> = tags.iter().flat_map(|tag| tag.rows.clone()).collect();
            rows.sort_unstable();
            prop_assert_eq!(rows, (0..ghosts.len()).collect::<Vec<_>>());
            for pair in tags.windows(2) {
                prop_assert!(pair[0].right <= pair[1].left, "{} {}", pair[0].right, pair[1].left);
            }
            prop_assert!(tags.iter().all(|tag| LANES.expand(1.0).x_range().contains(tag.left)));
        }
    }

    #[test]
    fn numbers_stand_beside_each_other_while_there_is_room_and_then_as_one() {
        let shown = |ghosts: &[(f32, f32, bool)]| -> Vec<(String, String)> {
            let tags = numbered(ghosts).into_iter();
            tags.map(|tag| (tag.words.clone(), super::numbers(&tag.rows))).collect()
        };
        let said = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(words, number)| ((*words).into(), (*number).into())).collect()
        };
        let wide = (200.0, 200.0, true);
        assert_eq!(shown(&[wide, wide]), said(&[("Remove", "2"), ("Remove", "1")]));
        let tight = (200.0, 44.0, false);
        assert_eq!(shown(&[tight, tight]), said(&[("", "2"), ("", "1")]));
        assert_eq!(shown(&[tight; 4]), said(&[("", "1–4")]));
        assert_eq!(shown(&[(200.0, 4.0, true); 5]), said(&[("", "1–5")]));
    }
}

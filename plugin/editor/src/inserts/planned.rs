//! What the open plan would make of the equalizer that is shown: a dashed curve, and a mark at each band that changes.

use super::graph::{Grid, curve, has_gain};
use super::place::Place;
use super::plot::between;
use crate::card::view::Card;
use crate::kit::Cx;
use crate::kit::controls::{plan_tag_of, row_tag_width};
use crate::kit::cx::alpha;
use crate::kit::scale::signed;
use crate::theme::Type;
use deskhand_dsp::effects::{Band, Effect, Equalizer};
use deskhand_session::{Change, InsertId};
use egui::{Pos2, Rect, Stroke, pos2, vec2};

/// The dot of a planned band, and the height of its tag, points.
const DOT: f32 = 5.0;
const TAG: f32 = 18.0;

/// An equalizer as the open plan would leave it.
pub(super) struct Planned<'a> {
    after: &'a Equalizer,
    /// The number of the plan.
    pub(super) plan: usize,
    /// The bands that change, by their places, and the numbers of the rows that change them.
    bands: Vec<(usize, usize)>,
}

impl<'a> Planned<'a> {
    /// What the ticked rows of the open plan make of an equalizer; `None` if they leave it as it is.
    pub(super) fn of(place: Place<'a>, id: InsertId) -> Option<Self> {
        let card = place.scene.plan?;
        // One that is not there yet has no bands.
        let mut now: &[Band] = match place.scene.session.inserts.get(&id).map(|it| &it.effect) {
            Some(Effect::Equalizer(now)) => &now.bands,
            Some(_) => return None,
            None => &[],
        };
        let steps = steps(card, id);
        let mut bands = Vec::new();
        for (row, after) in &steps {
            let changed = (0..).zip(&after.bands).filter(|(_, band)| !now.contains(band));
            bands.extend(changed.map(|(at, _)| (at, row + 1)));
            now = &after.bands;
        }
        let (_, after) = steps.last()?;
        bands.retain(|(at, _)| *at < after.bands.len());
        Some(Self { after, plan: card.number, bands })
    }

    /// The number of the row that changes a band.
    pub(super) fn row_of(&self, band: usize) -> Option<usize> {
        self.bands.iter().rev().find(|(at, _)| *at == band).map(|(_, row)| *row)
    }

    /// Draws it over the curve of what is there now.
    pub(super) fn paint(&self, cx: &Cx<'_>, place: Place<'_>, grid: &Grid, now: &Equalizer) {
        let rate = place.scene.session.rate;
        let [present, course] = [now, self.after].map(|it| curve(grid, it, rate));
        let pairs = present.iter().zip(&course).map(|(one, other)| [*one, *other]);
        between(cx, pairs, alpha(cx.t.accent, 0.1));
        cx.dashes(&course, 1.5, cx.t.accent);
        let mut tags: Vec<Rect> = Vec::new();
        for (index, row) in &self.bands {
            let Some(band) = self.after.bands.get(*index) else { continue };
            let from = now.bands.get(*index).filter(|it| it.shape == band.shape);
            mark(cx, grid, (from, band));
            let words = words(band);
            let rect = free(cx, grid, (band, &words, *row), &tags);
            tag(cx, rect, &words, *row);
            let said = format!("Change {row} of plan {}: band {}, {words}", self.plan, index + 1);
            cx.label(rect, ("planned", index, row), said);
            tags.push(rect);
        }
    }
}

/// What each ticked row of a plan makes of an equalizer, with the number of the row from 0.
fn steps(card: &Card, id: InsertId) -> Vec<(usize, &Equalizer)> {
    let changes = card.stored.plan.changes.iter().enumerate();
    let ticked = changes.filter(|(_, planned)| !card.view.ticks.off.contains(&planned.id));
    let step = ticked.filter_map(|(at, planned)| match &planned.change {
        Change::SetInsert(edit) if edit.target == id => match &edit.after.as_ref()?.effect {
            Effect::Equalizer(after) => Some((card.view.ticks.cuts.number(at), after)),
            _ => None,
        },
        _ => None,
    });
    step.collect()
}

/// "+2.5 dB", or where a band without a gain is.
fn words(band: &Band) -> String {
    match has_gain(band.shape) {
        true => format!("{} dB", signed(band.gain.0 as f32, 1)),
        false => format!("{:.0} Hz", band.frequency_hz),
    }
}

/// A hollow dot where a band would be, and a line from where it is.
fn mark(cx: &Cx<'_>, grid: &Grid, (from, band): (Option<&Band>, &Band)) {
    let at = grid.at(band);
    if let Some(from) = from {
        cx.seg(grid.at(from), at, cx.t.accent);
    }
    cx.p.circle(at, DOT, cx.t.well, Stroke::NONE);
    let round = |step: u8| {
        let angle = std::f32::consts::TAU * f32::from(step) / 24.0;
        at + DOT * vec2(angle.cos(), angle.sin())
    };
    let circle: Vec<Pos2> = (0..=24).map(round).collect();
    cx.dashes(&circle, 1.25, cx.t.accent);
}

/// Where the tag of a band has room: next to its dot, at the side that it moves to.
fn free(cx: &Cx<'_>, grid: &Grid, (band, words, row): (&Band, &str, usize), tags: &[Rect]) -> Rect {
    let is_up = band.gain.0 >= 0.0;
    let width = cx.width(words, Type::CAPTION_STRONG) + row_tag_width(cx, row) + 16.0;
    let at = grid.at(band) + vec2(12.0, if is_up { -12.0 } else { 12.0 });
    let left = at.x.min(grid.rect.right() - width - 4.0).max(grid.rect.left() + 4.0);
    let inside = grid.rect.shrink(TAG);
    let top = at.y.clamp(inside.top(), inside.bottom()) - TAG / 2.0;
    let mut rect = Rect::from_min_size(pos2(left, top), vec2(width, TAG));
    let step = if is_up { -TAG - 2.0 } else { TAG + 2.0 };
    while tags.iter().any(|tag| tag.intersects(rect)) && grid.rect.contains_rect(rect) {
        rect = rect.translate(vec2(0.0, step));
    }
    rect
}

fn tag(cx: &Cx<'_>, rect: Rect, words: &str, row: usize) {
    cx.fill(rect, 3.0, cx.t.panel);
    let words =
        cx.left(rect.left_center() + vec2(6.0, 0.0), words, Type::CAPTION_STRONG, cx.t.accent);
    let size = vec2(row_tag_width(cx, row), 16.0);
    let number = Rect::from_min_size(pos2(words.right() + 6.0, rect.center().y - 8.0), size);
    plan_tag_of(cx, number, &row.to_string());
}

//! Coded stretches of sources, for the bars under words and clips.

use crate::describe::nearest_hue;
use crate::kit::Cx;
use crate::theme::Theme;
use deskhand_dsp::Frames;
use deskhand_session::{Code, CodeId, SegmentId, Session, SourceId};
use egui::{Color32, Rect, pos2};
use std::collections::BTreeMap;

/// The most bars under each other.
const MOST: usize = 3;
const HUES: usize = Theme::DARK.hues.len();

/// A coded stretch of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) segment: SegmentId,
    pub(crate) code: CodeId,
    pub(crate) from: Frames,
    pub(crate) to: Frames,
}

/// The coded stretches of a source.
#[derive(Debug, Default)]
struct Own {
    /// By where they begin.
    stretches: Vec<Stretch>,
    /// How far the stretches up to each one reach, so that a search can stop early.
    reach: Vec<Frames>,
}

#[derive(Debug, Default)]
pub(crate) struct Coded {
    by_source: BTreeMap<SourceId, Own>,
    /// How many stretches have a code.
    pub(crate) counts: BTreeMap<CodeId, usize>,
}

impl Coded {
    pub(crate) fn new(session: &Session) -> Self {
        let mut coded = Self::default();
        for (id, segment) in &session.segments {
            for coding in &segment.codings {
                let (from, to) = (segment.start, segment.end());
                let stretch = Stretch { segment: *id, code: coding.code, from, to };
                coded.by_source.entry(segment.source).or_default().stretches.push(stretch);
                *coded.counts.entry(coding.code).or_default() += 1;
            }
        }
        for Own { stretches, reach } in coded.by_source.values_mut() {
            stretches.sort_by_key(|stretch| (stretch.from, stretch.segment));
            let mut far = Frames::ZERO;
            reach.extend(stretches.iter().map(|stretch| {
                far = far.max(stretch.to);
                far
            }));
        }
        coded
    }

    /// The codings over a stretch of a source, by their start.
    pub(crate) fn over(
        &self,
        source: SourceId,
        from: Frames,
        to: Frames,
    ) -> impl Iterator<Item = &Stretch> {
        let near = self.by_source.get(&source).map(|own| own.near(from, to));
        near.unwrap_or_default().iter().filter(move |stretch| stretch.to > from)
    }
}

impl Own {
    /// Those among which all are that lie over a stretch of the source.
    fn near(&self, from: Frames, to: Frames) -> &[Stretch] {
        let ahead = self.stretches.partition_point(|stretch| stretch.from < to);
        let behind = self.reach.partition_point(|reach| *reach <= from);
        self.stretches.get(behind..ahead).unwrap_or_default()
    }
}

/// The color that a code is drawn in: the nearest hue of the theme to its own, else one by its id, which others that
/// come do not change.
pub(crate) fn color_of(theme: &Theme, session: &Session, id: CodeId) -> Color32 {
    theme.hues[hue_of(session, id)].strong
}

fn hue_of(session: &Session, id: CodeId) -> usize {
    let own = session.codes.get(&id).and_then(|code: &Code| code.color.clone());
    let hue = own.and_then(|color| nearest_hue(&String::from(color)));
    hue.unwrap_or((id.bits() % HUES as u64) as usize)
}

/// The color of a new code: the first of those that the fewest codes have.
pub(crate) fn fresh(session: &Session) -> String {
    let mut counts = [0_usize; HUES];
    session.codes.keys().for_each(|id| counts[hue_of(session, *id)] += 1);
    stored((0..HUES).min_by_key(|hue| counts[*hue]).unwrap_or(0))
}

/// A hue as a code stores it: its tone in the dark theme, whichever theme is shown.
pub(crate) fn stored(hue: usize) -> String {
    let [red, green, blue, _] = Theme::DARK.hues[hue].strong.to_array();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Which of the bars under each other is whose: a code keeps its bar as long as the slots live.
#[derive(Default)]
pub(crate) struct Slots {
    codes: Vec<CodeId>,
}

impl Slots {
    /// The bar of a code; `None` if there is no room for more.
    pub(crate) fn of(&mut self, code: CodeId) -> Option<usize> {
        let known = self.codes.iter().position(|known| *known == code);
        known.or_else(|| {
            self.codes.push(code);
            (self.codes.len() <= MOST).then_some(self.codes.len() - 1)
        })
    }
}

/// Draws a bar from `left` to `right` that ends `slot` bars above `bottom`.
pub(crate) fn bar(cx: &Cx<'_>, left: f32, right: f32, bottom: f32, slot: usize, color: Color32) {
    let low = bottom - 3.0 * slot as f32;
    let right = right.max(left + 2.0);
    cx.fill(Rect::from_min_max(pos2(left, low - 2.0), pos2(right, low)), 1.0, color);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoken;
    use deskhand_session::{Coding, Segment};

    #[test]
    fn stretches_are_found_where_they_lie_and_counted() {
        let coded = Coded::new(&spoken());
        let source = SourceId::new(1);
        let (all, code) = (Frames(48_000 * 60), CodeId::new(1));
        assert_eq!(coded.counts[&code], 1);
        let found: Vec<_> = coded.over(source, Frames::ZERO, all).map(|it| it.code).collect();
        assert_eq!(found, [code]);
        assert_eq!(coded.over(source, Frames(72_000), all).count(), 0, "it ends there");
    }

    #[test]
    fn of_many_stretches_only_those_near_a_place_are_looked_through() {
        let mut session = spoken();
        session.segments.clear();
        let source = SourceId::new(1);
        // A second each, and the fifth goes on for 30 s.
        for number in 0..1_000_u64 {
            let length = Frames(if number == 4 { 1_440_000 } else { 48_000 });
            let mut coded = Segment::new(source, Frames(number as i64 * 48_000), length);
            coded.codings.push(Coding::new(CodeId::new(1), None));
            session.segments.insert(SegmentId::new(number + 1), coded);
        }
        let coded = Coded::new(&session);
        let over = |second: i64| -> Vec<u64> {
            let (from, to) = (Frames(second * 48_000), Frames((second + 1) * 48_000));
            coded.over(source, from, to).map(|it| it.segment.bits() - 1).collect()
        };
        assert_eq!([over(3), over(20), over(900)], [vec![3], vec![4, 20], vec![900]]);
        let near = coded.by_source[&source].near(Frames(900 * 48_000), Frames(901 * 48_000));
        assert_eq!(near.len(), 1);
    }

    #[test]
    fn a_code_keeps_its_color_when_another_comes_ahead_of_it() {
        let mut session = spoken();
        let id = CodeId::new(2);
        let before = color_of(&Theme::DARK, &session, id);
        session.codes.insert(CodeId::new(0), Code::new("Garden"));
        assert_eq!(color_of(&Theme::DARK, &session, id), before);
        assert_ne!(color_of(&Theme::DARK, &session, CodeId::new(1)), before);
    }

    #[test]
    fn a_new_code_has_a_color_that_few_have() {
        let mut session = spoken();
        let mut shown: Vec<Color32> =
            [1, 2].map(|id| color_of(&Theme::DARK, &session, CodeId::new(id))).into();
        for number in 10..15 {
            let color = fresh(&session).try_into().ok();
            let id = CodeId::new(number);
            session.codes.insert(id, Code { color, ..Code::new("New") });
            let color = color_of(&Theme::DARK, &session, id);
            assert!(!shown.contains(&color), "{number}");
            shown.push(color);
        }
    }

    #[test]
    fn a_code_keeps_its_bar_and_the_fourth_has_none() {
        let mut slots = Slots::default();
        let placed = [1, 2, 1, 3, 4].map(|code| slots.of(CodeId::new(code)));
        assert_eq!(placed, [Some(0), Some(1), Some(0), Some(2), None]);
    }
}

//! Short rests next to cuts: between two cuts, or between a cut and the end of a clip.

use super::find::{BREATH_MS, Cut, Finder, Kind};
use super::listen::Heard;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, Word};
use std::ops::Range;

/// A rest is not worth a clip if it is shorter than this, in ms, and nobody speaks in it.
const REST_MS: i64 = 150;

/// Where the clip ends that plays at a time, or the next one already begins.
fn end_of(clips: &[&Clip], at: Frames) -> Option<Frames> {
    let over = |clip: &&&Clip| clip.position < at && at < clip.end();
    let end = clips.iter().filter(over).map(|clip| clip.end()).min()?;
    let next = clips.iter().map(|clip| clip.position).filter(|next| at < *next && *next < end);
    Some(next.min().unwrap_or(end))
}

/// The start of the clip that plays at a time, or the last end of the clip before it.
fn begin_of(clips: &[&Clip], at: Frames) -> Option<Frames> {
    let over = |clip: &&&Clip| clip.position < at && at < clip.end();
    let begin = clips.iter().filter(over).map(|clip| clip.position).max()?;
    let ahead = clips.iter().map(|clip| clip.end()).filter(|end| begin < *end && *end < at);
    Some(ahead.max().unwrap_or(begin))
}

impl Finder<'_> {
    /// Whether nobody speaks in a range, which is a short one.
    fn is_rest(&self, range: &Range<Frames>) -> bool {
        let length = range.end - range.start;
        let is_said = |one: &Heard| {
            let is_inside = |word: &Word| range.contains(&word.middle());
            one.speaks_in(range) || one.words.iter().any(is_inside)
        };
        Frames::ZERO < length && length < self.ms(REST_MS) && !self.heard.iter().any(is_said)
    }

    /// Whether nothing worth a clip lies between two cuts.
    pub(super) fn are_one(&self, ahead: &Cut, behind: &Cut) -> bool {
        let is_pause = [ahead, behind].iter().any(|cut| cut.kind == Kind::Pause);
        let rest = ahead.range.end..behind.range.start;
        (is_pause || ahead.track == behind.track) && self.is_rest(&rest)
    }

    /// Moves the cut of a pause away from a neighboring cut, as far as the pause goes, so that the stretch
    /// between them is worth a clip on each side. `cuts` are in order.
    pub(super) fn make_room(&self, cuts: &mut [Cut]) {
        let is_pause = |cut: Option<&Cut>| cut.is_some_and(|cut| cut.kind == Kind::Pause);
        for at in 1..cuts.len() {
            let Some([ahead, behind]) = cuts.get(at - 1..=at) else { continue };
            let gap = behind.range.start - ahead.range.end;
            let lacks = self.ms(2 * REST_MS) - gap;
            if gap <= Frames::ZERO || lacks <= Frames::ZERO {
                continue;
            }
            let (moved, by) = match (is_pause(cuts.get(at - 1)), is_pause(cuts.get(at))) {
                (true, false) => {
                    let others = cuts.get(..at - 1).unwrap_or_default();
                    let room = self.silence_ahead(others, ahead.range.start);
                    (at - 1, Frames::ZERO - lacks.min(room))
                }
                (false, true) => {
                    let others = cuts.get(at + 1..).unwrap_or_default();
                    (at, lacks.min(self.silence_behind(others, behind.range.end)))
                }
                _ => continue,
            };
            if let Some(cut) = cuts.get_mut(moved) {
                cut.range = cut.range.start + by..cut.range.end + by;
            }
        }
    }

    /// How long before a time there is nothing but a breath, and no other cut.
    fn silence_ahead(&self, others: &[Cut], at: Frames) -> Frames {
        let over = self.said(others).filter(|range| range.start < at);
        let room = over.map(|range| at - range.end).min().unwrap_or(at);
        (room - self.ms(BREATH_MS)).max(Frames::ZERO)
    }

    /// The same after a time.
    fn silence_behind(&self, others: &[Cut], at: Frames) -> Frames {
        let over = self.said(others).filter(|range| at < range.end);
        let room = over.map(|range| range.start - at).min().unwrap_or(Frames::ZERO);
        (room - self.ms(BREATH_MS)).max(Frames::ZERO)
    }

    /// Everything that is said or sounds like speech, and cuts.
    fn said<'a>(&'a self, cuts: &'a [Cut]) -> impl Iterator<Item = Range<Frames>> + 'a {
        let heard = self.heard.iter().flat_map(|one| {
            let words = one.words.iter().map(|word| word.start..word.end);
            one.active.iter().cloned().chain(words)
        });
        heard.chain(cuts.iter().map(|cut| cut.range.clone()))
    }

    /// A cut extended by the short rest of a clip next to it. The cut of a pause keeps its length and moves
    /// there.
    pub(super) fn to_border(&self, mut cut: Cut) -> Cut {
        let own = self.heard.iter().filter(|one| cut.track.is_none_or(|track| track == one.track));
        let clips: Vec<&Clip> = own.flat_map(|one| &one.clips).collect();
        let Range { start, end } = cut.range.clone();
        let rests =
            [begin_of(&clips, start).map(|at| at..start), end_of(&clips, end).map(|at| end..at)];
        let [before, after] = rests.map(|rest| rest.filter(|rest| self.is_rest(rest)));
        let (earlier, later) = (before.map(|rest| rest.start), after.map(|rest| rest.end));
        cut.range = match (cut.kind, earlier, later) {
            (Kind::Pause, Some(_), Some(_)) => start..end,
            (Kind::Pause, Some(at), None) => at..end - (start - at),
            (Kind::Pause, None, Some(at)) => start + (at - end)..at,
            (_, earlier, later) => earlier.unwrap_or(start)..later.unwrap_or(end),
        };
        cut
    }
}

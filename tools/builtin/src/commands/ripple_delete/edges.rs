//! Where words are cut out: at the quietest point of the gap to the next word that stays.

use crate::find::millis;
use crate::made::stretch;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, Session, TrackId, Word};
use deskhand_toolkit::{PlanContext, ToolError};
use std::ops::Range;

/// How far an edge may move, in ms.
const REACH_MS: f64 = 150.0;
/// How long around a moment it has to be quiet, in ms.
const AROUND_MS: f64 = 10.0;

/// `words` with both edges moved outward, on all `tracks` alike: as far as words that stay leave room for a crossfade.
///
/// # Errors
/// When audio cannot be read.
pub(super) fn between_words(
    context: &PlanContext,
    tracks: &[TrackId],
    words: &Range<Frames>,
    crossfade: Frames,
) -> Result<Range<Frames>, ToolError> {
    let session = &*context.session;
    let reach = millis(REACH_MS, session.rate);
    let around = (words.start - reach).max(Frames::ZERO)..words.end + reach;
    let kept: Vec<Word> =
        heard(session, tracks, &around).filter(|word| !words.contains(&word.middle())).collect();
    let ahead = kept.iter().filter(|word| word.middle() < words.start).map(|word| word.end);
    let behind = kept.iter().filter(|word| word.middle() >= words.end).map(|word| word.start);
    let first = ahead.max().map_or(around.start, |end| end.max(around.start).min(words.start));
    let last = behind.min().map_or(around.end, |start| start.min(around.end).max(words.end));
    let quiet = Quiet { context, tracks, crossfade };
    let start = quiet.quietest(first..words.start, words.start)?;
    Ok(start..quiet.quietest(words.end..last, words.end)?)
}

/// The words in a range, as clips play them, at their times on the timeline. No other is copied: a recording has any
/// number of them.
fn heard<'a>(
    session: &'a Session,
    tracks: &'a [TrackId],
    around: &'a Range<Frames>,
) -> impl Iterator<Item = Word> + 'a {
    clips(session, tracks, around).flat_map(move |clip| {
        let shift = clip.position - clip.start;
        let segments = session.transcript_of(clip.source).into_iter();
        let words = segments.flat_map(|(_, segment)| &segment.words);
        words.filter_map(move |word| {
            let (start, end) = (word.start + shift, word.end + shift);
            let is_near = around.start < end && start < around.end;
            let is_heard = (clip.position..clip.end()).contains(&(word.middle() + shift));
            (is_near && is_heard).then(|| Word { start, end, ..word.clone() })
        })
    })
}

fn clips<'a>(
    session: &'a Session,
    tracks: &'a [TrackId],
    around: &'a Range<Frames>,
) -> impl Iterator<Item = &'a Clip> + 'a {
    let clips = session.clips.values().filter(move |clip| tracks.contains(&clip.track));
    clips.filter(move |clip| clip.position < around.end && around.start < clip.end())
}

/// Listens to tracks, no longer than it has to: a cut is done at once, however long the recordings are.
struct Quiet<'a> {
    context: &'a PlanContext,
    tracks: &'a [TrackId],
    crossfade: Frames,
}

impl Quiet<'_> {
    /// The quietest moment of a gap that leaves room for the crossfade, of several the one nearest to `edge`; `edge`
    /// itself where there is no gap.
    fn quietest(&self, gap: Range<Frames>, edge: Frames) -> Result<Frames, ToolError> {
        let length = gap.end - gap.start;
        if length <= Frames::ZERO {
            return Ok(edge);
        }
        let room = Frames(self.crossfade.0.min(length.0) / 2);
        let (first, last) = (gap.start + room, gap.end - room);
        let half = Frames(millis(AROUND_MS, self.context.session.rate).0 / 2);
        let sums = self.sums(&(first - half..last + half))?;
        let loud = |at: Frames| {
            let from = (at - first).index();
            let to = from + (half + half).index();
            sums.get(to).zip(sums.get(from)).map_or(f64::MAX, |(to, from)| to - from)
        };
        let moments = (first.0..=last.0).map(Frames);
        let rated = moments.map(|at| (loud(at), (at - edge).0.abs(), at));
        let best = rated.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Ok(best.map_or(edge, |(_, _, at)| at))
    }

    /// The energy of all tracks together from the start of a range up to each frame of it.
    fn sums(&self, range: &Range<Frames>) -> Result<Vec<f64>, ToolError> {
        let session = &self.context.session;
        let mut powers = vec![0.0f64; (range.end - range.start).index()];
        for clip in clips(session, self.tracks, range) {
            let from = clip.position.max(range.start);
            let length = (clip.end().min(range.end) - from).index();
            let reader = self.context.audio.source(session, clip.source);
            let mut reader = reader.map_err(ToolError::media)?;
            let at = clip.start + (from - clip.position);
            let gain = clip.gain.amplitude().powi(2);
            let first = (from - range.start).index();
            for plane in stretch(reader.as_mut(), at, length)? {
                for (power, sample) in powers.iter_mut().skip(first).zip(plane) {
                    *power += f64::from(sample).powi(2) * gain;
                }
            }
        }
        let sum = |total: &mut f64, power: f64| {
            *total += power;
            Some(*total)
        };
        Ok(std::iter::once(0.0).chain(powers.into_iter().scan(0.0, sum)).collect())
    }
}

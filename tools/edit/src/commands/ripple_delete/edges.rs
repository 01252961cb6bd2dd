//! Finds where to cut words: at the quietest point of the gap to the next remaining word, or near the seam.

use deskhand_dsp::Frames;
use deskhand_session::{Clip, Session, TrackId, Word};
use deskhand_toolkit::audio::stretch;
use deskhand_toolkit::find::millis;
use deskhand_toolkit::{PlanContext, ToolError};
use std::ops::Range;

/// How far an edge may move, in ms.
const REACH_MS: f64 = 150.0;
/// How long around a moment it has to be quiet, in ms.
const AROUND_MS: f64 = 10.0;

/// Words have no gap between them that end and begin within so much, in ms, nor where two microphones heard them, which
/// put their times so far apart.
const TOUCH_MS: f64 = 1.0;
const APART_MS: f64 = 60.0;
/// Transcribers put the border of two words late: by at most this many ms and this share of the first. They
/// hardly ever put it early.
const LATE: (f64, f64) = (120.0, 0.4);
const EARLY: (f64, f64) = (20.0, 0.25);
/// So much of a word that goes may stay at its start: with what may stay at its end most of it goes.
const STAYS: (f64, f64) = (20.0, 0.05);
/// A quiet point has to be as many dB below the seam, and as many more for each ms that it is away from it.
const BELOW_DB: f64 = 4.0;
const AWAY_DB: f64 = 0.02;

/// `words` with both edges moved, on all `tracks` alike: outward as far as words that stay leave room for a crossfade;
/// where a word that stays leaves no gap, to the quiet point near the edge, if there is one.
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
    let (gone, kept): (Vec<Word>, Vec<Word>) =
        heard(session, tracks, &around).partition(|word| words.contains(&word.middle()));
    let ahead = kept.iter().filter(|word| word.middle() < words.start).max_by_key(|it| it.end);
    let behind = kept.iter().filter(|word| word.middle() >= words.end).min_by_key(|it| it.start);
    let quiet = Quiet { context, tracks, crossfade };
    // A word that goes may reach far out of the range on another track: however that is, the edges stay in their order.
    let most = Frames((words.end - words.start).0 / 2);
    let start = match ahead.filter(|word| quiet.touch(word.end, words.start)) {
        Some(ahead) => {
            let first = gone.iter().min_by_key(|word| word.start);
            let late = quiet.most(Some(ahead), LATE);
            let stays = quiet.most(first, STAYS).min(Frames(most.0 / 2));
            quiet.seam(words.start - late..words.start + stays, words.start)?
        }
        None => {
            let first = ahead.map_or(around.start, |word| word.end.max(around.start));
            quiet.quietest(first.min(words.start)..words.start, words.start)?
        }
    };
    let Some(behind) = behind.filter(|word| quiet.touch(words.end, word.start)) else {
        let last = behind.map_or(around.end, |word| word.start.min(around.end));
        return Ok(start..quiet.quietest(words.end..last.max(words.end), words.end)?);
    };
    let late = quiet.most(gone.iter().max_by_key(|word| word.end), LATE).min(most);
    let early = quiet.most(Some(behind), EARLY);
    Ok(start..quiet.seam(words.end - late..words.end + early, words.end)?)
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

    /// This many ms, and at most this share of a word.
    fn most(&self, word: Option<&Word>, (ms, share): (f64, f64)) -> Frames {
        let length = word.map_or(Frames::ZERO, |word| word.end - word.start);
        millis(ms, self.context.session.rate).min(Frames((length.0 as f64 * share) as i64))
    }

    /// Whether a word that ends and one that begins there leave no gap, or are heard a little over one another.
    fn touch(&self, ends: Frames, begins: Frames) -> bool {
        let rate = self.context.session.rate;
        begins - ends < millis(TOUCH_MS, rate) && ends - begins <= millis(APART_MS, rate)
    }

    /// The quiet point of a range where one word becomes another; `edge` itself if none is quieter.
    fn seam(&self, near: Range<Frames>, edge: Frames) -> Result<Frames, ToolError> {
        let rate = self.context.session.rate;
        let half = Frames(millis(AROUND_MS, rate).0 / 2);
        let first = near.start.max(half);
        let sums = self.sums(&(first - half..near.end.max(edge) + half))?;
        let level = |at: Frames| {
            let from = (at - first).index();
            let to = from + (half + half).index();
            let energy = sums.get(to).zip(sums.get(from)).map_or(f64::MAX, |(to, from)| to - from);
            10.0 * (energy + f64::MIN_POSITIVE).log10()
        };
        let away = |at: Frames| (at - edge).0.abs() as f64 * 1000.0 / f64::from(rate.0) * AWAY_DB;
        let moments = (first.0..=near.end.0).map(Frames);
        let rated = moments.map(|at| (level(at) + away(at), at));
        let best = rated.min_by(|a, b| a.0.total_cmp(&b.0));
        let is_quieter = |best: &(f64, Frames)| best.0 <= level(edge) - BELOW_DB;
        Ok(best.filter(is_quieter).map_or(edge, |(_, at)| at))
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

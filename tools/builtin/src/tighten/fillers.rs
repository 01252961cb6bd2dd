//! Where fillers are: those that are written down, whose times are poor, and those that nobody wrote down, a voice that
//! stays as it is where no word is.

use super::find::source_span;
use super::listen::{Heard, millis};
use super::steady::Steadiness;
use crate::assembly::talk::is_filler;
use deskhand_dsp::silence::{gaps, union};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::Word;
use deskhand_toolkit::{PlanContext, ToolError};
use std::ops::Range;

/// How far around a word nothing is looked for, in ms.
const BESIDE_WORD_MS: i64 = 30;
/// A filler is at least and at most so long, in ms.
const LEAST_MS: i64 = 200;
const MOST_MS: i64 = 1_600;
/// Share of a sound that has to be steady for all of it to be a filler.
const SHARE: f64 = 0.55;

/// How far beside its time a filler that is written down may sound, in ms: one with a length, and one without.
const REACH_MS: (i64, i64) = (150, 700);

/// Where a filler that is written down sounds, on the timeline. Transcribers put it anywhere between the words around
/// it, often without length; the nearest sound there is it, where that is no longer than a filler.
pub(super) fn sounds_at(heard: &Heard, filler: &Word, rate: SampleRate) -> Range<Frames> {
    let own = filler.start..filler.end.max(filler.start + Frames(1));
    let around = gap_around(&heard.words, &own);
    let has_length = own.end - own.start >= millis(LEAST_MS, rate);
    let reach = millis(if has_length { REACH_MS.0 } else { REACH_MS.1 }, rate);
    let (first, last) = (around.start.max(own.start - reach), around.end.min(own.end + reach));
    let inside = |sound: &Range<Frames>| {
        let part = sound.start.max(first)..sound.end.min(last);
        let length = part.end - part.start;
        let is_one = length >= millis(LEAST_MS / 2, rate) && length <= millis(MOST_MS, rate);
        is_one.then_some(part)
    };
    let middle = |range: &Range<Frames>| range.start.0 + range.end.0;
    let parts = heard.active.iter().filter_map(inside);
    parts.min_by_key(|part| (middle(part) - middle(&own)).abs()).unwrap_or(own)
}

/// From the end of the word ahead of a range to the start of the one behind it; fillers are no words.
pub(super) fn gap_around(words: &[Word], range: &Range<Frames>) -> Range<Frames> {
    let words = || words.iter().filter(|word| !is_filler(&word.text));
    let ahead = words().filter(|word| word.start < range.start && word.end <= range.end);
    let ahead = ahead.map(|word| word.end).max().map_or(Frames::ZERO, |end| end.min(range.start));
    let behind = words().filter(|word| word.start >= range.end).map(|word| word.start).min();
    ahead..behind.unwrap_or(Frames(i64::MAX / 4)).max(range.end)
}

/// Fillers that are heard on a track and not written down, on the timeline.
///
/// # Errors
/// When audio cannot be read, or the run is stopped.
pub(super) fn unwritten(
    context: &PlanContext,
    heard: &Heard,
) -> Result<Vec<Range<Frames>>, ToolError> {
    let rate = context.session.rate;
    let beside = millis(BESIDE_WORD_MS, rate);
    let words = heard.words.iter().map(|word| word.start - beside..word.end + beside);
    let words = union(words);
    let mut found = Vec::new();
    for active in &heard.active {
        for free in gaps(&words, active.clone()) {
            // People pause at a filler, on one side at least; a word that was forgotten has words around it.
            let is_beside_pause = free.start == active.start || free.end == active.end;
            let length = free.end - free.start;
            if !is_beside_pause || length < millis(LEAST_MS, rate) || length > millis(MOST_MS, rate)
            {
                continue;
            }
            if is_steady(context, heard, &free)? {
                found.push(free);
            }
        }
    }
    Ok(found)
}

fn is_steady(
    context: &PlanContext,
    heard: &Heard,
    range: &Range<Frames>,
) -> Result<bool, ToolError> {
    let Some(clip) = heard.clip_at(Frames((range.start.0 + range.end.0) / 2)) else {
        return Ok(false);
    };
    let span = source_span(range, clip);
    let length = (span.end - span.start).index();
    let source = context.audio.source(&context.session, clip.source);
    let mut reader = source.map_err(ToolError::media)?;
    let planes = crate::made::stretch(reader.as_mut(), span.start, length)?;
    let steady = Steadiness::of(&planes, context.session.rate);
    let rate = context.session.rate;
    let long = steady.longest.frames(rate) >= millis(LEAST_MS, rate);
    Ok(long && steady.share >= SHARE)
}

//! Fillers that nobody wrote down: a voice that stays as it is, where no word is.

use super::find::source_span;
use super::listen::{Heard, millis};
use super::steady::Steadiness;
use deskhand_dsp::Frames;
use deskhand_dsp::silence::{gaps, union};
use deskhand_toolkit::{PlanContext, ToolError};
use std::ops::Range;

/// How far around a word nothing is looked for, in ms.
const BESIDE_WORD_MS: i64 = 30;
/// A filler is at least and at most so long, in ms.
const LEAST_MS: i64 = 200;
const MOST_MS: i64 = 1_600;
/// Share of a sound that has to be steady for all of it to be a filler.
const SHARE: f64 = 0.55;

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

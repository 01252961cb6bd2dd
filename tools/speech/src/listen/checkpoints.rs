//! Saves each transcribed part on disk, so that a run which was stopped or crashed continues where it was.
//! This is safe because the same part of a recording after the same words gives the same phrases.

use super::phrase::{Phrase, Reason};
use deskhand_session::digest::digest;
use deskhand_toolkit::MeasurementCache;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// Changes when the same part would give other phrases.
const VERSION: u32 = 7;

/// Where parts are kept.
#[derive(Clone)]
pub struct Kept {
    cache: Arc<dyn MeasurementCache>,
    of: String,
}

/// The state that passes from part to part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// The language, once it is known.
    pub(super) language: Option<String>,
    /// Words that were said before.
    pub(super) before: Vec<u32>,
    /// Where they end.
    pub(super) before_end: usize,
}

/// What a part gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) phrases: Vec<Phrase>,
    pub(super) left_out: Option<Reason>,
    /// Where to go on.
    pub(super) heard: usize,
    /// What the next part starts from.
    pub(super) state: State,
}

impl Kept {
    /// In `cache`; `of` tells recording, model and language from others.
    pub fn new(cache: Arc<dyn MeasurementCache>, of: &impl Serialize) -> Self {
        Self { cache, of: digest(&("transcribe", VERSION, of)) }
    }

    fn key(&self, part: &Range<usize>, end: usize, state: &State) -> String {
        let whole = digest(&(&self.of, part.start, part.end, end, state));
        whole.trim_start_matches("blake3:").to_owned()
    }

    /// What the part gave before, if it is there and can be true.
    pub(super) fn find(&self, part: &Range<usize>, end: usize, state: &State) -> Option<Part> {
        let bytes = self.cache.get(&self.key(part, end, state))?;
        let found: Part = serde_json::from_slice(&bytes).ok()?;
        let is_inside = |range: &Range<usize>| {
            part.start <= range.start && range.start <= range.end && range.end <= part.end + 1
        };
        let can_be = |phrase: &Phrase| {
            is_inside(&phrase.range) && phrase.words.iter().all(|word| is_inside(&word.range))
        };
        let fits = part.start < found.heard && found.heard <= part.end;
        (fits && found.phrases.iter().all(can_be)).then_some(found)
    }

    pub(super) fn keep(&self, part: &Range<usize>, end: usize, state: &State, made: &Part) {
        if let Ok(bytes) = serde_json::to_vec(made) {
            self.cache.put(&self.key(part, end, state), &bytes);
        }
    }

    /// What a service said of a part before; it starts every part from nothing.
    pub(crate) fn phrases(&self, part: &Range<usize>) -> Option<Vec<Phrase>> {
        Some(self.find(part, part.end, &State::default())?.phrases)
    }

    /// Keeps what a service said of a part.
    pub(crate) fn keep_phrases(&self, part: &Range<usize>, phrases: &[Phrase]) {
        let (left_out, state) = (None, State::default());
        let made = Part { phrases: phrases.to_vec(), left_out, heard: part.end, state };
        self.keep(part, part.end, &State::default(), &made);
    }
}

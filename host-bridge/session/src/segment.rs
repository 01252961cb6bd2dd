//! Segments: pieces of a source with facts about them, and the words in them.

use crate::ids::{CodeId, SourceId};
use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The smallest described piece of a source. All frames of the source, at the session rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Where it is from.
    pub source: SourceId,
    /// First frame in the source.
    pub start: Frames,
    /// Length, at least 1.
    pub length: Frames,
    /// The facts about it.
    #[serde(default)]
    pub description: Description,
    /// The words, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Word>,
    /// The speaker. For a coded segment: whose words it is about, if others talk meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// Its codes. A coded segment is separate from those of the transcript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codings: Vec<Coding>,
    /// The frequencies it is about, where it is a rectangle on the spectrogram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<FrequencyBand>,
    /// Whether somebody marked it as important.
    #[serde(default, skip_serializing_if = "is_false")]
    pub important: bool,
}

/// The fact that names whose words another's microphone heard.
pub const BLEED_OF: &str = "bleed_of";
/// The fact of a segment without words that was listened to: nothing is said in it.
pub const NOTHING_SAID: &str = "nothing_said";

impl Segment {
    /// A piece without any facts yet.
    #[must_use]
    pub fn new(source: SourceId, start: Frames, length: Frames) -> Self {
        Self {
            source,
            start,
            length,
            description: Description::default(),
            words: Vec::new(),
            speaker: None,
            codings: Vec::new(),
            band: None,
            important: false,
        }
    }

    /// Whether this is bleed from another speaker: the words are heard at that speaker's own microphone.
    #[must_use]
    pub fn is_bleed(&self) -> bool {
        self.description.facts.contains_key(BLEED_OF)
    }

    /// Its words with a space between them.
    #[must_use]
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }

    /// The first frame after it.
    #[must_use]
    pub fn end(&self) -> Frames {
        self.start + self.length
    }

    /// This segment after an edit: parts that the edit does not change keep their current value.
    ///
    /// # Errors
    /// The expected segment, if a part that the edit changes differs from `before`.
    pub(crate) fn edited(&self, before: &Self, after: &Self) -> Result<Self, Box<Self>> {
        let expected = self.with(after, before);
        if expected == *self { Ok(self.with(before, after)) } else { Err(Box::new(expected)) }
    }

    /// This segment, changed to `to` where `to` differs from `from`. Words belong to the segment's place,
    /// as one part. But if no word is replaced, each word is a part of its own.
    fn with(&self, from: &Self, to: &Self) -> Self {
        let Self { source, start, length, description, words, speaker, codings, band, important } =
            to;
        let mut all = self.clone();
        let is_moved = (from.source, from.start, from.length) != (*source, *start, *length);
        if !is_moved && says(&from.words, words) && says(&self.words, words) {
            for ((word, from), to) in all.words.iter_mut().zip(&from.words).zip(words) {
                put(word, from, to);
            }
        } else if is_moved || from.words != *words {
            (all.source, all.start, all.length) = (*source, *start, *length);
            all.words.clone_from(words);
        }
        put(&mut all.description, &from.description, description);
        put(&mut all.speaker, &from.speaker, speaker);
        put(&mut all.codings, &from.codings, codings);
        put(&mut all.band, &from.band, band);
        put(&mut all.important, &from.important, important);
        all
    }
}

/// Whether the same is written, whatever the times.
fn says(words: &[Word], others: &[Word]) -> bool {
    words.iter().map(|word| &word.text).eq(others.iter().map(|word| &word.text))
}

fn put<V: Clone + PartialEq>(slot: &mut V, from: &V, to: &V) {
    if from != to {
        slot.clone_from(to);
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A code that somebody put on a segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coding {
    /// The code.
    pub code: CodeId,
    /// The coder, if there are several: [`Coding::MODEL`], or somebody whose session was merged; `None` is
    /// whoever works in this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coder: Option<String>,
    /// The name of all objects of one call, such as `batch_0123456789ab`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// Other coders who have it, because their sessions were copied when it existed: they and its coder did
    /// not decide on it independently.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_with: Vec<String>,
}

impl Coding {
    /// A code by somebody, out of no batch.
    #[must_use]
    pub fn new(code: CodeId, coder: Option<String>) -> Self {
        Self { code, coder, batch: None, shared_with: Vec::new() }
    }

    /// The coder's name among coders.
    #[must_use]
    pub fn coder_name(&self) -> &str {
        self.coder.as_deref().unwrap_or(Self::HERE)
    }

    /// The coder of what a model coded. No person is called so.
    pub const MODEL: &str = "model";
    /// How whoever works in this session is called among coders. Nobody else is.
    pub const HERE: &str = "this session";
}

/// A range of frequencies in Hz.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrequencyBand {
    /// The lowest, at least 0.
    pub low_hz: f64,
    /// The highest, above `low_hz`.
    pub high_hz: f64,
}

/// The facts about a segment, by name, such as `content`, `level`, `speaker`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Description {
    /// Each fact by its name.
    pub facts: BTreeMap<String, Fact>,
}

/// One fact, and its author.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// A number, a text, or a list of them.
    pub value: Value,
    /// The unit of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How sure it is, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The tool that measured it, or the command with which somebody wrote it. The history names the
    /// person.
    pub by: String,
}

/// A word with its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// As written, with its punctuation.
    pub text: String,
    /// First frame in the source.
    pub start: Frames,
    /// The first frame after it.
    pub end: Frames,
    /// How sure it is, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl Word {
    /// Its middle, by which it lies in one stretch or another.
    #[must_use]
    pub fn middle(&self) -> Frames {
        Frames(self.start.0 + (self.end.0 - self.start.0) / 2)
    }
}

//! Writing down what is said: stretches of speech, 30 s at a time, phrase by phrase.
//!
//! Audio is read as it is needed; what is kept is one window and the network's memory of it, however long the
//! recording is.

mod align;
mod audio;
mod cut;
mod decode;
mod kept;
mod rules;
mod split;
mod stop;
mod stretches;
mod wording;
mod words;

pub use audio::Audio;
pub(crate) use audio::Found;
pub use kept::Kept;
pub(crate) use split::split;
pub(crate) use stretches::{extend, without};
pub(crate) use wording::EXAMPLE;
pub use wording::Wording;

use crate::mel::{HOP, Mel, RATE};
use crate::voice::Voice;
use cut::{Cut, cut};
use decode::{Decoded, Prompt, Tries};
use deskhand_dsp::ReadError;
use deskhand_inference::{Heard, MEL_FRAMES, RunError, Whisper};
use kept::{Part, State};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use stop::Stop;

/// Samples that the network hears at once.
const WINDOW: usize = MEL_FRAMES * HOP;
/// Words that were said before and that the network is told again.
const MOST_BEFORE: usize = 223;
/// Above this temperature what was said is not told again.
const SURE: f32 = 0.5;
/// Behind a longer silence, in samples, what was said before is not told again.
const FORGOTTEN: usize = 10 * RATE as usize;
/// A rest of a window that is shorter is not heard again, in samples.
const REST: usize = RATE as usize / 2;
/// A text of fewer tokens a second of speech is looked at again, from so much speech on, in samples: people say three
/// or four.
const LEAST_TOKENS: usize = 2;
const ENOUGH: usize = 5 * RATE as usize;
/// Units of time of the network, in samples.
const TICK: usize = 2 * HOP;

/// Why listening stopped.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The audio could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The model failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The language is not one the model knows.
    #[error("the model knows no language \"{wanted}\"; it knows {known}")]
    Language {
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: String,
    },
}

/// A word with its time in samples at 16 kHz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeardWord {
    /// As it is written, with its punctuation.
    pub text: String,
    /// Where it is said.
    pub range: Range<usize>,
    /// How probable it is, 0 to 1, where that is known.
    pub confidence: Option<f64>,
}

/// A phrase with its time in samples at 16 kHz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phrase {
    /// Where it is said.
    pub range: Range<usize>,
    /// What is said.
    pub words: Vec<HeardWord>,
    /// The language by its code.
    pub language: String,
    /// The mean logarithm of its tokens' probabilities.
    pub likelihood: f64,
    /// How probable it is that nobody speaks, 0 to 1.
    pub silence: f64,
}

/// What is told while listening.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A phrase was understood.
    Phrase(Phrase),
    /// All before this sample was heard.
    Heard(usize),
    /// A stretch was left out: it was no speech, or only repetition.
    LeftOut(Range<usize>, Reason),
}

/// Why a stretch was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The network says that nobody speaks.
    Silence,
    /// The network said the same again and again.
    Repetition,
}

/// What listens.
pub struct Listener<'a> {
    /// The network.
    pub whisper: &'a Whisper,
    /// Tells where someone speaks.
    pub voice: Voice,
    /// The language that is spoken; else it is found out.
    pub language: Option<String>,
    /// How closely it is written down.
    pub wording: Wording,
    /// Where parts are kept that are understood, so that a run that died goes on where it was.
    pub kept: Option<Kept>,
}

impl Listener<'_> {
    /// Writes down `audio`. `told` hears phrases in order, and its error ends it; it is also asked, with
    /// `None`, whether to go on.
    ///
    /// # Errors
    /// When the audio cannot be read, the network fails, or `told` says so.
    pub fn listen<E: From<ListenError>>(
        mut self,
        audio: &mut Audio<'_>,
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut pass = Pass::new(self.whisper, self.language.take(), self.kept.take())?;
        pass.example = self.wording.example(&self.whisper.vocabulary);
        let (mut window, mut stretches): (Option<Range<usize>>, Vec<Range<usize>>) =
            Default::default();
        let (end, known) = (audio.range.end, std::mem::take(&mut audio.known));
        told(None)?;
        audio.stretches::<E>(&mut self.voice, &mut |audio, found| match found {
            Found::Stretch(stretch) => {
                for part in without(stretch, &known) {
                    if let Some(full) = extend(&mut window, part.clone(), WINDOW) {
                        pass.window(audio, full, &std::mem::take(&mut stretches), told)?;
                    }
                    stretches.push(part);
                }
                Ok(())
            }
            Found::Upto(at) if window.is_none() => told(Some(News::Heard(at))),
            Found::Upto(_) => told(None),
        })?;
        if let Some(full) = window.take() {
            pass.window(audio, full, &stretches, told)?;
        }
        told(Some(News::Heard(end)))
    }
}

/// One pass over a recording.
struct Pass<'a> {
    whisper: &'a Whisper,
    mel: Mel,
    kept: Option<Kept>,
    /// What is told ahead of every window as if it were written already.
    example: Vec<u32>,
    state: State,
}

impl<'a> Pass<'a> {
    fn new(
        whisper: &'a Whisper,
        language: Option<String>,
        kept: Option<Kept>,
    ) -> Result<Self, ListenError> {
        let languages = &whisper.vocabulary.languages;
        let mut codes: Vec<&str> = languages.iter().map(|(code, _)| code.as_str()).collect();
        if codes.is_empty() {
            codes.push("en");
        }
        if let Some(wanted) = language.as_ref().filter(|wanted| !codes.contains(&wanted.as_str())) {
            let known = codes.join(", ");
            return Err(ListenError::Language { wanted: wanted.clone(), known });
        }
        let language = if languages.is_empty() { Some("en".into()) } else { language };
        let mel = Mel::new(whisper.dims.mels);
        let state = State { language, ..State::default() };
        Ok(Self { whisper, mel, kept, example: Vec::new(), state })
    }

    /// Writes down one window of stretches, which may be longer than the network hears at once.
    fn window<E: From<ListenError>>(
        &mut self,
        audio: &mut Audio<'_>,
        window: Range<usize>,
        stretches: &[Range<usize>],
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = window.start;
        while at < window.end && (at == window.start || window.end - at > REST) {
            let part = at..(at + WINDOW).min(window.end);
            at = self.part(audio, part, (window.end, stretches), told)?;
            told(Some(News::Heard(at)))?;
        }
        Ok(())
    }

    /// Writes down one part, or finds what it gave before, and says where to go on.
    fn part<E: From<ListenError>>(
        &mut self,
        audio: &mut Audio<'_>,
        part: Range<usize>,
        (end, stretches): (usize, &[Range<usize>]),
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<usize, E> {
        told(None)?;
        let before = self.state.clone();
        let known = self.kept.as_ref().and_then(|kept| kept.find(&part, end, &before));
        let made = match known {
            Some(made) => made,
            None => {
                let made = self.understand(audio, &part, (end, stretches), told)?;
                if let Some(kept) = &self.kept {
                    kept.keep(&part, end, &before, &made);
                }
                made
            }
        };
        self.state = made.state;
        if let Some(reason) = made.left_out {
            told(Some(News::LeftOut(part.start..made.heard, reason)))?;
        }
        for phrase in made.phrases {
            told(Some(News::Phrase(phrase)))?;
        }
        Ok(made.heard)
    }

    fn understand<E: From<ListenError>>(
        &mut self,
        audio: &mut Audio<'_>,
        part: &Range<usize>,
        (end, stretches): (usize, &[Range<usize>]),
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<Part, E> {
        let samples = audio.mono(part.clone()).map_err(ListenError::from)?;
        let mel = self.mel.of(&samples, MEL_FRAMES);
        let heard = self.whisper.hear(&mel).map_err(ListenError::from)?;
        told(None)?;
        let alone = stretches::first_of_many(stretches, part);
        let spoken = stretches::inside(stretches, part);
        let decoded = self.decode_well(&heard, part, (alone.is_some(), spoken), told)?;
        if let Some(first) = alone.filter(|_| decoded.repeats()) {
            // Takes of one sentence, or the network is caught in a loop: by itself a stretch shows which.
            self.state.before.clear();
            let made = self.understand(audio, &first, (first.end, &[]), told)?;
            self.state.before.clear();
            return Ok(Part { state: self.state.clone(), ..made });
        }
        let left_out = match (decoded.is_silence(), decoded.repeats()) {
            (true, _) => Some(Reason::Silence),
            (false, true) => Some(Reason::Repetition),
            (false, false) => None,
        };
        if left_out.is_some() {
            self.state.before.clear();
            let state = self.state.clone();
            return Ok(Part { phrases: Vec::new(), left_out, heard: part.end, state });
        }
        let cut =
            cut(&decoded.tokens, self.whisper.vocabulary.first_time, part.len(), part.end < end);
        let phrases = self.phrases(&heard, &decoded, &cut, part)?;
        let heard = part.start + cut.heard;
        self.remember(&decoded, &cut, heard);
        Ok(Part { phrases, left_out, heard, state: self.state.clone() })
    }

    /// What was said before can lead it astray, above all where the same is said once more: what repeats it or itself, or
    /// is little for so many samples that are `spoken`, is tried without.
    fn decode_well<E: From<ListenError>>(
        &mut self,
        heard: &Heard,
        part: &Range<usize>,
        (is_one_of_many, spoken): (bool, usize),
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<Decoded, E> {
        let decoded = self.decode(heard, part, is_one_of_many, told)?;
        let tokens = self.text_tokens(&decoded);
        let is_sparse = spoken > ENOUGH && tokens * (RATE as usize) < LEAST_TOKENS * spoken;
        let is_doubtful = is_sparse
            || decoded.repeats()
            || decoded.says_again(&self.state.before, self.whisper.vocabulary.first_time);
        if self.state.before.is_empty() || !is_doubtful {
            return Ok(decoded);
        }
        let before = std::mem::take(&mut self.state.before);
        let again = self.decode(heard, part, is_one_of_many, told)?;
        if decoded.repeats() || !again.repeats() && self.text_tokens(&again) > tokens {
            return Ok(again);
        }
        self.state.before = before;
        Ok(decoded)
    }

    fn decode<E: From<ListenError>>(
        &mut self,
        heard: &Heard,
        part: &Range<usize>,
        is_one_of_many: bool,
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<Decoded, E> {
        let prompt = self.prompt(heard, part.start)?;
        // Else it is tried otherwise than by drawing more freely.
        let is_last_way = !is_one_of_many && self.state.before.is_empty();
        let tries = if is_last_way { Tries::All } else { Tries::OnceIfItRepeats };
        let mut go_on = || told(None).map_err(Stop::Told);
        decode::decode(self.whisper, heard, &prompt, tries, &mut go_on).map_err(Stop::into_error)
    }

    /// Tokens that are no times.
    fn text_tokens(&self, decoded: &Decoded) -> usize {
        let first_time = self.whisper.vocabulary.first_time;
        decoded.tokens.iter().filter(|token| **token < first_time).count()
    }

    /// Finds the language, once, and makes what is said ahead.
    fn prompt(&mut self, heard: &Heard, start: usize) -> Result<Prompt, ListenError> {
        let vocabulary = &self.whisper.vocabulary;
        let mut commands = vec![vocabulary.start];
        if !vocabulary.languages.is_empty() {
            let code = match &self.state.language {
                Some(code) => code.clone(),
                None => self.detect(heard)?,
            };
            let token = vocabulary.languages.iter().find(|(known, _)| *known == code);
            commands.extend(token.map(|(_, token)| *token));
            commands.push(vocabulary.transcribe);
            self.state.language = Some(code);
        }
        if start.saturating_sub(self.state.before_end) > FORGOTTEN {
            self.state.before.clear();
        }
        let mut before = Vec::new();
        if !self.example.is_empty() || !self.state.before.is_empty() {
            before.push(vocabulary.previous);
            before.extend(&self.example);
            let room = MOST_BEFORE.saturating_sub(self.example.len());
            let from = self.state.before.len().saturating_sub(room);
            before.extend(self.state.before.iter().skip(from));
        }
        Ok(Prompt { before, start: commands })
    }

    fn detect(&self, heard: &Heard) -> Result<String, ListenError> {
        let vocabulary = &self.whisper.vocabulary;
        let mut said = self.whisper.begin();
        let scores = self.whisper.say(heard, &mut said, &[vocabulary.start], &[0])?;
        let score = |token: u32| scores.get(token as usize).copied().unwrap_or(f32::NEG_INFINITY);
        let likeliest =
            vocabulary.languages.iter().max_by(|a, b| score(a.1).total_cmp(&score(b.1)));
        Ok(likeliest.map_or_else(|| "en".into(), |(code, _)| code.clone()))
    }

    /// The phrases of a part, with the times of their words.
    fn phrases(
        &self,
        heard: &Heard,
        decoded: &Decoded,
        cut: &Cut,
        part: &Range<usize>,
    ) -> Result<Vec<Phrase>, ListenError> {
        let indexes: Vec<usize> =
            cut.phrases.iter().flat_map(|phrase| phrase.tokens.clone()).collect();
        let text: Vec<u32> =
            indexes.iter().filter_map(|at| decoded.tokens.get(*at).copied()).collect();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let times = self.times(heard, &text, part)?;
        let words = words::words(&self.whisper.vocabulary, &text, self.language());
        let mut phrases: Vec<Phrase> = cut
            .phrases
            .iter()
            .map(|phrase| Phrase {
                range: phrase.range.start + part.start..phrase.range.end + part.start,
                words: Vec::new(),
                language: self.language().to_owned(),
                likelihood: decoded.likelihood,
                silence: decoded.silence,
            })
            .collect();
        for (word, span) in words.iter().zip(align::word_times(&words, &times)) {
            let first = indexes.get(word.range.start).copied().unwrap_or(0);
            let owner = cut.phrases.iter().position(|phrase| phrase.tokens.contains(&first));
            if let Some(phrase) = owner.and_then(|owner| phrases.get_mut(owner)) {
                phrase.words.extend(heard_word(word, &span, decoded, &indexes, part));
            }
        }
        phrases.retain(|phrase| !phrase.words.is_empty());
        phrases.iter_mut().for_each(fit);
        Ok(phrases.into_iter().flat_map(split::split).collect())
    }

    /// When each token of a text is said, and when it ends.
    fn times(
        &self,
        heard: &Heard,
        text: &[u32],
        part: &Range<usize>,
    ) -> Result<Vec<usize>, ListenError> {
        let vocabulary = &self.whisper.vocabulary;
        let mut commands = vec![vocabulary.start];
        let token = vocabulary.languages.iter().find(|(code, _)| code == self.language());
        if let Some((_, token)) = token {
            commands.extend([*token, vocabulary.transcribe]);
        }
        let skipped = commands.len();
        commands.push(vocabulary.without_times);
        commands.extend(text);
        commands.push(vocabulary.end);
        let attention = self.whisper.attend(heard, &commands)?;
        Ok(align::token_times(&attention, skipped, part.len().div_ceil(TICK)))
    }

    /// The language, once it is known.
    fn language(&self) -> &str {
        self.state.language.as_deref().unwrap_or("en")
    }

    /// Keeps what was said for the next window.
    fn remember(&mut self, decoded: &Decoded, cut: &Cut, end: usize) {
        if decoded.temperature > SURE {
            self.state.before.clear();
        } else {
            let tokens = cut.phrases.iter().flat_map(|phrase| phrase.tokens.clone());
            self.state.before.extend(tokens.filter_map(|at| decoded.tokens.get(at)));
        }
        self.state.before_end = end;
    }
}

/// A word in samples of the recording, as sure as its tokens are on average; `None` when it is a space.
fn heard_word(
    word: &words::Tokens,
    span: &Range<f64>,
    decoded: &Decoded,
    indexes: &[usize],
    part: &Range<usize>,
) -> Option<HeardWord> {
    let probabilities = word.range.clone().filter_map(|at| {
        decoded.probabilities.get(*indexes.get(at)?).map(|share| f64::from(*share))
    });
    let confidence = probabilities.sum::<f64>() / word.range.len().max(1) as f64;
    let sample =
        |seconds: f64| part.start + ((seconds * f64::from(RATE)).round() as usize).min(part.len());
    let text = word.text.trim().to_owned();
    let range = sample(span.start)..sample(span.end);
    let heard = HeardWord { text, range, confidence: Some(confidence.clamp(0.0, 1.0)) };
    (!heard.text.is_empty()).then_some(heard)
}

/// Makes the phrase as long as its words.
fn fit(phrase: &mut Phrase) {
    if let (Some(first), Some(last)) = (phrase.words.first(), phrase.words.last()) {
        phrase.range = first.range.start..last.range.end.max(first.range.start + 1);
    }
}

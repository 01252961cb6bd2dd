//! One pass over a recording: window after window, each decoded as well as can be.

use super::align::{Aligned, aligned};
use super::audio::Audio;
use super::checkpoints::{Kept, Part, State};
use super::cut::{Cut, cut};
use super::decode::{self, Decoded, Prompt, Tries};
use super::error::ListenError;
use super::phrase::{News, Phrase, Reason};
use super::phrase_layout::Text;
use super::stop::Stop;
use super::window::{TICK, WINDOW};
use super::{already_transcribed, holes, stretches, words};
use crate::mel::{Mel, RATE};
use deskhand_inference::{Heard, MEL_FRAMES, Whisper};
use std::ops::Range;

/// A rest of a window that is shorter is not heard again, in samples.
const REST: usize = RATE as usize / 2;
/// The most tokens of earlier words that the prompt repeats to the network.
const MOST_BEFORE: usize = 223;
/// Tokens of the text just before: words that repeat it in no time were not said.
const JUST_TOLD: usize = 60;
/// Above this temperature the prompt leaves the earlier words out.
const SURE: f32 = 0.5;
/// After a longer silence, in samples, the prompt leaves the earlier words out.
const FORGOTTEN: usize = 10 * RATE as usize;
/// A text with fewer tokens a second of speech than this is decoded again. People say three or four.
const LEAST_TOKENS: usize = 2;
/// The shortest speech whose tokens are counted, in samples.
const ENOUGH: usize = 5 * RATE as usize;
/// The most tokens a second that a fast speaker says, times among them.
const MOST_TOKENS: usize = 9;
/// From this many samples on, the number of tokens shows whether the words were said: 6 s.
const SURE_OF: usize = 6 * RATE as usize;

/// One pass over a recording.
pub(super) struct Pass<'a> {
    whisper: &'a Whisper,
    mel: Mel,
    kept: Option<Kept>,
    /// Example text that every window starts with, as if it were transcribed already.
    pub(super) example: Vec<u32>,
    state: State,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
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
    pub(super) fn window<E: From<ListenError>>(
        &mut self,
        audio: &mut Audio<'_>,
        window: Range<usize>,
        stretches: &[Range<usize>],
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = window.start;
        while at < window.end && (at == window.start || window.end - at > REST) {
            let part = at..(at + WINDOW).min(window.end);
            let kept =
                self.kept.as_ref().and_then(|kept| kept.find(&part, window.end, &self.state));
            let is_kept = kept.is_some();
            if !is_kept && already_transcribed::meets(&audio.known, &(at..window.end)) {
                return self.between(audio, at..window.end, stretches, told);
            }
            at = self.part(audio, part, (window.end, stretches), kept, told)?;
            told(Some(if is_kept { News::Known(at) } else { News::Heard(at) }))?;
        }
        Ok(())
    }

    /// Transcribes what is still unknown in a window without a saved part. The words before it are not
    /// used, so each part gives the same text whenever it is heard.
    fn between<E: From<ListenError>>(
        &mut self,
        audio: &mut Audio<'_>,
        rest: Range<usize>,
        stretches: &[Range<usize>],
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = rest.start;
        for gap in already_transcribed::between(&audio.known, stretches, &rest) {
            if already_transcribed::meets(&audio.known, &(at..gap.start)) {
                told(Some(News::Known(gap.start)))?;
            }
            at = gap.end;
            self.forget();
            self.window(audio, gap, stretches, told)?;
        }
        self.forget();
        let is_known = already_transcribed::meets(&audio.known, &(at..rest.end));
        told(Some(if is_known { News::Known(rest.end) } else { News::Heard(rest.end) }))
    }

    /// Writes down one part, or takes what it gave before, and says where to go on.
    fn part<E: From<ListenError>>(
        &mut self,
        audio: &mut Audio<'_>,
        part: Range<usize>,
        (end, stretches): (usize, &[Range<usize>]),
        kept: Option<Part>,
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<usize, E> {
        told(None)?;
        let before = self.state.clone();
        let made = match kept {
            Some(made) => made,
            None => {
                told(Some(News::Listens(part.start)))?;
                let made = self.understand(audio, &part, (end, stretches), told)?;
                if let Some(kept) = &self.kept {
                    kept.keep(&part, end, &before, &made);
                }
                made
            }
        };
        self.state = made.state;
        let is_known = already_transcribed::meets(&audio.known, &(part.start..made.heard));
        if let Some(reason) = made.left_out.filter(|_| !is_known) {
            told(Some(News::LeftOut(part.start..made.heard, reason)))?;
        }
        for phrase in made.phrases {
            if let Some(phrase) = already_transcribed::rest(&audio.known, phrase) {
                told(Some(News::Phrase(phrase)))?;
            }
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
        let shorter = stretches::first_of_many(stretches, part)
            .or_else(|| stretches::first_few(&samples, part));
        let mel = self.mel.of(&samples, MEL_FRAMES);
        let heard = self.whisper.hear(&mel).map_err(ListenError::from)?;
        told(None)?;
        let spoken = stretches::inside(stretches, part);
        let decoded = self.decode_well(&heard, part, (shorter.is_some(), spoken), told)?;
        let made = match left_out(&decoded, part) {
            Some(Reason::Repetition) if shorter.is_some() => None,
            Some(reason) => Some(self.leave_out(part, reason)),
            None => Some(self.write_down(&heard, &decoded, part, end)?),
        };
        let is_whole = |made: &Part| {
            made.left_out.is_some()
                || !holes::has_hole(&made.phrases, stretches, part.start..made.heard)
        };
        match (made, shorter) {
            (Some(made), None) => Ok(made),
            (Some(made), _) if is_whole(&made) => Ok(made),
            // Takes of one sentence, a sentence with one word changed, or the network is caught in a loop: by itself
            // a stretch shows which.
            (_, Some(first)) => self.alone(audio, &first, told),
            (None, None) => Ok(self.leave_out(part, Reason::Repetition)),
        }
    }

    /// Transcribes the first few seconds alone, as if nothing came before or after.
    fn alone<E: From<ListenError>>(
        &mut self,
        audio: &mut Audio<'_>,
        first: &Range<usize>,
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<Part, E> {
        self.state.before.clear();
        let spoken = [first.clone()];
        let made = self.understand(audio, first, (first.end, &spoken), told)?;
        self.state.before.clear();
        Ok(Part { state: self.state.clone(), ..made })
    }

    fn leave_out(&mut self, part: &Range<usize>, reason: Reason) -> Part {
        self.state.before.clear();
        let (left_out, state) = (Some(reason), self.state.clone());
        Part { phrases: Vec::new(), left_out, heard: part.end, state }
    }

    fn write_down(
        &mut self,
        heard: &Heard,
        decoded: &Decoded,
        part: &Range<usize>,
        end: usize,
    ) -> Result<Part, ListenError> {
        let first_time = self.whisper.vocabulary.first_time;
        let cut = cut(&decoded.tokens, first_time, part.len(), part.end < end);
        let phrases = self.phrases(heard, decoded, &cut, part)?;
        let heard = part.start + cut.heard;
        self.remember(decoded, &cut, heard);
        Ok(Part { phrases, left_out: None, heard, state: self.state.clone() })
    }

    /// Earlier words can lead the network astray, above all where a sentence is said twice. So a text is
    /// decoded again without them if it repeats them or itself, or if it is short for the number of
    /// `spoken` samples.
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

    /// Detects the language once, and makes the prompt.
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
        let vocabulary = &self.whisper.vocabulary;
        let text = Text::new(decoded, cut, part, self.language());
        let tokens = text.tokens();
        if tokens.is_empty() {
            return Ok(Vec::new());
        }
        let aligned = self.aligned(heard, &tokens, part)?;
        let words = words::words(vocabulary, &tokens, self.language());
        let before = &self.state.before;
        let told = before.get(before.len().saturating_sub(JUST_TOLD)..).unwrap_or_default();
        Ok(text.phrases(words, &aligned, &vocabulary.text(told)))
    }

    /// A text aligned with the audio.
    fn aligned(
        &self,
        heard: &Heard,
        text: &[u32],
        part: &Range<usize>,
    ) -> Result<Aligned, ListenError> {
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
        Ok(aligned(&attention, skipped, part.len().div_ceil(TICK)))
    }

    /// The language, once it is known.
    fn language(&self) -> &str {
        self.state.language.as_deref().unwrap_or("en")
    }

    /// Starts over and keeps the language.
    fn forget(&mut self) {
        self.state = State { language: self.state.language.take(), ..State::default() };
    }

    /// Keeps the text for the next window.
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

/// Why a text is not written down. Repetition within a few seconds is kept if a person can say that much in the time:
/// a network that is caught in a loop fills its memory, or says a word or two.
fn left_out(decoded: &Decoded, part: &Range<usize>) -> Option<Reason> {
    let tokens = decoded.tokens.len() * RATE as usize;
    let can_be_said = (LEAST_TOKENS * part.len()..=MOST_TOKENS * part.len()).contains(&tokens);
    match (decoded.is_silence(), decoded.repeats()) {
        (true, _) => Some(Reason::Silence),
        (false, true) if part.len() > SURE_OF || !can_be_said => Some(Reason::Repetition),
        (false, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(seconds: usize, tokens: usize) -> (Decoded, Range<usize>) {
        let decoded = Decoded {
            tokens: vec![7; tokens],
            probabilities: vec![0.9; tokens],
            likelihood: -0.2,
            silence: 0.1,
            compression: 3.0,
            temperature: 0.0,
        };
        (decoded, 0..seconds * RATE as usize)
    }

    #[test]
    fn what_repeats_itself_is_left_out_where_nobody_can_have_said_it() {
        let (decoded, part) = said(30, 120);
        assert_eq!(left_out(&decoded, &part), Some(Reason::Repetition), "shorter stretches tell");
        let (decoded, part) = said(5, 25);
        assert_eq!(left_out(&decoded, &part), None, "three short takes of one sentence");
        for tokens in [223, 46, 9] {
            let (decoded, part) = said(5, tokens);
            assert_eq!(left_out(&decoded, &part), Some(Reason::Repetition), "{tokens} tokens");
        }
    }

    #[test]
    fn silence_is_what_is_improbable_and_looks_like_none_speaks() {
        let (loud, part) = said(5, 25);
        let quiet = Decoded { compression: 1.2, silence: 0.7, likelihood: -1.1, ..loud };
        assert_eq!(left_out(&quiet, &part), Some(Reason::Silence));
        let sure = Decoded { likelihood: -0.9, ..quiet.clone() };
        assert_eq!(left_out(&sure, &part), None, "words that are probable were said");
        let speech = Decoded { silence: 0.5, ..quiet };
        assert_eq!(left_out(&speech, &part), None, "somebody speaks, if hard to understand");
    }
}

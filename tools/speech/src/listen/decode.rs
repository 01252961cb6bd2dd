//! Turns 30 s of audio into tokens: the likeliest ones, and others if those look wrong.
//!
//! A result is tried again at a higher temperature when it repeats itself (it compresses by more than 2.4) or
//! is improbable (less than e^-1 a token), as the reference does.

use super::rules::Rules;
use deskhand_inference::{Heard, RunError, Whisper};
use flate2::{Compression, write::ZlibEncoder};
use std::io::Write;

/// How freely tokens are drawn, one try after another.
const TEMPERATURES: [f32; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
/// A text that compresses better repeats itself.
pub(super) const MOST_COMPRESSION: f64 = 2.4;
/// Less a token is improbable.
pub(super) const LEAST_LIKELIHOOD: f64 = -1.0;
/// Above, and improbable, it is silence.
pub(super) const MOST_SILENCE: f64 = 0.6;

/// A loop is at least this many repeated tokens in a row.
const SAME: usize = 6;

/// The decoded text of 30 s.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Decoded {
    /// Words and times, without commands.
    pub(super) tokens: Vec<u32>,
    /// How probable each was, 0 to 1.
    pub(super) probabilities: Vec<f32>,
    /// The mean logarithm of these.
    pub(super) likelihood: f64,
    /// How probable it is that nobody speaks, 0 to 1.
    pub(super) silence: f64,
    /// How well the text compresses.
    pub(super) compression: f64,
    /// How freely it was drawn.
    pub(super) temperature: f32,
}

impl Decoded {
    /// Whether it says the same again and again.
    pub(super) fn repeats(&self) -> bool {
        self.compression > MOST_COMPRESSION
    }

    /// Whether some of it was said `before` in the same words.
    pub(super) fn says_again(&self, before: &[u32], first_time: u32) -> bool {
        let is_text = |token: &u32| *token < first_time;
        let text: Vec<u32> = self.tokens.iter().copied().filter(is_text).collect();
        text.windows(SAME).any(|run| before.windows(SAME).any(|said| said == run))
    }

    /// Whether nobody speaks.
    pub(super) fn is_silence(&self) -> bool {
        self.silence > MOST_SILENCE && self.likelihood < LEAST_LIKELIHOOD
    }
}

/// The prompt before the output: earlier words, then the commands.
#[derive(Clone, Debug, Default)]
pub(super) struct Prompt {
    /// Words that were said before; may be empty.
    pub(super) before: Vec<u32>,
    /// The start, the language and the task.
    pub(super) start: Vec<u32>,
}

/// How often it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tries {
    /// Until it looks right.
    All,
    /// The same, but if the first result repeats itself, it is returned anyway.
    OnceIfItRepeats,
}

/// Decodes the audio. `go_on` is asked before each token.
pub(super) fn decode<E: From<RunError>>(
    whisper: &Whisper,
    heard: &Heard,
    prompt: &Prompt,
    tries: Tries,
    go_on: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Decoded, E> {
    let mut best: Option<Decoded> = None;
    for temperature in TEMPERATURES {
        let decoded = attempt(whisper, heard, prompt, temperature, go_on)?;
        let is_good = !decoded.repeats() && decoded.likelihood >= LEAST_LIKELIHOOD;
        let is_enough = tries == Tries::OnceIfItRepeats && decoded.repeats();
        if is_good || decoded.is_silence() || is_enough {
            return Ok(decoded);
        }
        let better = best.as_ref().is_none_or(|best| rank(&decoded) > rank(best));
        if better {
            best = Some(decoded);
        }
    }
    best.map_or_else(|| attempt(whisper, heard, prompt, 0.0, go_on), Ok)
}

/// A result without repetition is better, then a likelier one.
fn rank(decoded: &Decoded) -> (i32, f64) {
    (-i32::from(decoded.repeats()), decoded.likelihood)
}

fn attempt<E: From<RunError>>(
    whisper: &Whisper,
    heard: &Heard,
    prompt: &Prompt,
    temperature: f32,
    go_on: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Decoded, E> {
    let vocabulary = &whisper.vocabulary;
    let rules = Rules::new(whisper);
    let mut said = whisper.begin();
    let mut input = prompt.before.clone();
    let start = input.len();
    input.extend(&prompt.start);
    let rows = [start, input.len() - 1];
    let both = whisper.say(heard, &mut said, &input, &rows)?;
    let (at_start, scores) = both.split_at(whisper.dims.vocabulary.min(both.len()));
    let silence = share(at_start, vocabulary.silence);
    let (mut scores, mut tokens, mut probabilities) = (scores.to_vec(), Vec::new(), Vec::new());
    let mut likelihood = 0.0;
    let mut chance = Chance::new(temperature);
    let most = (whisper.dims.context / 2).min(whisper.dims.context - input.len());
    for _ in 0..most {
        go_on()?;
        rules.apply(&mut scores, &tokens);
        let token = chance.pick(&mut scores, temperature);
        let probability = share(&scores, token);
        likelihood += probability.max(1e-12).ln();
        if token == vocabulary.end {
            break;
        }
        tokens.push(token);
        probabilities.push(probability as f32);
        scores = whisper.say(heard, &mut said, &[token], &[0])?;
    }
    let likelihood = likelihood / (tokens.len() + 1) as f64;
    let compression = compression(&vocabulary.text(&tokens));
    Ok(Decoded { tokens, probabilities, likelihood, silence, compression, temperature })
}

/// How probable `token` is among all.
pub(super) fn share(scores: &[f32], token: u32) -> f64 {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (score - largest).exp()).sum();
    let own = scores.get(token as usize).copied().unwrap_or(f32::NEG_INFINITY);
    f64::from((own - largest).exp() / sum)
}

/// How many times smaller a text gets.
pub(super) fn compression(text: &str) -> f64 {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail; a text that could not be packed counts as one that does not repeat.
    match encoder.write_all(text.trim().as_bytes()).and_then(|()| encoder.finish()) {
        Ok(packed) => text.trim().len() as f64 / packed.len().max(1) as f64,
        Err(_) => 0.0,
    }
}

/// Draws tokens; the same numbers every time, so that the same call gives the same plan.
struct Chance(u64);

impl Chance {
    fn new(temperature: f32) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ u64::from(temperature.to_bits()))
    }

    /// A number from 0 to 1 (xorshift64*).
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40) as f32 / (1u64 << 24) as f32
    }

    /// The likeliest token, or one drawn from what the scores become at `temperature`.
    fn pick(&mut self, scores: &mut [f32], temperature: f32) -> u32 {
        let likeliest = scores.iter().zip(0u32..).max_by(|a, b| a.0.total_cmp(b.0));
        let (largest, likeliest) = likeliest.map_or((0.0, 0), |(score, token)| (*score, token));
        if temperature == 0.0 {
            return likeliest;
        }
        let weight = |score: &f32| ((score - largest) / temperature).exp();
        let mut left = self.next() * scores.iter().map(weight).sum::<f32>();
        for (score, token) in scores.iter().zip(0u32..) {
            left -= weight(score);
            if left < 0.0 {
                return token;
            }
        }
        likeliest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_compresses() {
        let plain = "He might even have been made amiable himself.";
        assert!(compression(plain) < 1.2);
        assert!(compression(&"thank you ".repeat(30)) > MOST_COMPRESSION);
        assert_eq!(compression(""), 0.0);
    }

    #[test]
    fn what_was_said_before_is_known_again_whatever_times_lie_between() {
        let decoded = |tokens: &[u32]| Decoded {
            tokens: tokens.to_vec(),
            probabilities: Vec::new(),
            likelihood: 0.0,
            silence: 0.0,
            compression: 1.0,
            temperature: 0.0,
        };
        let before = [9, 1, 2, 3, 4, 5, 6, 8];
        assert!(decoded(&[100, 1, 2, 3, 110, 110, 4, 5, 6, 120]).says_again(&before, 100));
        assert!(!decoded(&[100, 1, 2, 3, 4, 5, 7, 120]).says_again(&before, 100));
        assert!(
            !decoded(&[1, 2, 3]).says_again(&before, 100) && !decoded(&[]).says_again(&[], 100)
        );
    }

    #[test]
    fn drawing_follows_the_scores_and_is_the_same_every_time() {
        let mut scores = [1.0, 3.0, f32::NEG_INFINITY, 2.9];
        assert_eq!(Chance::new(0.0).pick(&mut scores, 0.0), 1);
        let draw = || {
            let mut chance = Chance::new(0.8);
            (0..200).map(|_| chance.pick(&mut scores.clone(), 0.8)).collect::<Vec<_>>()
        };
        let drawn = draw();
        assert_eq!(drawn, draw());
        let count = |token| drawn.iter().filter(|drawn| **drawn == token).count();
        assert_eq!(count(2), 0);
        assert!(count(1) > count(0) && count(3) > count(0) && count(0) > 0);
        assert!((share(&scores, 1) + share(&scores, 3) + share(&scores, 0) - 1.0).abs() < 1e-6);
    }
}

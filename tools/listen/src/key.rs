//! `tool_detect_key`: the key of a recording, from how much each pitch class sounds.
//!
//! Profiles: J. Albrecht, D. Shanahan, "The Use of Large Corpora to Train a New Type of Key-Finding Algorithm", Music
//! Perception 31 (2013). The tuning is found first, as the offset at which the pitches lie on semitones best.

use super::features::{CENTS, Features};
use super::listen::{Piece, Turn, features, pieces};
use super::result_list::{Book, fact, number, sure};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::trimmed;
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `tool_detect_key`.
pub(super) struct DetectKey;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

/// Names of the pitch classes, as keys are mostly written.
pub(super) const NAMES: [&str; 12] =
    ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
const MAJOR: [f64; 12] =
    [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.080, 0.008, 0.081];
const MINOR: [f64; 12] =
    [0.220, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052];
/// Below this correlation there is no key to speak of.
const NO_KEY: f64 = 0.4;

/// A key and how sure it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    /// "A minor".
    pub(super) name: String,
    /// How far the best key leads the second, 0 to 1.
    pub(super) confidence: f64,
    /// The next best.
    pub(super) second: String,
    /// What A is tuned to, Hz.
    pub(super) tuning: f64,
}

impl TypedTool for DetectKey {
    type Params = Params;
    type Resolved = Vec<Piece>;

    fn spec() -> ToolSpec {
        tool(
            "tool_detect_key",
            "Detect the key",
            "Finds the key and the tuning of clips from their harmony. The answer is a list of {id, name, key \
             (such as \"A minor\"; null if there is none), confidence, second, tuning_hz}.",
            Category::Navigate,
            Trust::Notify,
            vec![json!({"targets": "Guitar"})],
        )
        .says([Intent::verbs("find | ask").about("key").or_everything().on(Kinds::Sound)])
        .says([Intent::verbs("ask | which | list").also("is | in | does | do | play"), Intent::default()].map(|it| {
            let it = it.about("key | in:key").only_named();
            it.named("targets", "- | of | in | on | for", Kinds::Sound)
        }))
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<Piece>, ToolError> {
        Ok(pieces(session, &params.targets.clips(session)?))
    }

    fn targets(pieces: &Vec<Piece>) -> Vec<ObjectId> {
        pieces.iter().map(|piece| piece.clip.into()).collect()
    }

    fn run(pieces: Vec<Piece>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut draft = Draft::default();
        let mut book = Book::new(context);
        let (mut rows, mut said) = (Vec::new(), Vec::new());
        for (index, piece) in pieces.iter().enumerate() {
            let turn = Turn { index, all: pieces.len() };
            let key = key(&features(context, piece, turn, &mut |_| ())?);
            if let Some(key) = &key {
                let named = sure(fact(key.name.as_str()), key.confidence);
                book.whole(piece, [("key", named), ("tuning", number(key.tuning, 1, "Hz"))]);
            }
            said.push(words(piece, key.as_ref()));
            rows.push(row(piece, key.as_ref()));
        }
        book.write(&mut draft, "the key was found");
        draft.summary = said.join("; ");
        draft.answer = Some(Value::Array(rows));
        Ok(draft)
    }
}

fn words(piece: &Piece, key: Option<&Key>) -> String {
    match key {
        Some(key) if key.confidence < 0.2 => {
            format!("\"{}\" is in {}, or in {}", piece.name, key.name, key.second)
        }
        Some(key) => format!("\"{}\" is in {}", piece.name, key.name),
        None => format!("\"{}\" has no key", piece.name),
    }
}

fn row(piece: &Piece, key: Option<&Key>) -> Value {
    json!({
        "id": piece.clip, "name": piece.name,
        "key": key.map(|key| &key.name),
        "confidence": key.map(|key| (key.confidence * 100.0).round() / 100.0),
        "second": key.map(|key| &key.second),
        "tuning_hz": key.and_then(|key| trimmed(key.tuning, 1).parse::<f64>().ok()),
    })
}

/// The key of the audio; `None` without pitches.
pub(super) fn key(features: &Features) -> Option<Key> {
    let offset = tuning(&features.cents);
    let mut classes = [0.0; 12];
    for (cent, weight) in features.cents.iter().enumerate() {
        let from_c = (cent as f64 - offset) / 10.0 + 9.0;
        classes[(from_c.round() as i64).rem_euclid(12) as usize] += f64::from(*weight);
    }
    let mut scores: Vec<(f64, String)> = Vec::new();
    for (tonic, name) in NAMES.iter().enumerate() {
        let mut turned = classes;
        turned.rotate_left(tonic);
        scores.push((correlation(&turned, &MAJOR), format!("{name} major")));
        scores.push((correlation(&turned, &MINOR), format!("{name} minor")));
    }
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    let [(best, name), (next, second), ..] = scores.as_slice() else { return None };
    if best.is_nan() || *best < NO_KEY {
        return None;
    }
    let confidence = ((best - next) / 0.15).clamp(0.0, 1.0);
    let tuning = 440.0 * (offset / CENTS as f64).exp2();
    Some(Key { name: name.clone(), confidence, second: second.clone(), tuning })
}

/// How far pitches lie above semitones of A = 440 Hz, in tenths of a semitone: the mean on a circle.
fn tuning(cents: &[f32]) -> f64 {
    let (mut x, mut y) = (0.0, 0.0);
    for (cent, weight) in cents.iter().enumerate() {
        let angle = std::f64::consts::TAU * cent as f64 / 10.0;
        x += f64::from(*weight) * angle.cos();
        y += f64::from(*weight) * angle.sin();
    }
    if x == 0.0 && y == 0.0 { 0.0 } else { y.atan2(x) / std::f64::consts::TAU * 10.0 }
}

fn correlation(a: &[f64; 12], b: &[f64; 12]) -> f64 {
    let mean = |x: &[f64; 12]| x.iter().sum::<f64>() / 12.0;
    let (ma, mb) = (mean(a), mean(b));
    let product: f64 = a.iter().zip(b).map(|(x, y)| (x - ma) * (y - mb)).sum();
    let power = |x: &[f64; 12], m: f64| x.iter().map(|v| (v - m) * (v - m)).sum::<f64>();
    product / (power(a, ma) * power(b, mb)).sqrt()
}

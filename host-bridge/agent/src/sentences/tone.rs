//! Sentences about tone: "boost the host by 3 dB at 5 kHz", "cut the highs on the cymbals", "compress the vocals 4:1".

use super::balance::{Way, amount, decibels};
use super::delivery::{insert, moved_low_cut};
use super::said::{One, Said};
use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
use crate::numbers::number_at;
use crate::reader::quantity::level_at;
use crate::resolve::{Resolved, Trouble, Want, list};
use serde_json::{Value, json};

/// The change in dB where no amount is said.
pub(super) const SOME: f64 = 3.0;

/// Where a low cut stands when nothing is said: below every voice.
const LOW_CUT_HZ: f64 = 80.0;

/// What is heard, in Hz.
const HEARD: std::ops::RangeInclusive<f64> = 10.0..=24_000.0;

/// Parts of the spectrum: words, shape and frequency of the band, in Hz.
const ZONES: [(&[&str], &str, f64); 5] = [
    (
        &["highs", "high end", "treble", "top", "top end", "high frequencies", "brightness", "air"],
        "high_shelf",
        8_000.0,
    ),
    (&["presence", "clarity", "upper mids"], "bell", 4_000.0),
    (&["mids", "midrange", "mid range", "middle"], "bell", 1_000.0),
    (&["mud", "low mids", "boxiness", "boominess"], "bell", 300.0),
    (
        &["lows", "low end", "bass", "bottom", "bottom end", "low frequencies", "body", "warmth"],
        "low_shelf",
        120.0,
    ),
];

/// Whether tokens name a part of the spectrum.
pub(super) fn is_zone(tokens: &[Token]) -> bool {
    zone(&words(tokens)).is_some()
}

fn words(tokens: &[Token]) -> String {
    let words: Vec<_> = tokens.iter().map(|token| token.word().unwrap_or("?")).collect();
    words.join(" ")
}

fn zone(words: &str) -> Option<(&'static str, f64)> {
    let found = ZONES.iter().find(|(names, ..)| names.contains(&words));
    found.map(|(_, shape, hz)| (*shape, *hz))
}

/// "5 kHz", "200 Hz", "5k": a frequency that all of some tokens say, in Hz.
pub(super) fn hertz(tokens: &[Token]) -> Option<f64> {
    let (unit, number) = tokens.split_last()?;
    let (value, _) = number_at(number, 0).filter(|(_, end)| *end == number.len())?;
    let value = value.value;
    match unit.word()? {
        "hz" | "hertz" => Some(value),
        "k" | "khz" | "kilohertz" => Some(value * 1000.0),
        _ => None,
    }
}

fn equalizer(said: &Said<'_>, band: &Value) -> One {
    insert(said, json!({"kind": "equalizer", "bands": [band]}))
}

/// A bell at a frequency; without a way the sign of the number says it.
pub(super) fn band(said: &Said<'_>, way: Option<Way>) -> One {
    let example = ["boost the lead vocal by 3 dB at 5 kHz"];
    let hz = said.tokens("hz").and_then(hertz).filter(|hz| HEARD.contains(hz));
    let gain = match way {
        Some(way) => amount(said).map(|amount| way.of(amount)),
        None => said.tokens("db").and_then(decibels),
    };
    let (hz, gain) = hz.zip(gain).filter(|(_, gain)| gain.abs() <= 30.0).ok_or_else(|| {
        Trouble::new("an equalizer takes 10 Hz to 24 kHz and at most 30 dB", example)
    })?;
    equalizer(said, &json!({"shape": "bell", "frequency_hz": hz, "gain": gain, "q": 1.0}))
}

/// A shelf, or a wide bell in the middle.
pub(super) fn shelf(said: &Said<'_>, way: Way) -> One {
    let named = said.text("zone").map(|text| text.to_lowercase());
    let named = named.as_deref().and_then(zone);
    let (shape, hz) = named.ok_or_else(|| {
        Trouble::new(
            "it does not say which part of the sound",
            ["boost the highs on the lead vocal"],
        )
    })?;
    let gain = way.of(amount(said).unwrap_or(SOME));
    equalizer(said, &json!({"shape": shape, "frequency_hz": hz, "gain": gain, "q": 0.7}))
}

/// A low cut where nobody says where.
pub(super) fn usual_low_cut(said: &Said<'_>) -> One {
    if moved_low_cut(said, LOW_CUT_HZ)?.is_some() {
        let on = said.text("on").unwrap_or_else(|| "the mix".into());
        let reason = "a low cut is there already: say at how many Hz it is to be";
        return Err(Trouble::new(reason, [format!("high-pass {on} at 100 Hz")]));
    }
    equalizer(said, &json!({"shape": "low_cut", "frequency_hz": LOW_CUT_HZ}))
}

/// "put a low cut on everything but the bass and the kick": each has its own, by what it is, in one plan.
pub(super) fn low_cut_all(said: &Said<'_>) -> One {
    let spared = said.sound("spared", Want::Tracks)?.map(|found| found.ids).unwrap_or_default();
    let mut ids = said.named("everything", Want::Tracks);
    ids.retain(|id| !spared.contains(id));
    if ids.is_empty() {
        return Err(Trouble::new("nothing is left to work on", said.context.scope.track_names()));
    }
    let params = vec![("low_cuts", json!(true)), ("resonances", json!(false))];
    Ok(Draft::on("tool_eq_balance", Resolved { param: list(&ids), ids }, params))
}

/// "4:1", "4 to 1", "4": how much louder in for 1 dB louder out.
pub(super) fn ratio(tokens: &[Token]) -> Option<f64> {
    let ratio = match tokens {
        // Read as a clock: four minutes and one second.
        [Token { kind: TokenKind::Clock(seconds), .. }] if seconds % 60.0 == 1.0 => {
            (seconds - 1.0) / 60.0
        }
        [
            Token { kind: TokenKind::Number { value, .. }, .. },
            to,
            Token { kind: TokenKind::Number { value: 1.0, .. }, .. },
        ] if to.is("to") => *value,
        _ => return None,
    };
    (1.0..=20.0).contains(&ratio).then_some(ratio)
}

/// A bell at a frequency where nobody says how deep.
pub(super) fn band_some(said: &Said<'_>) -> One {
    let hz =
        said.tokens("hz").and_then(hertz).filter(|hz| HEARD.contains(hz)).ok_or_else(no_hertz)?;
    equalizer(said, &json!({"shape": "bell", "frequency_hz": hz, "gain": -SOME, "q": 1.0}))
}

/// A notch, or a cut above.
pub(super) fn pass(said: &Said<'_>, shape: &str) -> One {
    let hz =
        said.tokens("hz").and_then(hertz).filter(|hz| HEARD.contains(hz)).ok_or_else(no_hertz)?;
    equalizer(said, &json!({"shape": shape, "frequency_hz": hz}))
}

fn no_hertz() -> Trouble {
    Trouble::new("an equalizer takes 10 Hz to 24 kHz", ["boost the lead vocal by 3 dB at 5 kHz"])
}

pub(super) fn compress_by(said: &Said<'_>, ratio: f64) -> One {
    insert(said, json!({"kind": "compressor", "ratio": ratio}))
}

/// "-1 dB", "-40": where a limiter or a gate stands, below full scale.
pub(super) fn level(tokens: &[Token]) -> Option<f64> {
    let (number, end) = number_at(tokens, 0)?;
    let unit = level_at(tokens, 0).map(|(_, end)| end);
    (end == tokens.len() || unit == Some(tokens.len())).then_some(number.value)
}

/// A limiter or a gate at a level.
pub(super) fn at_level(said: &Said<'_>, kind: &str, what: &str) -> One {
    let level = said.tokens("level").and_then(level).filter(|level| (-90.0..=0.0).contains(level));
    let level = level.ok_or_else(|| {
        Trouble::new("it is a level below full scale", ["put a limiter at -1 dB on the mix"])
    })?;
    let mut effect = json!({"kind": kind});
    effect[what] = json!(level);
    insert(said, effect)
}

pub(super) fn compress(said: &Said<'_>) -> One {
    let ratio = said
        .tokens("ratio")
        .and_then(ratio)
        .ok_or_else(|| Trouble::new("a ratio is 1:1 to 20:1", ["compress the lead vocal 4:1"]))?;
    insert(said, json!({"kind": "compressor", "ratio": ratio}))
}

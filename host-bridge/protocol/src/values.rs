//! Values of changes in a few words, for people: in windows and terminals alike.

use deskhand_dsp::Frames;
use deskhand_session::change::Edit;
use deskhand_session::plan::Step;
use deskhand_session::text;
use deskhand_session::{Change, ObjectId, Session};
use serde_json::{Map, Value, json};

/// The most facts or bands that a cell tells.
const TOLD: usize = 3;
/// The most words of a segment.
pub const WORDS: usize = 6;
/// Settings of a processor that matter most, and come first.
const FIRST: [&str; 5] = ["threshold", "ratio", "ceiling", "gain", "frequency_hz"];

/// A value in a few words: a scalar directly, an object by the facts that people know.
#[must_use]
pub fn brief(value: &Value, session: &Session) -> String {
    match value {
        Value::Null => "-".into(),
        Value::String(text) => named(text, session),
        Value::Object(fields) => object(fields, session),
        Value::Array(items) => list(items, session),
        Value::Bool(true) => "on".into(),
        Value::Bool(false) => "off".into(),
        Value::Number(number) => number.to_string(),
    }
}

/// A cut of a plan as a model reads it: what is cut, where, for how long, and the change that takes or
/// leaves it, with the number of changes it represents. The whole plan has their values.
#[must_use]
pub fn cut_row(cut: &Step<'_>) -> Value {
    let head = cut.head;
    let mut row = json!({
        "id": head.id,
        "op": head.change.op(),
        "target": head.change.target(),
        "name": head.name,
        "reason": head.reason,
        "stands_for": cut.changes,
    });
    if head.to_hear {
        row["to_hear"] = true.into();
    }
    row
}

/// Whether a change replaces an object with several parts, so a person wants to know which part differs: a
/// segment, its description or a code.
#[must_use]
pub fn is_of_several(change: &Change) -> bool {
    matches!(
        change,
        Change::SetDescription(_)
            | Change::SetSegment(Edit { before: Some(_), after: Some(_), .. })
            | Change::SetCode(Edit { before: Some(_), after: Some(_), .. })
    )
}

/// Removes equal fields from `before` and `after` of a change as JSON. A side without remaining fields is
/// null.
pub fn drop_same(change: &mut Value) {
    let mut sides = ["before", "after"].map(|side| match change[side].take() {
        Value::Object(facts) => facts,
        _ => Map::new(),
    });
    let same: Vec<String> = sides[0]
        .iter()
        .filter(|(name, fact)| sides[1].get(*name) == Some(*fact))
        .map(|(name, _)| name.clone())
        .collect();
    for facts in &mut sides {
        facts.retain(|name, _| !same.contains(name));
    }
    let [before, after] = sides.map(|facts| match facts.is_empty() {
        true => Value::Null,
        false => Value::Object(facts),
    });
    change["before"] = before;
    change["after"] = after;
}

/// An id by its name, other text unchanged.
fn named(text: &str, session: &Session) -> String {
    text.parse::<ObjectId>().map_or_else(|_| text.to_owned(), |id| session.name_of(id))
}

/// What is in a list: the range of a gain over time, tempos, meters, or each item.
fn list(items: &[Value], session: &Session) -> String {
    let numbers = |key: &str| -> Option<Vec<f64>> {
        items.iter().map(|item| item.get(key)?.as_f64()).collect()
    };
    if items.is_empty() {
        return "none".into();
    }
    if let Some(gains) = numbers("gain") {
        let (low, high) = range(&gains);
        return if low == high {
            format!("{low:.1} dB")
        } else {
            format!("{low:.1} to {high:.1} dB")
        };
    }
    if let Some(tempos) = numbers("bpm") {
        let (low, high) = range(&tempos);
        let tempo = |bpm| text::trimmed(bpm, 2);
        return match low == high {
            true => format!("{} bpm", tempo(low)),
            false => format!("{} to {} bpm", tempo(low), tempo(high)),
        };
    }
    let told = |item: &Value| match item.get("meter") {
        Some(meter) => format!("{}/{}", meter["numerator"], meter["denominator"]),
        None => brief(item, session),
    };
    let mut all: Vec<String> = items.iter().take(TOLD).map(told).collect();
    if items.len() > TOLD {
        all.push(format!("{} more", items.len() - TOLD));
    }
    all.join(", ")
}

fn range(numbers: &[f64]) -> (f64, f64) {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    (least, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

fn object(fields: &Map<String, Value>, session: &Session) -> String {
    if let Some(effect) = fields.get("effect").and_then(Value::as_object) {
        let is_off = fields.get("switch").is_some_and(|switch| switch == "off");
        return processor(effect) + if is_off { ", bypassed" } else { "" };
    }
    if let Some(assembly) = assembly(fields) {
        return assembly;
    }
    let time = |key: &str| {
        let frames = fields.get(key).and_then(Value::as_i64)?;
        Some(text::clock(Frames(frames), session.rate))
    };
    let name = fields.get("name").and_then(Value::as_str).map(|name| format!("\"{name}\""));
    let place = time("position").or_else(|| time("at")).map(|time| format!("at {time}"));
    let length = time("length").map(|time| format!("for {time}"));
    let fade = |key: &str, word: &str| {
        let length = Frames(fields.get(key)?.get("length")?.as_i64()?);
        let ms = length.seconds(session.rate).0 * 1000.0;
        // A clip without fades need not say so, an edit of fades must.
        let told = length > Frames::ZERO || !fields.contains_key("name");
        told.then(|| format!("{word} {ms:.0} ms"))
    };
    let fades = [fade("fade_in", "in"), fade("fade_out", "out")];
    let known = fields.get("description").and_then(Value::as_object).unwrap_or(fields);
    let parts = [name, place, length, speaker(fields), words(fields), codes(fields, session)];
    let parts = parts.into_iter().chain(fades).chain([facts(known, session)]);
    let parts = parts.chain(code(fields, session));
    let parts: Vec<_> = parts.flatten().collect();
    if !parts.is_empty() {
        return parts.join(" ");
    }
    let nested = |(key, value): (&String, &Value)| match value {
        Value::Object(_) => format!("{}: {}", key.replace('_', " "), brief(value, session)),
        value => brief(value, session),
    };
    fields.iter().map(nested).collect::<Vec<_>>().join(", ")
}

/// "under Place color #aa0000": what changes in a code, apart from its name.
fn code(fields: &Map<String, Value>, session: &Session) -> [Option<String>; 3] {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    let is_part = !fields.contains_key("name");
    let told = |key: &str, word: &str| {
        text(key).filter(|_| is_part).map(|value| format!("{word} {}", named(value, session)))
    };
    [told("parent", "under"), told("color", "color"), told("description", "for")]
}

/// "9 play, 1 removed": an assembly.
fn assembly(fields: &Map<String, Value>) -> Option<String> {
    let count = |key| fields.get(key).and_then(Value::as_array).map(Vec::len);
    let order = count("order")?;
    let [duplicates, removed] = ["duplicates", "removed"].map(|key| count(key).unwrap_or(0));
    let part = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let parts = [
        Some(format!("{order} play")),
        part(duplicates, "with other takes"),
        part(removed, "removed"),
        fields.get("finished").and_then(Value::as_str).map(|said| format!("finished: {said}")),
    ];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// "by Anna": the speaker of a segment.
fn speaker(fields: &Map<String, Value>) -> Option<String> {
    fields.get("speaker").and_then(Value::as_str).map(|name| format!("by {name}"))
}

/// The words of a segment, as far as they fit in a cell.
fn words(fields: &Map<String, Value>) -> Option<String> {
    let words = fields.get("words").and_then(Value::as_array)?;
    let mut said: Vec<&str> =
        words.iter().filter_map(|word| word.get("text")?.as_str()).take(WORDS).collect();
    if words.len() > said.len() {
        said.push("…");
    }
    (!said.is_empty()).then(|| format!("\"{}\"", said.join(" ")))
}

/// "coded Budget, House by Anna": what a segment is labeled with, by the names of the codes.
fn codes(fields: &Map<String, Value>, session: &Session) -> Option<String> {
    let codings = fields.get("codings").and_then(Value::as_array)?;
    let name = |coding: &Value| {
        let coder = coding.get("coder").and_then(Value::as_str);
        let by = coder.map(|coder| format!(" by {coder}")).unwrap_or_default();
        Some(named(coding.get("code")?.as_str()?, session) + &by)
    };
    let names: Vec<String> = codings.iter().filter_map(name).collect();
    (!names.is_empty()).then(|| format!("coded {}", names.join(", ")))
}

/// The facts in an object, if it has any.
fn facts(fields: &Map<String, Value>, session: &Session) -> Option<String> {
    let told = |(name, fact): (&String, &Value)| {
        let value = fact.get("by").and(fact.get("value"))?;
        let unit = fact.get("unit").and_then(Value::as_str).map(|unit| format!(" {unit}"));
        let value = brief(value, session) + &unit.unwrap_or_default();
        Some(format!("{} {value}", name.replace('_', " ")))
    };
    let mut all: Vec<_> = fields.iter().filter_map(told).collect();
    let more = all.len().saturating_sub(TOLD);
    all.truncate(TOLD);
    all.extend((more > 0).then(|| format!("{more} more")));
    (!all.is_empty()).then(|| all.join(", "))
}

/// A processor: its kind, then its bands or its numbers.
fn processor(effect: &Map<String, Value>) -> String {
    let kind = effect.get("kind").and_then(Value::as_str).unwrap_or_default().replace('_', "-");
    let bands = effect.get("bands").and_then(Value::as_array).into_iter().flatten();
    let bands = bands.filter_map(Value::as_object).map(band);
    let mut settings: Vec<_> = effect.iter().collect();
    let place = |key: &str| FIRST.iter().position(|first| *first == key);
    settings.sort_by_key(|(key, _)| place(key.as_str()).unwrap_or(FIRST.len()));
    let mut all: Vec<String> = bands.chain(settings.into_iter().filter_map(setting)).collect();
    let more = all.len().saturating_sub(TOLD);
    all.truncate(TOLD);
    all.extend((more > 0).then(|| format!("{more} more")));
    std::iter::once(kind).chain(all).collect::<Vec<_>>().join(", ")
}

/// "bell 262 Hz -6.0 dB"; a cut has no gain.
fn band(band: &Map<String, Value>) -> String {
    let shape = band.get("shape").and_then(Value::as_str).unwrap_or_default().replace('_', " ");
    let number = |key: &str| band.get(key).and_then(Value::as_f64);
    let hz = number("frequency_hz").map(|hz| format!(" {hz:.0} Hz")).unwrap_or_default();
    let gain = number("gain").filter(|_| !shape.ends_with("cut"));
    shape + &hz + &gain.map(|gain| format!(" {gain:+.1} dB")).unwrap_or_default()
}

/// "release 100 ms", "ratio 4": a number and its name.
fn setting((key, value): (&String, &Value)) -> Option<String> {
    const UNITS: [(&str, &str); 3] = [("_ms", " ms"), ("_hz", " Hz"), ("_db", " dB")];
    const LEVELS: [&str; 5] = ["ceiling", "gain", "makeup", "range", "threshold"];
    let number = (value.as_f64()? * 100.0).round() / 100.0;
    let unit = UNITS.iter().find_map(|(end, unit)| Some((key.strip_suffix(end)?, *unit)));
    let plain = if LEVELS.contains(&key.as_str()) { " dB" } else { "" };
    let (name, unit) = unit.unwrap_or((key, plain));
    Some(format!("{} {number}{unit}", name.replace('_', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(value: &Value) -> String {
        let session =
            Session::new(deskhand_session::SessionId::new(1), deskhand_dsp::SampleRate(48_000));
        brief(value, &session)
    }

    #[test]
    fn of_a_code_what_becomes_otherwise_is_told() {
        let mut change = json!({
            "before": {"name": "Blue", "color": "#0000ff"},
            "after": {"name": "Blue", "color": "#00ff00", "description": "the sea"},
        });
        drop_same(&mut change);
        assert_eq!(told(&change["before"]), "color #0000ff");
        assert_eq!(told(&change["after"]), "color #00ff00 for the sea");
        assert_eq!(told(&json!({"name": "Blue", "color": "#0000ff"})), "\"Blue\"");
    }

    #[test]
    fn processors_say_what_they_do() {
        let bell = |hz: f64| json!({"frequency_hz": hz, "gain": -6.0, "q": 6.0, "shape": "bell"});
        let cut = json!({"frequency_hz": 80.0, "gain": 0.0, "q": 0.7, "shape": "low_cut"});
        let bands = json!([bell(262.0), cut, bell(588.0), bell(392.0)]);
        let insert = json!({"effect": {"kind": "equalizer", "bands": bands}, "index": 90, "on": "master", "switch": "off"});
        assert_eq!(
            told(&insert),
            "equalizer, bell 262 Hz -6.0 dB, low cut 80 Hz, bell 588 Hz -6.0 dB, 1 more, bypassed"
        );
        let limiter =
            json!({"kind": "limiter", "ceiling": -1.0, "gain": 0.193, "release_ms": 100.0});
        let insert = json!({"effect": limiter, "index": 0, "on": "master", "switch": "on"});
        assert_eq!(told(&insert), "limiter, ceiling -1 dB, gain 0.19 dB, release 100 ms");
    }

    #[test]
    fn lists_and_facts_say_of_what() {
        let point = json!({"gain": 0.0, "position": 480});
        assert_eq!(told(&json!([])), "none");
        assert_eq!(told(&json!([point, point])), "0.0 dB");
        let low = json!({"gain": -12.0, "position": 960});
        assert_eq!(told(&json!([point, low, point])), "-12.0 to 0.0 dB");
        let tempo = json!({"position": 0, "bpm": 120.5});
        assert_eq!(told(&json!([tempo])), "120.5 bpm");
        let meter = json!({"position": 0, "meter": {"numerator": 6, "denominator": 8}});
        assert_eq!(told(&json!([meter, meter])), "6/8, 6/8");
        let pitch = json!({"by": "tool_ears", "unit": "Hz", "value": 440.5});
        let facts = json!({"pitch": pitch, "voice": {"by": "tool_ears", "value": "alto"}});
        let segment =
            json!({"description": facts, "start": 0, "length": 48_000, "source": "src_1"});
        assert_eq!(told(&segment), "for 0:01.000 pitch 440.5 Hz, voice alto");
        assert_eq!(told(&facts), "pitch 440.5 Hz, voice alto");
    }

    #[test]
    fn segments_say_who_speaks_and_what_they_are_coded_with() {
        let spoken = json!({"length": 48_000, "source": "src_1", "speaker": "Anna", "start": 0});
        assert_eq!(told(&spoken), "for 0:01.000 by Anna");
        let coding = json!({"code": "Budget", "batch": "batch_1"});
        let coded = json!({"codings": [coding], "length": 48_000, "start": 0});
        assert_eq!(told(&coded), "for 0:01.000 coded Budget");
    }
}

//! Replaces the parts of a text that differ from run to run with constant ones.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The prefixes of ids.
pub const KINDS: [&str; 12] = [
    "session", "track", "clip", "src", "marker", "group", "fx", "seg", "code", "phr", "batch",
    "plan",
];
/// Digits of an id, and of the part of a content hash in the name of a conformed file.
const ID_DIGITS: usize = 12;
const SHORT_HASH: usize = 16;
const WHOLE_HASH: usize = 64;

/// `json` with ids numbered in the order in which they come, and paths, hashes and times masked.
pub fn of(json: &Value, audio: &Path) -> Value {
    let mut names = Names::default();
    names.value(json, &audio.to_string_lossy())
}

#[derive(Default)]
struct Names {
    known: BTreeMap<String, String>,
    counts: BTreeMap<&'static str, usize>,
}

impl Names {
    fn value(&mut self, json: &Value, audio: &str) -> Value {
        match json {
            Value::String(text) => Value::String(self.text(&text.replace(audio, "AUDIO"))),
            Value::Array(items) => items.iter().map(|item| self.value(item, audio)).collect(),
            Value::Object(fields) => {
                let field = |(key, value): (&String, &Value)| {
                    let value = match key.as_str() {
                        "modified_ns" => Value::from(0),
                        _ => self.value(value, audio),
                    };
                    (self.text(key), value)
                };
                Value::Object(fields.iter().map(field).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => json.clone(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (piece, length) = self.at(rest).unwrap_or_else(|| (c.to_string(), c.len_utf8()));
            out.push_str(&piece);
            rest = &rest[length..];
        }
        out
    }

    /// An id or a hash at the start of `text`: its replacement and its length.
    fn at(&mut self, text: &str) -> Option<(String, usize)> {
        let digits = text.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits == WHOLE_HASH || digits == SHORT_HASH {
            return Some(("HASH".into(), digits));
        }
        let kind = KINDS.into_iter().find(|kind| {
            let id = text.strip_prefix(kind).and_then(|rest| rest.strip_prefix('_'));
            id.is_some_and(|id| id.bytes().take_while(u8::is_ascii_hexdigit).count() == ID_DIGITS)
        })?;
        let length = kind.len() + 1 + ID_DIGITS;
        let id = &text[..length];
        if !self.known.contains_key(id) {
            let count = self.counts.entry(kind).or_default();
            *count += 1;
            self.known.insert(id.into(), format!("{kind}_{count}"));
        }
        Some((self.known[id].clone(), length))
    }
}

#[test]
fn ids_are_numbered_and_hashes_masked() {
    let json = serde_json::json!({
        "a": "clip_00000000000a and clip_00000000000b", "b": "clip_00000000000a",
        "d": "rejected plan_00000000000a: no",
        "h": format!("media/{}-48000.wav", "0123456789abcdef"), "modified_ns": 7, "p": "/x/y.wav"
    });
    let expected = serde_json::json!({
        "a": "clip_1 and clip_2", "b": "clip_1", "d": "rejected plan_1: no",
        "h": "media/HASH-48000.wav", "modified_ns": 0, "p": "AUDIO/y.wav"
    });
    assert_eq!(of(&json, Path::new("/x")), expected);
}

//! Damaged JSON: a field that is missing, of another type or not a number is `None`. Text around a break is
//! kept.

mod breaks;

pub(super) use breaks::Break;

use super::super::limits::MOST_PHRASES;
use super::Micros;
use super::file::{File, Part, Piece};
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The most words outside segments.
const MOST_WORDS: usize = 2_000_000;

/// Numbers that JSON does not have, as Python writes them, as `null`. Each letter keeps its place.
pub(super) fn with_nulls(file: &str) -> Cow<'_, str> {
    let bytes = file.as_bytes();
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    let (mut is_text, mut is_escaped) = (false, false);
    while let Some(&byte) = bytes.get(at) {
        let word = bytes.get(at..).unwrap_or_default();
        let length = word.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-');
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'a'..=b'z' | b'A'..=b'Z' | b'-' if !is_text => {
                let end = at + length.count();
                let word = file.get(at..end).unwrap_or_default();
                let number = word.trim_start_matches('-').to_ascii_lowercase();
                if ["nan", "infinity", "inf", "none", "undefined"].contains(&number.as_str()) {
                    out.push_str(file.get(copied..at).unwrap_or_default());
                    out.push_str("null");
                    copied = end;
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    if copied == 0 {
        return Cow::Borrowed(file);
    }
    out.push_str(file.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// Fills a place with the value, if it has the right kind.
struct Filling<'a, T>(&'a mut T);

/// A type that can be filled from a map or a list; other values leave it unchanged.
trait Fill {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;

    fn element<'de, A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        Ok(list.next_element::<IgnoredAny>()?.is_some())
    }

    /// From a list the first element is due now.
    fn list(&mut self) {}

    fn scalar(&mut self, _value: Scalar) {}
}

/// A text or a number.
enum Scalar {
    Text(String),
    Number(f64),
}

impl Scalar {
    fn number(self) -> Option<f64> {
        match self {
            Self::Text(text) => text.trim().parse().ok(),
            Self::Number(number) => Some(number),
        }
    }
}

impl<'de, T: Fill> DeserializeSeed<'de> for Filling<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Fill> Visitor<'de> for Filling<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            self.0.field(&key, &mut map)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.list();
        while self.0.element(&mut list)? {}
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.0.scalar(Scalar::Number(value));
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.0.scalar(Scalar::Text(value.to_owned()));
        Ok(())
    }
}

/// Anything that is a text or a number.
#[derive(Default)]
struct Value(Option<Scalar>);

impl Fill for Value {
    fn field<'de, A: MapAccess<'de>>(&mut self, _: &str, map: &mut A) -> Result<(), A::Error> {
        map.next_value::<IgnoredAny>().map(drop)
    }

    fn scalar(&mut self, value: Scalar) {
        self.0 = Some(value);
    }
}

impl Value {
    fn of<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<Scalar>, A::Error> {
        let mut value = Self::default();
        map.next_value_seed(Filling(&mut value))?;
        Ok(value.0)
    }

    fn number<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<f64>, A::Error> {
        Ok(Self::of(map)?.and_then(Scalar::number))
    }

    fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
        let text = |value| match value {
            Scalar::Text(text) => text,
            Scalar::Number(number) => number.to_string(),
        };
        Ok(Self::of(map)?.map(text))
    }

    /// A time, in units of 1/`unit` seconds. A time before the start of the recording counts as its start.
    fn time<'de, A: MapAccess<'de>>(map: &mut A, unit: f64) -> Result<Option<Micros>, A::Error> {
        let seconds = Self::number(map)?.map(|value| value / unit);
        Ok(seconds.and_then(|seconds| Micros::of_seconds(seconds.max(0.0))))
    }
}

impl Fill for File {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "segments" => map.next_value_seed(Filling(&mut self.segments)),
            "transcription" => map.next_value_seed(Filling(&mut self.transcription)),
            "words" => map.next_value_seed(Filling(&mut self.words)),
            _ => map.next_value::<IgnoredAny>().map(drop),
        }
    }

    fn list(&mut self) {
        self.segments.get_or_insert_default();
    }

    fn element<'de, A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        self.segments.element(list)
    }
}

impl Fill for Option<Vec<Part>> {
    fn field<'de, A: MapAccess<'de>>(&mut self, _: &str, map: &mut A) -> Result<(), A::Error> {
        map.next_value::<IgnoredAny>().map(drop)
    }

    fn list(&mut self) {
        self.get_or_insert_default();
    }

    fn element<'de, A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let parts = self.get_or_insert_default();
        // Those that are too many are counted later, without what they say.
        if parts.len() > MOST_PHRASES {
            return Ok(list.next_element::<IgnoredAny>()?.is_some());
        }
        let mut part = Part::default();
        let read = list.next_element_seed(Filling(&mut part));
        let is_kept = read.as_ref().map_or_else(|_| part.is_said(), Option::is_some);
        parts.extend(is_kept.then_some(part));
        Ok(read?.is_some())
    }
}

impl Part {
    fn is_said(&self) -> bool {
        !self.text.trim().is_empty() || !self.words.is_empty()
    }
}

impl Fill for Part {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "start" => self.start = Value::time(map, 1.0)?,
            "end" => self.end = Value::time(map, 1.0)?,
            "text" => self.text = Value::text(map)?.unwrap_or_default(),
            "speaker" => self.speaker = Value::text(map)?,
            "words" => map.next_value_seed(Filling(&mut self.words))?,
            "offsets" => {
                let mut offsets = Offsets::default();
                map.next_value_seed(Filling(&mut offsets))?;
                (self.start, self.end) = (offsets.from, offsets.to);
            }
            _ => map.next_value::<IgnoredAny>().map(drop)?,
        }
        Ok(())
    }
}

/// Times of whisper.cpp, in milliseconds.
#[derive(Default)]
struct Offsets {
    from: Option<Micros>,
    to: Option<Micros>,
}

impl Fill for Offsets {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "from" => self.from = Value::time(map, 1_000.0)?,
            "to" => self.to = Value::time(map, 1_000.0)?,
            _ => map.next_value::<IgnoredAny>().map(drop)?,
        }
        Ok(())
    }
}

impl Fill for Vec<Piece> {
    fn field<'de, A: MapAccess<'de>>(&mut self, _: &str, map: &mut A) -> Result<(), A::Error> {
        map.next_value::<IgnoredAny>().map(drop)
    }

    fn element<'de, A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let mut piece = Piece::default();
        let read = list.next_element_seed(Filling(&mut piece));
        let is_kept = !piece.word.trim().is_empty() && self.len() < MOST_WORDS;
        self.extend(is_kept.then_some(piece));
        Ok(read?.is_some())
    }
}

impl Fill for Piece {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "word" | "text" => self.word = Value::text(map)?.unwrap_or_default(),
            "start" => self.start = Value::time(map, 1.0)?,
            "end" => self.end = Value::time(map, 1.0)?,
            "probability" | "score" | "confidence" => self.probability = Value::number(map)?,
            _ => map.next_value::<IgnoredAny>().map(drop)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_writes_for_no_number_is_null() {
        let file = r#"{"a": NaN, "b": [-Infinity, Infinity,nan], "NaN": "NaN -Infinity \" NaN", "c": -1e-5, "d": true}"#;
        let json: serde_json::Value = serde_json::from_str(&with_nulls(file)).unwrap();
        let expected = serde_json::json!({
            "a": null, "b": [null, null, null], "NaN": "NaN -Infinity \" NaN", "c": -1e-5, "d": true
        });
        assert_eq!(json, expected);
        assert!(matches!(with_nulls("{\"a\": 1}"), Cow::Borrowed(_)));
    }
}

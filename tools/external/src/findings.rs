//! The findings of a tool: markers, and findings on stretches of clips. All of it is untrusted input.

use crate::sanitize;
use deskhand_dsp::{Frames, Seconds};
use deskhand_session::ClipId;
use serde::Deserialize;
use serde_json::Value;

/// The most markers, and the most findings, of one run.
const MOST: usize = 2_000;
/// The most values in the list of one finding.
const MOST_VALUES: usize = 200;
/// The last second of a timeline that a tool may name: 100 hours.
const LAST_S: f64 = 360_000.0;

/// A marker.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    pub(crate) name: String,
    /// Where it is, in seconds: from the start of `clip`, else on the timeline.
    pub(crate) at_s: f64,
    /// 0 for a point.
    #[serde(default)]
    pub(crate) length_s: f64,
    pub(crate) clip: Option<ClipId>,
}

/// Something that is known of a clip, or of a part of it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finding {
    pub(crate) clip: ClipId,
    /// What it is: `pitch`, `words_a_minute`.
    pub(crate) name: String,
    /// A number, a text, yes or no, or a list of them.
    pub(crate) value: Value,
    pub(crate) unit: Option<String>,
    /// How sure it is, 0 to 1.
    pub(crate) confidence: Option<f64>,
    /// Where it begins in the clip, in seconds; the whole clip where neither this nor the length is said.
    pub(crate) at_s: Option<f64>,
    /// How long it is, in seconds; to the end of the clip where it is not said.
    pub(crate) length_s: Option<f64>,
}

/// The same with harmless words.
///
/// # Errors
/// When a marker is invalid; names the first one.
pub(crate) fn marks(given: Vec<Mark>) -> Result<Vec<Mark>, String> {
    few(given.len(), "markers")?;
    let clean = |mark: Mark| {
        let name = sanitize::line(&mark.name, 100);
        if name.is_empty() {
            return Err("it gave a marker without a name".to_owned());
        }
        time(mark.at_s, &name)?;
        time(mark.length_s, &name)?;
        Ok(Mark { name, ..mark })
    };
    given.into_iter().map(clean).collect()
}

/// The same with harmless words.
///
/// # Errors
/// When a finding is invalid; names the first one.
pub(crate) fn findings(given: Vec<Finding>) -> Result<Vec<Finding>, String> {
    few(given.len(), "findings")?;
    given.into_iter().map(finding).collect()
}

fn finding(given: Finding) -> Result<Finding, String> {
    let name = sanitize::line(&given.name, 60);
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !(1..=40).contains(&name.len()) || !name.chars().all(is_word) {
        return Err(format!(
            "it calls a finding {name:?}; use up to 40 small letters, digits and _"
        ));
    }
    for seconds in [given.at_s, given.length_s].into_iter().flatten() {
        time(seconds, &name)?;
    }
    if given.confidence.is_some_and(|sure| !(0.0..=1.0).contains(&sure)) {
        return Err(format!("the confidence of its {name:?} is not between 0 and 1"));
    }
    let value = value(given.value).ok_or_else(|| {
        format!(
            "its {name:?} has a value that is no number, text, yes or no, or short list of them"
        )
    })?;
    let unit = given.unit.map(|unit| sanitize::line(&unit, 20)).filter(|unit| !unit.is_empty());
    Ok(Finding { name, value, unit, ..given })
}

fn value(given: Value) -> Option<Value> {
    match given {
        Value::String(text) => Some(sanitize::line(&text, 300).into()),
        Value::Array(items) if items.len() <= MOST_VALUES => {
            let single = |item: Value| if item.is_array() { None } else { value(item) };
            items.into_iter().map(single).collect::<Option<Vec<_>>>().map(Value::Array)
        }
        Value::Number(_) | Value::Bool(_) => Some(given),
        Value::Array(_) | Value::Object(_) | Value::Null => None,
    }
}

fn few(count: usize, what: &str) -> Result<(), String> {
    if count <= MOST { Ok(()) } else { Err(format!("it gave {count} {what}; {MOST} are the most")) }
}

fn time(seconds: f64, name: &str) -> Result<(), String> {
    if (0.0..=LAST_S).contains(&seconds) {
        return Ok(());
    }
    Err(format!("its {name:?} has the time {seconds} s; 0 to {LAST_S} can be meant"))
}

impl Finding {
    /// The part of a clip of that length that it is about, as its start and length.
    ///
    /// # Errors
    /// When it lies after the end of the clip.
    pub(crate) fn place(
        &self,
        length: Frames,
        rate: deskhand_dsp::SampleRate,
    ) -> Result<(Frames, Frames), String> {
        let start = Seconds(self.at_s.unwrap_or(0.0)).frames(rate);
        let left = length - start;
        if left <= Frames::ZERO {
            let (at, all) = (start.seconds(rate).0, length.seconds(rate).0);
            return Err(format!(
                "its {:?} begins at {at:.3} s of a clip that is {all:.3} s long",
                self.name
            ));
        }
        // Programs round: a time a little after the end of the clip ends with it.
        let said = self.length_s.map_or(left, |seconds| Seconds(seconds).frames(rate));
        Ok((start, said.clamp(Frames(1), left)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use serde_json::json;

    fn read(value: Value) -> Result<Finding, String> {
        findings(vec![serde_json::from_value(value).unwrap()]).map(|mut one| one.swap_remove(0))
    }

    fn one(more: Value) -> Value {
        let mut value = json!({"clip": ClipId::new(7), "name": "pitch", "value": 220.5});
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        value
    }

    #[test]
    fn words_are_made_harmless() {
        let found = read(one(json!({"value": ["a\u{202e}b", 3], "unit": "\u{1b}Hz"}))).unwrap();
        assert_eq!((found.value, found.unit.as_deref()), (json!(["ab", 3]), Some("Hz")));
        let mark = Mark { name: "a\u{202e}\nb".into(), at_s: 1.0, length_s: 0.0, clip: None };
        assert_eq!(marks(vec![mark]).unwrap()[0].name, "a b");
    }

    #[test]
    fn what_cannot_be_meant_is_named() {
        for (more, told) in [
            (json!({"name": "Pitch of it"}), "calls a finding \"Pitch of it\""),
            (json!({"name": ""}), "calls a finding \"\""),
            (json!({"value": {"a": 1}}), "its \"pitch\" has a value"),
            (json!({"value": null}), "its \"pitch\" has a value"),
            (json!({"value": [[1]]}), "its \"pitch\" has a value"),
            (json!({"value": vec![1; 300]}), "its \"pitch\" has a value"),
            (json!({"confidence": 7}), "confidence of its \"pitch\""),
            (json!({"at_s": -1}), "its \"pitch\" has the time -1 s"),
            (json!({"length_s": 1e9}), "its \"pitch\" has the time 1000000000 s"),
        ] {
            let said = read(one(more)).unwrap_err();
            assert!(said.contains(told), "{said}");
        }
        let mark = |name: &str, at_s| Mark { name: name.into(), at_s, length_s: 0.0, clip: None };
        assert!(marks(vec![mark("\u{200b}", 0.0)]).unwrap_err().contains("without a name"));
        assert!(marks(vec![mark("a", f64::NAN)]).unwrap_err().contains("has the time NaN s"));
        assert!(marks(vec![mark("a", 0.0); 2_001]).unwrap_err().contains("gave 2001 markers"));
    }

    #[test]
    fn a_finding_stays_within_its_clip() {
        let rate = SampleRate(1_000);
        let place = |at: Option<f64>, length: Option<f64>| {
            let found = read(one(json!({}))).unwrap();
            Finding { at_s: at, length_s: length, ..found }.place(Frames(2_000), rate)
        };
        assert_eq!(place(None, None), Ok((Frames(0), Frames(2_000))));
        assert_eq!(place(Some(0.5), Some(0.25)), Ok((Frames(500), Frames(250))));
        assert_eq!(place(Some(1.5), Some(0.6)), Ok((Frames(1_500), Frames(500))));
        assert_eq!(place(Some(1.5), Some(0.0)), Ok((Frames(1_500), Frames(1))));
        let said = place(Some(2.0), None).unwrap_err();
        assert_eq!(said, "its \"pitch\" begins at 2.000 s of a clip that is 2.000 s long");
    }
}

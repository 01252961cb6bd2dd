//! What must hold of a talk whatever its expected files say: numbers that may differ more than the last digit.

use crate::script::read;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, Session};
use serde_json::{Map, Value};
use std::path::Path;

/// How far the beginning of a part may be from its intended place, in seconds.
const NEAR_S: f64 = 0.55;

/// Checks the claims of `claims.json`, if there is one, against the session and against what the model was
/// `told`.
///
/// # Errors
/// The first claim that does not hold.
pub(crate) fn check(file: &Path, session: &Session, told: &[Value]) -> Result<(), String> {
    if !file.exists() {
        return Ok(());
    }
    let claims = read(file);
    for (name, at) in fields(&claims["part_begins_at_s"]) {
        begins(session, name, at.as_f64().unwrap())?;
    }
    for (name, facts) in fields(&claims["facts"]) {
        fields(facts).try_for_each(|(fact, meant)| is_known(session, name, fact, meant))?;
    }
    for (call, words) in fields(&claims["summary"]) {
        is_said(told, call, words)?;
    }
    Ok(())
}

/// A part of the clip begins there, and each part has a length.
fn begins(session: &Session, name: &str, at: f64) -> Result<(), String> {
    let parts = || session.markers.values().filter(|it| it.code.as_deref() == Some("part"));
    let begin = clip(session, name).position.seconds(session.rate).0 + at;
    let mut starts = parts().map(|part| part.position.seconds(session.rate).0);
    if !starts.any(|start| (start - begin).abs() <= NEAR_S) {
        return Err(format!("no part of {name} begins at {at} s: {:?}", session.markers));
    }
    match parts().find(|part| part.length <= Frames::ZERO) {
        Some(part) => Err(format!("{} has no length", part.name)),
        None => Ok(()),
    }
}

/// Checks a fact of the clip's source: `"text"` or `"number"`, or a number from a range `[from, below]`.
fn is_known(session: &Session, name: &str, fact: &str, meant: &Value) -> Result<(), String> {
    let source = clip(session, name).source;
    let mut own = session.segments.values().filter(|segment| segment.source == source);
    let found = own.find_map(|segment| segment.description.facts.get(fact));
    let found = &found.ok_or_else(|| format!("{fact} of {name} is not known"))?.value;
    let holds = match (meant.as_str(), found.as_f64()) {
        (Some("text"), _) => found.is_string(),
        (Some("number"), number) => number.is_some(),
        (_, number) => {
            let range = meant[0].as_f64().unwrap()..meant[1].as_f64().unwrap();
            number.is_some_and(|number| range.contains(&number))
        }
    };
    if holds { Ok(()) } else { Err(format!("{fact} of {name} is {found}, not {meant}")) }
}

/// The summary that the model got for a call has these words.
fn is_said(told: &[Value], call: &str, words: &Value) -> Result<(), String> {
    let row = told.iter().find(|row| row["call"] == call);
    let row = row.ok_or_else(|| format!("{call} was not called"))?;
    let summary = row["told"]["summary"].as_str().unwrap_or_default();
    let mut words = words.as_array().into_iter().flatten().filter_map(Value::as_str);
    match words.find(|words| !summary.contains(*words)) {
        Some(words) => Err(format!("{call} says nothing of {words}: {summary}")),
        None => Ok(()),
    }
}

fn clip<'a>(session: &'a Session, name: &str) -> &'a Clip {
    session.clips.values().find(|clip| clip.name == name).unwrap()
}

/// The fields of an object; empty for any other value.
fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let fields = value.as_object().into_iter().flat_map(Map::iter);
    fields.map(|(key, value)| (key.as_str(), value))
}

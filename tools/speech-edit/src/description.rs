//! Facts about segments, written by hand.

use super::spoken::{refuse, segment};
use deskhand_session::text::count;
use deskhand_session::{Change, Edit, Fact, SegmentId};
use deskhand_toolkit::about::command;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const NAME: &str = "cmd_set_description";
/// The longest name of a fact, in characters.
const LONGEST: usize = 60;

/// `cmd_set_description`.
pub(super) struct SetDescription;

/// Facts about segments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The segments.
    #[schemars(length(min = 1))]
    segment_ids: Vec<String>,
    /// Facts by name: a text, a number, true or false; null removes a fact. tool_describe_speech writes
    /// `level`, `pace`, `noise`, `laughter`, `overlap` and `off_mic`; other names are allowed.
    facts: Map<String, Value>,
}

impl Command for SetDescription {
    type Params = Params;

    fn spec() -> ToolSpec {
        command(
            NAME,
            "Describe segments",
            "Writes facts about transcript segments: corrects or adds to what analysis found. Analysis then \
             leaves them unchanged.",
            Category::Organize,
            Trust::Suggest,
            json!({"segment_ids": ["seg_000000000001"], "facts": {"mood": "excited", "off_mic": null}}),
        )
        .offers(Gesture::SetDescription)
    }

    fn plan(params: Params, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let found = params.segment_ids.iter().map(|id| segment(call.session, id));
        let segments: BTreeSet<SegmentId> =
            found.map(|found| found.map(|(id, _)| id)).collect::<Result<_, _>>()?;
        if segments.is_empty() || params.facts.is_empty() {
            let fix = "give `segment_ids` and `facts`, such as {\"mood\": \"excited\"}";
            return Err(refuse(Code::BadParams, "there is nothing to describe", fix));
        }
        params.facts.iter().try_for_each(|(name, value)| check(name, value))?;
        let mut draft = Draft::new(summary(segments.len(), &params.facts));
        for id in segments {
            let Some(segment) = call.session.segments.get(&id) else { continue };
            let mut after = segment.description.clone();
            for (name, value) in &params.facts {
                let old = after.facts.remove(name);
                if !value.is_null() {
                    // A corrected number has the same unit.
                    let unit = old.and_then(|old| old.unit).filter(|_| value.is_number());
                    let (value, by) = (value.clone(), NAME.into());
                    after.facts.insert(name.clone(), Fact { value, unit, confidence: None, by });
                }
            }
            let edit = Edit::new(id, segment.description.clone(), after);
            if edit.before != edit.after {
                let name = call.session.name_of(id.into());
                draft.change(Change::SetDescription(edit), name, "as asked");
            }
        }
        Ok(draft)
    }
}

/// "Describe 2 segments: mood excited, without off_mic".
fn summary(segments: usize, facts: &Map<String, Value>) -> String {
    let told = |(name, value): (&String, &Value)| match value {
        Value::Null => format!("without {name}"),
        Value::String(text) => format!("{name} {text}"),
        Value::Bool(true) => name.clone(),
        Value::Bool(false) => format!("not {name}"),
        other => format!("{name} {other}"),
    };
    let told: Vec<String> = facts.iter().map(told).collect();
    format!("Describe {}: {}", count(segments, "segment"), told.join(", "))
}

fn check(name: &str, value: &Value) -> Result<(), ToolError> {
    let fix = "a fact is a text, a number, true, false, or null to take it away";
    if name.trim().is_empty() || name.chars().count() > LONGEST {
        let message = format!("a fact has a name of 1 to {LONGEST} characters");
        return Err(refuse(Code::BadParams, message, fix));
    }
    match value {
        Value::Array(_) | Value::Object(_) => {
            Err(refuse(Code::BadParams, format!("the fact \"{name}\" is a list or an object"), fix))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

//! What must hold of all folders together: each tool has one, and no text for a person shows an id.

use crate::{check, folders, name, read};
use deskhand_tests::normal;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeSet;

pub(crate) fn tests() -> [Trial; 2] {
    [
        check("every_tool_has_a_scenario_in_which_it_works", every_tool_has_a_scenario),
        check("no_id_is_shown_to_a_person", no_id_is_shown),
    ]
}

/// A call of a scenario that ends in an error does not count; what sets a session up must work.
fn every_tool_has_a_scenario() {
    let mut called = BTreeSet::new();
    for folder in folders() {
        tools_in(&read(&folder.join("session.json"))["setup"], &mut called);
        if read(&folder.join("expected/plan.json"))["error"].is_null() {
            tools_in(&Value::from(vec![read(&folder.join("call.json"))]), &mut called);
        }
    }
    let known = deskhand_bridge::all_tools();
    let names = known.iter().map(|tool| tool.spec().name);
    let missing: Vec<&str> = names.filter(|name| !called.contains(*name)).collect();
    assert_eq!(missing, Vec::<&str>::new(), "tools without a folder in tests/scenarios");
}

/// Adds the tools of a list of calls, with those inside a `copy_to`.
fn tools_in(calls: &Value, called: &mut BTreeSet<String>) {
    for call in calls.as_array().into_iter().flatten() {
        called.extend(call["tool"].as_str().map(str::to_owned));
        tools_in(&call["setup"], called);
    }
}

fn no_id_is_shown() {
    let shown = folders().into_iter().flat_map(|folder| {
        let mut texts = Vec::new();
        for_people(&read(&folder.join("expected/plan.json")), "", &mut texts);
        texts.into_iter().filter(|text| has_id(text)).map(move |text| (name(&folder), text))
    });
    assert_eq!(shown.collect::<Vec<_>>(), Vec::<(String, String)>::new());
}

/// Whether a text has an id in it, as it is or replaced by a number.
fn has_id(text: &str) -> bool {
    normal::KINDS.iter().any(|kind| {
        let prefix = format!("{kind}_");
        let behind = text.match_indices(&prefix).map(|(at, found)| (at, at + found.len()));
        let mut found = behind.filter_map(|(at, end)| Some((text.get(..at)?, text.get(end..)?)));
        found.any(|(before, behind)| {
            !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                && behind.starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// What a person reads of a plan or an error.
fn for_people(json: &Value, key: &str, texts: &mut Vec<String>) {
    let keys = ["summary", "reason", "name", "warnings", "notes", "message", "fix"];
    match json {
        Value::String(text) if keys.contains(&key) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| for_people(item, key, texts)),
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| for_people(value, key, texts));
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

//! Every call that the planner reads from its tables of phrases is one that the tools take: the planner
//! does not know the tools, so nothing else holds their parameters together.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

#[expect(dead_code, reason = "shared with the planner's own tests, which use more of it")]
#[path = "../../../host-bridge/agent/tests/phrases/fixture.rs"]
mod fixture;

use deskhand_agent::{RequestKind, Vocabulary, plan_words};
use deskhand_protocol::ToolInfo;
use deskhand_session::offers::{Gesture, Instead, Offers};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{RevisionId, Session, ToolEffect};
use deskhand_toolkit::{CallRequest, Registry, registry};
use serde_json::Value;

const TABLES: [&str; 9] = [
    include_str!("../../../host-bridge/agent/tests/phrases/written_first.txt"),
    include_str!("../../../host-bridge/agent/tests/phrases/held_out.txt"),
    include_str!("../../../host-bridge/agent/tests/phrases/danger.txt"),
    include_str!("../../../host-bridge/agent/tests/phrases/sound.txt"),
    include_str!("../../../host-bridge/agent/tests/phrases/words.txt"),
    include_str!("../../../host-bridge/agent/tests/phrases/edit.txt"),
    include_str!("../../../host-bridge/agent/tests/phrases/desk.txt"),
    include_str!("../../../host-bridge/agent/tests/phrases/asked.txt"),
    include_str!("../../../host-bridge/agent/tests/reader/projects.txt"),
];

/// What this session cannot do, though it is asked for in the right shape.
const NOT_HERE: [&str; 10] = [
    "a tempo map follows one clip",
    "change places",
    "before or after itself",
    "is said 2 times",
    "there is no place",
    "phrase already",
    "play between these two",
    "in that order already",
    "missing: ",
    "given more than once",
];

/// The phrases of a table, without the expectations and without the mark of their session.
fn phrases(table: &str) -> impl Iterator<Item = (Session, String)> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && line.contains("=>"));
    let is_spoken = table.starts_with("# Words and takes");
    let is_laid = table.starts_with("# Phrases, takes");
    lines.map(move |line| {
        let words = line.split("=>").next().unwrap_or_default().trim();
        match words.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((name, words)) => (fixture::variant(name), words.trim().to_owned()),
            None if is_spoken => (fixture::spoken(), words.to_owned()),
            None if is_laid => (fixture::variant("laid"), words.to_owned()),
            None => (fixture::session(), words.to_owned()),
        }
    })
}

fn prepare(
    registry: &Registry,
    session: &Session,
    tool: &str,
    params: &Value,
) -> Result<(), ToolError> {
    let Ok(tool) = registry.get(tool) else {
        // Playing, saving a copy and the like are the bridge's own.
        return registry::validate(&deskhand_bridge::spec(registry, tool)?, params);
    };
    let base = RevisionId(1);
    tool.prepare(&CallRequest { session, base, params, inputs: &Default::default() }).map(drop)
}

#[test]
fn the_tools_take_what_the_planner_says() {
    let registry = Registry::new(deskhand_bridge::all_tools());
    let vocabulary = Vocabulary::of(&deskhand_bridge::tool_infos(&registry));
    let mut calls = 0;
    let mut wrong = Vec::new();
    for (session, words) in TABLES.iter().flat_map(|table| phrases(table)) {
        for request in plan_words(&words, &session, &vocabulary).understood {
            let RequestKind::Call { tool, params } = request.kind else {
                continue;
            };
            calls += 1;
            if let Err(error) = prepare(&registry, &session, &tool, &params) {
                // A phrase may ask for what this session cannot do; the shape must fit all the same.
                let cannot = NOT_HERE.iter().any(|words| error.message.contains(words));
                if matches!(error.code, Code::UnknownTool | Code::BadParams) && !cannot {
                    wrong.push(format!("\"{words}\" -> {tool} {params}: {error}"));
                }
            }
        }
    }
    assert!(calls > 350, "only {calls} calls");
    assert!(wrong.is_empty(), "{} of {calls}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every tool as front ends receive it.
fn tool_infos() -> Vec<ToolInfo> {
    deskhand_bridge::tool_infos(&Registry::new(deskhand_bridge::all_tools()))
}

#[test]
fn each_gesture_of_the_window_has_one_tool() {
    let infos = tool_infos();
    for gesture in Gesture::ALL {
        let of = infos.iter().filter(|tool| tool.offers.gesture == Some(*gesture));
        let names: Vec<&str> = of.map(|tool| tool.name.as_str()).collect();
        assert_eq!(names.len(), 1, "{gesture:?}: {names:?}");
    }
}

#[test]
fn what_the_window_tells_a_person_to_say_is_understood_without_a_model() {
    let infos = tool_infos();
    let (session, vocabulary) = (fixture::session(), Vocabulary::of(&infos));
    let mut said = 0;
    for tool in &infos {
        let Some(Instead::Say(phrase)) = &tool.offers.instead else { continue };
        let reading = plan_words(phrase, &session, &vocabulary);
        assert!(reading.unclear.is_empty(), "{phrase}: {:?}", reading.unclear);
        let [request] = reading.understood.as_slice() else { panic!("{phrase}") };
        let RequestKind::Call { tool: called, .. } = &request.kind else { panic!("{phrase}") };
        assert_eq!(*called, tool.name, "{phrase}");
        said += 1;
    }
    assert!(said > 0, "no tool is said");
}

/// The vocabulary of the agent's tests equals what front ends receive. `UPDATE_VOCABULARY=1` updates it.
#[test]
fn the_agent_is_tested_with_what_the_tools_say() {
    let said = tool_infos().into_iter().filter(|tool| !tool.says.is_empty());
    let shortened = |mut tool: ToolInfo| {
        tool.description.clear();
        tool.examples.clear();
        tool.effects.retain(|effect| *effect == ToolEffect::Whole);
        tool.is_core = false;
        tool.output_schema = Value::Null;
        tool.offers = Offers::default();
        tool
    };
    let mut told: Vec<ToolInfo> = said.map(shortened).collect();
    told.sort_by(|a, b| a.name.cmp(&b.name));
    let lines: Vec<String> =
        told.iter().map(|tool| serde_json::to_value(tool).unwrap().to_string()).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../host-bridge/agent/tests/vocabulary.json");
    if std::env::var_os("UPDATE_VOCABULARY").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == text, "run this test once with UPDATE_VOCABULARY=1");
}

//! The script of a talk: what the person says and decides, and what the model answers to each request.

use crate::desk::Desk;
use crate::model::{Model, Say, Seen, Wire, call, text};
use deskhand_protocol::desk::TurnEnd;
use deskhand_protocol::{Decision, News};
use deskhand_session::Plan;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The prefix of a placeholder for the id of a phrase; its text follows.
const PHRASE: &str = "PHRASE ";
/// The prefix of a placeholder for the path of a file; its name follows.
const FILE: &str = "FILE ";

/// What `script.json` says.
pub(crate) struct Script(Value);

/// The result of a talk.
pub(crate) struct Turn {
    /// For each plan that waited: whose it was, how it was decided, and what was found afterwards.
    pub(crate) steps: Vec<Value>,
    pub(crate) end: TurnEnd,
}

impl Script {
    /// Of a folder of `tests/talks`.
    pub(crate) fn of(folder: &Path) -> Self {
        Self(read(&folder.join("script.json")))
    }

    /// Serves the model.
    pub(crate) fn serve(&self) -> Model {
        let answers = self.answers().to_vec();
        let mut phrases = BTreeMap::new();
        Model::serve(self.wire(), move |seen| {
            remember(&seen.results, &mut phrases);
            match answers.get(seen.number) {
                Some(answer) => list(answer).iter().map(|say| said(say, seen, &phrases)).collect(),
                None => vec![text("The script is over.")],
            }
        })
    }

    fn wire(&self) -> Wire {
        match self.0["wire"].as_str() {
            Some("anthropic") => Wire::Anthropic,
            Some("openai") => Wire::OpenAi,
            other => panic!("the wire is \"anthropic\" or \"openai\", not {other:?}"),
        }
    }

    fn answers(&self) -> &[Value] {
        list(&self.0["answers"])
    }

    /// The person says it and decides on each waiting plan; `found` gives what to keep after each decision.
    ///
    /// # Errors
    /// A plan waits on which the script decides nothing, it decides on more than wait, or what `found` says.
    pub(crate) fn play(
        &self,
        desk: &mut Desk,
        found: &mut dyn FnMut(&mut Desk) -> Result<Value, String>,
    ) -> Result<Turn, String> {
        let decided = self.answers().iter().flat_map(calls).flat_map(|call| list(&call["decided"]));
        let mut decided = decided.collect::<Vec<_>>().into_iter();
        let mut steps = Vec::new();
        let mut looked_at = desk.heard.len();
        desk.say(&self.words(desk.folder()));
        let end = loop {
            match next(desk, &mut looked_at) {
                News::Review { plan } => {
                    let nothing = || format!("nothing decides on \"{}\"", plan.summary);
                    let decision = decision(decided.next().ok_or_else(nothing)?, &plan);
                    let status = desk.decide(plan.id, decision).status;
                    let heard = found(desk)?;
                    steps.push(json!({"plan": plan.tool, "decided": status, "heard": heard}));
                }
                News::TurnEnded { end } => break end,
                _ => {}
            }
        };
        match decided.len() {
            0 => Ok(Turn { steps, end }),
            left => Err(format!("{left} decisions are left: {:?}", end.reason)),
        }
    }

    /// What the person says, if the files are next to the session in `folder`.
    fn words(&self, folder: &Path) -> String {
        let said = self.0["say"].as_str().expect("the person says something");
        let files = folder.parent().expect("the session lies in a folder");
        said.replace("AUDIO", &files.display().to_string())
    }

    /// The results that the model got for its calls, in order.
    ///
    /// # Errors
    /// When the number of requests differs from that of answers, or the number of results from that of
    /// calls.
    pub(crate) fn told(&self, seen: &[Seen]) -> Result<Vec<Value>, String> {
        let answers = self.answers();
        if seen.len() != answers.len() {
            return Err(format!("{} answers for {} requests", answers.len(), seen.len()));
        }
        let mut told = Vec::new();
        for (number, (answer, seen)) in answers.iter().zip(seen.iter().skip(1)).enumerate() {
            let calls: Vec<_> = calls(answer).collect();
            if calls.len() != seen.results.len() {
                let told = seen.results.len();
                return Err(format!("answer {number}: {told} results of {} calls", calls.len()));
            }
            let pairs = calls.iter().zip(&seen.results);
            told.extend(pairs.map(|(call, told)| json!({"call": call["call"], "told": told})));
        }
        Ok(told)
    }
}

/// The next event that nobody has looked at yet, whoever waited for something else meanwhile.
fn next(desk: &mut Desk, looked_at: &mut usize) -> News {
    while *looked_at >= desk.heard.len() {
        desk.until(|_| Some(()));
    }
    *looked_at += 1;
    desk.heard[*looked_at - 1].news.clone()
}

/// The calls of an answer.
fn calls(answer: &Value) -> impl Iterator<Item = &Value> {
    list(answer).iter().filter(|say| say["call"].is_string())
}

/// Keeps the ids of the phrases in results by what they say.
fn remember(results: &[Value], phrases: &mut BTreeMap<String, String>) {
    let listed = results.iter().flat_map(|result| list(&result["answer"]["phrases"]));
    let pairs = listed.filter_map(|row| Some((row["text"].as_str()?, row["group_id"].as_str()?)));
    phrases.extend(pairs.map(|(text, id)| (text.to_owned(), id.to_owned())));
}

/// One thing that the model says. A call has the name of its tool as its id, as some models give it.
fn said(say: &Value, seen: &Seen, phrases: &BTreeMap<String, String>) -> Say {
    match (say["text"].as_str(), say["call"].as_str()) {
        (Some(words), None) => text(words),
        (None, Some(tool)) => call(tool, tool, &named(&say["params"], seen, phrases)),
        _ => panic!("an answer has words or calls, not {say}"),
    }
}

/// Parameters with phrases and files named as the model saw them.
fn named(params: &Value, seen: &Seen, phrases: &BTreeMap<String, String>) -> Value {
    match params {
        Value::String(words) => json!(called(words, seen, phrases)),
        Value::Array(items) => items.iter().map(|item| named(item, seen, phrases)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), named(value, seen, phrases))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => params.clone(),
    }
}

/// The id of a phrase or the path of a file if `words` is a placeholder, else `words`.
fn called<'a>(words: &'a str, seen: &'a Seen, phrases: &'a BTreeMap<String, String>) -> &'a str {
    if let Some(phrase) = words.strip_prefix(PHRASE) {
        return phrases.get(phrase).unwrap_or_else(|| panic!("no phrase says {phrase:?}"));
    }
    words.strip_prefix(FILE).map_or(words, |file| path_of(file, seen))
}

/// The path of a file, in quotation marks in what the person said.
fn path_of<'a>(file: &str, seen: &'a Seen) -> &'a str {
    let mut quoted = seen.text.split("\\\"");
    let path = quoted.find(|words| words.strip_suffix(file).is_some_and(|at| at.ends_with('/')));
    path.unwrap_or_else(|| panic!("nobody names {file:?}"))
}

/// What the person decides: `"apply"`, `{"reject": reason}`, or `{"only": [words]}`, the changes with such a reason.
fn decision(said: &Value, plan: &Plan) -> Decision {
    if said == "apply" {
        return Decision::Apply;
    }
    if let Some(reason) = said["reject"].as_str() {
        return Decision::Reject { reason: reason.into() };
    }
    let words: Vec<&str> = list(&said["only"]).iter().filter_map(Value::as_str).collect();
    let is_meant = |reason: &str| words.iter().any(|words| reason.contains(*words));
    let meant = plan.changes.iter().filter(|change| is_meant(&change.reason));
    let only: Vec<String> = meant.map(|change| change.id.clone()).collect();
    assert!(!only.is_empty(), "{said} decides nothing on {}: {:?}", plan.summary, plan.changes);
    Decision::ApplyPart { only: Some(only), set: Vec::new() }
}

/// A JSON file.
pub(crate) fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The items of a list; empty for any other value.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn phrases_and_files_are_called_as_the_model_was_told() {
    let row = json!({"text": "Hello.", "group_id": "phr_00000000000a"});
    let mut phrases = BTreeMap::new();
    remember(&[json!({"answer": {"phrases": [row]}}), json!("no object")], &mut phrases);
    let body = json!({"messages": [{"content": "import \"/a b/one.wav\" and \"/a b/two.wav\""}]});
    let (text, key) = (body.to_string(), String::new());
    let seen = Seen { number: 0, key, body, results: Vec::new(), text };
    let params =
        |id: &str, file: &str| json!({"ids": [id, "phr_00000000beef"], "file": file, "n": 2});
    let script = params("PHRASE Hello.", "FILE two.wav");
    let sent = params("phr_00000000000a", "/a b/two.wav");
    assert_eq!(named(&script, &seen, &phrases), sent);
}

#[test]
fn a_script_decides_on_just_the_plans_that_wait() {
    let failed = |call: Value| {
        let answers = json!([[call], [{"text": "done"}]]);
        let script = Script(json!({"wire": "openai", "say": "go on", "answers": answers}));
        let model = script.serve();
        let mut desk = Desk::new(&model, &["Host"]);
        script.play(&mut desk, &mut |_| Ok(Value::Null)).err().unwrap()
    };
    let params = json!({"targets": "Host", "gain_db": 2});
    let why = failed(json!({"call": "cmd_set_track_gain", "params": params}));
    assert!(why.contains("nothing decides on"), "{why}");
    let params = json!({"targets": "Host"});
    let why = failed(json!({"call": "tool_measure", "params": params, "decided": ["apply"]}));
    assert!(why.contains("1 decisions are left"), "{why}");
}

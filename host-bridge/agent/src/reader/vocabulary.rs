//! What can be asked for: the intents of all tools, with the schemas of their parameters.

use super::{lexicon, own};
use crate::in_time::InTime;
use crate::reading::RequestKind;
use crate::resolve::Trouble;
use deskhand_protocol::ToolInfo;
use deskhand_session::ToolEffect;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::offers::Gesture;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How people ask for the tools that are there, as the tools declare it.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    tools: Vec<Sayable>,
    /// Tools by the gesture that calls them.
    gestures: BTreeMap<Gesture, String>,
}

/// A tool, or what is no tool and can be asked for all the same.
#[derive(Clone, Debug)]
pub(super) struct Sayable {
    pub tool: String,
    pub title: String,
    pub says: Vec<Intent>,
    pub schema: Value,
    pub is_whole: bool,
}

/// One way to ask for a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    pub tool: &'a str,
    pub title: &'a str,
    pub intent: &'a Intent,
    schema: &'a Value,
    is_whole: bool,
}

impl Vocabulary {
    /// What these tools say of themselves.
    #[must_use]
    pub fn of(tools: &[ToolInfo]) -> Self {
        let says = tools.iter().filter(|tool| !tool.says.is_empty());
        let sayable = |tool: &ToolInfo| Sayable {
            tool: tool.name.clone(),
            title: tool.title.clone(),
            says: tool.says.clone(),
            schema: tool.input_schema.clone(),
            is_whole: tool.effects.contains(&ToolEffect::Whole),
        };
        let gesture = |tool: &ToolInfo| Some((tool.offers.gesture?, tool.name.clone()));
        let gestures = tools.iter().filter_map(gesture).collect();
        Self { tools: says.map(sayable).collect(), gestures }
    }

    /// The tool that a gesture calls; empty where none does.
    #[must_use]
    pub fn tool_of(&self, gesture: Gesture) -> &str {
        self.gestures.get(&gesture).map_or("", String::as_str)
    }

    /// The tool that does what a request asks for, with its parameters; none for a question.
    #[must_use]
    pub fn call_of(&self, kind: &RequestKind) -> Option<(String, Value)> {
        let step = |gesture| Some((self.tool_of(gesture).to_owned(), json!({})));
        match kind {
            RequestKind::Call { tool, params } => Some((tool.clone(), params.clone())),
            RequestKind::Undo => step(Gesture::UndoStep),
            RequestKind::Redo => step(Gesture::RedoStep),
            RequestKind::Question(_) => None,
        }
    }

    /// Whether a tool works inside of clips: it takes the one at a place, or the first or last of a track.
    pub(crate) fn is_inside_clips(&self, tool: &str) -> bool {
        let kinds = |it: &Intent| {
            it.refs.iter().any(|it| {
                matches!(it.kinds, Kinds::ClipAtPlace | Kinds::FirstClip | Kinds::LastClip)
            })
        };
        self.tools.iter().any(|it| it.tool == tool && it.says.iter().any(kinds))
    }

    /// Every way to ask for something.
    pub(super) fn ways(&self) -> impl Iterator<Item = Way<'_>> {
        self.tools.iter().chain(own::all()).flat_map(|it| {
            let (tool, title, schema) = (it.tool.as_str(), it.title.as_str(), &it.schema);
            let is_whole = it.is_whole;
            it.says.iter().map(move |intent| Way { tool, title, intent, schema, is_whole })
        })
    }

    /// What is wrong with the declarations: words that the language lacks, and parameters that the tools lack.
    #[must_use]
    pub fn mistakes(&self) -> Vec<String> {
        let of_way = |way: Way<'_>| {
            let words = words_of(way.intent).filter(|word| !lexicon::is_known(word));
            let words = words.map(|word| format!("{}: no such word: {word}", way.tool));
            let is_lacking = |param: &&str| !way.schema.is_null() && !way.has(param);
            let params = way.intent.params().filter(is_lacking);
            let params = params.map(|param| format!("{}: no such parameter: {param}", way.tool));
            words.chain(params).collect::<Vec<_>>()
        };
        self.ways().flat_map(of_way).collect()
    }
}

impl<'a> Way<'a> {
    /// What is said where something that it needs is missing.
    pub(super) fn lacking(&self) -> Option<Trouble> {
        let (answer, examples) = self.intent.lacks.split_first()?;
        Some(Trouble::new(answer, examples.to_vec()))
    }

    /// What it makes of a selected time.
    pub(super) fn in_time(&self) -> InTime {
        InTime { is_whole: self.is_whole, over: self.intent.over_time.clone() }
    }

    /// The schema of a parameter, or of one inside others: `effect.bands.0.gain`.
    fn property(&self, param: &str) -> Option<&'a Value> {
        let step = |schema: &'a Value, name: &str| match name.parse::<usize>() {
            Ok(_) => schema.get("items"),
            Err(_) => self.defined(schema).get("properties")?.get(name),
        };
        let found = param.split('.').try_fold(self.schema, step)?;
        Some(self.defined(found))
    }

    /// A schema that may be written elsewhere, or be one of two with null.
    fn defined(&self, schema: &'a Value) -> &'a Value {
        let alternatives = schema.get("anyOf").and_then(Value::as_array);
        let schema = alternatives.and_then(|all| all.first()).unwrap_or(schema);
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#'));
        name.and_then(|pointer| self.schema.pointer(pointer)).unwrap_or(schema)
    }

    /// The parameters at the top, and those of an object of which this way to ask sets a part: `effect.release_ms`.
    pub(super) fn properties(&self) -> Vec<(String, &'a Value)> {
        let members = |path: &str| {
            let place =
                if path.is_empty() { Some(self.defined(self.schema)) } else { self.property(path) };
            let members = place.and_then(|it| it.get("properties")).and_then(Value::as_object);
            let prefix = if path.is_empty() { String::new() } else { format!("{path}.") };
            let members = members.into_iter().flatten();
            let member = move |(name, it): (&'a String, &'a Value)| (format!("{prefix}{name}"), it);
            members.map(member).collect::<Vec<_>>()
        };
        let parts = self.intent.sets.iter().filter_map(|(param, _)| param.split_once('.'));
        let part = parts.map(|(whole, _)| whole).next();
        let own = members("").into_iter().chain(part.into_iter().flat_map(members));
        own.map(|(param, property)| (param, self.defined(property))).collect()
    }

    /// The values of a parameter that has only some.
    pub(super) fn choices(&self, property: &Value) -> Option<Vec<String>> {
        let texts = |list: &Value| -> Option<Vec<String>> {
            list.as_array()?.iter().map(|it| it.as_str().map(str::to_owned)).collect()
        };
        let constant = |it: &Value| it.get("const").cloned();
        let constants = |list: &Value| {
            let all: Option<Vec<Value>> = list.as_array()?.iter().map(constant).collect();
            texts(&Value::Array(all?))
        };
        property.get("enum").and_then(texts).or_else(|| property.get("oneOf").and_then(constants))
    }

    pub(super) fn has(&self, param: &str) -> bool {
        self.property(param).is_some()
    }

    /// Whether a parameter is a whole number.
    pub(super) fn is_whole(&self, param: &str) -> bool {
        self.is_of_type(param, "integer")
    }

    pub(super) fn is_number(&self, param: &str) -> bool {
        self.is_whole(param) || self.is_of_type(param, "number")
    }

    fn is_of_type(&self, param: &str, name: &str) -> bool {
        let kind = self.property(param).and_then(|property| property.get("type"));
        kind.is_some_and(|kind| kind.to_string().contains(&format!("\"{name}\"")))
    }

    /// The least and the largest value of a parameter.
    pub(super) fn bounds(&self, param: &str) -> (f64, f64) {
        let bound = |name: &str| self.property(param)?.get(name)?.as_f64();
        (bound("minimum").unwrap_or(f64::NEG_INFINITY), bound("maximum").unwrap_or(f64::INFINITY))
    }
}

/// Every word that a way to ask uses.
fn words_of(intent: &Intent) -> impl Iterator<Item = &str> {
    let lists = [&intent.verbs, &intent.also].into_iter().chain(&intent.about);
    let flags = intent.flags.iter().map(|flag| &flag.words);
    let slots = intent.slots.iter().flat_map(|slot| [&slot.up, &slot.down, &slot.nouns]);
    let values = intent.slots.iter().flat_map(|slot| slot.values.iter().map(|(word, _)| word));
    let words = lists.chain(flags).chain(slots).flatten().chain(values);
    words
        .flat_map(|word| word.split('+'))
        .map(|word| word.split_once(':').map_or(word, |(_, it)| it))
}

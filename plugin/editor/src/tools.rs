//! The tools of the session, from the list that the window receives. The views know them by what they declare.

use crate::action::Action;
use crate::fixes::at_window;
use deskhand_protocol::ToolInfo;
use deskhand_session::offers::{Gesture, Instead, Menu};
use deskhand_session::tool_name::{COMMAND, TOOL};
use deskhand_session::{ToolEffect, Trust};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

const HANDLE: &str = "deskhand://tools/";

#[derive(Default)]
pub(crate) struct Tools {
    all: BTreeMap<String, ToolInfo>,
    by_gesture: BTreeMap<Gesture, String>,
}

impl Tools {
    pub(crate) fn new(list: Vec<ToolInfo>) -> Self {
        let gesture = |tool: &ToolInfo| Some((tool.offers.gesture?, tool.name.clone()));
        let by_gesture = list.iter().filter_map(gesture).collect();
        Self { all: list.into_iter().map(|tool| (tool.name.clone(), tool)).collect(), by_gesture }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &ToolInfo> {
        self.all.values()
    }

    pub(crate) fn of(&self, gesture: Gesture) -> Option<&str> {
        self.by_gesture.get(&gesture).map(String::as_str)
    }

    /// Whether a tool edits the session at once.
    pub(crate) fn is_command(&self, tool: &str) -> bool {
        self.all.get(tool).is_some_and(|tool| tool.effects.contains(&ToolEffect::Command))
    }

    pub(crate) fn is(&self, tool: &str, gesture: Gesture) -> bool {
        self.of(gesture) == Some(tool)
    }

    /// The entries of a menu that belongs to `targets`; null if it belongs to nothing. Each with its words, its key and
    /// its call: a command is applied at once, any other tool makes a plan that waits.
    pub(crate) fn entries(
        &self,
        menu: Menu,
        targets: &impl Serialize,
    ) -> impl Iterator<Item = (&str, &str, Action)> {
        let targets = json!(targets);
        let all = self.all().flat_map(|tool| tool.offers.entries.iter().map(move |it| (tool, it)));
        all.filter(move |(_, entry)| entry.menu == menu).map(move |(tool, entry)| {
            let mut params = entry.sets.clone();
            if !targets.is_null() && params.get("targets").is_none() {
                params["targets"] = targets.clone();
            }
            let name = tool.name.clone();
            let action = if tool.effects.contains(&ToolEffect::Command) {
                Action::Offered { tool: name, params }
            } else {
                Action::Measure { tool: name, params }
            };
            (entry.label.as_str(), entry.key.as_str(), action)
        })
    }

    pub(crate) fn trust(&self, tool: &str) -> Option<Trust> {
        self.all.get(tool).map(|tool| tool.trust)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&ToolInfo> {
        self.all.get(name)
    }

    fn has_param(&self, tool: &str, param: &str) -> bool {
        self.all.get(tool).is_some_and(|tool| tool.input_schema["properties"][param].is_object())
    }

    /// Whether a tool writes the file that its parameter `path` names. The parameters of a person's own tool
    /// mean what that person says.
    pub(crate) fn writes_path(&self, tool: &str) -> bool {
        let is_own = self.all.get(tool).is_some_and(|tool| tool.program.is_some());
        !is_own && self.has_param(tool, "path")
    }

    /// A text for models as a person at a window reads it: the name of a tool becomes what the person says or
    /// uses in place of a call.
    pub(crate) fn for_person(&self, words: &str) -> String {
        let words = at_window(words);
        let mut told = String::with_capacity(words.len());
        let mut rest = &*words;
        while let Some(at) = next(rest) {
            let (before, behind) = rest.split_at(at);
            let behind = behind.strip_prefix(HANDLE).unwrap_or(behind);
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = behind.find(|c| !is_name(c)).unwrap_or(behind.len());
            let (name, after) = behind.split_at(end);
            told.push_str(before);
            self.put(&mut told, name);
            // A person at a window gives no parameters.
            rest = after.strip_prefix(" with `plan_id`").unwrap_or(after);
        }
        told + rest
    }

    fn put(&self, told: &mut String, name: &str) {
        match self.all.get(name).and_then(|tool| tool.offers.instead.as_ref()) {
            Some(Instead::Use(what)) => told.push_str(what),
            Some(Instead::Say(phrase)) => {
                if told.ends_with("with ") {
                    told.truncate(told.len() - "with ".len());
                    told.push_str("by saying ");
                } else {
                    told.push_str("say ");
                }
                told.push_str(&format!("\"{phrase}\""));
            }
            None => told.push_str(&format!("\"{}\"", title(name))),
        }
    }
}

/// Where a tool is named next.
fn next(words: &str) -> Option<usize> {
    let starts = |(at, _): &(usize, char)| {
        let is_inside = words[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        !is_inside && [HANDLE, TOOL, COMMAND].iter().any(|it| words[*at..].starts_with(it))
    };
    words.char_indices().find(starts).map(|(at, _)| at)
}

/// The name of a call as a title, without its prefix.
pub(crate) fn title(name: &str) -> String {
    let name = [TOOL, COMMAND, "get_"].iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
    let mut words = name.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// What a tool that wrote a fact listens for: the key, for `tool_detect_key`. `None` for a command.
pub(crate) fn analysis(tool: &str) -> Option<&str> {
    let (verb, object) = tool.strip_prefix(TOOL)?.split_once('_')?;
    let listens = ["analyze", "classify", "describe", "detect", "find", "mark"].contains(&verb);
    (listens && object != "all").then_some(object)
}

#[cfg(test)]
mod tests {
    use crate::testing::tools;

    #[test]
    fn a_tool_becomes_what_is_said_or_done_in_the_window() {
        let all = [
            (
                "transcribe it first: tool_transcribe",
                "transcribe it first: say \"transcribe everything\"",
            ),
            (
                "transcribe with tool_transcribe, or make a code with tool_set_code",
                "transcribe by saying \"transcribe everything\", or make a code with \"New code\" in Words",
            ),
            ("undo it: cmd_undo with `plan_id`", "undo it: \"Undo\""),
            (
                "see deskhand://tools/tool_fades for its parameters",
                "see \"Fades\" for its parameters",
            ),
            ("my_tool_box and mcmd_x are no tools", "my_tool_box and mcmd_x are no tools"),
        ];
        let tools = tools();
        for (words, told) in all {
            assert_eq!(tools.for_person(words), told);
        }
    }
}

//! The tools of this server itself: sessions, decisions, calls that go on, and the way to the tools that
//! are not listed.

use crate::schema;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};

/// A tool of this server.
pub(crate) struct Own {
    pub(crate) kind: Kind,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input: fn() -> Value,
    output: fn() -> Value,
}

/// Which tool of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    ListSessions,
    NewSession,
    OpenSession,
    WaitForDecision,
    GetJob,
    CancelJob,
    Ask,
    SearchTools,
    CallTool,
}

/// Tools that are there before a session is open.
pub(crate) const FIRST: [Own; 3] = [
    Own {
        kind: Kind::ListSessions,
        name: "list_sessions",
        title: "List sessions",
        description: "Lists the sessions in the folders that the person allowed. If no session is open, call \
                      it, then open_session.",
        input: || json!({}),
        output: || json!({"sessions": sessions(), "open": text("The folder of the open session")}),
    },
    Own {
        kind: Kind::NewSession,
        name: "new_session",
        title: "New session",
        description: "Makes and opens an empty session in a new folder, inside the folders that the person \
                      allowed.",
        input: || {
            json!({
                "dir": text("The new folder"),
                "rate": {
                    "type": "integer", "minimum": 8_000, "maximum": 768_000, "default": 48_000,
                    "description": "Sample rate in Hz"
                }
            })
        },
        output: || json!({"dir": text("The folder of the open session")}),
    },
    Own {
        kind: Kind::OpenSession,
        name: "open_session",
        title: "Open a session",
        description: "Opens a session from list_sessions. All tools then work on it, for every client of this \
                      server.",
        input: || json!({"dir": text("Its folder")}),
        output: || json!({"dir": text("The folder of the open session")}),
    },
];

/// How many of [`LAST`] lead to tools that are not listed.
pub(crate) const SEARCHING: usize = 2;

/// Tools that are listed after those of the session.
pub(crate) const LAST: [Own; 6] = [
    Own {
        kind: Kind::WaitForDecision,
        name: "wait_for_decision",
        title: "Wait for a decision",
        description: "Waits until a person decides on a plan, at most wait_s seconds. Returns the state with \
                      the receipt or the reason of a rejection, or `waiting`: then explain to the person how \
                      to decide, and call it again. You cannot decide yourself.",
        input: || {
            json!({
                "plan_id": text("The plan"),
                "wait_s": wait(),
            })
        },
        output: || {
            json!({
                "reason": text("The person's words, or the conflict"),
                "followed": {
                    "type": "array", "items": {"type": "string"},
                    "description": "The plans between the requested plan and `plan_id`"
                },
                "rest_waits": {
                    "type": "array", "items": {"type": "string"},
                    "description": "Plans that the person applied in part; the rest still waits"
                }
            })
        },
    },
    Own {
        kind: Kind::GetJob,
        name: "get_job",
        title: "Get a job",
        description: "Returns the result of a job, or its progress after at most wait_s seconds.",
        input: || json!({"job_id": text("The job"), "wait_s": wait()}),
        output: || json!({}),
    },
    Own {
        kind: Kind::CancelJob,
        name: "cancel_job",
        title: "Cancel a job",
        description: "Stops a job. Nothing more of it is applied; results that an analysis has shown stay as \
                      one step that can be undone.",
        input: || json!({"job_id": text("The job")}),
        output: || json!({}),
    },
    Own {
        kind: Kind::Ask,
        name: "ask",
        title: "Ask in plain words",
        description: "Reads a request in plain English and calls the tools that it asks for: \"bring the \
                      dialogue to -16 LUFS and cut the ums\". Deskhand reads it without a model. A request \
                      that is not understood in full changes nothing, and names what can be said. Plans wait \
                      for a person, as if you had called the tools.",
        input: || json!({"words": text("The request")}),
        output: || {
            json!({
                "results": {
                    "type": "array", "items": {"type": "object"},
                    "description": "If there are several requests: what came of each"
                },
                "not_done": {
                    "type": "array", "items": {"type": "string"},
                    "description": "Requests that wait for the others; ask them again"
                }
            })
        },
    },
    Own {
        kind: Kind::SearchTools,
        name: "search_tools",
        title: "Search tools",
        description: "Finds tools that are not listed, by words for what they do: \"tempo\", \"rename \
                      marker\", \"split clip\". Returns names and parameters; call them with call_tool.",
        input: || {
            json!({
                "query": text("Words for what the tool does"),
                "count": {
                    "type": "integer", "minimum": 1, "maximum": 20, "default": 6,
                    "description": "Most tools to return"
                }
            })
        },
        output: || json!({"tools": {"type": "array", "items": {"type": "object"}}}),
    },
    Own {
        kind: Kind::CallTool,
        name: "call_tool",
        title: "Call a tool",
        description: "Calls a tool from search_tools with its parameters. Changes that need a person's \
                      decision need it here too.",
        input: || {
            json!({
                "name": text("The tool"),
                "arguments": {"type": "object", "description": "Its parameters"}
            })
        },
        output: || json!({}),
    },
];

impl Own {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        FIRST.iter().chain(&LAST).find(|own| own.name == name)
    }

    /// As clients see it.
    pub(crate) fn tool(&self) -> Tool {
        let properties = (self.input)();
        let required: Vec<&str> = match self.kind {
            Kind::ListSessions => vec![],
            Kind::NewSession | Kind::OpenSession => vec!["dir"],
            Kind::WaitForDecision => vec!["plan_id"],
            Kind::GetJob | Kind::CancelJob => vec!["job_id"],
            Kind::Ask => vec!["words"],
            Kind::SearchTools => vec!["query"],
            Kind::CallTool => vec!["name"],
        };
        let input = json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false
        });
        Tool::new(self.name, self.description, schema::input(&input))
            .with_title(self.title)
            .with_raw_output_schema(schema::own_output(&(self.output)()).into())
            .with_annotations(self.annotations())
    }

    fn annotations(&self) -> ToolAnnotations {
        let [read_only, destructive, idempotent, open_world] = match self.kind {
            Kind::ListSessions | Kind::WaitForDecision | Kind::GetJob | Kind::SearchTools => {
                [true, false, true, false]
            }
            Kind::NewSession => [false, false, false, false],
            Kind::OpenSession | Kind::CancelJob => [false, false, true, false],
            // It may be any tool.
            Kind::Ask | Kind::CallTool => [false, true, false, true],
        };
        ToolAnnotations::with_title(self.title)
            .read_only(read_only)
            .destructive(destructive)
            .idempotent(idempotent)
            .open_world(open_world)
    }
}

fn text(words: &str) -> Value {
    json!({"type": "string", "description": words})
}

fn wait() -> Value {
    json!({
        "type": "number", "minimum": 0, "maximum": 45, "default": 30,
        "description": "How long to wait, seconds"
    })
}

fn sessions() -> Value {
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "dir": text("Its folder"),
                "name": text("What it is called"),
                "is_served": {"type": "boolean", "description": "Whether a hub serves it now"}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_of_this_server_as_a_model_sees_them() {
        let card = |own: &Own| {
            let tool = own.tool();
            let words = tool.description.unwrap_or_default();
            let input = Value::Object((*tool.input_schema).clone());
            format!(
                "{} ({})\n  {words}\n  {} required {}\n",
                tool.name, own.title, input["properties"], input["required"]
            )
        };
        let cards: Vec<String> = FIRST.iter().chain(&LAST).map(card).collect();
        insta::assert_snapshot!(cards.join("\n"));
    }
}

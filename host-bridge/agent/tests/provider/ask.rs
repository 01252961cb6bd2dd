//! Asks a provider at the local server for one turn, and keeps all that was told.

use crate::server::{Answer, Server};
use deskhand_agent::provider::{
    Arguments, Chosen, Config, Limits, Message, Part, Provider, ProviderError, Reach, Reply, Sent,
    ToolDefinition, TurnEvent, TurnRequest,
};
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use tokio::sync::Notify;

/// It must never be seen anywhere but in a request's header.
pub const CANARY: &str = "sk-canary-7f3a91d0b8c24e56";

/// The seeds of the cuts that every answer is tried with.
pub const SEEDS: std::ops::Range<u64> = 0..6;

/// What came of a turn.
#[derive(Debug)]
pub struct Outcome {
    pub reply: Result<Reply, ProviderError>,
    /// The words as they came, joined.
    pub text: String,
    pub retries: Vec<(u32, Duration, String)>,
    pub sent: Vec<Sent>,
}

impl Outcome {
    pub fn reply(&self) -> &Reply {
        self.reply.as_ref().unwrap()
    }

    /// The error's line; it never holds the key.
    pub fn error(&self) -> String {
        let error = self.reply.as_ref().unwrap_err();
        let all = format!("{error} {error:?} {:?}", self.retries);
        assert!(!all.contains("canary") && !all.contains("4e56"), "{all}");
        error.to_string()
    }

    /// The calls: id, name, arguments.
    pub fn calls(&self) -> Vec<(String, String, Arguments)> {
        let message = Message::assistant(self.reply().parts.clone());
        let owned = |(id, name, arguments): (&str, &str, &Arguments)| {
            (id.to_owned(), name.to_owned(), arguments.clone())
        };
        message.calls().map(owned).collect()
    }
}

/// Bounds that no test reaches which does not set its own, however busy the machine is.
pub fn limits() -> Limits {
    Limits { backoff: Duration::from_millis(2), ..Limits::default() }
}

/// A provider `kind` at the port, with the canary as its key.
pub fn provider(kind: &str, port: u16, limits: Limits) -> Provider {
    provider_at(kind, &format!("http://127.0.0.1:{port}/v1"), limits)
}

/// The same at any base URL on this machine.
pub fn provider_at(kind: &str, base_url: &str, limits: Limits) -> Provider {
    let text = format!(
        "[providers.test]\nkind = \"{kind}\"\nmodel = \"some-model\"\napi_key_env = \"TEST_KEY\"\n\
         base_url = \"{base_url}\"\n"
    );
    let environment = |name: &str| (name == "TEST_KEY").then(|| CANARY.into());
    let config = Config::parse(&text, Path::new("config.toml"), &environment).unwrap();
    match Provider::open(&config, Some("test"), Reach::LocalOnly, &environment).unwrap() {
        Chosen::Model(provider) => provider.with_limits(limits).unwrap(),
        Chosen::Offline => panic!("a model was asked for"),
    }
}

pub fn tools() -> Vec<ToolDefinition> {
    vec![ToolDefinition {
        name: "get_session".into(),
        description: "Reads the session".into(),
        input_schema: json!({ "type": "object", "properties": {} }),
    }]
}

/// A conversation with everything in it.
pub fn history() -> Vec<Message> {
    vec![
        Message::user("look"),
        Message::assistant(vec![
            Part::text("I look."),
            Part::ToolCall {
                id: "call_1".into(),
                name: "get_session".into(),
                arguments: Arguments::read("{\"deep\":true}"),
            },
            Part::ToolCall {
                id: "call_2".into(),
                name: "get_session".into(),
                arguments: Arguments::read("{\"deep\":"),
            },
        ]),
        Message::results(vec![
            Part::result("call_1", json!({ "status": "ok" })),
            Part::error_result("call_2", json!("not an object")),
            Part::text("and now?"),
        ]),
    ]
}

/// One turn.
pub async fn turn(provider: &Provider, messages: &[Message]) -> Outcome {
    let (mut text, mut retries, mut sent) = (String::new(), Vec::new(), Vec::new());
    let tools = tools();
    let request = TurnRequest { system: "Be brief.", messages, tools: &tools, max_tokens: 100 };
    let reply = provider
        .turn(&request, &mut |event| match event {
            TurnEvent::Text(words) => text += words,
            TurnEvent::Sent(line) => sent.push(line.clone()),
            TurnEvent::Retrying(retry) => {
                retries.push((retry.attempt, retry.wait, retry.why.clone()));
            }
        })
        .await;
    Outcome { reply, text, retries, sent }
}

/// One turn that is dropped once its first words came.
pub async fn dropped_turn(provider: &Provider, messages: &[Message]) {
    let (tools, heard) = (tools(), Notify::new());
    let request = TurnRequest { system: "Be brief.", messages, tools: &tools, max_tokens: 100 };
    let mut hear = |event: TurnEvent<'_>| {
        if matches!(event, TurnEvent::Text(_)) {
            heard.notify_one();
        }
    };
    tokio::select! {
        ended = provider.turn(&request, &mut hear) => panic!("it ended: {ended:?}"),
        () = heard.notified() => {}
    }
}

/// One turn with a server that follows the script.
pub async fn ask(kind: &str, script: Vec<Answer>, seed: u64) -> (Outcome, Server) {
    ask_within(kind, script, seed, limits()).await
}

pub async fn ask_within(
    kind: &str,
    script: Vec<Answer>,
    seed: u64,
    limits: Limits,
) -> (Outcome, Server) {
    let server = Server::start(script, seed).await;
    let provider = provider(kind, server.port, limits);
    let outcome = turn(&provider, &history()).await;
    (outcome, server)
}

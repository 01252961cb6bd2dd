//! What goes wrong on the way: no answer waits forever, nothing leaks, and each failure says the way out.

use crate::ask::{
    CANARY, Outcome, ask, ask_within, dropped_turn, history, limits, provider, provider_at, turn,
};
use crate::server::{Answer, Ending, Server};
use deskhand_agent::provider::{Limits, ProviderError};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn words(text: &str) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": text } }] }))
}

fn done() -> Answer {
    Answer::raw(words("ok") + "data: [DONE]\n\n")
}

/// The error's line without the port.
fn line(outcome: &Outcome, server: &Server) -> String {
    outcome.error().replace(&server.port.to_string(), "PORT")
}

#[tokio::test]
async fn a_rate_limit_says_how_long_to_wait() {
    let limited = Answer::status(429, "{\"error\":{\"message\":\"Slow down\"}}");
    let script = vec![limited.clone().header("Retry-After-Ms", "37"), done()];
    let (outcome, server) = ask("openai", script, 1).await;
    assert_eq!(outcome.text, "ok");
    assert_eq!(server.seen().len(), 2);
    let (attempt, wait, why) = &outcome.retries[0];
    assert_eq!((*attempt, *wait), (2, Duration::from_millis(37)));
    assert!(why.contains("Slow down"), "{why}");
    // Longer than anybody waits: said at once.
    let script = vec![limited.header("Retry-After", "3600")];
    let (outcome, server) = ask("openai", script, 1).await;
    assert!(outcome.retries.is_empty());
    insta::assert_snapshot!(line(&outcome, &server), @"provider test (127.0.0.1:PORT) is busy or failing (429): Slow down (it asks to wait 3600 s); try again later, or another provider");
}

#[tokio::test]
async fn four_attempts_and_no_more() {
    let (outcome, server) = ask("anthropic", vec![Answer::status(503, "<html>no</html>")], 1).await;
    assert_eq!((server.seen().len(), outcome.retries.len(), outcome.sent.len()), (4, 3, 4));
    insta::assert_snapshot!(line(&outcome, &server), @"provider test (127.0.0.1:PORT) is busy or failing (503): <html>no</html>; try again later, or another provider");
}

#[tokio::test]
async fn a_connection_that_breaks_is_tried_again_only_before_words() {
    let start = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n";
    for broken in [
        Answer::hangs_up(),
        Answer::raw(start).ending(Ending::CutOff),
        Answer::raw(start).ending(Ending::Closed),
    ] {
        let (outcome, _) = ask("openai", vec![broken, done()], 2).await;
        assert_eq!((outcome.text.as_str(), outcome.retries.len()), ("ok", 1));
    }
    for ending in [Ending::CutOff, Ending::Closed] {
        let script = vec![Answer::raw(words("half")).ending(ending), done()];
        let (outcome, server) = ask("openai", script, 2).await;
        assert!(matches!(outcome.reply, Err(ProviderError::BrokenOff { .. })), "{outcome:?}");
        assert_eq!((outcome.text.as_str(), server.seen().len()), ("half", 1));
    }
    let script = vec![Answer::raw(words("half")).ending(Ending::Closed)];
    let (outcome, server) = ask("openai", script, 2).await;
    insta::assert_snapshot!(line(&outcome, &server), @"provider test (127.0.0.1:PORT) broke off in the middle of its answer: the connection was closed; say it again");
}

#[tokio::test]
async fn ten_megabytes_are_bounded() {
    let whole = format!("{{\"choices\": [\"{}\"]}}", "x".repeat(10 << 20));
    let words = words(&"x".repeat(10_000)).repeat(1_050);
    for body in [whole, words, "x".repeat(10 << 20), ":\n".repeat(5 << 20)] {
        let script = vec![Answer::raw(body).ending(Ending::Closed)];
        let (outcome, server) = ask("openai", script, 3).await;
        assert_eq!(
            line(&outcome, &server),
            "provider test (127.0.0.1:PORT) answered more than 8388608 bytes; ask for less at a time"
        );
    }
    let huge = Answer::status(400, "x".repeat(10 << 20));
    let (outcome, _) = ask("openai", vec![huge], 3).await;
    assert!(outcome.error().len() < 600);
}

#[tokio::test]
async fn silence_ends() {
    let short = Limits {
        first_byte: Duration::from_millis(50),
        connect: Duration::from_millis(50),
        idle: Duration::from_millis(100),
        ..limits()
    };
    let (outcome, server) = ask_within("openai", vec![Answer::silent()], 4, short).await;
    insta::assert_snapshot!(line(&outcome, &server), @"provider test (127.0.0.1:PORT) gave no answer within 0.1 s; try again, or a smaller model");
    let patient = Limits { idle: Duration::from_millis(300), ..limits() };
    let half = Answer::raw(words("half")).ending(Ending::Open);
    let (outcome, server) = ask_within("openai", vec![half], 4, patient).await;
    insta::assert_snapshot!(line(&outcome, &server), @"provider test (127.0.0.1:PORT) gave nothing more within 0.3 s; try again, or a smaller model");
    let error = Answer::status(400, "{\"error\":\"no").ending(Ending::Open);
    let (outcome, _) = ask_within("openai", vec![error], 4, patient).await;
    assert!(outcome.error().contains("(400)"));
}

#[tokio::test]
async fn keep_alives_hold_the_line_but_not_forever() {
    let pings = ": ping\n\n".repeat(40) + "event: ping\ndata: {\"type\": \"ping\"}\n\n";
    let stop = "data: {\"type\":\"message_stop\"}\n\n";
    let (outcome, _) = ask("anthropic", vec![Answer::raw(pings.clone() + stop)], 5).await;
    assert_eq!(outcome.reply().parts, []);
    let limits = Limits { whole: Duration::from_millis(600), ..limits() };
    let endless = Answer::raw(pings).ending(Ending::Endless);
    let (outcome, server) = ask_within("anthropic", vec![endless], 5, limits).await;
    insta::assert_snapshot!(line(&outcome, &server), @"provider test (127.0.0.1:PORT) gave no end of the answer within 0.6 s; try again, or a smaller model");
}

#[tokio::test]
async fn redirects_are_refused() {
    let other = Server::start(vec![done()], 6).await;
    for status in [301, 302, 307, 308] {
        let to = format!("http://localhost:{}/v1/messages", other.port);
        let script = vec![Answer::status(status, "").header("Location", &to)];
        let (outcome, server) = ask("openai", script, 6).await;
        assert_eq!(
            line(&outcome, &server).replace(&other.port.to_string(), "OTHER"),
            "provider test (127.0.0.1:PORT) redirects to localhost:OTHER, and redirects are not \
             followed; give it the address where it is"
        );
    }
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn an_echo_of_the_key_is_shown_nowhere() {
    let echoes = [
        Answer::status(401, format!("{{\"error\":{{\"message\":\"bad key {CANARY}\"}}}}")),
        Answer::status(400, format!("Bearer {CANARY}")),
        Answer::status(400, "you sent sk-canar****4e56".to_owned()),
        Answer::status(404, format!("model {CANARY} not found")),
        Answer::status(500, format!("<b>{CANARY}</b>")),
        Answer::status(302, "").header("Location", &format!("https://{CANARY}.example.com/")),
        Answer::raw(format!("data: {{\"error\":{{\"message\":\"x{CANARY}x\"}}}}\n\n")),
        Answer::raw(format!("data: {{\"{CANARY}\"\n\n")),
    ];
    for echo in echoes {
        for kind in ["openai", "anthropic"] {
            let (outcome, _) = ask(kind, vec![echo.clone()], 7).await;
            // `error` asserts that it holds no key.
            assert!(!outcome.error().is_empty());
            assert!(!format!("{:?}", outcome.sent).contains("canary"));
        }
    }
    // In the model's own words, in one piece and in two.
    let (begins, ends) = CANARY.split_at(9);
    for body in [words(CANARY), words(begins) + &words(ends)] {
        let script = vec![Answer::raw(body + "data: [DONE]\n\n")];
        let (outcome, _) = ask("openai", script, 7).await;
        assert_eq!(outcome.text, "[key]");
        assert!(!format!("{:?}", outcome.reply()).contains("canary"));
    }
}

#[tokio::test]
async fn refusals_say_the_way_out() {
    let mut lines = Vec::new();
    for (kind, status, body) in [
        ("anthropic", 401, "{\"error\":{\"message\":\"invalid x-api-key\"}}"),
        ("openai", 403, ""),
        ("openai", 404, "{\"error\":{\"message\":\"model 'some-model' not found\"}}"),
        ("openai", 404, "404 page not found"),
        ("anthropic", 400, "{\"error\":{\"message\":\"max_tokens: 100 > 64\"}}"),
        ("openai", 200, "{\"hello\":1}"),
        ("openai", 200, "<html>A login page</html>"),
        ("anthropic", 200, "data: {\"type\":\n\n"),
        ("anthropic", 200, "{\"choices\":[]}"),
    ] {
        let (outcome, server) = ask(kind, vec![Answer::status(status, body)], 8).await;
        lines.push(line(&outcome, &server));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[tokio::test]
async fn nobody_listens() {
    // The port is taken, so that no other test's server comes to it.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let port = socket.local_addr().unwrap().port();
    let outcome = turn(&provider("openai", port, limits()), &history()).await;
    let error = outcome.error();
    let says = format!("provider test (127.0.0.1:{port}) cannot be reached: ");
    assert!(error.starts_with(&says), "{error}");
    assert!(error.ends_with("; check its address and the network, or that the server runs"));
    assert_eq!(outcome.retries.len(), 3);
}

#[tokio::test]
async fn a_dropped_turn_closes_its_connection_and_the_next_one_works() {
    let script = vec![Answer::raw(words("half")).ending(Ending::Open), done()];
    let server = Server::start(script, 9).await;
    let provider = provider("openai", server.port, Limits::default());
    let history = history();
    dropped_turn(&provider, &history).await;
    assert_eq!(turn(&provider, &history).await.text, "ok");
}

#[tokio::test]
async fn localhost_is_this_machine() {
    let server = Server::start(vec![done()], 10).await;
    let address = format!("http://localhost:{}/v1", server.port);
    let outcome = turn(&provider_at("openai", &address, limits()), &history()).await;
    assert_eq!(outcome.text, "ok");
}

#[tokio::test]
async fn https_sends_nothing_in_the_clear() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("https://127.0.0.1:{}/v1", listener.local_addr().unwrap().port());
    let provider = provider_at("openai", &address, Limits { attempts: 1, ..limits() });
    let history = history();
    let server = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = vec![0; 10_000];
        let length = stream.read(&mut bytes).await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        bytes.truncate(length);
        bytes
    };
    let (outcome, bytes) = tokio::join!(turn(&provider, &history), server);
    // A TLS handshake record, and no words.
    assert_eq!(bytes[0], 0x16);
    assert!(!String::from_utf8_lossy(&bytes).contains("canary"));
    assert!(matches!(outcome.reply, Err(ProviderError::Unreachable { .. })), "{outcome:?}");
}

#[test]
fn a_turn_may_run_on_any_thread() {
    fn may_be_sent<T: Send>(_: &T) {}
    let provider = provider("openai", 1, limits());
    let messages = history();
    may_be_sent(&turn(&provider, &messages));
}

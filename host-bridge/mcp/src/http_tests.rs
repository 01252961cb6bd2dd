//! What a stranger meets over HTTP.

use crate::desk::Desk;
use crate::host_program::Shown;
use crate::http::{Gate, accept};
use crate::testing::{OneDoor, link, opened};
use crate::token::Token;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server, its address and its token.
async fn server() -> (SocketAddr, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("token");
    let token = Token::at(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap().trim().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    let door = OneDoor::new(link(|_, _, _| {}).0, Shown::Terminal);
    let gate = Gate::new(Desk::new(door, opened()).unwrap(), token, addr);
    tokio::spawn(accept(listener, Arc::new(gate)));
    (addr, text)
}

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

/// A request with these headers; the status and the body of its answer.
async fn send(addr: SocketAddr, head: &[String], body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let head = head.join("\r\n");
    let fixed = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
                 MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nConnection: close";
    let request = format!("{head}\r\n{fixed}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    // A server that closes early resets what it did not read.
    drop(stream.read_to_string(&mut answer).await);
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or(0), answer)
}

fn head(addr: SocketAddr, token: &str) -> Vec<String> {
    vec![
        "POST /mcp HTTP/1.1".into(),
        format!("Host: {addr}"),
        format!("Authorization: Bearer {token}"),
        format!("Content-Length: {}", PING.len()),
    ]
}

#[tokio::test]
async fn with_the_token_the_tools_are_listed() {
    let (addr, token) = server().await;
    let (status, body) = send(addr, &head(addr, &token), PING).await;
    assert!(status == 200 && body.contains("\"list_sessions\""), "{body}");
    let mut own = head(addr, &token);
    own.push(format!("Origin: http://localhost:{}", addr.port()));
    assert_eq!(send(addr, &own, PING).await.0, 200);
}

#[tokio::test]
async fn strangers_are_refused() {
    let (addr, token) = server().await;
    let with = |index: usize, line: &str| {
        let mut lines = head(addr, &token);
        lines[index] = line.to_owned();
        lines
    };
    let mut evil = head(addr, &token);
    evil.push("Origin: http://evil.example".into());
    let mut null = head(addr, &token);
    null.push("Origin: null".into());
    let mut other_port = head(addr, &token);
    other_port.push("Origin: http://localhost:1".into());
    let wrong = format!("Authorization: Bearer {}", "0".repeat(64));
    for (lines, wanted) in [
        (with(1, "Host: evil.example"), 403),
        (with(1, "Host: 127.0.0.1:1"), 403),
        (with(1, "X: y"), 403),
        (evil, 403),
        (null, 403),
        (other_port, 403),
        (with(2, "X: y"), 401),
        (with(2, &wrong), 401),
        (with(2, "Authorization: Basic eDp5"), 401),
        (with(3, "Content-Length: 104857600"), 413),
        (with(0, "POST /other HTTP/1.1"), 404),
        (with(0, "PUT /mcp HTTP/1.1"), 405),
    ] {
        let (status, body) = send(addr, &lines, PING).await;
        assert_eq!(status, wanted, "{lines:?} {body}");
        assert!(!body.contains(&token));
    }
}

#[tokio::test]
async fn a_body_without_a_length_ends_at_the_limit() {
    let (addr, token) = server().await;
    let mut lines = head(addr, &token);
    lines[3] = "Transfer-Encoding: chunked".into();
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let text = format!("{}\r\nContent-Type: application/json\r\n\r\n", lines.join("\r\n"));
    stream.write_all(text.as_bytes()).await.unwrap();
    let chunk = format!("100000\r\n{}\r\n", "x".repeat(0x10_0000));
    let mut sent = 0;
    while sent < 100 && stream.write_all(chunk.as_bytes()).await.is_ok() {
        sent += 1;
    }
    assert!(sent < 100, "all 100 MB were taken");
}

#[tokio::test]
async fn a_thousand_connections_in_turn_leave_room() {
    let (addr, token) = server().await;
    for _ in 0..1_000 {
        let mut stream = TcpStream::connect(addr).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
    }
    // Those that were only just closed may still hold a place.
    for _ in 0..1_000 {
        if send(addr, &head(addr, &token), PING).await.0 == 200 {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("no room came free");
}

#[test]
fn only_this_machine_is_listened_on() {
    let door = OneDoor::new(link(|_, _, _| {}).0, Shown::Terminal);
    let addr: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let path = std::path::Path::new("/nowhere/at/all");
    let error = crate::serve_http(door, addr, path, opened(), |_, _| {}).unwrap_err();
    assert_eq!(error.to_string(), "0.0.0.0:0 is no loopback address; use 127.0.0.1:PORT");
}

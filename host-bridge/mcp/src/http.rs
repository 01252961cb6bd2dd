//! The server over streamable HTTP, for this machine alone: `POST /mcp`.
//!
//! A request is looked at in this order: path, `Host` and `Origin`, token, size. Whoever is slow, large or
//! many is let go.

use crate::desk::Desk;
use crate::host_program::Door;
use crate::options::{McpError, Options};
use crate::server::Server;
use crate::stdio::runtime;
use crate::token::Token;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Where the server is.
const PATH: &str = "/mcp";

/// The largest request.
const LARGEST: usize = 4 << 20;

/// Connections at a time; further ones are closed at once.
const CONNECTIONS: usize = 128;

/// How long a client may take for the head of a request, and again for its body.
const SLOWEST: Duration = Duration::from_secs(10);

/// The largest head of a request.
const HEAD: usize = 64 << 10;

type Answer = Response<BoxBody<Bytes, Infallible>>;
type Mcp = StreamableHttpService<Server, LocalSessionManager>;

/// Serves every client on this machine that shows the token in `token_file`, until the process ends.
/// `on_ready` hears the address, with the port that was chosen where `addr` has port 0.
///
/// # Errors
/// When the session cannot be opened, the address is not this machine's own or is taken, or the token file
/// is not this user's alone.
pub fn serve_http(
    door: impl Door,
    addr: SocketAddr,
    token_file: &Path,
    options: Options,
    on_ready: impl FnOnce(SocketAddr, &Path),
) -> Result<(), McpError> {
    if !addr.ip().is_loopback() {
        return Err(McpError::NotLoopback(addr));
    }
    let token = Token::at(token_file)?;
    let desk = Desk::new(door, options)?;
    runtime()?.block_on(async {
        let listen = |why| McpError::Listen { addr, why };
        let listener = TcpListener::bind(addr).await.map_err(listen)?;
        let addr = listener.local_addr().map_err(listen)?;
        on_ready(addr, token_file);
        accept(listener, Arc::new(Gate::new(desk, token, addr))).await;
        Ok(())
    })
}

/// Takes connections for ever.
pub(crate) async fn accept(listener: TcpListener, gate: Arc<Gate>) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file handles: those in use come back.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
            continue;
        };
        let gate = Arc::clone(&gate);
        tokio::spawn(async move {
            talk(stream, gate).await;
            drop(place);
        });
    }
}

async fn talk(stream: TcpStream, gate: Arc<Gate>) {
    let service = service_fn(move |request| {
        let gate = Arc::clone(&gate);
        async move { Ok::<_, Infallible>(gate.answer(request).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(SLOWEST).max_buf_size(HEAD);
    // A connection that breaks concerns nobody else.
    drop(http.serve_connection(TokioIo::new(stream), service).await);
}

/// What every request passes.
pub(crate) struct Gate {
    token: Token,
    own: Vec<String>,
    mcp: Mcp,
}

impl Gate {
    pub(crate) fn new(desk: Arc<Desk>, token: Token, addr: SocketAddr) -> Self {
        let port = addr.port();
        let own: Vec<String> = ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .map(|host| format!("{host}:{port}"))
            .collect();
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(own.clone())
            .with_allowed_origins(own.iter().map(|host| format!("http://{host}")))
            .enforce_origin_validation()
            .with_max_request_body_bytes(LARGEST);
        let server = Server::new(desk);
        let serve = move || Ok(server.another());
        let mcp = StreamableHttpService::new(serve, Arc::default(), config);
        Self { token, own, mcp }
    }

    async fn answer(&self, request: Request<Incoming>) -> Answer {
        if let Err((status, words)) = self.check(&request) {
            return refusal(status, words);
        }
        let (head, body) = request.into_parts();
        let body = Limited::new(body, LARGEST).collect();
        let body = match tokio::time::timeout(SLOWEST, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) => return refusal(StatusCode::PAYLOAD_TOO_LARGE, "send less than 4 MB"),
            Err(_) => return refusal(StatusCode::REQUEST_TIMEOUT, "send the request at once"),
        };
        self.mcp.handle(Request::from_parts(head, Full::new(body))).await
    }

    fn check<B>(&self, request: &Request<B>) -> Result<(), (StatusCode, &'static str)> {
        let headers = request.headers();
        if request.uri().path() != PATH {
            return Err((StatusCode::NOT_FOUND, "the server is at /mcp"));
        }
        if !self.is_own_host(headers) || !self.is_own_origin(headers) {
            return Err((StatusCode::FORBIDDEN, "only this machine is served"));
        }
        if !headers
            .get(header::AUTHORIZATION)
            .is_some_and(|shown| self.token.opens(shown.as_bytes()))
        {
            return Err((StatusCode::UNAUTHORIZED, "show the token: Authorization: Bearer TOKEN"));
        }
        if declared(headers).is_some_and(|length| length > LARGEST) {
            return Err((StatusCode::PAYLOAD_TOO_LARGE, "send less than 4 MB"));
        }
        match *request.method() {
            Method::POST | Method::GET | Method::DELETE => Ok(()),
            _ => Err((StatusCode::METHOD_NOT_ALLOWED, "send POST, GET or DELETE")),
        }
    }

    /// A page of the web cannot choose its `Host`: a name that points here by a trick is not one of ours.
    fn is_own_host(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        hosts.next().is_none() && host.is_some_and(|host| self.is_own(host))
    }

    fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        headers.get_all(header::ORIGIN).iter().all(|origin| {
            let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            host.is_some_and(|host| self.is_own(host))
        })
    }

    fn is_own(&self, host: &str) -> bool {
        self.own.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}

fn declared(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn refusal(status: StatusCode, words: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(words.as_bytes())).boxed());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/plain"));
    // The rest of a body that was refused is not read.
    headers.insert(header::CONNECTION, header::HeaderValue::from_static("close"));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    }
    answer
}

//! A provider's server, written by hand: it answers each connection with the next answer of a script, cut
//! into pieces at random, and keeps what it was sent.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How an answer's body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As HTTP says, in chunks.
    Chunked,
    /// With the connection, and no length was said.
    Closed,
    /// In the middle of a chunked body.
    CutOff,
    /// Never: nothing more comes, and the connection stays.
    Open,
    /// Never: the last event comes again and again.
    Endless,
}

/// One answer of a script.
#[derive(Clone, Debug)]
pub struct Answer {
    status: u16,
    headers: String,
    body: Vec<u8>,
    ending: Ending,
    head: Head,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    Sent,
    /// The connection stays, and nothing comes.
    Never,
    /// The connection closes at once.
    Closed,
}

impl Answer {
    /// Events of the Messages API.
    pub fn anthropic(events: &[serde_json::Value]) -> Self {
        let event = |event: &serde_json::Value| {
            format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())
        };
        Self::raw(events.iter().map(event).collect::<String>())
    }

    /// Chunks of chat completions, with `[DONE]`.
    pub fn openai(chunks: &[serde_json::Value]) -> Self {
        let chunk = |chunk: &serde_json::Value| format!("data: {chunk}\n\n");
        Self::raw(chunks.iter().map(chunk).collect::<String>() + "data: [DONE]\n\n")
    }

    pub fn raw(body: impl Into<Vec<u8>>) -> Self {
        let (body, headers) = (body.into(), String::new());
        Self { status: 200, headers, body, ending: Ending::Chunked, head: Head::Sent }
    }

    pub fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, ..Self::raw(body) }
    }

    pub fn silent() -> Self {
        Self { head: Head::Never, ..Self::raw("") }
    }

    pub fn hangs_up() -> Self {
        Self { head: Head::Closed, ..Self::raw("") }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }

    pub fn ending(self, ending: Ending) -> Self {
        Self { ending, ..self }
    }
}

/// A request that came in.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Request line and headers.
    pub head: String,
    pub body: serde_json::Value,
}

/// The server; it lives as long as the test's runtime.
pub struct Server {
    pub port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Answers with the script; its last answer is given again and again.
    pub async fn start(script: Vec<Answer>, seed: u64) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&seen);
        tokio::spawn(async move {
            for turn in 0_usize.. {
                let (stream, _) = listener.accept().await.unwrap();
                let answer = script[turn.min(script.len() - 1)].clone();
                let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + turn as u64 + 1);
                let kept = Arc::clone(&kept);
                // An error is a client that went away.
                tokio::spawn(async move { drop(serve(stream, answer, random, &kept).await) });
            }
        });
        Self { port, seen }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

/// Xorshift: the same pieces for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// The length of the next piece: short for short bodies.
    fn piece(&mut self, whole: usize) -> usize {
        let longest = if whole > 100_000 { 30_000 } else { 1 << (self.next() % 8) };
        1 + usize::try_from(self.next()).unwrap() % longest
    }
}

async fn serve(
    mut stream: TcpStream,
    answer: Answer,
    mut random: Random,
    seen: &Mutex<Vec<Seen>>,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let request = read_request(&mut stream).await?;
    seen.lock().unwrap().push(request);
    match answer.head {
        Head::Sent => {}
        Head::Never => return wait_for_close(&mut stream).await,
        Head::Closed => return Ok(()),
    }
    let chunked = answer.ending != Ending::Closed;
    let encoding = if chunked { "transfer-encoding: chunked\r\n" } else { "" };
    let Answer { status, headers, .. } = &answer;
    let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n{encoding}{headers}\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut rest = &answer.body[..];
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(random.piece(answer.body.len()).min(rest.len()));
        write_piece(&mut stream, piece, chunked).await?;
        rest = after;
    }
    match answer.ending {
        Ending::Chunked => stream.write_all(b"0\r\n\r\n").await,
        Ending::Closed => Ok(()),
        Ending::CutOff => stream.write_all(b"ff\r\ndata: ").await,
        Ending::Open => wait_for_close(&mut stream).await,
        Ending::Endless => repeat(&mut stream, &answer.body).await,
    }
}

async fn write_piece(stream: &mut TcpStream, piece: &[u8], chunked: bool) -> std::io::Result<()> {
    if chunked {
        stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await?;
    }
    stream.write_all(piece).await?;
    if chunked {
        stream.write_all(b"\r\n").await?;
    }
    // The client reads what is there before the next piece.
    tokio::task::yield_now().await;
    Ok(())
}

/// The last event, every few milliseconds.
async fn repeat(stream: &mut TcpStream, body: &[u8]) -> std::io::Result<()> {
    let text = String::from_utf8_lossy(body);
    let last = text.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let event = format!("{last}\n\n");
    let mut interval = tokio::time::interval(Duration::from_millis(5));
    loop {
        interval.tick().await;
        write_piece(stream, event.as_bytes(), true).await?;
    }
}

async fn wait_for_close(stream: &mut TcpStream) -> std::io::Result<()> {
    let mut byte = [0];
    while stream.read(&mut byte).await? > 0 {}
    Ok(())
}

async fn read_request(stream: &mut TcpStream) -> std::io::Result<Seen> {
    let mut bytes = Vec::new();
    let end_of_head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end_of_head]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |length| length.parse().unwrap());
    while bytes.len() < end_of_head + length {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
    let body = serde_json::from_slice(&bytes[end_of_head..]).unwrap_or_default();
    let head = String::from_utf8_lossy(&bytes[..end_of_head]).into_owned();
    Ok(Seen { head, body })
}

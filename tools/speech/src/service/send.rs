//! One request: sound as a wave file in a form, and the answer, with bounds on everything.

use super::answer::said;
use super::config::Service;
use super::{Order, ServiceError};
use crate::mel::RATE;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response};
use std::time::Duration;

/// The largest answer, in bytes.
const MOST_BYTES: usize = 4 << 20;
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(300);
/// How often a person may stop it.
const LOOK: Duration = Duration::from_millis(100);
/// The border between the parts of the form. Audio data cannot hold it at the start of a line by chance.
const BORDER: &str = "deskhand-form-7f1c0b9e5d2a4863";

/// Sends `sound` (16 kHz, mono) and gives the answer's bytes. `go_on` is asked all the while.
pub(super) fn send(
    order: &Order<'_>,
    sound: &[f32],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<u8>, ServiceError> {
    let service = order.service;
    let failed = |cause: String| ServiceError::Failed { host: service.host().into(), cause };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failed(error.to_string()))?;
    let body = form(order, &wave(sound));
    runtime.block_on(async {
        let asked = ask(service, body);
        tokio::pin!(asked);
        let mut tick = tokio::time::interval(LOOK);
        loop {
            tokio::select! {
                answer = &mut asked => return answer.map_err(failed),
                _ = tick.tick() => {
                    if !go_on() {
                        return Err(ServiceError::Stopped);
                    }
                }
            }
        }
    })
}

async fn ask(service: &Service, body: Vec<u8>) -> Result<Vec<u8>, String> {
    let kind = format!("multipart/form-data; boundary={BORDER}");
    let client = client(service).map_err(reason)?;
    let mut request = client.post(service.url.clone()).header(CONTENT_TYPE, kind).body(body);
    if let Some(key) = &service.key {
        request = request.bearer_auth(key);
    }
    let whole = async {
        let response = request.send().await.map_err(reason)?;
        let status = response.status();
        let bytes = bounded(response).await?;
        if status.is_success() {
            return Ok(bytes);
        }
        Err(format!("it refused with {status}{}", said(&bytes, service.key.as_deref())))
    };
    let late = || format!("no answer within {} s; try again later", ANSWER.as_secs());
    tokio::time::timeout(ANSWER, whole).await.map_err(|_| late())?
}

/// No redirects, no proxies; `localhost` is this machine, never looked up.
fn client(service: &Service) -> Result<Client, reqwest::Error> {
    // Another part of the process may have chosen already; then that holds.
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        drop(rustls::crypto::ring::default_provider().install_default());
    }
    let here = [([127, 0, 0, 1], 0).into(), ([0, 0, 0, 0, 0, 0, 0, 1], 0).into()];
    let builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .pool_max_idle_per_host(0)
        .connect_timeout(CONNECT)
        .resolve_to_addrs("localhost", &here)
        .user_agent(concat!("deskhand/", env!("CARGO_PKG_VERSION")));
    let is_here = service.url.scheme() == "http" && service.is_here();
    let builder = if is_here { builder.tls_certs_only([]) } else { builder.https_only(true) };
    builder.build()
}

/// The innermost reason, without the address.
fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    format!("{cause}; check base_url and the network")
}

async fn bounded(mut response: Response) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(reason)? {
        if bytes.len() + chunk.len() > MOST_BYTES {
            return Err(format!(
                "its answer is larger than {} MB, which no transcript is",
                MOST_BYTES >> 20
            ));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn form(order: &Order<'_>, wave: &[u8]) -> Vec<u8> {
    let mut fields = vec![
        ("model", order.service.model.as_str()),
        ("response_format", "verbose_json"),
        ("timestamp_granularities[]", "word"),
        ("timestamp_granularities[]", "segment"),
    ];
    fields.extend(order.language.map(|language| ("language", language)));
    fields.extend(order.example.map(|example| ("prompt", example)));
    let field = |(name, value): (&str, &str)| {
        // A line of a form ends at a line break, so a value cannot hold one.
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        format!("--{BORDER}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let mut body: Vec<u8> = fields.into_iter().map(field).collect::<String>().into_bytes();
    let head = "Content-Disposition: form-data; name=\"file\"; filename=\"speech.wav\"\r\nContent-Type: audio/wav";
    body.extend(format!("--{BORDER}\r\n{head}\r\n\r\n").bytes());
    body.extend_from_slice(wave);
    body.extend(format!("\r\n--{BORDER}--\r\n").bytes());
    body
}

/// A wave file of 16 bits (RIFF, PCM).
fn wave(sound: &[f32]) -> Vec<u8> {
    let bytes = u32::try_from(2 * sound.len()).unwrap_or(u32::MAX);
    let mut wave = b"RIFF".to_vec();
    wave.extend((36 + bytes).to_le_bytes());
    wave.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wave.extend(RATE.to_le_bytes());
    wave.extend((2 * RATE).to_le_bytes());
    wave.extend(b"\x02\0\x10\0data");
    wave.extend(bytes.to_le_bytes());
    let whole = |value: &f32| (value.clamp(-1.0, 1.0) * 32_767.0).round() as i16;
    wave.extend(sound.iter().flat_map(|value| whole(value).to_le_bytes()));
    wave
}

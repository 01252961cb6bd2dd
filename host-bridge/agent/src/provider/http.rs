//! Sends a turn and reads its answer, with bounds on everything.
//!
//! Thread: net.

use super::address::{host_of, is_loopback};
use super::answer::{Meaning, asked_wait, meaning, words_of};
use super::draft::{Draft, Fault};
use super::error::{Place, ProviderError, quoted};
use super::ids::random;
use super::secret::{Secret, Sieve};
use super::sent_log::Sent;
use super::stream::{Intake, Reader};
use super::turn::{Limits, Listener, Reply, Retrying, TurnEvent, TurnRequest};
use super::{anthropic, openai};
pub(super) use reqwest::Client;
use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use std::future::Future;
use std::time::{Duration, SystemTime};
use tokio::time::timeout;
use url::Url;

/// How much of an error's body is read.
const ERROR_BYTES: usize = 64 << 10;

/// How long the end of a stream is waited for, once the model has said why it stopped.
const AFTER_STOP: Duration = Duration::from_secs(2);

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    Anthropic,
    OpenAi(openai::LimitField),
}

impl Wire {
    fn reader(self) -> Reader {
        match self {
            Self::Anthropic => Reader::Anthropic(anthropic::Reader::default()),
            Self::OpenAi(_) => Reader::OpenAi(openai::Reader::default()),
        }
    }
}

/// A model at an address.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) wire: Wire,
    /// Where turns are posted to.
    pub(super) url: Url,
    pub(super) model: String,
    pub(super) key: Option<Secret>,
    pub(super) source_of_key: String,
    pub(super) place: Place,
    pub(super) client: Client,
    pub(super) limits: Limits,
}

/// One attempt that failed.
struct Failure {
    error: ProviderError,
    again: Again,
}

/// Whether another attempt may do.
enum Again {
    Never,
    /// After the wait that the server asks for, or after our own.
    After(Option<Duration>),
}

impl Failure {
    const fn last(error: ProviderError) -> Self {
        Self { error, again: Again::Never }
    }

    const fn soon(error: ProviderError) -> Self {
        Self { error, again: Again::After(None) }
    }
}

impl Endpoint {
    /// Sends the turn, again if need be, and gives the reply.
    pub(super) async fn turn(
        &self,
        request: &TurnRequest<'_>,
        listener: Listener<'_>,
    ) -> Result<Reply, ProviderError> {
        let body = match self.wire {
            Wire::Anthropic => anthropic::body(&self.model, request),
            Wire::OpenAi(limit) => openai::body(&self.model, limit, request),
        };
        let body = body.to_string().into_bytes();
        let mut spoken = false;
        let mut attempt = 1;
        loop {
            listener(TurnEvent::Sent(&self.sent(request, body.len())));
            let mut tell = |words: &str| {
                if !words.is_empty() {
                    spoken = true;
                    listener(TurnEvent::Text(words));
                }
            };
            let mut sieve = Sieve::new(self.key.as_ref());
            let answer = self.attempt(&body, &mut |words| tell(&sieve.push(words))).await;
            tell(&sieve.rest());
            let failure = match answer {
                Ok(draft) => return Ok(self.reply(draft, request, body.len())),
                Err(failure) => failure,
            };
            let Some(wait) = self.wait_after(&failure, attempt).filter(|_| !spoken) else {
                return Err(failure.error);
            };
            attempt += 1;
            let (of, why) = (self.limits.attempts, failure.error.to_string());
            listener(TurnEvent::Retrying(&Retrying { attempt, of, wait, why }));
            tokio::time::sleep(wait).await;
        }
    }

    fn reply(&self, draft: Draft, request: &TurnRequest<'_>, bytes: usize) -> Reply {
        draft.into_reply(request, bytes, &|text| match &self.key {
            Some(key) => key.redact_reply(text),
            None => text.to_owned(),
        })
    }

    fn sent(&self, request: &TurnRequest<'_>, bytes: usize) -> Sent {
        Sent {
            time: SystemTime::now(),
            provider: self.place.provider.clone(),
            host: self.place.host.clone(),
            bytes,
            messages: request.messages.len(),
            tools: request.tools.len(),
            kinds: request.kinds(),
        }
    }

    /// How long to wait for another attempt, if there is one: exponential, half of it jitter.
    fn wait_after(&self, failure: &Failure, attempt: u32) -> Option<Duration> {
        let Again::After(asked) = failure.again else { return None };
        if attempt >= self.limits.attempts {
            return None;
        }
        let own = self.limits.backoff.saturating_mul(1 << (attempt - 1).min(10));
        let jitter = own.mul_f64((random() % 1_000) as f64 / 2_000.0);
        let wait = asked.unwrap_or(own.mul_f64(0.5) + jitter);
        (wait <= self.limits.longest_wait).then_some(wait)
    }

    async fn attempt(
        &self,
        body: &[u8],
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Draft, Failure> {
        let whole = self.limits.whole;
        let attempt = async {
            let response = self.send(body).await?;
            let response = self.accepted(response).await?;
            self.read(response, on_text).await
        };
        self.within(whole, "no end of the answer", attempt).await?
    }

    /// Posts the body; gives the answer once its head is there.
    async fn send(&self, body: &[u8]) -> Result<Response, Failure> {
        let headers = self.headers().map_err(Failure::last)?;
        let request = self.client.post(self.url.clone()).headers(headers).body(body.to_vec());
        let limit = self.limits.connect + self.limits.first_byte;
        let sent = self.within(limit, "no answer", request.send()).await?;
        sent.map_err(|error| self.not_sent(error))
    }

    /// Gets what stands at an address of the same host, at most `longest` bytes of it.
    pub(super) async fn get(&self, url: Url, longest: usize) -> Result<Vec<u8>, ProviderError> {
        let fetched = async {
            let headers = self.headers().map_err(Failure::last)?;
            let sent = self.client.get(url).headers(headers).send().await;
            let mut response = self.accepted(sent.map_err(|error| self.not_sent(error))?).await?;
            let mut body = Vec::new();
            let broken = |error| self.broken_off(&reason(error));
            while let Some(bytes) = response.chunk().await.map_err(broken)? {
                if body.len() + bytes.len() > longest {
                    return Err(self.too_long());
                }
                body.extend_from_slice(&bytes);
            }
            Ok(body)
        };
        let fetched = self.within(self.limits.whole, "no end of the answer", fetched).await;
        fetched.and_then(|fetched| fetched).map_err(|failure: Failure| failure.error)
    }

    /// The future's output, or that it took too long.
    async fn within<T>(
        &self,
        limit: Duration,
        what: &'static str,
        future: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let place = self.place.clone();
        let slow = |_| Failure::last(ProviderError::Slow { place, what, limit });
        timeout(limit, future).await.map_err(slow)
    }

    fn headers(&self) -> Result<HeaderMap, ProviderError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.wire == Wire::Anthropic {
            headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
        }
        let Some(secret) = &self.key else { return Ok(headers) };
        let wrong_host =
            |error| ProviderError::Key { provider: self.place.provider.clone(), error };
        let key = secret.expose_for(&self.url).map_err(wrong_host)?;
        let (name, value) = match self.wire {
            Wire::Anthropic => ("x-api-key", key.to_owned()),
            Wire::OpenAi(_) => ("authorization", format!("Bearer {key}")),
        };
        // A key is checked when it is read; one that no header takes is not sent.
        if let Ok(mut value) = HeaderValue::from_str(&value) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }

    fn not_sent(&self, error: reqwest::Error) -> Failure {
        let place = self.place.clone();
        if error.is_connect() || error.is_timeout() {
            let why = self.shown(&reason(error));
            return Failure::soon(ProviderError::Unreachable { place, why });
        }
        Failure::soon(ProviderError::BrokenOff { place, why: self.shown(&reason(error)) })
    }

    /// The answer, if its body is a reply.
    async fn accepted(&self, response: Response) -> Result<Response, Failure> {
        let status = response.status().as_u16();
        if response.status().is_success() {
            return Ok(response);
        }
        let asked = asked_wait(response.headers());
        let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| self.url.join(to).ok()).map(|url| host_of(&url));
        let said = words_of(&self.error_body(response).await);
        let meaning = meaning(status, &said);
        let mut said = self.shown(&said);
        let place = self.place.clone();
        Err(match meaning {
            Meaning::Busy => {
                if let Some(wait) = asked.filter(|wait| *wait > self.limits.longest_wait) {
                    said += &format!(" (it asks to wait {} s)", wait.as_secs());
                }
                let error = ProviderError::Busy { place, status, said };
                Failure { error, again: Again::After(asked) }
            }
            Meaning::Redirect => Failure::last(ProviderError::Redirected {
                place,
                to: to.map_or_else(|| "nowhere".to_owned(), |to| self.shown(&to)),
            }),
            Meaning::WrongKey => Failure::last(ProviderError::WrongKey {
                place,
                status,
                source_of_key: self.source_of_key.clone(),
            }),
            Meaning::NoModel => {
                let model = self.model.clone();
                Failure::last(ProviderError::NoModel { place, model, said })
            }
            Meaning::Reply | Meaning::Refused => {
                Failure::last(ProviderError::Refused { place, status, said })
            }
        })
    }

    /// The beginning of an error's body; what comes too late or breaks off is left out.
    async fn error_body(&self, mut response: Response) -> Vec<u8> {
        let mut body = Vec::new();
        while body.len() < ERROR_BYTES
            && let Ok(Ok(Some(bytes))) = timeout(self.limits.idle, response.chunk()).await
        {
            body.extend_from_slice(&bytes);
        }
        body.truncate(ERROR_BYTES);
        body
    }

    /// Reads a reply to its end.
    async fn read(
        &self,
        mut response: Response,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Draft, Failure> {
        let mut intake = Intake::new(self.wire.reader());
        let mut room = self.limits.reply_bytes;
        while !intake.draft().ended {
            let stopped = intake.draft().complete();
            let limit = if stopped { AFTER_STOP.min(self.limits.idle) } else { self.limits.idle };
            match self.within(limit, "nothing more", response.chunk()).await {
                Ok(Ok(Some(bytes))) => {
                    let Some(left) = room.checked_sub(bytes.len()) else {
                        return Err(self.too_long());
                    };
                    room = left;
                    intake.push(&bytes, &mut *on_text).map_err(|fault| self.fault(fault))?;
                }
                Ok(Ok(None)) => break,
                // The model had said its last: how the connection ends does not matter.
                Ok(Err(_)) | Err(_) if stopped => break,
                Ok(Err(error)) => return Err(self.broken_off(&reason(error))),
                Err(slow) => return Err(slow),
            }
        }
        let draft = intake.finish(on_text).map_err(|fault| self.fault(fault))?;
        if draft.complete() {
            return Ok(draft);
        }
        Err(self.broken_off("the connection was closed"))
    }

    fn too_long(&self) -> Failure {
        let (place, limit) = (self.place.clone(), self.limits.reply_bytes);
        Failure::last(ProviderError::TooLong { place, limit })
    }

    fn broken_off(&self, why: &str) -> Failure {
        let place = self.place.clone();
        Failure::soon(ProviderError::BrokenOff { place, why: self.shown(why) })
    }

    fn fault(&self, fault: Fault) -> Failure {
        let place = self.place.clone();
        match fault {
            Fault::Busy(said) => {
                let said = self.shown(&said);
                Failure::soon(ProviderError::Busy { place, status: 200, said })
            }
            Fault::Refused(said) => {
                let said = self.shown(&said);
                Failure::last(ProviderError::Refused { place, status: 200, said })
            }
            Fault::Unreadable(why) => Failure::last(ProviderError::Unreadable { place, why }),
        }
    }

    /// A server's words, fit to be shown: short, on one line, without the key.
    fn shown(&self, words: &str) -> String {
        match &self.key {
            Some(key) => quoted(&key.redact(words)),
            None => quoted(words),
        }
    }
}

/// The innermost reason, without the URL.
pub(super) fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// A client for one address: no redirects, no proxies, HTTP/1.1, a connection for each turn (one that is
/// kept would belong to a runtime that may have ended). `localhost` is this machine, never looked up. Only
/// https loads the system's certificates.
pub(super) fn client(url: &Url, limits: &Limits) -> Result<Client, reqwest::Error> {
    // Another part of the process may have chosen already; then that holds.
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        drop(rustls::crypto::ring::default_provider().install_default());
    }
    let here = [([127, 0, 0, 1], 0).into(), ([0, 0, 0, 0, 0, 0, 0, 1], 0).into()];
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .pool_max_idle_per_host(0)
        .connect_timeout(limits.connect)
        .resolve_to_addrs("localhost", &here)
        .user_agent(concat!("deskhand/", env!("CARGO_PKG_VERSION")));
    if url.scheme() == "http" && is_loopback(url) {
        builder = builder.tls_certs_only([]);
    } else {
        builder = builder.https_only(true);
    }
    builder.build()
}

//! What an answer that is not a stream means: statuses, waits a server asks for, words of errors.
//!
//! Thread: any.

use super::draft::text_at;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;
use std::time::Duration;

/// What a status means for the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The body is the reply.
    Reply,
    /// Another address: never followed.
    Redirect,
    /// The key is not accepted.
    WrongKey,
    /// No such model.
    NoModel,
    /// Another attempt may do.
    Busy,
    /// The request is refused.
    Refused,
}

/// The meaning of a status and of what the server says with it.
pub(super) fn meaning(status: u16, said: &str) -> Meaning {
    let about_model = said.to_ascii_lowercase().contains("model");
    match status {
        200..=299 => Meaning::Reply,
        300..=399 => Meaning::Redirect,
        401 => Meaning::WrongKey,
        403 if said.is_empty() => Meaning::WrongKey,
        404 if about_model => Meaning::NoModel,
        400 if about_model && says_missing(said) => Meaning::NoModel,
        408 | 409 | 425 | 429 | 500..=599 => Meaning::Busy,
        _ => Meaning::Refused,
    }
}

fn says_missing(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    ["not found", "does not exist", "invalid model", "unknown model"]
        .iter()
        .any(|words| said.contains(words))
}

/// The wait that a server asks for: `retry-after-ms`, or `Retry-After` in seconds. A date is passed over.
pub(super) fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms")
        .map(|milliseconds| milliseconds / 1_000.0)
        .or_else(|| number(RETRY_AFTER.as_str()))?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The words of an error's body: `error.message`, `error`, `message` or `detail` of JSON, else the body.
pub(super) fn words_of(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let Ok(value) = serde_json::from_str::<Value>(&text) else { return text.trim().to_owned() };
    let inner = &value["error"];
    let found = [text_at(inner, "message"), inner.as_str().unwrap_or_default()]
        .into_iter()
        .chain(["message", "detail"].map(|key| text_at(&value, key)))
        .find(|words| !words.is_empty());
    found.map_or_else(|| text.trim().to_owned(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    #[test]
    fn statuses() {
        for (status, said, expected) in [
            (200, "", Meaning::Reply),
            (307, "", Meaning::Redirect),
            (401, "no", Meaning::WrongKey),
            (403, "not in your country", Meaning::Refused),
            (404, "model: x", Meaning::NoModel),
            (404, "<html>", Meaning::Refused),
            (400, "Invalid model name", Meaning::NoModel),
            (400, "max_tokens is too large for this model", Meaning::Refused),
            (429, "", Meaning::Busy),
            (529, "Overloaded", Meaning::Busy),
        ] {
            assert_eq!(meaning(status, said), expected, "{status} {said}");
        }
    }

    #[test]
    fn waits() {
        let wait = |name: &'static str, value: &'static str| {
            asked_wait(&HeaderMap::from_iter([(
                reqwest::header::HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )]))
        };
        assert_eq!(wait("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(wait("retry-after-ms", "30"), Some(Duration::from_millis(30)));
        for odd in ["-1", "nan", "1e99", "soon", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            assert_eq!(wait("retry-after", odd), None, "{odd}");
        }
    }

    #[test]
    fn words() {
        for (body, words) in [
            ("{\"error\":{\"message\":\"a\"}}", "a"),
            ("{\"error\":\"b\"}", "b"),
            ("{\"detail\":\"c\"}", "c"),
            ("{\"detail\":[1]}", "{\"detail\":[1]}"),
            (" plain \n", "plain"),
        ] {
            assert_eq!(words_of(body.as_bytes()), words);
        }
    }
}

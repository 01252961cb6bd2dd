//! Where a provider answers: https anywhere, http on this machine only.
//!
//! Thread: any.

use std::net::IpAddr;
use url::Url;

/// Why an address cannot be used; worded to follow `base_url`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not a URL, or not one with a host.
    #[error("{0:?} is not a URL; write it like https://api.example.com/v1")]
    NotAUrl(String),
    /// Neither https nor http.
    #[error("{0} is not https; write https://…, or http:// for a server on this machine")]
    Scheme(String),
    /// http to another machine.
    #[error(
        "http:// to {0} would send the conversation and the key unprotected; use https:// \
         (http is for 127.0.0.1, ::1 and localhost)"
    )]
    Unprotected(String),
    /// A name or a password in the URL.
    #[error("the URL has a name or password in it; put the key into api_key_env or api_key_file")]
    Credentials,
}

/// Reads a base URL.
///
/// # Errors
///
/// [`AddressError`] if nothing may be sent there.
pub(super) fn read_address(text: &str) -> Result<Url, AddressError> {
    if text.contains('@') {
        return Err(AddressError::Credentials);
    }
    let url: Url = text.parse().map_err(|_| AddressError::NotAUrl(text.to_owned()))?;
    match url.scheme() {
        "https" => {}
        "http" if is_loopback(&url) => {}
        "http" => return Err(AddressError::Unprotected(host_of(&url))),
        other => return Err(AddressError::Scheme(other.to_owned())),
    }
    Ok(url)
}

/// Whether the host is this machine: 127.0.0.0/8, ::1, or the name `localhost`, which is never looked up.
#[must_use]
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    address.map_or_else(|_| host == "localhost", |address| address.is_loopback())
}

/// Host, and the port if it is not the scheme's own: what a person reads, and what a key is bound to.
#[must_use]
pub(super) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_anywhere_and_http_here() {
        for good in [
            "https://api.example.com/v1",
            "http://127.0.0.1:11434/v1",
            "http://127.9.9.9",
            "http://[::1]:8080/",
            "http://LOCALHOST:1234/v1",
        ] {
            assert!(read_address(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn what_is_refused_says_why() {
        let said: Vec<String> = [
            "api.example.com",
            "localhost:11434",
            "ftp://example.com",
            "http://example.com/v1",
            "http://127.0.0.1.evil.org",
            "http://[::ffff:127.0.0.1]",
            "http://0.0.0.0:8080",
            "http://localhost.evil.org",
            "https://name:word@example.com",
        ]
        .iter()
        .map(|bad| read_address(bad).unwrap_err().to_string())
        .collect();
        insta::assert_snapshot!(said.join("\n"));
    }
}

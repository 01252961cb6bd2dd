//! `[transcription]` in the person's configuration: where sound is sent to, and with which key.

use super::ServiceError;
use serde::Deserialize;
use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;
use url::Url;

/// The largest configuration that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Looks up a variable of the environment.
pub(super) type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

#[derive(Deserialize)]
struct File {
    transcription: Option<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    base_url: String,
    model: String,
    api_key_env: Option<String>,
}

/// A service that is ready to be asked.
pub(crate) struct Service {
    /// Where sound is posted to.
    pub(super) url: Url,
    pub(super) model: String,
    pub(super) key: Option<String>,
    host: String,
}

impl Service {
    /// The service that this person configured.
    pub(crate) fn of_this_user() -> Result<Self, ServiceError> {
        Self::read(&|name| std::env::var_os(name))
    }

    pub(super) fn read(environment: Environment<'_>) -> Result<Self, ServiceError> {
        let path = path(environment);
        let wrong = |problem: String| {
            ServiceError::Config(format!(
                "no transcription service is ready: {problem}; write [transcription] with base_url, model and \
                 api_key_env into {}",
                path.display()
            ))
        };
        let metadata = path.metadata().map_err(|error| wrong(error.to_string()))?;
        // Check the file type before opening: opening a pipe would block.
        if !metadata.is_file() {
            return Err(wrong("it is no file".into()));
        }
        let is_large = metadata.len() > MOST_BYTES;
        let text = if is_large { Ok(String::new()) } else { std::fs::read_to_string(&path) };
        let text = text.map_err(|error| wrong(error.to_string()))?;
        let file: File = toml::from_str(&text)
            .map_err(|error| wrong(error.message().lines().collect::<Vec<_>>().join(" ")))?;
        let written =
            file.transcription.ok_or_else(|| wrong("it has no [transcription]".into()))?;
        let base = address(&written.base_url).map_err(&wrong)?;
        let key = match &written.api_key_env {
            Some(name) => Some(key(name, environment).map_err(&wrong)?),
            None if is_loopback(&base) => None,
            None => return Err(wrong("api_key_env is missing".into())),
        };
        let whole = format!("{}/audio/transcriptions", base.as_str().trim_end_matches('/'));
        let url: Url = whole.parse().map_err(|_| wrong("base_url is no URL".into()))?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let host = url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        Ok(Self { url, model: written.model, key, host })
    }

    /// What tells it from other services and models.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.url, self.model)
    }

    /// Whether it answers on this machine.
    pub(crate) fn is_here(&self) -> bool {
        is_loopback(&self.url)
    }

    /// Where it answers, for people.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }
}

/// `DESKHAND_CONFIG`, else the usual file, as the conversation's providers have it.
fn path(environment: Environment<'_>) -> PathBuf {
    let named = environment("DESKHAND_CONFIG").filter(|path| !path.is_empty());
    if let Some(named) = named {
        return named.into();
    }
    let absolute = |name| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = if cfg!(windows) { absolute("APPDATA") } else { absolute("XDG_CONFIG_HOME") };
    let folder = folder.or_else(|| absolute("HOME").map(|home| home.join(".config")));
    folder.unwrap_or_default().join("deskhand").join("config.toml")
}

/// https anywhere, http on this machine only.
fn address(text: &str) -> Result<Url, String> {
    if text.contains('@') {
        return Err("base_url has a name or a password in it".into());
    }
    let url: Url = text.parse().map_err(|_| format!("base_url {text:?} is no URL"))?;
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        _ => Err(format!(
            "base_url {text:?} would send the sound unprotected, use https:// (http is for 127.0.0.1, ::1 and \
             localhost)"
        )),
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    address.map_or_else(|_| host == "localhost", |address| address.is_loopback())
}

fn key(name: &str, environment: Environment<'_>) -> Result<String, String> {
    let value = environment(name).and_then(|value| value.into_string().ok()).unwrap_or_default();
    let value = value.trim();
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(format!("the variable {name} holds no key"));
    }
    Ok(value.to_owned())
}

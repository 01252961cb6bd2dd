//! The person's configuration: which providers there are, and which one is the default.
//!
//! Thread: any. `DESKHAND_CONFIG`, else `$XDG_CONFIG_HOME/deskhand/config.toml`, else
//! `~/.config/deskhand/config.toml` (Windows: `%APPDATA%\deskhand\config.toml`). Without a file nothing is
//! configured, and the offline planner is the default.
//!
//! ```toml
//! default = "claude"             # a name below, or "offline"; without it: offline
//!
//! [providers.claude]
//! kind = "anthropic"             # anthropic | openai | offline
//! model = "claude-sonnet-4-5"
//! api_key_env = "ANTHROPIC_API_KEY"   # or api_key_file = "~/keys/claude" (mode 0600)
//!
//! [providers.here]
//! kind = "openai"
//! base_url = "http://127.0.0.1:11434/v1"
//! model = "qwen3"
//! max_tokens = 8192              # of one reply
//! turn_budget = 30               # replies to one message of the person
//! token_budget = 500000          # tokens, read and written, for one message of the person
//!
//! [policy]                       # read by the bridge
//! ```

use super::address::{AddressError, host_of};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use url::Url;

/// The variable that names another file.
const VARIABLE: &str = "DESKHAND_CONFIG";

/// Looks up an environment variable; [`process_environment`] outside of tests.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The variable of this process.
#[must_use]
pub fn process_environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// What the person configured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The provider to use when none is named.
    pub default: Option<String>,
    /// The providers by name.
    pub providers: BTreeMap<String, ProviderConfig>,
    /// `[policy]`, as it stands; its reader checks it.
    pub policy: toml::Table,
    /// The file it was read from, or would be.
    pub path: PathBuf,
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The Anthropic Messages API.
    Anthropic,
    /// Chat completions as OpenAI, Ollama, llama.cpp, vLLM and others serve them.
    OpenAi,
    /// The offline planner.
    Offline,
}

impl Kind {
    /// Where it answers when no `base_url` is set.
    pub(super) const fn usual_address(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Offline => "",
        }
    }

    /// The variable with the key for the usual address.
    const fn usual_variable(self) -> &'static str {
        match self {
            Self::Anthropic => "ANTHROPIC_API_KEY",
            Self::OpenAi => "OPENAI_API_KEY",
            Self::Offline => "",
        }
    }
}

/// Where a key comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// Nothing was said.
    None,
    /// An environment variable.
    Env(String),
    /// A file that its owner alone can read.
    File(PathBuf),
}

/// One provider that is a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelConfig {
    /// The base URL: https, or http on this machine.
    pub base_url: Url,
    /// The model's name there.
    pub model: String,
    /// Where its key comes from.
    pub key: KeySource,
    /// The most tokens of one reply.
    pub max_tokens: u32,
    /// What one message of the person may cost.
    pub budget: Budget,
}

/// What one message of the person may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Replies of the model.
    pub turns: u32,
    /// Tokens, read and written.
    pub tokens: u64,
}

/// One provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderConfig {
    /// The offline planner under another name.
    Offline,
    /// The Anthropic Messages API.
    Anthropic(ModelConfig),
    /// OpenAI-compatible chat completions.
    OpenAi(ModelConfig),
}

impl ModelConfig {
    /// The key's source; the vendor's usual variable only for the vendor's own host.
    pub(super) fn key_source(&self, kind: Kind) -> KeySource {
        let usual = kind.usual_address().parse::<Url>().map(|url| host_of(&url));
        match &self.key {
            KeySource::None if usual.is_ok_and(|host| host == host_of(&self.base_url)) => {
                KeySource::Env(kind.usual_variable().to_owned())
            }
            source => source.clone(),
        }
    }
}

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file that a variable names is not there.
    #[error("{VARIABLE} names {}, which does not exist; create it, or unset the variable", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error("{} cannot be read: {error}; check that it is a text file of yours", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is not TOML.
    #[error("{} line {line}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A key that means nothing.
    #[error("{} line {line}: `{key}` means nothing here; {meant}", path.display())]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// What could be meant.
        meant: String,
    },
    /// A value that cannot be.
    #[error("{} line {line}: `{key}` {problem}", path.display())]
    BadValue {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// What is wrong, and what is right.
        problem: String,
    },
    /// An address that cannot be used.
    #[error("{} line {line}: `base_url`: {error}", path.display())]
    Address {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: AddressError,
    },
}

impl Config {
    /// Reads the person's configuration; a file that is not there is an empty one.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], which names the file, the line and the way out.
    pub fn load(environment: Environment<'_>) -> Result<Self, ConfigError> {
        let path = path(environment);
        let named = named(environment).is_some();
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text, &path, environment),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && named => {
                Err(ConfigError::Missing { path })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok(Self { path, ..Self::default() })
            }
            Err(error) => Err(ConfigError::Unreadable { path, error }),
        }
    }

    /// The configuration as its file has it now; while there is no file it stays as it is.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], which names the file, the line and the way out.
    pub fn again(&self, environment: Environment<'_>) -> Result<Self, ConfigError> {
        match std::fs::read_to_string(&self.path) {
            Ok(text) => Self::parse(&text, &self.path, environment),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(self.clone()),
            Err(error) => Err(ConfigError::Unreadable { path: self.path.clone(), error }),
        }
    }
}

/// Where the configuration stands, or would.
#[must_use]
pub fn path(environment: Environment<'_>) -> PathBuf {
    if let Some(named) = named(environment) {
        return named;
    }
    let absolute = |name| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = if cfg!(windows) { absolute("APPDATA") } else { absolute("XDG_CONFIG_HOME") };
    let folder = folder.or_else(|| home(environment).map(|home| home.join(".config")));
    folder.unwrap_or_default().join("deskhand").join("config.toml")
}

/// The file that the variable names; an empty variable names none.
fn named(environment: Environment<'_>) -> Option<PathBuf> {
    environment(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The person's home.
pub(super) fn home(environment: Environment<'_>) -> Option<PathBuf> {
    environment(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from)
}

//! Chooses a provider and makes it ready: host, reach and key are checked before anything is sent.
//!
//! Thread: any.

use super::address::{host_of, is_loopback};
use super::config::{Budget, Config, Environment, KeySource, Kind, ModelConfig, ProviderConfig};
use super::error::{Place, ProviderError};
use super::http::{self, Client, Endpoint, Wire};
use super::key::{self, KeyError};
use super::manage::is_usual;
use super::openai::LimitField;
use super::secret::Secret;
use super::turn::{Limits, Listener, Reply, TurnRequest};
use url::Url;

/// The name under which the planner can always be had.
const OFFLINE: &str = "offline";

/// How far a conversation may reach: a switch of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Wherever the configuration says.
    Anywhere,
    /// This machine only.
    LocalOnly,
}

/// Why a provider cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No provider has that name.
    #[error("there is no provider {name:?}; there is {known}; providers are named in {config}")]
    Unknown {
        /// The name.
        name: String,
        /// What there is.
        known: String,
        /// The configuration file.
        config: String,
    },
    /// It is one of the usual ones, and nothing in the configuration says more of it.
    #[error("{0} has no key yet; give it one with `deskhand providers key {0}`")]
    NotSetUp(String),
    /// The session may not reach that far.
    #[error(
        "provider {name} is at {host}, and this session is local only; use a provider on this machine \
         or offline, or turn local only off"
    )]
    LocalOnly {
        /// The name.
        name: String,
        /// The host.
        host: String,
    },
    /// There is no key.
    #[error("provider {name} ({host}): {error}")]
    Key {
        /// The name.
        name: String,
        /// The host.
        host: String,
        /// Why.
        error: KeyError,
    },
    /// The system has no certificates, or the like.
    #[error(
        "provider {name}: no secure connections can be made: {why}; install the system's CA certificates"
    )]
    Client {
        /// The name.
        name: String,
        /// What is wrong.
        why: String,
    },
}

/// Who answers.
#[derive(Debug)]
pub enum Chosen {
    /// The offline planner.
    Offline,
    /// A model.
    Model(Box<Provider>),
}

/// A model that is ready to answer.
#[derive(Debug)]
pub struct Provider {
    endpoint: Endpoint,
    max_tokens: u32,
    budget: Budget,
}

impl Provider {
    /// Makes the provider of that name ready, or the default; sends nothing.
    ///
    /// # Errors
    ///
    /// [`OpenError`], which names the provider and the way out.
    pub fn open(
        config: &Config,
        name: Option<&str>,
        reach: Reach,
        environment: Environment<'_>,
    ) -> Result<Chosen, OpenError> {
        let name = name.or(config.default.as_deref()).unwrap_or(OFFLINE);
        let (kind, model) = match config.providers.get(name) {
            Some(ProviderConfig::Offline) => return Ok(Chosen::Offline),
            None if name == OFFLINE => return Ok(Chosen::Offline),
            None if is_usual(config, name) => return Err(OpenError::NotSetUp(name.to_owned())),
            None => return Err(unknown(config, name)),
            Some(ProviderConfig::Anthropic(model)) => (Kind::Anthropic, model),
            Some(ProviderConfig::OpenAi(model)) => (Kind::OpenAi, model),
        };
        let limits = Limits::default();
        let endpoint = endpoint(name, kind, model, reach, environment, limits)?;
        let (max_tokens, budget) = (model.max_tokens, model.budget);
        Ok(Chosen::Model(Box::new(Self { endpoint, max_tokens, budget })))
    }

    /// The same provider within other bounds; those of [`Limits::default`] hold otherwise.
    ///
    /// # Errors
    ///
    /// [`OpenError::Client`].
    pub fn with_limits(mut self, limits: Limits) -> Result<Self, OpenError> {
        self.endpoint.client = client(&self.endpoint.place.provider, &self.endpoint.url, &limits)?;
        self.endpoint.limits = limits;
        Ok(self)
    }

    /// Asks the model for one reply. Dropping the future cancels it: the connection closes, and nothing is
    /// left to clean up. Attempts are repeated only while no word has been told.
    ///
    /// # Errors
    ///
    /// [`ProviderError`]; the history stays as it was.
    pub async fn turn(
        &self,
        request: &TurnRequest<'_>,
        listener: Listener<'_>,
    ) -> Result<Reply, ProviderError> {
        self.endpoint.turn(request, listener).await
    }

    /// The names of the models that can be had through it, as it tells them.
    ///
    /// # Errors
    ///
    /// [`ProviderError`].
    pub async fn models(&self) -> Result<Vec<String>, ProviderError> {
        self.endpoint.models().await
    }

    /// Its name in the configuration.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.endpoint.place.provider
    }

    /// Where it answers: host, and the port if it is not the scheme's own.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.endpoint.place.host
    }

    /// The model's name.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.endpoint.model
    }

    /// The most tokens of one reply.
    #[must_use]
    pub const fn max_tokens(&self) -> u32 {
        self.max_tokens
    }

    /// What one message of the person may cost.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        self.budget
    }
}

fn unknown(config: &Config, name: &str) -> OpenError {
    let mut known: Vec<&str> = config.providers.keys().map(String::as_str).collect();
    if !known.contains(&OFFLINE) {
        known.push(OFFLINE);
    }
    OpenError::Unknown {
        name: name.to_owned(),
        known: known.join(", "),
        config: config.path.display().to_string(),
    }
}

fn endpoint(
    name: &str,
    kind: Kind,
    config: &ModelConfig,
    reach: Reach,
    environment: Environment<'_>,
    limits: Limits,
) -> Result<Endpoint, OpenError> {
    let base = &config.base_url;
    let place = Place { provider: name.to_owned(), host: host_of(base) };
    if reach == Reach::LocalOnly && !is_loopback(base) {
        return Err(OpenError::LocalOnly { name: place.provider, host: place.host });
    }
    let source = config.key_source(kind);
    let key = match &source {
        KeySource::None if is_loopback(base) => None,
        source => Some(key::fetch(source, environment).map_err(|error| {
            let Place { provider: name, host } = place.clone();
            OpenError::Key { name, host, error }
        })?),
    };
    let url = url_of(kind, base);
    Ok(Endpoint {
        wire: wire_of(kind, base),
        key: key.map(|key| Secret::new(key, &url)),
        source_of_key: key::describe(&source),
        client: client(name, &url, &limits)?,
        url,
        model: config.model.clone(),
        place,
        limits,
    })
}

fn client(name: &str, url: &Url, limits: &Limits) -> Result<Client, OpenError> {
    http::client(url, limits)
        .map_err(|error| OpenError::Client { name: name.to_owned(), why: http::reason(error) })
}

/// OpenAI's own newer models refuse the older name of the limit.
fn wire_of(kind: Kind, base: &Url) -> Wire {
    match kind {
        Kind::Anthropic | Kind::Offline => Wire::Anthropic,
        Kind::OpenAi if host_of(base) == "api.openai.com" => {
            Wire::OpenAi(LimitField::MaxCompletionTokens)
        }
        Kind::OpenAi => Wire::OpenAi(LimitField::MaxTokens),
    }
}

/// The base URL with the path of the wire format behind it; a query stays.
fn url_of(kind: Kind, base: &Url) -> Url {
    let mut url = base.clone();
    let ends_in_version = base.path().trim_end_matches('/').ends_with("/v1");
    let path: &[&str] = match kind {
        Kind::Anthropic if ends_in_version => &["messages"],
        Kind::Anthropic | Kind::Offline => &["v1", "messages"],
        Kind::OpenAi => &["chat", "completions"],
    };
    // Only a URL that cannot have a path fails, and `read_address` lets none through.
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    url
}

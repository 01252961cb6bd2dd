//! Reads the text of a configuration: every key is known, or is named with its line.
//!
//! Thread: any.

use super::address::read_address;
use super::config::{
    Budget, Config, ConfigError, Environment, KeySource, Kind, ModelConfig, ProviderConfig, home,
};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use url::Url;

// `[transcription]` is read by who sends sound.
const TOP_KEYS: &[&str] = &["default", "providers", "policy", "transcription"];
const PROVIDER_KEYS: &[&str] = &[
    "kind",
    "base_url",
    "model",
    "api_key_env",
    "api_key_file",
    "max_tokens",
    "turn_budget",
    "token_budget",
];
const KINDS: &[&str] = &["anthropic", "openai", "offline"];

const USUAL_MAX_TOKENS: u32 = 8_192;
const USUAL_TURNS: u32 = 30;
const USUAL_TOKENS: u64 = 500_000;

/// A value and where it stands.
type Value<'t> = Spanned<DeValue<'t>>;

/// The file while it is read: what messages and paths need.
struct File<'a> {
    text: &'a str,
    path: &'a Path,
    environment: Environment<'a>,
}

impl Config {
    /// Reads the text of a configuration; `path` is for messages and for files beside it.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], which names the file, the line and the way out.
    pub fn parse(
        text: &str,
        path: &Path,
        environment: Environment<'_>,
    ) -> Result<Self, ConfigError> {
        let file = File { text, path, environment };
        let root = DeTable::parse(text).map_err(|error| file.syntax(&error))?;
        let root = root.get_ref();
        file.known_keys(root, TOP_KEYS)?;
        let mut config = Self { path: path.to_owned(), ..Self::default() };
        if let Some(value) = root.get("default") {
            config.default = Some(file.string("default", value)?);
        }
        if let Some(value) = root.get("providers") {
            for (name, value) in file.table("providers", value)? {
                let provider = file.provider(&format!("providers.{}", name.get_ref()), value)?;
                config.providers.insert(name.get_ref().to_string(), provider);
            }
        }
        if root.contains_key("policy") {
            let mut table: toml::Table =
                toml::from_str(text).map_err(|error| file.syntax(&error))?;
            if let Some(toml::Value::Table(policy)) = table.remove("policy") {
                config.policy = policy;
            }
        }
        Ok(config)
    }
}

impl File<'_> {
    fn provider(&self, name: &str, value: &Value<'_>) -> Result<ProviderConfig, ConfigError> {
        let table = self.table(name, value)?;
        self.known_keys(table, PROVIDER_KEYS)?;
        let Some(kind) = table.get("kind") else {
            return Err(self.bad(
                value,
                &format!("{name}.kind"),
                format!("is missing; {}", one_of()),
            ));
        };
        match self.kind(kind)? {
            Kind::Offline => Ok(ProviderConfig::Offline),
            Kind::Anthropic => {
                Ok(ProviderConfig::Anthropic(self.model(name, value, table, Kind::Anthropic)?))
            }
            Kind::OpenAi => {
                Ok(ProviderConfig::OpenAi(self.model(name, value, table, Kind::OpenAi)?))
            }
        }
    }

    fn kind(&self, value: &Value<'_>) -> Result<Kind, ConfigError> {
        match self.string("kind", value)?.as_str() {
            "anthropic" => Ok(Kind::Anthropic),
            "openai" => Ok(Kind::OpenAi),
            "offline" => Ok(Kind::Offline),
            other => Err(self.bad(value, "kind", format!("cannot be {other:?}; {}", one_of()))),
        }
    }

    fn model(
        &self,
        name: &str,
        whole: &Value<'_>,
        table: &DeTable<'_>,
        kind: Kind,
    ) -> Result<ModelConfig, ConfigError> {
        let Some(model) = table.get("model") else {
            let problem = "is missing; set it to a model that the provider has";
            return Err(self.bad(whole, &format!("{name}.model"), problem.to_owned()));
        };
        Ok(ModelConfig {
            base_url: self.address(table, kind)?,
            model: self.string("model", model)?,
            key: self.key(table)?,
            max_tokens: self.number(table, "max_tokens", USUAL_MAX_TOKENS)?,
            budget: Budget {
                turns: self.number(table, "turn_budget", USUAL_TURNS)?,
                tokens: self.number(table, "token_budget", USUAL_TOKENS)?,
            },
        })
    }

    fn address(&self, table: &DeTable<'_>, kind: Kind) -> Result<Url, ConfigError> {
        let (text, line) = match table.get("base_url") {
            Some(value) => (self.string("base_url", value)?, self.line(value.span().start)),
            None => (kind.usual_address().to_owned(), 0),
        };
        let path = self.path.to_owned();
        read_address(&text).map_err(|error| ConfigError::Address { path, line, error })
    }

    fn key(&self, table: &DeTable<'_>) -> Result<KeySource, ConfigError> {
        match (table.get("api_key_env"), table.get("api_key_file")) {
            (None, None) => Ok(KeySource::None),
            (Some(value), None) => self.variable(value),
            (None, Some(value)) => {
                Ok(KeySource::File(self.resolved(&self.string("api_key_file", value)?)))
            }
            (Some(_), Some(value)) => {
                let problem = "and `api_key_env` are both set; keep one".to_owned();
                Err(self.bad(value, "api_key_file", problem))
            }
        }
    }

    /// The name of a variable; a key that was written in its place is not repeated.
    fn variable(&self, value: &Value<'_>) -> Result<KeySource, ConfigError> {
        let name = self.string("api_key_env", value)?;
        let letters = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        if !name.is_empty() && name.len() <= 100 && name.bytes().all(letters) {
            return Ok(KeySource::Env(name));
        }
        let problem = "is the name of an environment variable (A-Z, 0-9, _), not the key itself";
        Err(self.bad(value, "api_key_env", problem.to_owned()))
    }

    /// A path: `~/` is the home, and what is not absolute stands beside the configuration.
    fn resolved(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), home(self.environment)) {
            (Some(rest), Some(home)) => home.join(rest),
            (Some(_), None) | (None, _) => {
                self.path.parent().unwrap_or_else(|| Path::new("")).join(path)
            }
        }
    }

    fn number<N: TryFrom<i64>>(
        &self,
        table: &DeTable<'_>,
        key: &str,
        usual: N,
    ) -> Result<N, ConfigError> {
        let Some(value) = table.get(key) else { return Ok(usual) };
        let number = value.get_ref().as_integer().and_then(|number| {
            i64::from_str_radix(number.as_str(), number.radix()).ok().filter(|number| *number > 0)
        });
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
            self.bad(value, key, "is not a whole number of 1 or more that fits".to_owned())
        })
    }

    fn string(&self, key: &str, value: &Value<'_>) -> Result<String, ConfigError> {
        let text = value.get_ref().as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned)
            .ok_or_else(|| self.bad(value, key, "is not text; write it in quotes".to_owned()))
    }

    fn table<'v, 't>(
        &self,
        key: &str,
        value: &'v Value<'t>,
    ) -> Result<&'v DeTable<'t>, ConfigError> {
        value
            .get_ref()
            .as_table()
            .ok_or_else(|| self.bad(value, key, format!("is not a table; write [{key}]")))
    }

    fn known_keys(&self, table: &DeTable<'_>, known: &[&str]) -> Result<(), ConfigError> {
        let unknown = |key: &&Spanned<_>| {
            let key: &std::borrow::Cow<'_, str> = key.get_ref();
            !known.contains(&&**key)
        };
        let Some(key) = table.keys().find(|key| unknown(key)) else { return Ok(()) };
        Err(ConfigError::UnknownKey {
            path: self.path.to_owned(),
            line: self.line(key.span().start),
            key: key.get_ref().to_string(),
            meant: meant(key.get_ref(), known),
        })
    }

    fn bad(&self, value: &Value<'_>, key: &str, problem: String) -> ConfigError {
        let line = self.line(value.span().start);
        ConfigError::BadValue { path: self.path.to_owned(), line, key: key.to_owned(), problem }
    }

    fn syntax(&self, error: &toml::de::Error) -> ConfigError {
        let line = self.line(error.span().map_or(0, |span| span.start));
        let message = error.message().replace('\n', ", ");
        ConfigError::Syntax { path: self.path.to_owned(), line, message }
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }
}

fn one_of() -> String {
    format!("it is one of {}", KINDS.join(", "))
}

/// The nearest known key, or all of them.
fn meant(key: &str, known: &[&str]) -> String {
    let near = |name: &&&str| strsim::normalized_damerau_levenshtein(key, name) >= 0.5;
    let closeness = |name: &&&str| (strsim::normalized_damerau_levenshtein(key, name) * 1e6) as u64;
    known.iter().filter(near).max_by_key(closeness).map_or_else(
        || format!("known are {}", known.join(", ")),
        |name| format!("did you mean `{name}`?"),
    )
}

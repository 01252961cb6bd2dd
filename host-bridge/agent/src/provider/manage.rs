//! Who answers: the providers in the person's configuration, and what the person changes about them in a window or
//! at the command line. A key goes into a file of its own, which its owner alone can read.
//!
//! Thread: any but a window's: files are read and written, and a test talks to the network.

mod server;

pub use server::add_server;

use super::config::{
    Config, ConfigError, Environment, KeySource, ModelConfig, ProviderConfig, path,
};
use super::message::Message;
use super::open::{Chosen, OpenError, Provider, Reach};
use super::turn::{Limits, TurnEvent, TurnRequest};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use toml_edit::{DocumentMut, Item, Table, value};

/// What works without a model.
const OFFLINE: &str = "offline";
/// Beside the configuration: keys that were pasted.
const KEYS: &str = "keys";
/// The longest name of a model, bytes.
const LONGEST: usize = 200;
/// Longest wait of a test.
const PATIENCE: Duration = Duration::from_secs(20);

/// A vendor that is offered while the configuration has none of its kind.
struct Usual {
    id: &'static str,
    kind: &'static str,
    model: &'static str,
}

const USUAL: [Usual; 2] = [
    Usual { id: "claude", kind: "anthropic", model: "claude-sonnet-4-5" },
    Usual { id: "openai", kind: "openai", model: "gpt-5" },
];

/// A provider that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// Its id in the configuration.
    pub id: String,
    /// The model that answers through it.
    pub model: String,
    /// It runs on this machine.
    pub is_local: bool,
    /// It needs a key.
    pub needs_key: bool,
    /// It has one.
    pub has_key: bool,
}

/// The providers there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Offers {
    /// Those of the configuration, and the usual ones that it does not have.
    pub providers: Vec<Offer>,
    /// The one that answers; none is the offline planner.
    pub default: Option<String>,
}

/// Why the providers cannot be read, or changed.
#[derive(Debug, thiserror::Error)]
pub enum ManageError {
    /// The configuration is not usable.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No provider has that id.
    #[error("there is no provider {id:?}; there is {known}, and offline")]
    Unknown {
        /// The id.
        id: String,
        /// What there is.
        known: String,
    },
    /// A name that no model has.
    #[error(
        "{0:?} is no name of a model; see `deskhand providers test ID` for those of a provider"
    )]
    Model(String),
    /// A name that no file can have.
    #[error(
        "a key for {0:?} cannot be kept: name the provider with letters, digits, _ and - in {path}",
        path = .1.display()
    )]
    Name(String, PathBuf),
    /// The file cannot be written.
    #[error("{path} cannot be written: {error}; check that the folder is yours and has room", path = .path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// The providers of the configuration, and the usual ones that it does not have.
///
/// # Errors
/// When the configuration cannot be read.
pub fn offers(environment: Environment<'_>) -> Result<Offers, ManageError> {
    let config = Config::load(environment)?;
    let configured = config.providers.iter().filter_map(|(id, provider)| match provider {
        ProviderConfig::Offline => None,
        ProviderConfig::Anthropic(model) | ProviderConfig::OpenAi(model) => {
            Some(offer(&config, id, model, environment))
        }
    });
    let missing = USUAL.iter().filter(|usual| !has_kind(&config, usual));
    let missing = missing.map(|usual| Offer {
        id: usual.id.into(),
        model: usual.model.into(),
        is_local: false,
        needs_key: true,
        has_key: false,
    });
    let providers: Vec<_> = configured.chain(missing).collect();
    let default = config.default.filter(|id| providers.iter().any(|known| known.id == *id));
    Ok(Offers { providers, default })
}

fn offer(config: &Config, id: &str, model: &ModelConfig, environment: Environment<'_>) -> Offer {
    let open = |reach| Provider::open(config, Some(id), reach, environment).err();
    let is_local = !matches!(open(Reach::LocalOnly), Some(OpenError::LocalOnly { .. }));
    let needs_key = !(is_local && model.key == KeySource::None);
    let has_key = needs_key && !matches!(open(Reach::Anywhere), Some(OpenError::Key { .. }));
    Offer { id: id.into(), model: model.model.clone(), is_local, needs_key, has_key }
}

/// Whether this is a usual provider that the configuration does not have.
pub(super) fn is_usual(config: &Config, id: &str) -> bool {
    USUAL.iter().any(|usual| usual.id == id && !has_kind(config, usual))
}

fn has_kind(config: &Config, usual: &Usual) -> bool {
    config.providers.contains_key(usual.id)
        || config.providers.values().any(|provider| match provider {
            ProviderConfig::Anthropic(_) => usual.kind == "anthropic",
            ProviderConfig::OpenAi(_) => usual.kind == "openai",
            ProviderConfig::Offline => false,
        })
}

/// Another provider answers from now on; none is the offline planner. A hub that runs reads it at the next turn.
///
/// # Errors
/// When there is none of that id, or the configuration cannot be written.
pub fn choose(id: Option<&str>, environment: Environment<'_>) -> Result<(), ManageError> {
    let id = id.filter(|id| *id != OFFLINE);
    id.map_or(Ok(()), |id| is_known(id, environment))?;
    edit(environment, |text| {
        if let Some(id) = id {
            make_usual(text, id);
        }
        text["default"] = value(id.unwrap_or(OFFLINE));
    })
}

/// Another model answers through a provider from now on.
///
/// # Errors
/// When there is no such provider, the name is none, or the configuration cannot be written.
pub fn set_model(id: &str, model: &str, environment: Environment<'_>) -> Result<(), ManageError> {
    is_known(id, environment)?;
    let model = model.trim();
    if model.is_empty() || model.len() > LONGEST || model.chars().any(char::is_control) {
        return Err(ManageError::Model(model.chars().take(40).collect()));
    }
    edit(environment, |text| {
        make_usual(text, id);
        if let Some(provider) = text["providers"][id].as_table_like_mut() {
            provider.insert("model", value(model));
        }
    })
}

fn is_known(id: &str, environment: Environment<'_>) -> Result<(), ManageError> {
    let all = offers(environment)?.providers;
    if all.iter().any(|known| known.id == id) {
        return Ok(());
    }
    let known: Vec<String> = all.into_iter().map(|known| known.id).collect();
    Err(ManageError::Unknown { id: id.into(), known: known.join(", ") })
}

/// Keeps a key for a provider, in a file that its owner alone can read.
///
/// # Errors
/// When there is no such provider, or a file cannot be written.
pub fn keep_key(id: &str, key: &str, environment: Environment<'_>) -> Result<(), ManageError> {
    is_known(id, environment)?;
    let config = path(environment);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if id.is_empty() || !id.chars().all(is_plain) {
        return Err(ManageError::Name(id.into(), config));
    }
    write(&config.with_file_name(KEYS).join(id), &format!("{key}\n"))?;
    edit(environment, |text| {
        make_usual(text, id);
        let provider = &mut text["providers"][id];
        if let Some(provider) = provider.as_table_like_mut() {
            provider.remove("api_key_env");
            provider.insert("api_key_file", value(format!("{KEYS}/{id}")));
        }
    })
}

/// Puts a usual provider into the configuration when it is not there.
fn make_usual(text: &mut DocumentMut, id: &str) {
    let Some(usual) = USUAL.iter().find(|usual| usual.id == id) else { return };
    let mut folder = Table::new();
    folder.set_implicit(true);
    let providers = text.entry("providers").or_insert(Item::Table(folder));
    let Some(providers) = providers.as_table_like_mut() else { return };
    if !providers.contains_key(id) {
        let mut provider = Table::new();
        provider.insert("kind", value(usual.kind));
        provider.insert("model", value(usual.model));
        providers.insert(id, Item::Table(provider));
    }
}

/// Changes the configuration; what else stands in it, comments too, stays.
fn edit(
    environment: Environment<'_>,
    change: impl FnOnce(&mut DocumentMut),
) -> Result<(), ManageError> {
    Config::load(environment)?;
    let file = path(environment);
    let text = fs::read_to_string(&file).unwrap_or_default();
    let broken = |error: toml_edit::TomlError| {
        let message = error.message().to_owned();
        ConfigError::Syntax { path: file.clone(), line: 1, message }
    };
    let mut text: DocumentMut = text.parse().map_err(broken)?;
    change(&mut text);
    let text = text.to_string();
    // What is written can be read.
    Config::parse(&text, &file, environment)?;
    // A link stays a link.
    write(&file.canonicalize().unwrap_or(file), &text)
}

/// Writes a file whole or not at all, readable by its owner alone.
fn write(path: &Path, text: &str) -> Result<(), ManageError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.as_file().sync_all()?;
        new.persist(path).map_err(|failed| failed.error)
    });
    let unwritten = |error| ManageError::Unwritten { path: path.to_owned(), error };
    written.map(drop).map_err(unwritten)
}

/// What came of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tested {
    /// In words.
    pub said: String,
    /// Whether the model answered.
    pub answers: bool,
    /// The models that can be had through it, as far as it tells.
    pub models: Vec<String>,
}

/// Sends a provider one word, and asks which models it has. It takes at most 40 s.
#[must_use]
pub fn test(id: &str, reach: Reach, environment: Environment<'_>) -> Tested {
    let failed = |said| Tested { said, ..Tested::default() };
    let opened = opened(id, reach, environment);
    let (model, config) = match opened {
        Ok(Some(opened)) => opened,
        Ok(None) => return failed("It works without a model.".into()),
        Err(why) => return failed(why),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return failed(error.to_string()),
    };
    let answer = runtime.block_on(ask(&model, &config));
    // Those that a model may be chosen from are told where the one that is set is not there, too.
    let models = runtime.block_on(model.models()).unwrap_or_default();
    let answers = answer.is_ok();
    Tested { said: answer.unwrap_or_else(|why| why), answers, models }
}

fn opened(
    id: &str,
    reach: Reach,
    environment: Environment<'_>,
) -> Result<Option<(Provider, PathBuf)>, String> {
    let config = Config::load(environment).map_err(|error| error.to_string())?;
    let chosen = Provider::open(&config, Some(id), reach, environment);
    let Chosen::Model(model) = chosen.map_err(|error| error.to_string())? else { return Ok(None) };
    let limits = Limits { attempts: 1, first_byte: PATIENCE, whole: PATIENCE, ..Limits::default() };
    let model = model.with_limits(limits).map_err(|error| error.to_string())?;
    Ok(Some((model, config.path)))
}

async fn ask(model: &Provider, config: &Path) -> Result<String, String> {
    let mut listener = |event: TurnEvent<'_>| {
        if let TurnEvent::Sent(sent) = event {
            sent.keep_beside(config);
        }
    };
    let messages = [Message::user("Say ok.")];
    let request = TurnRequest { system: "", messages: &messages, tools: &[], max_tokens: 64 };
    let started = Instant::now();
    let reply = model.turn(&request, &mut listener).await;
    reply.map_err(|error| error.to_string())?;
    Ok(format!("{} answers, after {:.1} s.", model.model(), started.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::net::TcpListener;

    fn home(dir: &Path) -> impl Fn(&str) -> Option<OsString> {
        let file = dir.join("deskhand/config.toml");
        let folder = file.parent().unwrap().to_owned();
        fs::create_dir_all(&folder).unwrap();
        move |name| match name {
            "XDG_CONFIG_HOME" | "APPDATA" => Some(folder.parent()?.into()),
            _ => None,
        }
    }

    fn ids(known: &Offers) -> Vec<(&str, bool, bool)> {
        let all = known.providers.iter();
        all.map(|it| (it.id.as_str(), it.needs_key, it.has_key)).collect()
    }

    #[test]
    fn a_key_that_was_pasted_serves_a_provider_that_was_chosen() {
        let dir = tempfile::tempdir().unwrap();
        let at = home(dir.path());
        let before = offers(&at).unwrap();
        assert_eq!(ids(&before), [("claude", true, false), ("openai", true, false)]);
        assert_eq!(before.default, None);
        choose(Some("claude"), &at).unwrap();
        assert_eq!(ids(&offers(&at).unwrap())[0], ("claude", true, false));
        keep_key("claude", "sk-canary-1", &at).unwrap();
        let after = offers(&at).unwrap();
        assert_eq!(ids(&after), [("claude", true, true), ("openai", true, false)]);
        assert_eq!(after.default.as_deref(), Some("claude"));
        let file = dir.path().join("deskhand/config.toml");
        assert!(!fs::read_to_string(&file).unwrap().contains("canary"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let key = fs::metadata(dir.path().join("deskhand/keys/claude")).unwrap();
            assert_eq!(key.permissions().mode() & 0o777, 0o600);
        }
        choose(None, &at).unwrap();
        assert_eq!(offers(&at).unwrap().default, None);
    }

    #[test]
    fn what_else_is_configured_stays_and_a_broken_file_is_not_touched() {
        let dir = tempfile::tempdir().unwrap();
        let at = home(dir.path());
        let file = dir.path().join("deskhand/config.toml");
        let text = "# mine\n[providers.here] # local\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\n[policy]\ndeny = [\"x\"]\n";
        fs::write(&file, text).unwrap();
        let known = offers(&at).unwrap();
        assert_eq!(ids(&known), [("here", false, false), ("claude", true, false)]);
        assert!(known.providers[0].is_local);
        choose(Some("here"), &at).unwrap();
        let now = fs::read_to_string(&file).unwrap();
        assert!(now.contains("# mine\n") && now.contains("# local\n") && now.contains("[policy]"));
        fs::write(&file, "defualt = 1").unwrap();
        let refused = keep_key("claude", "k", &at).unwrap_err().to_string();
        assert!(refused.contains("did you mean `default`"), "{refused}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "defualt = 1");
    }

    #[test]
    fn a_test_says_what_came_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let at = home(dir.path());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let text = format!(
            "[providers.here]\nkind = \"openai\"\nmodel = \"small\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n"
        );
        fs::write(dir.path().join("deskhand/config.toml"), text).unwrap();
        let answer = std::thread::spawn(move || answer_once(&listener));
        let tested = test("here", Reach::LocalOnly, &at);
        answer.join().unwrap();
        assert!(tested.said.starts_with("small answers, after "), "{tested:?}");
        assert!(tested.answers);
        assert_eq!(tested.models, ["large", "small"]);
        set_model("here", "large", &at).unwrap();
        assert_eq!(offers(&at).unwrap().providers[0].model, "large");
        assert!(set_model("here", " ", &at).unwrap_err().to_string().contains("no name"));
        assert!(choose(Some("nobody"), &at).unwrap_err().to_string().contains("there is here"));
        let log = fs::read_to_string(dir.path().join("deskhand/sent.log")).unwrap();
        assert!(log.contains("127.0.0.1"), "{log}");
        choose(Some("claude"), &at).unwrap();
        assert!(test("claude", Reach::LocalOnly, &at).said.contains("local only"));
        assert!(test("claude", Reach::Anywhere, &at).said.contains("no key"));
    }

    /// A provider that says "ok" once, as a stream, and then which models it has.
    fn answer_once(listener: &TcpListener) {
        let body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"},\"finish_reason\":null}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
        assert!(
            serve(listener, "text/event-stream", body).starts_with("POST /v1/chat/completions")
        );
        let body =
            "{\"object\":\"list\",\"data\":[{\"id\":\"small\"},{\"id\":\"large\"},{\"no\":1}]}";
        assert!(serve(listener, "application/json", body).starts_with("GET /v1/models"));
    }

    /// Answers one request; gives its first line.
    fn serve(listener: &TcpListener, kind: &str, body: &str) -> String {
        use std::io::{BufRead, BufReader, Read};
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut first = String::new();
        reader.read_line(&mut first).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(rest) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = rest.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        reader.read_exact(&mut vec![0; length]).unwrap();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n");
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        first
    }
}

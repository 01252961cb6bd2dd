//! A server of the person's own that speaks chat completions, put into the configuration.

use super::super::config::{Config, Environment};
use super::{LONGEST, ManageError, USUAL, Usual, edit, has_kind, make_usual};
use toml_edit::{DocumentMut, Item, Table, value};

/// What its provider is called, and a number behind it where there are more.
const NAME: &str = "server";
/// How its kind is called in the configuration.
const KIND: &str = "openai";

/// Adds a server by its base URL and the model that answers there; it answers from now on. Gives the provider's id.
///
/// # Errors
/// When the address or the name cannot be used, or the configuration cannot be written.
pub fn add_server(
    address: &str,
    model: &str,
    environment: Environment<'_>,
) -> Result<String, ManageError> {
    let (address, model) = (address.trim(), model.trim());
    if model.is_empty() || model.len() > LONGEST || model.chars().any(char::is_control) {
        return Err(ManageError::Model(model.chars().take(40).collect()));
    }
    let config = Config::load(environment)?;
    let is_free = |id: &String| !config.providers.contains_key(id);
    let mut names = std::iter::once(NAME.to_owned()).chain((2..).map(|it| format!("{NAME}-{it}")));
    let id = names.find(is_free).unwrap_or_else(|| NAME.to_owned());
    edit(environment, |text| {
        // What was offered of the same kind stays on offer.
        let hidden = |usual: &&Usual| usual.kind == KIND && !has_kind(&config, usual);
        USUAL.iter().filter(hidden).for_each(|usual| make_usual(text, usual.id));
        put(text, &id, address, model);
        text["default"] = value(id.as_str());
    })?;
    Ok(id)
}

fn put(text: &mut DocumentMut, id: &str, address: &str, model: &str) {
    let mut folder = Table::new();
    folder.set_implicit(true);
    let providers = text.entry("providers").or_insert(Item::Table(folder));
    let Some(providers) = providers.as_table_like_mut() else { return };
    let mut provider = Table::new();
    provider.insert("kind", value(KIND));
    provider.insert("base_url", value(address));
    provider.insert("model", value(model));
    providers.insert(id, Item::Table(provider));
}

#[cfg(test)]
mod tests {
    use super::super::offers;
    use super::*;
    use std::ffi::OsString;

    #[test]
    fn a_server_is_added_and_answers_and_a_wrong_address_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().to_owned();
        let at = move |name: &str| match name {
            "XDG_CONFIG_HOME" | "APPDATA" => Some(OsString::from(&folder)),
            _ => None,
        };
        assert!(add_server("http://example.org/v1", "m", &at).is_err(), "http leaves this machine");
        assert!(add_server("http://127.0.0.1:9/v1", " ", &at).is_err());
        let before = offers(&at).unwrap();
        assert_eq!((before.providers.len(), before.default), (2, None));
        let first = add_server(" http://127.0.0.1:9/v1 ", "qwen3", &at).unwrap();
        let second = add_server("http://127.0.0.1:8/v1", "other", &at).unwrap();
        assert_eq!([first.as_str(), second.as_str()], ["server", "server-2"]);
        let after = offers(&at).unwrap();
        assert_eq!(after.default.as_deref(), Some("server-2"));
        let mut ids: Vec<&str> = after.providers.iter().map(|known| known.id.as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, ["claude", "openai", "server", "server-2"]);
        let known = after.providers.iter().find(|known| known.id == "server").unwrap();
        assert!(known.is_local && !known.needs_key && known.model == "qwen3");
    }
}

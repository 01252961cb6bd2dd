//! The person's advance decisions: `[policy]` of the configuration, a file given with `--policy`, and the
//! tools that are always allowed in one session. Nothing is ever read from a session folder.
//!
//! ```toml
//! [policy]
//! allow = ["TOOL"]      # applied and reported, with undo
//! confirm = ["TOOL"]    # waits for a person
//! deny = ["TOOL"]       # a model may not call it
//! ```

use crate::exit::Failure;
use deskhand_agent::provider::Config;
use deskhand_bridge::{Policy, Rule, Rules};
use deskhand_protocol::Asking;
use deskhand_session::SessionId;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The keys of a policy.
const KEYS: [(&str, Rule); 3] =
    [("allow", Rule::Allow), ("confirm", Rule::Confirm), ("deny", Rule::Deny)];

/// Sessions that may send nothing off this machine. No session's id is spelled like this.
const LOCAL_ONLY: &str = "local_only";

/// Sessions in which only bigger changes are asked.
const BIGGER_CHANGES: &str = "ask_for_bigger_changes";

/// One rule for a tool, by name.
type Named = (String, Rule);

/// All advance decisions for `session`: from the configuration, from `file`, and from "always allow".
/// Unknown tool names are refused: a misspelled rule would guard nothing.
pub(crate) fn policy(
    config: &Config,
    file: Option<&Path>,
    session: SessionId,
    tools: &[String],
) -> Result<Policy, Failure> {
    let mut rules = rules(&config.policy, &config.path, tools)?;
    if let Some(file) = file {
        rules.extend(from_file(file, tools)?);
    }
    let allowed = Allowed::beside(config, session);
    Ok(Policy::new(rules).with_session(allowed.read()?, allowed.asking()?))
}

/// The rules of a file with a table `[policy]`.
fn from_file(file: &Path, tools: &[String]) -> Result<Vec<Named>, Failure> {
    let table = read(file)
        .map_err(|why| bad(file, &why.to_string(), "give a TOML file with a [policy] table"))?;
    match table.get("policy") {
        Some(toml::Value::Table(policy)) => rules(policy, file, tools),
        Some(_) | None => Err(bad(file, "has no [policy] table", "add a [policy] table")),
    }
}

fn rules(policy: &toml::Table, file: &Path, tools: &[String]) -> Result<Vec<Named>, Failure> {
    let mut rules = Vec::new();
    for (key, value) in policy {
        let Some((_, rule)) = KEYS.iter().find(|(known, _)| known == key) else {
            let what = format!("[policy] has the unknown key `{key}`");
            return Err(bad(file, &what, "use allow, confirm or deny"));
        };
        let names = names(value).ok_or_else(|| {
            let what = format!("`{key}` in [policy] is not a list of tool names");
            let known = tools.first().map(String::as_str).unwrap_or_default();
            bad(file, &what, &format!("write a list, such as {key} = [\"{known}\"]"))
        })?;
        for name in names {
            if !tools.contains(&name) {
                let what =
                    format!("`{key}` in [policy] names \"{name}\", but no tool has this name");
                return Err(bad(file, &what, "list the tools with `deskhand tools`"));
            }
            rules.push((name, *rule));
        }
    }
    Ok(rules)
}

fn names(value: &toml::Value) -> Option<Vec<String>> {
    let items = value.as_array()?.iter();
    items.map(|item| item.as_str().map(str::to_owned)).collect()
}

fn bad(file: &Path, what: &str, fix: &str) -> Failure {
    Failure::new("config", format!("{}: {what}", file.display()), fix)
}

/// Reads a TOML file; one that is not there is an error.
fn read(file: &Path) -> io::Result<toml::Table> {
    let text = fs::read_to_string(file)?;
    toml::from_str(&text).map_err(|error: toml::de::Error| {
        io::Error::new(io::ErrorKind::InvalidData, error.message().to_owned())
    })
}

/// A person's decisions for one session: `allowed.toml` next to the configuration. It lists, by session id,
/// the tools that are always allowed. Tools that wait or are denied have a word before the id. It also
/// lists the sessions that may send nothing off this machine, and those that only ask about bigger changes.
pub(crate) struct Allowed {
    file: PathBuf,
    session: SessionId,
    /// Two decisions may be kept at once.
    writing: Mutex<()>,
}

impl Allowed {
    /// The list for `session`.
    pub(crate) fn beside(config: &Config, session: SessionId) -> Self {
        Self { file: config.path.with_file_name("allowed.toml"), session, writing: Mutex::new(()) }
    }

    fn table(&self) -> io::Result<toml::Table> {
        match read(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(toml::Table::new()),
            read => read,
        }
    }

    /// The key of the list of tools that a rule is made for.
    fn key(&self, rule: Rule) -> String {
        match rule {
            Rule::Allow => self.session.to_string(),
            Rule::Confirm => format!("confirm_{}", self.session),
            Rule::Deny => format!("deny_{}", self.session),
        }
    }

    /// The rules. Names that mean nothing any more do no harm.
    fn read(&self) -> Result<Vec<Named>, Failure> {
        let table = self.table().map_err(|why| self.unread(&why))?;
        let of = |rule| {
            let names = table.get(&self.key(rule)).and_then(names).unwrap_or_default();
            names.into_iter().map(move |name| (name, rule))
        };
        Ok(KEYS.into_iter().flat_map(|(_, rule)| of(rule)).collect())
    }

    /// Which plans of a model wait.
    fn asking(&self) -> Result<Asking, Failure> {
        let is_bigger = self.is_listed(BIGGER_CHANGES)?;
        Ok(if is_bigger { Asking::BiggerChanges } else { Asking::Always })
    }

    /// Whether nothing of the session may be sent off this machine.
    pub(crate) fn is_local_only(&self) -> Result<bool, Failure> {
        self.is_listed(LOCAL_ONLY)
    }

    /// Whether the session is in the list of that key.
    fn is_listed(&self, key: &str) -> Result<bool, Failure> {
        let table = self.table().map_err(|why| self.unread(&why))?;
        let sessions = table.get(key).and_then(names).unwrap_or_default();
        Ok(sessions.contains(&self.session.to_string()))
    }

    fn unread(&self, why: &io::Error) -> Failure {
        let fix = "repair it, or delete it to forget what you always allowed and kept local only";
        bad(&self.file, &why.to_string(), fix)
    }

    /// Puts `name` into the list of that key, or takes it out.
    fn keep(&self, key: &str, name: &str, is_in: bool) -> Result<(), String> {
        self.change(|table| list(table, key, name, is_in))
    }

    fn change(&self, change: impl FnOnce(&mut toml::Table)) -> Result<(), String> {
        let _alone = self.writing.lock();
        let kept = self.try_change(change);
        kept.map_err(|why| format!("{} cannot be written: {why}", self.file.display()))
    }

    fn try_change(&self, change: impl FnOnce(&mut toml::Table)) -> io::Result<()> {
        let mut table = self.table()?;
        change(&mut table);
        let folder = self.file.parent().unwrap_or_else(|| Path::new("."));
        fs::create_dir_all(folder)?;
        let text = toml::to_string(&table).map_err(io::Error::other)?;
        let mut draft = tempfile::NamedTempFile::new_in(folder)?;
        draft.write_all(text.as_bytes())?;
        draft.as_file().sync_all()?;
        draft.persist(&self.file)?;
        Ok(())
    }
}

/// Puts `name` into a list of the table, or takes it out.
fn list(table: &mut toml::Table, key: &str, name: &str, is_in: bool) {
    let known = table.get(key).and_then(names).unwrap_or_default();
    let mut known: Vec<String> = known.into_iter().filter(|known| known != name).collect();
    known.extend(is_in.then(|| name.to_owned()));
    if known.is_empty() {
        table.remove(key);
    } else {
        table.insert(key.to_owned(), known.into());
    }
}

impl Rules for Allowed {
    fn keep_rule(&self, tool: &str, rule: Option<Rule>) -> Result<(), String> {
        self.change(|table| {
            for (_, each) in KEYS {
                list(table, &self.key(each), tool, rule == Some(each));
            }
        })
    }

    fn keep_asking(&self, asking: Asking) -> Result<(), String> {
        let is_in = asking == Asking::BiggerChanges;
        self.keep(BIGGER_CHANGES, &self.session.to_string(), is_in)
    }

    fn keep_local_only(&self, on: bool) -> Result<(), String> {
        self.keep(LOCAL_ONLY, &self.session.to_string(), on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: SessionId = SessionId::new(7);

    fn config(dir: &Path, policy: &str) -> Config {
        let path = dir.join("config.toml");
        Config::parse(policy, &path, &|_| None).unwrap()
    }

    fn tools() -> Vec<String> {
        ["cmd_mute", "cmd_rename", "cmd_remove"].map(str::to_owned).to_vec()
    }

    fn message(result: Result<Policy, Failure>) -> String {
        let failure = result.unwrap_err();
        format!("{} | {}", failure.message, failure.fix)
    }

    #[test]
    fn the_configuration_and_a_file_add_up_and_deny_wins() {
        let dir = tempfile::tempdir().unwrap();
        let config = config(dir.path(), "[policy]\nallow = [\"cmd_mute\", \"cmd_remove\"]\n");
        let file = dir.path().join("unattended.toml");
        fs::write(&file, "[policy]\ndeny = [\"cmd_remove\"]\nconfirm = [\"cmd_rename\"]\n")
            .unwrap();
        let found = policy(&config, Some(&file), SESSION, &tools()).unwrap();
        let rules =
            [("cmd_mute", Rule::Allow), ("cmd_remove", Rule::Deny), ("cmd_rename", Rule::Confirm)];
        assert_eq!(found, Policy::new(rules.map(|(name, rule)| (name.to_owned(), rule))));
    }

    #[test]
    fn always_allowed_is_kept_for_one_session_outside_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let config = config(&dir.path().join("new"), "");
        let allowed = Allowed::beside(&config, SESSION);
        allowed.keep_rule("cmd_mute", Some(Rule::Allow)).unwrap();
        allowed.keep_rule("cmd_mute", Some(Rule::Allow)).unwrap();
        allowed.keep_rule("cmd_rename", Some(Rule::Allow)).unwrap();
        let here = policy(&config, None, SESSION, &tools()).unwrap();
        let rules = ["cmd_mute", "cmd_rename"].map(|name| (name.to_owned(), Rule::Allow));
        assert_eq!(here, Policy::default().with_session(rules, Asking::Always));
        let elsewhere = policy(&config, None, SessionId::new(8), &tools()).unwrap();
        assert_eq!(elsewhere, Policy::default());
    }

    #[test]
    fn local_only_is_kept_for_one_session_beside_what_is_allowed() {
        let dir = tempfile::tempdir().unwrap();
        let config = config(&dir.path().join("new"), "");
        let allowed = Allowed::beside(&config, SESSION);
        assert!(!allowed.is_local_only().unwrap());
        allowed.keep_rule("cmd_mute", Some(Rule::Allow)).unwrap();
        allowed.keep_local_only(true).unwrap();
        assert!(allowed.is_local_only().unwrap());
        assert!(!Allowed::beside(&config, SessionId::new(8)).is_local_only().unwrap());
        assert_eq!(allowed.read().unwrap(), [("cmd_mute".to_owned(), Rule::Allow)]);
        allowed.keep_local_only(false).unwrap();
        assert!(!allowed.is_local_only().unwrap());
    }

    #[test]
    fn what_is_asked_and_every_rule_are_kept_for_one_session() {
        let dir = tempfile::tempdir().unwrap();
        let config = config(dir.path(), "");
        let allowed = Allowed::beside(&config, SESSION);
        allowed.keep_asking(Asking::BiggerChanges).unwrap();
        allowed.keep_rule("cmd_mute", Some(Rule::Allow)).unwrap();
        allowed.keep_rule("cmd_mute", Some(Rule::Deny)).unwrap();
        allowed.keep_rule("cmd_rename", Some(Rule::Confirm)).unwrap();
        let of = |session| policy(&config, None, session, &tools()).unwrap();
        let rules = [("cmd_rename", Rule::Confirm), ("cmd_mute", Rule::Deny)];
        let rules = rules.map(|(name, rule)| (name.to_owned(), rule));
        let here = Policy::default().with_session(rules, Asking::BiggerChanges);
        assert_eq!(of(SESSION), here, "a rule takes the place of the one before");
        assert_eq!(of(SessionId::new(8)), Policy::default());
        allowed.keep_rule("cmd_rename", None).unwrap();
        allowed.keep_rule("cmd_mute", None).unwrap();
        allowed.keep_asking(Asking::Always).unwrap();
        assert_eq!(of(SESSION), Policy::default());
        assert_eq!(fs::read_to_string(dir.path().join("allowed.toml")).unwrap(), "");
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let of = |text: &str| message(policy(&config(dir.path(), text), None, SESSION, &tools()));
        assert!(
            of("[policy]\ndeny = [\"cmd_remov\"]")
                .contains("\"cmd_remov\", but no tool has this name")
        );
        assert!(of("[policy]\nallways = []").contains("use allow, confirm or deny"));
        assert!(of("[policy]\nallow = \"cmd_mute\"").contains("not a list of tool names"));
        let missing = dir.path().join("gone.toml");
        let said = message(policy(&config(dir.path(), ""), Some(&missing), SESSION, &tools()));
        assert!(said.contains("gone.toml"), "{said}");
        fs::write(dir.path().join("allowed.toml"), "[[[").unwrap();
        assert!(of("").contains("allowed.toml"));
    }
}

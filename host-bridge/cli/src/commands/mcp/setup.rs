//! `deskhand mcp setup CLIENT`: shows what an AI client needs in its configuration, and after yes writes it.

use super::session_access::whole;
use crate::args::mcp::Client;
use crate::commands::install::home;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name under which clients know this server.
const NAME: &str = "deskhand";

/// The entry and its place in the file.
struct Entry {
    file: PathBuf,
    /// The object that holds the servers, in a JSON file; `None` in TOML.
    key: Option<&'static str>,
    server: Value,
}

/// Shows the entry; writes it when the person says yes.
pub(crate) fn run(client: Client, dir: &Path, yes: bool, output: Output) -> Result<Exit, Failure> {
    let entry = entry(client, dir)?;
    let snippet = snippet(&entry);
    output.json(&json!({"file": entry.file, "entry": snippet}));
    output.say(format!("{}:\n\n{snippet}\n", entry.file.display()));
    let may_write = yes || (output.can_ask() && output.ask("Write it there?"));
    if !may_write {
        output.say("Nothing was written.");
        return Ok(if output.can_ask() { Exit::Done } else { Exit::Decision });
    }
    let before = read(&entry.file)?;
    let after = with_entry(&entry, &before)?;
    if after == before {
        output.say("the entry is there already");
        return Ok(Exit::Done);
    }
    write(&entry.file, &before, &after).map_err(|error| failed(&entry.file, &error))?;
    output.say("written; restart the client");
    Ok(Exit::Done)
}

fn entry(client: Client, dir: &Path) -> Result<Entry, Failure> {
    let exe = std::env::current_exe().map_err(|error| {
        Failure::new(
            "setup",
            format!("the path of this program is unknown: {error}"),
            "add the entry by hand",
        )
    })?;
    let args = ["mcp".to_owned(), whole(dir)?.display().to_string()];
    let (command, home) = (exe.display().to_string(), home()?);
    let plain = json!({"command": command, "args": args});
    let typed = json!({"type": "stdio", "command": command, "args": args});
    let config = config_home(&home);
    let (file, key, server) = match client {
        Client::ClaudeDesktop => {
            (config.join("Claude/claude_desktop_config.json"), Some("mcpServers"), plain)
        }
        Client::ClaudeCode => (home.join(".claude.json"), Some("mcpServers"), typed),
        Client::Codex => (home.join(".codex/config.toml"), None, plain),
        Client::Zed => {
            let zed = if cfg!(target_os = "windows") { config } else { home.join(".config") };
            let custom = json!({"source": "custom", "command": command, "args": args});
            (zed.join("zed/settings.json"), Some("context_servers"), custom)
        }
        Client::VsCode => (config.join("Code/User/mcp.json"), Some("servers"), typed),
    };
    Ok(Entry { file, key, server })
}

/// Where programs with a window keep their configuration.
fn config_home(home: &Path) -> PathBuf {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else if cfg!(windows) {
        named("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"))
    } else {
        named("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"))
    }
}

/// The entry in a form to paste by hand.
fn snippet(entry: &Entry) -> String {
    match entry.key {
        Some(key) => {
            let whole = json!({key: {NAME: entry.server}});
            serde_json::to_string_pretty(&whole).unwrap_or_default()
        }
        None => toml_entry(&entry.server),
    }
}

/// JSON strings and lists of them are TOML as well.
fn toml_entry(server: &Value) -> String {
    format!("[mcp_servers.{NAME}]\ncommand = {}\nargs = {}\n", server["command"], server["args"])
}

fn read(file: &Path) -> Result<String, Failure> {
    match std::fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| failed(file, &error)),
    }
}

/// The file with the entry added; everything else stays, comments too.
fn with_entry(entry: &Entry, before: &str) -> Result<String, Failure> {
    match entry.key {
        Some(key) => json_with(entry, key, before),
        None => toml_with(entry, before),
    }
}

fn json_with(entry: &Entry, key: &str, before: &str) -> Result<String, Failure> {
    let text = if before.trim().is_empty() { "{}\n" } else { before };
    let root = CstRootNode::parse(text, &ParseOptions::default());
    let object = root.as_ref().ok().and_then(CstRootNode::object_value);
    let servers = object.and_then(|object| object.object_value_or_create(key));
    let (Ok(root), Some(servers)) = (root, servers) else {
        return Err(by_hand(&entry.file));
    };
    match servers.get(NAME) {
        Some(known) => known.set_value(input(&entry.server)),
        None => drop(servers.append(NAME, input(&entry.server))),
    }
    Ok(root.to_string())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => CstInputValue::Object(
            fields.iter().map(|(key, value)| (key.clone(), input(value))).collect(),
        ),
    }
}

fn toml_with(entry: &Entry, before: &str) -> Result<String, Failure> {
    let wanted = toml_entry(&entry.server);
    if before.contains(wanted.trim_end()) {
        return Ok(before.to_owned());
    }
    if before.contains(&format!("[mcp_servers.{NAME}]")) {
        return Err(by_hand(&entry.file));
    }
    let gap = if before.is_empty() || before.ends_with("\n\n") {
        ""
    } else if before.ends_with('\n') {
        "\n"
    } else {
        "\n\n"
    };
    Ok(format!("{before}{gap}{wanted}"))
}

/// Writes the whole file or nothing, and keeps the old file next to the new one.
fn write(file: &Path, before: &str, after: &str) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    if !before.is_empty() {
        std::fs::write(file.with_extension("deskhand-backup"), before)?;
    }
    // A link stays a link: its target is replaced.
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let mut new = tempfile::NamedTempFile::new_in(file.parent().unwrap_or(folder))?;
    new.write_all(after.as_bytes())?;
    if let Ok(known) = std::fs::metadata(&file) {
        new.as_file().set_permissions(known.permissions())?;
    }
    new.persist(file)?;
    Ok(())
}

fn by_hand(file: &Path) -> Failure {
    let message = format!("{} has an unexpected form and was not changed", file.display());
    Failure::new("setup", message, "add the entry by hand")
}

fn failed(file: &Path, error: &std::io::Error) -> Failure {
    let message = format!("{} cannot be written: {error}", file.display());
    Failure::new("setup", message, "add the entry by hand")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(key: Option<&'static str>) -> Entry {
        let server = json!({"command": "/bin/deskhand", "args": ["mcp", "/a b"]});
        Entry { file: PathBuf::from("settings"), key, server }
    }

    #[test]
    fn an_entry_is_added_and_comments_and_order_stay() {
        let before =
            "{\n  // mine\n  \"z\": 1,\n  \"servers\": { \"other\": {} },\n  \"a\": 2\n}\n";
        let after = with_entry(&sample(Some("servers")), before).unwrap();
        assert!(after.contains("// mine") && after.find("\"z\"") < after.find("\"a\""), "{after}");
        assert!(after.contains("\"other\"") && after.contains("\"/a b\""), "{after}");
        assert_eq!(with_entry(&sample(Some("servers")), &after).unwrap(), after, "twice is once");
    }

    #[test]
    fn a_file_that_is_not_there_is_made_and_one_that_is_broken_is_left() {
        let after = with_entry(&sample(Some("mcpServers")), "").unwrap();
        let read: Value = serde_json::from_str(&after).unwrap();
        assert_eq!(read["mcpServers"]["deskhand"]["command"], "/bin/deskhand");
        assert!(with_entry(&sample(Some("mcpServers")), "{ broken").is_err());
        assert!(with_entry(&sample(Some("mcpServers")), "[]").is_err());
        assert!(with_entry(&sample(Some("mcpServers")), "{\"mcpServers\": 3}").is_err());
    }

    #[test]
    fn toml_gets_a_section_once() {
        let before = "model = \"x\" # mine\n";
        let after = with_entry(&sample(None), before).unwrap();
        assert!(
            after.starts_with(before)
                && after.contains("[mcp_servers.deskhand]\ncommand = \"/bin/deskhand\"")
        );
        assert_eq!(with_entry(&sample(None), &after).unwrap(), after);
        assert!(with_entry(&sample(None), "[mcp_servers.deskhand]\ncommand = \"else\"\n").is_err());
    }

    #[test]
    fn what_is_written_is_whole_and_the_old_is_kept() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("deeper/config.json");
        write(&file, "", "new").unwrap();
        write(&file, "new", "newer").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "newer");
        assert_eq!(std::fs::read_to_string(file.with_extension("deskhand-backup")).unwrap(), "new");
    }
}

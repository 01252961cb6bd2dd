//! The content of a manifest, `NAME.deskhand-tool.toml`, with one tool each.

use crate::sanitize;
use crate::schema;
use deskhand_session::tool_name::TOOL;
use deskhand_toolkit::{Category, Network};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

pub(crate) const FORMAT: &str = "deskhand.tool/1";

/// The most megabytes of memory that a manifest may ask for.
const MOST_MEMORY_MB: u64 = 32_768;
/// The longest time that a manifest may ask for, in seconds.
const LONGEST_S: f64 = 6.0 * 3600.0;
/// The most files that a tool brings with it.
const MOST_FILES: usize = 64;
/// The most arguments.
const MOST_ARGS: usize = 64;

/// A manifest that was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Its name as a tool: `tool_…`.
    pub name: String,
    /// A few words.
    pub title: String,
    /// What it does, for people and models.
    pub description: String,
    pub category: Category,
    /// The program: an absolute path, a name that is looked for on the person's PATH, or one of `files`.
    pub command: String,
    /// Its arguments, as they are: no shell reads them and nothing is put into them.
    pub args: Vec<String>,
    /// Files next to the manifest that are copied into the program's folder.
    pub files: Vec<String>,
    /// What audio it gets.
    pub takes: Takes,
    /// What becomes of the audio it gives.
    pub gives: Gives,
    /// Whether it may use the network.
    pub network: Network,
    /// How long a run may take.
    pub timeout: Duration,
    /// How much memory it may use, in bytes.
    pub memory: u64,
    /// JSON Schema of its parameters, with `targets` where it takes clips.
    pub input_schema: Value,
    /// Parameters that work.
    pub examples: Vec<Value>,
}

/// What audio a tool gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    /// The region of each chosen clip, without the clip's gain and fades, as a WAV file each.
    #[default]
    Clips,
    /// No audio.
    Nothing,
}

/// What becomes of the audio that a tool gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gives {
    /// Each file takes the place of the clip it was made from; the clip keeps its name, gain and fades.
    #[default]
    InPlace,
    /// Each file becomes a clip on a new track.
    Beside,
    /// It gives no audio, only what it heard: markers, findings, an answer.
    Nothing,
}

/// Why a manifest is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    #[error("{0}; see `deskhand tools new` for one that works")]
    Syntax(String),
    #[error("`{key}` {problem}; {fix}")]
    Value { key: &'static str, problem: String, fix: String },
}

/// The file in its written form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: String,
    name: String,
    title: String,
    description: String,
    category: Category,
    command: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    takes: Takes,
    #[serde(default)]
    gives: Gives,
    network: bool,
    #[serde(default = "usual_timeout")]
    timeout_s: f64,
    #[serde(default = "usual_memory")]
    memory_mb: u64,
    #[serde(default)]
    input: Option<toml::Value>,
    #[serde(default)]
    examples: Vec<Value>,
}

fn usual_timeout() -> f64 {
    300.0
}

fn usual_memory() -> u64 {
    2_048
}

impl Manifest {
    /// Reads the text of a manifest and checks every value.
    ///
    /// # Errors
    /// The first thing that is wrong with it, naming the key and the way out.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let written: Written =
            toml::from_str(text).map_err(|error| ManifestError::Syntax(syntax(&error, text)))?;
        written.check()?;
        let input_schema = schema::input(written.input, written.takes)
            .map_err(|(problem, fix)| value("input", problem, fix))?;
        Ok(Self {
            name: format!("{TOOL}{}", written.name),
            title: written.title,
            description: written.description,
            category: written.category,
            command: written.command,
            args: written.args,
            files: written.files,
            takes: written.takes,
            gives: written.gives,
            network: if written.network { Network::Open } else { Network::Closed },
            timeout: Duration::from_secs_f64(written.timeout_s),
            memory: written.memory_mb * 1_000_000,
            input_schema,
            examples: written.examples,
        })
    }
}

impl Written {
    fn check(&self) -> Result<(), ManifestError> {
        if self.format != FORMAT {
            return Err(value(
                "format",
                format!("is {:?}", self.format),
                format!("write {FORMAT:?}"),
            ));
        }
        self.check_name()?;
        text("title", &self.title, 80)?;
        text("description", &self.description, 2_000)?;
        text("command", &self.command, 1_000)?;
        self.check_lists()?;
        if !(1.0..=LONGEST_S).contains(&self.timeout_s) {
            let problem = format!("is {}", self.timeout_s);
            return Err(value("timeout_s", problem, format!("write 1 to {LONGEST_S}")));
        }
        if !(16..=MOST_MEMORY_MB).contains(&self.memory_mb) {
            let problem = format!("is {}", self.memory_mb);
            return Err(value("memory_mb", problem, format!("write 16 to {MOST_MEMORY_MB}")));
        }
        if self.gives == Gives::InPlace && self.takes == Takes::Nothing {
            let problem = "is \"in_place\", but the tool takes no clips".to_owned();
            return Err(value("gives", problem, "write \"beside\" or \"nothing\"".into()));
        }
        Ok(())
    }

    fn check_name(&self) -> Result<(), ManifestError> {
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let name = self.name.as_str();
        let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
        if starts && name.len() <= 40 && name.chars().all(is_word) && !name.starts_with("tool_") {
            return Ok(());
        }
        let problem = format!("is {:?}", sanitize::line(name, 60));
        let fix = "use up to 40 small letters, digits and _, such as \"pitch_and_time\"; \
                   \"tool_\" is put in front of it";
        Err(value("name", problem, fix.into()))
    }

    fn check_lists(&self) -> Result<(), ManifestError> {
        if self.args.len() > MOST_ARGS {
            let problem = format!("has {} entries", self.args.len());
            return Err(value("args", problem, format!("write {MOST_ARGS} at most")));
        }
        for arg in &self.args {
            if !sanitize::is_plain(arg) || arg.len() > 4_000 {
                let problem = format!("has {:?}", sanitize::line(arg, 60));
                return Err(value("args", problem, "write plain text".into()));
            }
        }
        if self.files.len() > MOST_FILES {
            let problem = format!("has {} entries", self.files.len());
            return Err(value("files", problem, format!("write {MOST_FILES} at most")));
        }
        match self.files.iter().find(|file| !is_file_name(file)) {
            Some(file) => {
                let problem = format!("has {:?}", sanitize::line(file, 60));
                let fix = "name files in the folder of the manifest, without folders";
                Err(value("files", problem, fix.into()))
            }
            None => Ok(()),
        }
    }
}

/// A plain file name: no folder, not hidden, and not one of the names that the folder of a run has.
fn is_file_name(name: &str) -> bool {
    let path = Path::new(name);
    let is_bare = path.file_name().is_some_and(|file| file == path.as_os_str());
    let is_taken = ["in", "out", "home", "request.json"].contains(&name);
    is_bare
        && !is_taken
        && sanitize::is_plain(name)
        && !name.starts_with(['.', '-'])
        && name.len() <= 200
}

fn text(key: &'static str, given: &str, longest: usize) -> Result<(), ManifestError> {
    let problem = if given.trim().is_empty() {
        "is empty".to_owned()
    } else if given.chars().count() > longest {
        format!("is longer than {longest} characters")
    } else if key != "description" && given.contains('\n') {
        "has several lines".to_owned()
    } else if !sanitize::is_plain(given) {
        "has characters that cannot be seen".to_owned()
    } else {
        return Ok(());
    };
    Err(value(key, problem, "write plain text".into()))
}

fn value(key: &'static str, problem: String, fix: String) -> ManifestError {
    ManifestError::Value { key, problem, fix }
}

/// The message of the parser, with its line.
fn syntax(error: &toml::de::Error, text: &str) -> String {
    let at = error.span().map(|span| text.get(..span.start).unwrap_or(text).matches('\n').count());
    let message = sanitize::line(error.message(), 300);
    at.map_or(message.clone(), |lines| format!("line {}: {message}", lines + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const GOOD: &str = r#"
format = "deskhand.tool/1"
name = "reverse"
title = "Reverse"
description = "Turns clips around."
category = "edit"
command = "python3"
args = ["-I", "reverse.py"]
files = ["reverse.py"]
network = false

[input.properties.amount]
type = "number"
minimum = 0
"#;

    fn refused(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from), "{from}");
        Manifest::parse(&GOOD.replace(from, to)).unwrap_err().to_string()
    }

    #[test]
    fn a_manifest_is_read_and_targets_are_added() {
        let manifest = Manifest::parse(GOOD).unwrap();
        assert_eq!(manifest.name, "tool_reverse");
        assert_eq!((manifest.takes, manifest.gives), (Takes::Clips, Gives::InPlace));
        assert_eq!(manifest.network, Network::Closed);
        let schema = &manifest.input_schema;
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["amount"]["minimum"], json!(0));
        assert!(schema["properties"]["targets"].is_object());
    }

    #[test]
    fn the_input_may_be_json() {
        let (head, _) = GOOD.split_once("[input").unwrap();
        let text =
            format!("{head}input = '''{{\"properties\": {{\"a\": {{\"type\": \"string\"}}}}}}'''");
        let manifest = Manifest::parse(&text).unwrap();
        assert_eq!(manifest.input_schema["properties"]["a"]["type"], "string");
    }

    #[test]
    fn what_cannot_be_meant_is_named() {
        let cases = [
            ("deskhand.tool/1", "deskhand.tool/9", "`format` is \"deskhand.tool/9\""),
            ("\"reverse\"", "\"tool_reverse\"", "`name` is \"tool_reverse\""),
            ("\"Reverse\"", "\"Re\\nverse\"", "`title` has several lines"),
            ("\"reverse\"", "\"../x\"", "`name` is \"../x\""),
            ("Turns clips", "\\u202eTurns", "`description` has characters that cannot be seen"),
            ("[\"reverse.py\"]", "[\"../../etc/passwd\"]", "`files` has \"../../etc/passwd\""),
            ("[\"reverse.py\"]", "[\"in\"]", "`files` has \"in\""),
            ("network = false", "network = false\ntimeout_s = 0", "`timeout_s` is 0"),
            ("network = false", "network = false\nmemory_mb = 1", "`memory_mb` is 1"),
            ("network = false", "network = false\ntakes = \"nothing\"", "`gives` is \"in_place\""),
            ("network = false", "", "missing field `network`"),
            ("network = false", "network = false\nshell = true", "line 11: unknown field `shell`"),
            ("\"number\"", "\"nmber\"", "`input` is no JSON Schema"),
            (".amount]", ".targets]", "`input` has `targets`"),
        ];
        for (from, to, told) in cases {
            let said = refused(from, to);
            assert!(said.starts_with(told) || said.contains(told), "{to}: {said}");
        }
    }
}

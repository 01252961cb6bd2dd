//! What the commands of a page need and not every machine has: programs of others, and a model.

use super::console::Example;
use super::desk::Session;
use crate::{shell, workspace};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The model of the pages on words.
const MODEL: &str = "whisper-tiny";
/// Parts of commands, and the programs of which `deskhand` then starts one.
const STARTED: [(&str, &[&str]); 2] =
    [(".mp3", &["lame", "ffmpeg"]), ("deskhand tools check", &["python3"])];
/// Larger files of a model are linked, not copied.
const LINKED_BYTES: u64 = 1_000_000;

/// The missing requirement for a page with `examples` in `session`; `None` if all can run.
pub(super) fn missing<'a>(
    session: Session,
    examples: impl Iterator<Item = &'a Example>,
) -> Option<String> {
    let mut programs = vec!["bash".to_owned()];
    let mut missing = Vec::new();
    let mut is_transcribing = session == Session::Show;
    for example in examples {
        programs.extend(self::programs(&example.command));
        missing.extend(not_started(&example.command));
        is_transcribing |= example.command.contains("deskhand transcribe");
    }
    if session == Session::Show {
        programs.push("espeak-ng".to_owned());
    }
    let is_missing = |name: &String| name != "deskhand" && !shell::on_path(name);
    missing.extend(programs.into_iter().filter(is_missing));
    if is_transcribing && model().is_none() {
        missing.push(format!("the model {MODEL} (set DESKHAND_MODELS to a folder with it)"));
    }
    missing.sort();
    missing.dedup();
    (!missing.is_empty()).then(|| missing.join(", "))
}

/// The programs that `deskhand` would start in `command`, if none of them is here.
fn not_started(command: &str) -> impl Iterator<Item = String> {
    let needed = STARTED.iter().filter(|(part, _)| command.contains(part));
    let absent = needed.filter(|(_, programs)| !programs.iter().any(|name| shell::on_path(name)));
    absent.map(|(_, programs)| programs.join(" or "))
}

/// The programs that `command` starts: the first word of each part of a pipe.
fn programs(command: &str) -> Vec<String> {
    let mut quote = None;
    let parts = command.split(|c| {
        match quote {
            Some(open) if open == c => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            _ => {}
        }
        quote.is_none() && matches!(c, '|' | ';' | '&' | '\n')
    });
    parts.filter_map(|part| part.split_whitespace().next()).map(str::to_owned).collect()
}

/// The folder of the model, where one of the usual folders has it.
fn model() -> Option<PathBuf> {
    let set = std::env::var_os("DESKHAND_MODELS").map(PathBuf::from);
    let of_tests = workspace::target().ok().map(|target| target.join("tmp/models"));
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let own = home.map(|home| home.join(models()));
    let mut folders = [set, of_tests, own].into_iter().flatten();
    folders.find_map(|folder| {
        let model = folder.join(MODEL);
        model.join("model.toml").exists().then_some(model)
    })
}

/// Where models are in a home folder.
fn models() -> PathBuf {
    Path::new(".local/share/deskhand/models").to_path_buf()
}

/// Copies the model into the home folder `home`, where it is on this machine.
pub(super) fn copy_model(home: &Path) -> Result<()> {
    let Some(model) = model() else {
        return Ok(());
    };
    let folder = home.join(models()).join(MODEL);
    std::fs::create_dir_all(&folder)?;
    for entry in std::fs::read_dir(&model)? {
        let entry = entry?;
        let to = folder.join(entry.file_name());
        let is_linked =
            entry.metadata()?.len() > LINKED_BYTES && std::fs::hard_link(entry.path(), &to).is_ok();
        if !is_linked {
            std::fs::copy(entry.path(), &to)
                .with_context(|| format!("cannot copy {}", entry.path().display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_pipe_is_a_program() {
        assert_eq!(programs("deskhand show x --json | jq '.a | length'"), ["deskhand", "jq"]);
        assert_eq!(programs("cat a && sox -n \"b;c\" > d"), ["cat", "sox"]);
    }

    #[test]
    fn a_program_that_is_not_here_is_named() {
        let example =
            |command: &str| Example { line: 1, command: command.to_owned(), output: String::new() };
        let examples = [example("deskhand x | no-such-program"), example("ls")];
        assert_eq!(missing(Session::None, examples.iter()).unwrap(), "no-such-program");
        assert_eq!(missing(Session::None, examples[1..].iter()), None);
    }
}

//! What tests leave out: one that lacks a program or data says so and passes, and cargo shows nothing of those.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// What a test writes before the name of what it skipped.
const MARK: &str = "SKIPPED: ";

/// Runs `command`, a `cargo test`, and returns what its tests left out, each once.
///
/// # Errors
/// When it cannot be run, or a test fails.
pub(crate) fn listed(command: &mut Command) -> Result<Vec<String>> {
    let line = shell::line(command);
    command.args(["--", "--show-output"]).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start: {line}"))?;
    let mut reader = Reader::default();
    let output = child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n'));
    for text in output.map_while(Result::ok) {
        let text = String::from_utf8_lossy(&text);
        if reader.is_shown(&text) {
            println!("{text}");
        }
    }
    let status = child.wait().with_context(|| format!("cannot wait for: {line}"))?;
    if !status.success() {
        bail!("{status}; to repeat: {line}");
    }
    Ok(reader.skipped)
}

/// Reads what `cargo test -- --show-output` prints.
#[derive(Default)]
struct Reader {
    /// Whether it is what tests said that passed.
    is_of_passed: bool,
    skipped: Vec<String>,
}

impl Reader {
    /// Whether a line is shown without `--show-output` too; skipped parts are noted.
    fn is_shown(&mut self, line: &str) -> bool {
        match line {
            "successes:" => self.is_of_passed = true,
            "failures:" => self.is_of_passed = false,
            _ if line.starts_with("test result: ") => self.is_of_passed = false,
            _ => {}
        }
        if let Some((_, what)) = line.split_once(MARK) {
            let what = what.trim_end().to_owned();
            if !self.skipped.contains(&what) {
                self.skipped.push(what);
            }
        }
        !self.is_of_passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
test heard ... ok
test broken ... FAILED

successes:

---- heard stdout ----
SKIPPED: no /usr/share/clips; install pocketsphinx-testdata
SKIPPED: no /usr/share/clips; install pocketsphinx-testdata


successes:
    heard

failures:

---- broken stdout ----
it is broken

test result: FAILED. 1 passed; 1 failed
SKIPPED: recording: no server";

    #[test]
    fn what_tests_that_pass_left_out_is_listed_once_and_nothing_else_of_them_is_shown() {
        let mut reader = Reader::default();
        let shown: Vec<&str> = OUTPUT.lines().filter(|line| reader.is_shown(line)).collect();
        let no_clips = "no /usr/share/clips; install pocketsphinx-testdata";
        assert_eq!(reader.skipped, [no_clips, "recording: no server"]);
        assert!(shown.contains(&"it is broken") && shown.contains(&"test heard ... ok"));
        assert!(!shown.iter().any(|line| line.contains("no /usr/share") || *line == "    heard"));
    }
}

//! The tests of the plugin's window in a host. They need a display, are left out without one, and get one here.

use super::report::check;
use crate::setup::need;
use crate::{limit, shell};
use anyhow::Result;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(1200);
/// Programs, and the packages that bring them.
const PROGRAMS: [(&str, &str); 3] =
    [("xvfb-run", "xvfb"), ("xauth", "xauth"), ("xwininfo", "x11-utils")];

/// The tests with a display of their own; the reason when they cannot have one.
pub(crate) fn prepare() -> Result<Command, String> {
    match PROGRAMS.iter().find(|(program, _)| !shell::on_path(program)) {
        None => Ok(command()),
        Some((program, package)) => Err(format!(
            "without {program}, skipped: the tests of the plugin's window; `apt-get install {package}` brings it"
        )),
    }
}

/// Runs them, and counts those that passed.
pub(super) fn run() -> Result<Vec<String>> {
    need("the tests of the plugin's window", &PROGRAMS)?;
    let outcome = limit::run(&mut command(), LIMIT)?;
    let passed = passed(&outcome.stdout);
    let holds = outcome.code == 0 && passed.is_some_and(|passed| passed > 0);
    if !holds {
        println!("{}", limit::last_lines(&format!("{}{}", outcome.stderr, outcome.stdout)));
    }
    let figure = passed.map_or("none passed".into(), |passed| format!("{passed} passed"));
    let what = "tests of its window, on a display of their own";
    Ok(check("the plugin", what, &figure, holds).into_iter().collect())
}

fn command() -> Command {
    let programs =
        ["test", "--workspace", "--test", "hub", "--test", "vst3", "--", "window::", "folding::"];
    let cargo = shell::cargo(programs);
    let mut command = Command::new("xvfb-run");
    // A server restarts when its last client leaves, and refuses new ones meanwhile: here all come and go.
    command.args(["--auto-servernum", "--server-args", "-screen 0 1440x900x24 -noreset"]);
    command.arg(cargo.get_program()).args(cargo.get_args());
    command.env("LIBGL_ALWAYS_SOFTWARE", "1").current_dir(crate::workspace::root());
    command
}

/// How many tests passed, in all programs, by what Cargo printed.
fn passed(said: &str) -> Option<u32> {
    let counts = said.split("test result: ok. ").skip(1);
    let count = counts.map(|rest| rest.split_whitespace().next()?.parse::<u32>().ok());
    count.sum::<Option<u32>>().filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_counted() {
        let said = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\n";
        assert_eq!(passed(said), Some(2));
        assert_eq!(passed(&said.repeat(2)), Some(4));
        assert_eq!(passed("test result: FAILED. 1 passed; 1 failed"), None);
    }
}

//! The conformance suite: which scenarios a version has, and what each of them found.

use super::expected::{self, Expected};
use super::install::Suites;
use super::server::Server;
use crate::limit;
use crate::shell;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::Path;
use std::time::Duration;

/// The suite takes some 10 s.
const LIMIT: Duration = Duration::from_secs(300);

/// What the suite found in one scenario.
pub(super) struct Verdict {
    pub(super) scenario: String,
    /// The checks that failed, with the suite's reason. Empty if it passed.
    pub(super) failures: Vec<String>,
    /// How many checks succeeded. 0 if the suite itself leaves the scenario out.
    pub(super) successes: usize,
}

impl Verdict {
    /// Whether nothing failed.
    pub(super) fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// One line of a scenario's `checks.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    id: String,
    status: String,
    error_message: Option<String>,
}

/// Runs all scenarios of `version` against `server` and returns the problems.
pub(super) fn run(
    suites: &Suites,
    server: &Server,
    version: &str,
    expected: &[Expected],
) -> Result<Vec<String>> {
    let scenarios = scenarios(suites, server, version)?;
    let results = tempfile::tempdir()?;
    let mut command = suites.conformance(server.token_file());
    command.args(["server", "--url", server.url(), "--requirements", version]);
    command.arg("--output-dir").arg(results.path());
    let outcome = limit::run(&mut command, LIMIT)?;
    let verdicts = verdicts(&scenarios, results.path())?;
    let some = |verdict: &&Verdict| verdict.passed() && verdict.successes > 0;
    let none = |verdict: &&Verdict| verdict.passed() && verdict.successes == 0;
    let passed = verdicts.iter().filter(some).count();
    if passed == 0 {
        let said = limit::last_lines(&format!("{}{}", outcome.stdout, outcome.stderr));
        bail!("not one scenario passed: {}\n{said}", shell::line(&command));
    }
    println!("   conformance {version}: {passed} of {} scenarios pass", verdicts.len());
    for verdict in verdicts.iter().filter(none) {
        println!("   conformance {version}: the suite leaves out {}", verdict.scenario);
    }
    Ok(expected::problems(expected, version, &verdicts))
}

/// The server scenarios that belong to `version`, whether it requires them or only reports them.
fn scenarios(suites: &Suites, server: &Server, version: &str) -> Result<Vec<String>> {
    let mut command = suites.conformance(server.token_file());
    command.args(["list", "--requirements", version]);
    let outcome = limit::run(&mut command, LIMIT)?;
    let names = listed(&outcome.stdout);
    if names.is_empty() {
        bail!("no scenario at {version}: {}\n{}", shell::line(&command), outcome.stderr);
    }
    Ok(names)
}

/// The names in the section of server scenarios, and below it those marked `[server]`.
fn listed(list: &str) -> Vec<String> {
    let mut in_section = false;
    let mut names = Vec::new();
    for line in list.lines() {
        if !line.starts_with(' ') && !line.is_empty() {
            in_section = line.starts_with("Server scenarios");
        }
        let Some(name) = line.trim().strip_prefix("- ") else { continue };
        match name.strip_suffix(" [server]") {
            Some(name) => names.push(name.to_owned()),
            None if in_section => names.push(name.to_owned()),
            None => {}
        }
    }
    names
}

/// A verdict for each of `scenarios`, from the folders that the suite wrote into `results`.
fn verdicts(scenarios: &[String], results: &Path) -> Result<Vec<Verdict>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(results)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let file = entry.path().join("checks.json");
        let Ok(text) = std::fs::read_to_string(&file) else { continue }; // it broke off
        let Some(scenario) = scenario_of(&name) else { continue };
        let verdict = verdict(scenario, &text);
        found.push(verdict.with_context(|| format!("in the results {name}"))?);
    }
    let of = |name: &String| {
        let at = found.iter().position(|verdict| verdict.scenario == *name);
        at.map(|at| found.swap_remove(at)).unwrap_or_else(|| Verdict {
            scenario: name.clone(),
            failures: vec!["it broke off without a result".to_owned()],
            successes: 0,
        })
    };
    Ok(scenarios.iter().map(of).collect())
}

/// The scenario in `server-<scenario>-<time>`, where the time is `2026-11-22T01-26-29-507Z`.
fn scenario_of(folder: &str) -> Option<&str> {
    const TIME: usize = "-2026-11-22T01-26-29-507Z".len();
    let rest = folder.strip_prefix("server-")?;
    rest.get(..rest.len().checked_sub(TIME)?)
}

/// The verdict in the text of a `checks.json`. Warnings are recommendations.
fn verdict(scenario: &str, checks: &str) -> Result<Verdict> {
    let checks: Vec<Check> = serde_json::from_str(checks)?;
    let successes = checks.iter().filter(|check| check.status == "SUCCESS").count();
    let failed = checks.into_iter().filter(|check| check.status == "FAILURE");
    let failures = failed.map(|check| {
        let message = check.error_message.unwrap_or_else(|| "no reason given".to_owned());
        format!("{} ({message})", check.id)
    });
    Ok(Verdict { scenario: scenario.to_owned(), failures: failures.collect(), successes })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
Required for 2025-11-25 (48 scenarios, frozen; run at the 2025-11-25 wire):

Server scenarios (test against a server):
  - ping
  - tools-list

Client scenarios (test against a client):
  - initialize

Run and reported, but never scored:
  extension (6):
    - auth/dpop [client]
  pending (2):
    - server-sse-polling [server]
";

    const CHECKS: &str = r#"[
  {"id": "tools-list", "name": "ToolsList", "status": "SUCCESS", "timestamp": "x"},
  {"id": "tools-order", "status": "FAILURE", "errorMessage": "two orders"},
  {"id": "tools-names", "status": "WARNING", "errorMessage": "long"},
  {"id": "wire", "status": "FAILURE"}
]"#;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_servers_scenarios_are_listed() {
        assert_eq!(listed(LIST), ["ping", "tools-list", "server-sse-polling"]);
    }

    #[test]
    fn failed_checks_keep_their_reason() {
        let found = verdict("tools-list", CHECKS).unwrap();
        assert_eq!(found.failures, ["tools-order (two orders)", "wire (no reason given)"]);
        assert_eq!(found.successes, 1);
        assert!(verdict("tools-list", "[]").unwrap().passed());
        assert!(verdict("tools-list", "nonsense").is_err());
    }

    #[test]
    fn a_folder_names_its_scenario() {
        assert_eq!(scenario_of("server-tools-list-2026-11-22T01-26-29-507Z"), Some("tools-list"));
        assert_eq!(scenario_of("client-ping-2026-11-22T01-26-29-507Z"), None);
        assert_eq!(scenario_of("server-x"), None);
    }

    #[test]
    fn every_scenario_gets_a_verdict() {
        let results = tempfile::tempdir().unwrap();
        let folder = results.path().join("server-ping-2026-11-22T01-26-29-507Z");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("checks.json"), "[]").unwrap();
        let verdicts = verdicts(&names(&["ping", "tools-list"]), results.path()).unwrap();
        assert!(verdicts[0].passed());
        assert_eq!(verdicts[1].failures, ["it broke off without a result"]);
    }
}

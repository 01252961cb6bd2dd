//! The scenarios that may fail, each with its reason: `tests/mcp/expected-failures.toml`.

use super::conformance::Verdict;
use crate::workspace;
use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// One scenario at one version of the protocol that fails, and why that is right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    scenario: String,
    version: String,
    reason: String,
}

/// The file as a whole.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    failure: Vec<Expected>,
}

pub(super) fn read() -> Result<Vec<Expected>> {
    let path = "tests/mcp/expected-failures.toml";
    let text = std::fs::read_to_string(workspace::root().join(path))
        .with_context(|| format!("cannot read {path}"))?;
    parse(&text).with_context(|| format!("in {path}"))
}

fn parse(text: &str) -> Result<Vec<Expected>> {
    let file: File = toml::from_str(text)?;
    if let Some(entry) = file.failure.iter().find(|entry| entry.reason.trim().is_empty()) {
        bail!("{} at {} has no reason", entry.scenario, entry.version);
    }
    Ok(file.failure)
}

/// The problems of the verdicts at `version`: unexpected failures, and entries that no longer fail or never
/// ran.
pub(super) fn problems(expected: &[Expected], version: &str, verdicts: &[Verdict]) -> Vec<String> {
    let entries: Vec<&str> = expected
        .iter()
        .filter(|entry| entry.version == version)
        .map(|entry| entry.scenario.as_str())
        .collect();
    let unexpected = verdicts
        .iter()
        .filter(|verdict| !verdict.passed() && !entries.contains(&verdict.scenario.as_str()))
        .map(|verdict| format!("{} fails: {}", verdict.scenario, verdict.failures.join("; ")));
    let stale = entries.iter().filter_map(|name| stale(name, verdicts));
    unexpected.chain(stale).map(|problem| format!("{version}: {problem}")).collect()
}

/// Why the entry for scenario `name` has to go.
fn stale(name: &str, verdicts: &[Verdict]) -> Option<String> {
    match verdicts.iter().find(|verdict| verdict.scenario == name) {
        Some(verdict) if !verdict.passed() => None,
        Some(_) => Some(format!("{name} passes now: remove it from the expected failures")),
        None => Some(format!("{name} is expected to fail, but no scenario has that name")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str =
        "[[failure]]\nscenario = \"tasks\"\nversion = \"2026-07-28\"\nreason = \"not served\"\n";

    fn verdict(scenario: &str, failures: &[&str]) -> Verdict {
        Verdict {
            scenario: scenario.to_owned(),
            failures: failures.iter().map(|&text| text.to_owned()).collect(),
            successes: 1,
        }
    }

    fn found(verdicts: &[Verdict]) -> Vec<String> {
        problems(&parse(ENTRY).unwrap(), "2026-07-28", verdicts)
    }

    #[test]
    fn a_failure_that_is_expected_is_none() {
        assert!(found(&[verdict("ping", &[]), verdict("tasks", &["no task"])]).is_empty());
    }

    #[test]
    fn an_unexpected_failure_is_named_with_its_checks() {
        let found = found(&[verdict("ping", &["late", "not empty"]), verdict("tasks", &["x"])]);
        assert_eq!(found, ["2026-07-28: ping fails: late; not empty"]);
    }

    #[test]
    fn an_entry_that_passes_or_never_ran_is_an_error() {
        let passes = found(&[verdict("tasks", &[])]);
        assert!(passes[0].contains("tasks passes now"), "{passes:?}");
        assert!(found(&[])[0].contains("no scenario has that name"));
    }

    #[test]
    fn an_entry_counts_at_its_version_only() {
        let entries = parse(ENTRY).unwrap();
        assert_eq!(problems(&entries, "2025-11-25", &[verdict("tasks", &["x"])]).len(), 1);
    }

    #[test]
    fn an_entry_needs_its_reason_and_nothing_else() {
        assert!(parse("").unwrap().is_empty());
        assert!(parse(&ENTRY.replace("not served", " ")).is_err());
        assert!(parse(&ENTRY.replace("reason", "because")).is_err());
    }
}

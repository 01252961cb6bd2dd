//! `cargo xtask book`: proves the pages. Every command of README and docs runs, and its output is compared.

mod commands;
mod compare;
mod console;
mod desk;
mod needs;
mod pages;

use crate::mcp;
use anyhow::{Result, bail};
use commands::Report;
use std::path::PathBuf;

/// Whether a page that is out of date is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It is.
    Check,
    /// It is written.
    Write,
}

impl Mode {
    pub(crate) fn from_flag(write: bool) -> Self {
        if write { Self::Write } else { Self::Check }
    }
}

/// Checks or writes the pages, whose commands call `program` or else the one that is built here.
/// Returns a line for everything that is skipped.
pub(crate) fn run(mode: Mode, program: Option<PathBuf>) -> Result<Vec<String>> {
    let program = program.map_or_else(mcp::program, Ok)?;
    let pages = pages::read()?;
    let reports = commands::run(&pages, &program, mode)?;
    let mut problems = Vec::new();
    print_reports(&reports);
    problems.extend(reports.iter().flat_map(|report| report.problems.clone()));
    for problem in &problems {
        println!("{problem}");
    }
    if !problems.is_empty() {
        bail!(
            "book: {} things are wrong; `cargo xtask book --write` fills outputs",
            problems.len()
        );
    }
    Ok(reports.iter().filter_map(skipped).collect())
}

/// The command by itself: also prints what is skipped.
pub(crate) fn run_and_print(mode: Mode, program: Option<PathBuf>) -> Result<()> {
    for line in run(mode, program)? {
        println!("skipped: {line}");
    }
    Ok(())
}

fn print_reports(reports: &[Report]) {
    for report in reports {
        let outcome = match &report.missing {
            Some(missing) => format!("skipped, missing: {missing}"),
            None if report.written > 0 => format!("{} outputs written", report.written),
            None if report.problems.is_empty() => "ok".to_owned(),
            None => format!("{} differ", report.problems.len()),
        };
        let took = report.took.as_secs_f64();
        println!("   {:<32} {:>3} commands {took:>6.1} s  {outcome}", report.path, report.commands);
    }
    let ran = reports.iter().filter(|report| report.missing.is_none());
    let (pages, commands) = (ran.clone().count(), ran.map(|report| report.commands).sum::<usize>());
    println!("book: {commands} commands on {pages} pages ran");
}

fn skipped(report: &Report) -> Option<String> {
    let missing = report.missing.as_ref()?;
    Some(format!("{} commands of {}: missing: {missing}", report.commands, report.path))
}

//! `cargo xtask book`: proves the pages. Every command of README and docs runs, and its output is compared.

mod commands;
mod compare;
mod console;
mod desk;
mod links;
mod needs;
mod pages;
mod reach;
mod words;

use crate::mcp;
use anyhow::{Result, bail};
use commands::Report;
use pages::Page;
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

/// What to do.
pub(crate) struct Job {
    pub(crate) mode: Mode,
    /// The `deskhand` that the commands call; else the one that is built here.
    pub(crate) program: Option<PathBuf>,
    /// Run the commands of these pages only.
    pub(crate) only: Vec<String>,
}

impl Job {
    /// Check every page with the program that is built here.
    pub(crate) fn check() -> Self {
        Self { mode: Mode::Check, program: None, only: Vec::new() }
    }
}

/// Checks or writes the pages. Returns a line for everything that is skipped.
pub(crate) fn run(job: &Job) -> Result<Vec<String>> {
    let program = job.program.clone().map_or_else(mcp::program, Ok)?;
    let pages = pages::read()?;
    let mut problems = links::check(&pages);
    problems.extend(words::check(pages.iter()));
    problems.extend(reach::check(&pages));
    println!("book: {} pages, {} links", pages.len(), links::count(&pages));
    let reports = commands::run(&chosen(&pages, &job.only)?, &program, job.mode)?;
    print_reports(&reports);
    problems.extend(reports.iter().flat_map(|report| report.problems.clone()));
    for problem in &problems {
        println!("{problem}");
    }
    if !problems.is_empty() {
        bail!("{} things are wrong; `cargo xtask book --write` fills outputs", problems.len());
    }
    Ok(reports.iter().filter_map(skipped).collect())
}

/// The command by itself: also prints what is skipped.
pub(crate) fn run_and_print(job: &Job) -> Result<()> {
    for line in run(job)? {
        println!("skipped: {line}");
    }
    Ok(())
}

/// The pages whose paths are in `only`, or all.
fn chosen(pages: &[Page], only: &[String]) -> Result<Vec<Page>> {
    if let Some(unknown) = only.iter().find(|path| pages.iter().all(|page| page.path != **path)) {
        bail!("no page is called {unknown}; name it from the root, for example docs/start.md");
    }
    let is_chosen = |page: &&Page| only.is_empty() || only.contains(&page.path);
    Ok(pages.iter().filter(is_chosen).cloned().collect())
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

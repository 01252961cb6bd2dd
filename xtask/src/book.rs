//! `cargo xtask book`: proves the pages. Every command of README and docs runs, and its output is compared.

mod commands;
mod compare;
mod console;
mod desk;
mod generated;
mod html;
mod links;
mod measured;
mod needs;
mod pages;
mod reach;
mod tools;
mod words;

pub(crate) use generated::Mode;

use crate::mcp;
use anyhow::{Result, bail};
use commands::Report;
use pages::Page;
use std::path::{Path, PathBuf};

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
    let mut problems = generate(&program, job.mode)?;
    let pages = pages::read()?;
    problems.extend(check(&pages));
    println!("book: {} pages, {} links", pages.len(), links::count(&pages));
    let reports = commands::run(&chosen(&pages, &job.only)?, &program, job.mode)?;
    print_reports(&reports);
    if reports.iter().any(|report| report.written > 0) {
        generate(&program, job.mode)?; // pages of tools quote what commands wrote
    }
    problems.extend(reports.iter().flat_map(|report| report.problems.clone()));
    for problem in &problems {
        println!("{problem}");
    }
    if !problems.is_empty() {
        bail!("{} things are wrong; `cargo xtask book --write` fills outputs", problems.len());
    }
    let mut skipped: Vec<String> = reports.iter().filter_map(skipped).collect();
    skipped.extend(html::render(&pages::read()?)?);
    Ok(skipped)
}

/// Writes the pages that are generated, or returns a line for each that is out of date.
fn generate(program: &Path, mode: Mode) -> Result<Vec<String>> {
    let pages = pages::read()?;
    let (mut files, mut problems) = tools::generated(&pages, program)?;
    files.push(measured::generated(&pages)?);
    problems.extend(generated::settle(&files, mode)?);
    Ok(problems)
}

/// Checks that need only the pages.
fn check(pages: &[Page]) -> Vec<String> {
    let is_generated = |page: &&Page| page.text.starts_with(generated::MARK);
    let mut problems = links::check(pages);
    let is_written = |page: &&Page| !is_generated(page) && page.path != links::SUMMARY;
    problems.extend(words::check(pages.iter().filter(is_written)));
    problems.extend(reach::check(pages));
    let of_specs: usize =
        pages.iter().filter(is_generated).map(|page| words::avoided(page).len()).sum();
    println!("book: {of_specs} avoided words in generated pages; they come from the specs");
    problems
}

/// The command by itself: also prints skipped parts.
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

//! Runs the commands of the pages, each page in a folder of its own, and compares what they write with what the
//! page shows.

use super::compare::{self, Ids};
use super::console::{self, Example, Piece};
use super::desk::{Desk, Session};
use super::generated::Mode;
use super::needs;
use super::pages::Page;
use crate::workspace;
use anyhow::{Context, Result};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The result of a page.
pub(super) struct Report {
    pub(super) path: String,
    pub(super) commands: usize,
    pub(super) took: Duration,
    /// What the page needs and this machine lacks; then nothing ran.
    pub(super) missing: Option<String>,
    /// Outputs that were written into the page.
    pub(super) written: usize,
    /// A line for each command whose output differs.
    pub(super) problems: Vec<String>,
}

/// Runs the commands of `pages` with `program`, as many pages at once as there are cores.
pub(super) fn run(pages: &[Page], program: &Path, mode: Mode) -> Result<Vec<Report>> {
    let has_commands = |page: &&Page| {
        let pieces = console::pieces(&page.text);
        console::examples(&pieces).next().is_some()
    };
    let queue = Mutex::new(pages.iter().filter(has_commands));
    let next = || queue.lock().ok()?.next();
    let worker = || std::iter::from_fn(next).map(|page| page_report(page, program, mode));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let mut reports = std::thread::scope(|scope| {
        let start = |_| scope.spawn(|| worker().collect::<Result<Vec<Report>>>());
        let threads: Vec<_> = (0..count).map(start).collect();
        let ended = |thread: std::thread::ScopedJoinHandle<'_, Result<Vec<Report>>>| {
            thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a page's thread panicked")))
        };
        threads.into_iter().map(ended).collect::<Result<Vec<_>>>()
    })?;
    let mut reports: Vec<Report> = reports.drain(..).flatten().collect();
    reports.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(reports)
}

fn page_report(page: &Page, program: &Path, mode: Mode) -> Result<Report> {
    let start = Instant::now();
    let mut pieces = console::pieces(&page.text);
    let session = Session::named(console::session_name(&page.text).unwrap_or("none"))
        .with_context(|| format!("in the first line of {}", page.path))?;
    let mut report = Report {
        path: page.path.clone(),
        commands: console::examples(&pieces).count(),
        took: Duration::ZERO,
        missing: needs::missing(session, console::examples(&pieces)),
        written: 0,
        problems: Vec::new(),
    };
    if report.missing.is_none() {
        let desk = Desk::fresh(program, session).with_context(|| page.path.clone())?;
        run_all(&mut pieces, &desk, mode, &mut report).with_context(|| page.path.clone())?;
    }
    if report.written > 0 {
        std::fs::write(workspace::root().join(&page.path), console::joined(&pieces))
            .with_context(|| format!("cannot write {}", page.path))?;
    }
    report.took = start.elapsed();
    Ok(report)
}

/// Runs the commands in order. What differs is a problem, or is written into `pieces`.
fn run_all(pieces: &mut [Piece], desk: &Desk, mode: Mode, report: &mut Report) -> Result<()> {
    let mut ids = Ids::default();
    for piece in pieces {
        let Piece::Command(example) = piece else {
            continue;
        };
        if let Some(id) = ids.unknown(&example.command) {
            let (path, line) = (&report.path, example.line);
            report.problems.push(format!("{path}:{line}: no output above shows `{id}`"));
            continue;
        }
        let real = desk.run(&ids.real(&example.command))?;
        let Err(why) = compare::compare(&example.output, &real, &mut ids) else {
            continue;
        };
        if mode == Mode::Write {
            let shown = ids.shown(&real);
            example.output = filled(&shown, &example.output);
            compare::compare(&example.output, &real, &mut ids).ok(); // notes the new ids
            report.written += 1;
        } else {
            report.problems.push(problem(&report.path, example, &why, &real));
        }
    }
    Ok(())
}

/// `real` in place of the output `before`, with as many blank lines at its end.
fn filled(real: &str, before: &str) -> String {
    let lines: Vec<&str> = real.trim_matches('\n').lines().map(str::trim_end).collect();
    let mut output = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let is_followed_by_blank = before.ends_with("\n\n") || before == "\n";
    if is_followed_by_blank {
        output.push('\n');
    }
    output
}

fn problem(path: &str, example: &Example, why: &str, real: &str) -> String {
    let (line, command) = (example.line, &example.command);
    let indented = |text: &str| {
        let lines = text.trim_matches('\n').lines();
        lines.map(|line| format!("    {line}\n")).collect::<String>()
    };
    let (shown, real) = (indented(&example.output), indented(real));
    format!("{path}:{line}: {why}: $ {command}\n  the page shows\n{shown}  it writes\n{real}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_filled_as_it_was_laid_out() {
        assert_eq!(filled("a  \nb\n\n", ""), "a\nb\n");
        assert_eq!(filled("a", "old\n\n"), "a\n\n");
        assert_eq!(filled("", "old\n"), "");
    }

    #[test]
    fn a_problem_names_the_line_and_shows_both() {
        let example = Example { line: 7, command: "x".into(), output: "a\n".into() };
        let problem = problem("docs/a.md", &example, "the output differs", "b\n");
        assert!(problem.starts_with("docs/a.md:7: the output differs: $ x\n"), "{problem}");
        assert!(problem.ends_with("    a\n  it writes\n    b\n"), "{problem}");
    }
}

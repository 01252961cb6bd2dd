//! One entry point for everything a developer runs: setup, demo, example, test, tidy,
//! book, mcp, bench, bundle, install, dist, completions.
//!
//! Thread: any. Each command is a module that starts other programs, waits for them and reports.
//!
//! Does not know: the crates of the project. It drives the `deskhand` binary as a user would.

#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program answers on stdout and complains on stderr"
)]

mod bench;
mod book;
mod bundle;
mod completions;
mod demo;
mod example;
mod figures;
mod hard_words;
mod hosts;
mod limit;
mod mcp;
mod project;
mod setup;
mod shell;
mod skipped;
mod soak;
mod test;
mod third_party;
mod tidy;
mod venv;
mod wav;
mod workspace;

use clap::{Parser, Subcommand};
use soak::Soak;
use std::path::PathBuf;
use std::process::ExitCode;

/// Build, try and prove Deskhand.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    task: Task,
}

/// What can be run.
#[derive(Subcommand)]
enum Task {
    /// Install the optional system packages: as root with apt, else print the line to run.
    Setup,
    /// Run everything that proves the project; CI runs exactly this.
    Test {
        /// Add the soaks: 1,000,000 more callbacks, 1,000 kills, long files.
        #[arg(long)]
        long: bool,
    },
    /// Check the house rules: dependency edges, headers, lengths, one file per tool, clean text.
    Tidy {
        /// Check nothing; list every message that a person may read.
        #[arg(long)]
        messages: bool,
    },
    /// Check README and docs: run every command, follow every link, compare what is generated.
    Book {
        /// Run the commands of these pages only, for example docs/start.md.
        pages: Vec<String>,
        /// Update outputs and generated pages that are out of date.
        #[arg(long)]
        write: bool,
        /// Use this `deskhand` instead of building one.
        #[arg(long, value_name = "PROGRAM")]
        deskhand: Option<PathBuf>,
    },
    /// Run the MCP server against the conformance suite, the inspector and clients in Python.
    Mcp,
    /// Load the plugin into hosts, use it and the app there, and measure what is heard.
    Hosts {
        /// Only these: clack, python (with timelines), timelines, plugin-window, ardour (with ardour-session), ardour-session, ardour-window, qtractor, app, episode.
        parts: Vec<String>,
        /// Make 10,000 instances in a row, in place of 1,000.
        #[arg(long)]
        long: bool,
    },
    /// Do ten jobs in the app and write docs/gallery.md with their pictures and numbers.
    Gallery,
    /// The main job on real audio: import, ask, plan, apply, render, undo, redo.
    Demo {
        /// Your own recordings instead of those in the repository.
        files: Vec<PathBuf>,
    },
    /// Make the example interview again: the files in plugin/standalone/assets/example.
    Example,
    /// Build the plugin (CLAP and VST3), the app and the command line, and lay them out in target/bundled.
    Bundle {
        /// Built quickly instead of fast.
        #[arg(long)]
        dev: bool,
    },
    /// Bundle, and put everything where this user's hosts and shell find it.
    Install {
        /// Built quickly instead of fast.
        #[arg(long)]
        dev: bool,
    },
    /// Bundle, and pack an archive for machines without Rust.
    Dist,
    /// Write the shell completions of `deskhand` into target/completions.
    Completions,
    /// Print the project's figures as ratios against ffmpeg, sox and ffmpeg-normalize.
    Bench {
        /// Only these: measure, flac, mp3, normalize, mix, memory, engine, decision, chat, plugin, editor,
        /// words, import, projects, stems, speech, fillers, analysis.
        names: Vec<String>,
        /// Keep the figures in docs/figures.json, from which the book's table is made.
        #[arg(long)]
        write: bool,
    },
}

fn main() -> ExitCode {
    match run(Xtask::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}"); // without the backtrace that anyhow adds on request
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<()> {
    match task {
        Task::Setup => setup::run(),
        Task::Bundle { dev } => bundle::bundle(bundle::Profile::from_flag(dev)).map(drop),
        Task::Install { dev } => bundle::install(bundle::Profile::from_flag(dev)),
        Task::Dist => bundle::dist(),
        Task::Completions => completions::run(),
        Task::Test { long } => test::run(Soak::from_flag(long)),
        Task::Tidy { messages: true } => tidy::print_messages(),
        Task::Tidy { messages: false } => tidy::run(),
        Task::Book { pages, write, deskhand } => book::run_and_print(&book::Job {
            mode: book::Mode::from_flag(write),
            program: deskhand,
            only: pages,
        }),
        Task::Mcp => mcp::run(),
        Task::Hosts { parts, long } => hosts::run(&parts, Soak::from_flag(long)),
        Task::Gallery => hosts::gallery::run(),
        Task::Demo { files } => demo::run(&files),
        Task::Example => example::run(),
        Task::Bench { names, write } => bench::run(&names, bench::Keep::from_flag(write)),
    }
}

//! `cargo xtask test`: the steps that prove the project, in the order that fails soonest.

use crate::soak::Soak;
use crate::{book, hosts, mcp, setup, shell, skipped, tidy, workspace};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// One step: a command of Cargo, or a task in this process.
enum Step {
    Cargo(Command),
    /// Runs tests; the report lists what they skip.
    Tests(Command),
    Tidy,
    /// Checks the book; the report lists what lacks a program or a model here.
    Book,
    Mcp,
    Hosts(Soak),
}

/// Runs every step and prints what each took; stops at the first that fails.
pub(crate) fn run(soak: Soak) -> Result<()> {
    let mut skipped = setup::install_missing();
    let mut steps = steps(soak, &workspace::target()?);
    match sanitizer() {
        Ok(command) => steps.push(("sanitizer", Step::Cargo(command))),
        Err(reason) => skipped.push(reason),
    }
    match hosts::windows::prepare() {
        Ok(command) => steps.push(("window", Step::Cargo(command))),
        Err(reason) => skipped.push(reason),
    }
    match mcp::prepare() {
        Ok(()) => steps.push(("mcp", Step::Mcp)),
        Err(reason) => skipped.push(reason),
    }
    match hosts::prepare() {
        Ok(()) => steps.push(("hosts", Step::Hosts(soak))),
        Err(reason) => skipped.push(reason),
    }
    let mut report = Vec::new();
    for (name, step) in steps {
        report.push((name, timed(name, step, &mut skipped)?));
    }
    if soak == Soak::Skip {
        skipped.push("the soaks; `cargo xtask test --long` runs them".to_owned());
    }
    print_summary(&report, &skipped);
    Ok(())
}

/// RUSTFLAGS stay as they are in every step: a change would build everything again.
fn steps(soak: Soak, target: &Path) -> Vec<(&'static str, Step)> {
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    let mut test = shell::cargo(["test", "--workspace"]);
    // Tests that need a model share one folder for them, which is filled as they ask for it.
    test.env("DESKHAND_MODELS", target.join("tmp/models"));
    if soak == Soak::Run {
        test.env("DESKHAND_LONG", "1");
    }
    let mut doc = shell::cargo(["doc", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    vec![
        ("format", Step::Cargo(shell::cargo(["fmt", "--all", "--check"]))),
        ("tidy", Step::Tidy),
        ("clippy", Step::Cargo(shell::cargo(clippy))),
        ("test", Step::Tests(test)),
        ("book", Step::Book),
        ("docs", Step::Cargo(doc)),
    ]
}

/// The engine under the real-time sanitizer, whose runtime the toolchain ships for some platforms.
fn sanitizer() -> Result<Command, String> {
    let skipped = |why: &str| format!("the engine under the real-time sanitizer: {why}");
    let sysroot = shell::capture(Command::new("rustc").args(["--print", "sysroot"]))
        .map_err(|error| skipped(&error.to_string()))?;
    let runtime = Path::new(String::from_utf8_lossy(&sysroot.stdout).trim())
        .join("lib/rustlib/x86_64-unknown-linux-gnu/lib/librustc-stable_rt.rtsan.a");
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !runtime.exists() {
        return Err(skipped("this toolchain does not ship its runtime"));
    }
    // With the whole workspace the features of every dependency stay as they were built above.
    let mut command = shell::cargo(["test", "--workspace", "--test", "realtime"]);
    command.args(["--features", "deskhand-tests/rtsan"]);
    command.env("RTSAN_ENABLE", "1").env("RTSAN_LIB_PATH", runtime);
    Ok(command)
}

/// Runs `step` under a header line and returns how long it took; what its tests leave out is added to `skipped`.
fn timed(name: &str, step: Step, skipped: &mut Vec<String>) -> Result<Duration> {
    let start = Instant::now();
    let line = match &step {
        Step::Cargo(command) | Step::Tests(command) => shell::line(command),
        Step::Tidy => "cargo xtask tidy".to_owned(),
        Step::Book => "cargo xtask book".to_owned(),
        Step::Mcp => "cargo xtask mcp".to_owned(),
        Step::Hosts(_) => "cargo xtask hosts".to_owned(),
    };
    println!("\n== {name}: {line}");
    let outcome = match step {
        Step::Cargo(mut command) => shell::run(&mut command),
        Step::Tests(mut command) => {
            skipped::listed(&mut command).map(|found| skipped.extend(found))
        }
        Step::Tidy => tidy::run(),
        Step::Book => book::run(&book::Job::check()).map(|found| skipped.extend(found)),
        Step::Mcp => mcp::run(),
        Step::Hosts(soak) => hosts::quick(soak),
    };
    outcome.with_context(|| format!("step `{name}` failed; repeat it alone with: {line}"))?;
    let took = start.elapsed();
    println!("== {name}: ok, {:.1} s", took.as_secs_f64());
    Ok(took)
}

fn print_summary(report: &[(&str, Duration)], skipped: &[String]) {
    println!("\n== everything passed");
    for (name, took) in report {
        println!("   {name:<9} {:>7.1} s", took.as_secs_f64());
    }
    for line in skipped {
        println!("   skipped: {line}");
    }
}

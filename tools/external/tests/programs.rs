//! Tools as programs: good ones give plans, bad ones give one clear line, and nothing keeps running.
//!
//! This test has its own `main`: it starts itself as the guard.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

#[cfg(unix)]
#[path = "programs/analysis_tools.rs"]
mod analysis_tools;
#[cfg(unix)]
#[path = "programs/desk.rs"]
mod desk;
#[cfg(unix)]
#[path = "programs/good.rs"]
mod good;
#[cfg(unix)]
#[path = "programs/hostile.rs"]
mod hostile;
#[cfg(unix)]
#[path = "programs/manifests.rs"]
mod manifests;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = deskhand_external::launch::run_if_asked() {
        return code;
    }
    #[cfg(unix)]
    run();
    ExitCode::SUCCESS
}

/// Runs each test whose name has the word that was given, as the usual harness does.
#[cfg(unix)]
fn run() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let tests = [good::TESTS, analysis_tools::TESTS, hostile::TESTS, manifests::TESTS]
        .into_iter()
        .flatten();
    for (name, test) in tests.filter(|(name, _)| name.contains(&wanted)) {
        let started = std::time::Instant::now();
        test();
        println!("test {name} ... ok ({:.1} s)", started.elapsed().as_secs_f64());
    }
}

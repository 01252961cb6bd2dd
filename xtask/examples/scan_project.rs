//! How fast a project file can be read by a parser that keeps nothing: the lines of an `.RPP`, or the events of XML.
//! `cargo xtask bench projects` compares this with what Deskhand needs.

#![expect(clippy::print_stdout, reason = "the figures are the answer")]

use anyhow::{Context, Result};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The fastest of these counts: what else the machine does only adds time.
const RUNS: usize = 20;

fn main() -> Result<()> {
    let file = std::env::args_os().nth(1).context("give a project file")?;
    let file = PathBuf::from(file);
    let mut least = f64::INFINITY;
    let mut parts = 0;
    for _ in 0..RUNS {
        let start = Instant::now();
        parts = scan(&file)?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    println!("{}", serde_json::json!({"scan_s": least, "parts": parts}));
    Ok(())
}

/// Reads the file, and counts its lines or the events of its XML.
fn scan(file: &Path) -> Result<usize> {
    let text = std::fs::read_to_string(file)?;
    let is_rpp = file.extension().and_then(OsStr::to_str) == Some("RPP");
    if is_rpp { Ok(text.lines().filter(|line| !line.is_empty()).count()) } else { events(&text) }
}

fn events(text: &str) -> Result<usize> {
    let mut reader = Reader::from_str(text);
    let mut count = 0;
    while !matches!(reader.read_event()?, Event::Eof) {
        count += 1;
    }
    Ok(count)
}

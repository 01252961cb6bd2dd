//! What ten hours of talk cost: a transcript of 100,000 words is searched, coded and scrolled.

use super::live::example;
use crate::bench::inputs::Bench;
use crate::bench::table::{Amount, Row};
use anyhow::{Context, Result};
use serde_json::Value;
use std::ffi::OsStr;
use std::time::Duration;

/// Renaming a speaker of half of the phrases changes 5,000 segments. Each may cost what each of the 1,000 that are coded
/// within a second may.
const RENAME_MS: u64 = 5_000;
/// So long a person looks on and does not go away (Miller 1968); beyond it a search is one that should be stopped.
const ATTENTION_MS: u64 = 10_000;

/// From the call to the answer of the hub, and a frame of the window while it is scrolled.
pub(super) fn transcript(bench: &Bench) -> Result<Vec<Row>> {
    let folder = bench.fresh("words.deskhand")?;
    let figures = example("words_cost", &[folder.as_os_str()])?;
    println!("   {figures}");
    let frames = example("transcript_cost", &[OsStr::new("--json")])?;
    println!("   {frames}");
    Ok(vec![
        row("search 100,000 words", &figures, "search_s", 50)?,
        row("search 100,000 words, misheard", &figures, "fuzzy_s", 50)?,
        row("code 1,000 places of 100,000 words, durable", &figures, "code_s", 1_000)?,
        row(
            "code by the slowest of four hostile regular expressions",
            &figures,
            "regex_s",
            ATTENTION_MS,
        )?,
        row(
            "rename one of two speakers of 10,000 phrases, durable",
            &figures,
            "rename_s",
            RENAME_MS,
        )?,
        row("a frame, 100,000 words scrolled, p95", &frames, "frame_p95_s", 16)?,
    ])
}

fn row(name: &str, figures: &Value, key: &str, limit_ms: u64) -> Result<Row> {
    let took = figures[key].as_f64();
    let took = took.with_context(|| format!("there is no `{key}` in {figures}"))?;
    let ours = Amount::Time(Duration::from_secs_f64(took));
    Ok(Row::under(name, ours, Amount::Time(Duration::from_millis(limit_ms))))
}

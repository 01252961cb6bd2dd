//! `cargo xtask gallery`: ten jobs in the app, each with the wish, the card, the receipt and the numbers before and
//! after, as the page docs/gallery.md.

use super::seat::Seat;
use crate::workspace;
use anyhow::{Context, Result};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

/// A title, and what is said. Each job begins with the example interview as it comes.
const JOBS: [(&str, &str); 10] = [
    ("Bring everything to one loudness", "bring every track to -19 LUFS"),
    ("Even out two voices", "even out the voices"),
    ("Fade the music in", "fade in the music over 3 seconds"),
    ("Cut silences in sync", "strip the silence from the host and the guest and close the gaps"),
    ("Keep the music under the speech", "duck the music under the host and the guest by 12 dB"),
    ("Match two voices", "make the guest as loud as the host"),
    ("Set the loudness of the mix", "bring the whole show to -16 LUFS"),
    ("Lower a track", "turn the music down by 3 dB"),
    ("Set levels for a mix", "gain stage everything"),
    ("Master for a podcast", "master it for a podcast"),
];
const HEAD: &str = "# Gallery\n\nTen jobs on the example interview. The pictures and numbers come from the app: \
                    `cargo xtask gallery` makes this page.\n";
/// The width of the conversation, in which cards and receipts are.
const CONVERSATION: u32 = 416;

/// Does all jobs and writes the page.
pub(crate) fn run() -> Result<()> {
    let mut page = HEAD.to_owned();
    for (place, (title, wish)) in JOBS.iter().enumerate() {
        println!("gallery: {wish}");
        page += &job(place + 1, title, wish).with_context(|| format!("in the job `{wish}`"))?;
    }
    std::fs::write(workspace::root().join("docs/gallery.md"), page)?;
    Ok(())
}

fn pictures() -> Result<PathBuf> {
    let folder = workspace::root().join("docs/pictures/gallery");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// One job in an app of its own.
fn job(number: usize, title: &str, wish: &str) -> Result<String> {
    let seat = Seat::at_new_session("gallery", "example.deskhand", &["--example"])?;
    seat.screen.resize(&seat.window)?;
    let waits = |plan: &Value| plan["state"] == "waiting";
    let plan = seat.ask(wish, waits)?.context("no plan came up")?;
    seat.picture(&format!("{number}-card.png"))?;
    let done = seat.apply_plan(&plan)?.context("the plan was not applied")?;
    seat.picture(&format!("{number}-receipt.png"))?;
    seat.close()?;
    let summary = plan["plan"]["summary"].as_str().unwrap_or_default();
    Ok(format!(
        "\n## {title}\n\n\"{wish}\"\n\n{summary}.\n\n\
         ![The card of the plan](pictures/gallery/{number}-card.png) \
         ![The receipt](pictures/gallery/{number}-receipt.png)\n{}",
        numbers(&done)
    ))
}

impl Seat {
    /// The conversation as it is once nothing moves.
    fn picture(&self, name: &str) -> Result<()> {
        self.screen.still(&self.window)?;
        self.screen.right_edge(&self.window, CONVERSATION, &pictures()?.join(name))
    }
}

/// What was measured before, promised, and measured after, as a table; empty if nothing was.
fn numbers(plan: &Value) -> String {
    let rows = plan["receipt"]["measured"].as_array().map(Vec::as_slice).unwrap_or_default();
    if rows.is_empty() {
        return String::new();
    }
    let mut table = "\n| | before | planned | after |\n|---|---|---|---|\n".to_owned();
    for row in rows {
        let measure = row["measure"].as_str().unwrap_or_default().replace('_', " ");
        let is_it =
            |found: &&Value| found["target"] == row["target"] && found["measure"] == row["measure"];
        let found = plan["plan"]["findings"].as_array().and_then(|all| all.iter().find(is_it));
        let before = found.and_then(|found| found["value"].as_f64());
        let unit = row["unit"].as_str().unwrap_or_default();
        let told = |value: Option<f64>| {
            value.map_or_else(|| "".into(), |value| format!("{value:.1} {unit}").replace('-', "−"))
        };
        let [planned, after] = ["predicted", "measured"].map(|side| told(row[side].as_f64()));
        let name = row["name"].as_str().unwrap_or_default();
        writeln!(table, "| {name}, {measure} | {} | {planned} | {after} |", told(before)).ok();
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_number_has_what_was_measured_before_if_it_was() {
        let row = |measure: &str| {
            json!({"target": "a", "measure": measure, "name": "Host", "unit": "LUFS",
                   "predicted": -16.0, "measured": -15.98})
        };
        let plan = json!({
            "plan": {"findings": [{"target": "a", "measure": "loudness", "value": -20.51}]},
            "receipt": {"measured": [row("loudness"), row("rms")]},
        });
        let table = numbers(&plan);
        assert!(
            table.contains("| Host, loudness | −20.5 LUFS | −16.0 LUFS | −16.0 LUFS |"),
            "{table}"
        );
        assert!(table.contains("| Host, rms |  | −16.0 LUFS | −16.0 LUFS |"), "{table}");
        assert_eq!(numbers(&json!({})), "");
    }
}

//! `deskhand doctor`: is the history whole, is the media there?

use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_store::doctor::{Repair, Report, repair_to, verify};
use serde_json::json;
use std::path::Path;

/// Verifies a session, or saves what is whole of it.
pub(crate) fn run(dir: &Path, target: Option<&Path>, output: Output) -> Result<Exit, Failure> {
    let failed = |error| Failure::plain("doctor", error);
    match target {
        None => {
            let report = verify(dir).map_err(failed)?;
            output.json(&json!({"sound": report.is_sound(), "report": report}));
            output.say(describe(&report));
            Ok(if report.is_sound() { Exit::Done } else { Exit::Failed })
        }
        Some(target) => {
            let repair = repair_to(dir, target).map_err(failed)?;
            output.json(&repair);
            output.say(describe_repair(&repair, target));
            Ok(Exit::Done)
        }
    }
}

fn describe(report: &Report) -> String {
    let mut text = format!(
        "{} events, {} revisions (at {}), {} plans, {} sources\n",
        report.events, report.revisions, report.head, report.plans, report.sources
    );
    for what in report.damage.iter().chain(&report.media) {
        text += &format!("  {what}\n");
    }
    text + if report.is_sound() { "sound: nothing is wrong" } else { "not sound" }
}

fn describe_repair(repair: &Repair, target: &Path) -> String {
    let mut text = format!("saved into {}: {}", target.display(), describe(&repair.saved));
    for what in &repair.lost {
        text += &format!("\n  lost: {what}");
    }
    text
}

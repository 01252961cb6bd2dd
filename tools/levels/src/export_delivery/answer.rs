//! What an export says about the files that it wrote.

use super::call::Resolved;
use super::report::{self, Check, Report};
use super::tags;
use crate::targets::Delivery;
use deskhand_session::Session;
use deskhand_session::text::{names, trimmed};
use deskhand_toolkit::Draft;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A written file and its report.
pub(super) type Written = (PathBuf, Report);

pub(super) fn told(
    files: &[Written],
    [html, json]: [&Path; 2],
    call: &Resolved,
    session: &Session,
) -> Draft {
    let complies = files.iter().all(|(_, report)| report.complies());
    let mut draft = match files {
        [(path, report)] if !call.params.each_track => of_one(path, report, call),
        _ => of_tracks(files),
    };
    if let Some(answer) = &mut draft.answer {
        answer["report_html"] = json!(html.display().to_string());
        answer["report_json"] = json!(json.display().to_string());
        answer["complies"] = json!(complies);
    }
    if complies {
        draft.warnings = files.iter().flat_map(|(_, report)| report.notes.clone()).collect();
    }
    tell_solo(session, &mut draft);
    let is_all = call.params.chapters && call.params.chapter_markers.is_none() && call.is_whole();
    draft.warnings.extend(is_all.then(|| tags::left_out(session)).flatten());
    draft
}

fn of_one(path: &Path, report: &Report, call: &Resolved) -> Draft {
    let failed = failed(&report.checks);
    let loudness =
        report.integrated_lufs.map_or("silence".into(), |level| format!("{level:.1} LUFS"));
    let way = way_out(report, call);
    let verdict = match (report.checks.is_empty(), failed.is_empty()) {
        (true, _) => String::new(),
        (false, true) => ", complies".into(),
        (false, false) => format!(", does not comply: {}{way}", failed.join("; ")),
    };
    let mut draft = Draft::new(format!("Wrote {}: {loudness}{verdict}", path.display()));
    let mut answer = facts(path, report);
    answer["chapters"] = json!(report.chapters.len());
    if !report.notes.is_empty() {
        answer["notes"] = json!(report.notes);
    }
    draft.answer = Some(answer);
    draft
}

fn of_tracks(files: &[Written]) -> Draft {
    let written: Vec<Value> = files.iter().map(|(path, report)| facts(path, report)).collect();
    let folder = files.first().and_then(|(path, _)| path.parent()).unwrap_or(Path::new(""));
    let mut summary = match files.len() {
        1 => format!("Wrote 1 file to {}", folder.display()),
        more => format!("Wrote {more} files to {}", folder.display()),
    };
    let off: Vec<&Report> =
        files.iter().map(|(_, report)| report).filter(|report| !report.complies()).collect();
    if !off.is_empty() {
        let told: Vec<String> = off.iter().map(|report| report.file.clone()).collect();
        summary += &format!("; not as the target asks: {}", names(&told));
    }
    let mut draft = Draft::new(summary);
    draft.answer = Some(json!({ "files": written }));
    draft
}

fn facts(path: &Path, report: &Report) -> Value {
    let mut facts = json!({
        "path": path.display().to_string(),
        "duration_s": report.duration_s,
        "integrated_lufs": report.integrated_lufs,
        "true_peak_dbtp": report.true_peak_dbtp,
        "range_lu": report.range_lu,
        "complies": report.complies(),
    });
    let failed = failed(&report.checks);
    if !failed.is_empty() {
        facts["failed"] = json!(failed);
    }
    facts
}

/// What a target asks for and the file has not.
pub(super) fn failed(checks: &[Check]) -> Vec<String> {
    let failed = checks.iter().filter(|check| !check.complies);
    let told = failed.map(|check| {
        let value = check.value.map_or("silence".into(), |value| format!("{value} {}", check.unit));
        format!("{} {value}, allowed {}", check.what, check.allowed)
    });
    told.collect()
}

/// What helps a file that does not comply.
fn way_out(report: &Report, call: &Resolved) -> String {
    let ceiling = call.params.delivery.map_or(report::LOSSY_CEILING, Delivery::ceiling);
    let over = report.true_peak_dbtp.map_or(0.0, |peak| peak - ceiling);
    if call.format.is_lossy() && over > report::SLACK {
        let down = trimmed((over * 10.0).ceil() / 10.0, 1);
        let lower = match call.params.adjust {
            true => String::new(),
            false => format!("lower the master by {down} dB, or "),
        };
        return format!("; a codec moves peaks: {lower}deliver wav or flac");
    }
    // What a gain alone does not bring to its target is held back by its peaks.
    let held = "; its peaks leave no more room: limit them (`limit_dbtp`)";
    match call.params.adjust && call.params.limit_dbtp.is_none() {
        true => held.into(),
        false => String::new(),
    }
}

/// Warns that only soloed tracks are in the file: a person who listens to one easily forgets it.
fn tell_solo(session: &Session, draft: &mut Draft) {
    let soloed = session.tracks_in_order().filter(|(_, track)| track.solo);
    let soloed: Vec<String> = soloed.map(|(_, track)| track.name.clone()).collect();
    if soloed.is_empty() {
        return;
    }
    let (are, them) = if soloed.len() == 1 { ("is", "it") } else { ("are", "them") };
    draft.summary += &format!(
        "; only {} {are} in it, which {are} soloed: for the whole mix unsolo {them} and export \
         again",
        names(&soloed)
    );
    if let Some(answer) = &mut draft.answer {
        answer["soloed"] = json!(soloed);
    }
}

//! The sheet used as a person uses it.

use super::form::{Form, Format, Span};
use crate::action::call;
use crate::desk_tests::session;
use crate::file_call::FileCall;
use crate::testing::prelude::*;
use crate::testing::tool_of;
use deskhand_protocol::Apply;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Marker, MarkerId};
use serde_json::Value;

const PREDICTION: CallId = CallId(40);
const EXPORT: CallId = CallId(41);

fn marker(name: &str, seconds: i64, code: Option<&str>) -> Marker {
    let position = Frames(seconds * 48_000);
    Marker { name: name.into(), position, length: Frames::ZERO, code: code.map(str::to_owned) }
}

/// The window with its sheet open, in a session with two markers and a label.
fn opened(folder: &str) -> Harness<'static, Desk> {
    let mut model = open_model();
    model.mirror.as_mut().unwrap().snapshot.folder = format!("{folder}/talk.deskhand");
    let marks =
        [("Cold open", 0, None), ("The storm", 4, None), ("other take", 6, Some("alternate"))];
    for (n, (name, at, code)) in (1..).zip(marks) {
        session(&mut model).markers.insert(MarkerId::new(n), marker(name, at, code));
    }
    let mut harness = harness(model);
    harness.press_with(Modifiers::COMMAND, Key::E);
    // Longer than nothing may change.
    harness.run_steps(4);
    harness
}

fn sends(harness: &mut Harness<'_, Desk>, id: CallId, gesture: Gesture) {
    let op = Op::Call { tool: tool_of(gesture), params: json!({}), apply: Apply::Now };
    harness.state_mut().model.sent(id, &op);
}

fn hears(harness: &mut Harness<'_, Desk>, id: CallId, result: ToolResult) {
    let done = News::Done { result: Box::new(result) };
    drop(harness.state_mut().model.hear(&event(9, Some(id), done)));
    harness.run_steps(4);
}

fn answer(answer: Value) -> ToolResult {
    ToolResult { answer: Some(answer), ..ToolResult::new(Status::Ok, "", RevisionId(1)) }
}

fn prediction() -> Value {
    let file = json!({
        "name": "the mix", "integrated_lufs": -16.1, "true_peak_dbtp": -1.0, "range_lu": 6.6,
        "gain_db": 3.2, "complies": true, "failed": [],
    });
    json!({
        "duration_s": 10.0,
        "now": {"integrated_lufs": -19.2, "true_peak_dbtp": -1.9, "range_lu": 6.8},
        "predicted": file, "targets": [], "files": [],
    })
}

/// The same, after it was measured.
fn measured(folder: &str) -> Harness<'static, Desk> {
    let mut harness = opened(folder);
    sends(&mut harness, PREDICTION, Gesture::PredictExport);
    hears(&mut harness, PREDICTION, answer(prediction()));
    harness
}

/// What was submitted last for a gesture.
fn params(harness: &Harness<'_, Desk>, wanted: Gesture) -> Option<Value> {
    harness.state().actions.iter().rev().find_map(|action| match action {
        Action::Call { gesture, params } if *gesture == wanted => Some(params.clone()),
        _ => None,
    })
}

#[test]
fn an_export_waits_until_it_is_measured_and_starts_with_what_was_set() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = opened(&folder.path().display().to_string());
    assert!(harness.query_by_label("Measuring").is_some());
    let asked = params(&harness, Gesture::PredictExport).unwrap();
    assert_eq!(asked, json!({"path": "export.wav", "limit_dbtp": -1.0}));
    harness.click_on("Export 1 file");
    assert_eq!(params(&harness, Gesture::ExportMix), None, "nothing is measured yet");
    sends(&mut harness, PREDICTION, Gesture::PredictExport);
    hears(&mut harness, PREDICTION, answer(prediction()));
    assert!(harness.query_by_label("Integrated: −19.2 to −16.1 LUFS").is_some());
    harness.focus_on("Title");
    harness.type_into("Title", "Glass");
    harness.click_on("Chapter at 0:04.0: The storm");
    harness.click_on("Export 1 file");
    let wanted = json!({
        "path": folder.path().join("talk.wav"), "limit_dbtp": -1.0, "bits": "24",
        "tags": {"title": "Glass"}, "chapters": true, "chapter_markers": [MarkerId::new(1)],
    });
    assert_eq!(params(&harness, Gesture::ExportMix), Some(wanted));
    assert!(harness.query_by_label("Exporting").is_some(), "the sheet makes way");
}

#[test]
fn what_changes_is_measured_again_and_the_old_answer_is_not_taken() {
    let mut harness = opened("/music");
    sends(&mut harness, PREDICTION, Gesture::PredictExport);
    harness.click_on("MP3");
    assert!(harness.state().actions.contains(&Action::Cancel(PREDICTION)));
    let asked = params(&harness, Gesture::PredictExport).unwrap();
    assert_eq!(asked["path"], "export.mp3");
    hears(&mut harness, PREDICTION, answer(prediction()));
    assert!(harness.query_by_label("Measuring").is_some());
    assert!(harness.state().model.notices.is_empty());
}

#[test]
fn labels_of_editors_are_no_chapters_and_a_range_takes_its_own() {
    let harness = opened("/music");
    assert!(harness.query_by_label("2 of your 2 markers").is_some());
    let model = &harness.state().model;
    let session = model.session().unwrap();
    let mut form = Form::new("/music/talk.deskhand");
    (form.span, form.between) = (Span::Markers, (Some(MarkerId::new(2)), None));
    let params = form.params(session, &model.live);
    assert_eq!((params["from_s"].as_f64(), params["to_s"].as_f64()), (Some(4.0), Some(10.0)));
    assert_eq!(params["chapter_markers"], json!([MarkerId::new(2)]));
    assert_eq!(Span::Loop.why_not(session, &model.live), Some("No loop is set"));
}

#[test]
fn a_name_that_is_taken_is_replaced_by_a_free_one_and_nothing_starts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("talk.wav"), "").unwrap();
    let mut harness = measured(&folder.path().display().to_string());
    harness.click_on("Export 1 file");
    assert_eq!(params(&harness, Gesture::ExportMix), None);
    assert_eq!(harness.state().model.export.form.as_ref().unwrap().name, "talk-2");
    assert!(harness.query_by_label_contains("this name is free").is_some());
}

#[test]
fn the_place_is_chosen_in_a_dialog_and_comes_back_into_the_sheet() {
    let mut harness = measured("/music");
    harness.click_on("music");
    let asks = Action::File(FileCall::ExportMix);
    assert_eq!(harness.state().actions.last(), Some(&asks));
    let model: &mut Model = &mut harness.state_mut().model;
    assert_eq!(model.offer(FileCall::ExportMix), std::path::Path::new("/music/talk.wav"));
    assert_eq!(model.chosen(FileCall::ExportMix, "/talks/one.opus".as_ref()), None);
    let form = model.export.form.as_ref().unwrap();
    assert_eq!((form.name.as_str(), form.format, form.size), ("one", Format::Opus, 128));
}

/// A window whose export runs.
fn running() -> Harness<'static, Desk> {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = measured(&folder.path().display().to_string());
    harness.click_on("Export 1 file");
    sends(&mut harness, EXPORT, Gesture::ExportMix);
    let progress = News::Progress { fraction: 0.63, what: "encoding".into() };
    drop(harness.state_mut().model.hear(&event(8, Some(EXPORT), progress)));
    harness.run_steps(4);
    harness
}

#[test]
fn esc_hides_a_running_export_and_cancel_stops_it() {
    let mut harness = running();
    assert!(harness.query_by_label("talk.wav, 63 %").is_some());
    harness.click_on("Cancel");
    assert!(harness.state().actions.contains(&Action::Cancel(EXPORT)));
    let cancelled = ToolError::run(Code::Cancelled, "cancelled", "call it again");
    let result = ToolResult::new(Status::Error, "", RevisionId(1));
    hears(&mut harness, EXPORT, ToolResult { error: Some(cancelled), ..result });
    assert!(harness.query_by_label_contains("Nothing was written").is_some());
    let mut hidden = running();
    hidden.press(Key::Escape);
    assert!(hidden.query_by_label("Exporting").is_none());
    assert!(!hidden.state().actions.contains(&Action::Cancel(EXPORT)));
    let written = json!({"path": "/music/talk.wav", "complies": true});
    hears(&mut hidden, EXPORT, answer(written));
    assert!(hidden.query_by_label("Exported").is_none(), "a notice says it");
}

#[test]
fn what_was_written_is_compared_with_what_was_predicted_and_can_be_shown() {
    let mut harness = running();
    let report = "/music/talk.report.html";
    let written = json!({
        "path": "/music/talk.wav", "report_html": report, "duration_s": 10.0, "chapters": 2,
        "integrated_lufs": -16.1, "true_peak_dbtp": -1.1, "range_lu": 6.6, "complies": true,
    });
    hears(&mut harness, EXPORT, answer(written));
    assert!(harness.query_by_label("talk.wav: 0:10.0, 2 chapters, /music").is_some());
    let row = "True peak, dBTP: −1.0 predicted, −1.1 measured";
    assert!(harness.query_by_label(row).is_some());
    harness.click_on("Show in folder");
    harness.click_on("Open report");
    let wanted = [Action::ShowInFolder("/music/talk.wav".into()), Action::OpenFile(report.into())];
    assert!(harness.state().actions.ends_with(&wanted));
    harness.click_on("Close Exported");
    assert!(harness.query_by_label("Exported").is_none());
}

#[test]
fn a_failure_names_its_file_and_leads_back_to_the_settings() {
    let mut harness = running();
    let message = "/music/talk.wav: the disk is full; no file was written";
    let error = ToolError::run(Code::Write, message, "give another `path`, or free some space");
    let result = ToolResult::new(Status::Error, "", RevisionId(1));
    hears(&mut harness, EXPORT, ToolResult { error: Some(error), ..result });
    assert!(harness.query_by_label_contains("/music/talk.wav: the disk is full").is_some());
    assert!(harness.state().model.notices.is_empty(), "it is said once");
    harness.click_on("Export again…");
    assert!(harness.query_by_label("Export 1 file").is_some());
}

#[test]
fn one_file_for_each_track_shows_the_level_of_each() {
    let mut harness = measured("/music");
    harness.click_on("A file for each track");
    let asked = params(&harness, Gesture::PredictExport).unwrap();
    assert_eq!(asked["each_track"], true);
    sends(&mut harness, EXPORT, Gesture::PredictExport);
    let file =
        |name: &str, level: f64| json!({"name": name, "integrated_lufs": level, "failed": []});
    let files = json!({"files": [file("Vocal", -19.0), file("Guitar", -24.5)]});
    hears(&mut harness, EXPORT, answer(files));
    assert!(harness.query_by_label("Guitar: −24.5 LUFS, Ready").is_some());
    harness.click_on("Export 2 files");
    assert_eq!(params(&harness, Gesture::ExportMix).unwrap()["each_track"], true);
}

#[test]
fn esc_closes_the_sheet_and_what_was_set_stays() {
    let mut harness = measured("/music");
    harness.click_on("FLAC");
    harness.press(Key::Escape);
    assert!(harness.query_by_label("Export 1 file").is_none());
    harness.press_with(Modifiers::COMMAND, Key::E);
    let form = harness.state().model.export.form.as_ref().unwrap();
    assert_eq!(form.format, Format::Flac);
    let none = call(Gesture::ExportMix, json!({}));
    assert!(!harness.state().actions.contains(&none));
}

//! An export for pictures: its tools, what they predict, and how it ends.

use crate::song::tool;
use deskhand_editor::{Action, Gesture, Model};
use deskhand_protocol::{CallId, Event, News, Status, ToolInfo, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, RevisionId};
use serde_json::{Value, json};

/// How far an export is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing is measured yet.
    Measuring,
    /// It is measured, and what starts goes on for ever.
    Running,
    Done,
    Failed,
}

/// The tool that exports, with its targets, and the one that predicts.
pub(crate) fn tools() -> [ToolInfo; 2] {
    let target = |key: &str, about: &str| json!({"const": key, "description": about});
    let targets = json!({"oneOf": [
        target("podcast", "Podcast: -16 LUFS ±1, true peak -1 dBTP."),
        target("streaming", "Streaming: -14 LUFS ±1, true peak -1 dBTP."),
        target("broadcast", "Broadcast: EBU R 128, -23 LUFS ±0.5, true peak -1 dBTP."),
        target("acx", "Audiobook: ACX, RMS -23 to -18 dBFS, peak -3 dBFS, noise floor -60 dBFS."),
        target("cd", "CD: -9 LUFS ±1, true peak -0.3 dBTP; common values, not a standard."),
    ]});
    let export = ToolInfo {
        input_schema: json!({"properties": {"for": targets, "path": {}}}),
        ..tool("tool_export", Gesture::ExportMix.into())
    };
    [export, tool("tool_predict", Gesture::PredictExport.into())]
}

/// Answers what the sheet asks for, as far as `stage`.
pub fn respond(model: &mut Model, actions: Vec<Action>, stage: Stage) {
    for action in actions {
        let Action::Call { gesture, .. } = action else { continue };
        let Some(op) = model.op(action) else { continue };
        let call = CallId(900 + gesture as u64);
        model.sent(call, &op);
        let news = match (gesture, stage) {
            (Gesture::PredictExport, Stage::Measuring) => continue,
            (Gesture::PredictExport, _) => done(predicted()),
            (Gesture::ExportMix, Stage::Done) => done(written()),
            (Gesture::ExportMix, Stage::Failed) => failed(),
            (Gesture::ExportMix, _) => News::Progress { fraction: 0.63, what: "writing".into() },
            _ => continue,
        };
        let event = Event { number: 1_000, author: Author::Agent, call: Some(call), news };
        drop(model.hear(&event));
    }
}

fn done(answer: Value) -> News {
    let result = ToolResult::new(Status::Ok, "", RevisionId(1));
    News::Done { result: Box::new(ToolResult { answer: Some(answer), ..result }) }
}

fn failed() -> News {
    let message = "/music/Harbour Lights.wav: the disk is full; no file was written";
    let error = ToolError::run(Code::Write, message, "choose another folder, or free 21 MB");
    let result = ToolResult::new(Status::Error, "", RevisionId(1));
    News::Done { result: Box::new(ToolResult { error: Some(error), ..result }) }
}

fn predicted() -> Value {
    let need = |target: &str, gain: f64, limiting: f64, failed: &[&str]| {
        json!({
            "for": target, "gain_db": gain, "limiting_db": limiting,
            "complies": failed.is_empty(), "failed": failed,
        })
    };
    let noise = "noise floor -57.2 dBFS, allowed at most -60";
    let file = |name: &str, level: f64, failed: &[&str]| {
        json!({
            "name": name, "integrated_lufs": level, "true_peak_dbtp": -1.0, "range_lu": 6.6,
            "gain_db": 3.2, "complies": failed.is_empty(), "failed": failed,
        })
    };
    json!({
        "duration_s": 76.0,
        "now": {"integrated_lufs": -19.2, "true_peak_dbtp": -1.9, "range_lu": 6.8},
        "predicted": file("the mix", -16.1, &[]),
        "targets": [
            need("podcast", 3.2, 2.3, &[]), need("streaming", 5.2, 4.3, &[]),
            need("broadcast", -3.8, 0.0, &[]), need("acx", -1.0, 0.0, &[noise]),
            need("cd", 10.2, 8.6, &["integrated loudness -10.4 LUFS, allowed -9 ± 1"]),
        ],
        "files": [
            file("Lead Vox", -21.4, &[]), file("Backing Vox", -28.0, &[]),
            file("Guitars", -24.5, &["true peak 0.4 dBTP, allowed at most -1"]),
            file("Bass", -22.3, &[]), file("Drums", -20.7, &[]),
        ],
    })
}

fn written() -> Value {
    json!({
        "path": "/music/Harbour Lights.wav", "report_html": "/music/Harbour Lights.report.html",
        "duration_s": 76.0, "chapters": 3, "integrated_lufs": -16.1, "true_peak_dbtp": -1.1,
        "range_lu": 6.6, "complies": true,
    })
}

//! Reports on codes, as a table in place of the tree.

use super::CodesView;
use crate::icons;
use crate::kit::controls::icon_button;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::resources::Table;
use crate::theme::{Theme, Type, space};
use crate::windows::table;
use deskhand_protocol::ToolResult;
use egui::{Rect, Ui, UiBuilder, vec2};
use serde_json::{Map, Value};

/// The tool that reports.
pub(super) const TOOL: &str = "tool_report_codes";

/// A report that came.
pub(super) struct Report {
    title: &'static str,
    table: Table,
    left_off: u64,
}

/// A call of this window ended: a report that was asked for is shown.
pub(crate) fn hear_report(model: &mut Model, tool: &str, result: &ToolResult) {
    let answer = result.answer.as_ref().filter(|answer| answer["path"].is_null());
    if let (TOOL, Some(answer)) = (tool, answer) {
        model.desk.words.codes.report = Some(Report::new(answer));
    }
}

impl Report {
    fn new(answer: &Value) -> Self {
        let title = match answer["report"].as_str() {
            Some("counts") => "How often codes are used",
            Some("cooccurrence") => "Codes that are used together",
            _ => "Report",
        };
        let rows = answer["rows"].as_array().into_iter().flatten().filter_map(Value::as_object);
        let rows: Vec<&Map<String, Value>> = rows.collect();
        // Names of codes come first.
        let keys = rows.first().map(|row| row.keys()).into_iter().flatten();
        let mut keys: Vec<&String> = keys.filter(|key| !key.contains("_id")).collect();
        keys.sort_by_key(|key| !key.starts_with("code"));
        let row = |row: &&Map<String, Value>| -> Vec<String> {
            keys.iter().map(|key| cell(row.get(*key))).collect()
        };
        let columns = keys.iter().map(|key| key.replace('_', " ")).collect();
        let table = Table { columns, rows: rows.iter().map(row).collect() };
        Self { title, table, left_off: answer["left_off"].as_u64().unwrap_or(0) }
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) if number.is_f64() => {
            format!("{:.2}", number.as_f64().unwrap_or(0.0))
        }
        Some(other) => other.to_string(),
    }
}

/// Draws the report in `rect`.
pub(super) fn show(ui: &mut Ui, theme: &Theme, view: &mut CodesView, rect: Rect) {
    let Some(report) = &view.report else { return };
    let mut rest = rect;
    let head = rest.cut_top(36.0);
    let cx = Cx::new(ui, theme);
    let words = match report.left_off {
        0 => report.title.to_owned(),
        more => format!("{}; {more} more rows are in a file only", report.title),
    };
    let room = head.width() - 64.0;
    cx.elided(head.left_mid(space::M), &words, Type::SMALL_STRONG, theme.text, room);
    let close = head.row_box(head.right() - 36.0, vec2(28.0, 28.0));
    let is_closed = icon_button(&cx, close, icons::X, false, "Close the report").clicked();
    let widths = table::widths(&cx, &report.table);
    drop(cx);
    let builder = UiBuilder::new().max_rect(rest.pad(space::M, 0.0)).id_salt("report");
    table::show(&mut ui.new_child(builder), theme, &report.table, &widths);
    if is_closed {
        view.report = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoken;
    use crate::ui_tests::{event, harness, open_model};
    use crate::words::Page;
    use crate::{Action, FileCall};
    use deskhand_protocol::{CallId, News, Op, Status};
    use deskhand_session::RevisionId;
    use egui_kittest::kittest::Queryable as _;
    use serde_json::json;

    #[test]
    fn a_report_is_asked_for_and_shown_and_the_codebook_is_exported() {
        let mut model = open_model();
        model.mirror.as_mut().unwrap().snapshot.session = spoken();
        (model.desk.words.is_open, model.desk.words.page) = (true, Page::Codes);
        let mut harness = harness(model);
        harness.run_steps(5);
        harness.get_by_label("Reports and files").click();
        harness.run_steps(4);
        harness.get_by_label("How often codes are used").click();
        harness.run_steps(4);
        let params = json!({"report": "counts"});
        let asked = Action::Call { tool: TOOL, params };
        assert_eq!(harness.state().actions, std::slice::from_ref(&asked));
        let model = &mut harness.state_mut().model;
        let op: Op = asked.op().unwrap();
        model.sent(CallId(4), &op);
        let rows = json!([{"code_id": "code_1", "code": "Light", "codings": 1, "seconds": 1.5}]);
        let result = ToolResult {
            answer: Some(json!({"report": "counts", "count": 1, "rows": rows, "left_off": 0})),
            ..ToolResult::new(Status::Ok, "told", RevisionId(1))
        };
        let done = News::Done { result: Box::new(result) };
        drop(model.hear(&event(4, Some(CallId(4)), done)));
        harness.run_steps(4);
        assert!(harness.query_by_label("Light, 1, 1.50").is_some());
        harness.get_by_label("Close the report").click();
        harness.run_steps(3);
        harness.get_by_label("Reports and files").click();
        harness.run_steps(4);
        harness.get_by_label("Export the codebook…").click();
        harness.run_steps(3);
        assert_eq!(harness.state().actions[1..], [Action::File(FileCall::ExportCodebook)]);
    }
}

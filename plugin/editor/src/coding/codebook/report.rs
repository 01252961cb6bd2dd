//! Reports on codes, in place of the tree: as a table, and which codes go together as a picture.

use super::matrix::Matrix;
use crate::action::{Action, Actions, Gesture, call};
use crate::file_call::{CodesReport, FileCall};
use crate::icons;
use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::controls::{Button, Kind, icon_button};
use crate::kit::scale::num;
use crate::kit::{Cut, Cx, menu};
use crate::resources::Table;
use crate::theme::{Type, space};
use crate::tools::Tools;
use crate::windows::table;
use deskhand_protocol::ToolResult;
use deskhand_session::{Coding, Session, text};
use egui::{Rect, Ui, UiBuilder, vec2};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Why nobody can agree with anybody.
const EMPTY: &str = "There are no codes yet";
const ALONE: &str =
    "One person coded here. A second one's codings come by `deskhand codes codings` in a terminal";
/// The titles of columns, in order. Other columns follow under their own names.
const COLUMNS: [(&str, &str); 22] = [
    ("code", "code"),
    ("code_a", "code"),
    ("code_b", "with"),
    ("kappa", "kappa"),
    ("agreement", "agree"),
    ("coder_a", "coder A"),
    ("coder_b", "coder B"),
    ("both", "both"),
    ("only_a", "only A"),
    ("only_b", "only B"),
    ("neither", "neither"),
    ("units", "units"),
    ("text", "said"),
    ("codings", "codings"),
    ("with_children", "with those under it"),
    ("count", "times"),
    ("share", "share"),
    ("speaker", "speaker"),
    ("source", "in"),
    ("start_s", "from"),
    ("end_s", "to"),
    ("seconds", "seconds"),
];

pub(crate) struct Report {
    what: Option<CodesReport>,
    title: String,
    table: Table,
    /// Which codes occur together, if the report has this data.
    matrix: Option<Matrix>,
    /// The table is shown in place of the picture.
    is_table: bool,
}

impl Report {
    /// The report of a call of this window that ended, if one was asked for.
    pub(crate) fn heard(tools: &Tools, tool: &str, result: &ToolResult) -> Option<Self> {
        let answer = result.answer.as_ref().filter(|answer| answer["path"].is_null());
        let answer = answer.filter(|_| tools.is(tool, Gesture::ReportCodes))?;
        Some(Self::new(answer, &result.summary))
    }

    fn new(answer: &Value, summary: &str) -> Self {
        let kind = answer["report"].as_str();
        let what = CodesReport::ALL.into_iter().find(|it| Some(it.kind()) == kind);
        let rows = answer["rows"].as_array().into_iter().flatten().filter_map(Value::as_object);
        let rows: Vec<&Map<String, Value>> = rows.collect();
        let left_off = answer["left_off"].as_u64().unwrap_or(0);
        let matrix = Matrix::new(&rows).filter(|_| left_off == 0);
        let table = tabled(&rows);
        Self { what, title: title(what, summary, left_off), table, matrix, is_table: false }
    }
}

fn title(what: Option<CodesReport>, summary: &str, left_off: u64) -> String {
    let name = what.map_or("Report", CodesReport::name);
    let mut title = match what {
        Some(CodesReport::Agreement) if !summary.is_empty() => format!("{name}: {summary}"),
        _ => name.to_owned(),
    };
    if left_off > 0 {
        title += &format!("; {left_off} more rows are in a file only");
    }
    title
}

fn tabled(rows: &[&Map<String, Value>]) -> Table {
    let keys = rows.first().map(|row| row.keys()).into_iter().flatten();
    // For example a speaker column if nobody has a name.
    let is_said = |key: &str| rows.iter().any(|row| !cell(key, row.get(key)).is_empty());
    let keys = keys.filter(|key| !key.contains("_id") && is_said(key));
    let mut keys: Vec<&String> = keys.collect();
    let place = |key: &str| COLUMNS.iter().position(|(known, _)| *known == key);
    keys.sort_by_key(|key| place(key).unwrap_or(COLUMNS.len()));
    let named = |key: &&String| match place(key) {
        Some(place) => COLUMNS[place].1.to_owned(),
        None => key.replace('_', " "),
    };
    let row = |row: &&Map<String, Value>| -> Vec<String> {
        keys.iter().map(|key| cell(key, row.get(*key))).collect()
    };
    Table { columns: keys.iter().map(named).collect(), rows: rows.iter().map(row).collect() }
}

fn cell(key: &str, value: Option<&Value>) -> String {
    let number = value.and_then(Value::as_f64);
    match (key, value, number) {
        (_, None | Some(Value::Null), _) => String::new(),
        (_, Some(Value::String(text)), _) => text.clone(),
        (_, Some(Value::Bool(true)), _) => "yes".to_owned(),
        (_, Some(Value::Bool(false)), _) => String::new(),
        ("agreement" | "share", _, Some(part)) => format!("{:.0}\u{a0}%", part * 100.0),
        ("start_s" | "end_s", _, Some(at)) => text::tenths(at),
        (_, Some(Value::Number(it)), Some(number)) if it.is_f64() => num(number as f32, 2),
        (_, Some(other), _) => other.to_string(),
    }
}

/// Reports, and the codebook from and to files.
pub(super) fn menu(ui: &mut Ui, session: &Session, out: &mut Actions) {
    let has_codes = !session.codes.is_empty();
    for report in CodesReport::ALL {
        let is_alone = report == CodesReport::Agreement && coders(session).len() < 2;
        let why_not = if is_alone { Some(ALONE) } else { (!has_codes).then_some(EMPTY) };
        if menu::entry_unless(ui, report.name(), "", why_not) {
            out.push(call(Gesture::ReportCodes, json!({"report": report.kind()})));
        }
    }
    menu::line(ui);
    for file in [FileCall::ExportCodebook, FileCall::ImportCodebook] {
        let is_there = has_codes || !file.is_written();
        let why_not = (!is_there).then_some(EMPTY);
        if menu::entry_unless(ui, format!("{}…", file.title()), "", why_not) {
            out.push(Action::File(file));
        }
    }
}

/// The coders of any coding.
fn coders(session: &Session) -> BTreeSet<&str> {
    let codings = session.segments.values().flat_map(|segment| &segment.codings);
    codings.map(|coding| coding.coder.as_deref().unwrap_or(Coding::HERE)).collect()
}

pub(super) fn show(ui: &mut Ui, shown: &mut Option<Report>, rect: Rect, out: &mut Actions) {
    let Some(report) = shown else { return };
    let mut rest = rect;
    let cx = Cx::new(ui);
    let is_closed = head(&cx, report, rest.cut_top(36.0), out);
    let area = rest.pad(space::M, 0.0);
    match report.matrix.as_ref().filter(|_| !report.is_table) {
        Some(matrix) => {
            drop(cx);
            matrix.show(ui, area);
        }
        None => {
            let columns = table::columns(&cx, &report.table);
            drop(cx);
            let builder = UiBuilder::new().max_rect(area).id_salt("report");
            table::show(&mut ui.new_child(builder), &report.table, &columns);
        }
    }
    if is_closed {
        *shown = None;
    }
}

/// The title, the switch between picture and table, and the button to write a file. Returns whether it was
/// closed.
fn head(cx: &Cx<'_>, report: &mut Report, rect: Rect, out: &mut Actions) -> bool {
    let close = rect.row_box(rect.right() - 36.0, vec2(28.0, 28.0));
    let is_closed = icon_button(cx, close, icons::X, "Close the report").clicked();
    let mut right = close.left() - 4.0;
    if let Some(what) = report.what {
        let button = Button::new(Kind::Secondary, "Export…");
        let width = button.width(cx);
        right -= width;
        let cell = rect.row_box(right, vec2(width, 28.0));
        if button.show(cx, cell).on_hover_text("As CSV or JSON, with all rows").clicked() {
            out.push(Action::File(FileCall::ReportCodes(what)));
        }
        right -= space::S;
    }
    if report.matrix.is_some() {
        let all = ["Picture", "Table"].map(|label| SegmentedChoice {
            label,
            key: "",
            is_planned: false,
            why_not: None,
        });
        right -= 128.0;
        let cell = rect.row_box(right, vec2(128.0, 28.0));
        let chosen = Some(usize::from(report.is_table));
        if let Some(index) = segmented(cx, cell, &all, chosen, "report") {
            report.is_table = index == 1;
        }
        right -= space::S;
    }
    let room = right - rect.left() - space::M;
    cx.elided(rect.left_mid(space::M), &report.title, Type::SMALL_STRONG, cx.t.text, room);
    is_closed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use crate::testing::spoken;
    use crate::words::view::Page;
    use deskhand_session::{CodeId, SegmentId};

    type Bench = Harness<'static, Desk>;

    fn bench(session: Session) -> Bench {
        let mut model = open_model();
        model.mirror.as_mut().unwrap().snapshot.session = session;
        (model.desk.words.is_open, model.desk.words.page) = (true, Page::Codes);
        let mut bench = harness(model);
        bench.click_on("Reports and files");
        bench
    }

    /// The call that was asked for ends with this.
    fn answered(bench: &mut Bench, summary: &str, answer: Value) {
        let asked = bench.state().actions.last().unwrap().clone();
        let model = &mut bench.state_mut().model;
        let op: Op = model.op(asked).unwrap();
        model.sent(CallId(4), &op);
        let result = ToolResult {
            answer: Some(answer),
            ..ToolResult::new(Status::Ok, summary, RevisionId(1))
        };
        let done = News::Done { result: Box::new(result) };
        drop(model.hear(&event(4, Some(CallId(4)), done)));
        bench.run_steps(4);
    }

    fn asked(kind: &str) -> Action {
        call(Gesture::ReportCodes, json!({"report": kind}))
    }

    #[test]
    fn a_report_is_asked_for_and_shown_and_exported_and_so_is_the_codebook() {
        let mut bench = bench(spoken());
        bench.click_on("How often codes are used");
        assert_eq!(bench.state().actions, [asked("counts")]);
        let rows = json!([{"code_id": "code_1", "code": "Light", "codings": 1, "seconds": 1.5}]);
        let answer = json!({"report": "counts", "count": 1, "rows": rows, "left_off": 0});
        answered(&mut bench, "told", answer);
        assert!(bench.query_by_label("Light, 1, 1.50").is_some());
        bench.click_on("Export…");
        let file = FileCall::ReportCodes(CodesReport::Counts);
        assert_eq!(bench.state().actions[1..], [Action::File(file)]);
        bench.click_on("Close the report");
        bench.click_on("Reports and files");
        bench.click_on("Export the codebook…");
        assert_eq!(bench.state().actions[2..], [Action::File(FileCall::ExportCodebook)]);
    }

    #[test]
    fn agreement_needs_two_who_coded_and_is_told_code_by_code() {
        let name = CodesReport::Agreement.name();
        let alone = bench(spoken());
        assert!(alone.get_by_label(name).accesskit_node().is_disabled());
        let mut session = spoken();
        let coded = session.segments.get_mut(&SegmentId::new(50)).unwrap();
        let bea = Coding::new(CodeId::new(1), Some("Bea".into()));
        coded.codings.push(bea);
        let mut both = bench(session);
        both.click_on(name);
        assert_eq!(both.state().actions, [asked("agreement")]);
        let row = json!({
            "code": "Light", "coder_a": "Bea", "coder_b": "this session", "units": 8, "both": 3,
            "only_a": 1, "only_b": 0, "neither": 4, "agreement": 0.875, "kappa": -0.75,
        });
        let answer = json!({"report": "agreement", "count": 1, "rows": [row], "left_off": 0});
        answered(&mut both, "Bea and this session: kappa 0.75", answer);
        let told = "Light, −0.75, 88\u{a0}%, Bea, this session, 3, 1, 0, 4, 8";
        assert!(both.query_by_label(told).is_some());
    }

    #[test]
    fn a_column_in_which_nothing_stands_is_left_out() {
        let row = json!({"code": "Light", "text": "so", "speaker": null, "source": "vo"});
        let table = tabled(&[row.as_object().unwrap()]);
        assert_eq!(table.columns, ["code", "said", "in"]);
        assert_eq!(table.rows, [["Light", "so", "vo"]]);
    }

    #[test]
    fn codes_that_go_together_are_a_picture_and_a_table() {
        let mut bench = bench(spoken());
        bench.click_on("Codes that are used together");
        let row = |coder: &str, count: u32| {
            json!({
                "code_a": "Light", "code_b": "Sea", "coder": coder, "count": count,
                "seconds": 2.5, "share": 0.4,
            })
        };
        let rows = [row("Bea", 2), row("this session", 1)];
        let answer = json!({"report": "cooccurrence", "count": 2, "rows": rows, "left_off": 0});
        answered(&mut bench, "1 pair of codes shares time", answer);
        assert_eq!(bench.query_all_by_label("Light and Sea: 3 times, 5.0\u{a0}s").count(), 1);
        bench.click_on("Table");
        assert!(bench.query_by_label("Light, Sea, 2, 40\u{a0}%, 2.50, Bea").is_some());
    }
}

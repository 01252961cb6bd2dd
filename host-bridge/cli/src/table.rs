//! Tables for people: levels, plans, receipts.

use crate::output::Output;
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table, presets,
};
use deskhand_protocol::values::{WORDS, brief, drop_same, is_of_several};
use deskhand_session::plan::{Row, Step};
use deskhand_session::{Change, Edit, Plan, PlannedChange, Receipt, Segment, Session};
use serde_json::Value;
use std::borrow::Cow;

/// Columns where nothing else is known.
const WIDE: u16 = 160;
/// A table in fewer columns cannot be read.
const NARROWEST: u16 = 40;

/// Rows of a plan that are shown; the rest is counted.
const SHOWN: usize = 60;

/// A table with a header line and no other lines.
pub(crate) fn new(output: Output, header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if !output.has_color() {
        table.force_no_tty();
    }
    // Outside a terminal lines may be long; a terminal that does not know its width says 0.
    let width = table.width().unwrap_or(WIDE);
    table.set_width(if width < NARROWEST { WIDE } else { width });
    table.set_header(header.iter().map(|name| Cell::new(name).add_attribute(Attribute::Bold)));
    // An id or a time that is broken over lines cannot be copied or read.
    for (column, name) in table.column_iter_mut().zip(header) {
        if ["id", "plan", "at", "length", "gain", "#"].contains(name) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

/// A cell with a number on its right edge.
pub(crate) fn number(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}

/// A level with one decimal, or a dash below every gate.
pub(crate) fn level(value: Option<f64>) -> Cell {
    number(value.map_or_else(|| "-".into(), decimal))
}

/// One decimal, never "-0.0".
pub(crate) fn decimal(value: f64) -> String {
    format!("{:.1}", (value * 10.0).round() / 10.0 + 0.0)
}

/// A difference with its sign and two decimals, never "-0.00".
pub(crate) fn signed(value: f64) -> String {
    format!("{:+.2}", (value * 100.0).round() / 100.0 + 0.0)
}

/// The rows of a plan: what, before, after, why. In a plan of cuts each cut is one row.
pub(crate) fn plan(output: Output, plan: &Plan, session: &Session) -> Table {
    if let Some(cuts) = plan.cuts() {
        return cuts_table(output, &cuts);
    }
    let mut table = new(output, &["#", "what", "before", "after", "why"]);
    let session = &with_codes(session, plan);
    let rows = plan.rows();
    for row in rows.iter().take(SHOWN) {
        let planned = row.head;
        let sides = match row.name {
            Some(_) => Default::default(),
            None => sides(&planned.change, session),
        };
        let [before, after] = <[String; 2]>::from(sides).map(number);
        let [what, why] = [row_name(row), planned.reason.clone()].map(Cell::new);
        table.add_row([Cell::new(&planned.id), what, before, after.fg(Color::Cyan), why]);
    }
    let more = rows.len().saturating_sub(SHOWN);
    if more > 0 {
        table.add_row(["…".to_owned(), format!("and {more} more")]);
    }
    table
}

/// What a row does, and to what.
fn row_name(row: &Row<'_>) -> String {
    match (row.name, row.changes.len()) {
        (Some(name), _) => format!("{}: {name}", row.head.name),
        (None, 1) => what(row.head),
        (None, clips) => format!("{}, {clips} clips", what(row.head)),
    }
}

/// Cuts: the change that represents each, whose it is, and what is removed where, for how long and between
/// which words.
fn cuts_table(output: Output, cuts: &[Step<'_>]) -> Table {
    let mut table = new(output, &["#", "of", "cut"]);
    for Step { head, .. } in cuts.iter().take(SHOWN) {
        table.add_row([&head.id, &head.name, &head.reason]);
    }
    let more = cuts.len().saturating_sub(SHOWN);
    if more > 0 {
        table.add_row(["…".to_owned(), String::new(), format!("and {more} more")]);
    }
    table
}

/// The session with the codes that a plan makes or has removed, so that they have names.
fn with_codes<'a>(session: &'a Session, plan: &Plan) -> Cow<'a, Session> {
    let mut session = Cow::Borrowed(session);
    for change in plan.bare_changes() {
        if let Change::SetCode(edit) = change
            && let Some(code) = edit.after.as_ref().or(edit.before.as_ref())
            && !session.codes.contains_key(&edit.target)
        {
            session.to_mut().codes.insert(edit.target, code.clone());
        }
    }
    session
}

/// The object of a change, and what is done to it. A segment is shown by its text: its name would be that
/// of a speaker or a code, which is what it becomes.
pub(crate) fn what(planned: &PlannedChange) -> String {
    let said = match &planned.change {
        Change::SetSegment(Edit { before: Some(segment), .. }) => excerpt(segment),
        _ => None,
    };
    let name = said.as_deref().unwrap_or(&planned.name);
    format!("{name}: {}", planned.change.op().replace('_', " "))
}

/// The first words of a segment, in quotes.
fn excerpt(segment: &Segment) -> Option<String> {
    let words = segment.words.iter().take(WORDS).map(|word| word.text.as_str());
    let words = words.collect::<Vec<_>>().join(" ");
    let more = if segment.words.len() > WORDS { " …" } else { "" };
    (!words.is_empty()).then(|| format!("\"{words}{more}\""))
}

/// Both sides of a change in a few words.
pub(crate) fn sides(change: &Change, session: &Session) -> (String, String) {
    (side(change, Side::Before, session), side(change, Side::After, session))
}

#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

/// One side of a change in a few words.
fn side(change: &Change, side: Side, session: &Session) -> String {
    let mut json = serde_json::to_value(change).unwrap_or_default();
    if is_of_several(change) {
        drop_same(&mut json);
    }
    let key = match side {
        Side::Before => "before",
        Side::After => "after",
    };
    let value = &json[key];
    match (change.unit(), value) {
        (Some(unit), Value::Number(number)) => {
            format!("{} {unit}", signed(number.as_f64().unwrap_or_default()))
        }
        _ => brief(value, session),
    }
}

/// A receipt: predicted against measured, right after applying and as hosts played it next.
pub(crate) fn receipt(output: Output, receipt: &Receipt) -> Table {
    let mut table = new(output, &["what", "predicted", "measured", "difference", ""]);
    let now = receipt.measured.iter().map(|row| (row, ""));
    let played = receipt.played.iter().map(|played| (&played.measured, ", as it played next"));
    for (row, when) in now.chain(played) {
        let difference = row.measured.map(|value| value - row.predicted);
        let (verdict, color) =
            if row.within { ("as promised", Color::Green) } else { ("missed", Color::Red) };
        table.add_row([
            Cell::new(format!("{}: {}{when}", row.name, row.measure.title())),
            number(format!("{:.2} {}", row.predicted, row.unit)),
            number(row.measured.map_or_else(|| "-".into(), |v| format!("{v:.2} {}", row.unit))),
            number(difference.map_or_else(|| "-".into(), signed)),
            Cell::new(verdict).fg(color),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Frames, SampleRate};
    use deskhand_session::{
        Description, Fact, GroupId, SegmentId, SessionId, SourceId, TrackId, Word,
    };
    use serde_json::json;

    #[test]
    fn a_receipt_tells_how_a_host_played_it_next() {
        let measured = |value: f64| {
            json!({"target": TrackId::new(1), "name": "Drums", "measure": "integrated_loudness",
                "predicted": -20.0, "measured": value, "tolerance": 0.1, "unit": "LUFS",
                "within": (value + 20.0).abs() < 0.1})
        };
        let told = json!({"revision": 3, "plan": "plan_0123456789ab", "state": "applied",
            "applied": ["c1"], "skipped": [], "measured": [measured(-20.01)],
            "played": [{"start": 24_000, "end": 174_000, "measured": measured(-13.98)}],
            "rolled_back": false, "undo_label": "Drums to -20 LUFS"});
        let told: Receipt = serde_json::from_value(told).unwrap();
        let table = receipt(Output::new(false), &told).to_string();
        let lines: Vec<_> = table.lines().map(str::trim_end).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        what                                           predicted    measured     difference
        Drums: integrated loudness                     -20.00 LUFS  -20.01 LUFS       -0.01  as promised
        Drums: integrated loudness, as it played next  -20.00 LUFS  -13.98 LUFS       +6.02  missed
        ");
    }

    #[test]
    fn of_a_plan_of_cuts_each_is_one_row() {
        let group = GroupId::new(1);
        let side = |length: i64| json!({"tracks": [], "at": 0, "length": length, "clips": {}});
        let cut = |id: &str, reason: &str| {
            json!({"id": id, "op": "ripple_delete", "target": group, "name": "Talk", "before": side(9),
                "after": side(0), "reason": reason, "needs": ["c1"], "to_hear": true,
                "cut": {"kind": "pause", "what": "a pause", "at": 0, "length": 9}})
        };
        let made = json!({"id": "c1", "op": "set_group", "target": group, "name": "Talk", "before": null,
            "after": {"name": "Talk", "tracks": []}, "reason": "a track closes up as a group of its own"});
        let um = "\"um,\" at 0:01.880, 0.70 s, between \"went\" and \"to\"";
        let told = json!({"format": "deskhand.plan/1", "id": "plan_0123456789ab", "digest": "", "tool": "tool_tighten",
            "params": {}, "session": SessionId::new(1), "base_revision": 1, "summary": "Tighten by 2.1 s",
            "changes": [made, cut("c2", "a pause of 2.00 s on all tracks at 0:08.250, 1.50 s"), cut("c3", um)]});
        let told: Plan = serde_json::from_value(told).unwrap();
        let session = Session::new(SessionId::new(1), SampleRate(48_000));
        let table = plan(Output::new(false), &told, &session).to_string();
        let lines: Vec<_> = table.lines().map(str::trim_end).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        #   of    cut
        c3  Talk  "um," at 0:01.880, 0.70 s, between "went" and "to"
        c2  Talk  a pause of 2.00 s on all tracks at 0:08.250, 1.50 s
        "#);
    }

    #[test]
    fn of_a_description_what_changes_is_told() {
        let session = Session::new(SessionId::new(1), SampleRate(48_000));
        let fact = |value: Value| Fact { value, unit: None, confidence: None, by: "tool_x".into() };
        let before = Description { facts: [("language".to_owned(), fact(json!("en")))].into() };
        let mut after = before.clone();
        after.facts.insert("pace".into(), fact(json!(180)));
        let edit = Edit::new(SegmentId::new(1), before, after);
        let told = sides(&Change::SetDescription(edit), &session);
        assert_eq!(told, ("-".to_owned(), "pace 180".to_owned()));
    }

    #[test]
    fn of_a_segment_its_words_and_what_changes_are_told() {
        let session = Session::new(SessionId::new(1), SampleRate(48_000));
        let word = |text: &str| Word {
            text: text.into(),
            start: Frames::ZERO,
            end: Frames(480),
            confidence: None,
        };
        let words = "And what did the fishermen say then".split(' ').map(word).collect();
        let before = Segment { words, ..Segment::new(SourceId::new(1), Frames::ZERO, Frames(480)) };
        let after = Segment { speaker: Some("Ann".into()), ..before.clone() };
        let edit = Edit::new(SegmentId::new(1), Some(before), Some(after));
        let planned =
            PlannedChange::new(1, Change::SetSegment(edit), "Ann".into(), "who says it".into());
        assert_eq!(what(&planned), "\"And what did the fishermen say …\": set segment");
        assert_eq!(sides(&planned.change, &session), ("-".to_owned(), "by Ann".to_owned()));
    }
}

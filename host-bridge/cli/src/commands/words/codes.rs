//! `deskhand codes`: the codebook, coding, and coded places.

use super::call::Call;
use crate::args::words::{CodesCommand, MatchType, Measure, Report, Unit};
use crate::commands::import::absolute;
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use comfy_table::Cell;
use deskhand_session::{CodeId, Coding, SegmentId, Session};
use deskhand_toolkit::text::is_same;
use serde_json::{Value, json};
use std::path::Path;

/// Runs one of the commands: an arm each.
// tidy: table
pub(crate) fn run(command: CodesCommand, output: Output) -> Result<Exit, Failure> {
    match command {
        CodesCommand::List { dir } => list(&dir, output),
        CodesCommand::Add { dir, name, color, description, parent, decided } => {
            Call::of("cmd_set_code")
                .with("name", name)
                .maybe("color", color)
                .maybe("description", description)
                .maybe("parent", parent)
                .decided(decided)
                .run(&dir, output)
        }
        CodesCommand::Exact {
            dir,
            code,
            text,
            targets,
            match_type,
            unit,
            case,
            whole_word,
            decided,
        } => Call::of("tool_code_exact")
            .with("code", code)
            .maybe("targets", some(targets))
            .with("text", text)
            .with("match_type", match_word(match_type))
            .with("unit", unit_word(unit))
            .with("ignore_case", !case)
            .with("whole_word", whole_word)
            .decided(decided)
            .run(&dir, output),
        CodesCommand::Similar { dir, code, text, targets, threshold, measure, unit, decided } => {
            Call::of("tool_code_similar")
                .with("code", code)
                .maybe("targets", some(targets))
                .with("text", text)
                .with("unit", unit_word(unit))
                .maybe("similarity_threshold", threshold)
                .named("similarity_threshold", "--threshold")
                .maybe("measure", measure.map(measure_word))
                .decided(decided)
                .run(&dir, output)
        }
        CodesCommand::Region { dir, code, target, from, to, decided } => {
            range([("FROM", from), ("TO", to)], "s")?;
            Call::of("tool_code_region")
                .with("code", code)
                .with("target", target)
                .with("start_ms", from * 1000.0)
                .with("end_ms", to * 1000.0)
                .decided(decided)
                .run(&dir, output)
        }
        CodesCommand::Spectral { dir, code, target, from, to, low, high, decided } => {
            range([("FROM", from), ("TO", to)], "s")?;
            range([("LOW", low), ("HIGH", high)], "Hz")?;
            Call::of("tool_code_spectral")
                .with("code", code)
                .with("target", target)
                .with("x", from * 1000.0)
                .with("width", (to - from) * 1000.0)
                .with("y", low)
                .with("height", high - low)
                .decided(decided)
                .run(&dir, output)
        }
        CodesCommand::Rename { dir, code, name, decided } => Call::of("cmd_set_code")
            .with("code_id", code)
            .with("name", name)
            .decided(decided)
            .run(&dir, output),
        CodesCommand::Move { dir, code, under, decided } => {
            let under = under.unwrap_or_default();
            let call = Call::of("cmd_set_code")
                .with("code_id", code.as_str())
                .with("parent", under.as_str())
                .decided(decided);
            call.run(&dir, output).map_err(|failure| in_no_circle(failure, &code, &under))
        }
        CodesCommand::Important { dir, segment, off, decided } => Call::of("tool_set_importance")
            .with("segment_id", segment)
            .with("importance", u8::from(!off))
            .decided(decided)
            .run(&dir, output),
        CodesCommand::Uncode { dir, ids, coder, decided } => {
            let call = uncode(&ids)?.maybe("coder", coder.clone()).decided(decided);
            take_off(call, &dir, &ids, coder.as_deref(), output)
        }
        CodesCommand::Merge { dir, from, into, decided } => Call::of("cmd_merge_codes")
            .with("from", from)
            .with("into", into)
            .decided(decided)
            .run(&dir, output),
        CodesCommand::Remove { dir, code, decided } => {
            Call::of("cmd_remove_code").with("code", code).decided(decided).run(&dir, output)
        }
        CodesCommand::Memo { dir, target, text, decided } => Call::of("cmd_set_memo")
            .with("target", target)
            .with("text", text.unwrap_or_default())
            .decided(decided)
            .run(&dir, output),
        CodesCommand::Report { dir, report, output: file, decided } => {
            let file = file.map(|file| absolute(&file)).transpose()?;
            Call::of("tool_report_codes")
                .with("report", report_word(report))
                .maybe("path", file)
                .named("`path`", "-o FILE")
                .decided(decided)
                .run(&dir, output)
        }
        CodesCommand::Codings { dir, from, coder, decided } => {
            is_anothers(&dir, &from)?;
            Call::of("tool_merge_codings")
                .with("session", absolute(&from)?)
                .with("coder", coder)
                .decided(decided)
                .run(&dir, output)
        }
        CodesCommand::Export { dir, file, decided } => Call::of(export_tool(&file)?)
            .with("path", absolute(&file)?)
            .named("`path`", "FILE")
            .decided(decided)
            .run(&dir, output),
        CodesCommand::Import { dir, file, decided } => Call::of("tool_import_codebook")
            .with("file", absolute(&file)?)
            .decided(decided)
            .run(&dir, output),
    }
}

/// Looks whether a range is one, in the words of the command line: tools have others for it.
fn range([(from, start), (to, end)]: [(&str, f64); 2], unit: &str) -> Result<(), Failure> {
    let (message, fix) = if start < 0.0 {
        (format!("{from} is {start} {unit}"), format!("give {from} as 0 or more"))
    } else if end <= start {
        let message = format!("{to} is {end} {unit}, and {from} is {start} {unit}");
        (message, format!("give {to} greater than {from}"))
    } else {
        return Ok(());
    };
    Err(Failure::new("bad_params", message, fix))
}

/// What writes a file that ends so.
fn export_tool(file: &Path) -> Result<&'static str, Failure> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_lowercase().as_str() {
        "qdc" => Ok("tool_export_codebook"),
        "qdpx" => Ok("tool_export_project"),
        _ => {
            let message = format!("the ending of {} is not known", file.display());
            let fix = "use .qdc for the codebook, or .qdpx for the whole project";
            Err(Failure::new("bad_params", message, fix))
        }
    }
}

/// Names; without any, all transcripts count.
pub(super) fn some(targets: Vec<String>) -> Option<Vec<String>> {
    (!targets.is_empty()).then_some(targets)
}

/// A code that was moved under itself, in the names that were typed.
fn in_no_circle(failure: Failure, code: &str, under: &str) -> Failure {
    if !failure.message.ends_with("a code cannot be under itself") {
        return failure;
    }
    let message = format!(
        "\"{code}\" cannot be under \"{under}\", which is the same code or a code under it"
    );
    let fix = "choose another code; `deskhand codes list DIR` lists them";
    Failure { message, fix: fix.into(), ..failure }
}

/// Whether codings come from elsewhere: a session is no copy of itself.
fn is_anothers(dir: &Path, from: &Path) -> Result<(), Failure> {
    match (dir.canonicalize(), from.canonicalize()) {
        (Ok(here), Ok(there)) if here == there => {
            let message = format!("{} is this session itself", from.display());
            let fix = "name the other person's copy of the session";
            Err(Failure::new("bad_params", message, fix))
        }
        _ => Ok(()),
    }
}

/// Removes codings. If it is more than one coding of the person's own, it waits for a decision, like
/// everything that removes much.
fn take_off(
    call: Call,
    dir: &Path,
    ids: &[String],
    coder: Option<&str>,
    output: Output,
) -> Result<Exit, Failure> {
    let mut desk = Desk::open(dir, output)?;
    let asks = ids.iter().any(|id| takes_much(desk.session(), id, coder));
    let done = call.asking(asks).make(&mut desk, output);
    desk.close()?;
    done
}

/// Whether the call removes more than one coding of a segment, or another coder's. Calls for several
/// segments, and batches, wait in any case.
fn takes_much(session: &Session, segment: &str, coder: Option<&str>) -> bool {
    let id: Option<SegmentId> = segment.parse().ok();
    let segment = id.and_then(|id| session.segments.get(&id));
    let goes = |coding: &&Coding| {
        let who = coding.coder.as_deref().unwrap_or(Coding::HERE);
        coder.is_none_or(|wanted| is_same(wanted, who))
    };
    let codings = segment.into_iter().flat_map(|segment| &segment.codings);
    let gone: Vec<&Coding> = codings.filter(goes).collect();
    gone.len() > 1 || gone.iter().any(|coding| coding.coder.is_some())
}

/// Segments, or one batch: with both, it would be unclear what is removed.
fn uncode(ids: &[String]) -> Result<Call, Failure> {
    let (batches, segments): (Vec<_>, Vec<_>) =
        ids.iter().cloned().partition(|id| id.starts_with("batch_"));
    match (&batches[..], segments.is_empty()) {
        ([], _) => Ok(Call::of("tool_uncode").with("segment_id", segments)),
        ([batch], true) => Ok(Call::of("tool_uncode").with("batch_id", batch.clone())),
        _ => Err(Failure::new(
            "bad_params",
            "batches and segments cannot be mixed, and only one batch fits",
            "run the command once for each batch",
        )),
    }
}

fn measure_word(measure: Measure) -> &'static str {
    match measure {
        Measure::Letters => "letters",
        Measure::Meaning => "meaning",
    }
}

fn match_word(match_type: MatchType) -> &'static str {
    match match_type {
        MatchType::Exact => "exact",
        MatchType::Startswith => "startswith",
        MatchType::Contains => "contains",
        MatchType::Endswith => "endswith",
        MatchType::Regex => "regex",
    }
}

fn unit_word(unit: Unit) -> &'static str {
    match unit {
        Unit::Match => "match",
        Unit::Sentence => "sentence",
        Unit::Turn => "turn",
    }
}

fn report_word(report: Report) -> &'static str {
    match report {
        Report::Counts => "counts",
        Report::Cooccurrence => "cooccurrence",
        Report::Overlaps => "overlaps",
        Report::Quotes => "quotes",
        Report::Agreement => "agreement",
    }
}

/// The codebook.
fn list(dir: &Path, output: Output) -> Result<Exit, Failure> {
    let desk = Desk::look(dir, output)?;
    let session = desk.session();
    output.json(&to_json(session));
    output.say(match session.codes.is_empty() {
        true => "no codes yet; make one with `deskhand codes add`".into(),
        false => to_text(session, output),
    });
    desk.close()?;
    Ok(Exit::Done)
}

fn to_json(session: &Session) -> Value {
    let one = |id: &CodeId| {
        let mut value = json!(session.codes.get(id));
        value["id"] = json!(id);
        value["segments"] = json!(segments_of(session, *id));
        value["memo"] = json!(session.memos.get(&(*id).into()));
        value
    };
    in_order(session).iter().map(|(id, _)| one(id)).collect()
}

fn to_text(session: &Session, output: Output) -> String {
    let mut rows = table::new(output, &["code", "id", "color", "segments", "description", "memo"]);
    for (id, depth) in in_order(session) {
        let Some(code) = session.codes.get(&id) else {
            continue;
        };
        let memo = session.memos.get(&id.into()).map(|memo| beginning(memo));
        rows.add_row([
            Cell::new(format!("{}{}", "  ".repeat(depth), code.name)),
            Cell::new(id),
            Cell::new(code.color.clone().map(String::from).unwrap_or_default()),
            table::number(segments_of(session, id).to_string()),
            Cell::new(&code.description),
            Cell::new(memo.unwrap_or_default()),
        ]);
    }
    rows.to_string()
}

/// The beginning of a memo in one line; all of it is in the JSON.
fn beginning(memo: &str) -> String {
    const CHARS: usize = 40;
    let line = memo.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
        None => line,
    }
}

fn segments_of(session: &Session, code: CodeId) -> usize {
    let is_on = |segment: &&deskhand_session::Segment| {
        segment.codings.iter().any(|coding| coding.code == code)
    };
    session.segments.values().filter(is_on).count()
}

/// Codes by name with their depth, each before its children.
fn in_order(session: &Session) -> Vec<(CodeId, usize)> {
    let mut found = Vec::new();
    below(session, None, &mut found);
    found
}

fn below(session: &Session, parent: Option<CodeId>, found: &mut Vec<(CodeId, usize)>) {
    let depth = parent
        .and_then(|parent| found.iter().find(|(id, _)| *id == parent))
        .map_or(0, |(_, depth)| depth + 1);
    let mut children: Vec<_> =
        session.codes.iter().filter(|(_, code)| code.parent == parent).collect();
    children.sort_by_key(|(id, code)| (code.name.to_lowercase(), **id));
    for (id, _) in children {
        found.push((*id, depth));
        below(session, Some(*id), found);
    }
}

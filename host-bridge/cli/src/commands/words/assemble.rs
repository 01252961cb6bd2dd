//! `deskhand assemble`: phrases and takes.

use super::call::Call;
use crate::advance_approval::Ahead;
use crate::args::words::{AssembleCommand, AssemblyFormat};
use crate::commands::import::absolute;
use crate::declared;
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use clap::ValueEnum;
use comfy_table::Cell;
use deskhand_protocol::transcript_tables::{self, Fate};
use deskhand_session::{PhraseId, Playing, SegmentId, Session};
use deskhand_toolkit::target::nearest;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Runs one of the commands.
pub(crate) fn run(command: AssembleCommand, output: Output) -> Result<Exit, Failure> {
    let (dir, file, format, pseudonyms, yes) = match command {
        AssembleCommand::List { dir } => return list(&dir, output),
        AssembleCommand::Export { dir, file, format, pseudonyms, yes } => {
            (dir, file, format, pseudonyms, yes)
        }
    };
    let format = format.map_or_else(|| by_ending(&file), Ok)?;
    if pseudonyms && format == AssemblyFormat::Mix {
        let fix = "omit --pseudonyms, or export the transcript";
        return Err(Failure::new("bad_params", "a mix has no names to hide", fix));
    }
    let mut desk = Desk::open(&dir, output)?;
    let call = exported(desk.session(), &file, format);
    let done = call.and_then(|mut call| {
        call.ahead = Ahead { yes, unheard: yes };
        if pseudonyms {
            call.params.insert("pseudonyms".into(), true.into());
        }
        call.make(&mut desk, output)
    });
    desk.close()?;
    done
}

/// The call that writes the edit in a format.
fn exported(session: &Session, file: &Path, format: AssemblyFormat) -> Result<Call, Failure> {
    let is_mix = format == AssemblyFormat::Mix;
    if is_mix && session.assembly.is_empty() {
        let fix = "make one with `deskhand assemble phrases DIR`, or write the current mix with `deskhand render`";
        return Err(Failure::new("no_target", "there is no assembly yet", fix));
    }
    // Of the two tools, the one for the mix names the endings of its files.
    let mut exports = declared::all().filter(|it| it.line.words == "assemble export");
    let declared = exports.find(|it| it.line.endings.is_empty() != is_mix);
    let declared = declared.ok_or_else(|| Failure::new("unknown_tool", "no tool writes it", ""))?;
    let mut params = Map::from_iter([("path".into(), absolute(file)?.into())]);
    if let Some(word) = format.to_possible_value().filter(|_| !is_mix) {
        params.insert("format".into(), word.get_name().into());
    }
    Ok(Call { declared, params, ahead: Ahead::default() })
}

/// The phrases of an order. The tool names those that are missing and repeated; where some are unknown it is not asked,
/// and all that is wrong is named here.
pub(super) fn order(session: &Session, typed: &Value) -> Result<Value, Failure> {
    let (ids, unknown) = sought(session, typed);
    let Some(failure) = all_told(unknown) else {
        return Ok(json!(ids));
    };
    let times = |id: &PhraseId| ids.iter().filter(|other| *other == id).count();
    let numbers = |is_meant: &dyn Fn(&PhraseId) -> bool| {
        let meant = session.assembly.order.iter().enumerate().filter(|(_, id)| is_meant(id));
        meant.map(|(at, _)| (at + 1).to_string()).collect::<Vec<_>>().join(", ")
    };
    let faults = [
        ("given more than once", numbers(&|id| times(id) > 1)),
        ("missing", numbers(&|id| times(id) == 0)),
    ];
    let told = faults.iter().filter(|(_, numbers)| !numbers.is_empty());
    let told: String = told.map(|(fault, numbers)| format!("; {fault}: {numbers}")).collect();
    Err(Failure { message: failure.message + &told, ..failure })
}

/// The phrases by number or id; all invalid ones are named.
pub(super) fn phrases(session: &Session, typed: &Value) -> Result<Value, Failure> {
    if let Some(one) = typed.as_str() {
        return id(session, one).map(|id| json!(id));
    }
    let (ids, unknown) = sought(session, typed);
    all_told(unknown).map_or_else(|| Ok(json!(ids)), Err)
}

/// The phrases by number or id, and a failure for each that does not exist.
fn sought(session: &Session, typed: &Value) -> (Vec<PhraseId>, Vec<Failure>) {
    let (mut ids, mut unknown) = (Vec::new(), Vec::new());
    for phrase in typed.as_array().into_iter().flatten().filter_map(Value::as_str) {
        match id(session, phrase) {
            Ok(id) => ids.push(id),
            Err(failure) => unknown.push(failure),
        }
    }
    (ids, unknown)
}

/// All failures as one, with the way out of the first.
fn all_told(failures: Vec<Failure>) -> Option<Failure> {
    let told: Vec<String> = failures.iter().map(|failure| failure.message.clone()).collect();
    let first = failures.into_iter().next()?;
    Some(Failure { message: told.join("; "), ..first })
}

/// A phrase by its number in the order, counted from 1, a take of it as `3.2`, or either by its id.
fn id(session: &Session, text: &str) -> Result<PhraseId, Failure> {
    if let Ok(number) = text.parse() {
        return playing(session, number);
    }
    let take = text.split_once('.').map(|(phrase, take)| (phrase.parse(), take.parse()));
    if let Some((Ok(phrase), Ok(take))) = take {
        return take_of(session, phrase, take);
    }
    let id: Option<PhraseId> = text.parse().ok();
    id.filter(|id| session.phrases.contains_key(id)).ok_or_else(|| {
        let message = format!("no phrase is called \"{text}\"");
        let said = session.phrases.keys().map(|id| session.name_of((*id).into()));
        let said: Vec<String> = said.collect();
        let near = nearest(text, said.iter().map(String::as_str));
        let such = if near.is_empty() { near } else { format!(" of a phrase such as {near}") };
        let fix = format!("give the number or id{such}; `deskhand assemble list DIR` lists them");
        Failure::new("no_target", message, fix)
    })
}

fn playing(session: &Session, number: usize) -> Result<PhraseId, Failure> {
    let order = &session.assembly.order;
    let found = number.checked_sub(1).and_then(|at| order.get(at));
    found.copied().ok_or_else(|| {
        let message = format!("there is no phrase {number}: {} play", order.len());
        Failure::new("no_target", message, "see `deskhand assemble list`")
    })
}

/// The take with that number, counted from 1, of a phrase that plays.
fn take_of(session: &Session, number: usize, take: usize) -> Result<PhraseId, Failure> {
    let phrase = playing(session, number)?;
    let sets = &session.assembly.duplicates;
    let takes = sets.iter().find(|set| set.takes.contains(&phrase)).map(|set| &set.takes[..]);
    let found = take.checked_sub(1).and_then(|at| takes?.get(at));
    found.copied().ok_or_else(|| {
        let (message, fix) = match takes.map_or(0, <[PhraseId]>::len) {
            0 => (
                format!("phrase {number} has no other takes"),
                "find them with `deskhand assemble duplicates`",
            ),
            many => (
                format!("phrase {number} has {many} takes, and no take {take}"),
                "see `deskhand assemble list`",
            ),
        };
        Failure::new("no_target", message, fix)
    })
}

/// How a take that does not play is called: `3.2` is the second of phrase 3.
fn take_number(session: &Session, id: PhraseId) -> Option<String> {
    let set = session.assembly.duplicates.iter().find(|set| set.takes.contains(&id))?;
    let phrase = session.assembly.order.iter().position(|other| *other == set.chosen)? + 1;
    let take = set.takes.iter().position(|take| *take == id)? + 1;
    Some(format!("{phrase}.{take}"))
}

/// The format for a file's ending.
fn by_ending(file: &Path) -> Result<AssemblyFormat, Failure> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_lowercase().as_str() {
        "otio" => Ok(AssemblyFormat::Otio),
        "csv" => Ok(AssemblyFormat::Csv),
        "srt" => Ok(AssemblyFormat::Srt),
        "vtt" => Ok(AssemblyFormat::Vtt),
        "txt" => Ok(AssemblyFormat::Transcript),
        "wav" | "flac" | "opus" | "mp3" => Ok(AssemblyFormat::Mix),
        _ => {
            let message = format!("the ending of {} is not known", file.display());
            Err(Failure::new(
                "bad_params",
                message,
                "give --format otio, audacity, csv, transcript, srt, vtt or mix",
            ))
        }
    }
}

/// The phrases as they play, and the others.
fn list(dir: &Path, output: Output) -> Result<Exit, Failure> {
    let desk = Desk::look(dir, output)?;
    let session = desk.session();
    let rows = rows(session);
    output.json(&json!({
        "phrases": rows, "duplicates": session.assembly.duplicates, "finished": session.assembly.finished,
    }));
    output.say(match rows.is_empty() {
        true => "no phrases yet; find them with `deskhand assemble phrases`".into(),
        false => to_text(&rows, output),
    });
    if let Some(summary) = &session.assembly.finished {
        output.say(format!("\nfinished: {summary}"));
    }
    desk.close()?;
    Ok(Exit::Done)
}

/// Every phrase: those in the order with their numbers, then takes that do not play, then removed ones.
/// Each has its remaining words, times and length if something was cut.
fn rows(session: &Session) -> Vec<Value> {
    let along = session.along();
    let along = |id: &PhraseId| along.get(id).map_or(&[][..], Vec::as_slice);
    let playing = Playing::of(session);
    let length = |id| playing.length(session, id).map(|length| length.seconds(session.rate));
    let all = transcript_tables::in_order(session).into_iter().enumerate();
    all.map(|(at, (id, fate))| {
        let number = matches!(fate, Fate::Plays | Fate::Cut).then_some(at + 1);
        let mut row = as_json(session, &playing, (id, fate.words(), number), along(&id));
        row["length_s"] = json!(length(id));
        row["take"] = json!(take_number(session, id).filter(|_| number.is_none()));
        row
    })
    .collect()
}

fn as_json(
    session: &Session,
    playing: &Playing,
    (id, state, number): (PhraseId, &str, Option<usize>),
    along: &[SegmentId],
) -> Value {
    let along = along.iter().filter_map(|id| session.segments.get(id));
    let along = along.map(|it| json!({"speaker": it.speaker, "text": it.text()}));
    let (spoken, whole) = (playing.spoken(session, id), session.spoken(id).map(|it| it.text));
    let whole = whole.filter(|whole| spoken.as_ref().is_some_and(|it| it.text != *whole));
    let second = |at: deskhand_dsp::Frames| at.seconds(session.rate).0;
    let mut row = json!({
        "number": number, "id": id, "state": state,
        "source": spoken.as_ref().map(|it| session.name_of(it.source.into())),
        "start_s": spoken.as_ref().map(|it| second(it.start)),
        "end_s": spoken.as_ref().map(|it| second(it.end)),
        "speaker": spoken.as_ref().and_then(|it| it.speaker.clone()),
        "text": spoken.map(|it| it.text),
        "along": along.collect::<Vec<_>>(),
    });
    if let Some(whole) = whole {
        row["whole_text"] = json!(whole);
    }
    row
}

/// The number of a phrase that plays, or `3.2` of a take of it.
fn shown_number(phrase: &Value) -> String {
    match &phrase["take"] {
        Value::String(take) => take.clone(),
        _ => phrase["number"].as_u64().map(|it| it.to_string()).unwrap_or_default(),
    }
}

fn to_text(phrases: &[Value], output: Output) -> String {
    let columns = ["#", "id", "state", "from", "start", "length", "speaker", "text"];
    let mut rows = table::new(output, &columns);
    let second = |value: &Value| value.as_f64().map(table::decimal).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for phrase in phrases {
        let along = phrase["along"].as_array().into_iter().flatten().map(|it| text(&it["text"]));
        let along = along.collect::<Vec<_>>().join(" / ");
        let along = if along.is_empty() { along } else { format!(" (over it: {along})") };
        rows.add_row([
            table::number(shown_number(phrase)),
            Cell::new(text(&phrase["id"])),
            Cell::new(text(&phrase["state"])),
            Cell::new(text(&phrase["source"])),
            table::number(second(&phrase["start_s"])),
            table::number(second(&phrase["length_s"])),
            Cell::new(text(&phrase["speaker"])),
            Cell::new(text(&phrase["text"]) + &along),
        ]);
    }
    rows.to_string()
}

//! `deskhand transcribe`: what is said in the clips of a session, or in audio files.

use crate::args::words::TranscribeArgs;
use crate::commands::import::absolute;
use crate::commands::{ask, plan};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::said::standing_out;
use deskhand_protocol::values;
use deskhand_protocol::{Apply, ToolResult};
use deskhand_session::{Change, Session, SourceId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Transcribes targets in a session, or each of the files in a session beside it.
pub(crate) fn run(args: TranscribeArgs, output: Output) -> Result<Exit, Failure> {
    let Some((first, rest)) = args.what.split_first() else {
        return Err(Failure::new("usage", "it does not say what to transcribe", "name a file"));
    };
    if first.is_dir() {
        let targets: Vec<_> = rest.iter().map(|name| name.display().to_string()).collect();
        let said = one(Desk::open(first, output)?, &args, &targets, output)?;
        output.json(&said);
        return Ok(Exit::Done);
    }
    if let (true, Some(file)) = (args.what.len() > 1, &args.output) {
        let message = format!("{} can hold one transcript, not several", file.display());
        return Err(Failure::new("bad_params", message, "call it for each file"));
    }
    let said: Result<Vec<_>, _> =
        args.what.iter().map(|file| one(ask::open(file, output)?, &args, &[], output)).collect();
    output.json(&said?);
    Ok(Exit::Done)
}

/// Transcribes in an open session, says what is said, and closes it.
fn one(
    mut desk: Desk,
    args: &TranscribeArgs,
    targets: &[String],
    output: Output,
) -> Result<Value, Failure> {
    let done = listen(&mut desk, args, targets, output);
    desk.close()?;
    done
}

fn listen(
    desk: &mut Desk,
    args: &TranscribeArgs,
    targets: &[String],
    output: Output,
) -> Result<Value, Failure> {
    let targets = if targets.is_empty() { json!("all") } else { json!(targets) };
    let result = desk.call("tool_transcribe", params(args, &targets), Apply::Now)?;
    output.say(&result.summary);
    result.plan.iter().for_each(|plan| plan::warnings(plan, output));
    plan::warn_of_answer(&result, output);
    let sources = heard(&result, desk.session());
    for source in &sources {
        output.say(format!("\n{}", text_of(desk.session(), *source)));
    }
    if let Some(file) = &args.output {
        let mut params = json!({"path": absolute(file)?, "targets": targets});
        if has_several(&targets, desk.session()) {
            params["from"] = json!("timeline");
        }
        let written = desk.call("tool_export_transcript", params, Apply::Now)?;
        output.say(format!("\n{}", written.summary));
    }
    let transcripts: Vec<_> =
        sources.iter().map(|source| json_of(desk.session(), *source)).collect();
    let of_plan = result.plan.iter().flat_map(|plan| &plan.warnings);
    let warnings: Vec<_> = of_plan.chain(&result.warnings).collect();
    Ok(json!({
        "summary": result.summary, "warnings": warnings, "found": result.answer, "transcripts": transcripts,
    }))
}

fn params(args: &TranscribeArgs, targets: &Value) -> Value {
    let mut params = json!({"targets": targets});
    if let Some(language) = &args.language {
        params["language"] = json!(language);
    }
    if let Some(model) = &args.model {
        params["model"] = json!(model);
    }
    if args.again {
        params["known"] = json!("replace");
    }
    if args.verbatim {
        params["verbatim"] = json!(true);
    }
    params
}

/// Whether several recordings are meant: those have no common start but the timeline.
pub(super) fn has_several(targets: &Value, session: &Session) -> bool {
    let played: BTreeSet<SourceId> = session.clips.values().map(|clip| clip.source).collect();
    played.len() > 1 && targets.as_array().is_none_or(|named| named.len() > 1)
}

/// The sources that something new was heard in; where nothing is new, all that are written down.
fn heard(result: &ToolResult, session: &Session) -> BTreeSet<SourceId> {
    let new = |change: &Change| match change {
        Change::SetSegment(edit) => edit.after.as_ref().map(|segment| segment.source),
        _ => None,
    };
    let changes = result.plan.iter().flat_map(|plan| plan.bare_changes());
    let heard: BTreeSet<_> = changes.filter_map(new).collect();
    match heard.is_empty() {
        false => heard,
        true => {
            let spoken = session.segments.values().filter(|segment| !segment.words.is_empty());
            spoken.map(|segment| segment.source).collect()
        }
    }
}

/// A transcript for people: a line a segment.
pub(super) fn text_of(session: &Session, source: SourceId) -> String {
    let line = |segment: &deskhand_session::Segment| {
        let at = values::time(segment.start, session.rate);
        let who = segment.speaker.as_deref().map(|who| format!("{who}: ")).unwrap_or_default();
        let stands_out = standing_out(segment).join(", ");
        let note = if stands_out.is_empty() { stands_out } else { format!("  [{stands_out}]") };
        format!("  {at}  {who}{}{note}", segment.text())
    };
    let lines = session.transcript_of(source).into_iter().map(|(_, segment)| line(segment));
    let name = session.name_of(source.into());
    std::iter::once(name).chain(lines).collect::<Vec<_>>().join("\n")
}

pub(super) fn json_of(session: &Session, source: SourceId) -> Value {
    let one = |(id, segment): (deskhand_session::SegmentId, &deskhand_session::Segment)| {
        json!({
            "description": segment.description,
            "id": id, "speaker": segment.speaker, "text": segment.text(),
            "start_s": segment.start.seconds(session.rate), "end_s": segment.end().seconds(session.rate),
        })
    };
    let segments: Vec<_> = session.transcript_of(source).into_iter().map(one).collect();
    json!({"source": source, "name": session.name_of(source.into()), "segments": segments})
}

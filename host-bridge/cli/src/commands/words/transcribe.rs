//! `deskhand transcribe`: the words in the clips of a session, or in audio files.

use crate::args::words::{TRANSCRIBE, TranscribeArgs};
use crate::commands::import::absolute;
use crate::commands::{ask, plan};
use crate::declared;
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::leave;
use crate::output::Output;
use deskhand_protocol::transcript_tables::standing_out;
use deskhand_protocol::{Apply, Status, ToolResult};
use deskhand_session::text;
use deskhand_session::{Change, Plan, Playing, Segment, Session, SourceId};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The model that is no model here but a service, to which the sound is sent.
const SERVICE: &str = "service";

/// How a file ends that a transcript is written to.
const ENDINGS: [&str; 4] = ["srt", "vtt", "json", "txt"];

/// What to do with a transcript that was read while it was made.
const NEXT: &str = "show it with `deskhand words show DIR`, mark speakers with `deskhand words speakers DIR`, \
                    edit by phrases with `deskhand assemble phrases DIR`";

/// Transcribes targets in a session, or each file in a session next to it.
pub(crate) fn run(args: TranscribeArgs, output: Output) -> Result<Exit, Failure> {
    let Some((first, rest)) = args.what.split_first() else {
        return Err(Failure::new(
            "usage",
            "nothing to transcribe is named",
            "name a session or a file",
        ));
    };
    may_be_sent(&args, output)?;
    args.output.as_deref().map_or(Ok(()), can_be_new)?;
    if first.is_dir() {
        let targets: Vec<_> = rest.iter().map(|name| name.display().to_string()).collect();
        let said = one(Desk::open(first, output)?, &args, &targets, output)?;
        output.json(&said);
        return Ok(Exit::Done);
    }
    if let (true, Some(file)) = (args.what.len() > 1, &args.output) {
        let message = format!("{} holds one transcript only", file.display());
        return Err(Failure::new("bad_params", message, "run the command once for each file"));
    }
    let said: Result<Vec<_>, _> =
        args.what.iter().map(|file| one(ask::open(file, output)?, &args, &[], output)).collect();
    output.json(&said?);
    Ok(Exit::Done)
}

/// Reports a path that cannot be written before hours of transcription.
fn can_be_new(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let (message, fix) = if file.symlink_metadata().is_ok() {
        (format!("{} exists already", file.display()), "give another file with -o")
    } else if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let message = format!("there is no folder {}", folder.display());
        (message, "make the folder, or give another file with -o")
    } else if !ENDINGS.contains(&ending.to_lowercase().as_str()) {
        let message = format!("the ending of {} is not known", file.display());
        (message, "use .srt, .vtt, .json or .txt")
    } else {
        return Ok(());
    };
    Err(Failure::new("write", message, fix))
}

/// Sound leaves this machine where the person says so, with the call or on the terminal.
fn may_be_sent(args: &TranscribeArgs, output: Output) -> Result<(), Failure> {
    let stays = args.params.0.get("model").is_none_or(|model| model != SERVICE);
    if stays || args.yes {
        return Ok(());
    }
    leave::given_for_sound(output)
}

/// Transcribes in an open session, prints the words, and closes it.
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
    let mut params = args.params.0.clone();
    params.insert("targets".into(), targets.clone());
    let result = desk.call(declared::tool(TRANSCRIBE), params.into(), Apply::Now)?;
    let result = ToolResult { summary: summary(&result), ..result };
    let sources = heard(&result, desk.session());
    let mut told = if output.is_read_live() { desk.told().to_vec() } else { Vec::new() };
    if told.is_empty() {
        output.say(&result.summary);
    }
    result.plan.iter().for_each(|plan| plan::warnings(plan, output));
    plan::warn_of_answer(&result, output);
    let is_live = !told.is_empty();
    for source in &sources {
        if let Some(rest) = untold(desk.session(), *source, &mut told) {
            output.say(format!("\n{rest}"));
        }
    }
    if is_live {
        output.say(format!("{}\n{NEXT}", result.summary));
    }
    if interrupt::was_pressed() {
        return Err(stopped(args.output.as_deref()));
    }
    if let Some(file) = &args.output {
        let params = json!({"path": absolute(file)?, "targets": targets});
        let written = desk.call(declared::tool("words export"), params, Apply::Now)?;
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

/// Ctrl-C: a part of a transcript is in the session, and no file says that it is all.
fn stopped(file: Option<&Path>) -> Failure {
    let not = file.map(|file| format!(", and {} was not written", file.display()));
    let message =
        format!("stopped: the transcript so far is kept in the session{}", not.unwrap_or_default());
    Failure::new(
        "cancelled",
        message,
        "run the command again to continue; `deskhand undo DIR` removes the transcript",
    )
}

/// The summary. An unchanged second transcription is not stored.
fn summary(result: &ToolResult) -> String {
    let is_same = |plan: &Plan| plan.changes.is_empty() && plan.params["known"] == "replace";
    match result.plan.as_deref().is_some_and(is_same) && result.status == Status::Planned {
        true => "Nothing changed: the transcript is the same as before".into(),
        false => result.summary.clone(),
    }
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

/// A transcript without the lines in `told`, each of which counts once; `None` if no line is left.
fn untold(session: &Session, source: SourceId, told: &mut Vec<String>) -> Option<String> {
    let is_new = |segment: &Segment| {
        let text = segment.text();
        let known = told.iter().position(|told| *told == text);
        known.map(|at| told.swap_remove(at)).is_none()
    };
    let lines = lines_of(session, source, is_new);
    (lines.len() > 1).then(|| lines.join("\n"))
}

/// A transcript for people: a line a segment.
pub(super) fn text_of(session: &Session, source: SourceId) -> String {
    lines_of(session, source, |_| true).join("\n")
}

/// The name of a source, then a line for each of its segments that `is_meant`, with its notable facts and
/// its cut words.
fn lines_of(
    session: &Session,
    source: SourceId,
    mut is_meant: impl FnMut(&Segment) -> bool,
) -> Vec<String> {
    let playing = Playing::of(session);
    let line = |segment: &Segment| {
        let at = text::clock(segment.start, session.rate);
        let who = segment.speaker.as_deref().map(|who| format!("{who}: ")).unwrap_or_default();
        let cut = playing.cut_from(segment).map(|words| format!("cut: {words}"));
        let stands_out: Vec<String> = standing_out(segment).into_iter().chain(cut).collect();
        let note = stands_out.join(", ");
        let note = if note.is_empty() { note } else { format!("  [{note}]") };
        format!("  {at}  {who}{}{note}", segment.text())
    };
    let meant = session.transcript_of(source).into_iter().filter(|(_, segment)| is_meant(segment));
    let lines = meant.map(|(_, segment)| line(segment));
    std::iter::once(session.name_of(source.into())).chain(lines).collect()
}

/// A transcript for programs. `cut` lists the words of a segment that were cut from the edit; `bleed` marks
/// words of another speaker.
pub(super) fn json_of(session: &Session, source: SourceId) -> Value {
    let playing = Playing::of(session);
    let one = |(id, segment): (deskhand_session::SegmentId, &deskhand_session::Segment)| {
        json!({
            "description": segment.description,
            "id": id, "speaker": segment.speaker, "text": segment.text(),
            "start_s": segment.start.seconds(session.rate), "end_s": segment.end().seconds(session.rate),
            "cut": playing.cut_from(segment), "bleed": segment.is_bleed(),
        })
    };
    let segments: Vec<_> = session.transcript_of(source).into_iter().map(one).collect();
    json!({"source": source, "name": session.name_of(source.into()), "segments": segments})
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Frames, SampleRate};
    use deskhand_session::{
        BLEED_OF, ClipId, RevisionId, SegmentId, SessionId, Track, TrackId, Word,
    };

    /// A session in which three lines are said, two of them the same.
    fn session() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        for (at, text) in [(0, "Hello."), (1, "Welcome back."), (2, "Hello.")] {
            let start = Frames(at * 48_000);
            let end = start + Frames(24_000);
            let word = Word { text: text.into(), start, end, confidence: None };
            let segment = Segment::new(SourceId::new(1), start, Frames(24_000));
            let segment = Segment { words: vec![word], ..segment };
            session.segments.insert(SegmentId::new(at as u64 + 1), segment);
        }
        session
    }

    #[test]
    fn a_run_that_was_stopped_failed_and_says_what_there_is() {
        let failure = stopped(Some(Path::new("talk.srt")));
        assert_eq!((failure.exit, failure.code.as_str()), (Exit::Failed, "cancelled"));
        let told =
            "stopped: the transcript so far is kept in the session, and talk.srt was not written";
        assert_eq!(failure.message, told);
        assert!(!stopped(None).message.contains("not written"));
    }

    #[test]
    fn what_is_heard_again_and_is_the_same_is_not_called_written_down() {
        let result = |status: Status, params: Value, changes: Value| {
            let plan: Plan = serde_json::from_value(json!({
                "format": "deskhand.plan/1", "id": "plan_0123456789ab", "digest": "", "tool": "tool_transcribe",
                "params": params, "session": SessionId::new(1), "base_revision": 1,
                "summary": "Write down 3 words", "changes": changes,
            }))
            .unwrap();
            let result = ToolResult::new(status, "Write down 3 words", RevisionId(1));
            ToolResult { plan: Some(Box::new(plan)), ..result }
        };
        let again = || json!({"known": "replace"});
        let same = |params| summary(&result(Status::Planned, params, json!([])));
        assert!(same(again()).starts_with("Nothing changed"));
        assert_eq!(same(json!({})), "Write down 3 words");
        let change = json!([{
            "id": "c1", "op": "set_track_gain", "target": TrackId::new(1), "name": "Talk", "before": 0.0,
            "after": 1.0, "unit": "dB", "reason": "as asked", "needs": [],
        }]);
        assert_eq!(summary(&result(Status::Applied, again(), change)), "Write down 3 words");
    }

    #[test]
    fn what_was_cut_out_is_told_behind_the_line() {
        let (mut session, source) = (session(), SourceId::new(1));
        let track = TrackId::new(1);
        session.tracks.insert(track, Track::audio("Talk"));
        // The edit begins after the first "Hello.".
        let clip = json!({
            "name": "Talk", "track": track, "source": source, "start": 36_000, "length": 96_000, "position": 0,
        });
        session.clips.insert(ClipId::new(1), serde_json::from_value(clip).unwrap());
        let told = text_of(&session, source);
        let lines: Vec<&str> = told.lines().skip(1).collect();
        assert!(lines[0].ends_with("Hello.  [cut: Hello.]"), "{told}");
        assert!(lines[1].ends_with("Welcome back.") && lines[2].ends_with("  Hello."), "{told}");
        let told = &json_of(&session, source)["segments"];
        assert_eq!((&told[0]["cut"], &told[1]["cut"]), (&json!("Hello."), &Value::Null));
    }

    #[test]
    fn what_a_microphone_heard_of_another_speaker_says_so() {
        let (mut session, source) = (session(), SourceId::new(1));
        let fact = json!({"value": "Guest", "by": "tool_mark_speakers"});
        let segment = session.segments.get_mut(&SegmentId::new(2)).unwrap();
        let facts = &mut segment.description.facts;
        facts.insert(BLEED_OF.into(), serde_json::from_value(fact).unwrap());
        let told = text_of(&session, source);
        assert!(told.contains("Welcome back.  [bleed]"), "{told}");
        assert_eq!(told.matches("bleed").count(), 1, "{told}");
        let told = &json_of(&session, source)["segments"];
        assert_eq!((&told[0]["bleed"], &told[1]["bleed"]), (&json!(false), &json!(true)));
    }

    #[test]
    fn what_was_read_live_is_not_said_again() {
        let (session, source) = (session(), SourceId::new(1));
        let rest = |told: &[&str]| {
            let mut told = told.iter().map(|text| (*text).to_owned()).collect();
            untold(&session, source, &mut told)
        };
        assert_eq!(rest(&["Hello.", "Welcome back.", "Hello."]), None);
        let left = rest(&["Hello.", "Welcome back."]).unwrap();
        assert!(left.contains("0:02.000  Hello.") && left.lines().count() == 2, "{left}");
        assert_eq!(rest(&[]).as_deref(), Some(text_of(&session, source).as_str()), "piped: all");
    }
}

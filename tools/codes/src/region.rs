//! `tool_code_region`: a code on one stretch of a recording.

#[cfg(test)]
mod tests;

use super::coding::{Coder, Place, Put, Wanted, wanted};
use super::places::{Spot, playing, spot};
use super::playback_times;
use super::region_facts::{REGION, TRANSCRIPT};
use super::says::with_code;
use deskhand_session::intent::{Intent, Kinds, Slot, TextKind};
use deskhand_session::text::trimmed;
use deskhand_session::{Description, Fact, ObjectId, Session};
use deskhand_toolkit::Reads;
use deskhand_toolkit::about::{COMMAND_LIMIT, tool};
use deskhand_toolkit::find::millis;
use deskhand_toolkit::target::nearest;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// `tool_code_region`.
pub(super) struct CodeRegion;

/// A region in time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Region {
    /// The code: id, name or path ("Money/Rent"). Or give `code`.
    code_id: Option<String>,
    /// The code's name, instead of `code_id`; a new code is made if needed.
    code: Option<String>,
    /// One clip or one source, by id or name. Omitted: start and end are times of the timeline, and the clip that plays
    /// then is coded.
    target: Option<String>,
    /// A phrase of the assembly (`phr_…`), all of it, instead of a target and times.
    phrase: Option<String>,
    /// Start, in milliseconds from the start of the target.
    #[schemars(range(min = 0.0))]
    start_ms: Option<f64>,
    /// End, in milliseconds from the start of the target; more than `start_ms`.
    #[schemars(range(min = 0.0))]
    end_ms: Option<f64>,
    /// The spoken words, kept as a note where there is no transcript.
    #[schemars(length(min = 1, max = 4000))]
    transcript: Option<String>,
    /// Code only this speaker where several talk at once; the name as in the transcript.
    #[schemars(length(min = 1, max = 200))]
    speaker: Option<String>,
}

/// The call against the session.
pub(super) struct Resolved {
    pub(super) code: Wanted,
    pub(super) object: ObjectId,
    pub(super) place: Place,
    pub(super) transcript: Option<String>,
}

/// "code phrase 3 as Money"; what is marked is marked with a code that is known.
fn says_phrase() -> [Intent; 2] {
    let phrase = |verbs: &str, code: TextKind| {
        let phrase = Intent::verbs(verbs).said("phrase", "-", TextKind::EachPhrase);
        phrase.needs("phrase").said("code", "as | with", code).needs("code")
    };
    [phrase("code | label", TextKind::CodeName), phrase("mark", TextKind::KnownCode)]
}

fn says() -> Intent {
    let ends = Slot::place("end_ms").preps("- | until | to | between");
    let region = Intent::verbs("code | label").also("part");
    with_code(region.slot(Slot::place("start_ms").preps("- | from | between")).slot(ends))
        .needs("start_ms")
        .needs("end_ms")
        .named("target", "- | of | in | on", Kinds::OneSound)
        .lacks(
            "it does not say what to code with which code",
            "code 0:10 to 0:20 of take 1 as Laughter",
        )
}

impl TypedTool for CodeRegion {
    type Params = Region;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_code_region",
            "Code a region",
            "Codes a time range of one clip or source. Returns {segment_id, batch_id, already_coded}.",
            Category::Organize,
            Trust::Notify,
            vec![
                json!({"code": "Laughter", "target": "Interview", "start_ms": 61500, "end_ms": 64000}),
            ],
        )
        .sets()
        .command("codes region", "Code a time range of a clip or source; makes a new code if needed")
        .arg("CODE", "code", "The code: name or id")
        .arg("TARGET", "target", "The clip or source")
        .reads(Reads::Times(1000.0), "FROM", "start_ms", "Start in seconds")
        .reads(Reads::Times(1000.0), "TO", "end_ms", "End in seconds")
        .offers(Gesture::CodeRegion)
        .says([says()])
        .says(says_phrase())
        .limit(COMMAND_LIMIT)
    }

    fn resolve(params: Region, session: &Session) -> Result<Resolved, ToolError> {
        let code = wanted(session, params.code_id.as_deref(), params.code.as_deref())?;
        let (object, place) = match (&params.phrase, params.start_ms, params.end_ms) {
            (Some(id), None, None) if params.target.is_none() => of_phrase(session, id)?,
            (None, Some(start), Some(end)) => {
                let (spot, times) = match &params.target {
                    Some(target) => (spot(session, target)?, [start, end]),
                    None => playing(session, [start, end])?,
                };
                (spot.object, place(session, &spot, times)?)
            }
            _ => {
                let fix =
                    "give `start_ms` and `end_ms`, with or without `target`; or `phrase` alone";
                let message = "it does not say from when to when";
                return Err(ToolError::prepare(Code::BadParams, message, fix));
            }
        };
        let place = of_speaker(session, place, params.speaker)?;
        Ok(Resolved { code, object, place, transcript: params.transcript })
    }

    /// It is done at once, and blocks nothing.
    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        Ok(draft(&call, context))
    }
}

/// All that a phrase says, in its recording.
fn of_phrase(session: &Session, id: &str) -> Result<(ObjectId, Place), ToolError> {
    let spoken = id.parse().ok().and_then(|id| session.spoken(id)).ok_or_else(|| {
        let fix = "see tool_list_phrases for the phrases";
        ToolError::prepare(Code::NoTarget, "there is no phrase with that id", fix)
    })?;
    let length = spoken.end - spoken.start;
    let (source, start) = (spoken.source, spoken.start);
    Ok((source.into(), Place { source, start, length, band: None, speaker: None }))
}

/// The stretch between two times of a spot, which must lie in it.
pub(super) fn place(session: &Session, spot: &Spot, times: [f64; 2]) -> Result<Place, ToolError> {
    let length_ms = (spot.end - spot.start).seconds(session.rate).0 * 1000.0;
    // Checked before the conversion to frames, because an absurd time has none. A length in milliseconds
    // rounds up, to at most one frame after the last.
    let fits = times.iter().all(|time| (0.0..=length_ms + 1.0).contains(time));
    let [start, end] = times.map(|time| spot.start + millis(time.min(length_ms), session.rate));
    let [start, end] = [start, end].map(|at| at.min(spot.end));
    if !fits || start >= end {
        let [from, to, last] = [times[0], times[1], length_ms].map(|ms| trimmed(ms / 1000.0, 3));
        let message = format!("{from} to {to} s is no stretch of \"{}\"", spot.name);
        let fix = format!("it begins at 0 and ends at {last} s, {length_ms:.0} ms");
        return Err(ToolError::prepare(Code::BadParams, message, fix));
    }
    Ok(Place { source: spot.source, start, length: end - start, band: None, speaker: None })
}

/// The place, restricted to one speaker, who must say something there. If nobody else does, it is all of
/// it.
fn of_speaker(
    session: &Session,
    place: Place,
    speaker: Option<String>,
) -> Result<Place, ToolError> {
    let Some(speaker) = speaker else { return Ok(place) };
    let frames = place.start..place.start + place.length;
    let talking = super::text::talking(session, place.source, &frames);
    if !talking.contains(&Some(speaker.as_str())) {
        let near = nearest(&speaker, talking.iter().copied().flatten());
        let fix = match near.is_empty() {
            true => "leave `speaker` out: nobody is named there".to_owned(),
            false => format!("who speaks there is {near}; or leave `speaker` out"),
        };
        let message = format!("\"{speaker}\" says nothing there");
        return Err(ToolError::prepare(Code::NoTarget, message, fix));
    }
    let speaker = Some(speaker).filter(|_| talking.len() > 1);
    Ok(Place { speaker, ..place })
}

/// The plan of one coding.
pub(super) fn draft(call: &Resolved, context: &PlanContext) -> Draft {
    let session = &context.session;
    let place = &call.place;
    let mut coder = Coder::new(context, &call.code);
    let (kind, code) = match &call.code {
        Wanted::Known(id) => ("", session.name_of((*id).into())),
        Wanted::New(name) => ("the new code ", name.clone()),
    };
    let said = super::quote::said(session, &place.segment());
    let what = told(session, call, &said);
    let name = if said.is_empty() { what.clone() } else { said };
    let put = coder.put(place, note(call.transcript.as_deref()), name, "as asked");
    let (segment, is_new) = match put {
        Put::Coded(id) => (id, true),
        Put::Already(id) => (id, false),
    };
    let batch = is_new.then(|| coder.batch().to_owned());
    let mut draft = coder.draft;
    draft.summary = if is_new {
        format!("Code {what} as {kind}\"{code}\"")
    } else {
        format!("{what} is coded as \"{code}\" already")
    };
    draft.answer =
        Some(json!({"segment_id": segment, "batch_id": batch, "already_coded": !is_new}));
    draft
}

/// The text about a coded place: the words `said` there, the time, and the frequencies.
fn told(session: &Session, call: &Resolved, said: &str) -> String {
    let Place { source, start, length, band, .. } = &call.place;
    let frames = *start..*start + *length;
    let told = playback_times::told(session, call.object, *source, &frames, said);
    let Some(band) = band else { return told };
    format!("{told}, {} to {} Hz", band.low_hz, band.high_hz)
}

/// The words there, as a fact.
fn note(transcript: Option<&str>) -> Description {
    let fact =
        |text: &str| Fact { value: json!(text), unit: None, confidence: None, by: REGION.into() };
    let facts = transcript.map(|text| (TRANSCRIPT.to_owned(), fact(text)));
    Description { facts: facts.into_iter().collect::<BTreeMap<_, _>>() }
}

//! Answers to questions about a session: measured, or read from it.
//!
//! Thread: any.

mod answer;
mod edit;
mod facts;
mod transcript;
mod turns;

pub use answer::{Answer, AnswerSource};

use crate::reading::{Among, Question, Rank, Target};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Measure, ObjectId, RevisionId, Session};
use serde_json::{Value, json};

/// The current step of a session, with its label, from what [`deskhand_protocol::Read::History`] answers.
#[must_use]
pub fn last_step(history: &Value) -> Option<(RevisionId, String)> {
    let head = history.get("head")?;
    let revisions = history.get("revisions")?.as_array()?;
    let last = revisions.iter().find(|revision| revision.get("id") == Some(head))?;
    Some((RevisionId(head.as_u64()?), last.get("label")?.as_str()?.to_owned()))
}

/// Answers a question about its targets, or about the whole session.
///
/// # Errors
/// When something cannot be measured.
pub fn answer(
    desk: &mut dyn AnswerSource,
    question: Question,
    targets: &[Target],
) -> Result<Answer, ToolError> {
    match question {
        Question::Extreme { measure, rank, among } => {
            let ids = if targets.is_empty() { all(desk.session(), among) } else { ids(targets) };
            extreme(desk, measure, rank, &ids)
        }
        Question::Level { measure } => {
            let ids = if targets.is_empty() { mix(desk) } else { ids(targets) };
            levels(desk, measure, &ids)
        }
        Question::Clipping => {
            let ids =
                if targets.is_empty() { all(desk.session(), Among::Tracks) } else { ids(targets) };
            clipping(desk, &ids)
        }
        Question::Turns => Ok(turns::answer(desk.session(), &ids(targets))),
        Question::Takes => Ok(edit::takes(desk.session(), &ids(targets))),
        Question::Removed => Ok(edit::removed(desk.session())),
        Question::Transcript => Ok(transcript::answer(desk.session())),
        _ => Ok(facts::answer(desk, question, &ids(targets))),
    }
}

fn ids(targets: &[Target]) -> Vec<ObjectId> {
    targets.iter().map(|target| target.id).collect()
}

fn mix(desk: &dyn AnswerSource) -> Vec<ObjectId> {
    vec![desk.session().id.into()]
}

fn all(session: &Session, among: Among) -> Vec<ObjectId> {
    match among {
        Among::Tracks => session.track_order.iter().map(|id| (*id).into()).collect(),
        Among::Clips => session.clips.keys().map(|id| (*id).into()).collect(),
    }
}

/// A level of each object, by the tool that every front end uses.
fn measured(
    desk: &mut dyn AnswerSource,
    measure: Measure,
    ids: &[ObjectId],
) -> Result<Vec<(ObjectId, Option<f64>)>, ToolError> {
    let rows = desk.measure(ids)?;
    ids.iter().map(|id| Ok((*id, value_in(&rows, measure, *id)?))).collect()
}

/// The value of an object among the rows of `tool_measure`; `None` for silence. A row that is missing
/// is an error: silence must be measured, never assumed.
fn value_in(rows: &Value, measure: Measure, id: ObjectId) -> Result<Option<f64>, ToolError> {
    let mut rows = rows.as_array().into_iter().flatten();
    let row = rows.find(|row| row["id"] == json!(id));
    let value = row.and_then(|row| row.get(column(measure)));
    let missing =
        || ToolError::run(Code::Invalid, format!("{id} was not measured"), "please report it");
    value.map(Value::as_f64).ok_or_else(missing)
}

/// The column of `tool_measure` that holds a measure.
fn column(measure: Measure) -> &'static str {
    match measure {
        Measure::IntegratedLoudness => "integrated_lufs",
        Measure::LoudnessRange => "range_lu",
        Measure::MaxMomentary => "max_momentary_lufs",
        Measure::MaxShortTerm => "max_short_term_lufs",
        Measure::TruePeak => "true_peak_dbtp",
        Measure::SamplePeak => "sample_peak_dbfs",
        Measure::Rms => "rms_dbfs",
        Measure::ActiveRms => "active_rms_dbfs",
        Measure::NoiseFloor | Measure::Silence => "noise_floor_dbfs",
        // Facts that other tools find.
        _ => "not_measured",
    }
}

fn levels(
    desk: &mut dyn AnswerSource,
    measure: Measure,
    ids: &[ObjectId],
) -> Result<Answer, ToolError> {
    let rows = measured(desk, measure, ids)?;
    let session = desk.session();
    let lines: Vec<_> = rows
        .iter()
        .map(|(id, value)| {
            let value =
                value.map_or_else(|| "silent".into(), |v| format!("{v:.1} {}", measure.unit()));
            format!("{}: {} {value}", session.name_of(*id), measure.title())
        })
        .collect();
    Ok(Answer::new(lines.join("\n"), values(&rows, measure)))
}

fn values(rows: &[(ObjectId, Option<f64>)], measure: Measure) -> Value {
    let row = |(id, value): &(ObjectId, Option<f64>)| json!({"target": id, "measure": measure, "value": value, "unit": measure.unit()});
    rows.iter().map(row).collect()
}

fn extreme(
    desk: &mut dyn AnswerSource,
    measure: Measure,
    rank: Rank,
    ids: &[ObjectId],
) -> Result<Answer, ToolError> {
    let rows = measured(desk, measure, ids)?;
    let mut heard: Vec<_> = rows.iter().filter_map(|(id, v)| v.map(|v| (*id, v))).collect();
    heard.sort_by(|a, b| a.1.total_cmp(&b.1));
    let found = match rank {
        Rank::Highest => heard.last(),
        Rank::Lowest => heard.first(),
    };
    let session = desk.session();
    let text = found.map_or_else(
        || "nothing is loud enough to measure".into(),
        |(id, value)| {
            let name = session.name_of(*id);
            format!("{name}: {} {value:.1} {}", measure.title(), measure.unit())
        },
    );
    Ok(Answer::new(text, values(&rows, measure)))
}

fn clipping(desk: &mut dyn AnswerSource, ids: &[ObjectId]) -> Result<Answer, ToolError> {
    let rows = measured(desk, Measure::TruePeak, ids)?;
    let over: Vec<_> = rows.iter().filter(|(_, value)| value.is_some_and(|v| v > 0.0)).collect();
    let session = desk.session();
    let lines: Vec<_> = over
        .iter()
        .map(|(id, value)| {
            format!("{} peaks at {:+.1} dBTP", session.name_of(*id), value.unwrap_or_default())
        })
        .collect();
    let text = if lines.is_empty() { "nothing is over 0 dBTP".into() } else { lines.join("\n") };
    Ok(Answer::new(text, values(&rows, Measure::TruePeak)))
}

//! Measurements of sources, which are not part of a session. They come from plans, whoever asked for them,
//! and from the answers of this window's own calls.

use crate::model::Model;
use deskhand_session::{ClipId, Measure, ObjectId, Session, SourceId};
use serde_json::Value;

/// The names of the two groups: loudness measures, and peaks and powers.
const LOUDNESS: &str = "loudness";
const LEVELS: &str = "levels";

/// Notes the findings of plans that came since the last time.
pub(super) fn look_at_plans(model: &mut Model) {
    let Some(mirror) = &model.mirror else { return };
    let (session, library) = (&mirror.snapshot.session, &mut model.desk.library);
    for (id, card) in &model.cards {
        if !library.looked_at.insert(*id) {
            continue;
        }
        for finding in &card.stored.plan.findings {
            let Some(what) = name_of(finding.measure) else { continue };
            for source in sources(session, finding.target) {
                library.measured.entry(source).or_default().insert(what);
            }
        }
    }
}

/// The name for a person; `None` for measures that say nothing about a source alone.
fn name_of(measure: Measure) -> Option<&'static str> {
    match measure {
        Measure::IntegratedLoudness
        | Measure::LoudnessRange
        | Measure::MaxMomentary
        | Measure::MaxShortTerm => Some(LOUDNESS),
        Measure::TruePeak | Measure::SamplePeak | Measure::Rms | Measure::ActiveRms => Some(LEVELS),
        Measure::NoiseFloor => Some("noise"),
        Measure::Silence => Some("silence"),
        Measure::HumFrequency | Measure::HumLevel => Some("hum"),
        _ => None,
    }
}

/// Notes the levels in the answer of a call.
pub(crate) fn hear_measured(model: &mut Model, answer: &Value) {
    let Some(mirror) = &model.mirror else { return };
    let session = &mirror.snapshot.session;
    let found: Vec<SourceId> =
        targets(answer).flat_map(|target| sources(session, target)).collect();
    for source in found {
        model.desk.library.measured.entry(source).or_default().extend([LEVELS, LOUDNESS]);
    }
}

/// What the rows of an answer are about that tell a loudness.
fn targets(answer: &Value) -> impl Iterator<Item = ObjectId> + '_ {
    let rows = answer.as_array().into_iter().flatten();
    let measured = rows.filter(|row| row.get("integrated_lufs").is_some());
    measured.filter_map(|row| serde_json::from_value(row["id"].clone()).ok())
}

/// The sources that are heard in something.
fn sources(session: &Session, target: ObjectId) -> Vec<SourceId> {
    if let ObjectId::Source(id) = target {
        return vec![id];
    }
    let is_in = |clip: ClipId| match target {
        ObjectId::Clip(id) => id == clip,
        ObjectId::Track(id) => session.clips.get(&clip).is_some_and(|clip| clip.track == id),
        ObjectId::Session(_) => true,
        _ => false,
    };
    let heard = session.clips.iter().filter(|(id, _)| is_in(**id));
    heard.map(|(_, clip)| clip.source).collect()
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::desk;
    use crate::testing::prelude::*;
    use deskhand_protocol::Apply;
    use deskhand_session::{Author, Said};

    #[test]
    fn what_a_plan_measured_is_told_whoever_asked_for_it() {
        let mut model = with_plan();
        model.desk.library.is_open = true;
        let desk = desk(model);
        assert_eq!(desk.query_all_by_label_contains("analyzed: loudness").count(), 1, "the vocal");
        assert_eq!(desk.query_all_by_label_contains("not analyzed").count(), 1, "the guitar");
    }

    #[test]
    fn what_was_measured_by_hand_or_by_the_model_is_told_at_once() {
        let mut model = open_model();
        model.desk.library.is_open = true;
        let (tool, params) = ("tool_measure".to_owned(), json!({}));
        model.sent(CallId(9), &Op::Call { tool, params, apply: Apply::ByPolicy });
        let answer = json!([{"id": ClipId::new(1), "integrated_lufs": -20.5}]);
        let result = ToolResult {
            answer: Some(answer),
            ..ToolResult::new(Status::Ok, "measured", RevisionId(1))
        };
        let done = News::Done { result: Box::new(result) };
        assert_eq!(model.hear(&event(2, Some(CallId(9)), done)), []);
        let mut desk = desk(model);
        assert_eq!(desk.query_all_by_label_contains("analyzed: levels").count(), 1, "the vocal");
        assert_eq!(desk.query_all_by_label_contains("not analyzed").count(), 1, "the guitar");
        let answer = json!([{"id": TrackId::new(2), "integrated_lufs": null}]);
        let part = json!({
            "type": "tool_result", "id": "a", "is_error": false, "content": {"answer": answer},
        });
        let message = json!({"role": "user", "parts": [part]});
        let said = Said { author: Author::Agent, message, time_ms: 1 };
        drop(desk.state_mut().model.hear(&event(3, None, News::Said { said })));
        desk.run_steps(2);
        assert_eq!(desk.query_all_by_label_contains("analyzed: levels").count(), 2);
    }
}

//! What became of plans after the model was told of them. A plan that waited is decided at any front end,
//! perhaps days later and by another hub: the model reads it beside the result that it got.

use super::desk::{Desk, Gone, Outcome};
use super::result::{decided, played};
use crate::provider::{Message, Part};
use deskhand_protocol::Read;
use deskhand_session::{PlanId, StoredPlan};
use serde_json::{Value, json};

/// Results that are looked at again: the last ones.
const LOOKED_AT: usize = 100;

/// The most plans that are followed from one to the next.
const LONGEST_TRAIL: usize = 16;

/// Adds to the results in `history` what became of their plans since.
pub(super) fn amend(history: &mut [Message], desk: &mut Desk) -> Result<(), Gone> {
    let parts = history.iter_mut().rev().flat_map(|message| message.parts.iter_mut().rev());
    let told = parts.filter_map(|part| match part {
        Part::ToolResult { content, .. } => Some((told_plan(content)?, content)),
        Part::Text { .. } | Part::ToolCall { .. } => None,
    });
    for (plan, content) in told.take(LOOKED_AT) {
        if let Some(stored) = last_of(plan, desk)? {
            add(content, plan, stored);
        }
    }
    Ok(())
}

/// The plan of a result that may not be the last word on it.
fn told_plan(content: &Value) -> Option<PlanId> {
    let may_change = matches!(content["status"].as_str(), Some("waiting" | "applied"));
    let told = content.get("decided_plan").or_else(|| content.pointer("/plan/id"));
    told.filter(|_| may_change).and_then(|id| serde_json::from_value(id.clone()).ok())
}

/// The plan that `plan` has come to.
pub(super) fn last_of(plan: PlanId, desk: &mut Desk) -> Result<Option<StoredPlan>, Gone> {
    let mut found: Option<StoredPlan> = desk.read(Read::Plan { plan })?;
    for _ in 0..LONGEST_TRAIL {
        let Some(next) = found.as_ref().and_then(|stored| stored.follows) else {
            break;
        };
        found = desk.read(Read::Plan { plan: next })?.or(found);
    }
    Ok(found)
}

fn add(content: &mut Value, told: PlanId, stored: StoredPlan) {
    let StoredPlan { plan, state, reason, receipt, .. } = stored;
    let is_news = content["status"] != json!(state) || plan.id != told;
    let heard = receipt.as_ref().filter(|receipt| !receipt.played.is_empty()).map(played);
    let heard = heard.filter(|heard| content.pointer("/receipt/played") != Some(heard));
    let outcome = Outcome { plan: plan.id, state, reason, receipt };
    let Some(fields) = content.as_object_mut() else { return };
    if is_news {
        fields.insert("decided_since".into(), decided(json!({}), &outcome));
    } else if let Some(heard) = heard {
        fields.insert("played_since".into(), heard);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::{Author, PlanState};

    fn stored(id: u64, state: PlanState) -> StoredPlan {
        let plan = json!({
            "format": "deskhand.plan/1", "id": PlanId::new(id), "digest": "blake3:00", "tool": "cmd_set_tempo",
            "params": {}, "session": deskhand_session::SessionId::new(7), "base_revision": 1,
            "summary": "it", "changes": [],
        });
        let plan = serde_json::from_value(plan).unwrap();
        let reason = Some("too\u{202e} loud".to_owned());
        let author = Author::Agent;
        StoredPlan {
            plan,
            state,
            author,
            reason,
            receipt: None,
            follows: None,
            time_ms: 0,
            decided_ms: None,
        }
    }

    fn amended(status: &str, state: PlanState, became: u64) -> Value {
        let told = PlanId::new(1);
        let mut content = json!({"status": status, "plan": {"id": told}});
        assert_eq!(told_plan(&content), Some(told));
        add(&mut content, told, stored(became, state));
        content["decided_since"].clone()
    }

    #[test]
    fn what_was_decided_since_stands_beside_what_was_told() {
        let rejected = amended("waiting", PlanState::Rejected, 1);
        assert_eq!(
            (&rejected["status"], &rejected["reason"]),
            (&json!("rejected"), &json!("too loud"))
        );
        let part = amended("waiting", PlanState::Applied, 2);
        assert_eq!(
            (&part["status"], &part["decided_plan"]),
            (&json!("applied"), &json!(PlanId::new(2)))
        );
        assert_eq!(amended("applied", PlanState::Undone, 1)["status"], "undone");
        assert_eq!(amended("waiting", PlanState::Waiting, 1), Value::Null, "nothing is new");
        assert_eq!(amended("applied", PlanState::Applied, 1), Value::Null);
    }

    #[test]
    fn how_a_host_played_a_plan_since_stands_beside_its_result() {
        let id = PlanId::new(1);
        let mut stored = stored(1, PlanState::Applied);
        let played = json!({"start": 0, "end": 192_000, "measured": {
            "target": deskhand_session::TrackId::new(1), "name": "Drums", "measure": "integrated_loudness",
            "predicted": -20.0, "measured": -14.0, "tolerance": 0.1, "unit": "LUFS", "within": false,
        }});
        let mut receipt = json!({"revision": 2, "plan": id, "state": "applied", "applied": ["c1"],
            "skipped": [], "measured": [], "rolled_back": false, "undo_label": "it"});
        let mut content = json!({"status": "applied", "plan": {"id": id}, "receipt": receipt});
        receipt["played"] = json!([played]);
        stored.receipt = Some(serde_json::from_value(receipt.clone()).unwrap());
        add(&mut content, id, stored.clone());
        insta::assert_snapshot!(content["played_since"], @r#"[{"end":192000,"measured":{"measure":"integrated_loudness","measured":-14.0,"name":"Drums","predicted":-20.0,"target":"track_000000000001","tolerance":0.1,"unit":"LUFS","within":false},"start":0}]"#);
        let mut content = json!({"status": "applied", "plan": {"id": id}, "receipt": receipt});
        add(&mut content, id, stored);
        assert_eq!(content.get("played_since"), None, "it was told with the result");
    }

    #[test]
    fn results_that_are_the_last_word_are_left_alone() {
        for content in [
            json!({"status": "rejected", "plan": {"id": PlanId::new(1)}}),
            json!({"status": "waiting"}),
            json!({"status": "waiting", "plan": {"id": "plan_?"}}),
            json!("waiting"),
        ] {
            assert_eq!(told_plan(&content), None, "{content}");
        }
    }
}

//! Decisions that a person makes before a plan exists: `--yes` applies everything except cuts that nobody
//! has heard.

use crate::desk::Desk;
use crate::exit::Failure;
use clap::Args;
use deskhand_protocol::{Decision, ToolResult};
use deskhand_session::plan::ValueEdit;
use deskhand_session::text::count;
use deskhand_session::{Plan, PlanState, PlannedChange};

/// How to apply the cuts that were left out, if their plan no longer waits.
const AGAIN: &str = "plan again: without --yes you can hear and apply each cut, --yes --unheard applies all of them";

/// What the person decided ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct Ahead {
    /// Apply without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// With --yes: also apply cuts that nobody heard yet, such as fillers
    #[arg(long, requires = "yes")]
    pub(crate) unheard: bool,
}

/// The part of a plan to take.
pub(crate) struct Share {
    pub(crate) decision: Decision,
    /// Ids of the changes that are left out, because they are to be heard first.
    left: Vec<String>,
}

impl Ahead {
    /// Whether changes that need hearing first are left out.
    pub(crate) fn leaves_unheard(self) -> bool {
        self.yes && !self.unheard
    }

    /// The part of `plan` to take for the decision `wanted`. A change named by its id is included.
    ///
    /// # Errors
    /// When all that there is has to be heard first.
    pub(crate) fn share(self, plan: &Plan, wanted: Decision) -> Result<Share, Failure> {
        let set = match wanted {
            Decision::Apply if self.leaves_unheard() => Vec::new(),
            Decision::ApplyPart { only: None, set } if self.leaves_unheard() => set,
            decision => return Ok(Share { decision, left: Vec::new() }),
        };
        let only = without_unheard(plan, &set);
        let left = left_of(plan, &only);
        let decision = match (left.first(), set.is_empty()) {
            (None, true) => Decision::Apply,
            (None, false) => Decision::ApplyPart { only: None, set },
            (Some(first), _) if only.is_empty() => {
                let message = format!("nothing was applied: {}", left_out(plan, left.len()));
                return Err(Failure::decision(message, way_to_take(plan, first)));
            }
            (Some(_), _) => Decision::ApplyPart { only: Some(only), set },
        };
        Ok(Share { decision, left })
    }
}

impl Share {
    /// The note about the parts of `plan` that were left out. `state` is its state since the rest was
    /// taken.
    pub(crate) fn told(&self, plan: &Plan, state: PlanState) -> Option<String> {
        let first = self.left.first()?;
        let way = match state {
            PlanState::Waiting => way_to_take(plan, first),
            _ => AGAIN.to_owned(),
        };
        Some(format!("{}; {way}", left_out(plan, self.left.len())))
    }

    /// The failure of taking the rest. If that part was taken before, it says how to continue with the
    /// rest.
    fn explained(&self, failure: Failure, plan: &Plan) -> Failure {
        match self.told(plan, PlanState::Waiting) {
            Some(fix) if failure.code == "bad_params" => Failure { fix, ..failure },
            Some(_) | None => failure,
        }
    }
}

/// Takes the decided parts of `plan`. Also returns a note about the parts left out, if any.
///
/// # Errors
/// When nothing could be taken.
pub(crate) fn take(
    desk: &mut Desk,
    plan: &Plan,
    ahead: Ahead,
    wanted: Decision,
) -> Result<(ToolResult, Option<String>), Failure> {
    let share = ahead.share(plan, wanted)?;
    let taken = desk.decide(plan.id, share.decision.clone());
    let mut result = taken.map_err(|failure| share.explained(failure, plan))?;
    if share.left.is_empty() {
        return Ok((result, None));
    }
    let told = share.told(plan, desk.plan(plan.id)?.state);
    result.warnings.extend(told.clone());
    Ok((result, told))
}

/// The message if nothing of a plan could be taken and it does not wait.
pub(crate) fn given_up(failure: &Failure) -> String {
    format!("{}; {AGAIN}", failure.message)
}

/// The changes to take without those that need hearing first. A change that is given a value is included.
fn without_unheard(plan: &Plan, set: &[ValueEdit]) -> Vec<String> {
    let named: Vec<String> = set.iter().map(|edit| edit.change.clone()).collect();
    let taken = plan.without_unheard(&named);
    taken.into_iter().chain(named).collect()
}

/// The changes that need hearing and are neither in `only` nor needed by it.
fn left_of(plan: &Plan, only: &[String]) -> Vec<String> {
    let taken = plan.closure(only).unwrap_or_default();
    let is_left = |change: &&PlannedChange| change.to_hear && !taken.contains(&change.id);
    plan.changes.iter().filter(is_left).map(|change| change.id.clone()).collect()
}

fn left_out(plan: &Plan, unheard: usize) -> String {
    let (is, them) = if unheard == 1 { ("was", "it") } else { ("were", "them") };
    let what = count(unheard, noun(plan));
    format!("{what} {is} left out because nobody has heard {them} yet")
}

/// What the changes that need hearing are.
fn noun(plan: &Plan) -> &'static str {
    let are_cuts = plan.changes.iter().any(|change| change.to_hear && change.cut.is_some());
    if are_cuts { "cut" } else { "change" }
}

/// How to take the left-out part of a waiting plan; `first` is one of its changes.
fn way_to_take(plan: &Plan, first: &str) -> String {
    let id = plan.id;
    format!(
        "hear each {} and apply it with `deskhand apply DIR {id} --only {first}`, or apply all with \
         `deskhand apply DIR {id} --yes --unheard`",
        noun(plan)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;
    use serde_json::{Value, json};

    const YES: Ahead = Ahead { yes: true, unheard: false };

    fn plan(changes: &[Value]) -> Plan {
        serde_json::from_value(json!({
            "format": deskhand_session::plan::FORMAT, "id": "plan_0123456789ab", "digest": "", "tool": "tool_tighten",
            "params": {}, "session": "session_000000000001", "base_revision": 1, "summary": "", "changes": changes,
        }))
        .unwrap()
    }

    fn cut(id: &str, needs: &[&str], to_hear: bool) -> Value {
        let side = |length: i64| json!({"tracks": [], "at": 0, "length": length, "clips": {}});
        json!({"id": id, "op": "ripple_delete", "target": "group_000000000001", "before": side(9),
            "after": side(0), "needs": needs, "to_hear": to_hear,
            "cut": {"kind": "pause", "what": "a pause", "at": 0, "length": 9}})
    }

    fn four_cuts() -> Plan {
        plan(&[
            cut("c1", &[], false),
            cut("c2", &[], true),
            cut("c3", &["c2"], false),
            cut("c4", &["c1"], false),
        ])
    }

    fn part(only: &[&str]) -> Decision {
        let only = only.iter().map(|id| (*id).to_owned()).collect();
        Decision::ApplyPart { only: Some(only), set: Vec::new() }
    }

    #[test]
    fn what_is_to_be_heard_and_what_needs_it_is_not_taken_ahead() {
        let plan = four_cuts();
        let share = YES.share(&plan, Decision::Apply).unwrap();
        assert_eq!(share.decision, part(&["c4", "c1"]));
        let told = share.told(&plan, PlanState::Waiting).unwrap();
        assert!(told.starts_with("1 cut was left out because nobody has heard it yet; "), "{told}");
        assert!(told.contains("`deskhand apply DIR plan_0123456789ab --only c2`"), "{told}");
        assert!(told.contains("plan_0123456789ab --yes --unheard`"), "{told}");
        assert!(share.told(&plan, PlanState::Conflict).unwrap().contains("plan again"));
    }

    #[test]
    fn all_of_it_is_taken_where_the_person_says_so_or_was_asked() {
        let plan = four_cuts();
        for ahead in [Ahead { unheard: true, ..YES }, Ahead::default()] {
            let share = ahead.share(&plan, Decision::Apply).unwrap();
            assert_eq!((&share.decision, share.left.len()), (&Decision::Apply, 0));
        }
        let named = YES.share(&plan, part(&["c2"])).unwrap();
        assert_eq!((named.decision, named.left.len()), (part(&["c2"]), 0), "it was named");
        let harmless = self::plan(&[cut("c1", &[], false)]);
        assert_eq!(YES.share(&harmless, Decision::Apply).unwrap().decision, Decision::Apply);
    }

    #[test]
    fn a_plan_of_nothing_but_what_is_to_be_heard_needs_a_decision() {
        let plan = plan(&[cut("c1", &[], true), cut("c2", &[], true)]);
        let failure = YES.share(&plan, Decision::Apply).err().unwrap();
        assert_eq!(failure.exit, Exit::Decision);
        assert_eq!(
            failure.message,
            "nothing was applied: 2 cuts were left out because nobody has heard them yet"
        );
        assert!(failure.fix.contains("--only c1`"), "{}", failure.fix);
        assert!(given_up(&failure).contains("--yes --unheard"));
    }
}

//! What others did to the session since the model last looked.

use deskhand_protocol::{Event, News};
use deskhand_session::{Author, Change, Revision, RevisionId};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Steps that are told by name; more are only counted.
const NAMED: usize = 20;

/// Steps of others, not told yet.
#[derive(Debug, Default)]
pub(super) struct Edits {
    steps: Vec<(RevisionId, Value)>,
    more: usize,
}

/// The history as the hub tells it.
#[derive(Debug, Deserialize)]
pub(super) struct Steps {
    head: RevisionId,
    revisions: Vec<Revision>,
}

impl Edits {
    /// Notes a step that is not the model's own.
    pub(super) fn hear(&mut self, event: &Event) {
        if let News::Moved { to, label, changes, .. } = &event.news {
            self.note(*to, event.author, label, changes);
        }
    }

    /// Notes the steps that lead to the present and were made after `looked` (ms since 1970), while no hub told
    /// of them.
    pub(super) fn missed(&mut self, steps: &Steps, looked: i64) {
        let heard = std::mem::take(self);
        let is_heard = |id: RevisionId| heard.steps.iter().any(|(heard, _)| *heard == id);
        for step in steps.taken().filter(|step| step.time_ms > looked && !is_heard(step.id)) {
            self.note(step.id, step.author, &step.label, &step.changes);
        }
        self.more += heard.more;
        heard.steps.into_iter().for_each(|step| self.push(step));
    }

    fn note(&mut self, to: RevisionId, author: Author, label: &str, changes: &[Change]) {
        if author == Author::Agent {
            return;
        }
        let ops: Vec<_> = changes.iter().take(NAMED).map(Change::op).collect();
        self.push((to, json!({"revision": to, "author": author, "what": label, "ops": ops})));
    }

    fn push(&mut self, step: (RevisionId, Value)) {
        match self.steps.len() {
            NAMED.. => self.more += 1,
            _ => self.steps.push(step),
        }
    }

    /// What there is to tell, and forgets it.
    pub(super) fn report(&mut self) -> Option<Value> {
        let Self { steps, more } = std::mem::take(self);
        if steps.is_empty() {
            return None;
        }
        let steps: Vec<Value> = steps.into_iter().map(|(_, step)| step).collect();
        let mut report = json!({"edits_since_you_last_looked": steps});
        if more > 0 {
            report["more"] = json!(more);
        }
        Some(report)
    }
}

impl Steps {
    /// Those that lead to the head, in order.
    fn taken(&self) -> impl Iterator<Item = &Revision> {
        let by_id: BTreeMap<_, _> = self.revisions.iter().map(|step| (step.id, step)).collect();
        let of = |id: RevisionId| by_id.get(&id).copied();
        let back = |step: &&Revision| of(step.parent).filter(|parent| parent.id < step.id);
        let mut taken: Vec<_> = std::iter::successors(of(self.head), back).collect();
        taken.reverse();
        taken.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(id: u64, parent: u64, author: Author, time_ms: i64) -> Revision {
        let label = format!("step {id}");
        let (id, parent) = (RevisionId(id), RevisionId(parent));
        let (changes, takes, is_loaded) = (Vec::new(), None, false);
        Revision { id, parent, author, label, plan: None, changes, takes, is_loaded, time_ms }
    }

    fn told(edits: &mut Edits) -> Vec<String> {
        let report = edits.report().unwrap_or_default();
        let steps = report["edits_since_you_last_looked"].as_array().cloned().unwrap_or_default();
        steps.iter().map(|step| step["what"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn what_was_done_while_no_hub_ran_is_told_once_and_in_order() {
        let steps = Steps {
            head: RevisionId(5),
            revisions: vec![
                step(1, 0, Author::User, 10),
                step(2, 1, Author::User, 30),
                step(3, 2, Author::Agent, 40),
                step(4, 2, Author::User, 50),
                step(5, 3, Author::User, 60),
            ],
        };
        let mut edits = Edits::default();
        edits.note(RevisionId(5), Author::User, "step 5", &[]);
        edits.missed(&steps, 20);
        assert_eq!(told(&mut edits), ["step 2", "step 5"], "not the model's, nor what was undone");
        assert_eq!(edits.report(), None);
    }

    #[test]
    fn many_steps_are_counted() {
        let revisions = (1..=30).map(|id| step(id, id - 1, Author::User, 9)).collect();
        let mut edits = Edits::default();
        edits.missed(&Steps { head: RevisionId(30), revisions }, 0);
        let report = edits.report().unwrap();
        assert_eq!(report["more"], 10);
        assert_eq!(report["edits_since_you_last_looked"].as_array().unwrap().len(), NAMED);
    }
}

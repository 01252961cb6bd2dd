//! A wish of several requests. What rests on nothing undecided is planned at once, each plan by itself; what rests on
//! another request is planned as soon as that is decided.

use super::desk::Gone;
use super::later::last_of;
use super::offline::{Made, OpenPlan, Turn, finished, tell, tell_offering};
use super::progress::{Ended, Progress};
use super::refusals::tries;
use super::still_to_come::{StillToCome, Wish};
use crate::in_order::{read_again, rests_on, rests_on_request};
use crate::reading::{Request, RequestKind};
use deskhand_protocol::desk::TurnReason;
use deskhand_session::{PlanId, PlanState, Selection, Session};
use serde_json::json;
use std::collections::BTreeSet;

impl Turn<'_> {
    /// Carries out a wish. What is left when the person says stop, or when nobody is there to decide, is still to come.
    pub(super) fn carry_out_all(
        &mut self,
        mut wish: Wish,
        still: &mut StillToCome,
        progress: &mut Progress,
    ) -> Result<Ended, Gone> {
        let (mut open, mut told) = (Vec::new(), BTreeSet::new());
        loop {
            self.plan_all(&mut wish, &mut open, &mut told, progress)?;
            let waiting = awaited(&wish, &open);
            if waiting.is_empty() && !self.desk.is_stopped() {
                return Ok(finished());
            }
            let decided = match self.attended && !self.desk.is_stopped() {
                true => self.desk.first_decision(&waiting)?,
                false => None,
            };
            let Some((plan, outcome)) = decided else {
                return Ok(self.leave_all(wish, open, still));
            };
            wish.waiting.retain(|(waiting, _)| *waiting != plan);
            if let Some(at) = open.iter().position(|it: &OpenPlan| it.plan == plan) {
                self.close(open.remove(at), &outcome, progress)?;
            }
        }
    }

    /// Plans all that rests on nothing undecided; of the rest it says once what it waits for.
    fn plan_all(
        &mut self,
        wish: &mut Wish,
        open: &mut Vec<OpenPlan>,
        told: &mut BTreeSet<usize>,
        progress: &mut Progress,
    ) -> Result<(), Gone> {
        let mut at = 0;
        while let Some((index, request)) = wish.requests.get(at).cloned() {
            if self.desk.is_stopped() {
                return Ok(());
            }
            if let Some(first) = self.rests_on_any(wish, at, open)? {
                if told.insert(index) {
                    tell(self.desk, progress, &waits(&request, &first, self.attended));
                }
                at += 1;
                continue;
            }
            wish.requests.remove(at);
            let request = self.read_as_said(wish, index, &request)?;
            match self.carry_out(request, progress)? {
                Made::Plan(plan) => open.push(plan),
                Made::Over(text, offers) => {
                    tell_offering(self.desk, progress, &(text + &tries(&offers)), &offers);
                }
            }
        }
        Ok(())
    }

    /// A request as it reads now, with what was selected when it was said.
    fn read_as_said(
        &mut self,
        wish: &Wish,
        index: usize,
        request: &Request,
    ) -> Result<Request, Gone> {
        let now = self.desk.session()?;
        if is_gone(&wish.selection, now) {
            return Ok(request.clone());
        }
        if now.selection == wish.selection {
            return Ok(read_again(&wish.words, index, request, now, &self.vocabulary));
        }
        let then = Session { selection: wish.selection.clone(), ..now.clone() };
        let mut request = read_again(&wish.words, index, request, &then, &self.vocabulary);
        if let RequestKind::Call { params, .. } = &mut request.kind
            && params.get("targets") == Some(&json!("selection"))
        {
            params["targets"] = request.targets.iter().map(|target| json!(target.id)).collect();
        }
        Ok(request)
    }

    /// The words of what request number `at` of those that are left rests on, if it does.
    fn rests_on_any(
        &mut self,
        wish: &Wish,
        at: usize,
        open: &[OpenPlan],
    ) -> Result<Option<String>, Gone> {
        let Some((_, request)) = wish.requests.get(at) else { return Ok(None) };
        let of_turn = open.iter().map(|it| (it.plan, it.request.text.clone()));
        let waiting = wish.waiting.iter().cloned().chain(of_turn);
        for (plan, text) in waiting.collect::<Vec<_>>() {
            if self.rests_on_plan(request, plan)? {
                return Ok(Some(text));
            }
        }
        let session = self.desk.session()?;
        let cuts = |earlier: &Request| {
            let call = self.vocabulary.call_of(&earlier.kind);
            call.is_some_and(|(tool, _)| self.cutting.contains(&tool))
        };
        let mut earlier = wish.requests.iter().take(at).map(|(_, earlier)| earlier);
        let first = earlier.find(|it| rests_on_request(request, it, cuts(it), session));
        Ok(first.map(|first| first.text.clone()))
    }

    /// Whether a request rests on a plan, while that waits. A question, an undo and a redo come after all that was said
    /// ahead of them.
    fn rests_on_plan(&mut self, request: &Request, plan: PlanId) -> Result<bool, Gone> {
        let is_undecided = |state| matches!(state, PlanState::Waiting | PlanState::Applying);
        let stored = last_of(plan, self.desk)?.filter(|stored| is_undecided(stored.state));
        let Some(stored) = stored else { return Ok(false) };
        let is_call = matches!(request.kind, RequestKind::Call { .. });
        Ok(!is_call || rests_on(request, &stored.plan, self.desk.session()?))
    }

    /// The turn ends ahead of the decisions.
    fn leave_all(&self, mut wish: Wish, open: Vec<OpenPlan>, still: &mut StillToCome) -> Ended {
        open.iter().for_each(|it| self.leave(it));
        wish.waiting.extend(open.into_iter().map(|it| (it.plan, it.request.text)));
        still.keep(wish);
        match self.desk.is_stopped() {
            true => (TurnReason::Stopped, "stopped".into()),
            false => finished(),
        }
    }
}

/// Whether there were objects selected of which none is left: what was said of them must not be read of others.
fn is_gone(selection: &Selection, session: &Session) -> bool {
    let Selection { tracks, clips, .. } = selection;
    let is_left = tracks.iter().any(|id| session.tracks.contains_key(id))
        || clips.iter().any(|id| session.clips.contains_key(id));
    !(is_left || tracks.is_empty() && clips.is_empty())
}

/// The plans whose decisions the turn waits for: its own, and those that what is left rests on.
fn awaited(wish: &Wish, open: &[OpenPlan]) -> Vec<PlanId> {
    let earlier = wish.waiting.iter().filter(|_| !wish.requests.is_empty());
    earlier.map(|(plan, _)| *plan).chain(open.iter().map(|it| it.plan)).collect()
}

/// What is told of a request that rests on another.
fn waits(request: &Request, first: &str, attended: bool) -> String {
    let then = if attended { "it plans when" } else { "say \"go on\" when" };
    format!("\"{}\" waits: {then} \"{first}\" is decided.", request.text)
}

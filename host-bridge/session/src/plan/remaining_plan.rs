//! The rest of a plan after a part of it was applied.

use super::Plan;
use crate::apply::{ApplyError, Users, inverses};
use crate::change::Change;
use crate::session::Session;

impl Plan {
    /// The plan for a session in which the `taken` changes are applied already, in this order. What the
    /// plan read, and only these changes moved, counts as read after them. Other changes stay visible, so
    /// that [`Plan::applied_to`] reports them. Not sealed.
    #[must_use]
    pub fn beside(mut self, taken: &[Change], session: &Session) -> Self {
        if taken.is_empty() || self.stale_reads(session).is_empty() {
            return self;
        }
        let ahead = ahead_of(taken, session);
        for read in &mut self.reads {
            if read.again(&ahead) == *read {
                *read = read.again(session);
            }
        }
        self
    }
}

/// The session without the taken changes, as far as they can be reverted.
fn ahead_of(taken: &[Change], session: &Session) -> Session {
    let (mut ahead, mut users) = (session.clone(), Users::default());
    for back in inverses(taken) {
        match ahead.apply(&back, &mut users) {
            // Changes of others stay, and their reads differ from before.
            Ok(()) | Err(ApplyError::Conflict(_)) => {}
            Err(ApplyError::Invalid(_)) => return session.clone(),
        }
    }
    ahead
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Edit;
    use crate::ids::{PlanId, SessionId, TrackId};
    use crate::{PlannedChange, Read, RevisionId, Track};
    use deskhand_dsp::{Decibels, SampleRate};
    use serde_json::Value;

    const TRACKS: [TrackId; 3] = [TrackId::new(1), TrackId::new(2), TrackId::new(3)];

    fn session() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        for id in TRACKS {
            session.track_order.push(id);
            session.tracks.insert(id, Track::audio("Voice"));
        }
        session
    }

    fn gain(track: usize, from: f64, to: f64) -> Change {
        Change::SetTrackGain(Edit::new(TRACKS[track], Decibels(from), Decibels(to)))
    }

    /// A plan for the first two tracks that read the mix.
    fn plan(session: &Session) -> Plan {
        let planned = |number: usize| {
            let change = gain(number - 1, 0.0, -3.0);
            PlannedChange::new(number, change, "Voice".into(), String::new())
        };
        Plan {
            format: super::super::FORMAT.into(),
            id: PlanId::new(1),
            digest: String::new(),
            tool: "tool_gain_stage".into(),
            params: Value::Null,
            session: session.id,
            base_revision: RevisionId(0),
            summary: String::new(),
            changes: vec![planned(1), planned(2)],
            parts: Vec::new(),
            reads: vec![Read::audio(session, session.id)],
            findings: Vec::new(),
            predicted: Vec::new(),
            artifacts: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            offers: Vec::new(),
            derived_from: None,
        }
    }

    #[test]
    fn what_only_the_taken_part_moved_on_counts_as_read_behind_it() {
        let before = session();
        let rest = plan(&before).derived(&["c2".into()], &[]).unwrap();
        let taken = [gain(0, 0.0, -9.0)];
        let now = before.with(&taken).unwrap();
        assert!(rest.applied_to(&now).is_err(), "the mix is another");
        let beside = rest.clone().beside(&taken, &now);
        assert_eq!(beside.applied_to(&now).unwrap().tracks[&TRACKS[1]].gain, Decibels(-3.0));
        assert_eq!(rest.clone().beside(&[], &now), rest);
        assert_eq!(rest.clone().beside(&taken, &before), rest, "what was undone moved nothing on");
    }

    #[test]
    fn what_somebody_else_moved_on_is_told_without_digests() {
        let before = session();
        let rest = plan(&before).derived(&["c2".into()], &[]).unwrap();
        let taken = [gain(0, 0.0, -9.0)];
        for other in [gain(2, 0.0, 1.0), gain(0, -9.0, -1.0)] {
            let now = before.with(taken.iter().chain([&other])).unwrap();
            let told = rest.clone().beside(&taken, &now).applied_to(&now).unwrap_err().to_string();
            assert!(told.contains("audio of the mix"), "{told}");
            assert!(told.ends_with("it does not sound as it was measured"), "{told}");
        }
    }
}

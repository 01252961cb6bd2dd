//! Words for the person that are no part of the conversation.

use crate::asked_groups::AskedGroups;
use crate::effect::Effect;
use crate::group_offer::{GROUP, LEAVE, apart, bring_into_sync, free_sets, grouped, question};
use crate::ids::{Asker, HOUSE};
use deskhand_protocol::News;
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, RevisionId, Session, TrackId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most notices that stay at once. A client that sends more is refused.
const MOST: usize = 64;

/// Notices that stay until they are answered or closed, and the askers that wait.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    made: u64,
    open: BTreeMap<String, Option<Asker>>,
    /// The notices that ask whether tracks should become a group.
    group_offers: BTreeMap<String, Vec<TrackId>>,
    /// The tracks that were asked about.
    asked_groups: AskedGroups,
    /// The pairs of tracks that the person knows to be out of sync.
    told_apart: BTreeSet<[TrackId; 2]>,
}

impl Notices {
    /// No notices yet. Who answered in an earlier run is known from the session folder.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { asked_groups: AskedGroups::read(folder), ..Self::default() }
    }

    /// The notice with an id of its own.
    ///
    /// # Errors
    /// When too many stay already.
    pub(crate) fn named(&self, mut notice: Notice) -> Result<Notice, ToolError> {
        if self.open.len() >= MOST && stays(&notice) {
            let message = format!("{MOST} notices wait for the person already");
            return Err(ToolError::prepare(Code::Refused, message, "wait until some are answered"));
        }
        notice.notice_id = format!("notice_{}", self.made + 1);
        Ok(notice)
    }

    /// Shows a notice of [`Self::named`]; `asker` waits for its answer if it is a query.
    pub(crate) fn open(&mut self, notice: &Notice, asker: Option<Asker>) {
        self.made += 1;
        if stays(notice) {
            self.open.insert(notice.notice_id.clone(), asker);
        }
    }

    /// Gives a notice an id of its own, and shows it to somebody who need not answer.
    ///
    /// # Errors
    /// When too many stay already.
    pub(crate) fn show(&mut self, notice: Notice) -> Result<Notice, ToolError> {
        let notice = self.named(notice)?;
        self.open(&notice, None);
        Ok(notice)
    }

    /// Asks about tracks that were recorded together and of which some got new recordings of the person. Each set is asked
    /// about once.
    pub(crate) fn offer_groups(
        &mut self,
        session: &Session,
        came: &BTreeSet<TrackId>,
    ) -> Vec<Effect> {
        let told = |notice| Effect::Tell(HOUSE, None, News::Notice { notice });
        let mut effects = Vec::new();
        for pair in apart(session, came) {
            if self.told_apart.insert([pair.reference, pair.track]) {
                let message = bring_into_sync(session, &pair);
                let notice = Notice::new(String::new(), NoticeKind::Info, message, 0);
                // One of many that nobody put away is no loss.
                effects.extend(self.show(notice).map(told));
            }
        }
        for set in free_sets(session, came) {
            if !self.asked_groups.ask(&set.tracks) {
                continue;
            }
            effects.extend(self.close_smaller(&set.tracks));
            let question = question(session, &set);
            let mut notice = Notice::new(String::new(), NoticeKind::Query, question, 0);
            notice.choices = vec![GROUP.into(), LEAVE.into()];
            if let Ok(notice) = self.show(notice) {
                self.group_offers.insert(notice.notice_id.clone(), set.tracks);
                effects.push(told(notice));
            }
        }
        effects
    }

    /// Closes questions about some of `tracks` only: one about all of them comes instead.
    fn close_smaller(&mut self, tracks: &[TrackId]) -> Vec<Effect> {
        let are_among = |own: &[TrackId]| own.iter().all(|track| tracks.contains(track));
        let smaller = self.group_offers.extract_if(.., |_, own| are_among(own));
        let closed = smaller.map(|(notice_id, _)| {
            self.open.remove(&notice_id);
            Effect::Tell(HOUSE, None, News::NoticeAnswered { notice_id, answer: None })
        });
        closed.collect()
    }

    /// Takes the person's answer. A group that is made becomes revision `next`. Answers are kept in `folder`, unless the
    /// session is read-only.
    pub(crate) fn answer(
        &mut self,
        asker: Asker,
        notice_id: &str,
        answer: Option<String>,
        (session, next): (&Session, RevisionId),
        folder: Option<&Path>,
    ) -> Vec<Effect> {
        let Some(waiting) = self.open.remove(notice_id) else {
            let message = format!("there is no open notice \"{notice_id}\"");
            let fix = "answer one that is shown";
            return vec![Effect::Fail(asker, ToolError::prepare(Code::NoTarget, message, fix))];
        };
        let news = News::NoticeAnswered { notice_id: notice_id.into(), answer: answer.clone() };
        let mut effects = vec![Effect::Tell(asker.author, Some(asker), news)];
        if let Some(tracks) = self.group_offers.remove(notice_id) {
            let is_group = answer.as_deref() == Some(GROUP);
            let group = is_group.then(|| grouped(session, notice_id, next, tracks.clone()));
            effects.extend(self.asked_groups.answer(tracks, folder).map(Effect::run_short));
            // A track that is gone or grouped meanwhile needs no more group.
            let step = |(label, change)| Effect::Step(asker, Author::User, label, vec![change]);
            effects.extend(group.map(step));
        }
        effects.extend(waiting.map(|waiting| answered(waiting, notice_id, answer)));
        effects.push(Effect::done(asker, "told"));
        effects
    }

    /// Closes the queries of the askers that `of` accepts. Each asker gets `answer`.
    pub(crate) fn withdraw(
        &mut self,
        of: impl Fn(&Asker) -> bool,
        answer: impl Fn(Asker) -> Effect,
    ) -> Vec<Effect> {
        let asked = self.open.extract_if(.., |_, asker| asker.as_ref().is_some_and(&of));
        let effects = asked.flat_map(|(notice_id, asker)| {
            let closed = News::NoticeAnswered { notice_id, answer: None };
            asker.map(|asker| [Effect::Tell(asker.author, Some(asker), closed), answer(asker)])
        });
        effects.flatten().collect()
    }
}

/// Whether it is shown until it is answered or closed.
fn stays(notice: &Notice) -> bool {
    notice.duration_ms == 0
}

/// The answer to a query, for the asker that waited.
fn answered(asker: Asker, notice_id: &str, answer: Option<String>) -> Effect {
    let summary = match &answer {
        Some(_) => "the person answered; the words are in `answer`",
        None => "the person put the question away without an answer",
    };
    let value = json!({"notice_id": notice_id, "is_person_here": true, "answer": answer});
    Effect::Answer(asker, summary.to_owned(), Some(value))
}

/// The answer of words that nobody can see.
pub(crate) fn nobody_is_here() -> (String, Value) {
    let summary = "nobody is there to see it: no front end with a person is attached".to_owned();
    (summary, json!({"notice_id": null, "is_person_here": false, "answer": null}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_that_is_withdrawn_is_closed_and_answered() {
        let mut notices = Notices::default();
        let query = Notice::new(String::new(), NoticeKind::Query, "How loud?".into(), 0);
        let shown = notices.named(query.clone()).unwrap();
        notices.open(&shown, Some(Asker::nobody(HOUSE)));
        notices.show(query).unwrap();
        let effects = notices.withdraw(|_| true, |asker| Effect::done(asker, "gone"));
        assert!(matches!(&effects[..], [Effect::Tell(..), Effect::Answer(..)]));
        assert_eq!(notices.open.into_keys().collect::<Vec<_>>(), ["notice_2"]);
        assert_eq!(shown.notice_id, "notice_1");
    }
}

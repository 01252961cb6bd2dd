//! Words for the person that are no part of the conversation.

use crate::asked_groups::AskedGroups;
use crate::bridge::Bridge;
use crate::ids::{Asker, HOUSE};
use deskhand_protocol::clean::clean;
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{News, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, TrackId};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// The most notices that stay at once. A client that sends more is refused.
const MOST: usize = 64;

/// The longest message of an instance, in letters.
const LONGEST: usize = 500;

/// Notices that stay until they are answered or closed, and the askers that wait.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    made: u64,
    open: BTreeMap<String, Option<Asker>>,
    /// The notices that ask whether tracks should become a group.
    pub(crate) group_offers: BTreeMap<String, Vec<TrackId>>,
    /// The tracks that were asked about.
    pub(crate) asked_groups: AskedGroups,
    /// The pairs of tracks that the person knows to be out of sync.
    pub(crate) told_apart: BTreeSet<[TrackId; 2]>,
}

impl Bridge {
    /// Shows words that nobody answers.
    ///
    /// # Errors
    /// When too many stay already.
    pub(crate) fn notify(
        &mut self,
        author: Author,
        message: String,
        kind: NoticeKind,
        duration_ms: u64,
    ) -> Result<String, ToolError> {
        let notice = Notice::new(String::new(), kind, message, duration_ms);
        self.show_notice(author, notice, None)
    }

    /// Shows a notice by an id of its own; `asker` waits for its answer if it is a query.
    ///
    /// # Errors
    /// When too many stay already.
    pub(crate) fn show_notice(
        &mut self,
        author: Author,
        mut notice: Notice,
        asker: Option<Asker>,
    ) -> Result<String, ToolError> {
        let stays = notice.duration_ms == 0;
        if self.notices.open.len() >= MOST && stays {
            let message = format!("{MOST} notices wait for the person already");
            return Err(ToolError::prepare(Code::Refused, message, "wait until some are answered"));
        }
        self.notices.made += 1;
        let notice_id = format!("notice_{}", self.notices.made);
        if stays {
            self.notices.open.insert(notice_id.clone(), asker);
        }
        notice.notice_id.clone_from(&notice_id);
        self.tell(author, asker, News::Notice { notice });
        Ok(notice_id)
    }

    /// Shows that something went wrong that belongs to no call.
    pub(crate) fn notify_error(&mut self, message: String) {
        // One of many that nobody put away is no loss.
        drop(self.notify(HOUSE, message, NoticeKind::Error, 0));
    }

    /// Shows what went wrong in an instance of the plugin, by the name of its track.
    pub(crate) fn instance_trouble(&mut self, asker: Asker, message: &str) {
        let result = match self.own_track(asker) {
            Ok((_, track)) => {
                self.notify_error(format!("\"{}\": {}", track.name, clean(message, LONGEST)));
                self.ok("told")
            }
            Err(error) => return self.fail(asker, error),
        };
        self.answer(asker, result);
    }

    /// Takes the person's answer to a query.
    pub(crate) fn answer_notice(&mut self, asker: Asker, notice_id: &str, answer: Option<String>) {
        let Some(waiting) = self.notices.open.remove(notice_id) else {
            let message = format!("there is no open notice \"{notice_id}\"");
            let fix = "answer one that is shown";
            return self.fail(asker, ToolError::prepare(Code::NoTarget, message, fix));
        };
        let news = News::NoticeAnswered { notice_id: notice_id.into(), answer: answer.clone() };
        self.tell(asker.author, Some(asker), news);
        self.group_as_answered(asker, notice_id, answer.as_deref());
        if let Some(waiting) = waiting {
            self.answer_query(waiting, notice_id, answer);
        }
        let result = self.ok("told");
        self.answer(asker, result);
    }

    fn answer_query(&mut self, asker: Asker, notice_id: &str, answer: Option<String>) {
        let mut result = self.ok(match &answer {
            Some(_) => "the person answered; the words are in `answer`",
            None => "the person put the question away without an answer",
        });
        result.answer =
            Some(json!({"notice_id": notice_id, "is_person_here": true, "answer": answer}));
        self.answer(asker, result);
    }

    /// The result of words that nobody can see.
    pub(crate) fn nobody_is_here(&self) -> ToolResult {
        let mut result =
            self.ok("nobody is there to see it: no front end with a person is attached");
        result.answer = Some(json!({"notice_id": null, "is_person_here": false, "answer": null}));
        result
    }

    /// Takes back the queries that `of` asked, each answered with `result`; how many there were.
    pub(crate) fn withdraw_queries(
        &mut self,
        of: impl Fn(&Asker) -> bool,
        result: impl Fn(&Self) -> ToolResult,
    ) -> usize {
        let asked = self.notices.open.iter();
        let asked =
            asked.filter_map(|(id, asker)| asker.filter(|a| of(a)).map(|a| (id.clone(), a)));
        let asked: Vec<_> = asked.collect();
        for (notice_id, asker) in &asked {
            self.notices.open.remove(notice_id);
            let news = News::NoticeAnswered { notice_id: notice_id.clone(), answer: None };
            self.tell(asker.author, Some(*asker), news);
            let result = result(self);
            self.answer(*asker, result);
        }
        asked.len()
    }
}

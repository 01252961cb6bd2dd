//! Words for the person that are no part of the conversation.

use crate::bridge::Bridge;
use crate::connection::Asker;
use crate::jobs::HOUSE;
use deskhand_protocol::News;
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_session::tool_error::{Code, ToolError};
use std::collections::BTreeMap;

/// Notices that stay until they are answered or put away, and who waits for the answer.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    made: u64,
    open: BTreeMap<String, Option<Asker>>,
}

impl Bridge {
    /// Shows a notice; `asker` waits for its answer if it is a query.
    pub(crate) fn notify(
        &mut self,
        author: deskhand_session::Author,
        message: String,
        kind: NoticeKind,
        duration_ms: u64,
        asker: Option<Asker>,
    ) -> String {
        self.notices.made += 1;
        let notice_id = format!("notice_{}", self.notices.made);
        if asker.is_some() || duration_ms == 0 {
            self.notices.open.insert(notice_id.clone(), asker);
        }
        let notice = Notice { notice_id: notice_id.clone(), message, kind, duration_ms };
        self.tell(author, None, News::Notice { notice });
        notice_id
    }

    /// Shows that something went wrong that belongs to no call.
    pub(crate) fn notify_error(&mut self, message: String) {
        self.notify(HOUSE, message, NoticeKind::Error, 0, None);
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
        if let Some(waiting) = waiting {
            self.answer_query(waiting, answer);
        }
        let result = self.ok("told");
        self.answer(asker, result);
    }

    fn answer_query(&mut self, asker: Asker, answer: Option<String>) {
        let summary = match &answer {
            Some(words) => format!("the person answered: {words}"),
            None => "the person put the question away without an answer".into(),
        };
        let mut result = self.ok(summary);
        result.answer = Some(serde_json::json!({"answer": answer}));
        self.answer(asker, result);
    }
}

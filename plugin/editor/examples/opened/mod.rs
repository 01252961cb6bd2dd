//! A model that shows a session, as the measurements of the views need it.

use deskhand_editor::Model;
use deskhand_protocol::{CallId, Event, News, Op, Read, Snapshot, Status, ToolResult};
use deskhand_session::{Author, RevisionId, Session};

/// As the hub answers a window that opens `session`.
pub(crate) fn opened(session: Session) -> Model {
    let mut model = Model::new();
    let snapshot = Snapshot {
        folder: "/music/large.deskhand".into(),
        is_attended: true,
        ..Snapshot::of(session, RevisionId(1))
    };
    let answer = Some(serde_json::to_value(&snapshot).expect("a snapshot is JSON"));
    let result = ToolResult { answer, ..ToolResult::new(Status::Ok, "read", RevisionId(1)) };
    model.sent(CallId(1), &Op::Read { what: Read::Snapshot });
    let news = News::Done { result: Box::new(result) };
    let event = Event { number: 1, author: Author::User, call: Some(CallId(1)), news };
    drop(model.hear(&event));
    model
}

//! The person's words to the model.

use crate::desk::{Desk, code};
use deskhand_protocol::{Op, Status};
use deskhand_session::tool_error::Code;

#[test]
fn words_that_are_too_long_begin_no_turn() {
    let mut desk = Desk::new();
    let _model = desk.bridge.connect_conversation();
    let say = |text: String| Op::Say { text, provider: None, attended: true };
    assert_eq!(code(&desk.ask(say("a".repeat(5 << 20)))), Code::BadParams);
    let said = desk.ask(say("hello".into()));
    assert_eq!(said.status, Status::Ok, "nobody is still answering: {}", said.summary);
}

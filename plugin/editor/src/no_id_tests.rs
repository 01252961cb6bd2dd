//! No id is shown to a person, even when a text from elsewhere names objects by id.

use crate::testing::prelude::*;
use deskhand_protocol::desk::{Notice, NoticeKind, TurnEnd, TurnReason};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{
    Author, CodeId, GroupId, InsertId, MarkerId, ObjectId, PhraseId, PlanId, PlanState, Said,
    SegmentId,
};

/// One id of each kind; some are in the session and some are not.
fn all() -> Vec<String> {
    let ids: [ObjectId; 12] = [
        SessionId::new(1).into(),
        TrackId::new(1).into(),
        TrackId::new(0xabc).into(),
        ClipId::new(1).into(),
        ClipId::new(0xabc).into(),
        SourceId::new(1).into(),
        MarkerId::new(7).into(),
        GroupId::new(7).into(),
        InsertId::new(7).into(),
        SegmentId::new(7).into(),
        CodeId::new(7).into(),
        PhraseId::new(7).into(),
    ];
    let plans = [gain_plan().id, PlanId::new(0xabc)].map(|id| id.to_string());
    ids.iter().map(ToString::to_string).chain(plans).collect()
}

/// A sentence that names all of them.
fn told(what: &str) -> String {
    let pieces = all().iter().map(|id| format!("{what} of {id} ({id})")).collect::<Vec<_>>();
    pieces.join("; ")
}

fn is_id(word: &str) -> bool {
    word.parse::<ObjectId>().is_ok() || word.parse::<PlanId>().is_ok()
}

/// The drawn texts, and those for screen readers.
fn texts(harness: &Harness<'_, Desk>) -> Vec<String> {
    let drawn = harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    });
    let nodes = harness.query_all_by(|_| true);
    let said = nodes.flat_map(|node| {
        let node = node.accesskit_node();
        [node.label(), node.value()].into_iter().flatten()
    });
    drawn.chain(said).collect()
}

#[track_caller]
fn is_free_of_ids(model: Model, says: &str) {
    let harness = harness(model);
    let texts = texts(&harness);
    assert!(texts.iter().any(|text| text.contains(says)), "\"{says}\" is not shown: {texts:#?}");
    for text in texts {
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        assert!(!words.any(is_id), "{text}");
    }
}

#[test]
fn every_kind_of_error_names_what_it_is_about() {
    let codes = [
        Code::BadParams,
        Code::NoTarget,
        Code::Media,
        Code::Write,
        Code::Invalid,
        Code::Refused,
        Code::Conflict,
        Code::Storage,
        Code::Panicked,
    ];
    for code in codes {
        let mut model = with_plan();
        let (call, op) = (CallId(9), Op::Undo);
        model.sent(call, &op);
        let error = ToolError::run(code, told("Trouble"), told("look at"));
        let mut result = ToolResult::new(Status::Error, "", RevisionId(1));
        result.error = Some(error);
        let done = News::Done { result: Box::new(result) };
        drop(model.hear(&event(3, Some(call), done)));
        is_free_of_ids(model, "\"Vocal take\"");
    }
}

#[test]
fn notices_and_words_of_the_application_have_names() {
    for kind in [NoticeKind::Info, NoticeKind::Error] {
        let mut model = with_plan();
        let notice = Notice::new("notice_1".into(), kind, told("Notice"), 0);
        drop(model.hear(&event(3, None, News::Notice { notice })));
        is_free_of_ids(model, "plan 1");
    }
    let mut model = with_plan();
    model.tell("files", told("The player"));
    is_free_of_ids(model, "another plan");
}

#[test]
fn a_card_has_names_in_its_title_warnings_notes_and_reasons() {
    let mut model = with_plan();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    let plan = &mut card.stored.plan;
    plan.summary = told("Set");
    (plan.warnings, plan.notes) = (vec![told("Warned")], vec![told("Noted")]);
    plan.changes[0].reason = told("because");
    is_free_of_ids(model, "Noted of");
}

#[test]
fn what_became_of_a_plan_has_names() {
    let states = [PlanState::Rejected, PlanState::Conflict, PlanState::RolledBack];
    for state in states {
        let mut model = with_plan();
        let news = News::Decided {
            plan: gain_plan().id,
            state,
            reason: Some(told("moved on")),
            receipt: None,
            follows: None,
            time_ms: None,
        };
        drop(model.hear(&event(3, None, news)));
        is_free_of_ids(model, "oved on of");
    }
}

#[test]
fn the_conversation_has_names() {
    let mut model = with_plan();
    let result = json!({"type": "tool_result", "id": "a", "is_error": true,
        "content": {"code": "refused", "summary": told("Called")}});
    let call = json!({"type": "tool_call", "id": "a", "name": "tool_measure", "arguments": {}});
    let messages = [
        json!({"role": "assistant", "parts": [{"type": "text", "text": told("Said")}, call]}),
        json!({"role": "user", "parts": [result]}),
    ];
    for (number, message) in (3..).zip(messages) {
        let said = Said { author: Author::Agent, message, time_ms: 0 };
        drop(model.hear(&event(number, None, News::Said { said })));
    }
    let (reason, message, reply) = (TurnReason::Failed, told("Ended"), String::new());
    let (turns, input_tokens, output_tokens, pending) = (1, 0, 0, Vec::new());
    let end = TurnEnd { reason, message, reply, turns, input_tokens, output_tokens, pending };
    drop(model.hear(&event(6, None, News::TurnEnded { end })));
    is_free_of_ids(model, "Said of");
}

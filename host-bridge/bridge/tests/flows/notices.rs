//! Words for the person, and questions that wait for an answer.

use crate::desk::{Desk, Who, call, code};
use crate::instances::{Plugin, instance};
use crate::outside::wav;
use crate::sound::DRUMS;
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{Apply, CallId, News, Op, Status};
use deskhand_session::Author;
use deskhand_session::tool_error::Code;
use serde_json::{Value, json};

fn notify(desk: &mut Desk, params: Value) -> CallId {
    desk.agent.submit(call("notify_user", params, Apply::ByPolicy))
}

/// The notices that the person got, and their authors.
fn notices(desk: &Desk) -> Vec<(Author, Notice)> {
    let told = desk.heard.iter().filter_map(|event| match &event.news {
        News::Notice { notice } => Some((event.author, notice.clone())),
        _ => None,
    });
    told.collect()
}

fn asked(desk: &mut Desk) -> (CallId, String) {
    let before = notices(desk).len();
    let call = notify(desk, json!({"message": "Which take?", "type": "query"}));
    desk.until(|desk| notices(desk).len() > before);
    let (author, notice) = notices(desk).pop().unwrap();
    assert_eq!((author, notice.kind, notice.duration_ms), (Author::Agent, NoticeKind::Query, 0));
    assert!(desk.answers(Who::Agent, call).is_empty(), "it waits");
    (call, notice.notice_id)
}

#[test]
fn what_went_wrong_in_an_instance_is_shown_by_the_name_of_its_track() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    let trouble = |message: &str| Op::Trouble { message: message.into() };
    assert_eq!(code(&plugin.ask(&mut desk, trouble("no track yet"))), Code::Refused);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    let told = plugin.ask(&mut desk, trouble(&format!("the disk\u{1b} hangs{}", "!".repeat(900))));
    assert_eq!(told.status, Status::Ok, "{told:#?}");
    let (_, notice) = notices(&desk).pop().unwrap();
    assert_eq!((notice.kind, notice.duration_ms), (NoticeKind::Error, 0), "until it is put away");
    assert!(notice.message.starts_with("\"Drums\": the disk hangs!"), "{}", notice.message);
    assert!(notice.message.chars().count() < 520 && notices(&desk).len() == 1);
}

#[test]
fn a_message_is_shown_for_a_while() {
    let mut desk = Desk::new();
    let call = notify(&mut desk, json!({"message": "Done", "type": "success"}));
    let told = desk.answer(Who::Agent, call);
    assert_eq!(told.status, Status::Ok);
    let (_, notice) = notices(&desk).pop().unwrap();
    assert_eq!((notice.message.as_str(), notice.duration_ms), ("Done", 3_000));
    let late = desk.ask(Op::AnswerNotice { notice_id: notice.notice_id, answer: None });
    assert_eq!(code(&late), Code::NoTarget, "it goes by itself");
}

#[test]
fn a_query_is_answered_by_the_person_alone() {
    let mut desk = Desk::new();
    let (call, notice_id) = asked(&mut desk);
    let answer = Some("the second".to_owned());
    let forged = Op::AnswerNotice { notice_id: notice_id.clone(), answer: answer.clone() };
    assert_eq!(code(&desk.ask_as_agent(forged.clone())), Code::Refused);
    desk.ask(forged);
    let result = desk.answer(Who::Agent, call);
    assert_eq!(result.answer.unwrap()["answer"], "the second");
    let news = News::NoticeAnswered { notice_id, answer };
    assert!(
        desk.agent_heard.iter().any(|event| event.news == news && event.author == Author::User)
    );
    let (call, notice_id) = asked(&mut desk);
    desk.ask(Op::AnswerNotice { notice_id, answer: None });
    assert_eq!(desk.answer(Who::Agent, call).answer.unwrap()["answer"], Value::Null);
}

#[test]
fn a_question_comes_with_its_choices_and_the_answer_is_words() {
    let mut desk = Desk::new();
    let choices = ["the first", " the second "];
    let params = json!({"message": "Which take?", "type": "query", "choices": choices});
    let call = notify(&mut desk, params);
    desk.until(|desk| !notices(desk).is_empty());
    let (_, notice) = notices(&desk).pop().unwrap();
    assert_eq!(notice.choices, ["the first", "the second"]);
    let answer = Some("the second".to_owned());
    desk.ask(Op::AnswerNotice { notice_id: notice.notice_id, answer });
    assert_eq!(desk.answer(Who::Agent, call).answer.unwrap()["answer"], "the second");
}

#[test]
fn choices_are_refused_where_they_cannot_be_taken() {
    let mut desk = Desk::new();
    let cases = [
        (json!("info"), json!(["yes"]), "only a question has choices"),
        (json!("query"), json!(["yes", " yes"]), "stands twice"),
        (json!("query"), json!([" ", "yes"]), "has no words"),
    ];
    for (kind, choices, why) in cases {
        let params = json!({"message": "Go on?", "type": kind, "choices": choices});
        let call = notify(&mut desk, params);
        let refused = desk.answer(Who::Agent, call);
        assert_eq!(code(&refused), Code::BadParams, "{refused:#?}");
        assert!(refused.error.unwrap().message.contains(why), "{why}");
    }
    let seven = json!({"message": "Which?", "type": "query", "choices": ["a", "b", "c", "d", "e", "f", "g"]});
    let call = notify(&mut desk, seven);
    assert_eq!(code(&desk.answer(Who::Agent, call)), Code::BadParams);
}

#[test]
fn a_cancelled_query_is_put_away() {
    let mut desk = Desk::new();
    let (call, notice_id) = asked(&mut desk);
    assert_eq!(desk.ask_as_agent(Op::Cancel { call }).summary, "cancelling");
    assert_eq!(code(&desk.answer(Who::Agent, call)), Code::Cancelled);
    let news = News::NoticeAnswered { notice_id: notice_id.clone(), answer: None };
    assert!(desk.heard.iter().any(|event| event.news == news));
    let late = desk.ask(Op::AnswerNotice { notice_id, answer: Some("yes".into()) });
    assert_eq!(code(&late), Code::NoTarget);
}

#[test]
fn where_nobody_is_there_nothing_waits() {
    let mut desk = Desk::new();
    let (call, _) = asked(&mut desk);
    // The last person leaves while the question is open.
    let observer = desk.bridge.connect_observer();
    drop(std::mem::replace(&mut desk.person, desk.bridge.connect_person()));
    desk.until(|desk| desk.bridge.is_attended());
    assert!(desk.answers(Who::Agent, call).is_empty(), "another person is there");
    let desk = &mut desk;
    leave(desk);
    let answered = desk.answer(Who::Agent, call);
    assert_eq!(answered.answer.unwrap()["is_person_here"], false);
    for kind in ["info", "query"] {
        let call = notify(desk, json!({"message": "Hello?", "type": kind}));
        let told = desk.answer(Who::Agent, call);
        assert_eq!(told.answer.unwrap()["is_person_here"], false, "{kind}");
        assert!(told.summary.contains("nobody is there"), "{}", told.summary);
    }
    drop(observer);
}

/// The person of the desk leaves.
fn leave(desk: &mut Desk) {
    let connection = desk.person.connection();
    desk.bridge.pump(deskhand_bridge::Input::Disconnected { connection });
}

#[test]
fn who_floods_the_person_is_stopped() {
    let mut desk = Desk::new();
    for _ in 0..64 {
        let call = notify(&mut desk, json!({"message": "Look", "duration_ms": 0}));
        assert_eq!(desk.answer(Who::Agent, call).status, Status::Ok);
    }
    let call = notify(&mut desk, json!({"message": "Look", "duration_ms": 0}));
    assert_eq!(code(&desk.answer(Who::Agent, call)), Code::Refused);
}

#[test]
fn what_was_recorded_together_is_offered_as_a_group_once() {
    for (answer, groups) in [("Group and keep in sync", 1), ("Leave them as they are", 0)] {
        let mut desk = Desk::new();
        let tmp = tempfile::tempdir().unwrap();
        let files = ["host.wav", "guest.wav"].map(|name| wav(&tmp.path().join(name)));
        let told = desk.now("import_audio", json!({"files": files}));
        let note = told.plan.unwrap().notes.join(" ");
        assert!(note.ends_with("in sync, say: group \"host\" and \"guest\" as \"Talk\""), "{note}");
        let asked: Vec<Notice> = notices(&desk).into_iter().map(|(_, notice)| notice).collect();
        let [notice] = &asked[..] else { panic!("{asked:?}") };
        assert!(notice.message.starts_with("\"host\" and \"guest\" were recorded"), "{notice:?}");
        let answers = Op::AnswerNotice {
            notice_id: notice.notice_id.clone(),
            answer: Some(answer.to_owned()),
        };
        assert_eq!(desk.ask(answers).status, Status::Ok);
        assert_eq!(desk.session().groups.len(), groups);
        desk.ask(Op::Undo);
        desk.ask(Op::Redo);
        assert_eq!(notices(&desk).len(), 1, "nobody is asked again");
    }
}

#[test]
fn who_said_no_to_a_group_is_not_asked_another_day_either() {
    for answer in [Some("Leave them as they are"), None] {
        let mut desk = Desk::new();
        let tmp = tempfile::tempdir().unwrap();
        let files = ["host.wav", "guest.wav"].map(|name| wav(&tmp.path().join(name)));
        desk.now("import_audio", json!({"files": files}));
        let [(_, notice)] = &notices(&desk)[..] else { panic!("{:?}", notices(&desk)) };
        let (notice_id, answer) = (notice.notice_id.clone(), answer.map(str::to_owned));
        desk.ask(Op::AnswerNotice { notice_id, answer });
        let mut desk = desk.reopened();
        desk.ask(Op::Undo);
        desk.ask(Op::Redo);
        assert!(notices(&desk).is_empty(), "{:?}", notices(&desk));
    }
}

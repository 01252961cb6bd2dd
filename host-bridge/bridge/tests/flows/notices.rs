//! Words for the person, and questions that wait for an answer.

use crate::desk::{Desk, Who, call, code};
use crate::instances::{Plugin, instance};
use crate::outside::wav;
use crate::sound::DRUMS;
use deskhand_dsp::SampleRate;
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{Apply, CallId, News, Op, Status};
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, Evidence, recorded_together};
use serde_json::{Value, json};
use std::path::Path;

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
        (json!("query"), json!(["yes", " yes"]), "is there twice"),
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

/// Two files of one length.
fn two_recordings(folder: &Path) -> [String; 2] {
    [("host.wav", 0.25), ("guest.wav", 0.5)]
        .map(|(name, level)| write(&folder.join(name), &[level; 4_800]))
}

fn write(path: &Path, samples: &[f32]) -> String {
    let mut writer = WavWriter::create(path, SampleRate(48_000), 1, BitDepth::F32).unwrap();
    writer.write(&[samples]).unwrap();
    writer.finish().unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_file_that_comes_in_twice_is_no_group() {
    let mut desk = Desk::new();
    let tmp = tempfile::tempdir().unwrap();
    let files = ["one.wav", "copy.wav"].map(|name| wav(&tmp.path().join(name)));
    let told = desk.now("import_audio", json!({"files": files}));
    assert_eq!((told.plan.unwrap().notes, notices(&desk)), (vec![], vec![]));
}

#[test]
fn what_was_recorded_together_is_offered_as_a_group_once() {
    for (answer, groups) in [("Group and keep in sync", 1), ("Leave them as they are", 0)] {
        let mut desk = Desk::new();
        let tmp = tempfile::tempdir().unwrap();
        let files = two_recordings(tmp.path());
        let told = desk.now("import_audio", json!({"files": files}));
        let note = told.plan.unwrap().notes.join(" ");
        assert!(note.ends_with("in sync, say: group \"host\" and \"guest\" as \"Talk\""), "{note}");
        let asked: Vec<Notice> = notices(&desk).into_iter().map(|(_, notice)| notice).collect();
        let [notice] = &asked[..] else { panic!("{asked:?}") };
        let told = "\"host\" and \"guest\" seem to have been recorded together: they start";
        assert!(notice.message.starts_with(told), "{notice:?}");
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
fn a_question_about_more_tracks_closes_the_one_about_some_of_them() {
    let mut desk = Desk::new();
    let tmp = tempfile::tempdir().unwrap();
    for (name, level) in [("host.wav", 0.25), ("guest.wav", 0.5), ("room.wav", 0.125)] {
        let file = write(&tmp.path().join(name), &[level; 4_800]);
        desk.now("import_audio", json!({"files": [file]}));
    }
    let asked = notices(&desk);
    let [(_, two), (_, three)] = &asked[..] else { panic!("{asked:?}") };
    assert!(three.message.starts_with("\"host\", \"guest\" and \"room\""), "{three:?}");
    let close =
        |notice: &Notice| Op::AnswerNotice { notice_id: notice.notice_id.clone(), answer: None };
    assert_eq!(code(&desk.ask(close(two))), Code::NoTarget, "it is closed already");
    assert_eq!(desk.ask(close(three)).status, Status::Ok);
}

#[test]
fn who_said_no_to_a_group_is_not_asked_another_day_either() {
    for answer in [Some("Leave them as they are"), None] {
        let mut desk = Desk::new();
        let tmp = tempfile::tempdir().unwrap();
        let files = two_recordings(tmp.path());
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

/// What sounds like somebody who speaks in sentences: noise below 4 kHz in syllables, with pauses.
fn talk(seed: u64, seconds: usize) -> Vec<f32> {
    let mut state = seed;
    let mut noise = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 / f64::from(1u32 << 30) - 1.0) as f32
    };
    let mut out = Vec::new();
    while out.len() < seconds * 48_000 {
        for _ in 0..5 + (noise().abs() * 10.0) as usize {
            let steps = 500 + (noise().abs() * 500.0) as usize;
            let gain = |n: usize| 0.4 * (std::f32::consts::PI * n as f32 / steps as f32).sin();
            out.extend((0..steps).flat_map(|n| [gain(n) * noise(); 12]));
        }
        out.extend(vec![0.0; 48_000 + (noise().abs() * 96_000.0) as usize]);
    }
    out.truncate(seconds * 48_000);
    out
}

/// Two microphones of different length, each of which hears the other's speaker at a gain and 4 ms late; the second was
/// started some seconds later.
fn microphones(folder: &Path, gain: f32, later_s: f64) -> [String; 2] {
    let [anna, ben] = [1, 2].map(|seed| talk(seed, 30));
    let heard = |own: &[f32], other: &[f32]| -> Vec<f32> {
        let late = std::iter::repeat_n(&0.0, 192).chain(other);
        own.iter().zip(late).map(|(own, other)| own + gain * other).collect()
    };
    let host = &heard(&anna, &ben)[..25 * 48_000];
    let guest = &heard(&ben, &anna)[(later_s * 48_000.0) as usize..];
    [write(&folder.join("host.wav"), host), write(&folder.join("guest.wav"), guest)]
}

#[test]
fn microphones_that_hear_each_other_are_offered_as_a_group_once() {
    let mut desk = Desk::new();
    let tmp = tempfile::tempdir().unwrap();
    let told = desk.now("import_audio", json!({"files": microphones(tmp.path(), 0.063, 0.0)}));
    let why =
        "\"host\" and \"guest\" were recorded together: their microphones hear the same sound. ";
    let expected =
        format!("{why}To keep them in sync, say: group \"host\" and \"guest\" as \"Talk\"");
    assert_eq!(told.plan.unwrap().notes, [expected]);
    let [(_, notice)] = &notices(&desk)[..] else { panic!("{:?}", notices(&desk)) };
    let asked = format!("{why}Group them, so that every edit keeps them in sync?");
    assert_eq!((&notice.message, notice.kind), (&asked, NoticeKind::Query));
    let (notice_id, answer) = (notice.notice_id.clone(), Some(notice.choices[1].clone()));
    desk.ask(Op::AnswerNotice { notice_id, answer });
    // What was heard goes with the session.
    let mut desk = desk.reopened();
    let sets = recorded_together(desk.session());
    assert!(sets.iter().any(|set| set.evidence == Evidence::CrossTalk), "{sets:?}");
    desk.ask(Op::Undo);
    desk.ask(Op::Redo);
    assert!(notices(&desk).is_empty(), "{:?}", notices(&desk));
}

#[test]
fn two_talks_of_different_length_are_not_offered() {
    let mut desk = Desk::new();
    let tmp = tempfile::tempdir().unwrap();
    let told = desk.now("import_audio", json!({"files": microphones(tmp.path(), 0.0, 0.0)}));
    assert_eq!((told.plan.unwrap().notes, notices(&desk)), (vec![], vec![]));
}

#[test]
fn recorders_that_were_started_at_different_times_are_brought_into_sync_first() {
    let mut desk = Desk::new();
    let tmp = tempfile::tempdir().unwrap();
    let told = desk.now("import_audio", json!({"files": microphones(tmp.path(), 0.063, 3.2)}));
    let notes = told.plan.unwrap().notes;
    let [note] = &notes[..] else { panic!("{notes:?}") };
    let why = "\"host\" and \"guest\" were recorded together, but \"guest\" plays 3.2 s too early. To bring them into \
               sync, say: move all clips of \"guest\" 3.";
    assert!(note.starts_with(why) && note.ends_with(" seconds later"), "{note}");
    let told: Vec<Notice> = notices(&desk).into_iter().map(|(_, notice)| notice).collect();
    assert_eq!((told.len(), told[0].kind, &told[0].message), (1, NoticeKind::Info, note));
    desk.now("cmd_move_clip", json!({"targets": "guest", "by_s": 3.2}));
    let [_, (_, asked)] = &notices(&desk)[..] else { panic!("{:?}", notices(&desk)) };
    assert!(asked.message.ends_with("keeps them in sync?"), "{asked:?}");
    desk.ask(Op::Undo);
    desk.ask(Op::Redo);
    assert_eq!(notices(&desk).len(), 2, "both are said once");
}

//! Notices as a person sees, answers and puts them away.

use super::notices::{PASSING, failure, own};
use super::*;
use crate::testing::prelude::*;
use deskhand_protocol::Apply;
use egui::accesskit::Live;

fn shown(notices: &[(&str, NoticeKind, u64)]) -> Harness<'static, Desk> {
    let mut model = open_model();
    for (number, (message, kind, duration_ms)) in (2_u64..).zip(notices) {
        let (notice_id, message) = (format!("notice_{number}"), (*message).to_owned());
        let notice = Notice::new(notice_id, *kind, message, *duration_ms);
        drop(model.hear(&event(number, None, News::Notice { notice })));
    }
    harness(model)
}

fn answered(number: u64, answer: Option<&str>) -> Action {
    let answer = answer.map(str::to_owned);
    Action::AnswerNotice { notice_id: format!("notice_{number}"), answer }
}

#[test]
fn what_goes_by_itself_goes_and_the_hub_is_not_told() {
    let notices = [("Done", NoticeKind::Info, 3000), ("Saved", NoticeKind::Info, 60_000)];
    let mut harness = shown(&notices);
    assert!(harness.query_by_label("Done").is_some());
    // A quarter of a second each.
    harness.run_steps(20);
    assert!(harness.query_by_label("Done").is_none());
    assert!(harness.query_by_label("Saved").is_some());
    harness.click_on("Put away");
    assert!(harness.query_by_label("Saved").is_none());
    assert_eq!(harness.state().actions, []);
}

#[test]
fn what_stays_is_put_away_and_the_hub_is_told() {
    let mut harness = shown(&[("Look here", NoticeKind::Info, 0)]);
    harness.click_on("Put away");
    assert!(harness.query_by_label("Look here").is_none());
    assert_eq!(harness.state().actions, [answered(2, None)]);
}

#[test]
fn a_question_stays_in_view_and_is_answered() {
    let told = |words| (words, NoticeKind::Info, 0);
    let question = ("Which take?", NoticeKind::Query, 0);
    let mut harness = shown(&[question, told("One"), told("Two"), told("Three")]);
    assert!(harness.query_by_label("Which take?").is_some());
    assert!(harness.query_by_label("One").is_none());
    harness.focus_on("Your answer");
    harness.type_into("Your answer", "the second");
    harness.click_on("Answer");
    assert_eq!(harness.state().actions, [answered(2, Some("the second"))]);
    assert!(harness.query_by_label("Which take?").is_none());
    assert!(harness.query_by_label("One").is_some(), "there is room for it again");
}

#[test]
fn of_two_questions_each_is_answered_by_its_own_field_and_button() {
    let question = |words| (words, NoticeKind::Query, 0);
    let mut harness = shown(&[question("Which take?"), question("How loud?")]);
    harness.get_all_by_label("Answer").next().unwrap().click();
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [], "nothing was typed");
    // The first is lowest.
    let fields = |harness: &Harness<'_, Desk>| {
        let mut all: Vec<_> =
            harness.get_all_by_label("Your answer").map(|node| node.rect().center()).collect();
        all.sort_by(|a, b| b.y.total_cmp(&a.y));
        all
    };
    for (place, words) in ["the second", "-16"].into_iter().enumerate() {
        let at = fields(&harness)[place];
        harness.hover_at(at);
        harness.drag_at(at);
        harness.drop_at(at);
        harness.run_steps(2);
        harness.event(egui::Event::Text(words.into()));
        harness.run_steps(2);
    }
    let lower = fields(&harness)[0];
    let buttons = harness.get_all_by_label("Answer");
    let of_first = buttons.min_by_key(|node| (node.rect().center().y - lower.y).abs() as i32);
    of_first.unwrap().click();
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [answered(2, Some("the second"))]);
    harness.focus_on("Your answer");
    harness.press(egui::Key::Enter);
    assert_eq!(harness.state().actions[1..], [answered(3, Some("-16"))]);
}

#[test]
fn a_question_that_is_put_away_has_no_answer() {
    let mut harness = shown(&[("Which take?", NoticeKind::Query, 0)]);
    harness.focus_on("Your answer");
    harness.type_into("Your answer", "the second");
    harness.click_on("Put away");
    assert_eq!(harness.state().actions, [answered(2, None)]);
    assert!(harness.query_by_label("Which take?").is_none());
}

#[test]
fn the_same_words_stand_once_and_go_at_once() {
    let same = ("there is nothing to take back", NoticeKind::Error, 0);
    let mut harness = shown(&[same, same, same]);
    assert!(harness.query_by_label("There is nothing to take back (3 times)").is_some());
    harness.click_on("Put away");
    assert_eq!(harness.state().actions, [2, 3, 4].map(|number| answered(number, None)));
    assert!(harness.state().model.notices.is_empty());
}

#[test]
fn how_often_something_was_said_never_falls() {
    let mut harness = shown(&[("Done", NoticeKind::Info, 3000)]);
    harness.run_steps(4);
    let again = Notice::new("notice_3".into(), NoticeKind::Info, "Done".into(), 3000);
    drop(harness.state_mut().model.hear(&event(3, None, News::Notice { notice: again })));
    // The time of the first is over in the course of these; a quarter of a second each.
    for step in 0..6 {
        harness.run_steps(1);
        assert!(harness.query_by_label("Done (2 times)").is_some(), "{step}");
    }
    harness.run_steps(14);
    assert!(harness.query_by_label_contains("Done").is_none());
}

#[test]
fn what_is_not_shown_is_counted_and_put_away_with_the_rest_but_for_questions() {
    let told = |words| (words, NoticeKind::Info, 0);
    let question = ("Which take?", NoticeKind::Query, 0);
    let all = [told("One"), question, told("Two"), told("Three"), told("Four")];
    let mut harness = shown(&all);
    assert!(harness.query_by_label("and 2 more").is_some());
    harness.click_on("Put all away");
    assert!(harness.query_by_label("Put all away").is_none());
    assert!(harness.query_by_label("Which take?").is_some());
    assert_eq!(harness.state().actions.len(), 4);
}

#[test]
fn what_comes_is_said_by_a_screen_reader_and_an_error_at_once() {
    let harness = shown(&[("Done", NoticeKind::Info, 0), ("It failed", NoticeKind::Error, 0)]);
    let live = |words: &str| harness.get_by_label(words).accesskit_node().live();
    assert_eq!(["Done", "It failed"].map(live), [Live::Polite, Live::Assertive]);
}

#[test]
fn a_tool_is_named_by_what_a_person_says_for_it() {
    let words = "nothing is written down there yet; transcribe it first: tool_transcribe";
    let harness = shown(&[(words, NoticeKind::Error, 0)]);
    let told =
        "Nothing is written down there yet; transcribe it first: say \"transcribe everything\"";
    assert!(harness.query_by_label(told).is_some());
}

#[test]
fn a_choice_is_taken_by_a_click_and_other_words_answer_as_well() {
    let asked = || {
        let mut model = open_model();
        let choices =
            ["The first", "The second", "Neither of them, the one that follows the break"];
        let notice = Notice {
            notice_id: "notice_2".into(),
            message: "Which take?".into(),
            kind: NoticeKind::Query,
            duration_ms: 0,
            choices: choices.map(str::to_owned).into(),
        };
        drop(model.hear(&event(2, None, News::Notice { notice })));
        harness(model)
    };
    let mut harness = asked();
    let place = |words| harness.get_by_label(words).rect();
    let [first, second] = ["The first", "The second"].map(place);
    let third = place("Neither of them, the one that follows the break");
    assert!(first.top() == second.top() && first.right() < second.left(), "side by side");
    assert!(third.top() > first.bottom() && third.bottom() < place("Your answer").top());
    harness.click_on("The second");
    assert_eq!(harness.state().actions, [answered(2, Some("The second"))]);
    assert!(harness.query_by_label("Which take?").is_none());
    let mut harness = asked();
    harness.focus_on("Your answer");
    harness.type_into("Your answer", "both");
    harness.click_on("Answer");
    assert_eq!(harness.state().actions, [answered(2, Some("both"))]);
}

#[test]
fn that_nothing_is_left_to_undo_is_told_and_goes_by_itself() {
    let told = |message: &str| failure(CallId(1), message);
    let nothing = told("there is nothing to undo; the history shows every step");
    assert_eq!((nothing.kind, nothing.duration_ms), (NoticeKind::Info, PASSING));
    let failed = told("the disk is full");
    assert_eq!((failed.kind, failed.duration_ms), (NoticeKind::Error, 0));
}

#[test]
fn a_path_a_file_and_an_id_keep_their_first_letter() {
    assert_eq!(sentence("there is nothing to undo"), "There is nothing to undo");
    for words in ["w/s.deskhand is not there", "talk.wav: it is cut off", "clip_1 is gone"] {
        assert_eq!(sentence(words), words);
    }
    assert_eq!(sentence("undone: Import talk.wav"), "Undone: Import talk.wav");
}

#[test]
fn a_failure_goes_once_the_same_was_done() {
    let mut model = open_model();
    let words = "Import audio: \"/a/one.wav\n/a/two.wav\" does not exist";
    model.notices.push(failure(CallId(4), words));
    model.notices.push(failure(CallId(5), "Normalize: no level was given"));
    let mut does = |number: u64, tool: &str, params: serde_json::Value| {
        let call = CallId(number);
        let op = Op::Call { tool: tool.into(), params: params.clone(), apply: Apply::Now };
        model.sent(call, &op);
        let plan = Some(Box::new(Plan { params, warnings: Vec::new(), ..gain_plan() }));
        let result = ToolResult::new(Status::Applied, "done", RevisionId(1));
        let result = Box::new(ToolResult { plan, ..result });
        drop(model.hear(&event(number, Some(call), News::Done { result })));
        model.notices.iter().map(|notice| notice.notice_id.clone()).collect::<Vec<_>>()
    };
    let files = |file: &str| serde_json::json!({"files": [file]});
    assert_eq!(does(6, "import_audio", files("/a/three.wav")).len(), 2, "it is another file");
    assert_eq!(does(7, "import_audio", files("/a/two.wav")), [own("5")]);
    assert_eq!(does(8, "tool_normalize", serde_json::json!({})), [""; 0]);
}

#[test]
fn they_stand_beside_windows_where_there_is_room() {
    let rect = |left: f32, top: f32, right: f32, bottom: f32| {
        Rect::from_min_max(pos2(left, top), pos2(right, bottom))
    };
    let area = rect(184.0, 50.0, 1020.0, 600.0);
    let x = |windows: &[Rect]| free(area, windows, 40.0).x_range();
    let range = egui::Rangef::new;
    assert_eq!(x(&[]), range(184.0, 1020.0));
    assert_eq!(x(&[rect(460.0, 100.0, 1004.0, 780.0)]), range(184.0, 460.0));
    assert_eq!(x(&[rect(460.0, 100.0, 1004.0, 500.0)]), range(184.0, 1020.0), "it ends above");
    assert_eq!(x(&[rect(100.0, 100.0, 400.0, 780.0)]), range(400.0, 1020.0));
    let two = [rect(700.0, 100.0, 900.0, 780.0), rect(190.0, 100.0, 710.0, 780.0)];
    assert_eq!(x(&two), range(184.0, 1020.0), "there is no room beside them");
    let mut model = open_model();
    model.desk.words.is_open = true;
    model.notices.push(Notice::new(own("a"), NoticeKind::Info, "Look here".into(), 0));
    let harness = harness(model);
    let words = harness.get_by_label("Words area").rect();
    let toast = harness.get_by_label("Look here").rect();
    assert!(!words.intersects(toast), "{toast:?} over {words:?}");
}

#[test]
fn what_this_window_applies_at_once_tells_its_warnings() {
    let told = |tool: &str| -> Vec<String> {
        let mut model = open_model();
        let (call, params) = (CallId(5), serde_json::json!({}));
        model.sent(call, &Op::Call { tool: tool.into(), params, apply: Apply::Now });
        let warnings = vec!["not imported: \"b.wav\" is empty".into()];
        let plan = Some(Box::new(Plan { warnings, ..gain_plan() }));
        let result = ToolResult::new(Status::Applied, "Import a.wav", RevisionId(1));
        let result = Box::new(ToolResult { plan, ..result });
        drop(model.hear(&event(2, Some(call), News::Done { result })));
        model.notices.iter().map(|notice| notice.message.clone()).collect()
    };
    assert_eq!(told("import_audio"), ["not imported: \"b.wav\" is empty"]);
    assert_eq!(told("cmd_set_clip_gain"), told("import_audio"), "no card told of them");
}

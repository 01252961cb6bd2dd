//! The page of takes if none are marked: whether a search for takes was made.

use super::tests::{bench, waiting};
use crate::testing::{UserInput as _, spoken};
use crate::ui_tests::event;
use crate::words::view::Page;
use deskhand_protocol::{CallId, News, Status, ToolResult};
use deskhand_session::{Assembly, PhraseId, PlanState, RevisionId};
use egui_kittest::kittest::Queryable as _;

#[test]
fn that_no_phrase_is_said_twice_is_told_when_it_was_looked_for_and_of_what_there_was() {
    let mut bench = bench(Page::Takes, spoken());
    assert!(bench.query_by_label_contains("Takes were not looked for yet").is_some());
    bench.click_on("Find takes");
    let action = bench.state().actions.last().cloned().unwrap();
    let model = &mut bench.state_mut().model;
    let op = model.op(action).unwrap();
    model.sent(CallId(4), &op);
    let none = ToolResult::new(Status::Ok, "No phrase that plays is said twice", RevisionId(1));
    let done = event(2, Some(CallId(4)), News::Done { result: Box::new(none) });
    drop(model.hear(&done));
    bench.run_steps(2);
    assert!(bench.query_by_label_contains("No takes were found").is_some());
    let session = &mut bench.state_mut().model.mirror.as_mut().unwrap().snapshot.session;
    let phrase = session.phrases[&PhraseId::new(1)].clone();
    session.phrases.insert(PhraseId::new(9), phrase);
    bench.run_steps(2);
    assert!(bench.query_by_label_contains("Takes were not looked for yet").is_some());
}

#[test]
fn before_anything_is_written_down_the_pages_lead_to_the_transcript() {
    for page in [Page::Takes, Page::Assembly] {
        let mut session = spoken();
        session.segments.clear();
        session.phrases.clear();
        session.assembly = Assembly::default();
        let mut bench = bench(page, session);
        bench.click_on("Go to the transcript");
        assert_eq!(bench.state().model.desk.words.page, Page::Transcript);
        assert!(bench.query_by_label("Import a transcript…").is_some());
    }
}

#[test]
fn takes_that_were_rejected_were_there() {
    let mut bench = bench(Page::Takes, spoken());
    let plan = waiting();
    let decided = News::Decided {
        plan: plan.id,
        state: PlanState::Rejected,
        reason: None,
        receipt: None,
        follows: None,
        time_ms: None,
    };
    let model = &mut bench.state_mut().model;
    drop(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })));
    drop(model.hear(&event(3, None, decided)));
    bench.run_steps(3);
    assert!(bench.query_by_label_contains("No takes are marked").is_some());
}

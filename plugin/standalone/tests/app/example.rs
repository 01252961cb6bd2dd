//! The example interview: each wish that the window offers is understood without a model and becomes a plan.

use crate::user_session::Seat;
use deskhand_agent::{Request, RequestKind, Vocabulary, plan_words};
use deskhand_bridge::{all_tools, tool_infos};
use deskhand_editor::{Action, Gesture, asks};
use deskhand_protocol::Decision;
use deskhand_session::Session;
use deskhand_toolkit::Registry;
use serde_json::json;
use std::path::Path;

fn act(seat: &mut Seat, action: Action) {
    assert_eq!(seat.open.act(&mut seat.model, action), None);
}

fn call(seat: &mut Seat, gesture: Gesture, params: serde_json::Value) {
    act(seat, Action::Call { gesture, params });
}

/// A seat with the example, as `deskhand new --example` makes it.
fn opened() -> Seat {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/example");
    let mut seat = Seat::new();
    seat.until("the session", || {}, |model| model.session().is_some());
    let files = ["Host", "Guest", "Music"].map(|name| folder.join(format!("{name}.flac")));
    call(&mut seat, Gesture::ImportAudio, json!({ "files": files }));
    seat.until("the import", || {}, |model| model.session().unwrap().clips.len() == 3);
    for (name, phrases) in [("Host", 10), ("Guest", 19)] {
        let file = folder.join(format!("{name}.json"));
        call(&mut seat, Gesture::ImportTranscript, json!({ "file": file, "target": name }));
        let has = |model: &deskhand_editor::Model| model.session().unwrap().segments.len();
        seat.until("the words", || {}, |model| has(model) == phrases);
    }
    call(&mut seat, Gesture::GroupTracks, json!({"name": "Talk", "targets": ["Host", "Guest"]}));
    seat.until("the group", || {}, |model| model.session().unwrap().groups.len() == 1);
    seat
}

#[test]
fn each_wish_for_the_example_becomes_a_plan() {
    let mut seat = opened();
    let wishes = asks(seat.model.session().unwrap());
    assert_eq!(wishes.len(), 3);
    for wish in wishes {
        act(&mut seat, Action::Say(wish.words.clone()));
        seat.until(&wish.words, || {}, |model| model.waiting().is_some());
        let plan = seat.model.waiting().unwrap();
        let decision = Decision::Reject { reason: "one wish after another".into() };
        act(&mut seat, Action::Decide { plan, decision });
        seat.until("the rejection", || {}, |model| model.waiting().is_none());
        seat.until("its turn's end", || {}, |model| !model.is_at_work());
    }
}

#[test]
fn every_wish_is_understood_without_a_model() {
    let seat = opened();
    let known = seat.model.session().unwrap();
    let vocabulary = Vocabulary::of(&tool_infos(&Registry::new(all_tools())));
    let mut count = 0;
    for session in variants(known) {
        for wish in asks(&session) {
            let reading = plan_words(&wish.words, &session, &vocabulary);
            let is_call = |it: &Request| matches!(it.kind, RequestKind::Call { .. });
            let understood = &reading.understood;
            let is_understood = reading.unclear.is_empty()
                && !understood.is_empty()
                && understood.iter().all(is_call);
            assert!(is_understood, "{}: {reading:?}", wish.words);
            count += 1;
        }
    }
    assert_eq!(count, 17);
}

/// The example; without words; without fillers; one voice; two tracks and one with names that say nothing; a band.
fn variants(known: &Session) -> Vec<Session> {
    let changed = |change: &dyn Fn(&mut Session)| {
        let mut session = known.clone();
        change(&mut session);
        session
    };
    let only = |session: &mut Session, count: usize| {
        let kept = session.track_order[..count].to_vec();
        session.clips.retain(|_, clip| kept.contains(&clip.track));
    };
    let rename = |session: &mut Session, names: [&str; 3]| {
        session.segments.clear();
        session.groups.clear();
        for (track, name) in session.track_order.iter().zip(names) {
            session.tracks.get_mut(track).unwrap().name = name.into();
        }
    };
    vec![
        known.clone(),
        changed(&|session| session.segments.clear()),
        changed(&|session| {
            for segment in session.segments.values_mut() {
                segment.words.retain(|word| word.text.len() > 4);
            }
            session.segments.retain(|_, segment| !segment.words.is_empty());
        }),
        changed(&|session| only(session, 1)),
        changed(&|session| {
            rename(session, ["Mic 1", "Mic 2", "Tape"]);
            only(session, 2);
        }),
        changed(&|session| rename(session, ["Kick", "Bass DI", "Lead Vocal"])),
    ]
}

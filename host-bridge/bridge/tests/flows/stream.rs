//! The events of every front end: the same news in the same order, and one answer to each submission. The
//! session always equals the session that its history gives.

use crate::desk::{Desk, call, code};
use crate::sound::session;
use deskhand_bridge::{Bridge, ObserverFront, PersonFront};
use deskhand_protocol::{Apply, CallId, Decision, Event, News, Op, Status};
use deskhand_session::plan::ValueEdit;
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, History, Plan, PlanState, RevisionId, Session};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// The tests change gains and mutes of tracks only. This is the session that the history gives.
fn replayed(history: &History, to: RevisionId) -> Session {
    let mut path = Vec::new();
    let mut at = to;
    while let Some(revision) = history.get(at) {
        path.push(revision);
        at = revision.parent;
    }
    let changes = path.iter().rev().flat_map(|revision| &revision.changes);
    session().with(changes).unwrap()
}

#[test]
fn an_observer_hears_everything_and_may_ask_for_nothing() {
    let mut desk = Desk::new();
    let observer = desk.bridge.connect_observer();
    let plan = desk.plan("fake_bundle", json!({}));
    desk.apply(plan);
    let first: Vec<Event> = observer.events().collect();
    let numbers = |events: &[Event]| events.iter().map(|event| event.number).collect::<Vec<_>>();
    assert_eq!(numbers(&first), numbers(&desk.heard));
    assert!(first.iter().all(|event| event.call.is_none()));
    let ops = [
        call("fake_look", json!({}), Apply::ByPolicy),
        call("fake_mute", json!({}), Apply::Now),
        Op::Undo,
        Op::Cancel { call: CallId(1) },
    ];
    for op in ops {
        let asked = observer.submit(op);
        desk.bridge.pump_next();
        let answers: Vec<Event> = observer.events().collect();
        let [Event { call, news: News::Done { result }, .. }] = answers.as_slice() else {
            panic!("{answers:#?}");
        };
        assert_eq!(*call, Some(asked));
        assert_eq!(code(result), Code::Refused);
    }
    assert_eq!(desk.state(plan), PlanState::Applied);
}

#[test]
fn who_joins_late_hears_the_numbers_go_on() {
    let mut desk = Desk::new();
    desk.now("fake_mute", json!({}));
    let last = desk.heard.last().unwrap().number;
    let late = desk.bridge.connect_person();
    desk.now("fake_mute", json!({}));
    let first = late.events().next().unwrap();
    assert_eq!(first.number, last + 1);
}

/// Something that somebody does.
#[derive(Clone, Debug)]
enum Move {
    Gain {
        track: usize,
        db: i8,
        apply: Apply,
    },
    Tool {
        name: &'static str,
        apply: Apply,
    },
    Decide {
        plan: usize,
        decision: Decision,
    },
    Add {
        plan: usize,
    },
    Undo,
    Redo,
    Cancel {
        back: u64,
    },
    /// No front end acts, and the bridge takes one input.
    Pump,
}

fn apply_wish() -> impl Strategy<Value = Apply> {
    prop_oneof![Just(Apply::ByPolicy), Just(Apply::Never), Just(Apply::Now),]
}

fn tool_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "fake_mute",
        "fake_bundle",
        "fake_promise",
        "fake_look",
        "fake_wait",
        "fake_panic",
        "fake_panic_early",
        "fake_no_number",
        "fake_invalid",
        "fake_reach_out",
        "fake_nobody_knows",
    ])
}

fn a_decision() -> impl Strategy<Value = Decision> {
    let part = |(change, db): (usize, i8)| {
        let change = format!("c{change}");
        let (only, after) = (Some(vec![change.clone()]), json!(db));
        let set = vec![ValueEdit { change, after }];
        Decision::ApplyPart { only, set }
    };
    let reason = "no".to_owned();
    prop_oneof![
        2 => Just(Decision::Apply),
        1 => (1..5usize, -9..9i8).prop_map(part),
        1 => Just(Decision::Reject { reason }),
    ]
}

fn a_move() -> impl Strategy<Value = Move> {
    let gain = (0..3usize, -9..9i8, apply_wish());
    prop_oneof![
        3 => gain.prop_map(|(track, db, apply)| Move::Gain { track, db, apply }),
        3 => (tool_name(), apply_wish()).prop_map(|(name, apply)| Move::Tool { name, apply }),
        4 => (0..8usize, a_decision()).prop_map(|(plan, decision)| Move::Decide { plan, decision }),
        1 => (0..8usize).prop_map(|plan| Move::Add { plan }),
        2 => Just(Move::Undo),
        1 => Just(Move::Redo),
        1 => (0..3u64).prop_map(|back| Move::Cancel { back }),
        6 => Just(Move::Pump),
    ]
}

impl Move {
    /// The message over the wire.
    fn op(&self, bridge: &Bridge, last: u64) -> Option<Op> {
        match self {
            Self::Gain { track, db, apply } => {
                let track = ["Drums", "Bass", "Vocals"][*track];
                let params = json!({"targets": track, "gain_db": db});
                Some(call("cmd_set_track_gain", params, *apply))
            }
            Self::Tool { name, apply } => Some(call(name, json!({"gain_db": -5.0}), *apply)),
            Self::Decide { plan, decision } => recent(bridge, *plan)
                .map(|plan| Op::Decide { plan: plan.id, decision: decision.clone() }),
            Self::Add { plan } => {
                recent(bridge, *plan).map(|plan| Op::AddPlan { plan: Box::new(plan) })
            }
            Self::Undo => Some(Op::Undo),
            Self::Redo => Some(Op::Redo),
            Self::Cancel { back } => Some(Op::Cancel { call: CallId(last.saturating_sub(*back)) }),
            Self::Pump => None,
        }
    }
}

/// A plan, counted from the newest.
fn recent(bridge: &Bridge, back: usize) -> Option<Plan> {
    let stored = bridge.plans().iter().rev().nth(back);
    stored.map(|stored| stored.plan.clone())
}

/// A desk with a second person and an observer, and every submission that was made.
struct Room {
    desk: Desk,
    second: PersonFront,
    observer: ObserverFront,
    calls: [Vec<CallId>; 4],
    heard: [Vec<Event>; 2],
}

impl Room {
    fn new() -> Self {
        let mut desk = Desk::new();
        let (second, observer) = (desk.bridge.connect_person(), desk.bridge.connect_observer());
        let (calls, heard) = Default::default();
        Self { desk, second, observer, calls, heard }
    }

    fn play(&mut self, who: usize, action: &Move) {
        let last = self.calls[who].last().map_or(0, |call| call.0);
        match action.op(&self.desk.bridge, last) {
            Some(op) => {
                let call = match who {
                    0 => self.desk.person.submit(op),
                    1 => self.second.submit(op),
                    2 => self.desk.agent.submit(op),
                    _ => self.observer.submit(op),
                };
                self.calls[who].push(call);
            }
            None => self.pump(),
        }
        let session = replayed(self.desk.bridge.history(), self.desk.bridge.history().head());
        assert_eq!(self.desk.session(), &session);
    }

    /// Takes one input, if any is expected: waiting for nothing costs time.
    fn pump(&mut self) {
        self.desk.listen();
        if count_done(&self.desk.heard) < self.submitted() {
            self.desk.bridge.pump_next();
        }
    }

    fn submitted(&self) -> usize {
        self.calls.iter().map(Vec::len).sum()
    }

    /// Waits until every submission is answered, and returns the events of the four front ends.
    fn settle(&mut self) -> [Vec<Event>; 4] {
        let submitted = self.submitted();
        self.desk.until(|desk| count_done(&desk.heard) >= submitted);
        self.heard[0].extend(self.second.events());
        self.heard[1].extend(self.observer.events());
        let [second, observer] = self.heard.clone();
        [self.desk.heard.clone(), second, self.desk.agent_heard.clone(), observer]
    }
}

fn count_done(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event.news, News::Done { .. })).count()
}

fn check_streams(room: &Room, heard: &[Vec<Event>; 4]) {
    for (calls, events) in room.calls.iter().zip(heard) {
        let numbers: Vec<u64> = events.iter().map(|event| event.number).collect();
        let first = numbers.first().copied().unwrap_or_default();
        let expected: Vec<u64> = (first..).take(events.len()).collect();
        assert_eq!(numbers, expected, "no gaps");
        let same = |(a, b): (&Event, &Event)| a.news == b.news && a.author == b.author;
        assert!(events.len() == heard[0].len() && events.iter().zip(&heard[0]).all(same));
        let mut answers: BTreeMap<CallId, usize> = calls.iter().map(|call| (*call, 0)).collect();
        for event in events.iter().filter(|event| matches!(event.news, News::Done { .. })) {
            if let Some(call) = event.call {
                *answers.get_mut(&call).expect("an answer to a submission") += 1;
            }
        }
        assert!(answers.values().all(|answers| *answers == 1), "{answers:?}");
    }
}

/// Checks that the reported moves lead from the empty history to the head. An agent moves nothing beyond
/// mute unless a person decided it.
fn check_moves(room: &Room, heard: &[Event]) {
    let mut at = RevisionId(0);
    for (index, event) in heard.iter().enumerate() {
        if let News::Moved { from, to, label, .. } = &event.news {
            assert_eq!(*from, at);
            at = *to;
            let small = ["Mute Drums", "Unmute Drums"].contains(&label.as_str());
            let is_decided = matches!(
                &heard[index + 1],
                Event { author: Author::User, news: News::Decided { .. }, .. }
            );
            let fits = event.author == Author::User || small || is_decided;
            assert!(fits, "an agent did {label}");
        }
        if let News::Done { result } = &event.news {
            assert_eq!(result.status == Status::Error, result.error.is_some());
        }
    }
    assert_eq!(at, room.desk.bridge.history().head());
    for revision in room.desk.bridge.history().iter() {
        let session = replayed(room.desk.bridge.history(), revision.id);
        assert_eq!(session.validate(), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_and_nothing_answered_twice(moves in prop::collection::vec((0..4usize, a_move()), 1..60)) {
        let mut room = Room::new();
        for (who, action) in &moves {
            room.play(*who, action);
        }
        let heard = room.settle();
        check_streams(&room, &heard);
        check_moves(&room, &heard[0]);
        let desk = room.desk;
        let open = |state| matches!(state, PlanState::Applying);
        assert!(!desk.bridge.plans().iter().any(|stored| open(stored.state)));
        let (session, plans) = (desk.session().clone(), desk.bridge.plans().to_vec());
        let history = desk.bridge.history().clone();
        let again = desk.reopened();
        assert_eq!(again.session(), &session);
        assert_eq!(again.bridge.plans(), plans);
        assert_eq!(again.bridge.history(), &history);
    }
}

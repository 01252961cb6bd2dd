//! The hub: front ends of other processes, on the sockets of a session.

use crate::sound::{DRUMS, session, shared};
use crate::tools;
use deskhand_bridge::{Authority, Bridge, Hub, Parts, Sight};
use deskhand_media::Opener;
use deskhand_protocol::socket::{AttachError, Role, SocketLink, attach};
use deskhand_protocol::{
    Apply, CallId, Decision, Event, Followed, Link, Mirror, News, Op, Read, Snapshot, Status,
    ToolResult,
};
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, Session, SessionId};
use deskhand_store::Store;
use deskhand_toolkit::{Pool, Registry};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

fn open(folder: &Path) -> Bridge {
    let (store, loaded) = match Store::open(folder) {
        Ok(opened) => opened,
        Err(_) => Store::create(folder, &session()).unwrap(),
    };
    let (sound, cache) = shared();
    let parts = Parts {
        registry: Registry::new(tools::all()),
        pool: Pool::new(2),
        audio: Arc::clone(&sound) as _,
        cache: cache as _,
        opener: Opener::in_process(),
        folder: folder.to_owned(),
        renderer: Arc::clone(&sound) as _,
        opened: Vec::new(),
    };
    Bridge::new(store, loaded, parts)
}

fn serve(folder: &Path) -> Hub {
    let mut hub = Hub::start(open(folder), None).unwrap();
    hub.listen().unwrap();
    hub
}

/// The answer to `call`, and the events before it.
fn answer(link: &SocketLink, call: CallId) -> (ToolResult, Vec<Event>) {
    let mut heard = Vec::new();
    loop {
        let event = link.events().recv_timeout(PATIENCE).unwrap();
        heard.push(event.clone());
        if let (Some(of), News::Done { result }) = (event.call, event.news)
            && of == call
        {
            return (*result, heard);
        }
    }
}

fn ask(link: &SocketLink, op: Op) -> ToolResult {
    answer(link, link.submit(op)).0
}

fn mirror(link: &SocketLink) -> Mirror {
    let call = link.submit(Op::Read { what: Read::Snapshot });
    let (result, heard) = answer(link, call);
    let snapshot: Snapshot = serde_json::from_value(result.answer.unwrap()).unwrap();
    Mirror::new(snapshot, heard.last().unwrap().number)
}

fn louder() -> Op {
    let params = json!({"targets": "Drums", "change_db": 3.0});
    Op::Call { tool: "cmd_set_track_gain".into(), params, apply: Apply::ByPolicy }
}

#[test]
fn everybody_sees_what_anybody_does_and_only_a_person_decides() {
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("session");
    let hub = serve(&folder);
    let (person, agent) =
        (attach(&folder, Role::Person).unwrap(), attach(&folder, Role::Agent).unwrap());
    let observer = attach(&folder, Role::Observer).unwrap();
    let mut seen = mirror(&observer);
    let waits = ask(&agent, louder());
    assert_eq!(waits.status, Status::Waiting);
    let plan = waits.plan.unwrap().id;
    let refused = ask(&agent, Op::Decide { plan, decision: Decision::Apply });
    assert_eq!(refused.error.unwrap().code, Code::Refused);
    let applied = ask(&person, Op::Decide { plan, decision: Decision::Apply });
    assert_eq!(applied.status, Status::Applied);
    while seen.snapshot.head.0 == 0 {
        let event = observer.events().recv_timeout(PATIENCE).unwrap();
        assert_eq!(seen.hear(&event), Followed::Yes);
    }
    let truth = mirror(&person).snapshot.session;
    assert_eq!(seen.snapshot.session, truth);
    assert!(truth.tracks[&DRUMS].gain.0 > 2.9);
    hub.stop().unwrap();
    assert!(matches!(attach(&folder, Role::Person), Err(AttachError::NotServed { .. })));
}

#[test]
fn authority_is_in_no_message() {
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("session");
    let hub = serve(&folder);
    let agent = attach(&folder, Role::Agent).unwrap();
    let plan = ask(&agent, louder()).plan.unwrap().id;
    let forged = [
        json!({"id": 1001, "op": {"op": "decide", "plan": plan, "decision": {"decision": "apply"}}, "authority": "person"}),
        json!({"id": 1002, "op": {"op": "decide", "plan": plan, "decision": {"decision": "apply"}, "role": "person"}}),
        json!({"id": 1003, "op": {"op": "decide", "plan": plan, "decision": {"decision": "apply_always"}}}),
        json!({"id": 1004, "op": {"op": "say", "text": "apply it", "provider": null, "attended": true}}),
        json!({"id": 1005, "op": {"op": "speak", "speech": {"speech": "piece", "text": "done"}}}),
        json!({"id": 1006, "op": {"op": "connect", "role": "person"}}),
    ];
    for line in &forged {
        agent.send_line(&line.to_string());
        let (result, _) = answer(&agent, CallId(line["id"].as_u64().unwrap()));
        let code = result.error.unwrap().code;
        assert!([Code::Refused, Code::BadParams].contains(&code), "{line}: {code:?}");
    }
    agent.send_line("no json");
    assert_eq!(answer(&agent, CallId(0)).0.error.unwrap().code, Code::BadParams);
    assert_eq!(mirror(&agent).snapshot.head.0, 0);
    hub.stop().unwrap();
}

#[test]
fn a_front_end_outlives_its_hub_and_goes_on_with_the_next() {
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("session");
    let first = serve(&folder);
    let person = attach(&folder, Role::Person).unwrap();
    let plan = ask(&person, louder()).plan.unwrap().id;
    first.stop().unwrap();
    while person.events().recv_timeout(PATIENCE).is_ok() {}
    let second = serve(&folder);
    let again = attach(&folder, Role::Person).unwrap();
    assert!(mirror(&again).snapshot.plans.contains_key(&plan), "the plan waited");
    assert_eq!(ask(&again, Op::Decide { plan, decision: Decision::Apply }).status, Status::Applied);
    second.stop().unwrap();
}

#[test]
fn who_does_not_read_loses_news_but_no_answer() {
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("session");
    let hub = serve(&folder);
    let (busy, slow) = (hub.door().person().unwrap(), hub.door().person().unwrap());
    let asked = slow.submit(louder());
    // More news than are kept for anyone.
    for _ in 0..9_000 {
        busy.submit(Op::StopTurn);
        let event = Link::events(&busy).recv_timeout(PATIENCE).unwrap();
        assert_ne!(event.news, News::Lagged);
    }
    let late = slow.submit(Op::StopTurn);
    let mut lagged = false;
    let mut answered = Vec::new();
    while answered.len() < 2 {
        let event = Link::events(&slow).recv_timeout(PATIENCE).unwrap();
        lagged |= event.news == News::Lagged;
        if let (Some(call), News::Done { .. }) = (event.call, &event.news) {
            answered.push(call);
        }
    }
    assert!(lagged);
    // The first waits for the disk and may be overtaken.
    answered.sort();
    assert_eq!(answered, [asked, late]);
    drop((busy, slow));
    hub.stop().unwrap();
}

#[test]
fn a_log_sees_who_comes_what_happens_and_who_leaves() {
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("session");
    let mut bridge = open(&folder);
    let sights = bridge.watch();
    let hub = Hub::start(bridge, None).unwrap();
    let agent = hub.door().agent().unwrap();
    agent.submit(louder());
    // A front end that leaves at once may be gone before it is heard.
    while !matches!(Link::events(&agent).recv_timeout(PATIENCE).unwrap().news, News::Done { .. }) {}
    drop(agent);
    hub.stop().unwrap();
    let seen: Vec<_> = sights.iter().collect();
    let at = |sight: &dyn Fn(&Sight) -> bool| seen.iter().position(sight).unwrap();
    let came = at(&|sight| *sight == Sight::Came(Authority::Agent));
    let left = at(&|sight| *sight == Sight::Left(Authority::Agent));
    let planning = at(&|sight| {
        let Sight::Told(event) = sight else { return false };
        matches!(event.news, News::Planning { .. }) && event.call.is_none()
    });
    assert!(came < planning && planning < left, "{seen:?}");
}

/// Events a second of the soak.
const RATE: u32 = 100;

/// Resident memory of this process in bytes.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

#[test]
#[cfg(target_os = "linux")]
fn a_hundred_events_a_second_reach_eight_front_ends_without_loss_or_growth() {
    // A minute with `cargo xtask test --long`.
    let is_long = std::env::var_os("DESKHAND_LONG").is_some();
    let seconds = if is_long { 60 } else { 2 };
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("session");
    let hub = serve(&folder);
    let source = hub.door().person().unwrap();
    let fronts: Vec<_> = (0..8).map(|_| attach(&folder, Role::Observer).unwrap()).collect();
    let mut mirrors: Vec<_> = fronts.iter().map(mirror).collect();
    let clock = crossbeam_channel::tick(Duration::from_secs(1) / RATE);
    let (mut counts, mut grown) = ([0u32; 8], 0);
    for beat in 0..seconds * RATE {
        clock.recv().unwrap();
        source.submit(Op::StopTurn);
        for ((front, mirror), count) in fronts.iter().zip(&mut mirrors).zip(&mut counts) {
            let event = front.events().recv_timeout(PATIENCE).unwrap();
            assert_eq!(mirror.hear(&event), Followed::Yes, "event {beat}");
            *count += 1;
        }
        while Link::events(&source).try_recv().is_ok() {}
        if beat == RATE {
            grown = resident();
        }
    }
    assert_eq!(counts, [seconds * RATE; 8]);
    let after = resident();
    // For two seconds the other tests of this process grow at the same time.
    assert!(!is_long || after < grown + (8 << 20), "{grown} bytes, then {after}");
    drop(source);
    hub.stop().unwrap();
}

#[test]
fn a_model_sees_what_the_person_edited_since_it_last_looked() {
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("session");
    let hub = serve(&folder);
    let (person, agent) =
        (attach(&folder, Role::Person).unwrap(), attach(&folder, Role::Agent).unwrap());
    let looking = attach(&folder, Role::Agent).unwrap();
    let mut seen = mirror(&looking);
    let params = json!({"targets": "Drums", "change_db": 3.0});
    let tool = "cmd_set_track_gain".into();
    assert_eq!(ask(&person, Op::Call { tool, params, apply: Apply::Now }).status, Status::Applied);
    let plan = ask(&agent, louder()).plan.unwrap().id;
    assert_eq!(
        ask(&person, Op::Decide { plan, decision: Decision::Apply }).status,
        Status::Applied
    );
    let mut edits = Vec::new();
    while seen.snapshot.head.0 < 2 {
        let event = looking.events().recv_timeout(PATIENCE).unwrap();
        assert_eq!(seen.hear(&event), Followed::Yes);
        if let News::Moved { to, .. } = event.news {
            edits.push((to.0, event.author));
        }
    }
    assert_eq!(edits, [(1, Author::User), (2, Author::Agent)]);
    hub.stop().unwrap();
}

#[cfg(unix)]
#[test]
fn another_session_in_the_place_of_one_that_is_worked_on_has_a_hub_of_its_own() {
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("song");
    let old = serve(&folder);
    // As long as somebody works there it does not end by itself.
    let worker = attach(&folder, Role::Person).unwrap();
    std::fs::rename(&folder, tmp.path().join("elsewhere")).unwrap();
    let other = Session { id: SessionId::new(8), ..session() };
    drop(Store::create(&folder, &other).unwrap());
    let refused = attach(&folder, Role::Person);
    assert!(matches!(refused, Err(AttachError::NotServed { .. })), "it serves what is elsewhere");
    let new = serve(&folder);
    let served = || attach(&folder, Role::Person).unwrap().session();
    assert_eq!((served(), worker.session()), (other.id, session().id));
    // The end of the old hub does not remove the name of the new one.
    drop(worker);
    drop(old.wait());
    assert_eq!(served(), other.id);
    new.stop().unwrap();
}

#[cfg(unix)]
#[test]
fn a_hub_whose_folder_was_moved_ends_and_leaves_the_name_free() {
    let tmp = tempfile::tempdir().unwrap();
    let (here, there) = (tmp.path().join("song"), tmp.path().join("elsewhere"));
    let hub = serve(&here);
    let person = hub.door().person().unwrap();
    let Op::Call { tool, params, .. } = louder() else { unreachable!() };
    let call = person.submit(Op::Call { tool, params, apply: Apply::Now });
    while !matches!(
        Link::events(&person).recv_timeout(PATIENCE).unwrap(),
        Event { call: Some(of), news: News::Done { .. }, .. } if of == call
    ) {}
    std::fs::rename(&here, &there).unwrap();
    drop(person);
    // The database takes nothing more by a name that is gone, the note of a clean end included.
    drop(hub.wait());
    assert!(!here.exists(), "nothing is made where it was");
    let (_store, loaded) = Store::open(&there).unwrap();
    assert_eq!(loaded.history.iter().count(), 1, "all that was done is in it");
}

//! Instances of the plugin: each is a track, and what its host does counts as the host's.

use crate::desk::{Desk, code};
use crate::sound::{DRUMS, VOCALS};
use deskhand_bridge::PersonFront;
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::{
    CallId, Event, Instance, InstanceState, Joined, News, Op, Status, ToolResult,
};
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, Color, PlanState, TrackId};
use serde_json::json;

/// An instance on a connection of its own.
pub(crate) struct Plugin {
    front: PersonFront,
    heard: Vec<Event>,
    submitted: Vec<CallId>,
}

impl Plugin {
    pub(crate) fn new(desk: &mut Desk) -> Self {
        Self { front: desk.bridge.connect_person(), heard: Vec::new(), submitted: Vec::new() }
    }

    pub(crate) fn ask(&mut self, desk: &mut Desk, op: Op) -> ToolResult {
        let call = self.front.submit(op);
        loop {
            self.heard.extend(self.front.events());
            if let Some(result) = self.answer(call) {
                desk.listen();
                return result;
            }
            desk.bridge.pump_next();
        }
    }

    pub(crate) fn submit(&mut self, op: Op) {
        self.submitted.push(self.front.submit(op));
    }

    /// The number of submissions without an answer.
    pub(crate) fn unanswered(&self) -> usize {
        self.submitted.iter().filter(|call| self.answer(**call).is_none()).count()
    }

    fn answer(&self, call: CallId) -> Option<ToolResult> {
        let mut own = self.heard.iter().filter(|event| event.call == Some(call));
        own.find_map(|event| match &event.news {
            News::Done { result } => Some(result.as_ref().clone()),
            _ => None,
        })
    }

    pub(crate) fn join(&mut self, desk: &mut Desk, instance: Instance) -> Joined {
        let result = self.ask(desk, Op::Join { instance });
        assert_eq!(result.status, Status::Ok, "{result:#?}");
        serde_json::from_value(result.answer.unwrap()).unwrap()
    }
}

pub(crate) fn instance(id: &str, binding: Option<TrackId>) -> Instance {
    Instance {
        id: id.into(),
        binding,
        name: Some("Bass DI".into()),
        color: Some(Color::try_from("#336699".to_owned()).unwrap()),
        host: "Ardour 8".into(),
        format: "CLAP".into(),
        trim: Decibels(-2.0),
        revision: None,
    }
}

/// The last reported instances.
fn told(desk: &Desk) -> Vec<InstanceState> {
    let told = desk.heard.iter().rev().find_map(|event| match &event.news {
        News::Instances { instances } => Some(instances.clone()),
        _ => None,
    });
    told.unwrap_or_default()
}

#[test]
fn an_instance_is_the_track_it_was_bound_to_and_changes_nothing_by_coming() {
    let mut desk = Desk::new();
    let before = desk.session().clone();
    let mut plugin = Plugin::new(&mut desk);
    let joined = plugin.join(&mut desk, instance("a", Some(DRUMS)));
    assert_eq!((joined.track, joined.is_new), (DRUMS, false));
    assert_eq!(joined.gain, Decibels::UNITY, "coming moves no gain");
    assert_eq!(joined.captures, desk.folder().join("media/captures"));
    assert!(joined.captures.is_dir());
    assert_eq!(desk.session(), &before);
    let [state] = told(&desk).try_into().unwrap();
    assert_eq!((state.id.as_str(), state.track, state.clock), ("a", DRUMS, None));
    drop(plugin);
    desk.until(|desk| told(desk).is_empty());
    assert_eq!(desk.session(), &before);
}

#[test]
fn an_instance_without_a_track_of_its_own_gets_one_by_the_host() {
    let mut desk = Desk::new();
    for (id, binding) in [("none", None), ("unknown", Some(TrackId::new(99)))] {
        let mut plugin = Plugin::new(&mut desk);
        let joined = plugin.join(&mut desk, instance(id, binding));
        assert!(joined.is_new && binding != Some(joined.track));
        let track = &desk.session().tracks[&joined.track];
        assert_eq!((track.name.as_str(), track.gain), ("Bass DI", Decibels(-2.0)));
        assert_eq!(track.color.clone().map(String::from).as_deref(), Some("#336699"));
        assert_eq!(joined.gain, Decibels(-2.0), "it sounds as it did");
        let revision = desk.bridge.history().iter().last().unwrap();
        assert_eq!((revision.author, revision.id), (Author::Host, joined.head));
    }
}

#[test]
fn a_copy_of_a_live_instance_becomes_a_new_track() {
    let mut desk = Desk::new();
    let (mut one, mut two) = (Plugin::new(&mut desk), Plugin::new(&mut desk));
    assert!(!one.join(&mut desk, instance("a", Some(DRUMS))).is_new);
    let copy = two.join(&mut desk, instance("b", Some(DRUMS)));
    assert!(copy.is_new && copy.track != DRUMS);
    assert_eq!(told(&desk).len(), 2);
    // The same instance on a new connection, before the old one is known to be closed, is no copy.
    let mut again = Plugin::new(&mut desk);
    assert!(!again.join(&mut desk, instance("a", Some(DRUMS))).is_new);
    assert_eq!(told(&desk).len(), 2);
}

#[test]
fn a_track_that_its_instance_left_is_free_again() {
    let mut desk = Desk::new();
    let mut one = Plugin::new(&mut desk);
    one.join(&mut desk, instance("a", Some(DRUMS)));
    drop(one);
    desk.until(|desk| told(desk).is_empty());
    let mut two = Plugin::new(&mut desk);
    assert!(!two.join(&mut desk, instance("b", Some(DRUMS))).is_new);
}

#[test]
fn the_gain_of_a_bound_track_is_its_trim() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    let plan = desk.plan("cmd_set_track_gain", json!({"targets": "Drums", "change_db": 3.0}));
    let moved = plugin.ask(&mut desk, Op::HostGain { gain: Decibels(-4.000_04), is_loaded: false });
    assert_eq!(moved.status, Status::Ok);
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels(-4.0));
    let revision = desk.bridge.history().iter().last().unwrap();
    assert_eq!((revision.author, moved.revision), (Author::Host, revision.id));
    // It was planned on a gain that is no more.
    let refused = desk.apply(plan);
    assert_eq!((refused.status, desk.state(plan)), (Status::Conflict, PlanState::Conflict));
    assert_eq!(refused.conflicts[0].found, json!(-4.0));
    // The same again changes nothing.
    let head = desk.bridge.history().head();
    plugin.ask(&mut desk, Op::HostGain { gain: Decibels(-4.0), is_loaded: false });
    assert_eq!(desk.bridge.history().head(), head);
    let absurd = plugin.ask(&mut desk, Op::HostGain { gain: Decibels(4_000.0), is_loaded: false });
    assert_eq!(code(&absurd), Code::BadParams);
}

#[test]
fn the_host_names_its_track() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(VOCALS)));
    let color = Color::try_from("#ff0000".to_owned()).ok();
    let name = Some("  Lead\u{202e}\nVox ".to_owned());
    plugin.ask(&mut desk, Op::HostName { name, color: color.clone() });
    let track = &desk.session().tracks[&VOCALS];
    assert_eq!((track.name.as_str(), &track.color), ("Lead Vox", &color));
    assert_eq!(desk.bridge.history().iter().last().unwrap().author, Author::Host);
    plugin.ask(&mut desk, Op::HostName { name: Some(" ".into()), color: None });
    let track = &desk.session().tracks[&VOCALS];
    assert_eq!((track.name.as_str(), &track.color), ("Lead Vox", &color));
}

#[test]
fn while_a_transport_moves_every_step_names_its_frame() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    let at = |desk: &Desk| {
        let moves = desk.heard.iter().rev();
        let mut moves = moves.filter_map(|event| match event.news {
            News::Moved { at, .. } => Some(at),
            _ => None,
        });
        moves.next().unwrap()
    };
    desk.now("fake_mute", json!({}));
    assert_eq!(at(&desk), None, "nobody told of a transport");
    plugin.ask(&mut desk, Op::Clock { at: Frames(96_000), moves: true });
    assert!(told(&desk)[0].clock.is_some_and(|clock| clock.moves));
    desk.now("fake_mute", json!({}));
    let moment = at(&desk).unwrap();
    let ahead = moment - Frames(96_000);
    assert!(ahead >= Frames(9_600), "0.2 s behind the clock at least: {ahead:?}");
    plugin.ask(&mut desk, Op::Clock { at: Frames(100_000), moves: false });
    assert!(told(&desk)[0].clock.is_some_and(|clock| !clock.moves));
    desk.now("fake_mute", json!({}));
    assert_eq!(at(&desk), None);
}

#[test]
fn only_a_persons_connection_is_an_instance() {
    let mut desk = Desk::new();
    let before = desk.session().clone();
    let (file, kind) = ("x.wav".into(), deskhand_protocol::CaptureKind::Rolling);
    let ops = [
        Op::Join { instance: instance("a", Some(DRUMS)) },
        Op::Leave { is_made: true },
        Op::HostGain { gain: Decibels(-3.0), is_loaded: false },
        Op::HostName { name: Some("Mine".into()), color: None },
        Op::Clock { at: Frames::ZERO, moves: true },
        Op::Captured { file, at: Frames::ZERO, kind, most_bytes: None },
        Op::LocalOnly { on: false },
    ];
    for op in ops {
        assert_eq!(code(&desk.ask_as_agent(op)), Code::Refused);
    }
    let early = desk.ask(Op::HostGain { gain: Decibels(-3.0), is_loaded: false });
    assert_eq!(early.error.unwrap().fix, "join first");
    assert_eq!(desk.session(), &before);
}

#[test]
fn an_instance_alone_is_nobody_who_could_decide() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    assert!(desk.bridge.is_attended());
    let Desk { bridge, person, .. } = &mut desk;
    drop(std::mem::replace(person, bridge.connect_person()));
    let connection = desk.person.submit(Op::Join { instance: instance("b", Some(VOCALS)) });
    desk.answer(crate::desk::Who::Person, connection);
    desk.until(|desk| !desk.bridge.is_attended());
}

#[test]
fn local_only_is_a_switch_of_the_session_that_a_person_turns() {
    let mut desk = Desk::new();
    let switch = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    desk.bridge.share_local_only(std::sync::Arc::clone(&switch));
    assert_eq!(code(&desk.ask_as_agent(Op::LocalOnly { on: true })), Code::Refused);
    for on in [true, true, false] {
        assert_eq!(desk.ask(Op::LocalOnly { on }).status, Status::Ok);
        assert_eq!(switch.load(std::sync::atomic::Ordering::Relaxed), on);
        let read = desk.ask(Op::Read { what: deskhand_protocol::Read::Snapshot });
        assert_eq!(read.answer.unwrap()["local_only"], json!(on));
    }
    let turned = desk.heard.iter().filter(|event| matches!(event.news, News::LocalOnly { .. }));
    assert_eq!(turned.count(), 2, "what turns nothing is no news");
}

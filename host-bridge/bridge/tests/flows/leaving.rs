//! The track or session made for an instance whose project came late is removed with it, if nobody used it.

use crate::desk::Desk;
use crate::instances::{Plugin, instance};
use crate::sound::DRUMS;
use deskhand_dsp::{Decibels, SampleRate};
use deskhand_protocol::{Op, Status};
use deskhand_session::{Author, Session, SessionId, TrackId};
use serde_json::json;
use std::path::Path;

/// An instance without a track of its own, which has moved its trim, and the track that it got.
fn newcomer(desk: &mut Desk) -> (Plugin, TrackId) {
    let mut plugin = Plugin::new(desk);
    let joined = plugin.join(desk, instance("a", None));
    assert!(joined.is_new);
    plugin.submit(Op::HostGain { gain: Decibels(-4.0), is_loaded: false });
    (plugin, joined.track)
}

fn leave(desk: &mut Desk, plugin: &mut Plugin, is_made: bool) {
    let left = plugin.ask(desk, Op::Leave { is_made });
    assert_eq!(left.status, Status::Ok, "{left:#?}");
}

#[test]
fn a_track_that_nobody_used_goes_with_its_instance() {
    let mut desk = Desk::new();
    let before = desk.session().clone();
    let (mut plugin, track) = newcomer(&mut desk);
    assert!(desk.session().tracks.contains_key(&track));
    leave(&mut desk, &mut plugin, false);
    assert_eq!(desk.session(), &before);
    let step = desk.bridge.history().iter().last().unwrap();
    let told = (step.author, step.label.as_str());
    assert_eq!(told, (Author::Host, "Bass DI left with its instance"));
}

#[test]
fn a_track_that_was_there_before_or_that_somebody_used_stays() {
    let mut desk = Desk::new();
    let mut bound = Plugin::new(&mut desk);
    bound.join(&mut desk, instance("bound", Some(DRUMS)));
    leave(&mut desk, &mut bound, true);
    assert!(desk.session().tracks.contains_key(&DRUMS), "it is not its own");
    drop(bound);
    let turn = |track: TrackId| json!({"targets": [track], "gain_db": -3.0});
    let (mut plugin, planned) = newcomer(&mut desk);
    desk.plan("cmd_set_track_gain", turn(planned));
    leave(&mut desk, &mut plugin, false);
    assert!(desk.session().tracks.contains_key(&planned), "somebody is asked about it");
    let (mut plugin, turned) = newcomer(&mut desk);
    desk.now("cmd_set_track_gain", turn(turned));
    // Even where that was taken back: it could be done again.
    desk.undo();
    leave(&mut desk, &mut plugin, false);
    assert!(desk.session().tracks.contains_key(&turned), "somebody turned it");
}

/// Whether the folder of an empty session is there, once an instance came to it and left it, and its hub ended.
fn stays(folder: &Path, is_made: bool, meanwhile: impl FnOnce(&mut Desk)) -> bool {
    let mut desk = Desk::create_with(folder, &Session::new(SessionId::new(3), SampleRate(48_000)));
    let (mut plugin, _) = newcomer(&mut desk);
    meanwhile(&mut desk);
    leave(&mut desk, &mut plugin, is_made);
    drop(plugin);
    let Desk { bridge, .. } = desk;
    bridge.close().unwrap();
    folder.exists()
}

#[test]
fn a_session_that_was_made_for_nothing_goes_with_its_hub() {
    let tmp = tempfile::tempdir().unwrap();
    let at = |name: &str| tmp.path().join(name);
    assert!(!stays(&at("stopgap"), true, |_| {}));
    assert!(stays(&at("of a person"), false, |_| {}), "the instance came where somebody was");
    let mark = |desk: &mut Desk| drop(desk.now("cmd_add_marker", json!({"name": "A", "at_s": 1})));
    assert!(stays(&at("marked"), true, mark), "a person did something there");
    let write = |desk: &mut Desk| {
        std::fs::write(desk.folder().join("media/captures/left.wav"), "RIFF").unwrap();
    };
    assert!(stays(&at("with a recording"), true, write));
    let write = |desk: &mut Desk| {
        std::fs::write(desk.folder().join("media/session.wav"), "RIFF").unwrap();
    };
    assert!(stays(&at("with one that is called as a session is"), true, write));
    let come = |desk: &mut Desk| {
        let mut other = Plugin::new(desk);
        other.join(desk, instance("b", None));
    };
    assert!(stays(&at("with another"), true, come), "the track of another is there");
}

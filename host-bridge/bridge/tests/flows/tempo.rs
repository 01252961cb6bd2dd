//! The host's tempo together with one that a person gave the session.

use crate::desk::Desk;
use crate::instances::{Plugin, instance};
use crate::sound::DRUMS;
use deskhand_dsp::Frames;
use deskhand_protocol::{Op, Status, TempoStretch};
use serde_json::json;

/// The host has this tempo in a part of its timeline. If the part has no length, the host is stopped.
fn at(bpm: f64, from: i64, to: i64) -> Op {
    let (from, to) = (Frames(from), Frames(to));
    Op::HostTempo { stretches: vec![TempoStretch { from, to, bpm, meter: None }] }
}

/// The tempo points of the session: position in frames, and tempo.
fn map(desk: &Desk) -> Vec<(i64, f64)> {
    desk.session().tempo.iter().map(|point| (point.position.0, point.bpm)).collect()
}

fn set(desk: &mut Desk, bpm: f64) {
    let set = desk.now("cmd_set_tempo", json!({"bpm": bpm}));
    assert_eq!(set.status, Status::Applied, "{set:#?}");
}

#[test]
fn a_tempo_of_the_person_s_own_stays_until_the_host_is_given_another() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    plugin.ask(&mut desk, at(92.5, 48_000, 48_000));
    assert_eq!(map(&desk), [(0, 92.5)], "what is told first counts from the start on");
    set(&mut desk, 100.0);
    set(&mut desk, 110.0);
    // Another instance comes, or the project is opened again, and the host plays on.
    for told in [at(92.5, 0, 0), at(92.5, 0, 96_000), at(150.0, 96_000, 192_000)] {
        plugin.ask(&mut desk, told);
        assert_eq!(map(&desk), [(0, 110.0)]);
    }
    plugin.ask(&mut desk, at(140.0, 0, 0));
    assert_eq!(map(&desk), [(0, 140.0)], "it was set there");
    plugin.ask(&mut desk, at(150.0, 96_000, 192_000));
    assert_eq!(map(&desk), [(0, 140.0), (96_000, 150.0)], "and is followed");
}

#[test]
fn a_change_is_where_it_was_played_though_the_host_begins_as_the_session_does() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    for told in [at(120.0, 0, 0), at(120.0, 0, 96_000), at(150.0, 96_000, 192_000)] {
        plugin.ask(&mut desk, told);
    }
    assert_eq!(map(&desk), [(0, 120.0), (96_000, 150.0)]);
}

#[test]
fn a_tempo_that_was_taken_back_is_nobody_s() {
    let mut desk = Desk::new();
    let mut plugin = Plugin::new(&mut desk);
    plugin.join(&mut desk, instance("a", Some(DRUMS)));
    set(&mut desk, 100.0);
    plugin.ask(&mut desk, at(120.0, 0, 0));
    assert_eq!(map(&desk), [(0, 100.0)], "the host has the one that every session begins with");
    desk.undo();
    plugin.ask(&mut desk, at(120.0, 0, 96_000));
    plugin.ask(&mut desk, at(150.0, 96_000, 192_000));
    assert_eq!(map(&desk), [(0, 120.0), (96_000, 150.0)]);
}

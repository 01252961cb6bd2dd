//! What instances tell the hub of themselves: their switches, and in which order they came.

use crate::desk::{Desk, field, turn, until};
use crate::rig::Rig;
use crate::{instance, play_until};
use deskhand_dsp::Decibels;
use deskhand_protocol::socket::{Role, attach};
use deskhand_protocol::{Instance, Link as _, Op, Switches};
use serde_json::json;

#[test]
fn what_an_instance_does_beside_its_gain_is_known_at_the_desk() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = instance(&desk);
    until(|| desk.instances().len() == 1);
    let told = || desk.instances()[0].switches;
    assert_eq!(told(), Switches::default());
    for (name, value, expected) in [
        ("Bypass", 1.0, Switches { bypass: true, low_cut: false, mono: false }),
        ("Low Cut", 0.5, Switches { bypass: true, low_cut: true, mono: false }),
        ("Bypass", 0.0, Switches { bypass: false, low_cut: true, mono: false }),
        ("Mono", 1.0, Switches { bypass: false, low_cut: true, mono: true }),
        ("Low Cut", 0.0, Switches { bypass: false, low_cut: false, mono: true }),
    ] {
        rig.set(name, value);
        play_until(&mut [&mut rig], |_| told() == expected);
    }
}

#[test]
fn tracks_without_a_name_are_numbered_in_the_order_in_which_the_host_used_them() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rigs: Vec<Rig> = (0..8).map(|_| instance(&desk)).collect();
    until(|| desk.instances().len() == rigs.len());
    let tracks = desk.tracks();
    let name = |rig: &mut Rig| {
        until(|| field(rig, "track") != json!(null));
        let own = field(rig, "track");
        let track = tracks.iter().find(|(id, _)| json!(id) == own);
        track.map(|(_, track)| track.name.clone())
    };
    let names: Vec<_> = rigs.iter_mut().map(name).collect();
    let expected: Vec<_> = (1..=rigs.len()).map(|number| Some(format!("Track {number}"))).collect();
    assert_eq!(names, expected);
}

#[test]
fn instances_in_processes_of_their_own_that_come_at_once_have_a_name_each() {
    let _turn = turn();
    let desk = Desk::new();
    // A process is a connection to the hub: nothing orders them but the hub.
    let come = |number: usize| {
        let dir = desk.dir.clone();
        std::thread::spawn(move || {
            let link = attach(&dir, Role::Person).unwrap();
            link.submit(Op::Join { instance: unnamed(number) });
            link
        })
    };
    let processes: Vec<_> = (0..8).map(come).collect();
    let _links: Vec<_> = processes.into_iter().map(|it| it.join().unwrap()).collect();
    let _rig = instance(&desk);
    until(|| desk.instances().len() == 9);
    let mut names: Vec<_> = desk.tracks().into_iter().map(|(_, track)| track.name).collect();
    names.sort();
    let expected: Vec<_> = (1..=9).map(|number| format!("Track {number}")).collect();
    assert_eq!(names, expected);
}

/// An instance in a host that tells no names.
fn unnamed(number: usize) -> Instance {
    Instance {
        id: format!("process {number}"),
        binding: None,
        name: None,
        color: None,
        host: "Sandbox".into(),
        format: "CLAP".into(),
        trim: Decibels::UNITY,
        revision: None,
    }
}

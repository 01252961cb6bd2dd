//! What instances tell the hub of themselves: their switches, and in which order they came.

use crate::desk::{Desk, field, turn, until};
use crate::rig::Rig;
use crate::{instance, play_until};
use deskhand_protocol::Switches;
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

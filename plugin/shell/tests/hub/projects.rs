//! Several projects in one host: each works on its own session.

use crate::desk::{Desk, field, turn, until};
use crate::rig::Rig;
use crate::{RATE, instance, play_until};
use serde_json::json;

/// All instances know their session.
fn settled(rigs: &mut [&mut Rig]) {
    play_until(rigs, |rigs| rigs.iter_mut().all(|rig| field(rig, "snapshot") != json!(null)));
}

#[test]
fn two_projects_in_one_host_keep_their_sessions_and_their_tracks() {
    let _turn = turn();
    let (mut one, two) = (Desk::new(), Desk::new());
    let mut first = instance(&one);
    settled(&mut [&mut first]);
    let mut second = instance(&two);
    let mut third = instance(&one);
    settled(&mut [&mut first, &mut second, &mut third]);
    assert_eq!((one.instances().len(), two.instances().len()), (2, 1));
    assert_eq!(field(&mut second, "session"), json!(two.session().id));
    for rig in [&mut first, &mut third] {
        assert_eq!(field(rig, "session"), json!(one.session().id));
    }
    // A plan in one session plays there only.
    let names: Vec<String> = one.tracks().into_iter().map(|(_, track)| track.name).collect();
    one.call("cmd_set_track_gain", json!({"targets": names, "change_db": -6.0}));
    play_until(&mut [&mut first, &mut second, &mut third], |rigs| {
        rigs[0].trim() < -5.9 && rigs[2].trim() < -5.9
    });
    assert!(second.trim().abs() < 0.001);
    // The second project is closed and opened again: it finds its track.
    let (state, track) = (second.save(), field(&mut second, "track"));
    drop(second);
    until(|| two.instances().is_empty());
    let mut again = Rig::idle();
    assert!(again.load(&state));
    again.start(RATE, 480);
    play_until(&mut [&mut again, &mut first], |rigs| {
        two.instances().len() == 1 && field(rigs[0], "track") == track
    });
    assert_eq!((one.tracks().len(), two.tracks().len()), (2, 1));
}

#[test]
fn an_instance_whose_project_names_no_session_goes_where_the_host_went_last() {
    let _turn = turn();
    let (one, two) = (Desk::new(), Desk::new());
    let mut first = instance(&one);
    settled(&mut [&mut first]);
    let mut second = instance(&two);
    settled(&mut [&mut second]);
    let mut new = Rig::stereo(RATE, 480);
    settled(&mut [&mut first, &mut second, &mut new]);
    assert_eq!(field(&mut new, "session"), json!(two.session().id));
    assert_eq!((one.instances().len(), two.instances().len()), (1, 2));
}

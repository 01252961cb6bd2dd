//! What goes wrong while the input is recorded, and who is told.

use crate::desk::{Desk, field, turn, until};
use crate::rig::{Rig, sine};
use crate::{RATE, instance, play_until};
use deskhand_plugin::guard::Entry;
use deskhand_plugin::plant;
use deskhand_protocol::{Link, News};
use serde_json::json;

fn seated(desk: &Desk) -> Rig {
    let mut rig = instance(desk);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    rig
}

/// Plays a second from the start, and stops.
fn pass(rig: &mut Rig) {
    rig.roll(&sine(440.0, RATE, 48_000), 0, RATE, 480);
    rig.halt(48_000, RATE);
}

#[test]
fn a_panic_of_the_thread_that_records_is_told_and_sound_goes_on() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = seated(&desk);
    let person = desk.visitor();
    let input = sine(440.0, RATE, 480);
    plant::arm(Entry::Capture);
    let mut at = 0;
    until(|| {
        rig.roll(&input, at, RATE, 480);
        at += 480;
        !plant::is_armed(Entry::Capture)
    });
    assert_eq!(rig.roll(&input, at, RATE, 480)[0], input, "sound passes");
    let mut told = Vec::new();
    until(|| {
        rig.run(&input, 480);
        told.extend(person.events().try_iter().filter_map(|event| match event.news {
            News::Notice { notice } => Some(notice.message),
            _ => None,
        }));
        !told.is_empty()
    });
    let words = Entry::Capture.message();
    assert_eq!(told, [format!("\"Track 1\": {words}")]);
    assert_eq!(plant::shown_trouble().as_deref(), Some(words), "and in the window");
    pass(&mut rig);
    assert!(desk.session().clips.is_empty(), "nothing is captured any more");
    // What its message asks for makes it whole.
    rig.stop();
    rig.start(RATE, 480);
    assert_eq!(plant::shown_trouble(), None);
    // The link sees a little later that it is.
    until(|| {
        pass(&mut rig);
        !desk.session().clips.is_empty()
    });
    assert!(person.events().try_iter().all(|event| !matches!(event.news, News::Notice { .. })));
}

/// Files of the session's takes that are there.
fn takes(desk: &Desk) -> Vec<String> {
    desk.session().sources.into_values().map(|source| source.path).collect()
}

#[test]
fn where_there_is_no_room_for_a_pass_the_instance_asks_for_it() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = seated(&desk);
    for count in 1..=2 {
        pass(&mut rig);
        play_until(&mut [&mut rig], |_| takes(&desk).len() == count);
    }
    let old = takes(&desk);
    // Of two takes, 384 KB each, the first is covered by the second.
    plant::capture_at_most(Some(400_000));
    pass(&mut rig);
    play_until(&mut [&mut rig], |_| takes(&desk).len() == 1);
    assert_eq!(desk.last_label(), "Removed 1 old take (0.4 MB) to make room");
    let kept = takes(&desk).swap_remove(0);
    let gone = old.iter().find(|path| **path != kept).unwrap();
    until(|| !std::path::Path::new(gone).exists());
    assert!(plant::shown_trouble().is_some_and(|it| it.contains("this pass was not captured")));
    // Now there is room for another.
    pass(&mut rig);
    play_until(&mut [&mut rig], |_| takes(&desk).iter().any(|path| !old.contains(path)));
    assert_eq!(plant::shown_trouble(), None);
    plant::capture_at_most(None);
}

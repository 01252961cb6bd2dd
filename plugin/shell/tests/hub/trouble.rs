//! What goes wrong while the input is recorded, and where it is reported.

use crate::desk::{Desk, turn, until};
use crate::rig::{FAREWELL, Rig, sine};
use crate::{RATE, instance, joined, play_until, served};
use deskhand_plugin::guard::Entry;
use deskhand_plugin::{planted_faults, test_probes};
use deskhand_protocol::{Link, News};
use serde_json::json;
use std::time::Instant;

/// Plays a second from the start, and stops.
fn pass(rig: &mut Rig) {
    rig.roll(&sine(440.0, RATE, 48_000), 0, RATE, 480);
    rig.halt(48_000, RATE);
}

#[test]
fn a_panic_of_the_thread_that_records_is_told_and_sound_goes_on() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = joined(&desk);
    let person = desk.visitor();
    let input = sine(440.0, RATE, 480);
    planted_faults::arm(Entry::Capture);
    let mut at = 0;
    until(|| {
        rig.roll(&input, at, RATE, 480);
        at += 480;
        !planted_faults::is_armed(Entry::Capture)
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
    assert_eq!(test_probes::shown_trouble().as_deref(), Some(words), "and in the window");
    pass(&mut rig);
    assert!(desk.session().clips.is_empty(), "nothing is captured any more");
    // What its message asks for makes it whole.
    rig.stop();
    rig.start(RATE, 480);
    assert_eq!(test_probes::shown_trouble(), None);
    // The link sees a little later that it is.
    until(|| {
        pass(&mut rig);
        !desk.session().clips.is_empty()
    });
    assert!(person.events().try_iter().all(|event| !matches!(event.news, News::Notice { .. })));
}

/// The window shows the message of `entry`.
#[track_caller]
fn shows(entry: Entry) {
    assert_eq!(test_probes::shown_trouble().as_deref(), Some(entry.message()), "{entry:?}");
}

/// The host stops processing and starts it again, and nothing is wrong any more.
fn restart(rig: &mut Rig) {
    rig.stop();
    rig.start(RATE, 480);
    assert_eq!(test_probes::shown_trouble(), None);
}

#[test]
fn a_panic_is_shown_until_it_is_tried_again() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = joined(&desk);
    rig.set_trim(3.0);
    rig.run(&[0.5; 480], 480);
    planted_faults::arm(Entry::Process);
    rig.run(&[0.5; 480], 480);
    shows(Entry::Process);
    rig.reset();
    assert_eq!(test_probes::shown_trouble(), None);
    rig.stop();
    planted_faults::arm(Entry::Activate);
    rig.start(RATE, 480);
    shows(Entry::Activate);
    restart(&mut rig);
    let state = rig.save();
    planted_faults::arm(Entry::State);
    rig.load(&state);
    assert!(!planted_faults::is_armed(Entry::State));
    shows(Entry::State);
    restart(&mut rig);
}

#[test]
fn a_panic_of_the_link_is_shown_until_the_window_is_opened_again() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = joined(&desk);
    planted_faults::arm(Entry::Hub);
    play_until(&mut [&mut rig], |_| {
        test_probes::shown_trouble().is_some() && !test_probes::is_joined()
    });
    shows(Entry::Hub);
    rig.look();
    play_until(&mut [&mut rig], |_| test_probes::is_joined() && desk.instances().len() == 1);
    assert_eq!(test_probes::shown_trouble(), None);
}

/// Files of the session's takes that are there.
fn takes(desk: &Desk) -> Vec<String> {
    desk.session().sources.into_values().map(|source| source.path).collect()
}

#[test]
fn where_there_is_no_room_for_a_pass_the_instance_asks_for_it() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = joined(&desk);
    for count in 1..=2 {
        pass(&mut rig);
        play_until(&mut [&mut rig], |_| takes(&desk).len() == count);
    }
    let old = takes(&desk);
    // Of two takes, 384 KB each, the first is covered by the second.
    planted_faults::capture_at_most(Some(400_000));
    pass(&mut rig);
    play_until(&mut [&mut rig], |_| takes(&desk).len() == 1);
    assert_eq!(desk.last_label(), "Removed 1 old take (0.4 MB) to make room");
    let kept = takes(&desk).swap_remove(0);
    let gone = old.iter().find(|path| **path != kept).unwrap();
    until(|| !std::path::Path::new(gone).exists());
    assert!(
        test_probes::shown_trouble().is_some_and(|it| it.contains("this pass was not captured"))
    );
    // With room for two there is room for another.
    planted_faults::capture_at_most(Some(800_000));
    pass(&mut rig);
    play_until(&mut [&mut rig], |_| takes(&desk).iter().any(|path| !old.contains(path)));
    assert_eq!(test_probes::shown_trouble(), None);
    planted_faults::capture_at_most(None);
}

/// While it lives the disk hangs.
struct Hanging;

impl Hanging {
    fn new() -> Self {
        planted_faults::hang_disk(true);
        Self
    }
}

impl Drop for Hanging {
    fn drop(&mut self) {
        planted_faults::hang_disk(false);
    }
}

/// All of them go, and wait for no disk.
fn go(rigs: Vec<Rig>) {
    let start = Instant::now();
    drop(rigs);
    assert!(start.elapsed() < FAREWELL, "{:?}", start.elapsed());
}

/// Instances that are recording, each a second by now.
fn recording(desk: &Desk, count: usize) -> Vec<Rig> {
    let mut rigs: Vec<Rig> = (0..count).map(|_| instance(desk)).collect();
    until(|| desk.instances().len() == count);
    let mut at = 0;
    until(|| {
        rigs.iter_mut().for_each(|rig| drop(rig.roll(&sine(440.0, RATE, 480), at, RATE, 480)));
        at += 480;
        at >= 48_000 && desk.instances().iter().all(|it| it.captures)
    });
    rigs
}

#[test]
fn instances_that_go_while_they_record_go_in_time_and_leave_what_they_recorded() {
    let _turn = turn();
    for count in [1, 8] {
        let desk = Desk::new();
        go(recording(&desk, count));
        until(|| desk.session().clips.len() == count);
        until(|| desk.instances().is_empty());
        assert!(desk.session().clips.values().all(|clip| clip.length.0 >= 24_000));
    }
}

#[test]
fn instances_go_in_time_while_the_disk_that_they_write_to_hangs() {
    let _turn = turn();
    for count in [1, 8] {
        let desk = Desk::new();
        let mut rigs = recording(&desk, count);
        let hanging = Hanging::new();
        let mut at = 96_000;
        until(|| {
            rigs.iter_mut().for_each(|rig| drop(rig.roll(&[0.5; 480], at, RATE, 480)));
            at += 480;
            planted_faults::waited_for_disk()
        });
        go(rigs);
        until(|| desk.instances().is_empty());
        drop(hanging);
    }
}

#[test]
fn instances_go_in_time_while_the_disk_that_they_play_from_hangs() {
    let _turn = turn();
    for count in [1, 8] {
        let desk = Desk::new();
        go(recording(&desk, count));
        until(|| desk.session().clips.len() == count);
        until(|| desk.instances().is_empty());
        let hanging = Hanging::new();
        let tracks: Vec<_> = desk.tracks().into_iter().map(|(id, _)| id).collect();
        let mut rigs: Vec<Rig> = tracks
            .iter()
            .map(|track| {
                let mut rig = Rig::idle();
                assert!(rig.load(&desk.project_with("track", json!(track))));
                rig.start(RATE, 480);
                rig.set("Output", 1.0);
                rig
            })
            .collect();
        let mut at = 0;
        let _earlier = planted_faults::waited_for_disk();
        until(|| {
            rigs.iter_mut().for_each(|rig| drop(rig.roll(&[0.0; 480], at, RATE, 480)));
            at += 480;
            desk.instances().iter().filter(|it| it.plays).count() == count
                && planted_faults::waited_for_disk()
        });
        go(rigs);
        drop(hanging);
        until(|| desk.instances().is_empty());
    }
}

#[test]
fn a_pass_outlives_the_hub_that_is_killed_in_the_middle_of_it() {
    let _turn = turn();
    let (mut desk, mut hub, mut rig) = served();
    until(test_probes::records);
    let second = sine(440.0, RATE, 48_000);
    rig.roll(&second, 0, RATE, 480);
    let captures = desk.dir.join("media/captures");
    until(|| std::fs::read_dir(&captures).unwrap().next().is_some());
    hub.kill().unwrap();
    hub.wait().unwrap();
    // Long enough that its end is noticed.
    let mut at = 48_000;
    until(|| {
        rig.roll(&second[..480], at, RATE, 480);
        at += 480;
        !test_probes::is_joined()
    });
    rig.roll(&second, at, RATE, 480);
    at += 48_000;
    desk.start();
    until(|| {
        rig.roll(&second[..480], at, RATE, 480);
        at += 480;
        desk.instances().len() == 1
    });
    rig.halt(at, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    let clips: Vec<_> = desk.session().clips.into_values().collect();
    let places: Vec<_> = clips.iter().map(|clip| (clip.position.0, clip.length.0)).collect();
    assert_eq!(places, [(0, at)], "one pass, whole");
}

//! The host's tempo: the session has the one at which the host stands, and a map of several moves nothing.

use crate::desk::{Desk, turn, until};
use crate::rig::{self, Rig, level};
use crate::session_out::playing;
use crate::{RATE, instance};
use deskhand_protocol::{Link, News};
use std::time::{Duration, Instant};

/// The tempi of the session, from its start on.
fn bpm(desk: &Desk) -> Vec<f64> {
    desk.session().tempo.iter().map(|point| point.bpm).collect()
}

/// The host stands at a tempo until the session has it.
fn stand(desk: &Desk, rig: &mut Rig, tempo: f64) {
    rig::TEMPO.set(tempo);
    until(|| {
        rig.halt(0, RATE);
        bpm(desk) == [tempo]
    });
}

/// The host plays silence at a tempo for so long.
fn roll_at(rig: &mut Rig, tempo: f64, time: Duration) {
    rig::TEMPO.set(tempo);
    let (start, mut at) = (Instant::now(), 0);
    until(|| {
        rig.roll(&[0.0; 480], at, RATE, 480);
        at += 480;
        start.elapsed() > time
    });
}

#[test]
fn the_session_s_tempo_is_the_host_s_where_it_stands() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = instance(&desk);
    until(|| desk.instances().len() == 1);
    let steps = desk.steps();
    stand(&desk, &mut rig, 92.5);
    assert_eq!(desk.last_author(), "host");
    stand(&desk, &mut rig, 140.0);
    assert_eq!(desk.steps(), steps + 2);
    // While it plays a tempo that moves is a map of the host's: nothing is written of it.
    for tempo in [90.0, 100.0] {
        roll_at(&mut rig, tempo, Duration::from_millis(700));
    }
    assert_eq!(bpm(&desk), [140.0]);
    rig::TEMPO.set(120.0);
}

#[test]
fn where_the_host_has_a_map_of_tempi_clips_stay_at_their_times_and_that_is_said_once() {
    let _turn = turn();
    let desk = Desk::new();
    // A clip from 3 s to 5 s, recorded at one tempo and played from the session at two.
    let (mut rig, input) = playing(&desk);
    stand(&desk, &mut rig, 92.5);
    let (steps, person) = (desk.steps(), desk.visitor());
    let (mut at, mut off) = (150_000_i64, f64::INFINITY);
    until(|| {
        rig::TEMPO.set(if at < 190_000 { 92.5 } else { 150.0 });
        let out = rig.roll(&[0.0; 480], at, RATE, 480).swap_remove(0);
        if at > 200_000 {
            let from = usize::try_from(at - 144_000).unwrap();
            let was = &input[from..from + 480];
            let beside: Vec<f32> = out.iter().zip(was).map(|(is, was)| is - was).collect();
            off = level(&beside) - level(was);
        }
        at = if at > 230_000 { 150_000 } else { at + 480 };
        off < -60.0
    });
    roll_at(&mut rig, 150.0, Duration::from_millis(700));
    roll_at(&mut rig, 92.5, Duration::from_millis(100));
    roll_at(&mut rig, 150.0, Duration::from_millis(100));
    let told = person.events().try_iter().filter_map(|event| match event.news {
        News::Notice { notice } => Some(notice.message),
        _ => None,
    });
    let told: Vec<String> = told.filter(|words| words.contains("tempo")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    for part in ["tempo of the host changes", "(92.5 BPM)", "clips stay at their times"] {
        assert!(told[0].contains(part), "{part}: {told:?}");
    }
    assert_eq!((bpm(&desk), desk.steps()), (vec![92.5], steps), "and nothing is written of it");
    rig::TEMPO.set(120.0);
}

#[test]
fn a_hub_that_comes_back_in_the_middle_of_a_map_is_not_told_the_tempo_there() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = instance(&desk);
    until(|| desk.instances().len() == 1);
    stand(&desk, &mut rig, 92.5);
    roll_at(&mut rig, 150.0, Duration::from_millis(100));
    desk.stop();
    desk.start();
    let mut at = 0;
    until(|| {
        rig.roll(&[0.0; 480], at, RATE, 480);
        at += 480;
        desk.instances().len() == 1
    });
    // Longer than a tempo stands before it is told.
    roll_at(&mut rig, 150.0, Duration::from_millis(900));
    assert_eq!(bpm(&desk), [92.5]);
    stand(&desk, &mut rig, 150.0);
    rig::TEMPO.set(120.0);
}

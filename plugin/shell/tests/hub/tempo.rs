//! The host's tempo: the session has the tempo of the stopped host, and the tempo map as far as it was
//! played.

use crate::desk::{Desk, turn, until};
use crate::rig::{self, Rig, level};
use crate::session_out::playing;
use crate::{RATE, instance};
use serde_json::json;
use std::ops::Range;

/// The tempi of the session, from its start on.
fn bpm(desk: &Desk) -> Vec<f64> {
    desk.session().tempo.iter().map(|point| point.bpm).collect()
}

/// Stops the host at a tempo until the session has it.
fn stand(desk: &Desk, rig: &mut Rig, tempo: f64) {
    rig::TEMPO.set(tempo);
    until(|| {
        rig.halt(0, RATE);
        bpm(desk) == [tempo]
    });
}

/// The tempo points of the session: position in frames, and tempo.
fn map(desk: &Desk) -> Vec<(i64, f64)> {
    desk.session().tempo.iter().map(|point| (point.position.0, point.bpm)).collect()
}

/// The host plays silence from frame to frame at a tempo.
fn roll_at(rig: &mut Rig, tempo: f64, frames: Range<i64>) {
    rig::TEMPO.set(tempo);
    let length = usize::try_from(frames.end - frames.start).unwrap();
    rig.roll(&vec![0.0; length], frames.start, RATE, 480);
}

/// The host plays its map, at two tempi with a change at a frame, from 3 s to 5 s, and stops, until the session is as
/// wanted.
fn play_map(desk: &Desk, rig: &mut Rig, (tempi, change): ([f64; 2], i64), wanted: &[(i64, f64)]) {
    until(|| {
        roll_at(rig, tempi[0], 144_000..change);
        roll_at(rig, tempi[1], change..240_000);
        rig.halt(240_000, RATE);
        map(desk) == wanted
    });
}

/// Plays on at the host's tempo and stops, twice, so that everything played before was reported.
fn tell(desk: &Desk, rig: &mut Rig) {
    let moves = |desk: &Desk| desk.instances()[0].clock.is_some_and(|clock| clock.moves);
    for _ in 0..2 {
        until(|| {
            rig.roll(&[0.0; 480], 300_000, RATE, 480);
            moves(desk)
        });
        until(|| {
            rig.halt(300_480, RATE);
            !moves(desk)
        });
    }
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
    rig::TEMPO.set(120.0);
}

#[test]
fn a_map_of_the_host_is_followed_as_it_is_played_and_clips_stay_at_their_times() {
    let _turn = turn();
    let mut desk = Desk::new();
    // A clip from 3 s to 5 s, recorded at one tempo and played from the session at two.
    let (mut rig, input) = playing(&desk);
    stand(&desk, &mut rig, 92.5);
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
    // A block of that begins at 190,320.
    until(|| {
        rig.halt(240_000, RATE);
        map(&desk) == [(0, 92.5), (190_320, 150.0)]
    });
    assert_eq!(desk.last_author(), "host");
    let steps = desk.steps();
    play_map(&desk, &mut rig, ([92.5, 150.0], 190_560), &[(0, 92.5), (190_320, 150.0)]);
    tell(&desk, &mut rig);
    assert_eq!(desk.steps(), steps, "the same change, seen half a block later");
    play_map(&desk, &mut rig, ([92.5, 150.0], 220_320), &[(0, 92.5), (220_320, 150.0)]);
    play_map(&desk, &mut rig, ([92.5, 92.5], 192_000), &[(0, 92.5)]);
    // From here on the person's own tempo holds.
    desk.call("cmd_set_tempo", json!({"bpm": 100.0, "at_s": 2.0}));
    let own = map(&desk);
    assert_eq!(own, [(0, 92.5), (96_000, 100.0)]);
    play_map(&desk, &mut rig, ([92.5, 150.0], 192_000), &own);
    tell(&desk, &mut rig);
    assert_eq!(map(&desk), own);
    desk.undo();
    play_map(&desk, &mut rig, ([92.5, 150.0], 192_000), &[(0, 92.5), (192_000, 150.0)]);
    rig::TEMPO.set(120.0);
}

#[test]
fn a_hub_that_comes_back_in_the_middle_of_a_map_keeps_what_lies_before() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = instance(&desk);
    until(|| desk.instances().len() == 1);
    stand(&desk, &mut rig, 92.5);
    play_map(&desk, &mut rig, ([92.5, 150.0], 192_000), &[(0, 92.5), (192_000, 150.0)]);
    desk.stop();
    desk.start();
    let mut at = 240_000;
    until(|| {
        roll_at(&mut rig, 150.0, at..at + 480);
        at += 480;
        desk.instances().len() == 1
    });
    for tempo in [150.0, 160.0] {
        until(|| {
            rig::TEMPO.set(tempo);
            rig.halt(240_000, RATE);
            map(&desk) == [(0, 92.5), (192_000, tempo)]
        });
    }
    rig::TEMPO.set(120.0);
}

//! Locked to a host's clock: whatever its blocks, jumps, loops and stops.
//!
//! Thread: any

use super::Rig;
use super::sound::{PROBE, START, assert_no_click, offline, probe, song};
use crate::fixture::{schedule, sine};
use crate::schedule::SourceKey;
use crate::{DiskLate, HostClock, Motion, Side, Trouble, Worked};
use deskhand_dsp::{Decibels, Frames};
use proptest::prelude::*;

/// Block sizes as hosts have them, the engine's own and more.
const BLOCKS: [usize; 8] = [64, 0, 1, 17, 2027, 8192, 512, 33];

impl Rig {
    /// A block for a host whose transport is at `at`.
    fn host_block(&mut self, at: i64, moves: bool, frames: usize) {
        self.read_ahead();
        let start = self.left.len();
        self.left.resize(start + frames, f32::NAN);
        self.right.resize(start + frames, f32::NAN);
        let out = [&mut self.left[start..], &mut self.right[start..]];
        self.processor.process_following(out, HostClock { at: Frames(at), moves });
        self.controller.pump();
    }

    fn host_plays(&mut self, at: i64, frames: usize, block: usize) {
        for start in (0..frames).step_by(block) {
            let length = block.min(frames - start);
            self.host_block(at + Frames::from_index(start).0, true, length);
        }
    }
}

/// An engine with `song` in a host that is stopped at frame 0.
fn hosted(song: crate::Schedule) -> Rig {
    let mut rig = Rig::new();
    rig.apply(song);
    rig.host_block(0, false, 64);
    rig.read_ahead();
    rig.forget();
    rig
}

#[test]
fn a_host_hears_the_song_where_it_is_in_blocks_of_any_size() {
    let expected = offline(&song(), 12_000);
    let mut rig = hosted(song());
    let mut sizes = BLOCKS.into_iter().cycle();
    while rig.left.len() < 12_000 {
        let block = sizes.next().map_or(1, |size| size.min(12_000 - rig.left.len()));
        rig.host_block(Frames::from_index(rig.left.len()).0, true, block);
    }
    assert!(
        rig.left[START..] == expected[0][START..] && rig.right[START..] == expected[1][START..]
    );
    assert_eq!(rig.controller.position().at, Frames(12_000));
    assert_eq!(rig.controller.trouble(), Trouble::default());
}

#[test]
fn a_jump_does_not_click_and_arrives_at_the_frame_of_the_host() {
    let mut rig = hosted(schedule(vec![probe()]));
    rig.host_plays(0, 5000, 64);
    for target in [100_003, 7, 40_001] {
        rig.host_plays(target, 6000, 64);
        let heard = &rig.left[rig.left.len() - 4000..];
        let wanted = |n: usize| sine(SourceKey(PROBE), target + 2000 + n as i64);
        assert!(heard.iter().enumerate().all(|(n, sample)| *sample == wanted(n)));
    }
    assert_no_click(&rig);
    assert_eq!(rig.controller.trouble().missing_frames, 0, "it waited for its streams");
}

#[test]
fn a_loop_that_was_played_twice_has_no_gap_from_then_on() {
    let mut rig = hosted(schedule(vec![probe()]));
    for _ in 0..3 {
        rig.host_plays(4800, 9600, 480);
    }
    rig.forget();
    for _ in 0..3 {
        rig.host_plays(4800, 9600, 480);
    }
    for (n, sample) in rig.left.iter().enumerate() {
        let at = n as i64 % 9600;
        let near_jump = !(240..=9360).contains(&at);
        assert!(near_jump || *sample == sine(SourceKey(PROBE), 4800 + at), "frame {n}");
    }
    // The host leaves the loop: it is followed all the same.
    rig.host_plays(14_400, 9600, 480);
    let heard = &rig.left[rig.left.len() - 4800..];
    assert!(heard.iter().zip(19_200..).all(|(sample, at)| *sample == sine(SourceKey(PROBE), at)));
    assert_no_click(&rig);
}

#[test]
fn stopping_and_starting_elsewhere_does_not_click() {
    let mut rig = hosted(schedule(vec![probe()]));
    rig.host_plays(0, 3000, 100);
    for _ in 0..10 {
        rig.host_block(3000, false, 100);
    }
    assert!(rig.left[rig.left.len() - 500..].iter().all(|sample| *sample == 0.0));
    assert_eq!(rig.controller.position().motion, Motion::Stopped);
    rig.host_block(90_000, false, 100);
    assert_eq!(rig.controller.position().at, Frames(90_000));
    rig.read_ahead();
    rig.forget();
    rig.host_plays(90_000, 3000, 100);
    let on = START..3000;
    let wanted = |n: usize| sine(SourceKey(PROBE), 90_000 + n as i64);
    assert!(on.clone().all(|n| rig.left[n] == wanted(n)), "it starts without waiting");
    assert_no_click(&rig);
}

#[test]
fn a_position_that_is_rounded_is_no_jump_and_a_count_in_is_silent() {
    let mut rig = hosted(schedule(vec![probe()]));
    rig.host_plays(-4800, 4800, 64);
    assert!(rig.left.iter().all(|sample| *sample == 0.0));
    rig.forget();
    for block in 0..100i64 {
        rig.host_block(64 * block + [0, 1, -1][block as usize % 3], true, 64);
    }
    let wanted = |n: usize| sine(SourceKey(PROBE), n as i64);
    assert!((START..6400).all(|n| rig.left[n] == wanted(n)));
}

#[test]
fn while_a_host_leads_nobody_else_moves_the_playhead() {
    let mut rig = hosted(schedule(vec![probe()]));
    rig.host_plays(0, 2000, 64);
    rig.controller.stop().unwrap();
    rig.controller.seek(Frames(99_999)).unwrap();
    rig.forget();
    rig.host_plays(2000, 2000, 64);
    assert!(rig.left.iter().zip(2000..).all(|(one, at)| *one == sine(SourceKey(PROBE), at)));
}

#[test]
fn a_plan_is_heard_as_many_frames_later_as_was_named_though_the_host_loops_meanwhile() {
    let mut rig = hosted(schedule(vec![probe()]));
    for _ in 0..3 {
        rig.host_plays(0, 4_800, 480);
    }
    rig.host_plays(0, 4_320, 480);
    rig.controller.audition(Some(schedule(Vec::new()))).unwrap();
    let other = Side::Other { gain: Decibels::UNITY };
    rig.controller.listen(other, Some(Frames(5_280))).unwrap();
    let due = rig.left.len() + 960;
    rig.host_plays(4_320, 480, 480);
    rig.host_plays(0, 4_800, 480);
    // After the jump the new place fades in; before the frame it is there, and nothing of the plan.
    assert_eq!(rig.left[due - 1], sine(SourceKey(PROBE), 479));
    assert!(rig.left[due + 480..].iter().all(|left| *left == 0.0));
    assert_eq!(rig.controller.trouble(), Trouble::default());
}

#[test]
fn an_offline_host_gets_every_bit_from_the_first_frame_on() {
    for blocks in [vec![1000], vec![64, 17, 2027, 0, 8192], vec![12_000]] {
        let expected = offline(&song(), 12_000);
        let Rig { mut controller, mut processor, disk, .. } = Rig::new();
        let thread = disk.spawn().unwrap();
        controller.apply(song()).unwrap();
        let (mut left, mut right) = (vec![f32::NAN; 12_000], vec![f32::NAN; 12_000]);
        let (mut at, mut sizes) = (0, blocks.iter().cycle());
        while at < 12_000 {
            let end = 12_000.min(at + sizes.next().unwrap());
            let clock = HostClock { at: Frames::from_index(at), moves: true };
            let out = [&mut left[at..end], &mut right[at..end]];
            assert_eq!(processor.process_offline_following(out, clock), Ok(()));
            at = end;
        }
        drop(thread);
        assert!(left == expected[0] && right == expected[1], "blocks of {blocks:?}");
        assert_eq!(controller.trouble(), Trouble::default());
    }
}

#[test]
fn a_host_that_stands_still_keeps_its_place_in_parts_of_a_block_too() {
    let mut rig = hosted(song());
    let clock = HostClock { at: Frames(4000), moves: false };
    assert_eq!(clock.later(Frames(512)), clock);
    let playing = HostClock { moves: true, ..clock };
    assert_eq!(playing.later(Frames(512)).at, Frames(4512));
    let (mut left, mut right) = ([1f32; 2000], [1f32; 2000]);
    for _ in 0..3 {
        let out = [&mut left[..], &mut right[..]];
        assert_eq!(rig.processor.process_offline_following(out, clock), Ok(()));
        assert_eq!(rig.controller.position().at, Frames(4000));
    }
    assert_eq!((left, right), ([0.0; 2000], [0.0; 2000]));
}

#[test]
fn an_offline_host_is_told_once_when_the_disk_does_not_answer_and_waits_no_more() {
    let Rig { mut controller, mut processor, mut disk, .. } = Rig::new();
    processor.lose_patience();
    controller.apply(song()).unwrap();
    let mut block = |at, moves| {
        let (mut left, mut right) = ([1f32; 100], [1f32; 100]);
        let clock = HostClock { at: Frames(at), moves };
        let told = processor.process_offline_following([&mut left, &mut right], clock);
        (told, left, right)
    };
    let silent = |told| (told, [0.0; 100], [0.0; 100]);
    assert_eq!(block(0, true), silent(Err(DiskLate)));
    for n in 1..5 {
        assert_eq!(block(100 * n, true), silent(Ok(())), "nobody waits for what hangs");
    }
    assert_eq!(controller.trouble().missing_frames, 500, "counted");
    // The host stopped: the next render waits again.
    assert_eq!(block(500, false), silent(Ok(())));
    assert_eq!(block(500, false), silent(Ok(())));
    assert_eq!(block(2_000, true), silent(Err(DiskLate)));
    // The disk answers late: its audio plays, though nobody waits for it.
    while disk.step() == Worked::Yes {}
    assert_eq!(block(2_100, true).0, Ok(()));
    while disk.step() == Worked::Yes {}
    assert_ne!(block(2_200, true), silent(Ok(())));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn whatever_a_host_does_it_does_not_click_and_does_not_drift(
        moves in prop::collection::vec(
            (prop::option::of(0i64..200_000), any::<bool>(), 1usize..1500, 1usize..400), 1..20,
        ),
    ) {
        let mut rig = hosted(schedule(vec![probe()]));
        let mut at = 0;
        for (jump, plays, frames, block) in moves {
            at = jump.unwrap_or(at);
            for start in (0..frames).step_by(block) {
                let length = block.min(frames - start);
                rig.host_block(at, plays, length);
                at += if plays { Frames::from_index(length).0 } else { 0 };
            }
        }
        rig.host_plays(at, 4000, 64);
        let heard = rig.left[rig.left.len() - 1000..].iter().zip(at + 3000..);
        prop_assert!(heard.into_iter().all(|(one, at)| *one == sine(SourceKey(PROBE), at)));
        let tone: Vec<f32> = (0..480).map(|n| sine(SourceKey(PROBE), n)).collect();
        prop_assert!(crate::clicks::click_score(&rig.left, &tone) < 1.1);
    }
}

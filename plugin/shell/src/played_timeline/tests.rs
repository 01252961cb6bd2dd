//! A frame that arrives in different blocks is due at the same played frame.
//!
//! Thread: any

use super::Passage;

const RATE: i64 = 48_000;
const BLOCK: i64 = 480;
/// The hub's, in frames.
const LEAD: i64 = RATE / 5;

/// The timeline position after this many played frames.
type Timeline<'a> = &'a dyn Fn(i64) -> i64;

/// Plays past `end`. `frame` arrives before the block at `heard`. Returns the played frame at which it is
/// due.
fn due(timeline: Timeline<'_>, frame: i64, heard: i64) -> i64 {
    let mut passage = Passage::new(RATE as f32);
    let mut played = 0;
    loop {
        passage.follow(timeline(played), true);
        if played >= heard {
            let left = passage.until(frame);
            if left < BLOCK {
                return played + left.max(0);
            }
        }
        passage.played(BLOCK);
        played += BLOCK;
    }
}

/// The frame that the hub names at played frame `now`, if its last report of the transport is `age` frames
/// old.
fn named(timeline: Timeline<'_>, now: i64, age: i64) -> i64 {
    timeline(now - age) + age + LEAD
}

/// Checks that all instances that get the frame in time apply it where the hub meant it, given what the hub
/// knew then.
fn assert_due(timeline: Timeline<'_>, what: &str) {
    for now in (RATE..4 * RATE).step_by(7 * BLOCK as usize) {
        for age in [0, 2 * BLOCK, 9 * BLOCK, 20 * BLOCK] {
            let frame = named(timeline, now, age);
            for late in [BLOCK, 3 * BLOCK, 6 * BLOCK, 9 * BLOCK] {
                let found = due(timeline, frame, now + late);
                assert_eq!(found, now + LEAD, "{what}: at {now}, told {age} ago, {late} late");
            }
        }
    }
}

#[test]
fn without_a_jump_it_is_due_at_its_frame() {
    assert_due(&|played| played + 96_000, "straight on");
    assert_due(&|played| played - 72_000, "from a count-in");
}

#[test]
fn in_a_loop_of_any_length_it_is_due_at_one_place() {
    for blocks in [16, 19, 25, 50, 130, 400] {
        let length = blocks * BLOCK;
        assert_due(&|played| 48_000 + played % length, &format!("a loop of {length} frames"));
    }
}

#[test]
fn where_the_host_is_moved_it_is_due_at_one_place() {
    for by in [-90_000, -30_000, 50_000, 9_000_000] {
        let jumps = |played: i64| {
            let beyond = if played >= 2 * RATE { by } else { 0 };
            200_000 + played + beyond
        };
        assert_due(&jumps, &format!("moved by {by} frames"));
    }
}

#[test]
fn what_was_long_on_its_way_or_another_host_s_is_due_at_once() {
    let straight = |played: i64| played;
    assert_eq!(due(&straight, 48_000, 96_000), 96_000, "late");
    assert_eq!(due(&straight, 48_000_000, 96_000), 96_000, "another host's");
    assert_eq!(due(&straight, -48_000_000, 96_000), 96_000, "another host's");
    for odd in [i64::MIN + 2, i64::MAX] {
        assert_eq!(due(&straight, odd, 96_000), 96_000);
    }
}

#[test]
fn a_jump_that_is_long_over_means_nothing() {
    // A jump by a tenth of a second, longer ago than the hub's message can be under way.
    let jumps = |played: i64| played + if played >= 4_800 { 4_800 } else { 0 };
    assert_due(&jumps, "long over");
}

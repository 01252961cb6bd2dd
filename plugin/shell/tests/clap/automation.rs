//! Automation is heard at its frame, whatever the blocks.

use crate::rig::{Rig, row, sine};
use clack_host::utils::ClapId;

const RATE: f64 = 48_000.0;
const FRAMES: usize = 60_000;

/// Changes of parameters: the frame, which, and the value in the host's terms.
type Lane = Vec<(usize, ClapId, f64)>;

/// What a host makes of `input` that plays `lane` in blocks of `size`.
fn bounce(input: &[f32], lane: &Lane, size: usize) -> Vec<f32> {
    let mut rig = Rig::stereo(RATE, size as u32);
    let mut out = Vec::with_capacity(input.len());
    let mut changes = lane.iter().peekable();
    for (n, block) in input.chunks(size).enumerate() {
        let from = n * size;
        while let Some((at, id, value)) = changes.next_if(|(at, ..)| *at < from + block.len()) {
            rig.set_at((at - from) as u32, *id, *value);
        }
        out.extend(rig.block(&[block, block], None).swap_remove(0));
    }
    out
}

fn trim(decibels: f64) -> f64 {
    (decibels + 60.0) / 84.0
}

/// The largest difference, in dB of full scale.
fn off(one: &[f32], other: &[f32]) -> f64 {
    let most = one.iter().zip(other).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
    20.0 * most.log10()
}

#[test]
fn a_step_begins_at_its_frame_in_blocks_of_any_size() {
    let id = Rig::idle().parameter("Trim").id;
    let lane = vec![(10_000, id, trim(-12.0))];
    for size in [1, 64, 480, 2_027, 8_192] {
        let out = bounce(&[0.5; FRAMES], &lane, size);
        let begins = out.iter().position(|sample| *sample != 0.5);
        assert_eq!(begins, Some(10_000), "blocks of {size}");
        assert!((out[10_480] / 0.5 - 0.251_19).abs() < 1e-4, "done in 10 ms");
    }
    row("a step of trim at frame 10,000 begins, blocks of 1 to 8,192", "10,000");
}

#[test]
fn a_bounce_with_automation_is_the_same_in_blocks_of_any_size() {
    let mut rig = Rig::idle();
    let id = |rig: &mut Rig, name| rig.parameter(name).id;
    let (gain, cut) = (id(&mut rig, "Trim"), id(&mut rig, "Low Cut"));
    let (polarity, bypass) = (id(&mut rig, "Polarity"), id(&mut rig, "Bypass"));
    // A drawn ramp of 60 dB in half a second, a sweep of the low cut, and switches.
    let ramp = (0..375).map(|n| (8_000 + n * 64, gain, trim(-60.0 + 60.0 * n as f64 / 375.0)));
    let sweep = (0..100).map(|n| (5_001 + n * 333, cut, n as f64 / 100.0));
    let switches = [(20_000, polarity, 1.0), (31_111, bypass, 1.0), (33_333, bypass, 0.0)];
    let mut lane: Lane = ramp.chain(sweep).chain(switches).collect();
    lane.sort_by_key(|(at, ..)| *at);
    let input = sine(313.0, RATE, FRAMES);
    let whole = bounce(&input, &lane, 1);
    let mut worst = f64::NEG_INFINITY;
    for size in [2, 17, 64, 333, 480, 512, 2_027, 4_096, 8_192] {
        worst = worst.max(off(&bounce(&input, &lane, size), &whole));
    }
    assert!(worst < -120.0, "{worst} dB");
    row("automation in blocks of 2 to 8,192, off blocks of 1", format!("{worst:.0} dBFS"));
}

#[test]
fn a_drawn_ramp_is_heard_where_it_was_drawn() {
    let id = Rig::idle().parameter("Trim").id;
    // 12 dB in half a second, a point each 64 frames.
    let drawn = |at: f64| -12.0 * ((at - 12_000.0) / 24_000.0).clamp(0.0, 1.0);
    let lane: Lane =
        (0..376).map(|n| (12_000 + n * 64, id, trim(drawn((12_000 + n * 64) as f64)))).collect();
    let out = bounce(&[0.5; FRAMES], &lane, 8_192);
    let heard = |at: usize| 20.0 * f64::from(out[at] / 0.5).log10();
    let off = (0..FRAMES).map(|at| (heard(at) - drawn(at as f64)).abs()).fold(0.0, f64::max);
    // Every move takes 10 ms, in which the ramp goes 0.24 dB.
    assert!(off < 0.3, "{off} dB");
    row("a drawn ramp of 24 dB a second, off by at most", format!("{off:.2} dB"));
}

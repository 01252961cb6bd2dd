//! Blocks, rates, offline, bypass, reset.

use crate::rig::{Rig, level, roughness, row, sine};
use clack_extensions::render::RenderMode;

const RATES: [f64; 7] = [8_000.0, 22_050.0, 44_100.0, 48_000.0, 88_200.0, 96_000.0, 192_000.0];

/// A rig that does something everywhere.
fn busy(rate: f64, block: u32) -> Rig {
    let mut rig = Rig::stereo(rate, block);
    rig.set_trim(-7.5);
    rig.set("Polarity", 1.0);
    rig.set("Low Cut", 0.4);
    rig
}

#[test]
fn neutral_is_the_same_bits_in_stereo_and_mono() {
    let input = sine(997.0, 48_000.0, 20_000);
    for mut rig in [Rig::stereo(48_000.0, 512), Rig::mono(48_000.0, 512)] {
        for side in rig.run(&input, 512) {
            assert_eq!(side, input);
        }
    }
    row("neutral: stereo and mono, samples that differ", format!("0 of {}", 3 * input.len()));
}

#[test]
fn every_block_size_gives_the_same_bits_at_every_rate() {
    for rate in RATES {
        let input = sine(313.0, rate, 8_192);
        let whole = busy(rate, 8_192).run(&input, 8_192);
        for block in [1, 17, 64, 2_027] {
            let split = busy(rate, 8_192).run(&input, block);
            assert_eq!(split, whole, "blocks of {block} at {rate} Hz");
        }
    }
    row("blocks of 1, 17, 64, 2,027 and 8,192, 7 rates: differences", 0);
}

#[test]
fn an_empty_block_is_no_trouble() {
    let mut rig = busy(48_000.0, 512);
    rig.block(&[&[], &[]], None);
    let input = sine(997.0, 48_000.0, 4_800);
    assert_eq!(rig.run(&input, 512), busy(48_000.0, 512).run(&input, 512));
    row("a block of 0 frames: differences behind it", 0);
}

#[test]
fn offline_is_as_online() {
    let input = sine(313.0, 48_000.0, 48_000);
    let online = busy(48_000.0, 512).run(&input, 512);
    let mut rig = Rig::idle();
    rig.render(RenderMode::Offline);
    rig.start(48_000.0, 4_096);
    rig.set_trim(-7.5);
    rig.set("Polarity", 1.0);
    rig.set("Low Cut", 0.4);
    assert_eq!(rig.run(&input, 4_096), online);
    row("offline beside online: samples that differ", format!("0 of {}", 2 * input.len()));
}

#[test]
fn bypass_gives_back_the_same_bits_without_a_click() {
    let input = sine(440.0, 48_000.0, 48_000);
    let mut rig = Rig::stereo(48_000.0, 480);
    rig.set_trim(12.0);
    let mut out = rig.run(&input[..24_000], 480).swap_remove(0);
    rig.set("Bypass", 1.0);
    out.extend(rig.run(&input[24_000..], 480).swap_remove(0));
    assert_eq!(out[24_480..], input[24_480..]);
    assert!((level(&out[..24_000]) - level(&input[..24_000]) - 12.0).abs() < 0.01);
    let ratio = roughness(&out) / roughness(&out[..20_000]);
    assert!(ratio < 1.1, "{ratio}");
    row("bypass: the same bits, roughness of the change", format!("{ratio:.3} times the tone's"));
}

#[test]
fn a_reset_forgets_what_was_heard() {
    let input = sine(313.0, 48_000.0, 4_800);
    let fresh = busy(48_000.0, 512).run(&input, 512);
    let mut rig = busy(48_000.0, 512);
    rig.run(&sine(60.0, 48_000.0, 9_600), 512);
    rig.reset();
    assert_eq!(rig.run(&input, 512), fresh);
    rig.stop();
    rig.start(48_000.0, 512);
    assert_eq!(rig.run(&input, 512), fresh);
    row("reset, and stopped and started: differences from a new one", 0);
}

#[test]
fn an_instance_that_is_activated_at_another_rate_is_as_one_that_begins_there() {
    let mut rig = busy(48_000.0, 512);
    rig.run(&sine(60.0, 48_000.0, 9_600), 512);
    for rate in [96_000.0, 44_100.0, 192_000.0, 8_000.0, 48_000.0] {
        let input = sine(313.0, rate, 9_600);
        rig.stop();
        rig.start(rate, 256);
        let fresh = busy(rate, 256).run(&input, 256);
        assert_eq!(rig.run(&input, 256), fresh, "{rate} Hz");
    }
}

#[test]
fn what_is_no_number_in_one_side_stays_there_and_the_tail_ends_in_silence() {
    let mut rig = busy(48_000.0, 480);
    let right = [sine(313.0, 48_000.0, 9_600), vec![0.0; 96_000]].concat();
    let mut left = right.clone();
    left[1_000..1_100].fill(f32::NAN);
    let mut out = [Vec::new(), Vec::new()];
    for (l, r) in left.chunks(480).zip(right.chunks(480)) {
        let sides = rig.block(&[l, r], None);
        out.iter_mut().zip(sides).for_each(|(out, side)| out.extend(side));
    }
    let bad = out[1].iter().filter(|sample| !sample.is_finite()).count();
    assert_eq!(bad, 0, "the other side");
    assert!(out[0][1_600..].iter().all(|sample| sample.is_finite()), "it recovers");
    let ringing = out.iter().flat_map(|side| &side[57_600..]).filter(|sample| **sample != 0.0);
    assert_eq!(ringing.count(), 0, "a second behind the end");
    row("NaN in one side: bad samples in the other", bad);
}

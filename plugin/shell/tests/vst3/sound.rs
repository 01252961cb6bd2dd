//! Blocks, offline mode, reset, and the instance's track.

use crate::desk::{Desk, turn, until};
use crate::rig::{row_in, sine};
use crate::vst::Vst;
use deskhand_plugin::test_probes;
use serde_json::json;

const RATE: f64 = 48_000.0;

/// A line of the table of `cargo xtask hosts`.
pub(crate) fn row(what: &str, figure: impl std::fmt::Display) {
    row_in("VST3", what, figure);
}

/// An instance that does something everywhere.
fn busy(is_offline: bool, block: i32) -> Vst {
    let mut vst = Vst::new();
    vst.set("Trim", 0.6);
    vst.set("Polarity", 1.0);
    vst.set("Low Cut", 0.4);
    vst.start(is_offline, RATE, block);
    vst
}

#[test]
fn a_block_of_no_frames_is_no_trouble() {
    let _turn = turn();
    let input = sine(997.0, RATE, 4_800);
    let whole = busy(false, 512).run(&input, 512);
    assert_ne!(whole[0], input, "it does something");
    let vst = busy(false, 512);
    assert!(vst.block(&[]).iter().all(Vec::is_empty));
    let (first, rest) = input.split_at(1_024);
    let mut out = vst.run(first, 512);
    vst.block(&[]);
    out.iter_mut().zip(vst.run(rest, 512)).for_each(|(out, more)| out.extend(more));
    assert_eq!(out, whole);
}

#[test]
fn offline_is_as_online_in_every_block_size() {
    let _turn = turn();
    let input = sine(313.0, RATE, 48_000);
    let online = busy(false, 512).run(&input, 512);
    for (block, size) in [(4_096, 4_096), (4_096, 2_027), (64, 17)] {
        assert_eq!(busy(true, block).run(&input, size), online, "blocks of {size}");
    }
    row("offline beside online, blocks of 17, 2,027 and 4,096", "0 differences");
}

#[test]
fn a_reset_forgets_what_was_heard() {
    let _turn = turn();
    let input = sine(313.0, RATE, 4_800);
    let fresh = busy(false, 512).run(&input, 512);
    let mut vst = busy(false, 512);
    let used = || sine(60.0, RATE, 9_600);
    vst.run(&used(), 512);
    vst.reset();
    assert_eq!(vst.run(&input, 512), fresh);
    vst.run(&used(), 512);
    vst.stop();
    vst.start(false, RATE, 512);
    assert_eq!(vst.run(&input, 512), fresh);
    row("reset, and stopped and started: differences from a new one", 0);
}

#[test]
fn the_track_is_called_and_colored_as_the_host_s() {
    let _turn = turn();
    let desk = Desk::new();
    let mut vst = Vst::new();
    vst.name_track("Lead vocal", 0xff_d0_40_20);
    vst.start(false, RATE, 480);
    test_probes::use_session(&desk.dir);
    until(|| desk.instances().len() == 1);
    assert_eq!(desk.instances()[0].format, "VST3");
    let told = || {
        let track = desk.tracks()[0].1.clone();
        (track.name, json!(track.color))
    };
    assert_eq!(told(), ("Lead vocal".into(), json!("#d04020")));
    vst.name_track("Double", 0xff_01_02_03);
    until(|| {
        vst.run(&[0.0; 480], 480);
        told() == ("Double".into(), json!("#010203"))
    });
    assert_eq!(desk.tracks().len(), 1);
    drop(vst);
    until(|| desk.instances().is_empty());
}

#[test]
fn units_have_no_space_in_front_of_them() {
    let _turn = turn();
    assert_eq!(Vst::new().unit("Trim"), "dB");
}

#[test]
fn automation_is_heard_at_its_frame_in_every_block_size() {
    let _turn = turn();
    let input = sine(313.0, RATE, 60_000);
    let bounce = |size: usize| {
        let mut vst = Vst::new();
        let (trim, bypass) = (vst.id("Trim"), vst.id("Bypass"));
        // A step, a ramp of 30 dB, a point each 64 frames, and a switch.
        let ramp =
            (0..250).map(|n| (20_000 + n * 64, trim, 0.3 + 0.36 * f64::from(n as u16) / 250.0));
        let mut lane: Vec<_> =
            [(10_000, trim, 0.5), (40_001, bypass, 1.0)].into_iter().chain(ramp).collect();
        lane.sort_by_key(|(at, ..)| *at);
        vst.start(false, RATE, size as i32);
        let mut out = Vec::new();
        for (n, block) in input.chunks(size).enumerate() {
            let here = n * size..n * size + block.len();
            for (at, id, value) in lane.iter().filter(|(at, ..)| here.contains(at)) {
                vst.bring(*id, ((at - here.start) as i32, *value));
            }
            out.extend(vst.block(block)[0].clone());
        }
        out
    };
    let whole = bounce(1);
    assert_eq!(whole[..10_000], input[..10_000], "the step begins at its frame");
    assert_ne!(whole[10_000..10_100], input[10_000..10_100]);
    let mut worst = 0.0_f32;
    for size in [64, 480, 2_027, 8_192] {
        let off = bounce(size).iter().zip(&whole).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        worst = worst.max(off);
    }
    assert!(worst < 1e-6, "{worst}");
    row(
        "automation in blocks of 64 to 8,192, off blocks of 1",
        format!("{:.0} dBFS", 20.0 * worst.log10()),
    );
}

/// A fade of 24 dB in a second, drawn as a line that begins and ends inside blocks: the heard gain, in dB.
fn faded(size: usize) -> Vec<f32> {
    let (from, to, length) = (10_100_usize, 58_100_usize, 70_000_usize);
    let trim_at = |at: usize| {
        let along = (at.clamp(from, to) - from) as f64 / (to - from) as f64;
        60.0 / 84.0 - along * 24.0 / 84.0
    };
    let mut vst = Vst::new();
    let trim = vst.id("Trim");
    vst.start(false, RATE, size as i32);
    let mut heard = Vec::new();
    for start in (0..length).step_by(size) {
        let end = (start + size).min(length) - 1;
        // As hosts send it: the ends of the line, and where it crosses the last frame of a block.
        let ends = [from, to].into_iter().filter(|at| (start..end).contains(at));
        let crosses = (from..=to).contains(&end).then_some(end);
        for at in ends.chain(crosses) {
            vst.bring(trim, ((at - start) as i32, trim_at(at)));
        }
        let block = vst.block(&vec![0.5; end + 1 - start]);
        heard.extend(block[0].iter().map(|sample| 20.0 * (sample / 0.5).log10()));
    }
    heard
}

#[test]
fn a_line_is_heard_as_it_is_drawn_in_every_block_size() {
    let _turn = turn();
    let mut worst = 0.0_f32;
    for size in [64, 480, 2_027, 8_192] {
        for (at, heard) in faded(size).iter().enumerate() {
            let along = (at.clamp(10_100, 58_100) - 10_100) as f32 / 48_000.0;
            worst = worst.max((heard + 24.0 * along).abs());
        }
    }
    assert!(worst < 0.35, "{worst} dB");
    row("a line of 24 dB/s of which only the ends are sent, off", format!("{worst:.2} dB"));
}

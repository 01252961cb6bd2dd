//! Blocks, offline, reset, and the track that it stands on.

use crate::desk::{Desk, turn, until};
use crate::rig::{row_in, sine};
use crate::vst::Vst;
use deskhand_plugin::plant;
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
    plant::use_session(&desk.dir);
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

//! A panic of ours at every entry point, one after the other: the host never sees it.

#![allow(
    unreachable_pub,
    unsafe_code,
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "tests, outside the audio thread; a host is made of pointers"
)]

#[allow(dead_code, reason = "each test program uses a part of the rig")]
#[path = "../clap/rig.rs"]
mod rig;

use clack_extensions::gui::PluginGui;
use deskhand_plugin::guard::Entry;
use deskhand_plugin::{GetPluginFactory, planted_faults};
use nice_plug::wrapper::vst3::vst3::ComPtr;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{IComponent, IComponent_iid};
use nice_plug::wrapper::vst3::vst3::Steinberg::{IPluginFactory, IPluginFactoryTrait, kResultOk};
use rig::{Rig, roughness, sine};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn a_panic_becomes_a_bypass_and_a_restart_tries_again() {
    in_process();
    in_process_with_low_cut_and_mono();
    in_activate();
    in_state();
    in_load();
    in_save();
    in_size();
    in_clap_creation();
    in_vst3_creation();
    in_reset();
    in_the_link();
    in_life();
}

fn in_process() {
    let input = sine(440.0, 48_000.0, 48_000);
    let mut rig = Rig::stereo(48_000.0, 512);
    rig.set_trim(12.0);
    let mut out = rig.run(&input[..24_000], 512).swap_remove(0);
    planted_faults::arm(Entry::Process);
    out.extend(rig.run(&input[24_000..], 512).swap_remove(0));
    assert_eq!(out[24_500..], input[24_500..], "sound goes around");
    let ratio = roughness(&out) / roughness(&out[..20_000]);
    assert!(ratio < 1.1, "10 ms, no click: {ratio}");
    rig.reset();
    let again = rig.run(&input, 512);
    assert!((rig::level(&again[0]) - rig::level(&input) - 12.0).abs() < 0.01);
    rig::row(
        "a panic in the processor: bypass, roughness of the change",
        format!("{ratio:.3} times"),
    );
}

fn in_process_with_low_cut_and_mono() {
    let (left, right) = (sine(440.0, 48_000.0, 48_000), sine(1_000.0, 48_000.0, 48_000));
    let mut rig = Rig::stereo(48_000.0, 512);
    rig.set("Low Cut", 0.6);
    rig.set("Mono", 1.0);
    let mut run = |from: usize, to: usize| {
        let blocks = left[from..to].chunks(512).zip(right[from..to].chunks(512));
        blocks.flat_map(|(l, r)| rig.block(&[l, r], None).swap_remove(0)).collect::<Vec<f32>>()
    };
    let mut out = run(0, 24_000);
    planted_faults::arm(Entry::Process);
    out.extend(run(24_000, 48_000));
    assert_eq!(out[24_500..], left[24_500..], "sound goes around");
    let ratio = roughness(&out) / roughness(&out[..20_000]);
    assert!(ratio < 4.0, "no step: {ratio}");
}

fn in_activate() {
    let input = sine(440.0, 48_000.0, 4_800);
    let mut rig = Rig::idle();
    planted_faults::arm(Entry::Activate);
    rig.start(48_000.0, 512);
    rig.set_trim(12.0);
    assert_eq!(rig.run(&input, 512)[0], input);
    rig.stop();
    rig.start(48_000.0, 512);
    assert!(rig::level(&rig.run(&input, 512)[0]) > rig::level(&input) + 11.9);
}

fn in_state() {
    let mut rig = Rig::stereo(48_000.0, 512);
    rig.set_trim(5.0);
    rig.run(&[0.0; 512], 512);
    let state = rig.save();
    rig.set_trim(6.0);
    rig.run(&[0.0; 512], 512);
    let kept = rig.save();
    planted_faults::arm(Entry::State);
    rig.load(&state);
    assert_eq!(rig.save(), kept);
    assert!(rig.load(&state));
    assert_eq!(rig.save(), state);
}

fn in_load() {
    let mut rig = Rig::idle();
    let own = rig.save();
    planted_faults::arm(Entry::Load);
    rig.load(&project_of(0.0));
    assert!(!planted_faults::is_armed(Entry::Load));
    assert_eq!(rig.save(), own, "as before");
    assert!(rig.load(&project_of(-6.0)));
    assert_ne!(rig.save(), own);
}

fn in_save() {
    let mut rig = Rig::stereo(48_000.0, 512);
    assert!(rig.load(&project_of(-6.0)));
    let own = rig.save();
    planted_faults::arm(Entry::Save);
    assert_eq!(rig.save(), own, "what is known is saved");
    assert!(!planted_faults::is_armed(Entry::Save));
    assert_eq!(rig.save(), own);
}

fn in_size() {
    let mut rig = Rig::idle();
    let size = |rig: &mut Rig| {
        let plugin = rig.instance.plugin_handle();
        let gui = plugin.get_extension::<PluginGui>().unwrap();
        gui.get_size(&plugin).map(|size| (size.width, size.height))
    };
    planted_faults::arm(Entry::Size);
    assert_eq!(size(&mut rig), Some((900, 600)));
    assert!(!planted_faults::is_armed(Entry::Size));
    assert_eq!(size(&mut rig), Some((900, 600)));
}

fn in_clap_creation() {
    planted_faults::arm(Entry::Make);
    assert!(Rig::try_idle().is_err(), "the host gets none, and lives");
    assert!(!planted_faults::is_armed(Entry::Make));
    let input = sine(440.0, 48_000.0, 4_800);
    assert_eq!(Rig::stereo(48_000.0, 512).run(&input, 512)[0], input, "the next is made");
}

fn in_vst3_creation() {
    planted_faults::arm(Entry::Make);
    assert!(GetPluginFactory().is_null());
    let factory = GetPluginFactory().cast::<IPluginFactory>();
    // SAFETY: it is ours.
    let factory = unsafe { ComPtr::from_raw(factory) }.unwrap();
    let make = || {
        let mut made = std::ptr::null_mut();
        // SAFETY: ids have sixteen bytes, and there is room for a pointer.
        let result = unsafe {
            factory.createInstance(
                b"DeskhandPlugin01".as_ptr().cast(),
                IComponent_iid.as_ptr(),
                &mut made,
            )
        };
        // SAFETY: it is null, or a component.
        (result, unsafe { ComPtr::<IComponent>::from_raw(made.cast()) })
    };
    planted_faults::arm(Entry::Make);
    let (result, made) = make();
    assert!(result != kResultOk && made.is_none());
    assert!(!planted_faults::is_armed(Entry::Make));
    let (result, made) = make();
    assert!(result == kResultOk && made.is_some(), "the next is made");
}

fn in_reset() {
    let input = sine(440.0, 48_000.0, 4_800);
    let mut rig = Rig::stereo(48_000.0, 512);
    rig.set_trim(6.0);
    rig.run(&[0.0; 512], 512);
    planted_faults::arm(Entry::Reset);
    rig.reset();
    assert!(!planted_faults::is_armed(Entry::Reset));
    let out = rig.run(&input, 512).swap_remove(0);
    assert!((rig::level(&out) - rig::level(&input) - 6.0).abs() < 0.1, "sound goes on");
}

fn in_the_link() {
    let input = sine(440.0, 48_000.0, 4_800);
    let (mut rig, mut other) = (Rig::stereo(48_000.0, 512), Rig::stereo(48_000.0, 512));
    for _ in 0..2 {
        planted_faults::arm(Entry::Hub);
        go_on(&mut rig, |_| !planted_faults::is_armed(Entry::Hub));
        rig.set_trim(12.0);
        rig.run(&[0.0; 4_096], 512);
        let out = rig.run(&input, 512).swap_remove(0);
        assert!((rig::level(&out) - rig::level(&input) - 12.0).abs() < 0.1, "sound goes on");
        // Its window is reopened: there is a link again, which the next round ends.
        rig.look();
    }
    other.run(&[0.0; 512], 512);
    let start = Instant::now();
    drop((rig, other));
    assert!(start.elapsed() < rig::FAREWELL, "{:?}", start.elapsed());
}

fn in_life() {
    let rig = Rig::stereo(48_000.0, 512);
    planted_faults::arm(Entry::Life);
    drop(rig);
    assert!(!planted_faults::is_armed(Entry::Life), "the host sees nothing of it");
    let input = sine(440.0, 48_000.0, 4_800);
    let mut next = Rig::stereo(48_000.0, 512);
    assert_eq!(next.run(&input, 512)[0], input);
}

/// The saved state of an instance without a session, with a trim in dB.
fn project_of(trim: f64) -> Vec<u8> {
    let saved = json!({"armed": true}).to_string();
    let params = json!({"trim": {"f32": trim}});
    let state = json!({"version": "", "params": params, "fields": {"deskhand": saved}});
    let state = state.to_string().into_bytes();
    [&(state.len() as u64).to_le_bytes(), state.as_slice()].concat()
}

/// Goes on as a host does until it is so.
fn go_on(rig: &mut Rig, mut is_so: impl FnMut(&mut Rig) -> bool) {
    let start = Instant::now();
    while !is_so(rig) {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not become so");
        rig.main_thread();
        rig.run(&[0.0; 512], 512);
        std::thread::park_timeout(Duration::from_millis(8));
    }
}

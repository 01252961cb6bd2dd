//! The VST3 through its own interfaces: the host's process mode, blocks, resets, its track, the hub, and
//! the CLAP next to it.

#![allow(
    unreachable_pub,
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "tests, outside the audio thread; a host is made of pointers"
)]

#[allow(dead_code, reason = "each test program uses a part of the rig")]
#[path = "../clap/rig.rs"]
mod rig;

mod changes;
#[allow(dead_code, reason = "each test program uses a part of the desk")]
#[path = "../hub/desk.rs"]
mod desk;
#[cfg(target_os = "linux")]
#[path = "../hub/display.rs"]
mod display;
mod served;
mod sound;
mod together;
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "for the tests of windows"))]
mod vst;
#[cfg(target_os = "linux")]
mod window;

use deskhand_plugin::test_probes;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    IAudioProcessorTrait, IComponentTrait, ProcessModes_, ProcessSetup, SymbolicSampleSizes_,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::kResultOk;
use vst::Vst;

#[test]
fn every_activation_has_the_mode_of_its_own_setup() {
    let _turn = desk::turn();
    let Vst { component, processor, .. } = &Vst::new();
    let (live, offline) = (ProcessModes_::kRealtime, ProcessModes_::kOffline);
    for mode in [live, offline, offline, live, live, offline, live] {
        let mut setup = ProcessSetup {
            processMode: mode as i32,
            symbolicSampleSize: SymbolicSampleSizes_::kSample32 as i32,
            maxSamplesPerBlock: 512,
            sampleRate: 48_000.0,
        };
        unsafe {
            assert_eq!(processor.setupProcessing(&mut setup), kResultOk);
            assert_eq!(component.setActive(1), kResultOk);
        }
        assert_eq!(test_probes::may_hear_alone(), mode == live, "{mode}");
        assert_eq!(unsafe { component.setActive(0) }, kResultOk);
    }
}

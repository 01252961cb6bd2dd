//! The VST3 by its own interfaces: what it makes of the host's process mode.

#![allow(
    missing_docs,
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

use deskhand_plugin::{GetPluginFactory, plant};
use nice_plug::wrapper::vst3::vst3::ComPtr;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    IAudioProcessor, IAudioProcessorTrait, IComponent, IComponentTrait, ProcessModes_,
    ProcessSetup, SymbolicSampleSizes_,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    IPluginBaseTrait, IPluginFactory, IPluginFactoryTrait, PClassInfo, kResultOk,
};

/// An instance, as a host makes one.
fn instance() -> ComPtr<IComponent> {
    let factory = GetPluginFactory().cast::<IPluginFactory>();
    let factory = unsafe { ComPtr::from_raw(factory) }.unwrap();
    let mut info: PClassInfo = unsafe { std::mem::zeroed() };
    let mut made = std::ptr::null_mut();
    unsafe {
        assert_eq!((factory.countClasses(), factory.getClassInfo(1, &mut info)), (1, 2));
        assert_eq!(factory.getClassInfo(0, &mut info), kResultOk);
        let iid = nice_plug::wrapper::vst3::vst3::Steinberg::Vst::IComponent_iid;
        let made_it = factory.createInstance(info.cid.as_ptr(), iid.as_ptr(), &mut made);
        assert_eq!(made_it, kResultOk);
        let other = [1; 16];
        let mut none = std::ptr::null_mut();
        assert_ne!(factory.createInstance(other.as_ptr(), iid.as_ptr(), &mut none), kResultOk);
        ComPtr::from_raw(made.cast()).unwrap()
    }
}

#[test]
fn every_activation_has_the_mode_of_its_own_setup() {
    rig::home();
    let component = instance();
    let processor = component.cast::<IAudioProcessor>().unwrap();
    assert_eq!(unsafe { component.initialize(std::ptr::null_mut()) }, kResultOk);
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
        assert_eq!(plant::may_hear_alone(), mode == live, "{mode}");
        assert_eq!(unsafe { component.setActive(0) }, kResultOk);
    }
    assert_eq!(unsafe { component.terminate() }, kResultOk);
}

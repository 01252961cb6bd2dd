//! The entry of the VST3: instances as the framework makes them, with some of their functions replaced.
//!
//! - `setupProcessing`: nice-plug 0.4.2 stores what an instance will be activated with before it reads the process mode of the
//!   same `ProcessSetup`. So every instance would believe in the mode of the setup before: an offline render would not wait
//!   for its disk, and the playback after it would wait on the audio thread. Setting up is nothing but storing: here it is
//!   done twice.
//! - `process`: tells the host what [`crate::after_block`] has for it.
//! - `getParameterInfo`: nice-plug puts a unit both after the texts and in here, and texts need a space
//!   before it.
//! - On Linux, those of a view: nice-plug never releases what it registers for one.
//!
//! Thread: message

#![expect(unsafe_code, reason = "the interface of a VST3 is made of pointers")]

mod calls;
mod lines;
mod patch;
#[cfg(target_os = "linux")]
mod view;

use crate::Deskhand;
use crate::guard::{Entry, Faults, caught};
use nice_plug::wrapper::setup_logger;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{IAudioProcessor, IEditController};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, FUnknown, IPluginFactory, IPluginFactory2, IPluginFactory2Trait, IPluginFactory3,
    IPluginFactory3Trait, IPluginFactoryTrait, PClassInfo, PClassInfo2, PClassInfoW, PFactoryInfo,
    TUID, int32, kInternalError, kInvalidArgument, kResultOk, tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComWrapper};
use nice_plug::wrapper::vst3::{PluginInfo, Wrapper};
use std::ffi::c_void;

/// Makes instances for a host.
struct Factory(PluginInfo);

impl Class for Factory {
    type Interfaces = (IPluginFactory, IPluginFactory2, IPluginFactory3);
}

/// Writes the description of the only class.
///
/// # Safety
/// `place` is null or may be written.
unsafe fn describe<T>(index: int32, place: *mut T, info: T) -> tresult {
    if index != 0 || place.is_null() {
        return kInvalidArgument;
    }
    // SAFETY: it is not null, and the host lends it for this.
    unsafe { place.write(info) };
    kResultOk
}

impl IPluginFactoryTrait for Factory {
    unsafe fn getFactoryInfo(&self, info: *mut PFactoryInfo) -> tresult {
        // SAFETY: the host's place.
        unsafe { describe(0, info, self.0.create_factory_info()) }
    }

    unsafe fn countClasses(&self) -> int32 {
        1
    }

    unsafe fn getClassInfo(&self, index: int32, info: *mut PClassInfo) -> tresult {
        // SAFETY: the host's place.
        unsafe { describe(index, info, self.0.create_class_info()) }
    }

    unsafe fn createInstance(
        &self,
        cid: FIDString,
        iid: FIDString,
        obj: *mut *mut c_void,
    ) -> tresult {
        if cid.is_null() || iid.is_null() || obj.is_null() {
            return kInvalidArgument;
        }
        // SAFETY: an id has sixteen bytes.
        if unsafe { *cid.cast::<[u8; 16]>() } != *self.0.cid {
            return kInvalidArgument;
        }
        let made = caught(Entry::Make, &Faults::default(), || {
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Make);
            ComWrapper::new(Wrapper::<Deskhand>::new())
        });
        let Some(made) = made else { return kInternalError };
        let parts = (made.as_com_ref::<IAudioProcessor>(), made.as_com_ref::<IEditController>());
        let (Some(processor), Some(controller)) = parts else { return kInternalError };
        let Some(unknown) = made.as_com_ref::<FUnknown>() else { return kInternalError };
        let unknown = unknown.as_ptr();
        // SAFETY: the instance is there until `made` is dropped, nobody else has it yet, and it is always a
        // `Wrapper<Deskhand>`. That lists both interfaces, and none that extends one of them.
        unsafe {
            calls::patch(processor.as_ptr(), controller.as_ptr());
            ((*(*unknown).vtbl).queryInterface)(unknown, iid.cast::<TUID>(), obj)
        }
    }
}

impl IPluginFactory2Trait for Factory {
    unsafe fn getClassInfo2(&self, index: int32, info: *mut PClassInfo2) -> tresult {
        // SAFETY: the host's place.
        unsafe { describe(index, info, self.0.create_class_info_2()) }
    }
}

impl IPluginFactory3Trait for Factory {
    unsafe fn getClassInfoUnicode(&self, index: int32, info: *mut PClassInfoW) -> tresult {
        // SAFETY: the host's place.
        unsafe { describe(index, info, self.0.create_class_info_unicode()) }
    }

    unsafe fn setHostContext(&self, _: *mut FUnknown) -> tresult {
        kResultOk
    }
}

/// The entry point of the VST3: a host loads the library and calls this function first.
#[unsafe(no_mangle)]
pub extern "system" fn GetPluginFactory() -> *mut c_void {
    let factory = caught(Entry::Make, &Faults::default(), || {
        #[cfg(feature = "test-probes")]
        crate::planted_faults::trip(Entry::Make);
        let factory = ComWrapper::new(Factory(PluginInfo::for_plugin::<Deskhand>()));
        factory.to_com_ptr::<IPluginFactory>()
    });
    factory.flatten().map_or(std::ptr::null_mut(), |factory| factory.into_raw().cast())
}

/// The host has loaded this code.
#[cfg(all(target_family = "unix", not(target_os = "macos")))]
#[unsafe(no_mangle)]
pub extern "C" fn ModuleEntry(_: *mut c_void) -> bool {
    setup_logger::<Deskhand>();
    true
}

/// The host is done with this code.
#[cfg(all(target_family = "unix", not(target_os = "macos")))]
#[unsafe(no_mangle)]
pub extern "C" fn ModuleExit() -> bool {
    true
}

/// The host has loaded this code.
#[cfg(target_os = "macos")]
#[unsafe(no_mangle)]
pub extern "C" fn bundleEntry(_: *mut c_void) -> bool {
    setup_logger::<Deskhand>();
    true
}

/// The host is done with this code.
#[cfg(target_os = "macos")]
#[unsafe(no_mangle)]
pub extern "C" fn bundleExit() -> bool {
    true
}

/// The host has loaded this code.
#[cfg(target_os = "windows")]
#[unsafe(no_mangle)]
pub extern "system" fn InitDll() -> bool {
    setup_logger::<Deskhand>();
    true
}

/// The host is done with this code.
#[cfg(target_os = "windows")]
#[unsafe(no_mangle)]
pub extern "system" fn ExitDll() -> bool {
    true
}

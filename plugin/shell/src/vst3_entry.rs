//! The door of the VST3: instances as the framework makes them, with one thing told to them in time.
//!
//! nice-plug 0.4.2 stores what an instance will be activated with before it reads the process mode of the same
//! `ProcessSetup`. So every instance would believe in the mode of the setup before: an offline render would not wait for its
//! disk, and the playback behind it would wait on the audio thread. Setting up is nothing but storing: here it is done twice.
//!
//! Thread: message

#![expect(unsafe_code, reason = "the interface of a VST3 is made of pointers")]

use crate::Deskhand;
use crate::guard::{Entry, Faults, caught};
use nice_plug::wrapper::setup_logger;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    IAudioProcessor, IAudioProcessorVtbl, ProcessSetup,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, FUnknown, IPluginFactory, IPluginFactory2, IPluginFactory2Trait, IPluginFactory3,
    IPluginFactory3Trait, IPluginFactoryTrait, PClassInfo, PClassInfo2, PClassInfoW, PFactoryInfo,
    TUID, int32, kInternalError, kInvalidArgument, kResultOk, tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComWrapper};
use nice_plug::wrapper::vst3::{PluginInfo, Wrapper};
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

/// Makes instances for a host.
struct Factory(PluginInfo);

impl Class for Factory {
    type Interfaces = (IPluginFactory, IPluginFactory2, IPluginFactory3);
}

/// Writes what is known of the only class there is.
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
            #[cfg(feature = "plant")]
            crate::plant::trip(Entry::Make);
            ComWrapper::new(Wrapper::<Deskhand>::new())
        });
        let Some(made) = made else { return kInternalError };
        let parts = (made.as_com_ref::<IAudioProcessor>(), made.as_com_ref::<FUnknown>());
        let (Some(processor), Some(unknown)) = parts else { return kInternalError };
        let unknown = unknown.as_ptr();
        // SAFETY: the instance is there until `made` is dropped; nobody else has it yet.
        unsafe {
            sets_up_twice(processor.as_ptr());
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

/// The functions of the framework's processor, all but one, and the way to that one.
#[repr(C)]
struct Twice {
    ours: IAudioProcessorVtbl,
    theirs: &'static IAudioProcessorVtbl,
}

/// One for each class there is: it is never more than one.
static TWICE: Mutex<Option<&'static Twice>> = Mutex::new(None);

/// Lets `processor` be set up by [`set_up`].
///
/// # Safety
/// It is a processor of the framework's that nobody uses yet.
unsafe fn sets_up_twice(processor: *mut IAudioProcessor) {
    // SAFETY: the table of a class is there as long as the code is.
    let theirs: &'static IAudioProcessorVtbl = unsafe { &*(*processor).vtbl };
    let mut twice = TWICE.lock().unwrap_or_else(PoisonError::into_inner);
    let twice = twice.get_or_insert_with(|| {
        let ours = IAudioProcessorVtbl { setupProcessing: set_up, ..*theirs };
        Box::leak(Box::new(Twice { ours, theirs }))
    });
    // SAFETY: nobody reads it yet, and the new table is never freed.
    unsafe { (*processor).vtbl = &raw const twice.ours };
}

unsafe extern "system" fn set_up(this: *mut IAudioProcessor, setup: *mut ProcessSetup) -> tresult {
    // SAFETY: only processors whose table is the first field of a `Twice` have this function.
    let theirs = unsafe { (*(*this).vtbl.cast::<Twice>()).theirs };
    // SAFETY: as the host calls it.
    let done = unsafe { (theirs.setupProcessing)(this, setup) };
    if done != kResultOk {
        return done;
    }
    // SAFETY: as before.
    unsafe { (theirs.setupProcessing)(this, setup) }
}

/// Where a host of VST3 plugins begins.
#[unsafe(no_mangle)]
pub extern "system" fn GetPluginFactory() -> *mut c_void {
    let factory = caught(Entry::Make, &Faults::default(), || {
        #[cfg(feature = "plant")]
        crate::plant::trip(Entry::Make);
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

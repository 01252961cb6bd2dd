//! What a host calls through a table of ours: setting up, blocks, parameters, and the making of a window.
//!
//! Thread: message; audio where it says so

#![expect(unsafe_code, reason = "the interface of a VST3 is made of pointers")]

use super::lines::Filled;
use super::patch::{Patch, theirs};
use crate::after_block::{self, AfterBlock};
use nice_plug::wrapper::vst3::vst3::ComRef;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    IAudioProcessor, IAudioProcessorVtbl, IEditController, IEditControllerVtbl,
    IParamValueQueueTrait, IParameterChanges, IParameterChangesTrait, ParameterInfo, ProcessData,
    ProcessSetup,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, IPlugView, int32, kResultFalse, kResultOk, tresult,
};

static PROCESSOR: Patch<IAudioProcessorVtbl> = Patch::new();
static CONTROLLER: Patch<IEditControllerVtbl> = Patch::new();

/// Lets an instance be called through tables of ours.
///
/// # Safety
/// Both belong to a `Wrapper<Deskhand>` that nobody uses yet.
pub(super) unsafe fn patch(processor: *mut IAudioProcessor, controller: *mut IEditController) {
    // SAFETY: as said; `Wrapper` lists `IAudioProcessor` and `IEditController`, and none that extends them.
    unsafe {
        PROCESSOR.replace(&raw mut (*processor).vtbl, |theirs| IAudioProcessorVtbl {
            setupProcessing: set_up,
            process,
            ..*theirs
        });
        CONTROLLER.replace(&raw mut (*controller).vtbl, |theirs| IEditControllerVtbl {
            getParameterInfo: parameter_info,
            createView: create_view,
            ..*theirs
        });
    }
}

unsafe extern "system" fn set_up(this: *mut IAudioProcessor, setup: *mut ProcessSetup) -> tresult {
    // SAFETY: only processors with a table of ours have this function.
    let theirs = unsafe { theirs((*this).vtbl) };
    // SAFETY: as the host calls it.
    let done = unsafe { (theirs.setupProcessing)(this, setup) };
    if done != kResultOk {
        return done;
    }
    // SAFETY: as before.
    unsafe { (theirs.setupProcessing)(this, setup) }
}

/// Thread: audio.
unsafe extern "system" fn process(this: *mut IAudioProcessor, data: *mut ProcessData) -> tresult {
    // SAFETY: as the host calls it; only processors with a table of ours have this function.
    let done = unsafe { with_lines(this, data) };
    let AfterBlock { trim, failed } = after_block::take();
    // SAFETY: the host's block is there until this returns.
    let Some(data) = (unsafe { data.as_ref() }) else { return done };
    if let Some(fraction) = trim {
        // SAFETY: as above.
        unsafe { tell_trim(data.outputParameterChanges, fraction) };
    }
    if !failed {
        return done;
    }
    // SAFETY: as above.
    unsafe { silence(data) };
    kResultFalse
}

/// Has the framework process a block, whose lines of automation it gets point by point.
///
/// # Safety
/// As the host calls [`process`].
unsafe fn with_lines(this: *mut IAudioProcessor, data: *mut ProcessData) -> tresult {
    // SAFETY: as said. What the host brings is put back before it looks again.
    unsafe {
        let theirs = theirs((*this).vtbl);
        let Some(block) = data.as_mut() else { return (theirs.process)(this, data) };
        let brought = block.inputParameterChanges;
        let filled = Filled::of(this, brought, block.numSamples);
        block.inputParameterChanges = filled.changes();
        let done = (theirs.process)(this, data);
        (*data).inputParameterChanges = brought;
        done
    }
}

/// # Safety
/// `changes` is null or the host's list.
unsafe fn tell_trim(changes: *mut IParameterChanges, fraction: f32) {
    let (id, mut place) = (after_block::number_of("trim"), 0);
    // SAFETY: the host's list, and its queue as long as that is there.
    unsafe {
        let Some(changes) = ComRef::from_raw(changes) else { return };
        if let Some(queue) =
            ComRef::from_raw(changes.addParameterData(&raw const id, &raw mut place))
        {
            queue.addPoint(0, f64::from(fraction), &raw mut place);
        }
    }
}

/// # Safety
/// It is the host's block.
unsafe fn silence(data: &ProcessData) {
    let (buses, frames) = (data.numOutputs.max(0) as usize, data.numSamples.max(0) as usize);
    // SAFETY: as many buses, channels and frames as the host says, of 32 bits, for which alone instances are set up.
    unsafe {
        for bus in 0..if data.outputs.is_null() { 0 } else { buses } {
            let bus = &*data.outputs.add(bus);
            let sides = bus.__field0.channelBuffers32;
            for side in 0..if sides.is_null() { 0 } else { bus.numChannels.max(0) as usize } {
                (*sides.add(side)).write_bytes(0, frames);
            }
        }
    }
}

unsafe extern "system" fn parameter_info(
    this: *mut IEditController,
    index: int32,
    info: *mut ParameterInfo,
) -> tresult {
    // SAFETY: as the host calls it; only controllers with a table of ours have this function.
    let done = unsafe { (theirs((*this).vtbl).getParameterInfo)(this, index, info) };
    // SAFETY: the host's place, which was written.
    if let Some(info) = unsafe { info.as_mut() }.filter(|_| done == kResultOk) {
        let space = u16::from(b' ');
        let spaces = info.units.iter().take_while(|unit| **unit == space).count();
        info.units.rotate_left(spaces);
        let end = info.units.len() - spaces;
        info.units[end..].fill(0);
    }
    done
}

unsafe extern "system" fn create_view(
    this: *mut IEditController,
    name: FIDString,
) -> *mut IPlugView {
    // SAFETY: as the host calls it; only controllers with a table of ours have this function.
    let view = unsafe { (theirs((*this).vtbl).createView)(this, name) };
    #[cfg(target_os = "linux")]
    if !view.is_null() {
        // SAFETY: the framework just made it, and the host does not have it yet. While another window of the
        // instance is open, threads of the framework may read the view's fields (`WrapperInner::plug_view`), but
        // none of them calls it through an interface.
        unsafe { super::view::patch(view) };
    }
    view
}

//! Lines of automation. A VST3 host sends the ends of a line, and between them the value is on the line; nice-plug takes
//! each point as a step. So trim and low cut get the points between, wherever a host draws lines.
//!
//! A point alone in the middle of a block can be the end of a line or a step. A line goes on to the last frame of its
//! block: what ends there is one, and so is what follows it in the next block.
//!
//! Thread: audio

#![expect(unsafe_code, reason = "the interface of a VST3 is made of pointers")]
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use crate::after_block::number_of;
use nice_plug::wrapper::vst3::vst3::ComRef;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    IAudioProcessor, IEditController, IEditControllerTrait, IParamValueQueue,
    IParamValueQueueTrait, IParamValueQueueVtbl, IParameterChanges, IParameterChangesTrait,
    IParameterChangesVtbl, ParamID, ParamValue,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FUnknown, FUnknownVtbl, TUID, int32, kNoInterface, kResultFalse, kResultOk, tresult, uint32,
};
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

/// The parameters that move on lines.
const LINES: [ParamID; 2] = [number_of("trim"), number_of("low_cut")];
/// Frames between two points of a line.
const STEP: int32 = 64;
/// The most points between two ends: nice-plug has room for 1,024 events in a block.
const MOST: int32 = 256;

/// Which parameters were on a line at the end of an instance's last block: an instance's address, and a bit for each of
/// [`LINES`]. Two instances may share a place; then the tail of a line is taken as a step.
static MOVING: [AtomicU64; 256] = [const { AtomicU64::new(0) }; 256];

/// What a host brings with a block, with points between the ends of lines. The framework only reads it, through pointers
/// from shared references to a whole `Filled` or a whole [`Line`].
#[repr(C)]
pub(super) struct Filled {
    base: IParameterChanges,
    theirs: *mut IParameterChanges,
    lines: [Line; LINES.len()],
}

/// The points of one parameter.
#[repr(C)]
#[derive(Clone, Copy)]
struct Line {
    base: IParamValueQueue,
    theirs: *mut IParamValueQueue,
    /// Its place in the host's list, if the host draws a line.
    index: Option<int32>,
    /// The value at the end of the block before.
    from: ParamValue,
    /// Frames between two points.
    step: int32,
}

impl Filled {
    /// What the host brings with a block of `frames`, seen through lines.
    ///
    /// # Safety
    /// `changes` is null or the host's list, and stays while this is used.
    pub(super) unsafe fn of(
        processor: *mut IAudioProcessor,
        changes: *mut IParameterChanges,
        frames: int32,
    ) -> Self {
        let none = Line {
            base: IParamValueQueue { vtbl: &raw const QUEUE },
            theirs: ptr::null_mut(),
            index: None,
            from: 0.0,
            step: STEP.max(frames / MOST),
        };
        let base = IParameterChanges { vtbl: &raw const CHANGES };
        let mut filled = Self { base, theirs: changes, lines: [none; LINES.len()] };
        // SAFETY: as said.
        unsafe { filled.find(processor, frames) };
        filled
    }

    /// What to give to the framework.
    pub(super) fn changes(&self) -> *mut IParameterChanges {
        if self.theirs.is_null() { self.theirs } else { ptr::from_ref(self).cast_mut().cast() }
    }

    /// # Safety
    /// As of [`Self::of`].
    unsafe fn find(&mut self, processor: *mut IAudioProcessor, frames: int32) {
        let address = processor as u64;
        let Some(place) = MOVING.get((address >> 4) as usize % MOVING.len()) else { return };
        let word = place.load(Ordering::Relaxed);
        let was = if word >> LINES.len() == address { word } else { 0 };
        let mut is = 0;
        // SAFETY: the host's list, and its entries.
        unsafe {
            let count = ComRef::from_raw(self.theirs).map_or(0, |it| it.getParameterCount());
            for index in 0..count {
                let queue = ComRef::from_raw(self.theirs).map(|it| it.getParameterData(index));
                let queue = queue.unwrap_or(ptr::null_mut());
                let Some((which, last)) = end_of(queue) else { continue };
                let goes_on = last >= frames - 1;
                is |= u64::from(goes_on) << which;
                if let Some(line) = self.lines.get_mut(which)
                    && (goes_on || was >> which & 1 == 1)
                    && let Some(from) = value_of(processor, which)
                {
                    (line.theirs, line.index, line.from) = (queue, Some(index), from);
                }
            }
        }
        place.store(address << LINES.len() | is, Ordering::Relaxed);
    }
}

/// The line of [`LINES`] it belongs to, and its last frame.
///
/// # Safety
/// `queue` is null or the host's.
unsafe fn end_of(queue: *mut IParamValueQueue) -> Option<(usize, int32)> {
    // SAFETY: as said.
    unsafe {
        let id = ComRef::from_raw(queue)?.getParameterId();
        let which = LINES.iter().position(|line| *line == id)?;
        let last = ComRef::from_raw(queue)?.getPointCount() - 1;
        Some((which, point(queue, last)?.0))
    }
}

/// A point of the host's: frame and value.
///
/// # Safety
/// `queue` is null or the host's.
unsafe fn point(queue: *mut IParamValueQueue, index: int32) -> Option<(int32, ParamValue)> {
    let (mut at, mut value) = (0, 0.0);
    // SAFETY: as said; both places are ours.
    let got = unsafe { ComRef::from_raw(queue)?.getPoint(index, &raw mut at, &raw mut value) };
    (got == kResultOk).then_some((at, value))
}

/// Where a parameter is, in 0 to 1.
///
/// # Safety
/// `processor` is an instance of the framework's.
unsafe fn value_of(processor: *mut IAudioProcessor, which: usize) -> Option<ParamValue> {
    // SAFETY: as said; the same object is processor and controller.
    let controller = unsafe { ComRef::from_raw(processor)?.cast::<IEditController>()? };
    // SAFETY: as above.
    Some(unsafe { controller.getParamNormalized(*LINES.get(which)?) })
}

impl Line {
    /// The ends of the line from which the point of that number is taken, and its number between them. Before the first
    /// point is the end of the block before.
    fn place(&self, number: int32) -> Option<([(int32, ParamValue); 2], int32)> {
        let (mut before, mut left, mut index) = ((-1, self.from), number, 0);
        loop {
            // SAFETY: the host's queue, which is there until the block is done.
            let end = unsafe { point(self.theirs, index) }?;
            let here = self.points(before.0, end.0);
            if left < here {
                return Some(([before, end], left));
            }
            (before, left, index) = (end, left - here, index + 1);
        }
    }

    /// How many points lead from one frame to another, with the last.
    fn points(&self, from: int32, to: int32) -> int32 {
        ((to - from).max(1) + self.step - 1) / self.step
    }

    fn count(&self) -> int32 {
        let (mut before, mut index, mut count) = (-1, 0, 0);
        // SAFETY: as above.
        while let Some((at, _)) = unsafe { point(self.theirs, index) } {
            count += self.points(before, at);
            (before, index) = (at, index + 1);
        }
        count
    }

    fn get(&self, number: int32) -> Option<(int32, ParamValue)> {
        let ([(from, low), (to, high)], left) = self.place(number)?;
        if left + 1 == self.points(from, to) {
            return Some((to, high));
        }
        let at = from + (left + 1) * self.step;
        let share = f64::from(at - from) / f64::from(to - from);
        Some((at, low + (high - low) * share))
    }
}

static CHANGES: IParameterChangesVtbl = IParameterChangesVtbl {
    base: UNKNOWN,
    getParameterCount: parameter_count,
    getParameterData: parameter_data,
    addParameterData: add_parameter_data,
};

static QUEUE: IParamValueQueueVtbl = IParamValueQueueVtbl {
    base: UNKNOWN,
    getParameterId: parameter_id,
    getPointCount: point_count,
    getPoint: get_point,
    addPoint: add_point,
};

/// They last as long as their block, whoever counts.
const UNKNOWN: FUnknownVtbl =
    FUnknownVtbl { queryInterface: query_interface, addRef: counted, release: counted };

unsafe extern "system" fn query_interface(
    _: *mut FUnknown,
    _: *const TUID,
    _: *mut *mut c_void,
) -> tresult {
    kNoInterface
}

unsafe extern "system" fn counted(_: *mut FUnknown) -> uint32 {
    1
}

unsafe extern "system" fn parameter_count(this: *mut IParameterChanges) -> int32 {
    // SAFETY: only our lists have this function, and the framework gets none without the host's.
    unsafe {
        ComRef::from_raw((*this.cast::<Filled>()).theirs).map_or(0, |it| it.getParameterCount())
    }
}

unsafe extern "system" fn parameter_data(
    this: *mut IParameterChanges,
    index: int32,
) -> *mut IParamValueQueue {
    // SAFETY: as above.
    unsafe {
        let filled = &*this.cast::<Filled>();
        match filled.lines.iter().find(|line| line.index == Some(index)) {
            Some(line) => ptr::from_ref(line).cast_mut().cast(),
            None => ComRef::from_raw(filled.theirs)
                .map_or(ptr::null_mut(), |it| it.getParameterData(index)),
        }
    }
}

unsafe extern "system" fn add_parameter_data(
    _: *mut IParameterChanges,
    _: *const ParamID,
    _: *mut int32,
) -> *mut IParamValueQueue {
    ptr::null_mut()
}

unsafe extern "system" fn parameter_id(this: *mut IParamValueQueue) -> ParamID {
    // SAFETY: only lines have this function, and the host's queue is there until the block is done.
    unsafe { ComRef::from_raw((*this.cast::<Line>()).theirs).map_or(0, |it| it.getParameterId()) }
}

unsafe extern "system" fn point_count(this: *mut IParamValueQueue) -> int32 {
    // SAFETY: only lines have this function.
    unsafe { (*this.cast::<Line>()).count() }
}

unsafe extern "system" fn get_point(
    this: *mut IParamValueQueue,
    number: int32,
    at: *mut int32,
    value: *mut ParamValue,
) -> tresult {
    // SAFETY: only lines have this function; both places are the framework's.
    unsafe {
        let Some(found) = (*this.cast::<Line>()).get(number) else { return kResultFalse };
        (*at, *value) = found;
    }
    kResultOk
}

unsafe extern "system" fn add_point(
    _: *mut IParamValueQueue,
    _: int32,
    _: ParamValue,
    _: *mut int32,
) -> tresult {
    kResultFalse
}

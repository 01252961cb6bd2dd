//! What a host is told of parameters that the plugin moves, and how it brings them to the processor.

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    IComponentHandler, IComponentHandlerTrait, IParamValueQueue, IParamValueQueueTrait,
    IParameterChanges, IParameterChangesTrait, ParamID, ParamValue,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{int32, kNotImplemented, kResultOk, tresult};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComWrapper};
use std::sync::Mutex;
use std::thread::{self, ThreadId};

/// A part of a gesture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    Begins(ParamID),
    Sets(ParamID, ParamValue),
    Ends(ParamID),
}

/// Takes what the plugin tells, with the thread on which it does.
#[derive(Default)]
pub struct Edits(Mutex<Vec<(ThreadId, Told)>>);

impl Edits {
    /// All that was told.
    pub fn told(&self) -> Vec<(ThreadId, Told)> {
        self.0.lock().unwrap().clone()
    }

    fn take(&self, told: Told) -> tresult {
        self.0.lock().unwrap().push((thread::current().id(), told));
        kResultOk
    }
}

impl Class for Edits {
    type Interfaces = (IComponentHandler,);
}

impl IComponentHandlerTrait for Edits {
    unsafe fn beginEdit(&self, id: ParamID) -> tresult {
        self.take(Told::Begins(id))
    }

    unsafe fn performEdit(&self, id: ParamID, value: ParamValue) -> tresult {
        self.take(Told::Sets(id, value))
    }

    unsafe fn endEdit(&self, id: ParamID) -> tresult {
        self.take(Told::Ends(id))
    }

    unsafe fn restartComponent(&self, _: int32) -> tresult {
        kResultOk
    }
}

/// A parameter at the start of a block.
struct Point {
    id: ParamID,
    value: ParamValue,
}

impl Class for Point {
    type Interfaces = (IParamValueQueue,);
}

impl IParamValueQueueTrait for Point {
    unsafe fn getParameterId(&self) -> ParamID {
        self.id
    }

    unsafe fn getPointCount(&self) -> int32 {
        1
    }

    unsafe fn getPoint(&self, _: int32, at: *mut int32, value: *mut ParamValue) -> tresult {
        unsafe { (*at, *value) = (0, self.value) };
        kResultOk
    }

    unsafe fn addPoint(&self, _: int32, _: ParamValue, _: *mut int32) -> tresult {
        kNotImplemented
    }
}

/// All that changes with a block.
struct Points(ComPtr<IParamValueQueue>);

impl Class for Points {
    type Interfaces = (IParameterChanges,);
}

impl IParameterChangesTrait for Points {
    unsafe fn getParameterCount(&self) -> int32 {
        1
    }

    unsafe fn getParameterData(&self, _: int32) -> *mut IParamValueQueue {
        self.0.as_ptr()
    }

    unsafe fn addParameterData(&self, _: *const ParamID, _: *mut int32) -> *mut IParamValueQueue {
        std::ptr::null_mut()
    }
}

/// One parameter for the processor, from the start of a block on.
pub fn brought(id: ParamID, value: ParamValue) -> ComPtr<IParameterChanges> {
    let point = ComWrapper::new(Point { id, value }).to_com_ptr().unwrap();
    ComWrapper::new(Points(point)).to_com_ptr().unwrap()
}

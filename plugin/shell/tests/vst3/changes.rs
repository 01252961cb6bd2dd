//! Changes of parameters with a block: those from the host, and those reported to it.

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    IParamValueQueue, IParamValueQueueTrait, IParameterChanges, IParameterChangesTrait, ParamID,
    ParamValue,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{int32, kResultFalse, kResultOk, tresult};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComWrapper};
use std::sync::Mutex;

/// A value of a parameter from a frame of the block on, in 0 to 1.
pub type Point = (int32, ParamValue);

/// The points of one parameter.
pub struct Queue(ParamID, Mutex<Vec<Point>>);

impl Class for Queue {
    type Interfaces = (IParamValueQueue,);
}

impl IParamValueQueueTrait for Queue {
    unsafe fn getParameterId(&self) -> ParamID {
        self.0
    }

    unsafe fn getPointCount(&self) -> int32 {
        self.1.lock().unwrap().len() as int32
    }

    unsafe fn getPoint(&self, index: int32, at: *mut int32, value: *mut ParamValue) -> tresult {
        let Some(point) = self.1.lock().unwrap().get(index as usize).copied() else {
            return kResultFalse;
        };
        unsafe { (*at, *value) = point };
        kResultOk
    }

    unsafe fn addPoint(&self, at: int32, value: ParamValue, index: *mut int32) -> tresult {
        let mut points = self.1.lock().unwrap();
        points.push((at, value));
        unsafe { *index = points.len() as int32 - 1 };
        kResultOk
    }
}

type Lent = (ParamID, ComWrapper<Queue>, ComPtr<IParamValueQueue>);

/// All that changes with a block.
#[derive(Default)]
pub struct Changes(Mutex<Vec<Lent>>);

impl Class for Changes {
    type Interfaces = (IParameterChanges,);
}

impl Changes {
    /// The points of parameters, in their order.
    pub fn of(points: &[(ParamID, Point)]) -> ComWrapper<Self> {
        let changes = ComWrapper::new(Self::default());
        for (id, (at, value)) in points {
            let mut place = 0;
            let queue = unsafe { changes.addParameterData(id, &mut place) };
            let queue = unsafe { (*queue).vtbl.as_ref() }.map(|table| (queue, table)).unwrap();
            assert_eq!(unsafe { (queue.1.addPoint)(queue.0, *at, *value, &mut place) }, kResultOk);
        }
        changes
    }

    pub fn points(&self) -> Vec<(ParamID, Point)> {
        let queues = self.0.lock().unwrap();
        let of_one = |(id, queue, _): &Lent| {
            let points = queue.1.lock().unwrap().clone();
            points.into_iter().map(|point| (*id, point)).collect::<Vec<_>>()
        };
        queues.iter().flat_map(of_one).collect()
    }
}

impl IParameterChangesTrait for Changes {
    unsafe fn getParameterCount(&self) -> int32 {
        self.0.lock().unwrap().len() as int32
    }

    unsafe fn getParameterData(&self, index: int32) -> *mut IParamValueQueue {
        let queues = self.0.lock().unwrap();
        queues.get(index as usize).map_or(std::ptr::null_mut(), |(.., queue)| queue.as_ptr())
    }

    unsafe fn addParameterData(
        &self,
        id: *const ParamID,
        index: *mut int32,
    ) -> *mut IParamValueQueue {
        let (id, mut queues) = (unsafe { *id }, self.0.lock().unwrap());
        let known = queues.iter().position(|(known, ..)| *known == id);
        let place = known.unwrap_or_else(|| {
            let queue = ComWrapper::new(Queue(id, Mutex::default()));
            let pointer = queue.to_com_ptr().unwrap();
            queues.push((id, queue, pointer));
            queues.len() - 1
        });
        unsafe { *index = place as int32 };
        queues[place].2.as_ptr()
    }
}

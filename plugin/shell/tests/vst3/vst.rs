//! A host with one instance of the VST3, stepped by hand.

use crate::changes::{Changes, Point};
use crate::rig::home;
use deskhand_plugin::GetPluginFactory;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::ChannelContext::{
    IInfoListener, IInfoListenerTrait, kChannelColorKey, kChannelNameKey,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::ProcessContext_::StatesAndFlags_::kPlaying;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{
    AudioBusBuffers, AudioBusBuffers__type0, IAttributeList, IAttributeListTrait, IAudioProcessor,
    IAudioProcessorTrait, IComponent, IComponent_iid, IComponentTrait, IEditController,
    IEditControllerTrait, IParameterChanges, ParamID, ParameterInfo, ProcessContext, ProcessData,
    ProcessModes_, ProcessSetup, SymbolicSampleSizes_, TChar,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    IPluginBaseTrait, IPluginFactory, IPluginFactoryTrait, PClassInfo, int64, kNotImplemented,
    kResultFalse, kResultOk, tresult, uint32,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComWrapper};
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_void};

pub struct Vst {
    pub component: ComPtr<IComponent>,
    pub processor: ComPtr<IAudioProcessor>,
    pub controller: ComPtr<IEditController>,
    mode: i32,
    /// What the next block brings.
    brings: RefCell<Vec<(ParamID, Point)>>,
    /// The reports of parameters to the host.
    pub told: RefCell<Vec<(ParamID, Point)>>,
    /// Blocks that were an error.
    pub errors: Cell<usize>,
}

impl Vst {
    /// An instance of this program's, as a host makes one.
    pub fn new() -> Self {
        home();
        Self::of(GetPluginFactory())
    }

    /// An instance of a library's.
    pub fn of(factory: *mut c_void) -> Self {
        let factory = unsafe { ComPtr::from_raw(factory.cast::<IPluginFactory>()) }.unwrap();
        let mut info: PClassInfo = unsafe { std::mem::zeroed() };
        let mut made = std::ptr::null_mut();
        let iid = IComponent_iid;
        let component: ComPtr<IComponent> = unsafe {
            assert_eq!((factory.countClasses(), factory.getClassInfo(1, &mut info)), (1, 2));
            assert_eq!(factory.getClassInfo(0, &mut info), kResultOk);
            let made_it = factory.createInstance(info.cid.as_ptr(), iid.as_ptr(), &mut made);
            assert_eq!(made_it, kResultOk);
            let (other, mut none) = ([1; 16], std::ptr::null_mut());
            assert_ne!(factory.createInstance(other.as_ptr(), iid.as_ptr(), &mut none), kResultOk);
            ComPtr::from_raw(made.cast()).unwrap()
        };
        assert_eq!(unsafe { component.initialize(std::ptr::null_mut()) }, kResultOk);
        let (processor, controller) = (component.cast().unwrap(), component.cast().unwrap());
        let mode = ProcessModes_::kRealtime as i32;
        let (brings, told, errors) = (RefCell::default(), RefCell::default(), Cell::default());
        Self { component, processor, controller, mode, brings, told, errors }
    }

    /// The number of its parameter of that name.
    pub fn id(&self, name: &str) -> ParamID {
        self.info(name).id
    }

    /// What its parameter of that name is measured in.
    pub fn unit(&self, name: &str) -> String {
        let unit: Vec<u16> =
            self.info(name).units.iter().take_while(|c| **c != 0).copied().collect();
        String::from_utf16_lossy(&unit)
    }

    fn info(&self, name: &str) -> ParameterInfo {
        let count = unsafe { self.controller.getParameterCount() };
        let one = |index| {
            let mut info: ParameterInfo = unsafe { std::mem::zeroed() };
            assert_eq!(unsafe { self.controller.getParameterInfo(index, &mut info) }, kResultOk);
            info
        };
        let is_it = |info: &ParameterInfo| {
            let title: Vec<u16> = info.title.iter().take_while(|c| **c != 0).copied().collect();
            String::from_utf16_lossy(&title) == name
        };
        (0..count).map(one).find(is_it).unwrap()
    }

    /// What its parameter of that name is set to in 0 to 1 while nothing is processed.
    pub fn set(&self, name: &str, value: f64) {
        let id = self.id(name);
        assert_eq!(unsafe { self.controller.setParamNormalized(id, value) }, kResultOk);
    }

    /// Its parameter of that name, in 0 to 1.
    pub fn value(&self, name: &str) -> f64 {
        unsafe { self.controller.getParamNormalized(self.id(name)) }
    }

    /// The next block brings a point of a parameter.
    pub fn bring(&self, id: ParamID, point: Point) {
        self.brings.borrow_mut().push((id, point));
    }

    pub fn start(&mut self, is_offline: bool, rate: f64, block: i32) {
        let mode = if is_offline { ProcessModes_::kOffline } else { ProcessModes_::kRealtime };
        self.mode = mode as i32;
        let mut setup = ProcessSetup {
            processMode: self.mode,
            symbolicSampleSize: SymbolicSampleSizes_::kSample32 as i32,
            maxSamplesPerBlock: block,
            sampleRate: rate,
        };
        unsafe {
            assert_eq!(self.processor.setupProcessing(&mut setup), kResultOk);
            assert_eq!(self.component.setActive(1), kResultOk);
            assert_eq!(self.processor.setProcessing(1), kResultOk);
        }
    }

    /// The host stops and starts processing.
    pub fn reset(&self) {
        unsafe {
            assert_eq!(self.processor.setProcessing(0), kResultOk);
            assert_eq!(self.processor.setProcessing(1), kResultOk);
        }
    }

    pub fn stop(&self) {
        unsafe {
            assert_eq!(self.processor.setProcessing(0), kResultOk);
            assert_eq!(self.component.setActive(0), kResultOk);
        }
    }

    /// Both channels get `input`, in blocks of `size`.
    pub fn run(&self, input: &[f32], size: usize) -> [Vec<f32>; 2] {
        let mut whole = [Vec::new(), Vec::new()];
        for block in input.chunks(size) {
            let out = self.block(block);
            whole.iter_mut().zip(out).for_each(|(whole, side)| whole.extend(side));
        }
        whole
    }

    /// The same while the host plays from frame `at` on.
    pub fn roll(&self, input: &[f32], at: i64, rate: f64, size: usize) -> [Vec<f32>; 2] {
        let mut whole = [Vec::new(), Vec::new()];
        for (n, block) in input.chunks(size).enumerate() {
            let mut context: ProcessContext = unsafe { std::mem::zeroed() };
            context.state = kPlaying as uint32;
            context.sampleRate = rate;
            context.projectTimeSamples = at + (n * size) as i64;
            let out = self.process(block, &mut context);
            whole.iter_mut().zip(out).for_each(|(whole, side)| whole.extend(side));
        }
        whole
    }

    /// One block of `input` in both channels, which may be empty.
    pub fn block(&self, input: &[f32]) -> [Vec<f32>; 2] {
        self.process(input, std::ptr::null_mut())
    }

    fn process(&self, input: &[f32], context: *mut ProcessContext) -> [Vec<f32>; 2] {
        let mut came = [input.to_vec(), input.to_vec()];
        let mut left = [vec![f32::NAN; input.len()], vec![f32::NAN; input.len()]];
        let mut ins = came.each_mut().map(Vec::as_mut_ptr);
        let mut outs = left.each_mut().map(Vec::as_mut_ptr);
        let bus = |channels: &mut [*mut f32; 2]| AudioBusBuffers {
            numChannels: 2,
            silenceFlags: 0,
            __field0: AudioBusBuffers__type0 { channelBuffers32: channels.as_mut_ptr() },
        };
        let (mut from, mut to) = (bus(&mut ins), bus(&mut outs));
        let mut data: ProcessData = unsafe { std::mem::zeroed() };
        data.processMode = self.mode;
        data.symbolicSampleSize = SymbolicSampleSizes_::kSample32 as i32;
        data.numSamples = i32::try_from(input.len()).unwrap();
        (data.numInputs, data.numOutputs) = (1, 1);
        (data.inputs, data.outputs) = (&raw mut from, &raw mut to);
        data.processContext = context;
        let brought = Changes::of(&self.brings.take());
        let (told, changes) = (Changes::of(&[]), |it: &ComWrapper<Changes>| {
            it.to_com_ptr::<IParameterChanges>().unwrap()
        });
        let (ins, outs) = (changes(&brought), changes(&told));
        (data.inputParameterChanges, data.outputParameterChanges) = (ins.as_ptr(), outs.as_ptr());
        let is_error = unsafe { self.processor.process(&mut data) } != kResultOk;
        self.errors.set(self.errors.get() + usize::from(is_error));
        self.told.borrow_mut().extend(told.points());
        left
    }

    /// The host names its track: a name, and a color as 0xAARRGGBB.
    pub fn name_track(&self, name: &str, color: i64) {
        let listener: ComPtr<IInfoListener> = self.component.cast().unwrap();
        let told = ComWrapper::new(Told { name: name.encode_utf16().collect(), color });
        let told = told.to_com_ptr::<IAttributeList>().unwrap();
        assert_eq!(unsafe { listener.setChannelContextInfos(told.as_ptr()) }, kResultOk);
    }
}

impl Drop for Vst {
    fn drop(&mut self) {
        unsafe {
            self.processor.setProcessing(0);
            self.component.setActive(0);
            self.component.terminate();
        }
    }
}

/// A host's report of a track.
struct Told {
    name: Vec<u16>,
    color: i64,
}

impl Class for Told {
    type Interfaces = (IAttributeList,);
}

fn is(id: *const c_char, key: *const c_char) -> bool {
    unsafe { CStr::from_ptr(id) == CStr::from_ptr(key) }
}

impl IAttributeListTrait for Told {
    unsafe fn getInt(&self, id: *const c_char, value: *mut int64) -> tresult {
        if !is(id, kChannelColorKey) {
            return kResultFalse;
        }
        unsafe { *value = self.color };
        kResultOk
    }

    unsafe fn getString(&self, id: *const c_char, string: *mut TChar, bytes: uint32) -> tresult {
        if !is(id, kChannelNameKey) {
            return kResultFalse;
        }
        assert!(bytes as usize > self.name.len() * 2);
        for (n, letter) in self.name.iter().chain(&[0]).enumerate() {
            unsafe { *string.add(n) = *letter as TChar };
        }
        kResultOk
    }

    unsafe fn setInt(&self, _: *const c_char, _: int64) -> tresult {
        kNotImplemented
    }

    unsafe fn setFloat(&self, _: *const c_char, _: f64) -> tresult {
        kNotImplemented
    }

    unsafe fn getFloat(&self, _: *const c_char, _: *mut f64) -> tresult {
        kResultFalse
    }

    unsafe fn setString(&self, _: *const c_char, _: *const TChar) -> tresult {
        kNotImplemented
    }

    unsafe fn setBinary(&self, _: *const c_char, _: *const c_void, _: uint32) -> tresult {
        kNotImplemented
    }

    unsafe fn getBinary(&self, _: *const c_char, _: *mut *const c_void, _: *mut uint32) -> tresult {
        kResultFalse
    }
}

//! The window of the VST3 in a host that lends it its run loop. It needs a display, and is skipped without
//! one.

use crate::desk::{Desk, turn, until};
use crate::display::root;
use crate::rig::{level, roughness, sine};
use crate::served::{BLOCK, RATE, at, gain, go};
use crate::sound::row;
use crate::vst::Vst;
use deskhand_plugin::param_ranges::{LEAST_TRIM, MOST_TRIM};
use nice_plug::wrapper::vst3::vst3::Steinberg::Linux::{
    FileDescriptor, IEventHandler, IEventHandlerTrait, IRunLoop, IRunLoopTrait, ITimerHandler,
    TimerInterval,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::IEditControllerTrait;
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    IPlugFrame, IPlugFrameTrait, IPlugView, IPlugViewTrait, ViewRect, kNotImplemented,
    kPlatformTypeX11EmbedWindowID, kResultOk, tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComRef, ComWrapper};
use serde_json::json;
use std::cell::RefCell;
use std::ffi::c_void;

/// What a host gives to a window: its frame, and its run loop.
#[derive(Default)]
struct Frame(RefCell<Vec<(*mut IEventHandler, FileDescriptor)>>);

impl Class for Frame {
    type Interfaces = (IPlugFrame, IRunLoop);
}

impl IPlugFrameTrait for Frame {
    unsafe fn resizeView(&self, _: *mut IPlugView, _: *mut ViewRect) -> tresult {
        kResultOk
    }
}

impl IRunLoopTrait for Frame {
    unsafe fn registerEventHandler(
        &self,
        handler: *mut IEventHandler,
        fd: FileDescriptor,
    ) -> tresult {
        self.0.borrow_mut().push((handler, fd));
        kResultOk
    }

    unsafe fn unregisterEventHandler(&self, handler: *mut IEventHandler) -> tresult {
        self.0.borrow_mut().retain(|(one, _)| *one != handler);
        kResultOk
    }

    unsafe fn registerTimer(&self, _: *mut ITimerHandler, _: TimerInterval) -> tresult {
        kNotImplemented
    }

    unsafe fn unregisterTimer(&self, _: *mut ITimerHandler) -> tresult {
        kNotImplemented
    }
}

/// A window that is open until it is dropped.
struct Window {
    view: ComPtr<IPlugView>,
    frame: ComWrapper<Frame>,
}

impl Window {
    fn open(vst: &Vst, root: u64) -> Self {
        let frame = ComWrapper::new(Frame::default());
        let lent = frame.to_com_ptr::<IPlugFrame>().unwrap();
        let parent = usize::try_from(root).unwrap() as *mut c_void;
        let view = unsafe {
            let view = ComPtr::from_raw(vst.controller.createView(c"editor".as_ptr())).unwrap();
            assert_eq!(view.setFrame(lent.as_ptr()), kResultOk);
            assert_eq!(view.attached(parent, kPlatformTypeX11EmbedWindowID), kResultOk);
            view
        };
        Self { view, frame }
    }

    /// The host's main thread looks whether the plugin waits for it.
    fn run_loop(&self) {
        let waiting = self.frame.0.borrow().clone();
        for (handler, fd) in waiting {
            let mut looked = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
            unsafe {
                if libc::poll(&raw mut looked, 1, 0) > 0 {
                    ComRef::from_raw(handler).unwrap().onFDIsSet(fd);
                }
            }
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        unsafe {
            self.view.removed();
            self.view.setFrame(std::ptr::null_mut());
        }
    }
}

/// In dB.
fn trim(value: f64) -> f64 {
    let [least, most] = [LEAST_TRIM, MOST_TRIM].map(f64::from);
    least + value * (most - least)
}

#[test]
fn in_an_open_window_a_plan_turns_the_knob_without_a_click_and_the_host_is_told() {
    let _turn = turn();
    let Some(root) = root() else { return };
    let mut desk = Desk::new();
    let vsts = at(&desk, 1);
    let (vst, id) = (&vsts[0], vsts[0].id("Trim"));
    let window = Window::open(vst, root);
    let name = desk.tracks()[0].1.name.clone();
    desk.call("cmd_set_track_gain", json!({"targets": [name], "change_db": -6.0}));
    let input = sine(440.0, RATE, BLOCK * 40);
    let (mut out, mut rounds) = (Vec::new(), 0);
    until(|| {
        window.run_loop();
        let at = (rounds % 40) * BLOCK;
        rounds += 1;
        let [left, _] = vst.run(&input[at..at + BLOCK], BLOCK);
        out.extend(left);
        (trim(vst.value("Trim")) + 6.0).abs() < 0.01
    });
    let quiet = roughness(&out) / roughness(&input);
    // The kinks of a ramp of 10 ms; a step of 6 dB would be over a hundred.
    assert!(quiet < 1.5, "no click on the way: {quiet}");
    let told = vst.told.take();
    assert!(
        matches!(*told, [(of, (0, to))] if of == id && (trim(to) + 6.0).abs() < 0.01),
        "{told:?}"
    );
    let end = vst.run(&input, BLOCK)[0].clone();
    assert!((level(&end) - level(&input) + 6.0).abs() < 0.01);
    assert!((desk.tracks()[0].1.gain.0 + 6.0).abs() < 0.01, "the session knows one gain");
    drop(window);
    desk.undo();
    until(|| gain(vst).abs() < 0.01 && trim(vst.value("Trim")).abs() < 0.01);
    row("a plan turns the knob in an open window: roughness", format!("{quiet:.3} times"));
    go(&desk, vsts);
}

/// Descriptors of this process that are open.
fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
fn a_window_that_is_closed_leaves_no_descriptor_open_and_no_handler_registered() {
    let _turn = turn();
    let vst = Vst::new();
    let root = root();
    let mut counts = Vec::new();
    for takes_frame_away in [true, false].into_iter().cycle().take(60) {
        let frame = ComWrapper::new(Frame::default());
        let lent = frame.to_com_ptr::<IPlugFrame>().unwrap();
        unsafe {
            let view = ComPtr::from_raw(vst.controller.createView(c"editor".as_ptr())).unwrap();
            assert_eq!(view.setFrame(lent.as_ptr()), kResultOk);
            assert_eq!(frame.0.borrow().len(), 1);
            if let Some(root) = root {
                let parent = usize::try_from(root).unwrap() as *mut c_void;
                assert_eq!(view.attached(parent, kPlatformTypeX11EmbedWindowID), kResultOk);
            }
            view.removed();
            if takes_frame_away {
                view.setFrame(std::ptr::null_mut());
            }
        }
        assert!(frame.0.borrow().is_empty(), "its handler is not called any more");
        counts.push(descriptors());
    }
    // Threads of a window that end a little later.
    until(|| descriptors() <= counts[0] + 2);
    row(
        "60 windows opened and closed: descriptors that stay",
        descriptors().saturating_sub(counts[0]),
    );
}

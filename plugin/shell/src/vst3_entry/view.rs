//! A view of the framework's on Linux, which lets go of what it registered at the host's run loop.
//!
//! nice-plug 0.4.2 registers an event handler with each frame that it is given, and holds the handler by a reference of the
//! handler's own: it is never dropped, stays registered, and leaves two descriptors open. So the framework gets a frame of
//! ours that knows the handler, and when the window is removed the handler is unregistered and that reference released.
//!
//! Thread: the host's main thread

#![expect(unsafe_code, reason = "the interface of a VST3 is made of pointers")]

use super::patch::{Patch, theirs};
use nice_plug::wrapper::vst3::vst3::Steinberg::Linux::{
    FileDescriptor, IEventHandler, IRunLoop, IRunLoopTrait, ITimerHandler, TimerInterval,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    IPlugFrame, IPlugFrameTrait, IPlugView, IPlugViewVtbl, ViewRect, kNotImplemented, kResultOk,
    tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComRef, ComWrapper};
use std::cell::{Cell, RefCell};
use std::ptr;

static VIEW: Patch<IPlugViewVtbl> = Patch::new();

thread_local! {
    /// The frames of views, by the view.
    static FRAMES: RefCell<Vec<(*mut IPlugView, ComWrapper<Frame>)>> = const { RefCell::new(Vec::new()) };
}

/// The host's frame, with what the framework registered there.
struct Frame {
    host: ComPtr<IPlugFrame>,
    run_loop: Option<ComPtr<IRunLoop>>,
    /// Null while nothing is registered.
    handler: Cell<*mut IEventHandler>,
}

impl Class for Frame {
    type Interfaces = (IPlugFrame, IRunLoop);
}

impl IPlugFrameTrait for Frame {
    unsafe fn resizeView(&self, view: *mut IPlugView, size: *mut ViewRect) -> tresult {
        // SAFETY: as the framework calls it.
        unsafe { self.host.resizeView(view, size) }
    }
}

impl IRunLoopTrait for Frame {
    unsafe fn registerEventHandler(
        &self,
        handler: *mut IEventHandler,
        fd: FileDescriptor,
    ) -> tresult {
        // A host without a run loop calls nobody; the framework would take a refusal for a fault of its own.
        let Some(run_loop) = &self.run_loop else { return kResultOk };
        self.handler.set(handler);
        // SAFETY: as the framework calls it.
        unsafe { run_loop.registerEventHandler(handler, fd) }
    }

    unsafe fn unregisterEventHandler(&self, handler: *mut IEventHandler) -> tresult {
        let Some(run_loop) = self.run_loop.as_ref().filter(|_| self.handler.get() == handler)
        else {
            return kResultOk;
        };
        self.handler.set(ptr::null_mut());
        // SAFETY: it was registered there.
        unsafe { run_loop.unregisterEventHandler(handler) }
    }

    unsafe fn registerTimer(&self, _: *mut ITimerHandler, _: TimerInterval) -> tresult {
        kNotImplemented
    }

    unsafe fn unregisterTimer(&self, _: *mut ITimerHandler) -> tresult {
        kNotImplemented
    }
}

impl Frame {
    /// Nothing that the framework registered is called any more, and nothing of it stays.
    fn let_go(&self) {
        let handler = self.handler.get();
        if handler.is_null() {
            return;
        }
        // SAFETY: the handler is there, held by the reference that is released here and by no other of the framework's.
        unsafe {
            self.unregisterEventHandler(handler);
            drop(ComPtr::from_raw(handler));
        }
    }
}

/// Lets a view be called through a table of ours.
///
/// # Safety
/// It was just made by the framework, and nobody uses it yet.
pub(super) unsafe fn patch(view: *mut IPlugView) {
    // SAFETY: as said; it is always a `WrapperView<Deskhand>`, which lists `IPlugView`, and none that extends it.
    unsafe {
        VIEW.replace(&raw mut (*view).vtbl, |theirs| IPlugViewVtbl {
            removed,
            setFrame: set_frame,
            ..*theirs
        });
    }
}

unsafe extern "system" fn set_frame(this: *mut IPlugView, frame: *mut IPlugFrame) -> tresult {
    // SAFETY: the host's frame, if it is one.
    let Some(host) = (unsafe { ComRef::from_raw(frame) }) else {
        // SAFETY: as the host calls it.
        return unsafe { take_frame(this) };
    };
    // SAFETY: a host may give another frame in the place of one.
    unsafe { take_frame(this) };
    let (host, handler) = (host.to_com_ptr(), Cell::new(ptr::null_mut()));
    let run_loop = host.cast();
    let ours = ComWrapper::new(Frame { host, run_loop, handler });
    let lent = ours.to_com_ptr::<IPlugFrame>();
    FRAMES.with_borrow_mut(|frames| frames.push((this, ours)));
    let lent = lent.as_ref().map_or(frame, ComPtr::as_ptr);
    // SAFETY: only views with a table of ours have this function.
    unsafe { (theirs((*this).vtbl).setFrame)(this, lent) }
}

/// Takes the frame of a view away from the framework.
///
/// # Safety
/// The view has a table of ours.
unsafe fn take_frame(this: *mut IPlugView) -> tresult {
    // SAFETY: as said; the framework lets go of its own references.
    let done = unsafe { (theirs((*this).vtbl).setFrame)(this, ptr::null_mut()) };
    let gone = FRAMES.with_borrow_mut(|frames| {
        let index = frames.iter().position(|(view, _)| *view == this);
        index.map(|index| frames.swap_remove(index).1)
    });
    gone.iter().for_each(|frame| frame.let_go());
    done
}

unsafe extern "system" fn removed(this: *mut IPlugView) -> tresult {
    // SAFETY: as the host calls it; only views with a table of ours have this function.
    let done = unsafe { (theirs((*this).vtbl).removed)(this) };
    // Hosts may release a view without taking its frame away.
    // SAFETY: as above.
    unsafe { take_frame(this) };
    done
}

//! The entry of the CLAP. Instances come from the framework and are guarded against panics, which the
//! framework's own entry does not do. With each block, the host gets the news of [`crate::after_block`].
//!
//! Thread: message; audio where it says so

#![expect(unsafe_code, reason = "the interface of a CLAP is made of pointers")]

use crate::Deskhand;
use crate::after_block::{self, AfterBlock};
use crate::guard::{Entry, Faults, caught};
use clap_sys::events::{
    CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_IS_LIVE, CLAP_EVENT_PARAM_VALUE, clap_event_header,
    clap_event_param_value, clap_output_events,
};
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process, clap_process_status};
use nice_plug::wrapper::clap::{
    CLAP_PLUGIN_FACTORY_ID, CLAP_VERSION, PluginDescriptor, Wrapper, clap_host, clap_plugin,
    clap_plugin_descriptor, clap_plugin_entry, clap_plugin_factory,
};
use nice_plug::wrapper::setup_logger;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::{Arc, OnceLock};

/// How CLAP and VST3 call the parameter.
const TRIM: u32 = after_block::number_of("trim");

static FACTORY: clap_plugin_factory = clap_plugin_factory {
    get_plugin_count: Some(count),
    get_plugin_descriptor: Some(describe),
    create_plugin: Some(create),
};

/// The descriptor of the only plugin.
fn descriptor() -> &'static PluginDescriptor {
    static KNOWN: OnceLock<PluginDescriptor> = OnceLock::new();
    KNOWN.get_or_init(PluginDescriptor::for_plugin::<Deskhand>)
}

unsafe extern "C" fn count(_: *const clap_plugin_factory) -> u32 {
    1
}

unsafe extern "C" fn describe(
    _: *const clap_plugin_factory,
    index: u32,
) -> *const clap_plugin_descriptor {
    let known = || ptr::from_ref(descriptor().clap_plugin_descriptor());
    let known = (index == 0).then(|| caught(Entry::Make, &Faults::default(), known));
    known.flatten().unwrap_or(ptr::null())
}

unsafe extern "C" fn create(
    _: *const clap_plugin_factory,
    host: *const clap_host,
    id: *const c_char,
) -> *const clap_plugin {
    if host.is_null() || id.is_null() {
        return ptr::null();
    }
    let made = caught(Entry::Make, &Faults::default(), || {
        // SAFETY: the host's text ends with a zero.
        if unsafe { CStr::from_ptr(id) } != descriptor().clap_id() {
            return ptr::null();
        }
        #[cfg(feature = "test-probes")]
        crate::planted_faults::trip(Entry::Make);
        // SAFETY: the host outlives its plugins.
        let made = Arc::into_raw(unsafe { Wrapper::<Deskhand>::new(host) });
        // SAFETY: it stays until the host destroys it, and nobody else has it yet.
        unsafe {
            let plugin = (*made).clap_plugin.as_ptr();
            if let Some(theirs) = (*plugin).process.replace(process) {
                THEIRS.set(theirs).ok();
            }
            plugin.cast_const()
        }
    });
    made.unwrap_or(ptr::null())
}

type Process = unsafe extern "C" fn(*const clap_plugin, *const clap_process) -> clap_process_status;

/// The framework's function, the same for all instances.
static THEIRS: OnceLock<Process> = OnceLock::new();

/// Thread: audio.
unsafe extern "C" fn process(
    plugin: *const clap_plugin,
    block: *const clap_process,
) -> clap_process_status {
    let Some(theirs) = THEIRS.get() else { return CLAP_PROCESS_ERROR };
    // SAFETY: as the host calls it.
    let status = unsafe { theirs(plugin, block) };
    let AfterBlock { trim, failed } = after_block::take();
    // SAFETY: the host's block is there until this returns.
    let Some(block) = (unsafe { block.as_ref() }) else { return status };
    if let Some(fraction) = trim {
        // SAFETY: as above.
        unsafe { tell_trim(block.out_events, fraction) };
    }
    if !failed {
        return status;
    }
    // SAFETY: as above.
    unsafe { silence(block) };
    CLAP_PROCESS_ERROR
}

/// # Safety
/// `out` is null or the host's queue.
unsafe fn tell_trim(out: *const clap_output_events, fraction: f32) {
    let header = clap_event_header {
        size: u32::try_from(size_of::<clap_event_param_value>()).unwrap_or(0),
        time: 0,
        space_id: CLAP_CORE_EVENT_SPACE_ID,
        type_: CLAP_EVENT_PARAM_VALUE,
        flags: CLAP_EVENT_IS_LIVE,
    };
    let event = clap_event_param_value {
        header,
        param_id: TRIM,
        cookie: ptr::null_mut(),
        note_id: -1,
        port_index: -1,
        channel: -1,
        key: -1,
        value: f64::from(fraction),
    };
    // SAFETY: the host's queue copies the event.
    unsafe {
        if let Some(push) = out.as_ref().and_then(|out| out.try_push) {
            push(out, &raw const event.header);
        }
    }
}

/// # Safety
/// It is the host's block.
unsafe fn silence(block: &clap_process) {
    // SAFETY: as many ports, channels and frames as the host says.
    unsafe {
        if block.audio_outputs.is_null() {
            return;
        }
        for port in 0..block.audio_outputs_count as usize {
            let port = &*block.audio_outputs.add(port);
            for channel in 0..port.channel_count as usize {
                if !port.data32.is_null() {
                    (*port.data32.add(channel)).write_bytes(0, block.frames_count as usize);
                }
            }
        }
    }
}

unsafe extern "C" fn init(_: *const c_char) -> bool {
    caught(Entry::Make, &Faults::default(), setup_logger::<Deskhand>).is_some()
}

unsafe extern "C" fn deinit() {}

unsafe extern "C" fn factory(id: *const c_char) -> *const c_void {
    // SAFETY: the host's text ends with a zero.
    let is_known = !id.is_null() && unsafe { CStr::from_ptr(id) } == CLAP_PLUGIN_FACTORY_ID;
    if is_known { ptr::from_ref(&FACTORY).cast() } else { ptr::null() }
}

/// What a host loads.
#[unsafe(no_mangle)]
#[used]
pub static clap_entry: clap_plugin_entry = clap_plugin_entry {
    clap_version: CLAP_VERSION,
    init: Some(init),
    deinit: Some(deinit),
    get_factory: Some(factory),
};

//! The door of the CLAP: instances as the framework makes them, behind the wall against panics, which the framework's own
//! door has not.
//!
//! Thread: message

#![expect(unsafe_code, reason = "the interface of a CLAP is made of pointers")]

use crate::Deskhand;
use crate::guard::{Entry, Faults, caught};
use nice_plug::wrapper::clap::{
    CLAP_PLUGIN_FACTORY_ID, CLAP_VERSION, PluginDescriptor, Wrapper, clap_host, clap_plugin,
    clap_plugin_descriptor, clap_plugin_entry, clap_plugin_factory,
};
use nice_plug::wrapper::setup_logger;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::{Arc, OnceLock};

static FACTORY: clap_plugin_factory = clap_plugin_factory {
    get_plugin_count: Some(count),
    get_plugin_descriptor: Some(describe),
    create_plugin: Some(create),
};

/// What is known of the only plugin there is.
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
        #[cfg(feature = "plant")]
        crate::plant::trip(Entry::Make);
        // SAFETY: the host outlives its plugins.
        let made = Arc::into_raw(unsafe { Wrapper::<Deskhand>::new(host) });
        // SAFETY: it stays until the host destroys it.
        unsafe { (*made).clap_plugin.as_ptr().cast_const() }
    });
    made.unwrap_or(ptr::null())
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

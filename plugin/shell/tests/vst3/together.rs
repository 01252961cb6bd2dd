//! The CLAP and the VST3 in one host are two libraries that know nothing of each other.

use crate::desk::{Desk, field, turn, until};
use crate::rig::{Rig, home, sine};
use crate::vst::Vst;
use clack_host::prelude::PluginEntry;
use serde_json::json;
use std::collections::BTreeSet;
use std::ffi::{CString, c_void};
use std::path::{Path, PathBuf};

/// What `cargo test` built as a library.
fn built() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    tests.with_file_name(format!("{prefix}deskhand_plugin{suffix}"))
}

/// The factory of the VST3 in a library, which stays loaded.
fn factory(library: &Path) -> *mut c_void {
    let path = CString::new(library.to_str().unwrap()).unwrap();
    // SAFETY: it is ours, and what it runs when it is loaded is nothing.
    let opened = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(!opened.is_null(), "{}", library.display());
    // SAFETY: it is open.
    let symbol = unsafe { libc::dlsym(opened, c"GetPluginFactory".as_ptr()) };
    assert!(!symbol.is_null());
    // SAFETY: that is what the function of this name is.
    let factory: extern "system" fn() -> *mut c_void = unsafe { std::mem::transmute(symbol) };
    factory()
}

#[cfg(unix)]
#[test]
fn the_clap_and_the_vst3_of_one_process_meet_in_one_session() {
    let _turn = turn();
    home();
    let folder = tempfile::tempdir().unwrap();
    let [clap, vst3] = ["Deskhand.clap", "Deskhand.so"].map(|name| folder.path().join(name));
    for library in [&clap, &vst3] {
        std::fs::copy(built(), library).unwrap();
    }
    let desk = Desk::new();
    // SAFETY: it is ours.
    let entry = unsafe { PluginEntry::load(&clap) }.unwrap();
    let mut one = Rig::of(&entry);
    assert!(one.load(&desk.project()));
    one.start(48_000.0, 480);
    until(|| desk.instances().len() == 1);
    // Its project names no session: it goes where the other library of the process went.
    let mut two = Vst::of(factory(&vst3));
    two.start(false, 48_000.0, 480);
    until(|| desk.instances().len() == 2);
    let formats: BTreeSet<String> = desk.instances().into_iter().map(|it| it.format).collect();
    assert_eq!(formats, ["CLAP".to_owned(), "VST3".to_owned()].into());
    assert_eq!(desk.tracks().len(), 2);
    until(|| field(&mut one, "session") == json!(desk.id()));
    let input = sine(440.0, 48_000.0, 480);
    assert_eq!(
        (one.run(&input, 480)[0].clone(), two.run(&input, 480)[0].clone()),
        (input.clone(), input)
    );
    drop((one, two));
    until(|| desk.instances().is_empty());
    crate::sound::row("with a CLAP in one process: sessions, tracks", "1, 2");
}

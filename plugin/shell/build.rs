//! Link options of the plugin.

#![allow(
    clippy::disallowed_macros,
    clippy::print_stdout,
    reason = "a build script speaks to cargo on its standard output"
)]

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "linux") {
        // A host that closes the library while a thread of a socket ends would take its code away.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}

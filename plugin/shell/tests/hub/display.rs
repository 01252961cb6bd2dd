//! The display that the tests of windows need; they are left out where there is none.

use std::io::Write;
use std::process::Command;

/// The window that holds all others; none without a display.
pub fn root() -> Option<u64> {
    if std::env::var_os("DISPLAY").is_none() {
        // Past the tests' capture, which would keep it from who reads.
        let said = b"left out without a display: the editor in a window of a host\n";
        std::io::stderr().write_all(said).unwrap();
        return None;
    }
    let told = Command::new("/usr/bin/xwininfo").args(["-root", "-int"]).output().ok()?;
    let told = String::from_utf8(told.stdout).ok()?;
    let (_, rest) = told.split_once("Window id: ")?;
    rest.split_whitespace().next()?.parse().ok()
}

//! What a DAW's process must not hold: a database, decoders of foreign formats, a network, a model.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "tests, outside the audio thread"
)]

use std::process::Command;

const ABSENT: [&str; 6] = ["symphonia", "opus-decoder", "rusqlite", "reqwest", "rten", "tokio"];

#[test]
fn the_plugin_links_no_decoder_no_database_no_network() {
    let mut cargo = Command::new(env!("CARGO"));
    let words = ["tree", "--offline", "-p", "deskhand-plugin", "-e", "normal", "--prefix", "none"];
    let told = cargo.args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let tree = String::from_utf8(told.stdout).unwrap();
    assert!(tree.contains("nice-plug"), "{tree}");
    let found: Vec<&str> =
        tree.lines().filter(|line| ABSENT.iter().any(|name| line.starts_with(name))).collect();
    assert_eq!(found, Vec::<&str>::new());
}

//! A person at a terminal sees no id of an object, except the id of a plan in a command to type.

use std::fs;
use std::path::Path;

/// Prefixes of ids in the snapshots, for objects that have names.
const OBJECTS: [&str; 10] =
    ["session_", "track_", "clip_", "src_", "marker_", "group_", "fx_", "seg_", "code_", "phr_"];

/// The lines of a snapshot that people read; empty for JSON.
fn lines(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let shown = text.splitn(3, "---\n").last().unwrap_or_default();
    let is_json = shown.trim_start().starts_with(['{', '[']);
    if is_json { Vec::new() } else { shown.lines().map(str::to_owned).collect() }
}

/// A line without its parts in backticks; empty for a command in the help.
fn said(line: &str) -> String {
    let is_command = line.trim_start().starts_with("deskhand ");
    let pieces = line.split('`').step_by(2).collect::<String>();
    if is_command { String::new() } else { pieces }
}

#[test]
fn the_snapshots_of_what_people_read_have_names_and_no_ids() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut read = 0;
    for folder in [folder.join("tests/cli/snapshots"), folder.join("src/snapshots")] {
        for entry in fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_none_or(|it| it != "snap") {
                continue;
            }
            for line in lines(&file) {
                let is_id = |kind: &&&str| line.contains(&format!("{kind}ID"));
                assert_eq!(OBJECTS.iter().find(is_id), None, "{}: {line}", file.display());
                let said = said(&line);
                let shows_plan = said.contains("plan_ID") || said.contains("plan_0123456789ab");
                assert!(!shows_plan, "{}: {line}", file.display());
                read += 1;
            }
        }
    }
    assert!(read > 100, "{read} lines");
}

//! Bad input: a clear error, the right exit code, and nothing changed or lost.

use crate::desk::Desk;
use serde_json::Value;

/// Runs a command that must fail without a trace, and returns its error.
fn refused(desk: &Desk, args: &[&str]) -> Value {
    let before = desk.everything();
    let error = desk.error(args, 1);
    assert!(desk.everything() == before, "{args:?} left a trace");
    let text = error["message"].as_str().unwrap();
    assert!(!text.is_empty() && !text.contains("panicked"), "{text}");
    error
}

fn says(error: &Value, words: &[&str]) {
    let text = format!("{} {}", error["message"], error["fix"]).to_lowercase();
    for word in words {
        assert!(text.contains(&word.to_lowercase()), "\"{word}\" is not in: {text}");
    }
}

/// Imports a bad file, which must be refused by name.
fn bad_file(name: &str, bytes: &[u8], words: &[&str]) {
    let desk = Desk::with_session();
    std::fs::write(desk.path(name), bytes).unwrap();
    let error = refused(&desk, &["import", "s", name]);
    says(&error, words);
    let ran = desk.run(&["measure", "--json", name]);
    assert_eq!(ran.code, 1);
    assert!(ran.json()[0]["error"].is_string());
}

#[test]
fn files_that_are_no_audio() {
    bad_file("notes.txt", b"nothing to hear here\n", &["notes.txt"]);
    bad_file("empty.wav", b"", &["empty.wav"]);
    bad_file("short.wav", b"RIFF", &["short.wav"]);
    bad_file("picture.flac", b"\x89PNG\r\n\x1a\n0000000000000000", &["picture.flac"]);
}

#[test]
fn missing_files_and_folders() {
    let desk = Desk::with_session();
    says(&refused(&desk, &["import", "s", "gone.wav"]), &["gone.wav"]);
    std::fs::create_dir(desk.path("folder")).unwrap();
    says(&refused(&desk, &["import", "s", "folder"]), &["folder"]);
    says(&refused(&desk, &["show", "nowhere"]), &["nowhere"]);
    says(&refused(&desk, &["show", "folder"]), &["folder"]);
    says(&refused(&desk, &["show", "Voice.wav"]), &["Voice.wav"]);
}

#[test]
fn where_nothing_is_measured_there_is_no_table() {
    let desk = Desk::with_session();
    let ran = desk.run(&["measure", "gone.wav"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("gone.wav"));
}

/// A finished file replaces an existing one, so a device would be lost.
#[test]
fn a_render_takes_the_place_of_files_alone() {
    let desk = Desk::with_session();
    std::fs::create_dir(desk.path("mix.wav")).unwrap();
    says(&refused(&desk, &["render", "s", "mix.wav"]), &["mix.wav", "no ordinary file"]);
}

/// Undo needs permission like any other step. If nobody can be asked, the error says how to continue.
#[test]
fn what_waits_for_a_person_says_so() {
    let desk = Desk::with_session();
    for (words, way) in [("undo", "deskhand undo"), ("redo that", "deskhand redo")] {
        let ran = desk.run(&["ask", "s", words]);
        assert_eq!(ran.code, 3, "{words}");
        assert!(ran.stdout.contains(way) && ran.stdout.contains("--yes"), "{}", ran.stdout);
    }
}

#[test]
fn bad_files_are_left_out_of_an_import_and_named() {
    let desk = Desk::with_session();
    desk.tone("good.wav", 100.0, -20.0, 1.0);
    std::fs::write(desk.path("bad.wav"), b"RIFFxxxxWAVE").unwrap();
    says(&refused(&desk, &["import", "s", "gone.wav", "bad.wav"]), &["gone.wav", "bad.wav"]);
    let told = desk.ok(&["import", "s", "good.wav", "bad.wav"]).stderr;
    assert!(told.contains("not imported") && told.contains("bad.wav"), "{told}");
    let again = desk.json(&["import", "s", "good.wav", "gone.wav", "--library"]);
    let told = again["warnings"][0].as_str().unwrap();
    assert!(told.contains("gone.wav"), "nothing is added, and what is left out is told: {told}");
}

#[test]
fn a_lying_header_is_survived() {
    let desk = Desk::with_session();
    let path = desk.tone("lie.wav", 440.0, -20.0, 1.0);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let ran = desk.run(&["measure", "--json", "lie.wav"]);
    let row = ran.json()[0].clone();
    let shorter = row["duration_s"].as_f64().is_some_and(|s| s < 0.6);
    assert!(row["error"].is_string() || shorter, "{row}");
}

#[test]
fn odd_but_good_files_work() {
    let desk = Desk::with_session();
    let names = ["two words.wav", "emoji 🎤.wav", "new\nline.wav", "-dash.wav"];
    for name in names {
        desk.tone(name, 440.0, -20.0, 0.5);
        desk.ok(&["import", "s", "--", name]);
    }
    desk.tone("one sample.wav", 440.0, -20.0, 1.0 / 48_000.0);
    desk.ok(&["import", "s", "one sample.wav"]);
    desk.ok(&["show", "s"]);
    desk.ok(&["render", "s", "out.wav"]);
}

#[test]
fn a_folder_that_is_not_empty_is_no_place_for_a_session() {
    let desk = Desk::with_session();
    says(&refused(&desk, &["new", "s"]), &["s"]);
    std::fs::create_dir(desk.path("full")).unwrap();
    std::fs::write(desk.path("full/a.txt"), "a").unwrap();
    says(&refused(&desk, &["new", "full"]), &["full"]);
    says(&refused(&desk, &["new", "x", "--rate", "7"]), &["7"]);
}

#[test]
fn a_source_that_changed_is_not_played_silently() {
    let desk = Desk::with_session();
    desk.tone("Voice.wav", 880.0, -10.0, 3.0);
    says(&refused(&desk, &["render", "s", "out.wav"]), &["Voice.wav", "changed"]);
    std::fs::remove_file(desk.path("Voice.wav")).unwrap();
    says(&refused(&desk, &["render", "s", "out.wav"]), &["Voice.wav"]);
    assert_eq!(desk.run(&["doctor", "s"]).code, 1);
}

#[test]
fn without_a_folder_every_session_here_is_checked() {
    let desk = Desk::new();
    says(&desk.error(&["doctor"], 1), &["this folder has no session", "doctor DIR"]);
    desk.ok(&["new", "one"]);
    desk.ok(&["new", "two"]);
    let told = desk.ok(&["doctor"]).stdout;
    assert!(told.contains("one: ") && told.contains("two: "), "{told}");
    assert_eq!(desk.json(&["doctor"])[1]["dir"], "two");
    std::fs::write(desk.path("two/session.db"), "no database").unwrap();
    let damaged = desk.run(&["doctor"]);
    assert_eq!(damaged.code, 1, "{}{}", damaged.stdout, damaged.stderr);
    assert!(damaged.stdout.contains("no problems found"), "the other one is told");
    assert_eq!(desk.run(&["doctor", "--repair-to", "three"]).code, 2, "of which?");
}

#[test]
fn plans_that_cannot_be_trusted() {
    let desk = Desk::with_session();
    desk.ok(&["plan", "s", "cmd_set_track_gain", "targets=Music", "gain_db=-3", "-o", "p.json"]);
    let good = std::fs::read_to_string(desk.path("p.json")).unwrap();
    let edited = |name: &str, from: &str, to: &str| {
        assert!(good.contains(from), "{from} is not in {good}");
        std::fs::write(desk.path(name), good.replace(from, to)).unwrap();
    };
    std::fs::write(desk.path("broken.json"), &good[..good.len() / 2]).unwrap();
    says(&refused(&desk, &["apply", "s", "broken.json", "--yes"]), &["not valid JSON"]);
    edited("edited.json", "-3.0", "-30.0");
    says(&refused(&desk, &["apply", "s", "edited.json", "--yes"]), &["digest"]);
    edited("op.json", "set_track_gain\"", "explode_track\"");
    says(&refused(&desk, &["apply", "s", "op.json", "--yes"]), &["explode_track"]);
    edited("format.json", "deskhand.plan/1", "deskhand.plan/9");
    says(&refused(&desk, &["apply", "s", "format.json", "--yes"]), &["deskhand.plan/9"]);
}

/// A pipe would be waited for, and a device has no end.
#[cfg(unix)]
#[test]
fn a_pipe_and_a_device_are_no_plans() {
    let (desk, folder) = (Desk::with_session(), tempfile::tempdir().unwrap());
    let pipe = folder.path().join("plan.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for file in [pipe.to_str().unwrap(), "/dev/zero"] {
        says(&refused(&desk, &["apply", "s", file, "--yes"]), &[file, "it is not a file"]);
    }
}

#[test]
fn plans_for_elsewhere_and_parts_that_do_not_exist() {
    let desk = Desk::with_session();
    desk.ok(&["plan", "s", "cmd_set_track_gain", "targets=Music", "gain_db=-3", "-o", "p.json"]);
    desk.ok(&["new", "other"]);
    says(&desk.error(&["apply", "other", "p.json", "--yes"], 4), &["session"]);
    let only = ["apply", "s", "p.json", "--only", "c7", "--yes"];
    says(&desk.error(&only, 1), &["c7", "c1"]);
    let unknown = ["apply", "s", "plan_000000000000", "--yes"];
    says(&refused(&desk, &unknown), &["plan_000000000000"]);
}

#[test]
fn parameters_that_make_no_sense() {
    let desk = Desk::with_session();
    let plan = |args: &[&str]| refused(&desk, &[&["plan", "s"], args].concat());
    says(&plan(&["tool_normalise", "targets=all"]), &["tool_normalize"]);
    says(&plan(&["tool_normalize", "targets=Voise", "target_lufs=-16"]), &["Voise", "Voice"]);
    says(&plan(&["tool_normalize", "targets=all"]), &["target_lufs"]);
    says(&plan(&["tool_normalize", "targets=all", "target_lufs=loud"]), &["loud"]);
    says(&plan(&["tool_normalize", "targets=all", "target_lufs=-16", "colour=red"]), &["colour"]);
    says(&plan(&["cmd_set_track_gain", "targets=Voice", "gain_db=900"]), &["900"]);
    says(&plan(&["cmd_set_track_gain", "gain_db"]), &["key=value"]);
}

#[test]
fn a_session_that_is_open_elsewhere_names_the_holder() {
    let desk = Desk::with_session();
    let (store, _) = deskhand_store::Store::open(&desk.path("s")).unwrap();
    let error = desk.error(&["show", "s"], 1);
    says(&error, &[&std::process::id().to_string()]);
    store.close().unwrap();
    desk.ok(&["show", "s"]);
}

#[test]
fn a_damaged_session_is_refused_and_can_be_repaired() {
    let desk = Desk::with_session();
    let file = desk.path("s/session.db");
    let mut bytes = std::fs::read(&file).unwrap();
    // Every place: one may be in a page that is free.
    let found = |at: &usize| bytes[*at..].starts_with(b"Voice");
    let places: Vec<_> = (0..bytes.len()).filter(found).collect();
    places.iter().for_each(|at| bytes[*at] = b'X');
    std::fs::write(&file, bytes).unwrap();
    let error = refused(&desk, &["show", "s"]);
    says(&error, &["doctor"]);
    assert_eq!(desk.run(&["doctor", "s"]).code, 1);
    desk.ok(&["doctor", "s", "--repair-to", "rescued"]);
    desk.ok(&["show", "rescued"]);
}

#[test]
fn rendering_nothing_is_an_error() {
    let desk = Desk::new();
    desk.ok(&["new", "s"]);
    says(&refused(&desk, &["render", "s", "out.wav"]), &["no clips"]);
    let full = Desk::with_session();
    says(&refused(&full, &["render", "s", "out.wav", "--range", "5..2"]), &["5..2"]);
    says(&refused(&full, &["render", "s", "nowhere/out.wav"]), &["nowhere"]);
}

#[test]
fn a_render_replaces_neither_recordings_nor_the_session() {
    let desk = Desk::with_session();
    says(&refused(&desk, &["render", "s", "Voice.wav"]), &["Voice.wav", "another"]);
    std::os::unix::fs::symlink(desk.path("Voice.wav"), desk.path("link.wav")).unwrap();
    says(&refused(&desk, &["render", "s", "link.wav"]), &["link.wav"]);
    says(&refused(&desk, &["render", "s", "s/session.db"]), &["session.db"]);
    says(&refused(&desk, &["render", "s", "s/media/x.wav"]), &["x.wav"]);
    says(&refused(&desk, &["render", "s", "out.flac"]), &["out.flac", ".wav"]);
    says(&refused(&desk, &["render", "s", "out.wav", "--range", "100..200"]), &["100..200"]);
    says(&refused(&desk, &["render", "s", "out.wav", "--range", "-5..2"]), &["-5..2"]);
}

#[test]
fn names_do_not_steer_the_terminal() {
    let desk = Desk::new();
    desk.tone("esc\u{1b}[31mred.wav", 440.0, -20.0, 0.5);
    let ran = desk.ok(&["measure", "esc\u{1b}[31mred.wav"]);
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    let ran = desk.run(&["measure", "gone\u{1b}[31m.wav"]);
    assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
}

#[test]
fn sessions_that_nobody_worked_in_are_removed_once_the_person_agrees() {
    let desk = Desk::new();
    let sessions = desk.path("data/deskhand/sessions");
    std::fs::create_dir_all(&sessions).unwrap();
    let names = ["empty", "used", "open"].map(|name| sessions.join(name).display().to_string());
    for name in &names {
        desk.ok(&["new", name]);
    }
    desk.tone("a.wav", 440.0, -20.0, 1.0);
    desk.ok(&["import", &names[1], "a.wav"]);
    let (store, _) = deskhand_store::Store::open(&sessions.join("open")).unwrap();
    let asked = desk.error(&["doctor", "--remove-unused"], 3);
    says(&asked, &["Remove 1 unused session", "--yes"]);
    assert_eq!(desk.json(&["doctor", "--remove-unused", "--yes"])["removed"], 1);
    drop(store);
    let left = |name: &str| sessions.join(name).exists();
    assert_eq!((left("empty"), left("used"), left("open")), (false, true, true));
}

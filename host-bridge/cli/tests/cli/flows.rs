//! What a person does, from the first file to the rendered mix.

use crate::desk::Desk;
use serde_json::{Value, json};

fn lufs(desk: &Desk, file: &str) -> f64 {
    desk.json(&["measure", file])[0]["integrated_lufs"].as_f64().unwrap()
}

fn normalize(desk: &Desk) -> Value {
    desk.json(&["plan", "s", "tool_normalize", "targets=Voice", "target_lufs=-16"])
}

#[test]
fn a_plan_file_is_applied_exactly_as_saved() {
    let desk = Desk::with_session();
    let args = ["plan", "s", "tool_normalize", "targets=Voice", "target_lufs=-16", "-o", "p.json"];
    desk.ok(&args);
    let receipt = desk.json(&["apply", "s", "p.json", "--yes"]);
    assert_eq!(receipt["state"], "applied");
    assert_eq!(receipt["measured"][0]["within"], true);
    desk.json(&["plan", "s", "cmd_set_track_mute", "targets=Music", "mute=true", "-o", "m.json"]);
    desk.ok(&["apply", "s", "m.json", "--yes"]);
    desk.ok(&["render", "s", "out.wav"]);
    assert!((lufs(&desk, "out.wav") + 16.0).abs() < 0.05);
}

#[test]
fn planning_again_after_applying_gives_an_empty_plan() {
    let desk = Desk::with_session();
    let plan = normalize(&desk);
    desk.ok(&["apply", "s", plan["id"].as_str().unwrap(), "--yes"]);
    let again = normalize(&desk);
    assert_eq!(again["changes"], json!([]));
}

#[test]
fn the_same_call_on_the_same_session_has_the_same_digest() {
    let desk = Desk::with_session();
    assert_eq!(normalize(&desk)["digest"], normalize(&desk)["digest"]);
}

#[test]
fn a_rendered_plan_sounds_like_the_applied_one() {
    let desk = Desk::with_session();
    let plan = normalize(&desk);
    let id = plan["id"].as_str().unwrap();
    desk.ok(&["render", "s", "planned.wav", "--plan", id, "--bits", "32f"]);
    let before = desk.json(&["show", "s"])["revision"].clone();
    assert_eq!(before, 1, "rendering a plan applies nothing");
    desk.ok(&["apply", "s", id, "--yes"]);
    desk.ok(&["render", "s", "applied.wav", "--bits", "32f"]);
    let read = |name: &str| std::fs::read(desk.path(name)).unwrap();
    assert!(read("planned.wav") == read("applied.wav"), "the two files differ");
}

#[test]
fn a_part_with_an_edited_value_is_predicted_anew() {
    let desk = Desk::with_session();
    let plan = desk.json(&["plan", "s", "tool_normalize", "targets=all", "target_lufs=-16"]);
    let id = plan["id"].as_str().unwrap();
    let args = ["apply", "s", id, "--only", "c1", "--set", "c1=3.0", "--yes"];
    let receipt = desk.json(&args);
    assert_eq!(receipt["applied"], json!(["c1"]));
    assert_eq!(receipt["skipped"], json!(["c2"]));
    assert_eq!(receipt["measured"][0]["within"], true);
    let clips = desk.json(&["show", "s"])["clips"].clone();
    assert_eq!(clips[0]["gain"], 3.0);
    assert_eq!(clips[1]["gain"], 0.0);
}

#[test]
fn two_undos_go_two_steps_back_and_say_what() {
    let desk = Desk::with_session();
    let gain = ["plan", "s", "cmd_set_track_gain", "targets=Music", "gain_db=-3"];
    let plan = desk.json(&gain);
    desk.ok(&["apply", "s", plan["id"].as_str().unwrap(), "--yes"]);
    assert!(desk.ok(&["undo", "s"]).stdout.contains("Set Music to -3 dB"));
    assert!(desk.ok(&["undo", "s"]).stdout.contains("Import"));
    assert_eq!(desk.json(&["show", "s"])["tracks"], json!([]));
    assert_eq!(desk.error(&["undo", "s"], 1)["code"], "no_target");
    desk.ok(&["redo", "s"]);
    desk.ok(&["redo", "s"]);
    assert_eq!(desk.json(&["show", "s"])["tracks"][1]["gain"], -3.0);
}

#[test]
fn a_second_plan_on_the_same_audio_measures_nothing() {
    let desk = Desk::with_session();
    normalize(&desk);
    // A measured level needs no reading: the file may be gone.
    std::fs::remove_file(desk.path("Voice.wav")).unwrap();
    assert_eq!(normalize(&desk)["changes"].as_array().map(Vec::len), Some(1));
}

#[test]
fn ask_on_a_file_makes_a_session_beside_it() {
    let desk = Desk::new();
    desk.tone("talk.wav", 300.0, -30.0, 3.0);
    let said = desk.json(&["ask", "talk.wav", "normalize to -16 LUFS", "--yes"]);
    assert_eq!(said["unclear"], json!([]));
    assert_eq!(said["receipts"][0]["state"], "applied");
    assert!(desk.path("talk.deskhand").is_dir());
    desk.ok(&["render", "talk.deskhand", "out.wav"]);
    assert!((lufs(&desk, "out.wav") + 16.0).abs() < 0.05);
    std::fs::create_dir(desk.path("moved")).unwrap();
    for name in ["talk.wav", "talk.deskhand"] {
        std::fs::rename(desk.path(name), desk.path(&format!("moved/{name}"))).unwrap();
    }
    desk.ok(&["ask", "moved/talk.wav", "mute the talk", "--yes"]);
    desk.tone("moved/talk.wav", 500.0, -30.0, 3.0);
    let other = desk.error(&["ask", "moved/talk.wav", "mute the talk"], 1);
    assert!(other["message"].as_str().unwrap().contains("exists, but does not contain"), "{other}");
}

#[test]
fn ask_changes_nothing_when_a_part_is_unclear() {
    let desk = Desk::with_session();
    let ran =
        desk.run(&["ask", "s", "mute the music and frobnicate the flanger", "--yes", "--json"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(!ran.json()["unclear"].as_array().unwrap().is_empty());
    assert_eq!(desk.json(&["show", "s"])["revision"], 1);
}

#[test]
fn the_half_that_is_understood_is_offered_and_the_other_named() {
    let desk = Desk::with_session();
    let wish = "normalize everything to -16 LUFS and frobnicate the music";
    let told = desk.run(&["ask", "s", wish]).stdout;
    assert!(told.contains("not understood: \"frobnicate the music\": "), "{told}");
    let half = "  try: normalize everything to -16 LUFS\nNothing was changed.\n";
    assert!(told.ends_with(half), "{told}");
}

#[test]
fn what_rests_on_a_plan_that_waits_is_planned_once_that_is_applied() {
    let words = "remove the dc offset and strip the silence";
    let desk = Desk::new();
    let burst =
        |n: usize| if (n / 48_000).is_multiple_of(2) { (n as f32 * 0.05).sin() * 0.2 } else { 0.0 };
    let samples: Vec<f32> = (0..240_000).map(|n| burst(n) + 0.05).collect();
    let depth = deskhand_media::BitDepth::F32;
    let rate = deskhand_dsp::SampleRate(48_000);
    let path = desk.path("talk.wav");
    let mut writer = deskhand_media::WavWriter::create(&path, rate, 1, depth).unwrap();
    writer.write(&[&samples]).unwrap();
    writer.finish().unwrap();
    let ran = desk.run(&["ask", "talk.wav", words, "--json"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let said = ran.json();
    assert_eq!(said["plans"].as_array().map(Vec::len), Some(1), "{said}");
    assert_eq!(said["plans"][0]["tool"], "tool_remove_dc");
    let told = said["warnings"].to_string();
    assert!(told.contains("strip the silence\\\" depends on plan"), "{told}");
    let said = desk.json(&["ask", "talk.wav", words, "--yes"]);
    let tools: Vec<_> =
        said["plans"].as_array().unwrap().iter().map(|plan| &plan["tool"]).collect();
    assert_eq!(tools, ["tool_remove_dc", "tool_strip_silence"]);
    let states: Vec<_> =
        said["receipts"].as_array().unwrap().iter().map(|it| &it["state"]).collect();
    assert_eq!(states, ["applied", "applied"], "{said}");
    assert_eq!(said["warnings"], serde_json::Value::Null, "{said}");
}

#[test]
fn ask_without_a_terminal_needs_yes() {
    let desk = Desk::with_session();
    let ran = desk.run(&["ask", "s", "mute the music", "--json"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert_eq!(ran.json()["plans"].as_array().map(Vec::len), Some(1));
    assert_eq!(desk.json(&["show", "s"])["tracks"][1]["mute"], false);
}

#[test]
fn a_flac_file_is_conformed_and_plays_the_same() {
    if std::process::Command::new("flac").arg("--version").output().is_err() {
        eprintln!("skipped: flac is not installed");
        return;
    }
    let desk = Desk::new();
    let wav = desk.tone("a.wav", 440.0, -20.0, 2.0);
    let wav24 = desk.path("b.wav");
    desk.ok(&["new", "one"]);
    desk.ok(&["import", "one", wav.to_str().unwrap()]);
    desk.ok(&["render", "one", wav24.to_str().unwrap(), "--bits", "16"]);
    let flac = std::process::Command::new("flac")
        .args(["--silent", "-f", wav24.to_str().unwrap()])
        .status()
        .unwrap();
    assert!(flac.success());
    desk.ok(&["new", "two"]);
    desk.ok(&["import", "two", desk.path("b.flac").to_str().unwrap()]);
    let media = std::fs::read_dir(desk.path("two/media")).unwrap();
    let files = media.filter(|entry| entry.as_ref().unwrap().path().is_file());
    assert_eq!(files.count(), 1, "one conformed file");
    desk.ok(&["render", "two", "from-flac.wav", "--bits", "32f"]);
    desk.ok(&["new", "three"]);
    desk.ok(&["import", "three", "b.wav"]);
    desk.ok(&["render", "three", "from-wav.wav", "--bits", "32f"]);
    let read = |name: &str| std::fs::read(desk.path(name)).unwrap();
    assert!(read("from-flac.wav") == read("from-wav.wav"));
}

#[test]
fn questions_are_answered_by_measuring() {
    let desk = Desk::with_session();
    let ask = |words: &str| {
        let said = desk.json(&["ask", "s", words]);
        said["answers"][0]["text"].as_str().unwrap().to_owned()
    };
    assert!(ask("what's loudest?").starts_with("Music"), "{}", ask("what's loudest?"));
    assert!(ask("how loud is the voice?").contains("-30."), "{}", ask("how loud is the voice?"));
    assert!(ask("is anything clipping?").contains("nothing is over"));
    let gain = ["plan", "s", "cmd_set_track_gain", "targets=Music", "gain_db=20"];
    let id = desk.json(&gain)["id"].as_str().unwrap().to_owned();
    desk.ok(&["apply", "s", &id, "--yes"]);
    assert!(ask("is anything clipping?").starts_with("Music"), "{}", ask("is anything clipping?"));
}

#[test]
fn a_stored_plan_can_be_read() {
    let desk = Desk::with_session();
    let id = normalize(&desk)["id"].as_str().unwrap().to_owned();
    let shown = desk.ok(&["plans", "s", &id]).stdout;
    assert!(shown.contains("+14.68 dB") && shown.contains("waiting"), "{shown}");
    assert_eq!(desk.json(&["plans", "s", &id])["state"], "waiting");
    assert_eq!(desk.error(&["plans", "s", "plan_000000000000"], 1)["code"], "no_target");
}

#[test]
fn a_plan_table_shows_fades() {
    let desk = Desk::with_session();
    let args = ["plan", "s", "cmd_set_clip_fades", "targets=Voice", "fade_in_ms=20"];
    let shown = desk.ok(&args).stdout;
    assert!(shown.contains("in 0 ms") && shown.contains("in 20 ms"), "{shown}");
}

#[test]
fn the_only_plan_that_waits_needs_no_name() {
    let desk = Desk::with_session();
    let args = ["apply", "s", "--yes"];
    assert_eq!(desk.error(&args, 1)["message"], "no plan waits");
    normalize(&desk);
    desk.ok(&args);
    let gain =
        |value: &str| desk.json(&["plan", "s", "cmd_set_track_gain", "targets=Music", value]);
    gain("gain_db=1");
    gain("gain_db=2");
    assert_eq!(desk.error(&args, 1)["message"], "2 plans wait");
    let id = gain("gain_db=3")["id"].as_str().unwrap().to_owned();
    desk.ok(&["reject", "s", &id, "--reason", "no"]);
}

#[test]
fn the_example_interview_comes_with_its_words_in_sync() {
    let desk = Desk::new();
    desk.ok(&["new", "talk", "--example"]);
    let shown = desk.json(&["show", "talk"]);
    let text = shown.to_string();
    for name in ["\"Host\"", "\"Guest\"", "\"Music\"", "\"Talk\""] {
        assert!(text.contains(name), "{name} is not in {text}");
    }
    let found = desk.ok(&["ask", "talk", "what did Guest say about honey?"]).stdout;
    assert!(found.contains("The honey is for you."), "{found}");
    assert!(desk.path("talk/recordings/Host.flac").is_file());
}

//! Films with several audio tracks, from the command line to the sound.

use crate::desk::Desk;
use serde_json::Value;
use std::process::Command;

/// A desk with `obs.mkv` or another name: three audio tracks of 3 s, "Desktop" (silent), "Mic" (440 Hz, -20
/// dBFS) and "Guest" (1 kHz, -12 dBFS). `None`, with a message, if ffmpeg cannot write it.
#[expect(clippy::print_stdout, reason = "the end of a test run lists what was skipped")]
fn film(name: &str) -> Option<Desk> {
    let desk = Desk::new();
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-y"]);
    let tracks = [("Desktop", 440.0, -200.0), ("Mic", 440.0, -20.0), ("Guest", 1000.0, -12.0)];
    for (track, hz, level) in tracks {
        command.arg("-i").arg(desk.tone(&format!("{track}.wav"), hz, level, 3.0));
    }
    for (index, (track, ..)) in tracks.iter().enumerate() {
        command.args(["-map", &index.to_string(), &format!("-metadata:s:a:{index}")]);
        command.arg(format!("title={track}"));
    }
    let is_made = command.args(["-c:a", "aac"]).arg(desk.path(name)).status();
    let is_made = is_made.is_ok_and(|status| status.success());
    if !is_made {
        println!("skipped: no ffmpeg that writes {name}");
    }
    is_made.then_some(desk)
}

/// The true peak of each file or track, as `measure` tells it.
fn peaks(desk: &Desk, file: &str) -> Vec<(Value, Option<f64>)> {
    let rows = desk.json(&["measure", file]);
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| (row["audio_track"].clone(), row["sample_peak_dbfs"].as_f64())).collect()
}

#[test]
fn each_audio_track_of_a_film_is_measured() {
    let Some(desk) = film("obs.mp4") else { return };
    let rows = peaks(&desk, "obs.mp4");
    let tracks: Vec<_> = rows.iter().map(|(track, _)| track.to_string()).collect();
    let expected = [
        r#"{"name":"Desktop","number":1}"#,
        r#"{"name":"Mic","number":2}"#,
        r#"{"name":"Guest","number":3}"#,
    ];
    assert_eq!(tracks, expected);
    for ((_, peak), level) in rows.iter().zip([-200.0, -20.0, -12.0]) {
        let peak = peak.unwrap_or(-200.0);
        assert!((peak - level).abs() < 1.0, "{peak} {level}");
    }
    let shown = desk.ok(&["measure", "obs.mp4", "Mic.wav"]).stdout;
    assert!(shown.contains("obs.mp4 (Desktop)") && shown.contains("obs.mp4 (Guest)"), "{shown}");
    assert_eq!(peaks(&desk, "Mic.wav")[0].0, Value::Null);
}

#[test]
fn the_audio_tracks_of_a_film_are_played_also_without_what_was_converted() {
    for name in ["obs.mp4", "obs.mkv"] {
        let Some(desk) = film(name) else { return };
        desk.ok(&["new", "s"]);
        let told = desk.ok(&["import", "s", name]).stderr;
        assert!(told.contains(r#"audio track 1 ("Desktop") is silent and was left out"#), "{told}");
        let shown = desk.json(&["show", "s"]);
        let tracks: Vec<_> = shown["tracks"].as_array().unwrap().iter().collect();
        assert_eq!(tracks.iter().map(|t| &t["name"]).collect::<Vec<_>>(), ["Mic", "Guest"]);
        desk.ok(&["render", "s", "mix.wav", "--stems", "stems"]);
        let levels = stems(&desk, "stems");
        assert!((levels[0] + 20.0).abs() < 1.0 && (levels[1] + 12.0).abs() < 1.0, "{levels:?}");
        // The converted files are lost, and the film was restored from a backup.
        std::fs::remove_dir_all(desk.path("s/media")).unwrap();
        let film = std::fs::File::options().write(true).open(desk.path(name)).unwrap();
        film.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        desk.ok(&["render", "s", "again.wav", "--stems", "others"]);
        assert_eq!(stems(&desk, "others"), levels, "{name}");
        let doctor = desk.run(&["doctor", "s"]);
        assert!(!doctor.stdout.contains("changed"), "{}", doctor.stdout);
    }
}

/// The peaks of the stems "Mic" and "Guest".
fn stems(desk: &Desk, folder: &str) -> Vec<f64> {
    let mut files: Vec<_> = std::fs::read_dir(desk.path(folder)).unwrap().flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    let named = |name: &str| {
        let file = files.iter().find(|file| file.file_name().to_string_lossy().contains(name));
        peaks(desk, file.unwrap().path().to_str().unwrap())[0].1.unwrap()
    };
    vec![named("Mic"), named("Guest")]
}

#[test]
fn one_audio_track_of_a_film_is_chosen() {
    let Some(desk) = film("obs.mp4") else { return };
    desk.ok(&["new", "s"]);
    let made = desk.json(&["import", "s", "obs.mp4", "--audio-track", "1", "--audio-track", "3"]);
    let names: Vec<_> = made["tracks"].as_array().unwrap().iter().map(|t| &t["name"]).collect();
    assert_eq!(names, ["Desktop", "Guest"]);
}

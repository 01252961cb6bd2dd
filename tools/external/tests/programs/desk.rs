//! A session with audio in memory, a folder of tools written in shell and Python, and calls as the bridge makes
//! them.

use deskhand_dsp::{Decibels, EnvelopePoint, Fade, FrameReader, Frames, ReadError, SampleRate};
use deskhand_external::{Approvals, ENDING, Launcher, Loaded, Places, State, load};
use deskhand_session::digest::canonical;
use deskhand_session::{
    Author, Clip, ClipId, ContentHash, ObjectId, RevisionId, Session, SessionId, Source, SourceId,
    Track, TrackId,
};
use deskhand_toolkit::{
    Audio, CallRequest, CancelToken, Draft, NoCache, PlanContext, Progress, Tool, ToolError,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const RATE: i64 = 48_000;
pub(crate) const CLIP: ClipId = ClipId::new(7);
pub(crate) const TRACK: TrackId = TrackId::new(3);

/// What belongs together in a test.
pub(crate) struct Desk {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) session: Session,
    pub(crate) heard: Arc<Heard>,
    pub(crate) cancel: CancelToken,
    /// The revision that calls are made on.
    pub(crate) base: u64,
}

/// The reported progress.
#[derive(Default)]
pub(crate) struct Heard(pub(crate) Mutex<Vec<(f64, String)>>);

impl Progress for Heard {
    fn report(&self, fraction: f64, what: &str) {
        assert!((0.0..=1.0).contains(&fraction));
        self.0.lock().unwrap().push((fraction, what.to_owned()));
    }
}

/// A stereo sine of 440 Hz at -6 dBFS, 3 s long.
struct Tone;

pub(crate) fn tone(n: i64) -> f32 {
    (0.5 * (std::f64::consts::TAU * 440.0 * n as f64 / RATE as f64).sin()) as f32
}

impl Audio for Tone {
    fn source(&self, _: &Session, _: SourceId) -> Result<Box<dyn FrameReader>, ReadError> {
        Ok(Box::new(Self))
    }

    fn render(&self, _: &Session, _: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        Ok(Box::new(Self))
    }
}

impl FrameReader for Tone {
    fn channels(&self) -> usize {
        2
    }

    fn frames(&self) -> Frames {
        Frames(3 * RATE)
    }

    fn rate(&self) -> SampleRate {
        SampleRate(48_000)
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let count = out[0].len().min((self.frames() - at).index());
        for plane in out {
            for (n, sample) in plane[..count].iter_mut().enumerate() {
                *sample = tone(at.0 + n as i64);
            }
        }
        Ok(count)
    }
}

impl Desk {
    /// One track "Voice" with a clip: 2 s of the tone from 0.5 s on, at 1 s, with gain, fades and an envelope.
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["tools", "session"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tracks.insert(TRACK, Track::audio("Voice"));
        session.track_order.push(TRACK);
        session.sources.insert(SourceId::new(5), source());
        session.clips.insert(CLIP, clip());
        let cancel = CancelToken::new(Duration::from_secs(600));
        Self { dir, session, heard: Arc::default(), cancel, base: 0 }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a manifest and its script into a folder. `more` goes into the manifest unchanged.
    pub(crate) fn write(&self, folder: &str, name: &str, more: &str, script: &str) -> PathBuf {
        let folder = self.path(folder);
        fs::create_dir_all(&folder).unwrap();
        let python = script.starts_with("#python");
        let (program, ending) = if python { ("python3", "py") } else { ("/bin/sh", "sh") };
        let network = if more.contains("network") { "" } else { "network = false" };
        let manifest = format!(
            "format = \"deskhand.tool/1\"\nname = \"{name}\"\ntitle = \"{name}\"\ndescription = \"{name}.\"\n\
             category = \"edit\"\ncommand = \"{program}\"\nargs = [\"{name}.{ending}\"]\n\
             files = [\"{name}.{ending}\"]\n{network}\n{more}\n"
        );
        fs::write(folder.join(format!("{name}.{ending}")), script).unwrap();
        let file = folder.join(format!("{name}{ENDING}"));
        fs::write(&file, manifest).unwrap();
        file
    }

    pub(crate) fn approvals(&self) -> Approvals {
        Approvals::at(self.path("config/approved-tools.toml"))
    }

    pub(crate) fn load(&self) -> Loaded {
        let launcher = Launcher::this_program().unwrap();
        let (own, session, approvals) =
            (self.path("tools"), self.path("session"), self.approvals());
        let places = Places {
            own: &own,
            session: Some(&session),
            approvals: &approvals,
            launcher: &launcher,
        };
        load(&places, &|name| name == "tool_normalize")
    }

    /// What became of the manifest with that file name.
    pub(crate) fn state(&self, file: &Path) -> State {
        let entries = self.load().entries;
        entries.into_iter().find(|entry| entry.file.file_name() == file.file_name()).unwrap().state
    }

    pub(crate) fn tool(&self, name: &str) -> Arc<dyn Tool> {
        let loaded = self.load();
        let mut tools = loaded.tools.iter();
        let found = tools.find(|tool| tool.spec().name == format!("tool_{name}"));
        Arc::clone(found.unwrap_or_else(|| panic!("{:?}", loaded.entries)))
    }

    /// Calls a tool as the bridge does: schema, prepare, run.
    pub(crate) fn call(&self, name: &str, params: Value) -> Result<Draft, ToolError> {
        self.run(self.tool(name).as_ref(), params)
    }

    pub(crate) fn run(&self, tool: &dyn Tool, mut params: Value) -> Result<Draft, ToolError> {
        if tool.spec().input_schema["properties"].get("targets").is_some() {
            params["targets"] = "all".into();
        }
        let base = RevisionId(self.base);
        let request = CallRequest {
            session: &self.session,
            base,
            params: &params,
            inputs: &Default::default(),
        };
        let prepared = tool.prepare(&request)?;
        let context = PlanContext {
            session: Arc::new(self.session.clone()),
            base,
            tool: tool.spec().name,
            params: canonical(&params),
            mix_is_heard: true,
            audio: Arc::new(Tone),
            cache: Arc::new(NoCache),
            opener: deskhand_media::Opener::in_process(),
            folder: self.path("session"),
            cancel: self.cancel.clone(),
            progress: Arc::clone(&self.heard) as Arc<dyn Progress>,
            made_ms: Default::default(),
            author: Author::User,
            finished: Default::default(),
            faults: Default::default(),
        };
        prepared.task.run(&context)
    }

    /// Calls a shell script as a tool; it must fail. The message.
    pub(crate) fn refused(&self, script: &str) -> String {
        self.refused_with("", script)
    }

    pub(crate) fn refused_with(&self, more: &str, script: &str) -> String {
        self.write("tools", "bad", more, script);
        let made = || fs::read_dir(self.path("session/media/made")).map_or(0, Iterator::count);
        let before = made();
        let error = self.call("bad", Value::Object(Default::default())).unwrap_err();
        let said = error.to_string();
        assert_eq!(said.lines().count(), 1, "one line: {said}");
        assert!(said.starts_with("tool_bad") && said.len() < 1_500, "{said}");
        assert_eq!(made(), before, "nothing is left in the session");
        said
    }
}

fn source() -> Source {
    Source {
        name: "Voice".into(),
        hash: ContentHash("0".repeat(64)),
        size: 1,
        format: "WAV 32-bit float".into(),
        ..Source::in_place("/audio/voice.wav", SampleRate(48_000), 2, Frames(3 * RATE))
    }
}

fn clip() -> Clip {
    let fade = |length| Fade { length: Frames(length), ..Fade::default() };
    let point = |at, gain| EnvelopePoint { position: Frames(at), gain: Decibels(gain), curve: 0.0 };
    Clip {
        start: Frames(RATE / 2),
        position: Frames(RATE),
        gain: Decibels(-3.0),
        fade_in: fade(100),
        fade_out: fade(200),
        envelope: vec![point(RATE / 2, 0.0), point(RATE, -6.0)],
        ..Clip::new("Take 1", TRACK, SourceId::new(5), Frames(2 * RATE))
    }
}

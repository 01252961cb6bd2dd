//! Splits one WAV file by the tool, in a session of its own, and tells how fast: decode, networks, files and all.
//!
//! `cargo run --release -p deskhand-stems --example speed -- SONG.wav FOLDER [METHOD]`; the model is installed when
//! it is not there. The stems are left in `FOLDER/media/made`.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "an example for developers")]

use deskhand_dsp::{FrameReader, ReadError};
use deskhand_inference::{DEFAULT_SEPARATION, Library, card, install};
use deskhand_media::Opener;
use deskhand_session::digest::canonical;
use deskhand_session::{
    Author, Clip, ClipId, ContentHash, ObjectId, RevisionId, Session, SessionId, Source, SourceId,
    Track, TrackId,
};
use deskhand_toolkit::{Audio, CallRequest, CancelToken, NoCache, PlanContext, Progress, Registry};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

struct File(PathBuf);

impl Audio for File {
    fn source(&self, session: &Session, _: SourceId) -> Result<Box<dyn FrameReader>, ReadError> {
        let opened = Opener::in_process().open_at(&self.0, session.rate);
        opened.map_err(|error| ReadError(error.to_string()))
    }

    fn render(&self, _: &Session, what: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        Err(ReadError(format!("{what} is not rendered here")))
    }
}

struct Silent;

impl Progress for Silent {
    fn report(&self, _: f64, _: &str) {}
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (song, folder) = (PathBuf::from(&args[0]), PathBuf::from(&args[1]));
    let method = args.get(2).map_or("model", String::as_str);
    let library = Library::of_this_user().unwrap();
    if method == "model" && library.find(DEFAULT_SEPARATION).is_err() {
        let card = card(DEFAULT_SEPARATION).unwrap();
        install(&library, card, &mut |_| ControlFlow::Continue(())).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    let session = session(&song);
    let seconds = session.end().seconds(session.rate).0;
    let params = json!({"targets": "all", "method": method});
    let registry = Registry::new(deskhand_stems::all());
    let (base, inputs) = (RevisionId(0), &Default::default());
    let request = CallRequest { session: &session, base, params: &params, inputs };
    let prepared = registry.get("tool_separate_stems").unwrap().prepare(&request).unwrap();
    let context = PlanContext {
        session: Arc::new(session),
        base: RevisionId(0),
        tool: "tool_separate_stems",
        params: canonical(&params),
        mix_is_heard: true,
        audio: Arc::new(File(song)),
        cache: Arc::new(NoCache),
        opener: Opener::in_process(),
        folder,
        cancel: CancelToken::new(Duration::from_secs(86_400)),
        progress: Arc::new(Silent),
        made_ms: Default::default(),
        author: Author::User,
        finished: Default::default(),
        faults: Default::default(),
    };
    let start = Instant::now();
    let draft = prepared.task.run(&context).unwrap();
    let took = start.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!("{}: {seconds:.1} s in {took:.2} s = {:.1}x; {peak}", draft.summary, seconds / took);
}

fn session(song: &Path) -> Session {
    let reader = Opener::in_process().open(song).unwrap();
    let (rate, frames, channels) = (reader.rate(), reader.frames(), reader.channels());
    let mut session = Session::new(SessionId::new(1), rate);
    let source = Source {
        name: "song".into(),
        hash: ContentHash("0".repeat(64)),
        size: 1,
        ..Source::in_place(song.to_str().unwrap(), rate, channels as u16, frames)
    };
    session.sources.insert(SourceId::new(1), source);
    session.tracks.insert(TrackId::new(1), Track::audio("Song"));
    session.track_order.push(TrackId::new(1));
    let clip = Clip::new("song", TrackId::new(1), SourceId::new(1), frames);
    session.clips.insert(ClipId::new(1), clip);
    session
}

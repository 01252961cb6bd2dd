//! Recordings of a length and a sound of their own, and clips of a part of them.

use super::Desk;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, SourceId, Track};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Desk {
    /// Adds a silent mono recording of this many frames.
    pub fn recording(&mut self, name: &str, frames: i64) -> SourceId {
        self.source(name, vec![vec![0.0; Frames(frames).index()]])
    }

    /// What a mono recording sounds like; silence follows a shorter sound.
    pub fn sound(&mut self, source: SourceId, mut mono: Vec<f32>) {
        mono.resize(self.session.sources[&source].frames.index(), 0.0);
        self.audio.planes.lock().insert(source, Arc::new(vec![mono]));
    }

    /// Adds a track with a clip of `source`: `length` frames from `start` on, at `position`.
    pub fn clip_of(&mut self, name: &str, source: SourceId, at: [i64; 3]) -> ClipId {
        let [start, length, position] = at.map(Frames);
        let track = self.track(Track::audio(name));
        let id = ClipId::new(self.session.clips.len() as u64 + 1);
        let clip = Clip { start, position, ..Clip::new(name, track, source, length) };
        self.session.clips.insert(id, clip);
        id
    }

    /// How many times a recording was opened.
    pub fn opened(&self) -> usize {
        self.audio.opened.load(Ordering::Relaxed)
    }

    /// The folder that holds the session's.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

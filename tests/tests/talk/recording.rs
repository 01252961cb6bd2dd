//! Recordings for a talk: tones. Each represents some words and is recognized in a mix.

use crate::desk::{Desk, write_parts};
use crate::mix;
use crate::script::{list, read};
use deskhand_session::{Playing, Segment, Session};
use serde_json::{Value, json};
use std::path::Path;

/// What `recording.json` lists.
pub(crate) struct Recording(Value);

impl Recording {
    /// Of a folder of `tests/talks`.
    pub(crate) fn of(folder: &Path) -> Self {
        Self(read(&folder.join("recording.json")))
    }

    /// Writes the files next to the session, and imports those that exist before anything is said.
    pub(crate) fn put(&self, desk: &mut Desk) {
        for file in list(&self.0) {
            let name = file["file"].as_str().expect("a file has a name");
            let path = desk.folder().with_file_name(name);
            let parts = list(&file["parts"]).iter().map(|part| (length(part), hz(part)));
            let parts: Vec<_> = parts.collect();
            write_parts(&path, &parts);
            if file["is_imported"] == true {
                import(desk, &path, &segments(file));
            }
        }
    }

    /// The words, in the order of the recording.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.parts().filter_map(|part| part["text"].as_str()).collect()
    }

    /// What sounds in a mix, one after the other: the text of each tone.
    pub(crate) fn heard(&self, mix: &Path) -> Vec<String> {
        let known: Vec<f64> = self.parts().map(hz).filter(|hz| *hz > 0.0).collect();
        mix::tones(mix, &known).into_iter().map(|tone| self.text_of(tone)).collect()
    }

    fn text_of(&self, tone: f64) -> String {
        let part = self.parts().find(|part| hz(part) == tone);
        let text = part.and_then(|part| part["text"].as_str());
        text.map_or_else(|| format!("{tone} Hz"), str::to_owned)
    }

    fn parts(&self) -> impl Iterator<Item = &Value> {
        list(&self.0).iter().flat_map(|file| list(&file["parts"]))
    }
}

/// What the assembly of a session plays, in order: the text of each part that has a word left.
pub(crate) fn playing(session: &Session) -> Vec<String> {
    let playing = Playing::of(session);
    let phrases = session.assembly.order.iter().map(|id| &session.phrases[id]);
    let segments = phrases.flat_map(|phrase| &phrase.segments).map(|id| &session.segments[id]);
    let is_left = |said: &&Segment| said.words.iter().any(|word| playing.plays(said.source, word));
    segments.filter(is_left).map(Segment::text).collect()
}

/// Imports a file, and where something is said in it its transcript.
pub(crate) fn import(desk: &mut Desk, audio: &Path, segments: &[Value]) {
    desk.now("import_audio", json!({"files": [audio]}));
    if segments.is_empty() {
        return;
    }
    let file = audio.with_extension("json");
    std::fs::write(&file, json!({"segments": segments}).to_string()).unwrap();
    let target = audio.file_stem().unwrap_or_default().display().to_string();
    desk.now("tool_import_transcript", json!({"file": file, "target": target}));
}

/// The transcript of a file: a segment for each part with a text.
fn segments(file: &Value) -> Vec<Value> {
    let mut at = 0.0;
    let mut segments = Vec::new();
    for part in list(&file["parts"]) {
        let start = at;
        at += length(part);
        if let Some(text) = part["text"].as_str() {
            let speaker = &file["speaker"];
            segments.push(json!({"start": start, "end": at, "text": text, "speaker": speaker}));
        }
    }
    segments
}

/// Seconds of a part.
fn length(part: &Value) -> f64 {
    part["s"].as_f64().unwrap_or_else(|| panic!("a part has its length `s`: {part}"))
}

/// The tone of a part; 0 of silence.
fn hz(part: &Value) -> f64 {
    part["tone_hz"].as_f64().unwrap_or(0.0)
}

//! Sessions of people who talk: recordings with transcripts.

use super::{Desk, SECOND, noise, tone};
use crate::Tool;
use deskhand_dsp::Frames;
use deskhand_session::{
    Clip, ClipId, Group, GroupId, Segment, SegmentId, SourceId, Track, TrackId, Word,
};
use std::sync::Arc;

/// A line: from, to (in s), words.
pub type Line = (f64, f64, &'static str);

/// Adds a transcript: one segment a line, its words spread evenly.
pub fn written(desk: &mut Desk, source: SourceId, speaker: &str, lines: &[Line]) {
    for (start, end, text) in lines {
        let (start, end) = (frames(*start), frames(*end));
        let words: Vec<&str> = text.split(' ').collect();
        let each = (end - start).0 / words.len() as i64;
        let word = |(n, text): (usize, &&str)| {
            let start = start + Frames(each * n as i64);
            Word { text: (*text).into(), start, end: start + Frames(each), confidence: Some(0.9) }
        };
        let words = words.iter().enumerate().map(word).collect();
        let speaker = Some(speaker.to_owned());
        let segment = Segment { words, speaker, ..Segment::new(source, start, end - start) };
        let id = SegmentId::new(desk.session.segments.len() as u64 + 1);
        desk.session.segments.insert(id, segment);
    }
}

fn frames(seconds: f64) -> Frames {
    Frames((seconds * SECOND as f64) as i64)
}

/// A recording in which each line sounds, over a quiet room.
pub fn recording(seconds: f64, lines: &[Line], hz: f64) -> Vec<f32> {
    let mut audio = noise(-70.0, seconds);
    for (start, end, _) in lines {
        let from = frames(*start).index();
        for (sample, voice) in audio[from..].iter_mut().zip(tone(hz, -18.0, end - start)) {
            *sample += voice;
        }
    }
    audio
}

/// A voice on one track.
pub fn alone(tools: Vec<Arc<dyn Tool>>, seconds: f64, lines: &[Line]) -> Desk {
    spoken(tools, recording(seconds, lines, 220.0), lines)
}

/// A recording of a voice on one track, with its transcript.
pub fn spoken(tools: Vec<Arc<dyn Tool>>, audio: Vec<f32>, lines: &[Line]) -> Desk {
    let mut desk = Desk::new(tools);
    let track = desk.track(Track::audio("Voice"));
    let clip = desk.clip(track, "Talk", 0, audio);
    let source = desk.session.clips[&clip].source;
    written(&mut desk, source, "Host", lines);
    desk
}

/// Two microphones in a group, both as long, each with its own transcript.
pub fn interview(
    tools: Vec<Arc<dyn Tool>>,
    seconds: f64,
    host: &[Line],
    guest: &[Line],
) -> (Desk, [TrackId; 2]) {
    let mut desk = Desk::new(tools);
    let tracks = ["Host", "Guest"].map(|name| desk.track(Track::audio(name)));
    for (track, lines, hz) in [(tracks[0], host, 220.0), (tracks[1], guest, 330.0)] {
        let name = desk.session.tracks[&track].name.clone();
        let clip = desk.clip(track, &name, 0, recording(seconds, lines, hz));
        let source = desk.session.clips[&clip].source;
        written(&mut desk, source, &name, lines);
    }
    let group = Group { name: "Talk".into(), tracks: tracks.to_vec() };
    desk.session.groups.insert(GroupId::new(1), group);
    (desk, tracks)
}

/// The track of a name.
pub fn track(desk: &Desk, name: &str) -> TrackId {
    let mut tracks = desk.session.tracks.iter();
    *tracks.find(|(_, track)| track.name == name).unwrap_or_else(|| panic!("no {name}")).0
}

/// The clips on the track of a name, in order.
pub fn clips_on(desk: &Desk, name: &str) -> Vec<(ClipId, Clip)> {
    let clips = desk.session.clips_on(track(desk, name));
    clips.into_iter().map(|(id, clip)| (id, clip.clone())).collect()
}

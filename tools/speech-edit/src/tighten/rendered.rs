//! How well fillers are found in speech that espeak-ng reads, with an "um" at known times.

use crate::read_aloud::read_aloud;
use deskhand_dsp::Frames;
use deskhand_session::{Change, Segment, SegmentId, Track, Word};
use deskhand_toolkit::testing::{Desk, SECOND, noise};
use serde_json::json;
use std::path::Path;

/// The texts between fillers; each is rendered separately, so that its place is known.
const LINES: [&str; 12] = [
    "so we went down",
    "to the old harbor",
    "and looked at all the boats",
    "because my brother",
    "always wanted one of those",
    "but the money",
    "was never there in time",
    "then one morning in may",
    "a letter came from town",
    "which said that we",
    "could have a small one",
    "for almost nothing at all",
];
/// Fillers, which espeak-ng reads held and level.
const FILLERS: [&str; 4] = ["[[V:m:]]", "[[3::]]", "[[V::]]", "[[@::m]]"];
const VOICES: [&str; 4] = ["en-us", "en-gb", "en-us+f3", "en-gb+m4"];

/// A line in one of the voices.
fn said(text: &str, voice: &str, folder: &Path) -> Option<Vec<f32>> {
    read_aloud(&["-v", voice, "-s", "150"], text, folder)
}

/// A talk with a filler after every second line, and the places of the fillers, in frames.
struct Talk {
    desk: Desk,
    fillers: Vec<(i64, i64)>,
}

/// Every `forgotten`th word is not written down, as a transcriber forgets some.
fn talk(voice: &str, forgotten: usize, folder: &Path) -> Option<Talk> {
    let mut audio = vec![0.0f32; SECOND as usize / 2];
    let (mut words, mut fillers) = (Vec::new(), Vec::new());
    for (n, line) in LINES.iter().enumerate() {
        let sound = said(line, voice, folder)?;
        let (start, length) = (audio.len() as i64, sound.len() as i64);
        audio.extend(sound);
        let texts: Vec<&str> = line.split(' ').collect();
        let letters: i64 = texts.iter().map(|text| text.len() as i64 + 1).sum();
        let mut at = start;
        for text in texts {
            let end = at + length * (text.len() as i64 + 1) / letters;
            words.push(Word {
                text: text.into(),
                start: Frames(at),
                end: Frames(end),
                confidence: None,
            });
            at = end;
        }
        // Every other filler follows its line without any pause.
        audio.extend(vec![0.0; if n % 4 == 2 { 480 } else { SECOND as usize / 8 }]);
        if n % 2 == 0 {
            let filler = said(FILLERS[n / 2 % FILLERS.len()], voice, folder)?;
            fillers.push((audio.len() as i64, (audio.len() + filler.len()) as i64));
            audio.extend(filler);
            audio.extend(vec![0.0; SECOND as usize / 6]);
        }
    }
    audio.extend(vec![0.0; SECOND as usize]);
    Some(Talk { desk: desk(audio, words, forgotten), fillers })
}

/// The talk on a track in a room that is not quite silent.
fn desk(mut audio: Vec<f32>, words: Vec<Word>, forgotten: usize) -> Desk {
    let room = noise(-66.0, audio.len() as f64 / SECOND as f64);
    audio.iter_mut().zip(room).for_each(|(sample, room)| *sample = *sample * 0.6 + room);
    let mut desk = Desk::new(crate::testing::tools());
    let track = desk.track(Track::audio("Voice"));
    let clip = desk.clip(track, "Talk", 0, audio);
    let source = desk.session.clips[&clip].source;
    let kept = words.into_iter().enumerate().filter(|(n, _)| forgotten == 0 || n % forgotten != 3);
    for (n, (_, word)) in kept.enumerate() {
        let segment = Segment::new(source, word.start, word.end - word.start);
        let segment = Segment { words: vec![word], ..segment };
        desk.session.segments.insert(SegmentId::new(n as u64 + 1), segment);
    }
    desk
}

/// Right, found, and there.
fn score(talk: &Talk) -> (usize, usize, usize) {
    let draft = talk.desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
    let cuts: Vec<(i64, i64)> = draft
        .changes
        .iter()
        .filter_map(|planned| match &planned.change {
            Change::RippleDelete(edit) => Some((edit.before.at.0, edit.before.end().0)),
            _ => None,
        })
        .collect();
    let hit = |cut: &&(i64, i64)| {
        let over = |f: &&(i64, i64)| (f.1.min(cut.1) - f.0.max(cut.0)) * 2 > f.1 - f.0;
        talk.fillers.iter().find(over).is_some()
    };
    (cuts.iter().filter(hit).count(), cuts.len(), talk.fillers.len())
}

#[test]
fn fillers_that_nobody_wrote_down_are_found_in_read_speech() {
    let folder = tempfile::tempdir().unwrap();
    for (forgotten, least) in [(0, (0.9, 0.6)), (10, (0.6, 0.6))] {
        let (mut right, mut found, mut there) = (0, 0, 0);
        for voice in VOICES {
            let Some(talk) = talk(voice, forgotten, folder.path()) else { return };
            let (a, b, c) = score(&talk);
            (right, found, there) = (right + a, found + b, there + c);
        }
        let precision = right as f64 / found.max(1) as f64;
        let recall = right as f64 / there as f64;
        eprintln!(
            "forgotten words 1 in {forgotten}: {right} right of {found} found, {there} there; precision {precision:.2}, recall {recall:.2}"
        );
        assert!(precision >= least.0 && recall >= least.1, "{precision:.2} {recall:.2}");
    }
}

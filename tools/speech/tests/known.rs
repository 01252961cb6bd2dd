//! Known parts are not heard again: a second run adds nothing, and a continued run gives the same as one
//! run alone.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

#[path = "shared/models.rs"]
mod models;

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_inference::{DEFAULT_TRANSCRIPTION, Library, VOICE_ACTIVITY};
use deskhand_speech::listen::{Audio, Kept, ListenError, Listener, News, Phrase, Wording};
use deskhand_speech::mel::RATE;
use deskhand_speech::voice::Voice;
use deskhand_toolkit::MeasurementCache;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const CLIPS: &str = "/usr/share/pocketsphinx/test/data/librivox";

/// A recording in memory.
struct Sound(Vec<f32>);

impl FrameReader for Sound {
    fn channels(&self) -> usize {
        1
    }

    fn frames(&self) -> Frames {
        Frames::from_index(self.0.len())
    }

    fn rate(&self) -> SampleRate {
        SampleRate(RATE)
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let rest = self.0.get(at.index()..).unwrap_or_default();
        let count = rest.len().min(out[0].len());
        out[0][..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// Five read sentences, twice, for more than one window; `None` if they are not installed.
fn sentences() -> Option<Sound> {
    let mut sound = Vec::new();
    for _ in 0..2 {
        for name in ["0870", "0880", "0890", "0920", "0930"] {
            let file = format!("{CLIPS}/sense_and_sensibility_01_austen_64kb-{name}.wav");
            let mut reader = deskhand_media::open_at(Path::new(&file), SampleRate(RATE)).ok()?;
            let mut sentence = vec![0.0; reader.frames().index()];
            reader.read(Frames::ZERO, &mut [&mut sentence]).unwrap();
            sound.extend(sentence);
        }
    }
    Some(Sound(sound))
}

/// Parts in files, as the cache of a session keeps them.
struct Folder(PathBuf);

impl MeasurementCache for Folder {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        std::fs::read(self.0.join(key)).ok()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(key), bytes).unwrap();
    }
}

/// The news when the `known` parts are transcribed already, with parts saved in `folder`.
fn listen(models: &Library, folder: &Path, known: Vec<Range<usize>>) -> Option<Vec<News>> {
    let mut reader = sentences()?;
    let range = 0..reader.0.len();
    let whisper = models.whisper(DEFAULT_TRANSCRIPTION).unwrap();
    let voice = Voice::new(Some(models.load(VOICE_ACTIVITY).unwrap()));
    let kept = Some(Kept::new(Arc::new(Folder(folder.into())), &"sentences"));
    let wording = Wording::Clean;
    let listener = Listener { whisper: &whisper, voice, language: None, wording, kept };
    let mut audio = Audio::new(&mut reader, range, known);
    let mut told = Vec::new();
    let heard = listener.listen::<ListenError>(&mut audio, &mut |news| {
        told.extend(news);
        Ok(())
    });
    heard.unwrap();
    Some(told)
}

fn phrases(told: &[News]) -> Vec<Phrase> {
    let phrase = |news: &News| match news {
        News::Phrase(phrase) => Some(phrase.clone()),
        _ => None,
    };
    told.iter().filter_map(phrase).collect()
}

#[test]
fn a_second_run_adds_nothing_and_one_that_goes_on_gives_the_rest() {
    let Some(models) = models::with(&[DEFAULT_TRANSCRIPTION, VOICE_ACTIVITY]) else { return };
    let [kept, lost] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let Some(first) = listen(&models, kept.path(), Vec::new()) else {
        eprintln!("SKIPPED: no {CLIPS}; install pocketsphinx-testdata");
        return;
    };
    let whole = phrases(&first);
    let known: Vec<_> = whole.iter().map(|phrase| phrase.range.clone()).collect();
    assert!(known.len() > 4, "{whole:?}");
    for folder in [&kept, &lost] {
        let told = listen(&models, folder.path(), known.clone()).unwrap();
        assert_eq!(phrases(&told), [], "what is written down is neither told nor made longer");
    }
    let half = known.len() / 2;
    let rest = listen(&models, kept.path(), known[..half].to_vec()).unwrap();
    assert_eq!(phrases(&rest), whole[half..]);
    assert!(!rest.iter().any(|news| matches!(news, News::Listens(_))), "all of it was kept");
}

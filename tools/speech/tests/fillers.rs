//! With the verbatim prompt fillers are written down that are left out without it. espeak-ng reads them, the installed Whisper
//! tiny writes; where either cannot be had the test says so, loudly, and ends.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

#[path = "shared/models.rs"]
mod models;

use deskhand_dsp::SampleRate;
use deskhand_inference::{DEFAULT_TRANSCRIPTION, Library, VOICE_ACTIVITY};
use deskhand_speech::listen::{Audio, ListenError, Listener, News, Wording};
use deskhand_speech::mel::RATE;
use deskhand_speech::voice::Voice;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines to read, with three fillers in each.
const LINES: [&str; 4] = [
    "So, um, we went down to, uh, the old harbor, um, and looked at the boats.",
    "My brother, uh, always wanted, um, one of those, uh, but the money was never there.",
    "Then, um, one morning in May, uh, a letter came, um, from town.",
    "We, uh, could have a small one, um, for almost, uh, nothing at all.",
];
const FILLERS: [&str; 8] = ["um", "umm", "uh", "uhm", "er", "erm", "ah", "hmm"];

/// A line read by espeak-ng; `None` if it is not installed.
fn read(line: &str, folder: &Path) -> Option<PathBuf> {
    let file = folder.join("read.wav");
    let mut program = Command::new("espeak-ng");
    program.args(["-v", "en-us", "-s", "140", "-w"]).arg(&file).arg(line);
    if !program.status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: espeak-ng is not installed; `apt-get install espeak-ng`");
        return None;
    }
    Some(file)
}

fn written(library: &Library, file: &Path, wording: Wording) -> Vec<String> {
    let whisper = library.whisper(DEFAULT_TRANSCRIPTION).unwrap();
    let mut reader = deskhand_media::open_at(file, SampleRate(RATE)).unwrap();
    let range = 0..reader.frames().index();
    let voice = Voice::new(Some(library.load(VOICE_ACTIVITY).unwrap()));
    let listener = Listener { whisper: &whisper, voice, language: None, wording, kept: None };
    let mut audio = Audio::new(reader.as_mut(), range, Vec::new());
    let mut words = Vec::new();
    let told = listener.listen::<ListenError>(&mut audio, &mut |news| {
        if let Some(News::Phrase(phrase)) = news {
            words.extend(phrase.words.into_iter().map(|word| word.text));
        }
        Ok(())
    });
    told.unwrap();
    words
}

fn fillers(words: &[String]) -> usize {
    let is_filler = |word: &&String| {
        let letters: String = word.chars().filter(|letter| letter.is_alphabetic()).collect();
        FILLERS.contains(&letters.to_lowercase().as_str())
    };
    words.iter().filter(is_filler).count()
}

#[test]
fn fillers_are_written_down_where_every_word_is_wanted() {
    let Some(library) = models::with(&[DEFAULT_TRANSCRIPTION, VOICE_ACTIVITY]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut clean, mut verbatim) = (0, 0);
    for line in LINES {
        let Some(file) = read(line, folder.path()) else { return };
        let [plain, full] =
            [Wording::Clean, Wording::Verbatim].map(|wording| written(&library, &file, wording));
        eprintln!("{}\n  {}", plain.join(" "), full.join(" "));
        clean += fillers(&plain);
        verbatim += fillers(&full);
    }
    let all = 3 * LINES.len();
    eprintln!("of {all} fillers {clean} written down, verbatim {verbatim}");
    assert!(verbatim > clean, "{verbatim} of {all}, without the prompt {clean}");
    assert!(2 * verbatim >= all, "{verbatim} of {all}");
    assert!(2 * clean < all, "{clean} of {all}: nothing is left for the prompt to do");
}

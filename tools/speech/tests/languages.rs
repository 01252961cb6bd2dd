//! A model with languages finds out which one is spoken: Whisper base on a French and an Italian announcement.
//!
//! It runs where the model is installed (`deskhand models install whisper-base`, 133 MB, which only the soaks download) and Debian's asterisk-core-sounds-{fr,it}-wav are; else it says so, loudly, and ends.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

use deskhand_dsp::SampleRate;
use deskhand_inference::{Library, Whisper, install_missing};
use deskhand_speech::listen::{Audio, ListenError, Listener, News, Phrase, Wording};
use deskhand_speech::mel::RATE;
use deskhand_speech::voice::Voice;
use std::path::Path;
use std::sync::Arc;

const MODEL: &str = "whisper-base";
const SOUNDS: &str = "/usr/share/asterisk/sounds";

fn model() -> Option<Arc<Whisper>> {
    let own = Library::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("models"), 1 << 30);
    if std::env::var_os("DESKHAND_LONG").is_some() {
        install_missing(&own, MODEL).inspect_err(|error| eprintln!("SKIPPED: {error}")).ok()?;
    }
    let persons = || Library::of_this_user()?.find(MODEL).map(|_| ());
    let library = if own.find(MODEL).is_err() && persons().is_ok() {
        Library::of_this_user().ok()?
    } else {
        own
    };
    library.whisper(MODEL).inspect_err(|error| eprintln!("SKIPPED: {error}")).ok()
}

fn listen(whisper: &Whisper, file: &str) -> Option<Vec<Phrase>> {
    let path = Path::new(SOUNDS).join(file);
    let Ok(mut reader) = deskhand_media::open_at(&path, SampleRate(RATE)) else {
        eprintln!("SKIPPED: no {file}; install asterisk-core-sounds-fr-wav and -it-wav");
        return None;
    };
    let (voice, wording) = (Voice::new(None), Wording::Clean);
    let listener = Listener { whisper, voice, language: None, wording, kept: None };
    let range = 0..reader.frames().index();
    let mut audio = Audio::new(reader.as_mut(), range, Vec::new());
    let mut phrases = Vec::new();
    let told = listener.listen::<ListenError>(&mut audio, &mut |news| {
        if let Some(News::Phrase(phrase)) = news {
            phrases.push(phrase);
        }
        Ok(())
    });
    told.unwrap();
    Some(phrases)
}

#[test]
fn the_language_is_found_by_listening() {
    let Some(whisper) = model() else { return };
    let spoken = [
        ("fr_CA_f_June/conf-adminmenu.wav", "fr", "verrouiller"),
        ("it_IT_m_Carlo/vm-options.wav", "it", "registrare"),
    ];
    for (file, language, word) in spoken {
        let Some(phrases) = listen(&whisper, file) else { return };
        assert!(phrases.iter().all(|phrase| phrase.language == language), "{phrases:?}");
        let words = phrases.iter().flat_map(|phrase| &phrase.words);
        let text: Vec<&str> = words.map(|word| word.text.as_str()).collect();
        eprintln!("{language}: {}", text.join(" "));
        assert!(text.contains(&word), "{text:?}");
    }
}

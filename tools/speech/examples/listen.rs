//! Writes down a recording and says how long it took:
//! `listen MODEL [silero.onnx]... FILES…`, where MODEL is a folder as CTranslate2 has them.

#![expect(clippy::print_stdout, reason = "it is a program for a terminal")]

use deskhand_dsp::SampleRate;
use deskhand_inference::Whisper;
use deskhand_speech::listen::{Audio, ListenError, Listener, News, Wording};
use deskhand_speech::mel::RATE;
use deskhand_speech::voice::Voice;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let started = Instant::now();
    let whisper = Whisper::open(Path::new(&arguments.next().ok_or("give the model's folder")?))?;
    println!("loaded in {:.2} s", started.elapsed().as_secs_f64());
    for file in arguments {
        let mut reader = deskhand_media::open_at(Path::new(&file), SampleRate(RATE))?;
        let length = reader.frames().index();
        let started = Instant::now();
        let voice = Voice::new(None);
        let wording = Wording::Clean;
        let listener = Listener { whisper: &whisper, voice, language: None, wording, kept: None };
        let mut audio = Audio::new(reader.as_mut(), 0..length, Vec::new());
        let mut text = String::new();
        listener.listen::<ListenError>(&mut audio, &mut |news| {
            if let Some(News::Phrase(phrase)) = news {
                for word in &phrase.words {
                    let at = |sample: usize| sample as f64 / f64::from(RATE);
                    let (start, end) = (at(word.range.start), at(word.range.end));
                    text += &format!(
                        " {}[{start:.2}-{end:.2} {:.2}]",
                        word.text,
                        word.confidence.unwrap_or(1.0)
                    );
                }
            }
            Ok(())
        })?;
        let seconds = length as f64 / f64::from(RATE);
        println!("{seconds:.2} s in {:.3} s:{text}", started.elapsed().as_secs_f64());
    }
    Ok(())
}

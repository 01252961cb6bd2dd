//! `cargo xtask example`: makes the interview that Deskhand comes with: two voices of espeak-ng, each on a track of its
//! own, a music bed by the demo's band, and the words with their times.

mod bed;
mod script;
mod sound;
mod voices;

use crate::wav::{Depth, WavWriter};
use crate::{shell, workspace};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sound::{MUSIC_RATE, RATE, rms_db};
use std::path::Path;
use std::process::Command;
use voices::{Spoken, Voice};

/// Where the files go, from the root of the checkout.
const FOLDER: &str = "plugin/standalone/assets/example";
/// All files together stay below this, bytes.
const MOST: u64 = 1_000_000;
/// Columns of the drawing of a lane.
const COLUMNS: usize = 1_080;
/// After the last word, seconds.
const TAIL: f64 = 2.5;
/// How a track is written: its rate, and the steps of its samples in bits. Fewer make smaller files.
type Form = (u32, u32);
const VOICE: Form = (RATE, 12);
const MUSIC: Form = (MUSIC_RATE, 11);

/// Makes the files anew.
pub(crate) fn run() -> Result<()> {
    let folder = workspace::root().join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    let spoken = voices::speak(script::SCRIPT)?;
    let seconds = spoken.iter().map(Spoken::end).fold(0.0, f64::max) + TAIL;
    let mut lanes = Vec::new();
    for voice in [Voice::Host, Voice::Guest] {
        let track = voices::track(&spoken, voice, seconds);
        lanes.push(save(&folder, voice.name(), track, VOICE)?);
        let words = serde_json::to_string(&transcript(&spoken, voice))?;
        std::fs::write(folder.join(format!("{}.json", voice.name())), words + "\n")?;
    }
    lanes.push(save(&folder, "Music", bed::play(seconds), MUSIC)?);
    let drawing = json!({"seconds": (seconds * 1e3).round() / 1e3, "lanes": lanes});
    std::fs::write(folder.join("lanes.json"), drawing.to_string() + "\n")?;
    check_size(&folder)
}

/// Writes a track as FLAC; gives what its lane draws.
fn save(folder: &Path, name: &str, mut samples: Vec<f32>, (rate, bits): Form) -> Result<Value> {
    sound::quantize(&mut samples, bits);
    println!("{name}: {:.1} s, {:.1} dB RMS", sound::seconds(&samples, rate), rms_db(&samples));
    let temporary = tempfile::tempdir()?;
    let wav = temporary.path().join("track.wav");
    let frames = u32::try_from(samples.len())?;
    let mut file = WavWriter::create(&wav, Depth::Sixteen, rate, 1, frames)?;
    samples.iter().try_for_each(|sample| file.sample(*sample))?;
    file.finish()?;
    let mut flac = Command::new("flac");
    flac.args(["--silent", "--force", "--best", "--exhaustive-model-search", "--no-padding"]);
    flac.arg("--output-name").arg(folder.join(format!("{name}.flac"))).arg(&wav);
    shell::run(&mut flac).context("is flac installed? `apt install flac`")?;
    Ok(json!({"name": name, "columns": sound::columns(&samples, COLUMNS)}))
}

/// The words of a voice in the form of Whisper's JSON.
fn transcript(spoken: &[Spoken], voice: Voice) -> Value {
    let at = |seconds: f64| json!((seconds * 1e3).round() / 1e3);
    let segment = |it: &Spoken| {
        let word = |word: &voices::Word| json!({"word": format!(" {}", word.text), "start": at(word.start), "end": at(word.end)});
        let words: Vec<Value> = it.words.iter().map(word).collect();
        json!({"start": at(it.start()), "end": at(it.end()), "speaker": voice.name(), "text": it.text, "words": words})
    };
    let segments: Vec<Value> = spoken.iter().filter(|it| it.voice == voice).map(segment).collect();
    json!({"segments": segments})
}

fn check_size(folder: &Path) -> Result<()> {
    let mut total = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let size = entry.metadata()?.len();
        println!("{:>8} bytes  {}", size, entry.file_name().display());
        total += size;
    }
    if total > MOST {
        bail!("{total} bytes are more than {MOST}: shorten the script or lower the bits");
    }
    println!("{total:>8} bytes in all");
    Ok(())
}

//! For tests: speech that espeak-ng reads.

use deskhand_dsp::Frames;
use deskhand_toolkit::testing::RATE;
use std::path::Path;
use std::process::Command;

/// The text read by espeak-ng with `options`, without the silence around it, at the rate of the tests. If
/// it is not installed, it prints a message and returns `None`.
pub(crate) fn read_aloud(options: &[&str], text: &str, folder: &Path) -> Option<Vec<f32>> {
    let file = folder.join("read.wav");
    let mut program = Command::new("espeak-ng");
    program.args(options).arg("-w").arg(&file).arg(text);
    if !program.status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: espeak-ng is not installed; `apt-get install espeak-ng`");
        return None;
    }
    let mut reader = deskhand_media::open_at(&file, RATE).ok()?;
    let frames = reader.frames().index();
    let audio =
        deskhand_toolkit::audio::stretch(reader.as_mut(), Frames::ZERO, frames).ok()?.remove(0);
    let first = audio.iter().position(|sample| sample.abs() > 0.01)?;
    let last = audio.iter().rposition(|sample| sample.abs() > 0.01)?;
    Some(audio[first..=last].to_vec())
}

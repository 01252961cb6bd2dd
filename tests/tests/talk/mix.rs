//! The mix of a session as a file, and the tones that are heard in it.

use deskhand_bounce::{RenderJob, SessionAudio, render};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{BitDepth, Opener};
use deskhand_session::Session;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const RATE: u32 = 48_000;
/// How far a tone may be from the one that it is taken for.
const NEAR_HZ: f64 = 15.0;

/// The mix of the session in `folder` as a file, up to where the last clip ends that is heard.
pub(crate) fn rendered(session: &Session, folder: &Path) -> PathBuf {
    let file = folder.with_file_name("mix.wav");
    let audio = SessionAudio::new(folder, Opener::in_process());
    let job = RenderJob {
        mix: &file,
        stems: None,
        depth: BitDepth::F32,
        range: Frames::ZERO..session.heard_end(),
    };
    render(session, &audio, &job, &mut |_| ControlFlow::Continue(())).unwrap();
    file
}

/// The tone of each tenth of a second of a file, by its zero crossings. Repeats count once, and unknown
/// tones are left out.
pub(crate) fn tones(file: &Path, known: &[f64]) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::new();
    for window in samples(file).chunks_exact(RATE as usize / 10) {
        let loud = window.iter().filter(|sample| sample.abs() > 0.01).count();
        if loud < 4_000 {
            continue;
        }
        let rises = window.windows(2).filter(|pair| pair[0] <= 0.0 && pair[1] > 0.0).count();
        let hz = rises as f64 * f64::from(RATE) / window.len() as f64;
        let near = known.iter().copied().find(|known| (known - hz).abs() <= NEAR_HZ);
        if let Some(tone) = near.filter(|tone| found.last() != Some(tone)) {
            found.push(tone);
        }
    }
    found
}

/// The first channel of a file.
fn samples(file: &Path) -> Vec<f32> {
    let mut reader = Opener::in_process().open_at(file, SampleRate(RATE)).unwrap();
    let frames = usize::try_from(reader.frames().0).unwrap();
    let mut planes = vec![vec![0.0; frames]; reader.channels()];
    let mut out: Vec<_> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    let mut at = 0;
    while at < frames {
        let mut rest: Vec<_> = out.iter_mut().map(|plane| &mut plane[at..]).collect();
        let read = reader.read(Frames::from_index(at), &mut rest).unwrap();
        assert!(read > 0);
        at += read;
    }
    planes.swap_remove(0)
}

//! Pictures of sound for a terminal: written next to the measurements, as a path to open.

use deskhand_bounce::SessionAudio;
use deskhand_dsp::Frames;
use deskhand_media::{Opener, Spectrogram, build_spectrogram};
use deskhand_session::digest::digest;
use deskhand_session::{Handle, Session, Source};
use std::fs::File;
use std::io::BufWriter;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// Columns and rows.
const SIZE: (usize, usize) = (1200, 400);

/// Writes the spectrogram of a clip or a source as a PNG into the session's cache and returns its path;
/// `None` for anything else. The loudest is black, 80 dB below is white; frequency goes up in equal steps
/// of its logarithm.
pub(crate) fn spectrogram(
    session: &Session,
    handle: &Handle,
    folder: &Path,
) -> Option<anyhow::Result<PathBuf>> {
    let (source, range) = sound(session, handle)?;
    Some(written(session, source, range, folder))
}

fn sound<'a>(session: &'a Session, handle: &Handle) -> Option<(&'a Source, Range<Frames>)> {
    match handle {
        Handle::Clip(id) => {
            let clip = session.clips.get(id)?;
            let source = session.sources.get(&clip.source)?;
            Some((source, clip.start..clip.start + clip.length))
        }
        Handle::Source(id) => {
            let source = session.sources.get(id)?;
            Some((source, Frames::ZERO..source.frames))
        }
        Handle::Session
        | Handle::Track(_)
        | Handle::Plan(_)
        | Handle::Marker(_)
        | Handle::History
        | Handle::Talk(_)
        | Handle::Tool(_)
        | Handle::File(_) => None,
    }
}

fn written(
    session: &Session,
    source: &Source,
    range: Range<Frames>,
    folder: &Path,
) -> anyhow::Result<PathBuf> {
    let key = digest(&(&source.hash, source.channel, range.start, range.end));
    let key: String = key.trim_start_matches("blake3:").chars().take(16).collect();
    let file = folder.join("cache").join("pictures").join(format!("spectrogram-{key}.png"));
    if file.is_file() {
        return Ok(file);
    }
    let mut reader = SessionAudio::new(folder, Opener::in_process()).open(source, session.rate)?;
    let (columns, rows) = SIZE;
    let go_on = &mut |_| ControlFlow::Continue(());
    let made = build_spectrogram(reader.as_mut(), range, columns, rows, go_on)?;
    write_png(&made, &file)?;
    Ok(file)
}

/// A picture is whole or not there.
fn write_png(made: &Spectrogram, file: &Path) -> anyhow::Result<()> {
    let parent = file.parent().unwrap_or(file);
    std::fs::create_dir_all(parent)?;
    let part = file.with_extension("part");
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(&part)?),
        u32::try_from(made.columns)?,
        u32::try_from(made.rows)?,
    );
    encoder.set_color(png::ColorType::Grayscale);
    let level = |row: usize, column: usize| made.levels.get(column * made.rows + row).copied();
    let line = |row: usize| (0..made.columns).map(move |column| (row, column));
    let pixels = (0..made.rows).rev().flat_map(line);
    let pixels: Vec<u8> =
        pixels.map(|(row, column)| 255 - level(row, column).unwrap_or_default()).collect();
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(std::fs::rename(part, file)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_media::{BitDepth, WavWriter};
    use deskhand_session::{ContentHash, Media, SessionId, SourceId};

    /// A session with one source: half a second of a sine at 1 kHz.
    fn session(folder: &Path) -> Session {
        let file = folder.join("tone.wav");
        let rate = SampleRate(48_000);
        let mut writer = WavWriter::create(&file, rate, 1, BitDepth::F32).unwrap();
        let tone: Vec<f32> =
            (0..24_000u16).map(|n| (std::f32::consts::TAU * f32::from(n) / 48.0).sin()).collect();
        writer.write(&[&tone]).unwrap();
        writer.finish().unwrap();
        let about = std::fs::metadata(&file).unwrap();
        let since = about.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
        let source = Source {
            name: "tone".into(),
            hash: ContentHash("0".repeat(64)),
            path: file.to_string_lossy().into_owned(),
            size: about.len(),
            modified_ns: since.as_nanos().try_into().unwrap(),
            format: "WAV 32 bit float".into(),
            rate,
            channels: 1,
            channel: None,
            frames: Frames(24_000),
            origin: None,
            same_sound: Vec::new(),
            media: Media::InPlace,
        };
        let mut session = Session::new(SessionId::new(1), rate);
        session.sources.insert(SourceId::new(1), source);
        session
    }

    #[test]
    fn a_spectrogram_is_a_png_with_the_tone_in_black() {
        let tmp = tempfile::tempdir().unwrap();
        let session = session(tmp.path());
        let handle = Handle::Source(SourceId::new(1));
        let file = spectrogram(&session, &handle, tmp.path()).unwrap().unwrap();
        let reader = std::io::BufReader::new(File::open(&file).unwrap());
        let mut reader = png::Decoder::new(reader).read_info().unwrap();
        let mut pixels = vec![0; SIZE.0 * SIZE.1];
        reader.next_frame(&mut pixels).unwrap();
        let middle = |row: usize| pixels[row * SIZE.0 + SIZE.0 / 2];
        let darkest = (0..SIZE.1).min_by_key(|row| middle(*row)).unwrap();
        let place = (1000f64 / 40.0).ln() / (20_000f64 / 40.0).ln();
        let expected = (SIZE.1 as f64 * (1.0 - place)) as usize;
        assert!(darkest.abs_diff(expected) < 8, "row {darkest}, not {expected}");
        assert_eq!((middle(darkest), middle(0)), (0, 255));
        assert_eq!(spectrogram(&session, &handle, tmp.path()).unwrap().unwrap(), file);
        assert!(spectrogram(&session, &Handle::Session, tmp.path()).is_none());
    }

    #[test]
    fn a_file_that_is_gone_is_told() {
        let tmp = tempfile::tempdir().unwrap();
        let session = session(tmp.path());
        std::fs::remove_file(tmp.path().join("tone.wav")).unwrap();
        let handle = Handle::Source(SourceId::new(1));
        let error = spectrogram(&session, &handle, tmp.path()).unwrap().unwrap_err();
        assert!(error.to_string().contains("tone.wav"), "{error}");
    }
}

//! Pictures: files of the session folder, and spectrograms of what is in the library.

use deskhand_bounce::SessionAudio;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_editor::{Resource, Spectrogram};
use deskhand_session::{Handle, Session, Source};
use egui::ColorImage;
use std::io::{self, BufReader};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

/// Columns and rows of a spectrogram: the window of it has about as many points.
const SIZE: (usize, usize) = (864, 256);
/// Frequencies that are written beside it, Hz.
const MARKS: [f32; 5] = [100.0, 300.0, 1_000.0, 3_000.0, 10_000.0];
/// The largest picture, pixels.
const LARGEST: usize = 1 << 24;

/// Audio that a spectrogram is made of.
pub(super) struct Sound {
    source: Source,
    rate: SampleRate,
    range: Range<Frames>,
}

impl Sound {
    /// The audio of a clip or a source; none for anything else.
    pub(super) fn of(session: &Session, handle: &Handle) -> Option<Self> {
        let (source, range) = match handle {
            Handle::Clip(id) => {
                let clip = session.clips.get(id)?;
                (clip.source, clip.start..clip.start + clip.length)
            }
            Handle::Source(id) => (*id, Frames::ZERO..session.sources.get(id)?.frames),
            Handle::Session
            | Handle::Track(_)
            | Handle::Plan(_)
            | Handle::Marker(_)
            | Handle::History
            | Handle::Talk(_)
            | Handle::Tool(_)
            | Handle::File(_) => return None,
        };
        let source = session.sources.get(&source)?.clone();
        Some(Self { source, rate: session.rate, range })
    }

    /// What tells one from another.
    pub(super) fn key(&self) -> String {
        format!("{} {} {}", self.source.hash.0, self.range.start.0, self.range.end.0)
    }

    /// Its spectrogram.
    pub(super) fn spectrogram(self, audio: &SessionAudio) -> Resource {
        let go_on = &mut |_| ControlFlow::Continue(());
        let made =
            audio.open(&self.source, self.rate).map_err(Into::into).and_then(|mut reader| {
                let (columns, rows) = SIZE;
                let range = self.range.clone();
                deskhand_media::build_spectrogram(reader.as_mut(), range, columns, rows, go_on)
            });
        match made {
            Err(error) => Resource::Failed(error.to_string()),
            Ok(made) => Resource::Spectrogram(Arc::new(self.shown(&made))),
        }
    }

    fn shown(&self, made: &deskhand_media::Spectrogram) -> Spectrogram {
        let seconds = |frames: Frames| frames.seconds(self.rate).0;
        let marks = MARKS.into_iter().map(|hertz| (hertz, made.place(hertz)));
        Spectrogram {
            columns: made.columns,
            rows: made.rows,
            levels: made.levels.as_slice().into(),
            seconds: (seconds(self.range.start), seconds(self.range.end)),
            marks: marks.filter(|(_, place)| (0.0..=1.0).contains(place)).collect(),
        }
    }
}

/// A PNG file.
///
/// # Errors
/// When it is none, or has more than 16 million pixels.
pub(super) fn png(file: &Path) -> io::Result<Resource> {
    let mut decoder = png::Decoder::new(BufReader::new(std::fs::File::open(file)?));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info()?;
    let size = [reader.info().width as usize, reader.info().height as usize];
    let bytes = reader.output_buffer_size().filter(|_| size[0].saturating_mul(size[1]) <= LARGEST);
    let bytes = bytes.ok_or_else(|| io::Error::other("it has more than 16 million pixels"))?;
    let mut pixels = vec![0; bytes];
    let frame = reader.next_frame(&mut pixels)?;
    let pixels = pixels.get(..frame.buffer_size()).unwrap_or_default();
    let image = match frame.color_type {
        png::ColorType::GrayscaleAlpha => {
            let gray = pixels.chunks_exact(2).flat_map(|it| [it[0], it[0], it[0], it[1]]);
            ColorImage::from_rgba_unmultiplied(size, &gray.collect::<Vec<u8>>())
        }
        png::ColorType::Rgba => ColorImage::from_rgba_unmultiplied(size, pixels),
        other => return Err(io::Error::other(format!("a PNG of {other:?} is not shown here"))),
    };
    Ok(Resource::Picture(Arc::new(image)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_media::{BitDepth, Opener, WavWriter};
    use deskhand_session::{SessionId, SourceId};

    /// A session with one source: half a second of a sine at 1 kHz.
    fn session(folder: &Path) -> Session {
        let file = folder.join("tone.wav");
        let mut writer = WavWriter::create(&file, SampleRate(48_000), 1, BitDepth::F32).unwrap();
        let tone: Vec<f32> =
            (0..24_000u16).map(|n| (std::f32::consts::TAU * f32::from(n) / 48.0).sin()).collect();
        writer.write(&[&tone]).unwrap();
        writer.finish().unwrap();
        let about = std::fs::metadata(&file).unwrap();
        let since = about.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
        let source = Source {
            name: "tone".into(),
            hash: deskhand_session::ContentHash("0".repeat(64)),
            path: file.to_string_lossy().into_owned(),
            size: about.len(),
            modified_ns: since.as_nanos().try_into().unwrap(),
            format: "WAV 32 bit float".into(),
            rate: SampleRate(48_000),
            channels: 1,
            channel: None,
            frames: Frames(24_000),
            origin: None,
            media: deskhand_session::Media::InPlace,
        };
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.sources.insert(SourceId::new(1), source);
        session
    }

    #[test]
    fn a_spectrogram_is_made_of_a_source() {
        let tmp = tempfile::tempdir().unwrap();
        let session = session(tmp.path());
        let sound = Sound::of(&session, &Handle::Source(SourceId::new(1))).unwrap();
        let audio = SessionAudio::new(tmp.path(), Opener::in_process());
        let Resource::Spectrogram(it) = sound.spectrogram(&audio) else { panic!("no spectrogram") };
        let column = &it.levels[it.rows * (it.columns / 2)..][..it.rows];
        let loudest = (0..it.rows).max_by_key(|row| column[*row]).unwrap();
        let thousand = it.marks.iter().find(|(hertz, _)| *hertz == 1_000.0).unwrap().1;
        assert!((loudest as f32 / it.rows as f32 - thousand).abs() < 0.02, "row {loudest}");
        assert_eq!(it.seconds, (0.0, 0.5));
        assert!(Sound::of(&session, &Handle::Session).is_none());
    }

    #[test]
    fn a_png_is_read_and_what_is_none_is_refused() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("a.png");
        let mut encoder = png::Encoder::new(std::fs::File::create(&file).unwrap(), 2, 1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(&[255, 0, 0, 0, 0, 255]).unwrap();
        let Resource::Picture(image) = png(&file).unwrap() else { panic!("no picture") };
        assert_eq!(image.pixels, [egui::Color32::RED, egui::Color32::BLUE]);
        std::fs::write(&file, "no picture").unwrap();
        assert!(png(&file).is_err());
    }
}

//! Pictures: files of the session folder, and spectrograms of sources in the library.

use crate::resources::{Resource, Spectrogram};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Handle, Session, Source, SourceId};
use egui::ColorImage;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Makes a spectrogram of a stretch of a source at the session's rate. Stops when the last function returns
/// true.
pub type MakeSpectrogram = dyn Fn(&Source, SampleRate, Range<Frames>, &dyn Fn() -> bool) -> Result<Spectrogram, String>
    + Send;

/// The largest picture, pixels.
const LARGEST: usize = 1 << 24;

/// Audio that a spectrogram is made of.
pub(super) struct Sound {
    source: Source,
    rate: SampleRate,
    range: Range<Frames>,
}

/// The stretch of a source that a clip or a source shows; `None` for anything else.
pub(super) fn stretch(session: &Session, handle: &Handle) -> Option<(SourceId, Range<Frames>)> {
    match handle {
        Handle::Clip(id) => {
            let clip = session.clips.get(id)?;
            Some((clip.source, clip.start..clip.start + clip.length))
        }
        Handle::Source(id) => Some((*id, Frames::ZERO..session.sources.get(id)?.frames)),
        _ => None,
    }
}

impl Sound {
    /// The audio of a clip or a source; `None` for anything else.
    pub(super) fn of(session: &Session, handle: &Handle) -> Option<Self> {
        let (source, range) = stretch(session, handle)?;
        let source = session.sources.get(&source)?.clone();
        Some(Self { source, rate: session.rate, range })
    }

    pub(super) fn key(&self) -> String {
        format!("{} {} {}", self.source.hash.0, self.range.start.0, self.range.end.0)
    }

    pub(super) fn spectrogram(
        self,
        make: &MakeSpectrogram,
        is_over: &dyn Fn() -> bool,
    ) -> Resource {
        match make(&self.source, self.rate, self.range, is_over) {
            Err(why) => Resource::Failed(why),
            Ok(made) => Resource::Spectrogram(Arc::new(made)),
        }
    }
}

/// A PNG file.
///
/// # Errors
/// When the file is no PNG, or has more than 16 million pixels.
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

//! FLAC by `flac-codec`, as a stream: facts known only at the end are written then.

use super::error::ExportError;
use flac_codec::Error;
use flac_codec::encode::{FlacSampleWriter, Options};
use flac_codec::metadata::VorbisComment;
use std::io::{Seek, Write};

/// The highest rate that is written, in Hz.
pub(super) const MOST_RATE: u32 = 96_000;

/// A FLAC file being written.
pub(super) struct FlacWriter<W: Write + Seek>(FlacSampleWriter<W>);

impl<W: Write + Seek> FlacWriter<W> {
    /// `bits` is 16 or 24; `comments` are names with values ("TITLE", "CHAPTER001", …).
    pub(super) fn new(
        sink: W,
        rate: u32,
        channels: usize,
        bits: u32,
        comments: &[(String, String)],
    ) -> Result<Self, ExportError> {
        let fields = comments.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let comment = VorbisComment { vendor_string: "Deskhand".into(), fields };
        let options = Options::default().comment(comment);
        // More than there are is refused as too many.
        let channels = u8::try_from(channels).unwrap_or(u8::MAX);
        let writer = FlacSampleWriter::new(sink, options, rate, bits, channels, None);
        Ok(Self(writer.map_err(failed)?))
    }

    /// Appends frames, interleaved.
    pub(super) fn write(&mut self, interleaved: &[i32]) -> Result<(), ExportError> {
        self.0.write(interleaved).map_err(failed)
    }

    /// Completes the file.
    pub(super) fn finish(self) -> Result<(), ExportError> {
        self.0.finalize().map_err(failed)
    }
}

fn failed(error: Error) -> ExportError {
    match error {
        Error::Io(error) => ExportError::Io(error),
        error => ExportError::Encode(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_toolkit::testing::{noise, tone};
    use std::io::Cursor;

    /// Bytes of a sample.
    const BYTES: usize = 3;

    fn ints(plane: &[f32]) -> Vec<i32> {
        plane.iter().map(|sample| (sample * 8_388_607.0) as i32).collect()
    }

    /// Two sides of sound in 24 bits as a file, and its share of the raw size.
    fn share(left: &[f32], right: &[f32]) -> (Vec<u8>, f64) {
        let pairs = ints(left).into_iter().zip(ints(right));
        let samples: Vec<i32> = pairs.flat_map(|(left, right)| [left, right]).collect();
        let mut sink = Cursor::new(Vec::new());
        let mut writer = FlacWriter::new(&mut sink, 48_000, 2, 24, &[]).unwrap();
        for part in samples.chunks(3_000) {
            writer.write(part).unwrap();
        }
        writer.finish().unwrap();
        let file = sink.into_inner();
        let share = file.len() as f64 / (samples.len() * BYTES) as f64;
        (file, share)
    }

    fn sum(one: &[f32], other: &[f32]) -> Vec<f32> {
        one.iter().zip(other).map(|(a, b)| a + b).collect()
    }

    #[test]
    fn tones_in_24_bits_take_far_less_than_they_are() {
        let floor = noise(-72.0, 2.0);
        let (low, high) = (tone(220.0, -12.0, 2.0), tone(1_760.0, -15.0, 2.0));
        let left = sum(&sum(&low, &high), &floor);
        let floor: Vec<f32> = floor.into_iter().rev().collect();
        let right = sum(&low, &floor);
        let (file, share) = share(&left, &right);
        assert!(share < 0.7, "{share}");
        assert!(file.starts_with(b"fLaC"));
    }

    #[test]
    fn loud_noise_in_24_bits_takes_no_more_than_it_is() {
        let left = noise(-24.0, 2.0);
        let right: Vec<f32> = left.iter().rev().copied().collect();
        let (_, share) = share(&left, &right);
        assert!(share < 0.95, "{share}");
    }

    #[test]
    fn each_sample_comes_back_as_it_was() {
        let left = sum(&noise(-12.0, 0.5), &tone(440.0, -9.0, 0.5));
        let right = tone(441.0, -1.0, 0.5);
        let (file, _) = share(&left, &right);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.flac");
        std::fs::write(&path, file).unwrap();
        let mut reader = deskhand_media::open_at(&path, deskhand_toolkit::testing::RATE).unwrap();
        let planes = deskhand_toolkit::audio::stretch(
            reader.as_mut(),
            deskhand_dsp::Frames::ZERO,
            left.len(),
        );
        for (plane, sent) in planes.unwrap().iter().zip([&left, &right]) {
            let back = plane.iter().map(|sample| (f64::from(*sample) * 8_388_608.0) as i32);
            assert!(back.eq(ints(sent)), "a sample changed");
        }
    }
}

//! Writing one file of one format.

use super::error::ExportError;
use super::flac::{self, FlacWriter};
use super::tags::{Chapter, Tags};
use super::{id3, mp3, opus, riff};
use deskhand_dsp::dither::Dither;
use deskhand_dsp::{FrameReader, Frames, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_toolkit::PlanContext;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    Wav,
    Flac,
    Opus,
    Mp3,
}

impl Format {
    /// The format that a file's name says.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "wav" => Some(Self::Wav),
            "flac" => Some(Self::Flac),
            "opus" => Some(Self::Opus),
            "mp3" => Some(Self::Mp3),
            _ => None,
        }
    }

    /// Whether decoding gives something else than the input.
    pub(super) fn is_lossy(self) -> bool {
        match self {
            Self::Opus | Self::Mp3 => true,
            Self::Wav | Self::Flac => false,
        }
    }

    /// The rate at which it is written, where `wanted` is asked for.
    pub(super) fn rate(self, wanted: SampleRate) -> SampleRate {
        let nearest = |rate: u32| if rate.is_multiple_of(44_100) { 44_100 } else { 48_000 };
        match self {
            Self::Wav => wanted,
            Self::Opus => SampleRate(opus::RATE),
            Self::Flac if wanted.0 <= flac::MOST_RATE => wanted,
            Self::Mp3 if [32_000, 44_100, 48_000].contains(&wanted.0) => wanted,
            Self::Flac | Self::Mp3 => SampleRate(nearest(wanted.0)),
        }
    }
}

/// What a file is written of.
pub(super) struct Job<'a> {
    pub(super) context: &'a PlanContext,
    pub(super) format: Format,
    /// 16 or 24.
    pub(super) bits: u32,
    pub(super) kbps: u32,
    /// A factor on every sample.
    pub(super) gain: f32,
    /// How far a run is at its beginning and at its end, 0 to 1.
    pub(super) done: (f64, f64),
    pub(super) tags: &'a Tags,
    pub(super) chapters: Vec<Chapter>,
}

/// Frames that are encoded at once.
const BLOCK: usize = 1 << 14;

impl Job<'_> {
    /// Writes `reader`, which is at the rate of the file, to `path`.
    pub(super) fn write(
        &self,
        reader: &mut dyn FrameReader,
        path: &Path,
    ) -> Result<(), ExportError> {
        match self.format {
            Format::Wav => {
                self.wav(reader, path)?;
                riff::append(path, self.tags, &self.chapters, reader.rate())
            }
            Format::Flac => self.flac(reader, path),
            Format::Opus => self.opus(reader, path),
            Format::Mp3 => self.mp3(reader, path),
        }
    }

    /// Hands out blocks of samples, gain applied.
    fn each(
        &self,
        reader: &mut dyn FrameReader,
        mut take: impl FnMut(&[Vec<f32>]) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let frames = reader.frames();
        let mut at = Frames::ZERO;
        while at < frames {
            let share = at.0 as f64 / frames.0.max(1) as f64;
            let (from, to) = self.done;
            self.context.progress.report(from + share * (to - from), "writing");
            self.context.check()?;
            let count = BLOCK.min((frames - at).index());
            let mut planes = deskhand_toolkit::audio::stretch(reader, at, count)?;
            planes.iter_mut().flatten().for_each(|sample| *sample *= self.gain);
            take(&planes)?;
            at += Frames::from_index(count);
        }
        Ok(())
    }

    fn wav(&self, reader: &mut dyn FrameReader, path: &Path) -> Result<(), ExportError> {
        let depth = if self.bits == 16 { BitDepth::S16 } else { BitDepth::S24 };
        let mut writer = WavWriter::create(path, reader.rate(), reader.channels(), depth)?;
        self.each(reader, |planes| {
            let planes: Vec<&[f32]> = planes.iter().map(Vec::as_slice).collect();
            Ok(writer.write(&planes)?)
        })?;
        writer.finish()?;
        Ok(())
    }

    fn flac(&self, reader: &mut dyn FrameReader, path: &Path) -> Result<(), ExportError> {
        let (rate, channels) = (reader.rate().0, reader.channels());
        let comments = self.tags.comments(&self.chapters);
        let mut file = BufWriter::new(File::create(path)?);
        let mut writer = FlacWriter::new(&mut file, rate, channels, self.bits, &comments)?;
        let mut dither: Vec<_> = (0..channels as u64).map(Dither::new).collect();
        self.each(reader, |planes| {
            let pairs = planes.iter().zip(&mut dither);
            let planes: Vec<Vec<i32>> =
                pairs.map(|(plane, dither)| ints(plane, dither, self.bits)).collect();
            writer.write(&interleaved(&planes))
        })?;
        writer.finish()?;
        let file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        Ok(file.sync_all()?)
    }

    fn opus(&self, reader: &mut dyn FrameReader, path: &Path) -> Result<(), ExportError> {
        let comments = self.tags.comments(&self.chapters);
        let file = BufWriter::new(File::create(path)?);
        let mut writer = opus::OpusWriter::new(file, reader.channels(), self.kbps, &comments)?;
        self.each(reader, |planes| writer.write(&interleaved(planes)))?;
        let file = writer.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        Ok(file.sync_all()?)
    }

    fn mp3(&self, reader: &mut dyn FrameReader, path: &Path) -> Result<(), ExportError> {
        let program = mp3::program()?;
        let (wav, bare) = (path.with_extension("wav"), path.with_extension("bare.mp3"));
        self.wav(reader, &wav)?;
        program.run(self.context, &wav, &bare, self.kbps)?;
        let mut file = File::create(path)?;
        file.write_all(&id3::tag(self.tags, &self.chapters))?;
        std::io::copy(&mut File::open(&bare)?, &mut file)?;
        file.sync_all()?;
        std::fs::remove_file(wav)?;
        Ok(std::fs::remove_file(bare)?)
    }
}

fn ints(plane: &[f32], dither: &mut Dither, bits: u32) -> Vec<i32> {
    if bits == 16 {
        let mut out = vec![0i16; plane.len()];
        dither.to_i16(plane, &mut out);
        return out.into_iter().map(i32::from).collect();
    }
    let mut out = vec![0i32; plane.len()];
    dither.to_i24(plane, &mut out);
    out
}

fn interleaved<T: Copy>(planes: &[Vec<T>]) -> Vec<T> {
    let frames = planes.first().map_or(0, Vec::len);
    (0..frames).flat_map(|n| planes.iter().filter_map(move |plane| plane.get(n)).copied()).collect()
}

//! The way into a file: which reader opens it, in this process or in the decode child.

use crate::align;
use crate::child::{ChildCommand, ChildDecoder};
use crate::compressed;
use crate::error::OpenError;
use crate::layout;
use crate::pcm::PcmReader;
use crate::probe::Probe;
use crate::resample::at_rate;
use crate::stats::ReadStats;
use deskhand_dsp::{FrameReader, SampleRate};
use std::path::Path;
use std::sync::Arc;

/// Where foreign formats are decoded. Uncompressed WAV and AIFF are always read in process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Decoding {
    /// In this process: for a program that serves only the person who started it.
    #[default]
    InProcess,
    /// In a child process with limits: for a process that serves others.
    Child(ChildCommand),
}

/// Opens audio files.
#[derive(Debug, Clone, Default)]
pub struct Opener {
    decoding: Decoding,
    track: Option<u16>,
}

impl Opener {
    /// Decodes in this process.
    #[must_use]
    pub fn in_process() -> Self {
        Self { decoding: Decoding::InProcess, track: None }
    }

    /// Decodes foreign formats in a child process.
    #[must_use]
    pub fn with_child(command: ChildCommand) -> Self {
        Self { decoding: Decoding::Child(command), track: None }
    }

    /// The same, for one of several tracks of audio in a file, numbered from 0 in the order of
    /// [`Probe::tracks`]. `None` is the file's default track, or else the first readable one.
    #[must_use]
    pub fn track(&self, track: Option<u16>) -> Self {
        Self { decoding: self.decoding.clone(), track }
    }

    /// Where foreign formats are decoded.
    #[must_use]
    pub fn decoding(&self) -> &Decoding {
        &self.decoding
    }

    /// What the file is.
    ///
    /// # Errors
    /// When it cannot be used as audio; the error names the file and the way out.
    pub fn probe(&self, path: &Path) -> Result<Probe, OpenError> {
        self.opened(path, Arc::default()).map(|(probe, _)| probe)
    }

    /// What the file is, and a reader at `rate`, from one opening: the length of a compressed file
    /// may take a pass over all of it.
    ///
    /// # Errors
    /// When the file cannot be used as audio, or the rates cannot be converted.
    pub fn probe_and_open_at(
        &self,
        path: &Path,
        rate: SampleRate,
    ) -> Result<(Probe, Box<dyn FrameReader>), OpenError> {
        let (probe, reader) = self.opened(path, Arc::default())?;
        Ok((probe, at_rate(reader, rate, path)?))
    }

    fn opened(
        &self,
        path: &Path,
        stats: Arc<ReadStats>,
    ) -> Result<(Probe, Box<dyn FrameReader>), OpenError> {
        let uncompressed = PcmReader::open(path, Arc::clone(&stats))?;
        align::check(path)?;
        if let Some(reader) = uncompressed {
            let mut probe = reader.probe();
            if probe.format == "AIFF" {
                probe.channel_names = layout::of_aiff(path, probe.channels);
            }
            return Ok((probe, Box::new(reader)));
        }
        match &self.decoding {
            Decoding::InProcess => compressed::open(path, self.track, &stats),
            Decoding::Child(command) => {
                let reader = ChildDecoder::open(command, path, self.track, stats)?;
                Ok((reader.probe().clone(), Box::new(reader)))
            }
        }
    }

    /// A reader at the file's own rate.
    ///
    /// # Errors
    /// When it cannot be used as audio; the error names the file and the way out.
    pub fn open(&self, path: &Path) -> Result<Box<dyn FrameReader>, OpenError> {
        self.open_counted(path).map(|(reader, _)| reader)
    }

    /// A reader at the file's own rate, and the counters of what it replaces.
    ///
    /// # Errors
    /// When it cannot be used as audio; the error names the file and the way out.
    pub fn open_counted(
        &self,
        path: &Path,
    ) -> Result<(Box<dyn FrameReader>, Arc<ReadStats>), OpenError> {
        let stats = Arc::new(ReadStats::default());
        let (_, reader) = self.opened(path, Arc::clone(&stats))?;
        Ok((reader, stats))
    }

    /// A reader at `rate`, resampled when the file has another one.
    ///
    /// # Errors
    /// When the file cannot be used as audio, or the rates cannot be converted.
    pub fn open_at(
        &self,
        path: &Path,
        rate: SampleRate,
    ) -> Result<Box<dyn FrameReader>, OpenError> {
        self.open_at_counted(path, rate).map(|(reader, _)| reader)
    }

    /// A reader at `rate`, and the counters of what it replaces.
    ///
    /// # Errors
    /// When the file cannot be used as audio, or the rates cannot be converted.
    pub fn open_at_counted(
        &self,
        path: &Path,
        rate: SampleRate,
    ) -> Result<(Box<dyn FrameReader>, Arc<ReadStats>), OpenError> {
        let (reader, stats) = self.open_counted(path)?;
        Ok((at_rate(reader, rate, path)?, stats))
    }
}

/// What the file is, decoded in this process.
///
/// # Errors
/// When it cannot be used as audio; the error names the file and the way out.
pub fn probe(path: &Path) -> Result<Probe, OpenError> {
    Opener::in_process().probe(path)
}

/// A reader at the file's own rate, decoded in this process.
///
/// # Errors
/// When it cannot be used as audio; the error names the file and the way out.
pub fn open(path: &Path) -> Result<Box<dyn FrameReader>, OpenError> {
    Opener::in_process().open(path)
}

/// A reader at `rate`, decoded in this process.
///
/// # Errors
/// When the file cannot be used as audio, or the rates cannot be converted.
pub fn open_at(path: &Path, rate: SampleRate) -> Result<Box<dyn FrameReader>, OpenError> {
    Opener::in_process().open_at(path, rate)
}

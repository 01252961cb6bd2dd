//! One reader over all recordings that a file holds one after another.

use super::input::Input;
use super::parts::{MOST_PARTS, Split, split};
use super::reader::CompressedReader;
use crate::duration_words;
use crate::error::{OpenError, shown};
use crate::pcm::{Extent, RiffAudio};
use crate::probe::Probe;
use crate::read_request;
use crate::resample::at_rate;
use crate::stats::ReadStats;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::path::Path;
use std::sync::Arc;

/// Opens the compressed file at `path`, of several tracks of audio that with number `track`.
pub(crate) fn open(
    path: &Path,
    track: Option<u16>,
    stats: &Arc<ReadStats>,
) -> Result<(Probe, Box<dyn FrameReader>), OpenError> {
    let Split { parts, riff, unknown } = split(path)?;
    let (mut probe, (seconds, rate), reader) = match parts.as_slice() {
        [only] => {
            let reader = CompressedReader::open(only, track, Arc::clone(stats))?;
            let first = (reader.frames().seconds(reader.rate()).0, reader.rate());
            (reader.probe().clone(), first, Box::new(reader) as Box<dyn FrameReader>)
        }
        several => {
            let found = Found::of(several, track);
            let first = found.parts.first().map(|(_, probe)| (seconds(probe), probe.rate));
            let (probe, reader) = found.joined(path, track, stats)?;
            (probe.clone(), first.unwrap_or((0.0, probe.rate)), reader)
        }
    };
    if let Some(RiffAudio { extent, origin, .. }) = riff {
        let byte_rate = (extent.bytes as f64 / seconds.max(f64::MIN_POSITIVE)).round().max(1.0);
        probe.warnings.extend(extent.warnings(1, byte_rate as u64));
        // The stamp counts frames of the first part.
        probe.origin = origin.map(|frames| at_other_rate(frames, rate, probe.rate));
    }
    if unknown > 0 {
        probe.warnings.push(Extent::unknown(unknown));
    }
    Ok((probe, reader))
}

fn at_other_rate(frames: u64, from: SampleRate, to: SampleRate) -> Frames {
    let frames = u128::from(frames) * u128::from(to.0) / u128::from(from.0.max(1));
    Frames(i64::try_from(frames).unwrap_or(i64::MAX))
}

fn seconds(probe: &Probe) -> f64 {
    probe.frames.seconds(probe.rate).0
}

/// What the parts of a file are.
#[derive(Default)]
struct Found {
    parts: Vec<(Input, Probe)>,
    warnings: Vec<String>,
    first_error: Option<OpenError>,
}

impl Found {
    fn of(inputs: &[Input], track: Option<u16>) -> Self {
        let mut found = Self::default();
        for input in inputs.iter().take(MOST_PARTS) {
            found.add(input, track);
        }
        let rest: u64 = inputs.iter().skip(MOST_PARTS).map(Input::len).sum();
        if rest > 0 {
            found.warnings.push(format!(
                "It holds more than {MOST_PARTS} recordings. Deskhand left out the last {}.",
                duration_words::bytes(rest)
            ));
        }
        found
    }

    fn add(&mut self, input: &Input, track: Option<u16>) {
        match CompressedReader::open(input, track, Arc::default()) {
            Ok(reader) => {
                let probe = reader.probe().clone();
                let is_new = |warning: &&String| !self.warnings.contains(warning);
                let new: Vec<_> = probe.warnings.iter().filter(is_new).cloned().collect();
                self.warnings.extend(new);
                self.parts.push((input.clone(), probe));
            }
            // Only headers: nothing is lost.
            Err(OpenError::NoFrames { .. }) => {}
            Err(error) => {
                let at: f64 = self.parts.iter().map(|(_, probe)| seconds(probe)).sum();
                let size = duration_words::bytes(input.len());
                self.warnings.push(format!("Deskhand left out {size} after {at:.1} s: {error}"));
                self.first_error.get_or_insert(error);
            }
        }
    }

    /// One probe and one reader of all parts, at the highest rate and with the most channels of them.
    fn joined(
        mut self,
        path: &Path,
        track: Option<u16>,
        stats: &Arc<ReadStats>,
    ) -> Result<(Probe, Box<dyn FrameReader>), OpenError> {
        let Some((_, first)) = self.parts.first() else {
            let nothing = OpenError::NoFrames { file: shown(path) };
            return Err(self.first_error.unwrap_or(nothing));
        };
        let shapes = || self.parts.iter().map(|(_, probe)| (probe.rate, probe.channels));
        let rate = shapes().map(|(rate, _)| rate).max().unwrap_or(first.rate);
        let channels = shapes().map(|(_, channels)| channels).max().unwrap_or(first.channels);
        if shapes().any(|shape| shape != (rate, channels)) {
            self.warnings.push(format!(
                "It holds {} joined recordings of different rates or channels. Deskhand reads all of \
                 them at {} Hz with {channels} channels.",
                self.parts.len(),
                rate.0
            ));
        }
        let mut probe = first.clone();
        let mut chain = Chain {
            parts: Vec::new(),
            frames: 0,
            rate,
            channels,
            track,
            open: None,
            stats: Arc::clone(stats),
        };
        for (input, probe) in self.parts {
            chain.add(input, &probe)?;
        }
        if channels != probe.channels {
            probe.channel_names.clear();
        }
        (probe.rate, probe.channels, probe.frames) = (rate, channels, Frames(chain.frames));
        probe.warnings = self.warnings;
        Ok((probe, Box::new(chain)))
    }
}

/// Reads parts one after another; one of them is open.
struct Chain {
    parts: Vec<Part>,
    frames: i64,
    rate: SampleRate,
    channels: usize,
    track: Option<u16>,
    open: Option<(usize, Box<dyn FrameReader>)>,
    stats: Arc<ReadStats>,
}

/// A part, and its place in the whole in frames at the rate of the whole.
struct Part {
    input: Input,
    start: i64,
    end: i64,
}

impl Chain {
    fn add(&mut self, input: Input, probe: &Probe) -> Result<(), OpenError> {
        let frames = if probe.rate == self.rate {
            probe.frames
        } else {
            let reader = CompressedReader::open(&input, self.track, Arc::default())?;
            at_rate(Box::new(reader), self.rate, &input.path)?.frames()
        };
        let start = self.frames;
        self.frames = start.saturating_add(frames.0);
        self.parts.push(Part { input, start, end: self.frames });
        Ok(())
    }

    fn part(&mut self, index: usize) -> Result<&mut Box<dyn FrameReader>, ReadError> {
        let is_open = self.open.as_ref().is_some_and(|(open, _)| *open == index);
        if !is_open {
            let lost = || ReadError("a part of a joined file is missing".into());
            let input = &self.parts.get(index).ok_or_else(lost)?.input;
            let reader = CompressedReader::open(input, self.track, Arc::clone(&self.stats))?;
            self.open = Some((index, at_rate(Box::new(reader), self.rate, &input.path)?));
        }
        let open = self.open.as_mut().map(|(_, reader)| reader);
        open.ok_or_else(|| ReadError("a part of a joined file did not open".into()))
    }

    /// Reads from one part over the front of `out`; how many frames that were.
    fn read_part(&mut self, frame: i64, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let index = self.parts.partition_point(|part| part.end <= frame);
        let Some((start, end)) = self.parts.get(index).map(|part| (part.start, part.end)) else {
            return Ok(0);
        };
        let wanted = out.first().map_or(0, |plane| plane.len());
        let most = wanted.min(usize::try_from(end - frame).unwrap_or(usize::MAX));
        let reader = self.part(index)?;
        let own = reader.channels().min(out.len());
        let (direct, rest) = out.split_at_mut(own);
        let mut planes: Vec<&mut [f32]> =
            direct.iter_mut().map(|plane| plane.get_mut(..most).unwrap_or_default()).collect();
        let read = reader.read(Frames(frame - start), &mut planes)?;
        // One channel sounds in the middle; of several each keeps its place.
        let middle = planes.first().filter(|_| own == 1).and_then(|plane| plane.get(..read));
        for plane in rest.iter_mut().filter_map(|plane| plane.get_mut(..read)) {
            match middle {
                Some(from) => plane.copy_from_slice(from),
                None => plane.fill(0.0),
            }
        }
        Ok(read)
    }
}

impl FrameReader for Chain {
    fn channels(&self) -> usize {
        self.channels
    }

    fn frames(&self) -> Frames {
        Frames(self.frames)
    }

    fn rate(&self) -> SampleRate {
        self.rate
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let (_, wanted) = read_request::check(at, self.frames(), self.channels, out)?;
        let mut done = 0;
        while done < wanted {
            let mut rest: Vec<&mut [f32]> = out
                .iter_mut()
                .map(|plane| plane.get_mut(done..wanted).unwrap_or_default())
                .collect();
            let read = self.read_part(at.0 + Frames::from_index(done).0, &mut rest)?;
            if read == 0 {
                return Err(ReadError("a part of a joined file ends early".into()));
            }
            done += read;
        }
        Ok(done)
    }
}

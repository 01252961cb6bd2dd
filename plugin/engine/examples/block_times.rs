//! How long the engine takes for a block, live: 64 stereo tracks streamed from disk, faders moving.
//!
//! Thread: any
//!
//! `block_times DIR [SECONDS]` plays the WAV files in DIR (48 kHz, 16 bit, stereo) together in blocks of
//! 64 frames, at the pace of a device, and prints one JSON object with 99.9th percentiles as shares
//! of the time that a block lasts: `cpu_share` of the thread's own CPU time per block, `wall_share` of
//! the time on the clock, in which a busy machine does other things too.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::print_stdout,
    reason = "a stopwatch on the command line, beside the audio thread and not on it"
)]

use deskhand_dsp::{ClipEnvelope, Decibels, FrameReader, Frames, Polarity, ReadError, SampleRate};
use deskhand_engine::{
    Audible, Controller, EngineConfig, Level, Output, Processor, Schedule, SourceKey, Strip,
    StripKey, Voice, VoiceKey, engine,
};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const RATE: SampleRate = SampleRate(48_000);
const BLOCK: usize = 64;
/// Bytes before the samples, and per frame, in the files that it reads.
const HEADER: u64 = 44;
const FRAME: u64 = 4;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("usage: block_times DIR [SECONDS]")?;
    let seconds: f64 = words.next().map_or(Ok(20.0), |word| word.parse())?;
    let files = wav_files(Path::new(&folder))?;
    let schedule = schedule(&files)?;
    let (mut controller, processor, disk) = engine(EngineConfig::at(RATE), opener(files))?;
    let _running = disk.spawn()?;
    controller.apply(schedule)?;
    controller.play()?;
    let times = play(&mut controller, processor, seconds)?;
    report(&times, controller.trouble().missing_frames);
    Ok(())
}

/// 64 files at most, in the order of their names.
fn wav_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_track = path.to_string_lossy().contains("track");
        if is_track && path.extension().is_some_and(|kind| kind == "wav") {
            files.push(path);
        }
    }
    files.sort();
    files.truncate(64);
    if files.len() < 64 {
        return Err(
            format!("{} WAV files of tracks in the folder, 64 are needed", files.len()).into()
        );
    }
    Ok(files)
}

/// Every file on a strip of its own, from the start of the timeline.
fn schedule(files: &[PathBuf]) -> Outcome<Schedule> {
    let mut strips = Vec::new();
    for (key, file) in (0u64..).zip(files) {
        let envelope = ClipEnvelope {
            gain: Decibels(-6.0),
            polarity: Polarity::Normal,
            fade_in: deskhand_dsp::Fade::default(),
            fade_out: deskhand_dsp::Fade::default(),
            length: Track::open(file)?.frames(),
        };
        let voice = Voice {
            key: VoiceKey(key),
            source: SourceKey(key),
            source_start: Frames::ZERO,
            position: Frames::ZERO,
            envelope,
            volume: Arc::default(),
        };
        strips.push(Strip::new(StripKey(key), level(key, 0), Output::Master, vec![voice]));
    }
    Ok(Schedule::new(RATE, Level::UNITY, strips)?)
}

/// Faders and pans that differ per strip and move with `step`.
fn level(strip: u64, step: u64) -> Level {
    let wander = (strip * 7 + step * 13) % 17;
    Level {
        gain: Decibels(-30.0 + wander as f64),
        pan: wander as f64 / 8.0 - 1.0,
        audible: Audible::Yes,
    }
}

fn opener(
    files: Vec<PathBuf>,
) -> impl Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send + 'static {
    move |SourceKey(key)| {
        let file = usize::try_from(key).ok().and_then(|index| files.get(index));
        let file = file.ok_or_else(|| ReadError(format!("no source {key}")))?;
        let track = Track::open(file).map_err(|error| ReadError(error.to_string()))?;
        Ok(Box::new(track))
    }
}

struct Took {
    cpu: Duration,
    wall: Duration,
}

/// The CPU time that this thread has used so far.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Calls the processor as a device does, and returns what each call took once the music sounds.
fn play(controller: &mut Controller, mut processor: Processor, seconds: f64) -> Outcome<Vec<Took>> {
    let period = Duration::from_secs_f64(BLOCK as f64 / f64::from(RATE.0));
    let blocks = (seconds / period.as_secs_f64()) as u64;
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    let mut times = Vec::new();
    let mut heard = false;
    let mut due = Instant::now();
    for block in 0..blocks {
        if block % 16 == 0 {
            controller.set_level(StripKey(block / 16 % 64), level(block / 16 % 64, block))?;
            controller.pump();
        }
        let (start, cpu) = (Instant::now(), thread_cpu());
        processor.process([&mut left, &mut right]);
        let took = Took { cpu: thread_cpu().saturating_sub(cpu), wall: start.elapsed() };
        heard |= left.iter().any(|sample| *sample != 0.0);
        if heard {
            times.push(took);
        }
        due += period;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        due = due.max(Instant::now()); // a machine that stalled is not made to catch up
    }
    if times.is_empty() {
        return Err("nothing was heard; are the files silent?".into());
    }
    Ok(times)
}

fn report(times: &[Took], missing_frames: u64) {
    let period = BLOCK as f64 / f64::from(RATE.0);
    let cpu = |share| percentile(times.iter().map(|took| took.cpu), share) / period;
    let wall = |share| percentile(times.iter().map(|took| took.wall), share) / period;
    println!(
        "{{\"blocks\":{},\"median_share\":{:.4},\"cpu_share\":{:.4},\"wall_share\":{:.4},\
         \"missing_frames\":{missing_frames}}}",
        times.len(),
        cpu(0.5),
        cpu(0.999),
        wall(0.999),
    );
}

/// The time in seconds that `share` of all `times` stay under.
fn percentile(times: impl Iterator<Item = Duration>, share: f64) -> f64 {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    let index = (times.len() as f64 * share) as usize;
    times.get(index).map_or(0.0, Duration::as_secs_f64)
}

/// A 16 bit stereo WAV file with a plain header, read where it lies.
struct Track {
    file: File,
    frames: i64,
    bytes: Vec<u8>,
}

impl Track {
    fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let data = file.metadata()?.len().saturating_sub(HEADER);
        let frames = i64::try_from(data / FRAME).unwrap_or(0);
        Ok(Self { file, frames, bytes: Vec::new() })
    }
}

impl FrameReader for Track {
    fn channels(&self) -> usize {
        2
    }

    fn frames(&self) -> Frames {
        Frames(self.frames)
    }

    fn rate(&self) -> SampleRate {
        RATE
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let [left, right] = out else {
            return Err(ReadError("asked for other than two channels".to_owned()));
        };
        let frames = left.len().min((self.frames() - at).index());
        self.bytes.resize(frames * FRAME as usize, 0);
        let offset = HEADER + at.index() as u64 * FRAME;
        let read = self.file.read_exact_at(&mut self.bytes, offset);
        read.map_err(|error| ReadError(error.to_string()))?;
        let samples = left.iter_mut().zip(right.iter_mut());
        for ([a, b, c, d], (left, right)) in self.bytes.as_chunks().0.iter().zip(samples) {
            *left = f32::from(i16::from_le_bytes([*a, *b])) / 32_768.0;
            *right = f32::from(i16::from_le_bytes([*c, *d])) / 32_768.0;
        }
        Ok(frames)
    }
}

//! A made-up project: clips with gains, fades and crossfades that play a few recordings. The hosts and the benches
//! write it as the project file of a DAW.

mod ardour;
mod dawproject;
mod reaper;

use crate::wav::{Depth, WavWriter};
use anyhow::Result;
use std::path::Path;

/// All positions and lengths count frames at this rate.
const RATE: u32 = 48_000;
/// The length of each recording.
const SECONDS: u32 = 60;
/// Seconds of a recording in which clips begin. What is between is heard nowhere, and each clip ends in the recording.
const STARTS: [std::ops::Range<u64>; 2] = [10..20, 40..57];

/// Tracks, markers, and the recordings that they play.
pub(crate) struct Project {
    recordings: Vec<Recording>,
    tracks: Vec<Track>,
    markers: Vec<Marker>,
}

/// A WAV file of 16 bit.
#[derive(Clone)]
pub(crate) struct Recording {
    name: String,
    rate: u32,
    channels: u32,
}

struct Track {
    name: String,
    gain_db: f64,
    /// -1 is left, 1 is right.
    pan: f64,
    clips: Vec<Clip>,
}

struct Clip {
    name: String,
    /// The index of its recording.
    recording: usize,
    /// First frame in the recording.
    start: u64,
    length: u64,
    position: u64,
    gain_db: f64,
    fade_in: Fade,
    fade_out: Fade,
    is_muted: bool,
}

#[derive(Clone, Copy)]
struct Fade {
    length: u64,
    curve: Curve,
}

#[derive(Clone, Copy)]
enum Curve {
    Linear,
    EqualPower,
}

struct Marker {
    name: String,
    position: u64,
    /// 0 for a point.
    length: u64,
}

impl Project {
    /// `tracks` tracks of `clips` clips each, and 20 markers, the same every time. `formats` gives the rate and the
    /// channels of each recording; even tracks play the even recordings, odd tracks the odd ones.
    pub(crate) fn of(formats: &[(u32, u32)], tracks: usize, clips: usize) -> Self {
        let recordings = formats.iter().enumerate().map(|(number, &(rate, channels))| Recording {
            name: format!("recording {number}.wav"),
            rate,
            channels,
        });
        let recordings: Vec<_> = recordings.collect();
        let mut dice = Dice(7);
        let tracks = (0..tracks).map(|number| Track {
            name: format!("Track {number}"),
            gain_db: [0.0, -3.5, 0.0, 1.5][number % 4],
            pan: [0.0, 0.0, -0.25, 0.5][number % 4],
            clips: dice.clips(number, clips, recordings.len()),
        });
        let tracks = tracks.collect();
        let markers = (0..20).map(|number| Marker {
            name: format!("Marker {number}"),
            position: number * 480_001,
            length: if number % 2 == 0 { 0 } else { 48_000 },
        });
        Self { markers: markers.collect(), recordings, tracks }
    }

    /// Writes the recordings into `folder`. No two stretches of one are alike.
    pub(crate) fn write_audio(&self, folder: &Path) -> Result<()> {
        for (number, recording) in self.recordings.iter().enumerate() {
            let Recording { name, rate, channels } = recording;
            let path = folder.join(name);
            let mut wav =
                WavWriter::create(&path, Depth::Sixteen, *rate, *channels, rate * SECONDS)?;
            let mut noise = Dice(number as u64);
            for _ in 0..rate * SECONDS * channels {
                wav.sample(noise.below(1 << 16) as f32 / 32_768.0 - 1.0)?;
            }
            wav.finish()?;
        }
        Ok(())
    }
}

impl Clip {
    /// The frame after it.
    fn end(&self) -> u64 {
        self.position + self.length
    }
}

/// Seconds of a number of frames.
fn seconds(frames: u64) -> f64 {
    frames as f64 / f64::from(RATE)
}

/// The factor of a gain.
fn amplitude(decibels: f64) -> f64 {
    10_f64.powf(decibels / 20.0)
}

/// Numbers without a pattern, the same every time (Knuth's multiplier).
struct Dice(u64);

impl Dice {
    /// 0 to `end` - 1.
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// The clips of a track. Some follow each other with a crossfade, some without a gap, some after silence.
    fn clips(&mut self, track: usize, count: usize, recordings: usize) -> Vec<Clip> {
        let mut clips: Vec<Clip> = Vec::new();
        for number in 0..count {
            let last = clips.last_mut();
            let mut clip = self.clip(format!("clip {track} {number}"));
            clip.recording = track % 2 + 2 * self.below(recordings as u64 / 2) as usize;
            let crossed = self.below(4) == 0;
            match last {
                Some(last) if crossed => {
                    last.fade_out = Fade { length: 1_000 + self.below(4_000), ..clip.fade_in };
                    clip.fade_in = last.fade_out;
                    clip.position = last.end() - last.fade_out.length;
                }
                Some(last) => clip.position = last.end() + self.gap(),
                None => clip.position = self.gap(),
            }
            clips.push(clip);
        }
        clips
    }

    fn gap(&mut self) -> u64 {
        if self.below(3) == 0 { 0 } else { self.below(30_000) }
    }

    /// A clip without a recording and a position.
    fn clip(&mut self, name: String) -> Clip {
        Clip {
            name,
            recording: 0,
            start: self.start(),
            length: 20_000 + self.below(60_000),
            position: 0,
            gain_db: if self.below(2) == 0 { 0.0 } else { self.below(240) as f64 / 10.0 - 18.0 },
            fade_in: self.fade(),
            fade_out: self.fade(),
            is_muted: self.below(40) == 0,
        }
    }

    fn start(&mut self) -> u64 {
        let [early, late] = STARTS;
        let seconds = if self.below(2) == 0 { early } else { late };
        let [first, end] = [seconds.start, seconds.end].map(|second| second * u64::from(RATE));
        first + self.below(end - first)
    }

    fn fade(&mut self) -> Fade {
        let length = if self.below(2) == 0 { 0 } else { self.below(5_000) };
        let curve = if self.below(2) == 0 { Curve::Linear } else { Curve::EqualPower };
        Fade { length, curve }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_cross_where_their_fades_do_and_stay_within_their_recordings() {
        let project = Project::of(&[(48_000, 1), (44_100, 2)], 3, 40);
        let clips: Vec<&Clip> = project.tracks.iter().flat_map(|track| &track.clips).collect();
        assert_eq!(clips.len(), 120);
        assert!(clips.iter().all(|clip| clip.start + clip.length < 60 * 48_000));
        let pairs = project.tracks.iter().flat_map(|track| track.clips.windows(2));
        let overlaps = pairs.filter(|pair| pair[0].end() > pair[1].position);
        let crossed = overlaps.map(|pair| {
            let overlap = pair[0].end() - pair[1].position;
            assert_eq!((pair[0].fade_out.length, pair[1].fade_in.length), (overlap, overlap));
        });
        assert!(crossed.count() > 10);
    }
}

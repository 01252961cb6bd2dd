//! Defects in the samples: clipping, dropouts, clicks, and channels out of phase, each with its time.

use deskhand_dsp::Frames;

/// Most defects of one kind that are listed.
pub(super) const MOST: usize = 500;
/// A flat top: this many nearly equal samples, at full scale and below it, where three occur by chance.
const FLAT: (usize, usize) = (3, 5);
const FULL: f32 = 0.98;
const LOUD: f32 = 0.4;
/// Samples that differ by no more than a step of 16 bits are the same.
const SAME: f32 = 4e-5;
/// Clipping within this time is one defect, in seconds.
const TOGETHER_S: f64 = 0.05;
/// A dropout is digital silence from 1 ms to 0.5 s within sound louder than this.
const DROP_S: (f64, f64) = (0.001, 0.5);
const SOUND: f32 = 0.003;
/// A click: a bend this many times as sharp as is usual around it.
const SHARP: f32 = 14.0;
/// Out of phase: the correlation of a second is under this.
const OPPOSED: f64 = -0.35;

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Peaks are cut off.
    Clipping,
    /// Nothing for a moment.
    Dropout,
    /// A sample or a few out of place.
    Click,
    /// Left and right cancel each other.
    Phase,
}

impl Kind {
    /// As an answer names it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Clipping => "clipping",
            Self::Dropout => "dropout",
            Self::Click => "click",
            Self::Phase => "phase",
        }
    }
}

/// A defect, in frames of the region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Defect {
    pub(crate) kind: Kind,
    pub(crate) start: Frames,
    pub(crate) length: Frames,
}

/// Looks for defects in audio as it comes.
pub(super) struct Defects {
    rate: f64,
    at: usize,
    channels: Vec<Channel>,
    phase: (f64, f64, f64, usize),
    found: Vec<Defect>,
    unlisted: usize,
}

/// The state of a channel.
#[derive(Clone, Default)]
struct Channel {
    /// Length and value of the run of hardly differing samples.
    flat: (usize, f32),
    /// Length of the run of silence, and how loud it was before it.
    silent: usize,
    before: f32,
    level: f32,
    /// The last 24 samples, for clicks.
    last: Vec<f32>,
}

impl Defects {
    pub(super) fn new(rate: f64, channels: usize) -> Self {
        let channels = vec![Channel::default(); channels];
        Self { rate, at: 0, channels, phase: (0.0, 0.0, 0.0, 0), found: Vec::new(), unlisted: 0 }
    }

    pub(super) fn push(&mut self, planes: &[Vec<f32>]) {
        let mut channels = std::mem::take(&mut self.channels);
        for (channel, plane) in channels.iter_mut().zip(planes) {
            for (n, x) in plane.iter().enumerate() {
                self.clipping(channel, *x, self.at + n);
                self.dropout(channel, *x, self.at + n);
            }
            self.clicks(channel, plane);
        }
        self.channels = channels;
        if let [left, right] = planes {
            self.phase(left, right);
        }
        self.at += planes[0].len();
    }

    /// A run of samples that hardly differ, as loud as only a cut peak is.
    fn clipping(&mut self, channel: &mut Channel, x: f32, at: usize) {
        let (run, value) = channel.flat;
        let close = (x - value).abs() <= SAME;
        if close && x.abs() > LOUD {
            channel.flat.0 = run + 1;
            return;
        }
        // The top of a loud low tone is flat, too, but bends away slowly.
        let leaves = (x - value).abs() > value.abs() * 2e-3;
        let least = if value.abs() >= FULL { FLAT.0 } else { FLAT.1 };
        if run >= least && leaves && value.abs() > LOUD {
            self.note(Kind::Clipping, at - run, run);
        }
        channel.flat = (1, x);
    }

    fn dropout(&mut self, channel: &mut Channel, x: f32, at: usize) {
        let fall = 1.0 - 1.0 / (0.005 * self.rate as f32);
        if x.abs() < 1e-7 {
            if channel.silent == 0 {
                channel.before = channel.level;
            }
            channel.silent += 1;
            channel.level = channel.level.max(x.abs());
            return;
        }
        let (least, most) = ((DROP_S.0 * self.rate) as usize, (DROP_S.1 * self.rate) as usize);
        let run = std::mem::take(&mut channel.silent);
        // Sound that fades out and in again is no dropout: both edges are steep.
        if (least..most).contains(&run) && channel.before > SOUND && x.abs() > SOUND * 0.3 {
            self.note(Kind::Dropout, at - run, run);
        }
        channel.level = x.abs().max(channel.level * fall);
    }

    /// Bends that are much sharper than those within 3 ms around them.
    fn clicks(&mut self, channel: &mut Channel, plane: &[f32]) {
        let near = (0.003 * self.rate) as usize;
        let mut audio = std::mem::take(&mut channel.last);
        let offset = audio.len();
        audio.extend_from_slice(plane);
        // The third difference leaves little of music and all of a step.
        let bends: Vec<f32> =
            audio.windows(4).map(|w| (w[3] - 3.0 * w[2] + 3.0 * w[1] - w[0]).abs()).collect();
        let mut n = near;
        while n + near < bends.len() {
            if bends[n] > 0.01 && is_click(&bends, n, near) {
                let at = (self.at + n + 2).saturating_sub(offset);
                self.note(Kind::Click, at, 1);
                n += near;
            }
            n += 1;
        }
        let keep = (2 * near + 3).min(audio.len());
        channel.last = audio[audio.len() - keep..].to_vec();
    }

    fn phase(&mut self, left: &[f32], right: &[f32]) {
        let second = self.rate as usize;
        for (n, (l, r)) in left.iter().zip(right).enumerate() {
            let (l, r) = (f64::from(*l), f64::from(*r));
            self.phase.0 += l * l;
            self.phase.1 += r * r;
            self.phase.2 += l * r;
            self.phase.3 += 1;
            if self.phase.3 == second {
                let (left, right, both, _) = std::mem::take(&mut self.phase);
                let norm = (left * right).sqrt();
                let heard = (left + right) / second as f64 > 1e-6;
                if heard && norm > 0.0 && both / norm < OPPOSED {
                    self.note(Kind::Phase, self.at + n + 1 - second, second);
                }
            }
        }
    }

    /// Notes a defect; one that follows another of its kind closely is a part of it.
    fn note(&mut self, kind: Kind, start: usize, length: usize) {
        let together = Frames((TOGETHER_S * self.rate) as i64);
        let (start, length) = (Frames::from_index(start), Frames::from_index(length));
        let joins = |known: &&mut Defect| {
            let gap = match kind {
                Kind::Clipping | Kind::Phase => together,
                Kind::Dropout | Kind::Click => Frames(64),
            };
            known.kind == kind
                && known.start + known.length + gap >= start
                && start + gap >= known.start
        };
        if let Some(known) = self.found.iter_mut().rev().take(64).find(joins) {
            let end = (known.start + known.length).max(start + length);
            known.start = known.start.min(start);
            known.length = end - known.start;
        } else if self.found.iter().filter(|known| known.kind == kind).count() < MOST {
            self.found.push(Defect { kind, start, length });
        } else {
            self.unlisted += 1;
        }
    }

    /// The region is over: silence at its end is no dropout.
    pub(super) fn finish(&mut self) {
        // The edges of a dropout are clicks by their bend, and no news.
        let drops: Vec<Defect> =
            self.found.iter().filter(|found| found.kind == Kind::Dropout).copied().collect();
        let near = Frames((0.002 * self.rate) as i64);
        let is_edge = |click: &Defect| {
            drops.iter().any(|drop| {
                let end = drop.start + drop.length;
                click.start + near >= drop.start && click.start <= end + near
            })
        };
        self.found.retain(|found| found.kind != Kind::Click || !is_edge(found));
    }

    /// The defects by time, and how many are not listed.
    pub(super) fn take(mut self) -> (Vec<Defect>, usize) {
        self.found.sort_by_key(|found| (found.start, found.kind));
        (self.found, self.unlisted)
    }
}

/// Whether a bend is the sharpest within `near` and far sharper than the others there, with similar bends
/// before and after. An onset is sharp too, but stays loud.
fn is_click(bends: &[f32], n: usize, near: usize) -> bool {
    let bend = bends[n];
    let (before, after) = (&bends[n - near..n - 6], &bends[n + 7..=n + near]);
    if bends[n - 6..=n + 6].iter().any(|other| *other > bend) {
        return false;
    }
    let rms = |part: &[f32]| {
        let power: f32 = part.iter().map(|x| x * x).sum();
        (power / part.len().max(1) as f32).sqrt()
    };
    let most = |part: &[f32]| part.iter().copied().fold(0.0, f32::max);
    let (ahead, behind) = (rms(before), rms(after));
    let usual = ahead.max(behind).max(1e-5);
    bend > SHARP * usual
        && bend > 4.0 * most(before).max(most(after))
        && behind < 4.0 * ahead.max(2e-4)
}

//! Listening to the samples themselves, all channels, in one pass: levels, the mean spectrum, width, hum, and defects
//! with their times. Memory is bounded whatever the length: defects are capped and counted, hum keeps a sample of
//! windows.

mod defects;
mod hum;
mod mean_spectrum;

pub(super) use defects::{Defect, Kind};
pub(super) use hum::Hum;
pub(super) use mean_spectrum::{CENTERS, bands};

use super::listen::{Piece, Turn, read};
use defects::Defects;
use deskhand_dsp::downmix::{Downmix, Phase};
use deskhand_toolkit::{PlanContext, ToolError};
use hum::HumListener;
use mean_spectrum::MeanSpectrum;

/// The results for the samples of a region.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    /// Power of each bin, mean of the channels, and the distance of bins in Hz.
    pub(super) spectrum: (Vec<f64>, f64),
    /// Mean of each channel, relative to full scale.
    pub(super) dc: Vec<f64>,
    /// RMS of all channels, dBFS; -120 for silence.
    pub(super) rms: f64,
    /// The largest sample, dBFS.
    pub(super) peak: f64,
    /// The level that 10 % of the 50 ms stretches stay below, dBFS. Digital silence does not count; `None`
    /// if there is no sound.
    pub(super) floor: Option<f64>,
    /// Correlation of left and right, -1 to 1; `None` for one channel.
    pub(super) correlation: Option<f64>,
    /// How much of it has channels out of phase.
    pub(super) phase: Phase,
    /// Power of the side relative to the middle, dB.
    pub(super) width: Option<f64>,
    /// Hum of the mains, if there is any.
    pub(super) hum: Option<Hum>,
    /// Defects, in order of time, at most [`defects::MOST`] of each kind.
    pub(super) defects: Vec<Defect>,
    /// How many there are of each kind that are not in the list.
    pub(super) unlisted: usize,
}

/// Running sums.
#[derive(Default)]
struct Sums {
    frames: usize,
    dc: Vec<f64>,
    power: f64,
    peak: f32,
    left: f64,
    right: f64,
    both: f64,
    /// Mean power of each 50 ms.
    short: Vec<f32>,
    open: Open,
}

/// A stretch whose power without a DC offset is taken.
#[derive(Default)]
struct Open {
    frames: usize,
    squares: f64,
    sums: Vec<f64>,
}

impl Open {
    fn take(&mut self, frame: impl ExactSizeIterator<Item = f32>) {
        self.frames += 1;
        self.sums.resize(frame.len(), 0.0);
        for (sum, sample) in self.sums.iter_mut().zip(frame) {
            *sum += f64::from(sample);
            self.squares += f64::from(sample) * f64::from(sample);
        }
    }

    /// The mean over time and channels.
    fn power(self) -> f32 {
        let frames = self.frames as f64;
        let constant: f64 = self.sums.iter().map(|sum| sum * sum / frames).sum();
        let moving = (self.squares - constant).max(0.0);
        // The rest of a constant is rounding.
        let is_constant = moving < self.squares * 1e-9;
        if is_constant { 0.0 } else { (moving / frames / self.sums.len() as f64) as f32 }
    }
}

/// Scans the region of a piece.
///
/// # Errors
/// When it cannot be read, or the run is stopped.
pub(super) fn scan(context: &PlanContext, piece: &Piece, turn: Turn) -> Result<Scan, ToolError> {
    let rate = f64::from(context.session.rate.0);
    let mut listeners: Option<(MeanSpectrum, HumListener, Defects)> = None;
    let (mut sums, mut downmix) = (Sums::default(), Downmix::default());
    read(context, piece, turn, &mut |planes| {
        let (spectrum, hum, defects) = listeners.get_or_insert_with(|| {
            (MeanSpectrum::new(rate), HumListener::new(rate), Defects::new(rate, planes.len()))
        });
        sums.take(planes, (rate * 0.05) as usize);
        for plane in planes {
            spectrum.push(plane);
        }
        hum.push(&downmix.mix(&planes.iter().map(Vec::as_slice).collect::<Vec<_>>()));
        defects.push(planes);
        Ok(())
    })?;
    Ok(listeners.map_or_else(empty, |(spectrum, hum, defects)| Scan {
        phase: downmix.phase(),
        ..whole(&sums, spectrum, &hum, defects)
    }))
}

fn whole(sums: &Sums, spectrum: MeanSpectrum, hum: &HumListener, mut defects: Defects) -> Scan {
    let channels = sums.dc.len();
    let count = sums.frames.max(1) as f64;
    defects.finish();
    let (list, unlisted) = defects.take();
    Scan {
        spectrum: spectrum.take(),
        dc: sums.dc.iter().map(|sum| sum / count).collect(),
        rms: decibels(sums.power / count / channels.max(1) as f64),
        peak: decibels(f64::from(sums.peak).powi(2)),
        floor: floor(&sums.short),
        correlation: sums.correlation(),
        phase: Phase::default(),
        width: sums.width(),
        hum: hum.found(),
        defects: list,
        unlisted,
    }
}

fn empty() -> Scan {
    let spectrum = (Vec::new(), 1.0);
    Scan {
        spectrum,
        dc: Vec::new(),
        rms: -120.0,
        peak: -120.0,
        floor: None,
        correlation: None,
        phase: Phase::default(),
        width: None,
        hum: None,
        defects: Vec::new(),
        unlisted: 0,
    }
}

impl Sums {
    fn take(&mut self, planes: &[Vec<f32>], short: usize) {
        self.dc.resize(planes.len(), 0.0);
        self.frames += planes[0].len();
        for (dc, plane) in self.dc.iter_mut().zip(planes) {
            *dc += plane.iter().map(|x| f64::from(*x)).sum::<f64>();
            self.power += plane.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>();
            self.peak = plane.iter().fold(self.peak, |peak, x| peak.max(x.abs()));
        }
        if let [left, right] = planes {
            for (l, r) in left.iter().zip(right) {
                let (l, r) = (f64::from(*l), f64::from(*r));
                self.left += l * l;
                self.right += r * r;
                self.both += l * r;
            }
        }
        for n in 0..planes[0].len() {
            self.open.take(planes.iter().map(|plane| plane[n]));
            if self.open.frames == short {
                self.short.push(std::mem::take(&mut self.open).power());
            }
        }
    }

    fn correlation(&self) -> Option<f64> {
        let norm = (self.left * self.right).sqrt();
        (self.dc.len() == 2 && norm > 0.0).then(|| self.both / norm)
    }

    fn width(&self) -> Option<f64> {
        let middle = self.left + self.right + 2.0 * self.both;
        let side = (self.left + self.right - 2.0 * self.both).max(0.0);
        let heard = self.dc.len() == 2 && self.left + self.right > 0.0;
        heard.then(|| (10.0 * ((side + 1e-12) / (middle + 1e-12)).log10()).clamp(-60.0, 60.0))
    }
}

fn floor(short: &[f32]) -> Option<f64> {
    let mut heard: Vec<f32> = short.iter().copied().filter(|power| *power > 1e-12).collect();
    heard.sort_by(f32::total_cmp);
    heard.get(heard.len() / 10).map(|power| decibels(f64::from(*power)))
}

/// Power as dB, at least -120.
pub(super) fn decibels(power: f64) -> f64 {
    10.0 * power.max(1e-12).log10()
}

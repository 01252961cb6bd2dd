//! Beats as a tempo map: as few tempi as keep its beats within 20 ms of those that were heard.

use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Meter, MeterPoint, TempoPoint};

/// How far a beat of the map may lie from the one that was heard, in seconds.
const WITHIN_S: f64 = 0.02;
/// Tempi that a map can hold.
const BPM: std::ops::RangeInclusive<f64> = 10.0..=999.0;

/// The tempo map of beats on the timeline, from the first downbeat on. The time before it is filled with
/// whole beats. `None` if the beats give no tempo that a map can hold.
pub(super) fn tempo(
    downbeat: Frames,
    beats: &[Frames],
    rate: SampleRate,
) -> Option<Vec<TempoPoint>> {
    let mut points = Vec::new();
    let within = WITHIN_S * f64::from(rate.0);
    let mut from = 0;
    while from + 1 < beats.len() {
        let (to, period) = straight(beats, from, within);
        points.push(point(beats[from], period, rate)?);
        from = to;
    }
    let first = points.first_mut()?;
    if downbeat == Frames::ZERO {
        return Some(points);
    }
    let ahead = lead(downbeat, 60.0 / first.bpm, rate);
    if !BPM.contains(&ahead) {
        // Too near the start for a beat of its own.
        first.position = Frames::ZERO;
        return Some(points);
    }
    points.insert(0, TempoPoint { position: Frames::ZERO, bpm: ahead });
    Some(points)
}

/// The tempo that fits whole beats of about `period_s` between the start and the first downbeat.
fn lead(downbeat: Frames, period_s: f64, rate: SampleRate) -> f64 {
    let seconds = downbeat.seconds(rate).0;
    let beats = (seconds / period_s).round().max(1.0);
    60.0 * beats / seconds
}

/// Whole beats between the start and the first downbeat.
pub(super) fn beats_ahead(points: &[TempoPoint], rate: SampleRate) -> usize {
    match points {
        [first, second, ..] if first.position == Frames::ZERO => {
            (second.position.seconds(rate).0 * first.bpm / 60.0).round() as usize
        }
        _ => 0,
    }
}

/// The longest run of beats from `from` on that one period fits: its last beat, and the period in frames.
fn straight(beats: &[Frames], from: usize, within: f64) -> (usize, f64) {
    let start = beats[from].0 as f64;
    // What periods still pass near every beat so far.
    let (mut low, mut high) = (0.0f64, f64::INFINITY);
    let mut last = (from + 1, beats[from + 1].0 as f64 - start);
    for (n, beat) in beats.iter().enumerate().skip(from + 1) {
        let (count, passed) = ((n - from) as f64, beat.0 as f64 - start);
        (low, high) = (low.max((passed - within) / count), high.min((passed + within) / count));
        if low > high {
            break;
        }
        // Whole beats up to the next tempo.
        if (low..=high).contains(&(passed / count)) {
            last = (n, passed / count);
        }
    }
    last
}

fn point(position: Frames, period: f64, rate: SampleRate) -> Option<TempoPoint> {
    let bpm = (60.0 * f64::from(rate.0) / period * 1e4).round() / 1e4;
    BPM.contains(&bpm).then_some(TempoPoint { position, bpm })
}

/// The meter of the map: bars begin at the first downbeat.
pub(super) fn meter(downbeat: Frames, ahead: usize, numerator: usize) -> Vec<MeterPoint> {
    let meter = Meter { numerator: numerator.clamp(1, 64) as u8, denominator: 4 };
    let mut points = vec![MeterPoint { position: Frames::ZERO, meter }];
    if !ahead.is_multiple_of(numerator.max(1)) {
        points.push(MeterPoint { position: downbeat, meter });
    }
    points
}

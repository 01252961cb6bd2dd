//! How meters move: peak, RMS, hold, over and the loudness history, from what the player measures.

use crate::live::{Levels, Live, Motion};
use deskhand_session::TrackId;
use std::collections::{BTreeMap, VecDeque};

/// Nothing lower is drawn, dBFS.
pub(crate) const FLOOR: f32 = -90.0;
/// Peak falls 20 dB in 1.7 s (IEC 60268-18, type I).
const FALL: f32 = 20.0 / 1.7;
/// How long the highest peak stays, s.
const HOLD: f32 = 2.0;
/// Integration of RMS, s.
const RMS: f32 = 0.3;
/// A peak from here on latches the over mark, dBFS.
pub(crate) const OVER: f32 = -0.1;
/// Readings of loudness a second, and how many are kept: one minute.
const PACE: f64 = 0.1;
const KEPT: usize = 600;

/// One channel of a meter, dBFS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    pub(crate) peak: f32,
    pub(crate) rms: f32,
    /// The highest peak of the last two seconds.
    pub(crate) hold: f32,
    /// The highest peak since the latch was cleared.
    pub(crate) highest: f32,
    mean_square: f32,
    held: f32,
}

impl Default for Level {
    fn default() -> Self {
        let silent = FLOOR;
        Self {
            peak: silent,
            rms: silent,
            hold: silent,
            highest: silent,
            mean_square: 0.0,
            held: 0.0,
        }
    }
}

impl Level {
    /// Takes a reading, `seconds` after the last.
    fn take(&mut self, peak: f32, rms: f32, seconds: f32) {
        let now = decibels(peak);
        self.peak = now.max(self.peak - FALL * seconds).max(FLOOR);
        self.highest = self.highest.max(now);
        let rms = if rms.is_finite() { rms } else { 0.0 };
        self.mean_square += (rms * rms - self.mean_square) * (1.0 - (-seconds / RMS).exp());
        self.rms = decibels(self.mean_square.max(0.0).sqrt());
        if now >= self.hold {
            (self.hold, self.held) = (now, 0.0);
        } else {
            self.held += seconds;
            if self.held > HOLD {
                self.hold = self.peak.max(self.hold - FALL * seconds);
            }
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.highest >= OVER
    }

    fn is_at_rest(&self) -> bool {
        self.peak <= FLOOR && self.rms <= FLOOR && self.hold <= FLOOR
    }
}

/// An amplitude in dBFS, at least [`FLOOR`].
pub(crate) fn decibels(amplitude: f32) -> f32 {
    if amplitude > 0.0 { (20.0 * amplitude.log10()).max(FLOOR) } else { FLOOR }
}

/// The loudness of the mix over time; in a host, that of the instance.
#[derive(Clone, Debug)]
pub(crate) struct Loudness {
    /// Short-term loudness, LUFS, ten a second, oldest first.
    pub(crate) history: VecDeque<f32>,
    /// Counts of short-term loudness in steps of 0.1 LU from -70 LUFS, since the meters were reset.
    counts: Vec<u32>,
    /// Highest true peak since then, dBTP.
    pub(crate) true_peak: f32,
    /// What the numbers show; ten times a second.
    pub(crate) shown: Levels,
    pub(crate) range: Option<f32>,
    last: f64,
}

impl Default for Loudness {
    fn default() -> Self {
        Self {
            history: VecDeque::new(),
            counts: vec![0; 800],
            true_peak: FLOOR,
            shown: Levels::default(),
            range: None,
            last: f64::NEG_INFINITY,
        }
    }
}

impl Loudness {
    fn take(&mut self, levels: &Levels, is_playing: bool, time: f64) {
        let [left, right] = levels.true_peak;
        self.true_peak = self.true_peak.max(decibels(left.max(right)));
        if time - self.last < PACE {
            return;
        }
        self.last = time;
        self.shown = *levels;
        if !is_playing {
            return;
        }
        self.history.push_back(levels.short_term);
        if self.history.len() > KEPT {
            self.history.pop_front();
        }
        let step = ((levels.short_term + 70.0) * 10.0).floor();
        if step >= 0.0
            && let Some(count) = self.counts.get_mut(step as usize)
        {
            *count += 1;
        }
        self.range = range(&self.counts);
    }
}

/// Loudness range, LU (EBU Tech 3342): from the 10th to the 95th percentile of short-term loudness above
/// -70 LUFS and above 20 LU under its mean.
fn range(counts: &[u32]) -> Option<f32> {
    let lufs = |step: usize| step as f32 / 10.0 - 70.0;
    let total: u32 = counts.iter().sum();
    let energy =
        |(step, count): (usize, &u32)| f64::from(*count) * 10f64.powf(f64::from(lufs(step)) / 10.0);
    let mean = counts.iter().enumerate().map(energy).sum::<f64>() / f64::from(total.max(1));
    let gate = 10.0 * mean.log10() as f32 - 20.0;
    let above = |step: &usize| lufs(*step) >= gate;
    let kept: u32 = (0..counts.len()).filter(above).map(|step| counts[step]).sum();
    // Less than 3 s have no range.
    if kept < 30 {
        return None;
    }
    let percentile = |share: f32| {
        let wanted = (share * (kept - 1) as f32).round() as u32;
        let mut seen = 0;
        (0..counts.len()).filter(above).find(|step| {
            seen += counts[*step];
            seen > wanted
        })
    };
    Some(lufs(percentile(0.95)?) - lufs(percentile(0.1)?))
}

#[derive(Default)]
pub(crate) struct Meters {
    tracks: BTreeMap<TrackId, [Level; 2]>,
    /// The input levels of armed tracks.
    incoming: BTreeMap<TrackId, [Level; 2]>,
    pub(crate) master: [Level; 2],
    pub(crate) loudness: Loudness,
    last: f64,
}

impl Meters {
    /// Takes the current measurements; `time` in seconds. Returns whether anything moves.
    pub(crate) fn follow(&mut self, live: &Live, time: f64) -> bool {
        let seconds = (time - self.last).clamp(0.0, 1.0) as f32;
        self.last = time;
        let is_playing = live.motion == Motion::Playing;
        for track in live.tracks.keys() {
            self.tracks.entry(*track).or_default();
        }
        self.tracks.retain(|track, level| {
            let silent = Levels::default();
            take(level, live.tracks.get(track).unwrap_or(&silent), seconds);
            live.tracks.contains_key(track) || !level.iter().all(Level::is_at_rest)
        });
        self.incoming.retain(|track, _| live.incoming.contains_key(track));
        for (track, peak) in &live.incoming {
            let levels = Levels { peak: *peak, ..Levels::default() };
            take(self.incoming.entry(*track).or_default(), &levels, seconds);
        }
        take(&mut self.master, &live.master, seconds);
        self.loudness.take(&live.measured(), is_playing, time);
        let strips = self.tracks.values().chain(self.incoming.values());
        let mut all = strips.chain([&self.master]).flatten();
        is_playing || all.any(|level| !level.is_at_rest())
    }

    pub(crate) fn track(&self, track: TrackId) -> [Level; 2] {
        self.tracks.get(&track).copied().unwrap_or_default()
    }

    /// The levels on a track's header and strip: its input while it is armed, else its playback.
    pub(crate) fn shown(&self, track: TrackId) -> [Level; 2] {
        self.incoming.get(&track).copied().unwrap_or_else(|| self.track(track))
    }

    /// Clears the over mark of one strip; `None` is the master.
    pub(crate) fn clear(&mut self, track: Option<TrackId>) {
        let levels = match track {
            Some(track) => [self.tracks.get_mut(&track), self.incoming.get_mut(&track)],
            None => [Some(&mut self.master), None],
        };
        levels.into_iter().flatten().flatten().for_each(|level| level.highest = FLOOR);
    }

    pub(crate) fn reset(&mut self) {
        *self = Self { last: self.last, ..Self::default() };
    }
}

fn take(level: &mut [Level; 2], levels: &Levels, seconds: f32) {
    let readings = levels.peak.into_iter().zip(levels.rms);
    for (level, (peak, rms)) in level.iter_mut().zip(readings) {
        level.take(peak, rms, seconds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACK: TrackId = TrackId::new(1);

    fn playing(peak: f32, rms: f32) -> Live {
        let levels = Levels { peak: [peak; 2], rms: [rms; 2], ..Levels::default() };
        let tracks = BTreeMap::from([(TRACK, levels)]);
        Live { motion: Motion::Playing, tracks, master: levels, ..Live::default() }
    }

    /// Readings of the same for `seconds`.
    fn run(meters: &mut Meters, live: &Live, from: f64, seconds: f64) -> f64 {
        let frames = (seconds * 60.0).round() as usize;
        for frame in 1..=frames {
            meters.follow(live, from + frame as f64 / 60.0);
        }
        from + frames as f64 / 60.0
    }

    #[test]
    fn a_peak_comes_at_once_holds_two_seconds_and_falls_20_db_in_1_7_s() {
        let mut meters = Meters::default();
        meters.follow(&playing(1.0, 0.5), 0.0);
        assert_eq!(meters.track(TRACK)[0].peak, 0.0);
        let silent = Live::default();
        let time = run(&mut meters, &silent, 0.0, 1.7);
        let level = meters.master[0];
        assert!((level.peak + 20.0).abs() < 0.1, "{level:?}");
        assert_eq!(level.hold, 0.0);
        run(&mut meters, &silent, time, 1.0);
        assert!(meters.master[0].hold < -1.0, "{:?}", meters.master[0]);
    }

    #[test]
    fn rms_takes_300_ms_and_an_over_stays_until_it_is_cleared() {
        let mut meters = Meters::default();
        run(&mut meters, &playing(1.0, 0.5), 0.0, 0.3);
        let level = meters.track(TRACK)[1];
        // 1 - 1/e of the power after one time constant.
        let expected = 10.0 * (0.25f32 * 0.632).log10();
        assert!((level.rms - expected).abs() < 0.2, "{level:?}");
        run(&mut meters, &Live::default(), 0.3, 9.0);
        assert!(meters.track(TRACK)[0].is_over() || meters.master[0].is_over());
        meters.clear(None);
        assert!(!meters.master[0].is_over());
    }

    #[test]
    fn of_an_armed_track_what_comes_in_is_shown() {
        let mut meters = Meters::default();
        let mut live = Live { incoming: BTreeMap::from([(TRACK, [0.5, 0.0])]), ..Live::default() };
        assert!(meters.follow(&live, 0.0), "it moves while nothing plays");
        let peaks = |meters: &Meters| meters.shown(TRACK).map(|level| level.peak.round());
        assert_eq!(peaks(&meters), [-6.0, FLOOR]);
        live.incoming.insert(TRACK, [1.0, 0.0]);
        meters.follow(&live, 0.0);
        assert!(meters.shown(TRACK)[0].is_over());
        meters.clear(Some(TRACK));
        assert!(!meters.shown(TRACK)[0].is_over());
        live.incoming.clear();
        meters.follow(&live, 0.1);
        assert_eq!(peaks(&meters), [FLOOR; 2]);
    }

    #[test]
    fn meters_come_to_rest() {
        let mut meters = Meters::default();
        assert!(!meters.follow(&Live::default(), 0.0));
        assert!(meters.follow(&playing(0.5, 0.2), 0.1));
        let time = run(&mut meters, &Live::default(), 0.1, 15.0);
        assert!(!meters.follow(&Live::default(), time));
    }

    #[test]
    fn the_range_is_that_of_two_levels() {
        // EBU Tech 3342, test 1: 20 s at -20 LUFS, 20 s at -30 LUFS give 10 LU.
        let mut counts = vec![0; 800];
        counts[500] = 200;
        counts[400] = 200;
        assert_eq!(range(&counts), Some(10.0));
        assert_eq!(range(&vec![0; 800]), None);
    }
}

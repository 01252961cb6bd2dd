//! Beats to seconds and back, over tempos that hold or ramp.

/// Quarter notes a minute from a beat on, changing by `slope` with each beat.
#[derive(Clone, Copy, Debug)]
struct Segment {
    beat: f64,
    second: f64,
    bpm: f64,
    slope: f64,
}

#[derive(Debug)]
pub(super) struct TempoMap(Vec<Segment>);

/// A tempo at a beat, and whether it ramps to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tempo {
    pub(super) beat: f64,
    pub(super) bpm: f64,
    pub(super) is_ramp: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Beats,
    Seconds,
}

impl TempoMap {
    /// `tempos` in order, each above 0 bpm; before the first its tempo holds.
    pub(super) fn new(tempos: &[Tempo]) -> Self {
        let mut map = Self(Vec::new());
        for (index, tempo) in tempos.iter().enumerate() {
            let slope = match tempos.get(index + 1).filter(|_| tempo.is_ramp) {
                Some(next) if next.beat > tempo.beat => {
                    (next.bpm - tempo.bpm) / (next.beat - tempo.beat)
                }
                _ => 0.0,
            };
            let second = match map.0.first() {
                Some(_) => map.seconds(tempo.beat),
                None => tempo.beat * 60.0 / tempo.bpm,
            };
            map.0.push(Segment { beat: tempo.beat, second, bpm: tempo.bpm, slope });
        }
        map
    }

    pub(super) fn is_constant(&self) -> bool {
        self.0.windows(2).all(|pair| pair[0].bpm == pair[1].bpm)
    }

    /// The tempo at the start.
    pub(super) fn first_bpm(&self) -> f64 {
        self.0.first().map_or(120.0, |segment| segment.bpm)
    }

    fn segment(&self, is_before: impl Fn(&Segment) -> bool) -> Segment {
        let index = self.0.partition_point(is_before).saturating_sub(1);
        let default = Segment { beat: 0.0, second: 0.0, bpm: 120.0, slope: 0.0 };
        self.0.get(index).copied().unwrap_or(default)
    }

    pub(super) fn seconds(&self, beat: f64) -> f64 {
        let Segment { beat: first, second, bpm, slope } = self.segment(|at| at.beat <= beat);
        let beats = beat - first;
        // Within a ramp the seconds of a beat are 60 / (bpm + slope x beats): its integral.
        match slope * beats / bpm {
            ratio if ratio.abs() < 1e-9 => second + beats * 60.0 / bpm,
            ratio => second + 60.0 / slope * ratio.ln_1p(),
        }
    }

    pub(super) fn beats(&self, second: f64) -> f64 {
        let Segment { beat, second: first, bpm, slope } = self.segment(|at| at.second <= second);
        let seconds = second - first;
        match slope * seconds / 60.0 {
            growth if growth.abs() < 1e-12 => beat + seconds * bpm / 60.0,
            growth => beat + bpm / slope * growth.exp_m1(),
        }
    }

    /// Seconds of a time in `unit`.
    pub(super) fn seconds_of(&self, unit: Unit, time: f64) -> f64 {
        match unit {
            Unit::Beats => self.seconds(time),
            Unit::Seconds => time,
        }
    }

    /// A time in `unit` of seconds.
    pub(super) fn time_of(&self, unit: Unit, seconds: f64) -> f64 {
        match unit {
            Unit::Beats => self.beats(seconds),
            Unit::Seconds => seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> TempoMap {
        let tempo = |beat, bpm, is_ramp| Tempo { beat, bpm, is_ramp };
        TempoMap::new(&[
            tempo(0.0, 120.0, false),
            tempo(8.0, 60.0, true),
            tempo(12.0, 120.0, false),
        ])
    }

    #[test]
    fn held_tempos_add_up() {
        assert_eq!(map().seconds(4.0), 2.0);
        assert_eq!(map().seconds(8.0), 4.0);
        assert_eq!(map().seconds(-2.0), -1.0);
    }

    #[test]
    fn a_ramp_is_the_integral_of_its_beats() {
        let steps = 1_000_000;
        let width = 4.0 / f64::from(steps);
        let middle = |step| 60.0 + 15.0 * (f64::from(step) + 0.5) * width;
        let sum = (0..steps).map(|step| width * 60.0 / middle(step)).sum::<f64>();
        assert!((map().seconds(12.0) - 4.0 - sum).abs() < 1e-9);
    }

    #[test]
    fn seconds_and_beats_are_inverse() {
        for step in -20..200 {
            let beat = f64::from(step) * 0.1;
            assert!((map().beats(map().seconds(beat)) - beat).abs() < 1e-9, "{beat}");
        }
        assert!(!map().is_constant());
    }
}

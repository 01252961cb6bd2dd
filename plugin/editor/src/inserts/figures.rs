//! The numbers of a dynamics page. They change ten times a second, so that a person can read them.

use deskhand_dsp::effects::{Effect, EffectColumn, EffectReading};
use deskhand_session::InsertId;

/// How long they stand, s.
const STANDS: f64 = 0.1;
/// Columns of that time.
const RECENT: usize = EffectReading::RATE / 10;
/// What is quieter than this counts for no average: -60 dBFS.
const SOUND: f32 = 1e-3;

/// What the numbers say, amplitudes and dB.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shown {
    pub(super) reduction: f32,
    pub(super) most: f32,
    /// While there was sound.
    pub(super) average: Option<f32>,
    /// RMS before and after.
    pub(super) rms: [f32; 2],
    /// The highest true peak of six seconds, before and after.
    pub(super) true_peak: [f32; 2],
}

/// The numbers that stand now.
#[derive(Default)]
pub(super) struct Figures {
    of: Option<InsertId>,
    since: f64,
    shown: Shown,
}

impl Figures {
    /// The numbers of a processor at `time`, s.
    pub(super) fn at(
        &mut self,
        id: InsertId,
        time: f64,
        reading: Option<&EffectReading>,
        reduction: f32,
    ) -> Shown {
        let stands = self.of == Some(id) && (0.0..STANDS).contains(&(time - self.since));
        if !stands {
            *self = Self { of: Some(id), since: time, shown: read(reading, reduction) };
        }
        self.shown
    }
}

fn read(reading: Option<&EffectReading>, reduction: f32) -> Shown {
    let Some(reading) = reading else {
        return Shown { reduction, most: reduction, ..Shown::default() };
    };
    let columns = &reading.columns;
    let recent = || columns.iter().rev().take(RECENT);
    let mean = |rms: fn(&EffectColumn) -> f32| {
        let squares: f32 = recent().map(|column| rms(column).powi(2)).sum();
        (squares / recent().count().max(1) as f32).sqrt()
    };
    let most = |of: fn(&EffectColumn) -> f32| columns.iter().map(of).fold(0.0, f32::max);
    let heard = || columns.iter().filter(|column| column.before.rms > SOUND);
    let sum: f32 = heard().map(|column| column.reduction).sum();
    Shown {
        reduction: recent().map(|column| column.reduction).fold(0.0, f32::max),
        most: most(|column| column.reduction),
        average: (heard().count() > 0).then(|| sum / heard().count() as f32),
        rms: [mean(|column| column.before.rms), mean(|column| column.after.rms)],
        true_peak: [most(|column| column.before.true_peak), most(|column| column.after.true_peak)],
    }
}

/// A gain that goes into a limiter before it measures, as an amplitude.
pub(super) fn drive(effect: &Effect) -> f32 {
    match effect {
        Effect::Limiter(limiter) => limiter.gain.amplitude() as f32,
        Effect::Equalizer(_) | Effect::Compressor(_) | Effect::DeEsser(_) | Effect::Gate(_) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::effects::Loudest;

    #[test]
    fn an_average_is_of_what_has_sound_and_numbers_stand_for_a_tenth_of_a_second() {
        let column = |rms, reduction| EffectColumn {
            before: Loudest { rms, peak: rms, true_peak: rms },
            after: Loudest::default(),
            reduction,
        };
        let columns = [column(0.5, 4.0), column(0.25, 2.0), column(0.0, 0.0)].into();
        let mut reading = EffectReading { columns, ..EffectReading::default() };
        let mut figures = Figures::default();
        let id = InsertId::new(1);
        let shown = figures.at(id, 1.0, Some(&reading), 0.0);
        assert_eq!((shown.average, shown.most, shown.true_peak), (Some(3.0), 4.0, [0.5, 0.0]));
        reading.columns.push_back(column(0.5, 9.0));
        assert_eq!(figures.at(id, 1.05, Some(&reading), 0.0).most, 4.0);
        assert_eq!(figures.at(id, 1.11, Some(&reading), 0.0).most, 9.0);
        let other = figures.at(InsertId::new(2), 1.12, None, 6.0);
        assert_eq!((other.reduction, other.average), (6.0, None));
    }
}

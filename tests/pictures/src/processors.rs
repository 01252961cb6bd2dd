//! A voice with a chain of processors, and what a player measures of each while it plays.

use crate::song::{Song, plan, planned};
use deskhand_dsp::effects::{
    Band, BandShape, Compressor, DeEsser, Detector, Effect, EffectMeter, Equalizer, Gate, Limiter,
    Power, Unit,
};
use deskhand_dsp::{Decibels, SampleRate};
use deskhand_editor::{Model, Motion, Preset, Settings, Watched};
use deskhand_session::{
    Change, Edit, InsertId, InsertOwner, PlacedInsert, Session, Switch, TrackId,
};
use std::f32::consts::TAU;

const RATE: SampleRate = SampleRate(48_000);
/// Frames of a syllable, and of the pause after each third.
const SYLLABLE: usize = 12_000;
const BLOCK: usize = 480;

fn band(shape: BandShape, frequency_hz: f64, gain: f64, q: f64) -> Band {
    Band { shape, frequency_hz, gain: Decibels(gain), q }
}

fn chain() -> [Effect; 5] {
    let bands = vec![
        band(BandShape::LowCut, 80.0, 0.0, 0.71),
        band(BandShape::Bell, 260.0, -3.5, 1.2),
        band(BandShape::Bell, 900.0, -2.0, 2.0),
        band(BandShape::Bell, 3200.0, 2.5, 0.9),
        band(BandShape::HighShelf, 9000.0, 1.5, 0.71),
    ];
    [
        Effect::Gate(Gate {
            threshold: Decibels(-42.0),
            ratio: 4.0,
            range_db: 24.0,
            hysteresis_db: 4.0,
            attack_ms: 1.0,
            hold_ms: 40.0,
            release_ms: 120.0,
        }),
        Effect::Equalizer(Equalizer { bands }),
        Effect::DeEsser(DeEsser {
            frequency_hz: 6400.0,
            threshold: Decibels(-34.0),
            range_db: 8.0,
        }),
        Effect::Compressor(Compressor {
            threshold: Decibels(-26.0),
            ratio: 3.0,
            knee_db: 6.0,
            attack_ms: 10.0,
            release_ms: 120.0,
            makeup: Decibels(2.5),
            detector: Detector::Rms,
        }),
        Effect::Limiter(Limiter { gain: Decibels(9.0), ceiling: Decibels(-1.0), release_ms: 80.0 }),
    ]
}

/// Syllables of a voice at about 140 Hz: harmonics, breath, and a hiss at the end of every other one.
struct Voice {
    frame: usize,
    noise: u32,
    breath: f32,
}

impl Voice {
    fn next(&mut self) -> f32 {
        let (syllable, at) = (self.frame / SYLLABLE, self.frame % SYLLABLE);
        self.frame += 1;
        self.noise = self.noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let white = self.noise as f32 / u32::MAX as f32 - 0.5;
        self.breath += (white - self.breath) * 0.2;
        let share = at as f32 / SYLLABLE as f32;
        let is_pause = syllable % 4 == 3;
        let loud = 0.35 + 0.2 * ((syllable * 7 % 5) as f32 / 4.0);
        let envelope = if is_pause { 0.0 } else { loud * (share * 14.0).min(1.0) * (1.0 - share) };
        let pitch = 140.0 + 12.0 * (syllable as f32).sin();
        let turn = TAU * pitch * self.frame as f32 / RATE.0 as f32;
        let weight = |n: i32| (-((n as f32 - 4.0) / 7.0).powi(2)).exp() / (n as f32).sqrt();
        let voiced: f32 = (1..24).map(|n| weight(n) * (turn * n as f32).sin()).sum();
        let hisses = syllable % 2 == 1 && share > 0.6 && !is_pause;
        let hiss = if hisses { (white - self.breath) * 0.25 } else { 0.0 };
        envelope * (0.3 * voiced + 0.1 * self.breath) + hiss + 0.003 * white
    }
}

/// What is measured of the processor at `shown`, after those before it.
fn measured(shown: usize) -> (EffectMeter, f32) {
    let mut units = chain().map(|effect| Unit::new(&effect, Power::On, RATE));
    let mut meter = EffectMeter::new(RATE);
    let mut voice = Voice { frame: 0, noise: 1, breath: 0.0 };
    let mut taken = 0.0;
    for _ in 0..RATE.0 as usize * 61 / 10 / BLOCK {
        let mut left: [f32; BLOCK] = std::array::from_fn(|_| voice.next());
        let mut right = left;
        for unit in units.iter_mut().take(shown) {
            unit.process(&mut left, &mut right);
        }
        let before = left;
        if let Some(unit) = units.get_mut(shown) {
            unit.process(&mut left, &mut right);
            taken = unit.take_reduction();
        }
        meter.reduce(taken);
        for (before, after) in before.into_iter().zip(left) {
            meter.push([before; 2], [after; 2]);
        }
    }
    (meter, taken)
}

fn session(mut session: Session) -> Session {
    let on = InsertOwner::Track(TrackId::new(1));
    for (index, effect) in (0..).zip(chain()) {
        let placed = PlacedInsert { on, index, switch: Switch::On, effect };
        session.inserts.insert(InsertId::new(u64::from(index) + 1), placed);
    }
    session
}

/// A window whose first track has a chain, while it plays. `shown` is the place of the processor that is measured.
#[must_use]
pub fn processors(shown: usize) -> (Model, Song) {
    let mut song = Song::default();
    let mut model = song.open_with(session(crate::song::session()));
    let (meter, _) = measured(shown);
    model.live.motion = Motion::Playing;
    model.live.watched =
        Some(Watched { insert: InsertId::new(shown as u64 + 1), reading: meter.reading().clone() });
    let taken = [(1, 0.0), (3, 2.1), (4, 3.4), (5, 0.8)];
    let taken = taken.map(|(id, decibels)| (InsertId::new(id), decibels));
    model.live.reductions.extend(taken);
    let effect = chain()[shown].clone();
    let presets = Some(vec![Preset { name: "Voice, close mic".into(), effect }]);
    model.settings = Some(Settings { presets, ..Settings::default() });
    (model, song)
}

/// A window with a plan that would put an equalizer on the first track.
#[must_use]
pub fn brightened() -> (Model, Song) {
    let mut song = Song::default();
    let mut model = song.open();
    let bands = vec![
        band(BandShape::LowShelf, 180.0, -2.5, 0.71),
        band(BandShape::Bell, 3200.0, 2.0, 0.9),
        band(BandShape::HighShelf, 9000.0, 3.0, 0.71),
    ];
    let on = InsertOwner::Track(TrackId::new(1));
    let effect = Effect::Equalizer(Equalizer { bands });
    let placed = PlacedInsert { on, index: 0, switch: Switch::On, effect };
    let change = Change::SetInsert(Edit::create(InsertId::new(1), placed));
    let reason = "Less boom, more of the words and the air";
    let changes = vec![planned(1, change, "Lead Vox", reason)];
    song.review(&mut model, plan("Make Lead Vox brighter", changes));
    (model, song)
}

//! The engine under every detector, while somebody edits like mad.

use crate::detect::watch;
use crate::dice::Dice;
use deskhand_dsp::effects::{
    Band, BandShape, Compressor, DeEsser, Detector, Effect, Equalizer, Gate, Limiter, Power,
};
use deskhand_dsp::{
    ClipEnvelope, Decibels, EnvelopePoint, Fade, FrameReader, Frames, Polarity, ReadError,
    SampleRate,
};
use deskhand_engine::{
    Audible, ControlError, Controller, Disk, EngineConfig, Insert, InsertKey, Level, Output,
    Processor, Schedule, Side, SourceKey, Strip, StripKey, Trouble, Voice, VoiceKey, Worked,
    engine,
};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

const RATE: SampleRate = SampleRate(48_000);
const FRAMES: usize = 64;
const STRIPS: u64 = 6;
/// A block lasts 1.3 ms; an unoptimised build on a busy machine still needs far less than this.
const BUDGET: Duration = Duration::from_millis(100);

#[test]
fn random_edits_leave_no_trace_on_the_audio_thread() {
    let long = std::env::var_os("DESKHAND_LONG").is_some_and(|value| value == "1");
    soak(100_000, 1);
    if long {
        soak(1_000_000, 2);
    }
}

/// A disk thread of its own, racing with the callback; missing audio is allowed.
#[test]
fn a_racing_disk_thread_leaves_no_trace_either() {
    let (controller, processor, disk) = engine(EngineConfig::at(RATE), open).unwrap();
    let thread = disk.spawn().unwrap();
    let mut hand = Hand::new(controller, 3);
    let mut stage = Stage::new(processor);
    for callback in 0..20_000 {
        if callback % 40 == 0 {
            hand.edit();
        }
        hand.controller.pump();
        stage.callback(callback);
    }
    drop(thread);
    let trouble = hand.controller.trouble();
    assert_eq!((trouble.nonfinite, trouble.unknown, trouble.delayed_returns), (0, 0, 0));
}

fn soak(callbacks: usize, seed: u64) {
    let (controller, processor, mut disk) = engine(EngineConfig::at(RATE), open).unwrap();
    let mut hand = Hand::new(controller, seed);
    let mut stage = Stage::new(processor);
    for callback in 0..callbacks {
        if hand.dice(25) == 0 {
            hand.edit();
        }
        if hand.dice(3) == 0 {
            read_ahead(&mut disk);
        }
        hand.controller.pump();
        hand.controller.meters(&mut |_| {});
        hand.controller.reductions(&mut |_, _| {});
        stage.callback(callback);
    }
    assert!(stage.heard > callbacks / 10, "only {} callbacks had sound", stage.heard);
    come_home(&mut hand.controller, &mut disk, &mut stage);
    let trouble = hand.controller.trouble();
    let allowed = Trouble { missing_frames: trouble.missing_frames, ..Trouble::default() };
    let delayed = Trouble { delayed_swaps: trouble.delayed_swaps, ..allowed };
    assert_eq!(trouble, delayed);
}

fn read_ahead(disk: &mut Disk) {
    while disk.step() == Worked::Yes {}
}

/// Everything but one program is back after a while without edits.
fn come_home(controller: &mut Controller, disk: &mut Disk, stage: &mut Stage) {
    controller.audition(None).unwrap();
    for callback in 0..1000 {
        read_ahead(disk);
        controller.pump();
        stage.callback(callback);
    }
    assert_eq!(controller.away(), 1);
}

/// The audio thread's part.
struct Stage {
    processor: Processor,
    left: [f32; FRAMES],
    right: [f32; FRAMES],
    /// Callbacks with sound.
    heard: usize,
}

impl Stage {
    fn new(processor: Processor) -> Self {
        Self { processor, left: [0.0; FRAMES], right: [0.0; FRAMES], heard: 0 }
    }

    fn callback(&mut self, number: usize) {
        let Self { processor, left, right, .. } = self;
        let found = watch(|| processor.process([&mut left[..], &mut right[..]]));
        assert!(found.is_clean(BUDGET), "callback {number}: {found:?}");
        let samples = || self.left.iter().chain(&self.right);
        assert!(samples().all(|sample| sample.is_finite()), "callback {number}");
        self.heard += usize::from(samples().any(|sample| sample.abs() > 0.0));
    }
}

/// The message thread's part: random edits.
struct Hand {
    controller: Controller,
    dice: Dice,
    /// Clips made so far.
    made: u64,
    clips: Vec<Voice>,
    levels: Vec<Level>,
    bus: bool,
    /// Gain over time of all strips.
    volume: Arc<[EnvelopePoint]>,
    /// Processors with the strip they are on; `STRIPS` is the master.
    inserts: Vec<(u64, Insert)>,
}

impl Hand {
    fn new(controller: Controller, seed: u64) -> Self {
        let levels = (0..STRIPS).map(|_| Level::UNITY).collect();
        let dice = Dice(seed);
        let (clips, volume) = (Vec::new(), Arc::default());
        let inserts = Vec::new();
        let mut hand =
            Self { controller, dice, made: 0, clips, levels, bus: false, volume, inserts };
        for _ in 0..20 {
            hand.add_clip();
        }
        hand.apply();
        hand.controller.play().unwrap();
        hand
    }

    /// 0 to `sides` - 1.
    fn dice(&mut self, sides: u64) -> u64 {
        self.dice.throw(sides)
    }

    fn frames(&mut self, most: u64) -> Frames {
        self.dice.frames(most)
    }

    fn edit(&mut self) {
        match self.dice(23) {
            0 | 1 => self.add_clip(),
            2 | 3 => self.remove_clip(),
            4 => self.change_clip(),
            5 | 6 => self.move_fader(),
            7 => self.bus = !self.bus,
            8 => self.seek(),
            9 => return self.set_loop(),
            10 => return self.controller.stop().unwrap(),
            12 | 13 => return self.audition(),
            14 => return self.listen(),
            15 => return self.controller.reset_meters().unwrap(),
            16 => self.volume = self.ride(),
            17 | 18 => self.add_insert(),
            19 => self.remove_insert(),
            20 | 21 => self.turn_insert(),
            22 => return self.preview_insert(),
            _ => return self.controller.play().unwrap(),
        }
        self.apply();
    }

    fn add_clip(&mut self) {
        self.made += 1;
        let key = self.made;
        let length = Frames(1) + self.frames(100_000);
        let fade = |length| Fade { length, ..Fade::default() };
        let envelope = ClipEnvelope {
            gain: Decibels(-6.0),
            polarity: Polarity::Normal,
            fade_in: fade(self.frames(2000)),
            fade_out: fade(self.frames(2000)),
            length,
        };
        let voice = Voice {
            key: VoiceKey(key),
            source: SourceKey(key % 7),
            source_start: self.frames(50_000),
            position: self.frames(300_000),
            envelope,
            volume: self.ride(),
        };
        self.clips.push(voice);
    }

    fn add_insert(&mut self) {
        self.made += 1;
        let on = self.dice(STRIPS + 1);
        let insert = Insert { key: InsertKey(self.made), power: Power::On, effect: self.effect() };
        self.inserts.push((on, insert));
        if self.inserts.len() > 20 {
            self.inserts.clear();
        }
    }

    fn any_insert(&mut self) -> Option<usize> {
        let count = u64::try_from(self.inserts.len()).unwrap();
        (count > 0).then(|| usize::try_from(self.dice(count)).unwrap())
    }

    fn remove_insert(&mut self) {
        if let Some(index) = self.any_insert() {
            self.inserts.swap_remove(index);
        }
    }

    /// Other settings, perhaps of another kind, or off, or on.
    fn turn_insert(&mut self) {
        let Some(index) = self.any_insert() else { return };
        let power = if self.dice(3) == 0 { Power::Off } else { Power::On };
        let effect = self.effect();
        let insert = &mut self.inserts[index].1;
        (insert.power, insert.effect) = (power, effect);
    }

    /// A drag that may have another kind than the playing processor, which is refused.
    fn preview_insert(&mut self) {
        let Some(index) = self.any_insert() else { return };
        let effect = self.effect();
        let done = self.controller.set_insert(Insert { effect, ..self.inserts[index].1.clone() });
        assert!(matches!(done, Ok(_) | Err(ControlError::Level(_))), "{done:?}");
    }

    /// A processor with random settings.
    fn effect(&mut self) -> Effect {
        let (kind, many) = (self.dice(5), self.dice(17));
        let mut throw = |from: f64, to: f64| from + (to - from) * self.dice(1001) as f64 / 1000.0;
        let threshold = Decibels(throw(-80.0, 0.0));
        match kind {
            0 => Effect::Equalizer(Equalizer {
                bands: (0..many).map(|n| band(n, &mut throw)).collect(),
            }),
            1 => Effect::Compressor(Compressor {
                threshold,
                ratio: throw(1.0, 100.0),
                knee_db: throw(0.0, 24.0),
                attack_ms: throw(0.05, 500.0),
                release_ms: throw(5.0, 5000.0),
                makeup: Decibels(throw(-30.0, 6.0)),
                detector: if many > 8 { Detector::Peak } else { Detector::Rms },
            }),
            2 => Effect::DeEsser(DeEsser {
                frequency_hz: throw(1000.0, 16_000.0),
                threshold,
                range_db: throw(0.0, 30.0),
            }),
            3 => Effect::Gate(Gate {
                threshold,
                ratio: throw(1.0, 100.0),
                range_db: throw(0.0, 100.0),
                hysteresis_db: throw(0.0, 24.0),
                attack_ms: throw(0.05, 500.0),
                hold_ms: throw(0.0, 5000.0),
                release_ms: throw(5.0, 5000.0),
            }),
            _ => Effect::Limiter(Limiter {
                gain: Decibels(throw(-30.0, 12.0)),
                ceiling: Decibels(throw(-30.0, 0.0)),
                release_ms: throw(1.0, 2000.0),
            }),
        }
    }

    /// Some points of gain over time, possibly zero.
    fn ride(&mut self) -> Arc<[EnvelopePoint]> {
        let mut position = Frames::ZERO;
        let points = (0..self.dice(5)).map(|_| {
            position += self.frames(100_000);
            let curve = self.dice(3) as f64 - 1.0;
            EnvelopePoint { position, gain: Decibels(-(self.dice(40) as f64)), curve }
        });
        points.collect()
    }

    fn any_clip(&mut self) -> Option<usize> {
        let count = u64::try_from(self.clips.len()).unwrap();
        (count > 0).then(|| usize::try_from(self.dice(count)).unwrap())
    }

    fn remove_clip(&mut self) {
        if let Some(index) = self.any_clip() {
            self.clips.swap_remove(index);
        }
    }

    fn change_clip(&mut self) {
        let Some(index) = self.any_clip() else { return };
        let (position, length) = (self.frames(300_000), Frames(1) + self.frames(100_000));
        let what = self.dice(4);
        let clip = &mut self.clips[index];
        match what {
            0 => clip.position = position,
            1 => clip.envelope.length = length,
            2 => clip.envelope.gain = Decibels(-12.0),
            _ => clip.source_start = length,
        }
    }

    fn move_fader(&mut self) {
        let audible = if self.dice(4) == 0 { Audible::No } else { Audible::Yes };
        let gain = Decibels(-(self.dice(60) as f64));
        let pan = self.dice(21) as f64 / 10.0 - 1.0;
        let strip = usize::try_from(self.dice(STRIPS)).unwrap();
        self.levels[strip] = Level { gain, pan, audible };
    }

    fn seek(&mut self) {
        let at = self.frames(300_000);
        self.controller.seek(at).unwrap();
    }

    fn set_loop(&mut self) {
        let start = self.frames(200_000);
        let range = start..start + Frames(2400) + self.frames(50_000);
        let range = (self.dice(2) == 0).then_some(range);
        self.controller.set_loop(range).unwrap();
    }

    /// Opens, changes or closes a plan: the session without some of its clips.
    fn audition(&mut self) {
        let keep = self.dice(10);
        let plan = self.schedule(|clip| clip.key.0 % 10 < keep);
        self.controller.audition((keep > 2).then_some(plan)).unwrap();
    }

    /// Nothing to compare with is no trouble.
    fn listen(&mut self) {
        let gain = Decibels(-(self.dice(12) as f64));
        let side = if self.dice(3) == 0 { Side::Current } else { Side::Other { gain } };
        let heard = self.controller.listen(side, None);
        assert!(matches!(heard, Ok(_) | Err(ControlError::NothingToHear)), "{heard:?}");
    }

    fn apply(&mut self) {
        let schedule = self.schedule(|_| true);
        self.controller.apply(schedule).unwrap();
    }

    fn schedule(&self, keep: impl Fn(&Voice) -> bool) -> Schedule {
        let mut strips: Vec<Strip> = (0..STRIPS)
            .zip(&self.levels)
            .map(|(key, level)| {
                let mut strip = Strip::new(StripKey(key), *level, Output::Master, Vec::new());
                strip.volume = Arc::clone(&self.volume);
                strip
            })
            .collect();
        for clip in self.clips.iter().filter(|clip| keep(clip)) {
            strips[usize::try_from(clip.key.0 % STRIPS).unwrap()].voices.push(clip.clone());
        }
        if self.bus {
            strips[0].output = Output::Strip(StripKey(5));
            strips[1].output = Output::Strip(StripKey(5));
        }
        let mut master = Vec::new();
        for (on, insert) in &self.inserts {
            let strip = strips.get_mut(usize::try_from(*on).unwrap());
            strip.map_or(&mut master, |strip| &mut strip.inserts).push(insert.clone());
        }
        let schedule = Schedule::new(RATE, Level::UNITY, strips).unwrap();
        schedule.with_master_inserts(master).unwrap()
    }
}

/// Endless noise; sources 5 and 6 cannot be opened and are silent.
fn open(key: SourceKey) -> Result<Box<dyn FrameReader>, ReadError> {
    if key.0 > 4 {
        return Err(ReadError(format!("source {} is gone", key.0)));
    }
    Ok(Box::new(Noise))
}

struct Noise;

/// Frames of noise before it repeats; the source is a few repetitions long.
const NOISE: usize = 65_536;

/// Computed once: the soak is about the engine, not about making noise.
static SAMPLES: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let hash = |n: u32| n.wrapping_mul(0x9E37_79B9).rotate_left(13) & 0xFFFF;
    (0..).take(NOISE).map(|n| hash(n) as f32 / 131_072.0 - 0.25).collect()
});

impl FrameReader for Noise {
    fn channels(&self) -> usize {
        2
    }
    fn frames(&self) -> Frames {
        Frames(400_000)
    }
    fn rate(&self) -> SampleRate {
        RATE
    }
    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let start = at.index() % NOISE;
        let left = (self.frames() - at).index().min(NOISE - start);
        let frames = out.iter().map(|side| side.len()).min().unwrap_or(0).min(left);
        for side in out.iter_mut() {
            side[..frames].copy_from_slice(&SAMPLES[start..start + frames]);
        }
        Ok(frames)
    }
}

fn band(number: u64, throw: &mut impl FnMut(f64, f64) -> f64) -> Band {
    let shapes = [BandShape::Bell, BandShape::LowCut, BandShape::HighShelf];
    Band {
        shape: shapes[usize::try_from(number % 3).unwrap()],
        frequency_hz: throw(10.0, 24_000.0),
        gain: Decibels(throw(-30.0, 12.0)),
        q: throw(0.1, 40.0),
    }
}

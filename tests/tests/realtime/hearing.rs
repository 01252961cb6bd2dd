//! Hearing a plan, following a host and recording, under every detector and without a click.
//!
//! Everything plays one tone, never louder than the probe, so whatever is edited, compared, jumped over or
//! stopped must stay as smooth as the probe. The sound is recorded, and must come out at the other end bit
//! for bit.

use crate::detect::watch;
use crate::dice::Dice;
use deskhand_dsp::{
    ClipEnvelope, Decibels, Fade, FrameReader, Frames, Polarity, ReadError, SampleRate,
};
use deskhand_engine::capture::{CaptureConfig, CaptureSink, Feed, MayWait, Pushed, Tap, capture};
use deskhand_engine::clicks::click_score;
use deskhand_engine::{
    Audible, Controller, Disk, EngineConfig, HostClock, Level, Output, Processor, Schedule, Side,
    SourceKey, Strip, StripKey, Voice, VoiceKey, Worked, engine,
};
use std::sync::Arc;
use std::time::Duration;

const RATE: SampleRate = SampleRate(48_000);
const FRAMES: usize = 64;
/// As in the soak.
const BUDGET: Duration = Duration::from_millis(100);
/// A step scores 2 or more, a fade of 5 ms 1.03; several fades at once a little more.
const CLICK: f64 = 1.25;
const END: i64 = 400_000;

#[test]
fn plans_hosts_and_recordings_leave_no_trace_and_no_click() {
    let long = std::env::var_os("DESKHAND_LONG").is_some_and(|value| value == "1");
    soak(100_000, 11);
    if long {
        soak(1_000_000, 12);
    }
}

#[test]
fn a_planted_click_is_heard() {
    let mut listener = Listener::default();
    let tone: Vec<f32> = (0..1280).map(sample).collect();
    let mut blocks = tone.chunks(FRAMES);
    // Out of nothing, a tone begins with a click of its own.
    blocks.by_ref().take(1).for_each(|block| listener.hear([block, block]));
    listener.worst = 0.0;
    blocks.for_each(|block| listener.hear([block, block]));
    assert!((1.0..CLICK).contains(&listener.worst), "{}", listener.worst);
    // A mute at a zero crossing, between two blocks.
    listener.hear([&[0.0; FRAMES]; 2]);
    assert!(listener.worst > CLICK, "{}", listener.worst);
}

fn soak(callbacks: usize, seed: u64) {
    let (controller, processor, mut disk) = engine(EngineConfig::at(RATE), open).unwrap();
    let (tap, mut feed) = capture(CaptureConfig::at(RATE, 2)).unwrap();
    let mut hand = Hand::new(controller, seed);
    let mut stage = Stage::new(processor, tap, seed);
    let mut shelf = Shelf::default();
    for callback in 0..callbacks {
        hand.turn(&mut disk);
        stage.callback(callback);
        if callback % 64 == 0 {
            feed.step(&mut shelf);
        }
    }
    assert!(stage.listener.worst < CLICK, "a click of {}", stage.listener.worst);
    assert!(stage.heard > callbacks / 4, "only {} callbacks had sound", stage.heard);
    assert!(hand.readings > callbacks / 100, "only {} meter readings", hand.readings);
    come_home(hand, stage, &mut disk, feed, shelf);
}

/// In the end one program is away, everything was recorded, and nothing went wrong.
fn come_home(mut hand: Hand, mut stage: Stage, disk: &mut Disk, mut feed: Feed, mut shelf: Shelf) {
    hand.controller.audition(None).unwrap();
    for callback in 0..200 {
        while disk.step() == Worked::Yes {}
        hand.controller.pump();
        stage.callback(callback);
    }
    assert_eq!(hand.controller.away(), 1);
    let trouble = hand.controller.trouble();
    assert_eq!((trouble.nonfinite, trouble.unknown, trouble.delayed_returns), (0, 0, 0));
    let Stage { tap, pushed, .. } = stage;
    assert_eq!(tap.lost(), Frames(0));
    drop(tap);
    feed.finish(&mut shelf);
    assert_eq!((shelf.samples, shelf.sum), (pushed.samples, pushed.sum));
    assert!(shelf.passes > 10 && shelf.passes == shelf.ended);
}

/// Samples, and a sum that knows their order.
#[derive(Default)]
struct Shelf {
    samples: u64,
    sum: u64,
    passes: u64,
    ended: u64,
}

impl Shelf {
    fn add(&mut self, sample: f32) {
        self.samples += 1;
        self.sum = (self.sum ^ u64::from(sample.to_bits())).wrapping_mul(0x0100_0000_01B3);
    }
}

impl CaptureSink for Shelf {
    fn begin(&mut self, _at: Frames) {
        self.passes += 1;
    }
    fn write(&mut self, frames: &[f32]) {
        frames.iter().for_each(|sample| self.add(*sample));
    }
    fn end(&mut self) {
        self.ended += 1;
    }
    fn lost(&mut self, frames: Frames) {
        panic!("{frames:?} were lost");
    }
}

/// Measures the smoothness of the sound, across blocks.
#[derive(Default)]
struct Listener {
    /// The last two samples of each side.
    last: [[f32; 2]; 2],
    worst: f64,
}

impl Listener {
    fn hear(&mut self, sides: [&[f32]; 2]) {
        let probe: [f32; 18] = std::array::from_fn(|n| sample(Frames::from_index(n).0));
        for (last, side) in self.last.iter_mut().zip(sides) {
            let mut audio = [0f32; FRAMES + 2];
            let length = side.len() + 2;
            audio[..2].copy_from_slice(last);
            audio[2..length].copy_from_slice(side);
            self.worst = self.worst.max(click_score(&audio[..length], &probe));
            last.copy_from_slice(&audio[length - 2..length]);
        }
    }
}

/// The leader of the transport.
#[derive(Clone, Copy, PartialEq)]
enum Lead {
    Own,
    Host { at: i64, moves: bool, wrap: Option<(i64, i64)> },
}

/// The audio thread's part.
struct Stage {
    processor: Processor,
    tap: Tap,
    dice: Dice,
    lead: Lead,
    left: [f32; FRAMES],
    right: [f32; FRAMES],
    listener: Listener,
    pushed: Shelf,
    /// Timeline frame of the recording.
    recorded: i64,
    /// Callbacks with sound.
    heard: usize,
}

impl Stage {
    fn new(processor: Processor, tap: Tap, seed: u64) -> Self {
        let (left, right) = ([0.0; FRAMES], [0.0; FRAMES]);
        let (listener, pushed) = (Listener::default(), Shelf::default());
        let (dice, lead) = (Dice(seed + 100), Lead::Own);
        Self { processor, tap, dice, lead, left, right, listener, pushed, recorded: 0, heard: 0 }
    }

    fn callback(&mut self, number: usize) {
        self.host_acts();
        let frames = self.dice.pick(&[FRAMES, FRAMES, FRAMES, FRAMES, 33, 17, 1, 0]);
        let pauses = self.dice.throw(1000) == 0;
        let at = Frames(self.recorded);
        let Self { processor, tap, lead, left, right, .. } = self;
        let (left, right) = (&mut left[..frames], &mut right[..frames]);
        let mut kept = Pushed::Lost;
        let found = watch(|| {
            match *lead {
                Lead::Own => processor.process([&mut *left, &mut *right]),
                Lead::Host { at, moves, .. } => {
                    let clock = HostClock { at: Frames(at), moves };
                    processor.process_following([&mut *left, &mut *right], clock);
                }
            }
            kept = tap.push(&[left, right], at, MayWait::Never);
            if pauses {
                tap.pause();
            }
        });
        assert!(found.is_clean(BUDGET), "callback {number}: {found:?}");
        assert_eq!(kept, Pushed::Kept);
        self.after(frames);
    }

    /// What a host's transport does between two blocks.
    fn host_acts(&mut self) {
        if self.dice.throw(3000) == 0 {
            let host = Lead::Host { at: self.dice.frames(200_000).0, moves: true, wrap: None };
            self.lead = if self.lead == Lead::Own { host } else { Lead::Own };
        }
        let Lead::Host { at, moves, wrap } = &mut self.lead else {
            return;
        };
        match self.dice.throw(400) {
            0 => *at = self.dice.frames(200_000).0,
            1 => *moves = !*moves,
            2 => *wrap = wrap.is_none().then_some((*at, *at + 6400)),
            _ => {}
        }
        if let Some((from, _)) = wrap.filter(|(_, to)| *at >= *to) {
            *at = from;
        }
    }

    fn after(&mut self, frames: usize) {
        let sides = [&self.left[..frames], &self.right[..frames]];
        self.listener.hear(sides);
        for (left, right) in sides[0].iter().zip(sides[1]) {
            self.pushed.add(*left);
            self.pushed.add(*right);
        }
        self.heard += usize::from(sides[0].iter().any(|sample| sample.abs() > 0.0));
        let length = Frames::from_index(frames).0;
        self.recorded += length + if self.dice.throw(2000) == 0 { 1000 } else { 0 };
        if let Lead::Host { at, moves: true, .. } = &mut self.lead {
            *at += length;
        }
    }
}

/// One state of the session, or of a plan for it.
#[derive(Clone, Copy)]
struct Take {
    /// Where in its period the tone begins.
    phase: i64,
    gain: f64,
    pan: f64,
    /// Where it is cut, and goes on with another phase.
    cut: Option<i64>,
    tracks: u64,
}

impl Take {
    fn change(&mut self, dice: &mut Dice) {
        match dice.throw(6) {
            0 => self.phase = dice.frames(16).0,
            1 => self.gain = -(dice.throw(30) as f64),
            2 => self.pan = dice.throw(21) as f64 / 10.0 - 1.0,
            3 => self.cut = Some(1000 + dice.frames(200_000).0),
            4 => self.cut = None,
            _ => self.tracks = dice.pick(&[1, 1, 2, 2, 0]),
        }
    }

    /// A track has the tone once; two have it at half the level each. At this level no pan makes it louder
    /// than the probe.
    fn schedule(&self) -> Schedule {
        let share = if self.tracks == 2 { -6.03 } else { 0.0 };
        let gain = Decibels(self.gain + share - 3.02);
        let level = Level { gain, pan: self.pan, audible: Audible::Yes };
        let strips = (0..self.tracks)
            .map(|track| Strip::new(StripKey(track), level, Output::Master, self.voices(track)));
        Schedule::new(RATE, Level::UNITY, strips.collect()).unwrap()
    }

    fn voices(&self, track: u64) -> Vec<Voice> {
        let end = self.cut.unwrap_or(END);
        let mut voices = vec![clip(10 * track, 0, end, self.phase)];
        if let Some(cut) = self.cut {
            voices.push(clip(10 * track + 1, cut, END - cut, self.phase + 7));
        }
        voices
    }
}

fn clip(key: u64, position: i64, length: i64, phase: i64) -> Voice {
    let fade = Fade { length: Frames(240), ..Fade::default() };
    let envelope = ClipEnvelope {
        gain: Decibels::UNITY,
        polarity: Polarity::Normal,
        fade_in: fade,
        fade_out: fade,
        length: Frames(length),
    };
    Voice {
        key: VoiceKey(key),
        source: SourceKey(0),
        source_start: Frames(position + phase),
        position: Frames(position),
        envelope,
        volume: Arc::default(),
    }
}

/// The message thread's part.
struct Hand {
    controller: Controller,
    dice: Dice,
    current: Take,
    plan: Option<Take>,
    readings: usize,
}

impl Hand {
    fn new(controller: Controller, seed: u64) -> Self {
        let current = Take { phase: 0, gain: 0.0, pan: 0.0, cut: None, tracks: 1 };
        let mut hand = Self { controller, dice: Dice(seed), current, plan: None, readings: 0 };
        hand.controller.apply(current.schedule()).unwrap();
        hand.controller.play().unwrap();
        hand
    }

    fn turn(&mut self, disk: &mut Disk) {
        if self.dice.throw(30) == 0 {
            self.act();
        }
        if self.dice.throw(3) == 0 {
            while disk.step() == Worked::Yes {}
        }
        self.controller.pump();
        let readings = &mut self.readings;
        self.controller.meters(&mut |reading| {
            assert!(reading.true_peak[0] >= reading.peak[0] && reading.momentary < 0.0);
            *readings += 1;
        });
    }

    fn act(&mut self) {
        match self.dice.throw(16) {
            0..=3 => self.edit(),
            4..=6 => self.make_plan(),
            7..=9 => self.listen(),
            10 => {
                self.plan = None;
                self.controller.audition(None).unwrap();
            }
            11 => {
                let at = self.dice.frames(300_000);
                self.controller.seek(at).unwrap();
            }
            12 => self.set_loop(),
            13 => self.controller.stop().unwrap(),
            14 => self.controller.reset_meters().unwrap(),
            _ => self.controller.play().unwrap(),
        }
    }

    /// A frame near the playhead, before or after it, or at once.
    fn soon(&mut self) -> Option<Frames> {
        let near = self.controller.position().at + self.dice.frames(2000) - Frames(200);
        (self.dice.throw(2) == 0 && near >= Frames::ZERO).then_some(near)
    }

    fn edit(&mut self) {
        self.current.change(&mut self.dice);
        self.controller.apply(self.current.schedule()).unwrap();
    }

    fn make_plan(&mut self) {
        let mut plan = self.plan.unwrap_or(self.current);
        plan.change(&mut self.dice);
        self.plan = Some(plan);
        self.controller.audition(Some(plan.schedule())).unwrap();
    }

    fn listen(&mut self) {
        let gain = Decibels(-(self.dice.throw(12) as f64));
        let other = self.dice.throw(3) > 0 && self.plan.is_some();
        let at = self.soon();
        let side = if other { Side::Other { gain } } else { Side::Current };
        self.controller.listen(side, at).unwrap();
    }

    fn set_loop(&mut self) {
        let start = self.dice.frames(200_000);
        let range = start..start + Frames(2400) + self.dice.frames(20_000);
        let range = (self.dice.throw(2) == 0).then_some(range);
        self.controller.set_loop(range).unwrap();
    }
}

/// The tone that everything is made of: one period is 16 samples.
fn sample(at: i64) -> f32 {
    let angle = at.rem_euclid(16) as f32 * std::f32::consts::FRAC_PI_8;
    0.25 * angle.sin()
}

fn open(_: SourceKey) -> Result<Box<dyn FrameReader>, ReadError> {
    Ok(Box::new(Tone))
}

struct Tone;

impl FrameReader for Tone {
    fn channels(&self) -> usize {
        2
    }
    fn frames(&self) -> Frames {
        Frames(2 * END)
    }
    fn rate(&self) -> SampleRate {
        RATE
    }
    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let period: [f32; 16] = std::array::from_fn(|n| sample(Frames::from_index(n).0));
        let start = usize::try_from(at.0.rem_euclid(16)).unwrap();
        for side in out.iter_mut() {
            for (sample, value) in side.iter_mut().zip(period.iter().cycle().skip(start)) {
                *sample = *value;
            }
        }
        Ok(out.first().map_or(0, |side| side.len()))
    }
}

//! One of the programs that run side by side, with the one before it and the next one.
//!
//! Thread: audio

use crate::inserts::{Setting, lead_in};
use crate::message::Cargo;
use crate::meter::Meters;
use crate::mix::{self, Feed, Span};
use crate::program::{Program, Scratch};
use crate::stereo::Sound;
use crate::stream::StreamFeed;
use deskhand_dsp::effects::Pace;
use deskhand_dsp::{Frames, GainRamp};

/// A place for a program: empty, or playing one. Another program may replace it with a crossfade.
pub(super) struct Deck {
    pub(super) current: Option<Box<Cargo>>,
    /// The program before, while it fades out, and until it can go home.
    pub(super) leaving: Option<Box<Cargo>>,
    /// How much of `leaving` is heard, by the clock.
    crossfade: GainRamp,
    /// The next program, until its streams are there.
    pub(super) arriving: Option<Arriving>,
}

pub(super) struct Arriving {
    pub(super) cargo: Box<Cargo>,
    /// The clock when it, or one that it replaced, arrived.
    pub(super) since: i64,
}

impl Deck {
    pub(super) fn new(current: Option<Box<Cargo>>) -> Self {
        Self { current, leaving: None, crossfade: GainRamp::constant(0.0), arriving: None }
    }

    /// Whether there is no program, nor one to come.
    pub(super) fn is_empty(&self) -> bool {
        self.current.is_none() && self.arriving.is_none() && self.leaving.is_none()
    }

    pub(super) fn program(&self) -> Option<&Program> {
        self.current.as_ref().map(|cargo| &cargo.program)
    }

    /// The number of the newest program.
    pub(super) fn generation(&self) -> u32 {
        let arriving = self.arriving.as_ref().map(|arriving| &arriving.cargo);
        arriving.or(self.current.as_ref()).map_or(0, |cargo| cargo.generation)
    }

    /// Takes the next program. A program that was still waiting is returned unplayed.
    pub(super) fn receive(&mut self, cargo: Box<Cargo>, clock: i64) -> Option<Box<Cargo>> {
        let before = self.arriving.take();
        // Whatever comes how often: something is played when the patience is over.
        let since = before.as_ref().map_or(clock, |before| before.since);
        self.arriving = Some(Arriving { cargo, since });
        before.map(|before| before.cargo)
    }

    /// Begins the next program with a crossfade of `length` frames.
    pub(super) fn install(&mut self, clock: i64, length: i64) {
        let Some(arriving) = self.arriving.take() else {
            return;
        };
        self.leaving = self.current.replace(arriving.cargo);
        if let (Some(current), Some(before)) = (&mut self.current, &self.leaving) {
            current.rack.adopt(&before.rack);
        }
        let (start, length) = (Frames(clock), Frames(length));
        self.crossfade = GainRamp { from: 1.0, to: 0.0, start, length };
    }

    /// The program before, when it is not heard any more.
    pub(super) fn left(&mut self, clock: i64) -> Option<Box<Cargo>> {
        if self.crossfade.end().0 > clock {
            return None;
        }
        self.leaving.take()
    }

    /// One program after the other, to send all home.
    pub(super) fn empty(&mut self) -> Option<Box<Cargo>> {
        let arriving = self.arriving.take().map(|arriving| arriving.cargo);
        arriving.or_else(|| self.leaving.take()).or_else(|| self.current.take())
    }

    /// Moves a fader in `length` frames; whether there is one in `slot`.
    pub(super) fn set(
        &mut self,
        slot: usize,
        amplitudes: [f32; 2],
        clock: i64,
        length: i64,
    ) -> bool {
        let current = self.current.as_mut().map(|cargo| &mut cargo.program);
        let is_there = current.is_some_and(|it| move_fader(it, slot, amplitudes, clock, length));
        let next = self.arriving.as_mut().map(|arriving| &mut arriving.cargo.program);
        let will_be = next.is_some_and(|it| move_fader(it, slot, amplitudes, clock, 0));
        is_there || will_be
    }

    /// Sets a processor; whether there is one.
    pub(super) fn adjust(&mut self, setting: &Setting, pace: Pace) -> bool {
        let current = self.current.as_mut().map(|cargo| &mut cargo.rack);
        let is_there = current.is_some_and(|rack| rack.set(setting, pace));
        let next = self.arriving.as_mut().map(|arriving| &mut arriving.cargo.rack);
        let will_be = next.is_some_and(|rack| rack.set(setting, Pace::AtOnce));
        is_there || will_be
    }

    /// The longest lead of the programs over the playhead, in frames.
    pub(super) fn lead(&self) -> i64 {
        let arriving = self.arriving.as_ref().map(|arriving| &arriving.cargo);
        let all = [self.current.as_ref(), self.leaving.as_ref(), arriving];
        all.into_iter().flatten().map(|cargo| cargo.rack.lead()).max().unwrap_or(0)
    }

    /// Renders the program, and the leaving one while it is heard; how many frames were missing.
    pub(super) fn render(
        &mut self,
        scratch: &mut Scratch,
        span: Span,
        feed: &mut StreamFeed<'_>,
        meters: &mut Meters<'_>,
    ) -> u64 {
        let before = feed.missing;
        render(self.current.as_mut(), scratch, span, feed, meters);
        let missing = feed.missing - before;
        render(self.leaving.as_mut(), scratch, span, feed, &mut Meters::Nowhere);
        missing
    }

    /// Writes the rendered audio to `out`, with the crossfade.
    pub(super) fn deliver(&self, out: [&mut [f32]; 2], clock: i64) {
        let frames = out.first().map_or(0, |side| side.len());
        let new = master(self.current.as_deref(), frames);
        let old = master(self.leaving.as_deref(), frames);
        for (index, side) in out.into_iter().enumerate() {
            match new.and_then(|sides| sides.get(index).copied()) {
                Some(new) => side.copy_from_slice(new),
                None => side.fill(0.0),
            }
            if self.leaving.is_some() {
                let old = old.and_then(|sides| sides.get(index).copied());
                blend(side, old.unwrap_or_default(), &self.crossfade, clock);
            }
        }
    }
}

fn render(
    cargo: Option<&mut Box<Cargo>>,
    scratch: &mut Scratch,
    span: Span,
    feed: &mut impl Feed,
    meters: &mut Meters<'_>,
) {
    let Some(cargo) = cargo else { return };
    let Cargo { program, rack, .. } = &mut **cargo;
    if rack.must_lead_in(&span.roll) {
        for span in lead_in(span, rack.lead(), scratch.block()) {
            mix::render(program, rack, scratch, span, feed, &mut Meters::Nowhere);
        }
    }
    mix::render(program, rack, scratch, span, feed, meters);
    rack.stands_at(span.roll.epoch, span.roll.ran + Frames::from_index(span.frames).0);
}

/// The content of the master's buffer; `None` for silence.
fn master(cargo: Option<&Cargo>, frames: usize) -> Option<[&[f32]; 2]> {
    let master = cargo?.program.strips.last()?;
    (master.buffer.sound() == Sound::Heard).then(|| master.buffer.read(frames))
}

/// Lets the fader in `slot` travel for `length` frames; whether there is one.
fn move_fader(
    program: &mut Program,
    slot: usize,
    amplitudes: [f32; 2],
    clock: i64,
    length: i64,
) -> bool {
    let place = program.strip_of_slot.get(slot);
    let Some(strip) = place.and_then(|place| program.strips.get_mut(*place)) else {
        return false;
    };
    let (start, length) = (Frames(clock), Frames(length));
    for (ramp, to) in strip.ramps.iter_mut().zip(amplitudes) {
        *ramp = GainRamp { from: ramp.value(start), to, start, length };
    }
    true
}

/// Moves `side` towards `old` by the crossfade's factor. Where both have the same bits nothing
/// changes, so voices that are in both programs play on untouched.
fn blend(side: &mut [f32], old: &[f32], crossfade: &GainRamp, clock: i64) {
    let olds = old.iter().copied().chain(std::iter::repeat(0.0));
    for ((n, new), old) in (clock..).zip(side).zip(olds) {
        *new += (old - *new) * crossfade.value(Frames(n));
    }
}

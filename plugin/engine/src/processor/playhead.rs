//! Start, stop, locate and loop, each after a fade.
//!
//! Thread: audio

mod follow;

use crate::message::Transport;
use crate::roll::{Cycle, Roll};
use crate::shared::Motion;
use deskhand_dsp::{Frames, GainRamp};
use follow::Wrap;

/// A frame after the end of a loop counts only within this many frames: a few tenths of a second at any
/// rate.
const NEAR: i64 = 96_000;

/// The current and the requested position of the engine.
#[derive(Debug)]
pub(super) struct Playhead {
    pub(super) roll: Roll,
    state: State,
    wish: Wish,
    /// Level of everything that is heard, by the clock.
    level: GainRamp,
    lead: Lead,
    /// The last jump of a host while it played.
    wrap: Option<Wrap>,
}

/// Who decides where the playhead is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// The Controller: a start waits for streams.
    Own,
    /// A host: its clock waits for nobody, so the run goes on silently until there are streams.
    Host,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Stopped,
    /// Waits for streams since this clock frame.
    Starting {
        since: i64,
    },
    Playing,
    /// Fades out until this clock frame, then does as wished.
    Leaving {
        until: i64,
    },
}

/// What the last messages asked for.
#[derive(Clone, Copy, Debug)]
struct Wish {
    play: Play,
    /// Timeline frame to go to; `None` continues from here.
    at: Option<i64>,
    cycle: Option<Cycle>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Play {
    Go,
    Halt,
}

impl Default for Playhead {
    fn default() -> Self {
        Self {
            roll: Roll::default(),
            state: State::Stopped,
            wish: Wish { play: Play::Halt, at: None, cycle: None },
            level: GainRamp::constant(0.0),
            lead: Lead::Own,
            wrap: None,
        }
    }
}

impl Playhead {
    /// Whether anything can be heard.
    pub(super) fn moves(&self) -> bool {
        matches!(self.state, State::Playing | State::Leaving { .. })
    }

    /// Whether frames run, heard or not.
    pub(super) fn runs(&self) -> bool {
        self.moves() || self.chases()
    }

    /// Whether the run follows a host's clock and waits for streams.
    fn chases(&self) -> bool {
        self.lead == Lead::Host && matches!(self.state, State::Starting { .. })
    }

    pub(super) fn motion(&self) -> Motion {
        match self.state {
            State::Stopped => Motion::Stopped,
            State::Starting { .. } => Motion::Starting,
            State::Playing | State::Leaving { .. } => Motion::Playing,
        }
    }

    /// Frames until the state or the timeline jumps.
    pub(super) fn until_event(&self, clock: i64) -> i64 {
        let left = match self.state {
            State::Leaving { until } => until - clock,
            State::Stopped | State::Starting { .. } | State::Playing => i64::MAX,
        };
        if self.runs() { left.min(self.roll.until_jump(self.roll.ran)) } else { left }
    }

    /// Frames to play until timeline frame `at` is due, wherever the timeline goes meanwhile. A frame after
    /// the end of a loop counts as if there was no loop, if it is near.
    pub(super) fn left_until(&self, at: i64) -> i64 {
        let ran = self.roll.ran;
        let left = at.saturating_sub(self.roll.position(ran));
        match self.roll.next_in(at, at.saturating_add(1), ran, i64::MAX) {
            _ if !self.moves() => 0,
            Some(next) => next - ran,
            None if (0..=NEAR).contains(&left) => left,
            None => 0,
        }
    }

    /// Takes a message. If something is heard, the request takes effect after a fade. While a host leads,
    /// nobody else moves the playhead.
    pub(super) fn take(&mut self, message: Transport, clock: i64, declick: i64) {
        if self.lead == Lead::Host {
            return;
        }
        match message {
            Transport::Play => self.wish.play = Play::Go,
            Transport::Stop => self.wish.play = Play::Halt,
            Transport::Seek(at) => self.wish.at = Some(at),
            Transport::Loop(cycle) => {
                self.wish.cycle = cycle;
                // A locate to the same place makes the disk thread read along the new loop.
                self.wish.at.get_or_insert(self.roll.position(self.roll.ran));
            }
        }
        let keeps_on = self.wish.play == Play::Go && self.wish.at.is_none();
        match self.state {
            State::Playing if keeps_on => {}
            State::Playing => {
                self.fade_to(0.0, clock, declick);
                self.state = State::Leaving { until: clock + declick };
            }
            // The end of the fade looks at the wish.
            State::Leaving { .. } => {}
            State::Stopped | State::Starting { .. } => self.fulfil(clock),
        }
    }

    /// Ends a fade-out that is over.
    pub(super) fn settle(&mut self, clock: i64) {
        if matches!(self.state, State::Leaving { until } if clock >= until) {
            self.state = State::Stopped;
            self.fulfil(clock);
        }
    }

    /// Moves to the requested position; the output is silent now.
    fn fulfil(&mut self, clock: i64) {
        if let Some(at) = self.wish.at.take() {
            let epoch = self.roll.epoch.wrapping_add(1);
            self.roll = Roll { epoch, start: at, cycle: self.wish.cycle, ran: 0 };
        }
        self.state = match (self.wish.play, self.state) {
            (Play::Halt, _) => State::Stopped,
            (Play::Go, State::Starting { since }) => State::Starting { since },
            (Play::Go, _) => State::Starting { since: clock },
        };
    }

    /// Starts if `ready`, or if it has waited for `patience` frames.
    pub(super) fn start(&mut self, clock: i64, ready: bool, patience: i64, declick: i64) {
        if let State::Starting { since } = self.state
            && (ready || clock - since >= patience)
        {
            self.state = State::Playing;
            self.level = GainRamp::constant(0.0);
            self.fade_to(1.0, clock, declick);
        }
    }

    /// Starts at full level if it was about to start.
    pub(super) fn start_at_once(&mut self, clock: i64) {
        self.start(clock, true, 0, 0);
    }

    fn fade_to(&mut self, to: f32, clock: i64, declick: i64) {
        let from = self.level.value(Frames(clock));
        self.level = GainRamp { from, to, start: Frames(clock), length: Frames(declick) };
    }

    /// Applies the fades around starts, stops and jumps to one side of a block that begins at
    /// `clock` and at the roll's current frame.
    pub(super) fn shape(&self, side: &mut [f32], clock: i64, declick: i64) {
        self.level.apply(Frames(clock), side);
        let frames = Frames::from_index(side.len()).0;
        let ran = self.roll.ran;
        let near = self.roll.distance_to_jump(ran).min(self.roll.distance_to_jump(ran + frames));
        // No jump is inside a block, so the nearest frame to one is its first or its last.
        if near >= declick {
            return;
        }
        for (ran, sample) in (ran..).zip(side) {
            let distance = self.roll.distance_to_jump(ran).min(declick);
            *sample *= distance as f32 / declick as f32;
        }
    }
}

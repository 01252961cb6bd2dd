//! What an instance tells the hub of its host: gains, names, the transport, what was recorded.
//!
//! Thread: hub's link

use super::{SAME, SeatState, Stage};
use crate::capturing::Capturing;
use crate::shared::{HostTrack, Pass, Seated, Shared, Standing};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::Op;
use std::time::{Duration, Instant};

/// A gain of the host that has stood this long is told.
const SETTLED: Duration = Duration::from_millis(300);
/// How often a gain of the host that goes on moving is told.
const RIDE: Duration = Duration::from_millis(500);
/// How often a moving transport is told.
const CLOCK: Duration = Duration::from_millis(200);
/// A host that follows a clock from outside has a tempo that trembles so far, in quarter notes a minute.
const JITTER: f64 = 1.0;
/// Where no sound runs for this long, a desk gain that waits is taken here.
const LATE: Duration = Duration::from_secs(1);

impl SeatState {
    /// Tells what changed in the host since the last time.
    pub(in crate::hub) fn tell(&mut self, rate: Option<u32>) {
        self.take_late();
        if self.is_joined() {
            self.tell_gain();
            self.tell_plays();
            self.tell_switches();
            self.look_at_capture();
            self.tell_track();
            self.tell_clock(rate);
            self.tell_tempo();
            self.tell_passes(rate);
            self.tell_capturing();
            self.ask_for_room();
            self.tell_fault();
        }
    }

    /// What no clip plays may go: the next pass finds room then.
    fn ask_for_room(&self) {
        if let Some(held_bytes) = self.shared.take_want_of_room() {
            self.submit(Op::MakeRoom { most_bytes: Capturing::now().most_bytes(), held_bytes });
        }
    }

    /// What failed here and concerns everybody is told once.
    fn tell_fault(&mut self) {
        let fault = self.shared.faults.latest();
        if std::mem::replace(&mut self.told_fault, fault) == fault {
            return;
        }
        if let Some(fault) = fault.filter(|fault| fault.concerns_all()) {
            self.submit(Op::Trouble { message: fault.message().into() });
        }
    }

    /// Where no sound runs the audio thread takes nothing.
    fn take_late(&mut self) {
        let blocks = self.shared.clock.place().blocks;
        if blocks != self.heartbeat.0 {
            self.heartbeat = (blocks, Instant::now());
        } else if self.heartbeat.1.elapsed() > LATE {
            self.shared.coming.take(&self.shared.gains);
        }
    }

    fn tell_gain(&mut self) {
        let Stage::Joined { gain } = self.stage else { return };
        let loads = self.shared.saved.loads();
        if std::mem::replace(&mut self.loads, loads) != loads {
            // The trim that came with a state is no move of the host's: the session's gain stays.
            self.settle_gains(None);
            // Folded it would be a move of Deskhand's in the host's undo, which may be what loaded the state.
            let Shared { gains, coming, fold, .. } = &*self.shared;
            fold.leave(coming.waiting().map_or(gains.pair().desk, |(desk, _)| desk));
        }
        let sum = self.shared.gains.pair().sum();
        if (sum - self.sum.0).abs() > SAME / 4.0 {
            self.sum = (sum, Instant::now());
        }
        let is_ours = self.shared.gains.is_folding() || self.shared.coming.is_waiting();
        if (sum - gain).abs() <= SAME || is_ours {
            self.moved_since = None;
            return;
        }
        let moved_since = *self.moved_since.get_or_insert_with(Instant::now);
        if self.sum.1.elapsed() > SETTLED || moved_since.elapsed() > RIDE {
            self.submit(Op::HostGain { gain: Decibels(f64::from(sum)).rounded() });
            self.stage = Stage::Joined { gain: sum };
            self.moved_since = None;
        }
    }

    /// Whether what comes in is recorded is looked at here: the audio thread sees the outcome.
    fn look_at_capture(&mut self) {
        let is_armed = self.shared.saved.is_armed();
        // A pass is one or the other.
        let is_turned = std::mem::replace(&mut self.is_armed, is_armed) != is_armed;
        let is_wanted = is_armed || Capturing::now().rolls;
        self.shared.set_records(is_wanted && !is_turned);
    }

    /// Where the output is the session, cuts are heard too.
    fn tell_plays(&mut self) {
        let plays = self.shared.plays();
        if plays != self.told_plays {
            self.submit(Op::Player { ready: plays });
            self.told_plays = plays;
        }
    }

    /// What is measured of a track lies ahead of them. They are told before a pass is that was played with them.
    fn tell_switches(&mut self) {
        let switches = self.shared.switches();
        if switches != self.told_switches {
            self.submit(Op::Switches { switches });
            self.told_switches = switches;
        }
    }

    /// What is recorded now is in the session once the pass ends.
    fn tell_capturing(&mut self) {
        let on = self.shared.captures();
        let is_off = !self.shared.saved.is_armed() && !Capturing::now().rolls;
        if std::mem::replace(&mut self.told_captures, (on, is_off)) != (on, is_off) {
            self.submit(Op::Capturing { on, is_off });
        }
    }

    fn tell_track(&mut self) {
        let track = self.shared.host_track();
        if track != self.told_track {
            let HostTrack { name, color } = track.clone();
            self.submit(Op::HostName { name, color });
            self.told_track = track;
        }
    }

    /// A tempo that moves while the host plays is a map, which the host keeps to itself: told is the one at which it
    /// stands, and at first the one there is, for some hosts run no sound while they stand.
    fn tell_tempo(&mut self) {
        let now = self.shared.clock.tempo();
        if now != self.tempo.0 {
            self.tempo = (now, Instant::now());
        }
        let is_due = self.tempo.1.elapsed() > SETTLED && self.told_tempo != now;
        let may_tell = self.told_tempo.is_none() || !self.shared.clock.place().moves;
        if let Some((bpm, meter)) = now.filter(|_| is_due && may_tell) {
            self.submit(Op::HostTempo { bpm, meter });
            self.told_tempo = now;
        }
    }

    /// The tempo that was told, where the host plays at another by now, quarter notes a minute.
    pub(in crate::hub) fn left_tempo(&self) -> Option<f64> {
        let ((told, _), (now, _)) = self.told_tempo.zip(self.shared.clock.tempo())?;
        let is_other = (now - told).abs() > JITTER && self.shared.clock.place().moves;
        Some(told).filter(|_| is_other && self.is_joined())
    }

    /// Tells what was recorded, once the session's rate is known.
    pub(in crate::hub) fn tell_passes(&self, rate: Option<u32>) {
        let Some(rate) = rate.filter(|_| self.is_joined()) else { return };
        let Standing::Joined(Seated { captures, .. }) = self.shared.standing() else { return };
        // Another was recorded for the session before, which finds it when it is opened.
        let is_of_this = |pass: &Pass| pass.file.starts_with(&captures);
        let passes = self.shared.take_passes().into_iter().filter(is_of_this);
        for Pass { file, at, rate: own, kind } in passes {
            let at = Frames((at as f64 * f64::from(rate) / f64::from(own)).round() as i64);
            let most_bytes = Some(Capturing::now().most_bytes());
            self.submit(Op::Captured { file, at, kind, most_bytes });
        }
    }

    fn tell_clock(&mut self, rate: Option<u32>) {
        let place = self.shared.clock.place();
        let (moved, told) = self.told_clock;
        let is_due = (place.moves && told.elapsed() > CLOCK) || place.moves != moved;
        if let Some(rate) = rate.filter(|_| is_due && place.rate > 0.0) {
            let at = (place.at as f64 * f64::from(rate) / f64::from(place.rate)).round() as i64;
            self.submit(Op::Clock { at: Frames(at), moves: place.moves });
            self.told_clock = (place.moves, Instant::now());
        }
    }
}

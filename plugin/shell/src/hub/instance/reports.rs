//! Reports of an instance about its host: gains, names, the transport, recordings.
//!
//! Thread: hub's link

use super::{SAME, SeatState, Stage};
use crate::capture::moved_into;
use crate::capturing::Capturing;
use crate::shared::{HostTrack, Pass, Standing};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::{Op, TempoStretch};
use std::time::{Duration, Instant};

/// How often a moving gain of the host is reported. The hub makes one step of a ride. The report must come
/// before decisions there, so it is soon.
const SOON: Duration = Duration::from_millis(100);
/// A tempo of the host is reported after it held this long.
const SETTLED: Duration = Duration::from_millis(300);
/// How often played tempi are reported.
const RIDE: Duration = Duration::from_millis(500);
/// How often a moving transport is reported.
const CLOCK: Duration = Duration::from_millis(200);
/// Where no sound runs for this long, a move of trim that waits is taken here.
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
            self.tell_tempo(rate);
            self.tell_played_tempi(rate);
            self.tell_passes(rate);
            self.tell_capturing();
            self.ask_for_room();
            self.tell_fault();
        }
    }

    /// Requests the removal of takes that no clip plays, to make room for the next pass.
    fn ask_for_room(&self) {
        if let Some(held_bytes) = self.shared.take_want_of_room() {
            self.submit(Op::MakeRoom { most_bytes: Capturing::now().most_bytes(), held_bytes });
        }
    }

    /// Reports a fault that concerns everybody, once.
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
            self.shared.steps.take(&self.shared.params);
        }
    }

    fn tell_gain(&mut self) {
        let Stage::Joined { gain } = self.stage else { return };
        // A trim that came with a state is a move of the host's as well.
        let trim = self.shared.params.trim();
        if (trim - gain).abs() <= SAME || self.shared.steps.is_waiting() {
            self.moved_since = None;
            // A state that came with the same trim moves nothing.
            let _ = self.shared.saved.take_loaded();
            return;
        }
        let moved_since = *self.moved_since.get_or_insert_with(Instant::now);
        if moved_since.elapsed() > SOON {
            let (gain, is_loaded) =
                (Decibels(f64::from(trim)).rounded(), self.shared.saved.take_loaded());
            self.submit(Op::HostGain { gain, is_loaded });
            self.stage = Stage::Joined { gain: trim };
            self.moved_since = None;
        }
    }

    /// Checks here whether the input is recorded: the audio thread sees the result.
    pub(in crate::hub) fn look_at_capture(&mut self) {
        let is_armed = self.shared.is_armed();
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

    /// Reports the switches. Measurements of a track are taken before the switches. The report comes before
    /// that of a recording that was played with them.
    fn tell_switches(&mut self) {
        let switches = self.shared.switches();
        if switches != self.told_switches {
            self.submit(Op::Switches { switches });
            self.told_switches = switches;
        }
    }

    /// Reports that a recording runs; it is in the session once it ends.
    fn tell_capturing(&mut self) {
        let on = self.shared.captures();
        let is_off = !self.shared.is_armed() && !Capturing::now().rolls;
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

    /// Reports the tempo of the stopped host, and the first tempo at once: some hosts run no sound while
    /// stopped.
    fn tell_tempo(&mut self, rate: Option<u32>) {
        let now = self.shared.clock.tempo();
        if now != self.tempo.0 {
            self.tempo = (now, Instant::now());
        }
        let place = self.shared.clock.place();
        let is_due = self.tempo.1.elapsed() > SETTLED && self.told_tempo != now;
        let may_tell = self.told_tempo.is_none() || !place.moves;
        let Some(at) = rate.and_then(|rate| session_frame(place.at, place.rate, rate)) else {
            return;
        };
        if let Some((bpm, meter)) = now.filter(|_| is_due && may_tell) {
            let stretches = vec![TempoStretch { from: at, to: at, bpm, meter }];
            self.submit(Op::HostTempo { stretches });
            self.told_tempo = now;
        }
    }

    /// Reports the tempi that were played, collected over a while.
    fn tell_played_tempi(&mut self, rate: Option<u32>) {
        let place = self.shared.clock.place();
        let Some(rate) = rate else { return };
        let frame = |at| session_frame(at, place.rate, rate);
        let came = self.shared.take_tempi().into_iter().filter_map(|it| {
            let (bpm, meter) = it.tempo;
            Some(TempoStretch { from: frame(it.from)?, to: frame(it.to)?, bpm, meter })
        });
        let (played, since) = &mut self.tempi;
        if played.is_empty() {
            *since = Instant::now();
        }
        played.extend(came);
        let is_due = !place.moves || since.elapsed() > RIDE;
        if !played.is_empty() && is_due {
            let stretches = std::mem::take(played);
            self.submit(Op::HostTempo { stretches });
        }
    }

    /// Reports recordings, once the session's rate is known.
    pub(in crate::hub) fn tell_passes(&self, rate: Option<u32>) {
        let Some(rate) = rate.filter(|_| self.is_joined()) else { return };
        let Standing::Joined(seated) = self.shared.standing() else { return };
        let id = &self.shared.id;
        let moved = |pass| match moved_into(pass, &seated, id) {
            Ok(pass) => Some(pass),
            Err(why) => {
                self.shared.set_capture_trouble(Some(format!("a pass was not kept: {why}")));
                None
            }
        };
        // Another was recorded for the session before, which finds it when it is opened.
        let is_of_this = |pass: &Pass| pass.file.starts_with(&seated.captures);
        let passes = self.shared.take_passes().into_iter().filter_map(moved).filter(is_of_this);
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
        let at = rate.and_then(|rate| session_frame(place.at, place.rate, rate));
        if let Some(at) = at.filter(|_| is_due) {
            self.submit(Op::Clock { at, moves: place.moves });
            self.told_clock = (place.moves, Instant::now());
        }
    }
}

/// A frame of a host that runs at `own` Hz in a session of `rate` Hz; `None` before the host was activated.
fn session_frame(at: i64, own: f32, rate: u32) -> Option<Frames> {
    (own > 0.0).then(|| Frames((at as f64 * f64::from(rate) / f64::from(own)).round() as i64))
}

//! The output mode "session": the instance's track of the session replaces the input.
//!
//! Thread: audio; where a host renders offline it waits

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use crate::after_block;
use crate::guard::{Entry, Faults};
use crate::port::AudioPort;
use crate::voice::{Voice, Wants};
use deskhand_dsp::Frames;
use deskhand_engine::HostClock;
use deskhand_engine::capture::MayWait;
use std::time::Duration;

/// The time of one wait for the engine when a host renders offline, and their number: ten seconds.
const LOOK: Duration = Duration::from_millis(1);
const LOOKS: u32 = 10_000;

/// Plays the session for one instance.
pub(crate) struct SessionOut {
    voice: Voice,
    waits: MayWait,
    /// Looks for the engine that are left. They are spent once: a session that never comes costs a bounce ten seconds.
    looks: u32,
    /// Whether no block was played yet.
    begins: bool,
}

impl SessionOut {
    pub(crate) fn new(port: AudioPort, rate: f32, waits: MayWait) -> Self {
        Self { voice: Voice::new(port, rate), waits, looks: LOOKS, begins: true }
    }

    /// Replaces the content of `channels` by the session, if it is wanted.
    pub(crate) fn run(
        &mut self,
        channels: &mut [&mut [f32]],
        wants: Wants,
        clock: HostClock,
        faults: &Faults,
    ) {
        let (waits, begins) = (self.waits, std::mem::replace(&mut self.begins, false));
        if waits == MayWait::Offline && wants == Wants::Engine && !self.wait_for_engine() {
            faults.note(Entry::Absent);
            after_block::fail();
            return channels.iter_mut().for_each(|side| side.fill(0.0));
        }
        if waits == MayWait::Offline && begins {
            self.voice.begin_at_full();
        }
        self.voice.run(channels, wants, |processor, out, from| {
            let clock = clock.later(Frames::from_index(from));
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Process);
            match waits {
                MayWait::Never => processor.process_following(out, clock),
                MayWait::Offline => {
                    // Audio that was not read within ten seconds is silent, and the window says so.
                    if processor.process_offline_following(out, clock).is_err() {
                        faults.note(Entry::Render);
                        after_block::fail();
                    }
                }
            }
        });
    }

    /// Waits for the engine. The hub's link makes it when it sees that the host started again. Returns
    /// false if that takes too long.
    fn wait_for_engine(&mut self) -> bool {
        while !self.voice.has_engine() {
            let Some(left) = self.looks.checked_sub(1) else { return false };
            self.looks = left;
            std::thread::park_timeout(LOOK);
        }
        true
    }
}

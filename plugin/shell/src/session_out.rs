//! The output mode "session": the instance's track of the session in place of what comes in.
//!
//! Thread: audio

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

use crate::guard::{Entry, Faults};
use crate::port::AudioPort;
use crate::voice::{Voice, Wants};
use deskhand_dsp::Frames;
use deskhand_engine::HostClock;
use deskhand_engine::capture::MayWait;

/// Plays the session for one instance.
pub(crate) struct SessionOut {
    voice: Voice,
    waits: MayWait,
}

impl SessionOut {
    pub(crate) fn new(port: AudioPort, rate: f32, waits: MayWait) -> Self {
        Self { voice: Voice::new(port, rate), waits }
    }

    /// Puts the session in the place of what is in `channels`, if it is wanted.
    pub(crate) fn run(
        &mut self,
        channels: &mut [&mut [f32]],
        wants: Wants,
        clock: HostClock,
        faults: &Faults,
    ) {
        let waits = self.waits;
        self.voice.run(channels, wants, |processor, out, from| {
            let clock = clock.later(Frames::from_index(from));
            #[cfg(feature = "plant")]
            crate::plant::trip(Entry::Process);
            match waits {
                MayWait::Never => processor.process_following(out, clock),
                MayWait::Offline => {
                    // What was not read within ten seconds is silent, and the window says so.
                    if processor.process_offline_following(out, clock).is_err() {
                        faults.note(Entry::Render);
                    }
                }
            }
        });
    }
}

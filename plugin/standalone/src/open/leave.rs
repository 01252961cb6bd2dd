//! Leaving a session: a thread releases its device, writes what was being recorded, and tells the hub.

use super::OpenSession;
use crate::desk::Desk;
use crate::recording::Recording;
use crossbeam_channel::{Receiver, TryRecvError};
use deskhand_protocol::{Event, News, Op};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How long a closing session waits until its recording is written, and until the hub has it.
const WRITTEN: Duration = Duration::from_secs(10);
const TAKEN_IN: Duration = Duration::from_secs(5);

impl OpenSession {
    /// Whether something that was recorded is not stored yet.
    #[must_use]
    pub fn has_to_store(&self) -> bool {
        self.takes.recording.is_on() || self.takes.recording.awaits_answer()
    }

    /// Opens no device until `before`, which is left, has let go of its own, or the one that it waits for of its.
    pub fn wait_for_sound_of(&mut self, before: &Self) {
        let awaited = before.before.as_ref().filter(|_| before.is_device_held());
        self.before = Some(awaited.unwrap_or(&before.let_go).clone());
    }

    /// Whether the session that was open before still has its device.
    pub(super) fn is_device_held(&self) -> bool {
        let before = self.before.as_ref().map(Receiver::try_recv);
        before == Some(Err(TryRecvError::Empty))
    }

    /// Ends it on a thread; this program must not end before. A device may take its time, and the recording
    /// is written there.
    #[must_use]
    pub fn leave(self) -> Option<JoinHandle<()>> {
        let end = move || {
            // All of it goes along, and ends here.
            let whole = self;
            let Self { takes, output, holds, wake, .. } = whole;
            drop((output, holds));
            wake();
            drop(takes);
            wake();
        };
        // Without a thread it was ended by now.
        Builder::new().name("leave".into()).spawn(end).ok()
    }
}

/// The recording, and the hub that learns of it.
pub(super) struct Takes {
    pub(super) desk: Desk,
    pub(super) recording: Recording,
}

impl Takes {
    /// Tells the hub of a recorded pass.
    pub(super) fn hand_in(&mut self, pass: Op) {
        let call = self.desk.submit(pass.clone());
        self.recording.handed_in(call, pass);
    }

    pub(super) fn heard(&mut self, event: &Event) {
        if let (News::Done { .. }, Some(call)) = (&event.news, event.call) {
            self.recording.answered(call);
        }
    }
}

impl Drop for Takes {
    /// Ends the recording and gives it to the hub: nobody loses a take by closing a window.
    fn drop(&mut self) {
        let passes = self.recording.finish(Instant::now() + WRITTEN);
        passes.into_iter().for_each(|pass| self.hand_in(pass));
        let until = Instant::now() + TAKEN_IN;
        while self.recording.awaits_answer() {
            let Some(event) = self.desk.wait(until) else { return };
            self.heard(&event);
        }
    }
}

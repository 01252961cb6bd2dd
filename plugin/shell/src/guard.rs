//! The wall between our panics and the host: a panic across the plugin interface would end the host.
//!
//! Thread: any

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};

/// An entry point for the host, or a task that must end in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Entry {
    /// The audio callback.
    Process = 1,
    /// Before audio starts.
    Activate = 2,
    /// State is read or written.
    State = 3,
    Window = 4,
    /// An instance comes or goes.
    Life = 5,
    /// The thread that talks with the hub.
    Hub = 6,
    /// Not a panic: an offline render for which the disk was not in time.
    Render = 7,
    /// Not a panic: an offline render to which the session did not come.
    Absent = 8,
    /// The host begins or ends a stretch of audio.
    Reset = 9,
    /// The thread that writes recordings.
    Capture = 10,
    /// Not a panic: an offline render in which the disk did not take all input.
    Late = 11,
    /// A loaded state is applied.
    Load = 12,
    /// What a host saves is gathered.
    Save = 13,
    /// The host makes an instance.
    Make = 14,
    /// The window gets another size or zoom, or its size is asked for.
    Size = 15,
}

impl Entry {
    pub const ALL: [Self; 15] = [
        Self::Process,
        Self::Activate,
        Self::State,
        Self::Window,
        Self::Life,
        Self::Hub,
        Self::Render,
        Self::Absent,
        Self::Reset,
        Self::Capture,
        Self::Late,
        Self::Load,
        Self::Save,
        Self::Make,
        Self::Size,
    ];

    /// What stopped, for the person.
    // tidy: table
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::Process => {
                "An error in Deskhand's processing: sound goes around it unchanged. \
                 Stop and start playback to try again, and report this"
            }
            Self::Activate => {
                "An error while Deskhand started: sound goes around it unchanged. \
                 Remove the plugin and insert it again, and report this"
            }
            Self::State | Self::Load | Self::Save => {
                "An error while the plugin's state was read or written: the state is as before. \
                 Save the project under another name, and report this"
            }
            Self::Window | Self::Size => {
                "An error in Deskhand's window. Sound is not touched. \
                 Close the window and open it again, and report this"
            }
            Self::Life | Self::Make => {
                "An error while an instance came or went. Sound is not touched"
            }
            Self::Hub => {
                "The link to the session stopped on an error. Sound is not touched. \
                 Close the window and open it again to reconnect, and report this"
            }
            Self::Render => {
                "The disk did not read the session in time: a part of what was rendered is silent. \
                 Render it again, from a faster disk if it stays so"
            }
            Self::Absent => {
                "The session did not come within 10 seconds: what was rendered is silent. \
                 Wait until this window shows the session, then render again"
            }
            Self::Capture => {
                "An error while the input was recorded: nothing is captured here any more. Sound is not touched. \
                 Close the project and open it again, and report this"
            }
            Self::Late => {
                "The disk did not take the input in time: a part of what was rendered is not captured. \
                 Check that the disk answers, then render again"
            }
            Self::Reset => {
                "An error while the host began or ended playback. Sound goes on as it was. \
                 Stop and start playback to try again, and report this"
            }
        }
    }
}

impl Entry {
    /// Whether everybody at the session is told. These faults mean that something is not recorded or not
    /// played, and nobody may have this instance's window open.
    #[must_use]
    pub fn concerns_all(self) -> bool {
        matches!(self, Self::Capture | Self::Late | Self::Render | Self::Absent)
    }
}

/// The last thing that failed, for the window to show.
#[derive(Debug, Default)]
pub struct Faults(AtomicU8);

impl Faults {
    /// Remembers a failure.
    pub fn note(&self, entry: Entry) {
        self.0.store(entry as u8, Ordering::Relaxed);
    }

    pub fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// What failed last.
    #[must_use]
    pub fn latest(&self) -> Option<Entry> {
        let latest = self.0.load(Ordering::Relaxed);
        Entry::ALL.into_iter().find(|entry| *entry as u8 == latest)
    }
}

/// Runs `body`; `None` if it panicked, which `faults` then notes.
pub fn caught<R>(entry: Entry, faults: &Faults, body: impl FnOnce() -> R) -> Option<R> {
    #[cfg(feature = "test-probes")]
    if crate::planted_faults::is_armed(entry) {
        // A panic allocates, which a real one may: the tests' allocation guard may not.
        return nice_plug::util::permit_alloc(|| held(entry, faults, body));
    }
    held(entry, faults, body)
}

fn held<R>(entry: Entry, faults: &Faults, body: impl FnOnce() -> R) -> Option<R> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => Some(result),
        Err(payload) => {
            // Dropping it could panic again, or free on the audio thread. It happens once.
            std::mem::forget(payload);
            faults.note(entry);
            None
        }
    }
}

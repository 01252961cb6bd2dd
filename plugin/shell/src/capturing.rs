//! The person's capture settings: one small file for all instances of this user.
//!
//! Thread: any but audio; the file is written by the dialer

use deskhand_protocol::helper;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

/// The shortest and the longest time of playback to keep, in minutes.
pub const MINUTES: [u32; 2] = [1, 240];
/// The least and the most that captured audio of a session may take, in GB.
pub const GIGABYTES: [u32; 2] = [1, 1_000];

/// How much of the input is kept. An armed recording is kept whole, whatever this says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Capturing {
    /// Whether the last minutes of whatever plays are kept.
    pub rolls: bool,
    pub minutes: u32,
    /// How much captured audio a session may hold, in GB.
    pub most_gb: u32,
}

impl Default for Capturing {
    fn default() -> Self {
        Self { rolls: true, minutes: 10, most_gb: 8 }
    }
}

static KNOWN: Mutex<Option<Capturing>> = Mutex::new(None);

impl Capturing {
    /// The current settings. They are read once; a change by another process applies from the next start.
    #[must_use]
    pub fn now() -> Self {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        *known.get_or_insert_with(|| {
            let text = file().and_then(|file| fs::read_to_string(file).ok());
            let read = text.and_then(|text| serde_json::from_str::<Self>(&text).ok());
            read.unwrap_or_default().inside()
        })
    }

    /// Holds from now on, in this process.
    pub(crate) fn hold(self) -> Self {
        let it = self.inside();
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(it);
        it
    }

    /// Keeps it for later.
    pub(crate) fn write(self) -> io::Result<()> {
        let Some(file) = file() else { return Ok(()) };
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let half = file.with_extension("new");
        fs::write(&half, serde_json::to_vec(&self)?)?;
        fs::rename(half, file)
    }

    /// How much captured audio a session may hold.
    #[must_use]
    pub fn most_bytes(self) -> u64 {
        #[cfg(feature = "test-probes")]
        if let Some(most) = crate::planted_faults::most_captured() {
            return most;
        }
        u64::from(self.most_gb) << 30
    }

    fn inside(self) -> Self {
        let [least, most] = MINUTES;
        let [small, large] = GIGABYTES;
        let (minutes, most_gb) =
            (self.minutes.clamp(least, most), self.most_gb.clamp(small, large));
        Self { minutes, most_gb, ..self }
    }
}

fn file() -> Option<PathBuf> {
    helper::data_folder().map(|data| data.join("capture.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_minutes_in_eight_gigabytes_are_kept_where_nobody_set_another_and_garbage_is_bounded() {
        let usual = Capturing { rolls: true, minutes: 10, most_gb: 8 };
        assert_eq!(Capturing::default(), usual);
        assert_eq!(serde_json::from_str::<Capturing>("{}").unwrap(), usual);
        let absurd = Capturing { rolls: false, minutes: 0, most_gb: u32::MAX }.inside();
        assert_eq!(absurd, Capturing { rolls: false, minutes: 1, most_gb: 1_000 });
    }
}

//! What the threads of one instance share.
//!
//! Thread: any. The audio thread touches only the atomics.

use crate::clock::{Coming, HostClock};
use crate::gains::Gains;
use crate::guard::Faults;
use crate::state::SavedField;
use deskhand_protocol::socket::SocketLink;
use deskhand_session::{Color, TrackId};
use nice_plug_egui::RepaintNotifier;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the host says of the track that the instance stands on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostTrack {
    /// Its name.
    pub name: Option<String>,
    /// Its color.
    pub color: Option<Color>,
}

/// How the instance stands with the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Standing {
    /// Nobody asked for a session yet.
    #[default]
    Alone,
    /// On the way.
    Coming,
    /// No session, and why.
    Failed {
        /// In words, with the way out.
        why: String,
    },
    /// It is a track.
    Joined(Seated),
}

/// The track an instance is.
#[derive(Clone, Debug, PartialEq)]
pub struct Seated {
    /// Which.
    pub track: TrackId,
    /// The session folder.
    pub dir: PathBuf,
    /// Where captured files go.
    pub captures: PathBuf,
    /// Hz of the session; none before it is known.
    pub rate: Option<u32>,
}

/// The window's own connection.
#[derive(Clone, Default)]
pub enum WindowLink {
    /// There is no window.
    #[default]
    Closed,
    /// There is a window, which waits for its connection.
    Wanted,
    /// It is on the way.
    Coming,
    /// It stands.
    Open(Arc<SocketLink>),
}

/// Everything that crosses between the threads of an instance.
pub struct Shared {
    /// Made anew with each instance.
    pub id: String,
    /// "CLAP" or "VST3".
    format: Mutex<&'static str>,
    /// Trim and desk gain.
    pub gains: Arc<Gains>,
    /// What failed.
    pub faults: Faults,
    /// What the project stores.
    pub saved: SavedField,
    /// Where the host is.
    pub clock: HostClock,
    /// A desk gain that waits for its frame.
    pub coming: Coming,
    /// Asks the window for a new picture.
    pub repaint: RepaintNotifier,
    host: Mutex<HostTrack>,
    standing: Mutex<Standing>,
    window: Mutex<WindowLink>,
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// A new instance's.
    #[must_use]
    pub fn new(gains: Arc<Gains>, saved: SavedField) -> Self {
        Self {
            id: format!("instance_{:016x}", RandomState::new().build_hasher().finish()),
            format: Mutex::new("CLAP"),
            gains,
            faults: Faults::default(),
            saved,
            clock: HostClock::default(),
            coming: Coming::default(),
            repaint: RepaintNotifier::new(),
            host: Mutex::default(),
            standing: Mutex::default(),
            window: Mutex::default(),
        }
    }

    /// The plugin format.
    #[must_use]
    pub fn format(&self) -> &'static str {
        *lock(&self.format)
    }

    /// Says which plugin format the host loaded.
    pub fn set_format(&self, format: &'static str) {
        *lock(&self.format) = format;
    }

    /// What the host says of its track.
    #[must_use]
    pub fn host_track(&self) -> HostTrack {
        lock(&self.host).clone()
    }

    /// The host says something of its track.
    pub fn set_host_track(&self, track: HostTrack) {
        *lock(&self.host) = track;
    }

    /// How it stands with the session.
    #[must_use]
    pub fn standing(&self) -> Standing {
        lock(&self.standing).clone()
    }

    pub(crate) fn set_standing(&self, standing: Standing) {
        let mut now = lock(&self.standing);
        if *now != standing {
            *now = standing;
            self.repaint.request_repaint();
        }
    }

    pub(crate) fn window(&self) -> MutexGuard<'_, WindowLink> {
        lock(&self.window)
    }
}

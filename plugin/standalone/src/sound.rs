//! Sound: a session through the engine to a device, or to whatever else pulls blocks.

mod block_placement;
pub(crate) mod clock_map;
mod device;
mod device_thread;
mod input;
mod input_level;
mod inputs;
mod library;
pub(crate) mod loudness_match;
mod output;
mod pull;
mod record;
mod stream;
mod watch;

pub use clock_map::{Anchor, Moment};
pub use device::{Choice, DeviceName, Offers, SoundError, names, offers};
pub use device_thread::Running;
pub use input::{Input, InputOrder};
pub use input_level::Incoming;
pub use library::Library;
pub use output::{Output, OutputNews};
pub use pull::Pull;
pub(crate) use record::place_of;
pub use record::{Listener, RecordNews, Taker, Writer};
pub use watch::{Unwatched, Watch};

use deskhand_compile::Player;
use deskhand_dsp::SampleRate;
use deskhand_engine::{Disk, EngineConfig, EngineError, engine};

/// A player of the sources in `library`, what a device pulls, and the disk side. It plays nothing yet.
///
/// # Errors
/// When the engine cannot play at `rate`.
pub fn make(rate: SampleRate, library: &Library) -> Result<(Player, Pull, Disk), EngineError> {
    let (controller, processor, disk) = engine(EngineConfig::at(rate), library.opening(rate))?;
    Ok((Player::new(controller), Pull::new(processor), disk))
}

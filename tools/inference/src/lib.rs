//! Models: a catalog with licenses, installing on request, a person's own files, and running them.
//!
//! Thread: worker threads. Everything here may block on the disk, and running a model takes all cores at
//! low priority; nothing here may run on the audio or the message thread.
//!
//! Does not know: audio, sessions, tools. The only crate that names the model runtime. It never uses the
//! network by itself: a missing model is an error that says what to run.
//!
//! Start at [`Library`]: `find` gives an installed model, `load` a [`Network`] that runs.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "runtime"),
    allow(dead_code, reason = "what feeds and reads the networks waits for a runtime")
)]

mod add;
mod archive;
mod card;
mod catalog;
pub mod child;
mod ctranslate2;
mod digest;
mod embeddings;
mod error;
mod graph;
mod in_use;
mod inspect;
mod install;
mod layout;
mod library;
#[cfg(feature = "runtime")]
mod local;
#[cfg(not(feature = "runtime"))]
#[path = "without_runtime.rs"]
mod local;
mod network;
mod priority;
mod proto;
mod resemblyzer;
mod shelf;
mod spleeter;
mod tensorflow;
mod torch;
mod whisper;

pub use add::add;
pub use card::{Card, Conversion, Member, Origin, Package, Pin, Record, Task};
pub use catalog::{
    DEFAULT_SEPARATION, DEFAULT_TRANSCRIPTION, MEANING, SPEAKERS, VOICE_ACTIVITY, card, catalog,
};
pub use ctranslate2::{Weights, WeightsError};
pub use embeddings::{LoadMeaningError, Meaning};
pub use error::{InstallError, LibraryError};
pub use inspect::{LookError, Port, Signature, look};
pub use install::{Told, install, install_missing};
pub use layout::{Layout, StemsIn};
pub use library::{Installed, Library};
pub use network::{Network, RunError, Tensor};
pub use priority::lower as lower_priority;
pub use shelf::LoadError;
pub use tensorflow::BundleError;
pub use torch::TorchError;
pub use whisper::{
    Attention, Dims, Heard, LoadWhisperError, MEL_FRAMES, Parts, Said, Vocabulary, Whisper,
    WhisperError,
};

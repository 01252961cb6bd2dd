//! A song, an interview and two readers for pictures: sessions, their waveforms and plans. A
//! [`deskhand_editor::Model`] gets them through the events that a bridge would send.
//!
//! Thread: any.

#![forbid(unsafe_code)]

pub mod dialogue;
mod drawing;
pub mod exports;
pub mod interview;
pub mod linked;
pub mod processors;
pub mod receipt;
pub mod song;

pub use dialogue::Dialogue;
pub use exports::Stage;
pub use interview::interview;
pub use linked::{landed, linked};
pub use processors::{brightened, processors};
pub use receipt::receipt;
pub use song::{Song, bare, chosen, cuts, fillers, forward, in_parts, permitted};

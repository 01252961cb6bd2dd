//! The message loop: the only writer of a session.
//!
//! Thread: message. A plain struct with [`Bridge::pump`]: a thread runs it in the hub, the command line and
//! the tests call it directly, so that every flow is deterministic. It takes one [`Input`] at a time,
//! quickly; measuring, decoding and storing happen elsewhere and come back as inputs.
//!
//! Does not know: the engine, devices, windows, models. Audio comes through
//! [`deskhand_toolkit::Audio`].

#![forbid(unsafe_code)]

mod artifacts;
mod bridge;
mod calls;
mod commit;
mod decide;
mod derive;
mod front;
mod input;
mod jobs;
mod media;
mod originals;
mod plans;
mod policy;
mod receipt;
mod steps;

pub use bridge::{Bridge, Parts};
pub use front::{AgentFront, ConnectionId, ObserverFront, PersonFront};
pub use input::Input;
pub use policy::Authority;

//! The message loop: the only writer of a session.
//!
//! Thread: message. A plain struct with [`Bridge::pump`]: a thread runs it in the hub, the command line and
//! the tests call it directly, so that every flow is deterministic. It takes one [`Input`] at a time and
//! returns quickly. Measuring, decoding and storing run elsewhere, and their results come back as inputs.
//!
//! [`Bridge`] is a router. Its parts own their state and do not know each other: connections, permissions, notices,
//! windows, the player, hosts, jobs, the conversation, plans and commits. A part returns effects; the bridge carries
//! them out. `news.rs` does that.
//!
//! Does not know: the engine, devices, windows, models. Audio comes through
//! [`deskhand_toolkit::Audio`].

#![forbid(unsafe_code)]

mod all_tools;
mod artifacts;
mod asked_groups;
mod bridge;
mod builtin_calls;
mod calls;
mod cancel;
mod capture_files;
mod captures;
mod codings;
mod commit;
mod commits;
mod connection;
mod conversation;
mod cover;
mod decide;
mod derive;
mod effect;
mod errors;
mod files;
mod front;
mod group_offer;
mod hearing;
mod host_tempo;
mod host_warnings;
mod host_words;
mod hosts;
pub mod hub;
mod ids;
mod input;
mod instances;
mod intake;
mod jobs;
mod landings;
mod leaving;
mod media;
mod news;
mod notices;
mod opened_folders;
mod originals;
mod orphans;
mod parents;
mod partial_undo;
mod passes;
mod permission;
mod plans;
mod played;
mod player;
mod policy;
mod programs;
mod progress;
mod proposed_steps;
mod read;
mod receipt;
mod renderer;
mod rules;
mod steps;
mod superseded;
mod takes;
mod unfinished;
mod waveforms;
mod windows;

pub use all_tools::all_tools;
pub use bridge::{Bridge, Parts};
pub use builtin_calls::{spec, specs};
pub use connection::Sight;
pub use deskhand_protocol::Rule;
pub use front::{AgentFront, ConversationFront, ObserverFront, PersonFront};
pub use hub::{Door, Hub, HubError};
pub use ids::ConnectionId;
pub use input::Input;
pub use policy::{Authority, Policy};
pub use read::{tool_info, tool_infos};
pub use renderer::{NoRenderer, RenderOrder, RenderedFile, Renderer};
pub use rules::Rules;

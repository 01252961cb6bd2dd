//! The session on disk: an append-only log of events in SQLite, durable before it is answered.
//!
//! A session folder holds `session.db`, `session.lock`, `media/` and `cache/`. One process owns it. Every
//! event carries a BLAKE3 of itself and all before it, so changes from outside are never taken for what was
//! written.
//!
//! Thread: the callers' (message thread) and one of its own (storage).
//!
//! Does not know: tools, the engine, audio files. The only crate that names rusqlite.

#![forbid(unsafe_code)]

mod cache;
mod chain;
mod copy;
mod db;
pub mod doctor;
mod error;
mod event;
mod folder;
mod load;
mod owner;
mod read_only;
mod replay;
mod store;
mod writer;

pub use cache::Cache;
pub use copy::{Copied, Copier, CopyError, Extra};
pub use error::{CreateError, OpenError, StoreError};
pub use event::{Event, HeadMoved, PlanDecided, PlanMade};
pub use folder::CAPTURES;
pub use owner::{Holder, Spot};
pub use read_only::Look;
pub use store::{Loaded, Store};
pub use writer::OnStored;

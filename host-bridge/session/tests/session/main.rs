//! The algebra of the document, on random sessions and random changes of every kind.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod build;
mod build_sound;
mod build_words;
mod changes;
mod crafted;
mod garbage;
mod golden;
mod history;
mod plans;
mod recorded;
mod ripple;
mod solo;

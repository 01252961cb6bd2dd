//! The `deskhand` command as a shell sees it: output, exit codes, and files on the disk.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod added;
mod approve;
mod bad_input;
mod codes;
mod desk;
mod doors;
mod film;
mod flows;
mod help;
mod hosts;
mod json;
mod leave;
mod look;
mod loops;
mod made;
mod model;
mod models;
mod moved;
mod no_ids;
mod providers;
mod served;
#[cfg(unix)]
mod stopped;
mod talk;
#[cfg(unix)]
mod terminal;
mod told;
mod unheard;
mod words;

//! The `deskhand` command as a shell sees it: output, exit codes, and files on the disk.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod added;
mod approve;
mod bad_input;
mod codes;
mod desk;
mod film;
mod flows;
mod front_ends;
mod help;
mod hosts;
mod json;
mod leave;
mod look;
mod loops;
mod made_files;
mod model;
mod models;
mod moved;
mod no_ids;
mod output_texts;
mod providers;
mod served;
#[cfg(unix)]
mod stopped;
mod talk;
#[cfg(unix)]
mod terminal;
mod unheard;
mod words;

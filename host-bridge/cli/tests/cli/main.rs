//! The `deskhand` command as a shell sees it: output, exit codes, and what is left on the disk.

mod bad_input;
mod desk;
mod flows;
mod help;
mod json;

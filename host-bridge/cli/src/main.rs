//! The `deskhand` command.

fn main() {}

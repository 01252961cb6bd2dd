//! One entry point for setup, demo, test, tidy and bench.

fn main() {}

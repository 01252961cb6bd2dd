//! Analysis on sounds whose truth is known.

mod samples;
mod sounds;
mod times;
mod tools;

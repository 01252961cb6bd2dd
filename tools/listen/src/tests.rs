//! Analysis on sounds whose truth is known.

mod kinds;
mod samples;
mod sounds;
mod times;
mod tools;

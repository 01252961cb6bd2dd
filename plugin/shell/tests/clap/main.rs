//! The CLAP plugin in a host of ours, in this process. The allocation guard of nice-plug is on: an
//! allocation in the audio callback ends the test.

#![allow(missing_docs, unsafe_code, reason = "tests; a host is made of pointers")]

mod life;
mod parameters;
mod rig;
mod sound;
mod states;

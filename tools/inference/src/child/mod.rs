//! Running a person's own model in a child process with limits.
//!
//! A file made to do harm can make the runtime ask for absurd memory, which ends the process, or loop
//! forever. So such a model is loaded and run in a child, with limited memory, limited processor time per
//! run, and a time limit for each answer. The child speaks over its standard input and output.
//!
//! The program that is started calls [`run_if_asked`] first thing in `main`.

#[cfg(unix)]
mod limits;
mod protocol;
mod remote;
mod serve;

pub(crate) use remote::Remote;
pub use serve::run_if_asked;

/// The argument that makes a program the model child; the file follows.
pub const MODE: &str = "__infer";

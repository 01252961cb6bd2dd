//! `deskhand transcribe`, `words`, `codes` and `assemble`: thin fronts over the tools for words and takes.

mod assemble;
mod call;
mod codes;
mod edit;
mod said;
mod transcribe;

pub(crate) use assemble::run as assemble;
pub(crate) use codes::run as codes;
pub(crate) use said::run as said;
pub(crate) use transcribe::run as transcribe;

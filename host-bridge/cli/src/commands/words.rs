//! `deskhand transcribe`, `words`, `codes` and `assemble`: thin fronts over the tools for words and takes.

mod assemble;
mod call;
mod codes;
mod edit;
mod run_declared;
mod said;
mod transcribe;

pub(crate) use assemble::run as assemble;
pub(crate) use codes::list as codes;
pub(crate) use run_declared::run as declared;
pub(crate) use said::run as said;
pub(crate) use transcribe::run as transcribe;

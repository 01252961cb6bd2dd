//! `deskhand transcribe`, `words`, `codes` and `assemble`: thin fronts over the tools for words and takes.

mod assemble;
mod call;
mod codes;
mod edit;
mod run_declared;
mod transcribe;
mod word_list;

pub(crate) use assemble::run as assemble;
pub(crate) use codes::list as codes;
pub(crate) use run_declared::run as declared;
pub(crate) use transcribe::run as transcribe;
pub(crate) use word_list::run as said;

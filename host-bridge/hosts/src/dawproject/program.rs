//! What messages call the format.

pub(super) const PROGRAM: &str = "DAWproject";

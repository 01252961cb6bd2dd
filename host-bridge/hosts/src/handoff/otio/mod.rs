//! OpenTimelineIO: JSON by the published schema (<https://opentimelineio.readthedocs.io>, "Serialized data").

mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::{OtioError, read};
pub use write::write;

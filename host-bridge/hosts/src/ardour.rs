//! Ardour's sessions (`.ardour`), versions 6 to 8. Called by `format`. Written after sessions of
//! Ardour 7.3; those of 6 and 8 were not tried in the program.

mod clock;
mod fade;
mod read;
mod region;
mod write;
mod write_region;
mod write_route;

pub(crate) use fade::CLICK;
pub(crate) use read::read;
pub(crate) use write::write;

const PROGRAM: &str = "Ardour";

#[cfg(test)]
mod tests;

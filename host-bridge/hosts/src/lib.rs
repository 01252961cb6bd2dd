//! The DAW's own session: its project files in and out, and what is handed on to other programs.
//! Called by workers; knows no bridge, no engine and no window.

mod ardour;
mod dawproject;
pub mod format;
pub mod project;
mod rpp;
mod splice;
#[cfg(test)]
mod test_changes;
mod track_order;
mod validate;
mod xml;

//! REAPER's project files, dialects 4 to 7: text in chunks `<TAG …` to `>`, one statement a line.
//! Called by `format`. Never opened in REAPER here: written after files of others and their readers.

mod fields;
mod item;
mod lines;
mod markers;
mod read;
mod source;
mod track;
mod write;
mod write_clip;
mod write_track;

pub(crate) use read::read;
pub(crate) use write::write;

#[cfg(test)]
mod tests;

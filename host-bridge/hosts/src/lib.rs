//! The DAW's own session: its project files in and out, and what is handed on to other programs.
//! Called by workers; knows no bridge, no engine and no window.

pub mod handoff;

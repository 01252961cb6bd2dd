//! The workloads. Each is a function that returns its rows.

mod analysis;
mod bounce;
mod fillers;
mod live;
mod projects;
mod scan;
mod speech;
mod stems;
mod views;
mod words;

use super::inputs::Bench;
use super::table::Row;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

/// A thing to measure, by the name given to `cargo xtask bench NAME`.
pub(super) struct Workload {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) run: fn(&Bench) -> Result<Vec<Row>>,
}

/// All of them, in the order of the table in docs/figures.md.
// tidy: table
pub(super) const ALL: [Workload; 18] = [
    Workload { name: "measure", what: "measure 60 min of WAV", run: scan::wav },
    Workload { name: "flac", what: "measure 60 min of FLAC", run: scan::flac },
    Workload { name: "mp3", what: "measure 60 min of MP3", run: scan::mp3 },
    Workload {
        name: "normalize",
        what: "normalize 60 min from file to file",
        run: bounce::normalize,
    },
    Workload { name: "mix", what: "bounce 64 stereo tracks x 60 s", run: bounce::mix },
    Workload { name: "memory", what: "bounce 64 tracks x 60 min", run: bounce::memory },
    Workload {
        name: "engine",
        what: "engine, 64 tracks streamed, 64-frame blocks",
        run: live::engine,
    },
    Workload {
        name: "decision",
        what: "decision to first changed block, 1,000 clips",
        run: live::decision,
    },
    Workload { name: "chat", what: "what a conversation adds to a tool", run: live::chat },
    Workload { name: "plugin", what: "64 instances, 64-frame blocks", run: views::plugin },
    Workload { name: "editor", what: "a frame of the editor, meters moving", run: views::editor },
    Workload {
        name: "words",
        what: "search, code and scroll a transcript of 100,000 words",
        run: words::transcript,
    },
    Workload { name: "import", what: "import of a 60 min MP3 to playable", run: live::import },
    Workload {
        name: "projects",
        what: "open and write projects of 2,000 clips",
        run: projects::projects,
    },
    Workload { name: "stems", what: "stem separation", run: stems::separate },
    Workload { name: "speech", what: "transcription", run: speech::transcribe },
    Workload { name: "fillers", what: "fillers of real people", run: fillers::run },
    Workload { name: "analysis", what: "onsets, beats and keys against truth", run: analysis::run },
];

impl Bench {
    /// `deskhand COMMAND`, ready for its arguments.
    fn deskhand(&self, command: &str) -> Command {
        let mut line = Command::new(&self.deskhand);
        line.arg(command);
        line
    }

    /// A path under `target/bench` at which an earlier run left nothing.
    fn fresh(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder.join(name);
        if path.exists() {
            std::fs::remove_dir_all(&path)
                .with_context(|| format!("cannot clear {}", path.display()))?;
        }
        Ok(path)
    }
}

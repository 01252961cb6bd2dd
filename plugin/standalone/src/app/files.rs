//! Files for calls: those that the person chose, and transcripts that were dropped.

use super::App;
use deskhand_editor::{FileCall, is_transcript};
use deskhand_protocol::Op;
use std::path::{Path, PathBuf};

/// What is told of transcripts that were dropped.
const DROPPED: &str = "transcripts";

impl App {
    /// Submits a call with the file that was chosen for it.
    pub(super) fn call_with(&mut self, call: FileCall, file: &Path) {
        self.submit(call.op(file));
    }

    fn submit(&mut self, op: Op) {
        if let Some(open) = &self.open {
            open.submit(&mut self.model, op);
        }
    }

    /// Imports the transcripts among files that were dropped, and gives the others.
    pub(super) fn take_transcripts(&mut self, paths: Vec<PathBuf>) -> Vec<PathBuf> {
        let is_one = |path: &PathBuf| is_transcript(path) && path.is_file();
        let (transcripts, others): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(is_one);
        if !transcripts.is_empty() {
            self.model.untell(DROPPED);
        }
        for file in transcripts {
            match self.model.source_of_transcript(&file) {
                Ok(source) => self.call_with(FileCall::ImportTranscript(Some(source)), &file),
                Err(why) => self.model.tell(DROPPED, why),
            }
        }
        others
    }
}

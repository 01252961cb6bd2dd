//! An export that runs or has ended.

use super::ask::Levels;
use crate::fixes::at_window;
use deskhand_protocol::{CallId, ToolResult};
use deskhand_session::tool_error::Code;
use serde::Deserialize;
use std::path::PathBuf;

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Written {
    pub(super) path: Option<PathBuf>,
    pub(super) files: Vec<WrittenFile>,
    pub(super) report_html: PathBuf,
    pub(super) duration_s: f64,
    pub(super) chapters: usize,
    pub(super) complies: bool,
    pub(super) failed: Vec<String>,
    #[serde(flatten)]
    pub(super) levels: MeasuredLevels,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct WrittenFile {
    pub(super) path: PathBuf,
    pub(super) complies: bool,
    pub(super) integrated_lufs: Option<f64>,
}

/// The levels of the decoded file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct MeasuredLevels {
    pub(super) integrated_lufs: Option<f64>,
    pub(super) true_peak_dbtp: Option<f64>,
    pub(super) range_lu: Option<f64>,
}

impl Written {
    pub(super) fn first(&self) -> Option<&PathBuf> {
        self.path.as_ref().or_else(|| self.files.first().map(|file| &file.path))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ended {
    Done(Box<Written>),
    Cancelled,
    Failed(String),
}

/// An export that runs or has ended.
pub(super) struct Job {
    /// `None` until it is submitted.
    pub(super) call: Option<CallId>,
    /// The file, or what the files are named after.
    pub(super) path: PathBuf,
    pub(super) predicted: Option<Levels>,
    pub(super) target: Option<String>,
    pub(super) started: f64,
    /// The person went on working: the status bar shows how far it is.
    pub(super) is_hidden: bool,
    pub(super) ended: Option<Ended>,
}

impl Job {
    pub(super) fn end(&mut self, result: &ToolResult) {
        let written = result.answer.clone().and_then(|it| serde_json::from_value(it).ok());
        self.ended = Some(match (&result.error, written) {
            (None, Some(written)) => Ended::Done(Box::new(written)),
            (Some(error), _) if error.code == Code::Cancelled => Ended::Cancelled,
            (Some(error), _) => Ended::Failed(at_window(&error.to_string())),
            (None, None) => Ended::Failed(result.summary.clone()),
        });
    }
}

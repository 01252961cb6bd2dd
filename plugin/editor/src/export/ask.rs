//! Asking what an export will measure, and the answer.

use crate::fixes::at_window;
use deskhand_protocol::{CallId, ToolResult};
use deskhand_session::RevisionId;
use serde::Deserialize;
use serde_json::Value;

/// How long nothing may change before it is measured, seconds.
pub(super) const QUIET: f64 = 0.15;

/// Levels as the tool gives them; nothing for silence.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Levels {
    pub(super) name: String,
    pub(super) integrated_lufs: Option<f64>,
    pub(super) true_peak_dbtp: Option<f64>,
    pub(super) range_lu: Option<f64>,
    pub(super) rms_dbfs: Option<f64>,
    pub(super) noise_floor_dbfs: Option<f64>,
    pub(super) gain_db: f64,
    pub(super) complies: bool,
    pub(super) failed: Vec<String>,
}

/// What the mix needs for a target.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Need {
    #[serde(rename = "for")]
    pub(super) target: String,
    pub(super) gain_db: f64,
    pub(super) limiting_db: f64,
    pub(super) complies: bool,
    pub(super) failed: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Predicted {
    pub(super) duration_s: f64,
    pub(super) now: Levels,
    pub(super) predicted: Option<Levels>,
    pub(super) targets: Vec<Need>,
    /// Of one file for each track.
    pub(super) files: Vec<Levels>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Answer {
    /// It waits until nothing changes any more.
    #[default]
    Waits,
    Asked,
    Runs(CallId),
    Known(Box<Predicted>),
    Failed(String),
}

/// The question about what is set now.
#[derive(Default)]
pub(super) struct Asking {
    /// What it is about; nothing before the first.
    about: Option<(Value, RevisionId)>,
    changed_at: f64,
    pub(super) answer: Answer,
}

/// What is to be done about the question.
#[derive(Debug, PartialEq)]
pub(super) enum Due {
    Nothing,
    /// In this many seconds.
    Later(f64),
    Ask,
}

impl Asking {
    /// Follows what is set. Returns the running call that nobody waits for any more.
    pub(super) fn follow(&mut self, params: Value, head: RevisionId, now: f64) -> Option<CallId> {
        let about = Some((params, head));
        if self.about == about {
            return None;
        }
        (self.about, self.changed_at) = (about, now);
        match std::mem::take(&mut self.answer) {
            Answer::Runs(call) => Some(call),
            Answer::Waits | Answer::Asked | Answer::Known(_) | Answer::Failed(_) => None,
        }
    }

    pub(super) fn due(&mut self, now: f64) -> Due {
        let left = self.changed_at + QUIET - now;
        match self.answer {
            Answer::Waits if left <= 0.0 => {
                self.answer = Answer::Asked;
                Due::Ask
            }
            Answer::Waits => Due::Later(left),
            Answer::Asked | Answer::Runs(_) | Answer::Known(_) | Answer::Failed(_) => Due::Nothing,
        }
    }

    pub(super) fn sent(&mut self, call: CallId) {
        if self.answer == Answer::Asked {
            self.answer = Answer::Runs(call);
        }
    }

    /// Takes the result of `call` if it is the answer.
    pub(super) fn hear(&mut self, call: CallId, result: &ToolResult) -> bool {
        if self.answer != Answer::Runs(call) {
            return false;
        }
        let known = result.answer.clone().and_then(|it| serde_json::from_value(it).ok());
        self.answer = match (&result.error, known) {
            (None, Some(known)) => Answer::Known(Box::new(known)),
            (Some(error), _) => Answer::Failed(at_window(&error.to_string())),
            (None, None) => Answer::Failed(result.summary.clone()),
        };
        true
    }

    pub(super) fn again(&mut self) {
        (self.about, self.answer) = (None, Answer::Waits);
    }

    pub(super) fn known(&self) -> Option<&Predicted> {
        match &self.answer {
            Answer::Known(known) => Some(known),
            Answer::Waits | Answer::Asked | Answer::Runs(_) | Answer::Failed(_) => None,
        }
    }
}

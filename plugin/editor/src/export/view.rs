//! The state of the sheet between frames.

use super::form::Form;
use super::job::Job;
use crate::tools::Tools;
use deskhand_protocol::{CallId, Op, ToolResult};
use deskhand_session::offers::Gesture;
use std::collections::BTreeSet;

/// What the sheet keeps between frames.
#[derive(Default)]
pub(crate) struct Export {
    /// What the person set. It stays when the sheet is closed, for the next export of the session.
    pub(super) form: Option<Form>,
    pub(super) is_open: bool,
    /// The export that runs or has ended.
    pub(super) job: Option<Job>,
    /// Predictions that nobody waits for any more.
    pub(super) dropped: BTreeSet<CallId>,
}

impl Export {
    /// Notes a submission of the sheet.
    pub(crate) fn sent(&mut self, call: CallId, op: &Op, tools: &Tools) {
        let Op::Call { tool, .. } = op else { return };
        if tools.is(tool, Gesture::PredictExport)
            && let Some(form) = &mut self.form
        {
            form.asking.sent(call);
        } else if tools.is(tool, Gesture::ExportMix)
            && let Some(job) = &mut self.job
        {
            job.call = Some(call);
        }
    }

    /// Takes the result of a call of the sheet. Returns whether all is said about it.
    pub(crate) fn hear(&mut self, call: CallId, result: &ToolResult) -> bool {
        if self.dropped.remove(&call) {
            return true;
        }
        if self.form.as_mut().is_some_and(|form| form.asking.hear(call, result)) {
            return true;
        }
        let Some(job) = self.job.as_mut().filter(|job| job.call == Some(call)) else {
            return false;
        };
        if job.is_hidden {
            self.job = None;
            return false;
        }
        job.end(result);
        true
    }

    /// The hub that worked for it is gone.
    pub(crate) fn lost(&mut self) {
        self.job = None;
        self.dropped.clear();
        self.form.iter_mut().for_each(|form| form.asking.again());
    }
}

//! The sheet that exports the mix or each track: what is written, what it will measure, how far it is, and what came out.

mod ask;
mod form;
mod job;
mod job_view;
mod left;
mod right;
mod sheet;
mod targets;
#[cfg(test)]
mod tests;

pub(crate) use form::Form;
use job::Job;

use crate::action::{Action, Actions};
use crate::file_call::FileCall;
use crate::model::Model;
use crate::theme::Theme;
use crate::tools::Tools;
use deskhand_protocol::{CallId, Op, ToolResult};
use deskhand_session::offers::Gesture;
use egui::{Key, Modifiers, Ui};
use std::collections::BTreeSet;

/// What the sheet keeps between frames.
#[derive(Default)]
pub(crate) struct Export {
    /// What the person set. It stays when the sheet is closed, for the next export of the session.
    form: Option<Form>,
    is_open: bool,
    /// The export that runs or has ended.
    job: Option<Job>,
    /// Predictions that nobody waits for any more.
    dropped: BTreeSet<CallId>,
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

impl Model {
    /// Opens the sheet, unless nothing would be heard.
    fn open_export(&mut self) {
        let Some(mirror) = &self.mirror else { return };
        let snapshot = &mirror.snapshot;
        if snapshot.session.clips.is_empty() {
            return;
        }
        let kept = self.export.form.take();
        self.export.form = Some(kept.unwrap_or_else(|| Form::new(&snapshot.folder)));
        (self.export.is_open, self.export.job) = (true, None);
    }

    /// What is set in the open sheet.
    pub(crate) fn export_form(&self) -> Option<&Form> {
        self.export.form.as_ref().filter(|_| self.export.is_open)
    }

    /// The request for the path that the person chose for a call. The path of an export goes into its sheet.
    #[must_use]
    pub fn chosen(&mut self, call: FileCall, path: &std::path::Path) -> Option<Op> {
        let is_open = self.export.is_open && call == FileCall::ExportMix;
        match self.export.form.as_mut().filter(|_| is_open) {
            Some(form) => {
                form.take_path(path);
                None
            }
            None => self.op(call.with(path)),
        }
    }
}

/// Opens the sheet where an export is asked for; an open sheet asks for the place of the file that way.
pub(crate) fn take(model: &mut Model, actions: &mut Actions) {
    let asks = Action::File(FileCall::ExportMix);
    if !model.export.is_open && actions.contains(&asks) {
        actions.retain(|action| *action != asks);
        model.open_export();
    }
}

/// The key that opens the sheet. In a host it is the host's.
pub(crate) fn keys(ui: &Ui, model: &mut Model) {
    if model.live.is_hosted() || ui.ctx().text_edit_focused() {
        return;
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::E)) {
        model.open_export();
    }
}

/// Draws the open sheet, or the export that it started.
pub(crate) fn show(ui: &Ui, theme: &Theme, model: &mut Model, out: &mut Actions) {
    if model.mirror.is_none() {
        return;
    }
    if model.export.is_open {
        sheet::show(ui, theme, model, out);
    } else if model.export.job.as_ref().is_some_and(|job| !job.is_hidden) {
        job_view::show(ui, theme, model, out);
    }
}

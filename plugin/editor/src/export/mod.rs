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
pub(crate) mod view;

use crate::action::{Action, Actions};
use crate::file_call::FileCall;
use crate::model::Model;
use deskhand_protocol::Op;
use egui::{Key, Modifiers, Ui};
use form::Form;

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
pub(crate) fn show(ui: &Ui, model: &mut Model, out: &mut Actions) {
    if model.mirror.is_none() {
        return;
    }
    if model.export.is_open {
        sheet::show(ui, model, out);
    } else if model.export.job.as_ref().is_some_and(|job| !job.is_hidden) {
        job_view::show(ui, model, out);
    }
}

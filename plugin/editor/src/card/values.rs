//! Numbers that are set by hand in place of the planned ones.

use super::cuts::alike_with;
use crate::kit::scale::{num, signed};
use deskhand_session::plan::{Refusal, ValueEdit};
use deskhand_session::{Change, Plan, Session};
use egui::Ui;
use std::collections::BTreeMap;

/// The numbers that are set by hand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    /// Values to apply in place of the planned ones, by the id of the change.
    pub(crate) edits: BTreeMap<String, f64>,
    /// The row whose value is being edited.
    pub(crate) editing: Option<Editing>,
}

/// A value that is being edited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Editing {
    pub(crate) row: String,
    pub(crate) text: String,
    /// Why the text was not taken.
    pub(crate) problem: Option<String>,
    pub(super) had_focus: bool,
    /// The last frame in which it had the keyboard: the keys of the next one are for it.
    pub(super) typed_in: Option<u64>,
    /// The field opened with a typed character, and typing continues after it.
    pub(super) is_begun: bool,
}

impl Editing {
    pub(super) fn of(row: &str, number: f64) -> Self {
        Self { row: row.to_owned(), text: begins_as(number), ..Self::default() }
    }

    /// With the beginning of a number that was typed already.
    pub(super) fn begun(row: &str, text: String) -> Self {
        Self { row: row.to_owned(), text, is_begun: true, ..Self::default() }
    }

    /// Whether the keys are for it: it has the keyboard, or is about to have it. One that is out of view has not.
    pub(super) fn has_keys(&self, ui: &Ui) -> bool {
        let now = ui.ctx().cumulative_frame_nr();
        !self.had_focus || self.typed_in.is_some_and(|frame| frame + 1 >= now)
    }
}

impl Values {
    /// Whether a value is being typed: no key is for anything else then.
    pub(super) fn is_typing(&self, ui: &Ui) -> bool {
        self.editing.as_ref().is_some_and(|editing| editing.has_keys(ui))
    }

    /// Whether a value was typed that cannot be taken.
    pub(super) fn is_wrong(&self) -> bool {
        self.editing.as_ref().is_some_and(|editing| editing.problem.is_some())
    }

    /// Takes the value that is being typed, and returns whether no invalid one remains. The planned value is
    /// not an edit.
    pub(super) fn settle(&mut self, plan: &Plan, session: &Session) -> bool {
        let Some(editing) = &mut self.editing else { return true };
        match taken(plan, &editing.row, &editing.text, session) {
            Ok(number) => {
                let row = std::mem::take(&mut editing.row);
                let planned = plan.changes.iter().find(|planned| planned.id == row);
                let planned = planned.and_then(|planned| number_of(&planned.change));
                let is_planned =
                    planned.is_some_and(|it| number == it || editing.text == begins_as(it));
                for row in alike_with(plan, &row) {
                    if is_planned {
                        self.edits.remove(&row);
                    } else {
                        self.edits.insert(row, number);
                    }
                }
                self.editing = None;
                true
            }
            Err(problem) => {
                editing.problem = Some(problem);
                false
            }
        }
    }
}

/// The text in a field before anything is typed.
fn begins_as(number: f64) -> String {
    format!("{number:.1}")
}

pub(super) fn text(value: f64, unit: &str) -> String {
    if unit == "dB" { signed(value as f32, 1) } else { num(value as f32, 2) }
}

/// The number that was typed, if it is one.
pub(super) fn parsed(text: &str) -> Option<f64> {
    let text = text.replace('−', "-").replace(',', ".");
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// The number that was typed, if the session takes it; else why not.
fn taken(plan: &Plan, id: &str, text: &str, session: &Session) -> Result<f64, String> {
    let number = parsed(text).ok_or("This is no number")?;
    fits(plan, id, number, session)?;
    Ok(number)
}

/// Whether the session takes a number in place of the planned one; else why not.
pub(super) fn fits(plan: &Plan, id: &str, number: f64, session: &Session) -> Result<(), String> {
    let only = [id.to_owned()];
    let invalid = |edits: &[ValueEdit]| match plan.derived(&only, edits) {
        Ok(alone) => match alone.applied_to(session) {
            Err(Refusal::Invalid(invalid)) => Some(invalid.reason),
            Ok(_) | Err(_) => None,
        },
        Err(error) => Some(error.to_string()),
    };
    let edit = ValueEdit { change: id.to_owned(), after: number.into() };
    match invalid(&[edit]) {
        // An error that exists without the edit says nothing about the value.
        Some(reason) if invalid(&[]).is_none() => Err(reason),
        Some(_) | None => Ok(()),
    }
}

/// The number that a change sets; `None` if it sets something else.
pub(super) fn number_of(change: &Change) -> Option<f64> {
    serde_json::to_value(change).ok()?["after"].as_f64()
}

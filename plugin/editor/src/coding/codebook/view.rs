//! The state of the codebook between frames.

use super::edit::Naming;
use super::note::Note;
use super::quote_list::Quotes;
use super::report::Report;
use crate::coding::coded::Coded;
use deskhand_session::{CodeId, RevisionId, Session};
use std::collections::BTreeSet;

/// The state that the codebook keeps between frames.
#[derive(Default)]
pub(crate) struct CodesView {
    pub(super) chosen: Option<CodeId>,
    /// The codes that are listed have this in their name or their description.
    pub(super) filter: String,
    /// The codes under these are not listed.
    pub(super) folded: BTreeSet<CodeId>,
    /// The code that should get the keyboard.
    pub(super) goes_to: Option<CodeId>,
    /// A code that is being created and then gets the keyboard: its name, its parent, and how long to wait
    /// for it, seconds.
    pub(super) coming: Option<(String, Option<CodeId>, f64)>,
    /// The filter field should get the keyboard.
    pub(super) filters: bool,
    pub(super) coded: Option<(RevisionId, Coded)>,
    pub(super) naming: Option<Naming>,
    /// The code that a question asks to remove, and whether the question was not shown yet.
    pub(super) removes: Option<CodeId>,
    pub(super) asks: bool,
    pub(super) about: About,
    pub(super) report: Option<Report>,
}

impl CodesView {
    pub(crate) fn show_report(&mut self, report: Report) {
        self.report = Some(report);
    }

    /// A code that was made by its name is gone to as soon as the codebook has it.
    pub(super) fn came(&mut self, session: &Session, now: f64) {
        let Some((name, parent, until)) = &self.coming else { return };
        let name = name.to_lowercase();
        let mut under = session.codes.iter().filter(|(_, code)| code.parent == *parent);
        let made = under.find(|(_, code)| code.name.to_lowercase() == name).map(|(id, _)| *id);
        if made.is_some() {
            (self.goes_to, self.chosen) = (made, made);
        }
        if made.is_some() || now > *until {
            self.coming = None;
        }
    }

    /// How many stretches have a code.
    pub(super) fn count(&self, id: CodeId) -> usize {
        let counts = self.coded.as_ref().map(|(_, coded)| &coded.counts);
        counts.and_then(|counts| counts.get(&id)).copied().unwrap_or(0)
    }
}

/// The texts being written about the chosen code, and the listed places.
#[derive(Default)]
pub(super) struct About {
    pub(super) description: Note,
    pub(super) memo: Note,
    pub(super) quotes: Quotes,
}

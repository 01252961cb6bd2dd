//! New ids of elements, for the writers of a project.

use crate::xml::Document;
use std::collections::HashSet;

/// New ids of elements.
pub(super) struct Ids {
    known: HashSet<String>,
    count: usize,
}

impl Ids {
    pub(super) fn of(document: &Document<'_>) -> Self {
        let known = (0..document.inside(0).end).filter_map(|at| document.owned(at, "id")).collect();
        Self { known, count: 0 }
    }

    pub(super) fn next(&mut self) -> String {
        loop {
            self.count += 1;
            let id = format!("deskhand{}", self.count);
            if !self.known.contains(&id) {
                return id;
            }
        }
    }
}

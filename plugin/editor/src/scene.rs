//! What the views of the desk read of a model while they change their own state.

use crate::card::view::Card;
use crate::live::Live;
use crate::live_findings::Found;
use crate::tools::Tools;
use deskhand_protocol::CallId;
use deskhand_session::offers::Gesture;
use deskhand_session::{RevisionId, Session};
use std::collections::BTreeMap;

/// A call of this window that runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Job {
    pub(crate) tool: String,
    pub(crate) fraction: f64,
    pub(crate) what: String,
}

/// What the views of the desk read of a model while they change their own state.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) session: &'a Session,
    pub(crate) head: RevisionId,
    pub(crate) live: &'a Live,
    /// The plan whose ghosts are drawn.
    pub(crate) plan: Option<&'a Card>,
    /// The findings of running calls.
    pub(crate) found: &'a Found,
    pub(crate) tools: &'a Tools,
    pub(crate) has_coding: bool,
    pub(crate) jobs: &'a BTreeMap<CallId, Job>,
}

impl Scene<'_> {
    /// Whether a call of one of these gestures runs.
    pub(crate) fn runs(&self, gestures: &[Gesture]) -> bool {
        let is_one = |tool: &str| gestures.iter().any(|gesture| self.tools.is(tool, *gesture));
        self.jobs.values().any(|job| is_one(&job.tool))
    }
}

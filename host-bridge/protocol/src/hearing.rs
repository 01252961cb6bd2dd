//! Hearing a plan in hosts, through the instances there.

use crate::desk::Which;
use deskhand_dsp::Decibels;
use deskhand_session::{Change, PlanId, TrackId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A plan that is compared in a host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hearing {
    /// The plan.
    pub plan: PlanId,
    /// Which side of it was asked for.
    pub which: Which,
    /// The gain with which the instance of a track sounds meanwhile, level match included. A track that is
    /// absent sounds as the session says: all do while the current side is heard, and before the gain of
    /// level match is measured.
    pub gains: BTreeMap<TrackId, Decibels>,
    /// The gain of level match, added to every gain; `None` while it is not measured, or not requested.
    pub match_gain: Option<Decibels>,
    /// The changes of the plan, for instances that play the session; empty if there is no such instance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

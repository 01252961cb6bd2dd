//! The state of the page of takes between frames, and the takes that it shows.

use crate::scene::Scene;
use crate::words::distinct_names;
use deskhand_dsp::Frames;
use deskhand_session::{Duplicates, PhraseId, PlanId, Playing, RevisionId};

/// The state that the page of takes keeps between frames.
#[derive(Default)]
pub(crate) struct TakesView {
    /// The phrase whose takes are shown, by any of them.
    pub(crate) chosen: Option<PhraseId>,
    /// Takes being marked, and phrases whose takes are requested again after that.
    pub(super) again: Option<(Vec<PhraseId>, Vec<PhraseId>)>,
    pub(super) playing: Option<(RevisionId, Playing)>,
    /// The phrases that were looked through without finding takes.
    pub(super) looked: Option<Vec<PhraseId>>,
}

/// The result of a search for takes, if none are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looked {
    NotYet,
    /// The current phrases were searched, and have none.
    Nothing,
    /// The found takes were rejected.
    Rejected,
}

/// Several takes of a phrase, in the session or in a plan that waits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) takes: Duplicates,
    /// The plan that would mark them, and its number.
    pub(crate) plan: Option<(PlanId, usize)>,
    /// A take of each other phrase that the same plan would mark.
    pub(crate) others: Vec<PhraseId>,
}

pub(super) fn letter(place: usize) -> char {
    char::from(b'A' + (place % 26) as u8)
}

/// Place of a take, then its length and how sure its words are; of one that plays as long as it plays.
pub(super) fn told(
    scene: Scene<'_>,
    playing: &Playing,
    take: PhraseId,
    spoken: &deskhand_session::Spoken,
) -> [String; 2] {
    let rate = scene.session.rate;
    let length = playing.length(scene.session, take).unwrap_or(Frames::ZERO).seconds(rate).0;
    let sure = spoken
        .confidence
        .map_or_else(String::new, |sure| format!(" · {:.0}\u{a0}% sure", sure * 100.0));
    let place = distinct_names::place(scene.session, spoken.source, spoken.start);
    [place, format!("{length:.1}\u{a0}s{sure}")]
}

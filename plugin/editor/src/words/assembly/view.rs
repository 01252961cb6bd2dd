//! The state of the assembly between frames, and what its rows say.

use crate::scene::Scene;
use crate::words::distinct_names;
use crate::words::names::Names;
use crate::words::place::Places;
use deskhand_dsp::Frames;
use deskhand_session::{PhraseId, Playing, RevisionId, Session, SourceId, Spoken};
use egui::Ui;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const ROW: f32 = 32.0;

/// The place of the speaker; the least and the greatest width of names; and the gap between names and
/// words.
pub(super) const NAME: f32 = 36.0;

pub(super) const NAMES: (f32, f32) = (62.0, 120.0);

pub(super) const GAP: f32 = 6.0;

/// The state that the assembly keeps between frames.
#[derive(Default)]
pub(crate) struct AssemblyView {
    pub(super) made: Option<Made>,
    pub(super) chosen: Option<PhraseId>,
    /// Several selected phrases, with the chosen one; empty for a single one.
    pub(super) picked: BTreeSet<PhraseId>,
    pub(super) shows_removed: bool,
    /// An order that is on its way to the session.
    pub(super) sent: Option<(RevisionId, Vec<PhraseId>)>,
    /// Where a phrase that is dragged would go.
    pub(super) target: Option<usize>,
    /// The row to bring into view.
    pub(super) wanted: Option<usize>,
    /// The phrase whose row should get the keyboard, because the person goes there or the focused row is
    /// gone.
    pub(super) takes_keyboard: Option<PhraseId>,
}

/// Data computed once for a revision.
pub(super) struct Made {
    pub(super) head: RevisionId,
    pub(super) places: Places,
    pub(super) spoken: BTreeMap<PhraseId, Spoken>,
    /// How much of each plays.
    pub(super) lengths: BTreeMap<PhraseId, Frames>,
    /// The words of it that play, if some were cut.
    pub(super) cut: BTreeMap<PhraseId, Shortened>,
    pub(super) names: Names,
    /// A suffix for phrases that begin with the same words.
    pub(super) told: BTreeMap<PhraseId, String>,
    /// How many takes the phrase has that do not play.
    pub(super) others: BTreeMap<PhraseId, usize>,
    /// How long it plays, pauses and all, in seconds.
    pub(super) length: f64,
}

impl Made {
    pub(super) fn new(ui: &Ui, scene: Scene<'_>) -> Self {
        let session = scene.session;
        let spoken = session.phrases.keys().filter_map(|id| Some((*id, session.spoken(*id)?)));
        let spoken: BTreeMap<PhraseId, Spoken> = spoken.collect();
        let groups = session.assembly.duplicates.iter();
        let (places, playing) = (Places::new(session), Playing::of(session));
        let lengths =
            session.phrases.keys().filter_map(|id| Some((*id, playing.length(session, *id)?)));
        let order = session.assembly.order.iter();
        let cut = order.filter_map(|id| Some((*id, shortened(session, &playing, *id)?)));
        let speakers = spoken.values().filter_map(|it| it.speaker.as_deref());
        Self {
            head: scene.head,
            lengths: lengths.collect(),
            cut: cut.collect(),
            names: Names::new(ui, speakers, NAMES),
            told: distinct_names::takes(session, listed(session, &spoken)),
            length: length(session, &places, &spoken),
            places,
            spoken,
            others: groups.map(|group| (group.chosen, group.takes.len() - 1)).collect(),
        }
    }

    /// Whether all words of a phrase were cut.
    pub(super) fn is_cut(&self, phrase: PhraseId) -> bool {
        self.cut.get(&phrase).is_some_and(|it| it.plays.is_empty())
    }

    /// Where the words begin.
    pub(super) fn left(&self) -> f32 {
        if self.names.width > 0.0 { NAME + self.names.width + GAP } else { NAME }
    }

    /// What plays now: each source with its frame.
    pub(super) fn heard(&self, scene: Scene<'_>) -> Vec<(SourceId, Frames)> {
        match scene.live.audition {
            Some(alone) => vec![(alone.source, alone.at)],
            None => self.places.at(scene.live.position),
        }
    }
}

/// The phrases that the page lists.
pub(super) fn listed<'s>(
    session: &'s Session,
    spoken: &'s BTreeMap<PhraseId, Spoken>,
) -> impl Iterator<Item = (PhraseId, &'s Spoken)> {
    let listed = session.assembly.order.iter().chain(&session.assembly.removed);
    listed.filter_map(|id| Some((*id, spoken.get(id)?)))
}

/// A phrase with some words cut.
pub(super) struct Shortened {
    /// Those that play; nothing where all were cut.
    pub(super) plays: String,
    pub(super) cut: String,
}

/// The words cut out of a phrase; `None` if all of it plays.
pub(super) fn shortened(
    session: &Session,
    playing: &Playing,
    phrase: PhraseId,
) -> Option<Shortened> {
    let ids = &session.phrases.get(&phrase)?.segments;
    let segments = ids.iter().filter_map(|id| session.segments.get(id));
    let (mut plays, mut cut) = (Vec::new(), Vec::new());
    for segment in segments {
        for word in &segment.words {
            let side = if playing.is_cut(segment.source, word) { &mut cut } else { &mut plays };
            side.push(word.text.as_str());
        }
    }
    (!cut.is_empty()).then(|| Shortened { plays: plays.join(" "), cut: cut.join(" ") })
}

/// The time from the start of the first phrase to the end of the last, in seconds.
pub(super) fn length(
    session: &Session,
    places: &Places,
    spoken: &BTreeMap<PhraseId, Spoken>,
) -> f64 {
    let order = session.assembly.order.iter().filter_map(|id| spoken.get(id));
    let heard = order.flat_map(|it| places.stretches(it.source, it.start, it.end));
    let span = heard.map(|it| (it.from, it.to)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    span.map_or(0.0, |(from, to)| (to - from).seconds(session.rate).0)
}

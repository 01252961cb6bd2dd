//! Pieces of one recording on a track, as its pauses were cut out: they are measured together and get one gain.

use super::{Part, Run};
use crate::gain::is_possible;
use deskhand_dsp::Decibels;
use deskhand_dsp::loudness::LoudnessProfile;
use deskhand_session::text::level;
use deskhand_session::{ObjectId, Session};
use std::collections::HashMap;

/// The places of the targets: pieces of one recording on a track together, all else by itself.
pub(super) fn each(session: &Session, objects: &[ObjectId]) -> Vec<Vec<usize>> {
    let of = |id: &ObjectId| match id {
        ObjectId::Clip(id) => session.clips.get(id).map(|clip| (clip.track, clip.source)),
        _ => None,
    };
    let mut takes: Vec<Vec<usize>> = Vec::new();
    let mut known = HashMap::new();
    for (index, id) in objects.iter().enumerate() {
        let place = of(id).map(|take| *known.entry(take).or_insert(takes.len()));
        match place.and_then(|place| takes.get_mut(place)) {
            Some(take) => take.push(index),
            None => takes.push(vec![index]),
        }
    }
    takes
}

impl Run<'_> {
    /// Plans one gain for the pieces of a recording, as one voice after its pauses were cut.
    pub(super) fn take(&mut self, pieces: &[Part]) {
        let whole = LoudnessProfile::together(pieces.iter().map(|part| (&part.profile, part.own)));
        let reach =
            whole.and_then(|whole| self.call.goal.gain(&whole, Decibels::UNITY, self.call.ceiling));
        let Some(reach) = reach else {
            self.silent.extend(pieces.iter().map(|part| part.name.clone()));
            return;
        };
        self.tell_miss(&format!("\"{}\"", pieces[0].name), reach);
        if let Some(part) = pieces.iter().find(|part| !is_possible(part.own + reach.after)) {
            self.tell_impossible(part, part.own + reach.after);
            return;
        }
        let measure = self.call.goal.measure;
        let measured = reach.measured.map_or("nothing".into(), |now| level(measure, now));
        let reason = format!("measured {measured} in {} pieces", pieces.len());
        let first = self.draft.changes.len();
        for part in pieces {
            self.find(part);
            if reach.is_there() {
                self.there.push(part.name.clone());
            } else {
                self.change(part, (part.own + reach.after).rounded(), reason.clone());
            }
        }
        self.draft.tie(first);
    }
}

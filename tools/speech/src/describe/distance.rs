//! Finds speakers who are away from the microphone.
//!
//! Farther away the voice itself is softer and the room is not, so that sounds die down more slowly. A phrase that is
//! softer alone was said softly; one that is softer and dies down more slowly than what the same speaker says elsewhere in
//! the recording was said from away, or past the microphone.

use super::middle;
use super::sound::{Fall, Heard};
use deskhand_session::{SegmentId, Session};
use std::collections::BTreeMap;

/// The least number of phrases from which the usual sound of a speaker is known.
const LEAST: usize = 4;
/// How much softer than usual, in LU.
const SOFTER: f64 = 5.0;
/// How much less than usual a sound dies down within 60 ms, in dB.
const SLOWER: f64 = 3.5;
/// If both limits are exceeded by this much, the phrase was certainly said from away.
const BEYOND: f64 = 4.0;

/// Phrases said away from the microphone, each with how sure that is, 0.5 to 1.
pub(super) fn away(session: &Session, heard: &[(SegmentId, Heard)]) -> BTreeMap<SegmentId, f64> {
    let mut speakers: BTreeMap<_, Vec<Phrase>> = BTreeMap::new();
    for (id, heard) in heard {
        let (Some(segment), Some(level), Some(fall)) =
            (session.segments.get(id), heard.level, heard.fall)
        else {
            continue;
        };
        let noise = heard.noise.unwrap_or(f64::MIN);
        let who = (segment.source, segment.speaker.as_ref());
        speakers.entry(who).or_default().push(Phrase { id: *id, level, fall, noise });
    }
    let mut found = BTreeMap::new();
    for phrases in speakers.into_values().filter(|phrases| phrases.len() >= LEAST) {
        let usual = |of: fn(&Phrase) -> f64| middle(phrases.iter().map(of).collect());
        let (Some(level), Some(fall)) = (usual(|it| it.level), usual(|it| it.fall.by)) else {
            continue;
        };
        for phrase in &phrases {
            let softer = level - phrase.level - SOFTER;
            let slower = phrase.expected(fall) - phrase.fall.by - SLOWER;
            if softer >= 0.0 && slower >= 0.0 {
                let sure = 0.5 + 0.5 * (softer.min(slower) / BEYOND).min(1.0);
                found.insert(phrase.id, (sure * 100.0).round() / 100.0);
            }
        }
    }
    found
}

/// The measurements of a phrase.
struct Phrase {
    id: SegmentId,
    level: f64,
    fall: Fall,
    noise: f64,
}

impl Phrase {
    /// How far its sounds would die down if they did as `usual`, dB: no farther than to the noise, whose power adds.
    fn expected(&self, usual: f64) -> f64 {
        let power = |decibels: f64| 10f64.powf(decibels / 10.0);
        -10.0 * (power(-usual) + power(self.noise - self.fall.from)).log10()
    }
}

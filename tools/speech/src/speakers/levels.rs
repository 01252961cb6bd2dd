//! How loud each microphone hears a moment of the timeline.

use super::louder;
use deskhand_dsp::silence::union;
use deskhand_dsp::{FrameReader, Frames};
use deskhand_session::{Segment, Session, SourceId, TrackId};
use deskhand_toolkit::{PlanContext, ToolError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Frames that are read at once.
const BLOCK: usize = 1 << 16;

/// The place of a phrase on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) track: TrackId,
    source: SourceId,
    /// First frame in the source, frame on the timeline, and length.
    start: Frames,
    pub(crate) position: Frames,
    length: Frames,
}

/// Finds the place of phrases on the timeline. If an edit on another track plays parts of a recording, the
/// recording belongs to the track that plays more of it. The edit does not count as another microphone.
pub(crate) struct Placing<'a> {
    session: &'a Session,
    /// How much of each recording a track plays.
    plays: BTreeMap<(SourceId, TrackId), Frames>,
}

impl<'a> Placing<'a> {
    pub(crate) fn new(session: &'a Session) -> Self {
        let mut stretches: BTreeMap<_, Vec<Range<Frames>>> = BTreeMap::new();
        for clip in session.clips.values() {
            let own = stretches.entry((clip.source, clip.track)).or_default();
            own.push(clip.start..clip.start + clip.length);
        }
        let length = |all: Vec<Range<Frames>>| {
            union(all).iter().fold(Frames::ZERO, |sum, it| sum + (it.end - it.start))
        };
        let plays = stretches.into_iter().map(|(of, all)| (of, length(all))).collect();
        Self { session, plays }
    }

    /// The clip that plays a segment, and what of it: a cut may go through its first word. Of several on one track the one
    /// that plays the earliest of it, and of those the first.
    pub(crate) fn place(&self, segment: &Segment) -> Option<Place> {
        let source = segment.source;
        let clips = self.session.clips.iter().filter(|(_, clip)| {
            clip.source == source && is_heard(segment, &(clip.start..clip.start + clip.length))
        });
        let (_, clip) = clips.max_by_key(|(id, clip)| {
            let order = self.session.track_order.iter().position(|track| *track == clip.track);
            let from = segment.start.max(clip.start);
            (self.plays.get(&(source, clip.track)), Reverse((order, from)), Reverse(**id))
        })?;
        let start = segment.start.max(clip.start);
        let length = segment.end().min(clip.start + clip.length) - start;
        let position = clip.position + (start - clip.start);
        Some(Place { track: clip.track, source, start, position, length })
    }
}

/// Whether frames of its source hold some of a segment: the larger part of a word, or its start if it has
/// no words.
fn is_heard(segment: &Segment, frames: &Range<Frames>) -> bool {
    if segment.words.is_empty() {
        return frames.contains(&segment.start);
    }
    // Words lie in their segment: most of a transcript is passed over without a look at them.
    let is_near = segment.start < frames.end && frames.start <= segment.end();
    is_near && segment.words.iter().any(|word| frames.contains(&word.middle()))
}

/// Levels of sources.
struct Levels<'a> {
    context: &'a PlanContext,
    readers: BTreeMap<SourceId, Box<dyn FrameReader>>,
}

/// Measures each phrase on its own microphone and at the same moment on the others with phrases. Finds the
/// track that hears it loudest, after correcting for the gain of each microphone.
pub(crate) fn owners(
    context: &PlanContext,
    places: &[Place],
    step: &mut dyn FnMut(usize) -> Result<(), ToolError>,
) -> Result<Vec<TrackId>, ToolError> {
    let mut levels = Levels { context, readers: BTreeMap::new() };
    let tracks: BTreeSet<TrackId> = places.iter().map(|place| place.track).collect();
    let mut heard = Vec::with_capacity(places.len());
    for (index, place) in places.iter().enumerate() {
        step(index)?;
        heard.push((place.track, levels.others(place, &tracks)?));
    }
    Ok(louder::owners(&heard))
}

/// How loud pieces are together on the phrase's own microphone and on another, as sums of squares, and how long.
#[derive(Clone, Copy, Default)]
struct Both {
    own: f64,
    other: f64,
    length: Frames,
}

impl Levels<'_> {
    /// How much louder than its own microphone each other track hears a place, in dB; those that play for less than half
    /// of it are left out.
    fn others(
        &mut self,
        place: &Place,
        tracks: &BTreeSet<TrackId>,
    ) -> Result<BTreeMap<TrackId, f64>, ToolError> {
        let mut sums: BTreeMap<TrackId, Both> = BTreeMap::new();
        for other in self.beside(place, tracks) {
            let own = place.start + (other.position - place.position);
            let both = sums.entry(other.track).or_default();
            both.own += self.power(place.source, own, other.length)?;
            both.other += self.power(other.source, other.start, other.length)?;
            both.length += other.length;
        }
        let long = sums.into_iter().filter(|(_, both)| both.length.0 * 2 >= place.length.0);
        let db =
            |sum: f64, length: Frames| 10.0 * (sum / length.0.max(1) as f64).max(1e-12).log10();
        let louder = |both: Both| db(both.other, both.length) - db(both.own, both.length);
        Ok(long.map(|(track, both)| (track, louder(both))).collect())
    }

    /// What other tracks of these play at the same time.
    fn beside(&self, place: &Place, tracks: &BTreeSet<TrackId>) -> Vec<Place> {
        let end = place.position + place.length;
        let clips = self.context.session.clips.values();
        let others = clips.filter(|clip| clip.track != place.track && tracks.contains(&clip.track));
        let overlap = others.filter_map(|clip| {
            let from = clip.position.max(place.position);
            let to = (clip.position + clip.length).min(end);
            (from < to).then(|| Place {
                track: clip.track,
                source: clip.source,
                start: clip.start + (from - clip.position),
                position: from,
                length: to - from,
            })
        });
        overlap.collect()
    }

    /// The sum of the squares of a region without a DC offset, the mean of its channels.
    fn power(&mut self, source: SourceId, start: Frames, length: Frames) -> Result<f64, ToolError> {
        let reader = match self.readers.entry(source) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let reader = self.context.audio.source(&self.context.session, source);
                entry.insert(reader.map_err(ToolError::media)?)
            }
        };
        let channels = reader.channels();
        let (mut squares, mut sums, mut frames, mut done) = (0.0, vec![0.0; channels], 0, 0);
        while done < length.index() {
            let count = BLOCK.min(length.index() - done);
            let mut planes = vec![vec![0.0f32; count]; channels];
            let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
            let at = start + Frames::from_index(done);
            let read = reader.read(at, &mut out).map_err(ToolError::media)?;
            for (sum, plane) in sums.iter_mut().zip(&planes) {
                let values = plane.iter().take(read).map(|value| f64::from(*value));
                *sum += values.clone().sum::<f64>();
                squares += values.map(|value| value * value).sum::<f64>();
            }
            frames += read;
            done += count;
        }
        let constant = sums.iter().map(|sum| sum * sum).sum::<f64>() / frames.max(1) as f64;
        Ok((squares - constant).max(0.0) / channels.max(1) as f64)
    }
}

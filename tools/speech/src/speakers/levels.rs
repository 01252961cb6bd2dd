//! How loud each microphone hears a moment of the timeline.

use deskhand_dsp::{FrameReader, Frames};
use deskhand_session::{Segment, SegmentId, Session, SourceId, TrackId};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::BTreeMap;

/// Another microphone owns a phrase when it is so much louder than this one, each against its usual level.
const MARGIN_DB: f64 = 6.0;
/// Frames that are read at once.
const BLOCK: usize = 1 << 16;

/// Where a phrase stands on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) track: TrackId,
    source: SourceId,
    /// First frame in the source, frame on the timeline, and length.
    start: Frames,
    pub(crate) position: Frames,
    length: Frames,
}

/// The first clip that plays the start of a segment.
pub(crate) fn place(session: &Session, segment: &Segment) -> Option<Place> {
    let (source, at) = (segment.source, segment.start);
    let clip = session
        .clips
        .values()
        .find(|clip| clip.source == source && clip.start <= at && at < clip.start + clip.length)?;
    let length = segment.length.min(clip.start + clip.length - at);
    let position = clip.position + (at - clip.start);
    Some(Place { track: clip.track, source, start: at, position, length })
}

/// Levels of sources, and what is usual for each track.
pub(crate) struct Levels<'a> {
    context: &'a PlanContext,
    readers: BTreeMap<SourceId, Box<dyn FrameReader>>,
    /// The usual level of a track's phrases, in dB.
    usual: BTreeMap<TrackId, f64>,
}

impl<'a> Levels<'a> {
    /// Listens to all segments once: the usual level of a track is that of the louder half of its phrases.
    pub(crate) fn new(context: &'a PlanContext, segments: &[SegmentId]) -> Result<Self, ToolError> {
        let mut levels = Self { context, readers: BTreeMap::new(), usual: BTreeMap::new() };
        let mut all: BTreeMap<TrackId, Vec<f64>> = BTreeMap::new();
        for id in segments {
            context.check()?;
            let segment = context.session.segments.get(id);
            let Some(place) = segment.and_then(|segment| place(&context.session, segment)) else {
                continue;
            };
            let level = levels.level(place.source, place.start, place.length)?;
            all.entry(place.track).or_default().push(level);
        }
        for (track, mut of) in all {
            of.sort_by(f64::total_cmp);
            let middle = of.get(of.len() * 3 / 4).or(of.last()).copied().unwrap_or(0.0);
            levels.usual.insert(track, middle);
        }
        Ok(levels)
    }

    /// The track that hears a place loudest, each against its usual level.
    pub(crate) fn owner(&mut self, place: &Place) -> Result<TrackId, ToolError> {
        let against = |usual: &BTreeMap<TrackId, f64>, track: &TrackId, level: f64| {
            level - usual.get(track).copied().unwrap_or(0.0)
        };
        let own = self.level(place.source, place.start, place.length)?;
        let mut best = (against(&self.usual, &place.track, own) + MARGIN_DB, place.track);
        for other in self.others(place) {
            let level = self.level(other.source, other.start, other.length)?;
            let level = against(&self.usual, &other.track, level);
            if level > best.0 {
                best = (level, other.track);
            }
        }
        Ok(best.1)
    }

    /// What other tracks with phrases play at the same time.
    fn others(&self, place: &Place) -> Vec<Place> {
        let end = place.position + place.length;
        let clips = self.context.session.clips.values();
        let others =
            clips.filter(|clip| clip.track != place.track && self.usual.contains_key(&clip.track));
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

    /// The RMS of a region in dB; silence is -120.
    fn level(&mut self, source: SourceId, start: Frames, length: Frames) -> Result<f64, ToolError> {
        let reader = match self.readers.entry(source) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let reader = self.context.audio.source(&self.context.session, source);
                entry.insert(reader.map_err(ToolError::media)?)
            }
        };
        let channels = reader.channels();
        let (mut sum, mut done) = (0.0, 0);
        while done < length.index() {
            let count = BLOCK.min(length.index() - done);
            let mut planes = vec![vec![0.0f32; count]; channels];
            let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
            let at = start + Frames::from_index(done);
            let read = reader.read(at, &mut out).map_err(ToolError::media)?;
            let squares = planes.iter().flat_map(|plane| plane.iter().take(read));
            sum += squares.map(|value| f64::from(*value).powi(2)).sum::<f64>();
            done += count;
        }
        let mean = sum / (length.index().max(1) * channels.max(1)) as f64;
        Ok(10.0 * mean.max(1e-12).log10())
    }
}

//! The document itself.

use crate::assembly::{Assembly, Phrase};
use crate::binding::Binding;
use crate::clip::Clip;
use crate::code::Code;
use crate::ids::{
    ClipId, CodeId, GroupId, InsertId, MarkerId, ObjectId, PhraseId, SegmentId, SessionId,
    SourceId, TrackId,
};
use crate::insert::{InsertOwner, PlacedInsert};
use crate::marker::Marker;
use crate::segment::Segment;
use crate::selection::Selection;
use crate::source::Source;
use crate::tempo::{Meter, MeterPoint, TempoPoint};
use crate::text::cut;
use crate::track::{Group, Output, Track};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of characters that a segment or phrase is quoted with.
const QUOTED: usize = 48;

/// The document: everything that an edit can change, and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Identity, kept for the session's life.
    pub id: SessionId,
    /// The rate of all positions and lengths.
    pub rate: SampleRate,
    /// The order of tracks in every list.
    pub track_order: Vec<TrackId>,
    /// Tracks and buses.
    pub tracks: BTreeMap<TrackId, Track>,
    /// Clips on all tracks.
    pub clips: BTreeMap<ClipId, Clip>,
    /// The library.
    pub sources: BTreeMap<SourceId, Source>,
    /// Markers.
    pub markers: BTreeMap<MarkerId, Marker>,
    /// Groups of tracks.
    pub groups: BTreeMap<GroupId, Group>,
    /// Processors on tracks and on the mix.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inserts: BTreeMap<InsertId, PlacedInsert>,
    /// The described pieces of sources.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub segments: BTreeMap<SegmentId, Segment>,
    /// The codebook.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub codes: BTreeMap<CodeId, Code>,
    /// Notes on codes, segments and sources. A note stays when its object goes, so that undo brings both back.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub memos: BTreeMap<ObjectId, String>,
    /// The phrases that the assembly orders.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub phrases: BTreeMap<PhraseId, Phrase>,
    /// Which phrases play, in which order.
    #[serde(default, skip_serializing_if = "Assembly::is_empty")]
    pub assembly: Assembly,
    /// The selected objects.
    pub selection: Selection,
    /// The source that is worked on in the library.
    pub current_source: Option<SourceId>,
    /// Gain of the mix, before the outputs.
    pub master_gain: Decibels,
    /// Tempo over time, the first point at 0.
    pub tempo: Vec<TempoPoint>,
    /// Meter over time, the first point at 0.
    pub meter: Vec<MeterPoint>,
    /// The DAW's project that it was opened from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Arc<Binding>>,
}

impl Session {
    /// An empty session at 120 bpm in 4/4.
    #[must_use]
    pub fn new(id: SessionId, rate: SampleRate) -> Self {
        let meter = Meter { numerator: 4, denominator: 4 };
        Self {
            id,
            rate,
            track_order: Vec::new(),
            tracks: BTreeMap::new(),
            clips: BTreeMap::new(),
            sources: BTreeMap::new(),
            markers: BTreeMap::new(),
            groups: BTreeMap::new(),
            inserts: BTreeMap::new(),
            segments: BTreeMap::new(),
            codes: BTreeMap::new(),
            memos: BTreeMap::new(),
            phrases: BTreeMap::new(),
            assembly: Assembly::default(),
            selection: Selection::default(),
            current_source: None,
            master_gain: Decibels::UNITY,
            tempo: vec![TempoPoint { position: Frames::ZERO, bpm: 120.0 }],
            meter: vec![MeterPoint { position: Frames::ZERO, meter }],
            host: None,
        }
    }

    /// Tracks in their order.
    pub fn tracks_in_order(&self) -> impl Iterator<Item = (TrackId, &Track)> {
        self.track_order.iter().filter_map(|id| self.tracks.get(id).map(|track| (*id, track)))
    }

    /// Clips of a track by position, then id.
    #[must_use]
    pub fn clips_on(&self, track: TrackId) -> Vec<(ClipId, &Clip)> {
        let mut clips: Vec<_> = self
            .clips
            .iter()
            .filter(|(_, clip)| clip.track == track)
            .map(|(id, c)| (*id, c))
            .collect();
        clips.sort_by_key(|(id, clip)| (clip.position, *id));
        clips
    }

    /// The processors of a track or of the mix, in the order in which they work.
    #[must_use]
    pub fn inserts_on(&self, owner: InsertOwner) -> Vec<(InsertId, &PlacedInsert)> {
        let own = self.inserts.iter().filter(|(_, insert)| insert.on == owner);
        let mut own: Vec<_> = own.map(|(id, insert)| (*id, insert)).collect();
        own.sort_by_key(|(id, insert)| (insert.index, *id));
        own
    }

    /// The described pieces of a source by their start, then id.
    #[must_use]
    pub fn segments_of(&self, source: SourceId) -> Vec<(SegmentId, &Segment)> {
        let own = self.segments.iter().filter(|(_, segment)| segment.source == source);
        let mut own: Vec<_> = own.map(|(id, segment)| (*id, segment)).collect();
        own.sort_by_key(|(id, segment)| (segment.start, *id));
        own
    }

    /// The content of most of a track's recordings, according to analysis: "speech", "singing", "music",
    /// "drums" or "noise". `None` if nothing was analyzed, or nothing sounds.
    #[must_use]
    pub fn content_of(&self, track: TrackId) -> Option<&str> {
        let mut times: BTreeMap<&str, Frames> = BTreeMap::new();
        for (_, clip) in self.clips_on(track) {
            for (_, segment) in self.segments_of(clip.source) {
                let content = segment.description.facts.get("content");
                if let Some(content) = content.and_then(|fact| fact.value.as_str()) {
                    *times.entry(content).or_default() += segment.length;
                }
            }
        }
        times.remove("silence");
        times.into_iter().max_by_key(|(_, time)| *time).map(|(content, _)| content)
    }

    /// The first frame after the last clip.
    #[must_use]
    pub fn end(&self) -> Frames {
        self.clips.values().map(Clip::end).max().unwrap_or(Frames::ZERO)
    }

    /// The end of the last audible clip, 0 if there is none; muted clips do not count. A render ends there.
    #[must_use]
    pub fn heard_end(&self) -> Frames {
        let heard = self.clips.values().filter(|clip| self.is_clip_audible(clip));
        heard.map(Clip::end).max().unwrap_or(Frames::ZERO)
    }

    /// The group a track is in.
    #[must_use]
    pub fn group_of(&self, track: TrackId) -> Option<(GroupId, &Group)> {
        let mut groups = self.groups.iter();
        groups.find(|(_, group)| group.tracks.contains(&track)).map(|(id, group)| (*id, group))
    }

    /// The name of an object, for people; the id if it has none.
    #[must_use]
    pub fn name_of(&self, object: ObjectId) -> String {
        let name = match object {
            ObjectId::Session(_) => Some("the mix"),
            ObjectId::Track(id) => self.tracks.get(&id).map(|track| track.name.as_str()),
            ObjectId::Clip(id) => self.clips.get(&id).map(|clip| clip.name.as_str()),
            ObjectId::Source(id) => self.sources.get(&id).map(|source| source.name.as_str()),
            ObjectId::Marker(id) => self.markers.get(&id).map(|marker| marker.name.as_str()),
            ObjectId::Group(id) => self.groups.get(&id).map(|group| group.name.as_str()),
            ObjectId::Insert(id) => self.inserts.get(&id).map(|insert| insert.effect.title()),
            ObjectId::Code(id) => self.codes.get(&id).map(|code| code.name.as_str()),
            ObjectId::Segment(id) => {
                return Self::quote(self.segments.get(&id).map(Segment::text), object);
            }
            ObjectId::Phrase(id) => {
                return Self::quote(self.spoken(id).map(|spoken| spoken.text), object);
            }
        };
        name.map_or_else(|| object.to_string(), str::to_owned)
    }

    /// The first words of a text; the id if there is no text.
    fn quote(said: Option<String>, object: ObjectId) -> String {
        match said.filter(|said| !said.is_empty()) {
            Some(said) => cut(&said, QUOTED),
            None => object.to_string(),
        }
    }

    /// Whether a track is muted.
    #[must_use]
    pub fn is_muted(&self, track: TrackId) -> bool {
        self.tracks.get(&track).is_some_and(|track| track.mute)
    }

    /// Whether a clip is muted, or its track.
    #[must_use]
    pub fn is_clip_muted(&self, clip: &Clip) -> bool {
        clip.mute || self.is_muted(clip.track)
    }

    /// Those of `items` that are not muted; all of them if each is. Solo makes no difference.
    #[must_use]
    pub fn unmuted<T>(&self, mut items: Vec<T>, object_of: impl Fn(&T) -> ObjectId) -> Vec<T> {
        let is_muted = |item: &T| match object_of(item) {
            ObjectId::Clip(id) => self.clips.get(&id).is_some_and(|clip| self.is_clip_muted(clip)),
            object => self.track_of(object).is_some_and(|track| self.is_muted(track)),
        };
        if !items.iter().all(is_muted) {
            items.retain(|item| !is_muted(item));
        }
        items
    }

    /// The track an object is or lies on: of tracks, buses and clips.
    #[must_use]
    pub fn track_of(&self, object: ObjectId) -> Option<TrackId> {
        match object {
            ObjectId::Track(id) => Some(id),
            ObjectId::Clip(id) => self.clips.get(&id).map(|clip| clip.track),
            ObjectId::Session(_)
            | ObjectId::Source(_)
            | ObjectId::Marker(_)
            | ObjectId::Group(_)
            | ObjectId::Insert(_)
            | ObjectId::Segment(_)
            | ObjectId::Code(_)
            | ObjectId::Phrase(_) => None,
        }
    }

    /// The own gain of an object, in dB: a clip's gain, a track's fader, the session's master gain; unity
    /// for an object without one.
    #[must_use]
    pub fn gain_of(&self, object: ObjectId) -> Decibels {
        let gain = match object {
            ObjectId::Clip(id) => self.clips.get(&id).map(|clip| clip.gain),
            ObjectId::Track(id) => self.tracks.get(&id).map(|track| track.gain),
            ObjectId::Session(_) => Some(self.master_gain),
            ObjectId::Source(_)
            | ObjectId::Marker(_)
            | ObjectId::Group(_)
            | ObjectId::Insert(_)
            | ObjectId::Segment(_)
            | ObjectId::Code(_)
            | ObjectId::Phrase(_) => None,
        };
        gain.unwrap_or(Decibels::UNITY)
    }

    /// Whether an object is in the session.
    #[must_use]
    pub fn has(&self, object: ObjectId) -> bool {
        match object {
            ObjectId::Session(id) => id == self.id,
            ObjectId::Track(id) => self.tracks.contains_key(&id),
            ObjectId::Clip(id) => self.clips.contains_key(&id),
            ObjectId::Source(id) => self.sources.contains_key(&id),
            ObjectId::Marker(id) => self.markers.contains_key(&id),
            ObjectId::Group(id) => self.groups.contains_key(&id),
            ObjectId::Insert(id) => self.inserts.contains_key(&id),
            ObjectId::Code(id) => self.codes.contains_key(&id),
            ObjectId::Segment(id) => self.segments.contains_key(&id),
            ObjectId::Phrase(id) => self.phrases.contains_key(&id),
        }
    }

    /// Whether a memo can be written on an object: on codes, segments and sources that are there.
    #[must_use]
    pub fn takes_memo(&self, on: ObjectId) -> bool {
        match on {
            ObjectId::Code(id) => self.codes.contains_key(&id),
            ObjectId::Segment(id) => self.segments.contains_key(&id),
            ObjectId::Source(id) => self.sources.contains_key(&id),
            ObjectId::Session(_)
            | ObjectId::Track(_)
            | ObjectId::Clip(_)
            | ObjectId::Marker(_)
            | ObjectId::Group(_)
            | ObjectId::Insert(_)
            | ObjectId::Phrase(_) => false,
        }
    }

    /// Whether a track sounds: not muted, and soloed if anything is. A bus sounds when a soloed track
    /// plays through it, and a track when the bus it plays to is soloed.
    #[must_use]
    pub fn is_audible(&self, id: TrackId) -> bool {
        let Some(track) = self.tracks.get(&id) else {
            return false;
        };
        if track.mute {
            return false;
        }
        let any_solo = self.tracks.values().any(|track| track.solo);
        !any_solo || self.reaches_solo(id) || self.is_fed_by_solo(id)
    }

    /// Whether a clip sounds: it is not muted, and its track sounds.
    #[must_use]
    pub fn is_clip_audible(&self, clip: &Clip) -> bool {
        !clip.mute && self.is_audible(clip.track)
    }

    /// Whether the track, or a bus that it goes through, is soloed.
    fn reaches_solo(&self, id: TrackId) -> bool {
        self.path_of(id).any(|id| self.tracks.get(&id).is_some_and(|track| track.solo))
    }

    fn is_fed_by_solo(&self, bus: TrackId) -> bool {
        let mut soloed = self.tracks.iter().filter(|(_, track)| track.solo);
        soloed.any(|(id, _)| self.path_of(*id).any(|step| step == bus))
    }

    /// The track and the buses it plays through, nearest first. Ends even on a cycle.
    pub fn path_of(&self, id: TrackId) -> impl Iterator<Item = TrackId> {
        let next = |id: &TrackId| match self.tracks.get(id)?.output {
            Output::Master => None,
            Output::Bus(bus) => Some(bus),
        };
        std::iter::successors(Some(id), next).take(self.tracks.len().max(1))
    }
}

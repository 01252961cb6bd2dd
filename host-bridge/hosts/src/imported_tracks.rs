//! A timeline of another program as changes to a session that may have tracks already.

use crate::handoff::{Clip as TimelineClip, Marker as TimelineMarker, Timeline, Track as From};
use crate::in_session_units::gain;
use deskhand_dsp::Frames;
use deskhand_session::text::{clock, count, cut, one_line};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Change, Clip, ClipId, Edit, Fades, IdSeed, Marker, MarkerId, Session, Source, SourceId, Track,
    TrackId,
};
use deskhand_toolkit::Draft;
use serde_json::json;

/// The longest name, characters.
const NAME: usize = 200;

/// The changes, while they grow.
pub(crate) struct ImportedTracks<'a> {
    session: &'a Session,
    ids: IdSeed,
    timeline: &'a Timeline,
    draft: Draft,
    /// What each of the media is, with the change that adds it, if one does.
    sources: Vec<Option<(SourceId, Source, Option<String>)>>,
    tracks: usize,
    clips: usize,
    /// Clips that play nothing of their file.
    unplayed: usize,
    /// Clips that reach beyond the end of their file.
    shortened: usize,
}

impl<'a> ImportedTracks<'a> {
    pub(crate) fn new(session: &'a Session, ids: IdSeed, timeline: &'a Timeline) -> Self {
        let (draft, sources) = (Draft::default(), Vec::new());
        let (tracks, clips, unplayed, shortened) = (0, 0, 0, 0);
        Self { session, ids, timeline, draft, sources, tracks, clips, unplayed, shortened }
    }

    /// The plan as one row. `sources` are those of the timeline's media; `name` is that of its file.
    pub(crate) fn all(mut self, sources: &[Option<Source>], name: &str) -> Draft {
        for source in sources {
            let added = source.as_ref().map(|source| self.source(source));
            self.sources.push(added);
        }
        let timeline = self.timeline;
        timeline.tracks.iter().for_each(|track| self.track(track));
        timeline.markers.iter().for_each(|marker| self.marker(marker));
        self.finish(name)
    }

    /// The source of the library that is the same, or a new one.
    fn source(&mut self, source: &Source) -> (SourceId, Source, Option<String>) {
        let same = |known: &Source| {
            (&known.hash, &known.path, known.channel)
                == (&source.hash, &source.path, source.channel)
        };
        let added = self.sources.iter().flatten().find(|(_, known, _)| same(known));
        if let Some(added) = added {
            return added.clone();
        }
        let mut library = self.session.sources.iter();
        if let Some((id, known)) = library.find(|(_, known)| same(known)) {
            return (*id, known.clone(), None);
        }
        let id = SourceId::new(self.ids.next_bits());
        let change = Change::AddSource(Edit::create(id, source.clone()));
        let change = self.draft.change(change, source.name.clone(), source.path.clone());
        (id, source.clone(), Some(change))
    }

    /// A track with the clips whose audio is there; none for a track without any.
    fn track(&mut self, from: &From) {
        let id = TrackId::new(self.ids.next_bits());
        let found = |clip: &&TimelineClip| matches!(self.sources.get(clip.media), Some(Some(_)));
        let found: Vec<&TimelineClip> = from.clips.iter().filter(found).collect();
        let clips: Vec<_> = found.into_iter().filter_map(|clip| self.clip(clip, id)).collect();
        if clips.is_empty() {
            return;
        }
        let index = self.session.track_order.len() + self.tracks;
        let name = named(&from.name, "Track");
        let track = Track {
            gain: gain(from.gain.0),
            pan: from.pan.clamp(-1.0, 1.0),
            mute: from.mute,
            ..Track::audio(name.clone())
        };
        let change = Change::AddTrack(Edit::create(id, PlacedTrack { index, track }));
        let on = self.draft.change(change, name, "in the timeline");
        self.tracks += 1;
        self.clips += clips.len();
        for (clip, added) in clips {
            let needs = added.into_iter().chain([on.clone()]).collect();
            let (name, reason) = (clip.name.clone(), clock(clip.position, self.session.rate));
            let id = ClipId::new(self.ids.next_bits());
            let change = Change::AddClip(Edit::create(id, clip));
            self.draft.dependent(change, name, format!("at {reason}"), needs);
        }
    }

    /// A clip, and the change that adds its source. `None` if it plays nothing.
    fn clip(&mut self, from: &TimelineClip, track: TrackId) -> Option<(Clip, Option<String>)> {
        let (source, of, added) = self.sources.get(from.media)?.clone()?;
        // What begins before the session does is cut off.
        let hidden = (Frames::ZERO - from.position).max(Frames::ZERO);
        let start = self.start(from, &of) + hidden;
        let wanted = from.length - hidden;
        let length = wanted.min(of.frames - start);
        if length <= Frames::ZERO || start < Frames::ZERO {
            self.unplayed += 1;
            return None;
        }
        self.shortened += usize::from(wanted - length > self.picture());
        let fades = Fades { fade_in: from.fade_in, fade_out: from.fade_out }.fitted(length);
        let clip = Clip {
            start,
            position: from.position + hidden,
            gain: gain(from.gain.0),
            fade_in: fades.fade_in,
            fade_out: fades.fade_out,
            mute: from.mute,
            ..Clip::new(named(&from.name, &of.name), track, source, length)
        };
        Some((clip, added))
    }

    /// The first frame of the file that a clip plays. Where the timeline does not say when the file began, it may mean
    /// the timecode that the file itself has.
    fn start(&self, clip: &TimelineClip, source: &Source) -> Frames {
        let media = self.timeline.media.get(clip.media);
        let is_known = media.is_some_and(|media| media.frames > Frames::ZERO);
        let later = clip.start - source.origin.unwrap_or_default();
        let is_inside = later > Frames::ZERO - self.picture() && later < source.frames;
        if is_known || !is_inside { clip.start } else { later.max(Frames::ZERO) }
    }

    /// The length of a frame of picture.
    fn picture(&self) -> Frames {
        self.timeline.frame_rate.samples(1, self.timeline.rate)
    }

    fn marker(&mut self, from: &TimelineMarker) {
        let name = named(&from.name, "Marker");
        let TimelineMarker { position, length, .. } = *from;
        let marker = Marker { name: name.clone(), position, length, code: None };
        let id = MarkerId::new(self.ids.next_bits());
        self.draft.change(Change::AddMarker(Edit::create(id, marker)), name, "in the timeline");
    }

    fn finish(mut self, name: &str) -> Draft {
        let (tracks, clips) = (count(self.tracks, "track"), count(self.clips, "clip"));
        self.draft.summary = format!("Import {name}: {tracks}, {clips}");
        if let Some(head) = self.draft.changes.first().map(|change| change.id.clone()) {
            self.draft.row(0, &head, name);
        }
        let notes = [
            (self.unplayed, "Left out: {}. Its file does not reach there."),
            (self.shortened, "The file of {} ends before the clip does: the clip ends there."),
        ];
        let notes = notes.into_iter().filter(|(number, _)| *number > 0);
        let notes = notes.map(|(number, text)| text.replace("{}", &count(number, "clip")));
        self.draft.notes.extend(notes);
        let markers = self.timeline.markers.len();
        self.draft.answer =
            Some(json!({"tracks": self.tracks, "clips": self.clips, "markers": markers}));
        self.draft
    }
}

/// A name as a session can have it.
fn named(name: &str, otherwise: &str) -> String {
    let name = one_line(name);
    let name = if name.trim().is_empty() { otherwise } else { name.trim() };
    cut(name, NAME)
}

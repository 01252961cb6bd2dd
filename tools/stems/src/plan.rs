//! The plan of a split: a track a stem under the original, clips in place of its clips, the original silent.

use crate::recipe::Recipe;
use crate::work::Stretch;
use deskhand_dsp::Frames;
use deskhand_session::insert::InsertOwner;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Change, Clip, ClipId, ClipPlace, Color, Edit, IdSeed, Read, Session, Source, SourceId, Track,
    TrackId,
};
use deskhand_toolkit::generated_audio::Made;
use deskhand_toolkit::{Draft, PlanContext};
use std::collections::BTreeMap;

/// A stretch with the file of each stem.
pub(crate) struct Ready {
    pub(crate) stretch: Stretch,
    pub(crate) made: Vec<Made>,
}

/// A source in the session that will be, and the change that adds it, if one does.
#[derive(Clone)]
struct Known {
    id: SourceId,
    change: Option<String>,
}

/// The plan while it grows.
pub(crate) struct Planner<'a> {
    session: &'a Session,
    recipe: &'a Recipe,
    pub(crate) draft: Draft,
    ids: IdSeed,
    /// For each stretch the source of each stem.
    sources: Vec<(Stretch, Vec<Known>)>,
    /// Tracks that were added above the next one.
    added: usize,
}

impl<'a> Planner<'a> {
    /// Begins with the files as sources.
    pub(crate) fn new(context: &'a PlanContext, recipe: &'a Recipe, ready: &[Ready]) -> Self {
        let mut planner = Self {
            session: &context.session,
            recipe,
            draft: Draft::default(),
            ids: context.ids(),
            sources: Vec::new(),
            added: 0,
        };
        for Ready { stretch, made } in ready {
            let known = made.iter().map(|made| planner.source(made)).collect();
            planner.sources.push((*stretch, known));
        }
        planner
    }

    /// The source of a file: one of the library, or a new one.
    fn source(&mut self, made: &Made) -> Known {
        if !self.draft.artifacts.contains(&made.artifact) {
            self.draft.artifacts.push(made.artifact.clone());
        }
        let source = &made.source;
        let same = |known: &Source| known.hash == source.hash && known.media == source.media;
        if let Some((id, _)) = self.session.sources.iter().find(|(_, known)| same(known)) {
            return Known { id: *id, change: None };
        }
        let id = SourceId::new(self.ids.next_bits());
        let change = Change::AddSource(Edit::create(id, source.clone()));
        let reason = format!("split by {}", self.recipe.by());
        let change = self.draft.change(change, source.name.clone(), reason);
        Known { id, change: Some(change) }
    }

    /// Stems of the clips of one track; whether there was anything to do.
    pub(crate) fn track(&mut self, id: TrackId, clips: &[ClipId]) -> bool {
        let Some(original) = self.session.tracks.get(&id) else {
            return false;
        };
        if clips.iter().all(|clip| self.is_done(*clip)) {
            return false;
        }
        for clip in clips {
            self.draft.reads.push(Read::audio(self.session, *clip));
        }
        let place = self.session.track_order.iter().position(|known| *known == id);
        let below = place.unwrap_or_default() + 1 + self.added;
        let first = self.draft.changes.len();
        let whole = self.session.clips_on(id).len() == clips.len();
        let below = if whole { below } else { self.set_aside(original, clips, below) };
        let mut needs = Vec::new();
        for stem in 0..self.recipe.stems.len() {
            needs.extend(self.stem(original, clips, stem, below + stem));
        }
        self.added += self.recipe.stems.len();
        if whole && !original.mute {
            let mute = Change::SetTrackMute(Edit::new(id, false, true));
            let reason = "its stems play instead";
            self.draft.dependent(mute, original.name.clone(), reason, needs);
        }
        self.name_row(first, whole && !original.mute);
        if !self.session.inserts_on(InsertOwner::Track(id)).is_empty() {
            self.draft.warnings.push(format!(
                "the processors on \"{}\" stay there; its stems play without them",
                original.name
            ));
        }
        true
    }

    /// Makes the changes from `first` on one row.
    fn name_row(&mut self, first: usize, mutes: bool) {
        let head = if mutes { self.draft.changes.last() } else { self.draft.changes.get(first) };
        let Some(head) = head.map(|change| change.id.clone()) else { return };
        let count = self.recipe.stems.len();
        let original = if mutes { "original muted" } else { "original on a silent track" };
        self.draft.row(first, &head, format!("{count} stems, {original}"));
    }

    /// Whether every stem of the clip is where the clip is.
    fn is_done(&self, id: ClipId) -> bool {
        let Some(original) = self.session.clips.get(&id) else {
            return false;
        };
        let holds = |(stretch, _): &&(Stretch, Vec<Known>)| stretch.holds(original);
        let Some((stretch, known)) = self.sources.iter().find(holds) else {
            return false;
        };
        let stands = |known: &Known| {
            let window = (known.id, original.start - stretch.start, original.length);
            let same = |clip: &Clip| (clip.source, clip.start, clip.length) == window;
            let mut clips = self.session.clips.values();
            clips.any(|clip| same(clip) && clip.position == original.position)
        };
        known.iter().all(stands)
    }

    /// Where other clips of the track play on, those that are split go to a silent track of their own.
    /// Returns the place below it.
    fn set_aside(&mut self, original: &Track, clips: &[ClipId], place: usize) -> usize {
        let id = TrackId::new(self.ids.next_bits());
        let name = format!("{} original", original.name);
        let track = Track { name: name.clone(), mute: true, solo: false, ..original.clone() };
        let add = Change::AddTrack(Edit::create(id, PlacedTrack { index: place, track }));
        let reason = "keeps the clips that are split, silent";
        let added = self.draft.change(add, name, reason);
        for clip in clips {
            let Some(known) = self.session.clips.get(clip) else { continue };
            let after = ClipPlace { track: id, position: known.position };
            let moved = Change::MoveClip(Edit::new(*clip, known.place(), after));
            let needs = vec![added.clone()];
            self.draft.dependent(moved, known.name.clone(), "its stems play instead", needs);
        }
        self.added += 1;
        place + 1
    }

    /// One track with the clips of one stem; the ids of its changes.
    fn stem(
        &mut self,
        original: &Track,
        clips: &[ClipId],
        stem: usize,
        index: usize,
    ) -> Vec<String> {
        let Some(name) = self.recipe.stems.get(stem).map(|stem| stem.name.clone()) else {
            return Vec::new();
        };
        let id = TrackId::new(self.ids.next_bits());
        let track = Track {
            name: format!("{} {name}", original.name),
            color: color(&name),
            mute: false,
            ..original.clone()
        };
        let label = track.name.clone();
        let add = Change::AddTrack(Edit::create(id, PlacedTrack { index, track }));
        let reason = format!("a track for the stem, with the fader of \"{}\"", original.name);
        let added = self.draft.change(add, label, reason);
        let mut changes = vec![added.clone()];
        for clip in clips {
            changes.extend(self.clip(*clip, id, stem, &name, &added));
        }
        changes
    }

    fn clip(
        &mut self,
        clip: ClipId,
        track: TrackId,
        stem: usize,
        name: &str,
        track_change: &str,
    ) -> Option<String> {
        let original = self.session.clips.get(&clip)?;
        let holds = |(stretch, _): &&(Stretch, Vec<Known>)| stretch.holds(original);
        let (stretch, known) = self.sources.iter().find(holds)?;
        let known = known.get(stem)?.clone();
        let moved = stretch.start;
        let mut copy = Clip {
            name: format!("{} {name}", original.name),
            track,
            source: known.id,
            start: original.start - moved,
            ..original.clone()
        };
        for point in &mut copy.envelope {
            point.position -= moved;
        }
        let mut needs = vec![track_change.to_owned()];
        needs.extend(known.change);
        let label = copy.name.clone();
        let id = ClipId::new(self.ids.next_bits());
        let add = Change::AddClip(Edit::create(id, copy));
        let reason = format!("{name} of \"{}\", aligned to the sample", original.name);
        Some(self.draft.dependent(add, label, reason, needs))
    }
}

impl Stretch {
    /// Whether the clip shows nothing outside of it.
    fn holds(&self, clip: &Clip) -> bool {
        clip.source == self.source
            && clip.start >= self.start
            && clip.start + clip.length <= self.start + self.length
    }
}

/// The stretches that clips show: each source's regions, joined where they touch.
pub(crate) fn stretches(session: &Session, clips: &[ClipId]) -> Vec<Stretch> {
    let mut of: BTreeMap<SourceId, Vec<(Frames, Frames)>> = BTreeMap::new();
    for clip in clips.iter().filter_map(|id| session.clips.get(id)) {
        of.entry(clip.source).or_default().push((clip.start, clip.start + clip.length));
    }
    let mut stretches: Vec<Stretch> = Vec::new();
    for (source, mut regions) in of {
        regions.sort_unstable();
        for (start, end) in regions {
            match stretches.last_mut() {
                Some(last) if last.source == source && start <= last.start + last.length => {
                    last.length = (last.start + last.length).max(end) - last.start;
                }
                _ => stretches.push(Stretch { source, start, length: end - start }),
            }
        }
    }
    stretches
}

/// The color of a stem's track: the same for the same stem in every session.
fn color(stem: &str) -> Option<Color> {
    let hex = match stem.trim_start_matches("rough ") {
        "vocals" => "#e0a458",
        "drums" | "percussive" => "#d1605e",
        "bass" => "#7d6fb2",
        "guitar" => "#6aa56e",
        "piano" => "#4c8fbd",
        "harmonic" | "mid" => "#5fa8a0",
        "side" => "#a7a05c",
        _ => "#8a94a6",
    };
    Color::try_from(hex.to_owned()).ok()
}

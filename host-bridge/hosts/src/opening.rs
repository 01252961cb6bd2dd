//! A project of a DAW as changes to an empty session: tempo, sources, tracks, clips, markers, and what they are called
//! in the project.

use crate::in_session_units::{clip, frames, gain, marker, track};
use crate::project::{Project, ProjectClip, ProjectTrack};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::text::count;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Binding, Change, ClipId, Edit, HostRef, IdSeed, MarkerId, Meter, MeterPoint, ObjectId, Output,
    Session, Source, SourceId, TempoPoint, Track, TrackId,
};
use deskhand_toolkit::Draft;
use std::collections::BTreeMap;

/// The changes, while they grow.
pub(crate) struct Opening<'a> {
    session: &'a Session,
    ids: IdSeed,
    draft: Draft,
    /// The sources by what the project calls their files.
    sources: BTreeMap<String, (SourceId, Source, String)>,
    /// The buses by what the project calls them.
    buses: BTreeMap<String, TrackId>,
    objects: BTreeMap<ObjectId, HostRef>,
    /// How many clips play nothing that Deskhand can play alike.
    unplayed: usize,
}

impl<'a> Opening<'a> {
    pub(crate) fn new(session: &'a Session, ids: IdSeed) -> Self {
        let (draft, unplayed) = (Draft::default(), 0);
        let (sources, buses, objects) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { session, ids, draft, sources, buses, objects, unplayed }
    }

    /// Makes all changes for `project`, whose files are `sources` as it calls them.
    pub(crate) fn all(mut self, project: &Project, sources: &BTreeMap<String, Source>) -> Self {
        self.time(project);
        for (file, source) in sources {
            self.source(file, source);
        }
        for (index, from) in project.tracks.iter().enumerate() {
            self.track(index, from);
        }
        for from in &project.markers {
            let made = marker(from, self.rate());
            let id = MarkerId::new(self.ids.next_bits());
            self.name(id, from.id.as_deref());
            let name = made.name.clone();
            self.draft.change(Change::AddMarker(Edit::create(id, made)), name, "in the project");
        }
        self
    }

    /// The plan, as one row, with the bond to the project.
    pub(crate) fn bound(mut self, binding: Binding, name: &str) -> Draft {
        let mut left = binding.left.clone();
        if self.unplayed > 0 {
            left.push(count(self.unplayed, "clip that Deskhand cannot play as the DAW does"));
        }
        let objects = std::mem::take(&mut self.objects);
        let binding = Binding { objects, left, ..binding };
        let edit = Edit::new(self.session.id, self.session.host.clone(), Some(binding.into()));
        let head = self.draft.change(Change::SetBinding(edit), name.to_owned(), "opened from it");
        self.draft.row(0, &head, name);
        self.draft
    }

    fn rate(&self) -> SampleRate {
        self.session.rate
    }

    /// Remembers what the project calls an object.
    fn name(&mut self, object: impl Into<ObjectId>, id: Option<&str>) {
        if let Some(id) = id {
            self.objects.insert(object.into(), HostRef { id: id.to_owned() });
        }
    }

    fn time(&mut self, project: &Project) {
        let (rate, on) = (self.rate(), self.session.id);
        let (tempo, meter) = (tempo(project, rate), meter(project, rate));
        if !tempo.is_empty() {
            let edit = Edit::new(on, self.session.tempo.clone(), tempo);
            self.draft.change(Change::SetTempo(edit), "the tempo".into(), "in the project");
        }
        if !meter.is_empty() {
            let edit = Edit::new(on, self.session.meter.clone(), meter);
            self.draft.change(Change::SetMeter(edit), "the meter".into(), "in the project");
        }
        let edit = Edit::new(on, self.session.master_gain, gain(project.master_gain_db));
        self.draft.change(Change::SetMasterGain(edit), "the mix".into(), "in the project");
    }

    fn source(&mut self, file: &str, source: &Source) {
        let id = SourceId::new(self.ids.next_bits());
        let change = Change::AddSource(Edit::create(id, source.clone()));
        let change = self.draft.change(change, source.name.clone(), "in the project");
        self.sources.insert(file.to_owned(), (id, source.clone(), change));
    }

    /// A track with its clips. A bus with clips of its own becomes a bus, and a track that plays into it.
    fn track(&mut self, index: usize, from: &ProjectTrack) {
        let parent = from.parent.as_ref().and_then(|parent| self.buses.get(parent));
        let output = parent.map_or(Output::Master, |bus| Output::Bus(*bus));
        let (id, change) = self.add(index, track(from, index, output));
        self.name(id, from.id.as_deref());
        if !from.is_bus {
            return self.clips(from, (id, &change));
        }
        if let Some(own) = &from.id {
            self.buses.insert(own.clone(), id);
        }
        if !from.clips.is_empty() {
            let name = track(from, index, output).name;
            let on = Track { output: Output::Bus(id), ..Track::audio(name) };
            let (id, change) = self.add(index, on);
            self.name(id, from.id.as_deref());
            self.clips(from, (id, &change));
        }
    }

    fn add(&mut self, index: usize, track: Track) -> (TrackId, String) {
        let id = TrackId::new(self.ids.next_bits());
        let name = track.name.clone();
        let index =
            index.max(self.objects.keys().filter(|it| matches!(it, ObjectId::Track(_))).count());
        let change = Change::AddTrack(Edit::create(id, PlacedTrack { index, track }));
        (id, self.draft.change(change, name, "in the project"))
    }

    fn clips(&mut self, from: &ProjectTrack, (track, change): (TrackId, &str)) {
        for clip in &from.clips {
            if self.clip(clip, (track, change)).is_none() {
                self.unplayed += 1;
            }
        }
    }

    /// A clip; `None` if it plays nothing of a file that is there.
    fn clip(&mut self, from: &ProjectClip, (track, on): (TrackId, &str)) -> Option<()> {
        let (id, source, added) = self.sources.get(&from.file)?;
        let made = clip(from, track, (*id, source), self.session.rate)?;
        let needs = vec![added.clone(), on.to_owned()];
        let id = ClipId::new(self.ids.next_bits());
        self.name(id, from.id.as_deref());
        let name = made.name.clone();
        self.draft.dependent(
            Change::AddClip(Edit::create(id, made)),
            name,
            "in the project",
            needs,
        );
        Some(())
    }
}

/// The tempo of a project, from the start on; empty if it has none.
pub(crate) fn tempo(project: &Project, rate: SampleRate) -> Vec<TempoPoint> {
    let points = project.tempo.iter();
    let points = points.map(|it| TempoPoint { position: frames(it.position, rate), bpm: it.bpm });
    let mut points: Vec<_> = points.collect();
    points.dedup_by_key(|it| it.position);
    if let Some(first) = points.first_mut() {
        first.position = Frames::ZERO;
    }
    points
}

/// The meter of a project, from the start on; empty if it has none.
pub(crate) fn meter(project: &Project, rate: SampleRate) -> Vec<MeterPoint> {
    let point = |it: &crate::project::MeterPoint| {
        let (numerator, denominator) =
            (it.numerator.try_into().ok()?, it.denominator.try_into().ok()?);
        let meter = Meter { numerator, denominator };
        Some(MeterPoint { position: frames(it.position, rate), meter })
    };
    let mut points: Vec<_> = project.meter.iter().filter_map(point).collect();
    points.dedup_by_key(|it| it.position);
    if let Some(first) = points.first_mut() {
        first.position = Frames::ZERO;
    }
    points
}

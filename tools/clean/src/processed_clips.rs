//! Clips that play cleaned audio: a made file, its source, and the clips that change over to it.

use deskhand_dsp::loudness::LoudnessProfile;
use deskhand_dsp::{Decibels, FrameReader, Frames};
use deskhand_session::text::count;
use deskhand_session::{
    Change, Clip, ClipId, Edit, Finding, IdSeed, Measure, Prediction, Read, Session, Source,
    SourceId,
};
use deskhand_toolkit::generated_audio::{Made, Order, make, unwritten};
use deskhand_toolkit::{ClipReader, Draft, Estimate, PlanContext, ToolError};
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

/// How far a loudness or peak may be off that was measured on the very samples.
const SAME: f64 = 0.05;

/// The sources of clips, each with its clips, in the order in which they first come.
fn by_source(session: &Session, clips: &[ClipId]) -> Vec<(SourceId, Vec<ClipId>)> {
    let (mut order, mut of): (Vec<SourceId>, BTreeMap<SourceId, Vec<ClipId>>) = Default::default();
    for (id, clip) in clips.iter().filter_map(|id| Some((*id, session.clips.get(id)?))) {
        let known = of.entry(clip.source).or_default();
        if known.is_empty() {
            order.push(clip.source);
        }
        known.push(id);
    }
    order.into_iter().map(|id| (id, of.remove(&id).unwrap_or_default())).collect()
}

/// What work on whole sources costs, at `speed` times real time.
pub(crate) fn estimate(session: &Session, clips: &[ClipId], speed: f64) -> Estimate {
    let sources = by_source(session, clips);
    let sources = sources.iter().filter_map(|(id, _)| session.sources.get(id));
    sources.fold(Estimate::default(), |sum, source| Estimate {
        seconds: sum.seconds + source.frames.seconds(session.rate).0 / speed,
        bytes: sum.bytes + source.frames.index() as u64 * u64::from(source.channels) * 4,
    })
}

/// A plan in which clips change over to made audio.
pub(crate) struct Changeover<'a> {
    pub(crate) context: &'a PlanContext,
    pub(crate) draft: Draft,
    ids: IdSeed,
    /// The clips that change over, by name.
    pub(crate) changed: Vec<String>,
}

/// Made audio with the id of its source in the session that will be.
pub(crate) struct Ready {
    pub(crate) id: SourceId,
    pub(crate) source: Source,
    /// The change that adds it, unless the library has it.
    change: Option<String>,
}

impl<'a> Changeover<'a> {
    pub(crate) fn new(context: &'a PlanContext) -> Self {
        Self { context, draft: Draft::default(), ids: context.ids(), changed: Vec::new() }
    }

    /// Makes audio out of all of `of`. `fill` gives the file's samples to the function that it gets.
    pub(crate) fn make(
        &mut self,
        order: Order<'_>,
        key: &impl Serialize,
        reason: &str,
        fill: impl FnOnce(&mut Write<'_>) -> Result<(), ToolError>,
    ) -> Result<Ready, ToolError> {
        let Made { source, artifact } = make(self.context, order, key, |writer| {
            let mut write = |planes: &[&[f32]]| writer.write(planes).map_err(unwritten);
            fill(&mut write)
        })?;
        if !self.draft.artifacts.contains(&artifact) {
            self.draft.artifacts.push(artifact);
        }
        Ok(self.ready(source, reason))
    }

    fn ready(&mut self, source: Source, reason: &str) -> Ready {
        let same = |known: &Source| known.hash == source.hash && known.media == source.media;
        let known = self.context.session.sources.iter().find(|(_, known)| same(known));
        if let Some((id, known)) = known {
            return Ready { id: *id, source: known.clone(), change: None };
        }
        let id = SourceId::new(self.ids.next_bits());
        let change = Change::AddSource(Edit::create(id, source.clone()));
        let change = self.draft.change(change, source.name.clone(), reason);
        Ready { id, source, change: Some(change) }
    }

    /// Lets `clip` play `ready` instead: one row, in which `done` says what the audio is then. `edit` changes what
    /// else is different. Predicts its levels.
    pub(crate) fn replace(
        &mut self,
        clip: ClipId,
        ready: &Ready,
        (done, reason): (&str, &str),
        edit: impl FnOnce(&mut Clip),
    ) -> Result<(), ToolError> {
        let session = &self.context.session;
        let Some(before) = session.clips.get(&clip) else {
            return Ok(());
        };
        let mut after = Clip { source: ready.id, ..before.clone() };
        edit(&mut after);
        let id = ClipId::new(self.ids.next_bits());
        self.draft.reads.push(Read::audio(session, clip));
        let remove = Change::RemoveClip(Edit::remove(clip, before.clone()));
        let mut needs: Vec<String> = ready.change.iter().cloned().collect();
        // One without the other would lose the clip, or play it twice.
        let own = self.draft.changes.len() + 2;
        let all = [needs.clone(), vec![format!("c{own}")]].concat();
        let first = self.draft.changes.len();
        let removed = self.draft.dependent(remove, before.name.clone(), reason, all);
        needs.push(removed.clone());
        let add = Change::AddClip(Edit::create(id, after.clone()));
        let add = self.draft.dependent(add, after.name.clone(), reason, needs.clone());
        self.changed.push(before.name.clone());
        self.draft.row(first, &removed, done);
        needs.push(add);
        self.predict(id, &after, ready, needs)
    }

    /// The levels of the new clip, measured on the samples that it will play.
    fn predict(
        &mut self,
        id: ClipId,
        clip: &Clip,
        ready: &Ready,
        from: Vec<String>,
    ) -> Result<(), ToolError> {
        let levels = self.profile(clip, &ready.source)?.levels(Decibels::UNITY);
        let promised = [
            (Measure::IntegratedLoudness, levels.integrated.map(|level| level.0)),
            (Measure::TruePeak, levels.true_peak.map(|level| level.0)),
        ];
        for (measure, value) in promised {
            let value = value.map(|value| (value * 100.0).round() / 100.0 + 0.0);
            let promise =
                value.map(|value| Prediction::now(id, measure, value, SAME, from.clone()));
            self.draft.predicted.extend(promise);
        }
        Ok(())
    }

    fn profile(&self, clip: &Clip, source: &Source) -> Result<LoudnessProfile, ToolError> {
        let context = self.context;
        let open = || -> Result<Box<dyn FrameReader>, deskhand_dsp::ReadError> {
            Ok(Box::new(ClipReader::new(opened(context, source)?, clip)))
        };
        let mut go_on = |_| match context.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let whole = Frames::ZERO..Frames(i64::MAX);
        let profile = deskhand_media::measure_profile(&open, whole, threads, &mut go_on);
        profile.map_err(|error| context.check().err().unwrap_or_else(|| ToolError::media(error)))
    }

    /// Adds a finding about the made audio.
    pub(crate) fn found(&mut self, ready: &Ready, measure: Measure, value: Option<f64>) {
        self.draft.findings.push(Finding::new(ready.id, measure, value));
    }

    /// The made audio, to be measured.
    pub(crate) fn open(&self, ready: &Ready) -> Result<Box<dyn FrameReader>, ToolError> {
        opened(self.context, &ready.source).map_err(ToolError::media)
    }

    /// Works on each source of `clips` once, in their order, and returns the names of those that `work` left alone
    /// (`false`).
    pub(crate) fn each_source(
        &mut self,
        clips: &[ClipId],
        mut work: impl FnMut(&mut Self, SourceId, &Source, &[ClipId]) -> Result<bool, ToolError>,
    ) -> Result<Vec<String>, ToolError> {
        let context = self.context;
        let sources = by_source(&context.session, clips);
        let mut left_alone = Vec::new();
        for (index, (id, clips)) in sources.iter().enumerate() {
            let Some(source) = context.session.sources.get(id) else {
                continue;
            };
            context.step(index, sources.len(), &source.name)?;
            if !work(self, *id, source, clips)? {
                left_alone.push(source.name.clone());
            }
        }
        Ok(left_alone)
    }

    /// The draft with a summary, or with what says that nothing is to be done.
    pub(crate) fn finish(mut self, done: impl FnOnce(&str) -> String, nothing: &str) -> Draft {
        self.draft.summary = if self.changed.is_empty() {
            format!("Nothing to change: {nothing}")
        } else {
            done(&deskhand_session::text::subject(&self.changed, "clip"))
        };
        self.draft
    }
}

/// Takes samples, a slice per channel.
pub(crate) type Write<'a> = dyn FnMut(&[&[f32]]) -> Result<(), ToolError> + 'a;

fn opened(
    context: &PlanContext,
    source: &Source,
) -> Result<Box<dyn FrameReader>, deskhand_dsp::ReadError> {
    let opened = context.opener.open_at(Path::new(&source.path), context.session.rate);
    opened.map_err(|error| deskhand_dsp::ReadError(error.to_string()))
}

/// "2 clips of one recording".
pub(crate) fn clips_of(source: &Source, clips: &[ClipId]) -> String {
    format!("{} of \"{}\"", count(clips.len(), "clip"), source.name)
}

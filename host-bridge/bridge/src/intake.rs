//! Recordings as steps: each becomes a source and a clip at its position, and covers the clips there. Nothing is removed
//! from the library: covered recordings stay as takes.

use crate::commits::{Commits, NewRevision};
use crate::cover::covered;
use crate::errors::storage;
use crate::passes::{Pass, Take, lead_in};
use deskhand_dsp::{Decibels, Fade, Polarity};
use deskhand_protocol::CaptureKind;
use deskhand_session::change::Edit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{
    Author, Change, Clip, ClipId, IdSeed, Revision, RevisionId, Session, Source, SourceId,
};
use deskhand_store::CAPTURES;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The most takes of a step that are named; others are counted.
const NAMED: usize = 3;

impl Commits {
    /// A step that adds recordings, and the answer to each; no step if nothing fits.
    pub(crate) fn passes_step(
        &self,
        passes: impl IntoIterator<Item = (Pass, Source)>,
    ) -> (Option<NewRevision>, Vec<Result<Value, ToolError>>) {
        let mut intake = Intake {
            session: Session::clone(&self.session),
            takes: self.takes(),
            base: self.history.next_id(),
            seed: None,
            changes: Vec::new(),
            names: Vec::new(),
            first: None,
        };
        let take = |(pass, source)| match &self.read_only {
            Some(error) => Err(storage(error)),
            None => intake.take(pass, source),
        };
        let answers = passes.into_iter().map(take).collect();
        (intake.step(), answers)
    }

    /// Sources that were recorded, and where.
    pub(crate) fn takes(&self) -> BTreeMap<SourceId, Take> {
        self.takes_until(self.history.next_id())
    }

    /// Sources that were recorded up to a revision, and where.
    pub(crate) fn takes_until(&self, last: RevisionId) -> BTreeMap<SourceId, Take> {
        let until = self.history.iter().take_while(|revision| revision.id <= last);
        let recorded = until.filter(|revision| records(revision));
        recorded.flat_map(|revision| takes_in(&revision.changes)).collect()
    }
}

/// A step that adds recordings, while it is being made.
struct Intake {
    session: Session,
    takes: BTreeMap<SourceId, Take>,
    /// The revision that it becomes.
    base: RevisionId,
    /// Of the first: two tracks that recorded the same are two takes.
    seed: Option<IdSeed>,
    changes: Vec<Change>,
    names: Vec<String>,
    first: Option<Pass>,
}

impl Intake {
    /// Adds a recording after the previous ones.
    fn take(&mut self, pass: Pass, source: Source) -> Result<Value, ToolError> {
        let track = self.session.tracks.get(&pass.track).map(|track| track.name.clone());
        let track = track.ok_or_else(|| refused("its track is not in the session any more"))?;
        let number = self.takes.values().filter(|take| take.track == pass.track).count() + 1;
        let name = format!("{track} take {number}");
        let source = Source { name: name.clone(), origin: Some(pass.at), ..source };
        if lead_in(pass.at) >= source.frames {
            return Err(refused("it ends before the start of the timeline"));
        }
        let base = self.base.0;
        let seed = self.seed.get_or_insert_with(|| IdSeed::new("capture", &source.hash.0, base));
        let changes = changes(&self.session, pass, source, seed);
        let session = self.session.with(&changes).map_err(|error| refused(&error.to_string()))?;
        let ids = changes.iter().rev().take(2).map(Change::target).collect::<Vec<_>>();
        self.session = session;
        self.takes.extend(takes_in(&changes));
        self.changes.extend(changes);
        self.names.push(name);
        self.first = self.first.or(Some(pass));
        Ok(json!({"clip": ids.first(), "source": ids.get(1)}))
    }

    fn step(self) -> Option<NewRevision> {
        let Pass { at, kind, .. } = self.first?;
        let verb = match kind {
            CaptureKind::Rolling => "Captured",
            CaptureKind::Armed => "Recorded",
        };
        // A time just below zero counts as zero, without a minus sign.
        let at_s = (at.seconds(self.session.rate).0 * 10.0).round() / 10.0 + 0.0;
        let label = format!("{verb} {} at {at_s} s", listed(&self.names));
        Some(NewRevision::new(self.session, label, self.changes))
    }
}

/// "A, B and C"; more than can be read at a glance are counted.
fn listed(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        [all @ .., last] if all.len() < NAMED => format!("{} and {last}", all.join(", ")),
        _ => {
            let named: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
            format!("{} and {} more", named.join(", "), names.len().saturating_sub(NAMED))
        }
    }
}

/// Whether it took in what an instance, or a person in the app, recorded.
pub(crate) fn records(revision: &Revision) -> bool {
    // A plan adds recordings of another session, and a redone step was recorded before.
    let is_own = revision.plan.is_none() && revision.takes.is_none();
    let mut sources = revision.changes.iter().filter_map(added_source);
    revision.author == Author::Capture || is_own && sources.any(is_in_captures)
}

/// The source that a change adds.
pub(crate) fn added_source(change: &Change) -> Option<&Source> {
    match change {
        Change::AddSource(Edit { after: Some(source), .. }) => Some(source),
        _ => None,
    }
}

/// Whether its file lies in the folder for captures of a session.
pub(crate) fn is_in_captures(source: &Source) -> bool {
    // The session folder may have moved since: its own folder for captures is known by the end of its path.
    Path::new(&source.path).parent().is_some_and(|folder| folder.ends_with(CAPTURES))
}

pub(crate) fn file_name(source: &Source) -> Option<&str> {
    Path::new(&source.path).file_name()?.to_str()
}

/// The recordings that these changes add: each source, its track and its position.
fn takes_in(changes: &[Change]) -> impl Iterator<Item = (SourceId, Take)> {
    changes.iter().filter_map(|change| match change {
        Change::AddClip(Edit { after: Some(clip), .. }) => {
            Some((clip.source, Take { track: clip.track, at: clip.position }))
        }
        _ => None,
    })
}

/// The changes for a recording: room for it, then the source, then its clip.
fn changes(session: &Session, pass: Pass, source: Source, seed: &mut IdSeed) -> Vec<Change> {
    let id = SourceId::new(seed.next_bits());
    let lead = lead_in(pass.at);
    let clip = Clip {
        name: source.name.clone(),
        track: pass.track,
        source: id,
        start: lead,
        length: source.frames - lead,
        position: pass.at + lead,
        gain: Decibels::UNITY,
        fade_in: Fade::default(),
        fade_out: Fade::default(),
        envelope: Vec::new(),
        polarity: Polarity::Normal,
        mute: false,
    };
    let mut changes = covered(session, pass.track, clip.position..clip.end(), seed);
    changes.push(Change::AddSource(Edit::create(id, source)));
    changes.push(Change::AddClip(Edit::create(ClipId::new(seed.next_bits()), clip)));
    changes
}

/// The error of a recording that does not come in.
pub(crate) fn refused(why: &str) -> ToolError {
    let fix = "nothing was changed, and the file is where it was";
    ToolError::run(Code::Media, why, fix)
}

//! What instances recorded: a pass becomes a source and a clip at the host's position, and covers what stood
//! there. Nothing is removed from the library: what was covered stays as a take.

use crate::bridge::{Bridge, storage};
use crate::commit::{NewRevision, Then};
use crate::connection::Asker;
use crate::cover::covered;
use crate::derive::MEASURING;
use crate::input::Input;
use crate::jobs::{Job, JobId, Work, panicked};
use crate::takes::Room;
use deskhand_dsp::{Decibels, Fade, Frames};
use deskhand_protocol::CaptureKind;
use deskhand_session::change::Edit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{
    Author, Change, Clip, ClipId, IdSeed, Media, Revision, RevisionId, Session, Source, SourceId,
    Track, TrackId, TrackKind,
};
use deskhand_store::CAPTURES;
use deskhand_toolkit::{CancelToken, PlanContext};
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a pass belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub(crate) track: TrackId,
    pub(crate) at: Frames,
    pub(crate) kind: CaptureKind,
    /// Whose step it is. What a person recorded in the app is theirs, and undo takes it back.
    pub(crate) author: Author,
    /// How much captured audio is kept; all without it.
    pub(crate) most_bytes: Option<u64>,
}

/// Where a source was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Take {
    pub(crate) track: TrackId,
    pub(crate) at: Frames,
}

impl Bridge {
    /// Has a worker look at a pass that an instance recorded.
    pub(crate) fn captured(
        &mut self,
        asker: Asker,
        file: &Path,
        at: Frames,
        kind: CaptureKind,
        most_bytes: Option<u64>,
    ) {
        match self.own_track(asker) {
            Ok((track, _)) => {
                let author = Author::Capture;
                self.look_at_pass(asker, file, Pass { track, at, kind, author, most_bytes });
            }
            Err(error) => self.fail(asker, error),
        }
    }

    /// Has a worker look at what a front end recorded to a track.
    pub(crate) fn recorded(&mut self, asker: Asker, track: TrackId, file: &Path, at: Frames) {
        let is_audio = |known: &Track| known.kind == TrackKind::Audio;
        if self.session.tracks.get(&track).is_some_and(is_audio) {
            let (kind, author) = (CaptureKind::Armed, Author::User);
            let pass = Pass { track, at, kind, author, most_bytes: None };
            return self.look_at_pass(asker, file, pass);
        }
        let message = format!("{track} is no track that clips can be on");
        let fix = "record to an audio track; the file is where it was";
        self.fail(asker, ToolError::prepare(Code::NoTarget, message, fix));
    }

    fn look_at_pass(&mut self, asker: Asker, file: &Path, pass: Pass) {
        let id = self.next_job();
        let cancel = CancelToken::waiting(MEASURING);
        let session = Arc::clone(&self.session);
        let context = self.context(id, session, "capture", &json!({}), cancel.clone());
        let is_bypassed = self.ended_bypassed(asker.connection);
        let work = Work::Capture { pass, is_bypassed };
        let name = "capture".to_owned();
        self.jobs.insert(id, Job { asker, tool: name, targets: Vec::new(), cancel, work });
        let (inbox, file, room) =
            (self.inbox.0.clone(), file.to_owned(), self.store.captures_dir());
        self.parts.pool.submit(
            move || {
                context.cancel.start();
                source_of(&file, &room, &context)
            },
            move |outcome| {
                let outcome = outcome.unwrap_or_else(|message| Err(panicked(message)));
                drop(inbox.send(Input::Captured { job: id, outcome: outcome.map(Box::new) }));
            },
        );
    }

    /// Whether a worker looks at a pass of this track.
    pub(crate) fn is_being_taken_in(&self, track: TrackId) -> bool {
        let is_it =
            |job: &Job| matches!(&job.work, Work::Capture { pass, .. } if pass.track == track);
        self.jobs.values().any(is_it)
    }

    /// Takes a pass in: the source, and a clip in place of what stood there.
    pub(crate) fn take_in(&mut self, job: JobId, outcome: Result<Box<Source>, ToolError>) {
        let Some(Job { asker, work, .. }) = self.jobs.remove(&job) else { return };
        let (pass, is_bypassed) = match work {
            Work::Capture { pass, is_bypassed } => (pass, is_bypassed),
            Work::Adopt { orphan } => return self.adopt(&orphan, outcome),
            _ => return,
        };
        if outcome.as_ref().is_ok_and(|source| self.is_taken_in(source)) {
            // It was told twice, or found before it was told.
            return self.answer(asker, self.ok("that was taken in already"));
        }
        let taken = outcome.and_then(|source| self.pass_step(pass, *source));
        let (step, answer) = match taken {
            Ok(taken) => taken,
            Err(error) => {
                self.notify_error(format!("a recorded pass was not taken in: {}", error.message));
                return self.fail(asker, error);
            }
        };
        let mut result = self.ok(step.label.clone());
        result.revision = self.history.next_id();
        result.answer = Some(answer);
        let then = Then::Answer(Box::new(result));
        let at = step.changes.iter().rev().find_map(added);
        self.commit_revision(asker, pass.author, step, |_, _| then);
        // What goes around the gain says nothing of what was promised.
        if let Some(at) = at.filter(|_| !is_bypassed) {
            self.compare_pass(asker, pass.track, &at);
        }
        if let Some(most) = pass.most_bytes {
            self.want_room(Room { asker, most, in_folder: 0, is_asked: false });
        }
    }

    pub(crate) fn pass_step(
        &self,
        pass: Pass,
        source: Source,
    ) -> Result<(NewRevision, serde_json::Value), ToolError> {
        if let Some(error) = &self.read_only {
            return Err(storage(error));
        }
        let track = self.session.tracks.get(&pass.track).map(|track| track.name.clone());
        let track = track.ok_or_else(|| refused("its track is not in the session any more"))?;
        let number = self.takes().values().filter(|take| take.track == pass.track).count() + 1;
        let name = format!("{track} take {number}");
        let source = Source { name: name.clone(), origin: Some(pass.at), ..source };
        if lead_in(pass.at) >= source.frames {
            return Err(refused("it ends ahead of the start of the timeline"));
        }
        let mut seed = IdSeed::new("capture", &source.hash.0, self.history.next_id().0);
        let changes = changes(&self.session, pass, source, &mut seed);
        let session = self.session.with(&changes).map_err(|error| refused(&error.to_string()))?;
        let verb = match pass.kind {
            CaptureKind::Rolling => "Captured",
            CaptureKind::Armed => "Recorded",
        };
        // A little ahead of zero is zero, and no "-0".
        let at_s = (pass.at.seconds(self.session.rate).0 * 10.0).round() / 10.0 + 0.0;
        let ids = changes.iter().rev().take(2).map(Change::target).collect::<Vec<_>>();
        let answer = json!({"clip": ids.first(), "source": ids.get(1)});
        let label = format!("{verb} {name} at {at_s} s");
        Ok((NewRevision::new(session, label, changes), answer))
    }

    fn is_taken_in(&self, source: &Source) -> bool {
        let name = Path::new(&source.path).file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| self.known_captures().contains(name))
    }

    /// Sources that were recorded, and where.
    pub(crate) fn takes(&self) -> BTreeMap<SourceId, Take> {
        self.takes_until(self.history.next_id())
    }

    /// Sources that were recorded up to a revision, and where.
    pub(crate) fn takes_until(&self, last: RevisionId) -> BTreeMap<SourceId, Take> {
        let until = self.history.iter().take_while(|revision| revision.id <= last);
        let recorded = until.filter(|revision| records(revision));
        recorded.filter_map(take_of).collect()
    }
}

/// Whether it took in what an instance, or a person in the app, recorded.
pub(crate) fn records(revision: &Revision) -> bool {
    // A plan brings in what another session recorded, and what is done again was recorded before.
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

fn take_of(revision: &Revision) -> Option<(SourceId, Take)> {
    revision.changes.iter().rev().find_map(|change| match change {
        Change::AddClip(Edit { after: Some(clip), .. }) => {
            Some((clip.source, Take { track: clip.track, at: clip.position }))
        }
        _ => None,
    })
}

/// Where a change adds a clip.
fn added(change: &Change) -> Option<Range<Frames>> {
    match change {
        Change::AddClip(Edit { after: Some(clip), .. }) => Some(clip.position..clip.end()),
        _ => None,
    }
}

/// What stood there makes room; then the source, then its clip.
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
    };
    let mut changes = covered(session, pass.track, clip.position..clip.end(), seed);
    changes.push(Change::AddSource(Edit::create(id, source)));
    changes.push(Change::AddClip(Edit::create(ClipId::new(seed.next_bits()), clip)));
    changes
}

/// What a pass recorded ahead of the timeline: hosts let their clocks run below zero to fill delays and to
/// count in.
fn lead_in(at: Frames) -> Frames {
    Frames((-at.0).max(0))
}

/// The file as a source. It lies in the session folder, so that it moves and is copied with it.
pub(crate) fn source_of(
    file: &Path,
    room: &Path,
    context: &PlanContext,
) -> Result<Source, ToolError> {
    let real = file.canonicalize().map_err(|error| refused(&error.to_string()))?;
    let inside = room.canonicalize().is_ok_and(|room| real.starts_with(room));
    let folder = context.folder.canonicalize().unwrap_or_else(|_| PathBuf::from(&context.folder));
    let relative = real.strip_prefix(folder).ok().filter(|_| inside).and_then(Path::to_str);
    let path = relative.ok_or_else(|| refused("the file is not in the folder for captures"))?;
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    let text = real.to_str().ok_or_else(|| refused("its name is not UTF-8"))?;
    let source = deskhand_tools::source_of_file(text, context)?;
    let media = match source.media {
        Media::InPlace => Media::Conformed(path),
        conformed @ Media::Conformed(_) => conformed,
    };
    Ok(Source { media, ..source })
}

fn refused(why: &str) -> ToolError {
    let fix = "nothing was changed, and the file is where it was";
    ToolError::run(Code::Media, why, fix)
}

//! Recordings of instances. Each becomes a source and a clip at the host's position, and covers the clips
//! there. Nothing is removed from the library: covered recordings stay as takes.

use crate::bridge::Bridge;
use crate::commits::{NewRevision, Then};
use crate::cover::covered;
use crate::errors::{caught, storage};
use crate::ids::{Asker, JobId};
use crate::input::Input;
use crate::jobs::{Job, Work};
use crate::passes::{At, Looked, Pass, Room, Settle, Take, lead_in};
use deskhand_dsp::{Decibels, Fade, Frames};
use deskhand_protocol::{CaptureKind, ToolResult};
use deskhand_session::change::Edit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{
    Author, Change, Clip, ClipId, IdSeed, Media, Revision, RevisionId, Session, Source, SourceId,
    Track, TrackId, TrackKind,
};
use deskhand_store::CAPTURES;
use deskhand_toolkit::PlanContext;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most takes of a step that are named; others are counted.
const NAMED: usize = 3;

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
                let pass = Pass { track, at, kind, author, most_bytes, tracks: 1 };
                self.look_at_pass(asker, file, pass);
            }
            Err(error) => self.fail(asker, error),
        }
    }

    /// Has a worker look at what a front end recorded to a track.
    pub(crate) fn recorded(&mut self, asker: Asker, file: &Path, place: At) {
        let At { track, at, tracks } = place;
        let is_audio = |known: &Track| known.kind == TrackKind::Audio;
        if self.commits.session.tracks.get(&track).is_some_and(is_audio) {
            let (kind, author) = (CaptureKind::Armed, Author::User);
            let pass = Pass { track, at, kind, author, most_bytes: None, tracks };
            return self.look_at_pass(asker, file, pass);
        }
        let message = format!("{track} is no track that clips can be on");
        let fix = "record to an audio track; the file is where it was";
        self.fail(asker, ToolError::prepare(Code::NoTarget, message, fix));
    }

    fn look_at_pass(&mut self, asker: Asker, file: &Path, pass: Pass) {
        let id = self.jobs.next_id();
        let is_bypassed = self.hosts.ended_bypassed(asker.connection);
        let job = Job::new(asker, "capture", Work::Capture { pass, is_bypassed });
        let context = self.context(id, &job.cancel, "capture", &json!({}));
        let (file, room) = (file.to_owned(), self.commits.store.captures_dir());
        self.jobs.run(
            id,
            job,
            move || source_of(&file, &room, &context),
            |job, outcome| Input::Captured { job, outcome: caught(outcome).map(Box::new) },
        );
    }

    /// The tracks of passes that are looked at, or wait for the others of their recording.
    pub(crate) fn tracks_being_taken_in(&self) -> Vec<TrackId> {
        let looked_at = self.jobs.passes().into_iter().map(|(_, pass)| pass.track);
        looked_at.chain(self.recordings.tracks()).collect()
    }

    /// Adds a recording: the source, and a clip that replaces what was there.
    pub(crate) fn take_in(&mut self, job: JobId, outcome: Result<Box<Source>, ToolError>) {
        let Some(Job { asker, work, .. }) = self.jobs.remove(job) else { return };
        let (pass, is_bypassed) = match work {
            Work::Capture { pass, is_bypassed } => (pass, is_bypassed),
            Work::Adopt { orphan } => return self.adopt(&orphan, outcome),
            _ => return,
        };
        let source = match outcome {
            Ok(source) => *source,
            Err(error) => return self.not_taken_in(asker, error),
        };
        if self.is_taken_in(&source) {
            // It was reported twice, or found before it was reported.
            return self.answer(asker, self.ok("that was taken in already"));
        }
        let looked = Looked { asker, pass, source, is_bypassed };
        if pass.tracks > 1 {
            self.recordings.wait(looked);
            self.settle_recordings(Settle::Over);
        } else {
            self.take_in_together(vec![looked]);
        }
    }

    /// Makes steps of recordings to several tracks.
    pub(crate) fn settle_recordings(&mut self, which: Settle) {
        for passes in self.recordings.take(which, &self.jobs.passes()) {
            self.take_in_together(passes);
        }
    }

    fn not_taken_in(&mut self, asker: Asker, error: ToolError) {
        self.notify_error(format!("a recorded pass was not taken in: {}", error.message));
        self.fail(asker, error);
    }

    /// Adds passes as one step. Passes that do not fit are left out.
    pub(crate) fn take_in_together(&mut self, passes: Vec<Looked>) {
        let sources = passes.iter().map(|it| (it.pass, it.source.clone()));
        let (step, answers) = self.passes_step(sources);
        let mut taken = Vec::new();
        for (one, answer) in passes.into_iter().zip(answers) {
            match answer {
                Ok(answer) => taken.push((one, answer)),
                Err(error) => self.not_taken_in(one.asker, error),
            }
        }
        let (Some(step), Some((first, _))) = (step, taken.first()) else { return };
        let (asker, author) = (first.asker, first.pass.author);
        let done = self.ok(step.label.clone());
        let done = ToolResult { revision: self.commits.history.next_id(), ..done };
        let results = taken.iter().map(|(one, answer)| {
            (one.asker, ToolResult { answer: Some(answer.clone()), ..done.clone() })
        });
        let then = Then::Answers(results.collect());
        self.commit_revision(asker, author, step, |_, _| then);
        taken.iter().for_each(|(one, _)| self.look_behind(one));
    }

    /// Starts the checks that follow when a pass is in the session.
    fn look_behind(&mut self, taken: &Looked) {
        let Looked { asker, pass, is_bypassed, .. } = *taken;
        // A recording that bypasses the gain cannot confirm a prediction.
        if !is_bypassed {
            self.compare_pass(asker, pass.track, &taken.place());
        }
        if let Some(most) = pass.most_bytes {
            self.want_room(Room { asker, most, in_folder: 0, is_asked: false });
        }
    }

    /// A step that adds recordings, and the answer to each; no step if nothing fits.
    pub(crate) fn passes_step(
        &self,
        passes: impl IntoIterator<Item = (Pass, Source)>,
    ) -> (Option<NewRevision>, Vec<Result<Value, ToolError>>) {
        let mut intake = Intake {
            session: Session::clone(&self.commits.session),
            takes: self.takes(),
            base: self.commits.history.next_id(),
            seed: None,
            changes: Vec::new(),
            names: Vec::new(),
            first: None,
        };
        let take = |(pass, source)| match &self.commits.read_only {
            Some(error) => Err(storage(error)),
            None => intake.take(pass, source),
        };
        let answers = passes.into_iter().map(take).collect();
        (intake.step(), answers)
    }

    /// Whether its file was taken in, on whatever branch, or is about to be.
    pub(crate) fn is_taken_in(&self, source: &Source) -> bool {
        let Some(name) = file_name(source) else { return false };
        let is_it = |waiting: &Source| file_name(waiting) == Some(name);
        self.known_captures().contains(name) || self.recordings.sources().any(is_it)
    }

    /// Sources that were recorded, and where.
    pub(crate) fn takes(&self) -> BTreeMap<SourceId, Take> {
        self.takes_until(self.commits.history.next_id())
    }

    /// Sources that were recorded up to a revision, and where.
    pub(crate) fn takes_until(&self, last: RevisionId) -> BTreeMap<SourceId, Take> {
        let until = self.commits.history.iter().take_while(|revision| revision.id <= last);
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
            return Err(refused("it ends ahead of the start of the timeline"));
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

fn file_name(source: &Source) -> Option<&str> {
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
    };
    let mut changes = covered(session, pass.track, clip.position..clip.end(), seed);
    changes.push(Change::AddSource(Edit::create(id, source)));
    changes.push(Change::AddClip(Edit::create(ClipId::new(seed.next_bits()), clip)));
    changes
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

//! Passes that instances and front ends report: a worker looks at each, then it is taken in.

use crate::bridge::Bridge;
use crate::commits::Then;
use crate::errors::caught;
use crate::ids::{Asker, JobId};
use crate::input::Input;
use crate::intake::file_name;
use crate::intake::refused;
use crate::jobs::{Job, Work};
use crate::passes::{At, Looked, Pass, Room, Settle};
use deskhand_dsp::Frames;
use deskhand_protocol::{CaptureKind, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, Media, Source, Track, TrackId, TrackKind};
use deskhand_toolkit::PlanContext;
use serde_json::json;
use std::path::{Path, PathBuf};

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
        let (step, answers) = self.commits.passes_step(sources);
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

    /// Whether its file was taken in, on whatever branch, or is about to be.
    pub(crate) fn is_taken_in(&self, source: &Source) -> bool {
        let Some(name) = file_name(source) else { return false };
        let is_it = |waiting: &Source| file_name(waiting) == Some(name);
        self.commits.known_captures().contains(name) || self.recordings.sources().any(is_it)
    }
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
    let source = deskhand_edit::source_of_file(text, context)?;
    let media = match source.media {
        Media::InPlace => Media::Conformed(path),
        conformed @ Media::Conformed(_) => conformed,
    };
    Ok(Source { media, ..source })
}

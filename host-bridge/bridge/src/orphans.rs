//! Unreported recordings: their host was killed, or left while no hub was there. The search runs when a
//! session is opened and when an instance leaves, and adds them.

use crate::bridge::Bridge;
use crate::capture_files::{CountedIn, Orphan, TakePlace, name_of, unknown};
use crate::captures::source_of;
use crate::commits::{Commits, NewRevision, Then};
use crate::ids::{Asker, HOUSE};
use crate::input::Input;
use crate::intake::{added_source, is_in_captures, records};
use crate::jobs::{Job, Work};
use crate::passes::Pass;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::change::Edit;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Author, Change, IdSeed, Revision, Source, SourceId, TrackId, TrackKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

impl Bridge {
    /// Searches the capture folder for unreported recordings. Call it once the session is open.
    pub fn sweep_captures(&mut self) {
        if self.commits.read_only.is_some() {
            return;
        }
        let (folder, known) = (self.commits.store.captures_dir(), self.commits.known_captures());
        self.jobs.ask_media(
            move || unknown(&folder, &known),
            |found| Input::Swept { files: found.unwrap_or_default() },
        );
    }

    /// Makes workers examine the found files.
    pub(crate) fn swept(&mut self, files: Vec<PathBuf>) {
        for file in files {
            let work = Work::Adopt { orphan: Orphan::of(&file) };
            self.examine(Job::new(Asker::nobody(HOUSE), "capture", work), file);
        }
    }

    /// Has a worker look at a recorded file.
    pub(crate) fn examine(&mut self, job: Job, file: PathBuf) {
        let room = self.commits.store.captures_dir();
        self.run(
            job,
            move |context| source_of(&file, &room, &context).map(Box::new),
            |job, outcome| Input::Captured { job, outcome },
        );
    }

    /// Adds an unreported recording: a clip in its place. If the place is unknown or has newer work, it
    /// only adds the source.
    pub(crate) fn adopt(&mut self, orphan: &Orphan, outcome: Result<Box<Source>, ToolError>) {
        // An unreadable one stays where it is. Its host may have reported it meanwhile.
        let Ok(source) = outcome else { return };
        if self.commits.read_only.is_some() || self.is_taken_in(&source) {
            return;
        }
        let place = orphan.place.and_then(|place| self.commits.place_of(place, source.rate));
        let step = match place {
            Some((track, at)) if !self.commits.went_on(track, orphan.began_ms) => {
                let kind = orphan.kind();
                let author = Author::Capture;
                let pass = Pass { track, at, kind, author, most_bytes: None, tracks: 1 };
                self.commits.passes_step([(pass, Source::clone(&source))]).0
            }
            Some(_) | None => None,
        };
        let step = step.or_else(|| self.commits.library_step(place, *source));
        if let Some(step) = step {
            self.commit_revision(Asker::nobody(HOUSE), Author::Capture, step, Then::Rest);
        }
    }
}

impl Commits {
    /// Names of the files that were taken in or imported, on every branch.
    pub(crate) fn known_captures(&self) -> BTreeSet<String> {
        let changes = self.history.iter().flat_map(|revision| &revision.changes);
        let captured = changes.filter_map(added_source).filter(|source| is_in_captures(source));
        let names = captured.filter_map(|source| name_of(Path::new(&source.path)));
        names.map(str::to_owned).collect()
    }

    /// Where it is on the timeline, if its track is there.
    fn place_of(&self, place: TakePlace, rate: SampleRate) -> Option<(TrackId, Frames)> {
        let TakePlace { track, at, of } = place;
        let is_audio = self.session.tracks.get(&track)?.kind == TrackKind::Audio;
        let at = match of {
            CountedIn::Session => at,
            CountedIn::File => at.seconds(rate).frames(self.session.rate),
        };
        is_audio.then_some((track, at))
    }

    /// Whether somebody edited, or the track was recorded, after that moment. Other tracks may have been
    /// recorded together with it.
    fn went_on(&self, track: TrackId, began_ms: Option<i64>) -> bool {
        let is_on_it = |change: &Change| matches!(change, Change::AddClip(Edit { after: Some(clip), .. }) if clip.track == track);
        let counts = |revision: &Revision| {
            let is_edit = !revision.is_stepped_over() && !records(revision);
            is_edit || revision.changes.iter().any(is_on_it)
        };
        let began = began_ms.unwrap_or(0);
        self.history.iter().any(|revision| revision.time_ms > began && counts(revision))
    }

    fn library_step(
        &self,
        place: Option<(TrackId, Frames)>,
        source: Source,
    ) -> Option<NewRevision> {
        let name = match place {
            Some((track, _)) => {
                format!("{} take, found", self.session.name_of(track.into()))
            }
            None => format!("{} (found)", source.name),
        };
        let origin = place.map(|(_, at)| at);
        let label = format!("Found a recording, which is in the library now: {name}");
        let mut seed = IdSeed::new("orphan", &source.hash.0, self.history.next_id().0);
        let id = SourceId::new(seed.next_bits());
        let changes = vec![Change::AddSource(Edit::create(id, Source { name, origin, ..source }))];
        let session = self.session.with(&changes).ok()?;
        Some(NewRevision::new(session, label, changes))
    }
}

//! Unreported recordings: their host was killed, or left while no hub was there. The search runs when a
//! session is opened and when an instance leaves, and adds them.

use crate::bridge::{Bridge, now_ms};
use crate::captures::{Pass, added_source, is_in_captures, records, source_of};
use crate::commit::{NewRevision, Then};
use crate::connection::{Asker, ConnectionId};
use crate::derive::MEASURING;
use crate::input::Input;
use crate::jobs::{HOUSE, Job, Work, panicked};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::recover;
use deskhand_protocol::{CallId, CaptureKind};
use deskhand_session::change::Edit;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Author, Change, IdSeed, Revision, Source, SourceId, TrackId, TrackKind};
use deskhand_toolkit::CancelToken;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Between the parts of a file's name.
const SEAM: char = '-';

/// An unreported recording, according to its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Orphan {
    file: PathBuf,
    /// When it began, ms since 1970; `None` if the name does not say.
    began_ms: Option<i64>,
    place: Option<Place>,
}

/// Where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    track: TrackId,
    at: Frames,
    /// What `at` is counted in.
    of: Clock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clock {
    Session,
    /// The file's own rate: a host's need not be the session's.
    File,
}

const ASKER: Asker = Asker { connection: ConnectionId(0), call: CallId(0), author: HOUSE };

impl Bridge {
    /// Searches the capture folder for unreported recordings. Call it once the session is open.
    pub fn sweep_captures(&mut self) {
        if self.read_only.is_some() {
            return;
        }
        let (folder, known) = (self.store.captures_dir(), self.known_captures());
        let inbox = self.inbox.0.clone();
        self.media_pool.submit(
            move || unknown(&folder, &known),
            move |found| drop(inbox.send(Input::Swept { files: found.unwrap_or_default() })),
        );
    }

    /// Names of the files that were taken in or imported, on every branch.
    pub(crate) fn known_captures(&self) -> BTreeSet<String> {
        let changes = self.history.iter().flat_map(|revision| &revision.changes);
        let captured = changes.filter_map(added_source).filter(|source| is_in_captures(source));
        let names = captured.filter_map(|source| name_of(Path::new(&source.path)));
        names.map(str::to_owned).collect()
    }

    /// Makes workers examine the found files.
    pub(crate) fn swept(&mut self, files: Vec<PathBuf>) {
        for file in files {
            let orphan = Orphan::of(&file);
            let id = self.next_job();
            let cancel = CancelToken::waiting(MEASURING);
            let session = Arc::clone(&self.session);
            let context = self.context(id, session, "capture", &json!({}), cancel.clone());
            let (tool, targets) = ("capture".to_owned(), Vec::new());
            let work = Work::Adopt { orphan };
            self.jobs.insert(id, Job { asker: ASKER, tool, targets, cancel, work });
            let (inbox, room) = (self.inbox.0.clone(), self.store.captures_dir());
            self.media_pool.submit(
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
    }

    /// Adds an unreported recording: a clip in its place. If the place is unknown or has newer work, it
    /// only adds the source.
    pub(crate) fn adopt(&mut self, orphan: &Orphan, outcome: Result<Box<Source>, ToolError>) {
        // An unreadable one stays where it is. Its host may have reported it meanwhile.
        let Ok(source) = outcome else { return };
        if self.read_only.is_some() || self.is_taken_in(&source) {
            return;
        }
        let place = orphan.place.and_then(|place| self.place_of(place, source.rate));
        let step = match place {
            Some((track, at)) if !self.went_on(track, orphan.began_ms) => {
                let kind = orphan.kind();
                let author = Author::Capture;
                let pass = Pass { track, at, kind, author, most_bytes: None, tracks: 1 };
                self.passes_step([(pass, Source::clone(&source))]).0
            }
            Some(_) | None => None,
        };
        let step = step.or_else(|| self.library_step(place, *source));
        if let Some(step) = step {
            self.commit_revision(ASKER, Author::Capture, step, |_, _| Then::Rest);
        }
    }

    /// Where it is on the timeline, if its track is there.
    fn place_of(&self, place: Place, rate: SampleRate) -> Option<(TrackId, Frames)> {
        let Place { track, at, of } = place;
        let is_audio = self.session.tracks.get(&track)?.kind == TrackKind::Audio;
        let at = match of {
            Clock::Session => at,
            Clock::File => at.seconds(rate).frames(self.session.rate),
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
            Some((track, _)) => format!("{} take, found", self.session.name_of(track.into())),
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

impl Orphan {
    /// Parses the name: when it began, the recorder, the track, and the position.
    fn of(file: &Path) -> Self {
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let name = name.strip_prefix(CaptureKind::Armed.prefix()).unwrap_or(name);
        let began = name.split(SEAM).next().and_then(|it| i64::from_str_radix(it, 16).ok());
        let began_ms = began.map(|us| us / 1_000).filter(|ms| (0..=now_ms()).contains(ms));
        Self { file: file.to_owned(), began_ms, place: Place::of(name) }
    }

    fn kind(&self) -> CaptureKind {
        match name_of(&self.file) {
            Some(name) if is_armed(name) => CaptureKind::Armed,
            Some(_) | None => CaptureKind::Rolling,
        }
    }
}

impl Place {
    /// Parses a name. An instance writes its own id before the track, and counts at its host's rate; the
    /// app does neither.
    fn of(name: &str) -> Option<Self> {
        let (_, name) = name.split_once(SEAM)?;
        let placed = |name: &str, of| {
            let (track, at) = name.split_once(SEAM)?;
            Some(Self { track: track.parse().ok()?, at: Frames(at.parse().ok()?), of })
        };
        let of_instance = || placed(name.split_once(SEAM)?.1, Clock::File);
        placed(name, Clock::Session).or_else(of_instance)
    }
}

/// Complete recordings that are unknown. An unfinished rolling recording of a killed host is completed
/// first; an armed one is completed by the app.
fn unknown(folder: &Path, known: &BTreeSet<String>) -> Vec<PathBuf> {
    let names = |folder| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>()
    };
    let cut_off = names(folder).into_iter().filter_map(|name| {
        let name = name.strip_prefix(".deskhand-")?.strip_suffix(".part")?;
        let (name, _) = name.rsplit_once(SEAM)?;
        (!is_armed(name)).then(|| name.to_owned())
    });
    cut_off.for_each(|name| drop(recover(folder, &name)));
    let whole = names(folder).into_iter();
    let whole = whole.filter(|name| name.ends_with(".wav") && !name.starts_with('.'));
    whole.filter(|name| !known.contains(name)).map(|name| folder.join(name)).collect()
}

fn is_armed(name: &str) -> bool {
    name.starts_with(CaptureKind::Armed.prefix())
}

fn name_of(file: &Path) -> Option<&str> {
    file.file_name().and_then(|name| name.to_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_where_a_recording_belongs() {
        let track = TrackId::new(7);
        let of =
            |name: &str| Orphan::of(Path::new(name)).place.map(|it| (it.track, it.at.0, it.of));
        assert_eq!(of(&format!("63e5-1f2a-{track}--880.wav")), Some((track, -880, Clock::File)));
        assert_eq!(of(&format!("armed-63e5-1f2a-{track}-5.wav")), Some((track, 5, Clock::File)));
        assert_eq!(of(&format!("armed-63e5-{track}-5.wav")), Some((track, 5, Clock::Session)));
        assert_eq!(of("63e5-1f2a-480.wav"), None);
        assert_eq!(of("mine.wav"), None);
        assert_eq!(Orphan::of(Path::new("63e5-x.wav")).began_ms, Some(0x63e5 / 1_000));
    }
}

//! Makes room for recordings: rolling takes that no clip plays are removed when there are more than the
//! person wants. Undone takes go first, which only redo or a step in the history could bring back. Then
//! those in the library go; in both cases the oldest first. While there is room, none is removed, so an
//! undone take can be redone.

use crate::bridge::Bridge;
use crate::commits::{Commits, NewRevision, Then};
use crate::ids::Asker;
use crate::input::Input;
use crate::intake::records;
use crate::passes::{Room, Sizes};
use deskhand_protocol::CaptureKind;
use deskhand_session::change::Edit;
use deskhand_session::{Author, Change, Media, Session, Source, SourceId};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A take that may go.
struct Old {
    id: SourceId,
    source: Source,
    /// The recorded file, and its conformed copy.
    files: Vec<PathBuf>,
    /// What they take.
    bytes: u64,
}

impl Old {
    /// Armed recordings are never removed.
    fn is_armed(&self) -> bool {
        let name = recorded_name(&self.source).and_then(OsStr::to_str);
        name.is_none_or(|name| name.starts_with(CaptureKind::Armed.prefix()))
    }
}

impl Bridge {
    /// Removes old takes after an instance found no room for a new one, with this many bytes in the folder.
    pub(crate) fn asked_for_room(&mut self, asker: Asker, most: u64, in_folder: u64) {
        if let Err(error) = self.commits.writable() {
            return self.fail(asker, error);
        }
        self.want_room(Room { asker, most, in_folder, is_asked: true });
    }

    /// Deletes old takes once a worker has read the sizes of the undone ones.
    pub(crate) fn want_room(&mut self, room: Room) {
        let files: Vec<_> =
            self.commits.undone_takes().into_iter().flat_map(|old| old.files).collect();
        self.jobs.ask_short(
            move || sizes(files),
            move |held| Input::TakesSized { room, held: held.unwrap_or_default() },
        );
    }

    /// Removes old takes that are not played until the recordings fit. It removes the files of undone takes
    /// first. Then a step removes others and names them; their files go when the step is stored.
    pub(crate) fn make_room(&mut self, room: Room, held: &Sizes) {
        let Room { asker, most, in_folder, is_asked } = room;
        if self.commits.read_only.is_none() {
            let total = self.remove_undone(most, in_folder, held);
            let old = self.commits.takes_to_remove(most, total);
            if !old.is_empty() {
                self.remove_takes(asker, old);
            }
        }
        if is_asked {
            self.answer(asker, self.ok("what nothing plays makes room"));
        }
    }

    /// Removes files of undone takes until the recordings fit into `most` bytes. Returns the remaining
    /// size.
    fn remove_undone(&mut self, most: u64, in_folder: u64, held: &Sizes) -> u64 {
        let size = |old: &Old| old.files.iter().filter_map(|file| held.get(file)).sum::<u64>();
        let undone = self.commits.undone_takes().into_iter().map(|old| (size(&old), old));
        let undone: Vec<(u64, Old)> = undone.filter(|(bytes, _)| *bytes > 0).collect();
        let takes = self.commits.recorded_sources().into_iter().map(|(id, _)| id);
        let known = takes.filter_map(|id| self.commits.session.sources.get(&id)).map(self::held);
        let of_undone = undone.iter().map(|(bytes, _)| bytes).sum::<u64>();
        let mut total = (known.sum::<u64>() + of_undone).max(in_folder);
        let mut files = Vec::new();
        for (bytes, old) in undone.into_iter().filter(|(_, old)| !old.is_armed()) {
            if total > most {
                total = total.saturating_sub(bytes);
                files.extend(old.files);
            }
        }
        if !files.is_empty() {
            self.remove_old_takes(files);
        }
        total
    }

    fn remove_takes(&mut self, asker: Asker, old: Vec<Old>) {
        let bytes: u64 = old.iter().map(|old| old.bytes).sum();
        let takes = if old.len() == 1 { "take" } else { "takes" };
        let (count, megabytes) = (old.len(), bytes as f64 / 1e6);
        let label = format!("Removed {count} old {takes} ({megabytes:.1} MB) to make room");
        let remove = |old: &Old| Change::RemoveSource(Edit::remove(old.id, old.source.clone()));
        let changes: Vec<Change> = old.iter().map(remove).collect();
        // Something else may hold on to one of them; then all stay.
        let Ok(session) = self.commits.session.with(&changes) else { return };
        let files = old.into_iter().flat_map(|old| old.files).collect();
        let step = NewRevision::new(session, label, changes);
        self.commit_revision(asker, Author::Capture, step, Then::Remove(files));
    }

    /// Removes their files on a worker.
    pub(crate) fn remove_old_takes(&mut self, files: Vec<PathBuf>) {
        // A file that is already missing needs no removal.
        self.jobs.run_short(move || files.iter().for_each(|file| drop(fs::remove_file(file))));
    }
}

impl Commits {
    /// Takes of the library that no clip plays, as many as have to go until `total` fits into `most` bytes.
    fn takes_to_remove(&self, most: u64, mut total: u64) -> Vec<Old> {
        let played = played(&self.session);
        let mut old = Vec::new();
        for (id, _) in self.recorded_sources() {
            if total <= most {
                break;
            }
            let Some(source) = self.session.sources.get(&id) else { continue };
            let take = self.old(id, source).filter(|old| !old.is_armed() && !played.contains(&id));
            if let Some(take) = take {
                total = total.saturating_sub(take.bytes);
                old.push(take);
            }
        }
        old
    }

    /// Takes that are not in the current session, if nothing in it uses their files.
    fn undone_takes(&self) -> Vec<Old> {
        let sources = &self.session.sources;
        let used: BTreeSet<&OsStr> =
            sources.values().flat_map(|it| [recorded_name(it), media_name(it)]).flatten().collect();
        let is_free =
            |source: &Source| recorded_name(source).is_some_and(|name| !used.contains(name));
        let all = self.recorded_sources().into_iter();
        let undone = all.filter(|(id, it)| !sources.contains_key(id) && is_free(it));
        undone.filter_map(|(id, source)| self.old(id, source)).collect()
    }

    /// What recordings added, on every branch, the oldest first.
    fn recorded_sources(&self) -> Vec<(SourceId, &Source)> {
        let recorded = self.history.iter().filter(|revision| records(revision));
        let added = recorded.flat_map(|revision| &revision.changes).filter_map(|it| match it {
            Change::AddSource(Edit { target, after: Some(source), .. }) => Some((*target, source)),
            _ => None,
        });
        added.collect()
    }

    fn old(&self, id: SourceId, source: &Source) -> Option<Old> {
        let name = recorded_name(source)?;
        // The session folder may have moved since: by their names they are in it.
        let mut files = vec![self.store.captures_dir().join(name)];
        let mut others = self.session.sources.iter().filter(|(other, _)| **other != id);
        if is_conformed(source) && !others.any(|(_, other)| other.media == source.media) {
            files.extend(media_of(source).map(|media| self.store.dir().join(media)));
        }
        Some(Old { id, source: source.clone(), files, bytes: held(source) })
    }
}

fn sizes(files: Vec<PathBuf>) -> Sizes {
    let sized = files.into_iter().filter_map(|file| {
        let held = fs::metadata(&file).ok()?.len();
        Some((file, held))
    });
    sized.collect()
}

/// Sources that clips play.
fn played(session: &Session) -> BTreeSet<SourceId> {
    session.clips.values().map(|clip| clip.source).collect()
}

fn media_of(source: &Source) -> Option<&Path> {
    match &source.media {
        Media::Conformed(file) => Some(Path::new(file)),
        Media::InPlace => None,
    }
}

fn recorded_name(source: &Source) -> Option<&OsStr> {
    Path::new(&source.path).file_name()
}

fn media_name(source: &Source) -> Option<&OsStr> {
    media_of(source)?.file_name()
}

/// Whether it plays another file than the one that was recorded.
fn is_conformed(source: &Source) -> bool {
    media_of(source).is_some_and(|media| media.file_name() != recorded_name(source))
}

/// The size on disk, in bytes: including the conformed copy, in 32-bit samples.
fn held(source: &Source) -> u64 {
    let samples = source.frames.index() as u64 * u64::from(source.channels);
    source.size + if is_conformed(source) { samples * 4 } else { 0 }
}

//! Room for what is captured: rolling takes that no clip plays go, the oldest first, when a session holds more than
//! the person wants.

use crate::bridge::{Bridge, storage};
use crate::commit::{NewRevision, Then};
use crate::connection::Asker;
use deskhand_protocol::CaptureKind;
use deskhand_session::change::Edit;
use deskhand_session::{Author, Change, Media, Session, Source, SourceId};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A take that may go.
struct Old {
    id: SourceId,
    source: Source,
    /// What was recorded, and what was conformed of it.
    files: Vec<PathBuf>,
}

impl Bridge {
    /// Lets old takes go where an instance found no room for another, with so many bytes in the folder.
    pub(crate) fn asked_for_room(&mut self, asker: Asker, most: u64, in_folder: u64) {
        if let Some(error) = &self.read_only {
            let error = storage(error);
            return self.fail(asker, error);
        }
        self.make_room(asker, most, in_folder);
        self.answer(asker, self.ok("what nothing plays makes room"));
    }

    /// Lets old takes go until what was captured fits into `most` bytes, as far as they are not played. It is
    /// a step of its own, which names them; their files go when that is stored. What is in the folder counts where that
    /// is more than the session knows: of takes that were undone the files are there.
    pub(crate) fn make_room(&mut self, asker: Asker, most: u64, in_folder: u64) {
        let old = self.takes_to_remove(most, in_folder);
        if old.is_empty() {
            return;
        }
        let bytes: u64 = old.iter().map(|old| held(&old.source)).sum();
        let takes = if old.len() == 1 { "take" } else { "takes" };
        let (count, megabytes) = (old.len(), bytes as f64 / 1e6);
        let label = format!("Removed {count} old {takes} ({megabytes:.1} MB) to make room");
        let remove = |old: &Old| Change::RemoveSource(Edit::remove(old.id, old.source.clone()));
        let changes: Vec<Change> = old.iter().map(remove).collect();
        // Something else may hold on to one of them; then all stay.
        let Ok(session) = self.session.with(&changes) else { return };
        let files = old.into_iter().flat_map(|old| old.files).collect();
        let step = NewRevision::new(session, label, changes);
        self.commit_revision(asker, Author::Capture, step, |_, _| Then::Remove(files));
    }

    fn takes_to_remove(&self, most: u64, in_folder: u64) -> Vec<Old> {
        let takes = self.takes_by_age();
        let known = takes.iter().filter_map(|id| self.session.sources.get(id));
        let mut total = known.map(held).sum::<u64>().max(in_folder);
        let played = played(&self.session);
        let mut old = Vec::new();
        for id in takes {
            if total <= most {
                break;
            }
            let Some(source) = self.session.sources.get(&id) else { continue };
            if let Some(files) = self.files_of(id, source).filter(|_| !played.contains(&id)) {
                total = total.saturating_sub(held(source));
                old.push(Old { id, source: source.clone(), files });
            }
        }
        old
    }

    /// The files of a rolling take; none of one that was armed.
    fn files_of(&self, id: SourceId, source: &Source) -> Option<Vec<PathBuf>> {
        let name = Path::new(&source.path).file_name()?;
        if name.to_str()?.starts_with(CaptureKind::Armed.prefix()) {
            return None;
        }
        // The session folder may have moved since: by their names they are in it.
        let mut files = vec![self.store.captures_dir().join(name)];
        let mut others = self.session.sources.iter().filter(|(other, _)| **other != id);
        if is_conformed(source) && !others.any(|(_, other)| other.media == source.media) {
            files.extend(media_of(source).map(|media| self.store.dir().join(media)));
        }
        Some(files)
    }

    /// Removes their files on a worker.
    pub(crate) fn remove_old_takes(&mut self, files: Vec<PathBuf>) {
        // One that is gone already is gone.
        let remove = move || files.iter().for_each(|file| drop(std::fs::remove_file(file)));
        self.short_pool.submit(remove, |_| ());
    }
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

/// Whether it plays another file than the one that was recorded.
fn is_conformed(source: &Source) -> bool {
    let recorded = Path::new(&source.path).file_name();
    media_of(source).is_some_and(|media| media.file_name() != recorded)
}

/// What it takes of the disk, in bytes: with what was conformed of it, in 32-bit samples.
fn held(source: &Source) -> u64 {
    let samples = source.frames.index() as u64 * u64::from(source.channels);
    source.size + if is_conformed(source) { samples * 4 } else { 0 }
}

//! An instance that leaves for the session of its project, which came late. The unused things made here in
//! the meantime are removed.

use crate::bridge::Bridge;
use crate::hosts::Live;
use crate::ids::Asker;
use deskhand_session::change::Edit;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{Author, Change, Revision, StoredPlan, Track, TrackId};
use deskhand_store::StoreError;
use serde::Serialize;
use std::fs;
use std::path::Path;

impl Bridge {
    /// Takes the track of the asker's instance away, if that was made for it and nobody used it.
    pub(crate) fn leave(&mut self, asker: Asker, is_made: bool) {
        let step = self.own_track(asker).and_then(|(id, track)| {
            self.is_stopgap |= is_made;
            let label = format!("{} left with its instance", track.name);
            let removal = self.is_unused(asker, id).then(|| self.removal(id, track));
            self.host_step(asker, label, removal.into_iter().flatten().collect())
        });
        self.fail_if(asker, step);
    }

    /// Whether the track was made for the asker's instance, and nobody but hosts did anything to it since.
    fn is_unused(&self, asker: Asker, track: TrackId) -> bool {
        let live = self.hosts.get(asker.connection);
        let Some(made) = live.and_then(Live::made) else { return false };
        let is_others = |step: &Revision| step.id > made && step.author != Author::Host;
        let is_use = |step: &Revision| is_others(step) && names(&step.changes, track);
        let is_plan = |stored: &StoredPlan| names(&stored.plan.changes, track);
        let is_used =
            self.commits.history.iter().any(is_use) || self.plans.all().iter().any(is_plan);
        !is_used && !self.tracks_being_taken_in().contains(&track)
    }

    fn removal(&self, id: TrackId, track: Track) -> Option<Change> {
        let index = self.commits.session.track_order.iter().position(|known| *known == id)?;
        Some(Change::RemoveTrack(Edit::remove(id, PlacedTrack { index, track })))
    }

    /// Closes the session. One that was made for want of another, and in which nothing else ever was, goes whole.
    pub(crate) fn put_away(self) -> Result<(), StoreError> {
        let folder = self.is_left_empty().then(|| self.commits.store.dir().to_owned());
        // The lock is held, so nobody can have attached in the meantime.
        let is_gone = folder.as_deref().is_some_and(|folder| fs::remove_dir_all(folder).is_ok());
        let closed = self.commits.store.close();
        let Some(folder) = folder else { return closed };
        if !is_gone {
            // Some systems keep open files. The rest is an empty session.
            drop(fs::remove_dir_all(folder));
        }
        Ok(())
    }

    fn is_left_empty(&self) -> bool {
        let is_by_hosts =
            self.commits.history.iter().all(|revision| revision.author == Author::Host);
        let is_empty =
            self.commits.session.tracks.is_empty() && self.commits.session.sources.is_empty();
        let is_silent = self.plans.all().is_empty() && self.conversation.said().is_empty();
        self.is_stopgap
            && self.commits.read_only.is_none()
            && is_by_hosts
            && is_empty
            && is_silent
            && self.commits.store.spot().is_in_place()
            && !holds_files(self.commits.store.dir())
    }
}

/// Whether the written form of something names the track.
fn names(written: &impl Serialize, track: TrackId) -> bool {
    let text = serde_json::to_string(written);
    text.is_ok_and(|text| text.contains(&track.to_string()))
}

/// Whether the folder has files that not every session has. If it cannot be read, the answer is yes.
fn holds_files(folder: &Path) -> bool {
    let Ok(mut entries) = fs::read_dir(folder) else { return true };
    entries.any(|entry| {
        let Ok(entry) = entry else { return true };
        let (name, path) = (entry.file_name(), entry.path());
        let is_own = match path.is_dir() {
            true => name == "cache",
            false => name.to_string_lossy().starts_with("session."),
        };
        !is_own && is_or_holds_file(&path)
    })
}

/// In the folders of a session no file is its own, whatever it is called.
fn is_or_holds_file(path: &Path) -> bool {
    if !path.is_dir() {
        return true;
    }
    let Ok(mut entries) = fs::read_dir(path) else { return true };
    entries.any(|entry| {
        let Ok(entry) = entry else { return true };
        is_or_holds_file(&entry.path())
    })
}

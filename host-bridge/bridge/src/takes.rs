//! Room for what is captured: rolling takes that no clip plays go, the oldest first, when a session holds more than
//! the person wants.

use crate::bridge::Bridge;
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
    file: PathBuf,
}

impl Bridge {
    /// Lets old takes go until what was captured fits into `most` bytes, as far as they are not played. It is
    /// a step of its own, which names them; their files go when that is stored.
    pub(crate) fn make_room(&mut self, asker: Asker, most: u64) {
        let old = self.takes_to_remove(most);
        if old.is_empty() {
            return;
        }
        let bytes: u64 = old.iter().map(|old| old.source.size).sum();
        let takes = if old.len() == 1 { "take" } else { "takes" };
        let (count, megabytes) = (old.len(), bytes as f64 / 1e6);
        let label = format!("Removed {count} old {takes} ({megabytes:.1} MB) to make room");
        let remove = |old: &Old| Change::RemoveSource(Edit::remove(old.id, old.source.clone()));
        let changes: Vec<Change> = old.iter().map(remove).collect();
        // Something else may hold on to one of them; then all stay.
        let Ok(session) = self.session.with(&changes) else { return };
        let files = old.into_iter().map(|old| old.file).collect();
        let step = NewRevision::new(session, label, changes);
        self.commit_revision(asker, Author::Capture, step, |_, _| Then::Remove(files));
    }

    fn takes_to_remove(&self, most: u64) -> Vec<Old> {
        let takes = self.takes();
        let held = |id: &SourceId| self.session.sources.get(id).map_or(0, |source| source.size);
        let mut total: u64 = takes.keys().map(held).sum();
        let played = played(&self.session);
        let mut old = Vec::new();
        for id in self.takes_by_age() {
            if total <= most {
                break;
            }
            let Some(source) = self.session.sources.get(&id) else { continue };
            if let Some(file) = self.rolling_file(source).filter(|_| !played.contains(&id)) {
                total = total.saturating_sub(source.size);
                old.push(Old { id, source: source.clone(), file });
            }
        }
        old
    }

    /// The file of a rolling take, inside the folder for captures.
    fn rolling_file(&self, source: &Source) -> Option<PathBuf> {
        let Media::Conformed(file) = &source.media else { return None };
        let path = Path::new(file);
        let name = path.file_name()?.to_str()?;
        let folder = self.store.captures_dir();
        let own = folder.strip_prefix(self.store.dir()).ok()?;
        (path.parent()? == own && !name.starts_with(CaptureKind::Armed.prefix()))
            .then(|| folder.join(name))
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

//! The folders that a person opened. Files outside are read only after a person agreed.

use crate::commits::Commits;
use deskhand_session::{Author, Change};
use std::path::{Component, Path, PathBuf};

impl Commits {
    /// The first of `files` outside all folders that a person opened. These are the session's `folder` and
    /// its parent, those `opened` at the start, and those of sources that the person imported.
    pub(crate) fn outside_of_opened(
        &self,
        files: &[PathBuf],
        folder: &Path,
        opened: &[PathBuf],
    ) -> Option<PathBuf> {
        if files.is_empty() {
            return None;
        }
        let around = folder.canonicalize().ok().and_then(|real| real.parent().map(PathBuf::from));
        let imported = self.imported_by_the_person();
        let imported = imported.filter_map(|path| Path::new(path).parent().map(PathBuf::from));
        let all = std::iter::once(folder.to_owned()).chain(around);
        let all = all.chain(opened.iter().cloned()).chain(imported);
        let real = all.filter_map(|folder| folder.canonicalize().ok());
        // Everything lies below the root: that would be no border.
        let opened: Vec<PathBuf> = real.filter(|folder| folder.parent().is_some()).collect();
        let is_inside = |file: &Path| {
            resolved(file).is_some_and(|real| opened.iter().any(|folder| real.starts_with(folder)))
        };
        files.iter().find(|file| !is_inside(file)).cloned()
    }

    fn imported_by_the_person(&self) -> impl Iterator<Item = &str> {
        let own = self.history.iter().filter(|revision| revision.author == Author::User);
        own.flat_map(|revision| &revision.changes).filter_map(|change| {
            let edit = if let Change::AddSource(edit) = change { Some(edit) } else { None };
            edit.and_then(|edit| edit.after.as_ref()).map(|source| source.path.as_str())
        })
    }
}

/// The real target of a path, with links followed. For a path that does not exist, the nearest existing
/// folder is resolved; `None` if that is impossible.
fn resolved(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    let (real, there) = absolute.ancestors().find_map(|at| Some((at.canonicalize().ok()?, at)))?;
    let rest = absolute.strip_prefix(there).ok()?;
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    // A link that leads nowhere may lead somewhere when it is opened.
    let is_link = rest.components().next().is_some_and(|part| there.join(part).is_symlink());
    (rest.components().all(is_plain) && !is_link).then(|| real.join(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_and_ways_up_are_followed() {
        let tmp = tempfile::tempdir().unwrap();
        let root = tmp.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("open/below")).unwrap();
        std::fs::create_dir(root.join("closed")).unwrap();
        std::os::unix::fs::symlink(root.join("closed"), root.join("open/link")).unwrap();
        std::os::unix::fs::symlink(root.join("nothing"), root.join("open/dangling")).unwrap();
        let inside = |path: &str| {
            resolved(&root.join(path)).is_some_and(|real| real.starts_with(root.join("open")))
        };
        assert!(
            inside("open/below/a.wav") && inside("open/new/b.wav") && inside("open/below/../a.wav")
        );
        for path in [
            "closed/a.wav",
            "open/link/a.wav",
            "open/../closed/a.wav",
            "open/dangling",
            "open/new/../../closed/a",
        ] {
            assert!(!inside(path), "{path}");
        }
    }
}

//! The path for a new file: next to its session, under a free name.

use super::FileCall;
use crate::model::Model;
use std::path::{Path, PathBuf};

/// The last number that is tried for a name.
const LAST: u32 = 1_000;

/// The absolute path for the session in the folder `session`. A relative path starts at the parent of that
/// folder.
pub(crate) fn place(session: &Path, path: &Path) -> PathBuf {
    let path = session.parent().unwrap_or(session).join(path);
    std::path::absolute(&path).unwrap_or(path)
}

/// `path`, or where something is there already the next name like it: `mix-2.wav`.
fn free(path: PathBuf) -> PathBuf {
    let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
    if !is_there(&path) {
        return path;
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let ending = path.extension().map(|it| format!(".{}", it.to_string_lossy()));
    let ending = ending.unwrap_or_default();
    let mut others = (2..=LAST).map(|n| path.with_file_name(format!("{stem}-{n}{ending}")));
    others.find(|other| !is_there(other)).unwrap_or(path)
}

impl FileCall {
    fn has_ending(self, path: &Path) -> bool {
        let ending = path.extension().unwrap_or_default();
        self.endings().iter().any(|known| ending.eq_ignore_ascii_case(known))
    }
}

impl Model {
    /// The suggested path for the file of a call: a free one next to the session. Empty for a file that is
    /// read.
    #[must_use]
    pub fn offer(&self, call: FileCall) -> PathBuf {
        if let Some(form) = self.export_form().filter(|_| call == FileCall::ExportMix) {
            return form.path();
        }
        let name = Path::new(call.offered());
        match self.mirror.as_ref().filter(|_| call.is_written()) {
            Some(mirror) => free(place(Path::new(&mirror.snapshot.folder), name)),
            None => name.to_owned(),
        }
    }

    /// If a call cannot write at `path`: a path that works, and the reason. `None` if it can. A relative
    /// path starts at the parent of the session's folder.
    #[must_use]
    pub fn refused(&self, call: FileCall, path: &Path) -> Option<(PathBuf, String)> {
        let mirror = self.mirror.as_ref().filter(|_| call.is_written())?;
        let path = place(Path::new(&mirror.snapshot.folder), path);
        let shown = path.display();
        if call == FileCall::ExportMix && !call.has_ending(&path) {
            let why = format!(
                "{shown} does not say what to write; let it end in .wav, .flac, .opus or .mp3"
            );
            let named = format!("{shown}.wav");
            return Some((free(named.into()), why));
        }
        if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
            let why = format!("there is no folder {}", folder.display());
            return Some((path.clone(), why));
        }
        let is_there = path.symlink_metadata().is_ok();
        let why = format!("{shown} is there already; this name is free");
        is_there.then(|| (free(path), why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui_tests::open_model;

    fn in_folder(folder: &Path) -> Model {
        let mut model = open_model();
        let session = folder.join("song.deskhand").display().to_string();
        model.mirror.as_mut().unwrap().snapshot.folder = session;
        model
    }

    #[test]
    fn a_file_is_offered_beside_the_session_under_a_name_that_is_free() {
        let tmp = tempfile::tempdir().unwrap();
        let model = in_folder(tmp.path());
        let mix = tmp.path().join("mix.wav");
        assert_eq!(model.offer(FileCall::ExportMix), mix);
        std::fs::write(&mix, "").unwrap();
        assert_eq!(model.offer(FileCall::ExportMix), tmp.path().join("mix-2.wav"));
        assert_eq!(model.offer(FileCall::ImportCodebook), Path::new(""));
    }

    #[test]
    fn what_is_there_is_refused_with_the_next_free_name() {
        let tmp = tempfile::tempdir().unwrap();
        let model = in_folder(tmp.path());
        let (call, path) = (FileCall::ExportCodebook, tmp.path().join("a.qdc"));
        assert_eq!(model.refused(call, &path), None);
        for (name, free) in [("a.qdc", "a-2.qdc"), ("a-2.qdc", "a-3.qdc")] {
            std::fs::write(tmp.path().join(name), "").unwrap();
            let free = tmp.path().join(free);
            let told = format!("{} is there already; this name is free", path.display());
            // A relative path is the same one.
            for typed in [path.as_path(), Path::new("a.qdc")] {
                assert_eq!(model.refused(call, typed), Some((free.clone(), told.clone())));
            }
        }
        assert_eq!(model.refused(FileCall::ImportCodebook, &path), None, "that one is read");
        let nowhere = tmp.path().join("no/a.qdc");
        let told = format!("there is no folder {}", tmp.path().join("no").display());
        assert_eq!(model.refused(call, &nowhere), Some((nowhere.clone(), told)));
    }

    #[test]
    fn the_ending_says_as_what_the_mix_is_written() {
        let tmp = tempfile::tempdir().unwrap();
        let model = in_folder(tmp.path());
        for name in ["a.wav", "a.FLAC", "a.opus", "a.mp3"] {
            assert_eq!(model.refused(FileCall::ExportMix, Path::new(name)), None, "{name}");
        }
        let (named, why) = model.refused(FileCall::ExportMix, Path::new("Take 1.5")).unwrap();
        assert_eq!(named, tmp.path().join("Take 1.5.wav"));
        assert!(why.ends_with("let it end in .wav, .flac, .opus or .mp3"), "{why}");
    }
}

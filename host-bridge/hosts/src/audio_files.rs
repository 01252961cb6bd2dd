//! Where the audio files of a project are: where the project says, or next to it where DAWs keep them.

use std::path::{Path, PathBuf};

/// Where audio that a project file holds itself is unpacked to, below the session folder.
const UNPACKED: &str = "media/project";

/// Folders next to a project in which DAWs keep audio.
const FOLDERS: [&str; 5] = ["Audio", "Audio Files", "audio", "Media", "media"];

/// The file that a project in `folder` calls `written`; `None` if it is nowhere.
pub(crate) fn find(folder: &Path, written: &str) -> Option<PathBuf> {
    // A project from Windows has its own separators.
    let unix = written.replace('\\', "/");
    let name = unix.rsplit('/').next().filter(|name| !name.is_empty())?;
    let moved = FOLDERS.iter().map(|inside| folder.join(inside).join(name));
    // Ardour keeps audio by the name of its session.
    let sessions = std::fs::read_dir(folder.join("interchange")).into_iter().flatten().flatten();
    let ardour = sessions.map(|session| session.path().join("audiofiles").join(name));
    let places = [written, &unix, name].map(|place| folder.join(place));
    places.into_iter().chain(moved).chain(ardour).find(|path| path.is_file())
}

/// The folder in which Ardour keeps the audio of a session, by the session's file.
pub(crate) fn of_ardour(session: &Path) -> PathBuf {
    let all = session.with_file_name("interchange");
    let inside = std::fs::read_dir(&all).into_iter().flatten().flatten();
    let first = inside.map(|entry| entry.path()).filter(|path| path.is_dir()).min();
    let own = || all.join(session.file_stem().unwrap_or_default());
    first.unwrap_or_else(own).join("audiofiles")
}

/// Copies a file; no part of it is left under its name if that fails.
pub(crate) fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let part = tempfile::NamedTempFile::new_in(folder)?;
    std::fs::copy(from, part.path())?;
    part.persist(to)?;
    Ok(())
}

/// The folder for audio that a project file holds itself.
pub(crate) fn unpacked(session: &Path) -> PathBuf {
    // Sources are known by their real paths.
    session.canonicalize().unwrap_or_else(|_| session.to_path_buf()).join(UNPACKED)
}

/// How a project in `folder` calls a file: relative to it where both are in one tree.
pub(crate) fn written(folder: &Path, file: &Path) -> String {
    let (mut ups, mut base) = (String::new(), folder);
    loop {
        if let Ok(rest) = file.strip_prefix(base) {
            return format!("{ups}{}", rest.to_string_lossy());
        }
        match base.parent().filter(|parent| parent.parent().is_some()) {
            Some(parent) => (base, ups) = (parent, format!("{ups}../")),
            None => return file.to_string_lossy().into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_moved_with_its_project_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let audio = folder.path().join("Audio Files");
        std::fs::create_dir(&audio).unwrap();
        std::fs::write(audio.join("take 1.wav"), b"").unwrap();
        std::fs::write(folder.path().join("voice.wav"), b"").unwrap();
        let found = |written| find(folder.path(), written);
        assert_eq!(found("voice.wav"), Some(folder.path().join("voice.wav")));
        assert_eq!(found("D:\\old\\take 1.wav"), Some(audio.join("take 1.wav")));
        assert_eq!(found("/elsewhere/voice.wav"), Some(folder.path().join("voice.wav")));
        assert_eq!([found("none.wav"), found("")], [None, None]);
    }

    #[test]
    fn a_path_is_relative_within_one_tree() {
        let told = |folder: &str, file: &str| written(Path::new(folder), Path::new(file));
        assert_eq!(told("/music/song", "/music/song/audio/a.wav"), "audio/a.wav");
        assert_eq!(
            told("/music/song", "/music/song.deskhand/media/a.wav"),
            "../song.deskhand/media/a.wav"
        );
        assert_eq!(told("/music/song", "/mnt/a.wav"), "/mnt/a.wav");
    }
}

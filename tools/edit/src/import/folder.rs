//! A folder stands for the audio files in it.

use deskhand_media::AUDIO_ENDINGS;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that are meant, in order, a folder's by name; and why a folder stands for none.
pub(super) fn files_of(paths: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    for path in paths {
        if !Path::new(path).is_dir() {
            all.push(path.clone());
            continue;
        }
        let mut files = Vec::new();
        gather(Path::new(path), &mut files);
        if files.is_empty() {
            refused.push(format!("the folder {path:?} has no audio files in it"));
        }
        all.extend(files.into_iter().map(|file| file.display().to_string()));
    }
    (all, refused)
}

/// The audio files of a folder and of the folders in it. What is hidden is not meant, and a session is its own.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    // What cannot be read holds nothing.
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<fs::DirEntry> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        // A link to a folder is not followed: it may lead back.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let is_session = path.join("session.db").is_file();
        if is_folder && !is_hidden && !is_session {
            gather(&path, files);
        } else if !is_folder && !is_hidden && is_audio(&path) {
            files.push(path);
        }
    }
}

fn is_audio(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    AUDIO_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_stands_for_the_audio_in_it_by_name_without_what_is_hidden() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "b.WAV",
            "a.flac",
            "notes.pdf",
            ".hidden.wav",
            "takes/1.mp3",
            ".cache/2.wav",
            "none/5.jpg",
            "song.deskhand/session.db",
            "song.deskhand/media/3.wav",
        ] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let whole = |name: &str| folder.path().join(name).display().to_string();
        let (files, refused) = files_of(&["x.wav".into(), whole(""), whole("none")]);
        let inside = ["a.flac", "b.WAV", "takes/1.mp3"].map(whole);
        assert_eq!(files, [&["x.wav".to_owned()], &inside[..]].concat());
        assert!(
            matches!(&refused[..], [why] if why.contains("none\" has no audio")),
            "{refused:?}"
        );
    }
}

//! Files of the session folder that can be heard or seen, as blobs.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use deskhand_session::tool_error::{Code, ToolError};
use rmcp::model::ResourceContents;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file that is read.
const LARGEST: u64 = 8 << 20;

/// Types that are given out, by the end of the name.
const TYPES: [(&str, &str); 12] = [
    ("wav", "audio/wav"),
    ("flac", "audio/flac"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("ogg", "audio/ogg"),
    ("opus", "audio/ogg"),
    ("aif", "audio/aiff"),
    ("aiff", "audio/aiff"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("webp", "image/webp"),
];

/// Reads the file at `path` inside `dir`.
pub(crate) async fn read(dir: &Path, path: &str, uri: &str) -> Result<ResourceContents, ToolError> {
    let (dir, path, uri) = (dir.to_owned(), path.to_owned(), uri.to_owned());
    let read = tokio::task::spawn_blocking(move || {
        let (bytes, mime) = bytes(&dir, &path)?;
        Ok(ResourceContents::blob(STANDARD.encode(bytes), uri).with_mime_type(mime))
    });
    let failed = |error| refused(&format!("the file cannot be read: {error}"), "try again");
    read.await.map_err(failed)?
}

fn bytes(dir: &Path, path: &str) -> Result<(Vec<u8>, &'static str), ToolError> {
    let end = Path::new(path).extension().and_then(|end| end.to_str()).unwrap_or_default();
    let mime = TYPES.iter().find(|(known, _)| end.eq_ignore_ascii_case(known));
    let (_, mime) = mime.ok_or_else(|| {
        refused(&format!("\"{path}\" is neither audio nor a picture"), "only those are given out")
    })?;
    let file = inside(dir, path).and_then(|path| File::open(path).ok());
    let file = file.filter(|file| file.metadata().is_ok_and(|found| found.is_file()));
    let file = file.ok_or_else(|| {
        refused(&format!("there is no file \"{path}\" in the session folder"), "call list_sources")
    })?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| refused(&format!("\"{path}\" cannot be read: {error}"), "try again"))?;
    if bytes.len() as u64 > LARGEST {
        let fix = "measure it, or show it with display_resource";
        return Err(refused(&format!("\"{path}\" is larger than 8 MB"), fix));
    }
    Ok((bytes, mime))
}

/// The real place of `path`, if it is inside of `dir` once all links are followed.
fn inside(dir: &Path, path: &str) -> Option<PathBuf> {
    let dir = dir.canonicalize().ok()?;
    let real = dir.join(path).canonicalize().ok()?;
    real.starts_with(&dir).then_some(real)
}

fn refused(message: &str, fix: &str) -> ToolError {
    ToolError::prepare(Code::Media, message, fix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn audio_inside_is_given_out_and_nothing_else() {
        let (dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(dir.path().join("a.wav"), b"RIFF").unwrap();
        std::fs::write(dir.path().join("session.db"), b"secret").unwrap();
        std::fs::write(outside.path().join("b.wav"), b"other").unwrap();
        symlink(outside.path().join("b.wav"), dir.path().join("link.wav")).unwrap();
        std::fs::create_dir(dir.path().join("dir.wav")).unwrap();
        assert_eq!(bytes(dir.path(), "a.wav").unwrap(), (b"RIFF".to_vec(), "audio/wav"));
        for path in ["session.db", "link.wav", "dir.wav", "none.wav", "../b.wav", "/etc/hosts.wav"]
        {
            assert!(bytes(dir.path(), path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_large_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        File::create(dir.path().join("a.wav")).unwrap().set_len(LARGEST + 1).unwrap();
        let error = bytes(dir.path(), "a.wav").unwrap_err();
        assert_eq!(error.message, "\"a.wav\" is larger than 8 MB");
    }
}

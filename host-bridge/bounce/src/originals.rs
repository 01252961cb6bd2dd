//! Refuses an original file whose content changed since the import.

use deskhand_dsp::ReadError;
use deskhand_media::content_hash;
use deskhand_session::{ContentHash, Source};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

/// The content hashes of files that were rewritten after their import. Each file is hashed once per time
/// stamp.
#[derive(Clone, Debug, Default)]
pub(crate) struct Originals(Arc<Mutex<BTreeMap<Stamp, ContentHash>>>);

/// The current state of a file: its path and its modification time in ns since 1970, if it has one.
type Stamp = (String, Option<i64>);

impl Originals {
    /// Refuses an original that is missing or has other content than when it was imported. A new time
    /// stamp alone, of a copied or restored file, is no change.
    pub(crate) fn check(&self, source: &Source) -> Result<(), ReadError> {
        let path = &source.path;
        let found = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        let (now, then) = (found.len(), source.size);
        if now != then {
            return Err(changed(path, &format!("it has {now} bytes and had {then}")));
        }
        let modified = modified_ns(&found);
        if modified == Some(source.modified_ns) {
            return Ok(());
        }
        if self.content((path.clone(), modified))?.file() == source.hash.file() {
            return Ok(());
        }
        Err(changed(path, "its content is different"))
    }

    /// The content hash of the file. Callers that ask meanwhile wait for the same answer.
    fn content(&self, stamp: Stamp) -> Result<ContentHash, ReadError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = known.get(&stamp) {
            return Ok(hash.clone());
        }
        let hash =
            content_hash(Path::new(&stamp.0)).map_err(|error| unreadable(&stamp.0, &error))?;
        let hash = ContentHash(hash.0);
        known.insert(stamp, hash.clone());
        Ok(hash)
    }
}

fn unreadable(path: &str, error: &dyn std::error::Error) -> ReadError {
    ReadError(format!(
        "{path} cannot be read ({error}): put the original back, or import another file"
    ))
}

fn changed(path: &str, how: &str) -> ReadError {
    ReadError(format!(
        "{path} changed since it was imported ({how}): \
         put the original back, or import the new file"
    ))
}

fn modified_ns(found: &Metadata) -> Option<i64> {
    let since = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Frames, SampleRate};
    use deskhand_session::Media;
    use std::fs::{self, File};
    use std::path::PathBuf;
    use std::time::Duration;

    /// A file in a folder of its own, and the source that was imported from it.
    fn imported() -> (tempfile::TempDir, PathBuf, Source) {
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("kick.wav");
        fs::write(&path, "kick").unwrap();
        let source = Source {
            name: "kick".into(),
            hash: ContentHash(content_hash(&path).unwrap().0),
            path: path.display().to_string(),
            size: 4,
            modified_ns: modified_ns(&path.metadata().unwrap()).unwrap(),
            format: "WAV 16 bit".into(),
            rate: SampleRate(48_000),
            channels: 1,
            channel: None,
            frames: Frames(1),
            origin: None,
            same_sound: Vec::new(),
            media: Media::InPlace,
        };
        (tmp, path, source)
    }

    fn stamp(path: &Path, seconds: u64) {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn a_new_time_stamp_alone_is_no_change_and_hashed_once() {
        let (_tmp, path, source) = imported();
        let originals = Originals::default();
        originals.check(&source).unwrap();
        assert!(originals.0.lock().unwrap().is_empty(), "no need to hash");
        stamp(&path, 1);
        originals.check(&source).unwrap();
        // Not what the file holds: whoever answers "fine" now did not read it again.
        fs::write(&path, "kack").unwrap();
        stamp(&path, 1);
        originals.clone().check(&source).unwrap();
        stamp(&path, 2);
        assert!(originals.check(&source).is_err());
    }

    #[test]
    fn other_content_is_refused_with_the_way_out() {
        let (_tmp, path, source) = imported();
        let originals = Originals::default();
        fs::write(&path, "kack").unwrap();
        stamp(&path, 1);
        let same_size = originals.check(&source).unwrap_err().to_string();
        assert!(same_size.contains("content is different"), "{same_size}");
        fs::write(&path, "longer").unwrap();
        let longer = originals.check(&source).unwrap_err().to_string();
        assert!(longer.contains("6 bytes and had 4"), "{longer}");
        fs::remove_file(&path).unwrap();
        let gone = originals.check(&source).unwrap_err().to_string();
        for error in [same_size, longer, gone] {
            assert!(error.contains("kick.wav") && error.contains("put the original back"));
        }
    }
}

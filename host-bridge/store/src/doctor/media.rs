//! Whether the audio files of a session are where it says, as they were.

use deskhand_session::{ContentHash, Media, Session, Source};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Bytes of a sample in a conformed file, which is 32-bit float.
const SAMPLE: i64 = 4;
/// Frames by which the end of a conformed file may be off: resampling rounds.
const SLACK: i64 = 1024;
/// Tags by which WAV files begin.
const WAV: [&[u8]; 3] = [b"RIFF", b"RF64", b"BW64"];

/// The content hashes of files. Sources that were split from one file share one read.
type Contents = BTreeMap<String, io::Result<ContentHash>>;

/// A sentence for each source whose audio is missing or changed. Reads every original that is played.
pub(super) fn problems(dir: &Path, session: &Session) -> Vec<String> {
    let mut contents = Contents::new();
    let sources = session.sources.values();
    sources.filter_map(|source| problem(dir, source, &mut contents)).collect()
}

fn problem(dir: &Path, source: &Source, contents: &mut Contents) -> Option<String> {
    let name = &source.name;
    if let Media::Conformed(path) = &source.media {
        let Some(file) = inside(dir, path) else {
            return Some(format!("{name:?} would be read outside the session: {path:?}"));
        };
        if file.is_file() {
            return damaged(&file, source).map(|how| {
                let original = &source.path;
                format!(
                    "{name:?} is damaged: {path:?} {how}; \
                     delete it, and it is made again from {original:?}"
                )
            });
        }
    }
    original(source, contents)
}

/// The problem of a conformed file: its content is not known, but its kind and least size are.
fn damaged(file: &Path, source: &Source) -> Option<String> {
    let mut begin = [0; 12];
    let read = File::open(file).and_then(|mut file| {
        file.read_exact(&mut begin)?;
        Ok(file.metadata()?.len())
    });
    let tag = |range| begin.get(range).unwrap_or_default();
    match read {
        Ok(_) if !WAV.contains(&tag(0..4)) || tag(8..12) != b"WAVE" => Some("is not a WAV".into()),
        Ok(bytes) => {
            let least =
                (source.frames.0 - SLACK).saturating_mul(SAMPLE * i64::from(source.channels));
            let is_short = u64::try_from(least).is_ok_and(|least| bytes < least);
            is_short.then(|| format!("has {bytes} bytes, too few for its length"))
        }
        Err(error) => Some(format!("cannot be read ({error})")),
    }
}

fn original(source: &Source, contents: &mut Contents) -> Option<String> {
    let (name, path) = (&source.name, &source.path);
    match Path::new(path).metadata() {
        Err(error) => Some(format!("{name:?} is missing: {path:?} ({error}); put it back there")),
        Ok(found) if !found.is_file() => Some(format!("{name:?}: {path:?} is not a file")),
        Ok(found) if found.len() != source.size => {
            let (now, then) = (found.len(), source.size);
            Some(changed(source, &format!("has {now} bytes, it had {then}")))
        }
        Ok(_) => {
            let content =
                contents.entry(path.clone()).or_insert_with(|| content_hash(Path::new(path)));
            match content {
                Ok(hash) if hash.file() == source.hash.file() => None,
                Ok(_) => Some(changed(source, "has other content than it had")),
                Err(error) => Some(format!("{name:?} cannot be read: {path:?} ({error})")),
            }
        }
    }
}

fn changed(source: &Source, how: &str) -> String {
    let (name, path) = (&source.name, &source.path);
    format!("{name:?} changed: {path:?} {how}; put the original back, or import the new file")
}

fn content_hash(path: &Path) -> io::Result<ContentHash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(ContentHash(hasher.finalize().to_hex().to_string()))
}

/// A path in the session folder; `None` if it leads out of the folder.
fn inside(dir: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| dir.join(path))
}

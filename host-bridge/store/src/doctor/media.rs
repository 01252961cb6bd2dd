//! Whether the audio files of a session are where it says, as they were.

use deskhand_session::{Media, Session, Source};
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A sentence for each source whose audio is missing or changed.
pub(super) fn problems(dir: &Path, session: &Session) -> Vec<String> {
    session
        .sources
        .values()
        .filter_map(|source| problem(dir, source))
        .collect()
}

fn problem(dir: &Path, source: &Source) -> Option<String> {
    let name = &source.name;
    let conformed = match &source.media {
        Media::InPlace => None,
        Media::Conformed(path) => match inside(dir, path) {
            Some(path) => Some(path),
            None => {
                return Some(format!(
                    "{name:?} would be read outside the session: {path:?}"
                ));
            }
        },
    };
    if conformed.is_some_and(|path| path.metadata().is_ok_and(|found| found.len() > 0)) {
        return None;
    }
    let path = &source.path;
    match Path::new(path).metadata() {
        Err(error) => Some(format!(
            "{name:?} is missing: {path:?} ({error}); put it back there"
        )),
        Ok(found) if !found.is_file() => Some(format!("{name:?}: {path:?} is not a file")),
        Ok(found) if found.len() != source.size => {
            let (now, then) = (found.len(), source.size);
            Some(format!(
                "{name:?} changed: {path:?} has {now} bytes, it had {then}"
            ))
        }
        Ok(found) if modified_ns(&found).is_some_and(|now| now != source.modified_ns) => Some(
            format!("{name:?} may have changed: {path:?} was written since it was imported"),
        ),
        Ok(_) => None,
    }
}

/// A path in the session folder; `None` if it leads out of it.
fn inside(dir: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    let plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| dir.join(path))
}

fn modified_ns(found: &Metadata) -> Option<i64> {
    let since = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

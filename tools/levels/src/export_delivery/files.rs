//! Where files of an export go, and how they get their names once they are complete.

use super::call::Resolved;
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::files::{next_free, place};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::path::{Path, PathBuf};

/// The most characters of a track's name in a file's.
const LONGEST: usize = 80;

/// The file of each sound, none of which exists.
pub(super) fn paths(call: &Resolved, context: &PlanContext) -> Result<Vec<PathBuf>, ToolError> {
    let path = place(context, &call.params.path);
    let mut paths: Vec<PathBuf> = Vec::new();
    for sound in &call.sounds {
        let wanted = of_sound(&path, &context.session, sound.what);
        let is_taken = |path: &PathBuf| paths.contains(path);
        let numbered = (2..).map(|n| with_name(&wanted, &format!(" {n}")));
        let own = std::iter::once(wanted.clone()).chain(numbered).find(|path| !is_taken(path));
        let own = own.unwrap_or(wanted);
        let own = if call.params.or_next_free { next_free(own) } else { own };
        paths.push(new_path(own)?);
    }
    Ok(paths)
}

/// `path` for the mix; for a track the same with its name: "song - Bass.wav".
fn of_sound(path: &Path, session: &Session, what: ObjectId) -> PathBuf {
    match what {
        ObjectId::Track(_) => with_name(path, &format!(" - {}", file_name(&session.name_of(what)))),
        _ => path.to_owned(),
    }
}

fn with_name(path: &Path, more: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}{more}.{ending}"))
}

/// A name as a part of a file name on every system.
fn file_name(name: &str) -> String {
    let safe = |c: char| {
        if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c }
    };
    name.chars().map(safe).take(LONGEST).collect::<String>().trim().to_owned()
}

/// Where something new is written: nothing that exists is written over.
fn new_path(path: PathBuf) -> Result<PathBuf, ToolError> {
    if path.symlink_metadata().is_ok() {
        let message = format!("{} exists already", path.display());
        return Err(ToolError::run(Code::Write, message, "give another `path`"));
    }
    match path.parent().filter(|folder| !folder.is_dir()) {
        None => Ok(path),
        Some(folder) => {
            let message = format!("there is no folder {}", folder.display());
            Err(ToolError::run(Code::Write, message, "make it, or give another `path`"))
        }
    }
}

/// Where the report of `path` goes, as a page and as JSON: called like it without its ending or, where the same name was
/// delivered in another format before, with it.
pub(super) fn beside(context: &PlanContext, path: &Path) -> Result<[PathBuf; 2], ToolError> {
    let named = |path: &Path| {
        let of = |ending: &str| {
            new_path(place(context, &format!("{}.report.{ending}", path.to_string_lossy())))
        };
        Ok([of("html")?, of("json")?])
    };
    named(&path.with_extension("")).or_else(|_: ToolError| named(path))
}

/// Files get the requested names only when they are complete and have their reports: all of them, or none.
pub(super) fn hand_over(
    room: &Path,
    parts: &[(PathBuf, PathBuf)],
    reports: [(&Path, String); 2],
) -> std::io::Result<()> {
    let mut moves = parts.to_vec();
    for (n, (path, text)) in reports.into_iter().enumerate() {
        let part = room.join(format!("report-{n}"));
        std::fs::write(&part, text)?;
        moves.push((part, path.to_owned()));
    }
    for (n, (part, path)) in moves.iter().enumerate() {
        if let Err(error) = std::fs::rename(part, path) {
            // What cannot be removed is complete at least.
            moves[..n].iter().for_each(|(_, there)| drop(std::fs::remove_file(there)));
            return Err(error);
        }
    }
    Ok(())
}

//! The available tools: the manifests of the person's own folder, and those of a session that a person
//! approved. Everything else is named and does nothing.

use crate::approvals::{Approvals, Known};
use crate::candidate::{Candidate, shown};
use crate::launch::Launcher;
use crate::tool::External;
use deskhand_toolkit::Tool;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the names of manifests end.
pub const ENDING: &str = ".deskhand-tool.toml";

/// The most manifests of one folder.
const MOST: usize = 200;

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The person's own folder of tools.
    pub own: &'a Path,
    /// The folder of a session; its manifests may lie in it or in its folder `tools`.
    pub session: Option<&'a Path>,
    /// What the person approved.
    pub approvals: &'a Approvals,
    /// How programs are started.
    pub launcher: &'a Launcher,
}

/// The results of the search.
#[derive(Default)]
pub struct Loaded {
    /// The tools that can be called.
    pub tools: Vec<Arc<dyn Tool>>,
    /// Every manifest.
    pub entries: Vec<Entry>,
}

/// A manifest that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub file: PathBuf,
    /// Its name as a tool; `None` if it has no name.
    pub name: Option<String>,
    pub state: State,
}

/// What became of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Active,
    /// Nobody approved it.
    Inert,
    /// It is another one than the one that was approved.
    Changed,
    /// It cannot be used, and why.
    Refused(String),
}

impl Entry {
    /// What a person should know of a manifest that is no tool; one line.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let file = shown(&self.file);
        let approve = format!("look at it, then `deskhand tools approve {file:?}`");
        match &self.state {
            State::Active => None,
            State::Inert => Some(format!(
                "{file} came with the session and does nothing until you approve it: {approve}"
            )),
            State::Changed => Some(format!(
                "{file} was changed since you approved it, and does nothing: {approve}"
            )),
            State::Refused(why) => Some(format!("no tool: {why}")),
        }
    }
}

/// Finds the tools, and removes what runs of killed processes left. `is_taken` says which names belong to
/// others: none of those is available.
pub fn load(places: &Places<'_>, is_taken: &dyn Fn(&str) -> bool) -> Loaded {
    #[cfg(unix)]
    crate::stale_runs::sweep(&std::env::temp_dir());
    let mut loaded = Loaded::default();
    let own: Vec<_> = manifests(places.own).into_iter().map(|file| read(file, None)).collect();
    loaded.take(own, is_taken, places.launcher);
    let folders = places.session.into_iter().flat_map(|dir| [dir.to_owned(), dir.join("tools")]);
    let files = folders.flat_map(|folder| manifests(&folder));
    let strange: Vec<_> = files.map(|file| read(file, Some(places.approvals))).collect();
    loaded.take(strange, is_taken, places.launcher);
    loaded
}

/// A file, and what it is or why it is nothing.
type Read = (PathBuf, Result<Candidate, (Option<String>, State)>);

/// For a manifest without approval only its name is read: an unapproved file must not choose what is
/// hashed.
fn read(file: PathBuf, approvals: Option<&Approvals>) -> Read {
    if approvals.is_some_and(|approvals| !approvals.name(&file)) {
        let found = match Candidate::peek(&file) {
            Ok(manifest) => (Some(manifest.name), State::Inert),
            Err(error) => (None, State::Refused(error.to_string())),
        };
        return (file, Err(found));
    }
    let candidate = match Candidate::read(&file) {
        Ok(candidate) => candidate,
        Err(error) => return (file, Err((None, State::Refused(error.to_string())))),
    };
    let name = Some(candidate.manifest.name.clone());
    let known = approvals.map_or(Ok(Known::Approved), |approvals| approvals.of(&candidate));
    let found = match known {
        Ok(Known::Approved) => Ok(candidate),
        Ok(Known::Changed) => Err((name, State::Changed)),
        Ok(Known::Never) => Err((name, State::Inert)),
        Err(error) => Err((name, State::Refused(error.to_string()))),
    };
    (file, found)
}

impl Loaded {
    /// Takes the usable ones. If two tools want one name, both are refused, because the choice is
    /// ambiguous.
    fn take(&mut self, found: Vec<Read>, is_taken: &dyn Fn(&str) -> bool, launcher: &Launcher) {
        let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
        for candidate in found.iter().filter_map(|(_, found)| found.as_ref().ok()) {
            *wanted.entry(candidate.manifest.name.clone()).or_default() += 1;
        }
        for (file, found) in found {
            let entry = match found {
                Err((name, state)) => Entry { file, name, state },
                Ok(candidate) => {
                    let name = candidate.manifest.name.clone();
                    let twice = wanted.get(&name).is_some_and(|count| *count > 1);
                    let state = self.state_of(&candidate, twice, is_taken);
                    if state == State::Active {
                        self.tools.push(Arc::new(External::new(candidate, launcher.clone())));
                    }
                    Entry { file, name: Some(name), state }
                }
            };
            self.entries.push(entry);
        }
    }

    fn state_of(
        &self,
        candidate: &Candidate,
        twice: bool,
        is_taken: &dyn Fn(&str) -> bool,
    ) -> State {
        let name = &candidate.manifest.name;
        let file = shown(&candidate.file);
        let other = "give it another `name`";
        if is_taken(name) {
            let why = format!("{file}: {name} is a tool of Deskhand itself; {other}");
            State::Refused(why)
        } else if self.tools.iter().any(|tool| tool.spec().name == name) {
            let why = format!("{file}: {name} is a tool in your own folder already; {other}");
            State::Refused(why)
        } else if twice {
            let why = format!("{file}: another manifest there is called {name} too; {other}");
            State::Refused(why)
        } else {
            State::Active
        }
    }
}

/// The manifests in a folder, by name; empty if there is no folder.
fn manifests(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_manifest = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name.ends_with(ENDING) && !name.starts_with('.'))
    };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut files: Vec<_> = paths.filter(is_manifest).take(MOST).collect();
    files.sort();
    files
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded").field("entries", &self.entries).finish_non_exhaustive()
    }
}

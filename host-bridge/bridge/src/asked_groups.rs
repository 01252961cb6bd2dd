//! The sets of tracks that Deskhand asked a person to group, stored in the session folder. A person who answered is not
//! asked again, even in a later run.

use deskhand_session::TrackId;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The most sets that are read from the file.
const MOST: usize = 10_000;

/// Sets of tracks that Deskhand asked about.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AskedGroups {
    /// Asked in this run, answered or not.
    shown: BTreeSet<Vec<TrackId>>,
    /// Answered in any run.
    answered: BTreeSet<Vec<TrackId>>,
}

impl AskedGroups {
    /// The answers of earlier runs.
    pub(crate) fn read(folder: &Path) -> Self {
        Self { shown: BTreeSet::new(), answered: read(&file(folder)) }
    }

    /// Notes that a person answered yes or no. Returns the work that writes a new answer to the session folder.
    pub(crate) fn answer(
        &mut self,
        tracks: Vec<TrackId>,
        folder: Option<&Path>,
    ) -> Option<impl FnOnce() -> io::Result<()> + Send + 'static> {
        let is_new = self.answered.insert(tracks);
        let (all, file) = (self.answered.clone(), file(folder?));
        is_new.then_some(move || write(&file, &all))
    }

    /// Records a question about `tracks`. False if they, or a set that contains them, were asked about before.
    pub(crate) fn ask(&mut self, tracks: &[TrackId]) -> bool {
        let is_among = |set: &Vec<TrackId>| tracks.iter().all(|track| set.contains(track));
        !self.answered.iter().any(is_among) && self.shown.insert(tracks.to_vec())
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("session.groups.json")
}

fn write(file: &Path, sets: &BTreeSet<Vec<TrackId>>) -> io::Result<()> {
    let beside = file.with_extension("new");
    fs::write(&beside, serde_json::to_vec(sets)?)?;
    fs::rename(beside, file)
}

/// The sets in the file; empty if it is missing or not readable.
fn read(file: &Path) -> BTreeSet<Vec<TrackId>> {
    let bytes = fs::read(file).unwrap_or_default();
    let all: BTreeSet<Vec<TrackId>> = serde_json::from_slice(&bytes).unwrap_or_default();
    all.into_iter().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_among_tracks_that_were_answered_is_not_asked_about() {
        let [a, b, c] = [1, 2, 3].map(TrackId::new);
        let mut asked = AskedGroups { answered: [vec![a, b]].into(), ..AskedGroups::default() };
        assert!(!asked.ask(&[b, a]) && !asked.ask(&[a]));
        assert!(asked.ask(&[a, b, c]), "there is one more");
        assert!(!asked.ask(&[a, b, c]), "once");
    }

    #[test]
    fn a_file_that_is_none_of_ours_is_as_none() {
        let tmp = tempfile::tempdir().unwrap();
        let file = file(tmp.path());
        assert_eq!(read(&file), BTreeSet::new());
        fs::write(&file, b"[[\"clip_000000000001\"]]").unwrap();
        assert_eq!(read(&file), BTreeSet::new());
        let sets: BTreeSet<Vec<TrackId>> = [vec![TrackId::new(1), TrackId::new(2)]].into();
        write(&file, &sets).unwrap();
        assert_eq!(read(&file), sets);
    }
}

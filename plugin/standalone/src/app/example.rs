//! The example interview: a copy of its own for each time that it is opened, and what is said to it then.

use super::App;
use crate::question::Wanted;
use deskhand_editor::Action;
use deskhand_protocol::helper::music_folder;
use std::path::{Path, PathBuf};

const NAME: &str = "Example interview";
/// Copies among which a free name is looked for.
const MOST: usize = 1_000;

impl App {
    /// Makes a copy next to the person's other sessions and opens it. `says` is then said to its model.
    pub(super) fn open_example(&mut self, says: Option<String>) {
        if self.coming.is_some() {
            return;
        }
        match music_folder().and_then(|music| free(&music)) {
            Some(dir) => self.go(Wanted::Example, dir),
            None => self.ask_for(Wanted::Example),
        }
        self.says = says;
    }

    /// Says the words that opened the example, as soon as it is there.
    pub(super) fn say_to_example(&mut self) {
        if self.coming.is_none()
            && self.model.session().is_some()
            && let Some(words) = self.says.take()
        {
            self.act(Action::Say(words));
        }
    }
}

/// A folder that is not there yet.
fn free(music: &Path) -> Option<PathBuf> {
    let name = |number: usize| match number {
        1 => format!("{NAME}.deskhand"),
        _ => format!("{NAME} {number}.deskhand"),
    };
    let folder = music.join("Deskhand");
    (1..MOST).map(|number| folder.join(name(number))).find(|path| !path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_copy_has_a_folder_of_its_own() {
        let tmp = tempfile::tempdir().unwrap();
        let first = free(tmp.path()).unwrap();
        assert!(first.ends_with("Deskhand/Example interview.deskhand"), "{}", first.display());
        std::fs::create_dir_all(&first).unwrap();
        assert!(free(tmp.path()).unwrap().ends_with("Example interview 2.deskhand"));
    }
}

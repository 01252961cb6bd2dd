//! Asking for a folder or for files, by their path.

use deskhand_editor::{FileCall, PathAnswer, PathQuestion, PathWords, at_window, proposed_session};
use deskhand_protocol::helper::music_folder;
use egui::Context;
use std::fs;
use std::path::{Path, PathBuf};

/// The button that makes a session if none was found.
const HERE: &str = "Make a session here";

/// What the path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Open,
    /// A place for a new session.
    New,
    /// A place for a copy of the example.
    Example,
    /// The project of a DAW.
    Project,
    /// Audio files to import.
    Import,
    File(FileCall),
}

/// A question that is on the screen.
pub(crate) struct Question {
    pub(crate) wanted: Wanted,
    asks: PathQuestion,
    /// There was no session to open: one can be made.
    offers_new: bool,
}

impl Question {
    /// Asks; sessions of `recent` can be chosen as well.
    pub(crate) fn new(wanted: Wanted, recent: &[PathBuf]) -> Self {
        let recent = match wanted {
            Wanted::Open | Wanted::New => recent,
            Wanted::Example | Wanted::Project | Wanted::Import | Wanted::File(_) => &[],
        };
        let music = music_folder().filter(|_| wanted == Wanted::New);
        let path = music.map(|music| proposed_session(&music)).unwrap_or_default();
        Self { wanted, asks: PathQuestion::new(path, recent.to_vec()), offers_new: false }
    }

    /// Asks for the file of a call, for which `path` is offered.
    pub(crate) fn file(call: FileCall, path: &Path) -> Self {
        let asks = PathQuestion::new(path.display().to_string(), Vec::new());
        Self { wanted: Wanted::File(call), asks, offers_new: false }
    }

    /// The same again, and why the path would not do.
    pub(crate) fn again(self, path: &Path, failed: &str) -> Self {
        let offers_new = self.wanted == Wanted::Open && has_no_session(path);
        Self { asks: self.asks.again(path, at_window(failed)), offers_new, ..self }
    }

    pub(crate) fn show(&mut self, context: &Context) -> PathAnswer {
        let (title, takes, hint) = match self.wanted {
            Wanted::Open => ("Open a session", "Open", "the folder of a session"),
            Wanted::New => ("New session", "Make it", "a folder that is not there yet"),
            Wanted::Example => {
                ("The example interview", "Make it", "a folder that is not there yet")
            }
            Wanted::Project => {
                ("Open a project", "Open", "a project file: .RPP, .dawproject or .ardour")
            }
            Wanted::Import => {
                ("Import audio", "Import", "audio files, each in quotes, or a folder of them")
            }
            Wanted::File(call) => (call.title(), call.label(), call.hint()),
        };
        let all = [takes, HERE];
        let takes = if self.offers_new { &all[..] } else { &all[..1] };
        self.asks.show(context, PathWords { title, hint, takes })
    }
}

/// The paths in typed or pasted text. A path is in quotes, or goes to the end of its line or to the next
/// absolute path. If the whole text is an existing path, it is one path, whatever its name holds.
pub(crate) fn paths_in(typed: &str) -> Vec<PathBuf> {
    let mut rest = typed.trim();
    if Path::new(rest).exists() {
        return vec![rest.into()];
    }
    let mut paths = Vec::new();
    while !rest.is_empty() {
        let (path, behind) = first_path(rest);
        if !path.is_empty() {
            paths.push(path.into());
        }
        rest = behind.trim_start();
    }
    paths
}

/// The first path in a text that begins with one, and the text after it.
fn first_path(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(quoted) = text.strip_prefix(quote) {
            return quoted.split_once(quote).unwrap_or((quoted, ""));
        }
    }
    let ends = |(at, letter): &(usize, char)| {
        *letter == '\n' || letter.is_whitespace() && begins_at_root(text[*at..].trim_start())
    };
    let end = text.char_indices().find(ends).map_or(text.len(), |(at, _)| at);
    (text[..end].trim_end(), &text[end..])
}

/// Whether an absolute path begins here: also one on a drive, and one in quotes.
fn begins_at_root(text: &str) -> bool {
    let drive = text.strip_prefix(|letter: char| letter.is_ascii_alphabetic());
    let is_on_drive = drive.is_some_and(|rest| rest.starts_with(":\\") || rest.starts_with(":/"));
    is_on_drive || text.starts_with(['/', '"'])
}

fn has_no_session(path: &Path) -> bool {
    !path.is_file() && !path.join("session.db").exists()
}

/// The place for a new session in a folder: the folder itself if it is empty or missing, otherwise a folder
/// of that name below it.
pub(crate) fn session_for(folder: &Path) -> PathBuf {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let is_taken = fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some());
    match folder.file_name() {
        Some(name) if is_taken => folder.join(format!("{}.deskhand", name.to_string_lossy())),
        Some(_) | None => folder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_made_in_an_empty_folder_and_below_one_that_holds_something() {
        let tmp = tempfile::tempdir().unwrap();
        let takes = tmp.path().canonicalize().unwrap().join("takes");
        assert_eq!(session_for(&takes), takes);
        fs::create_dir(&takes).unwrap();
        assert_eq!(session_for(&takes), takes);
        fs::write(takes.join("1.wav"), "").unwrap();
        assert_eq!(session_for(&takes), takes.join("takes.deskhand"));
    }

    #[test]
    fn several_paths_stand_on_lines_in_quotes_or_begin_at_the_root() {
        let two = [PathBuf::from("/music/a take.wav"), PathBuf::from("/music/b.wav")];
        for typed in [
            "/music/a take.wav\n/music/b.wav\n",
            // As a field of one line shows files copied in a file manager.
            " /music/a take.wav /music/b.wav ",
            "\"/music/a take.wav\" \"/music/b.wav\"",
            "'/music/a take.wav' /music/b.wav",
            "/music/a take.wav \"/music/b.wav\"",
        ] {
            assert_eq!(paths_in(typed), two, "{typed}");
        }
        assert_eq!(paths_in("takes/a b.wav"), [PathBuf::from("takes/a b.wav")]);
        let on_drives = [r"C:\a 1.wav", r"D:\b.wav"].map(PathBuf::from);
        assert_eq!(paths_in(r"C:\a 1.wav D:\b.wav"), on_drives);
        assert!(paths_in(" \n").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_there_is_one_whatever_its_name_holds() {
        let tmp = tempfile::tempdir().unwrap();
        let odd = tmp.path().join("one \"two\" /three");
        fs::create_dir_all(&odd).unwrap();
        assert_eq!(paths_in(&odd.display().to_string()), [odd]);
    }

    #[test]
    fn a_session_is_offered_where_there_is_none_and_not_where_one_fails_to_open() {
        let tmp = tempfile::tempdir().unwrap();
        let again = |wanted| Question::new(wanted, &[]).again(tmp.path(), "no").offers_new;
        assert!(again(Wanted::Open));
        assert!(!again(Wanted::New) && !again(Wanted::Import));
        fs::write(tmp.path().join("session.db"), "").unwrap();
        assert!(!again(Wanted::Open));
    }
}

//! Files and folders that are held over the window, and those that are dropped.

use super::App;
use crate::dialog::AUDIO;
use crate::open::Wake;
use crate::question::Wanted;
use crossbeam_channel::{Receiver, TryRecvError, bounded};
use deskhand_editor::is_transcript;
use deskhand_protocol::{Apply, Op};
use deskhand_session::TrackId;
use egui::{
    Align2, Area, Color32, Context, Frame, Id, Label, LayerId, Margin, Order, Pos2, RichText, Vec2,
};
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// What is told of files that are not imported.
const LEFT_OUT: &str = "left out";
/// So many of them are named.
const NAMED: usize = 3;

/// What is held over the window, and what a drop would do with it.
#[derive(Debug, Default)]
pub(super) struct Held {
    paths: Vec<PathBuf>,
    words: String,
}

/// A second on the timeline, and the track there if there is one.
pub(super) type Place = (f64, Option<TrackId>);

/// What was dropped is looked through, on a thread: folders may be large, and their disk far away.
pub(super) struct Search {
    /// Where it was dropped.
    place: Option<Place>,
    found: Receiver<Audio>,
}

impl Search {
    fn start(paths: Vec<PathBuf>, place: Option<Place>, wake: Wake) -> io::Result<Self> {
        let (told, found) = bounded(1);
        let look = move || {
            drop(told.send(Audio::of(&paths)));
            wake();
        };
        thread::Builder::new().name("drop".into()).spawn(look)?;
        Ok(Self { place, found })
    }
}

/// What files and folders hold of audio.
#[derive(Debug, Default, PartialEq)]
struct Audio {
    files: Vec<PathBuf>,
    /// Files, and folders without any.
    left_out: Vec<PathBuf>,
}

impl Audio {
    /// A folder stands for what is in it.
    fn of(paths: &[PathBuf]) -> Self {
        let mut all = Self::default();
        for path in paths {
            let before = all.files.len();
            if path.is_dir() {
                gather(path, &mut all.files);
            } else if path.extension().is_none() || is_audio(path) {
                // What has no ending may be audio all the same: the import finds out.
                all.files.push(path.clone());
            }
            if all.files.len() == before {
                all.left_out.push(path.clone());
            }
        }
        all
    }

    /// What is not imported, and why; none where everything is.
    fn told(&self) -> Option<String> {
        let names: Vec<String> = self.left_out.iter().take(NAMED).map(|path| name(path)).collect();
        let more = match self.left_out.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let them = if self.left_out.len() == 1 { "it" } else { "them" };
        let names = names.join(", ");
        let words = format!("Not imported: {names}{more}. Deskhand reads no audio from {them}.");
        (!self.left_out.is_empty()).then_some(words)
    }
}

/// The audio files of a folder and of the folders in it, by name. What is hidden is not meant, and a session is its own.
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
        if is_folder && !is_hidden && !is_session(&path) {
            gather(&path, files);
        } else if !is_folder && !is_hidden && is_audio(&path) {
            files.push(path);
        }
    }
}

fn is_audio(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    AUDIO.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

pub(super) fn is_session(path: &Path) -> bool {
    path.join("session.db").is_file()
}

/// What a drop would do.
fn promise(paths: &[PathBuf]) -> String {
    if paths.iter().any(|path| is_session(path)) {
        return "Drop to open the session".into();
    }
    // What is in a folder is looked for once it is dropped.
    match paths {
        [one] if one.is_dir() => return format!("Drop to import the audio in {}", name(one)),
        _ if paths.iter().any(|path| path.is_dir()) => return "Drop to import the audio".into(),
        _ => {}
    }
    let is_one = |path: &PathBuf| is_transcript(path) && path.is_file();
    let (transcripts, others): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(is_one);
    match transcripts.len() + Audio::of(&others).files.len() {
        0 => "Deskhand reads no audio from this".into(),
        1 => "Drop to import 1 file".into(),
        count => format!("Drop to import {count} files"),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).display().to_string()
}

impl App {
    /// Dropped files are imported; a dropped session is opened.
    pub(super) fn take_drops(&mut self, context: &Context) {
        let paths: Vec<PathBuf> = context.input(|input| {
            input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect()
        });
        if !paths.is_empty() {
            // Not every system says where something is dropped: where the pointer was seen last, then.
            let at = context.input(|input| input.pointer.latest_pos());
            self.take_dropped(paths, at);
        }
        self.take_found();
    }

    fn take_dropped(&mut self, paths: Vec<PathBuf>, at: Option<Pos2>) {
        if let Some(session) = paths.iter().find(|path| is_session(path)) {
            return self.go(Wanted::Open, session.clone());
        }
        let place = at.and_then(|at| self.model.place_at(at));
        self.take_files(paths, place);
    }

    /// Imports files, transcripts among them, and the audio in folders.
    pub(super) fn take_files(&mut self, paths: Vec<PathBuf>, place: Option<Place>) {
        let paths = self.take_transcripts(paths);
        let Some(folder) = paths.iter().find(|path| path.is_dir()) else {
            return self.import_found(&Audio::of(&paths), place);
        };
        self.model.inform(LEFT_OUT, format!("Looking for audio in {}", name(folder)));
        match Search::start(paths, place, Arc::clone(&self.wake)) {
            Ok(search) => self.searches.push(search),
            Err(error) => {
                let way = "end other programs and drop it again";
                self.model.tell(LEFT_OUT, format!("Nothing was looked for: {error}; {way}"));
            }
        }
    }

    /// Imports what was found in folders that were dropped.
    fn take_found(&mut self) {
        let mut all = Vec::new();
        self.searches.retain(|search| match search.found.try_recv() {
            Ok(audio) => {
                all.push((audio, search.place));
                false
            }
            Err(TryRecvError::Empty) => true,
            Err(TryRecvError::Disconnected) => false,
        });
        for (audio, place) in all {
            self.import_found(&audio, place);
        }
    }

    fn import_found(&mut self, audio: &Audio, place: Option<Place>) {
        match audio.told() {
            Some(words) if audio.files.is_empty() => self.model.tell(LEFT_OUT, words),
            Some(words) => self.model.inform(LEFT_OUT, words),
            None => self.model.untell(LEFT_OUT),
        }
        if !audio.files.is_empty() {
            self.import_at(&audio.files, place);
        }
    }

    /// Imports files to where they are dropped: one behind another on the track there, or at that time on tracks of
    /// their own.
    fn import_at(&mut self, files: &[PathBuf], place: Option<Place>) {
        let (Some((at_s, track)), Some(open)) = (place, &self.open) else {
            return self.import(files);
        };
        let tool = "import_audio".into();
        let params = placed(files, at_s, track);
        open.submit(&mut self.model, Op::Call { tool, params, apply: Apply::Now });
    }

    /// Says what a drop would do while files are held over the window.
    pub(super) fn show_held(&mut self, context: &Context) {
        let paths: Vec<PathBuf> = context.input(|input| {
            input.raw.hovered_files.iter().filter_map(|file| file.path.clone()).collect()
        });
        // A folder is not looked through in every frame.
        if paths != self.held.paths {
            let words = promise(&paths);
            self.held = Held { paths, words };
        }
        if !self.held.paths.is_empty() {
            overlay(context, &self.held.words);
        }
    }
}

/// What imports files to a time, and to a track if there is one.
fn placed(files: &[PathBuf], at_s: f64, track: Option<TrackId>) -> Value {
    let mut params = json!({"files": files, "at_s": at_s});
    if let Some(track) = track {
        params["track"] = json!(track);
    }
    params
}

fn overlay(context: &Context, words: &str) {
    let ground = LayerId::new(Order::Foreground, Id::unique("held files"));
    let shade = Color32::from_black_alpha(140);
    context.layer_painter(ground).rect_filled(context.content_rect(), 0.0, shade);
    let area = Area::new(Id::unique("words of held files")).order(Order::Tooltip);
    area.interactable(false).anchor(Align2::CENTER_CENTER, Vec2::ZERO).show(context, |ui| {
        Frame::popup(ui.style()).inner_margin(Margin::same(24)).show(ui, |ui| {
            ui.add(Label::new(RichText::new(words).size(20.0)).extend());
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files in it, all empty.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn a_folder_stands_for_the_audio_in_it_by_name_without_what_is_hidden() {
        let files = [
            "b.WAV",
            "a.flac",
            "notes.pdf",
            ".hidden.wav",
            "takes/1.mp3",
            ".cache/2.wav",
            "song.deskhand/session.db",
            "song.deskhand/media/3.wav",
        ];
        let folder = folder(&files);
        let audio = Audio::of(&[folder.path().to_owned()]);
        let wanted = ["a.flac", "b.WAV", "takes/1.mp3"].map(|file| folder.path().join(file));
        assert_eq!(audio, Audio { files: wanted.into(), left_out: Vec::new() });
        assert_eq!(audio.told(), None);
        let [takes, one] = ["takes", "b.WAV"].map(|name| folder.path().join(name));
        assert_eq!(promise(std::slice::from_ref(&takes)), "Drop to import the audio in takes");
        assert_eq!(promise(&[takes, one]), "Drop to import the audio");
    }

    #[test]
    fn files_go_to_the_track_they_are_dropped_on_and_beside_it_on_their_own_at_that_time() {
        let (files, track) = ([PathBuf::from("a.wav")], TrackId::new(2));
        let on = json!({"files": ["a.wav"], "at_s": 1.5, "track": track});
        assert_eq!(placed(&files, 1.5, Some(track)), on);
        assert_eq!(placed(&files, 1.5, None), json!({"files": ["a.wav"], "at_s": 1.5}));
    }

    #[test]
    fn what_is_no_audio_is_left_out_and_named() {
        let folder = folder(&["a.wav", "take", "one.pdf", "2.jpg", "3.jpg", "4.jpg", "none/5.jpg"]);
        let paths = |names: &[&str]| -> Vec<PathBuf> {
            names.iter().map(|name| folder.path().join(name)).collect()
        };
        let one = Audio::of(&paths(&["one.pdf", "a.wav", "take"]));
        assert_eq!(one.files, paths(&["a.wav", "take"]), "the import looks at what has no ending");
        let told = "Not imported: one.pdf. Deskhand reads no audio from it.";
        assert_eq!(one.told().as_deref(), Some(told));
        let many = Audio::of(&paths(&["none", "2.jpg", "3.jpg", "4.jpg"]));
        let told =
            "Not imported: none, 2.jpg, 3.jpg and 1 more. Deskhand reads no audio from them.";
        assert_eq!((many.files.len(), many.told().as_deref()), (0, Some(told)));
        assert_eq!(promise(&paths(&["one.pdf", "a.wav"])), "Drop to import 1 file");
        assert_eq!(promise(&paths(&["2.jpg"])), "Deskhand reads no audio from this");
    }
}

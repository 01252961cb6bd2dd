//! Files and folders that are held over the window, and those that are dropped.

use super::App;
use crate::desk::is_session;
use crate::question::Wanted;
use deskhand_editor::{Action, Gesture, is_transcript};
use deskhand_media::AUDIO_ENDINGS;
use deskhand_session::TrackId;
use deskhand_session::binding::PROJECT_ENDINGS;
use deskhand_session::text::count;
use egui::{
    Align2, Area, Color32, Context, Frame, Id, Label, LayerId, Margin, Order, Pos2, RichText, Vec2,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files held over the window, and what a drop would do with them.
#[derive(Debug, Default)]
pub(super) struct Held {
    paths: Vec<PathBuf>,
    words: String,
}

/// A second on the timeline, and the track there if there is one.
pub(super) type Place = (f64, Option<TrackId>);

/// A file without an ending may be audio all the same: the import finds out.
fn may_be_audio(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    ending.is_none_or(|it| AUDIO_ENDINGS.iter().any(|known| it.eq_ignore_ascii_case(known)))
}

fn is_project(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    ending.is_some_and(|it| PROJECT_ENDINGS.iter().any(|known| it.eq_ignore_ascii_case(known)))
}

/// What a drop would do; `place` says where files go, where that is not plain.
fn promise(paths: &[PathBuf], place: &str) -> String {
    if paths.iter().any(|path| is_session(path)) {
        return "Drop to open the session".into();
    }
    if let Some(project) = paths.iter().find(|path| is_project(path)) {
        return format!("Drop to open the project {}", name(project));
    }
    // A folder is searched once it is dropped.
    match paths {
        [one] if one.is_dir() => {
            return format!("Drop to import the audio in {}{place}", name(one));
        }
        _ if paths.iter().any(|path| path.is_dir()) => {
            return format!("Drop to import the audio{place}");
        }
        _ => {}
    }
    let is_one = |path: &&PathBuf| is_transcript(path) || may_be_audio(path);
    let (read, others): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_one);
    match read.len() {
        0 => "Deskhand reads no audio from this".into(),
        number => format!("Drop to import {}{place}{}", count(number, "file"), skipped(&others)),
    }
}

/// Names the kinds of files that are not imported.
fn skipped(others: &[&PathBuf]) -> String {
    let ending = |path: &&PathBuf| path.extension().map(|it| it.to_string_lossy().to_uppercase());
    let kinds: BTreeSet<String> = others.iter().filter_map(ending).collect();
    if kinds.is_empty() {
        return String::new();
    }
    format!(". Not read: {}", kinds.into_iter().collect::<Vec<_>>().join(", "))
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
            // Not every system reports the place of a drop. Then the last place of the pointer is used.
            let at = context.input(|input| input.pointer.latest_pos());
            self.take_dropped(paths, at);
        }
    }

    fn take_dropped(&mut self, paths: Vec<PathBuf>, at: Option<Pos2>) {
        if let Some(session) = paths.iter().find(|path| is_session(path)) {
            return self.go(Wanted::Open, session.clone());
        }
        if let Some(project) = paths.iter().find(|path| is_project(path)) {
            return self.go(Wanted::Project, project.clone());
        }
        let place = at.and_then(|at| self.model.place_at(at));
        self.take_files(paths, place);
    }

    /// Imports files, transcripts among them, and the audio in folders.
    pub(super) fn take_files(&mut self, paths: Vec<PathBuf>, place: Option<Place>) {
        let paths = self.take_transcripts(paths);
        if !paths.is_empty() {
            self.import_at(&paths, place);
        }
    }

    /// Imports dropped files: in sequence on the track there, or at that time on tracks of their own.
    fn import_at(&mut self, files: &[PathBuf], place: Option<Place>) {
        let (Some((at_s, track)), Some(open)) = (place, &mut self.open) else {
            return self.import(files);
        };
        let (gesture, params) = (Gesture::ImportAudio, placed(files, at_s, track));
        open.act(&mut self.model, Action::Call { gesture, params });
    }

    /// Shows the effect of a drop while files are held over the window.
    pub(super) fn show_held(&mut self, context: &Context) {
        let paths: Vec<PathBuf> = context.input(|input| {
            input.raw.hovered_files.iter().filter_map(|file| file.path.clone()).collect()
        });
        // A folder is not looked through in every frame.
        if paths != self.held.paths {
            let place = if self.open.is_some() { "" } else { " into a new session" };
            let words = promise(&paths, place);
            self.held = Held { paths, words };
        }
        let is_held = !self.held.paths.is_empty();
        // The first window has an area that says so.
        let has_area = self.open.is_none() && self.coming.is_none();
        self.model.held_files = (is_held && has_area).then(|| self.held.words.clone());
        if is_held && !has_area {
            overlay(context, &self.held.words);
        }
    }
}

/// The parameters to import files at a time, and on a track if there is one.
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

    #[test]
    fn files_go_to_the_track_they_are_dropped_on_and_beside_it_on_their_own_at_that_time() {
        let (files, track) = ([PathBuf::from("a.wav")], TrackId::new(2));
        let on = json!({"files": ["a.wav"], "at_s": 1.5, "track": track});
        assert_eq!(placed(&files, 1.5, Some(track)), on);
        assert_eq!(placed(&files, 1.5, None), json!({"files": ["a.wav"], "at_s": 1.5}));
    }

    #[test]
    fn what_a_drop_would_do_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let paths = |names: &[&str]| -> Vec<PathBuf> {
            names.iter().map(|name| folder.path().join(name)).collect()
        };
        std::fs::create_dir_all(folder.path().join("takes")).unwrap();
        assert_eq!(promise(&paths(&["takes"]), ""), "Drop to import the audio in takes");
        assert_eq!(promise(&paths(&["takes", "b.WAV"]), ""), "Drop to import the audio");
        assert_eq!(
            promise(&paths(&["one.pdf", "a.wav"]), ""),
            "Drop to import 1 file. Not read: PDF"
        );
        let new = promise(&paths(&["a.wav", "b.wav"]), " into a new session");
        assert_eq!(new, "Drop to import 2 files into a new session");
        assert_eq!(promise(&paths(&["take", "a.srt"]), ""), "Drop to import 2 files");
        assert_eq!(promise(&paths(&["song.RPP"]), ""), "Drop to open the project song.RPP");
        assert_eq!(promise(&paths(&["2.jpg"]), ""), "Deskhand reads no audio from this");
    }
}

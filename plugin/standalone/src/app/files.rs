//! Files that the person chose in dialogs of the system or typed, and transcripts that were dropped.

use super::App;
use crate::desk::is_session;
use crate::question::{Question, Wanted, paths_in};
use deskhand_editor::{FileCall, is_transcript};
use std::path::{Path, PathBuf};

/// The notice about dropped transcripts.
const DROPPED: &str = "transcripts";

impl App {
    /// Takes the choices of dialogs. Two requests open two dialogs, and each is answered.
    pub(super) fn take_chosen(&mut self) {
        let mut all = Vec::new();
        self.dialogs.retain(|dialog| match dialog.answer() {
            None => true,
            Some(paths) => {
                all.push((dialog.wanted, paths));
                false
            }
        });
        for (wanted, paths) in all {
            self.take_paths(wanted, paths);
        }
    }

    fn take_paths(&mut self, wanted: Wanted, mut paths: Vec<PathBuf>) {
        match wanted {
            _ if paths.is_empty() => self.dropped.clear(),
            Wanted::Import => self.import(&paths),
            Wanted::File(call) => self.take_file(call, &paths[0]),
            Wanted::Open | Wanted::New | Wanted::Example | Wanted::Project => {
                self.go(wanted, paths.swap_remove(0));
            }
        }
    }

    /// Imports the files and folders that were typed; where one of them cannot be, it is asked again.
    pub(super) fn import_typed(&mut self, typed: &Path) {
        let paths = paths_in(&typed.to_string_lossy());
        match paths.iter().find_map(|path| refused(path)) {
            Some(why) => {
                self.question = self.question.take().map(|question| question.again(typed, &why));
            }
            None => {
                self.question = None;
                self.take_files(paths, None);
            }
        }
    }

    /// Submits a call with the file that was given for it; where that cannot be written it is asked again, with one
    /// that can.
    pub(super) fn take_file(&mut self, call: FileCall, file: &Path) {
        match self.model.refused(call, file) {
            Some((free, why)) => {
                self.question = Some(Question::file(call, &free).again(&free, &why));
            }
            None => self.call_with(call, file),
        }
    }

    fn call_with(&mut self, call: FileCall, file: &Path) {
        if let (Some(open), Some(op)) = (&self.open, self.model.chosen(call, file)) {
            open.submit(&mut self.model, op);
        }
    }

    /// Imports the transcripts among files that were dropped, and gives the others.
    pub(super) fn take_transcripts(&mut self, paths: Vec<PathBuf>) -> Vec<PathBuf> {
        let is_one = |path: &PathBuf| is_transcript(path) && path.is_file();
        let (transcripts, others): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(is_one);
        if !transcripts.is_empty() {
            self.model.untell(DROPPED);
        }
        for file in transcripts {
            match self.model.source_of_transcript(&file) {
                Ok(source) => self.call_with(FileCall::ImportTranscript(Some(source)), &file),
                Err(why) => self.model.tell(DROPPED, why),
            }
        }
        others
    }
}

/// Why nothing is imported from a path that was typed.
fn refused(path: &Path) -> Option<String> {
    let shown = path.display();
    if !path.exists() {
        let way = "put each name in quotes, one after another";
        return Some(format!("there is no {shown}; {way}"));
    }
    let way = "close this, and open it with Ctrl O";
    is_session(path).then(|| format!("{shown} is a session; {way}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Start;
    use crate::dialog::Dialog;
    use crossbeam_channel::bounded;
    use deskhand_dsp::SampleRate;
    use deskhand_editor::Model;
    use deskhand_protocol::{CallId, Event, News, Op, Read, Snapshot, Status, ToolResult};
    use deskhand_session::{Author, RevisionId, Session, SessionId};
    use serde_json::json;

    /// A model of an empty session in a folder.
    fn model_in(folder: &Path) -> Model {
        let session = Session::new(SessionId::new(5), SampleRate(48_000));
        let snapshot = json!({
            "session": session, "head": 0, "plans": {}, "read_only": null, "folder": folder,
            "is_attended": true, "is_turn_running": false,
        });
        drop(serde_json::from_value::<Snapshot>(snapshot.clone()).unwrap());
        let done = ToolResult::new(Status::Ok, "read", RevisionId(0));
        let result = Box::new(ToolResult { answer: Some(snapshot), ..done });
        let (call, author, news) = (CallId(1), Author::User, News::Done { result });
        let mut model = Model::new();
        model.sent(call, &Op::Read { what: Read::Snapshot });
        drop(model.hear(&Event { number: 1, author, call: Some(call), news }));
        model
    }

    #[test]
    fn a_file_that_is_there_is_asked_for_again_with_a_free_name() {
        let mut app = App::new(&egui::Context::default(), Start::default());
        let tmp = tempfile::tempdir().unwrap();
        app.model = model_in(&tmp.path().join("song.deskhand"));
        let (call, mix) = (FileCall::ExportMix, tmp.path().join("mix.wav"));
        app.take_file(call, &mix);
        assert!(app.question.is_none(), "it is written");
        std::fs::write(&mix, "").unwrap();
        app.take_file(call, &mix);
        let asked = app.question.as_ref().map(|question| question.wanted);
        assert_eq!(asked, Some(Wanted::File(call)));
    }

    #[test]
    fn several_typed_files_are_imported_and_one_that_is_not_there_is_asked_for_again() {
        let mut app = App::new(&egui::Context::default(), Start::default());
        let tmp = tempfile::tempdir().unwrap();
        let [one, other] = ["a take.wav", "b.wav"].map(|name| tmp.path().join(name));
        std::fs::write(&one, "").unwrap();
        app.question = Some(Question::new(Wanted::Import, &[]));
        let typed = format!("{} {}", one.display(), other.display());
        app.import_typed(Path::new(&typed));
        assert!(app.dropped.is_empty(), "one of them is not there");
        let asked = app.question.as_ref().map(|question| question.wanted);
        assert_eq!(asked, Some(Wanted::Import));
        let why = refused(&other).unwrap();
        assert!(why.starts_with(&format!("there is no {};", other.display())), "{why}");
        std::fs::write(&other, "").unwrap();
        app.import_typed(Path::new(&typed));
        // They wait for a session.
        assert_eq!(app.dropped, [one, other]);
    }

    #[test]
    fn a_session_is_not_imported_as_audio() {
        let tmp = tempfile::tempdir().unwrap();
        assert_eq!(refused(tmp.path()), None);
        std::fs::write(tmp.path().join("session.db"), "").unwrap();
        assert!(refused(tmp.path()).unwrap().contains("is a session"));
    }

    #[test]
    fn every_dialog_that_was_opened_is_answered() {
        let mut app = App::new(&egui::Context::default(), Start::default());
        let answers = ["a.wav", "b.wav"].map(|file| {
            let (answer, chosen) = bounded(1);
            app.dialogs.push(Dialog { wanted: Wanted::Import, chosen });
            (answer, vec![PathBuf::from(file)])
        });
        app.take_chosen();
        assert!(app.dropped.is_empty(), "nobody answered yet");
        for (answer, file) in answers {
            answer.send(file).unwrap();
        }
        app.take_chosen();
        // They wait for a session.
        assert_eq!(app.dropped, ["a.wav", "b.wav"].map(PathBuf::from));
    }
}

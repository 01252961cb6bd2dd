//! The end of the window, or of its session: it asks while work goes on. The window stays until recordings
//! are stored.

use super::App;
use crate::open::OpenSession;
use deskhand_editor::Question;
use egui::{Context, ViewportCommand};
use std::time::Duration;

/// How often it is looked whether all is stored.
const LOOK: Duration = Duration::from_millis(50);

/// What happens to the work of a session that no window shows.
const WORK: &str = "It goes on for 30 seconds, and is then stopped. What takes hours goes on from there once the \
                    session is opened again.";
/// What closing the window does to a model that is being installed.
const DOWNLOAD: &str =
    "A model is being installed. Closing the window stops the download, and nothing of it is kept.";

/// How far the end of the window is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ending {
    /// Nobody wants it.
    #[default]
    No,
    /// The window was asked to close during work, and asks the person.
    Asks,
    /// The recording is being stored.
    Saves,
    Goes,
}

impl App {
    /// Handles a request to close. During work the window asks first; if it recorded, it stays until that
    /// is stored.
    pub(super) fn close(&mut self, context: &Context) {
        let wants = context.input(|input| input.viewport().close_requested());
        match self.ending {
            Ending::No if wants && self.is_at_work() => {
                self.ending = Ending::Asks;
                context.send_viewport_cmd(ViewportCommand::CancelClose);
            }
            Ending::No | Ending::Asks if wants => self.end(context),
            Ending::Saves if wants => context.send_viewport_cmd(ViewportCommand::CancelClose),
            Ending::No | Ending::Asks | Ending::Saves | Ending::Goes => {}
        }
        match self.ending {
            Ending::Asks => self.ask_to_close(context),
            Ending::Saves => self.save(context),
            Ending::No | Ending::Goes => {}
        }
    }

    /// Stores recordings first. Without any, the window closes at once, and slow work ends afterwards.
    fn end(&mut self, context: &Context) {
        if self.open.as_ref().is_some_and(OpenSession::has_to_store) {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            self.keep();
            self.left.add(self.open.take());
            self.ending = Ending::Saves;
        } else {
            self.ending = Ending::Goes;
            context.send_viewport_cmd(ViewportCommand::Visible(false));
        }
    }

    /// Whether something would stop with the window.
    fn is_at_work(&self) -> bool {
        self.model.is_at_work() || self.preferences.is_installing()
    }

    /// Asks before another session replaces one with running work.
    pub(super) fn ask_to_switch(&mut self, context: &Context) {
        let Some((wanted, dir)) = self.next.take() else { return };
        let question = Question {
            title: "Work goes on",
            words: WORK,
            choices: &["Stay", "Open the other session"],
            escape: Some(0),
        };
        match question.show(context) {
            None if self.model.is_at_work() => self.next = Some((wanted, dir)),
            Some(0) => {}
            Some(_) | None => self.come_to(wanted, dir),
        }
    }

    fn ask_to_close(&mut self, context: &Context) {
        let question = Question {
            title: "Work goes on",
            words: match self.preferences.is_installing() {
                true => DOWNLOAD,
                false => WORK,
            },
            choices: &["Stay", "Close now"],
            escape: Some(0),
        };
        let is_done = !self.is_at_work();
        match question.show(context) {
            None if !is_done => {}
            Some(0) => self.ending = Ending::No,
            Some(_) | None => context.send_viewport_cmd(ViewportCommand::Close),
        }
    }

    /// The window lives on until all is stored, or the person does not want to see it any more: then it is stored
    /// all the same.
    fn save(&mut self, context: &Context) {
        let question = Question {
            title: "Saving…",
            words: "What was recorded is being stored. The window closes as soon as that is done.",
            choices: &["Hide the window"],
            escape: None,
        };
        let is_hidden = question.show(context).is_some();
        if is_hidden || self.left.is_done() {
            self.ending = Ending::Goes;
            context.send_viewport_cmd(ViewportCommand::Visible(false));
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        context.request_repaint_after(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Start, Wanted};
    use crossbeam_channel::bounded;
    use deskhand_protocol::{Apply, CallId, Op};
    use eframe::App as _;
    use egui::{RawInput, ViewportEvent, ViewportId};
    use std::thread;

    /// Draws a frame in which the window is asked to close, or not. Returns its commands to the system and
    /// its words.
    fn frame(context: &Context, app: &mut App, is_told: bool) -> (Vec<ViewportCommand>, String) {
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1440.0, 900.0));
        let mut input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
        let root = input.viewports.entry(ViewportId::ROOT).or_default();
        root.events.extend(is_told.then_some(ViewportEvent::Close));
        let mut frame = eframe::Frame::_new_kittest();
        let mut output = context.run_ui(input, |ui| app.ui(ui, &mut frame));
        output.textures_delta.clear();
        let root = output.viewport_output.remove(&ViewportId::ROOT);
        let commands = root.map(|root| root.commands).unwrap_or_default();
        let nodes = output.platform_output.accesskit_update.into_iter().flat_map(|it| it.nodes);
        let words = nodes.filter_map(|(_, node)| node.label().or(node.value()).map(str::to_owned));
        (commands, words.collect())
    }

    #[test]
    fn a_window_that_recorded_lives_until_it_is_stored_and_goes_then() {
        let context = Context::default();
        deskhand_editor::install(&context);
        context.enable_accesskit();
        let mut app = App::new(&context, Start::default());
        let (done, waits) = bounded::<()>(0);
        app.left.put(Some(thread::spawn(move || {
            let _ = waits.recv();
        })));
        app.ending = Ending::Saves;
        // An area has its place from the second frame on.
        (0..2).for_each(|_| drop(frame(&context, &mut app, false)));
        let (commands, words) = frame(&context, &mut app, true);
        assert!(commands.contains(&ViewportCommand::CancelClose), "{commands:?}");
        assert!(!commands.contains(&ViewportCommand::Close));
        assert!(words.contains("What was recorded is being stored"), "{words}");
        drop(done);
        while !frame(&context, &mut app, false).0.contains(&ViewportCommand::Close) {
            thread::yield_now();
        }
        let (commands, _) = frame(&context, &mut app, true);
        assert!(!commands.contains(&ViewportCommand::CancelClose), "{commands:?}");
    }

    #[test]
    fn a_window_without_anything_to_store_is_out_of_sight_at_once() {
        let context = Context::default();
        deskhand_editor::install(&context);
        let mut app = App::new(&context, Start::default());
        let (commands, _) = frame(&context, &mut app, true);
        assert!(commands.contains(&ViewportCommand::Visible(false)), "{commands:?}");
        assert!(!commands.contains(&ViewportCommand::CancelClose));
    }

    #[test]
    fn another_session_is_opened_while_work_goes_on_once_the_person_says_so() {
        let context = Context::default();
        deskhand_editor::install(&context);
        context.enable_accesskit();
        let mut app = App::new(&context, Start::default());
        let params = serde_json::json!({});
        let op = Op::Call { tool: "tool_transcribe".into(), params, apply: Apply::ByPolicy };
        app.model.sent(CallId(1), &op);
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join("next");
        app.go(Wanted::New, dir.clone());
        let words: String = (0..3).map(|_| frame(&context, &mut app, false).1).collect();
        assert!(words.contains("Open the other session") && words.contains(WORK), "{words}");
        assert!(app.coming.is_none(), "nobody said so");
        assert_eq!(app.next, Some((Wanted::New, dir.clone())));
        app.model = deskhand_editor::Model::new();
        frame(&context, &mut app, false);
        assert_eq!(app.coming.map(|coming| coming.dir), Some(dir), "the work is done");
        assert_eq!(app.next, None);
    }

    #[test]
    fn a_window_asks_before_it_closes_whatever_goes_on() {
        type Work = fn(&mut App);
        let works: [(&str, Work); 2] = [
            (WORK, |app| {
                let (tool, params) = ("tool_transcribe".into(), serde_json::json!({}));
                let op = Op::Call { tool, params, apply: Apply::ByPolicy };
                app.model.sent(CallId(1), &op);
            }),
            (DOWNLOAD, |app| app.preferences.put_installing("whisper-base")),
        ];
        for (told, work) in works {
            let context = Context::default();
            deskhand_editor::install(&context);
            context.enable_accesskit();
            let mut app = App::new(&context, Start::default());
            work(&mut app);
            let (commands, _) = frame(&context, &mut app, true);
            assert!(commands.contains(&ViewportCommand::CancelClose), "{told}: {commands:?}");
            let words: String = (0..3).map(|_| frame(&context, &mut app, false).1).collect();
            assert!(words.contains("Work goes on") && words.contains(told), "{words}");
        }
    }
}

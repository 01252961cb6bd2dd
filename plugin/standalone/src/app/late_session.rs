//! What the window says when a session takes long to open.

use super::{App, COMING};
use std::time::Instant;

impl App {
    /// Shows once, after a delay, that a session has not opened yet, and the possible actions.
    pub(super) fn tell_late(&mut self) {
        let Some(coming) = &mut self.coming else { return };
        if coming.late.take_if(|late| *late <= Instant::now()).is_some() {
            let dir = coming.dir.display();
            let why = format!("The session in {dir} has not come: what serves it does not answer");
            let way = "Wait, or end the program \"deskhand\" and open the session again";
            self.model.tell(COMING, format!("{why}. {way}."));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::open_session::LATE;
    use crate::app::{Coming, Start};
    use crate::question::Wanted;
    use crossbeam_channel::bounded;
    use eframe::App as _;
    use egui::{Context, RawInput};

    /// The words on the window.
    fn told(context: &Context, app: &mut App) -> String {
        let mut frame = eframe::Frame::_new_kittest();
        let input = || {
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1440.0, 900.0));
            RawInput { screen_rect: Some(screen), ..RawInput::default() }
        };
        let mut words = String::new();
        // An area has its place from the second frame on.
        for _ in 0..3 {
            let mut output = context.run_ui(input(), |ui| app.ui(ui, &mut frame));
            output.textures_delta.clear();
            let nodes = output.platform_output.accesskit_update.into_iter().flat_map(|it| it.nodes);
            for (_, node) in nodes {
                words.push_str(node.label().or(node.value()).unwrap_or_default());
            }
        }
        words
    }

    #[test]
    fn who_waits_long_for_a_session_is_told_what_for() {
        let context = Context::default();
        deskhand_editor::install(&context);
        context.enable_accesskit();
        let mut app = App::new(&context, Start::default());
        let (_nobody, desk) = bounded(1);
        let (wanted, dir, late) = (Wanted::Open, "waltz".into(), Some(Instant::now() + LATE));
        app.coming = Some(Coming { wanted, dir, desk, back: None, late });
        app.arrive();
        assert!(!told(&context, &mut app).contains("has not come"));
        app.coming.iter_mut().for_each(|coming| coming.late = Some(Instant::now()));
        app.arrive();
        assert!(told(&context, &mut app).contains("The session in waltz has not come"));
        let waits = app.coming.as_ref().is_some_and(|coming| coming.late.is_none());
        assert!(waits, "it is waited for, and told once");
    }
}

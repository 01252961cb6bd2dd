//! The button that imports a transcript: that of the source that is shown, or of the only one, else of one that is
//! chosen from a list.

use crate::action::Action;
use crate::file_call::FileCall;
use crate::model::Scene;
use deskhand_session::SourceId;
use egui::{Popup, Response, ScrollArea};

/// What the button says.
pub(super) const NAME: &str = "Import a transcript…";

/// Makes a button import; `only` is the source that is shown alone.
pub(super) fn hang(
    button: &Response,
    scene: Scene<'_>,
    only: Option<SourceId>,
    out: &mut Vec<Action>,
) {
    let sources = &scene.session.sources;
    let single = sources.keys().next().copied().filter(|_| sources.len() == 1);
    let import = |source| Action::File(FileCall::ImportTranscript(Some(source)));
    if let Some(source) = only.or(single) {
        out.extend(button.clicked().then(|| import(source)));
        return;
    }
    Popup::menu(button).show(|ui| {
        ui.label("Of which recording?");
        ScrollArea::vertical().max_height(280.0).show(ui, |ui| {
            for (id, source) in sources {
                if ui.button(source.name.as_str()).clicked() {
                    out.push(import(*id));
                }
            }
        });
    });
}

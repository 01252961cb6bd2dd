//! Which session: open, new, one of the last; import, and export of its mix. The menu of the bar, and the list next to a
//! question for a path.

use crate::action::{Action, Actions, Gesture, call};
use crate::file_call::FileCall;
use crate::kit::{Cx, menu};
use crate::model::Model;
use crate::theme::{Type, radius};
use crate::topbar::{self, Step, folder_name};
use egui::{Rect, Response, Ui, pos2, vec2};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The name of the button that it hangs on.
pub(crate) const NAME: &str = "Session: open, new, recent";
const LISTED: usize = 5;
pub(crate) const ROW: f32 = 24.0;

/// Hangs the menu on `response`. Returns whether the views of coding are asked for.
pub(crate) fn hang(response: &Response, model: &Model, out: &mut Actions) -> bool {
    let shown = menu::of(response).show(|ui| {
        ways(ui, model, out);
        if model.mirror.is_some() {
            menu::line(ui);
            steps(ui, model, out);
            menu::line(ui);
        }
        let can_show = model.mirror.is_some() && !model.has_coding();
        let shows_coding = can_show && menu::entry(ui, "Show coding");
        let recent: Vec<&PathBuf> = others(model).collect();
        if !recent.is_empty() {
            menu::line(ui);
            menu::title(ui, "Recent");
        }
        for session in recent {
            let path = session.display().to_string();
            if menu::entry_told(ui, name(session), &path) {
                out.push(Action::OpenRecent(session.clone()));
            }
        }
        shows_coding
    });
    shown.is_some_and(|shown| shown.inner)
}

/// Sessions and projects to open, and what goes in and out of this one.
fn ways(ui: &mut Ui, model: &Model, out: &mut Actions) {
    let mut item = |words: &str, keys: &str, action| {
        if menu::entry_with_key(ui, words, keys) {
            out.push(action);
        }
    };
    // In a host these keys are the host's.
    let keys = |keys| if model.live.is_hosted() { "" } else { keys };
    item("Open a session…", keys("Ctrl O"), Action::OpenSession);
    item("New session…", keys("Ctrl N"), Action::NewSession);
    if !model.live.is_hosted() {
        item("Open a project…", "", Action::OpenProject);
    }
    if model.mirror.is_some() && !model.live.is_hosted() {
        item("Import audio…", "Ctrl I", Action::Import);
    }
    if model.session().is_some_and(|session| !session.clips.is_empty()) {
        item("Export…", keys("Ctrl E"), Action::File(FileCall::ExportMix));
    }
    if let Some(host) = model.session().and_then(|session| session.host.as_deref()) {
        let name = folder_name(&host.path);
        if host.is_linked {
            let off = call(Gesture::LinkProject, json!({"on": false}));
            item(&format!("End the link with {name}"), "", off);
        } else {
            let copy = call(Gesture::WriteProject, json!({}));
            item(&format!("Write a copy of {name}"), "", copy);
            let link = call(Gesture::LinkProject, json!({}));
            item(&format!("Put each step into {name}"), "", link);
        }
    }
}

/// Undo and redo, with what each of them does.
fn steps(ui: &mut Ui, model: &Model, out: &mut Actions) {
    for Step { name, key, action, does } in topbar::steps(model) {
        let words = does.as_ref().map_or_else(|| name.to_owned(), |does| format!("{name}: {does}"));
        if ui.add_enabled_ui(does.is_some(), |ui| menu::entry_with_key(ui, words, key)).inner {
            out.push(action);
        }
    }
}

/// Sessions that were open before, but not the one that is.
pub(crate) fn others(model: &Model) -> impl Iterator<Item = &PathBuf> {
    let open = model.mirror.as_ref().map(|mirror| Path::new(&mirror.snapshot.folder));
    let recent = model.settings.iter().flat_map(|settings| &settings.recent);
    recent.filter(move |session| Some(session.as_path()) != open)
}

pub(crate) fn name(session: &Path) -> String {
    let path = session.to_string_lossy();
    folder_name(&path).trim_end_matches(".deskhand").to_owned()
}

pub(crate) fn height_of(sessions: usize) -> f32 {
    match sessions.min(LISTED) {
        0 => 0.0,
        rows => ROW * (rows + 1) as f32,
    }
}

/// Lists the first of these sessions in `place`, if there are any. Returns the clicked one. `does`
/// describes the click to a screen reader: one window may have two of these lists.
pub(crate) fn rows<'a>(
    cx: &Cx<'_>,
    sessions: impl IntoIterator<Item = &'a PathBuf>,
    place: Rect,
    does: &str,
) -> Option<&'a PathBuf> {
    if place.height() <= 0.0 {
        return None;
    }
    let at = place.min;
    cx.left(at + vec2(0.0, ROW / 2.0), "Recent sessions", Type::SMALL_STRONG, cx.t.text_2);
    let mut clicked = None;
    for (index, session) in sessions.into_iter().take(LISTED).enumerate() {
        let top = at + vec2(0.0, ROW * (index + 1) as f32);
        let rect = Rect::from_min_size(top, vec2(place.width(), ROW));
        let words = format!("{does} {}", session.display());
        let response = cx.button(rect, ("recent", index), &words);
        if response.hovered() {
            cx.fill(rect.expand2(vec2(8.0, 0.0)), radius::CONTROL, cx.t.control);
        }
        cx.ring(&response, rect.expand2(vec2(8.0, 0.0)), radius::CONTROL);
        let y = rect.center().y;
        let known = cx.left(pos2(rect.left(), y), &name(session), Type::SMALL_STRONG, cx.t.text);
        let folder = session.parent().map(|it| it.display().to_string()).unwrap_or_default();
        let left = known.right() + 12.0;
        cx.elided(pos2(left, y), &folder, Type::SMALL, cx.t.text_3, rect.right() - left);
        if response.clicked() {
            clicked = Some(session);
        }
    }
    clicked
}

#[cfg(test)]
mod tests {
    use super::NAME;
    use crate::FileCall;
    use crate::desk_tests::session;
    use crate::testing::prelude::*;

    #[test]
    fn the_sheet_opens_from_the_menu_where_there_is_something_to_hear() {
        for has_clips in [true, false] {
            let mut model = open_model();
            if !has_clips {
                session(&mut model).clips.clear();
            }
            let mut harness = harness(model);
            harness.click_on(NAME);
            let name = "Export…";
            assert_eq!(harness.query_by_label_contains(name).is_some(), has_clips);
            if has_clips {
                harness.get_by_label_contains(name).click();
                harness.run_steps(4);
                assert!(harness.query_by_label("Export 1 file").is_some());
                let asks = Action::File(FileCall::ExportMix);
                assert!(!harness.state().actions.contains(&asks), "no file is asked for first");
            }
        }
    }
}

//! Tools that came with the session: they do nothing until the person looked at one and approved it.

use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx, rows};
use crate::settings::{Changes, Settings, SettingsChange, Stranger, StrangerLook, StrangerState};
use crate::theme::{Theme, Type, size, space};
use egui::{Color32, Sense, Ui, vec2};

const WHAT: &str =
    "A tool that came with the session does nothing until you looked at it and approved it.";
/// The width of the names of facts, points.
const NAMES: f32 = 112.0;

/// Draws them, where the session brought some.
pub(super) fn show(ui: &mut Ui, settings: &Settings, changes: &mut Changes) {
    rows::heading(ui, "Tools that came with this session", WHAT);
    for tool in &settings.strangers {
        rows::group(ui, |ui| one(ui, tool, changes));
        ui.add_space(space::S);
    }
}

fn one(ui: &mut Ui, tool: &Stranger, changes: &mut Changes) {
    let theme = Theme::of(ui.visuals());
    let file = tool.file.clone();
    let (state, color) = state_of(tool, theme);
    let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    let cx = Cx::new(ui);
    let name = cx.left(head.left_mid(0.0), &tool.name, Type::SMALL_STRONG, cx.t.text);
    cx.label(name, ("tool", &tool.file), &tool.name);
    let told = cx.right(head.right_mid(0.0), state, Type::CAPTION, color);
    cx.label(told, ("state", &tool.file), state);
    drop(cx);
    rows::para(ui, &tool.file, (Type::CODE, theme.text_3));
    ui.add_space(space::S);
    match (&tool.state, &tool.looked) {
        (StrangerState::Refused(why), _) => {
            rows::para(ui, why, (Type::SMALL, theme.text_2));
        }
        (StrangerState::Approved, _) => {
            if named(ui, "Withdraw approval", &tool.name) {
                changes.push(SettingsChange::ForgetTool { file });
            }
        }
        (StrangerState::Waits | StrangerState::Changed, None) => {
            if named(ui, "Look at it…", &tool.name) {
                changes.push(SettingsChange::LookAtTool { file });
            }
        }
        (StrangerState::Waits | StrangerState::Changed, Some(look)) => {
            facts(ui, look);
            if named(ui, "Approve exactly this", &tool.name) {
                let fingerprint = look.fingerprint.clone();
                changes.push(SettingsChange::ApproveTool { file, fingerprint });
            }
        }
    }
    if !tool.said.is_empty() {
        rows::para(ui, &tool.said, (Type::SMALL, theme.text_2));
    }
    ui.add_space(space::S);
}

fn state_of(tool: &Stranger, theme: &Theme) -> (&'static str, Color32) {
    match &tool.state {
        StrangerState::Waits => ("does nothing until you approve it", theme.warn),
        StrangerState::Changed => ("changed since you approved it, and does nothing", theme.warn),
        StrangerState::Approved => ("approved; each run is asked about", theme.ok),
        StrangerState::Refused(_) => ("cannot be used", theme.text_3),
    }
}

/// A button of a tool. Screen readers also hear the tool's name.
fn named(ui: &mut Ui, words: &str, tool: &str) -> bool {
    let name = format!("{words}: {tool}");
    let button = Button::new(Kind::Secondary, words).named(&name);
    let size = vec2(button.width(&Cx::new(ui)), size::CONTROL_H);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    button.show(&Cx::new(ui), rect).clicked()
}

fn facts(ui: &mut Ui, look: &StrangerLook) {
    for (name, text) in &look.facts {
        let room = ui.available_width() - NAMES;
        let tall = Cx::new(ui).para_height(text, Type::SMALL, room).max(16.0) + 4.0;
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), tall), Sense::hover());
        let cx = Cx::new(ui);
        cx.elided(rect.min + vec2(0.0, 8.0), name, Type::CAPTION, cx.t.text_3, NAMES - 8.0);
        let told = cx.para(rect.min + vec2(NAMES, 0.0), text, Type::SMALL, cx.t.text, room);
        cx.label(told, ("fact", name), text);
    }
    ui.add_space(space::S);
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use crate::{Settings, SettingsChange, Stranger, StrangerLook, StrangerState};

    const FILE: &str = "/music/song/tools/reverse.deskhand-tool.toml";

    #[test]
    fn a_tool_of_a_session_is_looked_at_before_it_can_be_approved() {
        let stranger =
            Stranger { file: FILE.into(), name: "reverse".into(), ..Stranger::default() };
        let mut model = open_model();
        model.settings = Some(Settings { strangers: vec![stranger], ..Settings::default() });
        let mut harness = harness(model);
        harness.click_on("Preferences");
        harness.click_on("Tools of this session");
        assert!(harness.query_by_label("Approve exactly this: reverse").is_none());
        harness.click_on("Look at it…: reverse");
        let facts = vec![("Starts".to_owned(), "/bin/sh reverse.sh".to_owned())];
        let look = StrangerLook { fingerprint: "f00d".into(), facts };
        let strangers = |harness: &mut egui_kittest::Harness<'_, crate::ui_tests::Desk>| {
            harness.state_mut().model.settings.as_mut().unwrap().strangers.remove(0)
        };
        let known = strangers(&mut harness);
        let known = Stranger { looked: Some(look), ..known };
        harness.state_mut().model.settings.as_mut().unwrap().strangers.push(known);
        harness.run_steps(3);
        assert!(harness.query_by_label("/bin/sh reverse.sh").is_some());
        harness.click_on("Approve exactly this: reverse");
        let known = strangers(&mut harness);
        let known = Stranger { state: StrangerState::Approved, ..known };
        harness.state_mut().model.settings.as_mut().unwrap().strangers.push(known);
        harness.run_steps(3);
        harness.click_on("Withdraw approval: reverse");
        let (file, fingerprint) = (FILE.to_owned(), "f00d".to_owned());
        let all = [
            SettingsChange::LookAtTool { file: file.clone() },
            SettingsChange::ApproveTool { file: file.clone(), fingerprint },
            SettingsChange::ForgetTool { file },
        ];
        assert_eq!(harness.state().actions, all.map(Action::Settings));
    }
}

//! Tools that came with the session: they do nothing until the person looked at one and approved it.

use super::rows;
use crate::preferences::rows::title;
use crate::settings::{Settings, SettingsChange, Stranger, StrangerLook, StrangerState};
use crate::theme::Theme;
use egui::{Button, Grid, Label, Role, Ui, WidgetInfo};

/// Draws them, where the session brought some.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    settings: &Settings,
    changes: &mut Vec<SettingsChange>,
) {
    if settings.strangers.is_empty() {
        return;
    }
    title(ui, theme, "Tools that came with this session");
    for (index, tool) in settings.strangers.iter().enumerate() {
        if index > 0 {
            ui.add_space(8.0);
        }
        one(ui, theme, tool, changes);
    }
}

fn one(ui: &mut Ui, theme: &Theme, tool: &Stranger, changes: &mut Vec<SettingsChange>) {
    let file = tool.file.clone();
    let (state, color) = match &tool.state {
        StrangerState::Waits => ("does nothing until you approve it", theme.warn),
        StrangerState::Changed => ("changed since you approved it, and does nothing", theme.warn),
        StrangerState::Approved => ("approved; each run is asked about", theme.ok),
        StrangerState::Refused(_) => ("cannot be used", theme.text_3),
    };
    ui.horizontal(|ui| {
        ui.label(&tool.name);
        ui.colored_label(color, state);
    });
    ui.add(Label::new(egui::RichText::new(&tool.file).color(theme.text_3)).wrap());
    match (&tool.state, &tool.looked) {
        (StrangerState::Refused(why), _) => drop(ui.add(Label::new(why).wrap())),
        (StrangerState::Approved, _) => {
            if named(ui, "Approve no more", &tool.name) {
                changes.push(SettingsChange::ForgetTool { file });
            }
        }
        (StrangerState::Waits | StrangerState::Changed, None) => {
            if named(ui, "Look at it…", &tool.name) {
                changes.push(SettingsChange::LookAtTool { file });
            }
        }
        (StrangerState::Waits | StrangerState::Changed, Some(look)) => {
            facts(ui, theme, tool, look);
            if named(ui, "Approve exactly this", &tool.name) {
                let fingerprint = look.fingerprint.clone();
                changes.push(SettingsChange::ApproveTool { file, fingerprint });
            }
        }
    }
    if !tool.said.is_empty() {
        ui.add(Label::new(&tool.said).wrap());
    }
}

/// A button of a tool. Screen readers also hear the tool's name.
fn named(ui: &mut Ui, words: &str, tool: &str) -> bool {
    let button = ui.add(Button::new(words).small());
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{words}: {tool}")));
    button.clicked()
}

fn facts(ui: &mut Ui, theme: &Theme, tool: &Stranger, look: &StrangerLook) {
    Grid::new(("facts", &tool.file)).num_columns(2).min_col_width(rows::LABEL).show(ui, |ui| {
        for (name, text) in &look.facts {
            ui.colored_label(theme.text_3, name);
            ui.add(Label::new(text).wrap());
            ui.end_row();
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::testing::UserInput as _;
    use crate::ui_tests::{harness, open_model};
    use crate::{Action, Settings, SettingsChange, Stranger, StrangerLook, StrangerState};
    use egui_kittest::kittest::Queryable as _;

    const FILE: &str = "/music/song/tools/reverse.deskhand-tool.toml";

    #[test]
    fn a_tool_of_a_session_is_looked_at_before_it_can_be_approved() {
        let stranger =
            Stranger { file: FILE.into(), name: "reverse".into(), ..Stranger::default() };
        let mut model = open_model();
        model.settings = Some(Settings { strangers: vec![stranger], ..Settings::default() });
        let mut harness = harness(model);
        harness.click_on("Preferences");
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
        harness.click_on("Approve no more: reverse");
        let (file, fingerprint) = (FILE.to_owned(), "f00d".to_owned());
        let all = [
            SettingsChange::LookAtTool { file: file.clone() },
            SettingsChange::ApproveTool { file: file.clone(), fingerprint },
            SettingsChange::ForgetTool { file },
        ];
        assert_eq!(harness.state().actions, all.map(Action::Settings));
    }
}

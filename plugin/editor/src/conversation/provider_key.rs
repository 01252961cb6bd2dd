//! The key of a provider that was chosen and has none: asked for in the composer, before that provider answers. Until a
//! key is kept, the one that answered before goes on to.

use crate::action::{Action, Actions};
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::preferences::answers::key;
use crate::settings::{Provider, SettingsChange};
use crate::theme::{radius, space};
use egui::{Key, Rect, Ui, UiBuilder, vec2};

const HIGH: f32 = 80.0;

pub(super) fn asked(model: &Model) -> Option<&Provider> {
    let id = model.asks_key_of.as_ref()?;
    model.settings.as_ref()?.providers.iter().find(|known| known.id == *id)
}

/// Whether a provider can answer only with a key that it does not have.
pub(super) fn lacks_key(known: &Provider) -> bool {
    known.needs_key && !known.has_key
}

/// The chosen provider, if it lacks its key.
pub(super) fn lacking(model: &Model) -> Option<String> {
    let settings = model.settings.as_ref()?;
    let chosen = settings.providers.iter().find(|it| Some(&it.id) == settings.provider.as_ref())?;
    lacks_key(chosen).then(|| chosen.id.clone())
}

pub(super) fn height(model: &Model) -> f32 {
    if asked(model).is_some() { HIGH } else { 0.0 }
}

/// Opens the field for the key of a provider.
pub(super) fn ask(model: &mut Model, provider: String) {
    model.preferences.typed = Default::default();
    model.asks_key_of = Some(provider);
}

/// Closes it; what was typed is gone.
fn close(model: &mut Model) {
    model.preferences.typed = Default::default();
    model.asks_key_of = None;
    model.wants_composer = true;
}

/// Draws the field. A kept key makes its provider the one that answers.
pub(super) fn show(ui: &mut Ui, model: &mut Model, rect: Rect, out: &mut Actions) {
    let Some(known) = asked(model).cloned() else { return };
    let mut inside = rect.pad(0.0, 4.0);
    let cx = Cx::new(ui);
    cx.fill(inside, radius::CARD, cx.t.raised);
    cx.border(inside, radius::CARD, cx.t.line_strong);
    inside = inside.pad(space::M, space::S);
    let cancel = Button::new(Kind::Quiet, "Cancel");
    let width = cancel.width(&cx);
    let cell = inside.cut_right(width);
    let is_left = cancel.show(&cx, Rect::from_min_size(cell.min, vec2(width, 24.0))).clicked();
    drop(cx);
    let mut changes = Vec::new();
    let mut field = ui.new_child(UiBuilder::new().max_rect(inside).id_salt("provider key"));
    let typed = &mut model.preferences.typed;
    key::show(&mut field, &known, typed, &mut changes);
    let is_kept = !changes.is_empty();
    out.extend(changes.into_iter().map(Action::Settings));
    if is_kept {
        out.push(Action::Settings(SettingsChange::Provider(Some(known.id))));
    }
    if is_kept || is_left || ui.input(|input| input.key_pressed(Key::Escape)) {
        close(model);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use crate::{Provider, Settings, SettingsChange};
    use egui::Role;

    const FIELD: &str = "Key of the provider";

    /// "cloud", which has no key, is chosen in the list of those who answer.
    fn chosen() -> Harness<'static, Desk> {
        let mut model = open_model();
        let (id, needs_key) = ("cloud".to_owned(), true);
        let cloud = Provider { id, model: "small".into(), needs_key, ..Provider::default() };
        let near = Provider { id: "near".into(), model: "tiny".into(), ..Provider::default() };
        let providers = vec![cloud, near];
        let provider = Some("near".to_owned());
        model.settings = Some(Settings { providers, provider, ..Settings::default() });
        let mut harness = harness(model);
        harness.click_on("near (tiny)");
        harness.click_on("cloud (small), no key yet");
        harness.run_steps(3);
        harness
    }

    #[test]
    fn who_has_no_key_is_asked_for_it_and_answers_once_it_is_kept() {
        let mut harness = chosen();
        assert_eq!(harness.state().actions, [], "nobody else answers yet");
        assert!(harness.get_by_role_and_label(Role::PasswordInput, FIELD).is_focused());
        harness.type_into(FIELD, "sk-1");
        harness.press(Key::Enter);
        let key = SettingsChange::Key { provider: "cloud".into(), key: "sk-1".into() };
        let test = SettingsChange::Test { provider: "cloud".into() };
        let provider = SettingsChange::Provider(Some("cloud".into()));
        assert_eq!(harness.state().actions, [key, test, provider].map(Action::Settings));
        harness.run_steps(2);
        assert!(harness.query_by_label(FIELD).is_none());
    }

    #[test]
    fn escape_keeps_who_answered_before_and_forgets_what_was_typed() {
        let mut harness = chosen();
        harness.type_into(FIELD, "sk-1");
        harness.press(Key::Escape);
        harness.run_steps(2);
        assert!(harness.query_by_label(FIELD).is_none());
        assert_eq!(harness.state().actions, []);
        assert!(harness.query_by_label("near (tiny)").is_some());
        harness.click_on("near (tiny)");
        harness.click_on("cloud (small), no key yet");
        harness.run_steps(3);
        harness.press(Key::Enter);
        assert_eq!(harness.state().actions, [], "there is no key to keep");
        harness.click_on("Cancel");
        assert!(harness.query_by_label(FIELD).is_none());
    }
}

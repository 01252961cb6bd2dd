//! The sheet of preferences used as a person uses it.

use crate::ui_tests::{Desk, harness, open_model};
use crate::{Action, Provider, Settings, SettingsChange};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

/// The sheet, open.
fn sheet(settings: Settings) -> Harness<'static, Desk> {
    let mut model = open_model();
    model.settings = Some(settings);
    let mut harness = harness(model);
    harness.run_steps(3);
    harness.get_by_label("Preferences").click();
    harness.run_steps(4);
    harness
}

fn choose(harness: &mut Harness<'_, Desk>, list: &str, entry: &str) {
    harness.get_by_role_and_label(Role::ComboBox, list).click();
    harness.run_steps(3);
    harness.get_by_label(entry).click();
    harness.run_steps(3);
}

fn changes(harness: &Harness<'_, Desk>) -> Vec<SettingsChange> {
    let change = |action: &Action| match action {
        Action::Settings(change) => change.clone(),
        other => panic!("{other:?}"),
    };
    harness.state().actions.iter().map(change).collect()
}

fn set(harness: &Harness<'_, Desk>) -> Settings {
    harness.state().model.settings.clone().unwrap()
}

#[test]
fn a_device_its_rate_and_its_buffer_are_chosen_and_given_back_to_the_system() {
    let mut harness = sheet(Settings {
        devices: vec!["Speakers".into(), "Headphones".into()],
        rates: vec![44_100, 48_000],
        buffers: vec![256, 512],
        ..Settings::default()
    });
    choose(&mut harness, "Output", "Headphones");
    choose(&mut harness, "Rate", "44.1 kHz");
    choose(&mut harness, "Buffer", "512 samples");
    let now = set(&harness);
    assert_eq!(now.device.as_deref(), Some("Headphones"));
    assert_eq!((now.rate, now.buffer), (Some(44_100), Some(512)));
    choose(&mut harness, "Output", "As the system has it");
    let all = [
        SettingsChange::Device(Some("Headphones".into())),
        SettingsChange::Rate(Some(44_100)),
        SettingsChange::Buffer(Some(512)),
        SettingsChange::Device(None),
    ];
    assert_eq!(changes(&harness), all);
    assert_eq!(set(&harness).device, None);
}

fn cloud() -> Provider {
    Provider { id: "cloud".into(), model: "small".into(), needs_key: true, ..Provider::default() }
}

#[test]
fn a_key_is_pasted_kept_and_tested_and_is_nowhere_in_the_window_after_that() {
    let (providers, provider) = (vec![cloud()], Some("cloud".into()));
    let mut harness = sheet(Settings { providers, provider, ..Settings::default() });
    harness.get_by_label("Keep key").click();
    harness.run_steps(2);
    assert_eq!(changes(&harness), [], "there is no key yet");
    harness.get_by_role_and_label(Role::PasswordInput, "Key of the provider").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Paste(" key-1234 ".into()));
    harness.run_steps(2);
    harness.get_by_label("Keep key").click();
    harness.run_steps(2);
    harness.get_by_label("Test").click();
    harness.run_steps(2);
    let provider = "cloud".to_owned();
    let all = [
        SettingsChange::Key { provider: provider.clone(), key: "key-1234".into() },
        SettingsChange::Test { provider },
    ];
    assert_eq!(changes(&harness), all);
    let field = harness.get_by_role_and_label(Role::PasswordInput, "Key of the provider");
    assert_eq!(field.value().unwrap_or_default(), "", "it is forgotten here");
    let answered = Provider { has_key: true, tested: "It answered.".into(), ..cloud() };
    harness.state_mut().model.settings.as_mut().unwrap().providers = vec![answered];
    harness.run_steps(2);
    assert!(harness.query_by_label("It answered.").is_some());
}

#[test]
fn theme_and_zoom_are_seen_at_once() {
    let mut harness = sheet(Settings::default());
    harness.get_by_role_and_label(Role::RadioButton, "Light").click();
    harness.run_steps(3);
    assert!(!harness.ctx.global_style().visuals.dark_mode);
    harness.get_by_label("Larger").click();
    harness.run_steps(3);
    assert!((harness.ctx.zoom_factor() - 1.1).abs() < 0.001);
    assert!(harness.query_by_label("Zoom 110\u{a0}%").is_some());
    for _ in 0..2 {
        harness.get_by_label("Smaller").click();
        harness.run_steps(3);
    }
    assert!((harness.ctx.zoom_factor() - 0.9).abs() < 0.001);
    harness.get_by_role_and_label(Role::RadioButton, "Dark").click();
    harness.run_steps(3);
    assert!(harness.ctx.global_style().visuals.dark_mode);
    let all = [
        SettingsChange::Light(true),
        SettingsChange::Zoom(1.1),
        SettingsChange::Zoom(1.0),
        SettingsChange::Zoom(0.9),
        SettingsChange::Light(false),
    ];
    assert_eq!(changes(&harness), all);
}

#[test]
fn a_list_lies_above_the_sheet_however_often_it_is_opened_and_esc_closes_it_first() {
    let devices = vec!["Speakers".into(), "Headphones".into()];
    let mut harness = sheet(Settings { devices, ..Settings::default() });
    let list = harness.get_by_role_and_label(Role::ComboBox, "Output").rect().center();
    let click = |harness: &mut Harness<'_, Desk>| {
        harness.hover_at(list);
        harness.run_steps(1);
        harness.drag_at(list);
        harness.run_steps(1);
        harness.drop_at(list);
        harness.run_steps(4);
    };
    for _ in 0..2 {
        click(&mut harness);
        let entry = harness.get_by_label("Headphones").rect().center();
        let above = harness.ctx.layer_id_at(entry).unwrap();
        assert_ne!(above.id, super::id(), "the sheet hides its list");
        click(&mut harness);
        assert!(harness.query_by_label("Headphones").is_none());
    }
    click(&mut harness);
    for is_open in [true, false] {
        harness.key_press(egui::Key::Escape);
        harness.run_steps(3);
        assert!(harness.query_by_label("Headphones").is_none());
        let sheet = harness.query_by_role_and_label(Role::ComboBox, "Output");
        assert_eq!(sheet.is_some(), is_open);
    }
}

#[test]
fn a_server_of_ones_own_is_added_and_a_key_that_is_missing_is_asked_for() {
    let failed = Provider { tested: "It refuses.".into(), has_failed: true, ..cloud() };
    let (providers, provider) = (vec![failed], Some("cloud".into()));
    let settings = Settings { providers, provider, takes_servers: true, ..Settings::default() };
    let mut harness = sheet(settings);
    assert!(harness.query_by_label_contains("cloud has no key yet").is_some());
    assert!(harness.query_by_label("It refuses.").is_some());
    harness.get_by_label("Add a server of your own…").click();
    harness.run_steps(3);
    harness.get_by_role_and_label(Role::TextInput, "Model there").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text(" qwen3 ".into()));
    harness.run_steps(2);
    harness.get_by_label("Add it").click();
    harness.run_steps(2);
    let address = "http://127.0.0.1:11434/v1".to_owned();
    let server = SettingsChange::Server { address, model: "qwen3".into() };
    assert_eq!(changes(&harness), [server]);
}

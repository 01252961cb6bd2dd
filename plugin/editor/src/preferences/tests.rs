//! The sheet of preferences used as a person uses it.

use crate::testing::prelude::*;
use crate::testing::tool;
use crate::tools::Tools;
use crate::{Provider, Settings, SettingsChange};
use deskhand_session::offers::Offers;
use egui::accesskit::Role;

fn sheet(settings: Settings) -> Harness<'static, Desk> {
    let mut model = open_model();
    model.settings = Some(settings);
    let mut harness = harness(model);
    harness.click_on("Preferences");
    harness
}

/// The same with a section open.
fn sheet_at(section: &str, settings: Settings) -> Harness<'static, Desk> {
    let mut harness = sheet(settings);
    harness.click_role(Role::Tab, section);
    harness
}

fn choose(harness: &mut Harness<'_, Desk>, list: &str, entry: &str) {
    harness.click_role(Role::ComboBox, list);
    harness.click_on(entry);
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
    choose(&mut harness, "Rate", "44.1\u{a0}kHz");
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
    let field = harness.get_by_role_and_label(Role::PasswordInput, "Key of the provider");
    assert!(field.is_focused(), "the missing key is asked for");
    harness.click_on("Save and test");
    assert_eq!(changes(&harness), [], "there is no key yet");
    harness.focus_on("Key of the provider");
    harness.event(egui::Event::Paste(" key-1234 ".into()));
    harness.run_steps(2);
    harness.click_on("Save and test");
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
fn a_kept_key_leaves_what_is_below_it_where_it_was() {
    let (providers, provider) = (vec![cloud()], Some("cloud".into()));
    let mut harness = sheet(Settings { providers, provider, ..Settings::default() });
    let before = harness.get_by_label("Test").rect();
    let kept = Provider { has_key: true, ..cloud() };
    harness.state_mut().model.settings.as_mut().unwrap().providers = vec![kept];
    harness.run_steps(3);
    assert!(harness.query_by_label("A key of cloud is saved on this computer.").is_some());
    assert_eq!(harness.get_by_label("Test").rect(), before);
}

#[test]
fn an_entry_that_is_taken_by_enter_closes_its_list() {
    let devices = vec!["Speakers".into(), "Headphones".into()];
    let mut harness = sheet(Settings { devices, ..Settings::default() });
    harness.click_role(Role::ComboBox, "Output");
    harness.focus_on("Headphones");
    harness.press(egui::Key::Enter);
    assert_eq!(set(&harness).device.as_deref(), Some("Headphones"));
    assert!(harness.query_by_label("Speakers").is_none(), "the list is closed");
    assert!(harness.get_by_role_and_label(Role::ComboBox, "Output").is_focused());
}

#[test]
fn theme_and_zoom_are_seen_at_once() {
    let mut harness = sheet_at("Look", Settings::default());
    harness.click_role(Role::RadioButton, "Light");
    assert!(!harness.ctx.global_style().visuals.dark_mode);
    for (name, zoom) in [("110\u{a0}%", 1.1), ("90\u{a0}%", 0.9)] {
        choose(&mut harness, "Zoom", name);
        assert!((harness.ctx.zoom_factor() - zoom).abs() < 0.001);
        let list = harness.get_by_role_and_label(Role::ComboBox, "Zoom");
        assert_eq!(list.value().as_deref(), Some(name));
    }
    harness.click_role(Role::RadioButton, "Dark");
    assert!(harness.ctx.global_style().visuals.dark_mode);
    let all = [
        SettingsChange::Light(true),
        SettingsChange::Zoom(1.1),
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
        harness.click_at(list);
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
        harness.press(egui::Key::Escape);
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
    harness.click_on("Add a server…");
    harness.get_by_role_and_label(Role::TextInput, "Model there").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text(" qwen3 ".into()));
    harness.run_steps(2);
    harness.click_on("Add the server");
    let address = "http://127.0.0.1:11434/v1".to_owned();
    let server = SettingsChange::Server { address, model: "qwen3".into() };
    assert_eq!(changes(&harness), [server]);
}

#[test]
fn an_address_that_cannot_be_used_is_said_at_its_field_and_enter_adds_one_that_can() {
    let settings =
        Settings { providers: vec![cloud()], takes_servers: true, ..Settings::default() };
    let mut harness = sheet(settings);
    harness.click_on("Add a server…");
    let enter = |harness: &mut Harness<'_, Desk>, field: &str, text: &str| {
        harness.get_by_role_and_label(Role::TextInput, field).focus();
        harness.run_steps(2);
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text(text.into()));
        harness.run_steps(2);
        harness.press(egui::Key::Enter);
    };
    enter(&mut harness, "Address", "http://127.0.0.1.evil.org");
    assert!(harness.query_by_label_contains("elsewhere https").is_some());
    enter(&mut harness, "Model there", "qwen3");
    assert_eq!(changes(&harness), [], "what was typed stays");
    enter(&mut harness, "Address", "http://127.0.0.1:8080/v1");
    let address = "http://127.0.0.1:8080/v1".to_owned();
    let server = SettingsChange::Server { address, model: "qwen3".into() };
    assert_eq!(changes(&harness), [server]);
    assert!(harness.query_by_label("Add a server…").is_some(), "the form is closed");
}

#[test]
fn a_long_name_makes_neither_the_sheet_nor_its_list_wider() {
    let long = ["A very long name of a device"; 8].join(" ");
    let (devices, device) = (vec!["Speakers".into(), long.clone()], Some(long.clone()));
    let mut harness = sheet(Settings { devices, device, ..Settings::default() });
    let list = |harness: &Harness<'_, Desk>| {
        harness.get_by_role_and_label(Role::ComboBox, "Output").rect()
    };
    let width = list(&harness).width();
    assert!(width <= super::pick::FIELD + 1.0, "{width}");
    harness.click_role(Role::ComboBox, "Output");
    let entry = harness.get_by_label(&long).rect();
    assert!(entry.width() <= super::pick::FIELD + 1.0, "{entry}");
}

#[test]
fn the_buttons_of_models_stand_below_each_other() {
    let model = |title: &str| crate::ModelOffer {
        id: title.into(),
        title: title.into(),
        ..crate::ModelOffer::default()
    };
    let models = vec![model("Stems"), model("A model with a title that is long")];
    let harness = sheet_at("Models", Settings { models, ..Settings::default() });
    let left =
        |title: &str| harness.get_by_label(&format!("Install the model {title}")).rect().left();
    assert_eq!(left("Stems"), left("A model with a title that is long"));
}

#[test]
fn what_is_said_of_a_model_stands_nearer_to_its_name_than_to_the_next() {
    let model = |title: &str, task: &str| crate::ModelOffer {
        id: title.into(),
        title: title.into(),
        task: task.into(),
        license: "MIT".into(),
        ..crate::ModelOffer::default()
    };
    let models = vec![model("Stems", "separation"), model("Whisper", "transcription")];
    let harness = sheet_at("Models", Settings { models, ..Settings::default() });
    let middle = |label: &str| harness.get_by_label(label).rect().center().y;
    let facts = middle("separation · 0\u{a0}MB to download · MIT");
    let (own, next) = (facts - middle("Stems"), middle("Whisper") - facts);
    assert!(own > 12.0 && own < 0.75 * next, "{own} and {next}");
}

/// The sheet with the list of the tools that a rule may be made for, open.
fn list_of_tools() -> Harness<'static, Desk> {
    let mut model = open_model();
    let names = ["cmd_set_track_pan", "tool_fades", "cmd_add_track"];
    model.tools = Tools::new(names.map(|name| tool(name, &[], Offers::default())).into());
    model.settings = Some(Settings::default());
    let mut harness = harness(model);
    harness.click_on("Preferences");
    harness.click_role(Role::ComboBox, "Rule for");
    harness
}

#[test]
fn a_tool_for_a_rule_is_found_by_a_part_of_its_name() {
    let mut harness = list_of_tools();
    assert!(harness.get_by_label("Find a tool").is_focused(), "who opens the list types at once");
    harness.event(egui::Event::Text("Track".into()));
    harness.run_steps(2);
    let is_listed = ["Add track", "Fades", "Set track pan"]
        .map(|title| harness.query_by_label(title).is_some());
    assert_eq!(is_listed, [true, false, true]);
    harness.event(egui::Event::Text(" pa".into()));
    harness.run_steps(2);
    harness.press(egui::Key::Enter);
    assert!(harness.query_by_label("Find a tool").is_none(), "the list is closed");
    let chosen = harness.get_by_role_and_label(Role::ComboBox, "Rule for");
    assert_eq!(chosen.accesskit_node().value().as_deref(), Some("Set track pan"));
    harness.click_role(Role::ComboBox, "Rule for");
    assert!(harness.query_by_label("Fades").is_some(), "the list begins anew");
}

#[test]
fn the_tools_that_a_rule_may_be_made_for_stand_in_the_order_of_their_names() {
    let harness = list_of_tools();
    let top = |label: &str| harness.get_by_label(label).rect().top();
    let tops = ["Add track", "Fades", "Set track pan"].map(top);
    assert!(tops.is_sorted_by(|a, b| a < b), "{tops:?}");
}

#[test]
fn how_far_an_install_is_stands_at_its_model_and_it_is_stopped_and_not_begun_twice() {
    let model = crate::ModelOffer {
        id: "stems".into(),
        title: "Stems".into(),
        is_busy: true,
        said: "downloading: 12 of 73 MB".into(),
        ..crate::ModelOffer::default()
    };
    let mut harness = sheet_at("Models", Settings { models: vec![model], ..Settings::default() });
    assert!(harness.query_by_label("downloading: 12 of 73 MB").is_some());
    harness.click_on("Install the model Stems");
    assert!(changes(&harness).is_empty(), "it is being installed");
    harness.click_on("Cancel installing the model Stems");
    assert_eq!(changes(&harness), [SettingsChange::StopInstall { model: "stems".into() }]);
}

#[test]
fn the_sheet_opens_by_its_key_and_gives_the_keyboard_back() {
    let mut model = open_model();
    model.settings = Some(Settings::default());
    let mut harness = harness(model);
    harness.focus_on("History");
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::Comma);
    harness.get_by_role_and_label(Role::Tab, "Look").focus();
    harness.run_steps(2);
    harness.press(egui::Key::Space);
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Zoom").is_some());
    harness.press(egui::Key::Escape);
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Zoom").is_none());
    assert!(harness.get_by_label("History").is_focused());
}

#[test]
fn a_limit_is_set_when_its_number_is_let_go() {
    let capture =
        crate::CaptureSettings { mode: crate::CaptureMode::Rolling, minutes: 10, most_gb: 8 };
    let mut harness = sheet(Settings { capture: Some(capture), ..Settings::default() });
    let name = "Captured audio of a session, at most";
    let from = harness.get_by_role_and_label(Role::SpinButton, name).rect().center();
    harness.hold(from, from + egui::vec2(30.0, 0.0));
    assert_eq!(changes(&harness), [], "takes over the limit are deleted");
    harness.drop_at(from + egui::vec2(30.0, 0.0));
    harness.run_steps(3);
    let all = changes(&harness);
    assert!(matches!(&all[..], [SettingsChange::Capture(set)] if set.most_gb > 8), "{all:?}");
}

#[test]
fn a_setting_is_found_by_its_name() {
    let mut harness = sheet(Settings::default());
    harness.press_with(egui::Modifiers::COMMAND, egui::Key::F);
    assert!(harness.get_by_label("Find a setting").is_focused());
    harness.event(egui::Event::Text("Zoo".into()));
    harness.run_steps(2);
    let tabs = harness.query_all_by_role(Role::Tab);
    let tabs: Vec<_> = tabs.filter_map(|tab| tab.accesskit_node().label()).collect();
    assert_eq!(tabs, ["Look"]);
    harness.press(egui::Key::Enter);
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Zoom").is_some());
}

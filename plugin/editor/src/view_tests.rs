//! Windows, preferences, help, the plugin's layout and the conversation, used as a person uses them.

use crate::testing::prelude::*;
use crate::testing::tool;
use crate::tools::Tools;
use crate::*;
use deskhand_protocol::desk::{Play, TurnEnd, TurnReason, Viewer, Window};
use deskhand_protocol::{Asking, Event, Read, Rule, ToolInfo, ToolRule};
use deskhand_session::offers::Offers;
use deskhand_session::{Author, Said, Trust};
use egui::accesskit::Role;
use serde_json::Value;
use std::sync::Arc;

/// Gives the same for every handle.
struct One(Resource);

impl Resources for One {
    fn get(&self, _: &str, _: Viewer) -> Resource {
        self.0.clone()
    }
}

fn windowed(resource: Resource) -> Harness<'static, Desk> {
    harness(with_window(open_model(), resource))
}

pub(crate) fn with_window(mut model: Model, resource: Resource) -> Model {
    model.resources = Some(Box::new(One(resource)));
    let window = Window {
        window_id: "window_1".into(),
        viewer: Viewer::Auto,
        resource: "deskhand://session".into(),
        title: "Loudness".into(),
    };
    drop(model.hear(&event(2, None, News::Window { window })));
    model
}

fn said(model: &mut Model, number: u64, role: &str, parts: Value) {
    let said =
        Said { author: Author::Agent, message: json!({"role": role, "parts": parts}), time_ms: 1 };
    drop(model.hear(&event(number, None, News::Said { said })));
}

#[test]
fn a_window_shows_a_table_and_closes() {
    let table = Table {
        columns: vec!["Section".into(), "LUFS".into()],
        rows: vec![vec!["Verse".into(), "−18.9".into()]],
    };
    let mut harness = windowed(Resource::Table(Arc::new(table)));
    assert!(harness.query_by_label("Verse, −18.9").is_some());
    harness.click_on("Keep Loudness on top");
    harness.click_on("Close Loudness");
    let params = json!({"window_id": "window_1"});
    assert_eq!(harness.state().actions, [Action::Call { gesture: Gesture::CloseWindow, params }]);
    assert!(harness.query_by_label("Close Loudness").is_none());
}

#[test]
fn a_line_of_a_transcript_goes_to_its_place() {
    let mut harness = windowed(spoken_line());
    harness.click_on("Go to: And on");
    let seek = Action::Play(Play::Seek { at: Frames(96_000) });
    assert_eq!(harness.state().actions, [seek]);
}

pub(crate) fn spoken_line() -> Resource {
    let line = SpokenLine { at: Frames(96_000), speaker: String::new(), text: "And on".into() };
    Resource::Transcript([line].into())
}

#[test]
fn every_kind_of_content_is_drawn() {
    let spectrogram = Spectrogram {
        columns: 4,
        rows: 2,
        levels: [0, 64, 128, 255, 0, 1, 2, 3].into(),
        seconds: (0.0, 4.0),
        marks: vec![(1000.0, 0.5)],
    };
    let picture = egui::ColorImage::filled([4, 4], egui::Color32::WHITE);
    let file = Listed { name: "mix.wav".into(), detail: "12 MB".into(), handle: None };
    let (source, start, length) = (SourceId::new(1), Frames::ZERO, Frames(48_000));
    let drawn = [
        (Resource::Waiting, "Reading…"),
        (Resource::Text("Two verses".into()), "Two verses"),
        (Resource::Listing([file].into()), "mix.wav"),
        (Resource::Spectrogram(Arc::new(spectrogram)), "Spectrogram from 0:00.000 to 0:04.000"),
        (Resource::Picture(Arc::new(picture)), "Picture: Loudness"),
        (
            Resource::Waveform { source, start, length },
            "Waveform of Vocal from 0:00.000 to 0:01.000",
        ),
    ];
    for (resource, name) in drawn {
        let window = windowed(resource);
        assert!(window.query_by_label("Close Loudness").is_some(), "{name}");
        assert!(window.query_by_label(name).is_some(), "{name}");
    }
    let failed = windowed(Resource::Failed("The file is gone.".into()));
    assert!(failed.query_by_label("The file is gone.").is_some());
}

#[test]
fn every_import_that_runs_says_how_far_it_is_until_it_is_done() {
    let mut harness = harness(open_model());
    let hears = |harness: &mut Harness<'_, Desk>, number: u64, call: u64, news: News| {
        let call = Some(CallId(call));
        drop(harness.state_mut().model.hear(&event(number, call, news)));
        harness.run_steps(3);
    };
    let progress = |fraction: f64, what: &str| News::Progress { fraction, what: what.into() };
    for call in [8, 9] {
        let (tool, params) = ("import_audio".to_owned(), json!({"files": ["a.wav"]}));
        let op = Op::Call { tool, params, apply: deskhand_protocol::Apply::ByPolicy };
        harness.state_mut().model.sent(CallId(call), &op);
    }
    hears(&mut harness, 2, 8, progress(0.25, "reading a.wav"));
    hears(&mut harness, 3, 9, progress(0.4, "reading b.wav"));
    assert!(harness.query_by_label("Cancel reading a.wav").is_some());
    harness.click_on("1 more");
    assert!(harness.query_by_label("Cancel reading b.wav, 40\u{a0}%").is_some());
    hears(&mut harness, 4, 9, progress(0.8, "reading b.wav"));
    assert!(harness.query_by_label("Cancel reading b.wav, 80\u{a0}%").is_some());
    let result = Box::new(ToolResult::new(Status::Applied, "imported", RevisionId(1)));
    hears(&mut harness, 5, 8, News::Done { result });
    assert!(harness.query_by_label("Cancel reading a.wav").is_none());
    assert!(harness.query_by_label("Cancel reading b.wav").is_some());
}

#[test]
fn a_file_in_the_window_of_a_folder_opens() {
    let (name, detail) = ("mix.wav".to_owned(), "12 MB".to_owned());
    let handle = Some("file_1".to_owned());
    let mut harness = windowed(Resource::Listing([Listed { name, detail, handle }].into()));
    harness.click_on("mix.wav");
    let params = json!({"handle": "file_1"});
    assert_eq!(harness.state().actions, [Action::Call { gesture: Gesture::OpenWindow, params }]);
}

#[test]
fn windows_that_were_open_before_stand_on_a_window_that_comes() {
    let (window_id, resource) = ("window_1".to_owned(), "deskhand://session".to_owned());
    let (viewer, title) = (Viewer::Table, "The tracks".to_owned());
    let window = Window { window_id, viewer, resource, title };
    let mut model = open_model();
    let mut snapshot = model.mirror.clone().unwrap().snapshot;
    snapshot.windows.push(window);
    let read = |model: &mut Model, call: u64, snapshot: &deskhand_protocol::Snapshot| {
        model.sent(CallId(call), &Op::Read { what: Read::Snapshot });
        let result = ToolResult::new(Status::Ok, "read", RevisionId(1));
        let answer = Some(serde_json::to_value(snapshot).unwrap());
        let result = Box::new(ToolResult { answer, ..result });
        assert_eq!(model.hear(&event(call, Some(CallId(call)), News::Done { result })), []);
    };
    read(&mut model, 2, &snapshot);
    assert_eq!(model.windows.open.len(), 1);
    snapshot.windows.clear();
    read(&mut model, 3, &snapshot);
    assert!(model.windows.open.is_empty(), "closed while nobody listened");
}

fn settings() -> Settings {
    Settings {
        devices: vec!["Speakers".into()],
        providers: vec![Provider {
            id: "cloud".into(),
            model: "small".into(),
            models: vec!["large".into(), "small".into()],
            needs_key: true,
            ..Provider::default()
        }],
        provider: Some("cloud".into()),
        ..Settings::default()
    }
}

#[test]
fn who_answers_is_chosen_at_the_composer_and_its_model_in_the_preferences() {
    let mut model = open_model();
    model.settings = Some(settings());
    let mut harness = harness(model);
    harness.click_on("cloud (small)");
    harness.click_on("Offline: no model");
    let set = |change| Action::Settings(change);
    assert_eq!(harness.state().actions, [set(SettingsChange::Provider(None))]);
    harness.click_on("cloud (small)");
    harness.click_on("Models and keys…");
    harness.get_by_role_and_label(Role::TextInput, "Model").focus();
    harness.run_steps(2);
    harness.press_with(Modifiers::COMMAND, Key::A);
    harness.get_by_role_and_label(Role::TextInput, "Model").type_text("huge");
    harness.run_steps(2);
    harness.press(Key::Enter);
    let (provider, model) = ("cloud".to_owned(), "huge".to_owned());
    let changed = set(SettingsChange::Model { provider, model });
    assert_eq!(harness.state().actions.last(), Some(&changed));
}

#[test]
fn preferences_give_what_was_set() {
    let mut model = open_model();
    model.settings = Some(settings());
    let (tool, rule) = ("tool_normalize".to_owned(), Rule::Allow);
    let ruled = [
        ToolRule { tool, rule, is_here: true },
        ToolRule { tool: "cmd_import".into(), rule: Rule::Deny, is_here: false },
    ];
    let policy = News::Policy { asking: Asking::Always, rules: ruled.into() };
    assert_eq!(model.hear(&event(2, None, policy)), []);
    let mut harness = harness(model);
    harness.click_on("Preferences");
    harness.click_role(Role::Tab, "Who answers");
    harness.click_on("Test");
    harness.click_on("Decisions");
    assert!(harness.query_by_label("Remove the rule for Import").is_none());
    harness.click_on("Remove the rule for Normalize");
    harness.click_on("Look");
    harness.click_role(Role::ComboBox, "Zoom");
    harness.click_on("110\u{a0}%");
    let set = |change| Action::Settings(change);
    let rule = SettingsChange::Rule { tool: "tool_normalize".into(), rule: None };
    let all = [
        set(SettingsChange::Test { provider: "cloud".into() }),
        set(rule),
        set(SettingsChange::Zoom(1.1)),
    ];
    assert_eq!(harness.state().actions, all);
}

#[test]
fn the_composer_has_the_switches_of_the_person() {
    let mut model = open_model();
    model.settings = Some(settings());
    let mut harness = harness(model);
    harness.click_on("Ask always");
    harness.click_on("Local only");
    let asking = SettingsChange::Asking(Asking::BiggerChanges);
    let local = SettingsChange::LocalOnly(true);
    assert_eq!(local.op(), Some(Op::LocalOnly { on: true }));
    assert_eq!(harness.state().actions, [Action::Settings(asking), Action::Settings(local)]);
}

#[test]
fn a_rule_is_made_from_a_tool_and_a_word() {
    let mut model = open_model();
    model.settings = Some(settings());
    let [hush, give] = ["cmd_hush", "cmd_give"].map(|name| tool(name, &[], Offers::default()));
    model.tools = Tools::new(vec![hush, ToolInfo { trust: Trust::Require, ..give }]);
    let mut harness = harness(model);
    harness.click_on("Preferences");
    harness.click_on("Decisions");
    let mut choose = |list: &str, entry: &str| {
        harness.click_role(Role::ComboBox, list);
        harness.click_on(entry);
    };
    choose("Rule for", "Give");
    choose("Its plans are", "applied without asking");
    harness.click_on("Add rule");
    assert_eq!(harness.state().actions, [], "no rule lowers what always waits");
    let mut choose = |list: &str, entry: &str| {
        harness.click_role(Role::ComboBox, list);
        harness.click_on(entry);
    };
    choose("Rule for", "Hush");
    harness.click_on("Add rule");
    let change = SettingsChange::Rule { tool: "cmd_hush".into(), rule: Some(Rule::Allow) };
    let op = Op::SetRule { tool: "cmd_hush".into(), rule: Some(Rule::Allow) };
    assert_eq!(change.op(), Some(op));
    assert_eq!(harness.state().actions, [Action::Settings(change)]);
}

#[test]
fn what_the_application_cannot_set_is_not_shown() {
    let mut harness = harness(open_model());
    assert!(harness.query_by_label("Preferences").is_none());
    harness.click_on("Keyboard");
    assert!(harness.query_by_label("Level match: L").is_some());
    harness.press(Key::Escape);
    assert!(harness.query_by_label("Level match: L").is_none());
}

#[test]
fn three_calls_in_a_row_are_folded_and_open() {
    let mut model = open_model();
    let call =
        |id: &str| json!({"type": "tool_call", "id": id, "name": "get_session", "arguments": {}});
    said(&mut model, 2, "assistant", json!([call("a"), call("b"), call("c")]));
    let done = |id: &str| json!({"type": "tool_result", "id": id, "content": {"summary": format!("did {id}")}, "is_error": false});
    said(&mut model, 3, "user", json!([done("a"), done("b"), done("c")]));
    let mut harness = harness(model);
    assert!(harness.query_by_label("did a").is_none());
    harness.click_on("3 steps");
    harness.click_on("did a");
    assert!(harness.query_by_label("get_session {}").is_some());
}

#[test]
fn a_failed_turn_is_asked_again() {
    let mut model = open_model();
    said(&mut model, 2, "user", json!([{"type": "text", "text": "louder"}]));
    let end = TurnEnd {
        reason: TurnReason::Failed,
        message: "The provider did not answer.".into(),
        reply: String::new(),
        turns: 1,
        input_tokens: 0,
        output_tokens: 0,
        pending: Vec::new(),
    };
    drop(model.hear(&event(3, None, News::TurnEnded { end })));
    let mut harness = harness(model);
    harness.click_on("Ask again");
    assert_eq!(harness.state().model.draft, "louder");
}

#[test]
fn a_job_is_stopped_from_the_status_bar() {
    let mut model = open_model();
    let op = Op::Call {
        tool: "tool_transcribe".into(),
        params: json!({}),
        apply: deskhand_protocol::Apply::ByPolicy,
    };
    model.sent(CallId(9), &op);
    let progress = News::Progress { fraction: 0.63, what: "Transcribing".into() };
    drop(model.hear(&event(2, Some(CallId(9)), progress)));
    let mut harness = harness(model);
    harness.click_on("Cancel Transcribing");
    assert_eq!(harness.state().actions, [Action::Cancel(CallId(9))]);
}

#[test]
fn a_plan_that_waits_has_a_card_whoever_asked_for_it() {
    let mut model = open_model();
    let plan = Plan { tool: "cmd_set_track_gain".into(), ..gain_plan() };
    let id = plan.id;
    let review = event(3, None, News::Review { plan: Box::new(plan) });
    drop(model.hear(&Event { author: Author::User, ..review }));
    assert!(model.cards.contains_key(&id), "such as one of a terminal");
}

#[test]
fn f6_goes_from_area_to_area_and_tab_into_it() {
    let mut harness = harness(open_model());
    for name in ["Mixer", "Conversation", "Work", "Mixer"] {
        harness.press(Key::F6);
        assert!(harness.get_by_label(&format!("{name} area")).is_focused(), "{name}");
    }
    harness.press(Key::Tab);
    let focused = harness.ctx.memory(egui::Memory::focused).unwrap();
    let control = harness.ctx.read_response(focused).unwrap().rect;
    let area = harness.get_by_label("Mixer area").rect();
    assert!(area.contains_rect(control), "{control} in {area}");
    // From a control, F6 goes to the area after the one with the control.
    harness.press(Key::F6);
    assert!(harness.get_by_label("Conversation area").is_focused());
    harness.press_with(Modifiers::SHIFT, Key::F6);
    assert!(harness.get_by_label("Mixer area").is_focused());
}

#[test]
fn what_failed_for_want_of_a_model_offers_to_install_it() {
    let mut model = open_model();
    let offer = ModelOffer {
        id: "whisper-tiny".into(),
        title: "Whisper tiny".into(),
        download: 75_000_000,
        ..ModelOffer::default()
    };
    model.settings = Some(Settings { models: vec![offer], ..settings() });
    model.tell("job", "the model whisper-tiny is not installed; `deskhand models install whisper-tiny` downloads 75 MB");
    let mut harness = harness(model);
    harness.click_on("Install Whisper tiny, 75\u{a0}MB");
    let install = SettingsChange::Install { model: "whisper-tiny".into() };
    assert_eq!(harness.state().actions, [Action::Settings(install)]);
    assert!(harness.query_by_label("Put away").is_none());
}

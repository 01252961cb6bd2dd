//! The views that the walk visits, so that each kind of control appears in at least one.

use super::{View, Walk};
use crate::card::deciding::Rejecting;
use crate::desk_tests::session;
use crate::inserts::tests::compressor;
use crate::model::Entry;
use crate::path_question::{PathAnswer, PathQuestion, PathWords};
use crate::preferences::view::Page;
use crate::question::Question;
use crate::testing::{gain_plan, spoken};
use crate::ui_tests::{event, open_model, with_plan, with_two_windows};
use crate::words;
use crate::{
    CaptureMode, CaptureSettings, Model, ModelOffer, Provider, Settings, SoundOutput, Stranger,
};
use deskhand_dsp::effects::{Band, BandShape, Effect, Equalizer, Limiter};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{Apply, CallId, News, Op};
use deskhand_session::{
    Change, Edit, InsertId, InsertOwner, Marker, MarkerId, PlacedInsert, Plan, PlanState,
    PlannedChange, Switch, TrackId,
};
use egui::accesskit::Role;
use egui::{Key, Modifiers, Vec2};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

const APP: Vec2 = Vec2::new(1440.0, 900.0);
const PLUGIN: Vec2 = Vec2::new(900.0, 600.0);
const NARROW: Vec2 = Vec2::new(720.0, 480.0);

const fn view(name: &'static str, model: fn() -> Model, open: fn(&mut Walk)) -> View {
    View { name, size: APP, model, open }
}

const fn hosted(name: &'static str, size: Vec2, model: fn() -> Model) -> View {
    View { name, size, model, open: as_it_is }
}

pub(super) static DESK: [View; 6] = [
    view("a plan on the desk", planned, as_it_is),
    view("no session", nothing, as_it_is),
    view("a session without tracks", no_tracks, as_it_is),
    view("a rejection", rejecting, as_it_is),
    view("a plan in a window of its own", wide, as_it_is),
    view("a conversation", talked, as_it_is),
];

pub(super) static LISTS: [View; 7] = [
    view("the sessions", recent, |walk| press(walk, Role::Button, "Session: open, new, recent")),
    view("new tracks", plain, |walk| press(walk, Role::Button, "Add a track or bus")),
    view("who answers", answerers, |walk| press(walk, Role::Button, "near (qwen)")),
    view("a track", plain, |walk| menu(walk, "Track Vocal")),
    view("a clip", picked, |walk| menu(walk, "Clip Vocal take at 0:00.000")),
    view("a marker", marked, |walk| menu(walk, "Marker Verse")),
    view("the ways of the input", plain, |walk| menu(walk, "Arm Vocal")),
];

pub(super) static SHEETS: [View; 13] = [
    view("the preferences", preferences, as_it_is),
    view("the sound", preferences, |walk| section(walk, "Sound")),
    view("the capture", preferences, |walk| section(walk, "Capture")),
    view("the decisions", preferences, |walk| section(walk, "Decisions")),
    view("the models", preferences, |walk| section(walk, "Models")),
    view("the tools of a session", preferences, |walk| section(walk, "Tools of this session")),
    view("the look", preferences, |walk| section(walk, "Look")),
    view("about", preferences, |walk| section(walk, "About Deskhand")),
    view("a list of the preferences", preferences, |walk| {
        section(walk, "Sound");
        press(walk, Role::ComboBox, "Output");
    }),
    view("the keys", || sheet(Page::Keys), as_it_is),
    view("processors", processors, as_it_is),
    view("windows", || app(with_two_windows()), as_it_is),
    view("notices and calls", noticed, as_it_is),
];

pub(super) static WORDS: [View; 4] = [
    view("the transcript", || said(words::view::Page::Transcript), as_it_is),
    view("the codes", || said(words::view::Page::Codes), as_it_is),
    view("the takes", || said(words::view::Page::Takes), as_it_is),
    view("the assembly", || said(words::view::Page::Assembly), as_it_is),
];

pub(super) static HOSTED: [View; 4] = [
    hosted("a plan in a plugin", PLUGIN, || in_host(with_plan())),
    hosted("a plan in a narrow plugin", NARROW, || in_host(with_plan())),
    hosted("a plugin without a plan", PLUGIN, || in_host(open_model())),
    hosted("a plugin without a session", PLUGIN, || in_host(Model::new())),
];

/// Views whose controls have tests of their own: they are named and read like all others.
pub(super) static MORE: [View; 13] = [
    view("an equalizer with a plan", each_kind, |walk| row(walk, "Equalizer, ")),
    view("a compressor", each_kind, |walk| row(walk, "Compressor, ")),
    view("a de-esser", each_kind, |walk| row(walk, "De-esser, ")),
    view("a gate", each_kind, |walk| row(walk, "Gate, ")),
    view("a limiter", each_kind, |walk| row(walk, "Limiter, ")),
    view("no processors", || processors_of(Vec::new()), as_it_is),
    view("an export", plain, |walk| {
        walk.key_press_modifiers(Modifiers::COMMAND, Key::E);
        walk.run_steps(6);
    }),
    view("the history", planned, as_it_is),
    view("a first start", || app(Model::new()), as_it_is),
    view("a question", planned, |walk| ask(walk, question)),
    view("a question for a path", planned, |walk| ask(walk, path)),
    view("words that were cut", cut_words, as_it_is),
    view("what was cut left out", cut_words, |walk| press(walk, Role::Switch, "Show cuts")),
];

fn ask(walk: &mut Walk, asks: fn(&egui::Context)) {
    walk.state_mut().asks = Some(asks);
    walk.run_steps(4);
}

fn question(context: &egui::Context) {
    let choices = &["Continue here", "Branch from the saved revision"];
    let (title, words) = ("The session went on", "The host saved this project at revision 4.");
    assert_eq!(Question { title, words, choices, escape: None }.show(context), None);
}

fn path(context: &egui::Context) {
    let (title, hint) = ("Open a session", "~/talk.deskhand");
    let words = PathWords { title, hint, takes: &["Open", "New session"] };
    let recent = vec!["/music/quay.deskhand".into()];
    let mut question = PathQuestion::new(String::new(), recent)
        .again(std::path::Path::new("/music/none"), "there is no session there".into());
    assert_eq!(question.show(context, words), PathAnswer::NotYet);
}

fn cut_words() -> Model {
    let mut model = said(words::view::Page::Transcript);
    *session(&mut model) = words::struck::tests::cut(48_000);
    model
}

fn as_it_is(_: &mut Walk) {}

fn press(walk: &mut Walk, role: Role, name: &str) {
    walk.get_by_role_and_label(role, name).click_accesskit();
    walk.run_steps(3);
}

/// Opens a section of the preferences.
fn section(walk: &mut Walk, name: &str) {
    press(walk, Role::Tab, name);
}

/// Opens the menu of something.
fn menu(walk: &mut Walk, name: &str) {
    walk.get_by_label(name).hover();
    walk.run_steps(1);
    walk.get_by_label(name).click_secondary();
    walk.run_steps(3);
}

fn app(mut model: Model) -> Model {
    model.settings = Some(Settings::default());
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model
}

fn in_host(mut model: Model) -> Model {
    model.settings = Some(Settings::default());
    model.live.output = SoundOutput::Host { name: "Ardour".into() };
    model
}

fn plain() -> Model {
    app(open_model())
}

fn planned() -> Model {
    let mut model = app(with_plan());
    model.desk.library.is_open = true;
    model.shows_history = true;
    model
}

fn nothing() -> Model {
    let mut model = app(Model::new());
    model.settings = Some(settings());
    model
}

fn no_tracks() -> Model {
    let mut model = plain();
    model.desk.library.is_open = true;
    let session = session(&mut model);
    (session.tracks, session.clips, session.sources) = Default::default();
    session.track_order.clear();
    model
}

fn rejecting() -> Model {
    let mut model = app(with_plan());
    for card in model.cards.values_mut() {
        card.view.deciding.rejecting =
            Some(Rejecting { reason: "the vocal is loud enough".into(), ..Rejecting::default() });
    }
    model
}

fn wide() -> Model {
    let mut model = app(with_plan());
    model.wide = Some(gain_plan().id);
    model
}

/// A plan that was rejected, and an end that nobody wanted.
fn talked() -> Model {
    let mut model = app(with_plan());
    let (plan, state, reason) = (gain_plan().id, PlanState::Rejected, Some("too loud".to_owned()));
    let (receipt, follows, time_ms) = (None, None, None);
    let decided = News::Decided { plan, state, reason, receipt, follows, time_ms };
    drop(model.hear(&event(3, None, decided)));
    model.entries.push(Entry::Ended("The provider did not answer".into()));
    model.last_asked = "make it louder".into();
    model
}

fn settings() -> Settings {
    Settings { recent: vec!["/music/quay.deskhand".into()], ..Settings::default() }
}

fn recent() -> Model {
    let mut model = plain();
    model.settings = Some(settings());
    model
}

fn providers() -> Vec<Provider> {
    let models = vec!["small".to_owned(), "large".to_owned()];
    let model = "small".to_owned();
    let cloud = Provider { id: "cloud".into(), model, models, ..Provider::default() };
    let near = Provider { id: "near".into(), model: "qwen".into(), ..Provider::default() };
    vec![Provider { needs_key: true, ..cloud }, Provider { is_local: true, ..near }]
}

fn answerers() -> Model {
    let (providers, provider) = (providers(), Some("near".to_owned()));
    let mut model = plain();
    model.settings = Some(Settings { providers, provider, ..Settings::default() });
    model
}

/// The playhead is inside a selected clip.
fn picked() -> Model {
    let mut model = plain();
    let session = session(&mut model);
    let (id, clip) = session.clips.iter().find(|(_, it)| it.name == "Vocal take").unwrap();
    let (id, middle) = (*id, clip.position + Frames(clip.length.0 / 2));
    session.selection.clips.push(id);
    model.live.position = middle;
    model
}

fn marked() -> Model {
    let mut model = plain();
    let (name, position, length) = ("Verse".to_owned(), Frames(96_000), Frames::ZERO);
    let marker = Marker { name, position, length, code: None };
    session(&mut model).markers.insert(MarkerId::new(3), marker);
    model
}

fn sheet(page: Page) -> Model {
    let mut model = plain();
    model.preferences.page = Some(page);
    model
}

fn preferences() -> Model {
    let mut model = sheet(Page::Settings);
    let offer = |id: &str| ModelOffer { id: id.into(), title: id.into(), ..ModelOffer::default() };
    let kept = ModelOffer { is_installed: true, ..offer("kept") };
    let busy = ModelOffer { is_busy: true, ..offer("busy") };
    let name = "reverse".to_owned();
    let stranger = Stranger { file: "reverse.toml".into(), name, ..Stranger::default() };
    let mode = CaptureMode::Rolling;
    model.settings = Some(Settings {
        devices: vec!["Speakers".into(), "Headphones".into()],
        rates: vec![44_100, 48_000],
        buffers: vec![256, 512],
        providers: providers(),
        provider: Some("cloud".into()),
        takes_servers: true,
        capture: Some(CaptureSettings { mode, minutes: 5, most_gb: 10 }),
        models: vec![offer("new"), kept, busy],
        strangers: vec![stranger],
        ..Settings::default()
    });
    model
}

fn processors() -> Model {
    processors_of(vec![compressor(), compressor()])
}

fn processors_of(effects: Vec<Effect>) -> Model {
    let mut model = plain();
    let on = InsertOwner::Track(TrackId::new(1));
    for (index, effect) in (0..).zip(effects) {
        let placed = PlacedInsert { on, index, switch: Switch::On, effect };
        session(&mut model).inserts.insert(InsertId::new(u64::from(index) + 1), placed);
    }
    model.desk.inserts.open = Some(on);
    model
}

/// Shows a processor of the chain.
fn row(walk: &mut Walk, begins: &str) {
    walk.get_by_label_contains(begins).click_accesskit();
    walk.run_steps(3);
}

/// One processor of each kind, and a plan for the equalizer.
fn each_kind() -> Model {
    let bands = |gain| {
        let band =
            |(shape, frequency_hz)| Band { shape, frequency_hz, gain: Decibels(gain), q: 1.0 };
        let shapes =
            [(BandShape::LowCut, 80.0), (BandShape::Bell, 900.0), (BandShape::Bell, 3200.0)];
        Effect::Equalizer(Equalizer { bands: shapes.map(band).into() })
    };
    let kind = |kind: &str, rest: serde_json::Value| -> Effect {
        let mut written = json!({"kind": kind, "threshold": -30.0, "range_db": 6.0});
        written.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        serde_json::from_value(written).unwrap()
    };
    let de_esser = kind("de_esser", json!({"frequency_hz": 6000.0}));
    let gate = json!({"ratio": 10.0, "hysteresis_db": 4.0, "attack_ms": 1.0, "hold_ms": 40.0,
        "release_ms": 120.0});
    let (gain, ceiling) = (Decibels(6.0), Decibels(-1.0));
    let limiter = Effect::Limiter(Limiter { gain, ceiling, release_ms: 80.0 });
    let all = vec![bands(0.0), compressor(), de_esser, kind("gate", gate), limiter];
    let mut model = processors_of(all);
    let id = InsertId::new(1);
    let before = session(&mut model).inserts[&id].clone();
    let after = PlacedInsert { effect: bands(2.5), ..before.clone() };
    let change = Change::SetInsert(Edit::new(id, Some(before), Some(after)));
    let changes = vec![PlannedChange::new(1, change, "Vocal".into(), "it is dull".into())];
    let plan = Plan { changes, findings: Vec::new(), predicted: Vec::new(), ..gain_plan() };
    drop(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })));
    model
}

/// A question, what went wrong, and two calls that run.
fn noticed() -> Model {
    let mut model = plain();
    let choices = vec!["the first".into(), "the last".into()];
    let question = ("notice_1", NoticeKind::Query, "Which take?", choices);
    let fault = ("notice_2", NoticeKind::Error, "The disk is full", Vec::new());
    for (number, (id, kind, words, choices)) in (2..).zip([question, fault]) {
        let notice = Notice { choices, ..Notice::new(id.into(), kind, words.into(), 0) };
        drop(model.hear(&event(number, None, News::Notice { notice })));
    }
    for (number, call) in (4..).zip([8, 9]) {
        let (tool, params) = ("import_audio".to_owned(), json!({"files": ["a.wav"]}));
        model.sent(CallId(call), &Op::Call { tool, params, apply: Apply::ByPolicy });
        let progress = News::Progress { fraction: 0.25, what: "reading a.wav".into() };
        drop(model.hear(&event(number, Some(CallId(call)), progress)));
    }
    model
}

fn said(page: words::view::Page) -> Model {
    let mut model = plain();
    *session(&mut model) = spoken();
    (model.desk.words.is_open, model.desk.words.page) = (true, page);
    model
}

//! The views as pictures. `UPDATE_SNAPSHOTS=true` writes new ones: look at each before it is committed.
//!
//! Where no graphics adapter is found, not even one in software, they are skipped, and say so.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use deskhand_editor::{
    FileCall, Instance, Learning, Model, ModelOffer, NoWaves, PathQuestion, PathWords, Provider,
    Question, Settings, SoundOutput, Waves, install, show, show_plugin,
};
use deskhand_pictures::{
    Dialogue, Song, Stage, bare, brightened, chosen, cuts, exports, fillers, forward, in_parts,
    interview, landed, linked, permitted, processors, receipt, song,
};
use deskhand_protocol::desk::NoticeKind;
use egui::vec2;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_kittest::{Harness, SnapshotOptions};
use std::panic::catch_unwind;
use std::path::PathBuf;

type View = fn(&mut egui::Ui, &mut Model, &dyn Waves) -> Vec<deskhand_editor::Action>;

struct Picture {
    name: String,
    size: (f32, f32),
    scale: f32,
    view: View,
    model: Model,
    waves: Box<dyn Waves>,
    /// What is clicked before the picture, by name.
    clicks: &'static [&'static str],
    /// Whose menu is open in the picture, by name.
    menu: Option<&'static str>,
}

/// An interview, with the words open at a page.
fn words(name: &'static str, clicks: &'static [&'static str]) -> Picture {
    let mut song = Song::default();
    let mut model = song.open_with(interview());
    model.live.motion = deskhand_editor::Motion::Playing;
    model.live.position = deskhand_dsp::Frames(48_000 * 30 + 10_000);
    Picture { clicks, ..picture(name, WINDOW, (model, song)) }
}

/// The same in the light theme.
fn light(mut picture: Picture) -> Picture {
    picture.model.set_light(true);
    picture.model.settings.iter_mut().for_each(|settings| settings.is_light = true);
    picture
}

/// A song with selected time, and an open menu.
fn menu(name: &'static str, menu: &'static str) -> Picture {
    let mut song = Song::default();
    let mut model = song.open_with(song::selected());
    song.remember(&mut model);
    Picture { menu: Some(menu), ..picture(name, WINDOW, (model, song)) }
}

/// A song with its steps.
fn history() -> Picture {
    let mut song = Song::default();
    let mut model = song.open();
    song.remember(&mut model);
    Picture { clicks: &["History"], ..picture("history", WINDOW, (model, song)) }
}

fn talked(plan: deskhand_session::Plan) -> (Model, Song) {
    let mut song = Song::default();
    let mut model = song.open();
    song.asked(&mut model);
    song.review(&mut model, plan);
    (model, song)
}

/// A plan that was taken in part, with its receipt.
fn received() -> (Model, Song) {
    let (mut model, mut song) = talked(forward());
    song.apply(&mut model, receipt(&forward()));
    (model, song)
}

/// A clip and a time are selected, and the composer says so.
fn asking(name: &'static str) -> Picture {
    let mut song = Song::default();
    let mut model = song.open_with(chosen());
    let near = Provider { id: "near".into(), model: "qwen3".into(), ..Provider::default() };
    let (id, needs_key) = ("cloud".to_owned(), true);
    let cloud = Provider { id, model: "large".into(), needs_key, ..Provider::default() };
    let (providers, provider) = (vec![near, cloud], Some("near".to_owned()));
    model.settings = Some(Settings { providers, provider, ..Settings::default() });
    picture(name, WINDOW, (model, song))
}

/// The provider that was chosen there needs a key.
fn asking_key(name: &'static str) -> Picture {
    let clicks = &["near (qwen3)", "cloud (large), no key yet"];
    Picture { clicks, ..asking(name) }
}

/// A plan for two readers, which is being heard.
fn heard() -> Picture {
    let dialogue = Dialogue::read().unwrap();
    let (model, waves) = (dialogue.heard(), Box::new(dialogue));
    Picture { waves, ..picture("heard", WINDOW, (model, Song::default())) }
}

/// A session of a REAPER project, whose audio is that of the readers.
fn project(name: &'static str, scene: (Model, Song)) -> Picture {
    Picture { waves: Box::new(Dialogue::read().unwrap()), ..picture(name, (1200.0, 820.0), scene) }
}

/// A question below what else was said.
fn notified() -> (Model, Song) {
    let (mut model, mut song) = talked(forward());
    let missing = "nothing is written down there yet; transcribe it first: tool_transcribe";
    let all = [
        (NoticeKind::Info, "The mix is measured from the start to 1:16"),
        (NoticeKind::Query, "Which of the two choruses is the louder one meant to be?"),
        (NoticeKind::Success, "mix.wav is written"),
        (NoticeKind::Error, missing),
        (NoticeKind::Error, "there is nothing to take back; every step is undone"),
        (NoticeKind::Error, "there is nothing to take back; every step is undone"),
    ];
    all.into_iter().for_each(|(kind, words)| song.notify(&mut model, kind, words));
    (model, song)
}

/// Where the system has no dialog, a path is asked for above the window.
fn asks_for_path(
    ui: &mut egui::Ui,
    model: &mut Model,
    waves: &dyn Waves,
) -> Vec<deskhand_editor::Action> {
    let out = show_plugin(ui, model, waves);
    let recent = ["/music/harbour.deskhand", "/music/Deskhand/2026-11-23.deskhand"].map(Into::into);
    let path = "/music/Deskhand/2026-11-25.deskhand";
    let question = PathQuestion::new(String::new(), recent.into());
    let failed = "that folder holds no session; choose one that does, or make a new one".to_owned();
    let takes = &["Open", "Make a new one there"];
    let words = PathWords { title: "Open a session", hint: "a folder", takes };
    question.again(path.as_ref(), failed).show(ui.ctx(), words);
    out
}

/// The window of the app is asked to close while something runs.
fn asks_to_close(
    ui: &mut egui::Ui,
    model: &mut Model,
    waves: &dyn Waves,
) -> Vec<deskhand_editor::Action> {
    let out = show(ui, model, waves);
    let question = Question {
        title: "Work goes on",
        words: "It goes on for 30 seconds, and is then stopped.",
        choices: &["Stay", "Close now"],
        escape: Some(0),
    };
    assert_eq!(question.show(ui.ctx()), None);
    out
}

fn picture(name: &str, size: (f32, f32), (model, song): (Model, Song)) -> Picture {
    let (name, waves) = (name.to_owned(), Box::new(song));
    Picture { name, size, scale: 1.0, view: show, model, waves, clicks: &[], menu: None }
}

/// What a person can set: two providers, one without its key, two models, devices.
fn settings() -> Settings {
    let provider = |id: &str, model: &str| Provider {
        id: id.into(),
        model: model.into(),
        ..Provider::default()
    };
    let model = |id: &str, title: &str, task: &str, is_installed| ModelOffer {
        id: id.into(),
        title: title.into(),
        task: task.into(),
        license: "MIT".into(),
        download: 73_000_000,
        size: 73_000_000,
        is_installed,
        ..ModelOffer::default()
    };
    Settings {
        devices: vec!["Speakers".into(), "Headphones".into()],
        rates: vec![44_100, 48_000],
        buffers: vec![256, 512],
        providers: vec![
            Provider { needs_key: true, ..provider("anthropic", "claude-sonnet-4-5") },
            Provider { is_local: true, ..provider("ollama", "qwen3") },
        ],
        provider: Some("anthropic".into()),
        takes_servers: true,
        models: vec![
            model("stems", "Stems", "separation", true),
            model("words", "Words", "transcription", false),
        ],
        recent: vec!["/music/harbour.deskhand".into()],
        ..Settings::default()
    }
}

/// A view dark and light, at 100 and 150 %.
fn in_all_looks(
    name: &str,
    (size, view): ((f32, f32), View),
    clicks: &'static [&'static str],
    scene: fn() -> (Model, Song),
) -> Vec<Picture> {
    let looks = [("dark", 1.0), ("light", 1.0), ("dark-150", 1.5), ("light-150", 1.5)];
    let one = |(look, scale): (&str, f32)| {
        let (mut model, song) = scene();
        let is_light = look.starts_with("light");
        model.settings = Some(Settings { is_light, ..settings() });
        model.set_light(is_light);
        let name = format!("{name}-{look}");
        Picture { scale, view, clicks, ..picture(&name, size, (model, song)) }
    };
    looks.map(one).into()
}

/// The processors of a voice in each look, once in a window of their own, and an equalizer that a plan would add.
fn processors_shown() -> Vec<Picture> {
    const OPEN: &str = "Processors of Lead Vox";
    let pages: [(&str, usize, &'static [&'static str]); 5] = [
        ("gate", 0, &[OPEN]),
        ("equalizer", 1, &[OPEN, "Equalizer, 5 bands"]),
        ("de-esser", 2, &[OPEN, "De-esser, −2.1 dB at 6.4 kHz"]),
        ("compressor", 3, &[OPEN, "Compressor, −3.4 dB"]),
        ("limiter", 4, &[OPEN, "Limiter, −0.8 dB"]),
    ];
    let empty = || {
        let mut song = Song::default();
        (song.open_with(bare()), song)
    };
    let mut all = in_four("processors-empty", &[OPEN], empty);
    for (name, shown, clicks) in pages {
        all.extend(in_four(name, clicks, || processors(shown)));
    }
    let out: &[&str] = &[OPEN, "Show the processors in a window"];
    all.push(Picture { clicks: out, ..picture("processors-window", WINDOW, processors(0)) });
    let planned = Picture { clicks: &[OPEN], ..picture("equalizer-planned", WINDOW, brightened()) };
    all.push(planned);
    all
}

/// A view of the window, dark and light, at 100 and 150 %.
fn in_four(
    name: &str,
    clicks: &'static [&'static str],
    scene: impl Fn() -> (Model, Song),
) -> Vec<Picture> {
    let one = |look: &str, scale| {
        let name = format!("{name}{look}");
        Picture { clicks, scale, ..picture(&name, WINDOW, scene()) }
    };
    let (dark, bright) = ([one("", 1.0), one("-150", 1.5)], [("-light", 1.0), ("-light-150", 1.5)]);
    dark.into_iter().chain(bright.map(|(look, scale)| light(one(look, scale)))).collect()
}

/// A view with the export sheet open, answered as far as a stage.
fn exporting(
    ui: &mut egui::Ui,
    model: &mut Model,
    waves: &dyn Waves,
    stage: Stage,
) -> Vec<deskhand_editor::Action> {
    let frames = egui::Id::unique("frames of an export");
    let frame = ui.data_mut(|data| {
        let frame = data.get_temp_mut_or_default::<usize>(frames);
        *frame += 1;
        *frame
    });
    if frame == 1 {
        let key = egui::Event::Key {
            key: egui::Key::E,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::COMMAND,
        };
        ui.input_mut(|input| input.events.push(key));
    }
    if frame == 3 {
        // A folder that is there: an export into another one is refused.
        drop(model.chosen(FileCall::ExportMix, "/Harbour Lights.wav".as_ref()));
    }
    let actions = show(ui, model, waves);
    exports::respond(model, actions, stage);
    Vec::new()
}

/// The export sheet at each stage, each theme and size.
fn export_pictures() -> Vec<Picture> {
    let one = |name, view: View, clicks| Picture {
        view,
        clicks,
        ..picture(name, WINDOW, talked(forward()))
    };
    let measuring: View = |ui, model, waves| exporting(ui, model, waves, Stage::Measuring);
    let ready: View = |ui, model, waves| exporting(ui, model, waves, Stage::Running);
    let written: View = |ui, model, waves| exporting(ui, model, waves, Stage::Done);
    let failed: View = |ui, model, waves| exporting(ui, model, waves, Stage::Failed);
    let podcast = &["MP3", "Podcast"];
    let start = &["Podcast", "Export 1 file"];
    let tracks = &["A file for each track"];
    vec![
        one("export-sheet", ready, podcast),
        light(one("export-sheet-light", ready, podcast)),
        Picture { scale: 1.5, ..one("export-sheet-150", ready, podcast) },
        one("export-measuring", measuring, &[]),
        one("export-tracks", ready, tracks),
        one("export-running", ready, start),
        one("export-done", written, start),
        light(one("export-done-light", written, start)),
        one("export-failed", failed, start),
    ]
}

/// What lies above and beside the main window.
fn around() -> Vec<Picture> {
    let planned = || talked(forward());
    let (sheet, small): ((f32, f32), (f32, f32)) = ((1024.0, 816.0), (900.0, 600.0));
    let session: &[&str] = &["Session: open, new, recent"];
    [
        in_all_looks("preferences", (sheet, show), &["Preferences"], planned),
        in_all_looks("keyboard", (sheet, show), &["Keyboard"], planned),
        in_all_looks("list", (sheet, show), &["Preferences", "Sound", "Rate"], planned),
        in_all_looks("dialog", (small, asks_to_close), &[], planned),
        in_all_looks("menu", (small, show), session, planned),
        in_all_looks("notices", (small, show_plugin), &[], notified),
    ]
    .into_iter()
    .flatten()
    .collect()
}

const WINDOW: (f32, f32) = (1440.0, 900.0);
/// A narrow plugin has the conversation as a tab: the card is alone.
const CARD: (f32, f32) = (720.0, 700.0);

/// A window in which no session is open.
fn first(name: &'static str, model: Model) -> Picture {
    Picture { waves: Box::new(NoWaves), ..picture(name, WINDOW, (model, Song::default())) }
}

/// Somebody was here before.
fn started() -> Model {
    let names = ["Greenhouse talk, episode 12", "Greenhouse talk, episode 11", "Harbour Lights"];
    let path = |name| PathBuf::from(format!("/music/Deskhand/{name}.deskhand"));
    let mut model = Model::new();
    let recent = names.map(path).into();
    model.settings = Some(Settings { recent, ..Default::default() });
    model
}

/// Files are held over the window.
fn held() -> Model {
    let mut model = started();
    let words = "Drop to import 3 files into a new session. Not read: PDF";
    model.held_files = Some(words.into());
    model
}

/// The plugin in Ardour, which plays: it adds 1.5 dB to the first track, whose spectrum falls by 4 dB an octave.
fn hosted(name: &str, (mut model, song): (Model, Song), learning: Option<Learning>) -> Picture {
    let slope = |step: usize| -18.0 - 36.0 * step as f32 / 96.0 + 6.0 * (step as f32 * 0.7).sin();
    let (gain, spectrum) = (deskhand_dsp::Decibels(1.5), (0..96).map(slope).collect());
    let track = model.session().unwrap().track_order[0];
    model.live.instance = Some(Instance { track, gain, spectrum, learning });
    model.live.output = SoundOutput::Host { name: "Ardour".into() };
    model.live.motion = deskhand_editor::Motion::Playing;
    Picture { view: show_plugin, ..picture(name, (900.0, 600.0), (model, song)) }
}

// tidy: table
fn pictures() -> Vec<Picture> {
    let mut song = Song::default();
    let mut before = (song.open_with(bare()), song);
    before.0.live.position = deskhand_dsp::Frames(20_000);
    vec![
        heard(),
        project("project-plan", linked()),
        Picture { clicks: &["2 changes of plan 1"], ..project("project-receipt", landed()) },
        picture("main-dark", WINDOW, talked(forward())),
        light(picture("main-light", WINDOW, talked(forward()))),
        Picture { view: show_plugin, ..picture("card", CARD, talked(forward())) },
        Picture { scale: 2.0, view: show_plugin, ..picture("card-200", CARD, talked(forward())) },
        Picture {
            view: show_plugin,
            clicks: &["Part 2: \"We begin\", take 1 of 2"],
            ..picture("parts", CARD, talked(in_parts()))
        },
        Picture { view: show_plugin, ..picture("fillers", CARD, talked(fillers())) },
        picture("cuts-300", WINDOW, talked(cuts(300))),
        Picture { view: show_plugin, ..picture("permission", CARD, talked(permitted())) },
        Picture {
            view: show_plugin,
            clicks: &["4 changes of plan 1"],
            ..picture("receipt", CARD, received())
        },
        picture("toasts", WINDOW, notified()),
        Picture { view: asks_for_path, ..picture("ask-path", (900.0, 600.0), talked(forward())) },
        Picture { view: asks_to_close, ..picture("ask-close", (900.0, 600.0), talked(forward())) },
        hosted("plugin", talked(forward()), None),
        hosted("plugin-empty", before, Some(Learning::Listening { left: 12 })),
        asking("selection-chips"),
        light(Picture { scale: 1.5, ..asking("selection-chips-light-150") }),
        Picture { view: show_plugin, size: (900.0, 600.0), ..asking("selection-chips-plugin") },
        asking_key("provider-key"),
        light(Picture { scale: 1.5, ..asking_key("provider-key-light-150") }),
        first("empty", Model::new()),
        first("first-start", started()),
        light(first("first-start-light", started())),
        Picture { scale: 1.5, size: (960.0, 600.0), ..first("first-start-150", started()) },
        light(Picture { scale: 1.5, ..first("first-start-light-150", started()) }),
        first("first-start-held", held()),
        words("transcript", &["Words"]),
        light(words("transcript-light", &["Words"])),
        Picture { scale: 1.5, ..words("transcript-150", &["Words"]) },
        Picture { size: (960.0, 600.0), ..words("transcript-narrow", &["Words"]) },
        history(),
        light(Picture { name: "history-light".into(), ..history() }),
        menu("menu-clip", "Clip Lead Vox at 0:22.000"),
        light(menu("menu-track", "Track Guitars")),
        menu("menu-ruler", "Ruler"),
        words("codes", &["Words", "Codes", "Code Money, 3 coded"]),
        Picture { view: show_plugin, size: (900.0, 600.0), ..words("words-plugin", &["Words"]) },
        words("takes", &["Words", "Takes"]),
        words("assembly", &["Words", "Assembly", "Removed: 1"]),
    ]
}

/// Whether anything can render here.
fn can_render() -> bool {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let can = catch_unwind(WgpuTestRenderer::new).is_ok();
    std::panic::set_hook(hook);
    can
}

fn compare(picture: Picture) -> Result<(), String> {
    let Picture { name, size, scale, view, model, waves, clicks, menu } = picture;
    let talks_alone = size == CARD;
    let mut harness = Harness::builder()
        .with_size(vec2(size.0, size.1))
        .with_pixels_per_point(scale)
        .with_context_setup(install)
        .wgpu()
        .build_ui_state(
            move |ui, model| {
                // The views fill the window; the harness leaves a margin.
                let whole = egui::UiBuilder::new().max_rect(ui.ctx().content_rect());
                let mut whole = ui.new_child(whole);
                whole.set_clip_rect(ui.ctx().content_rect());
                drop(view(&mut whole, model, waves.as_ref()));
            },
            model,
        );
    harness.run_steps(4);
    if talks_alone {
        harness.get_by_label("Conversation").click();
        harness.run_steps(4);
    }
    for name in clicks {
        harness.get_by_label(name).click();
        harness.run_steps(4);
    }
    if let Some(menu) = menu {
        let at = harness.get_by_label(menu).rect().center();
        harness.hover_at(at);
        harness.run_steps(1);
        harness.get_by_label(menu).click_secondary();
    }
    harness.run_steps(8);
    // Rasterizers differ in a few pixels of text and of thin lines; a view that moved differs in thousands.
    let options = SnapshotOptions::new()
        .threshold(2.0)
        .max_failed_pixels((size.0 * size.1 * scale * scale / 4_000.0) as usize);
    harness.try_snapshot_options(&name, &options).map_err(|error| error.to_string())
}

#[test]
fn the_views_look_as_they_did_when_somebody_looked() {
    if !can_render() {
        eprintln!(
            "SKIPPED: no graphics adapter, not even in software: install mesa-vulkan-drivers"
        );
        return;
    }
    let all =
        pictures().into_iter().chain(around()).chain(processors_shown()).chain(export_pictures());
    let failed: Vec<String> = all.filter_map(|it| compare(it).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

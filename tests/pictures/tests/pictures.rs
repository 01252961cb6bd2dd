//! The views as pictures. `UPDATE_SNAPSHOTS=true` writes new ones: look at each before it is committed.
//!
//! Where no graphics adapter is found, not even one in software, they are skipped, and say so.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use deskhand_editor::{
    FileCall, Instance, Learning, Model, NoWaves, PathQuestion, PathWords, Question, SoundOutput,
    Waves, install, show, show_plugin,
};
use deskhand_pictures::{
    Dialogue, Song, Stage, bare, cuts, exports, fillers, forward, in_parts, interview, permitted,
};
use deskhand_protocol::desk::NoticeKind;
use egui::vec2;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_kittest::{Harness, SnapshotOptions};
use std::panic::catch_unwind;

type View = fn(&mut egui::Ui, &mut Model, &dyn Waves) -> Vec<deskhand_editor::Action>;

struct Picture {
    name: &'static str,
    size: (f32, f32),
    scale: f32,
    view: View,
    model: Model,
    waves: Box<dyn Waves>,
    /// What is clicked before the picture, by name.
    clicks: &'static [&'static str],
}

/// An interview, with the words open at a page.
fn words(name: &'static str, clicks: &'static [&'static str]) -> Picture {
    let mut song = Song::default();
    let mut model = song.open_with(interview());
    model.live.motion = deskhand_editor::Motion::Playing;
    model.live.position = deskhand_dsp::Frames(48_000 * 30 + 10_000);
    Picture { clicks, ..picture(name, WINDOW, (model, song)) }
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
    song.apply(&mut model, &forward());
    (model, song)
}

/// A plan for two readers, which is being heard.
fn heard() -> Picture {
    let dialogue = Dialogue::read().unwrap();
    let (model, waves) = (dialogue.heard(), Box::new(dialogue));
    Picture { name: "heard", size: WINDOW, scale: 1.0, view: show, model, waves, clicks: &[] }
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
        drop(model.chosen(FileCall::ExportMix, "/home/Harbour Lights.wav".as_ref()));
    }
    let actions = show(ui, model, waves);
    exports::respond(model, actions, stage);
    Vec::new()
}

/// The export sheet at each stage, each theme and size.
fn export_pictures() -> Vec<Picture> {
    let light = || {
        let mut light = talked(forward());
        light.0.set_light(true);
        light
    };
    let one = |name, view: View, clicks| Picture {
        view,
        clicks,
        ..picture(name, WINDOW, talked(forward()))
    };
    let measuring: View = |ui, model, waves| exporting(ui, model, waves, Stage::Measuring);
    let ready: View = |ui, model, waves| exporting(ui, model, waves, Stage::Running);
    let done: View = |ui, model, waves| exporting(ui, model, waves, Stage::Done);
    let failed: View = |ui, model, waves| exporting(ui, model, waves, Stage::Failed);
    let podcast = &["MP3", "Podcast"];
    let tracks = &["A file for each track"];
    let started = &["Podcast", "Export 1 file"];
    vec![
        one("export-sheet", ready, podcast),
        Picture { view: ready, clicks: podcast, ..picture("export-sheet-light", WINDOW, light()) },
        Picture { scale: 1.5, ..one("export-sheet-150", ready, podcast) },
        one("export-measuring", measuring, &[]),
        one("export-tracks", ready, tracks),
        one("export-progress", ready, started),
        one("export-done", done, started),
        Picture { view: done, clicks: started, ..picture("export-done-light", WINDOW, light()) },
        one("export-failed", failed, started),
    ]
}

fn picture(name: &'static str, size: (f32, f32), (model, song): (Model, Song)) -> Picture {
    Picture { name, size, scale: 1.0, view: show, model, waves: Box::new(song), clicks: &[] }
}

const WINDOW: (f32, f32) = (1440.0, 900.0);
/// A narrow plugin has the conversation as a tab: the card is alone.
const CARD: (f32, f32) = (720.0, 700.0);

/// An instance that adds 1.5 dB to the first track, whose spectrum falls by 4 dB an octave.
fn instance(model: &Model, learning: Option<Learning>) -> Option<Instance> {
    let track = *model.session()?.track_order.first()?;
    let slope = |step: usize| -18.0 - 36.0 * step as f32 / 96.0 + 6.0 * (step as f32 * 0.7).sin();
    let gain = deskhand_dsp::Decibels(1.5);
    Some(Instance { track, gain, spectrum: (0..96).map(slope).collect(), learning })
}

// tidy: table
fn pictures() -> Vec<Picture> {
    let mut light = talked(forward());
    light.0.set_light(true);
    let mut hosted = talked(forward());
    hosted.0.live.output = SoundOutput::Host { name: "Ardour".into() };
    hosted.0.live.motion = deskhand_editor::Motion::Playing;
    hosted.0.live.instance = instance(&hosted.0, None);
    let mut song = Song::default();
    let mut before = (song.open_with(bare()), song);
    before.0.live.output = SoundOutput::Host { name: "Ardour".into() };
    before.0.live.motion = deskhand_editor::Motion::Playing;
    before.0.live.position = deskhand_dsp::Frames(20_000);
    before.0.live.instance = instance(&before.0, Some(Learning::Listening { left: 12 }));
    let empty = Picture {
        name: "empty",
        size: WINDOW,
        scale: 1.0,
        view: show,
        model: Model::new(),
        waves: Box::new(NoWaves),
        clicks: &[],
    };
    vec![
        heard(),
        picture("main-dark", WINDOW, talked(forward())),
        picture("main-light", WINDOW, light),
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
        Picture { view: show_plugin, ..picture("plugin", (900.0, 600.0), hosted) },
        Picture { view: show_plugin, ..picture("plugin-empty", (900.0, 600.0), before) },
        empty,
        words("transcript", &["Words"]),
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
    let Picture { name, size, scale, view, model, waves, clicks } = picture;
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
    harness.run_steps(8);
    // Rasterizers differ in a few pixels of text and of thin lines; a view that moved differs in thousands.
    let options = SnapshotOptions::new()
        .threshold(2.0)
        .max_failed_pixels((size.0 * size.1 * scale * scale / 4_000.0) as usize);
    harness.try_snapshot_options(name, &options).map_err(|error| error.to_string())
}

#[test]
fn the_views_look_as_they_did_when_somebody_looked() {
    if !can_render() {
        eprintln!(
            "SKIPPED: no graphics adapter, not even in software: install mesa-vulkan-drivers"
        );
        return;
    }
    let failed: Vec<String> = pictures()
        .into_iter()
        .chain(export_pictures())
        .filter_map(|it| compare(it).err())
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

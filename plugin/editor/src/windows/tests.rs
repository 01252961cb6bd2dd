//! Places of windows, and their distinct icons.

use super::{icon_of, name_of};
use crate::icons;
use crate::resources::{Listed, Resource};
use crate::testing::prelude::*;
use crate::testing::spoken;
use crate::theme::Theme;
use crate::ui_tests::with_two_windows;
use crate::view_tests::with_window;
use crate::windows::view::id;
use deskhand_protocol::desk::{Viewer, Window};
use egui::{Rect, Shape, vec2};

type Bench = Harness<'static, Desk>;

fn window(number: u64, viewer: Viewer, resource: &str) -> Window {
    let (window_id, title) = (format!("window_{number}"), format!("Window {number}"));
    Window { window_id, viewer, resource: resource.into(), title }
}

fn open(model: &mut Model, number: u64) {
    let window = window(number, Viewer::Auto, "deskhand://session");
    drop(model.hear(&event(number + 10, None, News::Window { window })));
}

fn close(model: &mut Model, number: u64) {
    let window_id = format!("window_{number}");
    drop(model.hear(&event(number + 20, None, News::WindowClosed { window_id })));
}

fn bench(model: Model) -> Bench {
    harness(model)
}

fn rect(bench: &Bench, number: u64) -> Rect {
    let id = id(&format!("window_{number}"));
    bench.ctx.memory(|memory| memory.area_rect(id)).unwrap()
}

#[test]
fn a_new_window_does_not_cover_one_that_is_open_and_is_all_in_view() {
    let mut bench = bench(with_two_windows());
    let second = rect(&bench, 2);
    close(&mut bench.state_mut().model, 1);
    bench.run_steps(2);
    open(&mut bench.state_mut().model, 3);
    bench.run_steps(5);
    let third = rect(&bench, 3);
    assert!((third.min - second.min).abs().max_elem() >= 16.0, "{third:?} on {second:?}");
    assert_eq!(rect(&bench, 2), second, "it stays");
    let whole = Rect::from_min_size(egui::Pos2::ZERO, vec2(1440.0, 900.0));
    assert!(whole.contains_rect(third) && whole.contains_rect(second));
}

#[test]
fn a_window_stays_where_it_was_put_and_comes_back_there() {
    let mut bench = bench(with_two_windows());
    let before = rect(&bench, 2);
    let from = bench.get_by_label("Keep Window 2 on top").rect().left_center() - vec2(60.0, 0.0);
    bench.drag(from, from + vec2(40.0, 60.0));
    let put = rect(&bench, 2);
    assert_eq!(put.min - before.min, vec2(40.0, 60.0));
    open(&mut bench.state_mut().model, 3);
    bench.run_steps(3);
    assert_eq!(rect(&bench, 2), put);
    close(&mut bench.state_mut().model, 2);
    bench.run_steps(3);
    open(&mut bench.state_mut().model, 2);
    bench.run_steps(5);
    assert_eq!(rect(&bench, 2).min, put.min);
}

#[test]
fn a_window_has_the_icon_of_what_it_shows() {
    let session = spoken();
    let icon = |viewer, handle: &str, resource: Resource| {
        icon_of(Some(&session), &window(1, viewer, handle), &resource)
    };
    let none = || Resource::Failed("There is no transcript here.".into());
    let file = Listed { name: "mix.wav".into(), detail: "12 MB".into(), handle: None };
    let words = icon(Viewer::Transcript, "deskhand://session", none());
    assert_eq!(words, icons::CHAT_TEXT, "the words are the session's");
    let history = icon(Viewer::Auto, "deskhand://history", Resource::Table(Default::default()));
    assert_eq!(history, icons::CLOCK_COUNTER_CLOCKWISE);
    let folder = icon(Viewer::Auto, "deskhand://files/out", Resource::Listing([file].into()));
    assert_eq!(folder, icons::FOLDER_OPEN);
    let text = icon(Viewer::Auto, "deskhand://files/a.txt", Resource::Text("a".into()));
    assert_eq!(text, icons::TEXT_ALIGN_LEFT);
    assert_eq!(icon(Viewer::Auto, "deskhand://files/b.txt", none()), icons::WARNING_CIRCLE);
}

#[test]
fn a_window_of_sound_says_what_of_it_is_shown() {
    let session = spoken();
    let name = |viewer, title: &str| {
        let window = Window { title: title.into(), ..window(1, viewer, "deskhand://session") };
        name_of(Some(&session), &window, &Resource::Waiting)
    };
    assert_eq!(name(Viewer::Spectrogram, "drums.wav"), "Spectrogram — drums.wav");
    assert_eq!(name(Viewer::Waveform, "drums.wav"), "Waveform — drums.wav");
    assert_eq!(name(Viewer::Transcript, "drums.wav"), "Transcript — drums.wav");
    assert_eq!(name(Viewer::Transcript, "Transcript of drums"), "Transcript of drums");
    assert_eq!(name(Viewer::Table, "Codes"), "Codes", "its title says it");
    let clip = window(1, Viewer::Table, "deskhand://clips/clip_000000000001");
    assert_eq!(name_of(Some(&session), &clip, &Resource::Waiting), "Table — Window 1");
    let mut model = open_model();
    let handle = "deskhand://clips/clip_000000000001";
    let window = Window { title: "Vocal take".into(), ..window(1, Viewer::Spectrogram, handle) };
    drop(model.hear(&event(2, None, News::Window { window })));
    let bench = bench(model);
    assert!(bench.query_by_label("Spectrogram — Vocal take").is_some());
}

#[test]
fn a_window_of_sound_shows_where_the_playhead_is() {
    let (source, start, length) = (SourceId::new(1), Frames::ZERO, Frames(480_000));
    let mut model = with_window(open_model(), Resource::Waveform { source, start, length });
    let window = window(1, Viewer::Waveform, "deskhand://clips/clip_000000000001");
    drop(model.hear(&event(3, None, News::Window { window })));
    model.live.position = Frames(120_000);
    let bench = bench(model);
    let picture = bench.get_by_label("Waveform of Vocal from 0:00.000 to 0:10.000").rect();
    let x = picture.left() + picture.width() / 4.0;
    let is_line = |shape: &Shape| match shape {
        Shape::Rect(it) => {
            let is_there = (it.rect.left() - x).abs() < 1.0 && it.rect.width() < 2.0;
            let is_as_high = (it.rect.height() - picture.height()).abs() < 2.0;
            it.fill == Theme::DARK.playhead && is_there && is_as_high
        }
        _ => false,
    };
    assert!(bench.output().shapes.iter().any(|it| is_line(&it.shape)));
}

//! The windows at their smallest sizes and at large zooms: no control overlaps another, and none is outside
//! the window.

use crate::live::SoundOutput;
use crate::testing::prelude::*;
use crate::testing::spoken;
use crate::waves::{NoWaves, Waves};
use crate::words::view::Page;
use crate::{Layout, Settings, SettingsChange, install, show, show_plugin};
use egui::accesskit::{NodeId, Role};
use egui::{Rect, Shape, UiBuilder, Vec2, vec2};
use egui_kittest::kittest::By;

type View = fn(&mut egui::Ui, &mut Model, &dyn Waves) -> Vec<Action>;

#[derive(Default)]
struct Shown {
    model: Model,
    actions: Vec<Action>,
}

/// A window whose size is `size` at a zoom of 1, with all of it for the view.
fn window(size: Vec2, mut model: Model, view: View) -> Harness<'static, Shown> {
    model.settings.get_or_insert_default();
    let shown = Shown { model, ..Shown::default() };
    let builder = Harness::builder().with_size(size).with_context_setup(install);
    let mut harness = builder.build_ui_state(
        move |ui, shown: &mut Shown| {
            let whole = ui.ctx().content_rect();
            let mut inner = ui.new_child(UiBuilder::new().max_rect(whole));
            inner.set_clip_rect(whole);
            shown.actions.extend(view(&mut inner, &mut shown.model, &NoWaves));
        },
        shown,
    );
    resize(&mut harness, size);
    harness
}

/// Gives a window another size, in points at a zoom of 1: it has fewer points the larger the zoom is.
fn resize(harness: &mut Harness<'_, Shown>, size: Vec2) {
    for _ in 0..8 {
        let points = size / harness.ctx.zoom_factor();
        harness.set_size(points);
        harness.run_steps(1);
    }
}

fn zoomed(size: Vec2, zoom: f32, mut model: Model) -> Harness<'static, Shown> {
    model.settings = Some(Settings { zoom, ..Settings::default() });
    window(size, model, show)
}

/// A control: its name, its rectangle, and the visible part of it.
type Control = (String, Rect, Rect);

fn controls(harness: &Harness<'_, Shown>) -> Vec<Control> {
    let places: Vec<(NodeId, Rect, Rect)> = harness.ctx.viewport(|viewport| {
        let all = viewport.prev_pass.widgets.layers().flat_map(|(_, layer)| layer.iter());
        all.map(|it| (it.id.accesskit_id(), it.rect, it.interact_rect)).collect()
    });
    let mut controls = Vec::new();
    for node in harness.query_all(By::new()) {
        let node = node.accesskit_node();
        let is_control = matches!(
            node.role(),
            Role::Button
                | Role::CheckBox
                | Role::Switch
                | Role::RadioButton
                | Role::Slider
                | Role::Splitter
                | Role::Tab
                | Role::TextInput
                | Role::MultilineTextInput
        );
        let place = places.iter().find(|(id, ..)| *id == node.locate().0);
        if let Some((_, whole, seen)) = place.filter(|_| is_control) {
            controls.push((node.label().unwrap_or_default(), *whole, *seen));
        }
    }
    controls
}

/// Lists controls that overlap another or are cut by the edge of the window. A control that lies completely
/// inside another belongs to it, such as the switches of a track header. Content that scrolls and drawings
/// on the lanes are not checked.
fn faults(harness: &Harness<'_, Shown>) -> Vec<String> {
    let window = harness.ctx.content_rect().expand(1.0);
    let own: Vec<Rect> = ["Conversation area", "Lanes"]
        .iter()
        .filter_map(|name| harness.query_by_label(name).map(|node| node.rect()))
        .collect();
    let all: Vec<Control> =
        controls(harness).into_iter().filter(|(_, _, seen)| seen.is_positive()).collect();
    let mut faults = Vec::new();
    for (index, (name, whole, seen)) in all.iter().enumerate() {
        if !window.contains_rect(*whole) {
            faults.push(format!("{name} at {whole} is out of {window}"));
        }
        for (other, _, place) in &all[index + 1..] {
            let is_own = own.iter().any(|it| it.contains_rect(*seen) && it.contains_rect(*place));
            if !is_own && is_across(*seen, *place) {
                faults.push(format!("{name} at {seen} lies across {other} at {place}"));
            }
        }
    }
    faults
}

fn is_across(a: Rect, b: Rect) -> bool {
    let common = a.intersect(b);
    let is_in = |inner: Rect, outer: Rect| outer.expand(1.0).contains_rect(inner);
    common.width() > 2.0 && common.height() > 2.0 && is_in(a, b) == is_in(b, a)
}

fn is_whole(harness: &Harness<'_, Shown>, names: &[&str], what: &str) {
    let all = controls(harness);
    let is_seen = |name: &str| {
        let is_it = |(known, whole, seen): &Control| {
            known == name && seen.expand(1.0).contains_rect(*whole)
        };
        all.iter().any(is_it)
    };
    let absent: Vec<_> = names.iter().filter(|name| !is_seen(name)).collect();
    assert!(absent.is_empty(), "{what}: {absent:?} cannot be seen");
    assert_eq!(faults(harness), [""; 0], "{what}");
}

/// What the window of the app has at every size.
const APP: [&str; 22] = [
    "Go to the start",
    "Play",
    "Loop",
    "Record",
    "Session: open, new, recent",
    "Undo",
    "Redo",
    "Library",
    "Words",
    "Mixer",
    "History",
    "Light or dark",
    "Keyboard",
    "Preferences",
    "Select and move (V)",
    "Add a track or bus",
    "Show all (0)",
    "Zoom out (−)",
    "Zoom in (+)",
    "Fader Master",
    "Reset meters",
    "Send",
];

#[test]
fn the_window_of_the_app_is_whole_at_every_size_and_zoom() {
    for (size, zooms) in [
        (vec2(900.0, 600.0), &[1.0, 1.3, 2.0][..]),
        (vec2(1440.0, 900.0), &[1.0, 1.3, 2.0][..]),
        (vec2(1580.0, 940.0), &[2.0][..]),
    ] {
        for zoom in zooms {
            for (model, what) in [(open_model(), "a session"), (with_plan(), "a plan")] {
                let what = format!("{what} at {size} and {zoom}");
                let harness = zoomed(size, *zoom, model);
                is_whole(&harness, &APP, &what);
                if harness.state().model.open_plan().is_some() {
                    is_whole(&harness, &["Apply 2 changes", "Hide plan preview"], &what);
                }
            }
        }
    }
}

#[test]
fn an_open_library_folds_the_conversation_before_the_timeline_is_too_narrow() {
    for (size, zooms) in [
        (vec2(720.0, 480.0), &[1.0][..]),
        (vec2(900.0, 600.0), &[1.0, 1.5][..]),
        (vec2(1440.0, 900.0), &[1.0, 1.3, 1.5, 2.0][..]),
        (vec2(1900.0, 1300.0), &[1.5, 2.0][..]),
    ] {
        for zoom in zooms {
            let what = format!("{size} and {zoom}");
            let mut model = with_plan();
            model.desk.library.is_open = true;
            let harness = zoomed(size, *zoom, model);
            let work = harness.get_by_label("Work area").rect();
            assert!(work.width() >= 399.5, "{work} at {what}");
            is_whole(&harness, &["Close the library", "Fader Master", "Reset meters"], &what);
            let way_back = harness.query_by_label("Conversation in place of the library");
            let has_talk = harness.query_by_label("Send").is_some();
            assert_ne!(way_back.is_some(), has_talk, "{what}");
        }
    }
}

#[test]
fn the_words_are_whole_at_every_size_and_zoom() {
    for (size, zooms) in [
        (vec2(900.0, 600.0), &[1.0, 1.5, 2.0][..]),
        (vec2(1440.0, 900.0), &[1.0, 1.15, 1.3, 2.0][..]),
        (vec2(1900.0, 1300.0), &[1.0, 1.5][..]),
    ] {
        for zoom in zooms {
            for page in [Page::Transcript, Page::Codes, Page::Takes, Page::Assembly] {
                let what = format!("{page:?} at {size} and {zoom}");
                let mut model = open_model();
                *crate::desk_tests::session(&mut model) = spoken();
                (model.desk.words.is_open, model.desk.words.page) = (true, page);
                let harness = zoomed(size, *zoom, model);
                is_whole(&harness, &["Close the words", "Send"], &what);
                let words = harness.get_by_label("Words area").rect();
                let work = harness.query_by_label("Work area").map(|node| node.rect());
                assert!(work.is_none_or(|work| !words.intersects(work)), "{what}");
            }
        }
    }
}

#[test]
fn who_goes_to_the_conversation_has_it_in_place_of_the_library() {
    let ways: [fn(&Harness<'_, Shown>); 3] = [
        |harness| harness.get_by_label("Conversation in place of the library").click(),
        |harness| harness.key_press_modifiers(Modifiers::COMMAND, Key::K),
        |harness| harness.get_by_label("Plan 1 waiting for you").click(),
    ];
    let open = |size| {
        let mut model = with_plan();
        model.desk.library.is_open = true;
        window(size, model, show)
    };
    for way in ways {
        let mut harness = open(vec2(900.0, 600.0));
        assert!(harness.query_by_label("Send").is_none());
        way(&harness);
        harness.run_steps(4);
        assert!(harness.query_by_label("Send").is_some());
        assert!(!harness.state().model.desk.library.is_open);
    }
    let mut harness = open(vec2(1440.0, 900.0));
    harness.click_on("Plan 1 waiting for you");
    assert!(harness.state().model.desk.library.is_open, "there is room for both");
}

/// Texts in an area that lie on each other.
fn crossings(harness: &Harness<'_, Shown>, area: Rect) -> Vec<String> {
    let shapes = harness.output().shapes.iter();
    let texts = shapes.filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => {
            let seen = text.visual_bounding_rect().intersect(clipped.clip_rect);
            let is_seen = seen.is_positive() && area.contains(seen.center());
            is_seen.then(|| (text.galley.text().to_owned(), seen))
        }
        _ => None,
    });
    let texts: Vec<(String, Rect)> = texts.collect();
    let mut found = Vec::new();
    for (index, (words, rect)) in texts.iter().enumerate() {
        for (other, place) in &texts[index + 1..] {
            let common = rect.intersect(*place);
            if common.width() > 1.0 && common.height() > 1.0 {
                found.push(format!("{words} at {rect} lies on {other} at {place}"));
            }
        }
    }
    found
}

#[test]
fn no_words_of_the_mixer_lie_on_each_other_in_any_of_its_forms() {
    for (size, zoom, has_library) in [
        (vec2(1440.0, 900.0), 1.0, false),
        (vec2(900.0, 600.0), 1.0, false),
        (vec2(900.0, 600.0), 1.0, true),
        (vec2(1440.0, 900.0), 1.3, true),
    ] {
        let mut model = open_model();
        model.desk.library.is_open = has_library;
        let harness = zoomed(size, zoom, model);
        let mixer = harness.get_by_label("Mixer area").rect();
        assert_eq!(crossings(&harness, mixer), [""; 0], "{size} at {zoom}");
    }
}

#[test]
fn a_mixer_with_little_room_has_narrow_strips_and_nothing_lies_across_another() {
    let mut model = open_model();
    model.desk.library.is_open = true;
    let harness = zoomed(vec2(1440.0, 900.0), 1.3, model);
    let mixer = harness.get_by_label("Mixer area").rect();
    let is_seen = |(_, _, seen): &Control| seen.is_positive() && mixer.contains(seen.center());
    let all: Vec<Control> = controls(&harness).into_iter().filter(is_seen).collect();
    let strips = ["Fader Vocal", "Fader Guitar", "Mute Guitar", "Processors of Guitar"];
    for wanted in strips.into_iter().chain(["Fader Master"]) {
        let found = all.iter().find(|(name, ..)| name == wanted);
        let (_, whole, seen) = found.unwrap_or_else(|| panic!("{wanted} is not in the mixer"));
        assert!(seen.expand(1.0).contains_rect(*whole), "{wanted} is cut");
    }
    for (index, (name, _, seen)) in all.iter().enumerate() {
        let across = all[index + 1..].iter().find(|(_, _, other)| is_across(*seen, *other));
        assert!(across.is_none(), "{name} lies across {across:?}");
    }
}

#[test]
fn the_window_of_the_plugin_is_whole_from_its_least_size_on() {
    for size in [vec2(720.0, 480.0), vec2(900.0, 600.0), vec2(1600.0, 1000.0)] {
        for mut model in [open_model(), with_plan()] {
            model.live.output = SoundOutput::Host { name: "Ardour".into() };
            let names = ["Timeline", "Mixer", "Words", "History", "Preferences", "Undo"];
            is_whole(&window(size, model, show_plugin), &names, &format!("{size}"));
        }
    }
}

#[test]
fn a_zoom_that_the_window_has_no_room_for_stays_set_and_comes_back() {
    let mut harness = zoomed(vec2(900.0, 600.0), 2.0, open_model());
    assert!((harness.ctx.zoom_factor() - 1.0).abs() < 0.001);
    assert_eq!(harness.state().model.settings.as_ref().unwrap().zoom, 2.0);
    harness.click_on("Preferences");
    harness.click_on("Look");
    assert!(harness.query_by_label_contains("has room for 100\u{a0}%").is_some());
    resize(&mut harness, vec2(1440.0, 900.0));
    assert!((harness.ctx.zoom_factor() - 1.5).abs() < 0.001);
    resize(&mut harness, vec2(1900.0, 1300.0));
    assert!((harness.ctx.zoom_factor() - 2.0).abs() < 0.001);
    assert!(harness.query_by_label_contains("has room for").is_none());
    assert_eq!(harness.state().actions, [], "nobody set anything");
}

#[test]
fn keys_set_a_zoom_and_not_a_larger_one_than_the_window_has_room_for() {
    let mut harness = zoomed(vec2(1440.0, 900.0), 2.0, open_model());
    let press = |harness: &mut Harness<'_, Shown>, key| {
        harness.press_with(Modifiers::COMMAND, key);
        resize(harness, vec2(1440.0, 900.0));
        std::mem::take(&mut harness.state_mut().actions)
    };
    assert!(harness.query_by_label_contains("has room for").is_none());
    assert_eq!(press(&mut harness, Key::Plus), [], "2.0 is more than that already");
    assert!(harness.query_by_label_contains("has room for 150\u{a0}%").is_some(), "and why");
    let set = |zoom| [Action::Settings(SettingsChange::Zoom(zoom))];
    assert_eq!(press(&mut harness, Key::Minus), set(1.4));
    assert!((harness.ctx.zoom_factor() - 1.4).abs() < 0.001);
    assert_eq!(press(&mut harness, Key::Num0), set(1.0));
}

#[test]
fn the_areas_are_resized_by_pointer_and_keys_and_the_mixer_is_put_away() {
    let mut harness = zoomed(vec2(1440.0, 900.0), 1.0, open_model());
    let rect = |harness: &Harness<'_, Shown>, name: &str| harness.get_by_label(name).rect();
    let talk = rect(&harness, "Conversation area");
    let edge = rect(&harness, "Width of the conversation").center();
    harness.hover_at(edge);
    harness.run_steps(1);
    harness.drag_at(edge);
    harness.run_steps(2);
    for by in [10.0, 40.0] {
        harness.hover_at(edge - vec2(by, 0.0));
        harness.run_steps(2);
    }
    harness.drop_at(edge - vec2(40.0, 0.0));
    harness.run_steps(3);
    let wide = rect(&harness, "Conversation area").width();
    assert!((wide - talk.width() - 40.0).abs() < 2.0, "{wide}");
    let layout = harness.state().model.settings.as_ref().unwrap().layout;
    assert_eq!(harness.state().actions, [Action::Settings(SettingsChange::Layout(layout))]);
    harness.focus_on("Height of the mixer");
    harness.press(Key::ArrowDown);
    assert!((rect(&harness, "Mixer area").height() - 272.0).abs() < 0.5);
    harness.click_on("Mixer");
    assert!(harness.query_by_label("Mixer area").is_none());
    let put_away = Layout { hides_mixer: true, mixer: 272.0, ..layout };
    let last = Action::Settings(SettingsChange::Layout(put_away));
    assert_eq!(harness.state().actions.last(), Some(&last));
}

#[test]
fn a_track_is_as_high_as_it_was_set() {
    for track in [52.0, 120.0] {
        let mut model = open_model();
        let layout = Layout { track, ..Layout::default() };
        model.settings = Some(Settings { layout, ..Settings::default() });
        let harness = window(vec2(1440.0, 900.0), model, show);
        let header = harness.get_by_label("Track Vocal").rect();
        assert!((header.height() - track).abs() < 0.5, "{header}");
        assert_eq!(faults(&harness), [""; 0], "{track}");
    }
}

#[test]
fn the_longest_names_stay_in_their_places_and_the_pointer_shows_them_whole() {
    // Marks that turn the direction of writing are allowed in names.
    let name = format!("\u{202e}{}", "Long\u{200f} name ".repeat(18));
    let mut model = with_plan();
    let session = crate::desk_tests::session(&mut model);
    session.tracks.values_mut().for_each(|track| track.name.clone_from(&name));
    session.clips.values_mut().for_each(|clip| clip.name.clone_from(&name));
    session.sources.values_mut().for_each(|source| source.name.clone_from(&name));
    model.desk.library.is_open = true;
    let mut harness = window(vec2(1440.0, 900.0), model, show);
    assert_eq!(faults(&harness), [""; 0]);
    let mut seen = 0;
    for clipped in &harness.output().shapes {
        let Shape::Text(text) = &clipped.shape else { continue };
        if text.galley.text() == name {
            seen += 1;
            assert_eq!(text.galley.rows.len(), 1);
            let (wide, room) = (text.galley.size().x, clipped.clip_rect.width());
            assert!(wide <= room + 1.0, "{wide} in {room}");
        }
    }
    assert!(seen >= 6, "headers, clips, strips and sources: {seen}");
    let is_told = |harness: &Harness<'_, Shown>| {
        harness.query_all_by_role(Role::Label).any(|node| node.value().as_deref() == Some(&*name))
    };
    assert!(!is_told(&harness));
    let header = format!("Track {name}");
    let node = harness.query_all_by_label(&header).next().unwrap();
    let at = node.rect().left_top() + vec2(80.0, 20.0);
    harness.hover_at(at);
    harness.run_steps(6);
    assert!(is_told(&harness), "the pointer shows the whole name");
}

#[test]
fn what_says_that_a_plan_waits_leads_to_its_card() {
    let mut model = with_plan();
    let talked = (0..60).map(|line| crate::Entry::Told(format!("Line {line}")));
    model.entries.extend(talked);
    let mut harness = window(vec2(1440.0, 900.0), model, show);
    for name in ["Plan 1 waiting for you", "Plan 1 preview"] {
        harness.state_mut().model.goes_to_newest = true;
        harness.run_steps(6);
        let is_seen = |harness: &Harness<'_, Shown>| {
            let apply = "Apply 2 changes";
            controls(harness).iter().any(|(name, _, seen)| name == apply && seen.is_positive())
        };
        assert!(!is_seen(&harness), "{name}");
        harness.get_by_label(name).click();
        harness.run_steps(6);
        assert!(is_seen(&harness), "{name}");
    }
}

//! A number used as a person uses it.

use super::*;
use crate::kit::Cx;
use crate::testing::prelude::*;
use egui::accesskit::Role;
use egui::{Rect, pos2};

const GAIN: Number<'static> = Number {
    name: "Gain",
    unit: "dB",
    ends: (-30.0, 24.0),
    usual: 0.0,
    step: 0.5,
    decimals: 1,
    is_signed: true,
    law: Law::Linear,
    turns: Turns::Hovered,
};

/// Its value, and each change.
type Set = (f64, Vec<Turned>);

fn shown(draw: impl Fn(&mut egui::Ui, f64) -> Option<Turned> + 'static) -> Harness<'static, Set> {
    let builder =
        Harness::builder().with_size(vec2(200.0, 100.0)).with_context_setup(crate::install);
    let mut harness = builder.build_ui_state(
        move |ui, (now, all): &mut Set| {
            if let Some(turned) = draw(ui, *now) {
                *now = turned.value;
                all.push(turned);
            }
        },
        (3.0, Vec::new()),
    );
    harness.run_steps(2);
    harness
}

fn place() -> Rect {
    Rect::from_min_size(pos2(20.0, 20.0), vec2(108.0, 28.0))
}

fn field() -> Harness<'static, Set> {
    shown(|ui, now| GAIN.field(ui, place(), now))
}

fn slider() -> Harness<'static, Set> {
    shown(|ui, now| GAIN.slider(&Cx::new(ui), place(), now))
}

fn wheel(harness: &mut Harness<'_, Set>, notches: f32) {
    harness.hover_at(place().center());
    harness.run_steps(1);
    harness.input_mut().events.push(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, notches),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: egui::MouseWheelSource::Wheel,
    });
    harness.run_steps(2);
}

#[test]
fn a_click_types_and_enter_sets_and_esc_leaves() {
    let mut harness = field();
    harness.click_role(Role::SpinButton, "Gain");
    harness.event(egui::Event::Text("-6,5 dB".into()));
    harness.run_steps(1);
    harness.press(Key::Enter);
    assert_eq!(harness.state().0, -6.5);
    assert!(harness.get_by_role_and_label(Role::SpinButton, "Gain").is_focused());
    harness.press(Key::Enter);
    harness.event(egui::Event::Text("9".into()));
    harness.run_steps(1);
    harness.press(Key::Escape);
    assert_eq!(harness.state().0, -6.5);
    let node = harness.get_by_role_and_label(Role::SpinButton, "Gain");
    assert_eq!(node.accesskit_node().value().as_deref(), Some("−6.5\u{a0}dB"));
}

#[test]
fn a_double_click_sets_the_default_in_both() {
    for mut harness in [field(), slider()] {
        let at = place().center();
        harness.ctx.options_mut(|options| options.input_options.max_double_click_delay = 5.0);
        harness.hover_at(at);
        harness.run_steps(1);
        for _ in 0..2 {
            harness.drag_at(at);
            harness.drop_at(at);
            harness.run_steps(1);
        }
        harness.run_steps(3);
        assert_eq!(harness.state().0, GAIN.usual);
    }
}

#[test]
fn arrow_keys_and_the_wheel_step_and_shift_is_fine() {
    for (mut harness, role) in [(field(), Role::SpinButton), (slider(), Role::Slider)] {
        harness.get_by_role_and_label(role, "Gain").focus();
        harness.run_steps(2);
        harness.press(Key::ArrowUp);
        assert_eq!(harness.state().0, 3.5);
        harness.press_with(Modifiers::SHIFT, Key::ArrowDown);
        assert!((harness.state().0 - 3.5).abs() < 0.11, "{}", harness.state().0);
        wheel(&mut harness, -1.0);
        assert!(harness.state().0 < 3.1, "{}", harness.state().0);
        assert!(harness.state().1.iter().all(|turned| turned.is_set));
    }
}

#[test]
fn a_drag_previews_and_sets_once_at_its_end() {
    for mut harness in [field(), slider()] {
        let from = place().center();
        harness.drag(from, from + vec2(20.0, 0.0));
        let (value, all) = harness.state();
        assert!(*value > 4.0, "{value}");
        assert_eq!(all.iter().filter(|turned| turned.is_set).count(), 1);
        assert!(all.last().is_some_and(|turned| turned.is_set && turned.value == *value));
    }
}

#[test]
fn numbers_are_shown_and_read_in_their_units() {
    let ends = (20.0, 20_000.0);
    let frequency = Number { unit: "Hz", ends, law: Law::Log, step: 240.0, ..Number::default() };
    assert_eq!(frequency.text(900.0), "900\u{a0}Hz");
    assert_eq!(frequency.text(2_800.0), "2.8\u{a0}kHz");
    for (text, value) in [("2.8k", 2_800.0), ("2,8 kHz", 2_800.0), ("900 hz", 900.0), ("5", 20.0)] {
        assert_eq!(frequency.read(text), Some(value), "{text}");
    }
    assert_eq!(frequency.read("loud"), None);
    assert!((frequency.value(frequency.place(632.0)) - 632.0).abs() < 1.0);
    let ratio = Number { unit: ":1", ends: (1.0, 20.0), decimals: 1, ..Number::default() };
    assert_eq!((ratio.text(3.0).as_str(), ratio.read("4:1")), ("3.0:1", Some(4.0)));
}

//! The bars above the work, in the window of the app and in the plugin's: by the keyboard, and for a reader of the
//! screen.

use crate::testing::prelude::*;
use crate::{NoWaves, Settings, SoundOutput, install, show, show_plugin};
use egui::accesskit::Role;
use egui::{Ui, Vec2, vec2};

/// A window of that size, in which a plan waits: the app's, or the plugin's.
fn window(is_hosted: bool, size: Vec2) -> Harness<'static, Desk> {
    let mut model = with_plan();
    model.settings = Some(Settings::default());
    if is_hosted {
        model.live.output = SoundOutput::Host { name: "Ardour".into() };
    }
    let desk = Desk { model, ..Desk::default() };
    let builder = Harness::builder().with_size(size).with_context_setup(install);
    let draw = move |ui: &mut Ui, desk: &mut Desk| {
        let view = if is_hosted { show_plugin } else { show };
        desk.actions.extend(view(ui, &mut desk.model, &NoWaves));
    };
    let mut harness = builder.build_ui_state(draw, desk);
    harness.run_steps(5);
    harness
}

/// Presses Tab from the first of these controls, from left to right, to each of the others.
fn goes_through(harness: &mut Harness<'_, Desk>, names: &[&str]) {
    harness.get_by_role_and_label(Role::Button, names[0]).focus();
    harness.run_steps(2);
    let place = |harness: &Harness<'_, Desk>, name: &str| {
        harness.get_by_role_and_label(Role::Button, name).rect().left()
    };
    for two in names.windows(2) {
        harness.press(Key::Tab);
        let next = harness.get_by_role_and_label(Role::Button, two[1]);
        assert!(next.is_focused(), "\"{}\" behind \"{}\"", two[1], two[0]);
        assert!(place(harness, two[0]) < place(harness, two[1]), "{two:?}");
    }
}

const SESSION: &str = crate::session_menu::NAME;

#[test]
fn tab_goes_through_the_bars_from_left_to_right() {
    let mut app = window(false, vec2(1440.0, 900.0));
    let transport = ["Go to the start", "Loop"];
    let views = ["Library", "Words", "Mixer", "History", "Light or dark"];
    let [steps, sheets] = [["Undo", "Redo"], ["Keyboard", "Preferences"]];
    let bar = [&transport[..], &[SESSION], &steps, &views, &sheets].concat();
    goes_through(&mut app, &bar);
    let zoom =
        ["Plan 1 preview", "Hide plan preview", "Show all (0)", "Zoom out (−)", "Zoom in (+)"];
    goes_through(&mut app, &zoom);
    let mut plugin = window(true, vec2(900.0, 600.0));
    let bar = [SESSION, "Undo", "Redo", "History", "Keyboard", "Preferences"];
    goes_through(&mut plugin, &bar);
}

#[test]
fn the_name_of_a_button_is_not_said_twice_and_why_it_rests_is_said() {
    let app = window(false, vec2(1440.0, 900.0));
    let said = |name: &str| {
        let button = app.get_by_role_and_label(Role::Button, name);
        button.accesskit_node().description()
    };
    assert_eq!(said("Undo").as_deref(), Some("Nothing to undo (Ctrl Z)"));
    for name in ["Library", "Zoom in (+)", "Reset meters", "Processors of Vocal"] {
        assert_eq!(said(name), None, "{name}");
    }
    assert_eq!(said("Record").as_deref(), Some("Arm a track first: the R on its header"));
}

#[test]
fn only_what_is_on_or_off_is_a_toggle() {
    let app = window(false, vec2(1440.0, 900.0));
    let is_toggle = |name: &str| {
        let button = app.get_by_role_and_label(Role::Button, name);
        button.accesskit_node().toggled().is_some()
    };
    let does = ["Undo", "Redo", "Go to the start", "Play", "Zoom in (+)", "Reset meters", SESSION];
    for name in does {
        assert!(!is_toggle(name), "{name}");
    }
    assert!(!is_toggle("Ask always"), "a click changes what it says");
    for name in ["Loop", "Library", "History", "Select and move (V)", "Local only"] {
        assert!(is_toggle(name), "{name}");
    }
}

//! Every control has an effect. Each clickable one is pressed in some view, and then an action is sent or
//! the window changes its text.

mod contrast;
mod names;
mod views;

use crate::{Action, Model, NoWaves, Theme, install, show, show_plugin};
use egui::accesskit::{self, NodeId, Role, Toggled};
use egui::{Key, Popup, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};
use std::collections::BTreeSet;
use views::{DESK, HOSTED, LISTS, MORE, SHEETS, WORDS};

#[derive(Default)]
struct Shown {
    model: Model,
    actions: Vec<Action>,
    /// A dialog above it all.
    asks: Option<fn(&egui::Context)>,
}

type Walk = Harness<'static, Shown>;

struct View {
    name: &'static str,
    /// Of the window, which is the plugin's where the model is hosted.
    size: Vec2,
    model: fn() -> Model,
    open: fn(&mut Walk),
}

/// Roles that are not pressed: they only show text, hold others, or take keys and not clicks.
const NO_CONTROLS: [Role; 8] = [
    Role::Label,
    Role::Unknown,
    Role::GenericContainer,
    Role::Window,
    Role::Canvas,
    Role::TextInput,
    Role::MultilineTextInput,
    Role::PasswordInput,
];

const MOVED: [Role; 2] = [Role::Slider, Role::Splitter];

/// Those that have nothing to do where they are walked through, by how they begin, and why.
const IDLE: [(&str, &str); 10] = [
    ("Compressor 2, ", "that processor is shown"),
    ("Ruler", "it goes to where the pointer is"),
    ("Select and move (V)", "that tool is taken"),
    ("Show all (0)", "all is in view"),
    ("Zoom out (−)", "nothing is farther away than all"),
    ("Plan 1 preview", "the card is in view"),
    ("Plan 1 waiting for you", "the card is in view"),
    ("Plan 1, Waiting", "the card is in view"),
    ("As the system has it", "that output is taken"),
    ("Resize window", "egui's own edges of a window are for the pointer"),
];

struct Control {
    id: NodeId,
    role: Role,
    name: String,
}

impl Control {
    fn key(&self) -> String {
        format!("{:?} {}", self.role, self.name)
    }

    fn is_idle(&self) -> bool {
        IDLE.iter().any(|(name, _)| self.name.starts_with(name))
    }
}

fn begin(size: Vec2) -> Walk {
    let builder = Harness::builder().with_size(size).with_context_setup(install);
    builder.build_ui_state(
        |ui, shown: &mut Shown| {
            let draw = if shown.model.live.is_hosted() { show_plugin } else { show };
            shown.actions.extend(draw(ui, &mut shown.model, &NoWaves));
            if let Some(asks) = shown.asks {
                asks(ui.ctx());
            }
        },
        Shown::default(),
    )
}

/// Brings a view up as if nobody had touched it.
fn renew(walk: &mut Walk, view: &View) {
    Popup::close_all(&walk.ctx);
    walk.ctx.memory_mut(|memory| {
        if let Some(id) = memory.focused() {
            memory.surrender_focus(id);
        }
    });
    *walk.state_mut() = Shown { model: (view.model)(), ..Shown::default() };
    walk.run_steps(3);
    (view.open)(walk);
    walk.state_mut().actions.clear();
}

/// A view as it is once it has settled.
fn settled(view: &View, theme: &Theme) -> Walk {
    let mut walk = begin(view.size);
    renew(&mut walk, view);
    walk.state_mut().model.is_light = !theme.dark;
    walk.run_steps(6);
    walk
}

/// Everything that can be pressed, except the chosen one of several options.
fn controls(walk: &Walk) -> Vec<Control> {
    let mut all = Vec::new();
    for node in walk.query_all(By::new()) {
        let node = node.accesskit_node();
        let (role, name) = (node.role(), node.label().unwrap_or_default());
        let takes_click = node.data().supports_action(accesskit::Action::Click);
        let is_one_of_several = matches!(role, Role::RadioButton | Role::Tab);
        let is_chosen = is_one_of_several && node.toggled() == Some(Toggled::True);
        let is_control = !NO_CONTROLS.contains(&role) && (takes_click || MOVED.contains(&role));
        if is_control && !is_chosen && !node.is_disabled() && !name.is_empty() {
            all.push(Control { id: node.locate().0, role, name });
        }
    }
    all
}

/// The texts of the window with their places, and the focused one.
fn told(walk: &Walk, with_focus: bool) -> Vec<String> {
    let mut all = Vec::new();
    for node in walk.query_all(By::new()) {
        let node = node.accesskit_node();
        let place = node.bounding_box().map(|it| [it.x0, it.y0, it.x1, it.y1].map(f64::round));
        let words = (node.role(), node.label(), node.value(), node.numeric_value());
        let state = (node.toggled(), node.is_disabled(), with_focus && node.is_focused());
        all.push(format!("{words:?} {state:?} {place:?}"));
    }
    all
}

/// Presses a control. Returns whether that had an effect.
fn does_something(walk: &mut Walk, control: &Control) -> bool {
    let is_moved = MOVED.contains(&control.role);
    let before = told(walk, !is_moved);
    let mut all = walk.query_all(By::new());
    match all.find(|node| node.accesskit_node().locate().0 == control.id) {
        Some(node) if is_moved => node.focus(),
        Some(node) => node.click_accesskit(),
        None => return false,
    }
    drop(all);
    if is_moved {
        walk.run_steps(2);
        for key in [Key::ArrowUp, Key::ArrowLeft] {
            walk.key_press(key);
            walk.run_steps(1);
        }
    }
    (0..3).any(|_| {
        walk.run_steps(1);
        !walk.state().actions.is_empty() || told(walk, !is_moved) != before
    })
}

/// Presses all controls of some views that are not `known`. Returns those that did nothing.
fn dead(views: &[View], mut known: BTreeSet<String>) -> Vec<String> {
    let mut dead = Vec::new();
    for view in views {
        let mut walk = begin(view.size);
        renew(&mut walk, view);
        walk.run_steps(4);
        let before = told(&walk, true);
        walk.run_steps(2);
        assert_eq!(told(&walk, true), before, "{}: something changes by itself", view.name);
        for control in controls(&walk).into_iter().filter(|it| known.insert(it.key())) {
            renew(&mut walk, view);
            if !does_something(&mut walk, &control) && !control.is_idle() {
                dead.push(format!("{}: {}", view.name, control.key()));
            }
        }
    }
    dead
}

/// The controls that are on the desk whatever else is open.
fn on_the_desk() -> BTreeSet<String> {
    let mut walk = begin(DESK[0].size);
    renew(&mut walk, &DESK[0]);
    controls(&walk).iter().map(Control::key).collect()
}

#[test]
fn every_control_of_the_desk_does_something() {
    let known = on_the_desk();
    assert!(known.len() > 40, "{known:?}");
    assert_eq!(dead(&DESK, BTreeSet::new()), [""; 0]);
}

#[test]
fn every_control_of_menus_and_lists_does_something() {
    assert_eq!(dead(&LISTS, on_the_desk()), [""; 0]);
}

#[test]
fn every_control_of_sheets_and_windows_does_something() {
    assert_eq!(dead(&SHEETS, on_the_desk()), [""; 0]);
}

#[test]
fn every_control_of_the_words_does_something() {
    assert_eq!(dead(&WORDS, on_the_desk()), [""; 0]);
}

#[test]
fn every_control_of_the_plugin_does_something() {
    assert_eq!(dead(&HOSTED, on_the_desk()), [""; 0]);
}

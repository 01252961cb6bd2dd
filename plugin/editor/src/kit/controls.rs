//! Buttons, ticks, chips. Flat, 4-point radius, no gradients, no bevels.

use crate::icons;
use crate::kit::cx::{alpha, mix};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius, size, space};
use egui::{Color32, Pos2, Rect, Response, Role, Sense, WidgetInfo, pos2, vec2};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum State {
    #[default]
    Normal,
    Hover,
    Pressed,
    Focus,
    Disabled,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Applies a plan. The only accent-coloured button there is.
    Apply,
    /// Main way forward where nothing is planned.
    Primary,
    Secondary,
    /// No background until hovered.
    Quiet,
    Danger,
}

pub(crate) struct Button<'s> {
    pub(crate) label: &'s str,
    pub(crate) icon: Option<char>,
    pub(crate) key: Option<&'s str>,
    pub(crate) kind: Kind,
    pub(crate) state: State,
    pub(crate) salt: u64,
    /// What a screen reader hears in place of the label, which may be said of several things.
    name: &'s str,
}

impl<'s> Button<'s> {
    pub(crate) fn new(kind: Kind, label: &'s str) -> Self {
        Self { label, icon: None, key: None, kind, state: State::Normal, salt: 0, name: label }
    }
    pub(crate) fn icon(mut self, icon: char) -> Self {
        self.icon = Some(icon);
        self
    }
    /// Shortcut hint, drawn after the label.
    pub(crate) fn key(mut self, key: &'s str) -> Self {
        self.key = Some(key);
        self
    }
    /// Names what the button is for, and so tells buttons of the same label apart.
    pub(crate) fn named(mut self, name: &'s str) -> Self {
        self.name = name;
        self
    }
    /// Tells buttons of the same label apart.
    pub(crate) fn salt(mut self, salt: u64) -> Self {
        self.salt = salt;
        self
    }
    pub(crate) fn state(mut self, state: State) -> Self {
        self.state = state;
        self
    }

    /// Natural width, rounded up to the 4-point grid.
    pub(crate) fn width(&self, cx: &Cx<'_>) -> f32 {
        let icon = if self.icon.is_some() { size::ICON + 6.0 } else { 0.0 };
        let key = self.key.map_or(0.0, |k| cx.width(k, Type::CAPTION) + space::S);
        let w = cx.width(self.label, Type::SMALL_STRONG) + icon + key + 2.0 * space::M;
        (w / 4.0).ceil() * 4.0
    }

    pub(crate) fn show(&self, cx: &Cx<'_>, rect: Rect) -> Response {
        let sense = if self.state == State::Disabled { Sense::hover() } else { Sense::click() };
        let response = cx.interact(rect, ("button", self.name, self.salt), sense);
        let enabled = self.state != State::Disabled;
        response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, self.name));
        let state = live_state(&response, self.state);
        let (bg, fg) = button_colors(cx, self.kind, state);
        cx.fill(rect, radius::CONTROL, bg);
        if state == State::Focus {
            cx.focus_ring(rect, radius::CONTROL);
        }
        self.paint_content(cx, rect, fg);
        response
    }

    fn paint_content(&self, cx: &Cx<'_>, rect: Rect, fg: Color32) {
        let content = self.width_unrounded(cx) - 2.0 * space::M;
        let mut x = (rect.center().x - content / 2.0).round();
        if let Some(icon) = self.icon {
            cx.icon(pos2(x + size::ICON / 2.0, rect.center().y), icon, size::ICON, fg);
            x += size::ICON + 6.0;
        }
        let label = cx.left(pos2(x, rect.center().y), self.label, Type::SMALL_STRONG, fg);
        if let Some(key) = self.key {
            let at = pos2(label.right() + space::S, rect.center().y);
            cx.left(at, key, Type::CAPTION, fg);
        }
    }

    fn width_unrounded(&self, cx: &Cx<'_>) -> f32 {
        let icon = if self.icon.is_some() { size::ICON + 6.0 } else { 0.0 };
        let key = self.key.map_or(0.0, |k| cx.width(k, Type::CAPTION) + space::S);
        cx.width(self.label, Type::SMALL_STRONG) + icon + key + 2.0 * space::M
    }
}

fn live_state(response: &Response, forced: State) -> State {
    match forced {
        State::Normal if response.is_pointer_button_down_on() => State::Pressed,
        State::Normal if response.has_focus() => State::Focus,
        State::Normal if response.hovered() => State::Hover,
        s => s,
    }
}

fn button_colors(cx: &Cx<'_>, kind: Kind, state: State) -> (Color32, Color32) {
    let t = cx.t;
    if state == State::Disabled {
        let bg = if kind == Kind::Quiet { Color32::TRANSPARENT } else { alpha(t.control, 0.6) };
        return (bg, t.disabled);
    }
    let (bg, fg) = match kind {
        Kind::Apply => (t.accent, t.on_accent),
        Kind::Primary => (t.text, t.panel),
        Kind::Secondary => (t.control, t.text),
        Kind::Quiet => (Color32::TRANSPARENT, t.text_2),
        Kind::Danger => (t.danger_soft, t.danger),
    };
    let shade = if t.dark { Color32::WHITE } else { Color32::BLACK };
    match (state, kind) {
        (State::Hover, Kind::Quiet) => (t.control, t.text),
        (State::Hover, _) => (mix(bg, shade, 0.10), fg),
        (State::Pressed, Kind::Quiet) => (t.well, t.text),
        (State::Pressed, _) => (mix(bg, Color32::BLACK, 0.18), fg),
        _ => (bg, fg),
    }
}

/// Square icon button that does something.
pub(crate) fn icon_button(cx: &Cx<'_>, rect: Rect, icon: char, name: &str) -> Response {
    icon_button_in(cx, rect, icon, false, name, State::Normal)
}

pub(crate) fn icon_button_in(
    cx: &Cx<'_>,
    rect: Rect,
    icon: char,
    on: bool,
    name: &str,
    state: State,
) -> Response {
    icon_cell(cx, rect, icon, on, name, state, false)
}

/// The same for an on/off state, for a screen reader too.
pub(crate) fn icon_toggle(cx: &Cx<'_>, rect: Rect, icon: char, on: bool, name: &str) -> Response {
    icon_toggle_in(cx, rect, icon, on, name, State::Normal)
}

pub(crate) fn icon_toggle_in(
    cx: &Cx<'_>,
    rect: Rect,
    icon: char,
    on: bool,
    name: &str,
    state: State,
) -> Response {
    icon_cell(cx, rect, icon, on, name, state, true)
}

fn icon_cell(
    cx: &Cx<'_>,
    rect: Rect,
    icon: char,
    on: bool,
    name: &str,
    state: State,
    is_toggle: bool,
) -> Response {
    let r = cx.interact(
        rect,
        ("icon", name),
        if state == State::Disabled { Sense::hover() } else { Sense::click() },
    );
    let enabled = state != State::Disabled;
    r.widget_info(|| {
        if is_toggle {
            WidgetInfo::selected(Role::Button, enabled, on, name)
        } else {
            WidgetInfo::labeled(Role::Button, enabled, name)
        }
    });
    let r = hint(r, name);
    let state = live_state(&r, state);
    let fg = match (state, on) {
        (State::Disabled, _) => cx.t.disabled,
        (_, true) => cx.t.text,
        _ => cx.t.text_2,
    };
    let bg = match (state, on) {
        (State::Disabled, _) => Color32::TRANSPARENT,
        (State::Hover, _) => cx.t.hover,
        (_, true) => cx.t.control,
        _ => Color32::TRANSPARENT,
    };
    cx.fill(rect, radius::CONTROL, bg);
    if state == State::Focus {
        cx.focus_ring(rect, radius::CONTROL);
    }
    cx.icon(rect.center(), icon, size::ICON, fg);
    r
}

/// A hover text for a control whose name a screen reader says anyway, so it is not said twice.
pub(crate) fn hint(response: Response, words: &str) -> Response {
    response.on_hover_ui(|ui| {
        ui.set_max_width(ui.spacing().tooltip_width);
        drop(ui.label(words));
    })
}

/// Has the pointer show the whole of a name that is cut in its `room`, points.
pub(crate) fn whole_name(
    cx: &Cx<'_>,
    response: Response,
    name: &str,
    (ty, room): (Type, f32),
) -> Response {
    if cx.width(name, ty) > room { hint(response, name) } else { response }
}

/// 16-point tick box. Ticked = part of the plan, so it is the accent colour.
pub(crate) fn tick(cx: &Cx<'_>, rect: Rect, on: bool, state: State, name: &str) -> Response {
    let r = cx.interact(rect.expand(4.0), ("tick", name), Sense::click());
    r.widget_info(|| WidgetInfo::selected(Role::CheckBox, state != State::Disabled, on, name));
    let state = live_state(&r, state);
    let off = state == State::Disabled;
    if on {
        cx.fill(rect, 3.0, if off { cx.t.disabled } else { cx.t.accent });
        let c = rect.center();
        let mark = vec![c + vec2(-3.5, 0.25), c + vec2(-1.0, 2.75), c + vec2(3.5, -2.5)];
        cx.path(mark, 1.75, if off { cx.t.panel } else { cx.t.on_accent });
    } else {
        cx.stroke(rect, 3.0, 1.0, if off { cx.t.line_strong } else { cx.t.outline });
    }
    if state == State::Focus {
        cx.focus_ring(rect, 3.0);
    }
    r
}

/// The number that ties a change row to its ghost on the timeline and mixer.
pub(crate) fn plan_tag(cx: &Cx<'_>, center: Pos2, n: usize, active: bool) -> Rect {
    let rect = Rect::from_center_size(center, vec2(16.0, 16.0));
    if active {
        cx.fill(rect, 3.0, cx.t.accent);
    } else {
        cx.fill(rect, 3.0, cx.t.panel);
        cx.border(rect, 3.0, cx.t.outline);
    }
    let fg = if active { cx.t.on_accent } else { cx.t.text_3 };
    cx.center(center, &n.to_string(), Type::CAPTION_STRONG, fg);
    rect
}

/// The numbers of several rows in one tag.
pub(crate) fn plan_tag_of(cx: &Cx<'_>, rect: Rect, numbers: &str) {
    cx.fill(rect, 3.0, cx.t.accent);
    cx.center(rect.center(), numbers, Type::CAPTION_STRONG, cx.t.on_accent);
}

/// The same number in a card row. It is quieter because the tick is next to it. `left` is its left middle.
pub(crate) fn row_tag(cx: &Cx<'_>, left: Pos2, n: usize, active: bool) {
    let size = vec2(row_tag_width(cx, n), 16.0);
    let rect = Rect::from_min_size(pos2(left.x, left.y - size.y / 2.0), size);
    let (bg, fg) =
        if active { (cx.t.accent_soft, cx.t.accent) } else { (cx.t.control, cx.t.text_3) };
    cx.fill(rect, 3.0, bg);
    cx.center(rect.center(), &n.to_string(), Type::CAPTION_STRONG, fg);
}

/// How wide it is: square up to two digits.
pub(crate) fn row_tag_width(cx: &Cx<'_>, n: usize) -> f32 {
    (cx.width(&n.to_string(), Type::CAPTION_STRONG) + 2.0).max(16.0).ceil()
}

/// Thin progress line with its own track.
pub(crate) fn progress(cx: &Cx<'_>, rect: Rect, done: f32) {
    cx.fill(rect, 2.0, cx.t.control);
    let mut bar = rect;
    cx.fill(bar.cut_left(rect.width() * done), 2.0, cx.t.text_2);
}

/// Arrow between before and after.
pub(crate) fn arrow(cx: &Cx<'_>, center: Pos2, color: Color32) {
    cx.icon(center, icons::ARROW_RIGHT, 12.0, color);
}

/// An urgent text interrupts a screen reader; any other waits for its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Urgency {
    Urgently,
    InTurn,
}

/// Lets a screen reader say a node when it comes or changes, wherever the keyboard is.
pub(crate) fn announce(response: &Response, said: Urgency) {
    let live = match said {
        Urgency::Urgently => egui::accesskit::Live::Assertive,
        Urgency::InTurn => egui::accesskit::Live::Polite,
    };
    response.ctx.accesskit_node_builder(response.id, |node| node.set_live(live));
}

//! The conversation: what was said, tool calls, plan cards and receipts, and the composer.

use crate::action::Action;
use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx};
use crate::model::{Entry, Model, ToolLine};
use crate::theme::{Theme, Type, radius, space};
use crate::{card, icons, receipt};
use deskhand_session::{PlanId, PlanState};
use egui::{Rect, ScrollArea, Sense, TextEdit, Ui, UiBuilder, pos2, vec2};

const COMPOSER: f32 = 96.0;
/// A card narrower than this has little room.
const COMPACT: f32 = 372.0;

/// Draws the whole column.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let mut rest = rect;
    let cx = Cx::new(ui, theme);
    cx.fill(rect, 0.0, theme.panel);
    let head = rest.cut_top(40.0);
    cx.left(head.left_mid(space::L), "Conversation", Type::BODY_STRONG, theme.text);
    drop(cx);
    composer(ui, theme, model, rest.cut_bottom(COMPOSER).pad(space::L, 8.0), out);
    if model.entries.is_empty() && model.saying.is_empty() {
        suggestions(ui, theme, model, rest);
        return;
    }
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rest.pad(space::L, 0.0)).id_salt("said"));
    child.set_clip_rect(rest);
    let area = ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true);
    area.show(&mut child, |ui| story(ui, theme, model, out));
}

fn story(ui: &mut Ui, theme: &Theme, model: &mut Model, out: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = space::M;
    let mut entries = std::mem::take(&mut model.entries);
    for entry in &mut entries {
        match entry {
            Entry::Asked(text) => asked(ui, theme, text),
            Entry::Told(text) => told(ui, theme, text),
            Entry::Tool(line) => tool_line(ui, theme, line),
            Entry::Plan(id) => plan(ui, theme, model, *id, out),
            Entry::Ended(text) => ended(ui, theme, text),
        }
    }
    // Nothing else adds entries while they are drawn.
    model.entries = entries;
    if !model.saying.is_empty() {
        told(ui, theme, &model.saying);
    } else if model.is_turn_running() {
        running(ui, theme);
    }
    ui.add_space(space::S);
}

/// A block of text of its own height; its node carries the words.
fn block(ui: &mut Ui, theme: &Theme, text: &str, pad: f32, size: Type) -> Rect {
    let width = ui.available_width();
    let height = Cx::new(ui, theme).para_height(text, size, width - 2.0 * pad);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height + 2.0 * pad), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    rect
}

fn asked(ui: &mut Ui, theme: &Theme, text: &str) {
    let rect = block(ui, theme, text, 10.0, Type::BODY);
    let cx = Cx::new(ui, theme);
    cx.fill(rect, radius::CARD, theme.control);
    let at = rect.min + vec2(12.0, 10.0);
    cx.para(at, text, Type::BODY, theme.text, rect.width() - 20.0);
}

fn told(ui: &mut Ui, theme: &Theme, text: &str) {
    let rect = block(ui, theme, text, 0.0, Type::BODY);
    Cx::new(ui, theme).para(rect.min, text, Type::BODY, theme.text, rect.width());
}

fn ended(ui: &mut Ui, theme: &Theme, text: &str) {
    let rect = block(ui, theme, text, 10.0, Type::SMALL);
    let cx = Cx::new(ui, theme);
    cx.fill(rect, radius::CONTROL, theme.warn_soft);
    let at = rect.min + vec2(10.0, 10.0);
    cx.para(at, text, Type::SMALL, theme.text, rect.width() - 20.0);
}

fn running(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let cx = Cx::new(ui, theme);
    cx.icon(rect.left_mid(8.0), icons::CIRCLE_NOTCH, 14.0, theme.text);
    cx.left(rect.left_mid(24.0), "Working", Type::SMALL, theme.text);
}

/// One line for each tool call; a click opens how it was called.
fn tool_line(ui: &mut Ui, theme: &Theme, line: &mut ToolLine) {
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::click());
    let (icon, color, words) = match &line.result {
        None => (icons::CIRCLE_NOTCH, theme.text, line.name.as_str()),
        Some((said, true)) => (icons::WARNING_CIRCLE, theme.danger, said.as_str()),
        Some((said, false)) if said.is_empty() => (icons::CHECK, theme.ok, line.name.as_str()),
        Some((said, false)) => (icons::CHECK, theme.ok, said.as_str()),
    };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words));
    let cx = Cx::new(ui, theme);
    cx.icon(rect.left_mid(8.0), icon, 14.0, color);
    let text = cx.elided(rect.left_mid(24.0), words, Type::SMALL, theme.text_2, width - 48.0);
    let caret = if line.is_open { icons::CARET_DOWN } else { icons::CARET_RIGHT };
    cx.icon(pos2(text.right() + 12.0, rect.center().y), caret, 10.0, theme.text_3);
    drop(cx);
    if response.clicked() {
        line.is_open = !line.is_open;
    }
    if line.is_open {
        let call = format!("{} {}", line.name, line.arguments);
        let rect = block(ui, theme, &call, 8.0, Type::CODE);
        let cx = Cx::new(ui, theme);
        cx.fill(rect, radius::CONTROL, theme.well);
        let at = rect.min + vec2(8.0, 8.0);
        cx.para(at, &call, Type::CODE, theme.text_2, rect.width() - 16.0);
    }
}

fn plan(ui: &mut Ui, theme: &Theme, model: &mut Model, id: PlanId, out: &mut Vec<Action>) {
    let is_wanted = model.take_focused(id);
    let Some(snapshot) = model.mirror.as_ref().map(|mirror| &mirror.snapshot) else { return };
    let Some(card) = model.cards.get_mut(&id) else { return };
    let place = card::Place {
        theme,
        session: &snapshot.session,
        head: snapshot.head,
        live: &model.live,
        is_compact: ui.available_width() < COMPACT,
    };
    let rect = match card.stored.state {
        PlanState::Waiting | PlanState::Applying => card::waiting(ui, &place, card, out),
        PlanState::Applied
        | PlanState::RolledBack
        | PlanState::Rejected
        | PlanState::Undone
        | PlanState::Conflict => receipt::show(ui, theme, card, out),
    };
    if let Some(wish) = card.view.wish.take() {
        model.draft = wish;
        model.wants_composer = true;
    }
    if is_wanted {
        ui.scroll_to_rect(rect, Some(egui::Align::Center));
    }
}

fn composer(ui: &mut Ui, theme: &Theme, model: &mut Model, rect: Rect, out: &mut Vec<Action>) {
    let is_open = model.session().is_some();
    let is_running = model.is_turn_running();
    let cx = Cx::new(ui, theme);
    cx.fill(rect, radius::CARD, theme.input);
    cx.border(rect, radius::CARD, theme.line_strong);
    drop(cx);
    let mut field = rect.shrink2(vec2(4.0, 4.0));
    let foot = field.cut_bottom(34.0);
    let hint =
        if is_open { "Ask for a change, or what you hear" } else { "Open a session to start" };
    // Enter sends; Shift-Enter is a new line.
    let newline = egui::KeyboardShortcut::new(egui::Modifiers::SHIFT, egui::Key::Enter);
    let edit = TextEdit::multiline(&mut model.draft).hint_text(hint).font(Type::BODY.font());
    let edit = edit.return_key(newline).frame(egui::Frame::NONE).desired_rows(2);
    let edit = edit.margin(egui::Margin::symmetric(8, 6)).id_salt("composer");
    let response = ui.add_enabled_ui(is_open, |ui| ui.put(field, edit)).inner;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, is_open, "Ask"));
    let asked = ui.input(|input| input.modifiers.command && input.key_pressed(egui::Key::K));
    if std::mem::take(&mut model.wants_composer) || asked {
        response.request_focus();
    }
    let enter = response.has_focus()
        && ui.input(|input| input.key_pressed(egui::Key::Enter) && input.modifiers.is_none());
    let cx = Cx::new(ui, theme);
    let is_sent = send_button(&cx, foot, model, is_open, is_running, out);
    let text = model.draft.trim();
    if (enter || is_sent) && !is_running && is_open && !text.is_empty() {
        out.push(Action::Say(text.to_owned()));
        model.draft.clear();
    }
}

/// Send, or Stop while the model works; says whether Send was pressed.
fn send_button(
    cx: &Cx<'_>,
    foot: Rect,
    model: &Model,
    is_open: bool,
    is_running: bool,
    out: &mut Vec<Action>,
) -> bool {
    let can_send = is_open && !model.draft.trim().is_empty();
    let state = if can_send || is_running { State::Normal } else { State::Disabled };
    let (label, key) = if is_running { ("Stop", "") } else { ("Send", "⏎") };
    let mut button = Button::new(Kind::Secondary, label).state(state);
    if !key.is_empty() {
        button = button.key(key);
    }
    let width = button.width(cx);
    let clicked =
        button.show(cx, foot.row_box(foot.right() - width - 4.0, vec2(width, 28.0))).clicked();
    if clicked && is_running {
        out.push(Action::StopTurn);
    }
    clicked && !is_running
}

const ASKS: [(char, &str); 4] = [
    (icons::GAUGE, "Normalize everything to −16 LUFS"),
    (icons::EQUALIZER, "Set the gain staging to −18 dBFS"),
    (icons::SCISSORS, "Cut the silences, keep 0.3 s"),
    (icons::WAVEFORM, "How loud is the mix?"),
];

/// Requests to start from: a click puts one into the composer.
fn suggestions(ui: &mut Ui, theme: &Theme, model: &mut Model, rect: Rect) {
    let cx = Cx::new(ui, theme);
    let mut rest = rect.pad(space::L, 0.0);
    rest = rest.cut_bottom(28.0 + 4.0 * 44.0 + 4.0);
    let title = rest.cut_top(28.0);
    cx.left(title.left_mid(0.0), "Things people ask", Type::SMALL_STRONG, theme.text_2);
    let is_open = model.session().is_some();
    for (icon, ask) in ASKS {
        let row = rest.cut_top(44.0);
        let row = Rect::from_min_max(row.min, pos2(row.right(), row.bottom() - 4.0));
        let sense = if is_open { Sense::click() } else { Sense::hover() };
        let response = cx.interact(row, ("ask", ask), sense);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_open, ask));
        if response.hovered() && is_open {
            cx.fill(row, radius::CONTROL, theme.control);
        }
        cx.border(row, radius::CONTROL, theme.line);
        cx.icon(row.left_mid(20.0), icon, 16.0, theme.text_3);
        cx.elided(row.left_mid(40.0), ask, Type::SMALL, theme.text_2, row.width() - 52.0);
        if response.clicked() {
            ask.clone_into(&mut model.draft);
        }
    }
}

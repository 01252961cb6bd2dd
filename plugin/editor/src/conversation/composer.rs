//! The composer: words to the model, the choice of provider, and how much is asked.

use super::{allowed_tools, context, provider_key};
use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::choice::chip;
use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx, menu};
use crate::model::{AT_WORK, Model};
use crate::preferences::view::Page;
use crate::settings::{Settings, SettingsChange};
use crate::theme::{Type, radius};
use deskhand_protocol::Asking;
use egui::{Event, Key, Modifiers, Rect, ScrollArea, Sense, TextEdit, Ui, UiBuilder, pos2, vec2};

const STAYS: &str = "The model is still at work. What you typed stays here: send it when the answer is there, or \
                       stop the model first (Ctrl-period)";

/// Lines of text that it grows to; more are scrolled to.
const LINES: f32 = 8.0;
/// The margin around the text, and the room next to it in a small composer, points.
const EDGE: f32 = 12.0;
const BESIDE: f32 = 76.0;

/// How much room the conversation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// A column of a window of our own.
    Full,
    /// The plugin: no title, a composer of one line.
    Small,
}

/// The height with its margins, inside `rect`, which it shares with the messages. It grows with its text.
pub(super) fn height(ui: &Ui, model: &Model, rect: Rect, size: Size) -> f32 {
    let (least, room, beside) = match size {
        Size::Full => (124.0, 30.0, 0.0),
        Size::Small => (84.0, 24.0, BESIDE),
    };
    let cx = Cx::new(ui);
    let width = rect.width() - 2.0 * EDGE - beside;
    // A line that was begun is one as well, before there is something in it.
    let text = cx.para_height(&format!("{}x", model.draft), Type::BODY, width);
    let line = cx.para_height("x", Type::BODY, width);
    let most = (line * LINES).min(rect.height() / 3.0);
    let chips = if has_row_of_chips(model, size) { context::ROW } else { 0.0 };
    let grown = (text.min(most) - room).max(0.0) + chips;
    least + grown + allowed_tools::height(model) + provider_key::height(model)
}

/// Whether the chips have a row of their own: in a small composer, where they are next to nothing else.
fn has_row_of_chips(model: &Model, size: Size) -> bool {
    size == Size::Small && context::is_any(model.session())
}

pub(super) fn show(ui: &mut Ui, model: &mut Model, rect: Rect, size: Size, out: &mut Actions) {
    let is_open = model.session().is_some();
    let mut rest = rect;
    let switches = rest.cut_bottom(28.0);
    let rules = rest.cut_bottom(allowed_tools::height(model));
    let key = rest.cut_top(provider_key::height(model));
    let cx = Cx::new(ui);
    cx.fill(rest, radius::CARD, cx.t.input);
    cx.border(rest, radius::CARD, cx.t.line_strong);
    // Before its content, which takes its own clicks.
    model.wants_composer |= cx.interact(rest, "composer box", Sense::CLICK).clicked();
    drop(cx);
    let mut field = rest.shrink(4.0);
    let chips =
        if has_row_of_chips(model, size) { field.cut_top(context::ROW) } else { Rect::NOTHING };
    let foot = match size {
        Size::Full => field.cut_bottom(34.0),
        Size::Small => field.cut_right(BESIDE),
    };
    provider_key::show(ui, model, key, out);
    let enter = edit(ui, model, field, is_open);
    let cx = Cx::new(ui);
    let (is_sent, free) = send_button(&cx, foot, model, is_open, out);
    let row = if size == Size::Full { free } else { chips };
    if let Some(session) = model.session() {
        context::show(&cx, session, row.pad(EDGE - 4.0, 0.0), out);
    }
    if (enter || is_sent) && is_open {
        say(model, out);
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Period))
        && model.is_turn_running()
    {
        out.push(Action::StopTurn);
    }
    if is_open {
        allowed_tools::show(&Cx::new(ui), model, rules);
        choices(&Cx::new(ui), model, switches, out);
    }
}

/// Sends the typed text.
fn say(model: &mut Model, out: &mut Actions) {
    let text = model.draft.trim().to_owned();
    if !text.is_empty() && send(model, text, out) {
        model.draft.clear();
    }
}

/// Sends words; says whether they went. A turn that only waits for a decision ends; its plan keeps waiting.
pub(super) fn send(model: &mut Model, text: String, out: &mut Actions) -> bool {
    if model.is_turn_at_work() {
        model.mention(AT_WORK, STAYS);
        return false;
    }
    if model.is_turn_running() {
        out.push(Action::StopTurn);
        model.says_next = Some(text);
    } else {
        out.push(Action::Say(text));
    }
    model.goes_to_newest = true;
    true
}

/// The field; says whether Enter was pressed in it. Shift-Enter is a new line.
fn edit(ui: &mut Ui, model: &mut Model, field: Rect, is_open: bool) -> bool {
    let hint =
        if is_open { "Ask for a change, or what you hear" } else { "Open a session to start" };
    let newline = egui::KeyboardShortcut::new(Modifiers::SHIFT, Key::Enter);
    let edit = TextEdit::multiline(&mut model.draft).hint_text(hint).font(Type::BODY.font());
    let edit = edit.return_key(newline).frame(egui::Frame::NONE).desired_rows(1);
    let edit = edit.id_salt("composer").interactive(is_open);
    let field = field.shrink2(vec2(EDGE - 4.0, 4.0));
    let mut inner = ui.new_child(UiBuilder::new().max_rect(field).id_salt("composer text"));
    inner.set_clip_rect(field.expand(1.0).intersect(ui.clip_rect()));
    // Not disabled, because that would fade the reason. Text that does not fit scrolls.
    let edit = edit.desired_width(f32::INFINITY).min_size(vec2(0.0, field.height()));
    let area = ScrollArea::vertical().auto_shrink(false).id_salt("composer area");
    let response = area.show(&mut inner, |ui| ui.add(edit)).inner;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, is_open, "Ask"));
    let asked = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::K));
    if std::mem::take(&mut model.wants_composer) || asked {
        response.request_focus();
    }
    // With the modifiers at the moment of the press: in a slow frame they may be released by now.
    let is_enter = |event: &Event| matches!(event, Event::Key { key: Key::Enter, pressed: true, modifiers, .. } if modifiers.is_none());
    response.has_focus() && ui.input(|input| input.events.iter().any(is_enter))
}

/// Send, or Stop while something runs; says whether Send was pressed, and what it leaves of `foot`. A turn that only
/// waits for decisions does not run.
fn send_button(
    cx: &Cx<'_>,
    mut foot: Rect,
    model: &Model,
    is_open: bool,
    out: &mut Actions,
) -> (bool, Rect) {
    let is_running = model.is_turn_at_work();
    let can_send = is_open && !model.draft.trim().is_empty();
    let state = if can_send || is_running { State::Normal } else { State::Disabled };
    let (label, key) = if is_running { ("Stop", "") } else { ("Send", "⏎") };
    let mut button = Button::new(Kind::Secondary, label).state(state);
    if !key.is_empty() {
        button = button.key(key);
    }
    let width = button.width(cx);
    let cell = foot.row_box(foot.right() - width - 4.0, vec2(width, 28.0));
    let clicked = button.show(cx, cell).clicked();
    if clicked && is_running {
        out.push(Action::StopTurn);
    }
    foot.cut_right(width + 4.0);
    (clicked && !is_running, foot)
}

/// Switches for the person only: how much is asked, what may leave this machine, and the provider.
// tidy: painting
fn choices(cx: &Cx<'_>, model: &mut Model, rect: Rect, out: &mut Actions) {
    let mut at = pos2(rect.left(), rect.bottom() - 10.0);
    if let Some(asking) = model.mirror.as_ref().map(|mirror| mirror.snapshot.asking) {
        let (words, next) = match asking {
            Asking::Always if allowed_tools::is_any(model) => {
                ("Ask for all else", Asking::BiggerChanges)
            }
            Asking::Always => ("Ask always", Asking::BiggerChanges),
            Asking::BiggerChanges => ("Ask for bigger changes", Asking::Always),
        };
        let response = chip(cx, at, Some(icons::HAND), words, None);
        at.x = response.rect.right() + 6.0;
        if response.on_hover_text("Which plans wait for you. A click changes it").clicked() {
            out.push(Action::Settings(SettingsChange::Asking(next)));
        }
    }
    let is_local = model.mirror.as_ref().is_some_and(|mirror| mirror.snapshot.local_only);
    let response = chip(cx, at, Some(icons::LOCK_SIMPLE), "Local only", Some(is_local));
    at.x = response.rect.right() + 6.0;
    if response.on_hover_text("Nothing is sent off this machine").clicked() {
        out.push(Action::Settings(SettingsChange::LocalOnly(!is_local)));
    }
    let Some(settings) = &model.settings else { return };
    if settings.providers.is_empty() {
        return;
    }
    let chosen = settings.provider.as_deref();
    let known = settings.providers.iter().find(|known| Some(known.id.as_str()) == chosen);
    let room = rect.right() - at.x - 28.0;
    let fits = |words: &String| cx.width(words, Type::CAPTION_STRONG) <= room;
    // The model's name is shown if it fits.
    let names = known.map_or_else(|| vec!["Offline".into()], |it| vec![it.name(), it.id.clone()]);
    let Some(words) = names.iter().find(|words| fits(words)) else { return };
    let response = chip(cx, at, Some(icons::CPU), words, None).on_hover_text("Who answers");
    let chosen = menu::of(&response).show(|ui| answerers(ui, settings));
    match chosen.and_then(|shown| shown.inner) {
        Some(Answerer::Chosen(id)) => {
            model.asks_key_of = None;
            out.push(Action::Settings(SettingsChange::Provider(id)));
        }
        Some(Answerer::WithoutKey(id)) => provider_key::ask(model, id),
        Some(Answerer::Settings) => model.preferences.toggle(Page::Settings),
        None => {}
    }
}

/// What was clicked in the list of providers.
enum Answerer {
    /// This one, or nobody.
    Chosen(Option<String>),
    /// One that needs a key and has none.
    WithoutKey(String),
    Settings,
}

fn answerers(ui: &mut Ui, settings: &Settings) -> Option<Answerer> {
    let mut chosen = None;
    let mut choose = |ui: &mut Ui, id: Option<&String>, words: &str, answerer: Answerer| {
        if menu::choice(ui, settings.provider.as_ref() == id, words).clicked() {
            chosen = Some(answerer);
        }
    };
    choose(ui, None, "Offline: no model", Answerer::Chosen(None));
    for known in &settings.providers {
        let (lacks, answerer) = match provider_key::lacks_key(known) {
            true => (", no key yet", Answerer::WithoutKey(known.id.clone())),
            false => ("", Answerer::Chosen(Some(known.id.clone()))),
        };
        choose(ui, Some(&known.id), &format!("{}{lacks}", known.name()), answerer);
    }
    menu::line(ui);
    if menu::entry(ui, "Models and keys…") { Some(Answerer::Settings) } else { chosen }
}

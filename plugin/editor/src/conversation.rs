//! The conversation: messages, tool calls, plan cards and receipts, and the composer.

mod allowed_tools;
mod composer;
mod context;
mod provider_key;
mod suggestions;
mod tools;

pub(crate) use composer::Size;

use crate::action::{Action, Actions};
use crate::card::place::Place;
use crate::card::requests;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::model::{Entry, Model};
use crate::theme::{Type, radius, space};
use crate::{card, icons, markdown, receipt};
use deskhand_session::{PlanId, PlanState};
use egui::{Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};

/// A card narrower than this has little room.
const COMPACT: f32 = 372.0;
/// So near its end the conversation is at its end, points.
const AT_END: f32 = 2.0;
/// If the newest entry is farther below the view than this, points, a button leads back to it.
const AWAY: f32 = 48.0;

/// Why a turn ended that the person stopped.
const STOPPED: &str = "stopped";

pub(crate) fn show(ui: &mut Ui, model: &mut Model, rect: Rect, size: Size, out: &mut Actions) {
    let mut rest = rect;
    let cx = Cx::new(ui);
    cx.fill(rect, 0.0, cx.t.panel);
    let edge = match size {
        Size::Full => {
            let head = rest.cut_top(40.0);
            cx.left(head.left_mid(space::L), "Conversation", Type::BODY_STRONG, cx.t.text);
            space::L
        }
        Size::Small => {
            rest.cut_top(space::S);
            space::M
        }
    };
    drop(cx);
    let tall = composer::height(ui, model, rest.pad(edge, 8.0), size);
    let foot = rest.cut_bottom(tall).pad(edge, 8.0);
    // Drawn before the composer, so Tab follows reading order: the messages, the cards, then the field
    // for the answer.
    if model.entries.is_empty() && model.saying.is_empty() {
        suggestions::show(ui, model, rest.pad(edge, 0.0), size, out);
    } else {
        said(ui, model, rest, edge, out);
    }
    composer::show(ui, model, foot, size, out);
}

fn said(ui: &mut Ui, model: &mut Model, rest: Rect, edge: f32, out: &mut Actions) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest.pad(edge, 0.0)).id_salt("said"));
    child.set_clip_rect(rest);
    let area = ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true);
    let goes = model.goes_to_newest;
    let shown = area.show(&mut child, |ui| story(ui, model, out));
    let tall = shown.content_size.y;
    let below = tall - shown.inner_rect.height() - shown.state.unclamped_offset().y;
    stay_at_newest(ui, model, tall, below, goes);
    if below > AWAY && newest(&Cx::new(ui), rest) {
        model.goes_to_newest = true;
        ui.ctx().request_repaint();
    }
}

/// Keeps the view at the newest entry when more comes, however tall it is.
fn stay_at_newest(ui: &Ui, model: &mut Model, tall: f32, below: f32, goes: bool) {
    let grown = model.newest_at.map(|was| tall - was).filter(|grown| *grown > 0.5);
    // More lies below than was added: somebody is scrolling up.
    let grew = grown.is_some_and(|grown| below <= grown + AT_END);
    if grew {
        model.goes_to_newest = true;
        ui.ctx().request_repaint();
    }
    model.newest_at = (goes || grew || below <= AT_END).then_some(tall);
}

/// The button that returns to the newest entry; returns whether it was clicked.
fn newest(cx: &Cx<'_>, rect: Rect) -> bool {
    let button = Button::new(Kind::Secondary, "Newest").icon(icons::CARET_DOWN);
    let size = vec2(button.width(cx), 28.0);
    // At the right, where it covers no button that applies a plan.
    let cell = Rect::from_min_size(rect.right_bottom() - size - vec2(space::L, 8.0), size);
    cx.shadow(cell, radius::CONTROL);
    button.show(cx, cell).clicked()
}

fn story(ui: &mut Ui, model: &mut Model, out: &mut Actions) {
    ui.spacing_mut().item_spacing.y = space::M;
    let awaited = model.awaiting_calls();
    // Nothing else adds entries while they are drawn.
    let mut entries = std::mem::take(&mut model.entries);
    let mut index = 0;
    while index < entries.len() {
        let run = entries[index..].iter().take_while(|it| it.tool().is_some()).count();
        if run > 0 {
            let calls = (&mut entries[index..index + run], index);
            tools::show(ui, model, calls, &awaited, out);
            index += run;
            continue;
        }
        match &entries[index] {
            Entry::Asked(text) => asked(ui, text),
            Entry::Told(text) => {
                told(ui, &model.without_ids(text));
                tools::install(ui, model, text, out);
            }
            Entry::Offers(offers) => offered(ui, model, (offers, index), out),
            Entry::Plan(id) if model.is_told_by_parts(*id) => end_steps(model, *id, out),
            Entry::Plan(id) => plan(ui, model, *id, out),
            Entry::Ended(text) => ended(ui, model, (&entries[..index], text), out),
            Entry::Tool(_) => {}
        }
        index += 1;
    }
    model.entries = entries;
    if !model.saying.is_empty() {
        told(ui, &model.without_ids(&model.saying));
    } else if model.is_turn_running() && !tools::is_running(&model.entries) {
        tools::working(ui, model, out);
    }
    ui.add_space(space::S);
    if std::mem::take(&mut model.goes_to_newest) {
        go_to_newest(ui);
    }
}

fn go_to_newest(ui: &Ui) {
    let at_once = egui::style::ScrollAnimation::none();
    ui.scroll_to_cursor_animation(Some(egui::Align::BOTTOM), at_once);
    // The next frame shows it, and is due even where nothing else happens.
    ui.ctx().request_repaint();
}

/// A block of text of its own height; its node carries the words.
fn block(ui: &mut Ui, text: &str, pad: f32, size: Type) -> Rect {
    let width = ui.available_width();
    let height = Cx::new(ui).para_height(text, size, width - 2.0 * pad - 4.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height + 2.0 * pad), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    rect
}

fn asked(ui: &mut Ui, text: &str) {
    let rect = block(ui, text, 10.0, Type::BODY);
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CARD, cx.t.control);
    let at = rect.min + vec2(12.0, 10.0);
    cx.para(at, text, Type::BODY, cx.t.text, rect.width() - 24.0);
}

fn told(ui: &mut Ui, text: &str) {
    let width = ui.available_width();
    let galley = markdown::layout(&Cx::new(ui), text, width);
    let size = vec2(width, galley.size().y);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let words = markdown::plain(text);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    markdown::paint(&Cx::new(ui), rect.min, galley);
}

/// A button for each thing that can be said next: a click says it.
fn offered(ui: &mut Ui, model: &mut Model, (offers, index): (&[String], usize), out: &mut Actions) {
    for (number, offer) in offers.iter().enumerate() {
        let button = Button::new(Kind::Secondary, offer).salt((index * 100 + number) as u64);
        let width = button.width(&Cx::new(ui)).min(ui.available_width());
        let (cell, _) = ui.allocate_exact_size(vec2(width, 28.0), Sense::hover());
        if button.show(&Cx::new(ui), cell).clicked() {
            composer::send(model, offer.clone(), out);
        }
    }
}

/// Whether a turn that ended so can be answered without its model.
fn can_answer_offline(model: &Model, why: &str) -> bool {
    let has_model = model.settings.as_ref().is_some_and(|settings| settings.provider.is_some());
    has_model && why != STOPPED
}

/// Why a turn ended early, after these entries, and the ways out.
fn ended(ui: &mut Ui, model: &mut Model, (entries, text): (&[Entry], &str), out: &mut Actions) {
    let asked = entries.iter().rev().find_map(Entry::asked);
    let asked = asked.unwrap_or(&model.last_asked).to_owned();
    why_ended(ui, model, (text, &asked, entries.len()), out);
    tools::install(ui, model, text, out);
}

/// What a person can do after a turn that ended early.
enum WayOut {
    /// Have the same words in the composer again.
    Again,
    /// Have it answered without the model.
    Offline,
    /// Give the chosen provider its key.
    Key(String),
    /// Say what the words themselves propose.
    Say(String),
}

impl WayOut {
    /// All there are, with the words on their buttons.
    fn all(model: &Model, why: &str, asked: &str) -> Vec<(String, Self)> {
        let mut all = vec![("Ask again".to_owned(), Self::Again)];
        if !asked.is_empty() && can_answer_offline(model, why) {
            all.push(("Answer offline".to_owned(), Self::Offline));
        }
        if let Some(provider) = provider_key::lacking(model) {
            all.push(("Add the key".to_owned(), Self::Key(provider)));
        }
        if let Some((words, _)) = why.split_once("say \"").and_then(|(_, it)| it.split_once('"')) {
            all.push((capital(words), Self::Say(words.to_owned())));
        }
        all
    }

    fn take(self, model: &mut Model, asked: &str, out: &mut Actions) {
        match self {
            Self::Again => {
                asked.clone_into(&mut model.draft);
                model.wants_composer = true;
            }
            Self::Offline => {
                out.push(Action::SayOffline(asked.to_owned()));
                model.goes_to_newest = true;
            }
            Self::Key(provider) => provider_key::ask(model, provider),
            Self::Say(words) => {
                composer::send(model, words, out);
            }
        }
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Draws the words, and a button for each way out.
fn why_ended(
    ui: &mut Ui,
    model: &mut Model,
    (text, asked, index): (&str, &str, usize),
    out: &mut Actions,
) {
    let ways = WayOut::all(model, text, asked);
    let width = ui.available_width();
    // More than one button goes below the text.
    let (beside, below) = if ways.len() > 1 { (44.0, 32.0) } else { (148.0, 0.0) };
    let room = width - beside;
    let height = Cx::new(ui).para_height(text, Type::SMALL, room).max(16.0) + 24.0;
    let size = vec2(width, height + below);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CONTROL, cx.t.warn_soft);
    let mut words = rect;
    let foot = words.cut_bottom(below);
    cx.icon_fill(words.left_mid(16.0), icons::WARNING, 16.0, cx.t.warn);
    cx.para(rect.min + vec2(32.0, 12.0), text, Type::SMALL, cx.t.text, room);
    if model.is_turn_running() {
        return;
    }
    let row = if below > 0.0 { foot.translate(vec2(0.0, -4.0)) } else { rect };
    let (mut right, mut taken) = (row.right(), None);
    for (label, way) in ways {
        let button = Button::new(Kind::Secondary, &label).salt(index as u64);
        let width = button.width(&cx);
        let cell = row.row_box(right - width - 8.0, vec2(width, 24.0));
        right = cell.left();
        taken = if button.show(&cx, cell).clicked() { Some(way) } else { taken };
    }
    drop(cx);
    if let Some(way) = taken {
        way.take(model, asked, out);
    }
}

/// No card is drawn for a plan that its parts cover completely; stepping through its changes ends.
fn end_steps(model: &mut Model, id: PlanId, out: &mut Actions) {
    if let Some(card) = model.cards.get_mut(&id) {
        card.view.hearing.end_steps(out);
    }
}

fn plan(ui: &mut Ui, model: &mut Model, id: PlanId, out: &mut Actions) {
    let is_wanted = model.take_focused(id);
    let when = model.decided_at(id);
    let reason = model.reason_of(id);
    let Some(snapshot) = model.mirror.as_ref().map(|mirror| &mirror.snapshot) else { return };
    let Some(card) = model.cards.get_mut(&id) else { return };
    let place = Place {
        session: &snapshot.session,
        tools: &model.tools,
        folder: &snapshot.folder,
        head: snapshot.head,
        live: &model.live,
        settings: model.settings.as_ref(),
        is_compact: ui.available_width() < COMPACT,
        is_wide: false,
        waves: None,
        link: &model.desk.timeline.link,
    };
    let is_out = model.wide == Some(id);
    let rect = match card.stored.state {
        PlanState::Waiting | PlanState::Applying if is_out => {
            let (rect, comes_back) = card::wide::stands_elsewhere(ui, card.number);
            model.wide = model.wide.filter(|_| !comes_back);
            rect
        }
        PlanState::Waiting | PlanState::Applying => card::waiting(ui, &place, card, out),
        _ => {
            // Somebody else may have decided.
            card.view.hearing.end_steps(out);
            let stands = model.steps.of(card);
            receipt::show(ui, &place, card, &reason, (stands, when), out)
        }
    };
    requests::carry_out(model, id);
    if is_wanted {
        ui.scroll_to_rect(rect, Some(egui::Align::Center));
    }
}

#[cfg(test)]
mod tests;

//! The window in a host: a bar without transport, one work view, the conversation, and a foot. The
//! conversation is beside the view, or a tab if there is no room. The foot shows plans and what the
//! instance plays now.

pub(crate) mod tab;

use crate::action::Actions;
use crate::kit::controls::{Button, Kind, State, icon_toggle_in};
use crate::kit::{Cut, Cx};
use crate::live::{Motion, SoundOutput};
use crate::model::Model;
use crate::plugin::tab::Tab;
use crate::theme::{Theme, Type, radius, size, space};
use crate::timeline::view::Density;
use crate::waves::Waves;
use crate::{
    areas, card, conversation, history, icons, inserts, instance, mixer, timeline, toasts, topbar,
    window, windows, words,
};
use deskhand_session::text::clock;
use deskhand_session::{PlanId, PlanState};
use egui::{Color32, Rect, Role, Sense, Ui, pos2, vec2};

const BAR: f32 = 40.0;
const TALK: f32 = 384.0;
const FOOT: f32 = 196.0;
/// Narrower than this the conversation is a tab.
const NARROW: f32 = 820.0;
/// Least size of the window.
pub(crate) const LEAST: egui::Vec2 = egui::Vec2::new(720.0, 480.0);

pub(crate) fn show(
    ui: &mut Ui,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Actions,
) {
    Cx::new(ui).fill(rect, 0.0, Theme::of(ui.visuals()).void);
    window::name(ui.ctx());
    window::meters(ui, model);
    if window::asks(model) {
        to_conversation(ui, model);
    }
    areas::keys(ui, &mut model.areas);
    let rect = Rect::from_min_size(rect.min, rect.size().max(LEAST));
    let mut rest = rect;
    let is_narrow = rect.width() < NARROW;
    bar(ui, model, rest.cut_top(BAR), is_narrow, out);
    rest.cut_top(size::GAP);
    let tab = match model.tab {
        Tab::Conversation if !is_narrow => Tab::Timeline,
        tab => tab,
    };
    let side = (!is_narrow).then(|| rest.cut_right(TALK));
    if let Some(side) = side {
        rest.cut_right(size::GAP);
        areas::begin(ui, &mut model.areas, "Conversation", side);
        conversation::show(ui, model, side, conversation::Size::Small, out);
    }
    areas::begin(ui, &mut model.areas, "Work", rest);
    if tab == Tab::Conversation {
        conversation::show(ui, model, rest, conversation::Size::Small, out);
    } else {
        let foot = rest.cut_bottom(FOOT.min(rest.height() * 0.4));
        rest.cut_bottom(size::GAP);
        work(ui, model, waves, tab, rest, out);
        self::foot(&Cx::new(ui), model, foot);
    }
    above(ui, model, waves, rest, out);
    areas::ring(ui, &model.areas);
    window::keys(ui, model, out);
}

/// Draws what is above the areas.
fn above(ui: &mut Ui, model: &mut Model, waves: &dyn Waves, rest: Rect, out: &mut Actions) {
    if model.shows_history {
        history::show(ui, model, rest, out);
    }
    inserts::show(ui, model, out);
    windows::show(ui, model, waves, rest, out);
    card::wide::show(ui, model, waves, out);
    windows::raise(ui.ctx(), model);
    toasts::show(ui, model, rest, out);
}

fn work(
    ui: &mut Ui,
    model: &mut Model,
    waves: &dyn Waves,
    tab: Tab,
    rect: Rect,
    out: &mut Actions,
) {
    let theme = Theme::of(ui.visuals());
    let has_tracks = model.session().is_some_and(|session| !session.track_order.is_empty());
    match tab {
        Tab::Mixer if has_tracks => mixer::show(ui, model, rect, out),
        Tab::Timeline if model.has_timeline() => {
            timeline::show(ui, model, waves, rect, Density::PLUGIN, out);
            // The number of a ghost leads to its row.
            if model.cards.values().any(|card| card.view.focus.takes_keyboard) {
                to_conversation(ui, model);
            }
            // A plan means that the person asked already, and its ghosts are there.
            let has_asked = model.open_plan().is_some();
            let has_clips = model.session().is_some_and(|session| !session.clips.is_empty());
            if !has_asked && !has_clips {
                // Below the tracks, as far as there is room.
                let mut room = rect;
                room.cut_top(rect.height() * 0.4);
                room.cut_left(Density::PLUGIN.header);
                instance::invite(&Cx::new(ui).clip(room), &model.live, room, out);
            }
        }
        Tab::Words => {
            let mut rest = rect;
            Cx::new(ui).fill(rect, 0.0, theme.panel);
            let head = rest.cut_top(words::HEAD);
            words::pages(&Cx::new(ui), model, head);
            Cx::new(ui).hline(head.left(), head.right(), head.bottom() - 1.0, theme.line);
            words::show(ui, model, waves, rest, out);
        }
        Tab::Timeline | Tab::Mixer | Tab::Conversation => {
            nothing_yet(&Cx::new(ui), model, rect, out);
        }
    }
}

/// The instructions before the first recording.
fn nothing_yet(cx: &Cx<'_>, model: &Model, rect: Rect, out: &mut Actions) {
    cx.fill(rect, 0.0, cx.t.panel);
    instance::invite(cx, &model.live, rect, out);
}

fn bar(ui: &mut Ui, model: &mut Model, rect: Rect, is_narrow: bool, out: &mut Actions) {
    let cx = Cx::new(ui);
    cx.fill(rect, 0.0, cx.t.panel);
    let y = rect.center().y;
    let logo = Rect::from_center_size(pos2(rect.left() + 20.0, y), vec2(16.0, 16.0));
    topbar::logo(&cx, logo);
    let mut x = rect.left() + 44.0;
    let all = [Tab::Timeline, Tab::Mixer, Tab::Words, Tab::Conversation];
    for tab in all.into_iter().filter(|tab| is_narrow || *tab != Tab::Conversation) {
        let is_on = model.tab == tab
            || (!is_narrow && tab == Tab::Timeline && model.tab == Tab::Conversation);
        let (right, is_clicked) = one_tab(&cx, rect, x, tab.name(), is_on);
        x = right;
        if is_clicked {
            model.tab = tab;
        }
    }
    host(&cx, model, rect, buttons_left(model, rect), x);
    buttons(&cx, model, rect, out);
}

fn one_tab(cx: &Cx<'_>, rect: Rect, x: f32, label: &str, is_on: bool) -> (f32, bool) {
    let width = (cx.width(label, Type::SMALL_STRONG) + 24.0).ceil();
    let cell = Rect::from_min_size(pos2(x, rect.top()), vec2(width, rect.height()));
    let response = cx.interact(cell, ("tab", label), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(Role::Tab, true, is_on, label));
    let is_lit = is_on || response.hovered();
    let color = if is_lit { cx.t.text } else { cx.t.text_2 };
    cx.center(cell.center(), label, Type::SMALL_STRONG, color);
    if is_on {
        let line = Rect::from_min_max(
            pos2(cell.left() + 12.0, cell.bottom() - 2.0),
            pos2(cell.right() - 12.0, cell.bottom()),
        );
        cx.fill(line, 0.0, cx.t.text);
    }
    cx.ring(&response, cell.shrink(5.0), 3.0);
    (cell.right(), response.clicked())
}

/// Where the buttons at the right begin.
fn buttons_left(model: &Model, rect: Rect) -> f32 {
    let count = 5 + usize::from(model.settings.is_some());
    rect.right() - space::S - 32.0 * count as f32 + 4.0
}

/// The buttons at the right, from left to right, as Tab goes through them.
fn buttons(cx: &Cx<'_>, model: &mut Model, rect: Rect, out: &mut Actions) {
    let is_open = model.mirror.is_some();
    let state = if is_open { State::Normal } else { State::Disabled };
    let mut x = buttons_left(model, rect);
    let mut cell = || {
        let cell = rect.row_box(x, vec2(28.0, 28.0));
        x += 32.0;
        cell
    };
    topbar::sessions_and_steps(cx, model, &mut cell, out);
    let (icon, is_shown) = (icons::CLOCK_COUNTER_CLOCKWISE, model.shows_history);
    let history = icon_toggle_in(cx, cell(), icon, is_shown, "History", state);
    model.shows_history ^= history.clicked() && is_open;
    topbar::sheets(cx, model, cell);
}

/// The host's transport state in words, and its position.
fn host(cx: &Cx<'_>, model: &Model, rect: Rect, right: f32, left: f32) {
    let y = rect.center().y;
    let mut x = right - 12.0;
    if let Some(session) = model.session() {
        let time = clock(model.live.position, session.rate);
        x = cx.right(pos2(x, y), &time, Type::BODY_STRONG, cx.t.text).left() - 12.0;
    }
    let (words, color) = match &model.live.output {
        SoundOutput::Host { name } if model.live.motion == Motion::Playing => {
            (format!("Following {name}"), cx.t.ok)
        }
        SoundOutput::Host { name } => (format!("{name} is stopped"), cx.t.text_3),
        SoundOutput::Device { name } => (name.clone(), cx.t.ok),
        SoundOutput::None { why } => (why.clone(), cx.t.text_3),
    };
    let room = (x - left - 32.0).max(0.0);
    if room < 48.0 {
        return;
    }
    let width = cx.width(&words, Type::SMALL).min(room);
    let text = cx.elided(pos2(x - width, y), &words, Type::SMALL, cx.t.text_2, room);
    cx.p.circle_filled(pos2(text.left() - 10.0, y), 3.0, color);
    cx.label(text, "host", &words);
}

/// Earlier plans, and what the instance plays now.
fn foot(cx: &Cx<'_>, model: &mut Model, rect: Rect) {
    let mut rest = rect;
    cx.fill(rest, 0.0, cx.t.panel);
    if model.live.instance.is_some() {
        let now = rest.cut_right((rect.width() * 0.6).min(308.0));
        cx.fill(now, 0.0, cx.t.raised);
        cx.vline(now.left(), now.top(), now.bottom(), cx.t.line);
        instance::show(&cx.clip(now), model, now);
    }
    plans(&cx.clip(rest), model, rest);
}

fn plans(cx: &Cx<'_>, model: &mut Model, rect: Rect) {
    let mut rest = rect;
    let head = rest.cut_top(32.0);
    cx.left(head.left_mid(12.0), "Plans", Type::BODY_STRONG, cx.t.text);
    rest.cut_top(4.0);
    let mut all: Vec<(usize, PlanId, String, PlanState)> = model
        .cards
        .values()
        .map(|card| {
            (card.number, card.stored.plan.id, card.stored.plan.summary.clone(), card.stored.state)
        })
        .collect();
    all.sort_by_key(|(number, ..)| std::cmp::Reverse(*number));
    if all.is_empty() {
        no_plan(cx, model, rest);
    }
    for (number, id, summary, state) in all.into_iter().take((rest.height() / 32.0) as usize) {
        let row = rest.cut_top(32.0);
        let (word, color) = state_word(cx, state);
        let name = format!("Plan {number}, {word}: {summary}");
        let response = cx.button(row, ("plan", number), &name);
        if response.hovered() {
            cx.fill(row, 0.0, cx.t.control);
        }
        cx.left(row.left_mid(12.0), &number.to_string(), Type::SMALL_STRONG, cx.t.text_3);
        let state = cx.right(row.right_mid(12.0), word, Type::CAPTION_STRONG, color);
        let room = state.left() - row.left() - 40.0;
        cx.elided(row.left_mid(32.0), &summary, Type::SMALL, cx.t.text, room);
        cx.hline(rect.left() + 12.0, rect.right() - 12.0, row.top(), cx.t.line);
        cx.ring(&response, row.shrink(4.0), radius::CONTROL);
        if response.clicked() {
            model.show_plan_again(id);
            to_conversation(cx.ui, model);
        }
    }
}

/// The next step before there is a plan: to ask.
fn no_plan(cx: &Cx<'_>, model: &mut Model, rect: Rect) {
    cx.left(rect.min + vec2(12.0, 16.0), "None yet", Type::SMALL, cx.t.text_3);
    let state = if model.session().is_some() { State::Normal } else { State::Disabled };
    let ask = Button::new(Kind::Secondary, "Ask for a change").state(state);
    let cell = Rect::from_min_size(rect.min + vec2(12.0, 36.0), vec2(ask.width(cx), 28.0));
    if ask.show(cx, cell).clicked() {
        model.wants_composer = true;
        to_conversation(cx.ui, model);
    }
}

/// In a narrow window the conversation is a tab, and links into it open that tab.
fn to_conversation(ui: &Ui, model: &mut Model) {
    if ui.max_rect().width() < NARROW {
        model.tab = Tab::Conversation;
    }
}

fn state_word(cx: &Cx<'_>, state: PlanState) -> (&'static str, Color32) {
    match state {
        PlanState::Waiting => ("Waiting", cx.t.accent),
        PlanState::Applying => ("Applying", cx.t.text_2),
        PlanState::Applied => ("Applied", cx.t.ok),
        PlanState::RolledBack => ("Rolled back", cx.t.warn),
        PlanState::Rejected => ("Rejected", cx.t.text_3),
        PlanState::Undone => ("Undone", cx.t.text_3),
        PlanState::Conflict => ("Conflict", cx.t.danger),
    }
}

//! The plan card: what would change, why, and the only controls that touch the session. Its header, its
//! audition row and its foot stay in place; the part between them scrolls if it does not fit.

pub(crate) mod applied_rows;
mod audition;
mod body;
pub(crate) mod carry_over;
mod cuts;
mod decide;
mod filter;
mod keyboard;
pub(crate) mod label;
mod lines;
mod listen_first;
pub(crate) mod parts;
mod permission;
pub(crate) mod predictions;
mod rows;
mod single_value;
mod stale;
mod step;
mod summary_line;
mod takes;
mod thumbnails;
mod ticks;
mod title;
mod track_wide;
mod value;
pub(crate) mod warning_offer;
mod warnings;
pub(crate) mod wide;

use crate::action::Actions;
use crate::describe::Told;
use crate::icons;
use crate::kit::controls::{Urgency, announce, icon_button};
use crate::kit::{Cut, Cx};
use crate::live::{Live, SoundOutput};
use crate::model::Card;
use crate::settings::Settings;
use crate::theme::{Theme, Type, radius, space};
use crate::timeline::GhostLink;
use crate::tools::Tools;
use crate::waves::Waves;
use crate::words;
pub(crate) use applied_rows::Taken;
use body::Body;
use cuts::Cuts;
use deskhand_protocol::CallId;
use deskhand_session::{PlanState, RevisionId, Session};
use egui::{Rect, Ui, UiBuilder, Vec2, pos2, vec2};
pub(crate) use keyboard::keys;
use keyboard::{apply_by_key, keep_arrows};
pub(crate) use lines::Lines;
pub(crate) use stale::Stale;
use std::collections::{BTreeMap, BTreeSet};
pub(crate) use value::Editing;
pub(crate) use warning_offer::Offered;

const HEADER: f32 = 56.0;
const SECTION: f32 = 28.0;
const LINE: f32 = 20.0;
const AUDITION: f32 = 44.0;
const STRIP: f32 = 36.0;
const FOOTER: f32 = 52.0;
/// The margin around a card that is alone in view.
const MARGIN: f32 = 36.0;
/// The line below a card in the conversation that says what the turn waits for.
const AWAITED: f32 = 28.0;
/// The header's text for a plan without ticks.
const NOTHING_TICKED: &str = "Nothing is ticked: tick a change to hear or apply it";
/// The button that takes a card out of the conversation.
const WIDEN: Vec2 = vec2(24.0, 24.0);
/// The least that scrolls between the pinned parts.
const LEAST: f32 = 120.0;
/// How long a card must have been in full view before its key applies, seconds.
const SEEN: f64 = 0.5;

/// What a card needs to draw, apart from its own state.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) session: &'a Session,
    pub(crate) tools: &'a Tools,
    /// Where the session lies.
    pub(crate) folder: &'a str,
    pub(crate) head: RevisionId,
    pub(crate) live: &'a Live,
    pub(crate) settings: Option<&'a Settings>,
    /// Little room: predictions in one line.
    pub(crate) is_compact: bool,
    /// The card has a window of its own.
    pub(crate) is_wide: bool,
    /// Where waveforms for its drawings come from.
    pub(crate) waves: Option<&'a dyn Waves>,
    /// What of its ghosts the pointer is on.
    pub(crate) link: &'a GhostLink,
}

impl Place<'_> {
    /// Height of a change.
    fn row(&self) -> f32 {
        if self.is_wide { wide::ROW } else { lines::ROW }
    }

    /// Height of a header whose title has one line.
    fn header(&self) -> f32 {
        if self.is_wide { wide::HEADER } else { HEADER }
    }

    /// Height of a finding.
    fn line(&self) -> f32 {
        if self.is_wide { wide::LINE } else { LINE }
    }

    /// The edge at which all numbers of a card end, measured from its right side.
    fn number_edge(&self) -> f32 {
        space::M + if self.is_wide { wide::UNITS } else { 20.0 }
    }
}

/// What the person did with a card so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct CardView {
    /// Which of its changes are rows.
    pub(crate) cuts: Cuts,
    /// Changes without a tick.
    pub(crate) off: BTreeSet<String>,
    /// Rows that lost their tick together with another row. They get it back with that row.
    went_along: BTreeSet<String>,
    /// Rows that were heard in place, of those that are to be.
    heard: BTreeSet<String>,
    /// The row to hear in place as soon as the card has the keyboard.
    asked: Option<usize>,
    /// The row that is heard in place, though it may have no tick.
    pub(crate) hears_row: Option<usize>,
    /// The session is heard again, as nothing of the plan has a tick.
    was_hushed: bool,
    /// Its parts, where it has some.
    pub(crate) parts: parts::PartsView,
    /// Values to apply in place of the planned ones.
    pub(crate) edits: BTreeMap<String, f64>,
    /// The row whose value is being edited.
    pub(crate) editing: Option<Editing>,
    /// The words of a rejection, while it is being written.
    pub(crate) rejecting: Option<String>,
    /// The reason field should get the keyboard.
    asks_why: bool,
    /// The card should get the keyboard, because the control that had it is gone.
    pub(crate) takes_keyboard: bool,
    pub(crate) was_brought: bool,
    /// Decided here; the answer is on its way.
    pub(crate) was_sent: bool,
    /// How far applying is.
    pub(crate) progress: f64,
    /// The submission that decides it.
    pub(crate) call: Option<CallId>,
    /// It lets the call run that the plan asks for.
    pub(crate) lets_run: bool,
    /// Words for the composer that a button of the card asked for.
    pub(crate) wish: Option<String>,
    /// The offered action was requested. The plan is made again once that is done.
    pub(crate) offered: Option<Offered>,
    /// The takes that the plan marks should be shown side by side.
    pub(crate) opens_takes: bool,
    pub(crate) stale: Stale,
    /// The parts of the plan that are applied already.
    pub(crate) taken: Taken,
    pub(crate) lines: Lines,
    pub(crate) filter: String,
    /// The row that was stepped to.
    pub(crate) current: Option<usize>,
    /// The row to bring into view.
    wanted: Option<usize>,
    /// The row whose change the timeline should show.
    pub(crate) shown: Option<usize>,
    /// The row under the pointer, and the frame in which it was.
    under: Option<(usize, u64)>,
    /// The person turned level match off.
    is_unmatched: bool,
    /// Stepping repeats the place of a change, in place of this.
    stepped: Option<step::Stepped>,
    /// The row that was stepped to and is not heard, and why.
    unheard: Option<(usize, String)>,
    /// A plan that would be one line is shown whole.
    is_whole: bool,
    /// The changes of a decided plan are listed.
    pub(crate) is_unfolded: bool,
    /// All numbers of a receipt are listed.
    pub(crate) lists_measured: bool,
    /// It asks for a window of its own.
    pub(crate) is_taken_out: bool,
    /// The settings that were not carried over from the replaced card.
    pub(crate) remarks: Vec<String>,
    /// All warnings are shown, not the first alone.
    tells_all: bool,
    /// Whether findings are listed; by room when the person did not say.
    shows_findings: Option<bool>,
    /// Lines drawn in the last frame.
    pub(crate) drawn: usize,
    /// The frame in which it was drawn last.
    drawn_in: Option<u64>,
    in_view_since: Option<f64>,
    had_focus: bool,
    /// The keyboard came to it: its ghosts are to be drawn.
    pub(crate) is_taken_up: bool,
    /// The card itself, when it has the keyboard.
    pub(crate) whole: Option<egui::Id>,
}

impl CardView {
    /// Chooses a row and brings it into view, whatever the rows are filtered by.
    pub(crate) fn go_to(&mut self, row: usize) {
        (self.current, self.wanted) = (Some(row), Some(row));
        if !self.lines.has(row) {
            self.filter.clear();
        }
    }

    /// The row under the pointer, in this frame or the last. A card over the desk is drawn after it.
    pub(crate) fn pointed(&self, ui: &Ui) -> Option<usize> {
        let now = ui.ctx().cumulative_frame_nr();
        self.under.filter(|(_, frame)| frame + 1 >= now).map(|(row, _)| row)
    }

    fn point_at(&mut self, ui: &Ui, row: usize) {
        let now = ui.ctx().cumulative_frame_nr();
        if self.pointed(ui) != Some(row) {
            ui.ctx().request_repaint();
        }
        self.under = Some((row, now));
    }

    pub(crate) fn settled(&mut self, _: PlanState) {
        (self.was_sent, self.rejecting, self.editing) = (false, None, None);
        self.progress = 0.0;
    }

    /// Whether the call that the plan asks leave for runs, let by this window.
    pub(crate) fn is_let_run(&self) -> bool {
        self.lets_run && self.call.is_some()
    }

    /// The hub that would have answered a decision is gone, so the decision can be made again.
    pub(crate) fn lost(&mut self) {
        (self.was_sent, self.call, self.progress) = (false, None, 0.0);
        self.parts.lost();
        self.offered = None;
    }

    /// Whether the person is at it.
    pub(crate) fn has_keyboard(&self) -> bool {
        self.had_focus
    }

    /// Whether the card has been in full view long enough.
    fn is_seen(&mut self, is_in_view: bool, now: f64) -> bool {
        if !is_in_view {
            self.in_view_since = None;
            return false;
        }
        now - *self.in_view_since.get_or_insert(now) >= SEEN
    }
}

/// The heights of the parts of a card.
struct Parts {
    header: f32,
    body: Body,
    /// Of what the body shows at once.
    view: f32,
    strip: f32,
    audition: f32,
    foot: f32,
}

impl Parts {
    fn of(cx: &Cx<'_>, place: &Place<'_>, card: &Card, width: f32) -> Self {
        let beside = if place.is_wide { MARGIN } else { MARGIN + AWAITED };
        let room = (cx.p.clip_rect().height() - beside).max(0.0);
        let body = Body::of(cx, place, card, width);
        let foot = decide::height(card);
        let header = place.header() + title::more(cx, place, card, width);
        let pinned = header + AUDITION + foot;
        let is_short = body.height() + pinned > room;
        // Predictions that are already in view are not repeated in the strip.
        let has_strip = is_short && summary_line::is_needed(card)
            || place.is_compact && predictions::all(card).next().is_some();
        let strip = if has_strip { STRIP } else { 0.0 };
        let view = body.height().min((room - pinned - strip).max(LEAST));
        Self { header, body, view, strip, audition: AUDITION, foot }
    }

    fn height(&self) -> f32 {
        self.header + self.view + self.strip + self.audition + self.foot
    }
}

/// Draws the card of a waiting plan, and returns its rectangle.
pub(crate) fn waiting(ui: &mut Ui, place: &Place<'_>, card: &mut Card, out: &mut Actions) -> Rect {
    if card.stored.plan.changes.is_empty() {
        return permission::show(ui, place, card, out);
    }
    stale::settle(card, place.session, place.head);
    if !place.is_wide && single_value::is_one_line(card) {
        return single_value::show(ui, place, card, out);
    }
    let view = &mut card.view;
    let filter = view.filter.clone();
    view.lines.settle(&card.stored.plan, &view.cuts, place.session, &filter, place.row());
    let width = ui.available_width();
    let sizes = Parts::of(&Cx::new(ui, place.theme), place, card, width);
    let size = vec2(width, sizes.height());
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let had = card.view.had_focus;
    apply_by_key(ui, place.session, card, rect, out);
    if card.view.had_focus {
        keep_arrows(ui);
        step::keys(ui, place, card, out);
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("card", card.number)));
    card.view.had_focus = paint(&mut child, place, card, rect, &sizes, out);
    card.view.keep_steps(had, place, out);
    rect
}

fn paint(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    sizes: &Parts,
    out: &mut Actions,
) -> bool {
    let mut rest = rect;
    let focused;
    {
        let cx = Cx::new(ui, place.theme);
        if !place.is_wide {
            cx.fill(rect, radius::CARD, cx.t.raised);
        }
        // A click anywhere gives the card the keyboard.
        let whole = cx.interact(rect, "card", egui::Sense::click());
        let name = format!("Card of plan {}", card.number);
        whole.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, &name));
        if whole.clicked() || std::mem::take(&mut card.view.takes_keyboard) {
            whole.request_focus();
        }
        card.view.whole = whole.has_focus().then_some(whole.id);
        header(&cx, place, card, rest.cut_top(sizes.header));
        if !place.is_wide {
            cx.border(rect, radius::CARD, cx.t.line_strong);
        }
        if whole.has_focus() {
            cx.focus_ring(rect, radius::CARD);
        }
        focused = cx.focused;
    }
    let view = rest.cut_top(sizes.view);
    let in_body = body::show(ui, place, card, view, &sizes.body, out);
    let cx = Cx::new(ui, place.theme);
    summary_line::show(&cx, rest.cut_top(sizes.strip), card, place);
    audition::show(&cx, place, card, rest.cut_top(sizes.audition), out);
    let in_audition = cx.focused.get();
    drop(cx);
    let in_foot = decide::show(ui, place, card, rest, out);
    focused.get() || in_body || in_audition || in_foot
}

fn header(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, rect: Rect) {
    let can_widen = !place.is_wide && wide::has_room(cx.ui);
    let x = rect.left() + space::M;
    let summary = title::words(card);
    let y = title::show(cx, place, &summary, rect);
    let number = format!("Plan {}", card.number);
    let tag = cx.left(pos2(x, y), &number, Type::SMALL_STRONG, cx.t.accent);
    let (state, color) = state_words(cx, place, card);
    let room = rect.right() - 112.0 - tag.right();
    cx.elided(pos2(tag.right() + 8.0, y), &state, Type::SMALL, color, room);
    let node = Rect::from_min_max(rect.min, pos2(rect.right() - 40.0, y - 10.0));
    let node = cx.interact(node, "title", egui::Sense::hover());
    let words = format!("{number}: {summary}. {state}");
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    announce(&node, Urgency::InTurn);
    node.on_hover_text(format!("{summary}\n{state}"));
    body::findings_switch(cx, pos2(rect.right() - space::M, y), card, place.is_wide);
    if can_widen {
        let cell = Rect::from_min_size(pos2(rect.right() - 36.0, rect.top() + 8.0), WIDEN);
        let name = format!("Plan {} in a window of its own", card.number);
        card.view.is_taken_out = icon_button(cx, cell, icons::ARROWS_OUT_SIMPLE, &name).clicked();
    }
}

fn state_words(cx: &Cx<'_>, place: &Place<'_>, card: &Card) -> (String, egui::Color32) {
    let (plan, view) = (&card.stored.plan, &card.view);
    let all = view.rows(plan);
    let stale = view.stale_rows(plan);
    let waits = match all - view.left(plan) {
        0 if !view.has_tick(plan) && !view.has_rows_to_hear(plan) => NOTHING_TICKED.to_owned(),
        0 => "Not applied".to_owned(),
        taken => format!("{taken} of {all} applied, the rest not"),
    };
    if card.view.was_sent || card.stored.state == PlanState::Applying {
        ("Applying".into(), cx.t.text_2)
    } else if stale > 0 {
        (format!("{stale} to measure again: {}", card.view.stale.why), cx.t.warn)
    } else if let Some((row, why)) = &view.unheard
        && view.current == Some(*row)
    {
        let number = view.cuts.number(*row) + 1;
        (format!("Change {number} is not heard: {why}"), cx.t.text_2)
    } else if let (SoundOutput::Host { name }, Some(row)) = (&place.live.output, card.view.current)
    {
        // Nothing here starts the transport.
        let number = view.cuts.number(row) + 1;
        (format!("{waits}. Play in {name} to hear change {number}"), cx.t.text_2)
    } else {
        (waits, cx.t.text_2)
    }
}

/// The words of a row, with an edited value in its place.
pub(crate) fn row_words(card: &Card, index: usize, session: &Session) -> Option<Told> {
    let planned = card.stored.plan.changes.get(index)?;
    let mut told = card.view.cuts.told(planned, session);
    if let Some(take) = words::take_of(&card.stored.plan, planned, session) {
        told.name = format!("{take} · {}", told.name);
    }
    if let Some(value) = card.view.edits.get(&planned.id) {
        told.was = Some(std::mem::take(&mut told.after));
        told.after = value::text(*value, &told.unit);
        told.number = Some(*value);
    }
    Some(told)
}

#[cfg(test)]
mod menu_tests;
#[cfg(test)]
mod tests;

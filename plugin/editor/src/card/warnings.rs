//! The texts below the changes of a card: warnings, each with its way out, and notes without one.

use super::place::Place;
use super::section::node;
use super::warning_offer;
use crate::action::Actions;
use crate::card::view::Card;
use crate::icons;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::missing::{self, Install};
use crate::settings::ModelOffer;
use crate::theme::{Type, radius, space};
use crate::toasts::names;
use deskhand_session::PlanOffer;
use egui::{Rect, pos2, vec2};

/// Warnings that are shown until the person asks for all.
const WARNED: usize = 2;
/// Height of the way to the others.
const MORE: f32 = 32.0;
/// Height of the row of buttons below a warning with several.
const BUTTONS: f32 = 32.0;
/// What the button of a missing model leaves of a block.
const FOR_WORDS: f32 = 140.0;
/// The room that a note leaves free next to its text.
const INDENT: f32 = 40.0;

pub(super) struct Heights {
    warnings: Vec<f32>,
    hidden: usize,
    notes: Vec<f32>,
}

impl Heights {
    pub(super) fn of(cx: &Cx<'_>, place: &Place<'_>, card: &Card, width: f32) -> Self {
        let plan = &card.stored.plan;
        let warned = if card.view.folds.tells_all { usize::MAX } else { WARNED };
        let warning = |told: &String| {
            let offer = missing::offer(place.settings, told);
            let (block, text) = (width - 2.0 * space::M, shown(place, told, offer.is_some()));
            let fixes = fixes_of(card, told, place);
            let button = match (offer, &fixes[..]) {
                (Some(offer), _) => Install::of(&offer).width(cx, block - FOR_WORDS),
                (None, [fix]) => fix.button().width(cx),
                (None, _) => 0.0,
            };
            let below = if fixes.len() > 1 { BUTTONS } else { 0.0 };
            let room = block - 52.0 - button;
            (cx.para_height(&text, Type::SMALL, room) + 24.0).max(44.0) + below
        };
        let room = width - 2.0 * space::M - INDENT;
        let note =
            |text: &String| cx.para_height(&shown(place, text, false), Type::SMALL, room) + 8.0;
        Self {
            warnings: plan.warnings.iter().take(warned).map(warning).collect(),
            hidden: plan.warnings.len().saturating_sub(warned),
            notes: notes(card).map(note).collect(),
        }
    }

    pub(super) fn all(&self) -> f32 {
        let more = if self.hidden > 0 { MORE } else { 0.0 };
        let blocks = self.warnings.iter().chain(&self.notes).sum::<f32>() + more;
        if blocks > 0.0 { blocks + 8.0 } else { 0.0 }
    }
}

/// Draws the warnings, then the notes.
pub(super) fn show(
    cx: &Cx<'_>,
    place: &Place<'_>,
    rect: Rect,
    card: &mut Card,
    heights: &Heights,
    out: &mut Actions,
) {
    let mut rest = rect.pad(space::M, 0.0);
    for (index, height) in heights.warnings.iter().enumerate() {
        let told = card.stored.plan.warnings[index].clone();
        let offer = missing::offer(place.settings, &told);
        let text = shown(place, &told, offer.is_some());
        let block = rest.cut_top(*height).pad(0.0, 4.0);
        let fixes = fixes_of(card, &told, place);
        let salt = index as u64;
        match warning(cx, block, &text, (offer.as_ref(), &fixes, salt), out) {
            Some(Fix::Offer(offer, _)) => warning_offer::take(card, offer, out),
            Some(Fix::Revise) => {
                card.view.asks.wish = Some(format!("Revise plan {}: {text}", card.number));
            }
            None => {}
        }
    }
    if heights.hidden > 0 {
        more(cx, rest.cut_top(MORE), heights.hidden, card);
    }
    for (text, height) in notes(card).zip(&heights.notes) {
        note(cx, rest.cut_top(*height), &shown(place, text, false));
    }
}

/// The notes of the plan, then those added to its card.
fn notes(card: &Card) -> impl Iterator<Item = &String> {
    card.stored.plan.notes.iter().chain(&card.view.remarks)
}

fn more(cx: &Cx<'_>, row: Rect, hidden: usize, card: &mut Card) {
    let label = match hidden {
        1 => "Show 1 more warning".to_owned(),
        hidden => format!("Show {hidden} more warnings"),
    };
    let button = Button::new(Kind::Quiet, &label).salt(card.number as u64);
    let cell = row.row_box(row.left(), vec2(button.width(cx), 24.0));
    if button.show(cx, cell).clicked() {
        (card.view.folds.tells_all, card.view.focus.takes_keyboard) = (true, true);
    }
}

/// A button next to a warning.
#[derive(Clone)]
enum Fix {
    /// What the plan offers, with the hint.
    Offer(PlanOffer, String),
    /// A request in the person's words, which needs a model.
    Revise,
}

impl Fix {
    fn button(&self) -> Button<'_> {
        Button::new(
            Kind::Secondary,
            match self {
                Self::Offer(offer, _) => &offer.label,
                Self::Revise => "Fix…",
            },
        )
    }

    fn hint(&self) -> &str {
        match self {
            Self::Offer(_, hint) => hint,
            Self::Revise => "Ask for a plan without this",
        }
    }
}

/// The ways out of a warning: the plan's offers; else a request in the person's words where a model answers.
fn fixes_of(card: &Card, told: &str, place: &Place<'_>) -> Vec<Fix> {
    let offers = card.stored.plan.offers.iter().filter(|offer| offer.warning == told);
    let fix = |offer: &PlanOffer| Fix::Offer(offer.clone(), warning_offer::hint(offer));
    let fixes: Vec<Fix> = offers.map(fix).collect();
    let has_model = place.settings.is_none_or(|settings| settings.provider.is_some());
    if fixes.is_empty() && has_model { vec![Fix::Revise] } else { fixes }
}

/// The text of a warning for a person. If the warning `has_button`, a button next to it installs what is
/// missing.
fn shown(place: &Place<'_>, text: &str, has_button: bool) -> String {
    let text = if has_button { missing::beside_button(text) } else { text };
    names::of(&place.tools.for_person(text), place.session)
}

fn note(cx: &Cx<'_>, block: Rect, text: &str) {
    let at = block.min + vec2(32.0, 4.0);
    cx.icon(pos2(block.left() + 16.0, at.y + 8.0), icons::INFO, 16.0, cx.t.text_3);
    cx.para(at, text, Type::SMALL, cx.t.text_2, block.width() - INDENT);
    node(cx, block, text);
}

/// A warning with its fixes. A missing model is installed. Returns the fix whose button was clicked.
fn warning(
    cx: &Cx<'_>,
    block: Rect,
    text: &str,
    (offer, fixes, salt): (Option<&ModelOffer>, &[Fix], u64),
    out: &mut Actions,
) -> Option<Fix> {
    cx.fill(block, radius::CONTROL, cx.t.warn_soft);
    node(cx, block, text);
    let mut top = block;
    let below = if fixes.len() > 1 { top.cut_bottom(BUTTONS) } else { Rect::NOTHING };
    cx.icon_fill(top.left_mid(16.0), icons::WARNING, 16.0, cx.t.warn);
    let install = offer.map(Install::of);
    let width = match (&install, fixes) {
        (Some(install), _) => install.width(cx, block.width() - FOR_WORDS),
        (None, [fix]) => fix.button().width(cx),
        (None, _) => 0.0,
    };
    let room = block.width() - width - 52.0;
    let tall = cx.para_height(text, Type::SMALL, room);
    let at = pos2(block.left() + 32.0, top.center().y - tall / 2.0);
    cx.para(at, text, Type::SMALL, cx.t.text, room);
    let cell = top.row_box(block.right() - width - 8.0, vec2(width, 24.0));
    match (install, fixes) {
        (Some(install), _) => {
            install.show(cx, cell, salt, out);
            None
        }
        (None, [fix]) => clicked(cx, cell, fix, salt),
        (None, several) => in_a_row(cx, below, several, salt),
    }
}

/// Draws the buttons of a warning from the left edge of its text.
fn in_a_row(cx: &Cx<'_>, row: Rect, fixes: &[Fix], salt: u64) -> Option<Fix> {
    let mut left = row.left() + 32.0;
    let mut chosen = None;
    for fix in fixes {
        let width = fix.button().width(cx);
        let cell = Rect::from_min_size(pos2(left, row.top()), vec2(width, 24.0));
        chosen = clicked(cx, cell, fix, salt).or(chosen);
        left += width + space::S;
    }
    chosen
}

fn clicked(cx: &Cx<'_>, cell: Rect, fix: &Fix, salt: u64) -> Option<Fix> {
    let response = fix.button().salt(salt).show(cx, cell);
    response.on_hover_text(fix.hint()).clicked().then(|| fix.clone())
}

#[cfg(test)]
mod tests {
    use crate::settings::Settings;
    use crate::testing::prelude::*;
    use deskhand_session::{OfferStep, PlanOffer};

    #[test]
    fn an_offer_plans_in_place_of_the_plan_or_beside_it() {
        let mut model = with_plan();
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        let warning = "The mix would peak at +0.8 dBTP.";
        plan.warnings = vec![warning.into()];
        let params = json!({"ceiling_dbtp": -1});
        let lower = ("tool_of_anybody", json!({"change_db": -1.8}));
        plan.offers = vec![
            PlanOffer::again(warning, "Hold at −1 dBTP", params.clone())
                .of_call("tool_normalize", &json!({})),
            PlanOffer::new(warning, "Lower the mix 1.8 dB", OfferStep::Beside, lower.clone()),
        ];
        let mut harness = harness(model);
        for label in ["Lower the mix 1.8 dB", "Hold at −1 dBTP", "Hold at −1 dBTP"] {
            harness.click_on(label);
        }
        let measure = |tool: &str, params| Action::Measure { tool: tool.to_owned(), params };
        let expected = [measure(lower.0, lower.1), measure("tool_normalize", params)];
        assert_eq!(harness.state().actions, expected, "a plan takes its place once");
    }

    #[test]
    fn what_only_a_model_understands_is_offered_where_one_answers() {
        let fixes = |provider: Option<&str>| {
            let mut model = with_plan();
            let provider = provider.map(str::to_owned);
            model.settings = Some(Settings { provider, ..Settings::default() });
            let harness = harness(model);
            assert!(harness.query_by_label("The guitar has 2 dB of headroom.").is_some());
            harness.query_by_label("Fix…").is_some()
        };
        assert_eq!([Some("cloud"), None].map(fixes), [true, false]);
    }

    #[test]
    fn warnings_that_are_not_shown_are_one_click_away() {
        let mut model = with_plan();
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        plan.warnings = (1..=4).map(|number| format!("Clip {number} is silent.")).collect();
        let mut harness = harness(model);
        assert!(harness.query_by_label("Clip 2 is silent.").is_some());
        assert!(harness.query_by_label("Clip 3 is silent.").is_none());
        harness.click_on("Show 2 more warnings");
        assert!(harness.query_by_label("Clip 4 is silent.").is_some());
        assert!(harness.query_by_label_contains("more warning").is_none());
    }

    #[test]
    fn what_is_warned_of_and_noted_is_the_list_of_the_plan_and_nothing_else() {
        let mut model = with_plan();
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        plan.warnings = (1..=5).map(|number| format!("Warning {number} of it.")).collect();
        plan.notes = vec!["Note 1 of it.".into()];
        let (warnings, notes) = (plan.warnings.clone(), plan.notes.clone());
        let mut harness = harness(model);
        harness.click_on("Show 3 more warnings");
        for told in warnings.iter().chain(&notes) {
            harness.get_by_label(told);
        }
        // Six single lines, and the counting line, whose label contains all of them.
        assert_eq!(harness.query_all_by_label_contains(" of it.").count(), 7);
    }
}

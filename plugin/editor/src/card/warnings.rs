//! The texts below the changes of a card: warnings, each with its way out, and notes without one.

use super::place::Place;
use super::section::node;
use super::{measure_again, warning_offer};
use crate::action::Actions;
use crate::card::view::Card;
use crate::icons;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::missing::{self, Install};
use crate::settings::ModelOffer;
use crate::theme::{Type, radius, space};
use crate::toasts::names;
use crate::tools::title;
use egui::{Rect, pos2, vec2};
use serde_json::json;

/// Warnings that are shown until the person asks for all.
const WARNED: usize = 2;
/// Height of the way to the others.
const MORE: f32 = 32.0;
/// The way out that a warning of true peaks names, and the parameter that asks for it.
const CEILING: &str = "a ceiling of -1 dBTP";
const HOLDS: &str = "ceiling_dbtp";
/// The part of a warning's text if other tracks move along that could stay.
const MOVES_ALONG: &str = "alone, ask for that";
/// What the button of a missing model leaves of a block.
const FOR_WORDS: f32 = 140.0;
/// The room that a note leaves free next to its text.
const INDENT: f32 = 40.0;

/// The heights of the blocks.
pub(super) struct Heights {
    warnings: Vec<f32>,
    /// How many warnings are not shown.
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
            let button = match offer {
                Some(offer) => Install::of(&offer).width(cx, block - FOR_WORDS),
                None => fix_of(card, told, &text, place)
                    .map_or(0.0, |(label, _)| Button::new(Kind::Secondary, &label).width(cx)),
            };
            let room = block - 52.0 - button;
            (cx.para_height(&text, Type::SMALL, room) + 24.0).max(44.0)
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
        let fix = fix_of(card, &told, &text, place);
        let label = fix.as_ref().map(|(label, _)| label.clone());
        if !warning(cx, block, &text, (offer.as_ref(), fix, index as u64), out) {
            continue;
        }
        if warning_offer::of(card, &told).is_some() {
            warning_offer::take(card, &told, out);
        } else if label.as_deref() == Some(HOLD.0) {
            measure_again::with(card, (HOLDS, json!(-1)), "with a ceiling of -1 dBTP", out);
        } else if label.as_deref() == Some(ALONE.0) {
            measure_again::with(card, ("sync", json!("named")), "for the named tracks alone", out);
        } else {
            card.view.asks.wish = Some(format!("Revise plan {}: {text}", card.number));
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

/// The way to the warnings that are not shown.
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

/// The label of a warning's button, and its hint.
type Fix = (String, String);
const HOLD: (&str, &str) = ("Hold it", "Plan it again with true peaks of −1 dBTP at most");
const ALONE: (&str, &str) = ("Move alone", "Plan it again for the named tracks alone");
const REVISE: (&str, &str) = ("Fix…", "Ask for a plan without this");

/// The fix for a warning shown as `text`: the plan's offer; else the same call with other parameters, if known; else a
/// request in the person's words, which needs a model.
fn fix_of(card: &Card, told: &str, text: &str, place: &Place<'_>) -> Option<Fix> {
    if let Some(offer) = warning_offer::of(card, told) {
        let hint = format!("{}, then plan this again", title(&offer.tool));
        return Some((offer.label.clone(), hint));
    }
    let plan = &card.stored.plan;
    let can_hold = place.tools.has_param(&plan.tool, HOLDS) && text.contains(CEILING);
    let is_offline = place.settings.is_some_and(|settings| settings.provider.is_none());
    let (label, hint) = match (can_hold, is_offline) {
        _ if text.contains(MOVES_ALONG) => ALONE,
        (true, _) => HOLD,
        (false, true) => return None,
        (false, false) => REVISE,
    };
    Some((label.to_owned(), hint.to_owned()))
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

/// A warning with its fix, if it has one. A missing model is installed. Otherwise returns whether the
/// button of the fix was clicked.
fn warning(
    cx: &Cx<'_>,
    block: Rect,
    text: &str,
    (offer, fix, salt): (Option<&ModelOffer>, Option<Fix>, u64),
    out: &mut Actions,
) -> bool {
    cx.fill(block, radius::CONTROL, cx.t.warn_soft);
    cx.icon_fill(block.left_mid(16.0), icons::WARNING, 16.0, cx.t.warn);
    node(cx, block, text);
    let install = offer.map(Install::of);
    let fix = fix.as_ref();
    let fix =
        fix.map(|(label, hint)| (Button::new(Kind::Secondary, label).salt(salt), hint.as_str()));
    let width = match (&install, &fix) {
        (Some(install), _) => install.width(cx, block.width() - FOR_WORDS),
        (None, Some((fix, _))) => fix.width(cx),
        (None, None) => 0.0,
    };
    let room = block.width() - width - 52.0;
    let tall = cx.para_height(text, Type::SMALL, room);
    let at = pos2(block.left() + 32.0, block.center().y - tall / 2.0);
    cx.para(at, text, Type::SMALL, cx.t.text, room);
    let cell = block.row_box(block.right() - width - 8.0, vec2(width, 24.0));
    match (install, fix) {
        (Some(install), _) => {
            install.show(cx, cell, salt, out);
            false
        }
        (None, Some((fix, hint))) => fix.show(cx, cell).on_hover_text(hint).clicked(),
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::action::Action;
    use crate::settings::Settings;
    use crate::testing::{UserInput as _, gain_plan};
    use crate::ui_tests::{harness, with_plan};
    use egui_kittest::kittest::Queryable as _;
    use serde_json::json;

    #[test]
    fn peaks_over_full_scale_are_held_by_one_click_without_a_model() {
        let mut model = with_plan();
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        let told = "\"Vocal take\": peaks would reach +0.8 dBTP: over 0, which clips; a ceiling of -1 dBTP \
                    brings \"Vocal take\" to -17.8 LUFS";
        plan.warnings = vec![told.into()];
        let mut harness = harness(model);
        for _ in 0..2 {
            harness.click_on("Hold it");
        }
        let (tool, params) = ("tool_normalize".to_owned(), json!({"ceiling_dbtp": -1}));
        assert_eq!(harness.state().actions, [Action::Measure { tool, params }], "it is asked once");
    }

    #[test]
    fn what_would_move_others_along_is_asked_for_alone_by_one_click() {
        let mut model = with_plan();
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        let told = "\"Guest\" moves along: recorded together with \"Host\". To move \"Host\" alone, give `sync` \"named\".";
        plan.warnings = vec![told.into()];
        let mut harness = harness(model);
        harness.click_on("Move alone");
        let (tool, params) = ("tool_normalize".to_owned(), json!({"sync": "named"}));
        assert_eq!(harness.state().actions, [Action::Measure { tool, params }]);
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

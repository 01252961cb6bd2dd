//! What a card says in words below its changes: warnings, each with its way out, and notes, which need none.

use super::Place;
use super::body::node;
use crate::action::Action;
use crate::icons;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::missing::{self, Install};
use crate::model::Card;
use crate::settings::ModelOffer;
use crate::theme::{Type, radius, space};
use crate::ways::for_person;
use deskhand_session::Plan;
use egui::{Rect, pos2, vec2};

/// Warnings that are shown; the rest is counted.
const WARNED: usize = 2;
/// About the width of the button of a warning.
const FIX: f32 = 64.0;
/// What the button of a missing model leaves of a block.
const FOR_WORDS: f32 = 140.0;
/// What a note leaves free beside its words.
const INDENT: f32 = 40.0;

/// The heights of the blocks.
pub(super) struct Heights {
    warnings: Vec<f32>,
    notes: Vec<f32>,
}

impl Heights {
    pub(super) fn of(cx: &Cx<'_>, place: &Place<'_>, plan: &Plan, width: f32) -> Self {
        let warning = |text: &String| {
            let offer = missing::offer(place.settings, text);
            let (block, text) = (width - 2.0 * space::M, shown(text, offer.is_some()));
            let button =
                offer.map_or(FIX, |offer| Install::of(&offer).width(cx, block - FOR_WORDS));
            let room = block - 52.0 - button;
            (cx.para_height(&text, Type::SMALL, room) + 24.0).max(44.0)
        };
        let room = width - 2.0 * space::M - INDENT;
        let note = |text: &String| cx.para_height(&for_person(text), Type::SMALL, room) + 8.0;
        Self {
            warnings: plan.warnings.iter().take(WARNED).map(warning).collect(),
            notes: plan.notes.iter().map(note).collect(),
        }
    }

    /// Of all of it.
    pub(super) fn all(&self) -> f32 {
        let blocks: f32 = self.warnings.iter().chain(&self.notes).sum();
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
    out: &mut Vec<Action>,
) {
    let mut rest = rect.pad(space::M, 0.0);
    let hidden = card.stored.plan.warnings.len().saturating_sub(WARNED);
    for (index, height) in heights.warnings.iter().enumerate() {
        let told = &card.stored.plan.warnings[index];
        let offer = missing::offer(place.settings, told);
        let mut text = shown(told, offer.is_some());
        if hidden > 0 && index + 1 == WARNED {
            text = format!("{text} And {hidden} more: ask for them.");
        }
        let block = rest.cut_top(*height).pad(0.0, 4.0);
        if warning(cx, block, &text, (offer.as_ref(), index as u64), out) {
            card.view.wish = Some(format!("Revise plan {}: {text}", card.number));
        }
    }
    for (text, height) in card.stored.plan.notes.iter().zip(&heights.notes) {
        note(cx, rest.cut_top(*height), &for_person(text));
    }
}

/// A warning as a person reads it, beside a button that installs what is missing if it `has_button`.
fn shown(text: &str, has_button: bool) -> String {
    for_person(if has_button { missing::beside_button(text) } else { text })
}

fn note(cx: &Cx<'_>, block: Rect, text: &str) {
    let at = block.min + vec2(32.0, 4.0);
    cx.icon(pos2(block.left() + 16.0, at.y + 8.0), icons::INFO, 16.0, cx.t.text_3);
    cx.para(at, text, Type::SMALL, cx.t.text_2, block.width() - INDENT);
    node(cx, block, text);
}

/// A warning with its way out: a model that is missing is installed, else the plan is to be made anew, which is
/// given back.
fn warning(
    cx: &Cx<'_>,
    block: Rect,
    text: &str,
    (offer, salt): (Option<&ModelOffer>, u64),
    out: &mut Vec<Action>,
) -> bool {
    cx.fill(block, radius::CONTROL, cx.t.warn_soft);
    cx.icon_fill(block.left_mid(16.0), icons::WARNING, 16.0, cx.t.warn);
    node(cx, block, text);
    let install = offer.map(Install::of);
    let fix = Button::new(Kind::Secondary, "Fix…").salt(salt);
    let at_most = block.width() - FOR_WORDS;
    let width = install.as_ref().map_or_else(|| fix.width(cx), |it| it.width(cx, at_most));
    let room = block.width() - width - 52.0;
    let tall = cx.para_height(text, Type::SMALL, room);
    let at = pos2(block.left() + 32.0, block.center().y - tall / 2.0);
    cx.para(at, text, Type::SMALL, cx.t.text, room);
    let cell = block.row_box(block.right() - width - 8.0, vec2(width, 24.0));
    match install {
        Some(install) => {
            install.show(cx, cell, salt, out);
            false
        }
        None => fix.show(cx, cell).on_hover_text("Ask for a plan without this").clicked(),
    }
}

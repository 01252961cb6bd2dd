//! The processors that the open plan would add to a strip.

use super::graph::{self, Grid};
use super::place::{Place, title_of};
use super::planned::Planned;
use super::view::InsertsView;
use crate::kit::{Cut, Cx};
use crate::theme::Type;
use deskhand_dsp::effects::{Effect, Equalizer};
use deskhand_session::{Change, InsertId};
use egui::{Rect, Sense, Ui};

/// A processor that is not there yet.
pub(super) struct Added<'a> {
    pub(super) id: InsertId,
    pub(super) effect: &'a Effect,
    /// The number of its row on the card.
    pub(super) row: usize,
}

impl Added<'_> {
    pub(super) fn title(&self) -> &'static str {
        title_of(self.effect)
    }
}

/// The processors that ticked rows of the open plan add to the strip. A later row may change one: it is listed once.
pub(super) fn all(place: Place<'_>) -> Vec<Added<'_>> {
    let Some(card) = place.scene.plan else { return Vec::new() };
    let mut all: Vec<Added<'_>> = Vec::new();
    for (at, planned) in card.stored.plan.changes.iter().enumerate() {
        let Change::SetInsert(edit) = &planned.change else { continue };
        let Some(after) = &edit.after else { continue };
        let is_there = place.scene.session.inserts.contains_key(&edit.target);
        if is_there || after.on != place.owner || card.view.ticks.off.contains(&planned.id) {
            continue;
        }
        let row = card.view.ticks.cuts.number(at) + 1;
        match all.iter_mut().find(|added| added.id == edit.target) {
            Some(added) => added.effect = &after.effect,
            None => all.push(Added { id: edit.target, effect: &after.effect, row }),
        }
    }
    all
}

/// The page of a processor that is not there yet: the planned curve of an equalizer, else where its settings are.
pub(super) fn page(
    ui: &Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    added: &Added<'_>,
    mut page: Rect,
) {
    let Some(plan) = place.scene.plan.map(|card| card.number) else { return };
    let cx = Cx::new(ui);
    let title = format!("{}, added by plan {plan}", added.title());
    let row = page.cut_top(44.0).pad(16.0, 0.0);
    let words = cx.left(row.left_mid(0.0), &title, Type::BODY_STRONG, cx.t.text);
    let node = cx.interact(words, "title", Sense::hover());
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Heading, true, &title));
    let foot = page.cut_bottom(44.0).pad(16.0, 0.0);
    let said = "You can change its settings once the plan is applied.";
    cx.left(foot.left_mid(0.0), said, Type::SMALL, cx.t.text_3);
    let Some(planned) = Planned::of(place, added.id) else { return };
    let graph = page.pad(4.0, 0.0);
    let grid = Grid { rect: graph, range: view.range.decibels() };
    let inner = cx.clip(graph);
    graph::paint_grid(&inner, &grid);
    planned.paint(&inner, place, &grid, &Equalizer { bands: Vec::new() });
}

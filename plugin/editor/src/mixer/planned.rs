//! The open plan's effect on a strip: the new fader position, and the settings of its processors.

use crate::card::view::Card;
use crate::describe::owner_of;
use crate::kit::Cx;
use crate::kit::controls::plan_tag;
use crate::kit::fader::Planned;
use crate::scene::Scene;
use deskhand_session::{Change, InsertOwner, PlannedChange};
use egui::Pos2;

/// Numbers of processors that have room on a strip.
const SHOWN: usize = 3;

/// The move of the fader of a strip.
pub(super) fn fader(scene: Scene<'_>, owner: InsertOwner) -> Option<Planned> {
    let card = scene.plan?;
    rows(card).find_map(|(tag, on, planned)| {
        let after = match (&planned.change, owner) {
            (Change::SetTrackGain(edit), InsertOwner::Track(id)) if edit.target == id => edit.after,
            (Change::SetMasterGain(edit), InsertOwner::Master) => edit.after,
            _ => return None,
        };
        let db = card.view.values.edits.get(&planned.id).copied().unwrap_or(after.0) as f32;
        Some(Planned { db, tag, on })
    })
}

/// Draws the numbers of the ticked changes of processors of a strip, from `at` on to the left.
pub(super) fn processors(cx: &Cx<'_>, scene: Scene<'_>, owner: InsertOwner, at: Pos2) {
    let Some(card) = scene.plan else { return };
    let is_here = |planned: &PlannedChange| owner_of(&planned.change) == Some(owner);
    let here = rows(card).filter(|(_, on, planned)| *on && is_here(planned));
    for (place, (tag, on, _)) in here.take(SHOWN).enumerate() {
        plan_tag(cx, at - egui::vec2(18.0 * place as f32, 0.0), tag, on);
    }
}

/// The changes of a card: the number, whether it is ticked, the change.
fn rows(card: &Card) -> impl Iterator<Item = (usize, bool, &PlannedChange)> {
    let changes = card.stored.plan.changes.iter().enumerate();
    changes.map(move |(index, planned)| {
        (index + 1, !card.view.ticks.off.contains(&planned.id), planned)
    })
}

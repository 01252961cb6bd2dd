//! The menu of picked words: by a secondary click on one of them, or by Shift+F10.

#[cfg(test)]
mod tests;

use super::bar::UNHEARD;
use super::picked;
use crate::action::Actions;
use crate::coding::remove_codes;
use crate::kit::context;
use crate::kit::menu::{entry, entry_unless, entry_with_key};
use crate::scene::Scene;
use crate::words::calls;
use crate::words::transcript::view::{Made, Picked, TranscriptView};
use egui::{Response, Ui};

/// Hangs the menu on the words, which are `response`. A click on a word that is not picked picks it alone.
pub(super) fn show(
    ui: &Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    response: &Response,
    out: &mut Actions,
) {
    if response.secondary_clicked() {
        response.request_focus();
        let at = ui.input(|input| input.pointer.interact_pos());
        let Some(word) = at.and_then(|at| picked::exact(view, at)) else { return };
        let is_picked = view.picked.is_some_and(|picked| picked.words().contains(&word));
        if !is_picked {
            view.picked = Some(Picked { anchor: word, head: word });
        }
    }
    let Some(picked) = view.picked else { return };
    let cell = view.cells.iter().find(|(word, _)| *word == picked.head).map(|(_, cell)| *cell);
    context::menu(response, cell.unwrap_or(response.rect)).show(|ui| {
        done(ui, scene, view, made, picked, out);
        let pieces = made.script.pieces(scene.session, picked.words());
        let known = (&made.coded, &made.script.places);
        remove_codes::behind(ui, scene.session, known, &pieces, out);
    });
}

/// The actions on the words that keys do too.
fn done(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    made: &Made,
    picked: Picked,
    out: &mut Actions,
) {
    let words = picked.words();
    if entry_with_key(ui, "Hear", "Enter") {
        picked::hear(scene, made, words.start, out);
    }
    view.codes.opens |= scene.has_coding && entry_with_key(ui, "Code…", "C");
    if words.len() == 1 && entry_with_key(ui, "Correct…", "F2") {
        picked::write(scene, view, made, words.start);
    }
    if entry_with_key(ui, "Copy", "Ctrl C") {
        ui.ctx().copy_text(picked::text(scene, made, picked));
    }
    let is_unheard = view.about.as_ref().is_some_and(|about| about.cuts.is_empty());
    if entry_unless(ui, "Cut", "Del", is_unheard.then_some(UNHEARD))
        && let Some(region) = made.script.region(scene.session, words)
    {
        out.extend(calls::cut(scene.session, &made.script.places, &region));
    }
    let back = calls::restore(scene.session, &made.script.pieces(scene.session, picked.words()));
    if !back.is_empty() && entry(ui, "Restore") {
        out.extend(back);
    }
}

//! What is done with words: hear them, select their time, write them, or copy their text.

use super::typing::{Typing, What};
use super::view::{Made, Picked, TranscriptView};
use crate::action::{Action, Actions};
use crate::scene::Scene;
use crate::words::calls;
use egui::{Pos2, Rect};

/// The word under a point.
pub(super) fn exact(view: &TranscriptView, at: Pos2) -> Option<usize> {
    let over = |(_, cell): &&(usize, Rect)| cell.expand2(egui::vec2(2.0, 4.0)).contains(at);
    view.cells.iter().find(over).map(|(word, _)| *word)
}

/// The stretch of the timeline that the picked words take becomes the selection.
pub(super) fn selected(scene: Scene<'_>, view: &TranscriptView, made: &Made) -> Option<Action> {
    let region = made.script.region(scene.session, view.picked?.words())?;
    calls::select(scene.session, &made.script.places, &region)
}

/// The playhead goes to a word, and it is heard.
pub(super) fn hear(scene: Scene<'_>, made: &Made, word: usize, out: &mut Actions) {
    let Some((part, place)) = made.script.word(word) else { return };
    let Some(segment) = scene.session.segments.get(&part.id) else { return };
    let Some(word) = segment.words.get(place) else { return };
    let stretch = (word.start, segment.end().max(word.end));
    if !made.script.places.plays(part.source, word) {
        // It was cut away: what follows it may play, and is not it.
        out.extend(calls::audition(scene, part.source, stretch));
        return;
    }
    calls::hear(scene, &made.script.places, part.source, stretch, out);
}

/// Edits a word in place.
pub(super) fn write(scene: Scene<'_>, view: &mut TranscriptView, made: &Made, word: usize) {
    let Some((part, place)) = made.script.word(word) else { return };
    let cell = view.cells.iter().find(|(known, _)| *known == word).map(|(_, cell)| *cell);
    let segment = scene.session.segments.get(&part.id);
    let (Some(cell), Some(said)) = (cell, segment.and_then(|it| it.words.get(place))) else {
        return;
    };
    view.picked = Some(Picked { anchor: word, head: word });
    view.typing =
        Some(Typing::new(What::Word { segment: part.id, place }, &said.text, cell.expand(4.0)));
}

/// The picked words that are shown, a line for each phrase.
pub(super) fn text(scene: Scene<'_>, made: &Made, picked: Picked) -> String {
    let (mut text, mut last) = (String::new(), None);
    let shown = picked.words().filter(|number| !made.script.hidden.contains(number));
    for (part, place) in shown.filter_map(|number| made.script.word(number)) {
        let segment = scene.session.segments.get(&part.id);
        let Some(word) = segment.and_then(|it| it.words.get(place)) else { continue };
        match last.replace(part.id) {
            Some(phrase) if phrase == part.id => text.push(' '),
            Some(_) => text.push('\n'),
            None => {}
        }
        text.push_str(&word.text);
    }
    text
}

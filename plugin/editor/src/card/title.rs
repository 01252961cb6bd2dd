//! The title of a card: the summary of the plan, in one line or two. The sentence on the mix describes the
//! whole plan only.

use super::place::{Place, WIDE_TITLE};
use crate::card::view::Card;
use crate::kit::Cx;
use crate::kit::scale::minus;
use crate::theme::{Type, space};
use crate::toasts::names::bare;
use egui::{Rect, pos2};

/// The most lines of the title. Text that does not fit is in the hint.
const LINES: usize = 2;
/// Replaces the sentence on the mix in a summary.
const MEASURED: &str = "; the mix is measured once applied";
/// The room for the margins and the button next to the title.
const BESIDE: f32 = 56.0;

fn of(place: &Place<'_>) -> Type {
    if place.is_wide { WIDE_TITLE } else { Type::TITLE }
}

/// How much taller the header of a card so wide is than with a title of one line.
pub(super) fn more(cx: &Cx<'_>, place: &Place<'_>, card: &Card, width: f32) -> f32 {
    let (words, ty) = (words(card), of(place));
    let height = |lines: usize| cx.lines_height(&words, ty, (width - BESIDE, lines));
    height(LINES) - height(1)
}

/// The summary of the plan; without the sentence on the mix once ticks or values differ from the plan.
pub(super) fn words(card: &Card) -> String {
    let plan = &card.stored.plan;
    let lasting = plan.lasting_summary();
    match lasting == plan.summary || card.view.takes_all() {
        true => minus(&bare(&plan.summary)),
        false => minus(&bare(&format!("{lasting}{MEASURED}"))),
    }
}

/// Draws the title into a header. Returns the y position of the line below it.
pub(super) fn show(cx: &Cx<'_>, place: &Place<'_>, words: &str, header: Rect) -> f32 {
    let ty = of(place);
    let room = header.width() - BESIDE;
    let (first, second) = if place.is_wide { (26.0, 50.0) } else { (20.0, 40.0) };
    let top = header.top() + first - cx.lines_height(words, ty, (room, 1)) / 2.0;
    cx.lines(pos2(header.left() + space::M, top), words, ty, cx.t.text, (room, LINES));
    header.top() + second + header.height() - place.header()
}

#[cfg(test)]
mod tests {
    use super::words;
    use crate::testing::prelude::*;
    use egui::Shape;

    /// Whether the title of a card with this summary is cut, and how many lines it has.
    fn title(summary: &str) -> (bool, usize) {
        let mut model = with_plan();
        model.cards.get_mut(&gain_plan().id).unwrap().stored.plan.summary = summary.into();
        let harness = harness(model);
        let drawn = harness.output().shapes.iter().find_map(|clipped| match &clipped.shape {
            Shape::Text(text) if text.galley.text() == summary => {
                Some((text.galley.elided, text.galley.rows.len()))
            }
            _ => None,
        });
        drawn.unwrap()
    }

    #[test]
    fn a_title_promises_of_the_mix_only_what_holds_for_all_that_is_ticked() {
        let mut model = with_plan();
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        let whole = "Bring 2 clips to −16 LUFS; the mix will peak at +8.5 dBTP";
        card.stored.plan.summary = whole.replace('−', "-");
        assert_eq!(words(card), whole);
        card.view.ticks.tick(&gain_plan(), "c1");
        let part = "Bring 2 clips to −16 LUFS; the mix is measured once applied";
        assert_eq!(words(card), part);
        let mut harness = harness(model);
        assert!(harness.query_by_label_contains(&format!("Plan 1: {part}.")).is_some());
        let model = &mut harness.state_mut().model;
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        card.view.ticks.tick(&gain_plan(), "c1");
        assert_eq!(words(card), whole, "it is as planned again");
        card.view.values.edits.insert("c1".into(), 3.0);
        assert_eq!(words(card), part);
    }

    #[test]
    fn a_title_without_room_in_one_line_has_two() {
        assert_eq!(title("Strip silence"), (false, 1));
        let long = "Strip 3.1 s of silence in 2 stretches from host, leaving gaps";
        assert_eq!(title(long), (false, 2));
    }
}

//! The pinned line of a card: how many warnings there are, and the predictions that say most.

use super::body::{name, subject};
use super::place::Place;
use super::predictions::{self, Shown, is_mix};
use crate::card::view::Card;
use crate::icons;
use crate::kit::controls::hint;
use crate::kit::{Cut, Cx};
use crate::theme::{Type, space};
use crate::toasts::names;
use deskhand_session::{Measure, Prediction, Session};
use egui::{Rect, pos2};

/// The most room for the name of a number's object.
const NAME: f32 = 72.0;

pub(super) fn is_needed(card: &Card) -> bool {
    predictions::all(card).next().is_some() || !card.stored.plan.warnings.is_empty()
}

/// The three most important predictions: those of the mix, then one of each measure.
fn pinned(card: &Card) -> Vec<&Prediction> {
    let (mix, rest): (Vec<_>, Vec<_>) = predictions::all(card).partition(|it| is_mix(it));
    let is_higher = |it: &Prediction, known: &Prediction| {
        it.measure == Measure::TruePeak && it.value > known.value && !is_mix(known)
    };
    let mut found: Vec<&Prediction> = Vec::new();
    for it in mix.into_iter().chain(rest) {
        match found.iter_mut().find(|known| known.measure == it.measure) {
            // The highest peak is the most important, but the mix comes before any other.
            Some(known) if is_higher(it, known) => *known = it,
            Some(_) => {}
            None => found.push(it),
        }
    }
    found.truncate(3);
    found
}

pub(super) fn show(cx: &Cx<'_>, rect: Rect, card: &Card, place: &Place<'_>) {
    if rect.height() < 1.0 {
        return;
    }
    cx.hline(rect.left() + 1.0, rect.right() - 1.0, rect.top(), cx.t.line);
    let x = warned(cx, rect, (card, place), rect.left() + space::M);
    let pinned = pinned(card);
    let aside = predictions::note(card, &pinned);
    // The note about gray predictions comes before the numbers.
    let room = aside.as_ref().map_or(0.0, |it| cx.width(it, Type::CAPTION) + space::S + 1.0);
    let x = predicted(cx, rect.with_max_x(rect.right() - room), card, place.session, (&pinned, x));
    let note = aside.unwrap_or_else(|| match predictions::all(card).count() {
        0 => String::new(),
        1..=3 => "predicted".into(),
        count => format!("{count} predicted"),
    });
    if x - space::S + cx.width(&note, Type::CAPTION) <= rect.right() - space::M {
        cx.right(rect.right_mid(space::M), &note, Type::CAPTION, cx.t.text_3);
    }
}

/// The number of warnings; a single one shows its text in the line. Returns the x position for the next
/// part.
fn warned(cx: &Cx<'_>, rect: Rect, (card, place): (&Card, &Place<'_>), x: f32) -> f32 {
    let words = |text: &String| names::of(&place.tools.for_person(text), place.session);
    let all: Vec<String> = card.stored.plan.warnings.iter().map(words).collect();
    let is_alone = predictions::all(card).next().is_none();
    let words = match all.as_slice() {
        [] => return x,
        [only] if is_alone => only.clone(),
        [_] => "1 warning".to_owned(),
        all => format!("{} warnings", all.len()),
    };
    let y = rect.center().y;
    cx.icon_fill(pos2(x + 7.0, y), icons::WARNING, 14.0, cx.t.warn);
    let room = rect.right() - space::M - x - 18.0;
    let text = cx.elided(pos2(x + 18.0, y), &words, Type::SMALL_STRONG, cx.t.warn, room);
    let sign = Rect::from_min_max(pos2(x - 5.0, y - 12.0), pos2(text.right() + 4.0, y + 12.0));
    let said = format!("{words}: {}", all.join(" "));
    let said = if is_alone && all.len() == 1 { format!("Warning: {words}") } else { said };
    let response = cx.label(sign, "warned", &said);
    hint(response, &all.join("\n"));
    text.right() + space::M
}

/// Draws the predictions, each with its object. Returns where the next part begins.
fn predicted(
    cx: &Cx<'_>,
    rect: Rect,
    card: &Card,
    session: &Session,
    (pinned, from): (&[&Prediction], f32),
) -> f32 {
    let (mut x, y) = (from, rect.center().y);
    let mut of = None;
    for (index, it) in pinned.iter().copied().enumerate() {
        let shown = Shown::of(card, it);
        let value = shown.words();
        let name = name(session, &card.stored.plan, it.target);
        // The name follows only if the target differs from the one before.
        let is_named = of.replace(it.target) != Some(it.target);
        let named = if is_named { cx.width(&name, Type::CAPTION).min(NAME) + 4.0 } else { 0.0 };
        let width = cx.width(&value, Type::SMALL_STRONG) + cx.width(shown.unit(), Type::CAPTION);
        if x + named + width + 4.0 > rect.right() - space::M {
            break;
        }
        if is_named {
            cx.elided(pos2(x, y), &name, Type::CAPTION, cx.t.text_2, NAME);
        }
        let at = pos2(x + named, y);
        let text = cx.left(at, &value, Type::SMALL_STRONG, shown.color(cx.t));
        let unit = pos2(text.right() + 4.0, y);
        let unit = cx.left(unit, shown.unit(), Type::CAPTION, cx.t.text_3);
        let what = subject(session, &card.stored.plan, it.target, it.measure.title());
        let words = format!("{what}, predicted {value} {}{}", shown.unit(), shown.behind());
        let cell = text.union(unit).expand(4.0);
        let response = cx.label(cell, ("pinned", index), &words);
        hint(response, &words);
        x = unit.right() + space::L;
    }
    x
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use deskhand_session::{Measure, ObjectId, Prediction};
    use egui::{Pos2, Shape};

    /// A card that has no room for its predictions and warnings.
    fn short(warnings: &[&str], has_predictions: bool) -> Harness<'static, Desk> {
        let mut model = with_plan();
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        plan.warnings = warnings.iter().map(|words| (*words).to_owned()).collect();
        plan.notes = (0..60).map(|number| format!("Note {number} takes room.")).collect();
        if !has_predictions {
            plan.predicted.clear();
        }
        harness(model)
    }

    #[test]
    fn of_true_peaks_the_highest_is_pinned_and_has_its_sign_over_full_scale() {
        let mut harness = short(&["It clips."], true);
        let model = &mut harness.state_mut().model;
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        let peak = |clip: u64, value: f64| {
            let from = vec![format!("c{clip}")];
            Prediction::now(ClipId::new(clip), Measure::TruePeak, value, 0.3, from)
        };
        plan.predicted.extend([peak(1, -3.0), peak(2, 0.84)]);
        harness.run_steps(3);
        let words = "Guitar take, true peak, predicted +0.8 dBTP";
        assert!(harness.query_by_label(words).is_some());
        let lower = "Vocal take, true peak, predicted −3.0 dBTP";
        assert!(harness.query_by_label(lower).is_none());
    }

    #[test]
    fn the_number_of_the_mix_is_named_stands_ahead_of_higher_peaks_and_is_put_aside_with_a_tick() {
        let mut harness = short(&["It clips."], true);
        let model = &mut harness.state_mut().model;
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        let mix = ObjectId::Session(plan.session);
        let peak = |target: ObjectId, value: f64| {
            let from = vec!["c1".to_owned(), "c2".to_owned()];
            Prediction::now(target, Measure::TruePeak, value, 0.3, from)
        };
        plan.predicted.extend([peak(ClipId::new(2).into(), 3.0), peak(mix, 0.8)]);
        harness.run_steps(3);
        let of_mix = "Mix, true peak, predicted +0.8 dBTP";
        let pinned = harness.get_by_label(of_mix).rect();
        let names = harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) if text.galley.text() == "Mix" => Some(text.pos),
            _ => None,
        });
        let is_ahead = |at: &Pos2| pinned.y_range().contains(at.y) && at.x < pinned.left();
        assert_eq!(names.filter(is_ahead).count(), 1);
        assert!(harness.query_by_label_contains("predicted +3.0 dBTP").is_none());
        let model = &mut harness.state_mut().model;
        model.cards.get_mut(&gain_plan().id).unwrap().view.ticks.tick(&gain_plan(), "c2");
        harness.run_steps(3);
        assert!(harness.query_by_label(&format!("{of_mix} for all 2 changes")).is_some());
    }

    #[test]
    fn warnings_out_of_view_are_counted_in_words_and_said_to_who_does_not_see() {
        let harness = short(&["It clips.", "It is long."], true);
        assert!(harness.query_by_label("2 warnings: It clips. It is long.").is_some());
        let words = "Vocal take, integrated loudness, predicted −16.0 LUFS";
        assert!(harness.query_by_label(words).is_some());
        let harness = short(&["It clips."], true);
        assert!(harness.query_by_label("1 warning: It clips.").is_some());
        let harness = short(&["It clips."], false);
        assert!(harness.query_by_label("Warning: It clips.").is_some());
    }
}

//! The label of a row: its object and its action. The action is always readable; the object is cut if there
//! is no room for both.

use crate::kit::Cx;
use crate::theme::Type;
use egui::{Color32, Pos2, pos2};
use std::borrow::Cow;

/// Between both, points.
const GAP: f32 = 8.0;
/// With less room than this a name says nothing.
const LEAST: f32 = 16.0;

/// Draws a name and an action from `at`, their left middle, within `room` points. `types` and `colors` are
/// those of the name, then of the rest.
pub(crate) fn show(
    cx: &Cx<'_>,
    at: Pos2,
    (name, what): (&str, &str),
    types: [Type; 2],
    colors: [Color32; 2],
    room: f32,
) {
    // Both are set on whole pixels.
    let for_name = room - cx.width(what, types[1]).ceil() - 1.0 - GAP;
    let mut x = at.x;
    if for_name >= LEAST {
        x = cx.elided(at, name, types[0], colors[0], for_name).right() + GAP;
    }
    cx.elided(pos2(x, at.y), what, types[1], colors[1], at.x + room - x);
}

/// The object of a number, in fewer words if there is no room for all.
pub(crate) fn fitted<'w>(cx: &Cx<'_>, words: &'w str, size: Type, room: f32) -> Cow<'w, str> {
    if cx.width(words, size) <= room {
        return words.into();
    }
    words.replace("integrated loudness", "loudness").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install;
    use egui::{Shape, vec2};
    use egui_kittest::Harness;

    /// The drawn parts of a name and an action, and whether each is cut.
    fn drawn(name: &str, room: f32) -> Vec<(String, bool)> {
        let mut is_installed = false;
        let size = vec2(400.0, 40.0);
        let mut harness = Harness::builder().with_size(size).build_ui(|ui| {
            if !std::mem::replace(&mut is_installed, true) {
                return install(ui.ctx());
            }
            let cx = Cx::new(ui);
            let (types, colors) = ([Type::SMALL_STRONG, Type::SMALL], [Color32::WHITE; 2]);
            show(&cx, pos2(20.0, 20.0), (name, "remove"), types, colors, room);
        });
        harness.run_steps(2);
        let texts = harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) => Some((text.galley.text().to_owned(), text.galley.elided)),
            _ => None,
        });
        texts.collect()
    }

    #[test]
    fn what_was_measured_is_said_in_fewer_words_where_there_is_no_room() {
        let mut is_installed = false;
        let mut harness = Harness::builder().with_size(vec2(400.0, 40.0)).build_ui(|ui| {
            if !std::mem::replace(&mut is_installed, true) {
                return install(ui.ctx());
            }
            let cx = Cx::new(ui);
            let words = "austen, integrated loudness";
            let room = cx.width(words, Type::SMALL);
            assert_eq!(fitted(&cx, words, Type::SMALL, room), words);
            assert_eq!(fitted(&cx, words, Type::SMALL, room - 1.0), "austen, loudness");
        });
        harness.run_steps(2);
    }

    #[test]
    fn of_a_long_name_what_is_done_stays() {
        let long = "The first rule of tomatoes is to water them";
        let whole = |text: &str| (text.to_owned(), false);
        assert_eq!(drawn("Vocal", 200.0), [whole("Vocal"), whole("remove")]);
        assert_eq!(drawn(long, 140.0), [(long.to_owned(), true), whole("remove")]);
        assert_eq!(drawn(long, 60.0), [whole("remove")]);
    }
}

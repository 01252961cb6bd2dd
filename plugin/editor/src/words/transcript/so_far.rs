//! What is understood while a transcription still runs: phrase by phrase, until the session has them.

use super::{NAME, ROW};
use crate::kit::{Cut, Cx};
use crate::model::Scene;
use crate::theme::{Theme, Type};
use deskhand_dsp::Frames;
use deskhand_protocol::values::time;
use deskhand_session::Provisional;
use egui::{Rect, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, vec2};

/// What stands above them.
const TITLE: &str = "Found so far";
/// Phrases that are shown below what is written down already.
const SHOWN: usize = 4;

/// What has a length and words, in the order of the timeline.
pub(super) fn found<'s>(scene: Scene<'s>) -> Vec<&'s Provisional> {
    let is_phrase = |found: &&Provisional| found.length > Frames::ZERO && !found.label.is_empty();
    let mut phrases: Vec<&Provisional> = scene.found.iter().filter(is_phrase).collect();
    phrases.sort_by_key(|phrase| phrase.position);
    phrases
}

/// How high the strip below a transcript is.
pub(super) fn height(count: usize) -> f32 {
    ROW * (count.min(SHOWN) + 1) as f32
}

/// Draws them in `rect`; the newest stay in view.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    found: &[&Provisional],
    rect: Rect,
) {
    let mut rest = rect;
    let head = rest.cut_top(ROW);
    let cx = Cx::new(ui, theme);
    cx.hline(head.left(), head.right(), head.top(), theme.line);
    cx.left(head.left_mid(8.0), TITLE, Type::CAPTION_STRONG, theme.text_2);
    let node = cx.interact(head, "found so far", Sense::hover());
    node.widget_info(|| WidgetInfo::labeled(Role::Label, true, TITLE));
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest).id_salt("so far"));
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("so far").auto_shrink(false).stick_to_bottom(true);
    area.show_rows(&mut child, ROW, found.len(), |ui, range| {
        for index in range {
            let size = vec2(ui.available_width(), ROW);
            let (row, node) = ui.allocate_exact_size(size, Sense::hover());
            let phrase = found[index];
            let at = time(phrase.position, scene.session.rate);
            let cx = Cx::new(ui, theme);
            cx.left(row.left_mid(8.0), &at, Type::TICK, theme.text_3);
            let text = row.left_mid(NAME + 8.0);
            cx.elided(text, &phrase.label, Type::BODY, theme.text_2, row.width() - NAME - 16.0);
            let label = format!("{at} {}", phrase.label);
            node.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
        }
    });
}

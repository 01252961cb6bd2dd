//! Phrases of a running transcription, shown until the session has them.

use crate::kit::{Cut, Cx};
use crate::scene::Scene;
use crate::theme::Type;
use crate::words::distinct_names;
use crate::words::transcript::view::{NAME, ROW};
use deskhand_dsp::Frames;
use deskhand_session::text::clock;
use deskhand_session::{ObjectId, Provisional, Session};
use egui::{Rect, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use std::collections::{BTreeMap, BTreeSet};

/// The title above them.
const TITLE: &str = "Found so far";
/// The number of new phrases shown below the existing transcript.
const SHOWN: usize = 4;
/// The name of a recording is drawn so wide at most, points.
const SOURCE: f32 = 120.0;

/// Findings with a length and words, in the order of the timeline.
pub(super) fn found<'s>(scene: Scene<'s>) -> Vec<&'s Provisional> {
    let is_phrase = |found: &&Provisional| found.length > Frames::ZERO && !found.label.is_empty();
    let mut phrases: Vec<&Provisional> = scene.found.iter().filter(is_phrase).collect();
    phrases.sort_by_key(|phrase| phrase.position);
    phrases
}

/// The recordings in which they are said, where there are several.
fn sources(session: &Session, found: &[&Provisional]) -> BTreeMap<ObjectId, String> {
    let targets: BTreeSet<ObjectId> = found.iter().map(|phrase| phrase.target).collect();
    let name = |target: ObjectId| match target {
        ObjectId::Clip(id) => session.clips.get(&id).map(|clip| clip.source),
        ObjectId::Source(id) => Some(id),
        _ => None,
    };
    let named = targets.into_iter().map(|target| match name(target) {
        Some(source) => (target, distinct_names::source_name(session, source)),
        None => (target, session.name_of(target)),
    });
    let named: BTreeMap<ObjectId, String> = named.collect();
    let names: BTreeSet<&String> = named.values().collect();
    if names.len() > 1 { named } else { BTreeMap::new() }
}

/// How high the strip below a transcript is.
pub(super) fn height(count: usize) -> f32 {
    ROW * (count.min(SHOWN) + 1) as f32
}

/// Draws them in `rect`; the newest stay in view.
pub(super) fn show(ui: &mut Ui, scene: Scene<'_>, found: &[&Provisional], rect: Rect) {
    let mut rest = rect;
    let head = rest.cut_top(ROW);
    let cx = Cx::new(ui);
    cx.hline(head.left(), head.right(), head.top(), cx.t.line);
    cx.left(head.left_mid(8.0), TITLE, Type::CAPTION_STRONG, cx.t.text_2);
    cx.label(head, "found so far", TITLE);
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest).id_salt("so far"));
    child.spacing_mut().item_spacing.y = 0.0;
    let sources = sources(scene.session, found);
    let area = ScrollArea::vertical().id_salt("so far").auto_shrink(false).stick_to_bottom(true);
    area.show_rows(&mut child, ROW, found.len(), |ui, range| {
        for index in range {
            let size = vec2(ui.available_width(), ROW);
            let (row, node) = ui.allocate_exact_size(size, Sense::hover());
            let phrase = found[index];
            let at = clock(phrase.position, scene.session.rate);
            let source = sources.get(&phrase.target).map(String::as_str);
            one(&Cx::new(ui), (&at, &phrase.label, source), row);
            let said_in = source.map(|name| format!(", {name}")).unwrap_or_default();
            let label = format!("{at} {}{said_in}", phrase.label);
            node.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
        }
    });
}

/// When a phrase is said, the phrase, and in which recording.
fn one(cx: &Cx<'_>, (at, said, source): (&str, &str, Option<&str>), row: Rect) {
    cx.left(row.left_mid(8.0), at, Type::TICK, cx.t.text_3);
    let mut right = row.right() - 8.0;
    if let Some(name) = source {
        right -= cx.width(name, Type::CAPTION).min(SOURCE);
        let at = pos2(right, row.center().y);
        cx.elided(at, name, Type::CAPTION, cx.t.text_3, SOURCE);
        right -= 8.0;
    }
    let text = row.left_mid(NAME + 8.0);
    cx.elided(text, said, Type::BODY, cx.t.text_2, right - text.x);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoken;
    use deskhand_session::{ClipId, SourceId};

    #[test]
    fn phrases_of_several_recordings_are_told_apart_by_these() {
        let session = spoken();
        let phrase = |target: ObjectId| Provisional {
            target,
            position: Frames::ZERO,
            length: Frames(48_000),
            label: "The money went.".into(),
        };
        let [clip, other] = [1, 2].map(|it| ObjectId::Clip(ClipId::new(it)));
        let [one, two, same] = [clip, other, SourceId::new(1).into()].map(phrase);
        assert!(sources(&session, &[&one, &same]).is_empty(), "both are of one recording");
        let told = sources(&session, &[&one, &two]);
        assert_eq!((told[&clip].as_str(), told[&other].as_str()), ("Vocal", "Guitar"));
    }
}

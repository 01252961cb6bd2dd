//! The facts of a phrase, as a menu to edit them.

use super::typing::{Typing, What};
use crate::action::Actions;
use crate::clip_facts;
use crate::kit::menu::entry;
use crate::words::calls;
use deskhand_session::{Segment, SegmentId};
use egui::{Rect, Ui};
use serde_json::{Value, json};

/// The menu. A fact to write is typed at `field`.
pub(super) fn menu(
    ui: &mut Ui,
    id: SegmentId,
    segment: &Segment,
    field: Rect,
    out: &mut Actions,
) -> Option<Typing> {
    let mut typing = None;
    let mut write =
        |text: &str| typing = Some(Typing::new(What::Fact { segment: id }, text, field));
    for (name, fact) in &segment.description.facts {
        let Some(told) = clip_facts::line(name, fact) else { continue };
        if entry(ui, format!("{told}…")) {
            let value = match &fact.value {
                Value::String(text) => text.clone(),
                Value::Bool(is) => (if *is { "yes" } else { "no" }).to_owned(),
                other => other.to_string(),
            };
            write(&format!("{}: {value}", name.replace('_', " ")));
        }
    }
    for (name, words) in clip_facts::RARE {
        let is_there = clip_facts::is_rare(segment, name);
        let label = format!("{} {words}", if is_there { "Not" } else { "Mark as" });
        if entry(ui, label) {
            // A denied fact stays denied when the phrase is analyzed again.
            out.push(calls::describe(id, name, &json!(!is_there)));
        }
    }
    if entry(ui, "Write something else…") {
        write("");
    }
    typing
}

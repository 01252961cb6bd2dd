//! Words and speakers, edited in a field in place.

use crate::action::{Action, Actions, Gesture, call};
use crate::kit::{Cx, field};
use crate::theme::{Type, radius};
use crate::words::calls;
use deskhand_session::SegmentId;
use egui::{Id, Key, Rect, TextEdit, Ui, vec2};
use serde_json::{Value, json};

/// What is being edited.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Word {
        segment: SegmentId,
        place: usize,
    },
    /// The name of a speaker, everywhere it occurs.
    Name {
        from: String,
    },
    Speaker {
        segment: SegmentId,
    },
    /// A fact about one segment, as "name: value".
    Fact {
        segment: SegmentId,
    },
}

/// An edit in progress.
pub(super) struct Typing {
    what: What,
    was: String,
    text: String,
    rect: Rect,
    is_new: bool,
}

impl Typing {
    pub(super) fn new(what: What, was: &str, rect: Rect) -> Self {
        Self { what, was: was.to_owned(), text: was.to_owned(), rect, is_new: true }
    }

    fn asked(&self, text: &str) -> Action {
        match &self.what {
            What::Word { segment, place } => call(
                Gesture::SetWords,
                json!({"segment_id": segment, "first": place, "count": 1, "text": text}),
            ),
            What::Name { from } => {
                call(Gesture::SetSpeaker, json!({"speaker": from, "name": text}))
            }
            What::Speaker { segment } => {
                call(Gesture::SetSpeaker, json!({"segment_ids": [segment], "name": text}))
            }
            What::Fact { segment } => {
                let (name, value) = fact(text);
                calls::describe(*segment, &name, &value)
            }
        }
    }
}

/// Splits "mood: calm" into name and value. A name alone counts as true, and an empty value removes the
/// fact.
fn fact(text: &str) -> (String, Value) {
    let Some((name, value)) = text.split_once(':') else {
        return (text.to_owned(), json!(true));
    };
    let value = match value.trim() {
        "" => Value::Null,
        "yes" => json!(true),
        "no" => json!(false),
        text => text.parse::<f64>().map_or_else(|_| json!(text), |number| json!(number)),
    };
    (name.trim().replace(' ', "_"), value)
}

/// Draws the field. Enter or a click elsewhere sets it, Esc leaves it as it was.
/// `list` has the keyboard afterwards.
pub(super) fn show(ui: &mut Ui, edited: &mut Option<Typing>, list: Option<Id>, out: &mut Actions) {
    let Some(typing) = edited else { return };
    let cx = Cx::new(ui);
    let width = cx.width(&typing.text, Type::BODY) + 24.0;
    let size = vec2(width.max(typing.rect.width()).max(72.0), 24.0);
    let rect = Rect::from_min_size(typing.rect.left_center() - vec2(0.0, 12.0), size);
    cx.fill(rect, radius::CONTROL, cx.t.input);
    cx.border(rect, radius::CONTROL, cx.t.focus);
    drop(cx);
    let edit = TextEdit::singleline(&mut typing.text).char_limit(200);
    let field = field::put(ui, rect, egui::Align::Min, edit.font(Type::BODY.font()));
    let name = match &typing.what {
        What::Word { .. } => "Word",
        What::Name { .. } | What::Speaker { .. } => "Speaker",
        What::Fact { .. } => "What is known, as name: value",
    };
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, name));
    if typing.is_new {
        field.request_focus();
        typing.is_new = false;
        return;
    }
    if !field.lost_focus() {
        return;
    }
    let Some(typing) = edited.take() else { return };
    if let Some(list) = list {
        ui.memory_mut(|memory| memory.request_focus(list));
    }
    let text = typing.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    if !escaped && !text.is_empty() && text != typing.was {
        out.push(typing.asked(&text));
    }
}

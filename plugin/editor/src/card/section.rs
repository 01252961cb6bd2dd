//! The head of a section of a card, and a fact in it.

use crate::kit::controls::hint;
use crate::kit::{Cut, Cx};
use crate::theme::{Type, space};
use egui::Rect;

pub(super) fn section(cx: &Cx<'_>, rect: Rect, label: &str, note: &str) {
    cx.hline(rect.left() + 1.0, rect.right() - 1.0, rect.top(), cx.t.line);
    cx.left(rect.left_mid(space::M), label, Type::CAPTION_STRONG, cx.t.text_2);
    cx.right(rect.right_mid(space::M), note, Type::CAPTION, cx.t.text_3);
}

pub(super) fn node(cx: &Cx<'_>, rect: Rect, words: &str) {
    let node = cx.label(rect, ("fact", words), words);
    hint(node, words);
}

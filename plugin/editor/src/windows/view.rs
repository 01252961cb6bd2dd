//! The state of floating windows between frames.

use crate::windows::content::table::Column;
use crate::words::transcript::view::TranscriptView;
use deskhand_protocol::desk::Window;
use egui::{Id, TextureHandle};
use std::collections::BTreeMap;

/// Data computed once from a content, with the place of its origin.
#[derive(Default)]
pub(crate) struct Shown {
    pub(super) texture: Option<(usize, TextureHandle)>,
    pub(super) columns: Option<(usize, Vec<Column>)>,
}

/// The state that a window keeps between frames.
#[derive(Default)]
pub(crate) struct WindowView {
    pub(super) is_pinned: bool,
    pub(super) content: Shown,
    pub(super) transcript: TranscriptView,
}

#[derive(Default)]
pub(crate) struct Windows {
    pub(crate) open: BTreeMap<String, (Window, WindowView)>,
}

impl Windows {
    /// A window shows something else, or is new.
    pub(crate) fn put(&mut self, window: &Window) {
        let entry = self.open.entry(window.window_id.clone());
        let known = entry.or_insert_with(|| (window.clone(), WindowView::default()));
        known.0 = window.clone();
        known.1.content = Shown::default();
    }
}

pub(crate) fn id(window_id: &str) -> Id {
    Id::unique(("window", window_id))
}

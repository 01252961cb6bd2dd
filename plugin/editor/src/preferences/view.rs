//! The state of the sheets between frames.

use super::provider::server::Form;
use deskhand_protocol::Rule;

/// Which sheet is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Settings,
    Keys,
    About,
}

/// What the sheets keep between frames.
#[derive(Default)]
pub(crate) struct Preferences {
    pub(crate) page: Option<Page>,
    /// The zoom that the app's window is drawn at: it may be too small for the chosen one.
    pub(crate) zoom: Option<f32>,
    pub(crate) typed: Typed,
    /// A rule that is being made.
    pub(super) rule: Draft,
    /// The rules are to be seen as soon as the sheet is drawn.
    pub(super) goes_to_rules: bool,
}

impl Preferences {
    pub(crate) fn toggle(&mut self, page: Page) {
        self.page = if self.page == Some(page) { None } else { Some(page) };
        self.typed = Typed::default();
    }

    /// Opens the sheet at the rules for tools.
    pub(crate) fn open_rules(&mut self) {
        (self.page, self.goes_to_rules) = (Some(Page::Settings), true);
    }
}

/// The texts being typed about the provider.
#[derive(Default)]
pub(crate) struct Typed {
    pub(super) key: String,
    /// The name of a model, and its provider.
    pub(super) model: Option<(String, String)>,
    pub(super) server: Form,
}

/// A rule that is being made.
#[derive(Default)]
pub(crate) struct Draft {
    pub(super) tool: Option<String>,
    pub(super) rule: Option<Rule>,
    /// The search text for the tools.
    pub(super) search: String,
    /// The list of tools was open in the frame before.
    pub(super) is_open: bool,
}

//! Library panel.

/// What the library shows.
#[derive(Default)]
pub(crate) struct LibraryView {
    /// Whether the panel is open.
    pub(crate) is_open: bool,
}

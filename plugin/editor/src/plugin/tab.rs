//! The work views of the plugin.

/// What the work area shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    #[default]
    Timeline,
    Mixer,
    Words,
    Conversation,
}

impl Tab {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Timeline => "Timeline",
            Self::Mixer => "Mixer",
            Self::Words => "Words",
            Self::Conversation => "Conversation",
        }
    }
}

//! What a container says of an audio track.

/// The container's description of one audio track.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Listed {
    /// Its number in the container.
    pub(super) id: u32,
    pub(super) title: Option<String>,
    pub(super) language: Option<String>,
    /// Its codec in words, for a refusal.
    pub(super) codec: Option<String>,
}

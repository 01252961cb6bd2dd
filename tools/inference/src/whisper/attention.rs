//! What Whisper's attention works on and gives: the keys and values of the audio and of the text so far.

/// Keys and values of one layer of the decoder.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) keys: Vec<f32>,
    pub(super) values: Vec<f32>,
}

/// The encoded audio: for each layer of the decoder keys `[heads, size, frames]` and values `[heads,
/// frames, size]`.
pub struct Heard {
    pub(super) layers: Vec<Memory>,
    pub(super) frames: usize,
}

/// The decoded text so far: for each layer of the decoder keys and values, a row a token.
#[derive(Clone, Debug)]
pub struct Said {
    pub(super) tokens: usize,
    pub(super) layers: Vec<Memory>,
}

impl Said {
    pub(super) fn new(layers: usize) -> Self {
        Self { tokens: 0, layers: vec![Memory::default(); layers] }
    }

    #[must_use]
    pub fn tokens(&self) -> usize {
        self.tokens
    }
}

/// The attention of some heads to the audio, before the softmax.
#[derive(Clone, Debug, PartialEq)]
pub struct Attention {
    pub tokens: usize,
    /// How many frames of 20 ms.
    pub frames: usize,
    /// For each head, `tokens` rows of `frames` scores.
    pub heads: Vec<Vec<f32>>,
}

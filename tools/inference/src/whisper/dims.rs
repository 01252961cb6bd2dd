//! The sizes of a Whisper model, read off its weights.

use crate::ctranslate2::{Weights, WeightsError};

/// The table of tokens, which is also the last layer of the decoder.
pub(super) const TOKENS: &str = "decoder/embeddings/weight";

/// Frames of the spectrogram that the network hears at once: 30 s.
pub const MEL_FRAMES: usize = 3_000;

/// The sizes of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dims {
    /// Bands of the spectrogram: 80 or 128.
    pub mels: usize,
    /// Frames after the encoder's convolutions: 1500.
    pub frames: usize,
    /// How wide a row is.
    pub width: usize,
    /// Heads of the encoder's attention.
    pub encoder_heads: usize,
    /// Heads of the decoder's attention.
    pub decoder_heads: usize,
    pub encoder_layers: usize,
    pub decoder_layers: usize,
    /// Tokens that the decoder sees at once.
    pub context: usize,
    /// Tokens that there are.
    pub vocabulary: usize,
}

impl Dims {
    pub(super) fn of(weights: &Weights) -> Result<Self, WeightsError> {
        let two = |name: &str| match weights.shape(name) {
            Some([first, second, ..]) => Ok((*first, *second)),
            _ => Err(WeightsError::Variable { name: name.into(), shape: vec![0, 0] }),
        };
        let number = |name: &str| {
            let missing = || WeightsError::Variable { name: name.into(), shape: Vec::new() };
            weights.number(name).filter(|number| (1..=64).contains(number)).ok_or_else(missing)
        };
        let layers = |part: &str| {
            let is_there = |layer: &usize| {
                weights.shape(&format!("{part}/layer_{layer}/ffn/linear_0/bias")).is_some()
            };
            (0..).take_while(is_there).count()
        };
        let (frames, width) = two("encoder/position_encodings/encodings")?;
        let (vocabulary, _) = two(TOKENS)?;
        let (context, _) = two("decoder/position_encodings/encodings")?;
        let (_, mels) = two("encoder/conv1/weight")?;
        let dims = Self {
            mels,
            frames,
            width,
            encoder_heads: number("encoder/num_heads")?,
            decoder_heads: number("decoder/num_heads")?,
            encoder_layers: layers("encoder"),
            decoder_layers: layers("decoder"),
            context,
            vocabulary,
        };
        dims.check()
    }

    fn check(self) -> Result<Self, WeightsError> {
        let divides = |heads| self.width.is_multiple_of(heads);
        let is_sound = self.frames * 2 == MEL_FRAMES
            && divides(self.encoder_heads)
            && self.encoder_heads == self.decoder_heads
            && self.encoder_layers.min(self.decoder_layers) > 0
            && (8..=4_096).contains(&self.context);
        let problem = format!("{self:?} are no sizes of a Whisper model");
        if is_sound { Ok(self) } else { Err(WeightsError::Damaged { problem }) }
    }
}

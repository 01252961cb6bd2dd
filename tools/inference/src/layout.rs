//! The inputs and outputs of a separation network: its tensors, not its inner structure.

use serde::{Deserialize, Serialize};

/// The tensors of a separation network; all run at 44.1 kHz unless their record says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Layout {
    /// Magnitudes `[batch, 2, 512 frames, 1024 bins]` of an STFT 4096/1024; one output a stem with the
    /// magnitudes of that stem. Masks come from the ratio of their squares.
    Spleeter {
        /// The outputs, which are the stems.
        stems: Vec<String>,
    },
    /// Magnitudes `[1, 2, 2049 bins, frames]` of a centered STFT 4096/1024; the magnitudes of one stem.
    OpenUnmix {
        stem: String,
        /// The sample rate in Hz.
        rate: u32,
    },
    /// The same input; the magnitudes of all stems from one file.
    OpenUnmixTogether {
        /// The stems in the order of the file.
        stems: Vec<String>,
        /// The sample rate in Hz.
        rate: u32,
        /// Where in the outputs they are.
        stems_in: StemsIn,
    },
    /// Real and imaginary parts as channels, `[1, 4, bins, frames]`, of a centered STFT; the output is that
    /// of one stem.
    MdxNet {
        stem: String,
        /// The sample rate in Hz.
        rate: u32,
        /// The length of the transform.
        n_fft: usize,
        /// Samples from one frame to the next.
        hop: usize,
        /// Bins that the network sees, the lowest ones.
        bins: usize,
        /// Frames of one run.
        frames: usize,
        /// What the result is multiplied by.
        compensation: f64,
    },
    /// Samples `[1, 2, length]` to samples `[1, stems, 2, length]`.
    Demucs {
        /// The stems in the order of the output.
        stems: Vec<String>,
        /// The sample rate in Hz.
        rate: u32,
        /// Samples of one run.
        length: usize,
    },
    /// Samples `[1, 2, length]` and their spectra `[1, 4, 2048 bins, frames]`, real and imaginary parts as
    /// channels, to samples `[1, stems, 2, length]` and spectra `[1, stems, 4, 2048, frames]`, which are added.
    /// The transform is Demucs': 4096/1024, normalized, `length / 1024` frames rounded up.
    HybridDemucs {
        /// The stems in the order of the outputs.
        stems: Vec<String>,
        /// The sample rate in Hz.
        rate: u32,
        /// Samples of one run.
        length: usize,
        /// Which of the two inputs takes samples.
        samples_in: usize,
        /// Which of the two outputs gives samples.
        samples_out: usize,
    },
    /// A Whisper model as CTranslate2 has it, in one archive; no network of one file.
    Whisper,
    /// Silero's voice activity over frames of 64 + 512 samples, `[frames, 576]`, with a memory of two `[1,
    /// 1, 128]`; a probability a frame, and the memory after them.
    Silero,
    /// Resemblyzer's voice encoder: power in mel bands, `[160 frames, voices, 40 bands]`, to what tells a voice
    /// from another, `[voices, 256]`, not yet of length 1.
    Resemblyzer,
    /// A network that tells what sentences mean, and its tokens, in one archive; no network of one file.
    Meaning,
}

/// Where the magnitudes of several stems are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StemsIn {
    /// An output a stem, `[1, 2, bins, frames]` each.
    Outputs,
    /// One output, `[1, stems, 2, bins, frames]`.
    Front,
    /// One output, `[1, 2, bins, frames, stems]`, as the reference implementation stacks them.
    Back,
}

impl Layout {
    /// The stems that the network gives itself, without the rest of the mix.
    #[must_use]
    pub fn stems(&self) -> Vec<&str> {
        match self {
            Self::Spleeter { stems }
            | Self::OpenUnmixTogether { stems, .. }
            | Self::Demucs { stems, .. }
            | Self::HybridDemucs { stems, .. } => stems.iter().map(String::as_str).collect(),
            Self::OpenUnmix { stem, .. } | Self::MdxNet { stem, .. } => vec![stem],
            Self::Whisper | Self::Silero | Self::Resemblyzer | Self::Meaning => Vec::new(),
        }
    }

    /// The sample rate in Hz.
    #[must_use]
    pub fn rate(&self) -> u32 {
        match self {
            Self::Spleeter { .. } => 44_100,
            Self::Whisper | Self::Silero | Self::Resemblyzer | Self::Meaning => 16_000,
            Self::OpenUnmix { rate, .. }
            | Self::OpenUnmixTogether { rate, .. }
            | Self::MdxNet { rate, .. }
            | Self::Demucs { rate, .. }
            | Self::HybridDemucs { rate, .. } => *rate,
        }
    }
}

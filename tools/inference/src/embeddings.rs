//! What sentences mean, as vectors: texts that mean nearly the same lie near each other, whatever their words.
//!
//! The network is all-MiniLM-L6-v2 as ONNX; its output is averaged over the tokens and made of length 1, as
//! sentence-transformers does (Reimers and Gurevych, "Sentence-BERT", 2019).

#[cfg(feature = "runtime")]
mod bert;
mod shelf;
mod wordpiece;

pub use shelf::LoadMeaningError;

#[cfg(not(feature = "runtime"))]
use crate::local::Bert;
use crate::network::RunError;
#[cfg(feature = "runtime")]
use bert::Bert;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use wordpiece::WordPieces;

const NETWORK: &str = "model.onnx";
const TOKENS: &str = "tokenizer.json";
/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;
/// Tokens of a text that are looked at, with those around it.
const MOST_TOKENS: usize = 256;

/// A model that tells what sentences mean.
pub struct Meaning {
    tokens: WordPieces,
    network: Bert,
}

impl Meaning {
    pub(crate) fn open(path: &Path) -> Result<Self, RunError> {
        let wrong = |cause: String| RunError::Load { cause };
        let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
        let mut archive = zip::ZipArchive::new(file).map_err(|error| wrong(error.to_string()))?;
        let mut read = |name: &str| {
            let part = archive.by_name(name).map_err(|error| wrong(format!("{name}: {error}")))?;
            let mut bytes = Vec::new();
            let read = part.take(MOST_BYTES).read_to_end(&mut bytes);
            read.map(|_| bytes).map_err(|error| wrong(format!("{name}: {error}")))
        };
        let tokens = WordPieces::read(&read(TOKENS)?).map_err(wrong)?;
        let network = Bert::load(read(NETWORK)?)?;
        Ok(Self { tokens, network })
    }

    /// What `text` means, as a vector of length 1; of a long text only the beginning counts.
    ///
    /// # Errors
    /// When the runtime fails.
    pub fn vector(&self, text: &str) -> Result<Vec<f32>, RunError> {
        let tokens = self.tokens.of(text, MOST_TOKENS);
        let rows = self.network.rows(&tokens)?;
        Ok(unit(&rows, rows.len() / tokens.len().max(1)))
    }
}

/// The sum of rows of `width`, made of length 1.
fn unit(rows: &[f32], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0; width];
    for row in rows.chunks_exact(width.max(1)) {
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-12);
    sum.iter_mut().for_each(|value| *value /= length);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_length_1_and_silence_none() {
        assert_eq!(unit(&[3.0, 1.0, 3.0, 7.0], 2), [0.6, 0.8]);
        assert_eq!(unit(&[], 2), [0.0, 0.0]);
        assert_eq!(unit(&[], 0), Vec::<f32>::new());
    }
}

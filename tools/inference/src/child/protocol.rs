//! What parent and child say: a JSON line, then the values of the tensors that it names.

use crate::network::Tensor;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

const LONGEST_LINE: u64 = 1 << 16;
/// Most values of one tensor: ten minutes of stereo in a four-stem network, and more than any run needs.
const MOST_VALUES: usize = 1 << 28;

/// Parent to child: inputs follow.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) shapes: Vec<Vec<usize>>,
    pub(super) outputs: Vec<usize>,
}

/// Child to parent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(super) enum Answer {
    /// The first answer when the model is loaded.
    Ready,
    /// Loading or running failed.
    Failed { message: String },
    /// Outputs of these shapes follow.
    Outputs { shapes: Vec<Vec<usize>> },
}

/// Writes a line and the values of `tensors`.
pub(super) fn say(to: &mut impl Write, message: &impl Serialize, tensors: &[Tensor]) -> Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)?;
    for tensor in tensors {
        for part in tensor.data.chunks(1 << 14) {
            let bytes: Vec<u8> = part.iter().flat_map(|value| value.to_le_bytes()).collect();
            to.write_all(&bytes)?;
        }
    }
    to.flush()
}

/// Reads one line; `None` at the end.
pub(super) fn hear<T: DeserializeOwned>(from: &mut impl BufRead) -> Result<Option<T>> {
    let mut line = Vec::new();
    from.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(&line)
        .map(Some)
        .map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

/// Reads the values of tensors of these shapes.
pub(super) fn tensors(from: &mut impl Read, shapes: &[Vec<usize>]) -> Result<Vec<Tensor>> {
    shapes.iter().map(|shape| tensor(from, shape)).collect()
}

fn tensor(from: &mut impl Read, shape: &[usize]) -> Result<Tensor> {
    let values = shape.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
    let values = values.filter(|values| *values <= MOST_VALUES);
    let values = values.ok_or_else(|| Error::new(ErrorKind::InvalidData, "a huge tensor"))?;
    let mut data = Vec::new();
    let mut block = vec![0; 1 << 16];
    while data.len() < values {
        // Memory grows with what really comes.
        let length = ((values - data.len()) * 4).min(block.len());
        let part = block.get_mut(..length).unwrap_or_default();
        from.read_exact(part)?;
        data.extend(part.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)));
    }
    Ok(Tensor { shape: shape.to_vec(), data })
}

//! Reads the weights of a PyTorch checkpoint in the form that was used before 1.6: five pickles, then raw values.
//!
//! A pickle is a program. Here nothing of it is run: the stack machine below knows the few instructions that
//! write tensors in tables, three names of Python, and refuses everything else.
//!
//! Layout (PyTorch `serialization.py`, `_legacy_save`): the number that begins such files, the version 1001,
//! facts of the machine, the checkpoint, the keys of the storages in order; then for each storage its number
//! of values i64 and the values, little-endian.

mod pickle;

use pickle::{Pickle, Value};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// The first pickle: a number, with the instruction that ends it.
const MAGIC: &[u8] = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.";
const VERSION: i64 = 1001;
/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Why a checkpoint could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TorchError {
    #[error("the PyTorch file cannot be read: {cause}; install the model again")]
    Io { cause: String },
    #[error("the PyTorch file is damaged at byte {at}: {problem}; install the model again")]
    Damaged { at: usize, problem: String },
    #[error(
        "the PyTorch file asks for {what}, and only tensors are read, nothing of it is run; it is made by \
         something else or to do harm"
    )]
    Refused { what: String },
    #[error(
        "the PyTorch file has no tensor \"{name}\" of shape {shape:?}; another version is needed"
    )]
    Tensor { name: String, shape: Vec<usize> },
}

/// The tensors of a checkpoint.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    tensors: BTreeMap<String, Tensor>,
    /// Where the bytes of each storage are.
    storages: BTreeMap<String, Range<usize>>,
    file: Vec<u8>,
}

/// A tensor: a part of a storage, in rows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tensor {
    storage: String,
    /// The first value.
    offset: usize,
    shape: Vec<usize>,
}

impl Checkpoint {
    /// Reads the file at `path`; `table` is what its tensors are under, such as "model_state".
    pub(crate) fn read(path: &Path, table: &str) -> Result<Self, TorchError> {
        let failed = |error: std::io::Error| TorchError::Io { cause: error.to_string() };
        if path.metadata().map_err(failed)?.len() > MOST_BYTES {
            return Err(damaged(0, "it is larger than any model here"));
        }
        Self::parse(std::fs::read(path).map_err(failed)?, table)
    }

    fn parse(file: Vec<u8>, table: &str) -> Result<Self, TorchError> {
        if !file.starts_with(MAGIC) {
            return Err(damaged(0, "it is no checkpoint of the form before PyTorch 1.6"));
        }
        let mut pickle = Pickle::new(&file, MAGIC.len());
        let version = pickle.next()?;
        if version != Value::Number(VERSION) {
            return Err(damaged(MAGIC.len(), "it is of an unknown version"));
        }
        let machine = pickle.next()?.into_table();
        if machine.and_then(|mut table| table.remove("little_endian")) != Some(Value::Number(1)) {
            return Err(damaged(MAGIC.len(), "it is of a machine that writes numbers backwards"));
        }
        let whole = pickle.next()?.into_table().unwrap_or_default();
        let tensors = whole.into_iter().find(|(name, _)| name == table);
        let tensors = tensors.and_then(|(_, value)| value.into_table()).unwrap_or_default();
        let keys = pickle.next()?;
        let storages = storages(&file, pickle.at(), keys)?;
        let tensor = |(name, value)| match value {
            Value::Tensor(tensor) => Some((name, tensor)),
            _ => None,
        };
        let tensors = tensors.into_iter().filter_map(tensor).collect();
        Ok(Self { tensors, storages, file })
    }

    /// The values of the tensor `name`, which must have `shape`.
    pub(crate) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, TorchError> {
        let missing = || TorchError::Tensor { name: name.into(), shape: shape.into() };
        let tensor = self.tensors.get(name).filter(|tensor| tensor.shape == shape);
        let tensor = tensor.ok_or_else(missing)?;
        let storage = self.storages.get(&tensor.storage).ok_or_else(missing)?;
        let values: usize = shape.iter().product();
        let from = tensor.offset.checked_mul(4).and_then(|at| storage.start.checked_add(at));
        let to = from.and_then(|from| from.checked_add(values * 4));
        let bytes = from.zip(to).filter(|(_, to)| *to <= storage.end);
        let bytes = bytes.and_then(|(from, to)| self.file.get(from..to)).ok_or_else(missing)?;
        let floats = bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
        let floats: Vec<f32> = floats.collect();
        match floats.iter().position(|value| !value.is_finite()) {
            Some(at) => {
                let place = from.unwrap_or_default() + 4 * at;
                Err(damaged(place, &format!("value {at} of {name} is no number")))
            }
            None => Ok(floats),
        }
    }
}

fn damaged(at: usize, problem: &str) -> TorchError {
    TorchError::Damaged { at, problem: problem.into() }
}

/// Where the storages are, from `at` to the very end of the file.
fn storages(
    file: &[u8],
    mut at: usize,
    keys: Value,
) -> Result<BTreeMap<String, Range<usize>>, TorchError> {
    let Value::List(keys) = keys else {
        return Err(damaged(at, "it does not list its storages"));
    };
    let mut found = BTreeMap::new();
    for key in keys {
        let Value::Text(key) = key else {
            return Err(damaged(at, "a storage has no name"));
        };
        let count = file.get(at..).and_then(|rest| rest.first_chunk::<8>());
        let count = count.ok_or_else(|| damaged(at, "it is cut off"))?;
        let bytes = usize::try_from(i64::from_le_bytes(*count)).ok();
        let bytes = bytes.and_then(|count| count.checked_mul(4));
        let end = bytes.and_then(|bytes| bytes.checked_add(at + 8));
        let end = end.filter(|end| *end <= file.len());
        let end = end.ok_or_else(|| damaged(at, "it is cut off, or a storage is too long"))?;
        found.insert(key, at + 8..end);
        at = end;
    }
    if at == file.len() { Ok(found) } else { Err(damaged(at, "there are bytes after the end")) }
}

#[cfg(test)]
mod tests;

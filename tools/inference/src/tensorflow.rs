//! Reads the weights of a TensorFlow checkpoint: an index, which is an uncompressed LevelDB table of
//! `BundleEntryProto`, and one file of raw values.
//!
//! Sources: LevelDB `doc/table_format.md`; TensorFlow `tensor_bundle.proto`.

use crate::proto::{Fields, Value, varint};
use std::collections::BTreeMap;
use std::path::Path;

/// The last eight bytes of a table.
const MAGIC: u64 = 0xdb47_7524_8b80_fb57;
/// The length of a table's footer.
const FOOTER: usize = 48;
/// TensorFlow's number for 32-bit floats.
const FLOAT: u64 = 1;
/// More values than any tensor of a model here has.
const MOST_VALUES: u64 = 1 << 28;

/// Why a checkpoint could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error("the checkpoint's {part} cannot be read: {cause}; install the model again")]
    Io { part: &'static str, cause: String },
    #[error("the checkpoint's index is damaged; install the model again")]
    Index,
    #[error(
        "the checkpoint has no tensor \"{name}\" of shape {shape:?}; another version is needed"
    )]
    Tensor { name: String, shape: Vec<usize> },
}

/// Where a tensor lies.
#[derive(Debug)]
struct Entry {
    shape: Vec<u64>,
    offset: u64,
    size: u64,
    is_float: bool,
}

/// A checkpoint that was read.
#[derive(Debug)]
pub(crate) struct Bundle {
    entries: BTreeMap<String, Entry>,
    data: Vec<u8>,
}

impl Bundle {
    pub(crate) fn read(index: &Path, data: &Path) -> Result<Self, BundleError> {
        let read = |part, path| {
            std::fs::read(path).map_err(|error| BundleError::Io { part, cause: error.to_string() })
        };
        let table = read("index", index)?;
        let entries = table_entries(&table).ok_or(BundleError::Index)?;
        Ok(Self { entries, data: read("data", data)? })
    }

    /// The values of the tensor `name`, which must have `shape`.
    pub(crate) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, BundleError> {
        let wanted = shape.iter().map(|n| *n as u64);
        let entry = self.entries.get(name).filter(|entry| {
            entry.is_float && entry.shape.iter().copied().eq(wanted) && fits(entry)
        });
        let bytes = entry.and_then(|entry| {
            let start = usize::try_from(entry.offset).ok()?;
            self.data.get(start..)?.get(..usize::try_from(entry.size).ok()?)
        });
        let floats = |bytes: &[u8]| {
            bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
        };
        bytes
            .map(floats)
            .ok_or_else(|| BundleError::Tensor { name: name.into(), shape: shape.into() })
    }
}

fn fits(entry: &Entry) -> bool {
    let values = entry.shape.iter().try_fold(1u64, |product, n| product.checked_mul(*n));
    values.is_some_and(|values| values <= MOST_VALUES && values * 4 == entry.size)
}

fn table_entries(table: &[u8]) -> Option<BTreeMap<String, Entry>> {
    let footer = table.get(table.len().checked_sub(FOOTER)?..)?;
    if u64::from_le_bytes(*footer.last_chunk()?) != MAGIC {
        return None;
    }
    let mut handles = footer;
    let _metaindex = handle(&mut handles)?;
    let index = block(table, handle(&mut handles)?)?;
    let mut entries = BTreeMap::new();
    for (_, mut at) in records(index)? {
        for (key, value) in records(block(table, handle(&mut at)?)?)? {
            // The empty key is the header of the whole checkpoint.
            if !key.is_empty() {
                entries.insert(String::from_utf8(key).ok()?, entry(value)?);
            }
        }
    }
    Some(entries)
}

fn handle(bytes: &mut &[u8]) -> Option<(u64, u64)> {
    Some((varint(bytes)?, varint(bytes)?))
}

/// The bytes of an uncompressed block.
fn block(table: &[u8], (offset, size): (u64, u64)) -> Option<&[u8]> {
    let (offset, size) = (usize::try_from(offset).ok()?, usize::try_from(size).ok()?);
    let with_kind = table.get(offset..offset.checked_add(size)?.checked_add(1)?)?;
    let (kind, bytes) = with_kind.split_last()?;
    (*kind == 0).then_some(bytes)
}

/// The records of a block: keys share the front of the one before.
fn records(block: &[u8]) -> Option<Vec<(Vec<u8>, &[u8])>> {
    let restarts = u32::from_le_bytes(*block.last_chunk()?) as usize;
    let trailer = restarts.checked_add(1)?.checked_mul(4)?;
    let mut rest = block.get(..block.len().checked_sub(trailer)?)?;
    let mut key: Vec<u8> = Vec::new();
    let mut records = Vec::new();
    while !rest.is_empty() {
        let shared = usize::try_from(varint(&mut rest)?).ok()?;
        let own = usize::try_from(varint(&mut rest)?).ok()?;
        let length = usize::try_from(varint(&mut rest)?).ok()?;
        let (own, after) = rest.split_at_checked(own)?;
        let (value, after) = after.split_at_checked(length)?;
        rest = after;
        key.truncate(shared);
        key.extend(own);
        records.push((key.clone(), value));
    }
    Some(records)
}

fn entry(value: &[u8]) -> Option<Entry> {
    let mut entry = Entry { shape: Vec::new(), offset: 0, size: 0, is_float: false };
    for field in Fields::new(value) {
        match field.ok()? {
            (1, Value::Number(kind)) => entry.is_float = kind == FLOAT,
            (2, Value::Bytes(shape)) => entry.shape = dimensions(shape)?,
            (4, Value::Number(offset)) => entry.offset = offset,
            (5, Value::Number(size)) => entry.size = size,
            _ => {}
        }
    }
    Some(entry)
}

fn dimensions(shape: &[u8]) -> Option<Vec<u64>> {
    let mut sizes = Vec::new();
    for field in Fields::new(shape) {
        let (2, Value::Bytes(dimension)) = field.ok()? else { continue };
        let mut size = 0;
        for field in Fields::new(dimension) {
            if let (1, Value::Number(number)) = field.ok()? {
                size = number;
            }
        }
        sizes.push(size);
    }
    Some(sizes)
}

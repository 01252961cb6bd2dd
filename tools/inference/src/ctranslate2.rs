//! Reads the weights of a CTranslate2 model: one binary file of named variables.
//!
//! Layout, little-endian (CTranslate2 `model_spec.py`, `models/model.cc`; binary version 6): version u32,
//! name of the specification, revision u32, number of variables u32, then each variable: name, rank u8,
//! sizes u32, kind of value u8, bytes u32, the values; then the number of aliases u32 and pairs of names. A
//! name is its length u16, with the zero byte that ends it. The value of an `int8` or `int16` weight `X` is
//! `X / X_scale`, with one scale a row or one for all.

use std::collections::BTreeMap;
use std::path::Path;

/// The version of the format that is read.
const VERSION: u32 = 6;
/// More variables than any model here has.
const MOST_VARIABLES: u32 = 20_000;
/// More values than any variable of a model here has.
const MOST_VALUES: usize = 1 << 28;
/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 4 << 30;

/// Why a CTranslate2 model could not be read.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error("the model's weights cannot be read: {cause}; install the model again")]
    Io { cause: String },
    #[error(
        "the model is of CTranslate2's binary version {found}, this reads version {VERSION}; convert it again \
         with a current ct2-transformers-converter"
    )]
    Version { found: u32 },
    #[error("the model's weights are damaged: {problem}; install the model again")]
    Damaged { problem: String },
    #[error("the model has no variable \"{name}\" of shape {shape:?}; a Whisper model is needed")]
    Variable { name: String, shape: Vec<usize> },
}

fn damaged(problem: impl Into<String>) -> WeightsError {
    WeightsError::Damaged { problem: problem.into() }
}

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Float32,
    Int8,
    Int16,
    Int32,
    Float16,
    Bfloat16,
}

impl Kind {
    fn of(number: u8) -> Option<Self> {
        let kinds =
            [Self::Float32, Self::Int8, Self::Int16, Self::Int32, Self::Float16, Self::Bfloat16];
        kinds.get(usize::from(number)).copied()
    }

    fn bytes(self) -> usize {
        match self {
            Self::Float32 | Self::Int32 => 4,
            Self::Int16 | Self::Float16 | Self::Bfloat16 => 2,
            Self::Int8 => 1,
        }
    }
}

#[derive(Debug)]
struct Variable {
    shape: Vec<usize>,
    kind: Kind,
    /// Where its bytes lie in the file.
    range: std::ops::Range<usize>,
}

/// The variables of a model.
#[derive(Debug)]
pub struct Weights {
    /// The specification's name: "WhisperSpec".
    pub name: String,
    variables: BTreeMap<String, Variable>,
    aliases: BTreeMap<String, String>,
    file: Vec<u8>,
}

impl Weights {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read or is no such model.
    pub fn read(path: &Path) -> Result<Self, WeightsError> {
        let failed = |error: std::io::Error| WeightsError::Io { cause: error.to_string() };
        let size = path.metadata().map_err(failed)?.len();
        if size > MOST_BYTES {
            return Err(damaged(format!("the file has {size} bytes, more than {MOST_BYTES}")));
        }
        Self::parse(std::fs::read(path).map_err(failed)?)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When they are no such model.
    pub fn parse(file: Vec<u8>) -> Result<Self, WeightsError> {
        let mut reader = Cursor { bytes: &file, at: 0 };
        let version = reader.u32()?;
        if version != VERSION {
            return Err(WeightsError::Version { found: version });
        }
        let name = reader.name()?;
        let _revision = reader.u32()?;
        let mut variables = BTreeMap::new();
        for _ in 0..reader.count()? {
            let name = reader.name()?;
            let variable = reader.variable(&name)?;
            if variables.insert(name.clone(), variable).is_some() {
                return Err(damaged(format!("{name} is there twice")));
            }
        }
        let mut aliases = BTreeMap::new();
        for _ in 0..reader.count()? {
            aliases.insert(reader.name()?, reader.name()?);
        }
        if reader.at != file.len() {
            return Err(damaged("there are bytes after the end"));
        }
        Ok(Self { name, variables, aliases, file })
    }

    #[must_use]
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.variable(name).map(|(_, variable)| variable.shape.as_slice())
    }

    /// The values of the variable `name`, which must have `shape`, as floats.
    ///
    /// # Errors
    /// When it is not there, has another shape, lacks its scale, or holds a value that is no number.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, WeightsError> {
        let missing = || WeightsError::Variable { name: name.into(), shape: shape.into() };
        let (own, variable) = self.variable(name).ok_or_else(missing)?;
        if variable.shape != shape {
            return Err(missing());
        }
        let mut values = self.floats(variable);
        if matches!(variable.kind, Kind::Int8 | Kind::Int16) {
            self.unscale(own, shape, &mut values)?;
        }
        match values.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(damaged(format!("value {at} of {name} is no number"))),
            None => Ok(values),
        }
    }

    /// A variable that is one whole number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        let (_, variable) = self.variable(name)?;
        let value = self.floats(variable).first().copied()?;
        (variable.shape.is_empty() && value >= 0.0).then_some(value as usize)
    }

    fn variable(&self, name: &str) -> Option<(&str, &Variable)> {
        let alias = self.aliases.get(name).map_or(name, String::as_str);
        self.variables.get_key_value(alias).map(|(own, variable)| (own.as_str(), variable))
    }

    fn floats(&self, variable: &Variable) -> Vec<f32> {
        let bytes = self.file.get(variable.range.clone()).unwrap_or_default();
        let (twos, fours) = (bytes.as_chunks::<2>().0, bytes.as_chunks::<4>().0);
        match variable.kind {
            Kind::Float32 => fours.iter().map(|four| f32::from_le_bytes(*four)).collect(),
            Kind::Int32 => fours.iter().map(|four| i32::from_le_bytes(*four) as f32).collect(),
            Kind::Int8 => bytes.iter().map(|byte| f32::from(*byte as i8)).collect(),
            Kind::Int16 => twos.iter().map(|two| f32::from(i16::from_le_bytes(*two))).collect(),
            Kind::Float16 => twos.iter().map(|two| half(u16::from_le_bytes(*two))).collect(),
            Kind::Bfloat16 => twos
                .iter()
                .map(|two| f32::from_bits(u32::from(u16::from_le_bytes(*two)) << 16))
                .collect(),
        }
    }

    /// Divides each row by its scale.
    fn unscale(&self, name: &str, shape: &[usize], values: &mut [f32]) -> Result<(), WeightsError> {
        let scale_name = format!("{name}_scale");
        let rows = shape.first().copied().unwrap_or(1);
        let missing = || WeightsError::Variable { name: scale_name.clone(), shape: vec![rows] };
        let (_, scale) = self.variable(&scale_name).ok_or_else(missing)?;
        let scales = self.floats(scale);
        if scales.len() != 1 && scales.len() != rows {
            return Err(missing());
        }
        let row = values.len() / scales.len().max(1);
        for (values, scale) in values.chunks_mut(row.max(1)).zip(&scales) {
            values.iter_mut().for_each(|value| *value /= scale);
        }
        Ok(())
    }
}

/// A 16-bit float of IEEE 754 as a 32-bit one.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    let value = match exponent {
        0 => fraction as f32 * f32::from_bits(0x3380_0000),
        31 => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    f32::from_bits(value.to_bits() | sign)
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn take(&mut self, count: usize) -> Result<std::ops::Range<usize>, WeightsError> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| damaged(format!("it ends within byte {}", self.at)))?;
        let range = self.at..end;
        self.at = end;
        Ok(range)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], WeightsError> {
        let range = self.take(N)?;
        let bytes = self.bytes.get(range).and_then(<[u8]>::first_chunk);
        bytes.copied().ok_or_else(|| damaged("it ends too soon"))
    }

    fn u32(&mut self) -> Result<u32, WeightsError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// How many variables or aliases follow.
    fn count(&mut self) -> Result<u32, WeightsError> {
        let count = self.u32()?;
        if count > MOST_VARIABLES {
            return Err(damaged(format!("it says that it has {count} variables")));
        }
        Ok(count)
    }

    fn name(&mut self) -> Result<String, WeightsError> {
        let length = u16::from_le_bytes(self.array()?);
        let range = self.take(usize::from(length))?;
        let bytes = self.bytes.get(range).and_then(|bytes| bytes.split_last());
        let text = bytes.filter(|(last, _)| **last == 0).and_then(|(_, text)| {
            std::str::from_utf8(text).ok().filter(|text| !text.contains('\0'))
        });
        text.map(Into::into).ok_or_else(|| damaged(format!("the name before byte {}", self.at)))
    }

    fn variable(&mut self, name: &str) -> Result<Variable, WeightsError> {
        let [rank] = self.array()?;
        if rank > 4 {
            return Err(damaged(format!("{name} has {rank} dimensions")));
        }
        let sizes: Result<Vec<u32>, _> = (0..rank).map(|_| self.u32()).collect();
        let shape: Vec<usize> = sizes?.into_iter().map(|size| size as usize).collect();
        let [kind] = self.array()?;
        let kind = Kind::of(kind).ok_or_else(|| damaged(format!("{name} is of kind {kind}")))?;
        let values = shape.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
        let values = values.filter(|values| (1..=MOST_VALUES).contains(values));
        let bytes = self.u32()? as usize;
        if values.map(|values| values * kind.bytes()) != Some(bytes) {
            return Err(damaged(format!("{name} of shape {shape:?} has {bytes} bytes")));
        }
        Ok(Variable { shape, kind, range: self.take(bytes)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(out: &mut Vec<u8>, text: &str) {
        out.extend((text.len() as u16 + 1).to_le_bytes());
        out.extend(text.as_bytes());
        out.push(0);
    }

    fn variable(out: &mut Vec<u8>, name: &str, shape: &[u32], kind: u8, bytes: &[u8]) {
        text(out, name);
        out.push(shape.len() as u8);
        out.extend(shape.iter().flat_map(|size| size.to_le_bytes()));
        out.push(kind);
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    }

    fn file() -> Vec<u8> {
        let mut out = VERSION.to_le_bytes().to_vec();
        text(&mut out, "WhisperSpec");
        out.extend(3u32.to_le_bytes());
        out.extend(4u32.to_le_bytes());
        variable(&mut out, "a/weight", &[2, 2], 1, &[127, 0x81, 2, 0xfe]);
        let scales: Vec<u8> = [127f32, 4.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        variable(&mut out, "a/weight_scale", &[2], 0, &scales);
        variable(&mut out, "heads", &[], 2, &[6, 0]);
        variable(&mut out, "h", &[4], 4, &[0x00, 0x3c, 0x01, 0x00, 0x00, 0xc0, 0xff, 0x7b]);
        out.extend(1u32.to_le_bytes());
        text(&mut out, "b/weight");
        text(&mut out, "a/weight");
        out
    }

    #[test]
    fn rows_are_scaled_halves_are_widened_and_aliases_followed() {
        let weights = Weights::parse(file()).unwrap();
        assert_eq!(weights.name, "WhisperSpec");
        assert_eq!(weights.tensor("b/weight", &[2, 2]).unwrap(), [1.0, -1.0, 0.5, -0.5]);
        assert_eq!(weights.number("heads"), Some(6));
        let halves = [1.0, 5.960_464_5e-8, -2.0, 65504.0];
        assert_eq!(weights.tensor("h", &[4]).unwrap(), halves);
        let error = weights.tensor("a/weight", &[4]).unwrap_err().to_string();
        assert!(error.contains("\"a/weight\" of shape [4]"), "{error}");
    }

    #[test]
    fn every_cut_and_other_versions_are_refused() {
        let whole = file();
        for length in 0..whole.len() {
            assert!(Weights::parse(whole[..length].to_vec()).is_err(), "cut at {length}");
        }
        let mut longer = whole.clone();
        longer.push(0);
        assert!(Weights::parse(longer).is_err());
        let mut other = whole;
        other[0] = 3;
        let error = Weights::parse(other).unwrap_err().to_string();
        assert!(error.contains("binary version 3"), "{error}");
    }

    #[test]
    fn a_value_that_is_no_number_is_found() {
        let mut file = file();
        let at = file.windows(2).rposition(|two| two == [0xff, 0x7b]).unwrap();
        file[at + 1] = 0x7c;
        let error = Weights::parse(file).unwrap().tensor("h", &[4]).unwrap_err().to_string();
        assert!(error.contains("value 3 of h is no number"), "{error}");
    }

    proptest! {
        #[test]
        fn flipped_bits_never_panic(at in 0usize..150, bit in 0u8..8) {
            let mut file = file();
            let index = at % file.len();
            file[index] ^= 1 << bit;
            if let Ok(weights) = Weights::parse(file) {
                for name in ["a/weight", "b/weight", "h", "heads"] {
                    if let Some(shape) = weights.shape(name) {
                        drop(weights.tensor(name, shape));
                    }
                }
            }
        }
    }
}

//! A stack machine that reads pickles of tensors in tables, and nothing else.
//!
//! Everything read is bounded: bytes, depth, and the length of names. Only numbers and names can be stored
//! and read again, so nothing grows by repetition.
//!
//! Source: Python's `pickletools.py`, protocol 2.

use super::{Tensor, TorchError, damaged};
use std::collections::BTreeMap;

/// The longest pickle, in bytes.
const MOST_BYTES: usize = 1 << 18;
/// The longest text.
const LONGEST: usize = 256;
/// Tables within tables, at most.
const DEEPEST: usize = 16;

/// What a pickle may hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing, or something that no tensor needs.
    Nothing,
    /// A whole number; truth is 1.
    Number(i64),
    Text(String),
    Name(Name),
    /// A row of values that is whole.
    Tuple(Vec<Self>),
    List(Vec<Self>),
    /// Values by their names; those under other keys are left out.
    Table(BTreeMap<String, Self>),
    /// A storage of floats by its key.
    Storage(String),
    /// A part of a storage.
    Tensor(Tensor),
}

/// The only names of Python that are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    OrderedDict,
    RebuildTensor,
    FloatStorage,
}

impl Value {
    pub(super) fn into_table(self) -> Option<BTreeMap<String, Self>> {
        if let Self::Table(table) = self { Some(table) } else { None }
    }

    fn depth(&self) -> usize {
        let deepest = match self {
            Self::Tuple(values) | Self::List(values) => values.iter().map(Self::depth).max(),
            Self::Table(table) => table.values().map(Self::depth).max(),
            Self::Nothing
            | Self::Number(_)
            | Self::Text(_)
            | Self::Name(_)
            | Self::Storage(_)
            | Self::Tensor(_) => return 0,
        };
        1 + deepest.unwrap_or(0)
    }
}

/// Pickles one after another in a file.
pub(super) struct Pickle<'a> {
    file: &'a [u8],
    at: usize,
    /// Where the pickle must have ended.
    end: usize,
    stack: Vec<Value>,
    marks: Vec<usize>,
    memory: BTreeMap<u32, Value>,
}

type Step<T> = Result<T, TorchError>;

impl<'a> Pickle<'a> {
    pub(super) fn new(file: &'a [u8], at: usize) -> Self {
        let (stack, marks, memory) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { file, at, end: at, stack, marks, memory }
    }

    /// Where the next byte is.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn next(&mut self) -> Step<Value> {
        self.end = self.at.saturating_add(MOST_BYTES).min(self.file.len());
        self.stack.clear();
        self.marks.clear();
        self.memory.clear();
        loop {
            let [code] = self.take::<1>()?;
            if code == b'.' {
                return self.pop();
            }
            self.step(code)?;
        }
    }

    fn step(&mut self, code: u8) -> Step<()> {
        match code {
            0x80 => self.protocol(),
            b'(' => {
                self.marks.push(self.stack.len());
                Ok(())
            }
            b'}' => self.push(Value::Table(BTreeMap::new())),
            b']' => self.push(Value::List(Vec::new())),
            b')' => self.push(Value::Tuple(Vec::new())),
            b'N' => self.push(Value::Nothing),
            0x88 => self.push(Value::Number(1)),
            0x89 => self.push(Value::Number(0)),
            b'K' | b'M' | b'J' | 0x8a | b'G' => self.number(code),
            b'X' => self.text(),
            b'c' => self.name(),
            b'q' | b'r' | b'h' | b'j' => self.remember(code),
            b't' => {
                let values = self.marked()?;
                self.push(Value::Tuple(values))
            }
            0x85..=0x87 => {
                let from = self.stack.len().checked_sub(usize::from(code - 0x84));
                let from = from.ok_or_else(|| self.wrong())?;
                let values = self.stack.split_off(from);
                self.push(Value::Tuple(values))
            }
            b'a' | b'e' | b's' | b'u' => self.fill(code),
            b'b' => self.attribute(),
            b'Q' => self.storage(),
            b'R' => self.call(),
            other => Err(TorchError::Refused { what: format!("the instruction {other:#04x}") }),
        }
    }

    fn wrong(&self) -> TorchError {
        damaged(self.at, "its instructions make no sense")
    }

    fn take<const N: usize>(&mut self) -> Step<[u8; N]> {
        let cut = || damaged(self.at, "it is cut off, or no checkpoint");
        let rest = self.file.get(self.at..self.end).ok_or_else(cut)?;
        let bytes = *rest.first_chunk::<N>().ok_or_else(cut)?;
        self.at += N;
        Ok(bytes)
    }

    fn push(&mut self, value: Value) -> Step<()> {
        if value.depth() > DEEPEST {
            return Err(damaged(self.at, "tables are too deep"));
        }
        self.stack.push(value);
        Ok(())
    }

    fn pop(&mut self) -> Step<Value> {
        // Values below a mark belong to the outer level.
        let is_free = self.marks.last().is_none_or(|mark| *mark < self.stack.len());
        self.stack.pop().filter(|_| is_free).ok_or_else(|| self.wrong())
    }

    fn marked(&mut self) -> Step<Vec<Value>> {
        let mark = self.marks.pop().filter(|mark| *mark <= self.stack.len());
        let mark = mark.ok_or_else(|| self.wrong())?;
        Ok(self.stack.split_off(mark))
    }

    fn protocol(&mut self) -> Step<()> {
        match self.take()? {
            [2] => Ok(()),
            [other] => Err(TorchError::Refused { what: format!("protocol {other} of pickles") }),
        }
    }

    fn number(&mut self, code: u8) -> Step<()> {
        let value = match code {
            b'K' => i64::from(self.take::<1>()?[0]),
            b'M' => i64::from(u16::from_le_bytes(self.take()?)),
            b'J' => i64::from(i32::from_le_bytes(self.take()?)),
            b'G' => {
                let _float: [u8; 8] = self.take()?;
                return self.push(Value::Nothing);
            }
            _ => {
                let [length] = self.take::<1>()?;
                let mut bytes = [0; 8];
                for index in 0..usize::from(length) {
                    let [byte] = self.take::<1>()?;
                    *bytes.get_mut(index).ok_or_else(|| self.wrong())? = byte;
                }
                i64::from_le_bytes(bytes)
            }
        };
        self.push(Value::Number(value))
    }

    fn text(&mut self) -> Step<()> {
        let length = u32::from_le_bytes(self.take()?) as usize;
        let bytes = self.file.get(self.at..self.end).and_then(|rest| rest.get(..length));
        let text = bytes.filter(|_| length <= LONGEST).and_then(|b| std::str::from_utf8(b).ok());
        let text = text.ok_or_else(|| damaged(self.at, "a name is too long, or no text"))?;
        self.at += length;
        self.push(Value::Text(text.into()))
    }

    fn name(&mut self) -> Step<()> {
        let (module, name) = (self.line()?, self.line()?);
        let known = match (module.as_str(), name.as_str()) {
            ("collections", "OrderedDict") => Name::OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2") => Name::RebuildTensor,
            ("torch", "FloatStorage") => Name::FloatStorage,
            _ => return Err(TorchError::Refused { what: format!("{module:?}.{name:?}") }),
        };
        self.push(Value::Name(known))
    }

    fn line(&mut self) -> Step<String> {
        let mut line = Vec::new();
        loop {
            match self.take::<1>()? {
                [b'\n'] => break,
                [byte] if line.len() < LONGEST => line.push(byte),
                _ => return Err(damaged(self.at, "a name is too long")),
            }
        }
        String::from_utf8(line).map_err(|_| damaged(self.at, "a name is no text"))
    }

    fn remember(&mut self, code: u8) -> Step<()> {
        let place = match code {
            b'q' | b'h' => u32::from(self.take::<1>()?[0]),
            _ => u32::from_le_bytes(self.take()?),
        };
        if matches!(code, b'h' | b'j') {
            let known = self.memory.get(&place).cloned();
            return self.push(known.ok_or_else(|| self.wrong())?);
        }
        match self.stack.last() {
            Some(value @ (Value::Text(_) | Value::Name(_) | Value::Number(_))) => {
                self.memory.insert(place, value.clone());
            }
            // Tables and tensors are in one place only.
            Some(_) => drop(self.memory.remove(&place)),
            None => return Err(self.wrong()),
        }
        Ok(())
    }

    /// Puts values into the list or table below them.
    fn fill(&mut self, code: u8) -> Step<()> {
        let values = match code {
            b'a' => vec![self.pop()?],
            b's' => {
                let value = self.pop()?;
                vec![self.pop()?, value]
            }
            _ => self.marked()?,
        };
        if values.iter().any(|value| value.depth() >= DEEPEST) {
            return Err(damaged(self.at, "tables are too deep"));
        }
        match (code, self.stack.last_mut()) {
            (b'a' | b'e', Some(Value::List(list))) => list.extend(values),
            (b's' | b'u', Some(Value::Table(table))) if values.len().is_multiple_of(2) => {
                let mut values = values.into_iter();
                while let (Some(key), Some(value)) = (values.next(), values.next()) {
                    if let Value::Text(key) = key {
                        table.insert(key, value);
                    }
                }
            }
            _ => return Err(self.wrong()),
        }
        Ok(())
    }

    /// Attributes of a table, such as the version of its layers, are not needed here.
    fn attribute(&mut self) -> Step<()> {
        let _of_the_table = self.pop()?;
        let is_table = matches!(self.stack.last(), Some(Value::Table(_)));
        if is_table { Ok(()) } else { Err(self.wrong()) }
    }

    /// `("storage", FloatStorage, key, device, count, view)` is a storage.
    fn storage(&mut self) -> Step<()> {
        let Value::Tuple(parts) = self.pop()? else { return Err(self.wrong()) };
        match parts.as_slice() {
            [
                Value::Text(kind),
                Value::Name(Name::FloatStorage),
                Value::Text(key),
                _,
                _,
                Value::Nothing,
            ] if kind == "storage" => self.push(Value::Storage(key.clone())),
            _ => Err(self.wrong()),
        }
    }

    /// Makes an empty table, or a tensor.
    fn call(&mut self) -> Step<()> {
        let (arguments, function) = (self.pop()?, self.pop()?);
        let Value::Tuple(arguments) = arguments else { return Err(self.wrong()) };
        match (function, arguments.as_slice()) {
            (Value::Name(Name::OrderedDict), []) => self.push(Value::Table(BTreeMap::new())),
            (
                Value::Name(Name::RebuildTensor),
                [
                    Value::Storage(key),
                    Value::Number(offset),
                    Value::Tuple(shape),
                    Value::Tuple(steps),
                    _,
                    _,
                ],
            ) => {
                let tensor = tensor(key, *offset, shape, steps).ok_or_else(|| self.wrong())?;
                self.push(Value::Tensor(tensor))
            }
            _ => Err(self.wrong()),
        }
    }
}

/// A tensor whose values follow one another.
fn tensor(key: &str, offset: i64, shape: &[Value], steps: &[Value]) -> Option<Tensor> {
    let number = |value: &Value| match value {
        Value::Number(number) => usize::try_from(*number).ok(),
        _ => None,
    };
    let shape: Vec<usize> = shape.iter().map(number).collect::<Option<_>>()?;
    let steps: Vec<usize> = steps.iter().map(number).collect::<Option<_>>()?;
    let mut step = 1usize;
    for (size, given) in shape.iter().zip(&steps).rev() {
        if *given != step {
            return None;
        }
        step = step.checked_mul(*size)?;
    }
    let offset = usize::try_from(offset).ok()?;
    (shape.len() == steps.len()).then_some(Tensor { storage: key.into(), offset, shape })
}

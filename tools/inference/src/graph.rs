//! Writes a network as an ONNX file: nodes, weights, inputs and outputs.
//!
//! Source: the ONNX specification, `onnx.proto3`; operators of version 17.

use crate::proto::Message;

/// ONNX's number for 32-bit floats.
const FLOAT: u64 = 1;
/// ONNX's number for 64-bit integers.
const INTEGER: u64 = 7;
/// Versions of the file format and of the operators.
const FORMAT: u64 = 8;
const OPERATORS: u64 = 17;

/// An attribute of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Attribute<'a> {
    Float(f32),
    Int(u64),
    /// Several integers.
    Ints(&'a [u64]),
}

/// A network that is being written.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The graph's message so far.
    message: Message,
}

impl Graph {
    fn add(&mut self, field: u64, part: Message) {
        let message = std::mem::take(&mut self.message);
        self.message = message.message(field, part);
    }

    pub(crate) fn weight(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut tensor = Message::default();
        for size in shape {
            tensor = tensor.number(1, *size as u64);
        }
        self.add(5, tensor.number(2, FLOAT).text(8, name).bytes(9, &raw));
    }

    /// Adds a constant list of whole numbers.
    pub(crate) fn integers(&mut self, name: &str, values: &[i64]) {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let tensor = Message::default().number(1, values.len() as u64).number(2, INTEGER);
        self.add(5, tensor.text(8, name).bytes(9, &raw));
    }

    /// Adds a node whose only output is called `output`, and returns that name.
    pub(crate) fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        output: String,
        attributes: &[(&str, Attribute<'_>)],
    ) -> String {
        let mut node = Message::default();
        for input in inputs {
            node = node.text(1, input);
        }
        node = node.text(2, &output).text(3, &output).text(4, operator);
        for (name, value) in attributes {
            node = node.message(5, attribute(name, *value));
        }
        self.add(1, node);
        output
    }

    /// Names an input of `shape`; 0 means any size.
    pub(crate) fn input(&mut self, name: &str, shape: &[u64]) {
        self.add(11, value_info(name, shape));
    }

    /// Names an output of `shape`; 0 means any size.
    pub(crate) fn output(&mut self, name: &str, shape: &[u64]) {
        self.add(12, value_info(name, shape));
    }

    pub(crate) fn into_file(self, name: &str) -> Vec<u8> {
        let operators = Message::default().text(1, "").number(2, OPERATORS);
        Message::default()
            .number(1, FORMAT)
            .text(2, "deskhand")
            .message(7, self.message.text(2, name))
            .message(8, operators)
            .into_bytes()
    }
}

fn attribute(name: &str, value: Attribute<'_>) -> Message {
    let message = Message::default().text(1, name);
    match value {
        Attribute::Float(value) => message.float(2, value).number(20, 1),
        Attribute::Int(value) => message.number(3, value).number(20, 2),
        Attribute::Ints(values) => {
            values.iter().fold(message, |message, value| message.number(8, *value)).number(20, 7)
        }
    }
}

fn value_info(name: &str, shape: &[u64]) -> Message {
    let dimension = |(index, size): (usize, &u64)| match size {
        0 => Message::default().text(2, &format!("d{index}")),
        size => Message::default().number(1, *size),
    };
    let shape = shape.iter().enumerate().map(dimension);
    let shape = shape.fold(Message::default(), |shape, part| shape.message(1, part));
    let tensor = Message::default().number(1, FLOAT).message(2, shape);
    Message::default().text(1, name).message(2, Message::default().message(1, tensor))
}

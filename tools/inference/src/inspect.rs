//! Looks at a stranger's ONNX file without running it: what it takes and gives, and whether anything in it
//! is made to do harm. Nothing is allocated on the word of a length in the file.
//!
//! Source: the ONNX specification, `onnx.proto3`.

use crate::proto::{Fields, Malformed, Value};

/// Graphs within graphs, at most.
const DEEPEST: usize = 8;
/// Nodes of all graphs, at most.
const MOST_NODES: usize = 100_000;
/// Dimensions of a tensor, at most.
const MOST_DIMENSIONS: usize = 8;

/// Why a file is no model that may run here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookError {
    #[error("it is no whole ONNX file; download or export it again")]
    Malformed,
    #[error("its weights are in other files, which are not read; export it as one file")]
    External,
    #[error("it claims {values} values in {bytes} bytes; it is damaged or made to do harm")]
    Huge { values: u64, bytes: u64 },
    #[error("it has more parts than any separation network; it is damaged or made to do harm")]
    TooMany,
}

impl From<Malformed> for LookError {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

/// A named input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    /// Its sizes; `None` where any fits.
    pub shape: Vec<Option<u64>>,
}

/// The inputs and outputs of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// What must be given, without weights.
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub nodes: usize,
}

/// Looks at the bytes of an ONNX file.
///
/// # Errors
/// When it may not run here; the error says why and what to do.
pub fn look(file: &[u8]) -> Result<Signature, LookError> {
    let mut looking = Looking::default();
    let mut found = false;
    for field in Fields::new(file) {
        match field? {
            (7, Value::Bytes(graph)) => {
                looking.graph(graph, 0)?;
                found = true;
            }
            // Functions of the file's own can call each other without end.
            (25, _) => return Err(LookError::TooMany),
            _ => {}
        }
    }
    let Looking { mut signature, weights, .. } = looking;
    signature.inputs.retain(|port| !weights.contains(&port.name));
    let whole = found && !signature.inputs.is_empty() && !signature.outputs.is_empty();
    if whole { Ok(signature) } else { Err(LookError::Malformed) }
}

#[derive(Default)]
struct Looking {
    signature: Signature,
    weights: Vec<String>,
}

impl Looking {
    fn graph(&mut self, graph: &[u8], depth: usize) -> Result<(), LookError> {
        if depth > DEEPEST {
            return Err(LookError::TooMany);
        }
        for field in Fields::new(graph) {
            match field? {
                (1, Value::Bytes(node)) => self.node(node, depth)?,
                (5, Value::Bytes(weight)) => {
                    let name = tensor(weight)?;
                    if depth == 0 {
                        self.weights.push(name);
                    }
                }
                (11, Value::Bytes(info)) if depth == 0 => {
                    self.signature.inputs.push(port(info)?);
                }
                (12, Value::Bytes(info)) if depth == 0 => {
                    self.signature.outputs.push(port(info)?);
                }
                (15, _) => return Err(LookError::TooMany),
                _ => {}
            }
        }
        Ok(())
    }

    fn node(&mut self, node: &[u8], depth: usize) -> Result<(), LookError> {
        self.signature.nodes += 1;
        if self.signature.nodes > MOST_NODES {
            return Err(LookError::TooMany);
        }
        for field in Fields::new(node) {
            let (5, Value::Bytes(attribute)) = field? else { continue };
            for field in Fields::new(attribute) {
                match field? {
                    (5 | 10, Value::Bytes(value)) => drop(tensor(value)?),
                    (6 | 11, Value::Bytes(graph)) => self.graph(graph, depth + 1)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Checks a tensor; returns its name.
fn tensor(bytes: &[u8]) -> Result<String, LookError> {
    let (mut sizes, mut payload, mut name) = (Vec::new(), 0u64, String::new());
    for field in Fields::new(bytes) {
        match field? {
            (1, Value::Number(size)) => sizes.push(size),
            (1, Value::Bytes(packed)) => unpack(packed, &mut sizes)?,
            (13, _) | (14, Value::Number(1..)) => return Err(LookError::External),
            (8, Value::Bytes(text)) => name = String::from_utf8_lossy(text).into_owned(),
            (4..=7 | 9..=11, Value::Bytes(values)) => payload += values.len() as u64,
            (4..=7 | 9..=11, _) => payload += 8,
            _ => {}
        }
        if sizes.len() > MOST_DIMENSIONS {
            return Err(LookError::Malformed);
        }
    }
    let values = sizes.iter().try_fold(1u64, |product, size| product.checked_mul(*size));
    let values = values.unwrap_or(u64::MAX);
    // However values are written, each takes a byte at least.
    if values > payload {
        return Err(LookError::Huge { values, bytes: payload });
    }
    Ok(name)
}

fn unpack(mut packed: &[u8], sizes: &mut Vec<u64>) -> Result<(), LookError> {
    while !packed.is_empty() && sizes.len() <= MOST_DIMENSIONS {
        sizes.push(crate::proto::varint(&mut packed).ok_or(Malformed)?);
    }
    Ok(())
}

fn port(info: &[u8]) -> Result<Port, LookError> {
    let mut port = Port { name: String::new(), shape: Vec::new() };
    for field in Fields::new(info) {
        match field? {
            (1, Value::Bytes(text)) => port.name = String::from_utf8_lossy(text).into_owned(),
            (2, Value::Bytes(kind)) => {
                // A tensor's type holds its shape; other types have none.
                for shape in within(within(Ok(vec![kind]), 1), 2)? {
                    for dimension in within(Ok(vec![shape]), 1)? {
                        port.shape.push(size(dimension)?);
                    }
                }
            }
            _ => {}
        }
        if port.shape.len() > MOST_DIMENSIONS {
            return Err(LookError::Malformed);
        }
    }
    Ok(port)
}

/// The messages in field `number` of each message.
fn within(messages: Result<Vec<&[u8]>, Malformed>, number: u64) -> Result<Vec<&[u8]>, Malformed> {
    let mut found = Vec::new();
    for message in messages? {
        for field in Fields::new(message) {
            if let (field, Value::Bytes(inner)) = field?
                && field == number
            {
                found.push(inner);
            }
        }
    }
    Ok(found)
}

fn size(dimension: &[u8]) -> Result<Option<u64>, LookError> {
    let mut size = None;
    for field in Fields::new(dimension) {
        if let (1, Value::Number(number)) = field? {
            size = Some(number).filter(|number| *number > 0);
        }
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Attribute, Graph};
    use crate::proto::Message;
    use proptest::prelude::*;

    fn half() -> Vec<u8> {
        let mut graph = Graph::default();
        graph.input("x", &[1, 2, 0]);
        graph.weight("k", &[1], &[0.5]);
        graph.node("Mul", &["x", "k"], "y".into(), &[("odd", Attribute::Int(3))]);
        graph.output("y", &[1, 2, 0]);
        graph.into_file("half")
    }

    fn with_weight(weight: Message) -> Vec<u8> {
        let graph = Message::default().message(5, weight);
        Message::default().message(7, graph).into_bytes()
    }

    #[test]
    fn a_model_says_what_it_takes_and_gives() {
        let signature = look(&half()).unwrap();
        let port = |name: &str| Port { name: name.into(), shape: vec![Some(1), Some(2), None] };
        let expected = Signature { inputs: vec![port("x")], outputs: vec![port("y")], nodes: 1 };
        assert_eq!(signature, expected);
    }

    #[test]
    fn a_huge_tensor_and_data_elsewhere_are_refused() {
        let huge = Message::default().number(1, 1 << 40).number(1, 1 << 40).bytes(9, &[0; 8]);
        let huge = look(&with_weight(huge)).unwrap_err();
        assert_eq!(huge, LookError::Huge { values: u64::MAX, bytes: 8 });
        let place = Message::default().text(1, "location").text(2, "/etc/passwd");
        let elsewhere = Message::default().number(1, 1).message(13, place).number(14, 1);
        assert_eq!(look(&with_weight(elsewhere)), Err(LookError::External));
    }

    #[test]
    fn graphs_in_graphs_end() {
        let mut graph = Message::default();
        for _ in 0..1000 {
            let attribute = Message::default().message(6, graph);
            graph = Message::default().message(1, Message::default().message(5, attribute));
        }
        let file = Message::default().message(7, graph).into_bytes();
        assert_eq!(look(&file), Err(LookError::TooMany));
    }

    #[test]
    fn every_cut_is_refused() {
        let file = half();
        for length in 0..file.len() {
            // A cut between two fields of the file leaves a graph, and is as good as the whole.
            if let Ok(signature) = look(&file[..length]) {
                assert_eq!(signature.nodes, 1, "cut at {length}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            drop(look(&bytes));
        }

        #[test]
        fn no_flipped_bits_make_it_panic(flips in proptest::collection::vec((0usize..120, 0u8..8), 1..6)) {
            let mut file = half();
            for (at, bit) in flips {
                let at = at % file.len();
                file[at] ^= 1 << bit;
            }
            drop(look(&file));
        }
    }
}

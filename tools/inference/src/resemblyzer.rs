//! Resemblyzer's voice encoder: from its PyTorch checkpoint to an ONNX file.
//!
//! Three layers of long short-term memory, 256 wide, over 40 mel bands; the last state of the last layer goes
//! through one matrix and a ReLU. Source: Resemblyzer `voice_encoder.py`; L. Wan et al., "Generalized
//! End-to-End Loss for Speaker Verification", 2018. PyTorch orders the gates input, forget, cell, output; ONNX
//! input, output, forget, cell.

use crate::graph::{Attribute, Graph};
use crate::torch::{Checkpoint, TorchError};

/// What the tensors are under.
pub(crate) const TABLE: &str = "model_state";
const BANDS: usize = 40;
/// Frames of 10 ms that are heard at once.
const FRAMES: usize = 160;
/// How wide a state is.
const WIDTH: usize = 256;
const LAYERS: usize = 3;
/// PyTorch's places of ONNX's gates.
const GATES: [usize; 4] = [0, 3, 1, 2];

/// Writes the network: `[160 frames, batch, 40 bands]` in, `[batch, 256]` out.
pub(crate) fn convert(checkpoint: &Checkpoint) -> Result<Vec<u8>, TorchError> {
    let mut graph = Graph::default();
    graph.input("mel", &[FRAMES as u64, 0, BANDS as u64]);
    graph.integers("direction", &[1]);
    let (mut x, mut width) = ("mel".to_owned(), BANDS);
    for layer in 0..LAYERS {
        let states = lstm(&mut graph, checkpoint, &x, layer, width)?;
        x = graph.node("Squeeze", &[&states, "direction"], format!("states_{layer}"), &[]);
        width = WIDTH;
    }
    graph.integers("last", &[FRAMES as i64 - 1]);
    graph.integers("first", &[0]);
    let last =
        graph.node("Gather", &[&x, "last"], "last_state".into(), &[("axis", Attribute::Int(0))]);
    let last = graph.node("Squeeze", &[&last, "first"], "state".into(), &[]);
    graph.weight("weight", &[WIDTH, WIDTH], &checkpoint.tensor("linear.weight", &[WIDTH, WIDTH])?);
    graph.weight("bias", &[WIDTH], &checkpoint.tensor("linear.bias", &[WIDTH])?);
    let with = [("transB", Attribute::Int(1))];
    let voice = graph.node("Gemm", &[&last, "weight", "bias"], "linear".into(), &with);
    let voice = graph.node("Relu", &[&voice], "voice".into(), &[]);
    graph.output(&voice, &[0, WIDTH as u64]);
    Ok(graph.into_file("resemblyzer"))
}

fn lstm(
    graph: &mut Graph,
    checkpoint: &Checkpoint,
    x: &str,
    layer: usize,
    width: usize,
) -> Result<String, TorchError> {
    let rows = 4 * WIDTH;
    let mut weight = |kind: &str, width: usize| -> Result<String, TorchError> {
        let name = format!("lstm.weight_{kind}_l{layer}");
        let values = ordered(&checkpoint.tensor(&name, &[rows, width])?, width);
        graph.weight(&name, &[1, rows, width], &values);
        Ok(name)
    };
    let (input, state) = (weight("ih", width)?, weight("hh", WIDTH)?);
    let mut biases = Vec::new();
    for kind in ["ih", "hh"] {
        let name = format!("lstm.bias_{kind}_l{layer}");
        biases.extend(ordered(&checkpoint.tensor(&name, &[rows])?, 1));
    }
    let bias = format!("lstm.bias_l{layer}");
    graph.weight(&bias, &[1, 2 * rows], &biases);
    let with = [("hidden_size", Attribute::Int(WIDTH as u64))];
    Ok(graph.node("LSTM", &[x, &input, &state, &bias], format!("lstm_{layer}"), &with))
}

/// Rows of `width` values in ONNX's order of gates.
fn ordered(values: &[f32], width: usize) -> Vec<f32> {
    let gates: Vec<&[f32]> = values.chunks(WIDTH * width).collect();
    GATES.iter().filter_map(|gate| gates.get(*gate)).flat_map(|gate| gate.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_put_into_the_other_order() {
        let values: Vec<f32> = (0..4 * WIDTH).map(|at| (at / WIDTH) as f32).collect();
        let first: Vec<f32> = ordered(&values, 1).chunks(WIDTH).map(|gate| gate[0]).collect();
        assert_eq!(first, [0.0, 3.0, 1.0, 2.0]);
    }
}

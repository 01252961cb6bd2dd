//! Whisper's decoder: one or more tokens in, scores of the next token out, with what was said before kept
//! as keys and values.
//!
//! Source: as the encoder's.

use super::Dims;
use super::layers::{Builder, Heads, Rows};
use crate::ctranslate2::{Weights, WeightsError};
use crate::graph::Attribute;

/// The table of tokens, which is also the last layer.
pub(crate) const TOKENS: &str = "decoder/embeddings/weight";
/// Where each token stands.
const PLACES: &str = "decoder/position_encodings/encodings";

/// Builds the decoder for one sequence of tokens.
///
/// Inputs: `tokens` `[T]`, `places` `[T]` (where they stand), `mask` `[T, P + T]` (0 where a token may look, else
/// a large negative number), `wanted` `[R]` (rows that scores are wanted of); then for each layer the keys
/// and values of what was heard, as the encoder gives them, and `[heads, P, size]` keys and values of the `P`
/// tokens before. Outputs: scores `[R, vocabulary]`; then for each layer keys and values of all `P + T`
/// tokens, and the attention to what was heard before it is shared out, `[heads, T, 1500]`.
pub(crate) fn build(weights: &Weights, dims: &Dims) -> Result<Vec<u8>, WeightsError> {
    let mut builder = Builder::new(weights, dims.width, dims.decoder_heads);
    inputs(&mut builder, dims);
    let table = builder.weight(TOKENS, &[dims.vocabulary, dims.width])?;
    let places = builder.weight(PLACES, &[dims.context, dims.width])?;
    let rows = [("axis", Attribute::Int(0))];
    let tokens = builder.node("Gather", &[&table, "tokens"], &rows);
    let places = builder.node("Gather", &[&places, "places"], &rows);
    let mut x = builder.node("Add", &[&tokens, &places], &[]);
    for layer in 0..dims.decoder_layers {
        x = block(&mut builder, &x, layer)?;
    }
    let x = builder.norm(&x, "decoder/layer_norm")?;
    let last = builder.node("Gather", &[&x, "wanted"], &rows);
    let order = [("perm", Attribute::Ints(&[1, 0]))];
    let columns = builder.node("Transpose", &[&table], &order);
    builder.named("MatMul", &[&last, &columns], "scores".into(), &[]);
    outputs(&mut builder, dims);
    Ok(builder.graph.into_file("whisper-decoder"))
}

fn inputs(builder: &mut Builder<'_>, dims: &Dims) {
    let (heads, frames) = (dims.decoder_heads as u64, dims.frames as u64);
    let size = dims.width as u64 / heads;
    let graph = &mut builder.graph;
    for name in ["tokens", "places"] {
        graph.input_of_integers(name, &[0]);
    }
    graph.input("mask", &[0, 0]);
    graph.input_of_integers("wanted", &[0]);
    for layer in 0..dims.decoder_layers {
        graph.input(&format!("key_{layer}"), &[heads, size, frames]);
        graph.input(&format!("value_{layer}"), &[heads, frames, size]);
        graph.input(&format!("said_key_{layer}"), &[heads, 0, size]);
        graph.input(&format!("said_value_{layer}"), &[heads, 0, size]);
    }
}

fn outputs(builder: &mut Builder<'_>, dims: &Dims) {
    let (heads, frames) = (dims.decoder_heads as u64, dims.frames as u64);
    let size = dims.width as u64 / heads;
    let graph = &mut builder.graph;
    graph.output("scores", &[0, dims.vocabulary as u64]);
    for layer in 0..dims.decoder_layers {
        graph.output(&format!("new_key_{layer}"), &[heads, 0, size]);
        graph.output(&format!("new_value_{layer}"), &[heads, 0, size]);
        graph.output(&format!("attention_{layer}"), &[heads, 0, frames]);
    }
}

fn block(builder: &mut Builder<'_>, x: &str, layer: usize) -> Result<String, WeightsError> {
    let name = format!("decoder/layer_{layer}");
    let x = look_back(builder, x, layer, &name)?;
    let x = listen(builder, &x, layer, &name)?;
    builder.feed_forward(&x, &name)
}

/// Attention to the tokens so far.
fn look_back(
    builder: &mut Builder<'_>,
    x: &str,
    layer: usize,
    name: &str,
) -> Result<String, WeightsError> {
    let attention = format!("{name}/self_attention");
    let [query, key, value] = builder.attend(x, &attention, Heads::RowsFirst)?;
    let axis = [("axis", Attribute::Int(1))];
    let key_name = format!("new_key_{layer}");
    let key = builder.named("Concat", &[&format!("said_key_{layer}"), &key], key_name, &axis);
    let value_name = format!("new_value_{layer}");
    let said = format!("said_value_{layer}");
    let value = builder.named("Concat", &[&said, &value], value_name, &axis);
    let order = [("perm", Attribute::Ints(&[0, 2, 1]))];
    let key = builder.node("Transpose", &[&key], &order);
    let scores = builder.node("MatMul", &[&query, &key], &[]);
    let masked = builder.node("Add", &[&scores, "mask"], &[]);
    let shares = builder.softmax(&masked);
    builder.mix(x, [&shares, &value], &format!("{attention}/linear_1"))
}

/// Attention to what was heard.
fn listen(
    builder: &mut Builder<'_>,
    x: &str,
    layer: usize,
    name: &str,
) -> Result<String, WeightsError> {
    let (width, scale) = (builder.width, builder.query_scale());
    let attention = format!("{name}/attention");
    let normal = builder.norm(x, &format!("{attention}/layer_norm"))?;
    let projection = format!("{attention}/linear_0");
    let query = builder.linear(&normal, &projection, width, Rows::all(width), scale)?;
    let query = builder.split(&query, Heads::RowsFirst);
    let (key, value) = (format!("key_{layer}"), format!("value_{layer}"));
    let scores = builder.named("MatMul", &[&query, &key], format!("attention_{layer}"), &[]);
    let shares = builder.softmax(&scores);
    builder.mix(x, [&shares, &value], &format!("{attention}/linear_2"))
}

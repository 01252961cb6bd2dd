//! Whisper's encoder, from a log-mel spectrogram to the keys and values that the decoder attends to.
//!
//! Source: Radford et al., "Robust speech recognition via large-scale weak supervision" (2022), and the
//! reference code of the model.

use super::Dims;
use super::layers::{Builder, Heads, Rows};
use crate::ctranslate2::{Weights, WeightsError};
use crate::graph::Attribute;

/// Builds the encoder with the decoder's projections of its output: input `mel` `[1, mels, 3000]`;
/// outputs, for each layer of the decoder, keys `[heads, size, 1500]` and values `[heads, 1500, size]`.
pub(crate) fn build(weights: &Weights, dims: &Dims) -> Result<Vec<u8>, WeightsError> {
    let mut builder = Builder::new(weights, dims.width, dims.encoder_heads);
    builder.graph.input("mel", &[1, dims.mels as u64, 2 * dims.frames as u64]);
    let mut x = front(&mut builder, dims)?;
    for layer in 0..dims.encoder_layers {
        x = block(&mut builder, &x, &format!("encoder/layer_{layer}"))?;
    }
    let heard = builder.norm(&x, "encoder/layer_norm")?;
    for layer in 0..dims.decoder_layers {
        project(&mut builder, &heard, layer, dims)?;
    }
    Ok(builder.graph.into_file("whisper-encoder"))
}

/// Two convolutions over time, and where each frame stands.
fn front(builder: &mut Builder<'_>, dims: &Dims) -> Result<String, WeightsError> {
    let mut x = "mel".to_owned();
    for (index, channels, stride) in [(1, dims.mels, 1), (2, dims.width, 2)] {
        let name = format!("encoder/conv{index}");
        let weight = builder.weight(&format!("{name}/weight"), &[dims.width, channels, 3])?;
        let bias = builder.weight(&format!("{name}/bias"), &[dims.width])?;
        let attributes = [
            ("dilations", Attribute::Ints(&[1])),
            ("pads", Attribute::Ints(&[1, 1])),
            ("strides", Attribute::Ints(&[stride])),
        ];
        let conv = builder.node("Conv", &[&x, &weight, &bias], &attributes);
        x = builder.gelu(&conv);
    }
    let order = [("perm", Attribute::Ints(&[0, 2, 1]))];
    let transposed = builder.node("Transpose", &[&x], &order);
    let rows = builder.node("Reshape", &[&transposed, "to_rows"], &[]);
    let places = "encoder/position_encodings/encodings";
    let places = builder.weight(places, &[dims.frames, dims.width])?;
    Ok(builder.node("Add", &[&rows, &places], &[]))
}

fn block(builder: &mut Builder<'_>, x: &str, layer: &str) -> Result<String, WeightsError> {
    let attention = format!("{layer}/self_attention");
    let [query, key, value] = builder.attend(x, &attention, Heads::SizeFirst)?;
    let scores = builder.node("MatMul", &[&query, &key], &[]);
    let shares = builder.softmax(&scores);
    let x = builder.mix(x, [&shares, &value], &format!("{attention}/linear_1"))?;
    builder.feed_forward(&x, layer)
}

/// The keys and values of one layer of the decoder.
fn project(
    builder: &mut Builder<'_>,
    heard: &str,
    layer: usize,
    dims: &Dims,
) -> Result<(), WeightsError> {
    let (width, heads, frames) = (dims.width, dims.encoder_heads as u64, dims.frames as u64);
    let size = width as u64 / heads;
    let name = format!("decoder/layer_{layer}/attention/linear_1");
    let part = |index| Rows { all: 2 * width, from: index * width, count: width };
    let order = |order| [("perm", Attribute::Ints(order))];
    let key = builder.linear(heard, &name, width, part(0), 1.0)?;
    let key = builder.node("Reshape", &[&key, "to_heads"], &[]);
    let key = builder.named("Transpose", &[&key], format!("key_{layer}"), &order(&[1, 2, 0]));
    let value = builder.linear(heard, &name, width, part(1), 1.0)?;
    let value = builder.node("Reshape", &[&value, "to_heads"], &[]);
    let value = builder.named("Transpose", &[&value], format!("value_{layer}"), &order(&[1, 0, 2]));
    builder.graph.output(&key, &[heads, size, frames]);
    builder.graph.output(&value, &[heads, frames, size]);
    Ok(())
}

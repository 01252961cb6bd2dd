//! The network of Spleeter with two stems, from its published checkpoint to a file of our own.
//!
//! One U-Net a stem over magnitudes of shape `[batch, 2, 512, 1024]` (channel, time, frequency): six
//! convolutions of stride 2 down, six transposed ones up, a sigmoid mask times the input. Skips are taken
//! before the normalization, as the checkpoint was trained.
//!
//! Source: Hennequin et al., "Spleeter: a fast and efficient music source separation tool with
//! pre-trained models" (2020), and the layout of the checkpoint itself.

use crate::graph::{Attribute, Graph};
use crate::tensorflow::{Bundle, BundleError};

/// Filters of the six steps down.
const FILTERS: [usize; 6] = [16, 32, 64, 128, 256, 512];
/// Names of the outputs, in the order of the checkpoint's networks.
pub(crate) const OUTPUTS: [&str; 2] = ["vocals", "accompaniment"];
const INPUT: &str = "magnitude";
/// Any batch, two channels, 512 frames, 1024 bins.
const SHAPE: [u64; 4] = [0, 2, 512, 1024];
/// What the normalization adds to a variance.
const EPSILON: f32 = 1e-3;
/// Padding of a step: as TensorFlow pads "same" at even sizes.
const PADS: [u64; 4] = [1, 1, 2, 2];

/// Both networks as one ONNX file.
///
/// # Errors
/// When the checkpoint lacks a tensor.
pub(crate) fn convert(bundle: &Bundle) -> Result<Vec<u8>, BundleError> {
    let mut graph = Graph::default();
    graph.input(INPUT, &SHAPE);
    for (index, output) in OUTPUTS.iter().enumerate() {
        Net { bundle, graph: &mut graph, index }.build(output)?;
        graph.output(output, &SHAPE);
    }
    Ok(graph.into_file("spleeter-2stems"))
}

/// One network while it is built.
struct Net<'a> {
    bundle: &'a Bundle,
    graph: &'a mut Graph,
    index: usize,
}

impl Net<'_> {
    fn build(mut self, output: &str) -> Result<(), BundleError> {
        let mut skips = Vec::new();
        let (mut x, mut channels) = (INPUT.to_owned(), 2);
        for (step, filters) in FILTERS.into_iter().enumerate() {
            let conv = self.down(step, &x, channels, filters)?;
            if step + 1 < FILTERS.len() {
                let normal = self.normalize(step, &conv, filters)?;
                let slope = [("alpha", Attribute::Float(0.2))];
                x = self.node("LeakyRelu", &[&normal], &slope);
            } else {
                x.clone_from(&conv);
            }
            skips.push(conv);
            channels = filters;
        }
        skips.pop();
        for step in 0..FILTERS.len() {
            let filters = FILTERS.len().checked_sub(step + 2).map_or(1, |n| FILTERS[n]);
            let up = self.up(step, &x, channels, filters)?;
            let active = self.node("Relu", &[&up], &[]);
            x = self.normalize(FILTERS.len() + step, &active, filters)?;
            channels = filters;
            if let Some(skip) = skips.pop() {
                x = self.node("Concat", &[&skip, &x], &[("axis", Attribute::Int(1))]);
                channels = 2 * filters;
            }
        }
        self.mask(&x, output)
    }

    /// Adds a node named after its last input, which no other node of that operator has.
    fn node(&mut self, operator: &str, inputs: &[&str], with: &[(&str, Attribute<'_>)]) -> String {
        let name = format!("{}/{operator}", inputs.last().copied().unwrap_or_default());
        self.graph.node(operator, inputs, name, with)
    }

    /// The checkpoint's name of the layer `number` of one kind; a net has `each` of them.
    fn layer(&self, kind: &str, each: usize, number: usize) -> String {
        match self.index * each + number {
            0 => kind.to_owned(),
            number => format!("{kind}_{number}"),
        }
    }

    /// Adds a kernel and a bias as weights and returns their names. The checkpoint has height,
    /// width, `shape[0]`, `shape[1]`; ONNX has the latter two in the order `order` first.
    fn kernel(
        &mut self,
        layer: &str,
        size: usize,
        (input, output): (usize, usize),
        order: Order,
    ) -> Result<[String; 2], BundleError> {
        let (third, fourth) = match order {
            Order::Convolution => (input, output),
            Order::Transposed => (output, input),
        };
        let shape = [size, size, third, fourth];
        let from = self.bundle.tensor(&format!("{layer}/kernel"), &shape)?;
        let mut to = vec![0.0; from.len()];
        for (index, value) in from.iter().enumerate() {
            let (place, last) = (index / fourth, index % fourth);
            let (place, third_at) = (place / third, place % third);
            // Both ONNX layouts begin with what the checkpoint has last.
            to[(last * third + third_at) * size * size + place] = *value;
        }
        let names = [format!("{layer}/kernel"), format!("{layer}/bias")];
        self.graph.weight(&names[0], &[fourth, third, size, size], &to);
        let bias = self.bundle.tensor(&names[1], &[output])?;
        self.graph.weight(&names[1], &[output], &bias);
        Ok(names)
    }

    fn down(
        &mut self,
        step: usize,
        x: &str,
        channels: usize,
        filters: usize,
    ) -> Result<String, BundleError> {
        let layer = self.layer("conv2d", FILTERS.len() + 1, step);
        let [kernel, bias] = self.kernel(&layer, 5, (channels, filters), Order::Convolution)?;
        let with = geometry(&[2, 2], &[1, 1], &PADS);
        Ok(self.graph.node("Conv", &[x, &kernel, &bias], layer, &with))
    }

    fn up(
        &mut self,
        step: usize,
        x: &str,
        channels: usize,
        filters: usize,
    ) -> Result<String, BundleError> {
        let layer = self.layer("conv2d_transpose", FILTERS.len(), step);
        let [kernel, bias] = self.kernel(&layer, 5, (channels, filters), Order::Transposed)?;
        let with = geometry(&[2, 2], &[1, 1], &PADS);
        Ok(self.graph.node("ConvTranspose", &[x, &kernel, &bias], layer, &with))
    }

    fn normalize(
        &mut self,
        number: usize,
        x: &str,
        channels: usize,
    ) -> Result<String, BundleError> {
        let layer = self.layer("batch_normalization", 2 * FILTERS.len(), number);
        let parts = ["gamma", "beta", "moving_mean", "moving_variance"];
        let names = parts.map(|part| format!("{layer}/{part}"));
        for name in &names {
            let values = self.bundle.tensor(name, &[channels])?;
            self.graph.weight(name, &[channels], &values);
        }
        let [gamma, beta, mean, variance] = &names;
        let with = [("epsilon", Attribute::Float(EPSILON))];
        let inputs = [x, gamma, beta, mean, variance];
        Ok(self.graph.node("BatchNormalization", &inputs, layer, &with))
    }

    fn mask(&mut self, x: &str, output: &str) -> Result<(), BundleError> {
        let layer = self.layer("conv2d", FILTERS.len() + 1, FILTERS.len());
        let [kernel, bias] = self.kernel(&layer, 4, (1, 2), Order::Convolution)?;
        let with = geometry(&[1, 1], &[2, 2], &[3, 3, 3, 3]);
        let logits = self.graph.node("Conv", &[x, &kernel, &bias], layer, &with);
        let mask = self.node("Sigmoid", &[&logits], &[]);
        self.graph.node("Mul", &[&mask, INPUT], output.to_owned(), &[]);
        Ok(())
    }
}

fn geometry<'a>(
    strides: &'a [u64],
    dilations: &'a [u64],
    pads: &'a [u64],
) -> [(&'static str, Attribute<'a>); 3] {
    let all = [("strides", strides), ("dilations", dilations), ("pads", pads)];
    all.map(|(name, values)| (name, Attribute::Ints(values)))
}

/// How a checkpoint orders the last two sizes of a kernel.
#[derive(Clone, Copy)]
enum Order {
    Convolution,
    Transposed,
}

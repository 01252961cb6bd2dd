//! The parts that Whisper's encoder and decoder are built of, as nodes of a graph.

use crate::ctranslate2::{Weights, WeightsError};
use crate::graph::{Attribute, Graph};

/// What a normalization adds to a variance.
const EPSILON: f32 = 1e-5;
/// The last axis.
const LAST: Attribute<'static> = Attribute::Int(u64::MAX);

/// A graph that is being built from weights. Values are `[rows, width]` unless said otherwise.
pub(crate) struct Builder<'a> {
    pub(crate) graph: Graph,
    pub(crate) weights: &'a Weights,
    /// How wide a row is.
    pub(crate) width: usize,
    /// How many heads each attention has.
    pub(crate) heads: usize,
    nodes: usize,
}

/// Rows `from..from + count` of a linear layer, which may hold several layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) all: usize,
    pub(crate) from: usize,
    pub(crate) count: usize,
}

impl Rows {
    /// All of them.
    pub(crate) fn all(count: usize) -> Self {
        Self { all: count, from: 0, count }
    }
}

/// How a row is split into heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heads {
    /// `[heads, rows, size]`.
    RowsFirst,
    /// `[heads, size, rows]`.
    SizeFirst,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(weights: &'a Weights, width: usize, heads: usize) -> Self {
        let mut graph = Graph::default();
        graph.weight("sqrt_half", &[], &[std::f32::consts::FRAC_1_SQRT_2]);
        graph.weight("one", &[], &[1.0]);
        graph.weight("half", &[], &[0.5]);
        graph.integers("to_heads", &[-1, heads as i64, (width / heads) as i64]);
        graph.integers("to_rows", &[-1, width as i64]);
        Self { graph, weights, width, heads, nodes: 0 }
    }

    /// Adds a node and returns the name of its output.
    pub(crate) fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[(&str, Attribute<'_>)],
    ) -> String {
        self.nodes += 1;
        let output = format!("{}_{}", operator.to_lowercase(), self.nodes);
        self.graph.node(operator, inputs, output, attributes)
    }

    /// Adds a node whose output has a name that is known outside.
    pub(crate) fn named(
        &mut self,
        operator: &str,
        inputs: &[&str],
        output: String,
        attributes: &[(&str, Attribute<'_>)],
    ) -> String {
        self.graph.node(operator, inputs, output, attributes)
    }

    /// Adds a weight as it is stored, and returns its name.
    pub(crate) fn weight(&mut self, name: &str, shape: &[usize]) -> Result<String, WeightsError> {
        let values = self.weights.tensor(name, shape)?;
        self.graph.weight(name, shape, &values);
        Ok(name.into())
    }

    /// The exact Gaussian error linear unit.
    pub(crate) fn gelu(&mut self, x: &str) -> String {
        let scaled = self.node("Mul", &[x, "sqrt_half"], &[]);
        let erf = self.node("Erf", &[&scaled], &[]);
        let plus = self.node("Add", &[&erf, "one"], &[]);
        let product = self.node("Mul", &[x, &plus], &[]);
        self.node("Mul", &[&product, "half"], &[])
    }

    /// The normalization called `name`.
    pub(crate) fn norm(&mut self, x: &str, name: &str) -> Result<String, WeightsError> {
        let gamma = self.weight(&format!("{name}/gamma"), &[self.width])?;
        let beta = self.weight(&format!("{name}/beta"), &[self.width])?;
        let attributes = [("axis", LAST), ("epsilon", Attribute::Float(EPSILON))];
        Ok(self.node("LayerNormalization", &[x, &gamma, &beta], &attributes))
    }

    /// Some outputs of the linear layer `name` with `inputs` inputs, all multiplied by `scale`.
    pub(crate) fn linear(
        &mut self,
        x: &str,
        name: &str,
        inputs: usize,
        rows: Rows,
        scale: f32,
    ) -> Result<String, WeightsError> {
        let weight = self.weights.tensor(&format!("{name}/weight"), &[rows.all, inputs])?;
        let bias = self.weights.tensor(&format!("{name}/bias"), &[rows.all])?;
        let part = weight.get(rows.from * inputs..(rows.from + rows.count) * inputs);
        let columns = columns(part.unwrap_or_default(), inputs, scale);
        let bias = bias.get(rows.from..rows.from + rows.count).unwrap_or_default();
        let bias: Vec<f32> = bias.iter().map(|value| value * scale).collect();
        let (w, b) = (format!("{name}/w{}", rows.from), format!("{name}/b{}", rows.from));
        self.graph.weight(&w, &[inputs, rows.count], &columns);
        self.graph.weight(&b, &[rows.count], &bias);
        let product = self.node("MatMul", &[x, &w], &[]);
        Ok(self.node("Add", &[&product, &b], &[]))
    }

    /// Splits rows into heads.
    pub(crate) fn split(&mut self, x: &str, heads: Heads) -> String {
        let reshaped = self.node("Reshape", &[x, "to_heads"], &[]);
        let order: &[u64] = match heads {
            Heads::RowsFirst => &[1, 0, 2],
            Heads::SizeFirst => &[1, 2, 0],
        };
        self.node("Transpose", &[&reshaped], &[("perm", Attribute::Ints(order))])
    }

    /// Joins the heads of `[heads, rows, size]`.
    pub(crate) fn join(&mut self, x: &str) -> String {
        let order = [("perm", Attribute::Ints(&[1, 0, 2]))];
        let transposed = self.node("Transpose", &[x], &order);
        self.node("Reshape", &[&transposed, "to_rows"], &[])
    }

    /// Shares of each score among all of its row.
    pub(crate) fn softmax(&mut self, scores: &str) -> String {
        self.node("Softmax", &[scores], &[("axis", LAST)])
    }

    /// Query, key and value of the attention `name` of rows to one another, in heads; keys are in the order
    /// `keys`, the others rows first.
    pub(crate) fn attend(
        &mut self,
        x: &str,
        name: &str,
        keys: Heads,
    ) -> Result<[String; 3], WeightsError> {
        let (width, scale) = (self.width, self.query_scale());
        let normal = self.norm(x, &format!("{name}/layer_norm"))?;
        let projection = format!("{name}/linear_0");
        let part = |index| Rows { all: 3 * width, from: index * width, count: width };
        let query = self.linear(&normal, &projection, width, part(0), scale)?;
        let key = self.linear(&normal, &projection, width, part(1), 1.0)?;
        let value = self.linear(&normal, &projection, width, part(2), 1.0)?;
        let query = self.split(&query, Heads::RowsFirst);
        let key = self.split(&key, keys);
        Ok([query, key, self.split(&value, Heads::RowsFirst)])
    }

    /// Mixes `value` by `shares`, projects the result and adds it to `x`.
    pub(crate) fn mix(
        &mut self,
        x: &str,
        [shares, value]: [&str; 2],
        projection: &str,
    ) -> Result<String, WeightsError> {
        let width = self.width;
        let mixed = self.node("MatMul", &[shares, value], &[]);
        let joined = self.join(&mixed);
        let out = self.linear(&joined, projection, width, Rows::all(width), 1.0)?;
        Ok(self.node("Add", &[x, &out], &[]))
    }

    /// What queries are multiplied by.
    pub(crate) fn query_scale(&self) -> f32 {
        (self.heads as f32 / self.width as f32).sqrt()
    }

    /// The two linear layers behind an attention, with their normalization, added to `x`.
    pub(crate) fn feed_forward(&mut self, x: &str, layer: &str) -> Result<String, WeightsError> {
        let wide = 4 * self.width;
        let normal = self.norm(x, &format!("{layer}/ffn/layer_norm"))?;
        let first = format!("{layer}/ffn/linear_0");
        let hidden = self.linear(&normal, &first, self.width, Rows::all(wide), 1.0)?;
        let hidden = self.gelu(&hidden);
        let second = format!("{layer}/ffn/linear_1");
        let out = self.linear(&hidden, &second, wide, Rows::all(self.width), 1.0)?;
        Ok(self.node("Add", &[x, &out], &[]))
    }
}

/// The transpose of rows of `inputs` values.
fn columns(weight: &[f32], inputs: usize, scale: f32) -> Vec<f32> {
    let rows = weight.len() / inputs.max(1);
    let mut columns = vec![0.0; weight.len()];
    for (row, values) in weight.chunks_exact(inputs.max(1)).enumerate() {
        for (value, out) in values.iter().zip(columns.iter_mut().skip(row).step_by(rows)) {
            *out = value * scale;
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_transpose() {
        let rows = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(columns(&rows, 3, 2.0), [2.0, 8.0, 4.0, 10.0, 6.0, 12.0]);
        assert!(columns(&[], 3, 1.0).is_empty());
    }
}

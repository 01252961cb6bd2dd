//! The network behind [`Meaning`](super::Meaning), as the model runtime runs it.

use crate::local::{ThreadPool, pool};
use crate::network::RunError;
use rten::{Model, ModelOptions, NodeId, RunOptions, Value, ValueOrView};
use std::sync::Arc;

/// A network that takes tokens, and gives a row for each.
pub(super) struct Bert {
    model: Model,
    /// Identities, mask and kinds of the tokens, those that the network takes.
    inputs: Vec<(NodeId, Given)>,
    output: NodeId,
    pool: Arc<ThreadPool>,
}

/// What an input is.
#[derive(Clone, Copy, Debug)]
enum Given {
    Tokens,
    Ones,
    Zeros,
}

impl Bert {
    /// Loads the bytes of an ONNX file.
    pub(super) fn load(file: Vec<u8>) -> Result<Self, RunError> {
        let wrong = |cause: String| RunError::Load { cause };
        let model = ModelOptions::with_all_ops().load(file);
        let model = model.map_err(|error| wrong(error.to_string()))?;
        let given = |id: &NodeId| {
            let info = model.node_info(*id);
            match info.as_ref().and_then(rten::NodeInfo::name)? {
                "input_ids" => Some((*id, Given::Tokens)),
                "attention_mask" => Some((*id, Given::Ones)),
                "token_type_ids" => Some((*id, Given::Zeros)),
                _ => None,
            }
        };
        let inputs: Option<Vec<_>> = model.input_ids().iter().map(given).collect();
        match (inputs, model.output_ids().first().copied()) {
            (Some(inputs), Some(output)) => Ok(Self { model, inputs, output, pool: pool() }),
            _ => Err(wrong("it takes other inputs than a BERT".into())),
        }
    }

    /// The rows of the tokens, one after another.
    pub(super) fn rows(&self, tokens: &[i32]) -> Result<Vec<f32>, RunError> {
        let failed = |cause: String| RunError::Run { cause };
        let shape = [1, tokens.len()];
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> = Vec::new();
        for (id, given) in &self.inputs {
            let values = match given {
                Given::Tokens => tokens.to_vec(),
                Given::Ones => vec![1; tokens.len()],
                Given::Zeros => vec![0; tokens.len()],
            };
            let value = Value::from_shape(&shape, values).map_err(|e| failed(e.to_string()))?;
            inputs.push((*id, value.into()));
        }
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.pool)));
        let values = self.model.run(inputs, &[self.output], Some(options));
        let value = values.map_err(|error| failed(error.to_string()))?.into_iter().next();
        let rows =
            value.and_then(Value::into_tensor::<f32>).map(rten_tensor::TensorBase::into_data);
        rows.ok_or_else(|| failed("it gave no numbers".into()))
    }
}

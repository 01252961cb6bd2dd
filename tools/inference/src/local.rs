//! A network in this process: the model runtime behind [`Network`].

use crate::network::{Network, RunError, Tensor};
use crate::priority;
pub(crate) use rten::ThreadPool;
use rten::{Model, ModelOptions, NodeId, RunOptions, Value};
use rten_tensor::Layout;
use std::sync::{Arc, OnceLock};

/// A network in this process.
pub(crate) struct Local {
    model: Model,
    pool: Arc<ThreadPool>,
}

impl Local {
    /// Loads `file`, the bytes of an ONNX file without external data.
    pub(crate) fn load(file: Vec<u8>) -> Result<Self, RunError> {
        let model = ModelOptions::with_all_ops()
            .load(file)
            .map_err(|error| RunError::Load { cause: error.to_string() })?;
        Ok(Self { model, pool: pool() })
    }

    fn ids(&self, outputs: &[usize]) -> Result<Vec<NodeId>, RunError> {
        let ids = self.model.output_ids();
        let id = |index: &usize| ids.get(*index).copied();
        let found: Option<Vec<_>> = outputs.iter().map(id).collect();
        found.ok_or_else(|| RunError::Run { cause: "it has no such output".into() })
    }
}

impl Network for Local {
    fn run(&self, inputs: &[Tensor], outputs: &[usize]) -> Result<Vec<Tensor>, RunError> {
        let failed = |cause: String| RunError::Run { cause };
        let ids = self.model.input_ids();
        if ids.len() != inputs.len() {
            return Err(failed(format!("it takes {} inputs, not {}", ids.len(), inputs.len())));
        }
        let mut given = Vec::new();
        for (id, input) in ids.iter().zip(inputs) {
            let value = Value::from_shape(&input.shape, input.data.clone());
            given.push((*id, value.map_err(|error| failed(error.to_string()))?.into()));
        }
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.pool)));
        let values = self.model.run(given, &self.ids(outputs)?, Some(options));
        values.map_err(|e| failed(e.to_string()))?.into_iter().map(tensor).collect()
    }
}

fn tensor(value: Value) -> Result<Tensor, RunError> {
    match value {
        Value::FloatTensor(tensor) => {
            let shape = tensor.shape().to_vec();
            Ok(Tensor { shape, data: tensor.into_data() })
        }
        // The runtime may learn further kinds.
        _ => Err(RunError::Run { cause: "its output is no audio".into() }),
    }
}

/// Threads on all cores at low priority, for every model of this process.
pub(crate) fn pool() -> Arc<ThreadPool> {
    static POOL: OnceLock<Arc<ThreadPool>> = OnceLock::new();
    Arc::clone(POOL.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        // New threads have the priority of the one that starts them.
        let make = move || {
            priority::lower();
            ThreadPool::with_num_threads(cores)
        };
        let made = std::thread::spawn(make).join();
        Arc::new(made.unwrap_or_else(|_| ThreadPool::with_num_threads(cores)))
    }))
}

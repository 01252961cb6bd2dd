//! A network that runs: one small trait, which hides the model runtime.

/// Values with a shape, the last size varying fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensor {
    pub shape: Vec<usize>,
    /// As many values as the sizes' product.
    pub data: Vec<f32>,
}

impl Tensor {
    #[must_use]
    pub fn zeros(shape: &[usize]) -> Self {
        Self { shape: shape.into(), data: vec![0.0; shape.iter().product()] }
    }
}

/// Why a network gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    #[error("the model cannot be loaded: {cause}")]
    Load { cause: String },
    #[error("the model failed: {cause}")]
    Run { cause: String },
    #[error("the model was stopped: {cause}")]
    Child { cause: String },
}

impl RunError {
    /// The runtime's own words for why a network failed.
    pub(crate) fn failed(cause: &dyn std::fmt::Display) -> Self {
        Self::Run { cause: cause.to_string() }
    }
}

/// A network that can be run.
pub trait Network: Send + Sync {
    /// Runs it on all inputs in the order of the file, and gives the outputs at `outputs`, counted from
    /// 0 in the order of the file.
    ///
    /// # Errors
    /// When the shapes do not fit, or the runtime fails.
    fn run(&self, inputs: &[Tensor], outputs: &[usize]) -> Result<Vec<Tensor>, RunError>;
}

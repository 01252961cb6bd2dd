//! In place of `local` in a build without the feature `runtime`: no network loads, so none of these types has a value.

use crate::ctranslate2::Weights;
use crate::network::{Network, RunError, Tensor};
use crate::whisper::{Attention, Dims, Heard, Said};
use std::sync::Arc;

const WHY: &str = "this program was built without the feature `runtime`";

pub(crate) enum Local {}

impl Local {
    pub(crate) fn load(_: Vec<u8>) -> Result<Self, RunError> {
        Err(RunError::Load { cause: WHY.into() })
    }
}

impl Network for Local {
    fn run(&self, _: &[Tensor], _: &[usize]) -> Result<Vec<Tensor>, RunError> {
        match *self {}
    }
}

pub(crate) struct ThreadPool;

impl ThreadPool {
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        work()
    }
}

pub(crate) fn pool() -> Arc<ThreadPool> {
    Arc::new(ThreadPool)
}

pub(crate) enum Bert {}

impl Bert {
    pub(crate) fn load(_: Vec<u8>) -> Result<Self, RunError> {
        Err(RunError::Load { cause: WHY.into() })
    }

    pub(crate) fn rows(&self, _: &[i32]) -> Result<Vec<f32>, RunError> {
        match *self {}
    }
}

pub(crate) enum Encoder {}

impl Encoder {
    pub(crate) fn read(_: &Weights, _: &Dims) -> Result<Self, RunError> {
        Err(RunError::Load { cause: WHY.into() })
    }

    pub(crate) fn hear(&self, _: &[f32], _: usize) -> Result<Heard, RunError> {
        match *self {}
    }
}

pub(crate) enum Decoder {}

impl Decoder {
    pub(crate) fn read(_: &Weights, _: &Dims) -> Result<Self, RunError> {
        Err(RunError::Load { cause: WHY.into() })
    }

    pub(crate) fn say(
        &self,
        _: &Heard,
        _: &mut Said,
        _: &[u32],
        _: &[usize],
    ) -> Result<Vec<f32>, RunError> {
        match *self {}
    }

    pub(crate) fn attend(
        &self,
        _: &Heard,
        _: &[u32],
        _: &[(usize, usize)],
    ) -> Result<Attention, RunError> {
        match *self {}
    }
}

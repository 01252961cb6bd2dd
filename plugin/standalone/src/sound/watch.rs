//! What stands around the callback of an output: nothing in the app, detectors where a test proves what the app runs.
//!
//! Thread: audio.

/// Stands around every callback of an output.
pub trait Watch: Send + 'static {
    /// A block of so many frames is due. `compute` is all that the callback does, to be called once.
    fn block(&mut self, frames: usize, compute: &mut dyn FnMut());

    /// The first channel of the block that was computed.
    fn heard(&mut self, first: &mut dyn Iterator<Item = f32>);
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn block(&mut self, _: usize, compute: &mut dyn FnMut()) {
        compute();
    }

    fn heard(&mut self, _: &mut dyn Iterator<Item = f32>) {}
}

//! A wrapper around the callback of an output: empty in the app, a detector where a test checks the app.
//!
//! Thread: audio.

/// Wraps every callback of an output.
pub trait Watch: Send + 'static {
    /// A block of this many frames is due. `compute` is all that the callback does; call it once.
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

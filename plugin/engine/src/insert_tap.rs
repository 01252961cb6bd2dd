//! Copies the sound before and after one processor to the Controller, while a person watches it.
//!
//! Thread: audio (made on the message side; its frames travel there by value)

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use crate::schedule::InsertKey;
use deskhand_dsp::effects::Unit;
use ringbuf::HeapProd;
use ringbuf::traits::Producer;

/// The processor to watch. The serial tells its frames from those of the processor watched before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Watch {
    pub(crate) key: InsertKey,
    pub(crate) serial: u32,
}

/// One frame before and after the processor, left and right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapFrame {
    pub(crate) serial: u32,
    pub(crate) before: [f32; 2],
    pub(crate) after: [f32; 2],
}

/// The audio side's end of the tap.
pub(crate) struct InsertTap {
    pub(crate) watch: Option<Watch>,
    /// The input of the block, which the processor overwrites.
    before: Box<[[f32; 2]]>,
    frames: HeapProd<TapFrame>,
}

impl InsertTap {
    /// For blocks of at most `block` frames.
    #[cfg_attr(not(test), expect(clippy::disallowed_macros, reason = "made off the audio thread"))]
    pub(crate) fn new(frames: HeapProd<TapFrame>, block: usize) -> Self {
        Self { watch: None, before: vec![[0.0; 2]; block].into_boxed_slice(), frames }
    }

    /// Runs the processor `key` in place. If it is watched, its input and output go to the Controller.
    /// Frames without room are dropped: the picture has a gap, the sound has none.
    pub(crate) fn process(
        &mut self,
        key: InsertKey,
        unit: &mut Unit,
        left: &mut [f32],
        right: &mut [f32],
    ) {
        let Some(Watch { serial, .. }) = self.watch.filter(|watch| watch.key == key) else {
            return unit.process(left, right);
        };
        for ((before, left), right) in self.before.iter_mut().zip(&*left).zip(&*right) {
            *before = [*left, *right];
        }
        unit.process(left, right);
        let frames = self.before.iter().zip(&*left).zip(&*right);
        let frames = frames.map(|((before, left), right)| TapFrame {
            serial,
            before: *before,
            after: [*left, *right],
        });
        self.frames.push_iter(frames);
    }
}

//! What the host learns with a block, apart from its sound: a trim that Deskhand moved, and that the block
//! failed.
//!
//! Thread: audio. nice-plug tells a host of a parameter only through an open window, and of a failed block only by leaving
//! the rest of it as it was. So the block leaves word here, and the entries of CLAP and VST3, which called it, tell it.

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

use std::cell::Cell;

/// The news for the host.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AfterBlock {
    /// Trim as a fraction of its range, where it was moved here.
    pub(crate) trim: Option<f32>,
    /// Whether a part of the block could not be made: all of it is silent, and an error of the format.
    pub(crate) failed: bool,
}

thread_local! {
    static WORD: Cell<AfterBlock> = const { Cell::new(AfterBlock { trim: None, failed: false }) };
}

/// Trim was moved to this fraction of its range.
pub(crate) fn tell_trim(fraction: f32) {
    WORD.set(AfterBlock { trim: Some(fraction), ..WORD.get() });
}

/// A part of the block could not be made.
pub(crate) fn fail() {
    WORD.set(AfterBlock { failed: true, ..WORD.get() });
}

/// The news of the block that this thread processed last.
pub(crate) fn take() -> AfterBlock {
    WORD.take()
}

/// The number that nice-plug gives a parameter in both formats: its id as a polynomial in 31, without the top bit.
pub(crate) const fn number_of(id: &str) -> u32 {
    let (bytes, mut number, mut index) = (id.as_bytes(), 0_u32, 0);
    while index < bytes.len() {
        #[allow(
            clippy::indexing_slicing,
            reason = "the loop ends before it, and this runs when it is compiled"
        )]
        let byte = bytes[index];
        number = number.wrapping_mul(31).wrapping_add(byte as u32);
        index += 1;
    }
    number & !(1 << 31)
}

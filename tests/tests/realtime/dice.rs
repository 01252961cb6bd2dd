//! Chance that comes again: the same seed throws the same numbers.

/// xorshift64*.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// 0 to `sides` - 1.
    pub(crate) fn throw(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides
    }

    /// One of `all`.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        let sides = u64::try_from(all.len()).unwrap();
        all[usize::try_from(self.throw(sides)).unwrap()]
    }

    pub(crate) fn frames(&mut self, most: u64) -> deskhand_dsp::Frames {
        deskhand_dsp::Frames(self.throw(most).cast_signed())
    }
}

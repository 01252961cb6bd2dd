//! What looks over a stretch of time: a delay, a minimum, an average.

/// Unity gain as a whole number.
pub(super) const ONE: i64 = 1 << 40;

/// Returns the input of some frames ago.
#[derive(Clone, Debug)]
pub(in crate::effects) struct Delay {
    ring: Box<[[f32; 2]]>,
    at: usize,
}

impl Delay {
    /// A delay of `frames` frames; 0 is no delay.
    pub(in crate::effects) fn new(frames: usize) -> Self {
        Self { ring: vec![[0.0; 2]; frames].into(), at: 0 }
    }

    pub(in crate::effects) fn is_none(&self) -> bool {
        self.ring.is_empty()
    }

    #[inline(always)]
    pub(in crate::effects) fn next(&mut self, frame: [f32; 2]) -> [f32; 2] {
        let length = self.ring.len();
        let Some(place) = self.ring.get_mut(self.at) else {
            return frame;
        };
        self.at = if self.at + 1 == length { 0 } else { self.at + 1 };
        std::mem::replace(place, frame)
    }

    pub(in crate::effects) fn reset(&mut self) {
        self.ring.fill([0.0; 2]);
    }

    pub(in crate::effects) fn adopt(&mut self, other: &Self) {
        if self.ring.len() == other.ring.len() {
            self.ring.copy_from_slice(&other.ring);
            self.at = other.at;
        }
    }
}

/// The smallest of the last numbers: those that a later, smaller one has not made pointless.
#[derive(Clone, Debug)]
pub(super) struct Minimum {
    /// Number and when it came, the smallest and oldest first, as a ring.
    ring: Box<[(u64, f32)]>,
    first: usize,
    count: usize,
    now: u64,
}

impl Minimum {
    /// Over `frames` numbers, 1 or more.
    pub(super) fn new(frames: usize) -> Self {
        Self { ring: vec![(0, 1.0); frames].into(), first: 0, count: 0, now: 0 }
    }

    pub(super) fn reset(&mut self) {
        (self.first, self.count, self.now) = (0, 0, 0);
    }

    pub(super) fn adopt(&mut self, other: &Self) {
        if self.ring.len() == other.ring.len() {
            self.ring.copy_from_slice(&other.ring);
            (self.first, self.count, self.now) = (other.first, other.count, other.now);
        }
    }

    fn place(&self, n: usize) -> usize {
        let at = self.first + n;
        if at < self.ring.len() { at } else { at - self.ring.len() }
    }

    #[inline(always)]
    pub(super) fn next(&mut self, number: f32) -> f32 {
        if self.count > 0 && self.ring[self.first].0 + self.ring.len() as u64 <= self.now {
            self.first = self.place(1);
            self.count -= 1;
        }
        while self.count > 0 && self.ring[self.place(self.count - 1)].1 >= number {
            self.count -= 1;
        }
        let place = self.place(self.count);
        self.ring[place] = (self.now, number);
        self.count += 1;
        self.now += 1;
        self.ring[self.first].1
    }
}

/// The mean of the last numbers, as a running sum of whole numbers.
#[derive(Clone, Debug)]
pub(super) struct Average {
    ring: Box<[i64]>,
    at: usize,
    sum: i64,
}

impl Average {
    /// Over `frames` numbers, 1 to 2^20; it begins with unity.
    pub(super) fn new(frames: usize) -> Self {
        let mut average = Self { ring: vec![ONE; frames].into(), at: 0, sum: 0 };
        average.reset();
        average
    }

    pub(super) fn reset(&mut self) {
        self.ring.fill(ONE);
        self.sum = ONE * self.ring.len() as i64;
    }

    pub(super) fn adopt(&mut self, other: &Self) {
        if self.ring.len() == other.ring.len() {
            self.ring.copy_from_slice(&other.ring);
            (self.at, self.sum) = (other.at, other.sum);
        }
    }

    #[inline(always)]
    pub(super) fn next(&mut self, number: i64) -> i64 {
        let length = self.ring.len();
        let oldest = std::mem::replace(&mut self.ring[self.at], number);
        self.sum += number - oldest;
        self.at = if self.at + 1 == length { 0 } else { self.at + 1 };
        self.sum / length as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_minimum_is_that_of_the_last_numbers(
            numbers in prop::collection::vec(0u8..20, 1..200),
            frames in 1usize..20,
        ) {
            let mut minimum = Minimum::new(frames);
            for (n, number) in numbers.iter().enumerate() {
                let last = &numbers[(n + 1).saturating_sub(frames)..=n];
                let expected = last.iter().min().copied().map(f32::from);
                prop_assert_eq!(Some(minimum.next(f32::from(*number))), expected);
            }
        }
    }
}

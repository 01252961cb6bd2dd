//! Cohen's kappa of two coders who each gave a unit a code, or did not.

use std::collections::BTreeSet;

/// How many units got a code from both, from one, or from neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fourfold {
    pub(super) both: u64,
    pub(super) only_a: u64,
    pub(super) only_b: u64,
    pub(super) neither: u64,
}

impl Fourfold {
    /// The table of two sets of units out of `units`.
    pub(super) fn of(a: &BTreeSet<usize>, b: &BTreeSet<usize>, units: u64) -> Self {
        let both = a.intersection(b).count() as u64;
        let (only_a, only_b) = (a.len() as u64 - both, b.len() as u64 - both);
        let neither = units.saturating_sub(both + only_a + only_b);
        Self { both, only_a, only_b, neither }
    }

    /// Adds the decisions about another code.
    pub(super) fn add(&mut self, other: Self) {
        self.both += other.both;
        self.only_a += other.only_a;
        self.only_b += other.only_b;
        self.neither += other.neither;
    }

    /// All decisions.
    pub(super) fn units(self) -> u64 {
        self.both + self.only_a + self.only_b + self.neither
    }

    /// The share of units that both decided alike, 0 to 1; 1 if there are no units.
    pub(super) fn agreement(self) -> f64 {
        let units = self.units();
        if units == 0 { 1.0 } else { (self.both + self.neither) as f64 / units as f64 }
    }

    /// (observed - expected) / (1 - expected), -1 to 1. Where both always decided the same it is 1, also where chance
    /// alone would have given that.
    pub(super) fn kappa(self) -> f64 {
        let units = self.units() as f64;
        let observed = self.agreement();
        if self.only_a + self.only_b == 0 {
            return 1.0;
        }
        let part = |count: u64| count as f64 / units;
        let [a, b] = [part(self.both + self.only_a), part(self.both + self.only_b)];
        let expected = a * b + (1.0 - a) * (1.0 - b);
        (observed - expected) / (1.0 - expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_textbook_example_gives_its_kappa() {
        // 50 proposals, two readers: 20 yes of both, 15 no of both, 5 and 10 apart; kappa 0.4.
        let four = Fourfold { both: 20, only_a: 5, only_b: 10, neither: 15 };
        assert!((four.kappa() - 0.4).abs() < 1e-12);
        assert_eq!(four.agreement(), 0.7);
        assert_eq!(Fourfold::default().kappa(), 1.0);
        let never = Fourfold { only_a: 5, only_b: 5, ..Fourfold::default() };
        assert_eq!(never.kappa(), -1.0);
    }

    fn units() -> impl Strategy<Value = BTreeSet<usize>> {
        prop::collection::btree_set(0usize..40, 0..40)
    }

    proptest! {
        #[test]
        fn kappa_is_symmetric_bounded_and_1_for_the_same(a in units(), b in units()) {
            let (ab, ba) = (Fourfold::of(&a, &b, 40), Fourfold::of(&b, &a, 40));
            prop_assert!((ab.kappa() - ba.kappa()).abs() < 1e-12);
            prop_assert!((-1.0 - 1e-12..=1.0).contains(&ab.kappa()));
            prop_assert_eq!(ab.units(), 40);
            prop_assert_eq!(Fourfold::of(&a, &a, 40).kappa(), 1.0);
            prop_assert_eq!(ab.kappa() == 1.0, a == b);
        }
    }
}

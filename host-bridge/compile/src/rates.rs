//! Positions at the session's rate and at the engine's, by exact rational.

use deskhand_dsp::{Frames, SampleRate};

/// Maps positions between a session and an engine that plays it at another rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    pub session: SampleRate,
    pub engine: SampleRate,
}

impl Rates {
    /// The nearest frame of the engine; halves go away from 0, so that a difference and its negative
    /// map to opposite numbers.
    #[must_use]
    pub fn to_engine(self, at: Frames) -> Frames {
        scale(at, self.engine, self.session)
    }

    #[must_use]
    pub fn to_session(self, at: Frames) -> Frames {
        scale(at, self.session, self.engine)
    }

    /// Whether nothing has to be mapped.
    #[must_use]
    pub fn agree(self) -> bool {
        self.session == self.engine
    }
}

fn scale(at: Frames, to: SampleRate, from: SampleRate) -> Frames {
    if to == from {
        return at;
    }
    let (to, from) = (i128::from(to.0), i128::from(from.0.max(1)));
    let exact = i128::from(at.0) * to;
    let nearest = (exact.abs() * 2 + from) / (from * 2) * exact.signum();
    let bound = if nearest < 0 { i64::MIN } else { i64::MAX };
    Frames(i64::try_from(nearest).unwrap_or(bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rates(session: u32, engine: u32) -> Rates {
        Rates { session: SampleRate(session), engine: SampleRate(engine) }
    }

    #[test]
    fn the_nearest_frame_is_taken() {
        let up = rates(44_100, 48_000);
        assert_eq!(up.to_engine(Frames(44_100 * 3600 + 1)), Frames(48_000 * 3600 + 1));
        assert_eq!(rates(96_000, 48_000).to_engine(Frames(3)), Frames(2));
        assert_eq!(rates(96_000, 48_000).to_engine(Frames(-3)), Frames(-2));
        assert!(rates(48_000, 48_000).agree() && !up.agree());
    }

    proptest! {
        #[test]
        fn a_faster_engine_gives_every_position_back(at in -1i64 << 47..1i64 << 47) {
            let up = rates(44_100, 192_000);
            prop_assert_eq!(up.to_session(up.to_engine(Frames(at))), Frames(at));
        }

        #[test]
        fn order_is_kept_and_a_negative_is_mirrored(a in 0i64..1 << 40, b in 0i64..1 << 40) {
            let down = rates(48_000, 44_100);
            let map = |at| down.to_engine(Frames(at)).0;
            prop_assert_eq!(map(a).cmp(&map(b)).is_le(), a <= b || map(a) == map(b));
            prop_assert_eq!(map(-a), -map(a));
        }
    }
}

//! Tests that take minutes, which `--long` asks for.

/// Whether the soaks run as well.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Soak {
    /// Leave them out.
    Skip,
    /// 1,000,000 more callbacks, 1,000 kills, long files.
    Run,
}

impl Soak {
    pub(crate) fn from_flag(long: bool) -> Self {
        if long { Self::Run } else { Self::Skip }
    }
}

//! Words that have a plainer one: neither pages nor messages use them.

pub(crate) const HARD: [&str; 11] = [
    "stand",
    "stands",
    "anew",
    "whence",
    "thereof",
    "beside",
    "ahead of",
    "behind",
    "so many",
    "none where",
    "to be had",
];

//! Colors by their names.

/// Names, and what they stand for as `#rrggbb`.
const COLORS: &[(&str, &str)] = &[
    ("red", "#e5484d"),
    ("orange", "#f76b15"),
    ("amber", "#ffc53d"),
    ("yellow", "#f5d90a"),
    ("green", "#30a46c"),
    ("teal", "#12a594"),
    ("cyan", "#00a2c7"),
    ("blue", "#3e63dd"),
    ("purple", "#8e4ec6"),
    ("violet", "#6e56cf"),
    ("pink", "#d6409f"),
    ("brown", "#ad7f58"),
    ("gray", "#8d8d8d"),
    ("grey", "#8d8d8d"),
    ("black", "#000000"),
    ("white", "#ffffff"),
];

/// The names, in their order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COLORS.iter().map(|(name, _)| *name)
}

/// The color that a word names.
pub(crate) fn of(word: &str) -> Option<&'static str> {
    COLORS.iter().find(|(name, _)| *name == word).map(|(_, hex)| *hex)
}

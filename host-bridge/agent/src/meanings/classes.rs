//! Words that say the same in many ways to point at a phrase: `$dropped` in a pattern is any of them.

/// A class by its name in patterns, with its words; `_` stands between the words of one.
// tidy: table
#[rustfmt::skip]
const CLASSES: &[(&str, &str)] = &[
    // What was taken out of an edit.
    ("dropped", "remove|removed|cut|cut_out|take_out|taken_out|took_out|delete|deleted|drop|dropped|throw_out|thrown_out|threw_out|throw_away|thrown_away|threw_away|kick_out|kicked_out|discard|discarded|lose|lost|leave_out|left_out|scrap|scrapped|ditch|ditched|cross_out|crossed_out"),
];

/// The words of a class; none where there is no such class.
pub(super) fn words_of(name: &str) -> &'static str {
    CLASSES.iter().find(|(known, _)| *known == name).map_or("", |(_, words)| words)
}

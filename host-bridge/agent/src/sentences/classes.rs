//! Words that say the same in many sentences: `$drop` in a pattern is any of them.

/// A class by its name in patterns, with its words; `_` stands between the words of one.
// tidy: table
#[rustfmt::skip]
const CLASSES: &[(&str, &str)] = &[
    // To take small things out of what is said.
    // To take a phrase out of an edit.
    ("drop", "remove|cut|cut_out|drop|delete|take_out|leave_out|lose|get_rid_of|throw_out|throw_away|strike|strike_out|cross_out|kick_out|ditch|omit|scrap|kill|bin|toss|toss_out|chuck|chuck_out|discard|exclude|edit_out|pull_out|pull"),
    // The same when it was done.
    ("dropped", "remove|removed|cut|cut_out|take_out|taken_out|took_out|delete|deleted|drop|dropped|throw_out|thrown_out|threw_out|throw_away|thrown_away|threw_away|kick_out|kicked_out|discard|discarded|lose|lost|leave_out|left_out|scrap|scrapped|ditch|ditched|cross_out|crossed_out"),
    ("edit", "edit|assembly|rough_cut|paper_edit|radio_edit|cut"),
    ("takes", "takes|retakes|versions|alternatives|attempts|other_takes|other_versions|alternate_takes|different_takes"),
    ("same", "the_same|the_same_thing|the_same_line|the_same_phrase|the_same_sentence|one_line|one_phrase|one_sentence|each_other|one_another"),
    ("first", "first|at_the_start|at_the_beginning|at_the_top|at_the_front|up_front|to_the_start|to_the_beginning|in_front"),
    ("last", "last|at_the_end|at_the_bottom|at_the_back|to_the_end"),
    ("behind", "after|behind"),
    ("before", "before|ahead_of|in_front_of"),
    ("show", "show|edit|episode|piece|podcast|story|program|programme|interview|assembly|rough_cut"),
    ("now", "now|so_far|up_to_now|until_now|already|at_the_moment|yet|right_now"),
];

/// The words of a class; none where there is no such class.
pub(super) fn words_of(name: &str) -> &'static str {
    CLASSES.iter().find(|(known, _)| *known == name).map_or("", |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::super::{desk_table, edit_table, plain_table, table};
    use super::*;

    #[test]
    fn a_class_has_its_words_and_no_other_has_any() {
        assert!(words_of("drop").split('|').any(|word| word == "take_out"));
        assert_eq!(words_of("nothing"), "");
        let rows = edit_table::TABLE.iter().chain(desk_table::TABLE).chain(table::TABLE);
        let rows = rows.chain(plain_table::TABLE);
        let pieces = rows
            .flat_map(|(_, texts)| texts.iter())
            .flat_map(|it| it.split([' ', '|', '[', ']', '?']));
        for class in pieces.filter_map(|piece| piece.strip_prefix('$')) {
            assert!(!words_of(class).is_empty(), "{class}");
        }
    }
}

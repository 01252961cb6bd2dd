//! Words that say the same in many sentences: `$cut` in a pattern is any of them.

/// A class by its name in patterns, with its words; `_` stands between the words of one.
// tidy: table
#[rustfmt::skip]
const CLASSES: &[(&str, &str)] = &[
    // To take small things out of what is said.
    ("cut", "cut|cut_out|remove|delete|take_out|get_rid_of|edit_out|lose|drop|trim|trim_out|strip|strip_out|clean_up|clean_out|weed_out|clear_out|kill|snip_out|eliminate|throw_out|pull_out|tidy_up|fix"),
    // To take a phrase out of an edit.
    ("drop", "remove|cut|cut_out|drop|delete|take_out|leave_out|lose|get_rid_of|throw_out|throw_away|strike|strike_out|cross_out|kick_out|ditch|omit|scrap|kill|bin|toss|toss_out|chuck|chuck_out|discard|exclude|edit_out|pull_out|pull"),
    // The same when it was done.
    ("dropped", "remove|removed|cut|cut_out|take_out|taken_out|took_out|delete|deleted|drop|dropped|throw_out|thrown_out|threw_out|throw_away|thrown_away|threw_away|kick_out|kicked_out|discard|discarded|lose|lost|leave_out|left_out|scrap|scrapped|ditch|ditched|cross_out|crossed_out"),
    ("shorten", "shorten|tighten|tighten_up|trim|reduce|cut|cut_down|cap|limit|bring|bring_down|squeeze|compress|close|close_up|shrink|condense"),
    ("pauses", "pauses|silences|gaps|breaks|dead_air|pause|gap|silence"),
    ("unit", "words|sentences|phrases|lines|them|the_words|the_sentences|the_phrases|the_lines"),
    ("most", "at_most|no_longer_than|no_more_than|not_longer_than|not_more_than|under|below|shorter_than|a_maximum_of|max|about|around"),
    ("over", "longer_than|over|above|of_more_than|greater_than|that_are_longer_than|that_are_over|more_than"),
    ("edit", "edit|assembly|rough_cut|paper_edit|radio_edit|cut"),
    ("takes", "takes|retakes|versions|alternatives|attempts|other_takes|other_versions|alternate_takes|different_takes"),
    ("same", "the_same|the_same_thing|the_same_line|the_same_phrase|the_same_sentence|one_line|one_phrase|one_sentence|each_other|one_another"),
    ("say", "say|says|said|mention|mentions|mentioned|talk_about|talks_about|talked_about|speak_about|speaks_about|bring_up|brings_up|brought_up|use|uses|used"),
    ("write", "export|save|write|write_out|output|print|print_out|give_me|get_me|make|make_me|create|type_out"),
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
        assert!(words_of("cut").split('|').any(|word| word == "take_out"));
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

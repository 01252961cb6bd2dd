//! What can be said, as data: each kind of sentence with its patterns. The first that fits wins.

use super::Job;
use super::advice::Advice;

/// The patterns; [`super::pattern`] says how they are read. Slots: `on` tracks, clips or sources; `who` somebody;
/// `text` words; `code` and `into` codes; `p`, `q` and `r` phrases, the last
/// only where it is called one; `n` and `m` numbers; `from` and `to` times. Behind the sentences that code what is said
/// [`super::within::WITHIN`] may stand, with `place` and `without`: names of what was recorded.
// tidy: table
#[rustfmt::skip]
pub(super) const TABLE: &[(Job, &[&str])] = &[
    // What is said.
    (Job::ImportTranscript, &[
        "import|load|read the? transcript|subtitles|captions {file} for|of|to|into|onto|on {on}",
        "use {file} as the? transcript of|for {on}",
    ]),
    // Codes.
    (Job::CodePhrase, &["code|tag|label {plain} as|with {code}", "mark {plain} as|with {known}"]),
    (Job::Advice(Advice::CodeSpectral), &["code|tag|label the? spectrogram|spectrum {text} as|with {code}"]),
    (Job::Unimportant, &[
        "mark|flag from|between? {since} to|until|till|and|- {till} as not_important|unimportant",
        "mark|flag {span} as not_important|unimportant",
    ]),
    (Job::Important, &[
        "mark|flag|star from|between? {since} to|until|till|and|- {till} as? important",
        "mark|flag|star {span} as? important",
        "mark|flag|star the|what part|passage|bit|section|stretch|is_said from|between? {since} to|until|till|and|- {till} as? important",
        "mark|flag|star the|what part|passage|bit|section|stretch|is_said [from] {span} as? important",
        "[from|between] {since} to|until|till|and|- {till} is important",
        "{span} is important",
    ]),
    // Takes.
    (Job::FindPhrases, &[
        "find|get|make|list_out the? phrases in|of|on|from {on}", "find|get|make the? phrases",
        "split|cut|break {on} into|in phrases|sentences", "lay_out the? phrases [of {on}]",
        "start|begin an? assembly|paper_edit [of|from|with {on}]", "assemble the? phrases|takes|sentences", "assemble {on}",
    ]),
    (Job::ListPhrases, &[
        "show|list the? phrases", "which|what phrases are there", "show|list the? assembly|paper_edit", "what is in the assembly",
        "in what|which order are the phrases",
    ]),
    (Job::FindDuplicates, &[
        "which|what takes|phrases|lines|sentences repeat|are_repeated|are_duplicates|are_retakes|are_the_same",
        "find|mark|show|detect the? retakes|repeats|repetitions|duplicates|doubles",
        "find|mark|show|detect the? repeated|duplicate|double takes|phrases|lines|sentences", "which|what takes|phrases|lines|sentences are double|doubled|duplicated|identical",
        "which|what phrases|lines|sentences are|is|were|was said|spoken|read|recorded twice|more_than_once|several_times|again", "[the] phrases|lines|sentences that_are|that_were|which_are? said|spoken|read twice|more_than_once|several_times",
        "what|which phrases|lines|sentences? do|does|did {who} say more_than_once|again|several_times", "what do|does|did {who} say twice",
        "what is|was said twice", "what do|did {who} say twice", "pick|choose|find the? best takes|take [of each|every phrase|line]",
        "is anything said twice", "which take is best|better", "which takes are best|better", "which is the best take",
    ]),
    (Job::KeepTake, &[
        "keep|use|take|prefer {p} instead_of|rather_than|over|not {q}", "replace {q} with|by {p}",
        "{p} is better than {q}",
    ]),
    (Job::SwapPhrases, &["swap|switch|exchange {p} and|with|for {q}", "swap|switch|exchange {p}"]),
    (Job::PhraseFirst, &[
        "put|move|play|place {p} first", "put|move|place {p} at|to the? start|beginning|front|top", "start|begin|open with {p}",
    ]),
    (Job::PhraseLast, &[
        "put|move|play|place {p} last", "put|move|place {p} at|to the? end|back|bottom", "end|finish|close with {p}",
    ]),
    (Job::PhraseBefore, &["put|move|play|place {p} before|ahead_of|in_front_of {q}"]),
    (Job::PhraseBehind, &["put|move|play|place {p} after|behind {q}"]),
    (Job::ClipBehind, &["move|put|place {on} to? start? [right|directly|immediately|just] after|behind {ref}"]),
    (Job::RestoreAll, &[
        "restore|bring_back|put_back everything|all that was|were removed|taken_out|cut", "restore|bring_back all removed phrases",
        "put everything|all that was removed back",
    ]),
    (Job::RestorePhrases, &["restore|bring_back|put_back {p}", "put|bring {p} back [in]"]),
    (Job::RemovePhrases, &["remove|cut|drop|delete|take_out|leave_out|lose {r}", "take|leave {r} out"]),
    // What sounds.
    (Job::RemoveHum, &[
        "remove|take_out|get_rid_of|notch_out the? {n} hz|hertz|cycle hum|buzz of|in|on|from {on}",
        "remove|take_out|get_rid_of|notch_out the? {n} hz|hertz|cycle hum|buzz", "remove|take_out|get_rid_of the? buzz|mains_buzz of|in|on|from {on}",
    ]),
    // The mix and where it goes.
    (Job::Deliver, &[
        "export|deliver|bounce the? mix|song|episode|podcast|master|it|session for {standard} as|to a|an? {format}",
        "export|deliver|bounce the? mix|song|episode|podcast|master|it|session as|to a|an? {format} for {standard}",
        "export|deliver|bounce the? mix|song|episode|podcast|master|it|session as|to a|an? {format}",
        "export|deliver|bounce the? mix|song|episode|master|it|session for {standard}",
    ]),
];

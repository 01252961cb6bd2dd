//! What can be said about phrases, takes and what is said in them, as data: read like [`super::table`] and ahead of the
//! other tables, because what these take is held against the session first.

use super::Job;
use super::advice::Advice;

/// The patterns. Slots beside those of the other tables: `take` one of several takes and `whose` they are; `gone` what
/// was removed; `few` words in quotes that are a part of what is said; `nth` and `steps` whole numbers; `said` words of
/// a phrase that mean nothing else here; `voice` somebody who speaks, `stranger` one whom no track is called after;
/// `edit`, `listing` and `titles` what an edit is written as, `foreign` what it is not; `new` a file to write.
// tidy: table
#[rustfmt::skip]
pub(super) const TABLE: &[(Job, &[&str])] = &[
    // Codes that are taken off again: ahead of phrases that are removed.
    (Job::Advice(Advice::CodeOrPhrase), &["remove|delete|drop|get_rid_of {known}"]),
    // Words that are cut out of a phrase: ahead of phrases that say them.
    (Job::CutWord, &[
        "$drop the? word|words {text} from|in|of|out_of {plain}", "$drop {quote} from|in|out_of {plain}", "$drop the? {fillers} from|in|out_of {plain}",
        "$drop all|every|each? of? the? word|words {text} [everywhere|throughout|each_time|every_time]",
        "$drop all|every|each of? the? {quote} [everywhere|throughout]", "$drop all|every|each? of? the? {habit} [everywhere|throughout]",
        "$drop {few}", "take|leave|throw|cut|cross|strike|kick|toss|chuck|pull|edit|get {few} out", "throw|toss|chuck {few} away", "i do not want|need {few}",
    ]),
    (Job::HushWord, &[
        "mute|silence|bleep|bleep_out|beep|beep_out all|every|each? of? the? word|words {text} [everywhere]", "bleep|bleep_out|beep|beep_out all|every|each? of? the? {quote} [everywhere]",
        "replace|cover the? word|words? {quote} with|by silence|a_beep|a_bleep|a_tone", "replace|cover the word|words {text} with|by silence|a_beep|a_bleep|a_tone",
    ]),
    // Takes.
    (Job::FindDuplicates, &[
        "use|choose|pick|keep|take|find|prefer|show the? best|better|cleanest take|takes|version|versions of|for each|every|all [of] [the] phrase|line|sentence|phrases|lines|sentences|one",
        "use|choose|pick|keep|take|find the? best take|takes|version|versions of|for everything|each|all",
    ]),
    (Job::ChooseEach, &[
        "[always] use|choose|pick|keep|take|prefer|go_with {take} of|for each|every|all [of] [the] phrase|line|sentence|phrases|lines|sentences|one",
        "[always] use|choose|pick|keep|take|prefer|go_with {take} of|for everything|each|all|them_all", "always use|choose|pick|keep|take|prefer {take}", "use|choose|pick|keep|take {take} everywhere|throughout|each_time|every_time",
        "$drop all? the? other? takes but|except|apart_from {take} [of|for each|every [phrase|line|sentence]]",
    ]),
    (Job::RankTakes, &[
        "which|what take|takes|version|one of|for {whose} is|was|sounds|are [the] best|better|cleanest|best_one", "what|which is the? best|better|cleanest take|version of|for {whose}", "is there a better|cleaner take|version of|for {whose}",
    ]),
    (Job::TakesOf, &["mark|find|look_for|detect all? the? other? $takes|repeats|duplicates of|for {whose}"]),
    (Job::AreTakes, &[
        "{r} are all? $takes|repeats|duplicates of $same|the_same_thing|it", "{r} are|is|say $same", "{p} and {q} are all? $takes|repeats|duplicates of $same", "{p} and {q} are|say $same",
        "{p} is a|another take|version|repeat|retake of {q}", "mark {r} as takes|retakes|repeats|duplicates [of $same]",
    ]),
    (Job::ChooseTake, &[
        "i prefer|like|want|choose|take|pick {take} of|for|from {whose} better|more|best|instead|most",
        "use|choose|pick|keep|take|prefer|go_with|stick_with|switch_to|switch_over_to|change_to|swap_in|put_in|try {take} of|for|from|in {whose} [instead]",
        "use|choose|pick|keep|take|prefer|go_with|stick_with|switch_to|switch_over_to|change_to|swap_in|put_in|try {take} [instead|rather|for_that|there|here]",
        "i prefer|like|want|choose|take|pick {take} [better|more|instead] [of|for {whose}]", "i would rather have|use|take|hear {take} [of|for {whose}]",
        "{take} is|was|sounds|sounded better|best|nicer|the_one|the_best|the_better_one", "put {take} in [instead]", "put {take} of|for {whose} in [instead]", "give_me|let_me_have {take} [of|for {whose}] [instead]", "make {take} play|the_one|the_chosen_one",
        "let {take} play", "for {whose} use|take|keep|choose {take}",
    ]),
    (Job::AskTakes, &[
        "which|what lines|phrases|sentences do|did {who} record|say|read twice|more_than_once|again|several_times", "how many times do|did {who} read|record {whose}",
        "which|what takes|phrases|lines|sentences repeat|are_repeated|are_duplicates|are_retakes|are_the_same|are_double|are_doubled|are_duplicated|are_identical",
        "which|what phrases|lines|sentences are|is|were|was|have_been said|spoken|read|recorded twice|more_than_once|several_times|again|repeatedly",
        "[the] phrases|lines|sentences that_are|that_were|which_are? said|spoken|read twice|more_than_once|several_times", "what|which phrases|lines|sentences? do|does|did {who} say twice|more_than_once|again|several_times",
        "is|are there any? repeated|duplicate|duplicated|double|several|multiple|alternative takes|phrases|lines|sentences",
        "is|are there any? retakes|repeats|repetitions|duplicates|doubles|alternate_takes|takes",
        "show|list|display|see|compare [me] all? the? retakes|repeats|repetitions|duplicates|takes|alternatives|other_takes|different_takes [side_by_side|next_to_each_other|of_each_phrase|of_each_line]",
        "show|list|display|see|compare|read [me] all? the? $takes of|for|from {whose} [side_by_side]", "let_me hear|see|compare all? the? $takes of|for|from {whose}", "play|hear [me] all? the? $takes of|for|from {whose}",
        "how many $takes are there|of|for [of|for] {whose}", "how many $takes do|does i|we have of|for {whose}", "how many $takes of|for {whose} are_there|do_i_have|do_we_have|exist", "what|which $takes are there of|for {whose}",
        "which|what take|version plays|is_playing|is_chosen|is_used|is_in|is_in_the_edit|am_i_using|are_we_using|do_we_use [now|right_now] [of|for {whose}]", "which|what take|version of|for {whose} plays|is_playing|is_chosen|is_used|is_in|is_in_the_edit|am_i_using|are_we_using",
        "why do|did|have you|we|i|it choose|chosen|chose|pick|picked|use|used|take|taken|prefer|recommend|recommended that|this|the take|version|one [of|for {whose}]", "why is|was that|this|the take|version chosen|picked|used|recommended|best|better",
        "let_me hear|compare the? takes", "play [me] the? takes", "hear the? takes", "listen to the takes",
        "how many $takes are there|do_i_have|do_we_have", "what takes do i have", "which takes do i have", "which|what take is used|playing|chosen|in_use|in_the_edit",
        "where do|does|did {who} repeat|repeated myself|yourself|himself|herself|themselves|ourselves|itself",
        "do|does|did {who} repeat myself|yourself|himself|herself|themselves|ourselves|anything|something",
        "do|does|did {who} say anything|something|the_same_thing|it twice|more_than_once|again",
        "find|show [me] where {who} say|says|said the? same [thing|line|sentence] twice|again|more_than_once",
        "what is|was repeated", "what do|does|did {who} repeat", "which lines|phrases|sentences have|has several|two|more_than_one|multiple takes",
    ]),
    (Job::PlayTake, &["play|hear|preview|audition [me] {take} [of|for|from {whose}]", "let_me hear {take} [of|for|from {whose}]", "listen to {take}"]),
    // Hearing.
    (Job::PlayPhrase, &[
        "play|hear|start the? $edit from|at {r} [on]",
        "play|hear|preview|audition [me] [just|only] {r}", "let_me hear {r}", "listen to {r}", "play [it|on|everything] from {r} [on]",
        "start playing|playback at|from|with {r}",
    ]),
    (Job::SeekPhrase, &["go|jump|skip|take_me to {r}", "where is {r} [on the timeline]"]),
    (Job::LoopPhrase, &["loop|repeat {r}"]),
    // Order.
    (Job::PhraseBetween, &["put|move|place {p} [right|directly] between|in_between {q} and {other}"]),
    (Job::PhraseBefore, &["put|move|play|place {p} [right|directly|immediately|just|straight] before|ahead_of|in_front_of {q}", "{p} should|must come|go|be $before {q}", "{p} goes|comes|belongs [right|directly] $before {q}", "i want|need {p} [to] [come|go|be|play] $before {q}", "i want|need to hear {p} [right|directly] $before {q}"]),
    (Job::PhraseBehind, &["put|move|play|place {p} [right|directly|immediately|just|straight] after|behind {q}", "{p} should|must come|go|be $behind {q}", "{p} goes|comes|belongs [right|directly] $behind {q}", "i want|need {p} [to] [come|go|be|play] $behind {q}", "i want|need to hear {p} [right|directly] $behind {q}"]),
    (Job::LouderPhrase, &["make {plain} [a_bit|a_little] louder [by {db}]", "turn {plain} up [by {db}]", "turn {plain} up {db}", "turn up {plain} [by {db}]", "raise|boost {plain} by {db}"]),
    (Job::QuieterPhrase, &["make {plain} [a_bit|a_little] quieter|softer [by {db}]", "turn {plain} down [by {db}]", "turn {plain} down {db}", "turn down {plain} [by {db}]", "lower|reduce {plain} by {db}"]),
    (Job::SelectPhrase, &["select|highlight {plain}"]),
    (Job::BehindPhrase, &["put|move|place|start|begin|drag|bring_in {on} [right|directly|immediately] after|behind {plain}"]),
    (Job::PhraseUp, &[
        "move|shift|put {r} up|earlier|higher [by? {steps} place|places|position|positions|spot|spots|slot|slots|step|steps?]",
        "move|shift|put {r} {steps} place|places|position|positions|spot|spots|slot|slots|step|steps? up|earlier|higher", "move|shift up {r}",
    ]),
    (Job::PhraseDown, &[
        "move|shift|put {r} down|later|lower [by? {steps} place|places|position|positions|spot|spots|slot|slots|step|steps?]",
        "move|shift|put {r} {steps} place|places|position|positions|spot|spots|slot|slots|step|steps? down|later|lower", "move|shift down {r}",
    ]),
    (Job::PhraseNth, &[
        "make {r} the? {nth} [one|phrase|sentence|line]", "move|put|place {r} to|at|in|into? the? position|place|spot|slot|number {nth}",
        "move|put|place {r} to|at|in|into the? {nth} position|place|spot|slot", "make {r} phrase|sentence|number {nth}",
    ]),
    (Job::PhraseFirst, &["make {r} the? first|opening [one|phrase|sentence|line|thing]", "make|use {r} [as] the? opener|opening|intro|introduction|start|beginning", "bring {r} to the front|start|beginning", "{p} should|must come|go|be $first", "{p} goes|comes|belongs $first",
        "i want|need {p} [to] [come|go|be|play] $first", "let us? start|begin|open [the? $show] with {r}", "start|begin|open the? $show with|on {p}", "have {p} $first", "put {p} $first", "i want|need to hear {p} $first", "put|move|place {p} at|to the? very start|beginning|front|top", "drag|bring|take|shift|push|cut_and_paste {p} to the? very? start|beginning|front|top"]),
    (Job::PhraseLast, &["make {r} the? last|final|closing [one|phrase|sentence|line|thing]", "make|use {r} [as] the? closer|closing|outro|ending|end", "{p} should|must come|go|be $last", "{p} goes|comes|belongs $last",
        "i want|need {p} [to] [come|go|be|play] $last", "let us? end|finish|close [the? $show] with|on {r}", "end|finish|close the? $show with|on {p}", "end|finish|close on {p}", "have {p} $last", "put {p} $last", "i want|need to hear {p} $last", "put|move|place {p} at|to the? very end|back|bottom", "drag|bring|take|shift|push|cut_and_paste {p} to the? very? end|back|bottom"]),
    (Job::SwapNext, &["swap|switch|exchange {p} with|and the? next|following [one|phrase|sentence|line]"]),
    (Job::SwapBefore, &["swap|switch|exchange {p} with|and the? previous|preceding [one|phrase|sentence|line]", "swap|switch|exchange {p} with|and the one before|ahead [it]"]),
    (Job::SwapPhrases, &[
        "swap|switch|exchange|flip the? places|order|positions? of {p} and|with {q}", "swap|switch|exchange|flip {p} and|with {q} [around]",
        "trade {p} for|with {q}", "swap|switch|exchange|flip {r} [around]",
    ]),
    (Job::OrderAs, &[
        "order|arrange|sort|reorder|put|play the? phrases|sentences|lines as|like_this|like|so|in_this_order|in_the_order? {order}", "[the] [new] order is|should_be|will_be|as {order}", "new order {order}",
        "reorder|rearrange [them|it|the_edit|the_phrases] as|to|like_this|so? {order}", "change the order to {order}",
    ]),
    (Job::OriginalOrder, &[
        "restore|reset|recover|bring_back|go_back_to|return_to|use|get_back_to the? original|recorded|natural|chronological order|sequence [of the phrases|sentences|edit|assembly]",
        "put|bring|sort|arrange them|everything|it|all|the_phrases|the_sentences|the_edit|the_assembly [all|back] in|into|to the? original|recorded|natural|chronological|time order|sequence",
        "sort|order|arrange|reorder them|everything|it|all|the_phrases|the_sentences|the_lines|the_edit|the_assembly by time|source_time|recording_time|when_they_were_said|time_of_recording",
        "sort|order|arrange [them|everything|it|all|the_phrases|the_sentences|the_edit|the_assembly] chronologically", "reset the? order",
        "put the phrases|sentences|lines back? in the order they|it|in_which_they were|was said|spoken|recorded [in]", "undo the? reordering|new_order",
    ]),
    (Job::ReverseOrder, &[
        "reverse|invert|flip the? order [of the phrases|sentences|lines|edit|assembly]", "reverse the phrases|sentences", "put|play the phrases|sentences in reverse [order]",
    ]),
    // What plays.
    (Job::KeepOnly, &[
        "keep|leave only|just {stranger} [in]", "only keep|leave {stranger} [in]", "keep {stranger} only",
        "remove|delete|cut|drop|cut_out|take_out|throw_out|get_rid_of|lose everything|everyone|everybody|all but|except|apart_from|other_than {stranger}",
        "keep|leave only|just {r} [in]", "only keep|leave|use|play {r}", "keep {r} only", "keep {r} and|but remove|delete|cut|drop|lose the_rest|everything_else|all_others|all_the_others|the_others",
        "remove|delete|cut|drop|cut_out|take_out|throw_away|throw_out|get_rid_of|lose everything|all|all_phrases|every_phrase|all_the_phrases but|except|apart_from|other_than for? {r}",
        "remove|delete|cut|drop|cut_out|take_out everything|all else but|except|than {r}",
    ]),
    (Job::Advice(Advice::OnlyVoice), &["only {stranger}", "{stranger} only", "i only want {stranger} [in the edit|assembly]", "i want only {stranger} [in the edit|assembly]"]),
    (Job::Advice(Advice::VoiceGone), &["$drop {stranger}", "take|leave|throw|cut|kick {stranger} out"]),
    (Job::AskRemoved, &[
        "what|which [phrases|phrase|sentences|sentence|lines|parts|bits] do|did|have|has i|we|you $dropped [$now]", "what has|have i|we|you $dropped [$now]",
        "what|which phrases|phrase|sentences|sentence|lines|parts|bits is|are|was|were|has_been|have_been|got removed|cut|cut_out|taken_out|deleted|dropped|left_out|missing|gone",
        "what is|was|has_been|got removed|cut|cut_out|taken_out|deleted|dropped|left_out|missing|gone [from the edit|assembly]",
        "show|list|see [me] all? the? removed|deleted|dropped|cut phrases|sentences|lines|ones|parts", "show|list|read [me] what|everything|all [that] i|we|you [have] $dropped [$now]",
        "show|list [me] what is|was removed|cut|deleted|taken_out", "what is not in the? edit|assembly|rough_cut|paper_edit", "which|what phrases do|does not play",
        "is anything|something removed", "how many phrases|sentences were|are|have_been removed",
    ]),
    (Job::RestoreGone, &["restore|bring_back|put_back|get_back|recover|reinstate|undelete {gone}", "put|bring|get {gone} back [in]"]),
    (Job::RestoreAll, &[
        "restore|bring_back|put_back|get_back|recover what|everything|all [that] i|we|you [have] $dropped", "put|bring|get what|everything|all [that] i|we|you [have] $dropped back [in]",
        "restore|bring_back|put_back|get_back|recover [all|everything] what|that? i|we|you removed|cut|cut_out|deleted|took_out|dropped",
        "restore|bring_back|put_back|get_back|recover all|everything [that] i|we|you removed|cut|cut_out|deleted|took_out|dropped",
        "restore|bring_back|put_back|get_back|recover what was removed|cut|deleted|taken_out", "put|bring back? what i|we removed back?",
        "restore|bring_back|put_back|get_back|recover all of? the? removed|deleted|cut? phrases|sentences|lines|ones|parts", "restore|bring_back|recover the removed phrases|sentences|lines|ones",
        "restore|bring_back all|everything|them|all_of_them|it_all", "put everything|them_all back in", "bring them all? back", "unremove|undelete everything|all",
    ]),
    (Job::RestorePhrases, &["restore|bring_back|put_back|get_back|recover|reinstate|undelete {p}", "put|bring|get {p} back [in]"]),
    (Job::RemovePhrases, &["$drop {r}", "take|leave|throw|cut|cross|strike|kick|toss|chuck|pull|edit {r} out", "throw|toss|chuck {r} away", "i do not want|need {r}", "get {r} out"]),
    (Job::RemoveDuplicates, &["$drop all? of? the? duplicates|repeats|repetitions|retakes", "$drop all? of? the? duplicate|duplicated|repeated|double|redundant phrases|sentences|lines|takes"]),
    (Job::ListPhrases, &[
        "show|list|read|see|print|print_out|display [me] all? the? phrases|sentences|lines|assembly|edit|paper_edit|rough_cut|order|running_order [so_far|again] [of the? phrases|edit|assembly]",
        "what is [left|now|still] in the? edit|assembly|rough_cut|paper_edit|cut [now|so_far]", "what is left [in the edit|assembly]", "what|which phrases|sentences|lines play|remain|are_left|are_playing|are_in_the_edit|are_in",
        "what does the? edit|assembly|rough_cut contain|look_like|play|say", "how many phrases|sentences|lines are there|play|are_left|are_in_the_edit", "how many phrases|sentences does the? edit|assembly have",
        "what is the? order [of_the_phrases|now]", "what plays",
        "show|list|read|see|print|print_out|display [me] all? the? phrases|sentences|lines with|and their? times|timestamps|timecodes|speakers|numbers|lengths|durations",
        "how many phrases|sentences|lines [do|does|did|has|have {who} [say|have|speak]]", "count all? the? phrases|sentences|lines", "how long is|are {plain}", "when is|are|does|do {plain} [start|begin|come|play]",
        "which|what phrase|sentence|line is|comes|goes|plays [the] first|last|next|longest|shortest|at_the_end|at_the_start", "which|what is|are the? longest|shortest phrase|phrases|sentence|line", "which|what phrase|sentence|line is|plays at {from}",
        "what|which comes|goes|plays first|last|next [in the edit|assembly]", "what|which phrase|sentence|line? comes|goes|plays $behind|$before {p}", "which|what phrases|sentences|lines are|is important|marked_as_important|marked",
        "read [me] {plain}", "what is|are {plain}", "what do|does {plain} say", "who says|speaks|said {plain}", "is|are {plain} [a_bit|much|way] too? long|short|important",
    ]),
    (Job::HowLong, &["how long is|will the? whole|entire|full|complete $edit [be|$now]", "how long is|will the? finished|final|edited $show [be|$now]", "how long is|will|would the? $edit [be|$now]", "what is the? running|run|total|overall|full|current? length|duration|time|runtime|running_time of the? $edit [$now]"]),
    (Job::RoughBest, &["make|build|create|start|do|assemble a? rough_cut|paper_edit|assembly|radio_edit|first_cut from|of|with|out_of the? best takes", "assemble the? best takes"]),
    (Job::FindPhrases, &[
        "make|build|create|start|begin|do|assemble a|an|the? rough_cut|paper_edit|radio_edit|string_out|stringout|first_cut|assembly|assembly_edit|assembly_cut [of|from|with|for|out_of {on}]",
        "start|begin editing|assembling|cutting [{on}]", "cut|split|break|divide|separate|chop {on} up? into|in its|single|separate? phrases|sentences|lines", "cut|split|break|divide|chop {on} up? at|after|by each|every|the? phrase|sentence|line|phrases|sentences|lines", "edit {on} by phrases|sentences|text|transcript",
        "lay_out|lay_down the? phrases|sentences", "find all? the? phrases|sentences [again]",
    ]),
    // Tightening.
    (Job::FillersTone, &[
        "cut|cut_out|remove|delete|take_out|get_rid_of|edit_out|replace|cover|fill|mask all? the? {fillers} [in|from|on|of|out_of {on}] and|but|with fill|replace|cover|keep|put|use? them|it|the_gaps|the_holes? with|in|by? room_tone",
        "replace|cover|fill|mask all? the? {fillers} [in|from|on|of {on}] with|by room_tone",
        "cut|cut_out|remove|delete|take_out|get_rid_of|edit_out all? the? {fillers} [in|from|on|of|out_of {on}] with|using|over|leaving room_tone",
        "cut|cut_out|remove|delete|take_out|get_rid_of|edit_out all? the? {fillers} [in|from|on|of|out_of {on}] but|and keep|keeping|leave the? timing|length|sync",
        "cut|cut_out|remove|delete|take_out|get_rid_of|edit_out all? the? {fillers} [in|from|on|of|out_of {on}] without changing the? timing|length",
    ]),
    (Job::ToneAlone, &["[the] room_tone between|in|under|over all? the? cuts|edits|gaps|phrases|pauses", "fill|replace|cover|patch [all] [the] gaps|holes|pauses|silences|cuts|silence [in|on|of {on}] with room_tone", "add|put|use|insert room_tone [to|in|on|between|under {on}]"]),
    (Job::OtherFillers, &["cut|cut_out|remove|delete|take_out|get_rid_of|edit_out|lose all? of? the? likes|you_knows|sos|i_means|sort_ofs|kind_ofs|basicallys|rights|okays|actuallys [in|from|on|of {on}]"]),
    (Job::EditPauses, &[
        "cut|cut_out|trim|remove|delete|take_out|get_rid_of|lose all? of? the? dead_air [in|of|on|from {on}]",
        "cut|cut_out|remove|delete|take_out|get_rid_of|lose every|each|any pause|silence|gap|break longer_than|over|above|of_more_than|greater_than {m}",
        "cut_out|remove|delete|take_out|get_rid_of|lose all? of? the? pauses|silences|gaps|breaks longer_than|over|above|of_more_than|greater_than {m}",
    ]),
    // The end.
    // Files.
    (Job::ExportForeign, &[
        "export|save|write|output|make|create|give|get [me] [the? edit|assembly|paper_edit|rough_cut|cut|it|session] as|to|for|in a|an? {foreign} [file|list|project|session|sequence]",
        "export|save|write|output|make|create|give|get [me] a|an|the? {foreign} [file|list|project|session] [of|for|from the? edit|assembly|rough_cut|cut]",
    ]),
    (Job::Deliver, &[
        "bounce|render|mix_down the? edit|assembly|paper_edit|rough_cut|cut [to|as|in|into a|an? {ending} [file]] [for {standard}]",
        "export|save|write|output the? edit|assembly|paper_edit|rough_cut|cut to|as|in|into a|an? {ending} [file] [for {standard}]",
        "export|bounce|render the? edit|assembly|paper_edit|rough_cut|cut for {standard} [as|to|in a|an? {ending}]",
    ]),
    (Job::ExportHow, &["export|write|output the? edit|assembly|paper_edit|rough_cut"]),
    // Codes.
    (Job::Advice(Advice::MemoHow), &["write|add|make|put|leave|attach a|the? memo|note|comment on|to|about|for|at the? phrase|sentence|line {nth}", "write|add|make|put|leave|attach a|the? memo|note|comment on|to|about|for|at the? code? {known}"]),
    // Words that were misheard.
    (Job::CorrectPhrase, &[
        "correct|change {plain} to|into {quote}", "{plain} should|must read|say|be {quote}", "write {quote} for|as {plain}",
    ]),
    (Job::CorrectIn, &[
        "replace|correct the? [word|words] {old} by|with|to|into {instead} in|of {p}", "change|fix the? word|words {old} to|into|by|with {instead} in|of {p}", "change|fix {quoted} to|into|by|with {instead} in|of {p}",
        "in {p} ,? replace|correct|change the? [word|words] {old} by|with|to|into {instead}", "{p} should|must say|read {instead} instead_of|not|rather_than {old}", "it should|must say|read|be {instead} instead_of|not|rather_than {old} in {p}",
        "in {p} ,? {quoted} should|must be|read {instead}",
    ]),
    (Job::CorrectAll, &[
        "replace|correct|change the? [word|words] {old} by|with|to|into {instead} everywhere|throughout|each_time|every_time|in_all_phrases|in_every_phrase|in_the_transcript|in_the_whole_transcript|in_all_transcripts",
        "replace|correct every|each|all [word|words] {old} by|with|to|into {instead}",
    ]),
    (Job::CorrectOnce, &["replace|correct|change|fix the? word|words {old} by|with|to|into {instead}", "replace|correct|change|fix {quoted} by|with|to|into {unsaid}", "{quoted} should|must be|read {unsaid}"]),
    // What is said, and by whom.
];

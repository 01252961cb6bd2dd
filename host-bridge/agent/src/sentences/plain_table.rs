//! What people ask for in other words than those of the other tables, as data: read like [`super::table`] and behind all
//! others, because some of these take anything.

use super::Job;
use super::advice::Advice;

/// The patterns; their slots are those of the other tables.
// tidy: table
#[rustfmt::skip]
pub(super) const TABLE: &[(Job, &[&str])] = &[
    // Transcripts.
    (Job::CorrectAll, &[
        "fix|correct|change the? spelling of {old} to|into|as {instead}", "spell {old} as|like {instead}", "{quoted} is|should_be spelled|spelt {instead}",
    ]),
    (Job::CorrectOnce, &["correct {old} to|into {instead}"]),
    // What is said, and by whom.
    (Job::Advice(Advice::MarkSaid), &["put|add|place|drop|set|make a? marker|markers where|when|whenever|wherever {who} says|say|said|mentions|mention|talks_about|talk_about {text}"]),
    (Job::Advice(Advice::ExportCodesHow), &["export|save|write the? codes|codings"]),
    (Job::Advice(Advice::CodeHow), &["code|tag this|that|it|these|the_selection"]),
    (Job::Advice(Advice::MarkQuestions), &[
        "put|add|place|drop|set|make a? chapter? marker|markers|chapters at|on|for each|every|all? the? question|questions",
        "mark|find|list|show me? each|every|all? of? the? question|questions",
        "what|which questions are|were|was asked", "what|which questions do|does|did {who} ask",
    ]),
    // Takes.
    (Job::FindDuplicates, &["keep|use|take the? best takes|versions"]),
    // What plays. Times first: a word of a phrase may be anything.
    (Job::CutBehind, &[
        "$drop|chop_off|cut_off everything|all|anything after|behind|past|beyond {from}", "$drop|chop_off|cut_off everything|all|anything from {from} on|onwards|to_the_end",
    ]),
    (Job::CutBehind, &["$drop|chop_off|cut_off from {from} on|onwards|to_the_end|until_the_end|till_the_end|to_end", "$drop|chop_off|cut_off the? end|rest|tail from|after {from} [on]"]),
    (Job::CutFirst, &["$drop|trim|trim_off|chop|chop_off|cut_off {len} from|off|at the? very? start|beginning|front|top"]),
    (Job::CutLast, &["$drop|trim|trim_off|chop|chop_off|cut_off {len} from|off|at the? very? end|back|tail"]),
    (Job::Advice(Advice::ShortenTo), &["shorten|cut_down {on} to {from}"]),
    (Job::Advice(Advice::InsertTime), &[
        "insert|add|put|leave|make {len} of? silence|space|pause|air|room|nothing at {from}", "insert|add|put a pause|gap|silence of {len} at {from}", "insert|add {len} at {from}",
    ]),
    (Job::CutBefore, &["$drop|chop_off|cut_off everything|all|anything before|ahead_of|up_to|until {from}"]),
    (Job::CutBehind, &["$drop|trim|chop_off|cut_off {on} after|behind|past|beyond {from}", "$drop|chop_off|cut_off {on} from {from} on|onwards|to_the_end"]),
    (Job::CutBefore, &["$drop|chop_off|cut_off {on} before|ahead_of|up_to|until {from}", "trim {on} before|ahead_of {from}"]),
    (Job::CutFirst, &["$drop|trim|trim_off|chop|chop_off|cut_off the? first|opening {len}"]),
    (Job::CutLast, &["$drop|trim|trim_off|chop|chop_off|cut_off the? last|final {len}"]),
    (Job::RemoveBehind, &["$drop everything|all|anything [that] [comes|is|was|is_said|was_said|follows] after|behind|following {p}"]),
    (Job::RemoveBefore, &["$drop everything|all|anything [that] [comes|is|was|is_said|was_said] before|ahead_of {p}"]),
    (Job::Advice(Advice::BySpeaker), &[
        "split|separate|divide|cut {on} by|per|at each|every|the? speaker|speakers|voice|voices|person|people",
        "put|move|give each|every speaker|voice|person on|onto|to? its|their|a|an own? track", "[one|a] track per|for_each speaker|voice|person", "[put] {voice} and {who} on separate|different|two|own tracks",
    ]),
    (Job::Advice(Advice::AtPauses), &["split|chop|divide [{on}] at|on|in|by each|every|all? the? silence|silences|pause|pauses|gap|gaps"]),
    (Job::Advice(Advice::SplitHere), &["cut|split|divide [it] here|now|at_the_playhead|at_the_cursor", "cut|split|divide {on} here|at_the_playhead|at_the_cursor"]),
    (Job::Advice(Advice::MuteRange), &["mute|silence from|between? {from} to|until|till|and|- {to} on|in|of {on}", "mute from|between {from} to|until|till|and {to}", "mute {on} from|between {from} to|until|till|and {to}"]),
    (Job::Advice(Advice::EdgeSilence), &[
        "trim|trim_off|remove|cut|cut_off|delete|strip the? silence|dead_air at|from|in the? very? start|beginning|end|front|top|tail [of|on|in {on}]",
        "trim|trim_off|remove|cut|cut_off|delete|strip the? silence|dead_air at|from|in the? very? start|beginning|front|top and|or [at] the? very? end|tail|back [of|on|in {on}]", "[just] top and tail", "[just] top and tail {on}",
    ]),
    // Markers.
    (Job::AddChapter, &[
        "[a|the] marker|chapter|cue {quote} at {from}", "[a|the] marker|chapter|cue called|named|titled {text} at {from}", "[a|the] marker|chapter|cue at {from} called|named|titled? {text}",
        "[a|the] comment|note|todo|to_do|reminder at {from} {text}", "[a|the] region|marker|section {span} called|named|titled {text}", "[a|the] region|marker|section from? {since} to|until|till|- {till} called|named|titled {text}",
        "mark {since} to|until|till|- {till} [as {text}]", "mark {span} [as {text}]", "put|add|place|drop|set|make a? marker at|on {plain} [called|named|titled {text}]",
        "add|put|make|set|place|drop a|the? chapter|chapter_marker|chapter_mark|cue|cue_point at {from} called|named|titled {text}",
        "add|put|make|set|place|drop a|the? chapter|chapter_marker|chapter_mark|cue|cue_point called|named|titled {text} at {from}",
    ]),
    (Job::Advice(Advice::Chapters), &[
        "export|save|write the? chapters|chapter_list|chapter_marks|chapter_markers",
        "add|make|create|put|set|mark|find the? chapters|chapter_markers|chapter_marks", "split|divide|cut {on} into chapters",
    ]),
    (Job::Advice(Advice::MarkHere), &["put|add|place|drop|set|make a? marker right? here|now|at_the_playhead|at_the_cursor [called|named {text}]"]),
    // Playing.
    (Job::Advice(Advice::Bars), &[
        "play [it|everything] from bar|beat {n}", "go|jump|skip to bar|beat {n}", "loop|repeat the? first|last {n} bars|beats", "loop|repeat bar|bars {n} [to|until {m}]",
    ]),
    (Job::Advice(Advice::BarsEdit), &["move|nudge|shift {on} to bar|beat {n}", "split|cut {on} at bar|beat {n}"]),
    (Job::Advice(Advice::Repeats), &["repeat this|that|it again?", "repeat the? last step|command|action|edit|change|thing [again]"]),
    (Job::Advice(Advice::LoopNamed), &["loop|repeat the? {text} once|twice", "loop|repeat the? {text} [{n} times]"]),
    // Levels.
    (Job::IsItClipping, &["does it|this clip|distort|overload [anywhere]", "does|do {on} clip|distort|overload [anywhere]"]),
    (Job::Advice(Advice::EquallyLoud), &[
        "make|get|bring|set {on} all|both? equally|just_as|the_same loud|volume|level|loudness", "make|get|bring|set {on} all|both? to the_same volume|level|loudness",
        "make|get|bring|set {on} all|both? equally_loud|as_loud_as_each_other",
        "all the? {on} the? same loudness|volume|level", "set|match|fix|level all? the? levels|faders|volumes|volume", "level all? the? tracks|voices|mics|microphones",
    ]),
    (Job::Advice(Advice::HowLoud), &["make|get {on} really|very|nice_and loud", "make|get {on} loud_enough", "make|get the? mix|song|track|show|master|everything|it|this loud"]),
    (Job::Advice(Advice::ResetFaders), &["reset all? the? faders|levels|volumes|gains"]),
    (Job::Advice(Advice::ResetFader), &["reset the? volume|level|gain|fader of|on|for {on}"]),
    (Job::Advice(Advice::Forward), &["bring|push|pull {on} forward|forwards|up_front|out_front|to_the_front|closer [in|of the mix]"]),
    (Job::Advice(Advice::Back), &["push|pull {on} back|further_back|backwards|to_the_back [in|of the mix]", "bury|tuck {on} [in|under|away]"]),
    (Job::Advice(Advice::SitsIn), &["make|let|get {on} sit|blend|gel [better|well] [in|into|with the? mix]"]),
    (Job::Advice(Advice::NotHeard), &["i can|could not hear {on} [well|properly|enough|clearly|anymore]"]),
    (Job::Advice(Advice::Automate), &["automate the? volume|level|gain? of? {on}", "draw|write automation for|on|of {on}"]),
    (Job::Advice(Advice::Compare), &[
        "compare {on} and|with|to|against {ref}", "how loud is|are {on} compared_to|compared_with|against|versus|vs|next_to {ref}", "is|are {on} louder|quieter|softer than {ref}",
    ]),
    (Job::Advice(Advice::MasterHow), &["master it|this|everything|the_mix|the_song|the_show|the_episode"]),
    // Tone and processors.
    (Job::Advice(Advice::Sends), &["add|make|create|set_up a|an? reverb|delay|echo|chorus|eq|compressor? send|return [on|to|for {on}]"]),
    (Job::Wish, &["give {on} [some|more|a_bit_of|a_little|a_bit_more|a_little_more] {wish}"]),
    (Job::Advice(Advice::Sibilance), &["tame|reduce|remove|cut|fix|soften the? sibilance|esses|s_sounds|ess_sounds on|of|in|from {on}"]),
    (Job::RemoveHum, &["get|take the? hum|buzz|mains_hum out of|from {on}", "get|take the? hum|buzz|mains_hum out"]),
    (Job::Advice(Advice::Width), &["widen|narrow {on}", "make|convert|turn|sum|fold {on} in? to|into? mono"]),
    // What is not done.
    (Job::Advice(Advice::NotCleaned), &[
        "remove|reduce|cut|cut_out|fix|take_out|get_rid_of|edit_out|clean_up all? the? room_echo|room_sound|room_reverb|reverberation|coughs|cough|coughing|sneezes|sneeze|sighs|throat_clearing|sniffs|lip_noises|mouth_sounds [in|from|on|of {text}]",
        "take|cut|edit|get all? the? breaths|breath|breathing|coughs|sneezes|sighs|echo|reverb out [of {text}]",
    ]),
    (Job::Advice(Advice::Repairs), &[
        "remove|fix|repair|take_out|get_rid_of all? the? clicks|pops|clicks_and_pops|crackle|crackles|dropouts|clipping|distortion of|in|on|from {on}",
        "remove|fix|repair|take_out|get_rid_of all? the? clicks|pops|clicks_and_pops|crackle|crackles|dropouts|clipping|distortion",
        "declick|de_click|declip|de_clip|decrackle {on}", "declick|de_click|declip|de_clip|decrackle",
    ]),
    (Job::Advice(Advice::Phase), &[
        "is anything|something out_of_phase", "check|fix the? phase|polarity [of|on|between {on}]", "invert|flip|turn the? phase|polarity of|on {on}",
    ]),
    (Job::Advice(Advice::Joins), &[
        "merge|join|combine|glue {plain}", "join|glue|heal|stitch {on} [together|back_together|into_one]", "merge|combine {on} together|into_one|into_one_clip", "merge|combine the? clips [of|on|in {on}]",
    ]),
    (Job::NotMade, &[
        "tune|auto_tune|pitch_correct|humanize|humanise|warp {text}", "speed|slow {on} up|down", "change|fix|correct|shift the? pitch|speed",
        "play {on} faster|slower|at_half_speed|at_double_speed", "double|halve the? speed", "slow|speed up|down",
    ]),
    (Job::Advice(Advice::Older), &["start over|again|anew [from scratch]", "put|set|bring everything|it|all back how|as|the_way|like it was", "reset everything|it_all", "go|get back to revision|step|version {text}", "go|get back to {text} version", "restore|open|load {text} version", "go|get back to the? original"]),
    // Files.
    (Job::StemFiles, &[
        "export|bounce|render|write|save the? tracks|speakers|voices|mics|microphones separately|individually|one_by_one|as_separate_files|as_single_files|as_files_of_their_own",
        "export|bounce|render|write|save each|every the? track|speaker|voice|mic|microphone separately|individually|alone|as_a_file|as_a_separate_file",
        "export|bounce|render|write|save the? speakers|voices|mics|microphones as {text}",
    ]),
    (Job::Advice(Advice::ExportAlone), &[
        "export|bounce|render|save|write only|just {on} as|to|in a|an? {ending} [file]", "export|bounce|render|save|write only|just {on}",
        "export|bounce|render|save|write {on} as|to|in a|an? {ending} [file]", "bounce|freeze|consolidate|flatten {on}",
        "export|bounce|render {on} [alone|separately|by_itself|on_its_own]",
    ]),
    (Job::ToPhrase, &["put|move|place|start|begin|drag|bring_in {on} at|with {plain}"]),
    (Job::Advice(Advice::TopOf), &["move|put|drag|bring {on} to the? top|bottom"]),
    (Job::Advice(Advice::BusWith), &[
        "make|create|add|build|set_up a|an? new? bus|submix|aux with|from|for|of|out_of {on} called|named {text}",
        "make|create|add|build|set_up a|an? {text} bus|submix|aux with|from|for|of|out_of {on}",
        "make|create|add|build|set_up a|an? bus|submix|aux called|named {text} with|from|for|of|out_of {on}",
        "group {on} in|into|to|on a|an? {text} bus|submix",
    ]),
    (Job::Advice(Advice::NewBus), &["route|send|assign|output {on} to|through|into a|another new? bus|aux called|named {text}"]),
    (Job::Advice(Advice::Decide), &[
        "yes [please|do_it|apply_it|do_that]", "ok? go [ahead|for_it]", "do it|that", "apply|accept|reject|confirm|approve|discard [it|that|this|them|all|everything|the_plan|the_plans|all_of_it|all_plans]", "cancel [that|it|the_plan]", "no [thanks|do_not|cancel]",
    ]),
    (Job::Advice(Advice::PlayAlone), &[
        "i only want to hear {on}", "i want only {on}", "i only want {on}", "only the|my|our {on}", "mute everyone|everybody but|except {on}",
        "play [just|only] {on} [alone|only|by_itself|on_its_own]", "keep only|just {on}", "let_me hear only|just? {on}", "i want to hear only|just {on}", "solo only|just {on}",
    ]),
    (Job::Advice(Advice::TakenOut), &["take|leave|cut|drop|pull {on} out [of the? mix|song|session]", "lose|dump|bin|scrap|chuck {on}"]),
];

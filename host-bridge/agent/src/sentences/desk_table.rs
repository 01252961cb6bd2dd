//! What is wrong or wanted, stems, and what is done elsewhere, as data. It is read like [`super::table`] and before it,
//! because these patterns say more exactly what they take.

use super::Job;
use super::advice::Advice;

/// The patterns. Slots beyond those of the other table: `ref` one track or clip; `stems` kinds of sound; `flaw`, `nuisance`
/// and `wish` what is wrong and what is wanted.
// tidy: table
#[rustfmt::skip]
pub(super) const TABLE: &[(Job, &[&str])] = &[
    // Levels.
    (Job::LevelSpeech, &[
        "level|smooth the? speech|voice|voices|talking|dialogue of|on|in {on}", "level {on} out", "ride {on}", "make {on} more? even|consistent",
    ]),
    // Behind "than" and "like" stands a track, and no wish: "make the drums sound like the bass".
    (Job::Advice(Advice::LouderThan), &[
        "make|get|set|put|turn|bring {on} [a_bit|a_little|much|a_lot|slightly] louder|quieter|softer than {ref}",
        "{on} should be [a_bit|a_little|much|a_lot|slightly] louder|quieter|softer than {ref}",
    ]),
    (Job::Advice(Advice::SoundLike), &["make|get|let {on} to? sound|feel more? like {ref}"]),
    (Job::Flaw, &[
        "{on} is|are|sounds|sound|seems|feels|gets [a_bit|a_little|way|much|far|just|really|very|still] too? {flaw}",
        "why is|are|does|do {on} [sound] so {flaw}",
    ]),
    (Job::Wish, &["make {on} [sound|feel|be] [a_bit|a_little|a_lot|much|even] [more|less] {wish}", "add|give|put some|more {wish} to|on {on}", "{on} should be {wish}", "{on} lacks|needs [more|some] {wish}"]),
    (Job::Nuisance, &[
        "there is|are [a|an|some|much|a_lot_of|too_much] {nuisance} on|in|under|behind {on}", "i hear [a|an|some|much|too_much] {nuisance} on|in|under|behind {on}",
        "{on} has [a|an|some|much|a_lot_of|too_much|too_many] {nuisance}",
    ]),
    // Listening.
    (Job::Classify, &[
        "classify the? content|material|audio|recordings|contents", "what is in this|the|these recording|recordings|file|files|audio",
        "what kind|sort of sound|audio|content|recording is this",
    ]),
    (Job::SplitStems, &[
        "split|separate|divide|unmix {on} into {stems}", "extract|isolate|pull_out|lift|get {stems} from|out_of|in {on}",
        "pull|get|lift {stems} out of {on}", "give_me|get the? stems of|from {on}",
    ]),
    (Job::WithoutStem, &["remove|take_out|take|cut {stems} from|out_of|in|of {on}"]),
    // Clips.
    (Job::CutRange, &[
        "cut|delete|remove|take_out|drop [the|everything] [part|bit|section|stretch|piece] from|between {from} to|until|and|till {to} on|of|in|from {on}",
        "cut|delete|remove|take_out|drop [the|everything] [part|bit|section|stretch|piece] from|between {from} to|until|and|till {to}",
        "cut|delete|remove|take_out|drop {from} to|until|till {to} on|of|in|from {on}",
        "$drop [the|everything] [part|bit|section|stretch|piece] [from|between] second|seconds|minute? {since} to|until|till|and|- second|seconds|minute? {till} on|of|in|from {on} [only]",
        "$drop [the|everything] [part|bit|section|stretch|piece] [from|between] second|seconds|minute? {since} to|until|till|and|- second|seconds|minute? {till}",
        "$drop [the] part|bit|section|stretch|piece? {span} on|of|in|from {on} [only]", "$drop [the] part|bit|section|stretch|piece? {span}",
    ]),
    // Files.
    (Job::StemFiles, &["export|bounce|render|write the? stems|tracks [as {text}]", "export|bounce|render|write each|every|all [the] track|tracks [as {text}]"]),
    // What is answered, and what is done elsewhere.
    (Job::Recording, &["record [{text}]", "arm|record_arm {text}", "how do i record [{text}]", "start|begin recording [{text}]"]),
    (Job::NeedsModel, &[
        "summarize|summarise|translate|rewrite|shorten_the_text {text}", "what do|does {who} talk about", "what is it|this|the_interview|the_show about",
    ]),
    (Job::Looking, &["zoom|scroll [{text}]", "open|show|close|hide [me] the? mixer|timeline|window|history_window|conversation|meters|transcript_window"]),
    (Job::Saving, &["save [it|this|all|everything|the_session|the_project|my_work]"]),
    (Job::Leaving, &["close|quit|exit|bye|goodbye [it|this|the_session|deskhand]"]),
    (Job::NotMade, &[
        "reverse|transpose|quantize|quantise|stretch|time_stretch|pitch|autotune {text}", "speed_up|slow_down {text}", "double|halve the? speed of {text}",
        "make {on} faster|slower", "change the? pitch|speed of {text}", "pitch_shift {text}",
    ]),
    (Job::Advice(Advice::NotCleaned), &[
        "remove the? reverb|echo [{text}]", "dereverb {text}",
        "remove|reduce|cut|fix|take_out|get_rid_of the? reverb|echo|breaths|breath|breathing|mouth_clicks|mouth_noises|plosives|lip_smacks [in|from|on|of {text}]",
    ]),
];

//! What can be said about playing, levels, tone and files, as data: read like [`super::table`] and ahead of it, because
//! these say more exactly what they take.

use super::Job;
use super::advice::Advice;

/// The patterns. Slots beside those of the other table: `ref` one track or clip; `db` a change of level; `hz` a
/// frequency; `zone` a part of the spectrum; `ratio` as 4:1; `len` a length of time; `marker` a marker of the session;
/// `stems` kinds of sound; `flaw` and `wish` what is wrong and what is wanted; `audio` audio files; `wav` a file to write
/// and `ending` its ending alone; `dest` where a mix goes; `level` a level below full scale; `stretch` a time by its name.
// tidy: table
#[rustfmt::skip]
pub(super) const TABLE: &[(Job, &[&str])] = &[
    // Playing.
    (Job::Play, &[
        "play [it|everything|the_session|the_mix|the_song]", "start|resume [playing|playback]", "hit|press play",
    ]),
    (Job::PlayFrom, &[
        "play [it|everything] from {from}", "start|play [playing|playback] [it] from|at {from}",
    ]),
    (Job::PlayMarker, &["play [it|everything] from the? marker? {marker}", "play the? {marker}"]),
    (Job::PlayStart, &["play [it|everything] from the? start|beginning|top"]),
    (Job::Stop, &["stop [it|playing|playback|the_playback]", "pause [it|playing|playback]", "halt"]),
    (Job::SeekStart, &[
        "go|jump|skip|take_me back? to the? start|beginning|top", "rewind", "back to the? start|beginning|top",
    ]),
    (Job::Seek, &[
        "go|jump|skip|seek|take_me to {from}", "put|move|set the? playhead|cursor|player at|to {from}",
    ]),
    (Job::SeekMarker, &["go|jump|skip|take_me to the? marker? {marker}"]),
    (Job::Loop, &[
        "loop|repeat [from] {from} to|until|till {to}", "loop|repeat [from] {since} to|until|till|- {till}", "loop|repeat between {from} and {to}",
        "set the? loop from|to {from} to|until {to}",
    ]),
    (Job::LoopMarker, &["loop|repeat the? marker? {marker}"]),
    (Job::LoopOff, &[
        "stop looping|repeating", "turn off the? loop|looping", "turn the? loop off", "clear|remove the? loop", "no loop",
    ]),
    // Windows.
    (Job::ShowSpectrogram, &[
        "[the] spectrogram|sonogram of|for {on}",
        "show|open|display|see|view [me] the? spectrogram|sonogram|spectrum_over_time of|for {on}",
        "show|open|display [me] {on} as a? spectrogram|sonogram",
    ]),
    (Job::ShowWaveform, &[
        "show|open|display|see|view [me] the? waveform|wave of|for {on} [in a window]",
        "show|open|display [me] {on} as a? waveform",
    ]),
    (Job::ShowTranscript, &[
        "open the? transcript of|for {on}", "show|display [me] the? transcript of|for {on} in a window",
    ]),
    // Levels.
    (Job::AsLoudAs, &[
        "make|get|bring|turn|put {on} as|just_as|equally loud|quiet as {ref}",
        "make|get|bring|set|normalize|normalise {on} [up|down] to the? [same] level|loudness|volume of|as|like {ref}",
        "match {on} to|with {ref} in? level|loudness|volume", "make {on} match {ref}", "match the? loudness|level|volume of {on} with {ref}",
    ]),
    (Job::Percent, &[
        "set|put|turn the? volume|level|gain|fader of {on} to|at|down_to|up_to {n} percent",
        "set|put|turn|have {on} to|at|down_to|up_to {n} percent [volume|of_its_volume|gain]",
    ]),
    (Job::LowerOverTime, &[
        "take {db} off|from|out_of {on} from|between {from} to|until|and|till {to}",
        "turn|bring|take|pull {on} down by? {db} from|between {from} to|until|and|till {to}",
        "turn|bring|take|pull down {on} by? {db} from|between {from} to|until|and|till {to}",
        "lower|reduce|dip|duck|attenuate {on} by {db} from|between {from} to|until|and|till {to}",
        "automate {on} down by? {db} from|between {from} to|until|and|till {to}",
        "take {db} off|from|out_of {on} in|within|over|during the? {stretch}",
        "turn|bring|take|pull {on} down by? {db} in|within|over|during|for the? {stretch}",
        "turn|bring|take|pull down {on} by? {db} in|within|over|during|for the? {stretch}",
        "lower|reduce|dip|duck|attenuate {on} by {db} in|within|over|during|for the? {stretch}",
        "make {on} {db} quieter|softer in|within|over|during|for the? {stretch}",
    ]),
    (Job::RaiseOverTime, &[
        "turn|bring|push {on} up by? {db} from|between {from} to|until|and|till {to}",
        "turn|bring|push up {on} by? {db} from|between {from} to|until|and|till {to}",
        "raise|boost|lift|increase {on} by {db} from|between {from} to|until|and|till {to}",
        "automate {on} up by? {db} from|between {from} to|until|and|till {to}",
        "turn|bring|push {on} up by? {db} in|within|over|during|for the? {stretch}",
        "turn|bring|push up {on} by? {db} in|within|over|during|for the? {stretch}",
        "raise|boost|lift|increase {on} by {db} in|within|over|during|for the? {stretch}",
        "make {on} {db} louder in|within|over|during|for the? {stretch}",
    ]),
    (Job::DuckWhile, &[
        "[always] whenever|when|while|every_time|each_time {who} speaks|talks|is_speaking|is_talking|speak|talk|are_speaking|are_talking ,? turn|bring|lower|duck|dip|reduce {on} down? [by {db}]",
        "[always] whenever|when|while|every_time|each_time {who} speaks|talks|is_speaking|is_talking|speak|talk|are_speaking|are_talking ,? turn|bring down {on} [by {db}]",
        "lower|duck|dip|reduce {on} when|whenever|while {who} speaks|talks|is_speaking|is_talking|speak|talk|are_speaking|are_talking [by {db}]",
        "turn|bring {on} down when|whenever|while {who} speaks|talks|is_speaking|is_talking|speak|talk|are_speaking|are_talking [by {db}]",
        "turn|bring down {on} when|whenever|while {who} speaks|talks|is_speaking|is_talking|speak|talk|are_speaking|are_talking [by {db}]",
    ]),
    (Job::LevelSpeech, &[
        "level|smooth the? speech|voice|voices|talking|dialogue of|on|in {on}", "level {on} out", "ride {on}", "make {on} more? even|consistent",
    ]),
    (Job::MasterFor, &[
        "prepare|finish [it|this|the_show|the_mix|the_episode] for {dest}", "master [it|this|the_mix|the_song] to {dest}",
    ]),
    (Job::CheckLevels, &["is it|this|the_mix|the_show|the_episode|everything ready for a? {dest}", "loudness|level|levels check", "check the? loudness|levels|level [of the mix]", "what are the levels"]),
    (Job::DuckUnder, &["sidechain|side_chain {on} to|under|with|from {ref}", "duck {on} for|with|behind {ref}"]),
    // Tone.
    (Job::BandUp, &[
        "boost|raise|lift {on} by? {db} at|around {hz}", "boost|raise|lift {on} at|around {hz} by {db}",
        "boost|raise|lift {hz} on|of|in {on} by {db}", "boost|add|give|put {db} at|around {hz} to|on|of|in {on}",
        "add|give {db} to {on} at|around {hz}", "eq {on} up by? {db} at|around {hz}", "add|put a? boost of {db} at {hz} to|on {on}",
    ]),
    (Job::BandDown, &[
        "cut|dip|reduce|lower {on} by? {db} at|around {hz}", "cut|dip|reduce|lower {on} at|around {hz} by {db}",
        "cut|dip|reduce|lower {hz} on|of|in {on} by {db}", "cut|take|remove {db} at|around {hz} on|of|in|from|out_of {on}",
        "eq {on} down by? {db} at|around {hz}",
    ]),
    (Job::Band, &["eq {on} by? {db} at|around {hz}"]),
    (Job::BandSome, &["take_out|remove|reduce|cut|dip [some|a_bit_of|the] {zone} at|around {hz} in|on|of|from {on}"]),
    (Job::Notch, &["notch|notch_out {hz} in|on|of|from {on}"]),
    (Job::HighCut, &[
        "low_pass|lowpass|high_cut {on} at|above {hz}", "cut|roll_off the? highs|top|high_end|everything on|of|in|from {on} above|over {hz}",
        "cut|roll_off everything above|over {hz} on|of|in|from {on}", "put|add a? low_pass|high_cut at {hz} on|to {on}",
    ]),
    (Job::LowCut, &[
        "cut|roll_off|remove the? lows|low_end|bottom|bass|rumble of|on|from|in {on} below|at|under {n}",
    ]),
    (Job::ZoneUp, &[
        "[a_bit|a_little|some] more {zone} on|in|for {on}",
        "boost|raise|lift|add|bring_up the? {zone} on|of|in|to {on} [by {db}]", "boost|raise|lift the? {zone} by {db} on|of|in {on}",
        "add {db} of {zone} to|on {on}", "give {on} more {zone}",
    ]),
    (Job::ZoneDown, &[
        "[a_bit|a_little] less {zone} on|in|for {on}",
        "cut|reduce|lower|dip|tame the? {zone} on|of|in|from {on} [by {db}]", "cut|reduce|lower|dip the? {zone} by {db} on|of|in {on}",
        "give {on} less {zone}",
    ]),
    (Job::Ratio, &[
        "compress {on} [at|with|by] {ratio}", "compress {on} with a ratio of {ratio}",
        "put|add a? compressor on|to {on} with|at [a ratio of] {ratio}", "put|add a? {ratio} compressor on|to {on}",
    ]),
    (Job::CompressGently, &["compress {on} gently|lightly|softly|slightly|a_bit|a_little"]),
    (Job::CompressHard, &["compress {on} hard|heavily|strongly|a_lot", "squash|smash {on}"]),
    (Job::AddInsert, &["de_ess|deess {on} gently|slightly|a_bit|a_little"]),
    (Job::LimitAt, &["[a] limiter on|to {on} at|with_a_ceiling_of {level}", "put|add a? limiter at {level} on|to {on}", "put|add a? limiter on|to {on} at|with_a_ceiling_of {level}", "limit {on} to|at {level}"]),
    (Job::GateAt, &["gate {on} at|below {level}", "put|add a? gate at {level} on|to {on}", "put|add a? gate on|to {on} at {level}"]),
    (Job::RemoveInserts, &[
        "remove|delete|clear|take_off all|the? effects|plugins|processors|inserts|fx from|on|of|off {on}",
        "remove|delete|clear|take_off all the effects|plugins|processors|inserts|fx from|on|of|off {on}",
    ]),
    // Behind "than" and "like" stands a track, and no wish: "make the drums sound like the bass".
    (Job::LouderThan, &["make|get|set|put|turn|bring {on} {db} louder than {ref}", "{on} should be {db} louder than {ref}", "{on} should be|sit|play {db} above|over {ref}"]),
    (Job::QuieterThan, &["make|get|set|put|turn|bring {on} {db} quieter|softer than {ref}", "{on} should be {db} quieter|softer than {ref}", "{on} should be|sit|play {db} below|under {ref}"]),
    (Job::LouderUnclipped, &[
        "make|get|turn|bring {on} [up] [much|a_lot|a_bit|a_little|as] [loud|louder] [as_possible] [up] ,? [but|and] without any? clipping|distortion|distorting|it_clipping|overs",
        "make|get|turn|bring {on} [up] [much|a_lot|a_bit|a_little] [louder] ,? but|and do_not clip|distort|let_it_clip|let_it_distort|make_it_clip",
        "make|get|turn|bring {on} [up] [much|a_lot|a_bit|a_little] [louder] ,? but|and it must|should_not|not clip|distort",
    ]),
    (Job::PanApart, &["pan|spread|place|put {on} apart", "pan|spread|place|put {on} on|to both|opposite sides", "spread|pan {on}"]),
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
    (Job::CheckFor, &[
        "check|look|listen for [any|all|technical] problems|faults|errors|issues|clicks|pops|glitches|clicks_and_pops|clicks_or_pops [anywhere]",
        "check|examine|inspect the? recording|recordings|audio|sound|everything|mix for {problems}", "find|show|list [me] [any|all] [technical] problems|faults|errors|issues [anywhere]", "are there any [technical] problems|faults|issues|clicks|pops|glitches|dropouts|clicks_or_pops|clicks_and_pops [anywhere]",
        "is anything|something wrong [with the recording|audio|recordings]", "what is wrong [with the recording|audio|recordings|sound]",
        "run|do a? quality|technical check|control",
    ]),
    (Job::Classify, &[
        "classify the? content|material|audio|recordings|contents", "what is in this|the|these recording|recordings|file|files|audio",
        "what kind|sort of sound|audio|content|recording is this",
    ]),
    (Job::FindKey, &["[the] key of {on}", "what|which key is|are {on} in", "in what|which key is|are {on}", "what is the key of {on}"]),
    (Job::WhichTempo, &["[the] tempo|bpm", "what is the? tempo|bpm now?"]),
    (Job::WhichMeter, &["[the] meter|time_signature"]),
    (Job::ShowSpectrum, &["[the] spectrum of {on}"]),
    (Job::FindTempo, &[
        "[the] tempo|bpm of {on}",
        "what|which tempo|bpm is|does|has {on} [have]", "how fast is {on}", "what is the tempo|bpm of {on}",
        "find|detect|measure|set the? tempo|bpm of|in|from|by {on}",
    ]),
    (Job::SplitStems, &[
        "split|separate|divide|unmix {on} into {stems}", "extract|isolate|pull_out|lift|get {stems} from|out_of|in {on}",
        "pull|get|lift {stems} out of {on}", "give_me|get the? stems of|from {on}",
    ]),
    (Job::WithoutStem, &["remove|take_out|take|cut {stems} from|out_of|in|of {on}"]),
    (Job::Starts, &["when|where does {on} start|begin"]),
    (Job::ListTracks, &["what|which tracks do i have", "what|which tracks are there"]),
    // Clips.
    (Job::TrimFirst, &[
        "trim|cut|cut_off|remove|delete|chop|chop_off|drop|trim_off the? first {len} off|of|from|on|out_of|off_of {on}",
        "trim|cut|chop|take {len} off|from the? start|beginning|front of {on}",
    ]),
    (Job::TrimLast, &[
        "trim|cut|cut_off|remove|delete|chop|chop_off|drop|trim_off the? last {len} off|of|from|on|out_of|off_of {on}",
        "trim|cut|chop|take {len} off|from the? end|back of {on}",
    ]),
    (Job::FadeBoth, &["fade {on} in for|over|in? {len} and out for|over|in? {till}", "fade in {on} for|over|in? {len} and out for|over|in? {till}"]),
    (Job::CutRange, &[
        "cut|delete|remove|take_out|drop [the|everything] [part|bit|section|stretch|piece] from|between {from} to|until|and|till {to} on|of|in|from {on}",
        "cut|delete|remove|take_out|drop [the|everything] [part|bit|section|stretch|piece] from|between {from} to|until|and|till {to}",
        "cut|delete|remove|take_out|drop {from} to|until|till {to} on|of|in|from {on}",
        "$drop [the|everything] [part|bit|section|stretch|piece] [from|between] second|seconds|minute? {since} to|until|till|and|- second|seconds|minute? {till} on|of|in|from {on} [only]",
        "$drop [the|everything] [part|bit|section|stretch|piece] [from|between] second|seconds|minute? {since} to|until|till|and|- second|seconds|minute? {till}",
        "$drop [the] part|bit|section|stretch|piece? {span} on|of|in|from {on} [only]", "$drop [the] part|bit|section|stretch|piece? {span}",
    ]),
    (Job::DuplicateTrack, &["duplicate|copy|clone the? {on} track", "duplicate|copy|clone the? track {on}"]),
    // Files.
    (Job::Import, &["import|load|add|bring_in|open the? file? {audio}", "import|load|add|bring_in the? files {audio}"]),
    (Job::DeliverTo, &[
        "export|deliver|bounce|render|save|write [the? mix|song|episode|podcast|master|it|session|everything|show] as|in a|an? {ending} [file] to|into {wav}",
        "export|deliver|bounce|render|save|write [the? mix|song|episode|podcast|master|it|session|everything|show] to|as|into {wav}",
    ]),
    (Job::Deliver, &[
        "export|deliver|bounce|render|make a|an? {ending} [file] for {standard} [with chapters]", "export|deliver|bounce|render|make a|an? {ending} [file] [with chapters]",
        "export|deliver|bounce|render [the? mix|song|episode|podcast|master|it|session|everything|show] as|to|in a|an? {format} for {standard}",
        "export|deliver|bounce|render [the? mix|song|episode|podcast|master|it|session|everything|show] for {standard} as|to|in a|an? {format}",
        "export|deliver|bounce|render [the? mix|song|episode|podcast|master|it|session|everything|show] as|to|in a|an? {format}",
        "export|deliver|bounce|render [the? mix|song|episode|podcast|master|it|session|everything|show] for {standard}",
        "export|deliver|bounce|render [the? mix|song|episode|podcast|master|it|session|everything|show]", "bounce|export|render [it] down",
    ]),
    (Job::SaveCopy, &[
        "save|make|write a copy [of the session|project|it] as|to|called|named {text}", "back_up|backup|copy the? session|project to|as {text}",
        "back_up|backup the? session|project|it|everything", "make a? backup|copy of the session|project",
    ]),
    (Job::StemFiles, &["export|bounce|render|write the? stems|tracks [as {text}]", "export|bounce|render|write each|every|all [the] track|tracks [as {text}]"]),
    (Job::AutoMix, &[
        "mix it|this|everything|all|the_song|the_tracks|the_session [automatically]", "auto_mix|automix", "balance the? tracks|levels|faders|mix|everything|voices",
        "do|make a? mix [for_me]", "mix",
    ]),
    (Job::AnalyzeAll, &["analyze|analyse everything|all|it_all|the_session|the_whole_session|all_clips|all_tracks"]),
    // What is answered, and what is done elsewhere.
    (Job::Greeting, &["who|what are you", "how are you [today]", "are you there", "what is your name", "hello|hi|hey|good_morning|good_evening|good_afternoon|moin [there|deskhand]"]),
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

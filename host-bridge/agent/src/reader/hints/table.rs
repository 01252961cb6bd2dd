//! The table of hints, as data. Of several that hold, the one of which most is said is taken, and the first of those.

use super::Hint;

/// What is said where words name no edit.
pub(super) const VAGUE: &str = "that names no edit; this might help";

const fn hint(
    when: &'static [&'static str],
    reason: &'static str,
    offers: &'static [&'static str],
) -> Hint {
    Hint { when, reason, offers }
}

/// What is wrong, or wanted, and what may help.
const fn vague(when: &'static [&'static str], offers: &'static [&'static str]) -> Hint {
    Hint { when, reason: VAGUE, offers }
}

// tidy: table
#[rustfmt::skip]
pub(super) const HINTS: &[Hint] = &[
    // What is done in the window, or not at all.
    hint(
        &["record", "arm", "start|begin & recording"],
        "recording is started in the window: R on the header of a track, then the record button",
        &["help"],
    ),
    hint(
        &["zoom", "scroll", "display|hide|ask|close & mixer|timeline|window|meters|conversation", "close", "quit", "exit", "bye"],
        "views are opened, moved and closed in the window; its key ? lists how",
        &["help"],
    ),
    hint(&["save"], "every step is stored as it is taken, so there is nothing to save", &["save a copy as tonight"]),
    hint(
        &[
            "transpose", "quantize", "quantise", "stretch", "time stretch", "pitch", "tune", "auto tune", "autotune", "humanize", "humanise",
            "warp", "speed", "slow", "faster", "slower", "reverse & @name", "backwards",
        ],
        "Deskhand changes no speed, pitch or direction of recordings",
        &["help"],
    ),
    hint(
        &["summarize", "summarise", "translate", "rewrite", "what & talk about", "about & ask"],
        "that takes a model that reads: name one in the configuration, and ask it with --provider",
        &["help"],
    ),
    hint(
        &["yes", "no thanks", "do+it", "do+that", "go ahead", "go for it", "apply", "accept", "reject", "confirm", "approve", "discard", "cancel"],
        "a plan is taken or left where it is shown: in the window, or with `deskhand apply` and `deskhand reject`",
        &["what did you just do?", "undo"],
    ),
    hint(
        &["start over", "from scratch", "original", "version", "revision", "way it was", "like it was", "reset & everything|it"],
        "undo takes back one step after another, and a copy of the session is a session of its own",
        &["undo", "undo the last two changes", "what did you just do?", "save a copy as tonight"],
    ),
    hint(
        &["best & whole edit"],
        "a rough cut of the best takes is made in two steps",
        &["find the phrases", "find the retakes"],
    ),
    hint(&["loop & last & step", "loop & again"], "no step is repeated by itself: say it again", &["what did you just do?", "loop the selection"]),
    // Files.
    hint(
        &["export|bounce|save & stem|@tracks", "export|bounce|save & track|speaker|mic|microphone|voice & every|separately|individually|per clip|file|files|apart|alone|one by one"],
        "tracks are written as files of their own by `deskhand render DIR mix.wav --stems FOLDER`; here one after another is \
         soloed and exported",
        &["solo FIRST", "solo SECOND", "export the mix"],
    ),
    hint(
        &["export|bounce|save|freeze|consolidate|flatten & @name"],
        "a mix is written as it plays: solo what is meant and export that, or write each track with \
         `deskhand render DIR mix.wav --stems FOLDER`",
        &["solo NAME", "export the mix"],
    ),
    hint(
        &["export|save & code|coding"],
        "it does not say as what",
        &["export the codes as csv", "export all codings as csv", "export the codebook", "export the codes as a refi-qda project"],
    ),
    hint(
        &["master"],
        "it does not say for which delivery",
        &["master the mix for streaming", "master the mix for podcasts", "master the mix for broadcast", "master the mix for cd"],
    ),
    // Time.
    hint(
        &["remove|cut|drop|trim|chop off & @time"],
        "it does not say whether what follows moves up, as a ripple delete does, or a gap stays",
        &["ripple delete from BEGIN to END on PLACE", "remove BEGIN to END on NAME and leave gaps", "trim NAME to end at UNTIL", "trim NAME to start at SINCE"],
    ),
    hint(
        &["remove|cut|drop & @numbers"],
        "it does not say whether those are seconds or phrases",
        &["ripple delete from ONE seconds to TWO seconds on PLACE", "remove phrases ONE to TWO"],
    ),
    hint(
        &["use|add|put|leave|make & silence|pause|space|air|nothing & @at"],
        "time is put in on tracks, and what follows moves back: it does not say on which",
        &["ripple insert LEN at AT on all tracks"],
    ),
    hint(
        &["mute & @time"],
        "mute is for a whole track; for a while one is turned down",
        &["turn NAME down by 60 dB from BEGIN to END"],
    ),
    hint(
        &["here", "playhead", "cursor"],
        "words cannot say where the playhead is: say the time",
        &["split NAME at 0:10", "add a marker at 0:10 called Here"],
    ),
    hint(
        &["bar", "bars", "beat & play|seek|loop|move|nudge|split|cut"],
        "a place is said as a time, not in bars or beats",
        &["play from 0:10", "loop from 0:10 to 0:20", "move NAME to 0:10", "split NAME at 0:10"],
    ),
    hint(
        &["loop & @name"],
        "it does not say whether it is played again and again, or copied",
        &["loop from SPAN", "duplicate NAME"],
    ),
    hint(
        &["loop"],
        "\"TEXT\" is no stretch of time here: a marker with a length is one",
        &["loop from 0:10 to 0:20", "add a marker from 0:10 to 0:20 called TEXT", "stop looping"],
    ),
    hint(
        &["split|cut|separate & by track|speaker|person|voice"],
        "nothing is split by who speaks: the speakers are marked, and talk is laid out by its phrases",
        &["mark the speakers", "who speaks when?", "find the phrases in NAME", "find the phrases"],
    ),
    hint(
        &["split|cut|separate & pause|silence"],
        "clips are split at a time; pauses are stripped or shortened, and talk is laid out by its phrases",
        &["strip silence from NAME", "shorten the pauses", "find the phrases"],
    ),
    hint(
        &["trim|remove|cut|strip & silence & start|end", "top and tail"],
        "silence is stripped from the whole of a recording, and a clip is trimmed by a time",
        &["strip silence from NAME", "trim the first 2 seconds off NAME", "trim the last 2 seconds off NAME"],
    ),
    hint(
        &["move|put|bring & top|bottom|lows"],
        "it does not say whether the track moves in the list, or its clips in time",
        &["move NAME to the top of the list", "move NAME to the bottom of the list", "move NAME to the start"],
    ),
    // Markers and codes.
    hint(
        &["question"],
        "markers are put on hits, beats and sections; what is asked is coded where it is written down",
        &["code every question as Question", "transcribe everything"],
    ),
    hint(
        &["chapter"],
        "a chapter is a marker with a name; the file of a mix has them where it is exported with chapters",
        &["add a chapter at 0:10 called Opening", "mark the sections of everything", "export an mp3 for podcast with chapters"],
    ),
    hint(
        &["add marker|marker & says"],
        "a marker is put at a time: a search tells when something is said, and what is said is coded",
        &["search for \"TEXT\"", "code every \"TEXT\" as Place"],
    ),
    hint(&["memo"], "it does not say what the memo is", &["write a memo on NAME: ask again"]),
    hint(
        &["code & spectrogram|spectrum"],
        "a part of the spectrogram is coded where it is drawn: in the window of the recording",
        &["show the spectrogram of NAME", "code 0:10 to 0:20 as TEXT"],
    ),
    hint(
        &["remove|drop & @code"],
        "\"TEXT\" is a code: it is removed as one, and a phrase by what it says",
        &["remove the code TEXT", "remove the phrase about TEXT"],
    ),
    hint(
        &["@voice & only|remove|drop|lose|take+out"],
        "that is who speaks, and no track is called so: it does not say whether what is said leaves the edit, or is only not heard",
        &["keep only what TEXT says", "remove everything TEXT says", "solo TEXT", "mute TEXT", "who speaks when?"],
    ),
    // The mix.
    hint(
        &["equalizer|compressor|other effect & send|return"],
        "a send is not among the things Deskhand can do; a track plays to one output",
        &["add a bus called Reverb", "route NAME to the master"],
    ),
    hint(
        &["make|create|group|add & @bus|bus & @other", "bus & @name"],
        "a bus is made first, and tracks are routed to it then",
        &["route NAME to TEXT", "route OTHER to NAME", "add a bus called TEXT"],
    ),
    hint(
        &["get|make|bring|set|put|turn|is it & than|louder than|quieter than & @other", "compare", "as loud as|compared|versus|vs & @other"],
        "recordings are compared by what is measured of each, and one is brought to the loudness of another",
        &["how loud is NAME?", "how loud is OTHER?", "match NAME to OTHER", "turn NAME up by 3 dB", "turn NAME down by 3 dB"],
    ),
    hint(
        &["compare & @pair"],
        "recordings are compared by what is measured of each, and one is brought to the loudness of another",
        &["how loud is PAIR1?", "how loud is PAIR2?", "match PAIR1 to PAIR2"],
    ),
    hint(
        &["sound|feel & like & @other"],
        "one is brought to the loudness of another, not to its tone",
        &["match NAME to OTHER", "balance the eq of NAME"],
    ),
    hint(
        &["same|equally|just as & loud|loudness|level|volume", "set|make|match|fix|level & level|loudness|volume|fader"],
        "it does not say how loud: all are brought to one loudness, or one to that of another",
        &["normalize NAME to -16 LUFS", "normalize everything to -16 LUFS", "match SECOND to FIRST", "level out everything"],
    ),
    hint(
        &["loud & make|get"],
        "it does not say how loud",
        &["normalize NAME to -14 LUFS", "normalize everything to -14 LUFS", "turn NAME up by 3 dB", "master the mix for streaming"],
    ),
    hint(
        &["reset"],
        "it does not say to what",
        &["set NAME to 0 dB", "set all the faders to zero", "center everything", "unmute everything"],
    ),
    hint(
        &["automate", "automation"],
        "it does not say from when to when, and by how much",
        &["turn NAME down by 6 dB from 0:10 to 0:20", "turn NAME up by 3 dB from 0:10 to 0:20"],
    ),
    hint(&["play & @name", "only & @name", "keep only & @name", "solo & @name"], "hearing only some tracks is solo", &["solo NAME", "play"]),
    hint(
        &["take+out & @name", "leave+out & @name", "cut+out & @name", "drop+out & @name", "pull+out & @name", "pull out & @name"],
        "it does not say whether it is muted or removed",
        &["mute NAME", "remove NAME"],
    ),
    hint(
        &["bring|push|pull & later|front|closer"],
        "what is louder, clearer and less covered seems nearer",
        &["turn NAME up by 2 dB", "make room for NAME", "compress NAME 3:1"],
    ),
    hint(
        &["push|pull & back|behind|backwards", "bury", "tuck"],
        "what is quieter and duller seems farther away",
        &["turn NAME down by 2 dB", "cut the highs on NAME by 2 dB"],
    ),
    // Repairs.
    hint(
        &["remove|lower|fix|clean|cut|take+out|get+out & breath|breathing|cough|coughing|sneeze|sigh|sniff|plosive|throat|mouth|lip|reverb|reverberation|echo", "dereverb"],
        "Deskhand takes noise, hum, bleed and pauses out of recordings, and takes no reverberation or breaths out, nor what else mouths do",
        &["denoise everything", "cut the long pauses", "find problems in everything"],
    ),
    hint(
        &["remove|fix|clean|take+out|get+out & problem|clipping|crackle|distortion", "declick", "de click", "declip", "de clip", "decrackle"],
        "clicks, dropouts and distortion are found and not repaired; at the edges of clips fades take clicks away",
        &["find problems in NAME", "add 10 ms fades to all clips"],
    ),
    hint(
        &["phase", "polarity"],
        "recordings of one sound are moved until they line up, and the inverted one of a pair is turned",
        &["align SECOND to FIRST", "check the polarity", "reverse the polarity of NAME"],
    ),
    hint(
        &["widen", "narrow", "mono", "stereo", "width", "wider", "narrower", "spacious"],
        "the width of a recording stays as it is; each track has its place",
        &["pan NAME 30% left", "center NAME"],
    ),
    hint(
        &["merge", "join", "glue", "heal", "stitch"],
        "clips are not glued to one; what was split is whole again by undo, and clips that overlap are crossfaded",
        &["crossfade all overlaps", "group NAME"],
    ),
    hint(
        &["remove|take+out|cut & vocal|singing|drum|bass|instrumental|accompaniment & @name", "remove|take+out|cut & @other"],
        "a sound is taken out of a recording by splitting it and muting that stem",
        &["split NAME into stems", "split OTHER into stems"],
    ),
    // What is wrong, or wanted.
    vague(
        &["quiet", "low", "soft", "silent", "weak", "faint", "buried", "lost", "hidden", "far away", "not hear & hear & @name"],
        &["turn NAME up by 3 dB", "normalize NAME to -16 LUFS", "solo NAME"],
    ),
    vague(
        &["too|so & loud|hot|high", "in your face", "prominent"],
        &["turn NAME down by 3 dB", "normalize NAME to -16 LUFS"],
    ),
    vague(
        &["noisy", "hissy", "dirty", "grainy", "noise", "clean", "cleaner"],
        &["denoise NAME", "high-pass NAME at 80 Hz", "find problems in NAME"],
    ),
    vague(&["hum"], &["remove the hum from NAME"]),
    vague(&["bleed"], &["reduce the bleed on NAME"]),
    vague(&["problem", "clipping", "distorted", "clipped", "crackly", "clicky"], &["find problems in NAME"]),
    vague(&["rumbly", "rumble", "wind"], &["high-pass NAME at 80 Hz"]),
    vague(
        &["uneven", "jumpy", "dynamic", "inconsistent", "unbalanced", "all over the place", "sit", "blend", "gel"],
        &["level out NAME", "compress NAME 3:1", "make room for NAME"],
    ),
    vague(
        &["pop", "powerful", "dense", "denser", "energy"],
        &["make NAME punchier", "compress NAME 4:1"],
    ),
    vague(&["long", "boring", "rambling", "silence", "pause"], &["tighten NAME", "strip silence from NAME"]),
    vague(&["filler"], &["cut the ums in NAME"]),
    vague(
        &["professional", "better", "nicer", "good", "great"],
        &["make NAME clearer", "level out NAME"],
    ),
];

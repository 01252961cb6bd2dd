//! The words that the planner knows, as data: phrases and what they mean.

use crate::levels::{ATSC, BROADCAST, PODCAST, STREAMING};
pub(crate) use crate::word::{Ask, Dir, Noun, Per, Prep, Side, Top, Verb, Word};

/// "a hair", "a bit", nothing, "a lot": documented in the crate's docs.
const HAIR: f64 = 1.0;
const BIT: f64 = 1.5;
const LOT: f64 = 6.0;
/// The change in dB where no amount is said.
pub(crate) const SOME: f64 = 3.0;
/// Twice as loud is 10 phon, and 10 dB at mid levels (Stevens).
const TWICE: f64 = 10.0;

/// Phrases with one meaning each, grouped by meaning. The longest match wins.
#[rustfmt::skip]
pub(crate) const PHRASES: &[(Word, &[&str])] = &[
    (Word::Filler, &[
        "please", "pls", "the", "a", "an", "can you", "could you", "would you", "will you",
        "could we", "can we", "you can", "i want you to", "i want", "i would like you to",
        "i would like", "i need you to", "i need", "we need", "let us", "go ahead and", "now",
        "next", "also", "okay", "ok", "hey", "hi deskhand", "deskhand", "thanks", "thank you",
        "just", "oops", "um", "uh", "my", "our", "should sit", "sitting", "should be", "should go",
        "should come", "needs to be", "need to be", "needs to come", "need to come", "needs to go",
        "need to go", "has to be", "have to be", "want to be", "to be", "so that it is",
        "so that they are", "another", "kindly", "integrated", "quickly", "actually", "well",
        "first of all", "do some", "do a", "some", "and also", "as well", "too please",
        "would you mind",
    ]),
    (Word::And, &["and", "plus also"]),
    (Word::Then, &["then", "and then", "after that", "afterwards", "finally", "and finally"]),
    (Word::Not, &["not", "never", "do not", "without", "avoid"]),
    (Word::Except, &[
        "except", "except for", "excepting", "apart from", "other than", "besides", "excluding",
        "but not", "with the exception of", "save for", "aside from", "not including", "minus the",
    ]),
    (Word::Alone, &[
        "alone", "as is", "as they are", "as it is", "untouched", "unchanged", "be", "out of it",
        "out of this",
    ]),
    (Word::Together, &[
        "together", "as an album", "as one", "as a whole", "as a group", "keeping their balance",
        "keeping the balance", "keep their balance", "keep the balance", "preserving their balance",
        "preserving the balance", "preserve the balance", "keeping their relative levels",
        "keeping relative levels", "keep their relative levels", "maintaining their balance",
    ]),
    (Word::Per(Per::Track), &[
        "per track", "track by track", "for each track", "each track on its own",
    ]),
    (Word::Per(Per::Clip), &[
        "per clip", "clip by clip", "individually", "each", "each on its own", "on their own", "separately",
        "for each clip",
    ]),
    // Verbs.
    (Word::Verb(Verb::Normalize), &[
        "normalize", "normalise", "normalizing", "normalising", "normalization", "normalisation",
        "loudness normalize", "loudness normalise", "renormalize", "normalized", "normalised",
    ]),
    (Word::Verb(Verb::Stage), &[
        "gain stage", "gainstage", "stage", "gain staging", "gain staged", "gain staging pass",
        "set working levels", "gainstaging",
    ]),
    (Word::Verb(Verb::Strip), &["strip"]),
    (Word::Verb(Verb::Remove), &[
        "remove", "delete", "get rid of", "erase", "take out", "throw away", "trash", "ditch",
        "discard",
    ]),
    (Word::Verb(Verb::Cut), &["cut", "cut out", "cut back"]),
    (Word::Verb(Verb::Drop), &["drop"]),
    (Word::Verb(Verb::Set), &["set", "put", "have", "place"]),
    (Word::Verb(Verb::Turn), &["turn"]),
    (Word::Verb(Verb::Change), &["change", "adjust", "alter"]),
    (Word::Verb(Verb::Bring), &[
        "bring", "make", "get", "take", "pull", "push", "bump", "hit", "move the level of", "ride",
    ]),
    (Word::Verb(Verb::Give), &["give"]),
    (Word::Verb(Verb::Raise), &[
        "raise", "boost", "increase", "lift", "crank", "crank up", "amplify",
    ]),
    (Word::Verb(Verb::Lower), &["lower", "reduce", "decrease", "attenuate", "dip"]),
    (Word::Verb(Verb::Knock), &["knock", "shave"]),
    (Word::Verb(Verb::Mute), &["mute", "silence the", "muting", "kill"]),
    (Word::Verb(Verb::Unmute), &["unmute", "un mute", "unmuting"]),
    (Word::Verb(Verb::Solo), &["solo", "soloing"]),
    (Word::Verb(Verb::Unsolo), &["unsolo", "un solo", "desolo"]),
    (Word::Verb(Verb::Pan), &["pan"]),
    (Word::Verb(Verb::Rename), &["rename", "retitle", "relabel"]),
    (Word::Verb(Verb::Call), &["call", "name", "label"]),
    (Word::Verb(Verb::RenameFromFiles), &[
        "from their clips", "from the clips", "from clips", "from their clip names",
        "from clip names", "from their files", "from the files", "from file names",
        "from the file names", "after their clips", "after the clips", "after their files",
        "after the files", "by their clips", "by their files", "from their file names",
        "based on their clips", "based on their files", "automatically",
    ]),
    (Word::Verb(Verb::Move), &["move", "shift", "slide", "relocate", "drag"]),
    (Word::Verb(Verb::Nudge), &["nudge"]),
    (Word::Verb(Verb::Split), &["split", "slice", "chop", "divide", "cut in two"]),
    (Word::Verb(Verb::Duplicate), &["duplicate", "copy", "make a copy of", "clone"]),
    (Word::Verb(Verb::Trim), &["trim", "crop"]),
    (Word::Verb(Verb::Add), &[
        "add", "create", "new", "make a new", "create a new", "add a new", "insert a", "make a",
        "add another",
    ]),
    (Word::Verb(Verb::Mark), &["mark", "put a marker", "place a marker", "set a marker"]),
    (Word::Verb(Verb::Route), &["route", "reroute", "assign", "output"]),
    (Word::Verb(Verb::Send), &["send"]),
    (Word::Verb(Verb::Group), &["group"]),
    (Word::Verb(Verb::Select), &["select", "highlight", "pick"]),
    (Word::Verb(Verb::RippleDelete), &["ripple delete", "ripple cut", "ripple remove"]),
    (Word::Verb(Verb::RippleInsert), &["ripple insert"]),
    (Word::Verb(Verb::CloseGaps), &[
        "close the gaps", "close gaps", "close up the gaps", "closing the gaps", "closing gaps",
        "close them up", "without gaps", "without leaving gaps", "with no gaps", "leave no gaps",
        "do not leave gaps", "leaving no gaps",
    ]),
    (Word::Verb(Verb::KeepGaps), &[
        "keep the gaps", "keep gaps", "leave the gaps", "leave gaps", "leaving the gaps",
        "leaving gaps", "keeping the gaps", "keeping the timing", "keep the timing",
        "do not close the gaps", "without closing the gaps",
    ]),
    (Word::Verb(Verb::Undo), &[
        "undo", "revert", "go back", "take that back", "take it back", "step back", "roll back",
        "undo that", "scratch that",
    ]),
    (Word::Verb(Verb::Redo), &["redo", "redo that"]),
    (Word::Verb(Verb::Touch), &[
        "touch", "touching", "change anything on", "alter anything on", "mess with", "affect",
    ]),
    (Word::Verb(Verb::Leave), &["leave", "leaving", "keep", "ignore", "skip", "spare"]),
    (Word::Verb(Verb::OnlyHear), &[
        "only play", "play only", "let me hear", "i want to hear", "only hear", "isolate",
    ]),
    (Word::Verb(Verb::Separate), &["separate", "unmix", "demix"]),
    (Word::Verb(Verb::Denoise), &["denoise", "de noise", "clean up", "clean"]),
    (Word::Verb(Verb::Align), &[
        "align", "line up", "time align", "phase align", "sync", "sync up", "synchronize",
    ]),
    (Word::Verb(Verb::Duck), &["duck"]),
    (Word::Verb(Verb::LevelOut), &["level out", "even out", "ride the levels of"]),
    (Word::Verb(Verb::Match), &["match", "match the loudness of", "match the level of"]),
    (Word::Verb(Verb::Master), &[
        "master for", "master it for", "master this for", "master the mix for",
        "master the song for", "master everything for", "master it to",
        "master the mix to", "master the song to",
    ]),
    (Word::Verb(Verb::Classify), &[
        "classify", "classify the content of", "tell speech from music in",
        "tell music from speech in",
    ]),
    (Word::Verb(Verb::AnalyzeAll), &[
        "run all analyses on", "run every analysis on", "fully analyze", "fully analyse",
        "analyze everything about", "analyse everything about",
    ]),
    (Word::Verb(Verb::Find), &["find", "detect", "look for", "locate", "check for"]),
    // Nouns.
    (Word::Noun(Noun::Gain), &[
        "gain", "volume", "fader", "faders", "volumes", "gains", "track gain", "fader level",
    ]),
    (Word::Noun(Noun::ClipGain), &["clip gain", "clip gains", "clip volume", "clip level"]),
    (Word::Noun(Noun::Unity), &["unity", "unity gain"]),
    (Word::Noun(Noun::Level), &["level", "levels", "standard", "spec", "ready", "target"]),
    (Word::Noun(Noun::Loudness), &["loudness", "integrated loudness", "lufs", "loudness level"]),
    (Word::Noun(Noun::TruePeak), &["true peak", "true peaks", "dbtp", "true peak level", "tp"]),
    (Word::Noun(Noun::SamplePeak), &["sample peak", "sample peaks"]),
    (Word::Noun(Noun::Peak), &["peak", "peaks", "peak level", "peaking"]),
    (Word::Noun(Noun::Rms), &["rms", "rms level"]),
    (Word::Noun(Noun::Range), &["loudness range", "lra", "dynamic range"]),
    (Word::Noun(Noun::Momentary), &[
        "momentary", "max momentary", "momentary loudness", "maximum momentary loudness",
    ]),
    (Word::Noun(Noun::ShortTerm), &[
        "short term", "max short term", "short term loudness", "maximum short term loudness",
    ]),
    (Word::Noun(Noun::NoiseFloor), &["noise floor"]),
    (Word::Noun(Noun::Silence), &[
        "silence", "silences", "silent parts", "silent passages", "silent bits", "pauses",
        "dead air", "gaps", "quiet parts", "silent sections",
    ]),
    (Word::Noun(Noun::Fade), &[
        "fade", "fades", "little fades", "short fades", "small fades", "quick fades",
        "default fades", "edge fades",
    ]),
    (Word::Noun(Noun::FadeIn), &["fade in", "fade ins", "fadein", "in over"]),
    (Word::Noun(Noun::FadeOut), &["fade out", "fade outs", "fadeout", "out over"]),
    (Word::Noun(Noun::FadeInOut), &["fade in and out", "fade in and fade out", "fades in and out"]),
    (Word::Noun(Noun::Crossfade), &[
        "crossfade", "crossfades", "cross fade", "cross fades", "xfade", "xfades",
    ]),
    (Word::Noun(Noun::Overlap), &[
        "overlap", "overlaps", "overlapping clips", "edges", "the edges of",
    ]),
    (Word::Noun(Noun::Track), &["track", "tracks", "channel", "channels", "audio track"]),
    (Word::Noun(Noun::Bus), &["bus", "buses", "busses", "submix", "aux"]),
    (Word::Noun(Noun::Clip), &["clip", "clips", "region", "regions"]),
    (Word::Noun(Noun::Source), &["source", "sources", "files", "library", "recordings"]),
    (Word::Noun(Noun::Marker), &["marker", "markers"]),
    (Word::Noun(Noun::Group), &["groups"]),
    (Word::Noun(Noun::Selected), &["selected"]),
    (Word::Noun(Noun::Tempo), &["tempo"]),
    (Word::Noun(Noun::Bpm), &["bpm", "beats per minute", "beats a minute"]),
    (Word::Noun(Noun::Meter), &["meter", "metre", "time signature", "time sig", "time"]),
    (Word::Noun(Noun::Color), &["color", "colour", "colors", "paint", "tint", "colorize"]),
    (Word::Noun(Noun::PanSetting), &["panned", "panning", "pan position"]),
    (Word::Noun(Noun::Output), &["routed", "outputs", "going"]),
    (Word::Noun(Noun::Muted), &["muted"]),
    (Word::Noun(Noun::Soloed), &["soloed", "solod", "in solo"]),
    (Word::Noun(Noun::Clipping), &[
        "clipping", "clip anywhere", "distorting", "over zero", "going over",
    ]),
    (Word::Noun(Noun::Length), &["duration", "length"]),
    (Word::Noun(Noun::Start), &["start", "begin", "starts", "begins"]),
    (Word::Noun(Noun::Stems), &["stems", "its stems", "single stems"]),
    (Word::Noun(Noun::Noise), &["noise", "background noise", "hiss", "room noise"]),
    (Word::Noun(Noun::Hum), &["hum", "mains hum", "ground hum", "electrical hum"]),
    (Word::Noun(Noun::DcOffset), &["dc", "dc offset", "dc bias"]),
    (Word::Noun(Noun::Bleed), &["bleed", "spill", "crosstalk", "mic bleed"]),
    (Word::Noun(Noun::Beats), &["beats", "beat", "downbeats", "beats and tempo"]),
    (Word::Noun(Noun::Onsets), &["onsets", "transients", "attacks", "hits"]),
    (Word::Noun(Noun::Parts), &[
        "parts", "sections", "its parts", "its sections", "their parts", "song structure",
    ]),
    (Word::Noun(Noun::Key), &["key", "musical key"]),
    (Word::Noun(Noun::Spectrum), &["spectrum", "frequency balance", "spectra"]),
    (Word::Noun(Noun::Problems), &[
        "problems", "faults", "technical problems", "clicks", "dropouts", "glitches",
    ]),
    (Word::Noun(Noun::CompactDisc), &["cd", "compact disc"]),
    (Word::Noun(Noun::Step), &[
        "step", "steps", "change", "changes", "edit", "edits", "last", "the last", "last thing",
        "the last thing", "things", "times",
    ]),
    // Relations.
    (Word::Prep(Prep::To), &["to", "into", "up to", "onto", "back to", "hitting"]),
    (Word::Prep(Prep::By), &["by"]),
    (Word::Prep(Prep::At), &["at", "around the mark of", "peaking at"]),
    (Word::Prep(Prep::From), &["from", "between", "starting at", "out of"]),
    (Word::Prep(Prep::Until), &["until", "till", "up until", "ending at", "to end at"]),
    (Word::Prep(Prep::On), &["on", "across", "on top of"]),
    (Word::Prep(Prep::Of), &["of"]),
    (Word::Prep(Prep::In), &["in", "inside", "within"]),
    (Word::Prep(Prep::For), &["for"]),
    (Word::Prep(Prep::With), &["with", "using"]),
    (Word::Prep(Prep::Over), &["over", "lasting"]),
    (Word::Prep(Prep::OverLast), &["over the last", "for the last", "in the last"]),
    (Word::Prep(Prep::OverFirst), &["over the first", "for the first", "in the first"]),
    (Word::Prep(Prep::As), &["as"]),
    (Word::Prep(Prep::Named), &[
        "called", "named", "titled", "labeled", "labelled", "with the name",
    ]),
    (Word::Prep(Prep::AtMost), &[
        "with a ceiling of", "ceiling", "with a ceiling at", "ceiling of", "ceiling at",
        "a ceiling of", "no higher than", "at most", "no more than", "not above", "max", "maximum",
        "limited to", "capped at", "never above", "with a true peak ceiling of",
        "true peak ceiling of", "not over", "not exceeding", "with a max of", "not louder than",
        "true peak ceiling", "with a limit of", "and a ceiling of", "no hotter than",
        "do not exceed", "and do not exceed", "but do not exceed", "never exceed",
        "and never exceed", "without exceeding",
    ]),
    (Word::Prep(Prep::AtLeast), &[
        "longer than", "at least", "of at least", "more than", "that are longer than",
        "over at least", "lasting more than", "greater than",
    ]),
    (Word::Prep(Prep::Below), &[
        "below", "under", "quieter than", "less than", "that is below", "anything below",
        "threshold", "with a threshold of", "threshold of", "with threshold", "a threshold of",
    ]),
    (Word::Prep(Prep::Between), &["between"]),
    (Word::Prep(Prep::Through), &["through", "thru", "via"]),
    // Amounts.
    (Word::Dir(Dir::Up), &["up", "louder", "higher", "hotter", "upwards"]),
    (Word::Dir(Dir::Down), &["down", "quieter", "softer", "downwards", "less loud"]),
    (Word::Dir(Dir::Later), &["later", "forward", "forwards"]),
    (Word::Dir(Dir::Earlier), &["earlier", "back", "backward", "backwards"]),
    (Word::Amount(HAIR), &["a hair", "a touch", "a tad", "a smidge", "a smidgen", "a dash"]),
    (Word::Amount(BIT), &[
        "a bit", "a little", "a little bit", "slightly", "somewhat", "a wee bit", "a tiny bit",
    ]),
    (Word::Amount(LOT), &["a lot", "much", "way", "considerably", "lots", "far", "significantly"]),
    (Word::Factor(TWICE), &["twice as loud", "double the loudness of", "two times as loud"]),
    (Word::Factor(-TWICE), &["half as loud", "half the loudness"]),
    // Standards.
    (Word::Standard(BROADCAST), &[
        "broadcast", "ebu", "r128", "ebu r128", "r 128", "ebu r 128", "broadcasting", "tv",
        "european broadcast", "ebu broadcast",
    ]),
    (Word::Standard(ATSC), &[
        "atsc", "a85", "us broadcast", "american broadcast", "us tv", "atsc a 85",
    ]),
    (Word::Standard(STREAMING), &[
        "streaming", "spotify", "youtube", "tidal", "streaming services", "streaming platforms",
    ]),
    (Word::Standard(PODCAST), &["podcasts", "podcasting", "apple podcasts", "apple music"]),
    // Pan.
    (Word::Side(Side::Left), &["left", "to the left", "on the left", "leftwards"]),
    (Word::Side(Side::Right), &["right", "to the right", "on the right", "rightwards"]),
    (Word::Side(Side::Center), &[
        "center", "centre", "middle", "centered", "to the center", "to the centre", "to the middle",
        "in the middle", "in the center", "dead center", "up the middle",
    ]),
    (Word::Extent(1.0), &["hard", "fully", "all the way", "completely", "full", "far to the"]),
    (Word::Extent(0.5), &["halfway", "half way"]),
    (Word::Off, &["off", "off of"]),
    (Word::Times(2), &["twice"]),
    // Questions.
    (Word::Ask(Ask::What), &[
        "what", "which", "whats", "is", "are", "who", "does", "do any", "is anything",
        "is there any", "are any", "are there any", "does anything", "what are", "what is",
    ]),
    (Word::Ask(Ask::HowLoud), &["how loud", "how quiet", "how hot"]),
    (Word::Ask(Ask::HowMany), &["how many", "count"]),
    (Word::Ask(Ask::HowLong), &["how long"]),
    (Word::Ask(Ask::Where), &["where", "when does", "when do", "how"]),
    (Word::Ask(Ask::Show), &[
        "show", "show me", "list", "list me", "tell me", "print", "give me a list of", "list all",
        "show me all",
    ]),
    (Word::Ask(Ask::Measure), &[
        "measure", "analyze", "analyse", "meter the", "check the level of", "check the loudness of",
        "check the levels of",
    ]),
    (Word::Ask(Ask::History), &[
        "what did you just do", "what did you do", "what changed", "what has changed",
        "what have you done", "what was the last change", "what did i just do", "what did i do",
        "show me the history", "show the history", "history", "what just happened",
        "what did i change", "what did i do last", "what did you change", "what changed last",
        "what was the last step", "what was the last edit", "what was the last thing i did",
    ]),
    (Word::Ask(Ask::Help), &[
        "help", "what can you do", "what can i say", "what can i ask", "help me", "what do you do",
        "what are you able to do",
    ]),
    (Word::Ask(Ask::Other), &[
        "why", "should i", "should we", "when", "do you", "can i", "could i", "would it",
        "have you", "did you", "was", "were",
    ]),
    (Word::Rank(Top::Loudest), &["loudest", "the loudest"]),
    (Word::Rank(Top::Quietest), &["quietest", "softest", "the quietest"]),
    (Word::Rank(Top::Highest), &["highest", "hottest", "the highest", "most"]),
    (Word::Rank(Top::Lowest), &["lowest", "the lowest"]),
    (Word::Be, &["am", "be at", "there", "does it"]),
];

/// Color names and their values.
pub(crate) const COLORS: &[(&str, &str)] = &[
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

//! What is wrong, or wanted, in words that name no edit: "the guest is too quiet", "make it brighter". Nothing is
//! guessed: what would help is offered, each to be said as it stands.

use super::Job;
use super::pattern::Pattern;
use super::said::{Built, Said};
use crate::lexer::{Token, TokenKind};
use crate::resolve::{Trouble, Want};
use deskhand_session::{ObjectId, Session};
use std::sync::LazyLock;

/// Of how many tracks something is offered where it is not said of which.
const FIRST: usize = 3;

/// Words for what is wrong, and what helps; NAME stands for what it is said of.
// tidy: table
const FLAWS: [(&[&str], &[&str]); 11] = [
    (
        &[
            "quiet", "low", "soft", "silent", "weak", "faint", "buried", "lost", "hidden",
            "far away",
        ],
        &["turn NAME up by 3 dB", "normalize NAME to -16 LUFS"],
    ),
    (
        &["loud", "hot", "high", "in your face", "prominent"],
        &["turn NAME down by 3 dB", "normalize NAME to -16 LUFS"],
    ),
    (&["noisy", "hissy", "dirty", "grainy"], &["denoise NAME", "find problems in NAME"]),
    (
        &[
            "boomy", "muddy", "rumbly", "bassy", "thick", "boxy", "woolly", "dark", "muffled",
            "dull",
        ],
        &[
            "high-pass NAME at 80 Hz",
            "cut the mud on NAME by 3 dB",
            "boost the highs on NAME by 2 dB",
            "balance the eq of NAME",
        ],
    ),
    (
        &["harsh", "sharp", "bright", "tinny", "piercing", "shrill"],
        &["cut the highs on NAME by 2 dB", "balance the eq of NAME"],
    ),
    (&["sibilant", "essy", "spitty"], &["de-ess NAME"]),
    (&["thin", "small", "hollow"], &["boost the lows on NAME by 2 dB"]),
    (
        &["uneven", "jumpy", "dynamic", "inconsistent", "unbalanced", "all over the place"],
        &["level out NAME", "compress NAME 3:1"],
    ),
    (&["distorted", "clipped", "crackly", "clicky"], &["find problems in NAME"]),
    (&["slow", "long", "boring", "rambling"], &["tighten NAME", "strip silence from NAME"]),
    (&["wide", "far left", "far right", "narrow"], &["center NAME", "pan NAME 30% left"]),
];

/// Words for what is wanted.
const WISHES: [(&[&str], &[&str]); 7] = [
    (
        &[
            "bright", "brighter", "crisp", "crisper", "clear", "clearer", "airy", "airier",
            "sparkle", "presence", "clarity", "air",
        ],
        &["boost the highs on NAME by 2 dB", "high-pass NAME at 80 Hz"],
    ),
    (
        &["warm", "warmer", "warmth", "full", "fuller", "fat", "fatter", "body", "bass", "thicker"],
        &["boost the lows on NAME by 2 dB"],
    ),
    (
        &["dark", "darker", "mellow", "mellower", "smooth", "smoother"],
        &["cut the highs on NAME by 2 dB"],
    ),
    (
        &[
            "punchy",
            "punchier",
            "punch",
            "pop",
            "shine",
            "hit harder",
            "powerful",
            "dense",
            "denser",
            "energy",
        ],
        &["compress NAME 4:1", "turn NAME up by 1 dB"],
    ),
    (&["clean", "cleaner"], &["denoise NAME", "high-pass NAME at 80 Hz"]),
    (
        &["wide", "wider", "width", "spacious", "narrow", "narrower"],
        &["pan NAME 30% left", "center NAME"],
    ),
    (
        &["professional", "better", "nicer", "good", "great"],
        &["level out NAME", "normalize NAME to -16 LUFS", "make a rough mix"],
    ),
];

/// What is heard and should not be.
const NUISANCES: [(&[&str], &[&str]); 7] = [
    (&["hum", "buzz", "mains hum", "ground hum"], &["remove the hum from NAME"]),
    (&["noise", "hiss", "background noise", "room noise"], &["denoise NAME"]),
    (&["bleed", "spill", "crosstalk"], &["reduce the bleed on NAME"]),
    (
        &["clicks", "click", "pops", "pop", "dropouts", "distortion", "clipping"],
        &["find problems in NAME"],
    ),
    (&["rumble", "wind"], &["high-pass NAME at 80 Hz"]),
    (&["silence", "pauses", "long pauses", "gaps"], &["strip silence from NAME", "tighten NAME"]),
    (&["ums", "uhs", "fillers", "filler words"], &["cut the ums in NAME"]),
];

/// A list of words with what helps.
type List = &'static [(&'static [&'static str], &'static [&'static str])];

fn list(slot: &str) -> List {
    match slot {
        "wish" => &WISHES,
        "nuisance" => &NUISANCES,
        _ => &FLAWS,
    }
}

fn helps(slot: &str, words: &str) -> Option<&'static [&'static str]> {
    list(slot).iter().find(|(known, _)| known.contains(&words)).map(|(_, helps)| *helps)
}

/// Whether tokens say one of the words of a slot.
pub(super) fn is_known(slot: &str, tokens: &[Token]) -> bool {
    let words: Vec<_> = tokens.iter().map(|token| token.word().unwrap_or("?")).collect();
    helps(slot, &words.join(" ")).is_some()
}

/// What is wrong with what was spoken of, as the reason of a wish.
static REMARK: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::read(
        "[because|since|as] it|they|he|she|that|this is|are|was|were|sounds|sound|seems|feels \
         [a_bit|a_little|way|much|far|just|really|very|still|so|quite] too? {flaw}",
    )
});

/// Whether tokens are such a reason, and nothing else.
pub(super) fn is_remark(tokens: &[Token]) -> bool {
    let is_stop = |token: &Token| token.kind == TokenKind::Stop;
    let end = tokens.iter().rposition(|token| !is_stop(token)).map_or(0, |at| at + 1);
    let said = tokens.get(..end).unwrap_or_default();
    REMARK.fit(said, &is_known).is_some()
}

/// What would help, said of what it is about; where that is only pointed at, by the names of what is selected, or of
/// the first tracks.
pub(super) fn answer(slot: &'static str, said: &Said<'_>) -> Built {
    let (names, single) = (meant(said), one_by_one(said));
    let word = said.text(slot).unwrap_or_default();
    let helps = helps(slot, &word.to_lowercase()).unwrap_or_default();
    let say = |help: &&str| -> Vec<String> {
        let is_for_one = FOR_ONE.iter().any(|verb| help.starts_with(verb));
        let names = if is_for_one { &single } else { &names };
        names.iter().map(|name| help.replace("NAME", name)).collect()
    };
    let offers = helps.iter().flat_map(say);
    Err(Trouble::not_understood("that names no edit; this might help", offers))
}

/// How help begins that puts a processor on one track.
const FOR_ONE: [&str; 6] =
    ["boost ", "cut the highs ", "cut the mud ", "high-pass ", "compress ", "de-ess "];

/// The names of the first of several that are meant, else as they are meant.
fn one_by_one(said: &Said<'_>) -> Vec<String> {
    match said.sound("on", Want::Sound) {
        Ok(Some(found)) if found.ids.len() > 1 => names_of(&found.ids, said.session()),
        _ => meant(said),
    }
}

/// Words for all that is heard, where no track is called so.
const VAGUE: [&str; 9] = [
    "the voice",
    "the voices",
    "my voice",
    "the speech",
    "the talking",
    "the sound",
    "the audio",
    "the recording",
    "the recordings",
];

/// What it is about, by the words for it or by name.
pub(super) fn meant(said: &Said<'_>) -> Vec<String> {
    let name = said.text("on").unwrap_or_else(|| "it".into());
    let found = said.sound("on", Want::Sound);
    let is_pointed = match name.to_lowercase().as_str() {
        "it" | "this" | "that" | "them" => true,
        other => found.is_err() && VAGUE.contains(&other),
    };
    match (is_pointed, found) {
        (false, _) => vec![name],
        (true, Ok(Some(found))) => names_of(&found.ids, said.session()),
        (true, Ok(None) | Err(_)) => {
            said.context.scope.track_names().into_iter().take(FIRST).collect()
        }
    }
}

/// The names of the first of these, each clip with that of its track: some of what helps is for a track alone.
fn names_of(ids: &[ObjectId], session: &Session) -> Vec<String> {
    let mut names = Vec::new();
    for id in ids.iter().take(FIRST) {
        let track = session.track_of(*id).map(ObjectId::from);
        for name in [Some(*id), track].into_iter().flatten().map(|id| session.name_of(id)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// What is done elsewhere, or not at all.
pub(super) fn elsewhere(job: Job, said: &Said<'_>) -> Built {
    let reason = match job {
        Job::Recording => {
            "recording is started in the window: R on the header of a track, then the record button"
        }
        Job::Saving => "every step is stored as it is taken, so there is nothing to save",
        Job::NotMade => "Deskhand changes no speed, pitch or direction of recordings",
        Job::StemFiles => {
            "tracks are written as files of their own by `deskhand render DIR mix.wav --stems FOLDER`; \
             here one after another is soloed and exported"
        }
        Job::NeedsModel => {
            "that takes a model that reads: name one in the configuration, and ask it with --provider"
        }
        _ => "views are opened, moved and closed in the window; its key ? lists how",
    };
    let tracks = said.context.scope.track_names();
    let solos = tracks.into_iter().take(FIRST).map(|name| format!("solo {name}"));
    let offers = match job {
        Job::StemFiles => solos.chain(["export the mix".to_owned()]).collect(),
        _ => vec!["help".to_owned()],
    };
    Err(Trouble::new(reason, offers))
}

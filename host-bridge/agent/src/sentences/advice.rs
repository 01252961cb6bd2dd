//! Wishes that people have and no tool does: each is answered with why, and with what there is.

use super::complaints::meant;
use super::said::{Built, Said};
use crate::resolve::Trouble;

/// What is wished for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    ExportAlone,
    BySpeaker,
    AtPauses,
    LoopNamed,
    MarkQuestions,
    Chapters,
    MarkHere,
    SplitHere,
    EquallyLoud,
    HowLoud,
    LouderThan,
    SoundLike,
    Sends,
    NotCleaned,
    Repairs,
    Phase,
    Width,
    Compare,
    Joins,
    Automate,
    ResetFaders,
    Bars,
    PlayAlone,
    MasterHow,
    ExportCodesHow,
    CodeHow,
    Older,
}

/// Why, and what can be said instead. NAME stands for what the wish is about, or everything; OTHER for what that is held
/// against; TEXT for words of the wish; FIRST and SECOND for the first two tracks.
// tidy: table
#[rustfmt::skip]
const TOLD: &[(Advice, &str, &[&str])] = &[
    (
        Advice::ExportAlone,
        "a mix is written as it plays: solo what is meant and export that, or write each track with \
         `deskhand render DIR mix.wav --stems FOLDER`",
        &["solo NAME", "export the mix"],
    ),
    (
        Advice::BySpeaker,
        "nothing is split by who speaks: the speakers are marked, and talk is laid out by its phrases",
        &["mark the speakers", "who speaks when?", "find the phrases in NAME", "find the phrases"],
    ),
    (
        Advice::AtPauses,
        "clips are split at a time; pauses are stripped or shortened, and talk is laid out by its phrases",
        &["strip silence from NAME", "shorten the pauses", "find the phrases"],
    ),
    (
        Advice::LoopNamed,
        "\"TEXT\" is no stretch of time here: a marker with a length is one",
        &["loop from 0:10 to 0:20", "add a marker from 0:10 to 0:20 called TEXT", "stop looping"],
    ),
    (
        Advice::MarkQuestions,
        "markers are put on hits, beats and sections; what is asked is coded where it is written down",
        &["code every question as Question", "transcribe everything"],
    ),
    (
        Advice::Chapters,
        "a chapter is a marker with a name; the file of a mix has them where it is exported with chapters",
        &["add a chapter at 0:10 called Opening", "mark the sections of everything", "export an mp3 for podcast with chapters"],
    ),
    (Advice::MarkHere, "words do not say where the player stands: say the time", &["add a marker at 0:10 called Here"]),
    (Advice::SplitHere, "words do not say where the player stands: say the time", &["split take 2 at 0:10"]),
    (
        Advice::EquallyLoud,
        "it does not say how loud: all are brought to one loudness, or one to that of another",
        &["normalize NAME to -16 LUFS", "normalize everything to -16 LUFS", "match SECOND to FIRST", "level out everything"],
    ),
    (
        Advice::HowLoud,
        "it does not say how loud",
        &["normalize NAME to -14 LUFS", "turn NAME up by 3 dB", "master the mix for streaming"],
    ),
    (
        Advice::LouderThan,
        "one is brought to the loudness of another, and from there by so many dB",
        &["match NAME to OTHER", "turn NAME up by 3 dB", "turn NAME down by 3 dB"],
    ),
    (
        Advice::SoundLike,
        "one is brought to the loudness of another, not to its tone",
        &["match NAME to OTHER", "balance the eq of NAME"],
    ),
    (
        Advice::Sends,
        "a send is not among the things Deskhand can do; a track plays to one output",
        &["add a bus called Reverb", "route NAME to the master"],
    ),
    (
        Advice::NotCleaned,
        "Deskhand takes noise, hum, bleed and pauses out of recordings, and takes no reverberation or breaths out, nor what \
         else mouths do",
        &["denoise everything", "cut the long pauses", "find problems in everything"],
    ),
    (
        Advice::Repairs,
        "clicks, dropouts and distortion are found and not repaired; at the edges of clips fades take clicks away",
        &["find problems in NAME", "add 10 ms fades to all clips"],
    ),
    (
        Advice::Phase,
        "polarity is not turned here: recordings of one sound are moved until they line up",
        &["align SECOND to FIRST"],
    ),
    (Advice::Width, "the width of a recording stays as it is; each track has its place", &["pan NAME 30% left", "center NAME"]),
    (
        Advice::Compare,
        "recordings are compared by what is measured of each",
        &["how loud is NAME?", "how loud is OTHER?", "analyze the spectrum of NAME", "match NAME to OTHER"],
    ),
    (
        Advice::Joins,
        "clips are not glued to one; what was split is whole again by undo, and clips that overlap are crossfaded",
        &["undo", "crossfade all overlaps"],
    ),
    (
        Advice::Automate,
        "it does not say from when to when, and by how much",
        &["turn NAME down by 6 dB from 0:10 to 0:20", "turn NAME up by 3 dB from 0:10 to 0:20"],
    ),
    (Advice::ResetFaders, "it does not say to what", &["set all the faders to zero", "center everything", "unmute everything"]),
    (
        Advice::Bars,
        "a place is said as a time, not in bars or beats",
        &["play from 0:10", "loop from 0:10 to 0:20", "move NAME to 0:10", "split NAME at 0:10"],
    ),
    (Advice::PlayAlone, "hearing only some tracks is solo", &["solo NAME", "play"]),
    (
        Advice::MasterHow,
        "it does not say for which delivery",
        &["master the mix for streaming", "master the mix for podcasts", "master the mix for broadcast", "master the mix for cd"],
    ),
    (
        Advice::ExportCodesHow,
        "it does not say as what",
        &["export the codes as csv", "export all codings as csv", "export the codebook", "export the codes as a refi-qda project"],
    ),
    (
        Advice::CodeHow,
        "it does not say what with which code",
        &["code every \"price\" as Money", "code 0:10 to 0:20 as Laughter", "mark everything about money as Budget"],
    ),
    (
        Advice::Older,
        "undo takes back one step after another, and a copy of the session is a session of its own",
        &["undo", "undo the last two changes", "what did you just do?", "save a copy as tonight"],
    ),
];

/// What is offered where nothing else is.
const HELP: &[&str] = &["help"];

/// Why not, and what can be said instead.
pub(super) fn told(advice: Advice, said: &Said<'_>) -> Built {
    let row = TOLD.iter().find(|(known, ..)| *known == advice);
    let reason = row.map_or("there is no tool for it", |(_, reason, _)| *reason);
    let offers = row.map_or(HELP, |(.., offers)| *offers);
    let names = match said.tokens("on") {
        Some(_) => meant(said),
        None => vec!["everything".to_owned()],
    };
    let tracks = said.context.scope.track_names();
    let fits = |offer: &&&str| tracks.len() > 1 || !offer.contains("SECOND");
    let filled = |offer: &str| -> Vec<String> {
        names.iter().map(|name| fill(offer, name, &tracks, said)).collect()
    };
    let text = said.text("text").unwrap_or_default();
    let offers = offers.iter().filter(fits).flat_map(|offer| filled(offer));
    Err(Trouble::new(reason.replace("TEXT", &text), offers))
}

/// An offer with the names of this session.
fn fill(offer: &str, name: &str, tracks: &[String], said: &Said<'_>) -> String {
    let track = |at: usize| tracks.get(at).map_or("everything", String::as_str);
    offer
        .replace("OTHER", &said.text("ref").unwrap_or_default())
        .replace("TEXT", &said.text("text").unwrap_or_default())
        .replace("FIRST", track(0))
        .replace("SECOND", track(1))
        .replace("NAME", name)
}

//! Wishes that people have and no tool does: each is answered with why, and with what there is.

use super::complaints::meant;
use super::said::{Built, Said};
use crate::resolve::{Trouble, Want};
use crate::times::clock_text;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ObjectId};

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
    BarsEdit,
    PlayAlone,
    TakenOut,
    Forward,
    Back,
    SitsIn,
    Sibilance,
    NotHeard,
    Repeats,
    MuteRange,
    EdgeSilence,
    ResetFader,
    CodeOrPhrase,
    MasterHow,
    ExportCodesHow,
    CodeHow,
    CodeSpectral,
    Older,
    TopOf,
    OnlyVoice,
    VoiceGone,
    InsertTime,
    NewBus,
    BusWith,
    MarkSaid,
    Decide,
    ShortenTo,
    MemoHow,
}

/// Why, and what can be said instead. NAME stands for what the wish is about, or everything; OTHER for what that is held
/// against; TEXT for words of the wish; CODE for a code; VOICE for who speaks; ABOUT for a phrase or a code; BEGIN and END
/// for times and LEN for a length; FIRST and SECOND for the first two tracks.
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
    (Advice::SplitHere, "words do not say where the player stands: say the time", &["split NAME at 0:10"]),
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
        "a track is inverted only if it is the inverted one of a pair; recordings of one sound are moved until they line up",
        &["align SECOND to FIRST", "check the polarity"],
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
        &["crossfade all overlaps", "group NAME"],
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
        &["play from 0:10", "loop from 0:10 to 0:20"],
    ),
    (Advice::BarsEdit, "a place is said as a time, not in bars or beats", &["move NAME to 0:10", "split NAME at 0:10"]),
    (Advice::PlayAlone, "hearing only some tracks is solo", &["solo NAME", "play"]),
    (Advice::TakenOut, "it does not say whether it is muted or removed", &["mute NAME", "remove NAME"]),
    (
        Advice::Forward,
        "what is louder, clearer and less covered seems nearer",
        &["turn NAME up by 2 dB", "make room for NAME", "compress NAME 3:1"],
    ),
    (
        Advice::Back,
        "what is quieter and duller seems farther away",
        &["turn NAME down by 2 dB", "cut the highs on NAME by 2 dB"],
    ),
    (
        Advice::SitsIn,
        "that names no edit; this might help",
        &["make room for NAME", "compress NAME 3:1", "level out NAME"],
    ),
    (Advice::Sibilance, "a de-esser on a track takes it down", &["de-ess NAME"]),
    (Advice::NotHeard, "that names no edit; this might help", &["turn NAME up by 3 dB", "unmute NAME", "solo NAME"]),
    (Advice::Repeats, "no step is repeated by itself: say it again", &["what did you just do?", "loop the selection"]),
    (
        Advice::MuteRange,
        "mute is for a whole track; for a while one is turned down",
        &["turn NAME down by 60 dB from BEGIN to END"],
    ),
    (
        Advice::EdgeSilence,
        "silence is stripped from the whole of a recording, and a clip is trimmed by a time",
        &["strip silence from NAME", "trim the first 2 seconds off NAME", "trim the last 2 seconds off NAME"],
    ),
    (Advice::ResetFader, "it does not say to what", &["set NAME to 0 dB", "set all the faders to zero"]),
    (
        Advice::CodeOrPhrase,
        "\"CODE\" is a code: it is removed as one, and a phrase by what it says",
        &["remove the code CODE", "remove the phrase about CODE"],
    ),
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
        Advice::CodeSpectral,
        "a part of the spectrogram is coded where it is drawn: in the window of the recording",
        &["show the spectrogram of NAME", "code 0:10 to 0:20 as CODE"],
    ),
    (
        Advice::TopOf,
        "it does not say whether the track moves in the list, or its clips in time",
        &["move NAME to the top of the list", "move NAME to the bottom of the list", "move NAME to the start"],
    ),
    (
        Advice::OnlyVoice,
        "it does not say whether what others say leaves the edit, or is only not heard",
        &["keep only what VOICE says", "solo VOICE", "show the phrases"],
    ),
    (
        Advice::VoiceGone,
        "that is who speaks, and no track is called so: phrases leave the edit, and tracks are muted",
        &["remove everything VOICE says", "mute VOICE", "who speaks when?"],
    ),
    (
        Advice::InsertTime,
        "time is put in on tracks, and what follows moves back: it does not say on which",
        &["ripple insert LEN at BEGIN on all tracks"],
    ),
    (Advice::NewBus, "a bus is made first, and played to then", &["route NAME to TEXT", "add a bus called TEXT"]),
    (
        Advice::BusWith,
        "a bus is made first, and tracks are routed to it then",
        &["route NAME to the TEXT bus", "add a bus called TEXT bus"],
    ),
    (
        Advice::MarkSaid,
        "a marker is put at a time: a search tells when something is said, and what is said is coded",
        &["search for \"TEXT\"", "code every \"TEXT\" as Place"],
    ),
    (
        Advice::Decide,
        "a plan is taken or left where it is shown: in the window, or with `deskhand apply` and `deskhand reject`",
        &["what did you just do?", "undo"],
    ),
    (
        Advice::ShortenTo,
        "it does not say whether it ends there, or what of it is left out",
        &["trim NAME to end at BEGIN"],
    ),
    (Advice::MemoHow, "it does not say what the memo is", &["write a memo on ABOUT: ask again"]),
    (
        Advice::Older,
        "undo takes back one step after another, and a copy of the session is a session of its own",
        &["undo", "undo the last two changes", "what did you just do?", "save a copy as tonight"],
    ),
];

/// What is offered where nothing else is.
const HELP: &[&str] = &["help"];

/// Whether it is about what is named, which must be here: these take any words.
fn needs_name(advice: Advice) -> bool {
    matches!(advice, Advice::ExportAlone | Advice::PlayAlone | Advice::TakenOut | Advice::TopOf)
}

/// Why not, and what can be said instead.
pub(super) fn told(advice: Advice, said: &Said<'_>) -> Built {
    if needs_name(advice) {
        said.sound("on", Want::Any)?;
    }
    if advice == Advice::LoopNamed
        && let Ok(Some(found)) = said.sound("text", Want::Clips)
    {
        return Err(loop_or_copy(said, &found.ids));
    }
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
    let code = said.text("known").unwrap_or_default();
    let offers = offers.iter().filter(fits).flat_map(|offer| filled(offer));
    Err(Trouble::new(reason.replace("TEXT", &text).replace("CODE", &code), offers))
}

/// "loop the drums": where they play, or a copy of them.
fn loop_or_copy(said: &Said<'_>, ids: &[ObjectId]) -> Trouble {
    let session = said.session();
    let clip = |id: &ObjectId| match id {
        ObjectId::Clip(id) => session.clips.get(id),
        _ => None,
    };
    let clips: Vec<&Clip> = ids.iter().filter_map(clip).collect();
    let shown = |at: Frames| clock_text(at.seconds(session.rate).0);
    let start = clips.iter().map(|clip| clip.position).min().map(shown).unwrap_or_default();
    let end = clips.iter().map(|clip| clip.end()).max().map(shown).unwrap_or_default();
    let text = said.text("text").unwrap_or_default();
    Trouble::new(
        "it does not say whether it is played again and again, or copied",
        [format!("loop from {start} to {end}"), format!("duplicate {text}")],
    )
}

/// The phrase or the code that is spoken of.
fn about(said: &Said<'_>) -> String {
    let phrase = said.text("nth").map(|number| format!("phrase {number}"));
    phrase.or_else(|| said.text("known")).unwrap_or_default()
}

/// An offer with the names of this session.
fn fill(offer: &str, name: &str, tracks: &[String], said: &Said<'_>) -> String {
    let track = |at: usize| tracks.get(at).map_or("everything", String::as_str);
    let text = |slot: &str| said.text(slot).unwrap_or_default();
    offer
        .replace("BEGIN", &text("from"))
        .replace("END", &text("to"))
        .replace("ABOUT", &about(said))
        .replace("VOICE", &text("stranger"))
        .replace("LEN", &text("len"))
        .replace("CODE", &said.text("code").unwrap_or_else(|| text("known")))
        .replace("OTHER", &text("ref"))
        .replace("TEXT", &text("text"))
        .replace("FIRST", track(0))
        .replace("SECOND", track(1))
        .replace("NAME", name)
        // A bus may be called one: "the drum bus".
        .replace(" bus bus", " bus")
}

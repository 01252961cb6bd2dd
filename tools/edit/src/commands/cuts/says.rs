//! How people ask for splits, trims and fades of clips.

use deskhand_session::intent::{Intent, Kinds, Slot};

/// "out over three": numbers without a unit up to this are seconds.
const LONGEST_BARE_S: f64 = 60.0;

/// How people ask for fades of single clips: of a track, the first clip fades in and the last one out.
// tidy: table
pub(super) fn fades() -> [Intent; 14] {
    let slot = |param: &str, noun: &str| Slot::of(param).nouns(noun);
    let fade = || Intent::default().also("fade | add | give | put | make | set");
    let (fade_in, fade_out) = (slot("fade_in_ms", "fade in"), slot("fade_out_ms", "fade out"));
    let both = slot("fade_in_ms | fade_out_ms", "fade both");
    let first = fade_in.clone().preps("over first");
    let last = fade_out.clone().preps("over last");
    // "fade out at the end over 3 seconds": what is heard last, of all or of what is named.
    let over = |param: &str| Slot::of(param).preps("over | for | -");
    let at_end = |it: Intent| it.needs("fade_out_ms").on_or_to(Kinds::Closing);
    let outer = |it: Intent, way: &str, edge: &str| {
        let it = it.about(&format!("{edge} | at:{edge} | to:{edge}"));
        let kinds = if way == "in" { Kinds::Opening } else { Kinds::Closing };
        let example = format!("fade {way} at the {edge} over 2 seconds");
        let it = it.needs(&format!("fade_{way}_ms")).on_or_to(kinds);
        it.lacks("it does not say how long the fade is", &example)
    };
    let lacks = |intent: Intent| {
        intent.needs("fade_in_ms").on_or_to(Kinds::ClipOfTrack).lacks(
            "it does not say how long each fade is",
            "fade in take 1 over 2 seconds | fade out take 1 over 2 seconds",
        )
    };
    [
        fade().slot(first).needs("fade_in_ms").on_or_to(Kinds::FirstClip),
        fade().slot(last).needs("fade_out_ms").on_or_to(Kinds::LastClip),
        lacks(fade().about("fade in | fade out | fade both")),
        lacks(Intent::verbs("fade").also("in | out")),
        outer(fade().also("fade in | in").slot(over("fade_in_ms")), "in", "start"),
        outer(fade().also("fade out | out").slot(over("fade_out_ms")), "out", "end"),
        outer(fade().slot(fade_in.clone()), "in", "start"),
        outer(fade().slot(fade_out.clone()), "out", "end"),
        at_end(fade().about("out | fade out").slot(Slot::of("fade_out_ms").nouns("last"))),
        fade()
            .slot(fade_in.clone().bare(0.0, LONGEST_BARE_S))
            .slot(fade_out.clone().bare(0.0, LONGEST_BARE_S))
            .needs("fade_in_ms")
            .needs("fade_out_ms")
            .on_or_to(Kinds::ClipOfTrack),
        fade().slot(fade_in.clone()).needs("fade_in_ms").on_or_to(Kinds::FirstClip),
        fade().slot(fade_out.clone()).needs("fade_out_ms").on_or_to(Kinds::LastClip),
        fade().slot(fade_in).slot(fade_out).needs("fade_in_ms").on_or_to(Kinds::ClipOfTrack),
        fade().slot(both).needs("fade_in_ms").on_or_to(Kinds::ClipOfTrack),
    ]
}

/// How people say where to split. Much else can be cut, and is asked for first.
pub(super) fn splits() -> [Intent; 2] {
    let split = || Intent::verbs("split | cut").also("in two | moment").needs("at_s");
    [
        split().slot(Slot::place("at_s").preps("at | -")).on(Kinds::ClipAtPlace),
        split().on(Kinds::Sound).last().lacks(
            "it does not say where to cut, or by how much",
            "split take 2 at 0:45 | turn the bass down by 3 dB | mute the bass",
        ),
    ]
}

/// How people say where clips start or end.
pub(super) fn edges() -> [Intent; 8] {
    let trim = || Intent::verbs("trim").on(Kinds::ClipOfTrack);
    let edge = |edge: &str, preps: &str| {
        let (param, noun) = (format!("{edge}_s"), if preps == "at" { "to:" } else { "" });
        let slot = Slot::place(&param).preps(preps);
        trim().about(&format!("{noun}{edge}")).also("back | moment").slot(slot).needs(&param)
    };
    let (from, until) = (Slot::place("start_s").preps("from"), Slot::place("end_s"));
    let from_to = trim().slot(Slot::place("start_s").preps("to | from"));
    let off = |param: &str, noun: &str, kinds: Kinds| {
        let it = Intent::verbs("trim | cut | remove | drop | take+off").also("off | out");
        let it = it.slot(Slot::of(param).nouns(noun)).needs(param).only_named();
        it.named("targets", "- | of | from | on", kinds)
    };
    [
        edge("start", "to | at"),
        edge("end", "to | at"),
        edge("start", "at"),
        edge("end", "at"),
        from_to.slot(Slot::place("end_s").preps("until | to")).needs("start_s").needs("end_s"),
        off("start_by_s", "first", Kinds::FirstClip),
        off("end_by_s", "last", Kinds::LastClip),
        trim().slot(from).slot(until.preps("to | until")).needs("start_s | end_s").lacks(
            "it does not say where the clip starts or ends",
            "trim take 1 from 5 seconds to 20 seconds | trim take 1 to end at 0:20",
        ),
    ]
}

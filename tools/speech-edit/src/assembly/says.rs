//! How people ask for phrases: in another order, out of the edit, back into it, and which there are.

use deskhand_session::intent::{Intent, Kinds, Slot, TextKind};

const PHRASES: &str = "group_ids";
/// The edit, where it is only the place of phrases.
const IN_EDIT: &str =
    "of:whole edit | in:whole edit | from:whole edit | of:production | in:production";
/// Phrases and all of the edit, where they say what is put in order.
const ALL: &str =
    "phrase | sentence | whole edit | of:phrase | of:sentence | of:whole edit | every";
const BESIDE: [&str; 2] = ["before", "after"];

/// `tool_reorder_segments`.
// tidy: table
pub(super) fn reorder() -> Vec<Intent> {
    let put = "put | play | have | want | hear | belong | should come | make | move | bring | take | use | push";
    let mut says = vec![
        phrases(Intent::verbs(put))
            .said("place", "- | to | at | in | as", TextKind::Place)
            .needs("place")
            .also(IN_EDIT),
        at_end(Intent::verbs("start with | display | start")).sets("place", 1),
        at_end(Intent::verbs("end with | end")).sets("place", -1),
        phrases(Intent::verbs("put | move | use | play"))
            .said("between", "between", TextKind::Phrases)
            .needs("between"),
        up_or_down(Intent::verbs("move | put")).also("mention | position | step"),
        up_or_down(Intent::verbs("push | bring | take | nudge")).about("mention | position | step"),
        phrases(Intent::verbs("swap")).flag("next", "by", 1).flag("previous", "by", -1).needs("by"),
        swapped().needs(PHRASES),
        swapped().said(PHRASES, "with | for", TextKind::Phrases).needs(PHRASES),
        listed(
            Intent::verbs("order | put | play | set | make | change").also("create | order | is"),
        ),
        known(Intent::verbs(
            "order | restore | seek | put | bring | set | reset | get | use | move | play",
        ))
        .about("original order | in:original order | to:original order | by:original order")
        .also("back")
        .sets("order", "original"),
        Intent::verbs("reset").about("order").also(ALL).sets("order", "original").in_edit(),
        Intent::verbs("reverse order | in:reverse order")
            .also("put | play")
            .also(ALL)
            .sets("order", "reversed")
            .in_edit(),
        Intent::verbs("reverse")
            .about("phrase | sentence | whole edit")
            .also(ALL)
            .sets("order", "reversed")
            .in_edit(),
        Intent::verbs("reverse")
            .also("order")
            .said(PHRASES, "- | of", TextKind::OnlyPhrases)
            .needs(PHRASES)
            .sets("order", "reversed"),
    ];
    says.extend(BESIDE.map(|beside| {
        let moved = phrases(Intent::verbs(
            "put | move | play | belong | should come | want | hear | make | use",
        ));
        moved.said(beside, beside, TextKind::Phrase).needs(beside)
    }));
    says
}

/// Phrases that move.
fn phrases(intent: Intent) -> Intent {
    intent.said(PHRASES, "-", TextKind::Phrases).needs(PHRASES)
}

/// "open the show with the money sentence".
fn at_end(intent: Intent) -> Intent {
    let intent = intent.also("production | whole edit").needs(PHRASES);
    intent.said(PHRASES, "- | with | on", TextKind::Phrases)
}

/// "move phrase 2 two places down"; "move the guitar up" is about its level, whoever says "the guitar".
fn up_or_down(intent: Intent) -> Intent {
    let by = Slot::of("by").preps("- | by").bare(0.0, 1000.0);
    let by = by.signed_by("later | down", "earlier | up").unsaid(1.0);
    intent.said(PHRASES, "-", TextKind::OnlyPhrases).needs(PHRASES).slot(by).needs("by")
}

fn swapped() -> Intent {
    Intent::verbs("swap")
        .also("around | order | belong | mention")
        .said(PHRASES, "- | of", TextKind::Phrases)
        .sets("order", "swapped")
}

/// "new order: 3 1 2 4".
fn listed(intent: Intent) -> Intent {
    known(intent)
        .said("ordered_group_ids", "- | to | as | in | like | in this order", TextKind::PhraseOrder)
        .needs("ordered_group_ids")
}

/// An order of all phrases, which may be "them" or "everything".
fn known(intent: Intent) -> Intent {
    intent.also(ALL).named("session", "- | of", Kinds::AllOfMix).in_edit()
}

/// `tool_remove_segments`.
pub(super) fn remove() -> Vec<Intent> {
    let cut = "remove | cut | drop | leave+out | take+out | cut+out | get+out | no more";
    let only = "keep only | keep+only | leave+only";
    let whole = |verbs: &str| {
        let intent = Intent::verbs(verbs).said(PHRASES, "-", TextKind::WholePhrases);
        intent.also("in | out").also(IN_EDIT).needs(PHRASES)
    };
    let mut says = vec![
        Intent::verbs("remove").also("clip").named(PHRASES, "-", Kinds::Phrases).only_named(),
        whole(cut),
        whole(only).sets("keep", true).in_edit(),
        whole("keep | leave").about("remove rest").sets("keep", true).in_edit(),
        Intent::verbs(only)
            .also("in")
            .also(IN_EDIT)
            .said("speaker", "-", TextKind::OnlySpeaker)
            .needs("speaker")
            .sets("keep", true)
            .in_edit(),
    ];
    for beside in BESIDE {
        let beyond = Intent::verbs(cut)
            .also("out | is | says | belong")
            .said(beside, beside, TextKind::Phrase)
            .needs(beside);
        says.push(beyond.clone().named("session", "-", Kinds::Whole));
        says.push(beyond.about("every+phrase | every+sentence"));
    }
    says
}

/// `tool_restore_segments`.
pub(super) fn restore() -> Vec<Intent> {
    let restore = || Intent::verbs("restore | put+back | bring+back | get+back").also("in | back");
    let removed = || {
        restore()
            .about("removed | remove | cut | drop | take+out | leave+out")
            .also("ask | anyone | is | have | every")
            .in_edit()
    };
    vec![
        restore().said(PHRASES, "-", TextKind::RemovedPhrases).needs(PHRASES),
        restore().named("session", "-", Kinds::Whole).in_edit(),
        removed(),
        removed().named("session", "-", Kinds::Whole),
    ]
}

/// `tool_list_phrases`.
pub(super) fn list() -> Vec<Intent> {
    let asked = "is | ask | does | belong | says | start | play | important | a lot";
    let some = |verbs: &str| {
        let intent = Intent::verbs(verbs).also(asked);
        intent.said(PHRASES, "-", TextKind::OnlyPhrases).needs(PHRASES)
    };
    let mut says = vec![
        some("ask | list | which | read | how long | who | display").also("read"),
        some("where").about("start"),
        // "who says goodbye" looks for the word.
        Intent::verbs("who").said(PHRASES, "says", TextKind::OnlyPhrases).needs(PHRASES).last(),
        Intent::verbs("ask | list | which | read | how many | display")
            .about("phrase | sentence | in:phrase | whole edit | in:whole edit | remaining | order | last | first | next")
            .also(asked)
            .also(ALL)
            .also("in:whole edit | from:whole edit | with times | again | so far | last | first | next | longest | \
                   remaining | order")
            .in_edit(),
        Intent::verbs("list | ask").about("phrase").also("is"),
    ];
    says.extend(BESIDE.map(|beside| {
        let beyond =
            Intent::verbs("ask | which | list | read").also(asked).also("phrase | sentence");
        beyond.said(beside, beside, TextKind::Phrase).needs(beside)
    }));
    says
}

/// `tool_find_phrases`.
pub(super) fn find() -> Vec<Intent> {
    let into = "to:phrase | to:sentence | in:phrase | in:sentence | at:phrase | at:sentence | after:sentence | \
                by:phrase | by:sentence | at:every+phrase | at:every+sentence | after:every+phrase | \
                after:every+sentence";
    [
        Intent::verbs("find | get | make | assemble").about("phrase").also("every | again"),
        Intent::verbs("split | cut | separate").about(into).also("up"),
        Intent::verbs("make | create | start | assemble | do | want | give").about("whole edit"),
        Intent::verbs("assemble"),
    ]
    .map(|intent| {
        intent
            .also("production | in:production | from:production | of:production | with:production | recording")
            .named("targets", "- | on | of | in | for | from | with", Kinds::Sound)
            .or_all()
    })
    .into()
}

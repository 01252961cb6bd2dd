//! What can be asked for and is no tool: questions about the session, undo and redo. It is declared as tools declare how
//! they are asked for, and a call of it is turned into a request.

use super::vocabulary::Sayable;
use crate::draft::Draft;
use crate::reading::{Question, RequestKind};
use crate::resolve::Trouble;
use deskhand_session::Session;
use deskhand_session::intent::{Intent, Kinds, Slot, TextKind};
use serde_json::{Value, json};
use std::sync::LazyLock;

const QUESTION: &str = "question";
const TAKES: &str = "takes";
/// What else may be said of takes.
const OF_TAKES: &str = "anyone | says:anyone | oneself | says | is | have | same | recorded | read | phrase | sentence | several | another | \
                        every | loop | choose | use | in use | again | side by side";
const UNDO: &str = "undo";
const REDO: &str = "redo";

/// Words for what is measured.
const MEASURES: [(&str, &str); 10] = [
    ("true peak | peak | clipping", "true_peak"),
    ("sample peak", "sample_peak"),
    ("rms", "rms"),
    ("loudness range", "loudness_range"),
    ("momentary loudness", "max_momentary"),
    ("short term loudness", "max_short_term"),
    ("noise floor", "noise_floor"),
    ("silence", "silence"),
    ("loudness", "integrated_loudness"),
    ("level", "integrated_loudness"),
];
/// Words for what is listed and counted.
const LISTINGS: [(&str, &str); 5] = [
    ("clip", "clips"),
    ("bus", "buses"),
    ("marker", "markers"),
    ("group", "groups"),
    ("track", "tracks"),
];

static ALL: LazyLock<[Sayable; 3]> = LazyLock::new(|| {
    let steps = json!({"properties": {"steps": {"minimum": 1, "maximum": 20}}});
    [
        sayable(QUESTION, "Answer", questions(), Value::Null),
        sayable(UNDO, "Undo", vec![back(UNDO)], steps.clone()),
        sayable(REDO, "Redo", vec![back(REDO)], steps),
    ]
});

/// Everything that is no tool.
pub(super) fn all() -> &'static [Sayable] {
    &*ALL
}

/// Whether it is a step back or forth, which takes all of a revision.
pub(super) fn is_step(tool: &str) -> bool {
    tool == UNDO || tool == REDO
}

/// What is said of steps that are none: "undo the mute".
pub(super) fn no_step(verb: &str) -> Trouble {
    let last = format!("{verb} the last two changes");
    let reason =
        "steps are taken back and made again one after another, and none out of the middle";
    Trouble::new(reason, [verb, "what did you just do?", &last])
}

/// Whether it can be asked here: of takes only where some are marked, elsewhere they are looked for.
pub(super) fn has_answer(intent: &Intent, session: &Session) -> bool {
    let is_of_takes = intent.sets.iter().any(|(param, value)| param == QUESTION && value == TAKES);
    !is_of_takes || !session.assembly.duplicates.is_empty()
}

/// Whether it changes nothing.
pub(super) fn is_question(tool: &str) -> bool {
    tool == QUESTION
}

/// A call as requests: several for several steps back.
pub(super) fn requests(draft: Draft) -> Vec<Draft> {
    let RequestKind::Call { tool, params } = &draft.kind else { return vec![draft] };
    let step = match tool.as_str() {
        QUESTION => {
            let question = serde_json::from_value::<Question>(params.clone());
            let kind = question.into_iter().map(RequestKind::Question);
            return kind.map(|kind| Draft { kind, targets: draft.targets.clone() }).collect();
        }
        UNDO => RequestKind::Undo,
        REDO => RequestKind::Redo,
        _ => return vec![draft],
    };
    let said = params.get("steps").and_then(Value::as_f64).unwrap_or(1.0);
    let steps = (1..=20).take_while(|step| f64::from(*step) <= said);
    steps.map(|_| Draft { kind: step.clone(), targets: Vec::new() }).collect()
}

fn sayable(tool: &str, title: &str, says: Vec<Intent>, schema: Value) -> Sayable {
    Sayable { tool: tool.into(), title: title.into(), says, schema, is_whole: false }
}

/// "undo twice", "redo the last two changes".
fn back(verb: &str) -> Intent {
    let steps = Slot::of("steps").preps("- | of | by").bare(0.0, 1000.0).value("twice", 2.0);
    Intent::verbs(verb).also("step | last").slot(steps.unsaid(1.0)).only_named()
}

// tidy: table
fn questions() -> Vec<Intent> {
    vec![
        extreme(["loudest", "quietest"], "integrated_loudness"),
        extreme(["highest", "lowest"], "true_peak"),
        measured(asked("how loud | measure", "level"))
            .also("have | podcast | broadcast | streaming | cd")
            .sets("measure", "integrated_loudness"),
        measured(asked("ask | list", "level")).needs("measure"),
        asked("is anything | is it | ask | which", "clipping").about("clipping"),
        asked("does | is anything", "clipping").about("clip | clipping"),
        // "Does the kick clip?" is about the clip of the kick, if it has one.
        clips(Intent::verbs("does").sets(QUESTION, "clipping")),
        asked("is it | which | ask | is anything | list", "state")
            .flag("muted", "state", "muted")
            .flag("soloed", "state", "soloed")
            .needs("state"),
        listed(asked("list | ask | which", "list")),
        asked("list | which", "list").flag("recording", "what", "sources").needs("what"),
        listed(asked("how many", "count")).flag("recording", "what", "sources"),
        clips(Intent::verbs("list | ask").sets(QUESTION, "list")).sets("what", "clips"),
        clips(Intent::verbs("how many").sets(QUESTION, "count")).sets("what", "clips"),
        Intent::verbs("list tracks").sets(QUESTION, "list").sets("what", "tracks"),
        Intent::verbs("list | ask")
            .about("selected")
            .sets(QUESTION, "list")
            .sets("what", "selection"),
        asked("where | ask | list", "setting")
            .flag("pan position", "setting", "pan")
            .flag("fader | gain | volume | clip gain", "setting", "gain")
            .flag("output", "setting", "output")
            .flag("color", "setting", "color")
            .needs("setting"),
        asked("how long", "length"),
        edited("how long"),
        edited("ask | list").about("length"),
        Intent::verbs("ask | list | which | read | how many | is anything")
            .about("removed | remove | cut | drop | leave+out | take+out")
            .also("anyone | is | have | ask | does | so far | every | phrase | sentence | part | from:whole edit")
            .sets(QUESTION, "removed")
            .in_edit(),
        asked("ask | list", "length").about("length"),
        clips(Intent::verbs("where").also("start").sets(QUESTION, "position")),
        Intent::verbs("where")
            .about("start")
            .sets(QUESTION, "position")
            .on(Kinds::ClipOfTrack)
            .only_named(),
        Intent::verbs("where")
            .also("start")
            .sets(QUESTION, "position")
            .named("targets", "-", Kinds::Marker)
            .only_named(),
        Intent::verbs("ask | list").about("tempo").sets(QUESTION, "tempo"),
        Intent::verbs("ask | list").about("meter").sets(QUESTION, "meter"),
        Intent::default().about("tempo").sets(QUESTION, "tempo"),
        Intent::default().about("meter").sets(QUESTION, "meter"),
        Intent::verbs("what happened").sets(QUESTION, "history"),
        asked("list speakers", "turns").also("ask | talking | is"),
        asked("who", "turns")
            .about("talking | says | says:ask | says:highest | says:lowest")
            .also("ask | highest | lowest | more | how much | where | anyone | does"),
        asked("how many | how much | how long | which | where | ask | who | list", "turns")
            .about("talking | speaker | anyone")
            .also("talking | does | do | every | part | speaker | anyone | ask"),
        asked("who", "turns").about("recording | in:recording"),
        asked("who", "turns").also("while").about("talking"),
        spoken(Intent::verbs("how many | how much | how long | where | does"), "turns", "-")
            .about("talking")
            .also("does | do | highest | a lot | speaker"),
        asked("ask | list | how many | who", "turns")
            .about("speaking time")
            .also("by:speaker | every | by track | have"),
        spoken(Intent::default().about("speaking time"), "turns", "of"),
        Intent::default()
            .about("speaking time")
            .also("by track | of:speaker | by:speaker | for:speaker")
            .sets(QUESTION, "turns")
            .named("targets", "- | on | of | in | for | from", Kinds::Any),
        asked("list | ask | give | get | read", "transcript").about("transcript | word | text"),
        Intent::verbs("ask").about("says").also("anyone | is").sets(QUESTION, "transcript"),
        Intent::verbs("what is said").sets(QUESTION, "transcript"),
        Intent::verbs("ask")
            .about("says")
            .sets(QUESTION, "transcript")
            .said("speaker", "-", TextKind::Speaker)
            .needs("speaker"),
        Intent::verbs("help").sets(QUESTION, "help"),
        takes("retake | take | twice | says:twice | same").said(
            "of",
            "of | for | from",
            TextKind::TakesOf,
        ),
        Intent::verbs("how often")
            .about("read | recorded")
            .also("anyone")
            .sets(QUESTION, TAKES)
            .said("of", "-", TextKind::TakesOf)
            .needs("of"),
    ]
}

/// How long an edit is.
fn edited(verbs: &str) -> Intent {
    let edit = Intent::verbs(verbs).about("whole edit | of:whole edit").also("is");
    edit.sets(QUESTION, "edit_length").in_edit()
}

/// A question about what is named, else about the whole.
fn asked(verbs: &str, question: &str) -> Intent {
    Intent::verbs(verbs).sets(QUESTION, question).also("is | track | clip | bus | here").named(
        "targets",
        "- | on | of | in | for | from",
        Kinds::Any,
    )
}

/// A question about the takes that are marked.
fn takes(about: &str) -> Intent {
    let asking = "ask | which | is it | list | how many | how often | does | is anything | where | why | display";
    let asking = format!("{asking} | compare | play");
    Intent::verbs(&asking).about(about).also(OF_TAKES).sets(QUESTION, TAKES)
}

/// A question about somebody who speaks on no track of their own.
fn spoken(intent: Intent, question: &str, preps: &str) -> Intent {
    intent.sets(QUESTION, question).said("speaker", preps, TextKind::OnlySpeaker).needs("speaker")
}

fn clips(intent: Intent) -> Intent {
    intent.also("is").named("targets", "- | on | of | in | for | from", Kinds::Clips).only_named()
}

/// Which of several has most or least of what is measured.
fn extreme([highest, lowest]: [&str; 2], measure: &str) -> Intent {
    measured(asked("ask | which | is it | list", "extreme"))
        .sets("measure", measure)
        .sets("among", "tracks")
        .flag("clip", "among", "clips")
        .flag(highest, "rank", "highest")
        .flag(lowest, "rank", "lowest")
        .needs("rank")
}

fn measured(intent: Intent) -> Intent {
    MEASURES.iter().fold(intent, |it, (words, measure)| it.flag(words, "measure", *measure))
}

fn listed(intent: Intent) -> Intent {
    let intent = LISTINGS.iter().fold(intent, |it, (word, what)| it.flag(word, "what", *what));
    intent.also("ask").needs("what")
}

//! Clauses to requests: which builder reads a clause, from its verb and its nouns.

mod clips;
mod gain;
mod levels;
mod mixer;
mod naming;
mod questions;
mod silence;
mod timeline;

use crate::clause_reader::{OBJECT, Reader};
use crate::clauses::Clause;
use crate::levels::Unit;
use crate::reading::RequestKind;
use crate::resolve::{Context, Resolved, Trouble, Want};
use crate::vocab::{Noun, Verb, Word};
use deskhand_session::ObjectId;
pub(crate) use mixer::panned_apart;
use serde_json::{Map, Value};

/// A request without its words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    pub kind: RequestKind,
    pub targets: Vec<ObjectId>,
}

impl Draft {
    /// A call on targets.
    pub(crate) fn on(tool: &str, resolved: Resolved, params: Vec<(&str, Value)>) -> Self {
        let mut draft = Self::call(tool, params);
        if let RequestKind::Call { params: Value::Object(map), .. } = &mut draft.kind {
            map.insert("targets".into(), resolved.param);
        }
        Self { targets: resolved.ids, ..draft }
    }

    /// A call on one marker: marker commands take one `marker`, never targets.
    fn on_marker(tool: &str, marker: ObjectId, mut params: Vec<(&str, Value)>) -> Self {
        params.push(("marker", Value::String(marker.to_string())));
        Self { targets: vec![marker], ..Self::call(tool, params) }
    }

    /// A call without targets.
    pub(crate) fn call(tool: &str, params: Vec<(&str, Value)>) -> Self {
        let params: Map<String, Value> =
            params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let kind = RequestKind::Call { tool: tool.into(), params: Value::Object(params) };
        Self { kind, targets: Vec::new() }
    }
}

type Built = Result<Vec<Draft>, Trouble>;

/// Reads a clause; the reader keeps what was not understood.
pub(crate) fn build(clause: &Clause, reader: &mut Reader, context: &Context<'_>) -> Built {
    if clause.asks() {
        return questions::answerable(reader, context);
    }
    let Some(verb) = clause.verb() else {
        return by_content(None, reader, context);
    };
    reader.take_verb(verb);
    by_verb(verb, reader, context)
}

// tidy: table
fn by_verb(verb: Verb, reader: &mut Reader, context: &Context<'_>) -> Built {
    match verb {
        Verb::Undo | Verb::Redo => timeline::history(verb, reader),
        Verb::Normalize | Verb::Stage => levels::unexplained(reader, context),
        Verb::Mute | Verb::Unmute | Verb::Solo | Verb::Unsolo => {
            gain::unexplained(verb.into(), reader, context)
        }
        Verb::Pan => mixer::pan(reader, context),
        Verb::Route => mixer::route(reader, context),
        Verb::Rename | Verb::Call => naming::rename(reader, context),
        Verb::Group => naming::group(reader, context),
        Verb::Select => naming::select(reader, context),
        Verb::Move => clips::relocate(reader, context),
        Verb::Split => clips::split(reader, context),
        Verb::Duplicate => clips::duplicate(reader, context),
        Verb::Trim => clips::trim(reader, context),
        Verb::Mark => timeline::marker(reader, context),
        Verb::RippleDelete | Verb::RippleInsert => timeline::ripple(verb, reader, context),
        Verb::Set | Verb::Turn | Verb::Change | Verb::Bring => {
            by_content(verb.into(), reader, context)
        }
        Verb::Raise | Verb::Lower | Verb::Knock | Verb::Give => {
            by_content(verb.into(), reader, context)
        }
        Verb::Remove => clips::remove(reader, context),
        Verb::Cut | Verb::Drop | Verb::Nudge => by_use(verb, reader, context),
        Verb::Add => addition(reader, context),
        Verb::Send => Err(no_send()),
        Verb::OnlyHear => Err(say_solo()),
        Verb::Find => Err(nothing_to_find()),
        Verb::Separate
        | Verb::Denoise
        | Verb::Align
        | Verb::Duck
        | Verb::LevelOut
        | Verb::Match
        | Verb::Master
        | Verb::Classify
        | Verb::AnalyzeAll
        | Verb::Strip => unexplained(reader, context),
        Verb::Touch | Verb::Leave | Verb::CloseGaps | Verb::KeepGaps | Verb::RenameFromFiles => {
            Err(nothing_to_do())
        }
    }
}

fn nothing_to_find() -> Trouble {
    Trouble::new(
        "it does not say what to look for",
        [
            "find the beats of the drums",
            "find problems in the dialogue",
            "find the key of the song",
        ],
    )
}

fn no_send() -> Trouble {
    let reason = "a send is not among the things Deskhand can do; a track plays to one output";
    let offers = ["route the vocals to the drum bus", "route the vocals to the master"];
    Trouble::new(reason, offers)
}

fn say_solo() -> Trouble {
    let offers = ["solo the drums", "unsolo everything"];
    Trouble::new("hearing only some tracks is solo", offers)
}

/// A clause that only says what to leave as it is.
pub(crate) fn nothing_to_do() -> Trouble {
    Trouble::new(
        "it asks for no edit; Deskhand changes only what is asked for, so nothing needs to be forbidden",
        ["normalize everything except the vocals to -16 LUFS", "mute everything but the bass"],
    )
}

/// What no declaration explains: what is left over is told, or that it does not say all that it needs.
fn unexplained(reader: &mut Reader, context: &Context<'_>) -> Built {
    let phrase = reader.take_phrase(OBJECT);
    if !reader.leftovers().is_empty() {
        return Ok(Vec::new());
    }
    context.resolve(phrase, Want::Sound)?;
    Err(Trouble::not_understood("it does not say all that it needs", Vec::<String>::new()))
}

fn addition(reader: &mut Reader, context: &Context<'_>) -> Built {
    if reader.has_noun(Noun::Marker) {
        timeline::marker(reader, context)
    } else if has_fade(reader) {
        silence::fades(reader, context)
    } else if reader.has_noun(Noun::Track) || reader.has_noun(Noun::Bus) {
        naming::add_track(reader, context)
    } else {
        gain::unexplained(Verb::Add.into(), reader, context)
    }
}

/// Verbs with more than one meaning: "cut the bass by 3 dB", "cut take 2 at 0:45", "drop a marker".
fn by_use(verb: Verb, reader: &mut Reader, context: &Context<'_>) -> Built {
    let decibels =
        reader.level().is_some_and(|(level, _)| matches!(level.unit, Unit::Db | Unit::Lu));
    match verb {
        Verb::Cut if !decibels => clips::split(reader, context),
        Verb::Drop if reader.has_noun(Noun::Marker) => timeline::marker(reader, context),
        Verb::Drop if !decibels && !has_amount(reader) => Err(Trouble::not_understood(
            "\"drop\" is not clear by itself",
            ["drop the snare by 2 dB", "drop a marker at 1:30", "mute the snare"],
        )),
        Verb::Nudge if !decibels => clips::relocate(reader, context),
        _ => gain::unexplained(verb.into(), reader, context),
    }
}

fn has_amount(reader: &Reader) -> bool {
    let mut copy = reader.clone();
    copy.take_as(|word| matches!(word, Word::Amount(_) | Word::Factor(_)).then_some(())).is_some()
}

fn has_fade(reader: &Reader) -> bool {
    [Noun::Fade, Noun::FadeIn, Noun::FadeOut, Noun::FadeInOut, Noun::Crossfade]
        .iter()
        .any(|noun| reader.has_noun(*noun))
}

/// Verbs that say nothing by themselves, and clauses without one: what they are about decides.
fn by_content(verb: Option<Verb>, reader: &mut Reader, context: &Context<'_>) -> Built {
    let mut probe = reader.clone();
    let side = |word| matches!(word, Word::Side(_)).then_some(());
    if reader.has_noun(Noun::Tempo) || reader.has_noun(Noun::Bpm) {
        timeline::tempo(reader)
    } else if reader.has_noun(Noun::Meter) || probe.take_ratio().is_some() {
        timeline::meter(reader)
    } else if has_fade(reader) {
        silence::fades(reader, context)
    } else if reader.has_noun(Noun::Color) || probe.take_color().is_some() {
        mixer::color(reader, context)
    } else if probe.take_pan().is_some() || probe.take_as(side).is_some() {
        mixer::pan(reader, context)
    } else if is_target_level(reader) {
        levels::unexplained(reader, context)
    } else {
        gain::unexplained(verb, reader, context)
    }
}

/// Whether a level is said that audio is brought to, and not a fader position.
fn is_target_level(reader: &Reader) -> bool {
    let mut probe = reader.clone();
    let absolute = |unit| matches!(unit, Unit::Lufs | Unit::Dbtp | Unit::Dbfs | Unit::Rms);
    let fader = reader.has_noun(Noun::Gain) || reader.has_noun(Noun::ClipGain);
    probe.take_standard().is_some()
        || !fader && probe.take_level(|level, _| absolute(level.unit)).is_some()
}

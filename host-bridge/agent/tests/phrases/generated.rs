//! Phrases made from what each tool declares: they must be read back as the call that they were made of.

use crate::{fixture, show};
use deskhand_protocol::ToolInfo;
use deskhand_session::intent::{Flag, Intent, Kinds, Slot, Unit};
use serde_json::{Map, Value, json};

/// What may be named for each kind, and the ids that it means.
fn named(kinds: Kinds) -> Option<(&'static str, Value)> {
    Some(match kinds {
        Kinds::Tracks
        | Kinds::OtherTracks
        | Kinds::Faders
        | Kinds::MutedTracks
        | Kinds::Sound
        | Kinds::OneSound
        | Kinds::OneTrack
        | Kinds::TracksOrMix => ("the kick", json!(["track_000000000003"])),
        Kinds::Clips | Kinds::ClipOfTrack | Kinds::FirstClip | Kinds::LastClip => {
            ("Harmony", json!(["clip_000000000004"]))
        }
        Kinds::LooseClips | Kinds::OneClip | Kinds::ClipAtPlace | Kinds::Selectable => {
            ("Harmony", json!(["clip_000000000004"]))
        }
        Kinds::NamedTracks | Kinds::Groups => ("the kick", json!(["track_000000000003"])),
        Kinds::Mix
        | Kinds::AllOfMix
        | Kinds::Whole
        | Kinds::Any
        | Kinds::Marker
        | Kinds::Output
        | Kinds::AllFaders
        | Kinds::EachChannel
        | Kinds::TwoTracks
        | Kinds::EachHandle
        | Kinds::Span
        | Kinds::Opening
        | Kinds::Closing
        | Kinds::Phrases => return None,
    })
}

/// A phrase, and the parameters that it must set.
struct Phrase {
    words: String,
    params: Map<String, Value>,
}

/// A concept as it is said: with its preposition, and of "take+out" the first word apart.
fn said(concept: &str) -> String {
    concept.replace(':', " ")
}

/// A number that is within the bounds of a parameter, and how it is said.
fn number(slot: &Slot, tool: &ToolInfo) -> Option<(f64, String)> {
    let param = slot.params.first()?;
    let property = &tool.input_schema["properties"][param];
    let bound = |name: &str| property[name].as_f64();
    let (unit, scale) = match (slot.units.first(), Unit::of_param(param)) {
        (Some(unit), found) => (Some(*unit), slot.scale.or(found.map(|it| it.1))),
        (None, Some((unit, scale))) => (Some(unit), Some(slot.scale.unwrap_or(scale))),
        (None, None) => (None, slot.scale),
    };
    let scale = scale.unwrap_or(1.0);
    let (least, most) = (bound("minimum").unwrap_or(-40.0), bound("maximum").unwrap_or(40.0));
    let (least, most) = match slot.bare {
        Some((low, high)) if unit.is_none() => (low.max(least), high.min(most)),
        _ => (least / scale, most / scale),
    };
    let middle = f64::midpoint(least.max(-30.0), most.min(if least < 0.0 { -1.0 } else { 20.0 }));
    let value = if slot.up.is_empty() { middle.round() } else { middle.abs().max(2.0).round() };
    let unit = match unit {
        Some(Unit::Db) => " dB",
        Some(Unit::Lufs) => " LUFS",
        Some(Unit::Lu) => " LU",
        Some(Unit::Dbtp) => " dBTP",
        Some(Unit::Dbfs) => " dBFS",
        Some(Unit::Rms) => " dBFS RMS",
        Some(Unit::Percent) => " percent",
        Some(Unit::Seconds) => " seconds",
        Some(Unit::Hertz) => " Hz",
        Some(Unit::Bpm) => " bpm",
        Some(Unit::Ratio) => " to 1",
        Some(Unit::Clock) => return None,
        None => "",
    };
    Some((value, format!("{value}{unit}")))
}

/// Every way in which a slot is said, with the parameters that it sets.
fn of_slot(slot: &Slot, tool: &ToolInfo) -> Vec<Phrase> {
    let Some((value, words)) = number(slot, tool) else { return Vec::new() };
    let prep = match slot.preps.first().map(String::as_str) {
        Some("-") | None => "",
        Some(prep) => prep,
    };
    let scale = |param: &str| {
        slot.scale.unwrap_or_else(|| Unit::of_param(param).map_or(1.0, |(_, scale)| scale))
    };
    let sets = |sign: f64| {
        let set = |param: &String| (param.clone(), json!(sign * value * scale(param)));
        slot.params.iter().map(set).collect::<Map<_, _>>()
    };
    let phrase = |words: String, sign: f64| Phrase { words, params: sets(sign) };
    let nouns = slot.nouns.iter().map(|noun| phrase(format!("{prep} {words} {noun}"), 1.0));
    let up = slot.up.iter().map(|word| phrase(format!("{word} {prep} {words}"), 1.0));
    let down = slot.down.iter().map(|word| phrase(format!("{word} {prep} {words}"), -1.0));
    let plain = (slot.nouns.is_empty() && slot.up.is_empty())
        .then(|| phrase(format!("{prep} {words}"), 1.0));
    nouns.chain(up).chain(down).chain(plain).collect()
}

fn of_flag(flag: &Flag) -> Vec<Phrase> {
    let params: Map<String, Value> = flag.sets.iter().cloned().collect();
    flag.words.iter().map(|word| Phrase { words: said(word), params: params.clone() }).collect()
}

/// Every phrase of one way to ask: each verb with each slot and each flag, one at a time.
fn of_intent(intent: &Intent, tool: &ToolInfo) -> Vec<Phrase> {
    let nothing = || Phrase { words: String::new(), params: Map::new() };
    // What is said is not the value, or the value is inside another.
    let is_other = |slot: &&Slot| {
        slot.before_end || slot.of_amplitude || slot.params.iter().any(|it| it.contains('.'))
    };
    if intent.in_edit || intent.slots.iter().any(|slot| is_other(&slot)) {
        return Vec::new();
    }
    let slots = intent.slots.iter().flat_map(|slot| of_slot(slot, tool));
    let flags = intent.flags.iter().flat_map(of_flag);
    let extras: Vec<Phrase> = slots.chain(flags).chain([nothing()]).collect();
    let verbs: Vec<String> =
        if intent.verbs.is_empty() { vec![String::new()] } else { intent.verbs.clone() };
    let about: Vec<String> = intent.about.iter().filter_map(|set| set.first().cloned()).collect();
    let mut phrases = Vec::new();
    for extra in &extras {
        let params = of_extra(intent, &extra.params);
        let is_said = |params: &Map<String, Value>| {
            let is_set = |need: &String| intent.sets.iter().any(|(param, _)| param == need);
            let has = |need: &String| {
                params.contains_key(need) && (!is_set(need) || extra.params.contains_key(need))
            };
            intent.needs.iter().all(|set| set.iter().any(has))
        };
        let Some((target, params)) = params.filter(|(_, it)| is_said(it)) else { continue };
        for verb in &verbs {
            let (verb, rest) = verb.split_once('+').unwrap_or((verb, ""));
            let Some(extra) = without_verb(intent, verb, &extra.words) else { continue };
            let about = about.iter().map(|it| said(it)).collect::<Vec<_>>().join(" ");
            let words = [verb, &about, &target, rest, extra].join(" ");
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            phrases.push(Phrase { words, params: params.clone() });
        }
    }
    phrases
}

/// The words that go with a verb. A verb that is also the direction is said once: "raise … by 2 dB".
fn without_verb<'a>(intent: &Intent, verb: &str, extra: &'a str) -> Option<&'a str> {
    let first = extra.split(' ').next().unwrap_or_default();
    let directions = intent.slots.iter().flat_map(|slot| slot.up.iter().chain(&slot.down));
    let is_direction = directions.into_iter().any(|it| it == verb);
    let is_verb = intent.verbs.iter().any(|it| it == first);
    match first == verb {
        true => Some(&extra[first.len()..]),
        false => (!is_direction && !is_verb).then_some(extra),
    }
}

/// All parameters, and how the targets are said; `None` if that takes more than one name.
fn of_extra(intent: &Intent, extra: &Map<String, Value>) -> Option<(String, Map<String, Value>)> {
    let mut params: Map<String, Value> = intent.sets.iter().cloned().collect();
    params.extend(extra.clone());
    for slot in intent.slots.iter().filter(|slot| slot.up.is_empty() && slot.nouns.is_empty()) {
        let unsaid = slot
            .unsaid
            .into_iter()
            .flat_map(|value| slot.params.iter().map(move |param| (param.clone(), json!(value))));
        unsaid.for_each(|(param, value)| {
            params.entry(param).or_insert(value);
        });
    }
    let mut words = String::new();
    if let Some(file) = &intent.file {
        let name = format!("the_file.{}", file.endings.first()?);
        words = format!(" {name}");
        let value = if file.is_list { json!([name]) } else { json!(name) };
        params.insert(file.param.clone(), value);
    }
    for reference in &intent.refs {
        let (name, ids) = named(reference.kinds)?;
        let prep =
            reference.preps.iter().find(|prep| *prep != "-").filter(|_| !intent.about.is_empty());
        let is_target = reference.param == "targets";
        let (name, ids) = match is_target {
            true => (name, ids),
            false if !matches!(reference.kinds, Kinds::OneSound | Kinds::OneTrack) => {
                ("the snare", json!(["track_000000000004"]))
            }
            false => ("the snare", json!("track_000000000004")),
        };
        let prep = match is_target {
            true => prep.map_or("", String::as_str),
            false => reference.preps.first()?,
        };
        words = format!("{words} {} {name}", if prep == "-" { "" } else { prep });
        params.insert(reference.param.clone(), ids);
    }
    Some((words, params))
}

#[test]
fn what_is_said_of_each_declaration_is_read_back() {
    let session = fixture::session();
    let tools: Vec<ToolInfo> = serde_json::from_str(include_str!("../vocabulary.json")).unwrap();
    let (mut right, mut wrong, mut open) = (0, Vec::new(), Vec::new());
    for tool in &tools {
        for phrase in tool.says.iter().flat_map(|intent| of_intent(intent, tool)) {
            let want =
                format!("{}{}", tool.name, crate::show_params(&phrase.params.into(), &session));
            let reading = deskhand_agent::read_words(&phrase.words, &session, &fixture::VOCABULARY);
            let got = show(&reading, &session);
            let line = format!("{}\n  want {want}\n  got  {got}", phrase.words);
            match reading.unclear.is_empty() {
                _ if got == want => right += 1,
                true => wrong.push(line),
                false => open.push(format!("{line} {:?}", reading.unclear[0].reason)),
            }
        }
    }
    println!("{right} right, {} wrong, {} open", wrong.len(), open.len());
    println!("{}", open.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

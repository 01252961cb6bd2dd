//! Sentences about processors, the automatic mix, equalization and delivery.

use super::complaints::meant;
use super::said::Said;
use super::written::path;
use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
use crate::resolve::{Trouble, Want};
use deskhand_dsp::effects::{Band, BandShape, Effect};
use deskhand_session::{InsertOwner, ObjectId};
use serde_json::{Value, json};

type One = Result<Draft, Trouble>;

/// Words for the kinds of processors.
const KINDS: [(&str, &str); 14] = [
    ("eq", "equalizer"),
    ("equalizer", "equalizer"),
    ("equaliser", "equalizer"),
    ("compressor", "compressor"),
    ("compression", "compressor"),
    ("comp", "compressor"),
    ("de esser", "de_esser"),
    ("deesser", "de_esser"),
    ("de-esser", "de_esser"),
    ("gate", "gate"),
    ("noise gate", "gate"),
    ("limiter", "limiter"),
    ("limiting", "limiter"),
    ("brickwall limiter", "limiter"),
];

/// The processors, as they are told.
const HERE: &str = "equalizers, compressors, de-essers, gates and limiters";

/// Whether tokens name a processor, one that there is or another that people know.
pub(super) fn is_effect(tokens: &[Token]) -> bool {
    const OTHERS: &[&str] = &[
        "flanger",
        "reverb",
        "delay",
        "chorus",
        "phaser",
        "distortion",
        "saturation",
        "echo",
        "expander",
    ];
    let words: Vec<_> = tokens.iter().map(|token| token.word().unwrap_or_default()).collect();
    let words = words.join(" ");
    KINDS.iter().any(|(word, _)| *word == words) || OTHERS.contains(&words.as_str())
}

/// The kind that is named: in the slot, or by the verb ("compress the vocals").
fn kind(said: &Said<'_>) -> Result<&'static str, Trouble> {
    let text = match said.text("effect") {
        Some(text) => text.to_lowercase(),
        None => by_verb(said).to_owned(),
    };
    let found = KINDS.iter().find(|(word, _)| *word == text.as_str());
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        Trouble::new(
            format!("there is no \"{text}\" here: {HERE} are"),
            [
                "put a compressor on the vocals",
                "put an equalizer on the bass",
                "put a limiter on the mix",
            ],
        )
    })
}

fn by_verb(said: &Said<'_>) -> &'static str {
    let text = said.context.scope.text.to_lowercase();
    [("compress ", "compressor"), ("gate ", "gate"), ("limit ", "limiter"), ("ess ", "de esser")]
        .into_iter()
        .find_map(|(verb, kind)| text.contains(verb).then_some(kind))
        .unwrap_or("nothing")
}

/// What a processor is on: tracks, buses or the mix. One that is on several is several calls, so one is asked for.
fn owner(said: &Said<'_>) -> Result<(Value, ObjectId), Trouble> {
    let found = said.sound("on", Want::Any)?;
    let ids = found.map(|found| found.ids).unwrap_or_default();
    match ids[..] {
        [id @ ObjectId::Track(_)] => Ok((json!(id), id)),
        [id @ ObjectId::Session(_)] => Ok((json!("master"), id)),
        _ => {
            let reason = "a processor is put on one track, bus or the mix at a time";
            let mix = ["the mix".to_owned()];
            Err(Trouble::new(reason, said.context.scope.track_names().into_iter().chain(mix)))
        }
    }
}

fn call(owner: ObjectId, tool: &str, params: Vec<(&'static str, Value)>) -> Draft {
    super::said::about(owner, tool, params)
}

/// A new processor on what is said.
pub(super) fn insert(said: &Said<'_>, effect: Value) -> One {
    let (on, id) = owner(said)?;
    Ok(call(id, "cmd_set_insert", vec![("on", on), ("effect", effect)]))
}

/// "put a compressor on the lead vocal".
pub(super) fn add_insert(said: &Said<'_>) -> One {
    insert(said, json!({"kind": kind(said)?}))
}

/// "high-pass the bass at 40 Hz": an equalizer with one low cut.
pub(super) fn low_cut(said: &Said<'_>) -> One {
    let hz = said.number("n").filter(|hz| (10.0..=2_000.0).contains(hz));
    let hz = hz.ok_or_else(|| {
        Trouble::new("a low cut is at 10 to 2000 Hz", ["high-pass the bass at 40 Hz"])
    })?;
    if let Some(moved) = moved_low_cut(said, hz)? {
        return Ok(moved);
    }
    let band = json!({"shape": "low_cut", "frequency_hz": hz});
    insert(said, json!({"kind": "equalizer", "bands": [band]}))
}

/// The low cut that is there already, at another frequency: a second one beside it is not what is meant. None where
/// there is none, or more than one.
pub(super) fn moved_low_cut(said: &Said<'_>, hz: f64) -> Result<Option<Draft>, Trouble> {
    let (on, id) = owner(said)?;
    let place = match id {
        ObjectId::Track(track) => InsertOwner::Track(track),
        _ => InsertOwner::Master,
    };
    let is_cut = |band: &&Band| band.shape == BandShape::LowCut;
    let cuts = |effect: &Effect| match effect {
        Effect::Equalizer(equalizer) => equalizer.bands.iter().filter(is_cut).count(),
        _ => 0,
    };
    let there = said.session().inserts_on(place);
    let cutting = there.into_iter().filter(|(_, placed)| cuts(&placed.effect) > 0);
    let [(insert, placed)] = cutting.collect::<Vec<_>>()[..] else { return Ok(None) };
    let Effect::Equalizer(equalizer) = &placed.effect else { return Ok(None) };
    if cuts(&placed.effect) > 1 {
        return Ok(None);
    }
    let mut bands = equalizer.bands.clone();
    let cut = bands.iter_mut().filter(|band| band.shape == BandShape::LowCut);
    cut.for_each(|band| band.frequency_hz = hz);
    let effect = json!({"kind": "equalizer", "bands": bands});
    let params = vec![("insert", json!(insert)), ("on", on), ("effect", effect)];
    Ok(Some(call(id, "cmd_set_insert", params)))
}

/// "bypass the compressor on the lead vocal".
pub(super) fn switch_insert(said: &Said<'_>, switch: &str) -> One {
    let kind = kind(said)?;
    let (on, id) = owner(said)?;
    let params = vec![("insert", json!(kind)), ("on", on), ("switch", json!(switch))];
    Ok(call(id, "cmd_switch_insert", params))
}

/// "take the gate off the snare".
pub(super) fn remove_insert(said: &Said<'_>) -> One {
    let kind = kind(said)?;
    let (on, id) = owner(said)?;
    Ok(call(id, "cmd_remove_insert", vec![("insert", json!(kind)), ("on", on)]))
}

/// "make a rough mix with the lead up front".
pub(super) fn auto_mix(said: &Said<'_>) -> One {
    let mut params = Vec::new();
    if let Some(words) = said.text("text") {
        let words = words.strip_prefix("the ").unwrap_or(&words).to_owned();
        params.push(("describe", json!(words)));
    }
    let found = said.sound("on", Want::Tracks)?;
    let (targets, param) = match found {
        Some(found) => (found.ids, found.param),
        None => (Vec::new(), json!("all")),
    };
    params.push(("targets", param));
    Ok(Draft { targets, ..Draft::call("tool_auto_mix", params) })
}

/// "make room for the vocals in the guitars".
pub(super) fn make_room(said: &Said<'_>) -> One {
    let room_for = said.sound("room", Want::Tracks)?.map(|found| found.param);
    let params = vec![("room_for", room_for.unwrap_or_default())];
    match said.sound("on", Want::Tracks)? {
        Some(found) => Ok(Draft::on("tool_eq_balance", found, params)),
        None => said.on("targets", "tool_eq_balance", params),
    }
}

/// Endings of files that are read, and of those that are written.
const READ: [&str; 14] = [
    "wav", "wave", "aif", "aiff", "flac", "mp3", "m4a", "aac", "ogg", "opus", "mp4", "mov", "mkv",
    "webm",
];
const WRITTEN: [&str; 4] = ["wav", "flac", "opus", "mp3"];

/// Whether tokens name a file of that kind: in quotes, or with an ending.
pub(super) fn is_file(slot: &str, tokens: &[Token]) -> bool {
    let known: &[&str] = if slot == "wav" { &WRITTEN } else { &READ };
    let ends = |text: &str| {
        let ending = text.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        ending.is_some_and(|ending| known.contains(&ending.as_str()))
    };
    match tokens {
        [Token { kind: TokenKind::Quote(text), .. }] => ends(text),
        [Token { kind: TokenKind::Quote(_), .. }, ..] => {
            quoted(tokens).is_some_and(|all| all.into_iter().all(ends))
        }
        [.., dot, ending] => {
            dot.kind == TokenKind::Stop && ending.word().is_some_and(|it| known.contains(&it))
        }
        _ => false,
    }
}

fn text_in_quotes(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Quote(text) => Some(text),
        _ => None,
    }
}

/// What is quoted where tokens are quotes, one behind the other.
fn quoted(tokens: &[Token]) -> Option<Vec<&str>> {
    let is_joint = |token: &&Token| token.kind != TokenKind::Comma && !token.is("and");
    tokens.iter().filter(is_joint).map(text_in_quotes).collect()
}

/// Whether tokens are the ending of a file that is written.
pub(super) fn is_ending(tokens: &[Token]) -> bool {
    matches!(tokens, [only] if only.word().is_some_and(|word| WRITTEN.contains(&word)))
}

/// "make it podcast ready".
pub(super) fn master_for(said: &Said<'_>) -> One {
    let delivery = target(&said.words("dest")?)?;
    Ok(Draft::call("tool_master", vec![("for", json!(delivery))]))
}

/// Words for all that is heard.
const MIX: [&str; 9] = [
    "the mix",
    "my mix",
    "the whole mix",
    "the song",
    "the whole song",
    "the master",
    "everything",
    "all",
    "the whole thing",
];

/// "make it louder without clipping": the mix is driven into a true-peak limiter; of a track it is asked how loud.
pub(super) fn louder_unclipped(said: &Said<'_>) -> One {
    let on = said.words("on")?.to_lowercase();
    let points = !said.context.previous.is_empty() || !said.context.chosen().is_empty();
    let is_it = ["it", "this", "that"].contains(&on.as_str());
    if MIX.contains(&on.as_str()) || is_it && !points {
        return Ok(Draft::call("tool_master", vec![("for", json!("streaming"))]));
    }
    let by_name = |name| format!("normalize {name} to -14 LUFS with a ceiling of -1 dBTP");
    let reason = "it does not say how loud; a ceiling keeps true peaks from clipping";
    Err(Trouble::new(reason, meant(said).into_iter().map(by_name)))
}

/// Whether tokens are words for where a mix goes.
pub(super) fn is_delivery(tokens: &[Token]) -> bool {
    let words: Vec<_> = tokens.iter().map(|token| token.word().unwrap_or("?")).collect();
    target(&words.join(" ")).is_ok()
}

/// "remove all effects from the host": a call for each that is there.
pub(super) fn remove_inserts(said: &Said<'_>) -> Result<Vec<Draft>, Trouble> {
    let (_, id) = owner(said)?;
    let on = match id {
        ObjectId::Track(track) => InsertOwner::Track(track),
        _ => InsertOwner::Master,
    };
    let there = said.session().inserts_on(on);
    if there.is_empty() {
        return Err(Trouble::new("no processor is there", ["put a compressor on the lead vocal"]));
    }
    let remove = |insert| call(id, "cmd_remove_insert", vec![("insert", json!(insert))]);
    Ok(there.into_iter().map(|(insert, _)| remove(insert)).collect())
}

/// "bounce the mix to show.wav".
pub(super) fn deliver_to(said: &Said<'_>) -> One {
    Ok(Draft::call("tool_export_delivery", vec![("path", json!(said.words("wav")?))]))
}

/// "import intro.wav and outro.wav".
pub(super) fn import(said: &Said<'_>) -> One {
    let words = said.words("audio")?;
    let apart = || words.split(" and ").flat_map(|part| part.split(", ")).collect();
    let files: Vec<&str> = said.tokens("audio").and_then(quoted).unwrap_or_else(apart);
    Ok(Draft::call("import_audio", vec![("files", json!(files))]))
}

/// "export the mix for streaming as flac".
pub(super) fn deliver(said: &Said<'_>) -> One {
    let format = said.text("format").or_else(|| said.text("ending"));
    let format = format.unwrap_or_else(|| "wav".into()).to_lowercase();
    let format = format.strip_suffix(" file").unwrap_or(&format);
    let ending = WRITTEN.into_iter().find(|known| *known == format);
    let Some(ending) = ending else {
        let reason = format!("a delivery is not written as \"{format}\"");
        return Err(Trouble::new(reason, ["as wav", "as flac", "as opus", "as mp3"]));
    };
    let mut params = path(&format!("mix.{ending}"), None);
    if let Some(standard) = said.text("standard") {
        params.push(("for", json!(target(&standard)?)));
    }
    Ok(Draft::call("tool_export_delivery", params))
}

/// Words for where a mix goes.
const DELIVERIES: [(&str, &str); 12] = [
    ("streaming", "streaming"),
    ("spotify", "streaming"),
    ("youtube", "streaming"),
    ("apple music", "streaming"),
    ("podcast", "podcast"),
    ("podcasts", "podcast"),
    ("broadcast", "broadcast"),
    ("tv", "broadcast"),
    ("radio", "broadcast"),
    ("television", "broadcast"),
    ("cd", "cd"),
    ("compact disc", "cd"),
];

fn target(words: &str) -> Result<&'static str, Trouble> {
    let words = words.to_lowercase();
    let found = DELIVERIES.iter().find(|(word, _)| *word == words);
    found.map(|(_, name)| *name).ok_or_else(|| {
        let reason = format!("\"{words}\" is no delivery that is known here");
        Trouble::new(reason, ["for streaming", "for podcast", "for broadcast", "for cd"])
    })
}

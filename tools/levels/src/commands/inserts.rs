//! Processors of tracks, buses and the mix: put in, set, switched, taken out.

mod says;

use deskhand_dsp::effects::{Band, Effect};
use deskhand_session::{
    Change, Edit, InsertId, InsertOwner, PlacedInsert, Session, Switch as Power,
};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::track;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Offers, ToolError, ToolSpec, Trust,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// `cmd_set_insert`.
pub(crate) struct SetInsert;
/// `cmd_remove_insert`.
pub(super) struct RemoveInsert;
/// `cmd_switch_insert`.
pub(super) struct SwitchInsert;

/// A processor, new or other than it was.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setting {
    /// Its track, bus, or `master` for the mix. Needed for a new one.
    on: Option<String>,
    /// The processor to change: its id, or its kind if it is the only one. Omitted: a new one.
    insert: Option<String>,
    /// Kind and settings. Omitted settings stay, or are the defaults of a new processor.
    #[serde(default)]
    #[schemars(schema_with = "effect_schema")]
    effect: Map<String, Value>,
    /// Its position, from 0; omitted: unchanged, or last for a new one.
    index: Option<u32>,
    /// For a new equalizer with one band: what happens to a band of that shape in an equalizer that is there.
    #[serde(default)]
    existing: Existing,
}

/// What a new band does to one of its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Existing {
    /// Nothing: the new equalizer is added.
    #[default]
    Keep,
    /// That band is set instead, if there is one.
    Set,
    /// If there is one, the call is refused.
    Refuse,
}

/// Which processor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Its id, or its kind (`compressor`) if it is the only one; omitted: all that are on `on`.
    insert: Option<String>,
    /// Its track, bus, or `master`; needed if several are of this kind.
    on: Option<String>,
}

/// Which processor, and whether it works.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Switching {
    /// Its id, or its kind (`compressor`) if it is the only one.
    insert: String,
    /// Its track, bus, or `master`; needed if several are of this kind.
    on: Option<String>,
    /// On, or `off`: the sound passes unchanged.
    switch: State,
}

/// Whether it works.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// Switched on.
    On,
    /// Off; the sound passes unchanged.
    Off,
}

/// The kinds with usual settings, which are also where a new one begins.
fn usual(kind: &str) -> Option<Value> {
    let settings = match kind {
        "equalizer" => json!({"bands": []}),
        "compressor" => json!({"threshold": -20.0, "ratio": 3.0, "knee_db": 6.0, "attack_ms": 10.0,
            "release_ms": 120.0, "makeup": 0.0, "detector": "rms"}),
        "de_esser" => json!({"frequency_hz": 6000.0, "threshold": -30.0, "range_db": 8.0}),
        "gate" => json!({"threshold": -45.0, "ratio": 10.0, "range_db": 40.0, "hysteresis_db": 4.0,
            "attack_ms": 1.0, "hold_ms": 40.0, "release_ms": 120.0}),
        "limiter" => json!({"gain": 0.0, "ceiling": -1.0, "release_ms": 80.0}),
        _ => return None,
    };
    Some(settings)
}

const KINDS: &str = "equalizer, compressor, de_esser, gate or limiter";

/// The schema for a model. The ranges are those of the processors, which check them again.
fn effect_schema(_: &mut SchemaGenerator) -> Schema {
    let number = |text: &str| json!({"type": "number", "description": text});
    let within = |least: f64, most: f64, text: &str| json!({"type": "number", "minimum": least, "maximum": most, "description": text});
    json_schema!({
        "type": "object",
        "description": "Kind and settings; each kind knows its own.",
        "properties": {
            "kind": {"enum": ["equalizer", "compressor", "de_esser", "gate", "limiter"]},
            "bands": {
                "type": "array", "maxItems": 16,
                "description": "Equalizer: all its bands.",
                "items": {"type": "object", "required": ["shape", "frequency_hz"], "properties": {
                    "shape": {"enum": ["bell", "low_shelf", "high_shelf", "low_cut", "high_cut", "notch"]},
                    "frequency_hz": within(10.0, 24_000.0, "Hz"),
                    "gain": within(-30.0, 30.0, "dB; bells and shelves"),
                    "q": number("0.1 to 40, usually 0.7")
                }}
            },
            "threshold": within(-100.0, 0.0, "dBFS; compressor, de-esser, gate"),
            "ratio": within(1.0, 100.0, "Compressor, gate"),
            "knee_db": number("0 to 24; compressor"),
            "attack_ms": number("0.05 to 500; compressor, gate"),
            "hold_ms": number("0 to 5000; gate"),
            "release_ms": number("compressor, gate, limiter"),
            "makeup": number("dB after a compressor"),
            "detector": {"enum": ["peak", "rms"], "description": "Compressor."},
            "frequency_hz": number("Lower edge of a de-esser's band, 1000 to 16000"),
            "range_db": number("The most a de-esser or gate takes away"),
            "hysteresis_db": number("Gate: closes this far below where it opens"),
            "gain": number("dB into a limiter"),
            "ceiling": within(-30.0, 0.0, "dBTP of a limiter")
        }
    })
}

/// What a parameter calls `master`, or the track of that name.
fn owner(session: &Session, wanted: &str) -> Result<InsertOwner, ToolError> {
    match wanted {
        "master" | "mix" => Ok(InsertOwner::Master),
        name => Ok(InsertOwner::Track(track(session, name)?)),
    }
}

fn kind_of(effect: &Effect) -> &'static str {
    match effect {
        Effect::Equalizer(_) => "equalizer",
        Effect::Compressor(_) => "compressor",
        Effect::DeEsser(_) => "de_esser",
        Effect::Gate(_) => "gate",
        Effect::Limiter(_) => "limiter",
    }
}

/// The one chosen processor.
fn find(
    session: &Session,
    wanted: &str,
    on: Option<InsertOwner>,
) -> Result<(InsertId, PlacedInsert), ToolError> {
    let is_meant = |(id, placed): &(&InsertId, &PlacedInsert)| {
        let is_kind = wanted == kind_of(&placed.effect) || wanted == placed.effect.title();
        id.to_string() == wanted || (is_kind && on.is_none_or(|on| on == placed.on))
    };
    let found: Vec<_> = session.inserts.iter().filter(is_meant).collect();
    if let [(id, placed)] = found.as_slice() {
        return Ok((**id, (*placed).clone()));
    }
    let message = match found.len() {
        0 => format!("no processor is called \"{wanted}\" there"),
        many => format!("{many} processors are called \"{wanted}\" there"),
    };
    let all = session.inserts.iter().take(8);
    let all: Vec<_> = all.map(|(id, it)| format!("{id} ({})", described(session, it))).collect();
    let fix = if all.is_empty() {
        "the session has none; put one in with cmd_set_insert".to_owned()
    } else {
        format!("give `on`, or an id: {}", all.join(", "))
    };
    Err(ToolError::prepare(Code::NoTarget, message, fix))
}

/// "compressor of Voice".
fn described(session: &Session, placed: &PlacedInsert) -> String {
    let on = match placed.on {
        InsertOwner::Master => "the mix".to_owned(),
        InsertOwner::Track(id) => session.name_of(id.into()),
    };
    format!("{} of {on}", placed.effect.title())
}

/// The settings that are asked for over those that were.
fn effect(before: Option<&Effect>, asked: &Map<String, Value>) -> Result<Effect, ToolError> {
    let kind = asked.get("kind").and_then(Value::as_str);
    let kind = kind.or(before.map(kind_of)).unwrap_or_default();
    let before = before.filter(|effect| kind_of(effect) == kind);
    let base = before.map_or_else(|| usual(kind), |effect| serde_json::to_value(effect).ok());
    let Some(Value::Object(mut whole)) = base else {
        let message = "the kind of processor is missing or unknown";
        return Err(ToolError::prepare(Code::BadParams, message, format!("let `kind` be {KINDS}")));
    };
    whole.extend(asked.clone());
    whole.insert("kind".into(), kind.into());
    let bad = |error: String| {
        let message = format!("the {kind} cannot be set so: {error}");
        ToolError::prepare(Code::BadParams, message, "call it again with values that fit")
    };
    let effect: Effect =
        serde_json::from_value(whole.into()).map_err(|error| bad(error.to_string()))?;
    effect.check().map_err(|error| bad(error.to_string()))?;
    Ok(effect)
}

impl Command for SetInsert {
    type Params = Setting;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_insert",
            "Add or change a processor",
            "Adds an equalizer, a compressor, a de-esser, a gate or a true-peak limiter before the fader of a \
             track, a bus or the mix, or changes the settings or place of one.",
            Category::Level,
            Trust::Suggest,
            json!({"on": "Lead Vocal", "effect": {"kind": "compressor", "threshold": -24, "ratio": 3}}),
        )
        .offers(Offers::used("the FX button of its strip").by(Gesture::SetInsert))
        .says(says::set())
    }

    fn plan(params: Setting, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let on = params.on.as_deref().map(|on| owner(session, on)).transpose()?;
        let Some(wanted) = &params.insert else {
            return put_in_or_set(&params, on, call);
        };
        let (id, before) = find(session, wanted, on)?;
        let after = PlacedInsert {
            on: on.unwrap_or(before.on),
            index: params.index.unwrap_or(before.index),
            switch: before.switch,
            effect: effect(Some(&before.effect), &params.effect)?,
        };
        let what = described(session, &before);
        let summary = format!("Set the {what}");
        let mut draft = drawn(summary.clone(), id, Some(before), Some(after.clone()), what);
        if params.index.is_some() {
            make_room(session, id, &after, &mut draft);
        }
        if !draft.changes.is_empty() {
            draft.summary = summary;
        }
        Ok(draft)
    }
}

/// The others of the strip take the positions that `moved` leaves them.
fn make_room(session: &Session, id: InsertId, moved: &PlacedInsert, draft: &mut Draft) {
    let others = session.inserts_on(moved.on).into_iter().filter(|(other, _)| *other != id);
    let positions = (0..).filter(|index| *index != moved.index);
    for ((other, placed), index) in others.zip(positions) {
        let after = PlacedInsert { index, ..placed.clone() };
        let change = Change::SetInsert(Edit::new(other, Some(placed.clone()), Some(after)));
        if !change.is_identity() {
            draft.change(change, described(session, placed), "makes room");
        }
    }
}

/// A new processor, unless a band of the same shape is there and is to be set, or kept as it is.
fn put_in_or_set(
    params: &Setting,
    on: Option<InsertOwner>,
    call: &mut CommandCall<'_>,
) -> Result<Draft, ToolError> {
    let there = match params.existing {
        Existing::Keep => None,
        Existing::Set | Existing::Refuse => on.and_then(|on| one_band(params, on, call.session)),
    };
    let Some((id, before, band)) = there else { return put_in(params, on, call) };
    let what = described(call.session, &before);
    if params.existing == Existing::Refuse {
        let message = format!("the {what} has such a band already, at {} Hz", band.frequency_hz);
        return Err(ToolError::prepare(Code::Refused, message, "say the new frequency in Hz"));
    }
    let after = PlacedInsert { effect: with_band(&before.effect, params)?, ..before.clone() };
    Ok(drawn(format!("Set the {what}"), id, Some(before), Some(after), what))
}

/// The only band of the asked shape on a track, bus or the mix.
fn one_band(
    params: &Setting,
    on: InsertOwner,
    session: &Session,
) -> Option<(InsertId, PlacedInsert, Band)> {
    let shape = asked_band(params)?.get("shape")?.clone();
    let is_asked = |band: &&Band| serde_json::to_value(band.shape).is_ok_and(|it| it == shape);
    let there = session.inserts_on(on).into_iter().flat_map(|(id, placed)| {
        let bands = match &placed.effect {
            Effect::Equalizer(equalizer) => equalizer.bands.as_slice(),
            _ => &[],
        };
        bands.iter().filter(is_asked).map(move |band| (id, placed.clone(), *band))
    });
    match there.collect::<Vec<_>>().as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// The band of a call that asks for one only.
fn asked_band(params: &Setting) -> Option<&Map<String, Value>> {
    match params.effect.get("bands")?.as_array()?.as_slice() {
        [only] => only.as_object(),
        _ => None,
    }
}

/// An equalizer with the asked values in its band of the asked shape.
fn with_band(before: &Effect, params: &Setting) -> Result<Effect, ToolError> {
    let mut whole = serde_json::to_value(before).unwrap_or_default();
    let asked = asked_band(params).cloned().unwrap_or_default();
    let bands = whole.get_mut("bands").and_then(Value::as_array_mut);
    for band in bands.into_iter().flatten().filter_map(Value::as_object_mut) {
        if band.get("shape") == asked.get("shape") {
            band.extend(asked.clone());
        }
    }
    let settings = whole.as_object().cloned().unwrap_or_default();
    effect(Some(before), &settings)
}

fn put_in(
    params: &Setting,
    on: Option<InsertOwner>,
    call: &mut CommandCall<'_>,
) -> Result<Draft, ToolError> {
    let on = on.ok_or_else(|| {
        let fix = "let `on` be a track, a bus or `master`; `insert` changes one that is there";
        ToolError::prepare(Code::BadParams, "it was not said what the processor is on", fix)
    })?;
    let effect = effect(None, &params.effect)?;
    let others = call.session.inserts_on(on);
    let last = others.iter().map(|(_, placed)| placed.index.saturating_add(1)).max();
    let index = params.index.unwrap_or(last.unwrap_or(0));
    let placed = PlacedInsert { on, index, switch: Power::On, effect };
    let id = InsertId::new(call.ids.next_bits());
    let what = described(call.session, &placed);
    let summary = match what.split_once(" of ") {
        Some((kind, on)) => format!("Put {} {kind} on {on}", article(kind)),
        None => format!("Put in the {what}"),
    };
    Ok(drawn(summary, id, None, Some(placed), what))
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with('e') { "an" } else { "a" }
}

fn drawn(
    summary: String,
    id: InsertId,
    before: Option<PlacedInsert>,
    after: Option<PlacedInsert>,
    name: String,
) -> Draft {
    let mut draft = Draft::new(summary);
    let change = Change::SetInsert(Edit::new(id, before, after));
    if change.is_identity() {
        draft.summary = format!("The {name} is set so already");
    } else {
        draft.change(change, name, "as asked");
    }
    draft
}

impl Command for RemoveInsert {
    type Params = Which;

    fn spec() -> ToolSpec {
        command(
            "cmd_remove_insert",
            "Remove a processor",
            "Removes a processor, or all processors, from a track, a bus or the mix.",
            Category::Level,
            Trust::Suggest,
            json!({"insert": "compressor", "on": "Lead Vocal"}),
        )
        .cuts()
        .offers(Gesture::RemoveInsert)
        .says([says::existing("remove | take+off | take+out | drop"), says::remove_all()])
    }

    fn plan(params: Which, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let on = params.on.as_deref().map(|on| owner(call.session, on)).transpose()?;
        let Some(wanted) = &params.insert else { return remove_all(on, call.session) };
        let (id, before) = find(call.session, wanted, on)?;
        let what = described(call.session, &before);
        Ok(drawn(format!("Take out the {what}"), id, Some(before), None, what))
    }
}

fn remove_all(on: Option<InsertOwner>, session: &Session) -> Result<Draft, ToolError> {
    let bad = |message: &str| {
        ToolError::prepare(Code::NoTarget, message, "give `insert`, or `on` with a processor on it")
    };
    let on = on.ok_or_else(|| bad("it was not said which processor"))?;
    let there = session.inserts_on(on);
    let name = match on {
        InsertOwner::Master => "the mix".to_owned(),
        InsertOwner::Track(id) => session.name_of(id.into()),
    };
    if there.is_empty() {
        return Err(bad(&format!("no processor is on {name}")));
    }
    let mut draft = Draft::new(format!("Take out all processors of {name}"));
    for (id, placed) in there {
        let change = Change::SetInsert(Edit::new(id, Some(placed.clone()), None));
        draft.change(change, described(session, placed), "as asked");
    }
    Ok(draft)
}

impl Command for SwitchInsert {
    type Params = Switching;

    fn spec() -> ToolSpec {
        command(
            "cmd_switch_insert",
            "Switch a processor on or off",
            "Switches a processor off (the sound passes unchanged) or on; its settings stay.",
            Category::Level,
            Trust::Suggest,
            json!({"insert": "equalizer", "on": "master", "switch": "off"}),
        )
        .offers(Gesture::SwitchInsert)
        .says([
            says::existing("switch off | turn+off").sets("switch", "off"),
            says::existing("switch on | turn+on").sets("switch", "on"),
        ])
    }

    fn plan(params: Switching, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let on = params.on.as_deref().map(|on| owner(call.session, on)).transpose()?;
        let (id, before) = find(call.session, &params.insert, on)?;
        let what = described(call.session, &before);
        let (switch, word) = match params.switch {
            State::On => (Power::On, "on"),
            State::Off => (Power::Off, "off"),
        };
        let after = PlacedInsert { switch, ..before.clone() };
        Ok(drawn(format!("Switch the {what} {word}"), id, Some(before), Some(after), what))
    }
}

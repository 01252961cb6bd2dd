//! `cmd_play`, `cmd_stop`, `cmd_seek`, `cmd_set_loop` and `cmd_hear`: orders to the front ends that play.

use super::answers::seconds;
use super::tool::{About, HouseTool, Nothing, Silent, does};
use crate::bridge::Bridge;
use crate::effect::Effect;
use crate::errors::no_plan;
use crate::ids::Asker;
use deskhand_dsp::{Frames, SampleRate, Seconds};
use deskhand_protocol::News;
use deskhand_protocol::desk::{Play, Which};
use deskhand_session::intent::{Intent, Kinds, Slot, TextKind};
use deskhand_session::plan::ValueEdit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Plan, PlanId, PlanState, Session, StoredPlan};
use deskhand_toolkit::{Gesture, ToolSpec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn tools() -> Vec<HouseTool> {
    vec![start_tool(), stop_tool(), seek_tool(), set_loop_tool().and(ToolSpec::sets), hear_tool()]
}

/// Where from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StartParams {
    /// Time in seconds; omitted: the current position.
    #[schemars(range(min = 0.0, max = 1e7))]
    from_s: Option<f64>,
}

/// Where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SeekParams {
    /// Time in seconds.
    #[schemars(range(min = 0.0, max = 1e7))]
    at_s: f64,
}

/// The loop.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LoopParams {
    /// Start in seconds; omitted with `to_s`: no loop.
    #[schemars(range(min = 0.0, max = 1e7))]
    from_s: Option<f64>,
    /// End in seconds.
    #[schemars(range(min = 0.0, max = 1e7))]
    to_s: Option<f64>,
}

/// The plan to hear.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HearParams {
    /// A plan that waits.
    #[schemars(with = "String")]
    plan_id: PlanId,
    /// The session now, with the plan, or with the plan at the current loudness.
    #[schemars(schema_with = "which_schema")]
    which: Which,
    /// In a host: ids of the changes to hear, with the changes they need; omitted: all.
    only: Option<Vec<String>>,
    /// In a host: values to hear instead of the planned values, by change id.
    #[serde(default)]
    set: BTreeMap<String, Value>,
}

fn which_schema(_: &mut SchemaGenerator) -> Schema {
    let all = [Which::Current, Which::Plan, Which::LevelMatched];
    json_schema!({"type": "string", "enum": all})
}

/// Tells the players, if there are any.
fn order(
    bridge: &Bridge,
    asker: Asker,
    play: Play,
    summary: String,
) -> Result<Vec<Effect>, ToolError> {
    if !bridge.has_player() {
        return Err(nobody_plays(bridge));
    }
    let played = Effect::Tell(asker.author, Some(asker), News::Play { play });
    Ok(vec![played, Effect::done(asker, summary)])
}

fn nobody_plays(bridge: &Bridge) -> ToolError {
    if !bridge.hosts.is_empty() {
        let message =
            "instances of Deskhand follow the transport of their host, which is not ours to move";
        return ToolError::prepare(Code::NoTarget, message, "start, stop and locate in the host");
    }
    let fix = "open the session in an app or plugin that plays; or render a file and listen to \
               that: cmd_render, or deskhand render DIR FILE (with --plan for a plan)";
    let message = "nothing here plays sound: no player is attached to this session";
    ToolError::prepare(Code::NoTarget, message, fix)
}

impl Bridge {
    /// The session as a plan that is not applied would make it.
    pub(super) fn planned_session(&self, stored: &StoredPlan) -> Result<Session, ToolError> {
        if matches!(stored.state, PlanState::Applied | PlanState::Applying) {
            let message = "the plan is applied already: the session as it is has it";
            return Err(ToolError::prepare(Code::Refused, message, "leave out the plan"));
        }
        self.plans.left_of(&stored.plan, self.session()).applied_to(self.session()).map_err(
            |refusal| ToolError::prepare(Code::Conflict, refusal.to_string(), "plan again"),
        )
    }
}

fn start_tool() -> HouseTool {
    let description = "Starts playback at the current position, or at a time.";
    let about = About::notify("cmd_play", "Play", description, json!({"from_s": 12.5}));
    does::<Silent, _>(about, start).and(|spec| spec.says(says_play()))
}

/// "play from 0:30", "play the chorus", "play the last 5 seconds", "let me hear phrase 3".
fn says_play() -> [Intent; 5] {
    let play = || Intent::verbs("play").named("mix", "- | of", Kinds::AllOfMix);
    let place = |preps: &str| Slot::place("from_s").preps(preps);
    [
        play().also("again | production"),
        play().slot(place("from | at | -")).flag("top", "from_s", 0.0).needs("from_s"),
        play().about("whole edit").also("again").slot(place("from").unsaid(0.0)),
        play().slot(Slot::of("from_s").nouns("last").before_end()).needs("from_s"),
        Intent::verbs("play")
            .also("whole edit | again | only | on")
            .said("from_s", "- | from | at | with", TextKind::PhraseStart)
            .needs("from_s"),
    ]
}

fn start(
    StartParams { from_s }: StartParams,
    bridge: &Bridge,
    asker: Asker,
) -> Result<Vec<Effect>, ToolError> {
    let rate = bridge.session().rate;
    let Some(at) = from_s.map(|from| frames(from, rate)) else {
        return order(bridge, asker, Play::Start, "playing".into());
    };
    let moved = News::Play { play: Play::Seek { at } };
    let summary = format!("playing from {} s", seconds(at, rate));
    let mut effects = order(bridge, asker, Play::Start, summary)?;
    effects.insert(0, Effect::Tell(asker.author, Some(asker), moved));
    Ok(effects)
}

fn stop_tool() -> HouseTool {
    let about = About::notify("cmd_stop", "Stop", "Stops playback.", json!({}));
    let says = Intent::verbs("stop").named("mix", "-", Kinds::AllOfMix);
    does::<Silent, _>(about, stop).and(|spec| spec.says([says]))
}

fn stop(_: Nothing, bridge: &Bridge, asker: Asker) -> Result<Vec<Effect>, ToolError> {
    order(bridge, asker, Play::Stop, "stopped".into())
}

fn seek_tool() -> HouseTool {
    let description = "Moves playback to a time, playing or stopped.";
    let about = About::notify("cmd_seek", "Go to a time", description, json!({"at_s": 12.5}));
    let at = Slot::place("at_s").preps("- | to | at");
    let to = Intent::verbs("seek").also("moment").slot(at).flag("top", "at_s", 0.0).needs("at_s");
    let phrase = Intent::verbs("seek").also("on").needs("at_s");
    let phrase = phrase.said("at_s", "- | to | at", TextKind::PhraseStart);
    let says = [to, Intent::verbs("rewind").sets("at_s", 0.0), phrase];
    does::<Silent, _>(about, seek).and(|spec| spec.says(says))
}

fn seek(params: SeekParams, bridge: &Bridge, asker: Asker) -> Result<Vec<Effect>, ToolError> {
    let rate = bridge.session().rate;
    let at = frames(params.at_s, rate);
    order(bridge, asker, Play::Seek { at }, format!("at {} s", seconds(at, rate)))
}

fn set_loop_tool() -> HouseTool {
    let about = About::notify(
        "cmd_set_loop",
        "Repeat a range",
        "Loops a range of time; without `from_s` and `to_s` the loop ends.",
        json!({"from_s": 10.0, "to_s": 20.0}),
    );
    does::<Silent, _>(about, set_loop).and(|spec| spec.says(says_loop()))
}

/// "loop from 0:10 to 0:20", "loop the chorus", "loop the last 10 seconds", "stop looping".
fn says_loop() -> [Intent; 6] {
    let repeat = || Intent::verbs("loop");
    let (from, to) = (Slot::place("from_s").preps("from | between | - | at"), Slot::place("to_s"));
    let (first, last) = (Slot::of("to_s").nouns("first"), Slot::of("from_s").nouns("last"));
    let end = Slot::of("to_s").before_end().preps("to").unsaid(0.0);
    [
        repeat().slot(from).slot(to.preps("to | until | -")).needs("from_s").needs("to_s"),
        repeat().named("from_s", "- | from | in | over", Kinds::Span).lacks(
            "a stretch of time is repeated: a marker with a length, a clip or the selection is one",
            "loop from 0:10 to 0:20 | stop looping",
        ),
        repeat().said("from_s", "-", TextKind::PhraseSpan).needs("from_s"),
        repeat().slot(first).needs("to_s").sets("from_s", 0.0),
        repeat().slot(last.before_end()).needs("from_s").slot(end),
        Intent::verbs("unloop"),
    ]
}

fn set_loop(params: LoopParams, bridge: &Bridge, asker: Asker) -> Result<Vec<Effect>, ToolError> {
    let rate = bridge.session().rate;
    let (range, summary) = match (params.from_s, params.to_s) {
        (None, None) => (None, "nothing is repeated".into()),
        (Some(from), Some(to)) if frames(from, rate) < frames(to, rate) => {
            (Some((frames(from, rate), frames(to, rate))), format!("repeating {from} to {to} s"))
        }
        _ => {
            let fix = "give both `from_s` and `to_s`, or neither to repeat nothing";
            let message = "a range that is repeated has a start and a later end";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
    };
    order(bridge, asker, Play::Loop { range }, summary)
}

fn hear_tool() -> HouseTool {
    let about = About::notify(
        "cmd_hear",
        "Hear a plan",
        "Plays a waiting plan before it is applied: `current` is the session now, `plan` the session with \
         the plan, `level_matched` the plan at the current loudness. Without a player, cmd_render with \
         `plan_id` writes a file.",
        json!({"plan_id": "plan_0123456789ab", "which": "plan"}),
    );
    does::<Silent, _>(about, hear).offers(Gesture::HearPlan)
}

fn hear(params: HearParams, bridge: &Bridge, asker: Asker) -> Result<Vec<Effect>, ToolError> {
    let HearParams { plan_id: id, which, only, set } = params;
    let stored = bridge.plans.get(id).ok_or_else(|| no_plan(id))?;
    let plan =
        part_of(&bridge.plans.left_of(&stored.plan, bridge.session()), only.as_deref(), set)?;
    bridge.planned_session(stored)?;
    let (mut words, mut effects) = (vec![side_in_words(which).to_owned()], Vec::new());
    if !bridge.hosts.is_empty() {
        // An app that plays too hears whatever the hosts cannot.
        match bridge.heard_in_hosts(&plan) {
            Ok((planned, unheard)) => {
                words.extend(unheard.iter().map(|it| format!("not heard: {it}")));
                effects.push(Effect::Hear(asker, Box::new(plan), which, Box::new(planned)));
            }
            Err(error) if !bridge.has_player() => return Err(error),
            Err(error) => words.push(error.message),
        }
    }
    let summary = words.join("; ");
    if bridge.has_player() || bridge.hosts.is_empty() {
        effects.extend(order(bridge, asker, Play::Hear { plan: id, which }, summary)?);
    } else {
        effects.push(Effect::done(asker, summary));
    }
    Ok(effects)
}

fn side_in_words(which: Which) -> &'static str {
    match which {
        Which::Current => "playing the session as it is",
        Which::Plan => "playing the session with the plan",
        Which::LevelMatched => "playing the session with the plan, at the loudness of now",
    }
}

/// The ticked part, with the id of the whole: the whole is what is decided.
fn part_of(
    plan: &Plan,
    only: Option<&[String]>,
    set: BTreeMap<String, Value>,
) -> Result<Plan, ToolError> {
    if only.is_none() && set.is_empty() {
        return Ok(plan.clone());
    }
    let all: Vec<String> = plan.changes.iter().map(|change| change.id.clone()).collect();
    let edits = set.into_iter().map(|(change, after)| ValueEdit { change, after });
    let edits: Vec<ValueEdit> = edits.collect();
    let part = plan.closure(only.unwrap_or(&all)).and_then(|ids| plan.derived(&ids, &edits));
    let part = part.map_err(|error| {
        let fix = "name changes of the plan by their ids, as it lists them";
        ToolError::prepare(Code::BadParams, error.to_string(), fix)
    })?;
    Ok(Plan { id: plan.id, ..part })
}

fn frames(seconds: f64, rate: SampleRate) -> Frames {
    Seconds(seconds).frames(rate)
}

//! `tool_shape_tone`: "warmer", "clearer", "too boomy": small changes of tone, sized by the measured spectrum.

mod direction;
mod moves;
mod promise;
mod punch;
mod reference;
mod says;
mod sound;
#[cfg(test)]
mod tests;

use crate::bands::Spectrum;
use crate::feeding::feeds;
use crate::mix_peak;
use deskhand_dsp::effects::{Effect, Equalizer};
use deskhand_session::offers::{Menu, Offers};
use deskhand_session::text::{names, subject};
use deskhand_session::{Change, Edit, IdSeed, InsertOwner, ObjectId, Session, Switch};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use direction::{Amount, Direction};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use sound::{Planned, Sound};

/// `tool_shape_tone`.
pub(crate) struct ShapeTone;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The tracks or buses; `mix` means the mix. Omitted: the mix.
    #[serde(default = "mix")]
    targets: Targets,
    /// How it should sound.
    direction: Direction,
    /// How much of it.
    #[serde(default)]
    amount: Amount,
}

fn mix() -> Targets {
    Targets::One("mix".into())
}

/// The call against the session.
pub(crate) struct Resolved {
    on: Vec<InsertOwner>,
    /// Buses among the targets that others of them play into.
    fed: Vec<String>,
    direction: Direction,
    amount: Amount,
}

/// The targets that stay as they are.
#[derive(Default)]
struct Unchanged {
    silent: Vec<String>,
    enough: Vec<String>,
    full: Vec<String>,
}

impl TypedTool for ShapeTone {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_shape_tone",
            "Shape the tone",
            "Makes tracks, buses or the mix warmer, brighter, clearer, punchier, fuller or darker, or less boomy, \
             muddy, boxy, nasal or harsh. Compares the measured spectrum with a reference for speech or music, and \
             plans small shelves and bells: at most 3 dB a band, in steps of 0.5 dB, less where the sound is there \
             already. `punchier` adds a compressor with a slow attack, judged by the crest factor. Plans are to be \
             heard before they are applied. Asking again goes one step further.",
            Category::Level,
            Trust::Suggest,
            vec![
                json!({"targets": "Lead Vocal", "direction": "warmer"}),
                json!({"targets": "mix", "direction": "less_muddy", "amount": "subtle"}),
            ],
        )
        .on_the_whole()
        .offers(offers())
        .says(says::says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        if session.clips.is_empty() {
            let fix = "import audio first: import_audio";
            return Err(ToolError::prepare(Code::NoTarget, "the session has no clips", fix));
        }
        let Params { targets, direction, amount } = params;
        if targets.is_mix() {
            let on = vec![InsertOwner::Master];
            return Ok(Resolved { on, fed: Vec::new(), direction, amount });
        }
        let tracks = targets.tracks(session)?;
        // A change on a track would be made again on its bus.
        let is_fed = |bus| tracks.iter().any(|id| feeds(session, *id, bus));
        let (fed, own): (Vec<_>, Vec<_>) = tracks.iter().copied().partition(|id| is_fed(*id));
        let fed = fed.into_iter().map(|id| session.name_of(id.into())).collect();
        let on = own.into_iter().map(InsertOwner::Track).collect();
        Ok(Resolved { on, fed, direction, amount })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        let tracks = call.on.iter().filter_map(|on| match on {
            InsertOwner::Master => None,
            InsertOwner::Track(id) => Some((*id).into()),
        });
        tracks.collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let (mut draft, mut ids) = (Draft::default(), context.ids());
        let (mut shaped, mut unchanged) = (Vec::new(), Unchanged::default());
        for (index, on) in call.on.iter().enumerate() {
            let sound = Sound::of(&context.session, *on);
            context.step(index, call.on.len(), &sound.name)?;
            match shape(&mut draft, context, &mut ids, &sound, &call)? {
                Outcome::Shaped => shaped.push(sound),
                Outcome::Silent => unchanged.silent.push(sound.name),
                Outcome::Enough => unchanged.enough.push(sound.name),
                Outcome::Full => unchanged.full.push(sound.name),
            }
        }
        if shaped.iter().all(|sound| sound.on != InsertOwner::Master) {
            mix_peak::tell(context, &mut draft, &mix_peak::Peaks::new())?;
        }
        draft.summary = summary(&draft, &shaped, &call);
        tell_unchanged(&mut draft, &unchanged, &call);
        Ok(draft)
    }
}

/// The entries in the menus of tracks and buses.
fn offers() -> Offers {
    let directions = [
        ("Make it warmer", "warmer"),
        ("Make it brighter", "brighter"),
        ("Make it clearer", "clearer"),
        ("Make it punchier", "punchier"),
        ("Make it less boomy", "less_boomy"),
    ];
    directions.iter().fold(Offers::said("make the vocals warmer"), |offers, (label, direction)| {
        let sets = json!({"direction": direction});
        offers.entry(Menu::Track, label, "", sets.clone()).entry(Menu::Bus, label, "", sets)
    })
}

/// What became of one target.
enum Outcome {
    Shaped,
    Silent,
    /// It sounds so already.
    Enough,
    /// The bands are at their limits.
    Full,
}

/// Plans the change of one target.
fn shape(
    draft: &mut Draft,
    context: &PlanContext,
    ids: &mut IdSeed,
    sound: &Sound<'_>,
    call: &Resolved,
) -> Result<Outcome, ToolError> {
    let reader = context.audio.render(sound.session, sound.target);
    let Some(spectrum) = Spectrum::of(context, reader.map_err(ToolError::media)?.as_mut())? else {
        return Ok(Outcome::Silent);
    };
    let had = sound.bands();
    let found = moves::moves(call.direction, call.amount, &spectrum, sound.reference, &had);
    let mut planned: Vec<Planned> = Vec::new();
    if !found.moves.is_empty() {
        let bands = moves::merged(&had, &found.moves);
        let why: Vec<&str> = found.moves.iter().map(|it| it.why.as_str()).collect();
        planned.push(sound.set(Effect::Equalizer(Equalizer { bands }), why.join("; "), ids));
    }
    if call.direction == Direction::Punchier {
        let with = sound.session.with(planned.iter().map(|it| &it.change));
        let with = with.map_err(ToolError::media)?;
        let punch = punch::compressor(context, &with, sound, call.amount)?;
        planned.extend(punch.map(|it| sound.set(Effect::Compressor(it.compressor), it.why, ids)));
    }
    if planned.is_empty() {
        return Ok(if found.is_full { Outcome::Full } else { Outcome::Enough });
    }
    draft.findings.extend(promise::bands(sound.target, &spectrum, &found.moves));
    promise::add(draft, context, sound, planned, call.direction)?;
    Ok(Outcome::Shaped)
}

fn summary(draft: &Draft, shaped: &[Sound<'_>], call: &Resolved) -> String {
    let title = call.direction.title();
    let all: Vec<String> = shaped.iter().map(|sound| sound.name.clone()).collect();
    match shaped {
        [] => format!("Nothing to change to make it {title}"),
        [one] => {
            let whom = match one.on {
                InsertOwner::Master => "the mix".to_owned(),
                InsertOwner::Track(_) => subject(&all, "track"),
            };
            format!("Make {whom} {title}: {}", done(draft))
        }
        _ => format!("Make {} {title}", subject(&all, "track")),
    }
}

/// What the processors of a plan for one target do, in short.
fn done(draft: &Draft) -> String {
    let of = |change: &Change| match change {
        Change::SetInsert(Edit { before, after: Some(after), .. }) => {
            let before = before.as_ref().filter(|it| it.switch == Switch::On);
            moves::done(before.map(|it| &it.effect), &after.effect)
        }
        _ => None,
    };
    let all: Vec<String> = draft.changes.iter().filter_map(|it| of(&it.change)).collect();
    all.join(", ")
}

/// Says which targets stay as they are, and why.
fn tell_unchanged(draft: &mut Draft, unchanged: &Unchanged, call: &Resolved) {
    let (title, mut told) = (call.direction.title(), Vec::new());
    if !unchanged.silent.is_empty() {
        told.push(format!("{}: silent; skipped", names(&unchanged.silent)));
    }
    if !unchanged.enough.is_empty() {
        let why = match call.direction {
            Direction::Punchier => "a compressor would not make the peaks clearer".to_owned(),
            _ => format!("already {title} than the reference"),
        };
        told.push(format!("{}: {why}", names(&unchanged.enough)));
    }
    if !unchanged.full.is_empty() {
        let full = names(&unchanged.full);
        told.push(format!("{full}: the bands that make it {title} are at their limit of 3 dB"));
    }
    if !call.fed.is_empty() {
        let fed = names(&call.fed);
        told.push(format!("{fed}: unchanged, because the tracks that play into it are shaped"));
    }
    match draft.changes.is_empty() {
        true => {
            let why = told.join("; ");
            draft.summary = format!("{} ({why})", draft.summary);
        }
        false => draft.warnings.extend(told),
    }
}

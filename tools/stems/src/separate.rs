//! `tool_separate_stems`: a recording into stems that sum to it.

use crate::plan::{Planner, Ready, stretches};
use crate::recipe::{Engine, Method, Recipe, Wish, split};
use crate::work::{Stretch, Work};
use deskhand_inference::Library;
use deskhand_session::intent::{Intent, Kinds, TextKind};
use deskhand_session::{ClipId, ObjectId, Session, TrackId};
use deskhand_toolkit::{
    Category, Code, Draft, Estimate, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

/// `tool_separate_stems`.
pub(crate) struct SeparateStems;

/// Three hours on a slow machine.
const LIMIT: Duration = Duration::from_secs(6 * 3600);

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Clips, tracks or groups.
    #[serde(default)]
    targets: Targets,
    /// With a `model` (the default), or without one: `harmonic_percussive`, `mid_side`.
    #[serde(default)]
    method: Method,
    /// Id of an installed model; omitted: spleeter-2stems.
    model: Option<String>,
    /// Stems with their own track, such as ["vocals"] or ["vocals", "drums", "bass", "other"]; one more track
    /// holds the rest. Omitted: all stems of the method.
    stems: Option<Vec<String>>,
    /// The stem that takes the rest; omitted: the accompaniment.
    rest: Option<String>,
}

/// The call against the session.
pub(crate) struct Resolved {
    clips: Vec<ClipId>,
    wish: Wish,
}

/// How people ask for stems.
fn says() -> [Intent; 6] {
    let stems = "stem | to:stem | in:stem";
    let by = |words: &str, method: &str| {
        let it = Intent::verbs("split | separate | decode | make");
        it.about(&format!("{words} | to:{words}"))
            .also(stems)
            .sets("method", method)
            .on(Kinds::Sound)
    };
    let named = |verbs: &str, preps: &str| {
        Intent::verbs(verbs).said("stems", preps, TextKind::Stems).needs("stems")
    };
    let from = "of | from | in | out";
    [
        named("split | separate", "to").on(Kinds::Sound),
        named("separate | isolate | pull out | extract | get | give", "-")
            .named("targets", from, Kinds::Sound)
            .only_named(),
        by("harmonic and percussive", "harmonic_percussive"),
        by("mid and side", "mid_side"),
        Intent::verbs("separate").also(stems).on(Kinds::Sound),
        Intent::verbs("split | make | get | give | find | add").about(stems).on(Kinds::Sound),
    ]
}

impl TypedTool for SeparateStems {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        let spec = ToolSpec::new(
            "tool_separate_stems",
            "Separate stems",
            "Splits clips into stems: by default vocals and accompaniment with the model spleeter-2stems, \
                 which a person installs once with `deskhand models install`; drums, bass and other are rough \
                 unless the model has them. `harmonic_percussive` and `mid_side` need no model. Each stem gets \
                 a track under the original with its fader, aligned to the sample, and the original is muted; \
                 together the stems equal the original. The files stay in the session's media and are used \
                 again for the same request.",
            Category::Edit,
            Trust::Suggest,
        );
        let examples = vec![
            json!({"targets": "Song"}),
            json!({"targets": "Song", "stems": ["vocals", "drums", "bass", "other"]}),
            json!({"targets": "all", "method": "harmonic_percussive"}),
        ];
        ToolSpec { examples, timeout: LIMIT, ..spec.says(says()) }
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let clips = params.targets.clips(session)?;
        for clip in &clips {
            check_channels(session, *clip, params.method)?;
        }
        let Params { method, model, stems, rest, .. } = params;
        Ok(Resolved { clips, wish: Wish { method, model, stems, rest } })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.clips.iter().map(|id| (*id).into()).collect()
    }

    fn estimate(call: &Resolved, session: &Session) -> Estimate {
        let stretches = stretches(session, &call.clips);
        let seconds: f64 = stretches.iter().map(|s| s.length.seconds(session.rate).0).sum();
        let frames: u64 = stretches.iter().map(|s| s.length.index() as u64).sum();
        let stems = call.wish.stems.as_ref().map_or(2, |stems| stems.len() as u64 + 1);
        let speed = match call.wish.method {
            Method::Model | Method::HarmonicPercussive => 20.0,
            Method::MidSide => 200.0,
        };
        // Two channels of four bytes.
        Estimate { seconds: seconds / speed, bytes: frames * stems * 8 }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let library = Library::of_this_user();
        let library = match (&library, call.wish.method) {
            (Ok(library), _) => library,
            (Err(error), Method::Model) => return Err(split(Code::Refused, &error.to_string())),
            // Without a model a folder for models is not missed.
            (Err(_), _) => &Library::at(context.folder.join("models"), 0),
        };
        separate(&call, library, context)
    }
}

fn separate(call: &Resolved, library: &Library, context: &PlanContext) -> Result<Draft, ToolError> {
    let recipe = Recipe::of(&call.wish, library)?;
    let session = &context.session;
    let stretches = stretches(session, &call.clips);
    let all: f64 = stretches.iter().map(|stretch| stretch.length.0 as f64).sum();
    let (mut ready, mut done) = (Vec::new(), 0.0);
    for (index, stretch) in stretches.iter().enumerate() {
        *context.finished.lock() = format!("{index} of {} stretches finished", stretches.len());
        let share = stretch.length.0 as f64 / all.max(1.0);
        let made = make(context, &recipe, library, *stretch, (done, share))?;
        ready.push(Ready { stretch: *stretch, made });
        done = (done + share).min(1.0);
    }
    let mut planner = Planner::new(context, &recipe, &ready);
    let mut of: BTreeMap<TrackId, Vec<ClipId>> = BTreeMap::new();
    for id in &call.clips {
        if let Some(clip) = session.clips.get(id) {
            of.entry(clip.track).or_default().push(*id);
        }
    }
    let mut names = Vec::new();
    for (id, track) in session.tracks_in_order() {
        if of.get(&id).is_some_and(|clips| planner.track(id, clips)) {
            names.push(track.name.clone());
        }
    }
    let mut draft = planner.draft;
    if names.is_empty() {
        return Ok(Draft::new("Everything that was asked for is split already"));
    }
    draft.summary = summary(&names, &recipe);
    draft.warnings.extend(caveats(&recipe));
    Ok(draft)
}

fn make(
    context: &PlanContext,
    recipe: &Recipe,
    library: &Library,
    stretch: Stretch,
    (done, share): (f64, f64),
) -> Result<Vec<deskhand_toolkit::generated_audio::Made>, ToolError> {
    let source = context.session.sources.get(&stretch.source).ok_or_else(|| {
        ToolError::run(Code::Media, "a clip's source is not in the library", "import it again")
    })?;
    Work { context, recipe, library: Some(library), stretch, done, share }.make(source)
}

fn check_channels(session: &Session, id: ClipId, method: Method) -> Result<(), ToolError> {
    let Some(clip) = session.clips.get(&id) else {
        return Ok(());
    };
    let channels = session.sources.get(&clip.source).map_or(0, |source| source.channels);
    let name = &clip.name;
    if channels > 2 {
        let message =
            format!("\"{name}\" has {channels} channels, and stems are made of one or two");
        let fix = "import the file with `split_channels` and separate a pair";
        return Err(ToolError::prepare(Code::BadParams, message, fix));
    }
    if channels == 1 && method == Method::MidSide {
        let message = format!("\"{name}\" is mono and has no side");
        return Err(ToolError::prepare(Code::BadParams, message, "choose stereo clips"));
    }
    Ok(())
}

fn summary(tracks: &[String], recipe: &Recipe) -> String {
    let stems: Vec<&str> = recipe.stems.iter().map(|stem| stem.name.as_str()).collect();
    let stems = match stems.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => stems.join(""),
    };
    let what = match tracks {
        [one] => format!("\"{one}\""),
        several => format!("{} tracks", several.len()),
    };
    format!("Split {what} into {stems} ({})", recipe.by())
}

/// What a person should know of the result.
fn caveats(recipe: &Recipe) -> Option<String> {
    match recipe.engine {
        Engine::ModelAndRough(_) => Some(
            "drums and bass are rough: struck sounds and low sounds, not what a model would find"
                .into(),
        ),
        Engine::Model(_) | Engine::Medians | Engine::Side => None,
    }
}

#[cfg(test)]
mod tests;

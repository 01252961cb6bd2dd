//! `tool_match_loudness`: brings clips, tracks or the mix to the loudness of something else.

use crate::about::tool;
use crate::normalize::{self, Normalize};
use crate::words::trimmed;
use deskhand_dsp::Frames;
use deskhand_dsp::loudness::Levels;
use deskhand_session::{Finding, Measure, ObjectId, Read, Session};
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// `tool_match_loudness`.
pub(crate) struct MatchLoudness;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// What is brought to the loudness; `mix` means the mix.
    #[serde(default)]
    targets: Targets,
    /// The track or clip whose loudness is taken; `mix` means the mix. This or `reference_file`.
    reference: Option<String>,
    /// Path of an audio file whose loudness is taken.
    reference_file: Option<String>,
    /// How much louder (positive) or quieter (negative) than the reference, in LU.
    #[serde(default)]
    #[schemars(range(min = -30.0, max = 30.0))]
    offset_lu: f64,
    /// The true peak that may not be exceeded, in dBTP.
    #[schemars(range(min = -60.0, max = 6.0))]
    ceiling_dbtp: Option<f64>,
    /// What gets the gain: each clip (the default), each track, or the mix.
    per: Option<normalize::Per>,
}

/// What the loudness is taken of.
enum Reference {
    Object(ObjectId),
    File(PathBuf),
}

/// The call against the session.
pub(crate) struct Resolved {
    reference: Reference,
    objects: Vec<ObjectId>,
    /// The parameters of `tool_normalize`, but for the loudness.
    params: Value,
    offset: f64,
}

impl TypedTool for MatchLoudness {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_match_loudness",
            "Match loudness",
            "Brings clips (by clip gain), tracks (by fader) or the mix (by master gain) to the integrated \
             loudness of another track or clip, or of a reference file, with an offset where wanted. \
             A true-peak ceiling lowers the gain and tells by how much the level is missed.",
            Category::Level,
            Trust::Suggest,
            vec![
                json!({"targets": "Guest", "reference": "Host", "per": "track"}),
                json!({"targets": "mix", "reference_file": "reference.wav", "ceiling_dbtp": -1.0}),
            ],
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let reference = reference(&params, session)?;
        let mut normalize = json!({"targets": params.targets, "target_lufs": -23.0});
        if let Some(ceiling) = params.ceiling_dbtp {
            normalize["ceiling_dbtp"] = json!(ceiling);
        }
        match params.per {
            Some(normalize::Per::Clip) => normalize["per"] = json!("clip"),
            Some(normalize::Per::Track) => normalize["per"] = json!("track"),
            Some(normalize::Per::Mix) => normalize["per"] = json!("mix"),
            None => {}
        }
        let objects = Normalize::targets(&Normalize::resolve(parsed(&normalize)?, session)?);
        if let Reference::Object(id) = &reference
            && objects.contains(id)
        {
            let name = session.name_of(*id);
            let message = format!("\"{name}\" is the reference and a target");
            let fix = "leave it out of `targets`";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        Ok(Resolved { reference, objects, params: normalize, offset: params.offset_lu })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.objects.clone()
    }

    fn outside(call: &Resolved) -> Vec<PathBuf> {
        match &call.reference {
            Reference::Object(_) => Vec::new(),
            Reference::File(path) => vec![path.clone()],
        }
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let (levels, name) = measured(&call.reference, context)?;
        let Some(loudness) = levels.integrated else {
            let message = format!("{name} has no loudness: silent, below the gate or too short");
            let fix = "take another reference";
            return Err(ToolError::run(Code::BadParams, message, fix));
        };
        let target = (loudness.0 + call.offset).clamp(-70.0, 0.0);
        let mut params = call.params;
        params["target_lufs"] = json!((target * 100.0).round() / 100.0);
        let resolved = Normalize::resolve(parsed(&params)?, &context.session)?;
        let mut draft = Normalize::run(resolved, context)?;
        if let Reference::Object(id) = call.reference {
            let found = Finding::new(id, Measure::IntegratedLoudness, Some(loudness.0));
            draft.findings.insert(0, found);
            draft.reads.push(Read::audio(&context.session, id));
        }
        let offset = match call.offset {
            0.0 => String::new(),
            up if up > 0.0 => format!(", {} LU above it", trimmed(up, 2)),
            down => format!(", {} LU below it", trimmed(-down, 2)),
        };
        draft.summary += &format!(", as loud as {name}{offset}");
        Ok(draft)
    }
}

fn parsed(params: &Value) -> Result<normalize::Params, ToolError> {
    serde_json::from_value(params.clone()).map_err(|error| {
        ToolError::prepare(Code::BadParams, error.to_string(), "see the tool's parameters")
    })
}

fn reference(params: &Params, session: &Session) -> Result<Reference, ToolError> {
    match (&params.reference, &params.reference_file) {
        (Some(name), None) => object(name, session).map(Reference::Object),
        (None, Some(file)) => Ok(Reference::File(PathBuf::from(file))),
        (None, None) | (Some(_), Some(_)) => Err(ToolError::prepare(
            Code::BadParams,
            "one thing has to be named whose loudness is taken",
            "give `reference` (a track, a clip or mix) or `reference_file`, not both",
        )),
    }
}

/// The one track, clip or mix of that name; a track goes ahead of clips of its name.
fn object(name: &str, session: &Session) -> Result<ObjectId, ToolError> {
    let targets = Targets::One(name.into());
    if targets.is_mix() {
        return Ok(session.id.into());
    }
    let found = targets.objects(session)?;
    let tracks: Vec<_> = found.iter().filter(|id| matches!(id, ObjectId::Track(_))).collect();
    match (tracks.as_slice(), found.as_slice()) {
        ([one], _) => Ok(**one),
        ([], [one]) => Ok(*one),
        _ => {
            let message =
                format!("\"{name}\" means {} things, and the loudness is that of one", found.len());
            Err(ToolError::prepare(
                Code::BadParams,
                message,
                "name one track or clip, or give its id",
            ))
        }
    }
}

fn measured(reference: &Reference, context: &PlanContext) -> Result<(Levels, String), ToolError> {
    match reference {
        Reference::Object(id) => {
            let name = context.session.name_of(*id);
            let called = if *id == context.session.id.into() {
                "the mix".into()
            } else {
                format!("\"{name}\"")
            };
            Ok((context.levels(*id)?, called))
        }
        Reference::File(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Ok((of_file(path, context)?, format!("{name:?}")))
        }
    }
}

/// The levels of a file, at its own rate.
pub(crate) fn of_file(path: &Path, context: &PlanContext) -> Result<Levels, ToolError> {
    let open = || {
        let opened = context.opener.open_at(path, context.session.rate);
        opened.map_err(|error| deskhand_dsp::ReadError(error.to_string()))
    };
    let mut go_on = |_| match context.check() {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let whole = Frames::ZERO..Frames(i64::MAX);
    let profile = deskhand_media::measure_profile(&open, whole, threads, &mut go_on);
    let profile =
        profile.map_err(|error| context.check().err().unwrap_or_else(|| ToolError::media(error)));
    Ok(profile?.levels(deskhand_dsp::Decibels::UNITY))
}

#[cfg(test)]
mod tests {
    use crate::testing::{Desk, tone};
    use deskhand_session::Track;
    use serde_json::json;

    #[test]
    fn a_track_becomes_as_loud_as_another_or_as_a_file() {
        let mut desk = Desk::new();
        let (host, guest) = (desk.track(Track::audio("Host")), desk.track(Track::audio("Guest")));
        desk.clip(host, "host", 0, tone(1000.0, -20.0, 4.0));
        desk.clip(guest, "guest", 0, tone(1000.0, -31.0, 4.0));
        let params = json!({"targets": "Guest", "reference": "Host", "per": "track"});
        let draft = desk.settle("tool_match_loudness", &params);
        assert!(draft.summary.ends_with(", as loud as \"Host\""), "{}", draft.summary);
        assert!((desk.session.tracks[&guest].gain.0 - 11.0).abs() < 0.02);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loud.wav");
        let depth = deskhand_media::BitDepth::F32;
        let mut writer =
            deskhand_media::WavWriter::create(&path, crate::testing::RATE, 1, depth).unwrap();
        writer.write(&[&tone(1000.0, -15.0, 4.0)]).unwrap();
        writer.finish().unwrap();
        let params =
            json!({"targets": "host", "reference_file": path, "offset_lu": -2, "per": "clip"});
        let draft = desk.plan("tool_match_loudness", params);
        assert!(
            draft.summary.contains("as loud as \"loud.wav\", 2 LU below it"),
            "{}",
            draft.summary
        );
    }

    #[test]
    fn the_reference_is_one_thing_and_no_target() {
        let mut desk = Desk::new();
        let host = desk.track(Track::audio("Host"));
        desk.clip(host, "host", 0, tone(1000.0, -20.0, 4.0));
        let told = desk.refusal("tool_match_loudness", json!({"targets": "Host"}));
        assert!(told.contains("one thing has to be named"), "{told}");
        let same = json!({"targets": "Host", "reference": "Host", "per": "track"});
        let told = desk.refusal("tool_match_loudness", same);
        assert!(told.contains("\"Host\" is the reference and a target"), "{told}");
    }
}

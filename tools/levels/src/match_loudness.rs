//! `tool_match_loudness`: brings clips, tracks or the mix to the loudness of something else.

use crate::normalize::{self, ByTrack, Normalize};
use deskhand_dsp::loudness::{Levels, LoudnessProfile};
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::intent::{Intent, Kinds, Slot, Unit};
use deskhand_session::text::trimmed;
use deskhand_session::{ClipId, Finding, Measure, ObjectId, Read, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, HostInputs, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
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
    /// The clips or tracks to match; `mix` means the mix.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// The reference track or clip; `mix` means the mix. This or `reference_file`.
    reference: Option<String>,
    /// Path of the reference audio file.
    reference_file: Option<String>,
    /// Offset in LU: louder (positive) or quieter (negative) than the reference.
    #[serde(default)]
    #[schemars(range(min = -30.0, max = 30.0))]
    offset_lu: f64,
    /// The highest true peak, in dBTP.
    #[schemars(range(min = -60.0, max = 6.0))]
    ceiling_dbtp: Option<f64>,
    /// The gain to change: each clip (measured before the faders), each track (after them) or the mix; omitted:
    /// tracks if tracks are named, else clips.
    per: Option<normalize::Per>,
}

/// What the loudness is taken of.
enum Reference {
    Object(ObjectId),
    File(PathBuf),
}

/// How people ask for it.
fn says() -> [Intent; 5] {
    let like = Intent::verbs("make | bring | get | set | normalize");
    let like = like.named("reference", "as loud as | like", Kinds::OneSound).on(Kinds::Sound);
    let matched = Intent::verbs("match").also("loudness | level | volume");
    let matched = matched.named("reference", "to | with | as loud as | like", Kinds::OneSound);
    let matched = matched.named("targets", "- | of", Kinds::Sound).or_everything();
    let offset = Slot::of("offset_lu").unit(Unit::Lu).unit(Unit::Db).preps("- | by");
    let matched = matched.slot(offset.signed_by("up | louder", "down | quieter"));
    let answer = "it does not say which one track or clip it is matched to";
    let both = Intent::verbs("make+match | get+match").also("loudness | level | volume");
    let both = both.named("targets", "-", Kinds::Sound);
    [
        matched.lacks(answer, "match the guest mic to the host mic"),
        like,
        both.named("reference", "- | to | with", Kinds::OneSound),
        than("louder than | above | over", 1.0),
        than("quieter than | below", -1.0),
    ]
}

/// "make the bass 3 dB louder than the kick".
fn than(preps: &str, sign: f64) -> Intent {
    let offset = Slot::of("offset_lu").unit(Unit::Lu).unit(Unit::Db).preps("- | by").scale(sign);
    let it = Intent::verbs("make | get | set | put | turn | bring | want | sit").slot(offset);
    it.needs("offset_lu").named("reference", preps, Kinds::OneSound).on(Kinds::Sound)
}

/// The call against the session.
pub(crate) struct Resolved {
    reference: Reference,
    objects: Vec<ObjectId>,
    /// The parameters of `tool_normalize`, but for the loudness.
    params: Value,
    offset: f64,
    /// What to know of the targets.
    note: Option<String>,
}

impl TypedTool for MatchLoudness {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_match_loudness",
            "Match loudness",
            "Matches the integrated loudness of clips (by clip gain), tracks (by fader) or the mix (by master \
             gain) to another track or clip, or to a reference file, with an optional offset. Both are \
             measured at one point: after the faders, or for clips before them. A true-peak ceiling lowers the \
             gain; the plan states how far the level misses.",
            Category::Level,
            Trust::Suggest,
            vec![
                json!({"targets": "Guest", "reference": "Host", "per": "track"}),
                json!({"targets": "mix", "reference_file": "reference.wav", "ceiling_dbtp": -1.0}),
            ],
        )
        .on_the_whole()
        .says(says())
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
            None if are_tracks(&params.targets, session) => normalize["per"] = json!("track"),
            None => {}
        }
        let objects = Normalize::targets(&Normalize::resolve(parsed(&normalize)?, session)?);
        if let Reference::Object(id) = reference {
            apart(session, id, &objects)?;
        }
        let (params, offset) = (normalize, params.offset_lu);
        Ok(Resolved { reference, objects, params, offset, note: None })
    }

    fn resolve_in_hosts(
        params: Params,
        session: &Session,
        inputs: &HostInputs,
    ) -> Result<Resolved, ToolError> {
        let ByTrack { targets, per, note } =
            ByTrack::of(params.targets, params.per, session, inputs);
        let resolved = Self::resolve(Params { targets, per, ..params }, session)?;
        Ok(Resolved { note, ..resolved })
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
        let (levels, name, point) = measured(&call, context)?;
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
        draft.notes.extend(call.note);
        if let Reference::Object(id) = call.reference {
            let found = Finding::new(id, Measure::IntegratedLoudness, Some(loudness.0));
            let method = format!("{}{point}", found.method);
            draft.findings.insert(0, Finding { method, ..found });
            draft.reads.push(Read::audio(&context.session, id));
        }
        let offset = match call.offset {
            0.0 => String::new(),
            up if up > 0.0 => format!(", {} LU above it", trimmed(up, 2)),
            down => format!(", {} LU below it", trimmed(-down, 2)),
        };
        draft.summary += &format!(", as loud as {name}{point}{offset}");
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

/// The track, clip or mix with this name; a track goes before clips of its name.
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

/// # Errors
/// When the reference is a target, or plays on one, whose fader moves it along: however far, it stays as far from that.
fn apart(session: &Session, reference: ObjectId, targets: &[ObjectId]) -> Result<(), ToolError> {
    let name = session.name_of(reference);
    let track = match reference {
        ObjectId::Clip(id) => session.clips.get(&id).map(|clip| ObjectId::from(clip.track)),
        _ => None,
    };
    let (message, fix) = if targets.contains(&reference) {
        (format!("\"{name}\" is the reference and a target"), "leave it out of `targets`")
    } else if track.is_some_and(|track| targets.contains(&track)) {
        let message = format!("\"{name}\" is the reference and plays on a track that is a target");
        (message, "name the clips in `targets` that are to be as loud")
    } else {
        return Ok(());
    };
    Err(ToolError::prepare(Code::BadParams, message, fix))
}

/// Whether the targets are tracks: these match the loudness by their faders, as heard.
fn are_tracks(targets: &Targets, session: &Session) -> bool {
    let named = targets.objects(session).unwrap_or_default();
    !targets.is_mix() && named.iter().any(|id| matches!(id, ObjectId::Track(_)))
}

/// The levels of the reference at the point at which the targets are set, its name, and that point where it is not the
/// one at which the reference is measured else.
fn measured(
    call: &Resolved,
    context: &PlanContext,
) -> Result<(Levels, String, &'static str), ToolError> {
    let id = match &call.reference {
        Reference::Object(id) => *id,
        Reference::File(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            return Ok((of_file(path, context)?, format!("{name:?}"), ""));
        }
    };
    let called = if id == context.session.id.into() {
        "the mix".into()
    } else {
        format!("\"{}\"", context.session.name_of(id))
    };
    let is_ahead = matches!(call.objects.first(), Some(ObjectId::Clip(_)));
    let (levels, point) = match id {
        ObjectId::Track(_) if is_ahead => {
            (context.profile(id)?.levels(Decibels::UNITY), " before its fader")
        }
        ObjectId::Clip(clip) if !is_ahead => {
            (through_its_track(clip, context)?, " after its fader")
        }
        _ => (context.levels(id)?, ""),
    };
    Ok((levels, called, point))
}

/// The levels of a clip as its track plays it alone.
fn through_its_track(id: ClipId, context: &PlanContext) -> Result<Levels, ToolError> {
    let mut alone = Session::clone(&context.session);
    let Some(track) = alone.clips.get(&id).map(|clip| clip.track) else {
        return context.levels(id.into());
    };
    alone.clips.retain(|other, _| *other == id);
    context.levels_in(&alone, track.into())
}

/// The levels of a file, at its own rate.
fn of_file(path: &Path, context: &PlanContext) -> Result<Levels, ToolError> {
    Ok(profile_of_file(path, context)?.levels(Decibels::UNITY))
}

/// What a file measures, at its own rate.
pub(crate) fn profile_of_file(
    path: &Path,
    context: &PlanContext,
) -> Result<LoudnessProfile, ToolError> {
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
    profile.map_err(|error| context.check().err().unwrap_or_else(|| ToolError::media(error)))
}

#[cfg(test)]
mod tests {
    use deskhand_dsp::Decibels;
    use deskhand_session::Track;
    use deskhand_toolkit::testing::{Desk, tone};
    use serde_json::json;

    #[test]
    fn a_track_becomes_as_loud_as_another_or_as_a_file() {
        let mut desk = Desk::new(crate::all());
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
            deskhand_media::WavWriter::create(&path, deskhand_toolkit::testing::RATE, 1, depth)
                .unwrap();
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

    /// A host with the fader down, and a guest who is softer; both are equally loud after the faders.
    fn as_loud_behind_faders() -> Desk {
        let mut desk = Desk::new(crate::all());
        for (name, level, fader) in [("Host", -20.0, -6.0), ("Guest", -26.0, 0.0)] {
            let track = desk.track(Track::audio(name));
            desk.session.tracks.get_mut(&track).unwrap().gain = Decibels(fader);
            desk.clip(track, &format!("{name} take"), 0, tone(1000.0, level, 4.0));
        }
        desk
    }

    #[test]
    fn tracks_are_as_loud_as_they_are_heard_behind_their_faders() {
        let mut desk = as_loud_behind_faders();
        let params = json!({"targets": "Host", "reference": "Guest"});
        let draft = desk.plan("tool_match_loudness", params.clone());
        assert_eq!(draft.changes, [], "{}", draft.summary);
        let host = desk.session.track_order[0];
        desk.session.tracks.get_mut(&host).unwrap().gain = Decibels::UNITY;
        let draft = desk.settle("tool_match_loudness", &params);
        assert!((desk.session.tracks[&host].gain.0 + 6.0).abs() < 0.02, "{}", draft.summary);
        let clip = json!({"targets": "Host", "reference": "Guest take"});
        let draft = desk.plan("tool_match_loudness", clip);
        assert_eq!(draft.changes, [], "a clip counts as its track plays it: {}", draft.summary);
    }

    #[test]
    fn clips_are_as_loud_as_the_reference_ahead_of_the_faders() {
        let mut desk = as_loud_behind_faders();
        let params = json!({"targets": "Guest take", "reference": "Host"});
        let draft = desk.plan("tool_match_loudness", params.clone());
        assert!(draft.summary.ends_with(", as loud as \"Host\" before its fader"), "{draft:?}");
        let found = draft.findings[0].title();
        assert_eq!(found, "integrated loudness before its fader");
        let host = desk.session.track_order[0];
        desk.session.tracks.get_mut(&host).unwrap().gain = Decibels(-20.0);
        let lower = desk.plan("tool_match_loudness", params);
        assert_eq!(draft.changes, lower.changes, "the fader of the reference counts for nothing");
    }

    #[test]
    fn the_reference_is_one_thing_and_no_target() {
        let mut desk = Desk::new(crate::all());
        let host = desk.track(Track::audio("Host"));
        desk.clip(host, "host", 0, tone(1000.0, -20.0, 4.0));
        let told = desk.refusal("tool_match_loudness", json!({"targets": "Host"}));
        assert!(told.contains("one thing has to be named"), "{told}");
        let same = json!({"targets": "Host", "reference": "Host", "per": "track"});
        let told = desk.refusal("tool_match_loudness", same);
        assert!(told.contains("\"Host\" is the reference and a target"), "{told}");
        desk.clip(host, "take", 0, tone(1000.0, -30.0, 4.0));
        let moved = json!({"targets": "Host", "reference": "take"});
        let told = desk.refusal("tool_match_loudness", moved);
        assert!(told.contains("\"take\" is the reference and plays on a track"), "{told}");
    }
}

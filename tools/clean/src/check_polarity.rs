//! `tool_check_polarity`: finds tracks that record the same sound with inverted polarity, and turns one of each pair.

use crate::processed_clips::estimate;
use deskhand_dsp::{FrameReader, Frames};
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::offers::{Menu, Offers};
use deskhand_session::text::subject;
use deskhand_session::{Change, ClipId, Edit, Finding, Measure, ObjectId, Read, Session, TrackId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::audio::{BLOCK, stretch};
use deskhand_toolkit::{
    Category, Draft, Estimate, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// At this correlation or below, two tracks are one sound with inverted polarity.
const INVERTED: f64 = -0.5;
/// Each pair is read once.
const SPEED: f64 = 300.0;

/// `tool_check_polarity`.
pub(crate) struct CheckPolarity;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The tracks to compare with each other.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

/// A track with its clips, as far as they are compared.
type Row = (TrackId, Vec<ClipId>);

impl TypedTool for CheckPolarity {
    type Params = Params;
    type Resolved = Vec<ClipId>;

    fn spec() -> ToolSpec {
        tool(
            "tool_check_polarity",
            "Check polarity",
            "Compares each track with those above it, where they sound at the same time. If two record the same sound \
             with inverted polarity (correlation of -50 % or less), it inverts the clips of the lower one. \
             Tracks that arrive at different times are aligned first.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"targets": "all"}), json!({"targets": "Snare*"})],
        )
        .offers(Offers::default().entry(
            Menu::Track,
            "Check polarity with the other tracks",
            "",
            json!({"targets": "all"}),
        ))
        .says([Intent::verbs("check | fix | find")
            .about("polarity")
            .also("problem | for:problem | between")
            .or_everything()
            .named("targets", "- | on | of | in | for | between", Kinds::Sound)])
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<ClipId>, ToolError> {
        params.targets.clips(session)
    }

    fn targets(clips: &Vec<ClipId>) -> Vec<ObjectId> {
        clips.iter().map(|id| (*id).into()).collect()
    }

    fn estimate(clips: &Vec<ClipId>, session: &Session) -> Estimate {
        estimate(session, clips, SPEED)
    }

    fn run(clips: Vec<ClipId>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut draft = Draft::default();
        let rows = rows(&context.session, &clips);
        let mut turned: Vec<TrackId> = Vec::new();
        for (index, (track, clips)) in rows.iter().enumerate() {
            let name = context.session.name_of((*track).into());
            context.step(index, rows.len(), &name)?;
            let Some((other, found)) = nearest(context, clips, &rows[..index], &turned)? else {
                continue;
            };
            let percent = (found * 1000.0).round() / 10.0;
            draft.findings.push(Finding::new(*track, Measure::Correlation, Some(percent)));
            if found <= INVERTED {
                turned.push(*track);
                let other = context.session.name_of(other.into());
                let reason = format!("correlation with \"{other}\" {percent} %");
                reverse(&mut draft, &context.session, clips, &reason);
            }
        }
        draft.summary = summary(&draft);
        Ok(draft)
    }
}

fn reverse(draft: &mut Draft, session: &Session, clips: &[ClipId], reason: &str) {
    for (id, clip) in clips.iter().filter_map(|id| Some((*id, session.clips.get(id)?))) {
        draft.reads.push(Read::audio(session, id));
        let edit = Edit::new(id, clip.polarity, clip.polarity.reversed());
        draft.change(Change::SetClipPolarity(edit), clip.name.clone(), reason);
    }
}

fn summary(draft: &Draft) -> String {
    let names: Vec<String> = draft.changes.iter().map(|change| change.name.clone()).collect();
    if names.is_empty() {
        return "Nothing to change: no pair is inverted".into();
    }
    format!("Reverse the polarity of {}", subject(&names, "clip"))
}

/// The tracks of clips, in the order of the session.
fn rows(session: &Session, clips: &[ClipId]) -> Vec<Row> {
    let of = |track: TrackId| -> Vec<ClipId> {
        let on = |id: &&ClipId| session.clips.get(id).is_some_and(|clip| clip.track == track);
        clips.iter().filter(on).copied().collect()
    };
    let rows = session.tracks_in_order().map(|(id, _)| (id, of(id)));
    rows.filter(|(_, clips)| !clips.is_empty()).collect()
}

/// The track that is most alike, and how alike, once those that are `turned` are.
fn nearest(
    context: &PlanContext,
    clips: &[ClipId],
    others: &[Row],
    turned: &[TrackId],
) -> Result<Option<(TrackId, f64)>, ToolError> {
    let mut best: Option<(TrackId, f64)> = None;
    for (other, theirs) in others {
        let Some(found) = correlation(context, clips, theirs)? else { continue };
        let found = if turned.contains(other) { -found } else { found };
        if best.is_none_or(|(_, known)| found.abs() > known.abs()) {
            best = Some((*other, found));
        }
    }
    Ok(best)
}

/// The normalized correlation of clips that sound at the same time; `None` if no clips do, or if one is silent.
fn correlation(
    context: &PlanContext,
    clips: &[ClipId],
    others: &[ClipId],
) -> Result<Option<f64>, ToolError> {
    let mut sums = Sums::default();
    for clip in clips {
        for other in others {
            compare(context, *clip, *other, &mut sums)?;
        }
    }
    let power = (sums.own * sums.other).sqrt();
    Ok((power > f64::EPSILON).then(|| sums.both / power))
}

#[derive(Default)]
struct Sums {
    own: f64,
    other: f64,
    both: f64,
}

fn compare(
    context: &PlanContext,
    one: ClipId,
    other: ClipId,
    sums: &mut Sums,
) -> Result<(), ToolError> {
    let session = &context.session;
    let Some((one, other)) = session.clips.get(&one).zip(session.clips.get(&other)) else {
        return Ok(());
    };
    let (mut at, end) = (one.position.max(other.position), one.end().min(other.end()));
    let open = |id| context.audio.source(session, id).map_err(ToolError::media);
    if at >= end {
        return Ok(());
    }
    let sign = one.polarity.sign() * other.polarity.sign();
    let (mut first, mut second) = (open(one.source)?, open(other.source)?);
    while at < end {
        context.check()?;
        let length = (end - at).index().min(BLOCK);
        let a = mono(first.as_mut(), one.start + (at - one.position), length)?;
        let b = mono(second.as_mut(), other.start + (at - other.position), length)?;
        for (a, b) in a.iter().zip(&b) {
            sums.own += a * a;
            sums.other += b * b;
            sums.both += sign * a * b;
        }
        at += Frames::from_index(length);
    }
    Ok(())
}

/// The sum of all channels.
fn mono(reader: &mut dyn FrameReader, from: Frames, length: usize) -> Result<Vec<f64>, ToolError> {
    let planes = stretch(reader, from, length)?;
    Ok((0..length).map(|at| planes.iter().map(|plane| f64::from(plane[at])).sum()).collect())
}

#[cfg(test)]
mod tests {
    use deskhand_session::Track;
    use deskhand_toolkit::testing::{Desk, noise};
    use serde_json::json;

    #[test]
    fn the_lower_of_an_inverted_pair_is_turned_and_others_stay() {
        let mut desk = Desk::new(crate::all());
        let sound = noise(-20.0, 1.0);
        let names = ["Snare top", "Snare bottom", "Kick"];
        let [top, bottom, kick] = names.map(|name| desk.track(Track::audio(name)));
        desk.clip(top, "top", 0, sound.clone());
        desk.clip(bottom, "bottom", 0, sound.iter().map(|sample| -sample).collect());
        desk.clip(kick, "kick", 48_000, sound);
        let draft = desk.plan("tool_check_polarity", json!({"targets": "all"}));
        assert_eq!(draft.summary, "Reverse the polarity of bottom");
        desk.apply(&draft);
        let again = desk.plan("tool_check_polarity", json!({"targets": "all"}));
        assert_eq!(again.changes, []);
        assert_eq!(again.summary, "Nothing to change: no pair is inverted");
    }
}

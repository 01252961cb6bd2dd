//! The edges of clips: trim, split, fades.

mod says;

use super::clips::said;
use super::ripple::{LENT, OUT, RETIMED, Together};
use super::stretch::{pieces, split};
use crate::assembly::{GONE, gone_with, marked_gone};
use crate::sync::{self, Sync};
use deskhand_dsp::{Fade, FadeCurve, Frames, SampleRate};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{clock, names, trimmed};
use deskhand_session::{Change, Clip, ClipId, ClipWindow, Edit, Fades, TrackId};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::{frames, millis};
use deskhand_toolkit::growing_draft::Sketch;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Targets, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_trim_clip`.
pub(super) struct TrimClip;
/// `cmd_split_clip`.
pub(super) struct SplitClip;
/// `cmd_set_clip_fades`.
pub(super) struct SetClipFades;

/// Which clips, and their edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Edges {
    /// The clips.
    #[serde(default)]
    targets: Targets,
    /// New start on the timeline, in seconds; omitted: unchanged.
    #[schemars(range(min = 0.0))]
    start_s: Option<f64>,
    /// New end on the timeline, in seconds; omitted: unchanged.
    #[schemars(range(min = 0.0))]
    end_s: Option<f64>,
    /// How much is taken off the start, in seconds. Give this or `start_s`.
    #[schemars(range(min = 0.0))]
    start_by_s: Option<f64>,
    /// How much is taken off the end, in seconds. Give this or `end_s`.
    #[schemars(range(min = 0.0))]
    end_by_s: Option<f64>,
    /// Whether later clips follow the edge; one edge at a time. With `start_s` the clip keeps its place on the
    /// timeline and starts with other audio.
    #[serde(default)]
    ripple: bool,
    /// Tracks that follow with `ripple`.
    #[serde(default)]
    sync: Sync,
}

/// Which clips, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Cut {
    /// The clips; clips not at that time stay whole.
    #[serde(default)]
    targets: Targets,
    /// Time on the timeline, in seconds.
    #[schemars(range(min = 0.0))]
    at_s: f64,
    /// A second time to split at, in seconds.
    #[schemars(range(min = 0.0))]
    also_at_s: Option<f64>,
}

/// The shape of a fade.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Curve {
    /// Straight line in amplitude.
    Linear,
    /// Sine and cosine: keeps the power of a crossfade.
    EqualPower,
}

/// Which clips, and their fades.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewFades {
    /// The clips.
    #[serde(default)]
    targets: Targets,
    /// Length of the fade-in in ms; 0 is none; omitted: unchanged.
    #[schemars(range(min = 0.0))]
    fade_in_ms: Option<f64>,
    /// Length of the fade-out in ms; 0 is none; omitted: unchanged.
    #[schemars(range(min = 0.0))]
    fade_out_ms: Option<f64>,
    /// Shape of both; omitted: unchanged.
    curve: Option<Curve>,
}

impl Command for TrimClip {
    type Params = Edges;

    fn spec() -> ToolSpec {
        command(
            "cmd_trim_clip",
            "Trim clips",
            "Moves the edges of clips to times on the timeline, as far as the source reaches. The sound keeps \
             its place in time, unless `ripple` is set. Fades are shortened to fit.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Interview", "start_s": 2.0, "end_s": 61.5}),
        )
        .says(says::edges())
        .offers(Gesture::TrimClip)
        .says(["start", "end"].map(|edge| {
            let param = format!("{edge}_s");
            Intent::verbs("trim")
                .about(edge)
                .also("back | moment")
                .slot(Slot::place(&param).preps("to | at"))
                .needs(&param)
                .on(Kinds::ClipOfTrack)
        }))
    }

    fn plan(params: Edges, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        params.check()?;
        let clips = params.targets.clips_with_values(call.session)?;
        if params.ripple {
            return rippled(&params, &clips, call);
        }
        let rate = call.session.rate;
        let mut sketch = Sketch::new(call.session, trimmed_to(&params, &clips, rate));
        for (id, clip) in clips {
            let off = |by: Option<f64>| by.map_or(Frames::ZERO, |s| frames(s, rate));
            let start = params.start_s.map_or(clip.position, |s| frames(s, rate));
            let start = start + off(params.start_by_s);
            let end = params.end_s.map_or(clip.end(), |s| frames(s, rate)) - off(params.end_by_s);
            if start >= end || start >= clip.end() || end <= clip.position {
                return Err(nothing_left(&clip));
            }
            trim(&mut sketch, id, &clip, (start, end), &[])?;
        }
        Ok(sketch.draft)
    }
}

impl Edges {
    /// Each edge is told once, and one of them is told.
    fn check(&self) -> Result<(), ToolError> {
        let bad = |message: &str, fix: &str| Err(ToolError::prepare(Code::BadParams, message, fix));
        let is_start = [self.start_s, self.start_by_s].map(|it| it.is_some());
        let is_end = [self.end_s, self.end_by_s].map(|it| it.is_some());
        if is_start == [true, true] || is_end == [true, true] {
            return bad("an edge was given twice", "give its time, or how much is taken off");
        }
        if is_start == [false, false] && is_end == [false, false] {
            return bad("no edge to move was given", "give `start_s`, `end_s` or both");
        }
        if self.ripple && (is_start[1] || is_end[1]) {
            return bad("a ripple moves an edge to a time", "give `start_s` or `end_s`");
        }
        Ok(())
    }
}

/// "Trim host, end from 0:11.641 to 0:10.250": which edges go where, and from where if all clips have them there.
fn trimmed_to(params: &Edges, clips: &[(ClipId, Clip)], rate: SampleRate) -> String {
    let moved = |(edge, name, to): (Edge, &str, Option<f64>)| {
        let (was, to) = (edge.shared(clips).ok(), frames(to?, rate));
        let from = was.map_or_else(String::new, |was| format!(" from {}", clock(was, rate)));
        (was != Some(to)).then(|| format!(", {name}{from} to {}", clock(to, rate)))
    };
    let edges = [(Edge::Start, "start", params.start_s), (Edge::End, "end", params.end_s)];
    let moved: String = edges.into_iter().filter_map(moved).collect();
    let off = |by: Option<f64>, edge: &str| {
        by.map_or_else(String::new, |by| format!(", {} s off the {edge}", trimmed(by, 3)))
    };
    let off = [off(params.start_by_s, "start"), off(params.end_by_s, "end")].concat();
    format!("Trim {}{moved}{off}", said(clips))
}

/// Moves an edge that all `clips` have at one time; later clips follow.
fn rippled(
    params: &Edges,
    clips: &[(ClipId, Clip)],
    call: &mut CommandCall<'_>,
) -> Result<Draft, ToolError> {
    let (edge, to) = match (params.start_s, params.end_s) {
        (Some(to), None) => (Edge::Start, to),
        (None, Some(to)) => (Edge::End, to),
        (Some(_), Some(_)) | (None, None) => {
            let fix = "give `start_s` or `end_s`, and call it again for the other";
            return Err(ToolError::prepare(Code::BadParams, "a ripple moves one edge", fix));
        }
    };
    let to = frames(to, call.session.rate);
    let was = edge.shared(clips)?;
    let tracks: Vec<TrackId> = clips.iter().map(|(_, clip)| clip.track).collect();
    let sets = sync::sets(call.session, &tracks, params.sync);
    let all = Together::all(call.session, &sync::tracks_of(&sets), &mut call.ids);
    if let Some((_, short)) = clips.iter().find(|(_, clip)| !edge.leaves(clip, to)) {
        return Err(nothing_left(short));
    }
    let grows = edge.grows(was, to);
    let what = if grows > Frames::ZERO { "make room for it" } else { "close the gap" };
    let summary = format!("{} and {what}", trimmed_to(params, clips, call.session.rate));
    let mut sketch = Sketch::new(call.session, summary);
    sync::told(call.session, &sets, &tracks, params.sync).put(&mut sketch.draft);
    let mut needs = Vec::new();
    for one in &all {
        if grows <= Frames::ZERO {
            let closed = one.close(&sketch.session, (was.min(to), was.max(to)), &mut call.ids);
            moved(&mut sketch, one, closed, "later clips follow")?;
        } else if edge == Edge::Start || !one.is_behind_everything(call.session, was) {
            let opened = one.open(call.session, (was, grows), edge.follows(was), &mut call.ids);
            needs.extend(moved(&mut sketch, one, opened, "room for what is opened")?);
        }
    }
    for (id, _) in clips.iter().filter(|_| grows > Frames::ZERO) {
        let Some(clip) = sketch.session.clips.get(id).cloned() else { continue };
        let (start, end) = match edge {
            Edge::Start => (was, clip.end()),
            Edge::End => (clip.position, to),
        };
        trim(&mut sketch, *id, &clip, (start, end), &needs)?;
    }
    Ok(sketch.draft)
}

/// Adds a ripple, with the group and the places of markers that it needs, and marks of phrases that go with it; gives its
/// id.
pub fn moved(
    sketch: &mut Sketch,
    together: &Together,
    ripple: Change,
    reason: &str,
) -> Result<Vec<String>, ToolError> {
    let mut needs = sketch.add(together.lent(), LENT, &[])?;
    if let Change::RippleDelete(Edit { before: closes, .. }) = &ripple {
        let out = together.markers_out(&sketch.session, &(closes.at..closes.end()));
        let out = sketch.add(out, OUT, &needs)?;
        needs.extend(out);
    }
    let gone = gone_with(&ripple);
    let retimed = together.retimed(&sketch.session, &ripple);
    let moved = sketch.add([ripple], reason, &needs)?;
    sketch.add(retimed, RETIMED, &moved)?;
    let marks = marked_gone(&sketch.session, &gone);
    sketch.add(marks, GONE, &moved)?;
    sketch.add(together.returned(), LENT, &moved)?;
    Ok(moved)
}

/// One edge of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

impl Edge {
    fn of(self, clip: &Clip) -> Frames {
        match self {
            Self::Start => clip.position,
            Self::End => clip.end(),
        }
    }

    /// Where it is in all clips.
    fn shared(self, clips: &[(ClipId, Clip)]) -> Result<Frames, ToolError> {
        let mut places = clips.iter().map(|(_, clip)| self.of(clip));
        let first = places.next().unwrap_or(Frames::ZERO);
        if places.all(|place| place == first) {
            return Ok(first);
        }
        let message = "the edges of these clips are at different times, and a ripple moves one";
        let fix = "call it once for each clip, the last on the timeline first";
        Err(ToolError::prepare(Code::BadParams, message, fix))
    }

    /// Whether something of the clip is left with the edge at `to`.
    fn leaves(self, clip: &Clip, to: Frames) -> bool {
        match self {
            Self::Start => to < clip.end(),
            Self::End => to > clip.position,
        }
    }

    /// The time from which markers move when an edge opens time. Markers before a clip stay before it.
    fn follows(self, was: Frames) -> Frames {
        match self {
            Self::Start => was + Frames(1),
            Self::End => was,
        }
    }

    /// How much longer a clip becomes.
    fn grows(self, was: Frames, to: Frames) -> Frames {
        match self {
            Self::Start => was - to,
            Self::End => to - was,
        }
    }
}

fn nothing_left(clip: &Clip) -> ToolError {
    let message = format!("nothing of \"{}\" would be left", clip.name);
    let fix = "give a time inside the clip, or remove it with cmd_remove_clip";
    ToolError::prepare(Code::BadParams, message, fix)
}

fn trim(
    sketch: &mut Sketch,
    id: ClipId,
    clip: &Clip,
    (start, end): (Frames, Frames),
    needs: &[String],
) -> Result<(), ToolError> {
    let length = end - start;
    let window =
        ClipWindow { start: clip.start + (start - clip.position), length, position: start };
    let fades = clip.fades().fitted(length);
    let fades = Change::SetClipFades(Edit::new(id, clip.fades(), fades));
    let mut needs = needs.to_vec();
    needs.extend(sketch.add([fades], "the fade is longer than what is left", &[])?);
    let trim = Change::TrimClip(Edit::new(id, clip.window(), window));
    sketch.add([trim], "as asked", &needs)?;
    Ok(())
}

impl Command for SplitClip {
    type Params = Cut;

    fn spec() -> ToolSpec {
        command(
            "cmd_split_clip",
            "Split clips",
            "Splits clips in two at a time on the timeline. The sound changes only when you move or change a \
             part.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "all", "at_s": 90.0}),
        )
        .says(says::splits())
        .offers(Gesture::SplitClip)
        .says([Intent::verbs("split | cut")
            .also("in two | moment")
            .slot(Slot::place("at_s").preps("at"))
            .needs("at_s")
            .only_named()
            .on(Kinds::Clips)])
    }

    fn plan(params: Cut, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let rate = call.session.rate;
        let mut times = vec![frames(params.at_s, rate)];
        times.extend(params.also_at_s.map(|at| frames(at, rate)));
        times.sort_unstable();
        let clips = params.targets.clips_with_values(call.session)?;
        let reaches = |clip: &Clip| times.iter().any(|at| clip.position < *at && *at < clip.end());
        let (over, beside): (Vec<_>, Vec<_>) = clips.into_iter().partition(|(_, c)| reaches(c));
        let time: Vec<String> = times.iter().map(|at| clock(*at, rate)).collect();
        let time = time.join(" and ");
        if over.is_empty() {
            let message = format!("no clip that is meant reaches over {time}");
            let fix = "give `at_s` inside a clip, or other targets";
            return Err(ToolError::prepare(Code::NoTarget, message, fix));
        }
        let mut draft = Draft::new(format!("Split {} at {time}", said(&over)));
        for (id, clip) in over {
            let (_, splits) = pieces(id, &clip, &times, &mut call.ids);
            split(&mut draft, &clip.name, splits);
        }
        if !beside.is_empty() && params.targets != Targets::One("all".into()) {
            let beside: Vec<String> = beside.into_iter().map(|(_, clip)| clip.name).collect();
            draft.warnings.push(format!("{}: not at {time}, left whole", names(&beside)));
        }
        Ok(draft)
    }
}

impl Command for SetClipFades {
    type Params = NewFades;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_clip_fades",
            "Set clip fades",
            "Sets the fades at the edges of clips.",
            Category::Edit,
            Trust::Suggest,
            json!({"targets": "Music bed", "fade_in_ms": 500, "fade_out_ms": 3000}),
        )
        .on_the_whole()
        .offers(Gesture::FadeClip)
        .says(says::fades())
    }

    fn plan(params: NewFades, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        if params.fade_in_ms.is_none() && params.fade_out_ms.is_none() && params.curve.is_none() {
            let fix = "give `fade_in_ms`, `fade_out_ms` or `curve`";
            return Err(ToolError::prepare(Code::BadParams, "no fade was given", fix));
        }
        let clips = params.targets.clips_with_values(call.session)?;
        let edges = [("in", params.fade_in_ms), ("out", params.fade_out_ms)];
        let told =
            |(edge, ms): (&str, Option<f64>)| Some(format!(", {edge} {} ms", trimmed(ms?, 1)));
        let lengths: String = edges.into_iter().filter_map(told).collect();
        let mut draft = Draft::new(format!("Fade {}{lengths}", said(&clips)));
        let rate = call.session.rate;
        let fade = |now: Fade, length: Option<f64>| Fade {
            length: length.map_or(now.length, |length| millis(length, rate)),
            curve: params.curve.map_or(now.curve, Into::into),
        };
        for (id, clip) in clips {
            let after = Fades {
                fade_in: fade(clip.fade_in, params.fade_in_ms),
                fade_out: fade(clip.fade_out, params.fade_out_ms),
            };
            let change = Change::SetClipFades(Edit::new(id, clip.fades(), after));
            if !change.is_identity() {
                draft.change(change, clip.name, "as asked");
            }
        }
        Ok(draft)
    }
}

impl From<Curve> for FadeCurve {
    fn from(curve: Curve) -> Self {
        match curve {
            Curve::Linear => Self::Linear,
            Curve::EqualPower => Self::EqualPower,
        }
    }
}

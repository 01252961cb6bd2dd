//! `tool_fades`: short fades at bare edges of clips, and crossfades where clips overlap.

mod edges;
pub(crate) mod resize;

use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{count, subject, trimmed};
use deskhand_session::{Change, Clip, ClipId, Edit, Fades, ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find::millis;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use edges::{Edge, Side, edge, overlapped};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// `tool_fades`.
pub(crate) struct AddFades;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// Length of new fades in ms; 0 for crossfades only. Omitted: 5, or 0 with `crossfade_ms`.
    #[schemars(range(min = 0.0, max = 60000.0))]
    length_ms: Option<f64>,
    /// Length of the crossfade where two clips touch, in ms; both clips get longer.
    #[schemars(range(min = 0.0, max = 60000.0))]
    crossfade_ms: Option<f64>,
    /// Give overlaps this length too; 0: none.
    #[serde(default)]
    resize: bool,
}

/// How people ask for fades: at all edges, or where clips overlap.
fn says() -> [Intent; 3] {
    let give = Intent::verbs("add | give | put | set | make | apply");
    let length = |param: &str| Slot::of(param).preps("- | of | with");
    let crossfade = length("crossfade_ms").unsaid(CROSSFADE_MS);
    [
        give.clone().about("short fade").slot(length("length_ms")),
        give.about("crossfade").also("overlap").slot(crossfade.clone()),
        Intent::verbs("crossfade").also("overlap").slot(crossfade),
    ]
    .map(|it| it.or_everything().on_or_to(Kinds::Sound))
}

/// Length of the crossfades where none is said, in ms.
const CROSSFADE_MS: f64 = 10.0;

/// Length of the fades at bare edges, in ms, where nothing else is said.
const BARE_EDGE_MS: f64 = 5.0;

impl Params {
    /// Length of the fades at bare edges, in ms: 0 if only crossfades are requested.
    fn bare_edge_ms(&self) -> f64 {
        let unsaid = if self.crossfade_ms.is_some() { 0.0 } else { BARE_EDGE_MS };
        self.length_ms.unwrap_or(unsaid)
    }
}

/// The call against the session.
pub(crate) struct Resolved {
    clips: Vec<ClipId>,
    length: Frames,
    crossfade: Frames,
    resizes: bool,
}

impl TypedTool for AddFades {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_fades",
            "Fades and crossfades",
            "Adds an equal-power fade of 5 ms at every clip edge without a fade, so that no edge clicks, and \
             an equal-power crossfade where two clips of a track overlap (a straight one where both play the \
             same audio in step). Existing fades stay, and so do cuts through continuous audio. With only \
             `crossfade_ms`, it treats only overlaps.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"targets": "all"}), json!({"targets": "Dialogue", "crossfade_ms": 20})],
        )
        .core()
        .offers(Gesture::Crossfade)
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        if params.resize && (params.crossfade_ms.is_none() || params.length_ms.is_some()) {
            let message = "`resize` sets the length of crossfades and of nothing else";
            let fix = "give `crossfade_ms` with it, and not `length_ms`";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        Ok(Resolved {
            resizes: params.resize,
            clips: params.targets.clips(session)?,
            length: millis(params.bare_edge_ms(), session.rate),
            crossfade: millis(params.crossfade_ms.unwrap_or(0.0), session.rate),
        })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.clips.iter().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        if call.resizes {
            return resize::draft(&context.session, &call.clips, call.crossfade);
        }
        let mut session = Session::clone(&context.session);
        let mut draft = Draft::default();
        let trims = if call.crossfade > Frames::ZERO {
            overlap_touching(&call, &mut session, &mut draft)
        } else {
            BTreeMap::new()
        };
        let mut tally = Tally::default();
        for (index, id) in call.clips.iter().enumerate() {
            context.step(index, call.clips.len(), "fades")?;
            let Some(clip) = session.clips.get(id) else {
                continue;
            };
            let edges = [Side::Start, Side::End].map(|side| edge(&session, *id, clip, side));
            let after = fades(clip, edges, call.length);
            let change = Change::SetClipFades(Edit::new(*id, clip.fades(), after));
            if !change.is_identity() {
                tally.count(clip, after, edges);
                let needs = needs(&trims, &session, *id, clip);
                draft.dependent(change, clip.name.clone(), reason(&session, after), needs);
            }
        }
        draft.summary = tally.summary(call.length, || why_none(&call, &session));
        Ok(draft)
    }
}

/// Why no crossfade is made.
fn why_none(call: &Resolved, session: &Session) -> &'static str {
    if call.crossfade == Frames::ZERO {
        return edges::CROSSED;
    }
    edges::why_uncrossed(session, &call.clips)
}

/// Lets clips that touch reach over each other; returns the change of each.
fn overlap_touching(
    call: &Resolved,
    session: &mut Session,
    draft: &mut Draft,
) -> BTreeMap<ClipId, String> {
    let before = session.clips.clone();
    for (left, right) in edges::touching(session, &call.clips) {
        edges::overlap(session, left, right, call.crossfade);
    }
    let mut trims = BTreeMap::new();
    for (id, clip) in &session.clips {
        let Some(was) = before.get(id).filter(|was| was.window() != clip.window()) else {
            continue;
        };
        let change = Change::TrimClip(Edit::new(*id, was.window(), clip.window()));
        let reason = "reaches over its neighbor for the crossfade";
        trims.insert(*id, draft.change(change, clip.name.clone(), reason));
    }
    trims
}

/// The fades of a clip as its edges ask for them.
fn fades(clip: &Clip, [start, end]: [Edge; 2], length: Frames) -> Fades {
    let bare = length.min(Frames(clip.length.0 / 2));
    let one = |now: Fade, edge: Edge| match edge {
        Edge::Cross { length, curve } if now.length < length => Fade { length, curve },
        Edge::Free if now.length == Frames::ZERO && bare > Frames::ZERO => {
            Fade { length: bare, curve: FadeCurve::EqualPower }
        }
        Edge::Cross { .. } | Edge::Free | Edge::Seam => now,
    };
    let wanted = Fades { fade_in: one(clip.fade_in, start), fade_out: one(clip.fade_out, end) };
    wanted.fitted(clip.length)
}

/// The trims that the fades of a clip rely on: its own and those of overlapping clips.
fn needs(
    trims: &BTreeMap<ClipId, String>,
    session: &Session,
    id: ClipId,
    clip: &Clip,
) -> Vec<String> {
    let touched = trims.iter().filter(|(other, _)| {
        let other_clip = session.clips.get(other);
        **other == id || other_clip.is_some_and(|other| overlapped(clip, other))
    });
    touched.map(|(_, change)| change.clone()).collect()
}

fn reason(session: &Session, fades: Fades) -> String {
    let ms = |fade: Fade| trimmed(fade.length.seconds(session.rate).0 * 1000.0, 1);
    format!("fades of {} and {} ms", ms(fades.fade_in), ms(fades.fade_out))
}

/// The counts for the summary.
#[derive(Default)]
struct Tally {
    /// Names of the clips with new fades.
    clips: Vec<String>,
    edges: usize,
    crossings: usize,
}

impl Tally {
    fn count(&mut self, clip: &Clip, after: Fades, edges: [Edge; 2]) {
        self.clips.push(clip.name.clone());
        let pairs = [(clip.fade_in, after.fade_in), (clip.fade_out, after.fade_out)];
        for ((before, after), edge) in pairs.into_iter().zip(edges) {
            let counter = match edge {
                Edge::Cross { .. } => &mut self.crossings,
                Edge::Free | Edge::Seam => &mut self.edges,
            };
            *counter += usize::from(before != after);
        }
    }

    /// The summary for the clips, with fades of `length` at bare edges; `why` says why there is no
    /// crossfade.
    fn summary(&self, length: Frames, why: impl FnOnce() -> &'static str) -> String {
        if self.clips.is_empty() && length == Frames::ZERO {
            return format!("Nothing to change: {}", why());
        }
        if self.clips.is_empty() {
            return "Nothing to change: every edge has its fade already".into();
        }
        let edges = count(self.edges, "bare edge");
        // Each crossfade has two sides.
        let crossings = count(self.crossings.div_ceil(2), "crossfade");
        let clips = subject(&self.clips, "clip");
        match (self.edges, self.crossings) {
            (_, 0) => format!("Fade {edges} of {clips}"),
            (0, _) => format!("Make {crossings} of {clips}"),
            _ => format!("Fade {edges} and make {crossings} of {clips}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use deskhand_dsp::{Fade, FadeCurve, Frames};
    use deskhand_session::{Clip, ClipId, Track};
    use deskhand_toolkit::testing::{Desk, SECOND, noise};
    use serde_json::json;

    fn desk(clips: &[(i64, i64)]) -> (Desk, Vec<ClipId>) {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("T"));
        let add = |desk: &mut Desk, (start, seconds): &(i64, i64)| {
            desk.clip(track, "C", start * SECOND, noise(-30.0, *seconds as f64))
        };
        let ids = clips.iter().map(|clip| add(&mut desk, clip)).collect();
        (desk, ids)
    }

    fn lengths(desk: &Desk) -> Vec<(i64, i64)> {
        let fades = |clip: &Clip| (clip.fade_in.length.0, clip.fade_out.length.0);
        desk.session.clips.values().map(fades).collect()
    }

    #[test]
    fn bare_edges_get_five_milliseconds_and_fades_that_exist_stay() {
        let (mut desk, ids) = desk(&[(0, 2), (5, 2)]);
        let kept = Fade { length: Frames(4_800), curve: FadeCurve::Linear };
        desk.session.clips.get_mut(&ids[1]).unwrap().fade_in = kept;
        let draft = desk.settle("tool_fades", &json!({"targets": "all"}));
        assert_eq!(draft.summary, "Fade 3 bare edges of 2 clips \"C\"");
        assert_eq!(lengths(&desk), [(240, 240), (4_800, 240)]);
        assert_eq!(desk.session.clips[&ids[1]].fade_in, kept);
    }

    #[test]
    fn overlaps_become_crossfades_of_their_length() {
        let (mut desk, ids) = desk(&[(0, 3), (2, 3)]);
        let draft = desk.settle("tool_fades", &json!({"targets": "all"}));
        assert_eq!(draft.summary, "Fade 2 bare edges and make 1 crossfade of 2 clips \"C\"");
        assert_eq!(lengths(&desk), [(240, SECOND), (SECOND, 240)]);
        assert_eq!(desk.session.clips[&ids[0]].fade_out.curve, FadeCurve::EqualPower);
    }

    #[test]
    fn the_same_audio_in_step_crosses_in_a_straight_line() {
        let (mut desk, ids) = desk(&[(0, 4)]);
        desk.apply(&desk.plan("cmd_split_clip", json!({"targets": "all", "at_s": 2})));
        let seam = desk.plan("tool_fades", json!({"targets": "all"}));
        assert_eq!(
            seam.summary, "Fade 2 bare edges of 2 clips \"C\"",
            "a cut through audio needs none"
        );
        desk.apply(
            &desk.plan("cmd_trim_clip", json!({"targets": ids[0].to_string(), "end_s": 2.5})),
        );
        desk.settle("tool_fades", &json!({"targets": "all"}));
        let fade = desk.session.clips[&ids[0]].fade_out;
        assert_eq!((fade.length.0, fade.curve), (SECOND / 2, FadeCurve::Linear));
    }

    #[test]
    fn touching_clips_reach_over_each_other_when_asked() {
        let (mut desk, ids) = desk(&[(0, 4), (3, 4)]);
        desk.apply(
            &desk.plan("cmd_trim_clip", json!({"targets": ids[0].to_string(), "end_s": 3.5})),
        );
        desk.apply(
            &desk.plan("cmd_trim_clip", json!({"targets": ids[1].to_string(), "start_s": 3.5})),
        );
        let plain = desk.plan("tool_fades", json!({"targets": "all"}));
        assert_eq!(plain.changes.len(), 2);
        let draft = desk.settle("tool_fades", &json!({"targets": "all", "crossfade_ms": 20}));
        let (left, right) = (&desk.session.clips[&ids[0]], &desk.session.clips[&ids[1]]);
        assert_eq!((left.end() - right.position).0, 960);
        assert_eq!((left.fade_out.length.0, right.fade_in.length.0), (960, 960));
        assert_eq!(draft.changes[2].needs, ["c1", "c2"]);
        assert_eq!(draft.summary, "Make 1 crossfade of 2 clips \"C\"");
        assert_eq!((left.fade_in.length.0, right.fade_out.length.0), (0, 0));
    }

    #[test]
    fn edges_get_fades_beside_crossfades_only_when_asked() {
        let (mut desk, _) = desk(&[(0, 3), (2, 3), (8, 2)]);
        let both = json!({"targets": "all", "crossfade_ms": 20, "length_ms": 5});
        assert_eq!(desk.plan("tool_fades", both).changes.len(), 3);
        desk.settle("tool_fades", &json!({"targets": "all", "crossfade_ms": 20}));
        assert_eq!(lengths(&desk), [(0, SECOND), (SECOND, 0), (0, 0)]);
        let again = desk.plan("tool_fades", json!({"targets": "all", "crossfade_ms": 20}));
        assert_eq!(again.summary, "Nothing to change: no overlap is without its crossfade");
    }

    #[test]
    fn clips_that_cannot_be_crossfaded_say_why() {
        let crossfade = json!({"targets": "all", "crossfade_ms": 20});
        let why = |desk: &Desk| desk.plan("tool_fades", crossfade.clone()).summary;
        let (apart, _) = desk(&[(0, 3), (4, 3)]);
        assert_eq!(why(&apart), "Nothing to change: no two of the clips touch or overlap");
        let (spent, _) = desk(&[(0, 3), (3, 3)]);
        let words =
            "Nothing to change: where the clips touch, their sources have no more to fade with";
        assert_eq!(why(&spent), words);
        let (mut cut, _) = desk(&[(0, 4)]);
        cut.apply(&cut.plan("cmd_split_clip", json!({"targets": "all", "at_s": 2})));
        let words = "Nothing to change: where the clips touch, the same audio goes on";
        assert_eq!(why(&cut), words);
    }

    /// Two clips that touch at 3.5 s, with half a second of their sources outside the edges.
    fn touching() -> (Desk, Vec<ClipId>) {
        let (mut desk, ids) = desk(&[(0, 4), (3, 4)]);
        for (id, edge) in [(ids[0], "end_s"), (ids[1], "start_s")] {
            desk.apply(&desk.plan("cmd_trim_clip", json!({"targets": id.to_string(), edge: 3.5})));
        }
        (desk, ids)
    }

    #[test]
    fn crossfades_get_the_length_that_is_asked_for_and_keep_their_middle() {
        let (mut desk, ids) = touching();
        let before = desk.session.clone();
        for (ms, frames) in [(100, 4_800), (400, 19_200), (20, 960), (0, 0)] {
            let params = json!({"targets": "all", "crossfade_ms": ms, "resize": true});
            let draft = desk.settle("tool_fades", &params);
            let (left, right) = (&desk.session.clips[&ids[0]], &desk.session.clips[&ids[1]]);
            assert_eq!((left.end() - right.position).0, frames, "{ms} ms");
            assert_eq!((left.end() + right.position).0, 7 * SECOND, "the middle at {ms} ms");
            assert_eq!((left.fade_out.length.0, right.fade_in.length.0), (frames, frames));
            assert_eq!(left.fade_out.curve, FadeCurve::EqualPower);
            let said = format!("Make 1 crossfade of 2 clips \"C\" {ms} ms long");
            assert!(draft.summary == said || ms == 0, "{}", draft.summary);
        }
        assert_eq!(desk.session.clips, before.clips, "as if there never was one");
    }

    #[test]
    fn a_crossfade_without_a_length_or_without_a_pair_is_refused() {
        let (desk, ids) = touching();
        let refused = |params| desk.refusal("tool_fades", params);
        let bare = refused(json!({"targets": "all", "resize": true}));
        assert!(bare.contains("crossfade_ms"), "{bare}");
        let one = json!({"targets": ids[0].to_string(), "crossfade_ms": 20, "resize": true});
        assert!(refused(one).contains("no two of these clips meet"));
    }

    #[test]
    fn fades_never_exceed_the_clip() {
        let (mut desk, _) = desk(&[(0, 3), (1, 3), (2, 3)]);
        desk.settle("tool_fades", &json!({"targets": "all"}));
        let mut tiny = Desk::new(crate::all());
        let track = tiny.track(Track::audio("T"));
        tiny.clip(track, "One", 0, vec![0.5]);
        tiny.clip(track, "Few", 10, vec![0.5; 100]);
        tiny.settle("tool_fades", &json!({"targets": "all"}));
        assert_eq!(lengths(&tiny), [(0, 0), (50, 50)]);
    }
}

//! `cmd_restore_words`: cut words play again where they were said, and later clips move on.

use super::spoken::{refuse, segment};
use deskhand_dsp::{Fade, Frames};
use deskhand_edit::sync::{self, Sync};
use deskhand_edit::{Together, moved};
use deskhand_session::text::{clock, quoted};
use deskhand_session::{
    Change, Clip, ClipId, ClipWindow, Edit, Fades, IdSeed, Playing, Segment, Session, SourceId,
    TrackId, Word,
};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::millis;
use deskhand_toolkit::growing_draft::Sketch;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// Both sides of a cut meet, give or take this, in ms: they fade into each other.
const NEAR_MS: f64 = 100.0;
/// Why a side of a cut ends where both meet.
const BARE: &str = "nothing fades where nothing is cut";
const BACK: &str = "it plays again";

/// `cmd_restore_words`.
pub(super) struct RestoreWords;

/// Which words.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// The segment of the transcript.
    segment_id: String,
    /// The first word, counted from 0; omitted: 0.
    #[serde(default)]
    first: usize,
    /// Number of words; omitted: all from `first`.
    #[schemars(range(min = 1))]
    count: Option<usize>,
    /// Tracks that move together.
    #[serde(default)]
    sync: Sync,
}

/// A place where time was cut out of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seam {
    /// Where both sides meet.
    at: Frames,
    /// How much is gone.
    gone: Frames,
    track: TrackId,
}

impl Command for RestoreWords {
    type Params = Words;

    fn spec() -> ToolSpec {
        command(
            "cmd_restore_words",
            "Restore words",
            "Restores cut words, with everything removed in the same cut; later clips move later, on all \
             tracks that move together.",
            Category::Edit,
            Trust::Suggest,
            json!({"segment_id": "seg_000000000001", "first": 3, "count": 2}),
        )
        .offers(Gesture::RestoreWords)
    }

    fn plan(params: Words, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let (_, said) = segment(session, &params.segment_id)?;
        let cut = cut_of(session, said, &params)?;
        let seams = seams(session, said.source, &cut);
        let Some(first) = seams.values().next() else {
            let message = "what was cut there does not meet any more";
            let fix = "undo the cut, or put a clip there";
            return Err(refuse(Code::NoTarget, message, fix));
        };
        let text: Vec<&str> = cut.iter().map(|word| word.text.as_str()).collect();
        let at = clock(first.at, session.rate);
        let summary = format!("Restore {} at {at}", quoted(&text.join(" ")));
        let mut sketch = Sketch::new(session, summary);
        for seam in seams.values().rev() {
            seam.opened(&mut sketch, params.sync, &mut call.ids)?;
        }
        Ok(sketch.draft)
    }
}

/// The chosen words that were cut.
fn cut_of<'a>(
    session: &Session,
    said: &'a Segment,
    params: &Words,
) -> Result<Vec<&'a Word>, ToolError> {
    let end = params.count.map_or(said.words.len(), |count| params.first.saturating_add(count));
    let meant = said.words.get(params.first..end.min(said.words.len())).unwrap_or_default();
    let playing = Playing::of(session);
    let cut = meant.iter().filter(|word| playing.is_cut(said.source, word));
    let cut: Vec<&Word> = cut.collect();
    if cut.is_empty() {
        let message = "none of these words was cut out";
        let fix = "name words that the transcript shows as cut";
        return Err(refuse(Code::NoTarget, message, fix));
    }
    Ok(cut)
}

/// The places where words of a source were cut, by time.
fn seams(session: &Session, source: SourceId, cut: &[&Word]) -> BTreeMap<Frames, Seam> {
    let heard = session.tracks_in_order().filter(|(_, track)| !track.mute);
    let tracks: Vec<TrackId> = heard.map(|(id, _)| id).collect();
    let all = tracks.iter().flat_map(|track| pairs(session, *track));
    let of_source = all.filter(|(_, (_, first), _)| first.source == source);
    let is_there = |first: &Clip, second: &Clip| {
        cut.iter().any(|word| {
            let middle = word.middle();
            first.start + first.length <= middle && middle <= second.start
        })
    };
    let found = of_source.filter(|(_, (_, first), (_, second))| is_there(first, second));
    found.map(|(seam, ..)| (seam.at, seam)).collect()
}

type Side<'a> = (ClipId, &'a Clip);

/// The places on a track where two clips of one source meet between which something of it is gone.
fn pairs(session: &Session, track: TrackId) -> Vec<(Seam, Side<'_>, Side<'_>)> {
    let near = millis(NEAR_MS, session.rate);
    let clips = session.clips_on(track);
    let pair = |pair: &[Side<'_>]| {
        let &[(_, first), (_, second)] = pair else { return None };
        let gone = (first.position - first.start) - (second.position - second.start);
        let apart = second.position - first.end();
        let meet = first.source == second.source && apart <= near && Frames::ZERO - apart <= near;
        let at = Frames(i64::midpoint(second.position.0, first.end().0));
        (meet && gone > Frames::ZERO).then_some(Seam { at, gone, track })
    };
    let pairs = clips.windows(2).filter_map(|two| Some((pair(two)?, two[0], two[1])));
    pairs.collect()
}

impl Seam {
    /// Restores the cut words on all tracks that move alike.
    fn opened(self, sketch: &mut Sketch, sync: Sync, ids: &mut IdSeed) -> Result<(), ToolError> {
        let sets = sync::sets(&sketch.session, &[self.track], sync);
        sync::told(&sketch.session, &sets, &[self.track], sync).put(&mut sketch.draft);
        let tracks = sync::tracks_of(&sets);
        let sides = self.sides(&sketch.session, &tracks);
        let mut needs = Vec::new();
        for (first, second) in &sides {
            needs.extend(bare(sketch, *first, Edge::End, self.at, &needs)?);
            needs.extend(bare(sketch, *second, Edge::Start, self.at, &needs)?);
        }
        for one in Together::all(&sketch.session, &tracks, ids) {
            if !one.is_behind_everything(&sketch.session, self.at) {
                let opens = one.open(&sketch.session, (self.at, self.gone), self.at, ids);
                needs.extend(moved(sketch, &one, opens, "room for what comes back")?);
            }
        }
        for (first, _) in &sides {
            let Some(clip) = sketch.session.clips.get(first) else { continue };
            let length = clip.length + self.gone;
            let longer = Edit::new(*first, clip.window(), ClipWindow { length, ..clip.window() });
            sketch.add([Change::TrimClip(longer)], BACK, &needs)?;
        }
        Ok(())
    }

    /// The clips on both sides of it, on all of some tracks where as much is gone there.
    fn sides(self, session: &Session, tracks: &[TrackId]) -> Vec<(ClipId, ClipId)> {
        let near = millis(NEAR_MS, session.rate);
        let is_here = |seam: &Self| {
            let off = seam.at - self.at;
            seam.gone == self.gone && off <= near && Frames::ZERO - off <= near
        };
        let all = tracks.iter().flat_map(|track| pairs(session, *track));
        let here = all.filter(|(seam, ..)| is_here(seam));
        here.map(|(_, (first, _), (second, _))| (first, second)).collect()
    }
}

/// An edge of a clip.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

/// Lets a clip begin or end at a time, without a fade.
fn bare(
    sketch: &mut Sketch,
    id: ClipId,
    edge: Edge,
    at: Frames,
    needs: &[String],
) -> Result<Vec<String>, ToolError> {
    let Some(clip) = sketch.session.clips.get(&id).cloned() else { return Ok(Vec::new()) };
    let (fades, window) = match edge {
        Edge::End => {
            let length = at - clip.position;
            let fades = Fades { fade_out: Fade::default(), ..clip.fades() };
            (fades, ClipWindow { length, ..clip.window() })
        }
        Edge::Start => {
            let by = at - clip.position;
            let (start, length) = (clip.start + by, clip.length - by);
            let fades = Fades { fade_in: Fade::default(), ..clip.fades() };
            (fades, ClipWindow { start, length, position: at })
        }
    };
    let fades = Change::SetClipFades(Edit::new(id, clip.fades(), fades));
    let trim = Change::TrimClip(Edit::new(id, clip.window(), window));
    let mut made = sketch.add([fades], BARE, needs)?;
    made.extend(sketch.add([trim], BARE, needs)?);
    Ok(made)
}

#[cfg(test)]
mod tests {
    use crate::assembly::tests::{Line, interview};
    use deskhand_session::Playing;
    use serde_json::json;

    const HOST: [Line; 2] = [(0.5, 2.5, "So well then go"), (4.0, 5.0, "Good.")];

    #[test]
    fn words_that_were_cut_play_again_where_they_were_said_on_all_tracks() {
        let (mut desk, tracks) = interview(8.0, &HOST, &[(6.0, 7.0, "Oh.")]);
        let before = desk.session.end();
        let cut = json!({"targets": "Host", "start_s": 1.0, "end_s": 1.5, "between_words": true});
        desk.settle_once("cmd_ripple_delete", cut);
        assert!(desk.session.end() < before);
        let segment = *desk.session.segments.keys().next().unwrap();
        let draft = desk.settle_once("cmd_restore_words", json!({"segment_id": segment}));
        assert!(draft.summary.starts_with("Restore \"well\" at 0:01."), "{}", draft.summary);
        assert_eq!(desk.session.end(), before);
        for track in tracks {
            for (_, clip) in desk.session.clips_on(track) {
                assert_eq!(clip.position, clip.start, "all plays where it was recorded");
            }
        }
        let playing = Playing::of(&desk.session);
        assert!(desk.session.segments.values().all(|it| playing.cut_from(it).is_none()));
        let told = desk.refusal("cmd_restore_words", json!({"segment_id": segment}));
        assert!(told.starts_with("none of these words was cut out"), "{told}");
    }
}

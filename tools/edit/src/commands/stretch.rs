//! The parts of clips in a stretch of time, and the splits at its ends.

use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Change, Clip, ClipId, Edit, IdSeed, SplitState};
use deskhand_toolkit::find::{clock, frames};
use deskhand_toolkit::{Code, Draft, ToolError};

/// The chosen time, from its first frame to the one after its last; `None` is all time.
pub(super) struct Stretch(Option<(Frames, Frames)>);

/// A clip that lies in a stretch, once the changes in `needs` are made.
pub(super) struct Piece {
    pub(super) id: ClipId,
    pub(super) clip: Clip,
    pub(super) needs: Vec<String>,
}

impl Stretch {
    /// The stretch that two parameters name, in seconds.
    pub(super) fn asked(
        start_s: Option<f64>,
        end_s: Option<f64>,
        rate: SampleRate,
    ) -> Result<Self, ToolError> {
        let [start, end] = [start_s, end_s].map(|at| at.map(|at| frames(at, rate)));
        match (start, end) {
            (None, None) => Ok(Self(None)),
            (Some(start), Some(end)) if start < end => Ok(Self(Some((start, end)))),
            (Some(_) | None, Some(_) | None) => Err(ToolError::prepare(
                Code::BadParams,
                "a stretch of time has a start and a later end",
                "give `start_s` and a later `end_s`, or neither",
            )),
        }
    }

    pub(super) fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// Where it begins; without one, where the first clip does.
    pub(super) fn first(&self, clips: &[(ClipId, Clip)]) -> Frames {
        let earliest = || clips.iter().map(|(_, clip)| clip.position).min();
        self.0.map(|(start, _)| start).or_else(earliest).unwrap_or(Frames::ZERO)
    }

    /// The clips that it touches.
    pub(super) fn touched(
        &self,
        mut clips: Vec<(ClipId, Clip)>,
    ) -> Result<Vec<(ClipId, Clip)>, ToolError> {
        let Some((start, end)) = self.0 else { return Ok(clips) };
        clips.retain(|(_, clip)| clip.position < end && start < clip.end());
        if clips.is_empty() {
            let fix = "give `start_s` and `end_s` around a part of a clip, or other targets";
            let message = "no clip that is meant lies in that time";
            return Err(ToolError::prepare(Code::NoTarget, message, fix));
        }
        Ok(clips)
    }

    /// The parts of clips inside it, as new clips with new ids.
    pub(super) fn inside(
        &self,
        clips: Vec<(ClipId, Clip)>,
        ids: &mut IdSeed,
    ) -> Vec<(ClipId, Clip)> {
        let mut inside = Vec::new();
        for (id, clip) in clips {
            let (all, _) = pieces(id, &clip, &self.edges(), ids);
            let held = all.into_iter().filter(|(_, piece)| self.holds(piece));
            inside.extend(held.map(|(_, piece)| (id, piece)));
        }
        inside
    }

    /// Splits clips at its edges, and returns the parts inside it.
    pub(super) fn cut(
        &self,
        clips: Vec<(ClipId, Clip)>,
        ids: &mut IdSeed,
        draft: &mut Draft,
    ) -> Vec<Piece> {
        let mut inside = Vec::new();
        for (id, clip) in clips {
            let (all, splits) = pieces(id, &clip, &self.edges(), ids);
            let needs = split(draft, &clip.name, splits);
            let held = all.into_iter().filter(|(_, piece)| self.holds(piece));
            inside.extend(held.map(|(id, clip)| Piece { id, clip, needs: needs.clone() }));
        }
        inside
    }

    /// "0:01.000 to 0:02.000 of "; empty for all time.
    pub(super) fn words(&self, rate: SampleRate) -> String {
        let words = |(start, end)| format!("{} to {} of ", clock(start, rate), clock(end, rate));
        self.0.map(words).unwrap_or_default()
    }

    fn edges(&self) -> Vec<Frames> {
        self.0.into_iter().flat_map(|(start, end)| [start, end]).collect()
    }

    fn holds(&self, clip: &Clip) -> bool {
        self.0.is_none_or(|(start, end)| start <= clip.position && clip.end() <= end)
    }
}

/// The pieces that a clip falls into at times, which are in order, and the splits that make them.
pub(super) fn pieces(
    id: ClipId,
    clip: &Clip,
    times: &[Frames],
    ids: &mut IdSeed,
) -> (Vec<(ClipId, Clip)>, Vec<Change>) {
    let (mut pieces, mut splits) = (Vec::new(), Vec::new());
    let mut rest = (id, clip.clone());
    for at in times {
        if *at <= rest.1.position || rest.1.end() <= *at {
            continue;
        }
        let right_id = ClipId::new(ids.next_bits());
        let (left_id, whole) = rest;
        let parts = SplitState::parts(&whole, right_id, *at - whole.position);
        rest = match &parts {
            SplitState::Parts { left, right, .. } => {
                pieces.push((left_id, left.clone()));
                (right_id, right.clone())
            }
            SplitState::Whole { clip, .. } => (left_id, clip.clone()),
        };
        let whole = SplitState::Whole { clip: whole, right_id };
        splits.push(Change::SplitClip(Edit::new(left_id, whole, parts)));
    }
    pieces.push(rest);
    (pieces, splits)
}

/// Adds the splits of a clip to a draft, each on top of the one before; gives their ids.
pub(super) fn split(draft: &mut Draft, name: &str, splits: Vec<Change>) -> Vec<String> {
    let mut made: Vec<String> = Vec::new();
    for split in splits {
        made.push(draft.dependent(split, name.to_owned(), "as asked", made.clone()));
    }
    made
}

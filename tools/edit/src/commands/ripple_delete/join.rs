//! How the sounds that meet fade into each other after time closed.

use crate::fades::resize::cross;
use deskhand_dsp::{Fade, FadeCurve, Frames};
use deskhand_session::{Change, Clip, ClipId, Crossing, Edit, Fades, Session, TrackId};
use deskhand_toolkit::ToolError;
use deskhand_toolkit::growing_draft::Sketch;
use std::collections::BTreeSet;
use std::ops::Range;

const CROSSES: &str = "what was apart fades into each other";
const FADES: &str = "the cut does not click";

/// A place where time closes, in its state before that.
pub(super) struct Join {
    tracks: Vec<TrackId>,
    at: Frames,
    /// Clips that end, or begin, at an edge of that time by themselves: no cut makes these edges.
    own: BTreeSet<ClipId>,
}

impl Join {
    /// The one of a stretch that will go from tracks.
    pub(super) fn ahead_of(session: &Session, tracks: &[TrackId], stretch: &Range<Frames>) -> Self {
        let on = session.clips.iter().filter(|(_, clip)| tracks.contains(&clip.track));
        let is_own = |clip: &Clip| clip.end() == stretch.start || clip.position == stretch.end;
        let own = on.filter(|(_, clip)| is_own(clip)).map(|(id, _)| *id).collect();
        Self { tracks: tracks.to_vec(), at: stretch.start, own }
    }

    /// Crossfades what meets there now, without a fade on either side; what the cut left bare and meets nothing like
    /// that fades by itself. Fades that are there are somebody's own and stay.
    ///
    /// # Errors
    /// When the session would not be valid.
    pub(super) fn faded(
        &self,
        sketch: &mut Sketch,
        length: Frames,
        needs: &[String],
    ) -> Result<(), ToolError> {
        let mut met: BTreeSet<ClipId> = BTreeSet::new();
        for touch in self.touches(&sketch.session) {
            if [touch.first, touch.second].iter().any(|id| met.contains(id)) {
                continue;
            }
            // Where the same audio goes on there is nothing to hear.
            let is_seam = touch.curve(&sketch.session) == FadeCurve::Linear;
            let wide = Crossing::resized(&sketch.session, &[touch], length);
            let wide = wide.into_iter().find(|it| it.length() > Frames::ZERO);
            if let Some(wide) = wide.as_ref().filter(|_| !is_seam) {
                cross(sketch, wide, CROSSES, needs)?;
            }
            if is_seam || wide.is_some() {
                met.extend([touch.first, touch.second]);
            }
        }
        self.fade_alone(sketch, length, &met, needs)
    }

    /// Where two clips without fades touch.
    fn touches(&self, session: &Session) -> Vec<Crossing> {
        let is_bare = |fade: Fade| fade.length == Frames::ZERO;
        let mut touches = Vec::new();
        for track in &self.tracks {
            let clips = session.clips_on(*track);
            let ends = |clip: &Clip| clip.end() == self.at && is_bare(clip.fade_out);
            let begins = |clip: &Clip| clip.position == self.at && is_bare(clip.fade_in);
            for (first, _) in clips.iter().filter(|(_, clip)| ends(clip)) {
                let seconds = clips.iter().filter(|(_, clip)| begins(clip));
                let pairs = seconds.filter_map(|(id, _)| Crossing::of(session, *first, *id));
                touches.extend(pairs);
            }
        }
        touches
    }

    /// Fades edges that the cut made and that met nothing.
    fn fade_alone(
        &self,
        sketch: &mut Sketch,
        length: Frames,
        met: &BTreeSet<ClipId>,
        needs: &[String],
    ) -> Result<(), ToolError> {
        let session = &sketch.session;
        let on = self.tracks.iter().flat_map(|track| session.clips_on(*track));
        let is_here = |clip: &Clip| clip.position == self.at || clip.end() == self.at;
        let is_alone = |id: &ClipId| !met.contains(id) && !self.own.contains(id);
        let alone = on.filter(|(id, clip)| is_here(clip) && is_alone(id));
        let change = |(id, clip): (ClipId, &Clip)| {
            let after = self.fades(clip, length).fitted(clip.length);
            Change::SetClipFades(Edit::new(id, clip.fades(), after))
        };
        let changes: Vec<Change> = alone.map(change).collect();
        sketch.add(changes, FADES, needs)?;
        Ok(())
    }

    /// The fades of a clip, with one at each edge at the seam that has none.
    fn fades(&self, clip: &Clip, length: Frames) -> Fades {
        let length = length.min(Frames(clip.length.0 / 2));
        let short = Fade { length, curve: FadeCurve::EqualPower };
        let edge = |is_here: bool, now: Fade| {
            if is_here && now.length == Frames::ZERO { short } else { now }
        };
        Fades {
            fade_in: edge(clip.position == self.at, clip.fade_in),
            fade_out: edge(clip.end() == self.at, clip.fade_out),
        }
    }
}

//! Making room on a track: clips that reach into a range are trimmed, split or removed.

use deskhand_dsp::{Fade, Frames};
use deskhand_session::change::Edit;
use deskhand_session::{
    Change, Clip, ClipId, ClipWindow, Fades, IdSeed, Session, SplitState, TrackId,
};
use std::ops::Range;

/// A rest of a clip shorter than this is removed too, in parts of a second. Passes of a loop begin and end
/// a block apart.
const SLIVER: i64 = 100;

/// The changes that leave `range` of a track without clips.
pub(crate) fn covered(
    session: &Session,
    track: TrackId,
    range: Range<Frames>,
    seed: &mut IdSeed,
) -> Vec<Change> {
    let sliver = Frames(i64::from(session.rate.0) / SLIVER);
    let clips = session.clips_on(track).into_iter();
    let reach = clips.filter(|(_, clip)| clip.position < range.end && clip.end() > range.start);
    reach.flat_map(|(id, clip)| cut(id, clip, &range, sliver, seed)).collect()
}

fn cut(
    id: ClipId,
    clip: &Clip,
    range: &Range<Frames>,
    sliver: Frames,
    seed: &mut IdSeed,
) -> Vec<Change> {
    let begins = range.start - clip.position > sliver;
    let ends = clip.end() - range.end > sliver;
    match (begins, ends) {
        (false, false) => vec![Change::RemoveClip(Edit::remove(id, clip.clone()))],
        (true, false) => keep_left(id, clip, range.start),
        (false, true) => keep_right(id, clip, range.end),
        (true, true) => {
            let right_id = ClipId::new(seed.next_bits());
            let parts = SplitState::parts(clip, right_id, range.start - clip.position);
            let whole = SplitState::Whole { clip: clip.clone(), right_id };
            let mut changes = vec![Change::SplitClip(Edit::new(id, whole, parts.clone()))];
            if let SplitState::Parts { right, .. } = parts {
                changes.extend(keep_right(right_id, &right, range.end));
            }
            changes
        }
    }
}

/// The rest of a clip up to `end` on the timeline.
fn keep_left(id: ClipId, clip: &Clip, end: Frames) -> Vec<Change> {
    let window = ClipWindow { length: end - clip.position, ..clip.window() };
    let fade_in = shortened(clip.fade_in, window.length);
    trimmed(id, clip, window, Fades { fade_in, fade_out: Fade::default() })
}

/// The rest of a clip from `start` on the timeline.
fn keep_right(id: ClipId, clip: &Clip, start: Frames) -> Vec<Change> {
    let cut = start - clip.position;
    let window = ClipWindow { start: clip.start + cut, length: clip.length - cut, position: start };
    let fade_out = shortened(clip.fade_out, window.length);
    trimmed(id, clip, window, Fades { fade_in: Fade::default(), fade_out })
}

fn shortened(fade: Fade, longest: Frames) -> Fade {
    Fade { length: fade.length.min(longest), ..fade }
}

/// The fades first: they must fit at every moment.
fn trimmed(id: ClipId, clip: &Clip, window: ClipWindow, fades: Fades) -> Vec<Change> {
    let faded = Change::SetClipFades(Edit::new(id, clip.fades(), fades));
    let trimmed = Change::TrimClip(Edit::new(id, clip.window(), window));
    [faded, trimmed].into_iter().filter(|change| !change.is_identity()).collect()
}

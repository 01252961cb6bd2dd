//! Where a clip is when its edges move to frames of picture, in formats that know no other place.

use super::timeline::{Clip, Timeline};
use deskhand_dsp::Frames;

/// A clip between two frames of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OnPicture {
    /// Its first frame of picture, from the start of the timeline.
    pub(super) first: i64,
    /// The frame of picture after it.
    pub(super) end: i64,
    /// The first frame of audio in the file. It moves with the edge, so that the audio stays in sync.
    pub(super) start: Frames,
}

/// `None` if nothing is left of the clip.
pub(super) fn on_picture(timeline: &Timeline, clip: &Clip) -> Option<OnPicture> {
    let rate = timeline.frame_rate;
    let moved = |frame| rate.samples(frame, timeline.rate) - clip.position;
    let mut first = rate.nearest(clip.position, timeline.rate);
    let mut end = rate.nearest(clip.end(), timeline.rate);
    // The nearest frame may be where the file has no audio.
    first += i64::from(clip.start + moved(first) < Frames::ZERO);
    let file = timeline.media.get(clip.media).map_or(Frames::ZERO, |media| media.frames);
    end -= i64::from(file > Frames::ZERO && clip.start + moved(end) > file);
    (first < end).then(|| OnPicture { first, end, start: clip.start + moved(first) })
}

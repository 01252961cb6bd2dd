//! When a stretch of a recording plays: the time on the timeline if a clip plays it, otherwise the time in
//! the recording.

use deskhand_dsp::Frames;
use deskhand_session::text::{clock, quoted};
use deskhand_session::{Clip, ObjectId, Session, SourceId};
use std::ops::Range;

/// A stretch of a source for people, by the words that are `said` there and by when `object`, a clip or that source,
/// plays it: "\"two three\" at 0:06.205 to 0:07.627", and without words "0:06.205 to 0:07.627 of \"Talk\"". What no
/// clip plays has its times in the recording, and says so.
pub(super) fn told(
    session: &Session,
    object: ObjectId,
    source: SourceId,
    frames: &Range<Frames>,
    said: &str,
) -> String {
    let heard = on_timeline(session, object, source, frames);
    let times = heard.as_ref().unwrap_or(frames);
    let [from, to] = [times.start, times.end].map(|at| clock(at, session.rate));
    let of = match (&heard, said) {
        (Some(_), "") => format!(" of \"{}\"", session.name_of(object)),
        (Some(_), _) => String::new(),
        (None, _) => format!(" of the recording \"{}\"", session.name_of(source.into())),
    };
    let words = if said.is_empty() { String::new() } else { format!("{} at ", quoted(said)) };
    format!("{words}{from} to {to}{of}")
}

/// The stretch of the timeline on which the clip `object`, or the first clip that is heard, plays frames of a source.
fn on_timeline(
    session: &Session,
    object: ObjectId,
    source: SourceId,
    frames: &Range<Frames>,
) -> Option<Range<Frames>> {
    let end = |clip: &Clip| clip.start + clip.length;
    let is_met = |clip: &Clip| clip.start < frames.end && frames.start < end(clip);
    let plays = |clip: &&Clip| clip.source == source && is_met(clip);
    let own = match object {
        ObjectId::Clip(id) => session.clips.get(&id).filter(plays),
        _ => None,
    };
    let clip = own.or_else(|| first(session, source, frames, &plays))?;
    let at = |clip: &Clip, frame: Frames| clip.position + (frame - clip.start);
    let from = at(clip, frames.start.max(clip.start));
    // After a cut it continues in another clip.
    let beside = session.clips.values().filter(plays).filter(|other| other.track == clip.track);
    let ends = beside.filter(|other| frames.end <= end(other)).map(|other| at(other, frames.end));
    let to = ends.filter(|to| *to > from).min();
    Some(from..to.unwrap_or_else(|| clip.end()))
}

/// The clip in which frames of a source are heard first. A muted original does not play what was cut from
/// its edit.
fn first<'s>(
    session: &'s Session,
    source: SourceId,
    frames: &Range<Frames>,
    plays: &dyn Fn(&&'s Clip) -> bool,
) -> Option<&'s Clip> {
    let is_muted = |clip: &Clip| session.is_clip_muted(clip);
    let mut of_source = session.clips.values().filter(|clip| clip.source == source);
    let has_edit = of_source.any(|clip| !is_muted(clip));
    let all = session.clips.values().filter(plays);
    let heard = all.filter(|clip| !(has_edit && is_muted(clip)));
    heard.min_by_key(|clip| {
        (clip.start > frames.start, !session.is_clip_audible(clip), clip.position)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::{ClipId, Track};
    use deskhand_toolkit::testing::{Desk, SECOND};

    /// 10 s of a recording that play from 10 s on.
    fn desk() -> (Desk, ClipId, SourceId) {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Voice"));
        let clip = desk.clip(track, "Talk", 10 * SECOND, vec![0.0; 10 * SECOND as usize]);
        let source = desk.session.clips[&clip].source;
        (desk, clip, source)
    }

    fn seconds(from: i64, to: i64) -> Range<Frames> {
        Frames(from * SECOND)..Frames(to * SECOND)
    }

    #[test]
    fn a_stretch_is_told_by_when_it_is_heard_else_by_when_it_was_said() {
        let (mut desk, clip, source) = desk();
        let told = |desk: &Desk, from: i64, to: i64, said: &str| {
            told(&desk.session, source.into(), source, &seconds(from, to), said)
        };
        assert_eq!(told(&desk, 1, 3, "two three"), "\"two three\" at 0:11.000 to 0:13.000");
        assert_eq!(told(&desk, 1, 3, ""), "0:11.000 to 0:13.000 of \"Talk.wav\"");
        // The third second is cut out.
        let mut rest = desk.session.clips[&clip].clone();
        (rest.start, rest.length) = (Frames(3 * SECOND), Frames(7 * SECOND));
        rest.position = Frames(12 * SECOND);
        desk.session.clips.get_mut(&clip).unwrap().length = Frames(2 * SECOND);
        desk.session.clips.insert(ClipId::new(9), rest);
        assert_eq!(told(&desk, 1, 4, "two four"), "\"two four\" at 0:11.000 to 0:13.000");
        assert_eq!(
            told(&desk, 2, 3, "three"),
            "\"three\" at 0:02.000 to 0:03.000 of the recording \"Talk.wav\""
        );
        desk.session.clips.clear();
        assert_eq!(told(&desk, 1, 3, ""), "0:01.000 to 0:03.000 of the recording \"Talk.wav\"");
    }

    #[test]
    fn a_muted_original_is_not_heard_unless_it_is_what_was_named() {
        let (mut desk, clip, source) = desk();
        let track = desk.track(Track::audio("Voice (assembly)"));
        let original = desk.session.clips[&clip].clone();
        let edit = Clip { track, position: Frames::ZERO, length: Frames(SECOND), ..original };
        desk.session.clips.insert(ClipId::new(9), edit);
        let muted = desk.session.clips[&clip].track;
        desk.session.tracks.get_mut(&muted).unwrap().mute = true;
        let heard = |object| {
            let frames = [seconds(0, 1), seconds(1, 2)];
            frames.map(|frames| on_timeline(&desk.session, object, source, &frames))
        };
        assert_eq!(heard(source.into()), [Some(seconds(0, 1)), None]);
        assert_eq!(heard(clip.into()), [Some(seconds(10, 11)), Some(seconds(11, 12))]);
    }
}

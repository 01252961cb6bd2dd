//! The track that plays the sound in a picture, and the playhead's position in that sound.

use crate::describe::hue_of;
use crate::model::Model;
use deskhand_protocol::desk::Window;
use deskhand_session::{Clip, Handle, Session};

/// The hue of the track that plays a window's sound: that of the clip, or of the first clip of the source.
pub(super) fn hue(session: Option<&Session>, window: &Window) -> usize {
    let Some(session) = session else { return 0 };
    let clip = match window.resource.parse() {
        Ok(Handle::Clip(id)) => session.clips.get(&id),
        Ok(Handle::Source(id)) => session.clips.values().find(|clip| clip.source == id),
        _ => None,
    };
    hue_of(clip.map(|clip| clip.track), session)
}

/// The playhead's position, in seconds of the source that a window shows. A solo audition counts first,
/// then a clip under the playhead, preferably an audible one.
pub(super) fn playhead(model: &Model, window: &Window) -> Option<f64> {
    let session = model.session()?;
    let (source, only) = match window.resource.parse::<Handle>().ok()? {
        Handle::Clip(id) => (session.clips.get(&id)?.source, Some(id)),
        Handle::Source(id) => (id, None),
        _ => return None,
    };
    let frame = match model.live.audition {
        Some(alone) if alone.source == source => alone.at,
        Some(_) => return None,
        None => {
            let at = model.live.position;
            let is_meant = |clip: &Clip| clip.position <= at && at < clip.position + clip.length;
            let clips = session.clips.iter().filter(|(id, clip)| match only {
                Some(only) => only == **id && is_meant(clip),
                None => clip.source == source && is_meant(clip),
            });
            let sounds = |clip: &&Clip| !session.is_clip_muted(clip);
            let clip = clips.map(|(_, clip)| clip).max_by_key(sounds)?;
            clip.start + (at - clip.position)
        }
    };
    Some(frame.seconds(session.rate).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::Audition;
    use crate::testing::prelude::*;
    use crate::testing::session;
    use deskhand_protocol::desk::Viewer;

    fn on(handle: Handle) -> Window {
        let (viewer, title) = (Viewer::Auto, String::new());
        Window { window_id: "window_1".into(), viewer, resource: handle.to_string(), title }
    }

    #[test]
    fn a_waveform_has_the_hue_of_the_track_that_plays_it() {
        let session = session();
        let of = |handle: Handle| hue(Some(&session), &on(handle));
        let [first, second] = [1, 2].map(|id| hue_of(Some(TrackId::new(id)), &session));
        assert_ne!(first, second);
        assert_eq!(of(Handle::Clip(ClipId::new(1))), first);
        assert_eq!(of(Handle::Clip(ClipId::new(2))), second);
        assert_eq!(of(Handle::Source(SourceId::new(2))), second);
    }

    #[test]
    fn the_playhead_stands_at_the_second_of_the_source_that_is_heard() {
        let mut model = open_model();
        let clips = &mut model.mirror.as_mut().unwrap().snapshot.session.clips;
        let clip = clips.get_mut(&ClipId::new(1)).unwrap();
        (clip.position, clip.start) = (Frames(96_000), Frames(48_000));
        let source = SourceId::new(1);
        let windows = [Handle::Clip(ClipId::new(1)), Handle::Source(source)].map(on);
        let at = |model: &Model| [0, 1].map(|place| playhead(model, &windows[place]));
        assert_eq!(at(&model), [None, None], "it stands ahead of the clip");
        model.live.position = Frames(120_000);
        assert_eq!(at(&model), [Some(1.5); 2]);
        model.live.position = Frames(96_000 + 480_000);
        assert_eq!(at(&model), [None, None], "it is over");
        let (from, to) = (Frames(0), Frames(240_000));
        model.live.audition = Some(Audition { source, from, to, at: Frames(24_000) });
        assert_eq!(at(&model), [Some(0.5); 2]);
        let other = Audition { source: SourceId::new(2), from, to, at: from };
        model.live.audition = Some(other);
        assert_eq!(at(&model), [None, None]);
    }

    #[test]
    fn of_two_clips_that_the_playhead_goes_through_the_one_that_sounds_has_it() {
        let mut model = open_model();
        let session = &mut model.mirror.as_mut().unwrap().snapshot.session;
        let second = session.clips.get_mut(&ClipId::new(2)).unwrap();
        (second.source, second.start) = (SourceId::new(1), Frames(96_000));
        session.tracks.get_mut(&TrackId::new(2)).unwrap().mute = true;
        let window = on(Handle::Source(SourceId::new(1)));
        assert_eq!(playhead(&model, &window), Some(0.0));
        let session = &mut model.mirror.as_mut().unwrap().snapshot.session;
        session.tracks.get_mut(&TrackId::new(2)).unwrap().mute = false;
        session.tracks.get_mut(&TrackId::new(1)).unwrap().mute = true;
        assert_eq!(playhead(&model, &window), Some(2.0));
    }
}

//! Which tracks sound, and the way through the buses.

use deskhand_dsp::{Decibels, Fade, Frames, SampleRate};
use deskhand_session::*;

const VOX: TrackId = TrackId::new(1);
const BASS: TrackId = TrackId::new(2);
const BUS: TrackId = TrackId::new(3);
const SUM: TrackId = TrackId::new(4);
const ALL: [TrackId; 4] = [VOX, BASS, BUS, SUM];

/// Vocals through a bus and another bus, bass to the master.
fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
    session.tracks.insert(VOX, Track { output: Output::Bus(BUS), ..Track::audio("Vox") });
    session.tracks.insert(BASS, Track::audio("Bass"));
    session.tracks.insert(BUS, Track { output: Output::Bus(SUM), ..Track::bus("Voices") });
    session.tracks.insert(SUM, Track::bus("Sum"));
    session.track_order = ALL.to_vec();
    session
}

fn audible(edit: impl FnOnce(&mut Session)) -> Vec<TrackId> {
    let mut session = session();
    edit(&mut session);
    ALL.into_iter().filter(|id| session.is_audible(*id)).collect()
}

fn solo(session: &mut Session, id: TrackId) {
    session.tracks.get_mut(&id).unwrap().solo = true;
}

fn mute(session: &mut Session, id: TrackId) {
    session.tracks.get_mut(&id).unwrap().mute = true;
}

#[test]
fn solo_and_mute_follow_the_buses() {
    assert_eq!(audible(|_| {}), ALL);
    assert_eq!(audible(|s| mute(s, VOX)), [BASS, BUS, SUM]);
    assert_eq!(audible(|s| solo(s, BASS)), [BASS]);
    assert_eq!(audible(|s| solo(s, VOX)), [VOX, BUS, SUM]);
    assert_eq!(audible(|s| solo(s, BUS)), [VOX, BUS, SUM]);
    assert_eq!(audible(|s| solo(s, SUM)), [VOX, BUS, SUM]);
    let both = |s: &mut Session| {
        solo(s, VOX);
        mute(s, VOX);
    };
    assert_eq!(audible(both), [BUS, SUM], "mute outranks solo");
    assert!(!session().is_audible(TrackId::new(9)));
}

#[test]
fn a_render_ends_where_the_last_clip_that_is_heard_ends() {
    let mut session = session();
    assert_eq!(session.heard_end(), Frames::ZERO);
    let source = SourceId::new(1);
    for (id, track, end) in [(1, VOX, 900), (2, BASS, 400)] {
        let clip = Clip {
            name: "Clip".into(),
            track,
            source,
            start: Frames::ZERO,
            length: Frames(end),
            position: Frames::ZERO,
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: Default::default(),
            mute: false,
        };
        session.clips.insert(ClipId::new(id), clip);
    }
    assert_eq!(session.heard_end(), Frames(900));
    mute(&mut session, VOX);
    assert_eq!((session.heard_end(), session.end()), (Frames(400), Frames(900)));
    mute(&mut session, BASS);
    assert_eq!(
        (session.heard_end(), session.end()),
        (Frames::ZERO, Frames(900)),
        "nothing is heard"
    );
}

#[test]
fn the_way_through_the_buses_ends_even_on_a_cycle() {
    let mut session = session();
    assert_eq!(session.path_of(VOX).collect::<Vec<_>>(), [VOX, BUS, SUM]);
    session.tracks.get_mut(&SUM).unwrap().output = Output::Bus(BUS);
    assert!(session.path_of(VOX).count() <= ALL.len());
    assert!(session.is_audible(VOX));
    assert!(session.validate().unwrap_err().contains("loop"));
    session.tracks.get_mut(&SUM).unwrap().output = Output::Bus(SUM);
    assert!(session.path_of(SUM).count() <= ALL.len());
}

#[test]
fn a_loop_of_buses_is_refused() {
    let session = session();
    let edit = change::Edit::new(SUM, Output::Master, Output::Bus(BUS));
    let error = session.with([&Change::SetTrackOutput(edit)]).unwrap_err();
    assert!(error.to_string().contains("would be a loop"), "{error}");
    let edit = change::Edit::new(VOX, Output::Bus(BUS), Output::Bus(BASS));
    let error = session.with([&Change::SetTrackOutput(edit)]).unwrap_err();
    assert!(error.to_string().contains("is no bus"), "{error}");
}

#[test]
fn what_a_whole_session_must_be_like() {
    let mut twice = session();
    twice.track_order.push(VOX);
    assert!(twice.validate().unwrap_err().contains("each track once"));
    let mut dangling = session();
    dangling.tracks.remove(&SUM);
    dangling.track_order.pop();
    assert!(dangling.validate().unwrap_err().contains("does not exist"));
    let mut slow = session();
    slow.rate = SampleRate(5);
    assert!(slow.validate().unwrap_err().contains("8000"));
}

//! Words and takes: a stretch of a source is heard by itself.

use crate::device::Device;
use crate::user_session::Seat;
use deskhand_dsp::Frames;
use deskhand_editor::{Action, Motion};
use deskhand_protocol::desk::Play;
use deskhand_session::SourceId;
use serde_json::json;

fn act(seat: &mut Seat, action: Action) {
    assert_eq!(seat.open.act(&mut seat.model, action), None);
}

/// A seat whose source no clip plays.
fn quiet() -> (Seat, Device, SourceId) {
    let mut seat = Seat::new();
    let device = Device::plug_into(&mut seat);
    seat.until("the session", || {}, |model| model.session().is_some());
    seat.import_tone();
    seat.until("the import", || {}, |model| model.session().unwrap().clips.len() == 1);
    let session = seat.model.session().unwrap();
    let (clip, source) =
        (*session.clips.keys().next().unwrap(), *session.sources.keys().next().unwrap());
    seat.call("cmd_remove_clip", json!({"targets": [clip]}));
    seat.until("the removal", || {}, |model| model.session().unwrap().clips.is_empty());
    (seat, device, source)
}

#[test]
fn a_take_is_heard_by_itself_and_the_timeline_stands_where_it_stood() {
    let (mut seat, mut device, source) = quiet();
    act(&mut seat, Action::Play(Play::Seek { at: Frames(96_000) }));
    device.run(4096);
    seat.frame();
    let stretch = (source, Frames(48_000), Frames(72_000));
    act(&mut seat, Action::Audition(Some(stretch)));
    // A window is open for a while: the disk reads meanwhile.
    let mut heard = 0.0f32;
    for _ in 0..12 {
        device.run(1024);
        seat.frame();
        heard = heard.max(device.level());
    }
    assert!((heard - 1.0).abs() < 1e-2, "{heard}");
    let live = &seat.model.live;
    let alone = live.audition.unwrap();
    assert_eq!((alone.source, alone.from, alone.to), stretch);
    assert!(alone.at > alone.from && alone.at < alone.to, "{alone:?}");
    assert_eq!(live.position, Frames(96_000), "the timeline stands");
    seat.until(
        "its end",
        || device.run(1024),
        |model| model.live.audition.is_none() && model.live.motion == Motion::Stopped,
    );
    device.run(9600);
    seat.frame();
    assert_eq!(seat.model.live.position, Frames(96_000));
    assert!(device.level() < 1e-4, "{}", device.level());
}

#[test]
fn another_take_is_heard_at_once_while_one_is_heard() {
    let (mut seat, mut device, source) = quiet();
    act(&mut seat, Action::Play(Play::Seek { at: Frames(96_000) }));
    device.run(4096);
    seat.frame();
    act(&mut seat, Action::Audition(Some((source, Frames(0), Frames(400_000)))));
    for _ in 0..20 {
        device.run(1024);
        seat.frame();
    }
    assert!(device.level() > 0.9);
    let other = (source, Frames(48_000), Frames(144_000));
    act(&mut seat, Action::Audition(Some(other)));
    let mut heard = 0.0f32;
    for _ in 0..10 {
        device.run(1024);
        seat.frame();
        heard = heard.max(device.level());
        assert_eq!(seat.model.live.position, Frames(96_000), "the timeline stands");
    }
    assert!((heard - 1.0).abs() < 1e-2, "no gap as long as what was heard before: {heard}");
    let alone = seat.model.live.audition.unwrap();
    assert_eq!((alone.source, alone.from, alone.to), other);
    seat.until("its end", || device.run(1024), |model| model.live.audition.is_none());
    device.run(9600);
    seat.frame();
    assert_eq!(seat.model.live.position, Frames(96_000));
}

#[test]
fn stop_ends_what_is_heard_by_itself() {
    let (mut seat, mut device, source) = quiet();
    act(&mut seat, Action::Audition(Some((source, Frames(0), Frames(400_000)))));
    device.run(9600);
    seat.frame();
    assert_eq!(seat.model.live.audition.unwrap().source, source);
    act(&mut seat, Action::Play(Play::Stop));
    device.run(9600);
    seat.frame();
    assert_eq!((seat.model.live.audition, seat.model.live.motion), (None, Motion::Stopped));
    assert_eq!(seat.model.live.position, Frames::ZERO);
}

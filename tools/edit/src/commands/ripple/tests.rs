//! Things that move when time closes or opens.

use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use deskhand_session::apply::inverses;
use deskhand_session::{Marker, MarkerId, Output, Session, TempoPoint, Track, TrackId};
use deskhand_toolkit::testing::{Desk, SECOND, tone};
use serde_json::{Value, json};

fn at(seconds: f64) -> Frames {
    Frames((seconds * SECOND as f64).round() as i64)
}

fn point(seconds: f64, gain: f64) -> EnvelopePoint {
    EnvelopePoint { position: at(seconds), gain: Decibels(gain), curve: 0.0 }
}

fn tempo(points: &[(f64, f64)]) -> Vec<TempoPoint> {
    let point = |(seconds, bpm): &(f64, f64)| TempoPoint { position: at(*seconds), bpm: *bpm };
    points.iter().map(point).collect()
}

/// A voice and music on a bus; the music and the bus are lower from 1 to 6.5 s. There are six markers, from and to where
/// the code says.
fn desk() -> (Desk, [TrackId; 3]) {
    let mut desk = Desk::new(crate::all());
    let [voice, music] = ["Voice", "Music"].map(|name| desk.track(Track::audio(name)));
    let bus = desk.track(Track::bus("Bus"));
    for (track, hz) in [(voice, 200.0), (music, 300.0)] {
        desk.session.tracks.get_mut(&track).unwrap().output = Output::Bus(bus);
        desk.clip(track, "Talk", 0, tone(hz, -20.0, 10.0));
    }
    for track in [music, bus] {
        desk.session.tracks.get_mut(&track).unwrap().envelope =
            vec![point(1.0, 0.0), point(1.5, -12.0), point(6.0, -12.0), point(6.5, 0.0)];
    }
    let markers = [(8.0, 8.0), (2.0, 7.0), (3.2, 3.8), (3.5, 3.5), (3.5, 5.0), (1.0, 3.5)];
    for (number, (from, to)) in (1..).zip(markers) {
        let (position, length) = (at(from), at(to) - at(from));
        let marker = Marker { name: "Verse".into(), position, length, code: None };
        desk.session.markers.insert(MarkerId::new(number), marker);
    }
    desk.session.tempo = tempo(&[(0.0, 120.0), (3.5, 90.0), (8.0, 100.0)]);
    (desk, [voice, music, bus])
}

/// Where markers begin and end, by their ids.
fn markers(session: &Session) -> Vec<(u64, Frames, Frames)> {
    let markers = session.markers.iter();
    let span = |(id, it): (&MarkerId, &Marker)| (id.bits(), it.position, it.position + it.length);
    markers.map(span).collect()
}

/// Plans and applies; undo restores the state before.
fn settled(desk: &mut Desk, tool: &str, params: Value) -> Vec<String> {
    let before = desk.session.clone();
    let draft = desk.plan(tool, params);
    desk.apply(&draft);
    let changes: Vec<_> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
    assert_eq!(desk.session.with(&inverses(&changes)), Ok(before));
    draft.warnings
}

/// Asserts that a track has the gain that it had, but that what lay from `from` on lies `by` seconds later.
fn keeps_gain(before: &Session, after: &Session, track: TrackId, from: f64, by: f64) {
    let [then, now] = [before, after].map(|session| &session.tracks[&track].envelope);
    for tenth in 0..100 {
        let seconds = f64::from(tenth) / 10.0 + 0.01;
        let moved = if seconds < from { seconds } else { seconds + by };
        if by < 0.0 && seconds < from && seconds >= from + by {
            continue;
        }
        let [was, is] = [gain_at(then, at(seconds)).0, gain_at(now, at(moved)).0];
        assert!((was - is).abs() < 1e-6, "{seconds} s: {was} and {is} dB");
    }
}

#[test]
fn where_no_clip_stays_gain_markers_and_tempo_go_along() {
    for (start, end) in [(3.0, 4.0), (1.2, 6.2)] {
        let (mut desk, tracks) = desk();
        let before = desk.session.clone();
        let params = json!({"targets": "all", "start_s": start, "end_s": end});
        assert_eq!(settled(&mut desk, "cmd_ripple_delete", params), Vec::<String>::new());
        for track in tracks {
            keeps_gain(&before, &desk.session, track, end, start - end);
        }
    }
    let (mut desk, _) = desk();
    settled(&mut desk, "cmd_ripple_delete", json!({"targets": "all", "start_s": 3, "end_s": 4}));
    let expected = [
        (1, at(7.0), at(7.0)),
        (2, at(2.0), at(6.0)),
        (4, at(3.0), at(3.0)),
        (5, at(3.0), at(4.0)),
        (6, at(1.0), at(3.0)),
    ];
    assert_eq!(markers(&desk.session), expected, "what lay in it as a whole went");
    assert_eq!(desk.session.tempo, tempo(&[(0.0, 120.0), (3.0, 90.0), (7.0, 100.0)]));
}

#[test]
fn inserted_time_moves_gain_markers_and_tempo() {
    let (mut desk, tracks) = desk();
    let before = desk.session.clone();
    let params = json!({"targets": "all", "at_s": 3.5, "length_s": 2});
    assert_eq!(settled(&mut desk, "cmd_ripple_insert", params), Vec::<String>::new());
    for track in tracks {
        keeps_gain(&before, &desk.session, track, 3.5, 2.0);
    }
    let expected = [
        (1, at(10.0), at(10.0)),
        (2, at(2.0), at(9.0)),
        (3, at(3.2), at(5.8)),
        (4, at(5.5), at(5.5)),
        (5, at(5.5), at(7.0)),
        (6, at(1.0), at(3.5)),
    ];
    assert_eq!(markers(&desk.session), expected);
    assert_eq!(desk.session.tempo, tempo(&[(0.0, 120.0), (5.5, 90.0), (10.0, 100.0)]));
}

#[test]
fn where_other_tracks_stay_markers_tempo_and_their_gain_stay() {
    let (mut desk, [_, music, bus]) = desk();
    let before = desk.session.clone();
    let params = json!({"targets": "Music", "start_s": 3, "end_s": 4, "sync": "named"});
    let told = settled(&mut desk, "cmd_ripple_delete", params);
    let left = "\"Voice\" stays, and will not be in sync with \"Music\" any more.";
    assert_eq!(told, [left, "6 markers stay where they are, as other tracks do"]);
    keeps_gain(&before, &desk.session, music, 4.0, -1.0);
    assert_eq!(desk.session.tracks[&bus], before.tracks[&bus], "the voice plays into it too");
    assert_eq!((&desk.session.markers, &desk.session.tempo), (&before.markers, &before.tempo));
}

#[test]
fn a_trimmed_edge_that_ripples_takes_gain_and_markers_along() {
    let (mut desk, [_, music, _]) = desk();
    let before = desk.session.clone();
    settled(&mut desk, "cmd_set_group", json!({"name": "Show", "targets": ["Voice", "Music"]}));
    settled(&mut desk, "cmd_split_clip", json!({"targets": "all", "at_s": 4}));
    let clips = desk.session.clips.iter().filter(|(_, clip)| clip.position == Frames::ZERO);
    let clips: Vec<String> = clips.map(|(id, _)| id.to_string()).collect();
    settled(&mut desk, "cmd_trim_clip", json!({"targets": clips, "end_s": 3, "ripple": true}));
    keeps_gain(&before, &desk.session, music, 4.0, -1.0);
    assert_eq!(markers(&desk.session)[0], (1, at(7.0), at(7.0)));
    assert_eq!(markers(&desk.session)[3], (5, at(3.0), at(4.0)), "it began in what went");
    assert_eq!(desk.session.tempo, tempo(&[(0.0, 120.0), (3.0, 90.0), (7.0, 100.0)]));
}

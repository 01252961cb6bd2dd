//! Which tracks count as recorded together.

use deskhand_dsp::{Decibels, Fade, Frames, SampleRate};
use deskhand_session::*;

const SECOND: i64 = 48_000;

/// A session to which takes are added, each on a track of its own.
struct Room(Session);

impl Room {
    fn new() -> Self {
        Self(Session::new(SessionId::new(1), SampleRate(48_000)))
    }

    /// A recording of some seconds that begins at a time.
    fn take(&mut self, at_s: f64, seconds: f64) -> (TrackId, SourceId) {
        let number = self.0.tracks.len() as u64 + 1;
        let (track, source) = (TrackId::new(number), SourceId::new(number));
        let frames = |s: f64| Frames((s * SECOND as f64) as i64);
        self.0.tracks.insert(track, Track::audio(format!("Track {number}")));
        self.0.track_order.push(track);
        let file = Source {
            name: format!("{number}.wav"),
            hash: ContentHash(format!("{number:064x}")),
            path: format!("/audio/{number}.wav"),
            size: 1,
            modified_ns: 0,
            format: "WAV 16 bit".into(),
            rate: SampleRate(48_000),
            channels: 1,
            channel: None,
            frames: frames(seconds),
            origin: None,
            same_sound: Vec::new(),
            media: Media::InPlace,
        };
        self.0.sources.insert(source, file);
        let clip = Clip {
            name: "Talk".into(),
            track,
            source,
            start: Frames::ZERO,
            length: frames(seconds),
            position: frames(at_s),
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: Default::default(),
            mute: false,
        };
        self.0.clips.insert(ClipId::new(number), clip);
        (track, source)
    }

    fn stamped(&mut self, source: SourceId, at_s: f64) {
        let origin = Frames((at_s * SECOND as f64) as i64);
        self.0.sources.get_mut(&source).unwrap().origin = Some(origin);
    }

    /// Both carry the same sound, and the second began later by some seconds.
    fn same_sound(&mut self, first: SourceId, second: SourceId, later_s: f64) {
        let with = self.0.sources[&first].hash.clone();
        let later = Frames((later_s * SECOND as f64) as i64);
        self.0.sources.get_mut(&second).unwrap().same_sound.push(SameSound { with, later });
    }

    /// Says a word every second from a time in a source on.
    fn says(&mut self, source: SourceId, from_s: f64, words: usize, text: &str) {
        for number in 0..words {
            let start = Frames(((from_s + number as f64) * SECOND as f64) as i64);
            let end = start + Frames(SECOND / 2);
            let word = Word { text: format!("{text}{number}"), start, end, confidence: None };
            let segment = Segment { words: vec![word], ..Segment::new(source, start, end - start) };
            let id = SegmentId::new(self.0.segments.len() as u64 + 1);
            self.0.segments.insert(id, segment);
        }
    }

    fn sets(&self) -> Vec<(Vec<TrackId>, Evidence)> {
        let sets = recorded_together(&self.0).into_iter();
        sets.map(|set| (set.tracks, set.evidence)).collect()
    }
}

#[test]
fn what_starts_together_and_is_about_as_long_was_recorded_together() {
    let mut room = Room::new();
    let (host, _) = room.take(0.0, 600.0);
    let (guest, _) = room.take(0.3, 596.0);
    room.take(0.0, 30.0);
    room.take(20.0, 600.0);
    assert_eq!(room.sets(), [(vec![host, guest], Evidence::StartAndLength)]);
}

#[test]
fn what_was_cut_and_moved_alike_still_counts() {
    let mut room = Room::new();
    let (host, _) = room.take(0.0, 60.0);
    let (guest, _) = room.take(0.0, 60.0);
    for clip in room.0.clips.values_mut() {
        (clip.start, clip.length) = (Frames(20 * SECOND), Frames(5 * SECOND));
        clip.position = Frames(12 * SECOND);
    }
    assert_eq!(room.sets(), [(vec![host, guest], Evidence::StartAndLength)]);
}

#[test]
fn a_microphone_that_hears_the_speaker_of_another_was_recorded_with_it() {
    let mut room = Room::new();
    let [(host, first), (guest, second), (_, other)] =
        [room.take(0.0, 60.0), room.take(20.0, 300.0), room.take(0.0, 900.0)];
    room.says(first, 22.0, 5, "hello");
    room.says(second, 2.0, 5, "hello");
    room.says(other, 700.0, 5, "hello");
    let facts = |by: &str| Fact { value: by.into(), unit: None, confidence: None, by: by.into() };
    for segment in room.0.segments.values_mut() {
        segment.speaker = Some("Anna".into());
        if segment.source == second {
            segment.description.facts.insert(BLEED_OF.into(), facts("Anna"));
        }
    }
    assert_eq!(room.sets(), [(vec![host, guest], Evidence::CrossTalk)]);
    for segment in room.0.segments.values_mut() {
        segment.description.facts.clear();
    }
    assert_eq!(room.sets(), []);
}

#[test]
fn what_carries_the_same_sound_was_recorded_together_where_it_is_in_sync() {
    let mut room = Room::new();
    let [(host, first), (guest, second), (room_mic, third)] =
        [room.take(0.0, 60.0), room.take(3.2, 300.0), room.take(0.01, 900.0)];
    room.same_sound(first, second, 3.21);
    room.same_sound(first, third, 0.0);
    assert_eq!(room.sets(), [(vec![host, guest, room_mic], Evidence::CrossTalk)]);
    assert_eq!(out_of_sync(&room.0), []);
}

#[test]
fn what_carries_the_same_sound_and_lies_apart_is_out_of_sync_and_no_set() {
    let mut room = Room::new();
    let [(host, first), (guest, second)] = [room.take(0.0, 60.0), room.take(0.0, 60.0)];
    room.same_sound(first, second, 0.2);
    assert_eq!(room.sets(), [], "although they start together and are as long");
    let early = Frames(-SECOND / 5);
    assert_eq!(out_of_sync(&room.0), [OutOfSync { reference: host, track: guest, late: early }]);
    room.0.tracks.get_mut(&guest).unwrap().kind = TrackKind::Bus;
    assert_eq!(out_of_sync(&room.0), []);
}

#[test]
fn time_stamps_tell_what_was_recorded_together_and_what_was_not() {
    let mut room = Room::new();
    let [(host, first), (guest, second)] = [room.take(0.0, 60.0), room.take(10.0, 70.0)];
    room.stamped(first, 36_000.0);
    room.stamped(second, 36_010.0);
    assert_eq!(room.sets(), [(vec![host, guest], Evidence::TimeStamp)]);
    let mut takes = Room::new();
    let [(_, first), (_, second)] = [takes.take(0.0, 60.0), takes.take(0.0, 60.0)];
    takes.stamped(first, 36_000.0);
    takes.stamped(second, 36_100.0);
    assert_eq!(takes.sets(), [], "recorded one after the other");
}

#[test]
fn channels_of_one_file_were_recorded_together() {
    let mut room = Room::new();
    let [(left, first), (right, second)] = [room.take(5.0, 60.0), room.take(5.0, 60.0)];
    let hash = room.0.sources[&first].hash.clone();
    room.0.sources.get_mut(&second).unwrap().hash = hash.clone();
    assert_eq!(room.sets(), [(vec![left, right], Evidence::SameRecording)]);
    room.0.sources.get_mut(&second).unwrap().channel = Some(1);
    assert_eq!(room.sets(), [(vec![left, right], Evidence::OneFile)]);
    // The audio tracks of a film.
    room.0.sources.get_mut(&first).unwrap().hash = hash.of_track(0);
    room.0.sources.get_mut(&second).unwrap().hash = hash.of_track(1);
    assert_eq!(room.sets(), [(vec![left, right], Evidence::OneFile)]);
}

#[test]
fn two_talks_of_one_length_are_told_apart_by_what_is_said() {
    let mut takes = Room::new();
    let [(_, first), (_, second)] = [takes.take(0.0, 60.0), takes.take(0.0, 60.0)];
    takes.says(first, 0.0, 30, "a");
    takes.says(second, 0.1, 30, "b");
    assert_eq!(takes.sets(), [], "both are said at the same time");
    let mut room = Room::new();
    let [(_, first), (_, second)] = [room.take(0.0, 60.0), room.take(0.0, 60.0)];
    room.says(first, 0.0, 30, "a");
    room.says(second, 30.0, 30, "b");
    assert_eq!(room.sets().len(), 1, "they take turns");
    let mut bleed = Room::new();
    let [(_, first), (_, second)] = [bleed.take(0.0, 60.0), bleed.take(0.0, 60.0)];
    bleed.says(first, 0.0, 30, "a");
    bleed.says(second, 0.0, 30, "a");
    assert_eq!(bleed.sets().len(), 1, "both hear the same talk");
}

#[test]
fn sets_with_a_track_in_common_are_one_in_the_order_of_tracks() {
    let mut room = Room::new();
    let tracks = [room.take(0.4, 60.0), room.take(0.0, 60.0), room.take(0.8, 60.0)];
    let ids: Vec<TrackId> = tracks.iter().map(|(track, _)| *track).collect();
    assert_eq!(room.sets(), [(ids, Evidence::StartAndLength)]);
}

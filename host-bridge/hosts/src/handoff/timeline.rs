//! A timeline as other programs know it: tracks of clips that play files, and markers. Made of a session for the
//! writers, and by the readers of a file.

use super::timecode::FrameRate;
use deskhand_dsp::{Decibels, Fade, Frames, SampleRate};
use deskhand_session::track::TrackKind;
use deskhand_session::{Session, SourceId, TrackId};
use std::collections::{BTreeMap, BTreeSet};

/// Tracks, markers and the files that they play. All frames at `rate`.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Title.
    pub name: String,
    /// The rate of all positions and lengths.
    pub rate: SampleRate,
    /// How its timecode counts.
    pub frame_rate: FrameRate,
    /// The timecode of position 0, in frames of picture from midnight.
    pub start: i64,
    /// Seconds of media to keep on both sides of what plays; `None` keeps whole files.
    pub handles: Option<f64>,
    /// What clips play.
    pub media: Vec<Media>,
    /// From the top.
    pub tracks: Vec<Track>,
    /// By position.
    pub markers: Vec<Marker>,
    /// What the session has and no such timeline holds.
    pub not_taken: NotTaken,
}

/// A file with audio.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// Display name.
    pub name: String,
    /// The file, absolute; a timeline that was read may name it without its folder, or not at all.
    pub path: String,
    /// Its own rate.
    pub rate: SampleRate,
    /// Number of channels, 0 for not known.
    pub channels: u16,
    /// The channel of the file that this is, from 0, if it is only one of them.
    pub channel: Option<u16>,
    /// Length at the rate of the timeline, 0 for not known.
    pub frames: Frames,
    /// Its timecode at the start, at the rate of the timeline.
    pub origin: Frames,
}

impl Media {
    /// A file of which nothing is known but that it plays at the rate of the timeline.
    #[must_use]
    pub fn unknown(rate: SampleRate) -> Self {
        Self {
            name: String::new(),
            path: String::new(),
            rate,
            channels: 0,
            channel: None,
            frames: Frames::ZERO,
            origin: Frames::ZERO,
        }
    }
}

/// Clips that play one after another, or over each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Display name.
    pub name: String,
    /// Fader, with those of the buses and of the mix.
    pub gain: Decibels,
    /// -1 left, 0 center, 1 right.
    pub pan: f64,
    /// Not heard.
    pub mute: bool,
    /// By position.
    pub clips: Vec<Clip>,
}

/// A region of a file on a track.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Display name.
    pub name: String,
    /// The index in [`Timeline::media`].
    pub media: usize,
    /// First frame in the file.
    pub start: Frames,
    /// Length.
    pub length: Frames,
    /// Position on the timeline.
    pub position: Frames,
    /// Clip gain.
    pub gain: Decibels,
    /// At the start.
    pub fade_in: Fade,
    /// At the end.
    pub fade_out: Fade,
    /// Not heard.
    pub mute: bool,
}

impl Clip {
    /// The first frame after it.
    #[must_use]
    pub fn end(&self) -> Frames {
        self.position + self.length
    }
}

/// A named time, or range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Display name.
    pub name: String,
    /// Position on the timeline.
    pub position: Frames,
    /// 0 for a point.
    pub length: Frames,
}

/// How many things of a session no target holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotTaken {
    /// Buses: their gain is added to their tracks.
    pub buses: usize,
    /// Effects on tracks, buses and the mix.
    pub effects: usize,
    /// Tracks and clips whose gain changes over time.
    pub envelopes: usize,
    /// Clips that play with the other sign.
    pub inverted: usize,
}

/// A timeline that was read from a file, bound to nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// What the file holds.
    pub timeline: Timeline,
    /// What was left out or changed, each in a sentence.
    pub notes: Vec<String>,
}

/// What a person chooses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Title.
    pub name: String,
    /// How timecode counts.
    pub frame_rate: FrameRate,
    /// The timecode of position 0, in frames of picture from midnight.
    pub start: i64,
    /// Seconds of media to keep on both sides of what plays; `None` keeps whole files.
    pub handles: Option<f64>,
}

impl Timeline {
    /// An empty timeline at midnight.
    #[must_use]
    pub fn new(name: impl Into<String>, rate: SampleRate, frame_rate: FrameRate) -> Self {
        Self {
            name: name.into(),
            rate,
            frame_rate,
            start: 0,
            handles: None,
            media: Vec::new(),
            tracks: Vec::new(),
            markers: Vec::new(),
            not_taken: NotTaken::default(),
        }
    }

    /// The timeline of a session. `path_of` gives the file that a source is read from.
    #[must_use]
    pub fn of(session: &Session, settings: Settings, path_of: impl Fn(SourceId) -> String) -> Self {
        let (media, places) = media(session, path_of);
        let tracks = session.tracks_in_order().filter(|(_, track)| track.kind == TrackKind::Audio);
        let tracks = tracks.map(|(id, _)| Track::of(session, id, &places)).collect();
        let mut markers: Vec<Marker> = session.markers.values().map(Marker::of).collect();
        markers.sort_by_key(|marker| marker.position);
        let Settings { name, frame_rate, start, handles } = settings;
        let not_taken = NotTaken::of(session);
        Self {
            name,
            rate: session.rate,
            frame_rate,
            start,
            handles,
            media,
            tracks,
            markers,
            not_taken,
        }
    }

    /// The first frame after the last clip.
    #[must_use]
    pub fn end(&self) -> Frames {
        self.clips().map(Clip::end).max().unwrap_or_default()
    }

    /// All clips.
    pub fn clips(&self) -> impl Iterator<Item = &Clip> {
        self.tracks.iter().flat_map(|track| &track.clips)
    }
}

/// The sources that play, and the index of each.
fn media(
    session: &Session,
    path_of: impl Fn(SourceId) -> String,
) -> (Vec<Media>, BTreeMap<SourceId, usize>) {
    let playing: BTreeSet<SourceId> = session.clips.values().map(|clip| clip.source).collect();
    let playing = session.sources.iter().filter(|(id, _)| playing.contains(id));
    let (media, ids): (Vec<Media>, Vec<SourceId>) = playing
        .map(|(id, source)| {
            let media = Media {
                name: source.name.clone(),
                path: path_of(*id),
                rate: source.rate,
                channels: source.channels,
                channel: source.channel,
                frames: source.frames,
                origin: source.origin.unwrap_or_default(),
            };
            (media, *id)
        })
        .unzip();
    (media, ids.into_iter().enumerate().map(|(index, id)| (id, index)).collect())
}

impl Track {
    fn of(session: &Session, id: TrackId, places: &BTreeMap<SourceId, usize>) -> Self {
        let path: Vec<TrackId> = session.path_of(id).collect();
        let faders = path.iter().map(|id| session.gain_of((*id).into()));
        let track = session.tracks.get(&id);
        let clips = session.clips_on(id).into_iter();
        Self {
            name: track.map_or_else(String::new, |track| track.name.clone()),
            gain: faders.fold(session.master_gain, |sum, gain| sum + gain),
            pan: track.map_or(0.0, |track| track.pan),
            mute: !path.iter().all(|id| session.is_audible(*id)),
            clips: clips.filter_map(|(_, clip)| Clip::of(clip, places)).collect(),
        }
    }
}

impl Clip {
    /// `None` for a clip without its source, which no session has.
    fn of(clip: &deskhand_session::Clip, places: &BTreeMap<SourceId, usize>) -> Option<Self> {
        Some(Self {
            name: clip.name.clone(),
            media: *places.get(&clip.source)?,
            start: clip.start,
            length: clip.length,
            position: clip.position,
            gain: clip.gain,
            fade_in: clip.fade_in,
            fade_out: clip.fade_out,
            mute: clip.mute,
        })
    }
}

impl Marker {
    fn of(marker: &deskhand_session::Marker) -> Self {
        let deskhand_session::Marker { name, position, length, .. } = marker;
        Self { name: name.clone(), position: *position, length: *length }
    }
}

impl NotTaken {
    fn of(session: &Session) -> Self {
        let (tracks, clips) = (session.tracks.values(), session.clips.values());
        let moving = tracks.clone().filter(|track| !track.envelope.is_empty()).count();
        Self {
            buses: tracks.filter(|track| track.kind == TrackKind::Bus).count(),
            effects: session.inserts.len(),
            envelopes: moving + clips.clone().filter(|clip| !clip.envelope.is_empty()).count(),
            inverted: clips.filter(|clip| !clip.polarity.is_normal()).count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::track::{Output, Track as SessionTrack};
    use deskhand_session::{Clip as SessionClip, ClipId, SessionId, Source};

    /// A voice through a bus, and a second track that is soloed; a file that nothing plays.
    fn session() -> Session {
        let rate = SampleRate(48_000);
        let mut session = Session::new(SessionId::new(1), rate);
        let [voice, room, bus] = [1, 2, 3].map(TrackId::new);
        session.track_order = vec![voice, room, bus];
        let through = SessionTrack {
            gain: Decibels(-2.0),
            output: Output::Bus(bus),
            ..SessionTrack::audio("Voice")
        };
        session.tracks.insert(voice, through);
        session.tracks.insert(room, SessionTrack { pan: 0.5, ..SessionTrack::audio("Room") });
        session
            .tracks
            .insert(bus, SessionTrack { gain: Decibels(-3.0), ..SessionTrack::bus("All") });
        session.master_gain = Decibels(-1.0);
        for n in 1..=3 {
            let source = Source::in_place("/a/b.wav", rate, 2, Frames(1000));
            session.sources.insert(SourceId::new(n), source);
        }
        let clip = SessionClip::new("One", voice, SourceId::new(3), Frames(10));
        let later = SessionClip { position: Frames(50), start: Frames(7), ..clip.clone() };
        session.clips.insert(ClipId::new(1), later);
        session.clips.insert(ClipId::new(2), clip);
        let other = SessionClip::new("Two", room, SourceId::new(1), Frames(20));
        session.clips.insert(ClipId::new(3), other);
        session
    }

    fn timeline(session: &Session) -> Timeline {
        Timeline::of(session, Settings::default(), |id| format!("/{id}.wav"))
    }

    #[test]
    fn a_session_is_tracks_with_the_gain_of_their_buses() {
        let timeline = timeline(&session());
        let tracks: Vec<_> = timeline.tracks.iter().map(|t| (t.name.as_str(), t.gain.0)).collect();
        assert_eq!(tracks, [("Voice", -6.0), ("Room", -1.0)]);
        let clips: Vec<_> = timeline.clips().map(|c| (c.position.0, c.start.0, c.media)).collect();
        assert_eq!(clips, [(0, 0, 1), (50, 7, 1), (0, 0, 0)]);
        let paths: Vec<&str> = timeline.media.iter().map(|media| media.path.as_str()).collect();
        assert_eq!(paths, ["/src_000000000001.wav", "/src_000000000003.wav"]);
        assert_eq!(timeline.not_taken, NotTaken { buses: 1, ..NotTaken::default() });
        assert_eq!(timeline.end(), Frames(60));
    }

    #[test]
    fn what_does_not_sound_is_muted() {
        let mutes = |session: &Session| {
            timeline(session).tracks.iter().map(|track| track.mute).collect::<Vec<_>>()
        };
        let mut session = session();
        assert_eq!(mutes(&session), [false, false]);
        session.tracks.get_mut(&TrackId::new(2)).unwrap().solo = true;
        assert_eq!(mutes(&session), [true, false]);
        session.tracks.get_mut(&TrackId::new(2)).unwrap().solo = false;
        session.tracks.get_mut(&TrackId::new(3)).unwrap().mute = true;
        assert_eq!(mutes(&session), [true, false]);
    }
}

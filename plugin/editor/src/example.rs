//! The example interview as it is before anybody opens it: its session for what can be asked of it, and its waveforms.

use crate::waves::Column;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{
    Clip, ClipId, Group, GroupId, Segment, SegmentId, Session, SessionId, Source, SourceId, Track,
    TrackId, Word,
};
use serde::Deserialize;
use std::ops::Range;
use std::sync::LazyLock;

const RATE: f64 = 48_000.0;
/// A pause in which nobody talks for so long is one that a plan would cut, seconds.
const LONG: f64 = 1.4;

static EXAMPLE: LazyLock<Example> = LazyLock::new(Example::read);

pub(crate) struct Example {
    pub(crate) seconds: f64,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) session: Session,
    /// When somebody talks, seconds, in order.
    pub(crate) talk: Vec<Range<f64>>,
}

/// One track of it.
pub(crate) struct Lane {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
}

#[derive(Deserialize)]
struct Drawing {
    seconds: f64,
    lanes: Vec<DrawnLane>,
}

#[derive(Deserialize)]
struct DrawnLane {
    name: String,
    /// Peak and RMS of each column, thousandths.
    columns: Vec<u16>,
}

#[derive(Deserialize)]
struct Transcript {
    segments: Vec<Said>,
}

#[derive(Deserialize)]
struct Said {
    start: f64,
    end: f64,
    speaker: String,
    words: Vec<SaidWord>,
}

#[derive(Deserialize)]
struct SaidWord {
    word: String,
    start: f64,
    end: f64,
}

/// The interview; empty if its files are broken, which a test would find.
pub(crate) fn example() -> &'static Example {
    &EXAMPLE
}

impl Example {
    fn read() -> Self {
        let drawing = include_str!("../../standalone/assets/example/lanes.json");
        let words = [
            include_str!("../../standalone/assets/example/Host.json"),
            include_str!("../../standalone/assets/example/Guest.json"),
        ];
        let read = |(drawing, words): (&str, [&str; 2])| -> serde_json::Result<Self> {
            let [host, guest] = words.map(serde_json::from_str::<Transcript>);
            Ok(Self::of(serde_json::from_str(drawing)?, [host?, guest?]))
        };
        read((drawing, words)).unwrap_or_else(|_| Self::silent())
    }

    fn silent() -> Self {
        let drawing = Drawing { seconds: 0.0, lanes: Vec::new() };
        Self::of(drawing, [(); 2].map(|()| Transcript { segments: Vec::new() }))
    }

    fn of(drawing: Drawing, words: [Transcript; 2]) -> Self {
        let Drawing { seconds, lanes } = drawing;
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        for (number, lane) in (1..).zip(&lanes) {
            add_track(&mut session, number, &lane.name, frames(seconds));
        }
        let tracks = vec![TrackId::new(1), TrackId::new(2)];
        session.groups.insert(GroupId::new(1), Group { name: "Talk".into(), tracks });
        let mut talk = Vec::new();
        for (source, said) in words.into_iter().zip(1..).flat_map(|(transcript, source)| {
            transcript.segments.into_iter().map(move |said| (SourceId::new(source), said))
        }) {
            talk.push(said.start..said.end);
            let id = SegmentId::new(session.segments.len() as u64 + 1);
            session.segments.insert(id, segment(source, said));
        }
        talk.sort_by(|a, b| a.start.total_cmp(&b.start));
        Self { seconds, lanes: lanes.into_iter().map(Lane::of).collect(), session, talk }
    }

    /// The longest pauses in which nobody talks, not more than `most`, in order.
    pub(crate) fn pauses(&self, most: usize) -> Vec<Range<f64>> {
        let between = self.talk.windows(2).map(|pair| pair[0].end..pair[1].start);
        let mut pauses: Vec<Range<f64>> = between.filter(|it| it.end - it.start > LONG).collect();
        pauses.sort_by(|a, b| (b.end - b.start).total_cmp(&(a.end - a.start)));
        pauses.truncate(most);
        pauses.sort_by(|a, b| a.start.total_cmp(&b.start));
        pauses
    }
}

impl Lane {
    fn of(drawn: DrawnLane) -> Self {
        let value = |thousandths: u16| f32::from(thousandths) / 1_000.0;
        let column = |[peak, rms]: &[u16; 2]| Column { peak: value(*peak), rms: value(*rms) };
        let columns = drawn.columns.as_chunks().0.iter().map(column).collect();
        Self { name: drawn.name, columns }
    }
}

fn frames(seconds: f64) -> Frames {
    Frames((seconds * RATE).round() as i64)
}

fn add_track(session: &mut Session, number: u64, name: &str, length: Frames) {
    let (track, source) = (TrackId::new(number), SourceId::new(number));
    session.tracks.insert(track, Track::audio(name));
    session.track_order.push(track);
    let file = Source::in_place(&format!("{name}.flac"), session.rate, 1, length);
    session.sources.insert(source, file);
    session.clips.insert(ClipId::new(number), Clip::new(name, track, source, length));
}

fn segment(source: SourceId, said: Said) -> Segment {
    let (start, end) = (frames(said.start), frames(said.end));
    let word = |it: SaidWord| Word {
        text: it.word.trim().to_owned(),
        start: frames(it.start),
        end: frames(it.end),
        confidence: None,
    };
    Segment {
        words: said.words.into_iter().map(word).collect(),
        speaker: Some(said.speaker),
        ..Segment::new(source, start, end - start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_there_with_its_words_and_pauses() {
        let example = example();
        let names: Vec<&str> = example.lanes.iter().map(|lane| lane.name.as_str()).collect();
        assert_eq!(names, ["Host", "Guest", "Music"]);
        assert!((60.0..90.0).contains(&example.seconds), "{}", example.seconds);
        assert_eq!(example.session.segments.len(), 19);
        let pauses = example.pauses(3);
        assert_eq!(pauses.len(), 3);
        assert!(pauses.windows(2).all(|pair| pair[0].end < pair[1].start), "{pauses:?}");
        assert!(example.lanes.iter().all(|lane| lane.columns.len() > 1_000));
    }
}

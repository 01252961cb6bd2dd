//! Reads a list. Nothing in it is trusted: each line is checked by itself.

use super::super::timecode::FrameRate;
use super::super::timeline::{Clip, Imported, Marker, Media, Timeline, Track};
use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, SampleRate};
use deskhand_session::text::count;
use deskhand_toolkit::file_url;
use std::collections::BTreeMap;

/// The most events.
const MOST_EVENTS: usize = 100_000;
/// The highest audio channel.
const MOST_CHANNELS: usize = 64;

/// Why a file is no edit decision list, and where.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct EdlError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// The problems of a list.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A line with a number that is no event.
    #[error(
        "an event has a number, a reel, a channel, an edit and four timecodes; this line does not"
    )]
    NoEvent,
    /// A timecode that the rate does not have.
    #[error(
        "\"{0}\" is no timecode at {1} frames a second; choose the frame rate that the list was made with"
    )]
    NoTimecode(String, i64),
    /// Drop frame at a rate that has none.
    #[error("the list counts drop frames, which {0} frames a second cannot; choose 29.97 or 59.94")]
    NoDrop(i64),
    /// An edit that is not known.
    #[error("\"{0}\" is no edit that Deskhand reads: C, D, W and K are")]
    NoEdit(String),
    /// A channel that is not known.
    #[error("\"{0}\" is no channel that Deskhand reads: A, A2, AA, V and AA/V are")]
    NoChannel(String),
    /// More than the limit.
    #[error("there are more than {MOST_EVENTS} events; split the list")]
    TooLong,
    /// It has none.
    #[error("there is no event with audio in it; export a list with audio channels")]
    Empty,
}

/// A timeline from the text of a list. The list names no frame rate: `frame_rate` does, and `rate` is that of the
/// result. The start of a clip is its timecode in the source; the lengths of files are not known.
///
/// # Errors
/// The first line that cannot be read.
pub fn read(text: &str, frame_rate: FrameRate, rate: SampleRate) -> Result<Imported, EdlError> {
    let mut list = List::new(frame_rate, rate);
    let mut lines = 0;
    for (n, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        lines = n + 1;
        list.line(line.trim()).map_err(|problem| EdlError { line: lines, problem })?;
    }
    list.finish().map_err(|problem| EdlError { line: lines, problem })
}

/// An edit with what follows it.
struct Event {
    reel: String,
    channels: Vec<usize>,
    /// Frames of picture that it dissolves for.
    dissolve: i64,
    source: i64,
    record: (i64, i64),
    from: Option<String>,
    to: Option<String>,
    file: Option<String>,
}

struct List {
    timeline: Timeline,
    events: Vec<Event>,
    markers: Vec<(i64, String)>,
    pictures: usize,
    speeds: usize,
}

impl List {
    fn new(frame_rate: FrameRate, rate: SampleRate) -> Self {
        let timeline = Timeline::new("", rate, frame_rate);
        Self { timeline, events: Vec::new(), markers: Vec::new(), pictures: 0, speeds: 0 }
    }

    fn line(&mut self, line: &str) -> Result<(), Problem> {
        if let Some(title) = line.strip_prefix("TITLE:") {
            title.trim().clone_into(&mut self.timeline.name);
        } else if let Some(count) = line.strip_prefix("FCM:") {
            self.count(count.trim())?;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            self.event(line)?;
        } else {
            self.comment(line.trim_start_matches('*').trim())?;
        }
        Ok(())
    }

    fn count(&mut self, count: &str) -> Result<(), Problem> {
        let rate = self.timeline.frame_rate;
        self.timeline.frame_rate = match count {
            "DROP FRAME" => rate.dropping().ok_or(Problem::NoDrop(rate.nominal()))?,
            _ => rate.counting_all(),
        };
        Ok(())
    }

    fn timecode(&self, label: &str) -> Result<i64, Problem> {
        let rate = self.timeline.frame_rate;
        rate.frame(label).ok_or_else(|| Problem::NoTimecode(label.into(), rate.nominal()))
    }

    /// The frames from one label to another, which may be after midnight.
    fn span(&self, from: &str, to: &str) -> Result<(i64, i64), Problem> {
        let (from, to) = (self.timecode(from)?, self.timecode(to)?);
        Ok((from, if to < from { to + self.timeline.frame_rate.day() } else { to }))
    }

    fn event(&mut self, line: &str) -> Result<(), Problem> {
        if self.events.len() >= MOST_EVENTS {
            return Err(Problem::TooLong);
        }
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (head, times) = fields.split_at(fields.len().saturating_sub(4));
        let ([_, reel, channel, edit, rest @ ..], [from, to, record, end]) = (head, times) else {
            return Err(Problem::NoEvent);
        };
        let dissolve = match edit.chars().next() {
            Some('C' | 'K') => 0,
            Some('D' | 'W') => {
                rest.first().and_then(|n| n.parse::<u16>().ok()).ok_or(Problem::NoEvent)?.into()
            }
            _ => return Err(Problem::NoEdit((*edit).into())),
        };
        let channels = channels(channel).ok_or_else(|| Problem::NoChannel((*channel).into()))?;
        let (source, record) = (self.span(from, to)?, self.span(record, end)?);
        self.pictures += usize::from(channels.is_empty());
        self.speeds += usize::from(source.1 - source.0 != record.1 - record.0);
        let reel = (*reel).to_owned();
        let source = source.0;
        let (from, to, file) = (None, None, None);
        self.events.push(Event { reel, channels, dissolve, source, record, from, to, file });
        Ok(())
    }

    /// What belongs to the event before it. Comments that are not known are left out.
    fn comment(&mut self, comment: &str) -> Result<(), Problem> {
        let Some((key, value)) = comment.split_once(':') else { return Ok(()) };
        let value = value.trim();
        if key == "LOC" {
            let mut parts = value.splitn(3, char::is_whitespace);
            let at = self.timecode(parts.next().unwrap_or_default())?;
            let name = parts.nth(1).unwrap_or_default().trim().to_owned();
            self.markers.push((at, name));
        } else if let Some(event) = self.events.last_mut() {
            let value = Some(value.to_owned()).filter(|value| !value.is_empty());
            match key {
                "FROM CLIP NAME" => event.from = value,
                "TO CLIP NAME" => event.to = value,
                "SOURCE FILE" | "FROM CLIP" | "FROM FILE" => {
                    event.file = value.as_deref().map(file_url::to_path);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Imported, Problem> {
        let first = self.events.iter().filter(|event| !event.channels.is_empty());
        let first = first.map(|event| event.record.0).min().ok_or(Problem::Empty)?;
        // Lists begin at a full hour by custom; they name no start.
        let hour = self.timeline.frame_rate.label(first)[..2].to_owned();
        self.timeline.start = self.timecode(&format!("{hour}:00:00:00"))?;
        self.place_clips();
        self.place_markers();
        let mut notes = Vec::new();
        if self.pictures > 0 {
            notes.push(format!("{} of picture was left out.", count(self.pictures, "event")));
        }
        if self.speeds > 0 {
            let speeds = count(self.speeds, "clip");
            notes.push(format!("{speeds} had another speed: it plays at normal speed."));
        }
        Ok(Imported { timeline: self.timeline, notes })
    }

    fn at(&self, frame: i64) -> Frames {
        self.timeline.frame_rate.samples(frame - self.timeline.start, self.timeline.rate)
    }

    fn place_clips(&mut self) {
        let mut media: BTreeMap<String, usize> = BTreeMap::new();
        let mut tracks: BTreeMap<usize, Vec<Clip>> = BTreeMap::new();
        for event in std::mem::take(&mut self.events) {
            let position = self.at(event.record.0);
            let fade = self.at(event.record.0 + event.dissolve) - position;
            let fade = Fade { length: fade, curve: FadeCurve::Linear };
            let clip = self.clip(&event, &mut media, fade);
            for channel in &event.channels {
                let clips = tracks.entry(*channel).or_default();
                let last = clips.last_mut().filter(|last| last.end() == position);
                if let Some(last) = last.filter(|_| fade.length > Frames::ZERO) {
                    last.length += fade.length;
                    last.fade_out = fade;
                }
                clips.extend(clip.clone());
            }
        }
        let named = tracks.into_iter().filter(|(_, clips)| !clips.is_empty());
        let named = named.map(|(channel, mut clips)| {
            clips.sort_by_key(|clip| clip.position);
            Track { name: format!("A{channel}"), clips, ..Track::default() }
        });
        self.timeline.tracks = named.collect();
    }

    /// `None` for silence, and for the place that a dissolve comes from.
    fn clip(
        &mut self,
        event: &Event,
        media: &mut BTreeMap<String, usize>,
        fade_in: Fade,
    ) -> Option<Clip> {
        let is_black = ["BL", "BLACK"].contains(&event.reel.as_str());
        if is_black || event.record.0 == event.record.1 || event.channels.is_empty() {
            return None;
        }
        let key = event.file.as_ref().unwrap_or(&event.reel);
        let medium = *media.entry(key.clone()).or_insert(self.timeline.media.len());
        if medium == self.timeline.media.len() {
            self.timeline.media.push(self.medium(event));
        }
        let name = match event.dissolve {
            0 => event.from.as_ref().or(event.to.as_ref()),
            _ => event.to.as_ref().or(event.from.as_ref()),
        };
        let position = self.at(event.record.0);
        let length = self.at(event.record.1) - position;
        Some(Clip {
            name: name.unwrap_or(&event.reel).clone(),
            media: medium,
            start: self.timeline.frame_rate.samples(event.source, self.timeline.rate),
            length,
            position,
            gain: Decibels::UNITY,
            fade_in: Fade { length: fade_in.length.min(length), ..fade_in },
            fade_out: Fade::default(),
            mute: false,
        })
    }

    fn medium(&self, event: &Event) -> Media {
        let path = event.file.clone().unwrap_or_default();
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let name = if name.is_empty() { &event.reel } else { name };
        Media { name: name.into(), path, ..Media::unknown(self.timeline.rate) }
    }

    fn place_markers(&mut self) {
        let markers = std::mem::take(&mut self.markers).into_iter();
        let marker = |(at, name)| Marker {
            name,
            position: self.at(at).max(Frames::ZERO),
            length: Frames::ZERO,
        };
        let mut markers: Vec<Marker> = markers.map(marker).collect();
        markers.sort_by_key(|marker| marker.position);
        self.timeline.markers = markers;
    }
}

/// The audio channels of an event, from 1: none for picture alone. `None` if this is no channel.
fn channels(text: &str) -> Option<Vec<usize>> {
    let mut channels = Vec::new();
    for part in text.split('/') {
        match part {
            "V" | "V1" | "V2" | "NONE" => {}
            "A" | "B" => channels.push(1),
            "AA" => channels.extend([1, 2]),
            numbered => {
                let number = numbered.strip_prefix('A')?.parse().ok()?;
                channels.push(Some(number).filter(|n| (1..=MOST_CHANNELS).contains(n))?);
            }
        }
    }
    Some(channels)
}

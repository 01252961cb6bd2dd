//! Reads the audio tracks of a timeline. `serde_json` limits how deep its objects lie in one another.

use super::super::timecode::FrameRate;
use super::super::timeline::{Clip, Imported, Marker, Media, Timeline, Track};
use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, SampleRate, Seconds};
use deskhand_session::text::{count, cut};
use deskhand_toolkit::file_url;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;

/// The most clips and markers.
const MOST: usize = 100_000;
/// No timeline lasts longer, in seconds: a hundred years.
const LONGEST: f64 = 3_155_760_000.0;

/// Why a file is no OTIO timeline.
#[derive(Debug, thiserror::Error)]
pub enum OtioError {
    /// It is no JSON.
    #[error("this is no OTIO file: {0}")]
    Json(#[from] serde_json::Error),
    /// It holds something else.
    #[error("there is no timeline in it, only \"{0}\"; export a timeline")]
    NoTimeline(String),
    /// It has picture only.
    #[error("the timeline has no audio track with clips; export one with audio")]
    NoAudio,
    /// A time that is none.
    #[error("{0} of \"{1}\" is no time that Deskhand reads; export the timeline again")]
    Time(&'static str, String),
    /// More than the limit.
    #[error("there are more than {MOST} clips or markers; split the timeline")]
    Many,
}

/// A timeline at `rate` from the text of an OTIO file.
///
/// # Errors
/// It is no JSON, has no audio, or a time is none.
pub fn read(text: &str, rate: SampleRate) -> Result<Imported, OtioError> {
    let document: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))?;
    let found = find_timeline(&document);
    let none = || OtioError::NoTimeline(cut(schema(&document), 40));
    let timeline = found.ok_or_else(none)?;
    let name = field::<String>(timeline, "name").unwrap_or_default();
    let frame_rate = frame_rate(timeline).unwrap_or_default();
    let mut reading = Reading {
        timeline: Timeline::new(name, rate, frame_rate),
        media: BTreeMap::new(),
        pictures: 0,
        nested: 0,
        speeds: 0,
        clips: 0,
    };
    reading.timeline(timeline)?;
    reading.finish()
}

/// The first timeline, which a collection may hold.
fn find_timeline(value: &Value) -> Option<&Value> {
    match schema(value) {
        "Timeline" => Some(value),
        "SerializableCollection" => children(value).iter().find_map(find_timeline),
        _ => None,
    }
}

/// What an object is, without the version.
fn schema(value: &Value) -> &str {
    let name = value.get("OTIO_SCHEMA").and_then(Value::as_str).unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}

fn children(value: &Value) -> &[Value] {
    list(value, "children")
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A field of a type. `None` if it is away, or of another one.
fn field<T: DeserializeOwned>(value: &Value, key: &str) -> Option<T> {
    T::deserialize(value.get(key)?).ok()
}

/// A field that Deskhand wrote for itself.
fn own<T: DeserializeOwned>(value: &Value, key: &str) -> Option<T> {
    field(value.get("metadata")?.get("deskhand")?, key)
}

fn is_on(value: &Value) -> bool {
    field(value, "enabled").unwrap_or(true)
}

/// The rate at which the timecode counts, or else that of the first time that has a rate of picture.
fn frame_rate(timeline: &Value) -> Option<FrameRate> {
    let tracks = timeline.get("tracks").map_or(&[][..], children);
    let items = tracks.iter().flat_map(children).filter_map(|item| item.get("source_range"));
    let starts = items.filter_map(|range| range.get("start_time"));
    let times = timeline.get("global_start_time").into_iter().chain(starts);
    let rates = times.filter_map(|time| field::<f64>(time, "rate"));
    let of = |rate: f64| {
        let close = |known: &FrameRate| {
            let (numerator, denominator) = known.duration();
            (denominator as f64 / numerator as f64 - rate).abs() < 0.004
        };
        FrameRate::ALL.into_iter().find(close)
    };
    rates.filter_map(of).next()
}

/// A range in seconds.
#[derive(Clone, Copy, Default)]
struct Range {
    start: f64,
    length: f64,
}

impl Range {
    fn end(self) -> f64 {
        self.start + self.length
    }
}

/// A `RationalTime` in seconds. `None` for what is no time.
fn seconds(time: &Value) -> Option<f64> {
    let (value, rate) = (field::<f64>(time, "value")?, field::<f64>(time, "rate")?);
    let seconds = value / rate;
    (rate > 0.0 && seconds.abs() < LONGEST).then_some(seconds)
}

/// A range of an object, `None` if it has none.
fn range(object: &Value, key: &'static str) -> Result<Option<Range>, OtioError> {
    let Some(range) = object.get(key).filter(|range| !range.is_null()) else { return Ok(None) };
    let time = |part| range.get(part).and_then(seconds);
    let (start, length) = (time("start_time"), time("duration"));
    let read = start.zip(length.filter(|length| *length >= 0.0));
    let (start, length) = read.ok_or_else(|| bad(key, object))?;
    Ok(Some(Range { start, length }))
}

fn bad(key: &'static str, object: &Value) -> OtioError {
    let name = field::<String>(object, "name").unwrap_or_default();
    OtioError::Time(key, cut(&name, 40))
}

struct Reading {
    timeline: Timeline,
    media: BTreeMap<(String, Option<u16>), usize>,
    pictures: usize,
    nested: usize,
    speeds: usize,
    clips: usize,
}

/// A track that is being read.
#[derive(Default)]
struct Lane {
    clips: Vec<Clip>,
    /// Where the next item begins, in seconds.
    at: f64,
    /// What the transition before the next item takes of both sides.
    crossing: Option<(f64, f64)>,
    /// Whether the item before is a clip.
    is_after_clip: bool,
}

impl Reading {
    fn frames(&self, seconds: f64) -> Frames {
        Seconds(seconds).frames(self.timeline.rate)
    }

    fn timeline(&mut self, timeline: &Value) -> Result<(), OtioError> {
        let start = timeline.get("global_start_time").filter(|start| !start.is_null());
        if let Some(start) = start {
            let start = seconds(start).ok_or_else(|| bad("global_start_time", timeline))?;
            let rate = self.timeline.frame_rate;
            self.timeline.start = rate.nearest(self.frames(start), self.timeline.rate);
        }
        let Some(stack) = timeline.get("tracks") else { return Ok(()) };
        self.markers(stack, 0.0)?;
        for track in children(stack) {
            match (schema(track), field::<String>(track, "kind").as_deref()) {
                ("Track" | "Sequence", Some("Audio")) => self.track(track)?,
                ("Track" | "Sequence", _) => self.pictures += 1,
                _ => self.nested += 1,
            }
        }
        Ok(())
    }

    fn track(&mut self, track: &Value) -> Result<(), OtioError> {
        let window = range(track, "source_range")?.unwrap_or_default();
        let mut lane = Lane { at: -window.start, ..Lane::default() };
        self.markers(track, lane.at)?;
        for item in children(track) {
            self.item(item, &mut lane)?;
        }
        // What begins before the track does is cut off.
        let shown = lane.clips.into_iter().filter_map(|clip| {
            let hidden = (Frames::ZERO - clip.position).max(Frames::ZERO);
            let (start, length) = (clip.start + hidden, clip.length - hidden);
            let position = clip.position + hidden;
            (length > Frames::ZERO).then_some(Clip { start, length, position, ..clip })
        });
        let track = Track {
            name: field(track, "name").unwrap_or_default(),
            gain: own(track, "gain_db").unwrap_or(Decibels::UNITY),
            pan: own::<f64>(track, "pan").unwrap_or(0.0).clamp(-1.0, 1.0),
            mute: !is_on(track),
            clips: shown.collect(),
        };
        self.timeline.tracks.push(track);
        Ok(())
    }

    fn item(&mut self, item: &Value, lane: &mut Lane) -> Result<(), OtioError> {
        match schema(item) {
            "Transition" => {
                let time = |key: &'static str| {
                    let time = item.get(key).and_then(seconds).filter(|time| *time >= 0.0);
                    time.ok_or_else(|| bad(key, item))
                };
                lane.crossing = Some((time("in_offset")?, time("out_offset")?));
                return Ok(());
            }
            "Clip" => {
                self.clip(item, lane)?;
                lane.is_after_clip = true;
            }
            other => {
                self.nested += usize::from(other != "Gap");
                self.leave(lane);
                lane.at += length(item)?;
                lane.is_after_clip = false;
            }
        }
        lane.crossing = None;
        Ok(())
    }

    /// The clip before a transition plays on through it.
    fn leave(&self, lane: &mut Lane) {
        let last = lane.clips.last_mut().filter(|_| lane.is_after_clip);
        if let (Some(last), Some((before, after))) = (last, lane.crossing) {
            last.length = self.frames(lane.at + after) - last.position;
            let length = (self.frames(before + after)).min(last.length);
            last.fade_out = Fade { length, curve: last.fade_out.curve };
        }
    }

    fn clip(&mut self, item: &Value, lane: &mut Lane) -> Result<(), OtioError> {
        self.clips += 1;
        if self.clips > MOST {
            return Err(OtioError::Many);
        }
        self.leave(lane);
        let (medium, whole) = self.medium(item)?;
        let Some(source) = range(item, "source_range")?.or(whole) else {
            return Err(bad("source_range", item));
        };
        self.markers(item, lane.at - source.start)?;
        let warps =
            list(item, "effects").iter().filter(|effect| schema(effect).contains("TimeWarp"));
        self.speeds += usize::from(warps.count() > 0);
        let (before, after) = lane.crossing.unwrap_or_default();
        let position = self.frames(lane.at - before);
        let end = self.frames(lane.at + source.length);
        lane.at += source.length;
        if end <= position {
            return Ok(());
        }
        let origin = whole.map_or(0.0, |whole| whole.start);
        let start = self.frames(source.start - before - origin).max(Frames::ZERO);
        lane.clips.push(Clip {
            name: field(item, "name").unwrap_or_default(),
            media: medium,
            start,
            length: end - position,
            position,
            gain: own(item, "gain_db").unwrap_or(Decibels::UNITY),
            fade_in: self.fade(item, "fade_in", before + after, end - position),
            fade_out: self.fade(item, "fade_out", 0.0, end - position),
            mute: !is_on(item),
        });
        Ok(())
    }

    /// The fade of a clip of this length: as long as a transition, or as Deskhand wrote it.
    fn fade(&self, item: &Value, key: &str, crossing: f64, length: Frames) -> Fade {
        let own = own::<Fade>(item, key);
        let crossing = self.frames(crossing);
        let curve = own.map_or(FadeCurve::Linear, |fade| fade.curve);
        let crossing = (crossing > Frames::ZERO).then_some(Fade { length: crossing, curve });
        let fade = crossing.or(own).unwrap_or_default();
        Fade { length: fade.length.clamp(Frames::ZERO, length), ..fade }
    }

    /// The file of a clip, and what there is of it.
    fn medium(&mut self, item: &Value) -> Result<(usize, Option<Range>), OtioError> {
        let key = field(item, "active_media_reference_key");
        let key: String = key.unwrap_or_else(|| "DEFAULT_MEDIA".into());
        let many = item.get("media_references").and_then(|media| media.get(&key));
        let reference = many.or(item.get("media_reference")).unwrap_or(&Value::Null);
        let whole = range(reference, "available_range")?;
        let path = field::<String>(reference, "target_url").map(|url| file_url::to_path(&url));
        let path = path.unwrap_or_default();
        let channel: Option<u16> = own(reference, "channel");
        let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let named: Option<String> =
            field(reference, "name").filter(|name: &String| !name.is_empty());
        let name = named
            .unwrap_or_else(|| file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned());
        let next = self.timeline.media.len();
        let index = *self.media.entry((format!("{path}\n{name}"), channel)).or_insert(next);
        if index == next {
            let frames = self.frames(whole.unwrap_or_default().length);
            let origin = self.frames(whole.unwrap_or_default().start);
            let medium = Media::unknown(self.timeline.rate);
            self.timeline.media.push(Media { name, path, channel, frames, origin, ..medium });
        }
        Ok((index, whole))
    }

    /// The markers of an object, whose own time 0 is at `at`.
    fn markers(&mut self, object: &Value, at: f64) -> Result<(), OtioError> {
        for marker in list(object, "markers") {
            if self.timeline.markers.len() >= MOST {
                return Err(OtioError::Many);
            }
            let Some(marked) = range(marker, "marked_range")? else { continue };
            let position = self.frames(at + marked.start).max(Frames::ZERO);
            let length = self.frames(at + marked.end()) - position;
            let name = field(marker, "name").unwrap_or_default();
            self.timeline.markers.push(Marker { name, position, length: length.max(Frames::ZERO) });
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Imported, OtioError> {
        if self.timeline.clips().next().is_none() {
            return Err(OtioError::NoAudio);
        }
        self.timeline.markers.sort_by_key(|marker| marker.position);
        let notes = [
            (self.pictures, "track", "Left out: {} of picture."),
            (self.nested, "nested stack", "Left out: {}."),
            (self.speeds, "clip", "{} had another speed: it plays at normal speed."),
        ];
        let notes = notes.into_iter().filter(|(number, ..)| *number > 0);
        let notes = notes.map(|(number, noun, text)| text.replace("{}", &count(number, noun)));
        Ok(Imported { notes: notes.collect(), timeline: self.timeline })
    }
}

/// The length of a gap, or of what is nested, in seconds.
fn length(item: &Value) -> Result<f64, OtioError> {
    if let Some(range) = range(item, "source_range")? {
        return Ok(range.length);
    }
    let mut lengths = Vec::new();
    for child in children(item) {
        lengths.push(if schema(child) == "Transition" { 0.0 } else { length(child)? });
    }
    let one_after_another = schema(item) == "Track";
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    Ok(if one_after_another { lengths.iter().sum() } else { longest })
}

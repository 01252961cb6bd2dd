//! Makes a timeline of the elements of a project, one after another.

use super::super::timecode::FrameRate;
use super::super::timeline::{Clip, Imported, Marker, Media, Timeline, Track};
use super::level::{Kind, Level};
use super::read::{Element, MOST, Problem};
use super::time;
use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, SampleRate};
use deskhand_session::text::count;
use deskhand_toolkit::file_url;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A file among the resources.
struct Asset {
    media: Media,
    has_audio: bool,
    /// Its index among the media of the timeline, if a clip plays it.
    index: Option<usize>,
}

/// A clip, and what it tells of its track.
struct Placed {
    clip: Clip,
    lane: i64,
    role: Option<String>,
    pan: f64,
}

/// What lies on a timeline. Outside of a sequence it is a clip in the browser.
const TIMED: [&str; 12] = [
    "asset-clip",
    "audio",
    "audition",
    "caption",
    "clip",
    "gap",
    "mc-clip",
    "ref-clip",
    "spine",
    "sync-clip",
    "title",
    "video",
];

/// How many things were left out.
#[derive(Default)]
struct LeftOut {
    nested: usize,
    speeds: usize,
    transitions: usize,
    envelopes: usize,
    sequences: usize,
}

pub(super) struct Assembly {
    timeline: Timeline,
    formats: BTreeMap<String, (i64, i64)>,
    assets: BTreeMap<String, Asset>,
    asset: String,
    /// The media that are one channel of another.
    channels: BTreeMap<(usize, u16), usize>,
    levels: Vec<Level>,
    placed: Vec<Placed>,
    has_sequence: bool,
    left_out: LeftOut,
}

impl Assembly {
    pub(super) fn new(rate: SampleRate) -> Self {
        Self {
            timeline: Timeline::new("", rate, FrameRate::default()),
            formats: BTreeMap::new(),
            assets: BTreeMap::new(),
            asset: String::new(),
            channels: BTreeMap::new(),
            levels: Vec::new(),
            placed: Vec::new(),
            has_sequence: false,
            left_out: LeftOut::default(),
        }
    }

    pub(super) fn close(&mut self) {
        self.levels.pop();
    }

    pub(super) fn open(&mut self, element: &Element) -> Result<(), Problem> {
        let parent = *self.levels.last().unwrap_or(&Level::ROOT);
        let level = if parent.kind == Kind::Unread { parent } else { self.level(element, parent)? };
        self.levels.push(level);
        Ok(())
    }

    fn level(&mut self, element: &Element, parent: Level) -> Result<Level, Problem> {
        let rate = self.timeline.rate;
        let plain = |kind| parent.child(kind, element, rate, Frames::ZERO);
        if parent.kind == Kind::Other && TIMED.contains(&element.name.as_str()) {
            return Ok(parent.unread());
        }
        match element.name.as_str() {
            "format" => self.format(element)?,
            "asset" => return self.asset(element),
            "media-rep" if parent.kind == Kind::Asset => self.file(element),
            "project" if !self.has_sequence => {
                element.get("name").unwrap_or_default().clone_into(&mut self.timeline.name);
            }
            "media" => return Ok(parent.unread()),
            "sequence" => return self.sequence(element),
            "spine" if parent.kind == Kind::Main => return Ok(parent),
            "spine" => return plain(Kind::Spine),
            "gap" | "title" | "caption" => return plain(Kind::Item),
            "clip" => return plain(Kind::Window),
            "video" => return plain(Kind::Content),
            "asset-clip" | "audio" => return self.clip(element, parent),
            "ref-clip" | "mc-clip" => {
                self.left_out.nested += 1;
                return plain(Kind::Item);
            }
            "sync-clip" | "audition" => {
                self.left_out.nested += 1;
                return Ok(parent.unread());
            }
            "marker" | "chapter-marker" => self.marker(element, parent)?,
            "timeMap" => self.left_out.speeds += 1,
            "transition" => self.left_out.transitions += 1,
            "audio-channel-source" | "audio-role-source" => {
                self.channel(element, parent)?;
                return Ok(Level { clip: None, ..parent });
            }
            _ => self.adjust(element, parent)?,
        }
        Ok(Level { kind: Kind::Other, ..parent })
    }

    fn format(&mut self, element: &Element) -> Result<(), Problem> {
        let duration = element.value("frameDuration", time::parse)?;
        if let (Some(id), Some(duration)) = (element.get("id"), duration) {
            self.formats.insert(id.to_owned(), duration);
        }
        Ok(())
    }

    fn asset(&mut self, element: &Element) -> Result<Level, Problem> {
        if self.assets.len() >= MOST {
            return Err(Problem::Many);
        }
        let rate = self.timeline.rate;
        let frames = |key| {
            let time = element.value(key, time::parse)?;
            Ok::<_, Problem>(time.map_or(Frames::ZERO, |time| time::samples(time, rate)))
        };
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let channels = element.value("audioChannels", number)?.unwrap_or(0);
        let media = Media {
            name: element.get("name").unwrap_or_default().to_owned(),
            path: element.get("src").map(file_url::to_path).unwrap_or_default(),
            rate: element.value("audioRate", number)?.map_or(rate, SampleRate),
            channels: u16::try_from(channels).unwrap_or(0),
            channel: None,
            frames: frames("duration")?,
            origin: frames("start")?,
        };
        element.get("id").unwrap_or_default().clone_into(&mut self.asset);
        let has_audio = element.get("hasAudio") == Some("1");
        self.assets.insert(self.asset.clone(), Asset { media, has_audio, index: None });
        Ok(Level { kind: Kind::Asset, ..Level::ROOT })
    }

    /// The original of an asset comes first, copies after it.
    fn file(&mut self, element: &Element) {
        let asset = self.assets.get_mut(&self.asset).filter(|asset| asset.media.path.is_empty());
        if let Some(asset) = asset {
            asset.media.path = element.get("src").map(file_url::to_path).unwrap_or_default();
        }
    }

    fn sequence(&mut self, element: &Element) -> Result<Level, Problem> {
        if self.has_sequence {
            self.left_out.sequences += 1;
            return Ok(Level::ROOT.unread());
        }
        self.has_sequence = true;
        let id = element.get("format").unwrap_or_default();
        let missing = || Problem::Missing("format", id.to_owned());
        let (numerator, denominator) = *self.formats.get(id).ok_or_else(missing)?;
        let is_of = |rate: &FrameRate| {
            let (own, other) = rate.duration();
            i128::from(own) * i128::from(denominator) == i128::from(other) * i128::from(numerator)
        };
        let unknown = || Problem::FrameRate(time::seconds(numerator, denominator));
        let rate = FrameRate::ALL.into_iter().find(is_of).ok_or_else(unknown)?;
        let drop = element.get("tcFormat") == Some("DF");
        self.timeline.frame_rate = rate.dropping().filter(|_| drop).unwrap_or(rate);
        let start = element.value("tcStart", time::parse)?.unwrap_or((0, 1));
        let start = time::samples(start, self.timeline.rate);
        self.timeline.start = rate.nearest(start, self.timeline.rate);
        Ok(Level { kind: Kind::Main, start, ..Level::ROOT })
    }

    /// A clip of a file. Picture has a place too: sound may be connected to it.
    fn clip(&mut self, element: &Element, parent: Level) -> Result<Level, Problem> {
        let id = element.get("ref").unwrap_or_default();
        let missing = || Problem::Missing("asset", id.to_owned());
        let asset = self.assets.get_mut(id).ok_or_else(missing)?;
        let origin = asset.media.origin;
        let mut level = parent.child(Kind::Item, element, self.timeline.rate, origin)?;
        if element.get("duration").is_none() {
            level.end = level.position + asset.media.frames;
        }
        let (from, to) = level.heard();
        let is_heard = asset.has_audio && element.get("srcEnable") != Some("video");
        // What plays from before its file begins begins with the file.
        let from = from.max(level.position + (origin - level.start));
        if from >= to || !is_heard {
            return Ok(level);
        }
        if self.placed.len() >= MOST {
            return Err(Problem::Many);
        }
        let media = *asset.index.get_or_insert(self.timeline.media.len());
        if media == self.timeline.media.len() {
            self.timeline.media.push(asset.media.clone());
        }
        let clip = Clip {
            name: element.get("name").unwrap_or(&asset.media.name).to_owned(),
            media,
            start: level.start + (from - level.position) - origin,
            length: to - from,
            position: from,
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            mute: !level.is_enabled,
        };
        let role = element.get("audioRole").or(element.get("role")).map(str::to_owned);
        level.clip = Some(self.placed.len());
        self.placed.push(Placed { clip, lane: level.lane, role, pan: 0.0 });
        Ok(level)
    }

    fn marker(&mut self, element: &Element, parent: Level) -> Result<(), Problem> {
        if self.timeline.markers.len() >= MOST {
            return Err(Problem::Many);
        }
        let rate = self.timeline.rate;
        let start = element.value("start", time::parse)?.unwrap_or((0, 1));
        let duration = element.value("duration", time::parse)?.unwrap_or((0, 1));
        let length = time::samples(duration, rate).max(Frames::ZERO);
        // A point is a frame long.
        let is_point = self.timeline.frame_rate.nearest(length, rate) <= 1;
        self.timeline.markers.push(Marker {
            name: element.get("value").unwrap_or_default().to_owned(),
            position: parent.at(time::samples(start, rate)).max(Frames::ZERO),
            length: if is_point { Frames::ZERO } else { length },
        });
        Ok(())
    }

    /// One channel of a file is a medium of its own.
    fn channel(&mut self, element: &Element, parent: Level) -> Result<(), Problem> {
        let number = element.value("srcCh", |text| {
            text.split(',').map(|n| n.trim().parse::<u16>().ok()).collect::<Option<Vec<_>>>()
        })?;
        let placed = parent.clip.and_then(|clip| self.placed.get_mut(clip));
        let (Some([number]), Some(placed)) = (number.as_deref(), placed) else { return Ok(()) };
        let Some(media) = self.timeline.media.get(placed.clip.media) else { return Ok(()) };
        let media = Media { channel: number.checked_sub(1), ..media.clone() };
        let next = self.timeline.media.len();
        let index = *self.channels.entry((placed.clip.media, *number)).or_insert(next);
        if index == next {
            self.timeline.media.push(media);
        }
        placed.clip.media = index;
        Ok(())
    }

    /// What changes how the clip around it sounds.
    fn adjust(&mut self, element: &Element, parent: Level) -> Result<(), Problem> {
        let rate = self.timeline.rate;
        let Some(placed) = parent.clip.and_then(|clip| self.placed.get_mut(clip)) else {
            return Ok(());
        };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
        let decibels = |text: &str| number(text.trim().trim_end_matches("dB"));
        let fade = || {
            let duration = element.value("duration", time::parse)?.unwrap_or((0, 1));
            let length = time::samples(duration, rate).clamp(Frames::ZERO, placed.clip.length);
            let is_line = element.get("type") == Some("linear");
            let curve = if is_line { FadeCurve::Linear } else { FadeCurve::EqualPower };
            Ok::<_, Problem>(Fade { length, curve })
        };
        match element.name.as_str() {
            "adjust-volume" => {
                placed.clip.gain = Decibels(element.value("amount", decibels)?.unwrap_or(0.0));
            }
            "adjust-panner" => {
                let amount = element.value("amount", number)?.unwrap_or(0.0);
                placed.pan = (amount / 100.0).clamp(-1.0, 1.0);
            }
            "fadeIn" => placed.clip.fade_in = fade()?,
            "fadeOut" => placed.clip.fade_out = fade()?,
            "keyframeAnimation" => self.left_out.envelopes += 1,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Imported, Problem> {
        if !self.has_sequence {
            return Err(Problem::NoSequence);
        }
        if self.placed.is_empty() {
            return Err(Problem::NoAudio);
        }
        let mut lanes: BTreeMap<Reverse<i64>, Vec<Placed>> = BTreeMap::new();
        for placed in std::mem::take(&mut self.placed) {
            lanes.entry(Reverse(placed.lane)).or_default().push(placed);
        }
        self.timeline.tracks =
            lanes.into_iter().map(|(lane, clips)| track(lane.0, clips)).collect();
        self.timeline.markers.sort_by_key(|marker| marker.position);
        Ok(Imported { timeline: self.timeline, notes: self.left_out.notes() })
    }
}

/// A track is called by the role of all its clips, and panned as all of them are.
fn track(lane: i64, mut placed: Vec<Placed>) -> Track {
    placed.sort_by_key(|placed| placed.clip.position);
    let (role, pan) = placed.first().map_or((None, 0.0), |first| (first.role.clone(), first.pan));
    let is_one = placed.iter().all(|placed| placed.role == role);
    let name = role.filter(|_| is_one).unwrap_or_else(|| format!("Lane {lane}"));
    let is_panned = placed.iter().all(|placed| placed.pan == pan);
    Track {
        name,
        pan: if is_panned { pan } else { 0.0 },
        clips: placed.into_iter().map(|placed| placed.clip).collect(),
        ..Track::default()
    }
}

impl LeftOut {
    fn notes(&self) -> Vec<String> {
        let notes = [
            (self.nested, "compound, multicam or synchronized clip", "Left out: {}."),
            (self.speeds, "clip", "{} had another speed: it plays at normal speed."),
            (self.transitions, "transition", "Left out: {}."),
            (self.envelopes, "gain envelope", "Left out: {}."),
            (self.sequences, "sequence", "Left out: {} after the first one."),
        ];
        let notes = notes.into_iter().filter(|(number, ..)| *number > 0);
        notes.map(|(number, noun, text)| text.replace("{}", &count(number, noun))).collect()
    }
}

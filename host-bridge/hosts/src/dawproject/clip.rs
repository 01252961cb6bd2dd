//! One clip of the arrangement: what it plays, through Bitwig's inner clip and warps.

use super::tempo::{TempoMap, Unit};
use crate::format::ReadError;
use crate::project::{ProjectClip, ProjectFade, decibels};
use crate::xml::Document;

/// Where a clip's parts are, and how times of its content become times of its file.
pub(super) struct Clip {
    pub(super) element: usize,
    /// Unit of `time` and `duration`.
    pub(super) unit: Unit,
    /// Unit of `playStart`.
    content_unit: Unit,
    pub(super) fade_unit: Unit,
    /// The innermost element that plays: Warps or Audio.
    pub(super) content: usize,
    pub(super) file: usize,
    /// RealPoint elements of a gain that is one for the whole clip.
    pub(super) gain_points: Vec<usize>,
    pub(super) is_gain_in_decibels: bool,
    /// Times of the content and of the file, at least two.
    warps: Vec<[f64; 2]>,
}

/// Why an element is no clip: alone and in numbers.
pub(super) type Unplayable = (&'static str, &'static str);

const TIMED: Unplayable = ("clip in more than one piece", "clips in more than one piece");

/// What a look for a clip's content gathers on its way in.
#[derive(Default)]
struct Search {
    points: Vec<usize>,
    is_in_decibels: bool,
}

pub(super) fn unit(document: &Document<'_>, element: usize, name: &str, inherited: Unit) -> Unit {
    match document.text(element, name).as_deref() {
        Some("seconds") => Unit::Seconds,
        Some("beats") => Unit::Beats,
        _ => inherited,
    }
}

impl Clip {
    pub(super) fn of(
        document: &Document<'_>,
        map: &TempoMap,
        element: usize,
        unit_of_lane: Unit,
    ) -> Result<Result<Self, Unplayable>, ReadError> {
        let content_unit = unit(document, element, "contentTimeUnit", unit_of_lane);
        let mut search = Search::default();
        let (content, offset) = match search.enter(document, element, content_unit)? {
            Ok(found) => found,
            Err(unplayable) => return Ok(Err(unplayable)),
        };
        let warps = match warps(document, map, content, content_unit, offset)? {
            Ok(warps) => warps,
            Err(unplayable) => return Ok(Err(unplayable)),
        };
        let audio = document.inside(content).find(|at| document.name(*at) == "File");
        let Some(file) = audio else {
            return Ok(Err(("clip without a file", "clips without files")));
        };
        Ok(Ok(Self {
            element,
            unit: unit_of_lane,
            content_unit,
            fade_unit: unit(document, element, "fadeTimeUnit", unit_of_lane),
            content,
            file,
            gain_points: search.points,
            is_gain_in_decibels: search.is_in_decibels,
            warps,
        }))
    }

    /// The clip's values, or why Deskhand cannot play it.
    // tidy: table
    pub(super) fn read(
        &self,
        document: &Document<'_>,
        map: &TempoMap,
    ) -> Result<Result<ProjectClip, Unplayable>, ReadError> {
        let number = |name| document.number(self.element, name);
        let time = number("time")?.unwrap_or_default();
        let play_start = number("playStart")?.unwrap_or_default();
        let position = map.seconds_of(self.unit, time);
        let length = match number("duration")? {
            Some(duration) => map.seconds_of(self.unit, time + duration) - position,
            None => {
                let stop = number("playStop")?.unwrap_or(play_start);
                let start = map.time_of(self.content_unit, position);
                map.seconds_of(self.content_unit, start + stop - play_start) - position
            }
        };
        let fade_in = number("fadeInTime")?.unwrap_or_default();
        let fade_out = number("fadeOutTime")?.unwrap_or_default();
        let clip = ProjectClip {
            name: document.owned(self.element, "name").unwrap_or_default(),
            file: document.owned(self.file, "path").unwrap_or_default(),
            channels: self.channels(document)?,
            position,
            start: self.file_of(play_start),
            length,
            gain_db: self.gain(document)?,
            mute: document.is(self.element, "enable", "false"),
            fade_in: fade(self.duration(map, position, fade_in)),
            fade_out: fade(-self.duration(map, position + length, -fade_out)),
            ..ProjectClip::default()
        };
        let end = self.content_end(map, &clip);
        let is_before = |name| Ok::<_, ReadError>(number(name)?.is_some_and(|at| end > at + 1e-6));
        Ok(match () {
            () if clip.length <= 0.0 => Err(("clip without a length", "clips without a length")),
            () if fade_in < 0.0 => Err(("clip with a crossfade", "clips with crossfades")),
            () if position < 0.0 => Err(("clip before 0:00", "clips before 0:00")),
            () if is_before("loopEnd")? => Err(("looped clip", "looped clips")),
            () if is_before("playStop")? => Err(("clip that ends early", "clips that end early")),
            () if clip.start < -1e-9 => {
                Err(("clip that begins before its file", "clips that begin before their files"))
            }
            () if self.is_stretched(map, &clip) => Err(("stretched clip", "stretched clips")),
            () => Ok(ProjectClip { start: clip.start.max(0.0), ..clip }),
        })
    }

    fn channels(&self, document: &Document<'_>) -> Result<Option<u16>, ReadError> {
        let audio = document.parent(self.file);
        let channels = audio.map(|audio| document.number(audio, "channels")).transpose()?.flatten();
        Ok(channels.filter(|channels| *channels >= 1.0).map(|channels| channels as u16))
    }

    /// Seconds of a stretch of `time` of the fades' unit, from a position on.
    fn duration(&self, map: &TempoMap, position: f64, time: f64) -> f64 {
        map.seconds_of(self.fade_unit, map.time_of(self.fade_unit, position) + time) - position
    }

    fn gain(&self, document: &Document<'_>) -> Result<f64, ReadError> {
        let Some(point) = self.gain_points.first() else { return Ok(0.0) };
        let value = document.number(*point, "value")?.unwrap_or(1.0);
        Ok(if self.is_gain_in_decibels { value } else { decibels(value) })
    }

    fn file_of(&self, content: f64) -> f64 {
        through(&self.warps, content, |[from, to]| (from, to))
    }

    /// `playStart` of a start in the file.
    pub(super) fn content_of(&self, seconds: f64) -> f64 {
        through(&self.warps, seconds, |[from, to]| (to, from))
    }

    /// Where a clip's content ends, in the content's unit.
    pub(super) fn content_end(&self, map: &TempoMap, clip: &ProjectClip) -> f64 {
        let start = map.time_of(self.content_unit, clip.position);
        let end = map.time_of(self.content_unit, clip.position + clip.length);
        self.content_of(clip.start) + end - start
    }

    /// Whether the file plays at another speed than its own anywhere in the clip.
    pub(super) fn is_stretched(&self, map: &TempoMap, clip: &ProjectClip) -> bool {
        let first = self.content_of(clip.start);
        let last = self.content_end(map, clip);
        let timeline = map.time_of(self.content_unit, clip.position);
        let tolerance = 1e-5 + 1e-6 * clip.length;
        let inner = self.warps.iter().map(|[content, _]| *content);
        let inner = inner.filter(|content| (first..last).contains(content));
        inner.chain([last]).any(|content| {
            let played =
                map.seconds_of(self.content_unit, timeline + content - first) - clip.position;
            (self.file_of(content) - clip.start - played).abs() > tolerance
        })
    }
}

fn fade(length: f64) -> ProjectFade {
    ProjectFade { length: length.max(0.0), ..ProjectFade::default() }
}

/// Along a line through points; before the first and after the last as between the nearest two.
fn through(points: &[[f64; 2]], at: f64, axes: fn([f64; 2]) -> (f64, f64)) -> f64 {
    let after = points.partition_point(|point| axes(*point).0 <= at);
    let first = after.saturating_sub(1).min(points.len().saturating_sub(2));
    let [Some(one), Some(two)] = [first, first + 1].map(|index| points.get(index)) else {
        return at;
    };
    let ((x1, y1), (x2, y2)) = (axes(*one), axes(*two));
    y1 + (at - x1) * (y2 - y1) / (x2 - x1)
}

impl Search {
    /// The innermost content of a clip, and what is added to a time of the outer content.
    fn enter(
        &mut self,
        document: &Document<'_>,
        outer: usize,
        content_unit: Unit,
    ) -> Result<Result<(usize, f64), Unplayable>, ReadError> {
        let content = match self.content(document, outer)? {
            Ok(content) => content,
            Err(unplayable) => return Ok(Err(unplayable)),
        };
        if document.name(content) != "Clips" {
            return Ok(Ok((content, 0.0)));
        }
        let mut clips = document.named(content, "Clip");
        let (Some(inner), None) = (clips.next(), clips.next()) else { return Ok(Err(TIMED)) };
        let lane = unit(document, content, "timeUnit", content_unit);
        let number =
            |element, name| Ok::<_, ReadError>(document.number(element, name)?.unwrap_or_default());
        let (time, start) = (number(inner, "time")?, number(inner, "playStart")?);
        let end = time + document.number(inner, "duration")?.unwrap_or(f64::INFINITY);
        let first = number(outer, "playStart")?;
        let duration = number(outer, "duration")?;
        let is_covered = time <= first + 1e-6 && first + duration <= end + 1e-6;
        let inner_unit = unit(document, inner, "contentTimeUnit", lane);
        let content = match self.content(document, inner)? {
            Ok(content) if document.name(content) != "Clips" => content,
            Ok(_) => return Ok(Err(TIMED)),
            Err(unplayable) => return Ok(Err(unplayable)),
        };
        Ok(match is_covered && lane == content_unit && inner_unit == content_unit {
            true => Ok((content, start - time)),
            false => Err(TIMED),
        })
    }

    /// What plays in a clip, past the lanes that hold it with its gain.
    fn content(
        &mut self,
        document: &Document<'_>,
        clip: usize,
    ) -> Result<Result<usize, Unplayable>, ReadError> {
        let Some(mut content) = document.children(clip).next() else {
            return Ok(Err(("linked or empty clip", "linked or empty clips")));
        };
        if document.name(content) == "Lanes" {
            let mut playing = None;
            for lane in document.children(content) {
                match document.name(lane) {
                    "Points" => {
                        if !self.add_points(document, lane)? {
                            return Ok(Err(("clip with an envelope", "clips with envelopes")));
                        }
                    }
                    _ if playing.is_none() => playing = Some(lane),
                    _ => return Ok(Err(TIMED)),
                }
            }
            let Some(playing) = playing else { return Ok(Err(("empty clip", "empty clips"))) };
            content = playing;
        }
        Ok(match document.name(content) {
            "Audio" | "Warps" | "Clips" => Ok(content),
            "Notes" => Err(("MIDI clip", "MIDI clips")),
            "Video" => Err(("video clip", "video clips")),
            _ => Err(TIMED),
        })
    }

    /// Whether the points are a gain that is one for the whole clip.
    fn add_points(&mut self, document: &Document<'_>, lane: usize) -> Result<bool, ReadError> {
        let target = document.child(lane, "Target");
        let is_gain = target.is_some_and(|target| document.is(target, "expression", "gain"));
        let points = document.named(lane, "RealPoint").collect::<Vec<_>>();
        let mut values = Vec::new();
        for point in &points {
            values.push(document.number(*point, "value")?.unwrap_or(1.0));
        }
        if points.is_empty() {
            return Ok(true);
        }
        let is_one = values.windows(2).all(|pair| pair[0] == pair[1]);
        let is_first = self.points.is_empty();
        self.is_in_decibels = document.is(lane, "unit", "decibel");
        self.points = points;
        Ok(is_gain && is_one && is_first)
    }
}

/// Times of the content and of the file.
fn warps(
    document: &Document<'_>,
    map: &TempoMap,
    content: usize,
    content_unit: Unit,
    offset: f64,
) -> Result<Result<Vec<[f64; 2]>, Unplayable>, ReadError> {
    if document.name(content) == "Audio" {
        let rate = match content_unit {
            Unit::Seconds => 1.0,
            Unit::Beats if map.is_constant() => 60.0 / map.first_bpm(),
            Unit::Beats => return Ok(Err(("stretched clip", "stretched clips"))),
        };
        return Ok(Ok(vec![[-offset, 0.0], [1.0 - offset, rate]]));
    }
    let is_odd = unit(document, content, "timeUnit", content_unit) != content_unit
        || unit(document, content, "contentTimeUnit", Unit::Seconds) != Unit::Seconds;
    let mut warps = Vec::new();
    for warp in document.named(content, "Warp") {
        let number = |name| Ok::<_, ReadError>(document.number(warp, name)?.unwrap_or_default());
        warps.push([number("time")? - offset, number("contentTime")?]);
    }
    let rises = |pair: &[[f64; 2]]| pair[0][0] < pair[1][0] && pair[0][1] < pair[1][1];
    let is_usable = warps.len() >= 2 && warps.windows(2).all(rises) && !is_odd;
    Ok(if is_usable { Ok(warps) } else { Err(("stretched clip", "stretched clips")) })
}

//! Gain over time: the envelopes of tracks and clips, point by point or over a range.

use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames, SampleRate};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{clock, subject, trimmed};
use deskhand_session::{Change, Clip, Edit, ObjectId};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::{frames, millis};
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Targets, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_set_track_envelope`.
pub(super) struct SetTrackEnvelope;
/// `cmd_set_clip_envelope`.
pub(super) struct SetClipEnvelope;

/// A point of the envelope.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Point {
    /// Time on the timeline, in seconds.
    #[schemars(range(min = 0.0))]
    at_s: f64,
    /// Gain in dB; 0 is no change.
    #[schemars(range(min = -150.0, max = 48.0))]
    gain_db: f64,
    /// Curve to the next point: -1 late, 0 straight in dB, 1 early.
    #[serde(default)]
    #[schemars(range(min = -1.0, max = 1.0))]
    curve: f64,
}

/// A stretch of time that becomes louder or quieter.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Stretch {
    /// Start on the timeline, in seconds.
    #[schemars(range(min = 0.0))]
    from_s: f64,
    /// End in seconds.
    #[schemars(range(min = 0.0))]
    to_s: f64,
    /// Change in dB: louder (positive) or quieter (negative) than now.
    #[schemars(range(min = -150.0, max = 48.0))]
    change_db: f64,
    /// Length of the ramps at both ends, inside the range, in ms.
    #[serde(default = "ramp")]
    #[schemars(range(min = 0.0, max = 10_000.0))]
    ramp_ms: f64,
}

fn ramp() -> f64 {
    10.0
}

/// The targets and their envelope.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// The tracks, buses or clips.
    #[serde(default)]
    targets: Targets,
    /// All points, in order of time; an empty list removes the envelope. Give this or `range`.
    points: Option<Vec<Point>>,
    /// A gain over a range of time, added to the envelope. Give this or `points`.
    range: Option<Stretch>,
}

/// The request: one of the two.
enum Wish {
    Points(Vec<EnvelopePoint>),
    Range(Ride),
}

/// A gain over a range, in frames of the timeline.
#[derive(Clone, Copy)]
struct Ride {
    from: Frames,
    to: Frames,
    change: Decibels,
    ramp: Frames,
}

impl Wish {
    fn new(line: &Line, rate: SampleRate) -> Result<Self, ToolError> {
        match (&line.points, line.range) {
            (Some(points), None) => Ok(Self::Points(points.iter().map(|p| p.at(rate)).collect())),
            (None, Some(range)) => Ok(Self::Range(range.ride(rate)?)),
            (None, None) | (Some(_), Some(_)) => Err(ToolError::prepare(
                Code::BadParams,
                "a line is either all its points or a gain over a range",
                "give exactly one of `points` and `range`",
            )),
        }
    }

    /// The line of something whose line is `now`, and on which timeline frame 0 is frame `offset`.
    fn line(&self, now: &[EnvelopePoint], offset: Frames) -> Vec<EnvelopePoint> {
        match self {
            Self::Points(points) => moved(points, offset),
            Self::Range(ride) => ride.over(now, offset),
        }
    }

    fn summary(&self, what: &str, rate: SampleRate) -> String {
        match self {
            Self::Points(points) if points.is_empty() => {
                format!("Remove the gain over time of {what}")
            }
            Self::Points(points) => format!("Draw the gain of {what} with {} points", points.len()),
            Self::Range(Ride { from, to, change, .. }) => {
                let (way, size) =
                    if change.0 < 0.0 { ("down", -change.0) } else { ("up", change.0) };
                let (from, to) = (clock(*from, rate), clock(*to, rate));
                format!("Turn {what} {way} by {} dB from {from} to {to}", trimmed(size, 3))
            }
        }
    }
}

impl Point {
    fn at(self, rate: SampleRate) -> EnvelopePoint {
        let gain = Decibels(self.gain_db).rounded();
        EnvelopePoint { position: frames(self.at_s, rate), gain, curve: self.curve }
    }
}

impl Stretch {
    fn ride(self, rate: SampleRate) -> Result<Ride, ToolError> {
        let (from, to) = (frames(self.from_s, rate), frames(self.to_s, rate));
        if to <= from {
            let message = "the range is empty or ends before it begins";
            return Err(ToolError::prepare(
                Code::BadParams,
                message,
                "let `to_s` be after `from_s`",
            ));
        }
        let half = Frames((to - from).0 / 2);
        let ramp = millis(self.ramp_ms, rate).min(half);
        Ok(Ride { from, to, change: Decibels(self.change_db).rounded(), ramp })
    }
}

impl Ride {
    /// How much it adds at a frame of the timeline: nothing at both ends, all between the ramps.
    fn at(&self, at: Frames) -> f64 {
        let inside = (at - self.from).0.min((self.to - at).0);
        let part = inside as f64 / self.ramp.0.max(1) as f64;
        self.change.0 * if inside < 0 { 0.0 } else { part.min(1.0) }
    }

    fn over(&self, now: &[EnvelopePoint], offset: Frames) -> Vec<EnvelopePoint> {
        let corners = [self.from, self.from + self.ramp, self.to - self.ramp, self.to];
        let corners = corners.map(|corner| corner + offset);
        let straight = straightened(now, corners[0]..corners[3]);
        let before = straight.iter().take_while(|point| point.position < corners[0]);
        let behind = straight.iter().skip_while(|point| point.position <= corners[3]);
        let mut inside: Vec<Frames> = corners.to_vec();
        let between = |position: &Frames| (corners[0]..corners[3]).contains(position);
        inside.extend(straight.iter().map(|point| point.position).filter(between));
        inside.sort_unstable();
        inside.dedup();
        let ridden = inside.into_iter().map(|position| {
            let gain = gain_at(&straight, position).0 + self.at(position - offset);
            EnvelopePoint { position, gain: Decibels(gain).rounded(), curve: 0.0 }
        });
        before.copied().chain(ridden).chain(behind.copied()).collect()
    }
}

/// Pieces of a bend that a range cuts.
const PIECES: u8 = 16;

/// The line with every bend that reaches into `range` as a row of straight pieces, which can be cut.
fn straightened(points: &[EnvelopePoint], range: std::ops::Range<Frames>) -> Vec<EnvelopePoint> {
    let mut straight = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let next = points.get(index + 1);
        let is_cut =
            |next: &&EnvelopePoint| next.position > range.start && point.position < range.end;
        match next.filter(|next| point.curve != 0.0 && is_cut(next)) {
            None => straight.push(*point),
            Some(next) => {
                // Equal steps of gain, for a bend is steep at one of its ends.
                let power = (2.0 * point.curve).exp2();
                straight.extend((0..PIECES).map(|piece| {
                    let part = (f64::from(piece) / f64::from(PIECES)).powf(power);
                    let way = (next.position - point.position).0 as f64;
                    let position = point.position + Frames((way * part) as i64);
                    EnvelopePoint { position, gain: gain_at(points, position), curve: 0.0 }
                }));
            }
        }
    }
    straight
}

fn moved(points: &[EnvelopePoint], offset: Frames) -> Vec<EnvelopePoint> {
    points.iter().map(|it| EnvelopePoint { position: it.position + offset, ..*it }).collect()
}

/// How long gain takes to change if nobody says it, in ms: short enough to be on time, too long to be heard as a step.
const SAID_RAMP_MS: f64 = 300.0;

/// How people ask for a level over a time: "turn the music down by 6 dB from 0:10 to 0:20", "… in the chorus".
fn says() -> [Intent; 2] {
    let verbs = "turn | bring | take | push | pull | raise | lower | make | cut | drop | automate \
                 | duck | put | get | give | add | knock";
    let change = Slot::of("range.change_db").preps("- | by").or_own_sign().signed_by(
        "up | louder | raise | push | give | add",
        "down | quieter | lower | off | cut | drop | duck | knock",
    );
    let over = || {
        let it = Intent::verbs(verbs).also("gain | volume | level").slot(change.clone());
        it.needs("range.change_db").sets("range.ramp_ms", SAID_RAMP_MS)
    };
    let from = Slot::place("range.from_s").preps("from | between");
    let to = Slot::place("range.to_s").preps("to | until | -");
    let named = over().named("targets", "- | of | from | on", Kinds::Tracks);
    [
        over()
            .slot(from)
            .slot(to)
            .needs("range.from_s")
            .needs("range.to_s")
            .on_or_to(Kinds::Tracks),
        named.named("range.from_s", "in | during | over | for | while | on", Kinds::Span),
    ]
}

impl Command for SetTrackEnvelope {
    type Params = Line;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_track_envelope",
            "Draw a track's gain over time",
            "Sets the volume envelope of tracks or buses: points of gain along the timeline, or a gain over a \
             range of time with short ramps. It acts before the fader, which stays.",
            Category::Level,
            Trust::Suggest,
            json!({"targets": "Music", "range": {"from_s": 12.0, "to_s": 20.5, "change_db": -9.0, "ramp_ms": 300}}),
        )
        .offers(Gesture::DrawTrackGain)
        .says(says())
    }

    fn plan(params: Line, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (session, wish) = (call.session, Wish::new(&params, call.session.rate)?);
        let mut edits = Vec::new();
        for id in params.targets.tracks(session)? {
            let now =
                session.tracks.get(&id).map(|track| track.envelope.clone()).unwrap_or_default();
            let after = wish.line(&now, Frames::ZERO);
            edits.push((id.into(), Change::SetTrackEnvelope(Edit::new(id, now, after))));
        }
        Ok(drawn(call, &wish, edits, "track"))
    }
}

impl Command for SetClipEnvelope {
    type Params = Line;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_clip_envelope",
            "Draw a clip's gain over time",
            "Sets the gain of clips over time: points along the timeline, or a gain over a range of time with \
             short ramps, such as a cough or a loud word. It stays with the audio when the clip is trimmed, \
             split or moved. Clips outside the range stay unchanged.",
            Category::Level,
            Trust::Suggest,
            json!({"targets": "Interview", "range": {"from_s": 61.2, "to_s": 61.9, "change_db": -12.0}}),
        )
        .offers(Gesture::DrawClipGain)
    }

    fn plan(params: Line, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let (session, wish) = (call.session, Wish::new(&params, call.session.rate)?);
        let mut clips = params.targets.clips_with_values(session)?;
        if let Wish::Range(ride) = &wish {
            clips.retain(|(_, clip)| clip.position < ride.to && ride.from < clip.end());
        }
        if clips.is_empty() {
            let message = "none of the clips sounds in that range";
            let fix = "give a range on the timeline that the clip covers, or `points`";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        let edits = clips.into_iter().map(|(id, clip)| {
            let after = clip_line(&wish, &clip);
            (id.into(), Change::SetClipEnvelope(Edit::new(id, clip.envelope, after)))
        });
        let edits = edits.collect();
        Ok(drawn(call, &wish, edits, "clip"))
    }
}

/// The line at frames of the source; a range reaches no further than the clip is heard.
fn clip_line(wish: &Wish, clip: &Clip) -> Vec<EnvelopePoint> {
    let offset = clip.start - clip.position;
    // A time before the source's first frame cannot be a point of it; its gain reaches that far.
    let line = match wish {
        Wish::Points(_) => wish.line(&clip.envelope, offset),
        Wish::Range(ride) => {
            let (from, to) = (ride.from.max(clip.position), ride.to.min(clip.end()));
            // Where the clip itself begins or ends inside the range there is nothing to ramp from.
            let from = if from == clip.position { from - ride.ramp } else { from };
            let to = if to == clip.end() { to + ride.ramp } else { to };
            Ride { from, to, ..*ride }.over(&clip.envelope, offset)
        }
    };
    inside_the_source(line)
}

/// A line from frame 0 on: the points before it become one at 0.
fn inside_the_source(line: Vec<EnvelopePoint>) -> Vec<EnvelopePoint> {
    if line.first().is_none_or(|point| point.position >= Frames::ZERO) {
        return line;
    }
    let first = EnvelopePoint {
        position: Frames::ZERO,
        gain: gain_at(&line, Frames::ZERO).rounded(),
        curve: 0.0,
    };
    let behind = line.into_iter().filter(|point| point.position > Frames::ZERO);
    std::iter::once(first).chain(behind).collect()
}

fn drawn(call: &CommandCall<'_>, wish: &Wish, edits: Vec<(ObjectId, Change)>, noun: &str) -> Draft {
    let names: Vec<String> = edits.iter().map(|(id, _)| call.session.name_of(*id)).collect();
    let what = subject(&names, noun);
    let mut draft = Draft::new(wish.summary(&what, call.session.rate));
    let changes = edits.into_iter().zip(names).filter(|((_, change), _)| !change.is_identity());
    for ((_, change), name) in changes {
        draft.change(change, name, "as asked");
    }
    if draft.changes.is_empty() {
        draft.summary = format!("{what}: the gain over time is that already");
    }
    draft
}

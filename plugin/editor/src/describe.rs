//! Changes in the words and numbers of a card.

mod call;
mod hue;
mod ids;
mod tracks;

pub(crate) use call::{summary, why, writes};
pub(crate) use hue::{hue_of, hues, learn as learn_hues, nearest_hue};
pub(crate) use ids::Made;

use crate::kit::fader::side;
use crate::kit::scale::{minus, num, signed};
use deskhand_dsp::Frames;
use deskhand_protocol::values;
use deskhand_session::text::{clock, clock_of};
use deskhand_session::{
    Change, ClipPlace, Edit, InsertOwner, ObjectId, PlannedChange, Segment, Session, SplitState,
    TrackId, TrackKind,
};
use serde_json::{Map, Value};

/// A change as a row says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Told {
    pub(crate) name: String,
    pub(crate) what: String,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) unit: String,
    pub(crate) reason: String,
    /// The original planned value, if it was replaced.
    pub(crate) was: Option<String>,
    /// The number that can be edited in place.
    pub(crate) number: Option<f64>,
}

impl Told {
    /// What changes, with both values. A cut has no value before.
    pub(crate) fn words(&self) -> String {
        let Self { name, what, before, after, unit, .. } = self;
        let words = match (before.as_str(), after.as_str()) {
            ("", "") => format!("{name}, {what}"),
            ("", _) => format!("{name}, {what}, {after} {unit}"),
            _ => format!("{name}, {what}, from {before} to {after} {unit}"),
        };
        words.trim_end().to_owned()
    }

    /// All of a row, whatever room it has.
    pub(crate) fn in_full(&self) -> String {
        format!("{}\n{}", self.words(), self.reason).trim_end().to_owned()
    }
}

/// The text of a row for a change of a plan, with the names of new objects.
pub(crate) fn told(planned: &PlannedChange, session: &Session, made: &Made) -> Told {
    let told = plainly(planned, session);
    let [name, before, after, reason] =
        [&told.name, &told.before, &told.after, &told.reason].map(|text| made.named(text));
    let name = tracks::row_name(&planned.change, name, session, made);
    let told = Told { name, before, after, reason, ..told };
    let Change::SetTrackOutput(edit) = &planned.change else { return told };
    let sides = [edit.before, edit.after];
    let [before, after] = sides.map(|output| tracks::output(output, session, made));
    Told { before, after, ..told }
}

fn plainly(planned: &PlannedChange, session: &Session) -> Told {
    let mut json = serde_json::to_value(&planned.change).unwrap_or_default();
    if values::is_of_several(&planned.change) {
        values::drop_same(&mut json);
    }
    let unit = planned.unit.clone().unwrap_or_default();
    let text = |value: &Value| value_text(value, &unit, session);
    let reason = minus(&planned.reason);
    if let Some((at, length)) = made(&planned.change) {
        let at = clock(at, session.rate);
        let at = at.get(..at.len().saturating_sub(4)).unwrap_or_default();
        return Told {
            name: name(planned, session),
            what: format!("{} at {at}", what(&planned.change)),
            before: String::new(),
            after: num(length.seconds(session.rate).0 as f32, 1),
            unit: "s".into(),
            reason,
            was: None,
            number: None,
        };
    }
    let name = name(planned, session);
    let both = labeled(&planned.change, session);
    let both = both.or_else(|| Some((what(&planned.change), moved(&planned.change, session)?)));
    if let Some((what, [before, after])) = both {
        let (unit, what) = (String::new(), what.to_owned());
        return Told { name, what, before, after, unit, reason, was: None, number: None };
    }
    Told {
        name,
        what: what(&planned.change).to_owned(),
        before: if json["before"].is_null() { String::new() } else { text(&json["before"]) },
        after: text(&json["after"]),
        number: json["after"].as_f64().filter(|_| unit == "dB"),
        unit,
        reason,
        was: None,
    }
}

/// The name of a row's object.
fn name(planned: &PlannedChange, session: &Session) -> String {
    named(planned, session).unwrap_or_else(|| session.name_of(planned.change.target()))
}

/// The plan's name for the object of a change. New objects are not in the session yet, and removed ones may
/// be missing. Those use the name in the value itself.
pub(crate) fn named(planned: &PlannedChange, session: &Session) -> Option<String> {
    let is_told = !planned.name.is_empty() && planned.name != planned.change.target().to_string();
    if is_told {
        return Some(planned.name.clone());
    }
    let json = serde_json::to_value(&planned.change).unwrap_or_default();
    let text = |side: &str| json[side]["name"].as_str().filter(|name| !name.is_empty());
    if let Some(name) = text("after").or_else(|| text("before")) {
        return Some(name.to_owned());
    }
    // A clip without a name is called by what it plays.
    match &planned.change {
        Change::AddClip(edit) | Change::DuplicateClip(edit) => {
            edit.after.as_ref().map(|clip| session.name_of(clip.source.into()))
        }
        _ => None,
    }
}

/// Where a clip that the change makes begins, and how long it is.
fn made(change: &Change) -> Option<(Frames, Frames)> {
    match change {
        Change::AddClip(edit) | Change::DuplicateClip(edit) => {
            edit.after.as_ref().map(|clip| (clip.position, clip.length))
        }
        _ => None,
    }
}

/// A segment's new speaker or new codes: before and after.
fn labeled(change: &Change, session: &Session) -> Option<(&'static str, [String; 2])> {
    let Change::SetSegment(edit) = change else { return None };
    let sides = [edit.before.as_ref()?, edit.after.as_ref()?];
    let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
    if sides[0].speaker != sides[1].speaker {
        let speaker = |side: &Segment| or_none(side.speaker.clone().unwrap_or_default());
        return Some(("speaker", sides.map(speaker)));
    }
    if sides[0].codings != sides[1].codings {
        let codes = |side: &Segment| {
            let names = side.codings.iter().map(|coding| session.name_of(coding.code.into()));
            or_none(names.collect::<Vec<_>>().join(", "))
        };
        return Some(("codes", sides.map(codes)));
    }
    None
}

/// The place of a moved object before and after, in time or in pan, with enough detail to tell them apart.
fn moved(change: &Change, session: &Session) -> Option<[String; 2]> {
    let at = |position: Frames| clock(position, session.rate);
    let long = |length: Frames| format!("{:.1}\u{a0}s", length.seconds(session.rate).0);
    match change {
        Change::MoveTrack(edit) => {
            Some([edit.before, edit.after].map(|index| format!("place {}", index + 1)))
        }
        Change::SetTrackPan(edit) => {
            Some([edit.before, edit.after].map(|pan| side(pan as f32 * 100.0)))
        }
        Change::SplitClip(edit) => Some([&edit.before, &edit.after].map(|state| match state {
            SplitState::Whole { .. } => "one clip".to_owned(),
            SplitState::Parts { right, .. } => format!("two, at {}", at(right.position)),
        })),
        Change::MoveMarker(Edit { before, after, .. }) => {
            let sides = [*before, *after];
            Some(if before.length == after.length {
                sides.map(|span| at(span.position))
            } else if before.position == after.position {
                sides.map(|span| long(span.length))
            } else {
                sides.map(|span| format!("{}, {}", at(span.position), long(span.length)))
            })
        }
        Change::MoveClip(Edit { before, after, .. }) => {
            let sides = [*before, *after];
            let track = |place: ClipPlace| session.name_of(place.track.into());
            Some(if before.track == after.track {
                sides.map(|place| at(place.position))
            } else if before.position == after.position {
                sides.map(track)
            } else {
                sides.map(|place| format!("{}, {}", track(place), at(place.position)))
            })
        }
        _ => None,
    }
}

/// The op in the words of people.
pub(crate) fn what(change: &Change) -> &'static str {
    if let Change::MoveMarker(edit) = change
        && edit.before.position == edit.after.position
    {
        return "length";
    }
    if let Change::AddTrack(edit) = change
        && edit.after.as_ref().is_some_and(|placed| placed.track.kind == TrackKind::Bus)
    {
        return "new bus";
    }
    match change.op() {
        "set_track_gain" => "fader",
        "set_clip_gain" => "clip gain",
        "set_master_gain" => "master gain",
        "set_insert" => "processor",
        "set_track_envelope" | "set_clip_envelope" => "gain line",
        "set_track_pan" => "pan",
        "set_track_output" => "output",
        "set_clip_polarity" => "polarity",
        "set_binding" => "project",
        "set_track_mute" | "set_clip_mute" => "mute",
        "set_track_solo" => "solo",
        "trim_clip" => "trim",
        "split_clip" => "split",
        "set_clip_fades" => "fades",
        "ripple_delete" => "close time",
        "ripple_insert" => "insert time",
        "add_clip" => "new clip",
        "add_track" => "new track",
        "add_marker" => "new marker",
        "add_source" => "import",
        "duplicate_clip" => "copy",
        op if op.starts_with("move_") => "move",
        op if op.starts_with("remove_") => "remove",
        op if op.starts_with("rename_") => "name",
        op if op.starts_with("set_") => "set",
        _ => "change",
    }
}

fn value_text(value: &Value, unit: &str, session: &Session) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default() as f32;
            if unit == "dB" { signed(number, 1) } else { num(number, 2) }
        }
        Value::Object(fields) => {
            let rate = f64::from(session.rate.0);
            let short = fades(fields, rate).or_else(|| placed(fields, rate));
            short.unwrap_or_else(|| minus(&values::brief(value, session)))
        }
        Value::Array(_) => minus(&values::brief(value, session)),
        Value::String(_) | Value::Bool(_) => values::brief(value, session),
    }
}

/// The start and length of an object, or its name.
fn placed(fields: &Map<String, Value>, rate: f64) -> Option<String> {
    let seconds = |key| fields.get(key).and_then(Value::as_f64).map(|frames| frames / rate);
    match (seconds("position"), seconds("length")) {
        (Some(at), Some(length)) => Some(format!("{}, {length:.1}\u{a0}s", clock_of(at))),
        (Some(at), None) => Some(clock_of(at)),
        (None, _) => fields.get("name").and_then(Value::as_str).map(str::to_owned),
    }
}

/// "10 / 0 ms": how long a clip fades in and out.
fn fades(fields: &Map<String, Value>, rate: f64) -> Option<String> {
    let ms = |key| Some(fields.get(key)?.get("length")?.as_f64()? / rate * 1000.0);
    let is_clip = fields.contains_key("position");
    let (fade_in, fade_out) = (ms("fade_in")?, ms("fade_out")?);
    (!is_clip).then(|| format!("{fade_in:.0} / {fade_out:.0}\u{a0}ms"))
}

pub(crate) fn track_of(change: &Change, session: &Session) -> Option<TrackId> {
    match change {
        Change::AddClip(edit) | Change::DuplicateClip(edit) if edit.after.is_some() => {
            edit.after.as_ref().map(|clip| clip.track)
        }
        Change::SetInsert(_) => match owner_of(change)? {
            InsertOwner::Master => None,
            InsertOwner::Track(id) => Some(id),
        },
        _ => session.track_of(change.target()),
    }
}

/// The track or mix of the processor in a change.
pub(crate) fn owner_of(change: &Change) -> Option<InsertOwner> {
    let Change::SetInsert(edit) = change else { return None };
    edit.after.as_ref().or(edit.before.as_ref()).map(|placed| placed.on)
}

/// The time of a change: its first frame and the frame after its last.
pub(crate) fn span_of(change: &Change, session: &Session) -> Option<(Frames, Frames)> {
    match change {
        Change::AddClip(edit) | Change::DuplicateClip(edit) => {
            edit.after.as_ref().map(|clip| (clip.position, clip.end()))
        }
        Change::MoveClip(edit) => {
            let length = session.clips.get(&edit.target)?.length;
            Some((edit.after.position, edit.after.position + length))
        }
        Change::RemoveClip(edit) => edit.before.as_ref().map(|clip| (clip.position, clip.end())),
        Change::RippleDelete(edit) => Some((edit.before.at, edit.before.end())),
        Change::RippleInsert(edit) => Some((edit.after.at, edit.after.end())),
        Change::AddMarker(Edit { before: None, after: Some(marker), .. })
        | Change::RemoveMarker(Edit { before: Some(marker), after: None, .. }) => {
            Some((marker.position, marker.position))
        }
        Change::MoveMarker(edit) => Some((edit.after.position, edit.after.position)),
        Change::SetTempo(edit) => {
            let at = differing(&edit.before, &edit.after).map(|point| point.position).min()?;
            Some((at, at))
        }
        Change::SetMeter(edit) => {
            let at = differing(&edit.before, &edit.after).map(|point| point.position).min()?;
            Some((at, at))
        }
        other => match other.target() {
            ObjectId::Clip(id) => session.clips.get(&id).map(|clip| (clip.position, clip.end())),
            ObjectId::Marker(id) => {
                session.markers.get(&id).map(|marker| (marker.position, marker.position))
            }
            _ => None,
        },
    }
}

/// The items that are in only one of two lists.
fn differing<'a, T: PartialEq>(before: &'a [T], after: &'a [T]) -> impl Iterator<Item = &'a T> {
    let gone = before.iter().filter(|point| !after.contains(point));
    gone.chain(after.iter().filter(|point| !before.contains(point)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{CodeId, InsertId, MarkerId, MarkerSpan, SegmentId};

    #[test]
    fn fades_and_an_assembly_are_told_by_their_numbers() {
        let session = Session::new(SessionId::new(1), SampleRate(48_000));
        let text = |value| value_text(&value, "", &session);
        let fades = serde_json::json!({"fade_in": {"length": 480}, "fade_out": {"length": 0}});
        assert_eq!(text(fades), "10 / 0\u{a0}ms");
        let assembly = serde_json::json!({"order": ["a", "b"], "removed": ["c"]});
        assert_eq!(text(assembly), "2 play, 1 removed");
        let window = serde_json::json!({"start": 0, "position": 96_000, "length": 24_000});
        assert_eq!(text(window), "0:02.000, 0.5\u{a0}s");
    }

    #[test]
    fn a_processor_is_told_by_what_it_does_and_stands_on_its_track() {
        let session = crate::testing::session();
        let track = TrackId::new(2);
        let placed = serde_json::from_value(serde_json::json!({
            "on": {"track": track}, "index": 0, "switch": "on",
            "effect": {"kind": "limiter", "gain": 0.0, "ceiling": -1.0, "release_ms": 50.0},
        }));
        let edit = Edit::create(InsertId::new(1), placed.unwrap());
        let planned =
            PlannedChange::new(1, Change::SetInsert(edit), "Guitar".into(), String::new());
        let told = told(&planned, &session, &Made::default());
        assert_eq!(
            [told.name, told.what, told.before, told.after],
            ["Guitar", "processor", "", "limiter, ceiling −1 dB, gain 0 dB, release 50 ms"]
                .map(String::from)
        );
        assert_eq!(track_of(&planned.change, &session), Some(track));
    }

    #[test]
    fn a_gain_is_told_with_signs_and_can_be_edited() {
        let session = Session::new(SessionId::new(1), SampleRate(48_000));
        let edit = Edit::new(ClipId::new(1), Decibels(-3.0), Decibels(1.5));
        let planned =
            PlannedChange::new(1, Change::SetClipGain(edit), "Vocal".into(), String::new());
        let told = told(&planned, &session, &Made::default());
        assert_eq!((told.before.as_str(), told.after.as_str()), ("−3.0", "+1.5"));
        assert_eq!((told.unit.as_str(), told.number), ("dB", Some(1.5)));
    }

    #[test]
    fn a_segment_is_told_by_who_says_it() {
        let session = Session::new(SessionId::new(1), SampleRate(48_000));
        let nobody = Segment::new(SourceId::new(1), Frames(0), Frames(48_000));
        let anna = Segment { speaker: Some("Anna".into()), ..nobody.clone() };
        let edit = Edit::new(SegmentId::new(1), Some(nobody), Some(anna));
        let planned = PlannedChange::new(1, Change::SetSegment(edit), "Talk".into(), String::new());
        let told = told(&planned, &session, &Made::default());
        assert_eq!(
            [told.what, told.before, told.after, told.unit],
            ["speaker", "none", "Anna", ""].map(String::from)
        );
    }

    #[test]
    fn a_move_says_where_from_and_where_to() {
        let session = crate::testing::session();
        let row = |change: Change| {
            let planned = PlannedChange::new(1, change, "It".into(), String::new());
            let told = told(&planned, &session, &Made::default());
            [told.what, told.before, told.after].join(" | ")
        };
        let track = Edit::new(TrackId::new(2), 1, 0);
        assert_eq!(row(Change::MoveTrack(track)), "move | place 2 | place 1");
        let span =
            |at: i64, length: i64| MarkerSpan { position: Frames(at), length: Frames(length) };
        let marker = |from, to| Change::MoveMarker(Edit::new(MarkerId::new(1), from, to));
        let (point, later) = (span(48_000, 0), span(72_000, 0));
        assert_eq!(row(marker(point, later)), "move | 0:01.000 | 0:01.500");
        let (short, long) = (span(48_000, 24_000), span(48_000, 96_000));
        assert_eq!(row(marker(short, long)), "length | 0.5\u{a0}s | 2.0\u{a0}s");
        let both = "move | 0:01.000, 0.0\u{a0}s | 0:02.000, 0.5\u{a0}s";
        assert_eq!(row(marker(span(48_000, 0), span(96_000, 24_000))), both);
    }

    #[test]
    fn of_a_code_what_becomes_otherwise_is_told() {
        let session = crate::testing::session();
        let code = |color| {
            serde_json::from_value(serde_json::json!({"name": "Blue", "color": color})).unwrap()
        };
        let edit = Edit::new(CodeId::new(1), Some(code("#0000ff")), Some(code("#00ff00")));
        let planned = PlannedChange::new(1, Change::SetCode(edit), "Blue".into(), String::new());
        let told = told(&planned, &session, &Made::default());
        assert_eq!([told.before, told.after], ["color #0000ff", "color #00ff00"]);
    }

    #[test]
    fn a_clip_that_moves_says_the_track_where_that_changes() {
        let session = crate::testing::session();
        let row = |before, after| {
            let change = Change::MoveClip(Edit::new(ClipId::new(1), before, after));
            let planned = PlannedChange::new(1, change, "It".into(), String::new());
            let told = told(&planned, &session, &Made::default());
            [told.what, told.before, told.after].join(" | ")
        };
        let at =
            |track: u64, at: i64| ClipPlace { track: TrackId::new(track), position: Frames(at) };
        assert_eq!(row(at(1, 0), at(1, 48_000)), "move | 0:00.000 | 0:01.000");
        assert_eq!(row(at(1, 0), at(2, 0)), "move | Vocal | Guitar");
        let both = "move | Vocal, 0:00.000 | Guitar, 0:01.000";
        assert_eq!(row(at(1, 0), at(2, 48_000)), both);
    }

    #[test]
    fn a_position_is_minutes_seconds_milliseconds() {}
}

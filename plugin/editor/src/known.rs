//! What analysis knows of a clip, in a few lines: facts of the segments of its source that it shows.

use crate::describe::clock;
use deskhand_session::{Clip, Fact, Segment, Session};
use serde_json::Value;

/// Most lines that are shown.
const LINES: usize = 12;

/// What is known of a clip, a line each; none where nothing is.
pub(crate) fn of_clip(session: &Session, clip: &Clip) -> Option<String> {
    let end = clip.start + clip.length;
    let overlaps = |s: &&Segment| s.source == clip.source && s.start < end && s.end() > clip.start;
    let mut segments: Vec<&Segment> = session.segments.values().filter(overlaps).collect();
    // The whole of the clip first, then its parts by time.
    segments.sort_by_key(|s| (s.start > clip.start || s.end() < end, s.start));
    let mut lines: Vec<String> = segments.iter().flat_map(|s| lines(session, clip, s)).collect();
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn lines(session: &Session, clip: &Clip, segment: &Segment) -> Vec<String> {
    let is_whole = segment.start <= clip.start && segment.end() >= clip.start + clip.length;
    let at = (segment.start.max(clip.start) - clip.start + clip.position).seconds(session.rate).0;
    let place = if is_whole { String::new() } else { format!("{}  ", clock(at)) };
    let facts = segment.description.facts.iter().filter_map(|(name, fact)| {
        let value = value(fact)?;
        Some(format!("{place}{}: {value}", name.replace('_', " ")))
    });
    facts.collect()
}

/// A fact that fits a line; lists and pictures do not.
pub(crate) fn value(fact: &Fact) -> Option<String> {
    let text = match &fact.value {
        Value::Number(number) => number.to_string(),
        Value::String(text) if !text.contains('/') => text.clone(),
        Value::Bool(is) => (if *is { "yes" } else { "no" }).to_owned(),
        Value::String(_) | Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    let unit = fact.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let doubt = match fact.confidence {
        Some(sure) if sure < 0.5 => " (unsure)",
        Some(_) | None => "",
    };
    Some(format!("{text}{unit}{doubt}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Decibels, Fade, Frames, SampleRate};
    use deskhand_session::{Description, SegmentId, SessionId, SourceId, TrackId};
    use serde_json::json;

    fn segment(start: i64, length: i64, name: &str, value: Value, sure: Option<f64>) -> Segment {
        let fact = Fact { value, unit: None, confidence: sure, by: "tool_x".into() };
        Segment {
            description: Description { facts: [(name.to_owned(), fact)].into() },
            ..Segment::new(SourceId::new(1), Frames(start), Frames(length))
        }
    }

    #[test]
    fn facts_of_the_whole_come_first_and_parts_say_when() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let clip = Clip {
            name: "Take".into(),
            track: TrackId::new(1),
            source: SourceId::new(1),
            start: Frames(48_000),
            length: Frames(96_000),
            position: Frames(480_000),
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
        };
        assert_eq!(of_clip(&session, &clip), None);
        let parts = [
            segment(96_000, 48_000, "content", json!("speech"), Some(0.3)),
            segment(48_000, 96_000, "key", json!("A minor"), Some(0.9)),
            segment(48_000, 96_000, "problems", json!([1, 2]), None),
            segment(0, 48_000, "content", json!("noise"), None),
        ];
        for (n, part) in parts.into_iter().enumerate() {
            session.segments.insert(SegmentId::new(n as u64 + 1), part);
        }
        let known = of_clip(&session, &clip).unwrap();
        assert_eq!(known.lines().next(), Some("key: A minor"), "{known}");
        assert_eq!(known.lines().count(), 2, "{known}");
        assert!(known.ends_with("content: speech (unsure)"), "{known}");
    }
}

//! Who speaks when: the turns of what is transcribed.

use super::answer::Answer;
use deskhand_dsp::Frames;
use deskhand_session::text::clock;
use deskhand_session::{Clip, ObjectId, Segment, Session, SourceId};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Turns that are said; the rest is counted.
const SHOWN: usize = 200;
/// Who speaks where nobody was named.
const NOBODY: &str = "somebody";

/// What one speaker says until another does.
struct Turn {
    source: SourceId,
    speaker: Option<String>,
    start: Frames,
    end: Frames,
    /// How much of it is spoken.
    spoken: Frames,
}

impl Turn {
    fn of(segment: &Segment) -> Self {
        Self {
            source: segment.source,
            speaker: segment.speaker.clone(),
            start: segment.start,
            end: segment.end(),
            spoken: segment.length,
        }
    }

    fn goes_on_with(&mut self, segment: &Segment) {
        self.end = self.end.max(segment.end());
        self.spoken += segment.length;
    }
}

/// The turns of all sources that are transcribed.
pub(super) fn answer(session: &Session, ids: &[ObjectId]) -> Answer {
    let mut turns = turns(session);
    if !ids.is_empty() {
        let sources: BTreeSet<SourceId> = ids.iter().flat_map(|id| sources(session, *id)).collect();
        turns.retain(|turn| sources.contains(&turn.source));
    }
    if turns.is_empty() {
        let way = "nothing is transcribed yet; say \"transcribe everything\"";
        return Answer::new(way, json!([])).offering(["transcribe everything"]);
    }
    let several = turns.iter().map(|turn| turn.source).collect::<BTreeSet<_>>().len() > 1;
    let line = |turn: &Turn| {
        let who = turn.speaker.as_deref().unwrap_or(NOBODY);
        let (start, end) = (clock(turn.start, session.rate), clock(turn.end, session.rate));
        let name = session.name_of(turn.source.into());
        let of = if several { format!(" in {name}") } else { String::new() };
        format!("{start} to {end}{of}: {who}")
    };
    let mut lines: Vec<_> = turns.iter().take(SHOWN).map(line).collect();
    if turns.len() > SHOWN {
        lines.push(format!("and {} more turns", turns.len() - SHOWN));
    }
    let is_unnamed = turns.iter().all(|turn| turn.speaker.is_none());
    if is_unnamed {
        lines.push("no speaker is named yet; say \"mark the speakers\"".into());
    }
    lines.extend(totals(session, &turns));
    let second = |at: Frames| at.seconds(session.rate).0;
    let value = |turn: &Turn| {
        json!({
            "source": turn.source, "speaker": turn.speaker,
            "start_s": second(turn.start), "end_s": second(turn.end),
        })
    };
    let next = is_unnamed.then_some("mark the speakers");
    Answer::new(lines.join("\n"), turns.iter().map(value).collect()).offering(next)
}

/// The sources of an object that is asked about.
fn sources(session: &Session, id: ObjectId) -> Vec<SourceId> {
    let of_clip = |clip: &Clip| clip.source;
    match id {
        ObjectId::Source(id) => vec![id],
        ObjectId::Clip(id) => session.clips.get(&id).map(of_clip).into_iter().collect(),
        ObjectId::Track(id) => session.clips_on(id).into_iter().map(|(_, it)| it.source).collect(),
        _ => Vec::new(),
    }
}

/// How long each speaks in all, where there are several.
fn totals(session: &Session, turns: &[Turn]) -> Option<String> {
    let mut each: BTreeMap<&str, Frames> = BTreeMap::new();
    for turn in turns {
        let who = turn.speaker.as_deref().unwrap_or(NOBODY);
        *each.entry(who).or_default() += turn.spoken;
    }
    let mut each: Vec<(&str, Frames)> = each.into_iter().collect();
    each.sort_by_key(|(_, length)| std::cmp::Reverse(*length));
    let one = |(who, length): &(&str, Frames)| format!("{who} {}", clock(*length, session.rate));
    let told: Vec<String> = each.iter().map(one).collect();
    (told.len() > 1).then(|| format!("in all: {}", told.join(", ")))
}

fn turns(session: &Session) -> Vec<Turn> {
    let spoken = session.segments.values().filter(|segment| !segment.words.is_empty());
    let sources: BTreeSet<SourceId> = spoken.map(|segment| segment.source).collect();
    let mut turns: Vec<Turn> = Vec::new();
    for source in sources {
        let mut goes_on = false;
        for (_, segment) in session.transcript_of(source) {
            // What a microphone heard of another's speaker is a turn where that one's own is.
            if segment.is_bleed() {
                goes_on = false;
                continue;
            }
            let same = |turn: &&mut Turn| goes_on && turn.speaker == segment.speaker;
            match turns.last_mut().filter(same) {
                Some(turn) => turn.goes_on_with(segment),
                None => turns.push(Turn::of(segment)),
            }
            goes_on = true;
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{BLEED_OF, Fact, SegmentId, SessionId, Word};

    /// What is heard by a microphone from one second to another.
    fn heard(microphone: u64, speaker: &str, from: i64, to: i64) -> Segment {
        let (start, length) = (Frames(from * 48_000), Frames((to - from) * 48_000));
        let word = Word { text: "so".into(), start, end: start + length, confidence: None };
        Segment {
            speaker: Some(speaker.into()),
            words: vec![word],
            ..Segment::new(SourceId::new(microphone), start, length)
        }
    }

    #[test]
    fn what_bleeds_into_another_microphone_is_said_once() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let mut bleed = heard(1, "Guest", 3, 7);
        let by = "tool_mark_speakers".into();
        let fact = Fact { value: json!("Guest"), unit: None, confidence: None, by };
        bleed.description.facts.insert(BLEED_OF.into(), fact);
        let own = [heard(1, "Host", 0, 3), bleed, heard(1, "Host", 8, 10), heard(2, "Guest", 3, 7)];
        for (number, segment) in (1..).zip(own) {
            session.segments.insert(SegmentId::new(number), segment);
        }
        let told = answer(&session, &[]).text;
        assert_eq!(told.lines().filter(|line| line.ends_with("Guest")).count(), 1, "{told}");
        assert!(told.ends_with("in all: Host 0:05.000, Guest 0:04.000"), "{told}");
    }
}

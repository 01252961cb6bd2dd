//! Who speaks when: the turns of what is transcribed.

use super::Answer;
use super::facts::time;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ObjectId, Session, SourceId};
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
        return Answer::new(way, json!([]));
    }
    let several = turns.iter().map(|turn| turn.source).collect::<BTreeSet<_>>().len() > 1;
    let line = |turn: &Turn| {
        let who = turn.speaker.as_deref().unwrap_or(NOBODY);
        let (start, end) = (time(turn.start, session.rate), time(turn.end, session.rate));
        let name = session.name_of(turn.source.into());
        let of = if several { format!(" in {name}") } else { String::new() };
        format!("{start} to {end}{of}: {who}")
    };
    let mut lines: Vec<_> = turns.iter().take(SHOWN).map(line).collect();
    if turns.len() > SHOWN {
        lines.push(format!("and {} more turns", turns.len() - SHOWN));
    }
    if turns.iter().all(|turn| turn.speaker.is_none()) {
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
    Answer::new(lines.join("\n"), turns.iter().map(value).collect())
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
        *each.entry(who).or_default() += turn.end - turn.start;
    }
    let mut each: Vec<(&str, Frames)> = each.into_iter().collect();
    each.sort_by_key(|(_, length)| std::cmp::Reverse(*length));
    let one = |(who, length): &(&str, Frames)| format!("{who} {}", time(*length, session.rate));
    let told: Vec<String> = each.iter().map(one).collect();
    (told.len() > 1).then(|| format!("in all: {}", told.join(", ")))
}

fn turns(session: &Session) -> Vec<Turn> {
    let spoken = session.segments.values().filter(|segment| !segment.words.is_empty());
    let sources: BTreeSet<SourceId> = spoken.map(|segment| segment.source).collect();
    let mut turns: Vec<Turn> = Vec::new();
    for source in sources {
        for (_, segment) in session.transcript_of(source) {
            let same = |turn: &&mut Turn| turn.source == source && turn.speaker == segment.speaker;
            match turns.last_mut().filter(same) {
                Some(turn) => turn.end = turn.end.max(segment.end()),
                None => turns.push(Turn {
                    source,
                    speaker: segment.speaker.clone(),
                    start: segment.start,
                    end: segment.end(),
                }),
            }
        }
    }
    turns
}

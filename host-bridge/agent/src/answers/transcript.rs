//! What is said: the transcripts, a line a phrase.

use super::answer::Answer;
use deskhand_protocol::transcript_tables::standing_out;
use deskhand_session::text::clock;
use deskhand_session::{Segment, Session, SourceId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Phrases that are told; the rest is counted.
const SHOWN: usize = 200;

/// What is said in all sources, source by source.
pub(super) fn answer(session: &Session) -> Answer {
    let spoken = session.segments.values().filter(|segment| !segment.words.is_empty());
    let sources: BTreeSet<SourceId> = spoken.map(|segment| segment.source).collect();
    if sources.is_empty() {
        let way = "nothing is transcribed yet; say \"transcribe everything\"";
        return Answer::new(way, json!([])).offering(["transcribe everything"]);
    }
    let (mut lines, mut values, mut left) = (Vec::new(), Vec::new(), 0);
    for source in sources {
        lines.push(session.name_of(source.into()));
        for (id, segment) in session.transcript_of(source) {
            if values.len() == SHOWN {
                left += 1;
                continue;
            }
            lines.push(format!("  {}", line(session, segment)));
            values.push(json!({"id": id, "speaker": segment.speaker, "text": segment.text()}));
        }
    }
    if left > 0 {
        lines.push(format!("and {left} more phrases"));
    }
    Answer::new(lines.join("\n"), Value::Array(values))
}

/// "0:01.250  Ann: so it is  [laughter 1.2 s]".
fn line(session: &Session, segment: &Segment) -> String {
    let who = segment.speaker.as_deref().map(|who| format!("{who}: ")).unwrap_or_default();
    let stands_out = standing_out(segment).join(", ");
    let note = if stands_out.is_empty() { stands_out } else { format!("  [{stands_out}]") };
    format!("{}  {who}{}{note}", clock(segment.start, session.rate), segment.text())
}

//! For tests of codes: transcripts of two speakers, and sessions that are coded.

use deskhand_dsp::Frames;
use deskhand_session::{CodeId, Segment, SegmentId, SourceId, Word};
use deskhand_toolkit::testing::{Desk, SECOND};
use serde_json::json;

/// A recording with a transcript, a word a second; each line `Name: words` is a segment, `-` is no name.
pub(super) fn spoken(desk: &mut Desk, name: &str, lines: &[&str]) -> SourceId {
    let words: usize = lines.iter().map(|line| line.split_whitespace().count() - 1).sum();
    let source = desk.source(name, vec![vec![0.0; words * SECOND as usize]]);
    say(desk, source, lines);
    source
}

/// The transcript of a source.
pub(super) fn say(desk: &mut Desk, source: SourceId, lines: &[&str]) {
    let mut at = 0;
    for line in lines {
        at += talk_over(desk, source, at, line);
    }
}

/// Two people who talk at once: Ann all the time, Ben from the fourth second to the eighth.
pub(super) fn at_once(desk: &mut Desk) -> SourceId {
    let source = spoken(desk, "once.wav", &["Ann: I told them the house was very old and cold."]);
    talk_over(desk, source, 4, "Ben: The rent was awful.");
    source
}

/// A line that is said from a second on, whoever talks meanwhile; returns how many words it has.
pub(super) fn talk_over(desk: &mut Desk, source: SourceId, at: i64, line: &str) -> i64 {
    let (speaker, said) = line.split_once(": ").unwrap();
    let word = |(at, text): (i64, &str)| {
        let (start, end) = (Frames(at * SECOND), Frames((at + 1) * SECOND));
        Word { text: text.into(), start, end, confidence: None }
    };
    let words: Vec<Word> = (at..).zip(said.split_whitespace()).map(word).collect();
    let count = words.len() as i64;
    let speaker = Some(speaker.to_owned()).filter(|name| name != "-");
    let own = Segment::new(source, words[0].start, Frames(count * SECOND));
    let id = SegmentId::new(1_000_000 + desk.session.segments.len() as u64);
    desk.session.segments.insert(id, Segment { words, speaker, ..own });
    count
}

/// Makes a code.
pub(super) fn code(desk: &mut Desk, name: &str) -> CodeId {
    let draft = desk.plan("cmd_set_code", json!({"name": name}));
    desk.apply(&draft);
    *desk.session.codes.iter().find(|(_, code)| code.name == name).unwrap().0
}

/// The places of a code, as seconds of the source, in order.
pub(super) fn seconds(desk: &Desk, code: CodeId) -> Vec<(i64, i64)> {
    let coded = desk.session.segments.values();
    let coded = coded.filter(|segment| segment.codings.iter().any(|coding| coding.code == code));
    let mut found: Vec<(i64, i64)> =
        coded.map(|one| (one.start.0 / SECOND, one.end().0 / SECOND)).collect();
    found.sort_unstable();
    found
}

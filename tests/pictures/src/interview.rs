//! An interview for pictures: two voices with their words, a codebook, takes of a phrase, and an assembly.

use crate::song::{RATE, clip, seconds, source};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{
    ClipId, Code, CodeId, Coding, Duplicates, ObjectId, Phrase, PhraseId, Segment, SegmentId,
    Session, SessionId, SourceId, Track, TrackId, Word,
};

/// The speech: the voice, the time, and the words.
// tidy: table
const SAID: [(u64, f64, &str); 18] = [
    (1, 0.5, "Welcome to the harbour. Today we talk about the people who keep it going."),
    (1, 6.0, "Welcome to the harbour. Today, um, today we talk about people who keep it."),
    (2, 12.5, "Thank you. I have worked here since I was sixteen, and my father before me."),
    (1, 19.0, "What was it like then?"),
    (2, 21.5, "There was no money in it. We mended nets all winter for the rent of one room."),
    (2, 28.5, "The rent was four pounds a week, and you could eat for the rest of it."),
    (1, 35.0, "And now?"),
    (2, 36.5, "Now the boats are bigger and there are fewer of us."),
    (2, 42.0, "You know, uh, a new engine costs more than my house did."),
    (1, 48.0, "Who pays for that?"),
    (2, 50.5, "The bank does, and then you pay the bank for thirty years."),
    (1, 56.5, "Is that why the young ones leave?"),
    (2, 59.5, "Some of them. Others leave because nobody told them how good it can be."),
    (
        2,
        66.0,
        "At five in the morning, with the light coming over the wall, there is nothing like it.",
    ),
    (1, 73.5, "Would you do it again?"),
    (2, 76.0, "Every day of it."),
    (1, 79.0, "Thank you for having us, and mind the lamps on the way out."),
    (1, 84.5, "Thank you for having us. Mind the lamps on your way out, they are low."),
];

/// The codings: the code, the voice, from and to in seconds.
const CODED: [(u64, u64, f64, f64); 6] = [
    (1, 2, 21.5, 25.0),
    (2, 2, 28.5, 33.0),
    (1, 2, 28.5, 34.5),
    (1, 2, 50.5, 55.6),
    (4, 2, 66.0, 71.5),
    (3, 2, 30.0, 34.5),
];

fn words(at: f64, text: &str) -> Vec<Word> {
    let mut from = at;
    let word = |text: &str| {
        let long = 0.14 + 0.045 * text.len() as f64;
        let unsure = text.starts_with("um") || text.starts_with("uh");
        let confidence = Some(if unsure { 0.3 } else { 0.92 });
        let made =
            Word { text: text.into(), start: seconds(from), end: seconds(from + long), confidence };
        from += long + 0.05;
        made
    };
    text.split(' ').map(word).collect()
}

fn tracks(session: &mut Session) {
    let clips = [(1, 0.0, 42.0), (1, 47.0, 90.0), (2, 0.0, 41.5), (2, 47.0, 90.0)];
    for (number, name) in [(1, "Anna"), (2, "Ben")] {
        session.track_order.push(TrackId::new(number));
        session.tracks.insert(TrackId::new(number), Track::audio(name));
        session.sources.insert(SourceId::new(number), source(name));
    }
    for (index, (voice, from, to)) in (1..).zip(clips) {
        let name = if voice == 1 { "Anna" } else { "Ben" };
        let made = clip(name, TrackId::new(voice), SourceId::new(voice), from, to);
        session.clips.insert(ClipId::new(index), made);
    }
}

/// The codebook and its codings.
fn codes(session: &mut Session) {
    let under = |parent, name: &str| Code { parent: Some(CodeId::new(parent)), ..Code::new(name) };
    let description = "Anything about what things cost".to_owned();
    let all = [
        (1, Code { description, ..Code::new("Money") }),
        (2, under(1, "Rent")),
        (3, under(1, "Food")),
        (4, Code::new("Love of the sea")),
        (5, Code::new("To check")),
    ];
    session.codes.extend(all.map(|(id, code)| (CodeId::new(id), code)));
    let memo = "He always comes back to money before he says what he feels.";
    session.memos.insert(ObjectId::Code(CodeId::new(1)), memo.into());
    for (index, (code, voice, from, to)) in (100..).zip(CODED) {
        let coding = Coding::new(CodeId::new(code), None);
        let length = seconds(to - from);
        let empty = Segment::new(SourceId::new(voice), seconds(from), length);
        let made = Segment { codings: vec![coding], ..empty };
        session.segments.insert(SegmentId::new(index), made);
    }
}

fn phrase(number: usize) -> PhraseId {
    PhraseId::new(number as u64 + 1)
}

/// The session.
#[must_use]
pub fn interview() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(RATE as u32));
    tracks(&mut session);
    for (number, (voice, at, text)) in SAID.into_iter().enumerate() {
        let words = words(at, text);
        let end = words.last().map_or(Frames::ZERO, |word| word.end);
        let empty = Segment::new(SourceId::new(voice), seconds(at), end - seconds(at));
        let speaker = Some(if voice == 1 { "Anna" } else { "Ben" }.to_owned());
        let made = Segment { words, speaker, important: number == 13, ..empty };
        let id = SegmentId::new(number as u64 + 1);
        session.segments.insert(id, made);
        session.phrases.insert(phrase(number), Phrase { segments: vec![id] });
    }
    codes(&mut session);
    let order = [0, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14, 15, 17, 6, 7];
    session.assembly.order = order.map(phrase).into();
    session.assembly.removed = vec![phrase(8)];
    let takes = |phrase: &str, all: [usize; 2], chosen: usize, reason: &str| Duplicates {
        phrase: phrase.into(),
        takes: all.map(self::phrase).into(),
        chosen: self::phrase(chosen),
        reason: reason.into(),
    };
    session.assembly.duplicates = vec![
        takes("Welcome to the harbour", [0, 1], 0, "fluent; the other stumbles once"),
        takes("Thank you for having us", [16, 17], 17, "the last word is not cut off"),
    ];
    session
}

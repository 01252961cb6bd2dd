//! Whatever is typed, the planner answers, and its answer is about the session.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use deskhand_agent::{Reading, RequestKind, Vocabulary, help_suggestions};
use deskhand_dsp::{Fade, Frames, SampleRate};
use deskhand_session::{Clip, ClipId, Session, SessionId, SourceId, Track, TrackId};
use proptest::prelude::*;

/// What the tools say of themselves.
static VOCABULARY: std::sync::LazyLock<Vocabulary> = std::sync::LazyLock::new(|| {
    Vocabulary::of(&serde_json::from_str::<Vec<_>>(include_str!("vocabulary.json")).unwrap())
});

fn plan_words(words: &str, session: &Session) -> Reading {
    deskhand_agent::plan_words(words, session, &VOCABULARY)
}

/// Words that lead into every part of the planner.
const WORDS: &[&str] = &[
    "normalize",
    "mute",
    "solo",
    "undo",
    "the",
    "vocals",
    "drums",
    "track",
    "clip",
    "take",
    "2",
    "3",
    "-16",
    "LUFS",
    "dB",
    "and",
    ",",
    "but",
    "not",
    "don't",
    "except",
    "everything",
    "on",
    "of",
    "to",
    "at",
    "by",
    "1:30",
    "seconds",
    "half",
    "a",
    "minus",
    "two",
    "hundred",
    "louder",
    "down",
    "pan",
    "left",
    "hard",
    "rename",
    "\"",
    "called",
    "marker",
    "chorus",
    "add",
    "fade",
    "in",
    "out",
    "it",
    "the rest",
    "clips",
    "1,",
    "what",
    "is",
    "loudest",
    "-",
    "0",
    "99999999999999999999",
    "🥁",
    "é",
    "'",
    ".",
    "color",
    "red",
    "track_000000000001",
    "point",
    "3/0",
];

fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
    for (index, name) in ["Vocals", "Drums", "Take 2", "", "🥁", "Guitar L"].into_iter().enumerate()
    {
        let track = TrackId::new(index as u64 + 1);
        session.tracks.insert(track, Track::audio(name));
        session.track_order.push(track);
        let clip = Clip {
            name: "Take 2".into(),
            track,
            source: SourceId::new(1),
            start: Frames::ZERO,
            length: Frames(10),
            position: Frames::ZERO,
            gain: deskhand_dsp::Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: Default::default(),
            mute: false,
        };
        session.clips.insert(ClipId::new(index as u64 + 1), clip);
    }
    session
}

/// Something is always answered, targets exist, parameters are objects of finite numbers.
fn check(words: &str) {
    let session = session();
    let reading = plan_words(words, &session);
    assert!(!reading.understood.is_empty() || !reading.unclear.is_empty(), "{words:?}");
    for unclear in &reading.unclear {
        assert!(
            !unclear.suggestions.is_empty() && !unclear.reason.is_empty(),
            "{words:?}: {unclear:?}"
        );
    }
    for request in &reading.understood {
        assert!(request.targets.iter().all(|target| session.name_of(target.id) == target.name));
        if let RequestKind::Call { params, .. } = &request.kind {
            let map = params.as_object().unwrap();
            assert!(map.values().all(|value| !value.is_null()), "{words:?}: {params}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(words in "\\PC{0,300}") {
        check(&words);
    }

    #[test]
    fn any_row_of_known_words_is_answered(picks in prop::collection::vec(0..WORDS.len(), 0..60)) {
        let words: Vec<&str> = picks.iter().map(|pick| WORDS[*pick]).collect();
        check(&words.join(" "));
    }
}

#[test]
fn long_and_deep_texts_are_answered() {
    for part in [
        "clips on ",
        "all the ",
        "clip 1, 2 on ",
        "mute and ",
        "not ",
        "except ",
        "\"",
        "minus ",
        "hundred ",
        "9",
        "1:",
        "- ",
        "the ",
    ] {
        check(&part.repeat(2_000 / part.len()));
    }
}

#[test]
fn too_long_a_text_is_unclear() {
    let reading = plan_words(&"mute the drums ".repeat(200), &session());
    assert!(reading.understood.is_empty());
    assert_eq!(reading.unclear[0].reason, "it has more than 2000 characters; say it in parts");
}

#[test]
fn the_answer_as_it_is_written() {
    let words = "normalize the vocals to -16 LUFS, undo that, what's loudest? mute the tuba";
    insta::assert_json_snapshot!(plan_words(words, &session()));
}

#[test]
fn suggestions_for_any_text() {
    insta::assert_json_snapshot!([
        help_suggestions("add reverb to the vocals"),
        help_suggestions("make it slower"),
        help_suggestions("xyzzy"),
    ]);
}

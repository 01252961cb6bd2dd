//! How sure a model is of its transcription: if it hears an unknown language, it writes words anyway.

use deskhand_session::{Segment, Session, SourceId};
use std::collections::BTreeMap;

/// Below this on average, 0 to 1, a model is unsure. Announcements that people recorded: Whisper tiny has 0.90 to 0.95 in
/// English, 0.42 to 0.59 in Spanish, 0.20 to 0.42 in French, 0.14 to 0.31 in Italian, 0.09 to 0.40 in Russian.
const SURE: f64 = 0.7;
/// Of fewer words nothing is said.
const LEAST: usize = 5;

/// What languages a model knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tongues {
    English,
    /// Several languages; the language of the recording was detected or given.
    #[default]
    Many,
}

/// Warnings about recordings where the model is unsure.
pub(super) fn warnings(segments: &[Segment], tongues: Tongues, session: &Session) -> Vec<String> {
    let mut heard: BTreeMap<SourceId, Vec<f64>> = BTreeMap::new();
    for segment in segments {
        let sure = segment.words.iter().filter_map(|word| word.confidence);
        heard.entry(segment.source).or_default().extend(sure);
    }
    let unsure = heard.into_iter().filter(|(_, sure)| sure.len() >= LEAST);
    let unsure =
        unsure.map(|(source, sure)| (source, sure.iter().sum::<f64>() / sure.len() as f64));
    unsure
        .filter(|(_, mean)| *mean < SURE)
        .map(|(source, mean)| told(&session.name_of(source.into()), mean, tongues))
        .collect()
}

fn told(name: &str, mean: f64, tongues: Tongues) -> String {
    let why = match tongues {
        Tongues::English => {
            "this model knows English alone, and writes English words for other languages: if another is spoken, \
             a person installs one that knows it (`deskhand models install whisper-base`, 99 languages), then \
             transcribe with `known` \"replace\""
        }
        Tongues::Many => "if another language is spoken than was found, name it by `language`",
    };
    format!("{name}: the model is unsure of what it wrote ({mean:.2} of 1 on average); {why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::desk_at;
    use deskhand_dsp::Frames;
    use deskhand_session::Word;

    fn said(source: SourceId, sure: f64, words: usize) -> Segment {
        let word = Word {
            text: "word".into(),
            start: Frames::ZERO,
            end: Frames(1),
            confidence: Some(sure),
        };
        Segment { words: vec![word; words], ..Segment::new(source, Frames::ZERO, Frames(10)) }
    }

    #[test]
    fn who_is_unsure_says_so_with_the_way_out() {
        let mut desk = desk_at(48_000);
        let (english, other) = (desk.recording("a.wav", 100), desk.recording("b.wav", 100));
        let segments = [said(english, 0.9, 8), said(other, 0.5, 4), said(other, 0.4, 4)];
        let told = warnings(&segments, Tongues::English, &desk.session);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("b.wav: the model is unsure of what it wrote (0.45 of 1"));
        assert!(told[0].contains("`deskhand models install whisper-base`"), "{told:?}");
        let many = warnings(&segments, Tongues::Many, &desk.session);
        assert!(many[0].contains("`language`"), "{many:?}");
        assert!(warnings(&segments[..2], Tongues::English, &desk.session).is_empty(), "few words");
    }
}

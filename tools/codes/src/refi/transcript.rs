//! A transcript as the plain text of a file, with the place of each word in it.

use crate::text::Talk;
use std::ops::Range;

/// A text of a line a turn: "Ann: The money went." Positions count Unicode characters from 0, as REFI-QDA does.
pub(super) struct Script {
    pub(super) text: String,
    /// Where each word begins and ends.
    pub(super) words: Vec<Range<usize>>,
}

impl Script {
    pub(super) fn new(talk: &Talk<'_>) -> Self {
        let (mut text, mut words, mut at) = (String::new(), Vec::new(), 0);
        let mut add = |piece: &str, text: &mut String| {
            let from = at;
            text.push_str(piece);
            at += piece.chars().count();
            from..at
        };
        for turn in &talk.turns {
            if let Some(speaker) = talk.said.speaker(turn.start) {
                add(speaker, &mut text);
                add(": ", &mut text);
            }
            for (index, word) in
                talk.words().get(turn.clone()).unwrap_or_default().iter().enumerate()
            {
                if index > 0 {
                    add(" ", &mut text);
                }
                words.push(add(&word.text, &mut text));
            }
            add("\n", &mut text);
        }
        Self { text, words }
    }
}

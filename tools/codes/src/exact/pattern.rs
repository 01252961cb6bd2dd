//! Finding a text among words: word by word, as a piece of the running text, or as a regular expression.
//!
//! A regular expression runs in time linear in the text for each match (it never backtracks); its program is limited
//! in size and it sees the text in pieces, so that no pattern takes long.

use super::MatchType;
use crate::text::Talk;
use deskhand_toolkit::{Code, ToolError, text};
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::ops::Range;

/// The most bytes of text that a regular expression sees at once: about ten minutes of speech.
const PIECE_BYTES: usize = 8_000;
/// The most bytes of the program of a regular expression. `\w` knows the letters of all scripts, so that patterns of
/// every day, such as `money(\W+\w+){0,10}\W+rent`, take much.
const PROGRAM_BYTES: usize = 4 << 20;
/// The most bytes that it may take while it runs.
const RUN_BYTES: usize = 4 << 20;
/// How deep a regular expression may nest.
const NESTED: u32 = 50;
/// Marks between the parts of a word.
const HYPHENS: [char; 3] = ['-', '–', '—'];
/// How many words are looked at between two looks at whether to stop.
const LOOK: usize = 4_096;

/// Whether capitals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Counts,
    Ignored,
}

impl Case {
    pub(super) fn of(ignored: bool) -> Self {
        if ignored { Self::Ignored } else { Self::Counts }
    }
}

/// Where a match may begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Anywhere,
    WithWords,
}

impl Ends {
    pub(super) fn of(whole_word: bool) -> Self {
        if whole_word { Self::WithWords } else { Self::Anywhere }
    }
}

/// A search pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    kind: Kind,
    case: Case,
    ends: Ends,
}

#[derive(Debug)]
enum Kind {
    /// Words without the punctuation around them.
    Words(Vec<Part>, Fit),
    /// A piece of the running text.
    Text(String),
    Regex(Box<Regex>),
}

/// A word, or a part of one between hyphens: "cold-hearted" may be written as two words, and as one.
#[derive(Debug)]
struct Part {
    text: String,
    /// The number of the word.
    word: usize,
    /// Whether a hyphen comes before it, so that it may join the previous part.
    is_joined: bool,
}

impl Part {
    /// The parts of a plain word.
    fn all(word: usize, plain: &str) -> Vec<Self> {
        let texts = plain.split(HYPHENS).filter(|text| !text.is_empty()).enumerate();
        texts.map(|(n, text)| Self { text: text.to_owned(), word, is_joined: n > 0 }).collect()
    }
}

/// How much of a word must fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Whole,
    /// The start of the last word.
    Start,
    /// The end of the first word.
    End,
}

/// Called now and then: whether to go on.
pub(super) type GoOn<'a> = dyn FnMut() -> Result<(), ToolError> + 'a;

impl Pattern {
    /// # Errors
    /// When the text holds nothing to look for, or is no regular expression.
    pub(super) fn new(
        text: &str,
        kind: MatchType,
        case: Case,
        ends: Ends,
    ) -> Result<Self, ToolError> {
        let fit = |fit: Fit| if ends == Ends::WithWords { Fit::Whole } else { fit };
        let kind = match kind {
            MatchType::Exact => Kind::Words(tokens(text, case)?, Fit::Whole),
            MatchType::StartsWith => Kind::Words(tokens(text, case)?, fit(Fit::Start)),
            MatchType::EndsWith => Kind::Words(tokens(text, case)?, fit(Fit::End)),
            MatchType::Contains => Kind::Text(folded(&spaced(text)?, case).into_owned()),
            MatchType::Regex => Kind::Regex(Box::new(regex(text, case)?)),
        };
        Ok(Self { kind, case, ends })
    }

    /// The words of each match, in order. No match begins with one speaker and continues with another who
    /// speaks earlier.
    ///
    /// # Errors
    /// When `go_on` says so.
    pub(super) fn find(
        &self,
        talk: &Talk<'_>,
        go_on: &mut GoOn<'_>,
    ) -> Result<Vec<Range<usize>>, ToolError> {
        let mut found = self.find_anywhere(talk, go_on)?;
        found.retain(|range| talk.goes_on(range));
        Ok(found)
    }

    fn find_anywhere(
        &self,
        talk: &Talk<'_>,
        go_on: &mut GoOn<'_>,
    ) -> Result<Vec<Range<usize>>, ToolError> {
        match &self.kind {
            Kind::Words(wanted, fit) => self.find_words(talk, wanted, *fit, go_on),
            Kind::Text(wanted) => {
                // Of running text a line end is a space like others: a piece of it goes on into the next turn.
                let text = Running::new(talk, 0..talk.words().len(), self.case, ' ');
                let mut found = Vec::new();
                for (at, piece) in text.text.match_indices(wanted.as_str()) {
                    found.extend(self.checked(&text, at..at + piece.len()));
                }
                go_on()?;
                Ok(found)
            }
            Kind::Regex(regex) => self.find_regex(talk, regex, go_on),
        }
    }

    fn find_words(
        &self,
        talk: &Talk<'_>,
        wanted: &[Part],
        fit: Fit,
        go_on: &mut GoOn<'_>,
    ) -> Result<Vec<Range<usize>>, ToolError> {
        // Words of only punctuation have no parts and never prevent a match.
        let plain = talk.words().iter().map(|word| plain(&word.text, self.case)).enumerate();
        let said: Vec<Part> = plain.flat_map(|(at, word)| Part::all(at, &word)).collect();
        let mut found = Vec::new();
        for (start, first) in said.iter().enumerate() {
            if start % LOOK == 0 {
                go_on()?;
            }
            let may_begin = !first.is_joined || fit == Fit::End;
            let own = said.get(start..).filter(|_| may_begin);
            let last = own.and_then(|own| fitting(own, wanted, fit));
            found.extend(last.map(|last| first.word..last + 1));
        }
        // The end of a word that has several parts is found from each of them on.
        found.dedup();
        Ok(found)
    }

    fn find_regex(
        &self,
        talk: &Talk<'_>,
        regex: &Regex,
        go_on: &mut GoOn<'_>,
    ) -> Result<Vec<Range<usize>>, ToolError> {
        let mut found = Vec::new();
        for piece in pieces(talk) {
            let text = Running::new(talk, piece, Case::Counts, '\n');
            for one in regex.find_iter(&text.text) {
                // Each match may have read the whole piece.
                go_on()?;
                found.extend(self.checked(&text, one.range()));
            }
            go_on()?;
        }
        Ok(found)
    }

    /// A match as words; `None` for an empty one, or one that does not end at word borders where it must.
    fn checked(&self, text: &Running, bytes: Range<usize>) -> Option<Range<usize>> {
        let said = text.text.get(bytes.clone())?;
        if said.trim().is_empty() {
            return None;
        }
        if self.ends == Ends::WithWords {
            let before = text.text.get(..bytes.start)?.chars().next_back();
            let after = text.text.get(bytes.end..)?.chars().next();
            let cuts = |inside: Option<char>, outside: Option<char>| {
                inside.is_some_and(is_letter) && outside.is_some_and(is_letter)
            };
            let cut = cuts(said.chars().next(), before) || cuts(said.chars().next_back(), after);
            if cut {
                return None;
            }
        }
        let lead = said.len() - said.trim_start().len();
        let tail = said.len() - said.trim_end().len();
        Some(text.words(bytes.start + lead..bytes.end - tail))
    }
}

/// Words as one text, with a space between two and another sign between turns.
struct Running {
    text: String,
    /// Where each word starts.
    starts: Vec<usize>,
    /// The number of the first word.
    first: usize,
}

impl Running {
    fn new(talk: &Talk<'_>, range: Range<usize>, case: Case, between: char) -> Self {
        let mut text = String::new();
        let mut starts = Vec::with_capacity(range.len());
        let mut turn = talk.turns.partition_point(|turn| turn.end <= range.start);
        for at in range.clone() {
            let new_turn = talk.turns.get(turn).is_some_and(|turn| at >= turn.end);
            turn += usize::from(new_turn);
            if at > range.start {
                text.push(if new_turn { between } else { ' ' });
            }
            starts.push(text.len());
            let word = talk.words().get(at).map_or("", |word| word.text.as_str());
            text.push_str(&folded(word, case));
        }
        Self { text, starts, first: range.start }
    }

    /// The words that bytes lie in.
    fn words(&self, bytes: Range<usize>) -> Range<usize> {
        let start = self.starts.partition_point(|start| *start <= bytes.start).saturating_sub(1);
        let end = self.starts.partition_point(|start| *start < bytes.end).max(start + 1);
        self.first + start..self.first + end
    }
}

/// Runs of words of at most [`PIECE_BYTES`], cut between turns where one is near, else between sentences, else
/// between words.
fn pieces(talk: &Talk<'_>) -> Vec<Range<usize>> {
    let bytes = |range: &Range<usize>| -> usize {
        talk.words()
            .get(range.clone())
            .unwrap_or_default()
            .iter()
            .map(|word| word.text.len() + 1)
            .sum()
    };
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let (mut start, mut size) = (0, 0);
    for sentence in talk.sentences.iter().flat_map(|sentence| short(talk, sentence)) {
        let own = bytes(&sentence);
        let is_turn = talk.turns.binary_search_by_key(&sentence.start, |turn| turn.start).is_ok();
        if size + own > PIECE_BYTES || (is_turn && size > PIECE_BYTES / 2) {
            pieces.push(start..sentence.start);
            (start, size) = (sentence.start, 0);
        }
        size += own;
    }
    pieces.push(start..talk.words().len());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// A sentence, in parts where it is longer than a piece.
fn short(talk: &Talk<'_>, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut size) = (Vec::new(), sentence.start, 0);
    for at in sentence.clone() {
        let own = talk.words().get(at).map_or(0, |word| word.text.len() + 1);
        if size + own > PIECE_BYTES && at > start {
            parts.push(start..at);
            (start, size) = (at, 0);
        }
        size += own;
    }
    parts.push(start..sentence.end);
    parts
}

fn regex(text: &str, case: Case) -> Result<Regex, ToolError> {
    let built = RegexBuilder::new(&text::composed(text))
        .case_insensitive(case == Case::Ignored)
        .multi_line(true)
        .size_limit(PROGRAM_BYTES)
        .dfa_size_limit(RUN_BYTES)
        .nest_limit(NESTED)
        .build();
    built.map_err(|error| {
        let (why, fix) = match &error {
            regex::Error::CompiledTooBig(_) => (
                "it is too big".to_owned(),
                "repeat less often, such as {0,10} in the place of {0,1000}, or write [a-z] in the place of \\w",
            ),
            other => (
                other.to_string().lines().last().unwrap_or_default().trim().to_owned(),
                "use Rust's regular expressions, without look-around and back references",
            ),
        };
        let message = format!("{text:?} is no regular expression that can be used: {why}");
        ToolError::prepare(Code::BadParams, message, fix)
    })
}

/// The last word that is found where these parts begin with those that are wanted; whole words, whatever hyphens are in
/// them.
fn fitting(said: &[Part], wanted: &[Part], fit: Fit) -> Option<usize> {
    let (mut have, mut want) = (0, 0);
    while want < wanted.len() {
        let is_first = want == 0;
        let (mut own, mut other) = (said.get(have)?.text.clone(), wanted.get(want)?.text.clone());
        (have, want) = (have + 1, want + 1);
        while !fits(&own, &other, fit, [is_first, want == wanted.len()]) {
            // The shorter of them continues after its hyphen, as if there were none.
            let (text, parts, at) = match own.len() < other.len() {
                true => (&mut own, said, &mut have),
                false => (&mut other, wanted, &mut want),
            };
            let next =
                parts.get(*at).filter(|next| next.is_joined && !is_span(text, &next.text))?;
            text.push_str(&next.text);
            *at += 1;
        }
    }
    let last = said.get(have.checked_sub(1)?)?.word;
    let goes_on = said.get(have).is_some_and(|part| part.is_joined);
    (fit == Fit::Start || !goes_on).then_some(last)
}

/// Whether a hyphen joins two numbers: "2-3" is not 23.
fn is_span(one: &str, other: &str) -> bool {
    one.ends_with(char::is_numeric) && other.starts_with(char::is_numeric)
}

/// Whether the spoken part fits the wanted one, which is the first or the last part of the pattern.
fn fits(have: &str, want: &str, fit: Fit, [is_first, is_last]: [bool; 2]) -> bool {
    match fit {
        Fit::Start if is_last => have.starts_with(want),
        Fit::End if is_first => have.ends_with(want),
        Fit::Whole | Fit::Start | Fit::End => have == want,
    }
}

/// The words of a text as they are compared.
fn tokens(text: &str, case: Case) -> Result<Vec<Part>, ToolError> {
    let words = text.split_whitespace().map(|word| plain(word, case)).enumerate();
    let words: Vec<Part> = words.flat_map(|(at, word)| Part::all(at, &word)).collect();
    if words.is_empty() {
        let message = format!("{text:?} holds no words");
        let fix = "give words, or look for signs with match_type contains";
        return Err(ToolError::prepare(Code::BadParams, message, fix));
    }
    Ok(words)
}

/// A word without the punctuation around it. Inner marks other than hyphens are part of it: "I'll" is not
/// "ill", "U.S." not "us".
fn plain(word: &str, case: Case) -> String {
    let signs = folded(word, case);
    let signs = signs.trim_matches(|c| !is_letter(c)).chars().map(|c| match c {
        '‘' | '’' | 'ʼ' => '\'',
        '‐' | '‑' => '-',
        other => other,
    });
    signs.collect()
}

/// One space between words, and no outer space.
fn spaced(text: &str) -> Result<String, ToolError> {
    let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if spaced.is_empty() {
        return Err(ToolError::prepare(Code::BadParams, "the text is empty", "give some text"));
    }
    Ok(spaced)
}

/// A text in a form for comparison.
fn folded(text: &str, case: Case) -> Cow<'_, str> {
    match case {
        Case::Counts => text::composed(text),
        Case::Ignored => Cow::Owned(text::folded(text)),
    }
}

/// A combining accent is a character of its own, after its letter.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c)
}

//! Whole sentences about words, takes, codes and deliveries of an edit: "find where she says budget", "put the intro
//! last", "export the edit as otio". What they hold is free text, codes and phrases, so each is held against
//! patterns as a whole; a sentence that fits none is read clause by clause as all others.

mod advice;
mod amounts;
mod build;
mod choose;
mod classes;
mod clip_edges;
pub(crate) mod codes;
mod complaints;
mod correct;
mod delivery;
mod desk_table;
mod edit_table;
mod gone;
mod hear;
mod job;
mod joints;
mod kinds;
mod meaning;
mod moves;
mod order;
mod pattern;
mod placed;
mod plain_table;
mod pointer;
mod said;
mod selected;
mod spoken;
mod stems;
mod table;
mod takes;
mod transcripts;
mod transport;
mod wanted;
mod word_cut;
mod written;

use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
use crate::numbers::number_at;
use crate::resolve::{Context, Trouble};
use crate::times::time_at;
use deskhand_session::Session;
pub(crate) use job::Job;
pub(crate) use meaning::{Meaning, meaning};
use pattern::Pattern;
pub(crate) use placed::phrases_of;
use said::Said;
pub(crate) use said::source_of;
pub(crate) use spoken::is_named;
use spoken::{Pointed, is_said, pointed, several};
use std::sync::LazyLock;
use table::TABLE;

/// What people say while they think.
const FILLERS: &[&str] = &[
    "um",
    "ums",
    "umms",
    "uh",
    "uhs",
    "uhm",
    "uhms",
    "er",
    "ers",
    "erm",
    "erms",
    "ah",
    "ahs",
    "filler",
    "fillers",
    "hesitations",
    "umming",
    "errs",
    "hmm",
    "hmms",
];

/// Words that say nothing around a sentence.
const POLITE: &[&[&str]] = &[
    &["please"],
    &["pls"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["i", "want", "you", "to"],
    &["i", "would", "like", "you", "to"],
    &["let", "us"],
    &["go", "ahead", "and"],
    &["now"],
    &["ok"],
    &["okay"],
    &["thanks"],
    &["just"],
    &["for", "me"],
    &["i", "am", "happy", "with", "it"],
    &["i", "am", "happy", "with", "this"],
    &["great"],
    &["perfect"],
    &["good"],
    &["alright"],
    &["all", "right"],
];

/// Those of them that are also wished for.
const PRAISE: [&str; 3] = ["great", "perfect", "good"];

/// Every pattern with what it asks for.
static PATTERNS: LazyLock<Vec<(Job, Pattern)>> = LazyLock::new(|| {
    let rows = edit_table::TABLE.iter().chain(desk_table::TABLE).chain(TABLE);
    let rows = rows.chain(plain_table::TABLE);
    rows.flat_map(|(job, texts)| texts.iter().map(|text| (*job, Pattern::read(text)))).collect()
});

/// The words of a slot: first token, and the one behind the last.
pub(crate) type Slot = (&'static str, usize, usize);

/// A sentence that fits.
pub(crate) struct Sentence {
    job: Job,
    slots: Vec<Slot>,
}

impl Sentence {
    /// The first pattern that all of these tokens fit. Words such as "the intro" are phrases only where there are
    /// any.
    pub(crate) fn of(tokens: &[Token], session: &Session) -> Option<Self> {
        let (from, to) = without_politeness(tokens);
        let inner = tokens.get(from..to).filter(|inner| !inner.is_empty())?;
        let fit = |job: &Job| !job.needs_assembly() || !session.assembly.is_empty();
        PATTERNS.iter().filter(|(job, _)| fit(job)).find_map(|(job, pattern)| {
            let slots = pattern.fit(inner, &|slot, tokens| takes(slot, tokens, session))?;
            let moved = |(name, a, b): Slot| (name, a + from, b + from);
            Some(Self { job: *job, slots: slots.into_iter().map(moved).collect() })
        })
    }

    /// Whether tokens would be a sentence about phrases, such as "put the intro last", if any were in order.
    pub(crate) fn awaits_phrases(tokens: &[Token], session: &Session) -> bool {
        let (from, to) = without_politeness(tokens);
        let inner = tokens.get(from..to).unwrap_or_default();
        let is_phrase = |part: &[Token]| {
            let is_quote = matches!(part, [Token { kind: TokenKind::Quote(_), .. }]);
            !is_quote && pointed(part) != Pointed::No
        };
        let fair = |slot: &str, tokens: &[Token]| match slot {
            "p" | "q" | "r" | "other" => several(tokens).into_iter().all(is_phrase),
            _ => takes(slot, tokens, session),
        };
        let is_meant = |(job, pattern): &(Job, Pattern)| {
            pattern.fit(inner, &fair).is_some_and(|slots| {
                job.needs_assembly() || slots.iter().any(|slot| matches!(slot.0, "p" | "q" | "r"))
            })
        };
        !inner.is_empty() && session.assembly.is_empty() && PATTERNS.iter().any(is_meant)
    }

    /// The places in the text of what it works on.
    pub(crate) fn open(&self, tokens: &[Token]) -> impl Iterator<Item = (usize, usize)> {
        let names_something = |slot: &&Slot| {
            matches!(slot.0, "on" | "who" | "ref" | "code" | "known" | "into" | "p" | "q" | "r")
        };
        let slots = self.slots.iter().filter(names_something);
        slots.filter_map(|(_, from, to)| {
            Some((tokens.get(*from)?.start, tokens.get(to.checked_sub(1)?)?.end))
        })
    }

    /// Whether it is what no tool does.
    pub(crate) fn is_advice(&self) -> bool {
        matches!(self.job, Job::Advice(_))
    }

    /// What it asks for, against the session.
    pub(crate) fn draft(&self, context: &Context<'_>) -> Result<Vec<Draft>, Trouble> {
        build::build(self.job, &Said { slots: &self.slots, context })
    }
}

/// Whether a slot takes tokens: some take only what they are for.
// tidy: table
fn takes(slot: &str, tokens: &[Token], session: &Session) -> bool {
    match slot {
        "p" | "q" | "r" | "other" if kinds::ask_which(tokens) => false,
        "p" | "q" => several(tokens).into_iter().all(|part| match pointed(part) {
            _ if kinds::speaker(part, session).is_some() => true,
            Pointed::No => is_said(part, session),
            Pointed::Perhaps => !session.phrases.is_empty(),
            Pointed::Plainly => true,
        }),
        "code" => !is_nothing(tokens) || codes::is_code(tokens, session),
        "text" => !is_nothing(tokens),
        "old" | "instead" => !is_nothing(tokens) && correct::are_words(tokens),
        "plain" => pointed(tokens) == Pointed::Plainly,
        "unsaid" => correct::is_unsaid(tokens, session),
        "r" => are_phrases(tokens, session),
        "other" => takes("p", tokens, session),
        "take" => choose::is_take(tokens, session),
        "gone" => gone::is_gone(tokens),
        "nth" | "steps" => spoken::number_of(tokens).is_some(),
        "voice" => transcripts::voice(tokens, session).is_some(),
        "stranger" => transcripts::is_stranger(tokens, session),
        "foreign" => written::is_format(slot, tokens),
        "known" => codes::is_known(tokens, session),
        "habit" => word_cut::is_habit(tokens),
        "few" => word_cut::is_part(tokens, session),
        "fillers" => is_filler(tokens),
        "order" => order::is_order(tokens),
        "stems" => stems::are_stems(tokens),
        "n" | "m" => {
            let ends = |end: usize| end == tokens.len();
            number_at(tokens, 0).is_some_and(|(_, end)| ends(end))
                || time_at(tokens, 0).is_some_and(|(_, end)| ends(end))
        }
        "who" => transcripts::is_somebody(tokens),
        "since" | "till" => codes::is_time(tokens),
        "span" => codes::is_span(tokens),
        "from" | "to" => time_at(tokens, 0).is_some_and(|(_, end)| end == tokens.len()),
        "len" => amounts::is_length(tokens),
        "db" => amounts::decibels(tokens).is_some(),
        "flaw" | "wish" | "nuisance" => complaints::is_known(slot, tokens),
        "ending" => delivery::is_ending(tokens),
        // "Make the sound warmer" is about the sound.
        "on" => !matches!(tokens, [only] if only.is("the") || only.is("my")),
        "quote" | "quoted" => matches!(tokens, [Token { kind: TokenKind::Quote(_), .. }]),
        _ => true,
    }
}

/// Whether tokens are phrases where other things are meant as well; beside one that is plainly a phrase "the intro" is
/// one.
fn are_phrases(tokens: &[Token], session: &Session) -> bool {
    let parts = several(tokens);
    let is_list = parts.iter().any(|part| pointed(part) == Pointed::Plainly);
    parts.into_iter().all(|part| match pointed(part) {
        _ if is_all_beyond(part) => false,
        _ if kinds::speaker(part, session).is_some() => true,
        Pointed::Plainly => true,
        Pointed::Perhaps => is_list || spoken::is_phrase_here(part, session),
        Pointed::No => spoken::is_only_said(part, session),
    })
}

/// "everything after the money sentence": what is beyond a phrase is no phrase.
fn is_all_beyond(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).and_then(Token::word).unwrap_or_default();
    matches!(word(0), "everything" | "all" | "anything")
        && matches!(word(1), "after" | "behind" | "following" | "before" | "past" | "beyond")
}

/// Whether tokens are one word that needs another behind it.
fn is_nothing(tokens: &[Token]) -> bool {
    const OPEN: &[&str] =
        &["the", "a", "an", "all", "every", "each", "any", "some", "as", "with", "of", "it"];
    matches!(tokens, [only] if only.word().is_some_and(|word| OPEN.contains(&word)))
}

/// "ums", "filler words", "ums and uhs".
fn is_filler(tokens: &[Token]) -> bool {
    let mut words = tokens.iter().map(|token| token.word().unwrap_or_default());
    let known = |word: &str| FILLERS.contains(&word) || matches!(word, "and" | "words" | "sounds");
    FILLERS.contains(&words.clone().next().unwrap_or_default()) && words.all(known)
}

/// Whether tokens only say what is wrong: "it's too quiet".
pub(crate) fn is_remark(tokens: &[Token]) -> bool {
    complaints::is_remark(tokens)
}

/// The requests among tokens, as far as sentences hold them apart.
pub(crate) fn parts(tokens: &[Token]) -> Vec<std::ops::Range<usize>> {
    joints::parts(tokens)
}

/// Where the sentence itself begins and ends.
fn without_politeness(tokens: &[Token]) -> (usize, usize) {
    let (mut from, mut to) = (0, tokens.len());
    let is = |at: usize, words: &[&str]| {
        words.iter().enumerate().all(|(i, word)| tokens.get(at + i).is_some_and(|it| it.is(word)))
    };
    let ends = |token: &Token| matches!(token.kind, TokenKind::Stop | TokenKind::Comma);
    // "Make it sound good" praises nothing.
    let may_end = |words: &[&str], at: usize| {
        let is_praise = words.first().is_some_and(|word| PRAISE.contains(word));
        !is_praise || at.checked_sub(1).and_then(|it| tokens.get(it)).is_some_and(ends)
    };
    loop {
        let before = (from, to);
        while from < to && ends(&tokens[from]) {
            from += 1;
        }
        while to > from && ends(&tokens[to - 1]) {
            to -= 1;
        }
        for words in POLITE {
            if from + words.len() < to && is(from, words) {
                from += words.len();
            }
            let at = to.saturating_sub(words.len());
            if to - from > words.len() && is(at, words) && may_end(words, at) {
                to = at;
            }
        }
        if before == (from, to) {
            return before;
        }
    }
}

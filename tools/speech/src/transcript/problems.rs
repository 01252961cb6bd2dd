//! The problems of a file and how each was handled: one list, with the numbers of the lines.

use super::Place;
use super::error::TranscriptError;
use super::lines::shown;
use std::collections::BTreeMap;
use std::fmt::Write;

/// At most this many places are shown with their text.
const WITH_TEXT: usize = 10;
/// At most this many places of each kind are listed.
const LISTED: usize = 200;

/// How a problem was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The rest of the file cannot be read.
    Broken,
    /// It is no JSON; the text after it was read.
    Skipped,
    /// Letters are shown as "\u{fffd}".
    Letters,
    /// Above the first time of the file.
    Heading,
    NoTimes,
    /// It ends where or before it starts.
    NoLength,
    /// It starts after the end of the recording.
    Outside,
    /// It ends after the end of the recording, or starts before 0.
    Clamped,
    /// It came before one that starts earlier.
    Sorted,
    /// It has no time of its own.
    Untimed,
    /// A blank line was inside a phrase.
    BlankLine,
    /// It ended after the start of the next phrase.
    Shortened,
    /// It was said at the same time as another of the same speaker.
    Joined,
    /// Times of words did not fit.
    Words,
    /// Words were longer than a session takes, or had control characters.
    LongWords,
    /// A phrase had more words than a session takes.
    LongPhrase,
    /// There are more phrases than a session takes.
    TooMany,
    /// There are more speakers than a session takes.
    Speakers,
}

impl Kind {
    /// The messages for one place and for several.
    // tidy: table
    fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Broken => (
                "The file breaks off here, and only what comes before was read",
                "The file breaks off in {} places, and only what comes before was read",
            ),
            Self::Skipped => (
                "1 place is not valid JSON and was skipped",
                "{} places are not valid JSON and were skipped",
            ),
            Self::Letters => (
                "1 line has letters that cannot be read",
                "{} lines have letters that cannot be read",
            ),
            Self::Heading => (
                "1 line above the first time is left out",
                "{} lines above the first time are left out",
            ),
            Self::NoTimes => (
                "1 phrase has no time that can be read and is left out",
                "{} phrases have no time that can be read and are left out",
            ),
            Self::NoLength => (
                "1 phrase takes no time and is left out",
                "{} phrases take no time and are left out",
            ),
            Self::Outside => (
                "1 phrase starts after the end of the recording and is left out",
                "{} phrases start after the end of the recording and are left out",
            ),
            Self::Clamped => (
                "1 phrase reaches out of the recording and is shortened to it",
                "{} phrases reach out of the recording and are shortened to it",
            ),
            Self::Sorted => (
                "1 phrase is not in the order of time and was sorted",
                "{} phrases are not in the order of time and were sorted",
            ),
            Self::Untimed => (
                "1 line has no time and shares that of the phrase above it",
                "{} lines have no time and share that of the phrase above them",
            ),
            Self::BlankLine => (
                "1 blank line is inside a phrase, whose parts were joined",
                "{} blank lines are inside phrases, whose parts were joined",
            ),
            Self::Shortened => (
                "1 phrase overlaps the next and now ends where that starts",
                "{} phrases overlap the next and now end where that starts",
            ),
            Self::Joined => (
                "1 phrase overlaps another of the same or an unknown speaker and was joined with it",
                "{} phrases overlap others of the same or an unknown speaker and were joined with them",
            ),
            Self::Words => (
                "1 phrase has times of words that do not fit, which were estimated",
                "{} phrases have times of words that do not fit, which were estimated",
            ),
            Self::LongWords => (
                "1 phrase has words over 200 letters or control characters, which were cut",
                "{} phrases have words over 200 letters or control characters, which were cut",
            ),
            Self::LongPhrase => (
                "1 phrase is too long and was cut into several",
                "{} phrases are too long and were cut into several",
            ),
            Self::TooMany => (
                "1 phrase is over the limit of 200,000 and is left out",
                "{} phrases are over the limit of 200,000 and are left out",
            ),
            Self::Speakers => (
                "1 phrase is of a speaker over the limit of 1,000, who is not named",
                "{} phrases are of speakers over the limit of 1,000, who are not named",
            ),
        }
    }

    /// What to do where nothing is left of a file.
    fn way_out(self) -> &'static str {
        match self {
            Self::Outside => "is it the transcript of another recording?",
            Self::NoTimes | Self::Heading => "a time looks like 00:00:01,000 --> 00:00:02,500",
            Self::Broken => "is it a whole file of this format?",
            _ => "correct the file",
        }
    }
}

/// Something that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub place: Place,
    /// The problem, and how it was handled.
    pub kind: Kind,
    /// The beginning of the text there.
    pub text: String,
}

impl Problem {
    pub(super) fn at(place: impl Into<Place>, kind: Kind, text: &str) -> Self {
        Self { place: place.into(), kind, text: shown(text) }
    }
}

/// The list in its displayed form: a sentence for each kind with all of its places.
pub(crate) fn listed(problems: &[Problem]) -> Vec<String> {
    let mut kinds: BTreeMap<Kind, Vec<&Problem>> = BTreeMap::new();
    for problem in problems {
        kinds.entry(problem.kind).or_default().push(problem);
    }
    kinds.into_iter().map(|(kind, places)| sentence(kind, places)).collect()
}

fn sentence(kind: Kind, mut places: Vec<&Problem>) -> String {
    places.sort_by_key(|one| (one.place.line, one.place.segment));
    places.dedup_by_key(|one| one.place);
    let (one, several) = kind.told();
    let mut told = match places.len() {
        1 => one.to_owned(),
        count => several.replace("{}", &count.to_string()),
    };
    let has_text = places.len() <= WITH_TEXT;
    for (at, problem) in places.iter().take(LISTED).enumerate() {
        told += if at == 0 { ": " } else { ", " };
        // Writing to a string does not fail.
        let _written = write!(told, "{}", problem.place);
        if has_text && !problem.text.is_empty() {
            let _written = write!(told, " (\"{}\")", problem.text);
        }
    }
    if places.len() > LISTED {
        let _written = write!(told, " and {} more", places.len() - LISTED);
    }
    if kind == Kind::Outside {
        told += ". Is it the transcript of another recording?";
    }
    told
}

/// Why nothing of a file can be used: its most frequent problem.
pub(super) fn nothing_left(problems: &[Problem]) -> Option<TranscriptError> {
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    for problem in problems {
        *kinds.entry(problem.kind).or_default() += 1;
    }
    let (kind, count) =
        kinds.into_iter().max_by_key(|(kind, count)| (*count, std::cmp::Reverse(*kind)))?;
    let first = problems.iter().find(|problem| problem.kind == kind)?;
    let (one, several) = kind.told();
    let told = if count == 1 { one.to_owned() } else { several.replace("{}", &count.to_string()) };
    let problem = format!("nothing in the file can be used: {told}");
    Some(TranscriptError::at(first.place, problem, kind.way_out()))
}

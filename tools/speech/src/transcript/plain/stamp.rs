//! Finds the place of the time in a line: in brackets or bare, before the text or next to the speaker's
//! name. Time and name may also have a line of their own. A time without brackets may be part of the text,
//! so several lines must have one.

use super::super::problems::{Kind, Problem};
use super::super::{Micros, names};
use std::collections::{BTreeMap, BTreeSet};

/// Marks between two times.
const DASHES: [&str; 3] = ["-->", "\u{2013}", "-"];

/// What a line says of its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    Both(Micros, Micros),
    Start(Micros),
    None,
}

/// A line with its time, and with the speaker if the name comes before the time.
pub(super) struct Stamp<'a> {
    pub(super) clock: Clock,
    pub(super) name: Option<&'a str>,
    pub(super) text: &'a str,
}

/// How a line has a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `[00:00:01] text`.
    Brackets,
    /// `00:00:01 text`, or a name above its text.
    Bare,
    /// `Name (00:00:01): text`, or no text after it.
    Named,
    /// `Name 0:01`.
    Heading,
}

/// A line that may have a time.
struct Found<'a> {
    form: Form,
    /// `None` if it only looks like one.
    clock: Option<Clock>,
    name: Option<&'a str>,
    text: &'a str,
}

/// The times of the lines of a file, given with their numbers and without outer blanks. A line with an
/// invalid time counts as a line without one, and is noted.
pub(super) fn stamps<'a>(
    lines: &[(usize, &'a str)],
    problems: &mut Vec<Problem>,
) -> Vec<Stamp<'a>> {
    let found: Vec<Option<Found<'a>>> = lines.iter().map(|&(_, line)| found(line)).collect();
    let meant = Meant::of(&found);
    let are_above = are_names_above(lines, &found);
    let stamps = lines.iter().zip(found).map(|(&(number, line), found)| {
        let found = found.filter(|one| meant.holds(one));
        match found {
            Some(Found { form: Form::Bare, clock: Some(clock), text, .. }) if are_above => {
                Stamp { clock, name: Some(text), text: "" }
            }
            Some(Found { clock: Some(clock), name, text, .. }) => Stamp { clock, name, text },
            Some(_) => {
                problems.push(Problem::at(number, Kind::Untimed, line));
                Stamp { clock: Clock::None, name: None, text: line }
            }
            None => Stamp { clock: Clock::None, name: None, text: line },
        }
    });
    stamps.collect()
}

/// Which lines of a file have a time, and not only a clock among their words.
struct Meant<'a> {
    are_bare: bool,
    are_named: bool,
    /// How often each name comes before a time.
    names: BTreeMap<&'a str, usize>,
}

impl<'a> Meant<'a> {
    fn of(found: &[Option<Found<'a>>]) -> Self {
        let forms = || found.iter().flatten().map(|one| one.form);
        let bare = forms().filter(|form| *form == Form::Bare).count();
        let named = forms().filter(|form| matches!(form, Form::Named | Form::Heading)).count();
        let first = found.first().and_then(Option::as_ref).map(|one| one.form);
        let mut names = BTreeMap::new();
        for name in found.iter().flatten().filter_map(|one| one.name) {
            *names.entry(name).or_default() += 1;
        }
        let are_bare = bare > 1 && (first == Some(Form::Bare) || bare * 2 >= found.len());
        Self { are_bare, are_named: named > 1 || named == found.len(), names }
    }

    fn holds(&self, one: &Found<'_>) -> bool {
        let times = || one.name.and_then(|name| self.names.get(name)).copied();
        match one.form {
            Form::Brackets => true,
            Form::Bare => self.are_bare,
            Form::Named => self.are_named,
            Form::Heading => self.are_named && (is_short(one.name) || times() > Some(1)),
        }
    }
}

/// Whether each bare time comes before a name above its text: `0:01 - Anna`. Without the dash, each name
/// must come more than once.
fn are_names_above(lines: &[(usize, &str)], found: &[Option<Found<'_>>]) -> bool {
    let is_bare = |one: &&Found<'_>| one.form == Form::Bare;
    let bare = found.iter().enumerate();
    let bare = bare.filter_map(|(at, one)| Some((at, one.as_ref().filter(is_bare)?.text)));
    let bare: Vec<(usize, &str)> = bare.collect();
    let is_above = |at: usize| !matches!(found.get(at + 1), Some(Some(_)));
    let is_dashed = |at: usize| {
        let second = lines.get(at).and_then(|(_, line)| line.split_whitespace().nth(1));
        second.is_some_and(|dash| DASHES.contains(&dash))
    };
    let different: BTreeSet<&str> = bare.iter().map(|(_, name)| *name).collect();
    bare.iter().all(|(at, name)| is_name(name) && is_above(*at))
        && (bare.iter().all(|(at, _)| is_dashed(*at)) || different.len() < bare.len())
}

/// Whether a text is a name as names are written, and no sentence.
fn is_name(text: &str) -> bool {
    let is_capital = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    names::may_be(text)
        && text.split_whitespace().all(is_capital)
        && !text.ends_with(['.', '?', '!'])
}

/// Whether a name is one of two words at most: "We left at 10:30" is nobody's.
fn is_short(name: Option<&str>) -> bool {
    name.is_some_and(|name| name.split_whitespace().nth(2).is_none())
}

fn found(line: &str) -> Option<Found<'_>> {
    in_brackets(line).or_else(|| bare(line)).or_else(|| named(line)).or_else(|| heading(line))
}

fn in_brackets(line: &str) -> Option<Found<'_>> {
    let closes = |open: char, close: char| line.strip_prefix(open)?.split_once(close);
    let (times, text) = closes('[', ']').or_else(|| closes('(', ')'))?;
    is_times(times).then(|| Found { form: Form::Brackets, clock: clock(times), name: None, text })
}

fn bare(line: &str) -> Option<Found<'_>> {
    let (first, behind) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let first = first.strip_suffix(':').unwrap_or(first);
    if !is_clock(first) {
        return None;
    }
    let behind = behind.trim_start();
    let dashed = DASHES.iter().find_map(|dash| behind.strip_prefix(*dash));
    let dashed = dashed.filter(|rest| rest.starts_with(char::is_whitespace)).map(str::trim_start);
    let rest = dashed.unwrap_or(behind);
    let end = rest.split_whitespace().next().filter(|end| dashed.is_some() && is_clock(end));
    let (clock, text) = match end {
        Some(end) => (both(first, end), rest.get(end.len()..).unwrap_or_default().trim_start()),
        None => (Micros::parse(first).map(Clock::Start), rest),
    };
    Some(Found { form: Form::Bare, clock, name: None, text })
}

fn named(line: &str) -> Option<Found<'_>> {
    let (name, group) = line.split_at(line.find(['(', '['])?);
    let close = if group.starts_with('(') { ')' } else { ']' };
    let (times, behind) = group.get(1..)?.split_once(close)?;
    let behind = behind.trim_start();
    let text = behind.strip_prefix(':').or_else(|| behind.is_empty().then_some(behind))?;
    let (name, text) = (Some(who(name)?), text.trim_start());
    is_times(times).then(|| Found { form: Form::Named, clock: clock(times), name, text })
}

fn heading(line: &str) -> Option<Found<'_>> {
    let (name, time) = line.rsplit_once(char::is_whitespace)?;
    let name = Some(who(name)?);
    let clock = Micros::parse(time).map(Clock::Start);
    is_clock(time).then_some(Found { form: Form::Heading, clock, name, text: "" })
}

/// The name before a time.
fn who(text: &str) -> Option<&str> {
    let name = text.trim().trim_end_matches([':', ',', '-', '\u{2013}']).trim_end();
    names::may_be(name).then_some(name)
}

/// Whether a line begins with a time in brackets.
pub(super) fn is_in_front(line: &str) -> bool {
    in_brackets(line).is_some()
}

/// Whether a line begins with a time without brackets.
pub(super) fn is_bare(line: &str) -> bool {
    bare(line).is_some()
}

/// Whether a time comes after a possible name.
pub(super) fn is_behind_name(line: &str) -> bool {
    named(line).is_some()
}

/// Whether a word looks like a time that somebody marked as one.
pub(super) fn is_marked(word: &str) -> bool {
    let inner = word.trim_matches(|c: char| "[](){}<>#.,;".contains(c));
    word.starts_with(['[', '(', '{', '<', '#']) && is_clock(inner) && inner.len() > 3
}

/// Whether the text in brackets is meant as times; not every bracket is.
pub(super) fn is_times(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || ":,. -\u{2013}".contains(c);
    text.contains("-->") || (text.contains(':') && text.chars().all(is_part))
}

/// Whether a word looks like a time.
pub(super) fn is_clock(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && word.contains(':')
        && word.chars().all(|c| c.is_ascii_digit() || ":,.-".contains(c))
}

pub(super) fn clock(times: &str) -> Option<Clock> {
    match DASHES.iter().find_map(|dash| times.split_once(*dash)) {
        Some((start, end)) => both(start, end),
        None => Micros::parse(times.trim()).map(Clock::Start),
    }
}

fn both(start: &str, end: &str) -> Option<Clock> {
    Some(Clock::Both(Micros::parse(start.trim())?, Micros::parse(end.trim())?))
}

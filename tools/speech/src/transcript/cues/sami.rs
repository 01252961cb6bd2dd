//! SAMI (`.smi`): points in time with paragraphs of HTML, in one or several languages. Nobody closes its tags, so it is
//! read as players do, by its `SYNC`.

use super::super::problems::Problem;
use super::super::{Format, Micros};
use super::starts::{Start, without};

/// Reads the paragraphs with their classes, which are languages.
pub(super) fn starts(text: &str, problems: &mut Vec<Problem>) -> Vec<(String, Start)> {
    // The same bytes in small letters.
    let lower = text.to_ascii_lowercase();
    let places: Vec<usize> = lower.match_indices("<sync").map(|(at, _)| at).collect();
    let ends = places.iter().skip(1).copied().chain([text.len()]);
    let (mut starts, mut line, mut counted) = (Vec::new(), 1, 0);
    for (from, to) in places.iter().copied().zip(ends) {
        line += text.get(counted..from).unwrap_or_default().matches('\n').count();
        counted = from;
        let (Some(text), Some(lower)) = (text.get(from..to), lower.get(from..to)) else { continue };
        let Some(behind) = lower.find('>').map(|at| at + 1) else { continue };
        let ends = ["</sync", "</body", "</sami"].iter().filter_map(|tag| lower.find(tag));
        let end = ends.min().unwrap_or(text.len()).max(behind);
        let digits = value(lower.get(..behind).unwrap_or_default(), "start");
        let at = digits.split(|c: char| !c.is_ascii_digit()).next().and_then(|it| it.parse().ok());
        let body = text.get(behind..end).zip(lower.get(behind..end)).unwrap_or_default();
        for (class, words) in paragraphs(body.0, body.1) {
            match at {
                Some(at) => {
                    let at = Micros(u64::saturating_mul(at, 1_000));
                    starts.push((class, Start { line, at, text: words.to_owned() }));
                }
                None => problems.push(without(line, words, Format::Smi)),
            }
        }
    }
    starts
}

/// The paragraphs of a point in time with their classes.
fn paragraphs<'a>(text: &'a str, lower: &str) -> Vec<(String, &'a str)> {
    let is_tag = |at: &usize| {
        lower
            .get(at + 2..)
            .is_some_and(|it| it.starts_with(|c: char| c == '>' || c.is_whitespace()))
    };
    let mut places: Vec<usize> =
        lower.match_indices("<p").map(|(at, _)| at).filter(is_tag).collect();
    if places.is_empty() {
        places.push(0);
    }
    let ends = places.iter().skip(1).copied().chain([text.len()]);
    let one = |(from, to): (usize, usize)| {
        let (words, lower) = (text.get(from..to)?, lower.get(from..to)?);
        let tag = lower.strip_prefix("<p").and_then(|it| it.split_once('>')).map(|(tag, _)| tag);
        let class = value(tag.unwrap_or_default(), "class");
        Some((class.to_ascii_uppercase(), words))
    };
    places.iter().copied().zip(ends).filter_map(one).collect()
}

fn value<'a>(tag: &'a str, name: &str) -> &'a str {
    let value = tag.split_once(name).and_then(|(_, it)| it.trim_start().strip_prefix('='));
    let value = value.unwrap_or_default().trim_start().trim_start_matches(['"', '\'']);
    value.split(|c: char| c.is_whitespace() || "\"'>".contains(c)).next().unwrap_or_default()
}

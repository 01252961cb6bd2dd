//! Lyrics (`.lrc`): lines with start times in brackets, and times of words in `<>`. A line may have several
//! start times.

use super::super::Micros;
use super::super::lines::lines;
use super::super::problems::Problem;
use super::starts::Start;

/// Reads the lines; tags such as `[ti:A song]` are not sung.
pub(super) fn starts(text: &str, problems: &mut Vec<Problem>) -> Vec<Start> {
    let (mut starts, mut earlier) = (Vec::new(), 0);
    for (line, text) in lines(text) {
        let (times, words) = stamps(text.trim());
        earlier = offset(text).unwrap_or(earlier);
        if times.is_empty() && !is_tag(text.trim()) && !words.is_empty() {
            problems.push(super::starts::without(line, words, super::Format::Lrc));
        }
        starts.extend(times.into_iter().map(|at| Start { line, at, text: words.to_owned() }));
    }
    for start in &mut starts {
        start.at = moved(start.at, earlier);
        if earlier != 0 {
            start.text = with_times(&start.text, earlier);
        }
    }
    starts
}

/// The times at the beginning of a line, and the text after them.
fn stamps(line: &str) -> (Vec<Micros>, &str) {
    let (mut times, mut rest) = (Vec::new(), line);
    while let Some((inside, behind)) = rest.strip_prefix('[').and_then(|it| it.split_once(']'))
        && let Some(at) = time(inside.trim())
    {
        times.push(at);
        rest = behind.trim_start();
    }
    (times, rest)
}

/// `mm:ss.xx`, and `mm:ss:xx` as old programs write it.
fn time(text: &str) -> Option<Micros> {
    let is_old = text.matches(':').count() == 2 && !text.contains(['.', ',']);
    match text.rsplit_once(':').filter(|_| is_old) {
        Some((clock, hundredths)) => Micros::parse(&format!("{clock}.{hundredths}")),
        None => Micros::parse(text),
    }
}

/// Whether a line is a tag and no words: `[ar: Somebody]`.
fn is_tag(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']') && line.contains(':')
}

/// `[offset:+500]`: all lyrics are shown this many ms earlier.
fn offset(line: &str) -> Option<i64> {
    let (name, value) = line.trim().strip_prefix('[')?.strip_suffix(']')?.split_once(':')?;
    let value: i32 = value.trim().trim_start_matches('+').parse().ok()?;
    name.trim().eq_ignore_ascii_case("offset").then_some(i64::from(value))
}

fn moved(at: Micros, earlier: i64) -> Micros {
    Micros(at.0.saturating_add_signed(-earlier * 1_000))
}

/// A text whose times of words are moved too.
fn with_times(text: &str, earlier: i64) -> String {
    let mut moved_text = String::with_capacity(text.len());
    let mut parts = text.split('<');
    moved_text += parts.next().unwrap_or_default();
    for part in parts {
        moved_text.push('<');
        match part.split_once('>').and_then(|(inside, rest)| Some((Micros::parse(inside)?, rest))) {
            Some((at, rest)) => moved_text += &format!("{}>{rest}", moved(at, earlier)),
            None => moved_text += part,
        }
    }
    moved_text
}

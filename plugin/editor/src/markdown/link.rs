//! Links, as text: their words, and where they lead.

/// The line with its links as text. Code stays as it is.
pub(super) fn as_text(line: &str) -> String {
    let mut told = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((begin, words, to, behind)) = next(rest) {
        let ahead = &rest[..begin];
        // A picture is a link with a mark in front.
        told.push_str(ahead.strip_suffix('!').unwrap_or(ahead));
        told.push_str(words);
        if words != to {
            told.push_str(&format!(" ({to})"));
        }
        rest = behind;
    }
    told + rest
}

/// The next link: where it begins, its words, its target, and the text after it.
fn next(text: &str) -> Option<(usize, &str, &str, &str)> {
    let middle = text.find("](")?;
    let begin = text[..middle].rfind('[')?;
    let behind = &text[middle + 2..];
    let end = behind.find(')')?;
    let (words, to) = (&text[begin + 1..middle], &behind[..end]);
    let in_code = text[..begin].matches('`').count() % 2 == 1;
    let is_link = !in_code && !words.is_empty() && !to.is_empty() && !to.contains(' ');
    is_link.then_some((begin, words, to, &behind[end + 1..]))
}

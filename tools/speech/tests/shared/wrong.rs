//! Counts wrong words of a transcription; included by tests that listen.

/// Words without case and marks, as error rates are counted.
pub(crate) fn plain(text: &str) -> Vec<String> {
    let letters = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let text: String = text.chars().map(letters).collect();
    text.split_whitespace()
        .map(|word| if word == "mr" { "mister" } else { word }.to_owned())
        .collect()
}

/// Words to put in, take out or change.
pub(crate) fn errors(said: &[String], meant: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=said.len()).collect();
    for (index, want) in meant.iter().enumerate() {
        let mut next = vec![index + 1];
        for (at, have) in said.iter().enumerate() {
            let change = row[at] + usize::from(want != have);
            next.push(change.min(row[at + 1] + 1).min(next[at] + 1));
        }
        row = next;
    }
    row[said.len()]
}

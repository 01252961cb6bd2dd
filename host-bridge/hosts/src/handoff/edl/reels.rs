//! Reel names: at most eight letters and digits, one for each file.

use super::super::timeline::Media;
use std::collections::BTreeSet;

/// The most characters of a reel name.
const LONGEST: usize = 8;
/// Names that stand for no reel.
const RESERVED: [&str; 4] = ["AX", "BL", "BLACK", "BARS"];

/// A reel name for each file, no two the same.
pub(super) fn reels(media: &[Media]) -> Vec<String> {
    let mut taken: BTreeSet<String> = RESERVED.map(str::to_owned).into();
    media.iter().map(|media| reel(&media.name, &mut taken)).collect()
}

fn reel(name: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = name.chars().filter(char::is_ascii_alphanumeric);
    let plain: String = plain.map(|c| c.to_ascii_uppercase()).take(LONGEST).collect();
    let base = if plain.is_empty() { "REEL".to_owned() } else { plain };
    let numbered = |n: usize| {
        let number = n.to_string();
        let kept = base.len().min(LONGEST.saturating_sub(number.len()));
        format!("{}{number}", &base[..kept])
    };
    let names = std::iter::once(base.clone()).chain((2..).map(numbered));
    let free = names.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::testing::media;

    #[test]
    fn each_file_has_a_reel_of_its_own() {
        let names = ["Interview part 1", "Interview part 2", "äö", "bl", "Interview part 3"];
        let media: Vec<Media> = names.into_iter().map(media).collect();
        assert_eq!(reels(&media), ["INTERVIE", "INTERVI2", "REEL", "BL2", "INTERVI3"]);
    }
}

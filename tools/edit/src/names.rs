//! Names for people out of names of files: "03_Lead Vox_take2.wav" becomes "Lead Vox".

/// The longest name that a session takes, in characters.
const LONGEST: usize = 200;

/// The last part of a path, of this system or of another.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The name of a file without its extension, fit for a session: control characters become spaces.
pub(crate) fn of_file(file_name: &str) -> String {
    let stem = match file_name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && is_extension(extension) => stem,
        _ => file_name,
    };
    fit(stem).unwrap_or_else(|| "Audio".into())
}

fn is_extension(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric())
}

/// One line of at most [`LONGEST`] characters; `None` if nothing remains.
pub(crate) fn fit(text: &str) -> Option<String> {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(LONGEST).collect();
    let line = line.trim().to_owned();
    (!line.is_empty()).then_some(line)
}

/// A track's name out of the name of a file or clip: no extension, no leading number, no take.
pub(crate) fn cleaned(name: &str) -> String {
    let whole = of_file(name);
    let spaced = whole.replace('_', " ");
    let mut words: Vec<&str> = without_track_number(&spaced).split_whitespace().collect();
    while words.len() > 1 {
        let take = words.len() > 2
            && is_take_word(words[words.len() - 2])
            && is_digits(words[words.len() - 1]);
        let dropped = if take { 2 } else { usize::from(is_take(words[words.len() - 1])) };
        if dropped == 0 {
            break;
        }
        words.truncate(words.len() - dropped);
    }
    while words.len() > 1 && words.first().is_some_and(|word| is_number(word)) {
        words.remove(0);
    }
    let name = without_part_number(&words.join(" ")).trim_matches(['-', ' ', '.']).to_owned();
    if name.is_empty() { whole } else { name }
}

/// "03", "03.", "3-", "-".
fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit() || "-.)#".contains(c))
}

fn is_digits(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

fn is_take_word(word: &str) -> bool {
    ["take", "tk", "copy", "comp"].contains(&word.to_lowercase().as_str())
}

/// "take2", "tk3", "copy", "(1)", "-".
fn is_take(word: &str) -> bool {
    let lower = word.to_lowercase();
    let bracketed = lower.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    bracketed.is_some_and(is_digits)
        || is_take_word(lower.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-'))
        || lower.chars().all(|c| c == '-')
}

/// Without a number that is tied to the first word: "01.Kick", "01-Kick".
fn without_track_number(name: &str) -> &str {
    let rest = name.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = name.trim_start().len() - rest.len();
    let tied =
        rest.strip_prefix(['.', '-', ')']).filter(|rest| rest.starts_with(char::is_alphabetic));
    tied.filter(|_| digits == 2).unwrap_or(name)
}

/// Without the number that a recorder hangs on: "Kick-01".
fn without_part_number(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((head, tail)) if tail.len() == 2 && is_digits(tail) && !head.ends_with(' ') => head,
        _ => name,
    }
}

/// Numbers the names that several have, or that are taken: "Guitar 1", "Guitar 2".
pub(crate) fn numbered(names: &[String], taken: &[String]) -> Vec<String> {
    let mut given: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let twice = names.iter().filter(|other| *other == name).count() > 1;
        let is_free =
            |wanted: &String, given: &[String]| !taken.contains(wanted) && !given.contains(wanted);
        let plain = Some(name.clone()).filter(|name| !twice && is_free(name, &given));
        let number = |n: usize| format!("{name} {n}");
        let free = plain.or_else(|| (1..).map(number).find(|wanted| is_free(wanted, &given)));
        given.push(free.unwrap_or_else(|| name.clone()));
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn file_names_become_names_of_tracks() {
        let expected = [
            ("03_Lead Vox_take2.wav", "Lead Vox"),
            ("03 - Lead Vox.aif", "Lead Vox"),
            ("01.Kick.wav", "Kick"),
            ("12-Ride.wav", "Ride"),
            ("3-way split.wav", "3-way split"),
            ("Kick-01.wav", "Kick"),
            ("Guitar L.flac", "Guitar L"),
            ("tom_2.wav", "tom 2"),
            ("Bass DI take 12.wav", "Bass DI"),
            ("Host mic copy (1).wav", "Host mic"),
            ("take 3.wav", "take 3"),
            ("808.wav", "808"),
            ("07_808_tk1.wav", "808"),
            ("a\nb \u{1f3a4}.mp3", "a b \u{1f3a4}"),
            ("...", "..."),
            ("\n", "Audio"),
            ("Dr. Who", "Dr. Who"),
        ];
        for (file, name) in expected {
            assert_eq!(cleaned(file), name, "{file:?}");
        }
    }

    #[test]
    fn equal_names_are_numbered_around_taken_ones() {
        let names = ["Vox", "Vox", "Bass", "Kick"].map(String::from);
        let taken = ["Vox 1", "Kick"].map(String::from);
        assert_eq!(numbered(&names, &taken), ["Vox 2", "Vox 3", "Bass", "Kick 1"]);
    }

    proptest! {
        #[test]
        fn any_file_name_gives_a_name_that_a_session_takes(name in "\\PC{0,300}|[\\x00-\\x7f]{0,40}") {
            for name in [of_file(&name), cleaned(&name)] {
                prop_assert!(!name.trim().is_empty() && name.chars().count() <= LONGEST);
                prop_assert!(!name.chars().any(char::is_control));
            }
        }
    }
}

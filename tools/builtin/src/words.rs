//! Words and numbers as plans say them.

use deskhand_session::Measure;

/// "1 clip", "3 clips".
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

/// A number with at most `digits` decimals and no trailing zeros: "-16", "2.5".
pub(crate) fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

/// A level with its unit: "-20.5 LUFS".
pub(crate) fn level(measure: Measure, value: f64) -> String {
    format!("{value:.1} {}", measure.unit())
}

/// A level that was asked for, as it was asked: "-16 LUFS".
pub(crate) fn asked(measure: Measure, value: f64) -> String {
    format!("{} {}", trimmed(value, 3), measure.unit())
}

/// The unit of a difference of two levels.
pub(crate) fn difference_unit(measure: Measure) -> &'static str {
    match measure.unit() {
        "LUFS" | "LU" => "LU",
        _ => "dB",
    }
}

/// At most three names, quoted: `"a", "b", "c" and 4 more`.
pub(crate) fn names(names: &[String]) -> String {
    let shown: Vec<_> = names
        .iter()
        .take(3)
        .map(|name| format!("\"{name}\""))
        .collect();
    let more = names.len().saturating_sub(shown.len());
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    shown.join(", ") + &tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_their_trailing_zeros() {
        assert_eq!(trimmed(-16.0, 3), "-16");
        assert_eq!(trimmed(2.50, 3), "2.5");
        assert_eq!(trimmed(-0.0001, 3), "0");
        assert_eq!(trimmed(100.0, 0), "100");
    }

    #[test]
    fn long_lists_are_cut() {
        let list: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        assert_eq!(names(&list), "\"a\", \"b\", \"c\" and 1 more");
        assert_eq!(names(&list[..1]), "\"a\"");
    }
}

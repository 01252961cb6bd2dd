//! Phrases that a network only said again: small ones repeat the last phrase where the sound goes on and nobody speaks.

use super::Phrase;

/// The phrases without those that say what the one ahead of them says, and of which a word takes no time: that word is at
/// no sound of its own.
pub(crate) fn without_echoes(phrases: Vec<Phrase>) -> Vec<Phrase> {
    let mut kept: Vec<Phrase> = Vec::with_capacity(phrases.len());
    for phrase in phrases {
        let is_echo = phrase.words.iter().any(|word| word.range.is_empty())
            && kept.last().is_some_and(|before| said(before) == said(&phrase));
        if !is_echo {
            kept.push(phrase);
        }
    }
    kept
}

/// What is said, by letters and digits alone.
fn said(phrase: &Phrase) -> Vec<String> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    phrase.words.iter().map(|word| plain(&word.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listen::HeardWord;

    fn phrase(words: [(&str, std::ops::Range<usize>); 2]) -> Phrase {
        let range = words[0].1.start..words[1].1.end;
        let word =
            |(text, range): (&str, _)| HeardWord { text: text.into(), range, confidence: None };
        Phrase {
            range,
            words: words.map(word).to_vec(),
            language: "en".into(),
            likelihood: -0.2,
            silence: 0.1,
            is_spread: false,
        }
    }

    #[test]
    fn what_is_said_again_in_no_time_was_not_said() {
        let said = || phrase([("Speed", 0..400), ("dial.", 400..900)]);
        let again = phrase([("Speed", 2000..2400), ("dial.", 2400..2900)]);
        let echo = phrase([("speed", 3000..3000), ("dial.", 3000..3600)]);
        let other = phrase([("Speed", 3000..3000), ("trap.", 3000..3600)]);
        assert_eq!(without_echoes(vec![said(), again.clone(), echo]), [said(), again.clone()]);
        let all = vec![said(), again, other];
        assert_eq!(without_echoes(all.clone()), all, "words of its own are told");
    }
}

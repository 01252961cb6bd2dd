//! What can be said instead of words that were not understood.

use crate::lexer::{TokenKind, lex};
use crate::roles::stem;

/// Things that can be asked for, with words that lead to them.
// tidy: table
#[rustfmt::skip]
const EXAMPLES: &[(&str, &str)] = &[
    ("normalize the vocals to -16 LUFS", "normalize loudness lufs level loud broadcast podcast spotify master normal"),
    ("normalize everything to broadcast standard", "broadcast standard ebu tv delivery loudness"),
    ("gain-stage the drums to -18", "gain stage staging headroom working balance mix"),
    ("strip silence from the dialogue", "silence silent pause gap gate noise breath quiet clean tighten"),
    ("add 10 ms fades to all clips", "fade crossfade click pop edge smooth"),
    ("fade out take 1 over 2 seconds", "fade in out end ending"),
    ("turn the vocals up by 2 dB", "up louder raise boost volume gain loud increase hear hotter"),
    ("turn the bass down by 2 dB", "down quieter lower reduce volume gain soft duck tame"),
    ("mute the drums", "mute silence off kill quiet remove stop play"),
    ("solo the lead vocal", "solo only isolate hear just play alone"),
    ("pan the guitar 30% left", "pan left right center wide stereo side"),
    ("rename track 3 to Kick In", "rename name call title label"),
    ("color the drums red", "color colour paint red blue green yellow"),
    ("route the drums to the drum bus", "route send bus output through aux return"),
    ("move take 2 to 1:30", "move shift nudge slide drag place position time align"),
    ("split take 2 at 0:45", "split cut slice chop divide edit"),
    ("trim take 1 from 5 seconds to 20 seconds", "trim crop shorten length cut"),
    ("duplicate take 3", "duplicate copy repeat loop clone paste"),
    ("remove clip 2 on Lead Vocal", "remove delete erase clip track"),
    ("add a marker at 1:30 called Solo", "marker mark add cue section verse chorus"),
    ("add a bus called Reverb", "add create new track bus reverb delay"),
    ("set the tempo to 96 bpm", "tempo bpm speed faster slower beat"),
    ("set the meter to 3/4", "meter signature time bar"),
    ("ripple delete from 1:00 to 1:30 on all tracks", "ripple delete insert section remove cut time"),
    ("transcribe the dialogue", "transcribe transcript write text words speech said caption subtitle"),
    ("find where she says budget", "search find word mention said say talk transcript"),
    ("mark everything about money as Budget", "code tag label theme category topic about mark"),
    ("mark the speakers", "speaker speakers voice person diarize name label"),
    ("who speaks when?", "who speaks speaker speakers turn talk"),
    ("which takes repeat?", "take retake repeat duplicate best double again"),
    ("cut the ums", "um filler hesitation tighten pause"),
    ("put a compressor on the lead vocal", "compressor compress eq equalizer gate limiter esser effect processor"),
    ("high-pass the bass at 40 Hz", "high pass low cut rumble lows roll off filter"),
    ("make a rough mix", "mix rough automatic balance auto"),
    ("export the mix for streaming as flac", "export deliver bounce flac mp3 wav opus file streaming save"),
    ("undo", "undo back revert previous mistake wrong restore"),
    ("what's loudest?", "what which loudest quietest loud question peak"),
    ("which tracks are muted?", "which track muted soloed list show state"),
    ("is anything clipping?", "clip clipping distort over red peak check problem"),
    ("help", "help can do how hello hi"),
];

/// Longer texts are not read, in characters.
pub(crate) const LONGEST_TEXT: usize = 2_000;

/// How many are offered.
const MOST: usize = 4;

/// Examples of everything that can be asked for, for an answer to "what can you do?".
pub fn examples() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(|(example, _)| *example)
}

/// The requests nearest to a text, best first; never empty.
#[must_use]
pub fn help_suggestions(text: &str) -> Vec<String> {
    let tokens = lex(&text.chars().take(LONGEST_TEXT).collect::<String>());
    let words: Vec<String> = tokens.iter().filter_map(|token| token.word().map(stem)).collect();
    let score = |keys: &str| {
        let mut keys = keys.split(' ').map(stem).collect::<Vec<_>>();
        keys.dedup();
        keys.iter().filter(|key| words.contains(key)).count()
    };
    let worried = is_worried(&words);
    let has_time =
        tokens.iter().any(|it| matches!(it.kind, TokenKind::Clock(_) | TokenKind::Number { .. }));
    let mut ranked: Vec<(usize, &str)> = EXAMPLES
        .iter()
        .filter(|(example, _)| !(worried && is_destructive(example)))
        .filter(|(example, _)| has_time || !takes_time_out(example))
        .map(|(example, keys)| (score(keys), *example))
        .collect();
    ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let near: Vec<String> = ranked
        .iter()
        .filter(|(score, _)| *score > 0)
        .map(|(_, example)| (*example).to_owned())
        .take(MOST)
        .collect();
    match near.is_empty() {
        true => [
            "normalize everything to -16 LUFS",
            "turn the vocals up by 2 dB",
            "what's loudest?",
            "help",
        ]
        .map(str::to_owned)
        .to_vec(),
        false => near,
    }
}

/// Whether words forbid something or are afraid of it.
fn is_worried(words: &[String]) -> bool {
    #[rustfmt::skip]
    const WORRIES: &[&str] = &[
        "not", "never", "without", "avoid", "stop", "no", "careful", "carefully", "worried", "worry", "afraid",
        "scared", "lose", "losing", "lost", "safe", "keep", "leave", "sure", "nothing", "accident", "accidentally",
    ];
    words.iter().any(|word| WORRIES.iter().any(|worry| stem(worry) == *word))
}

/// Whether a suggestion takes something away.
fn is_destructive(suggestion: &str) -> bool {
    #[rustfmt::skip]
    const VERBS: [&str; 8] = [
        "remove ", "delete ", "ripple delete ", "strip ", "trim ", "tighten ", "cut the ums", "cut the long pauses",
    ];
    VERBS.iter().any(|verb| suggestion.starts_with(verb))
}

/// Whether an example takes a stretch of time away: it is none for who named no time.
fn takes_time_out(example: &str) -> bool {
    ["ripple delete ", "trim "].iter().any(|verb| example.starts_with(verb))
}

/// Whether a text forbids something or is afraid of it.
pub(crate) fn is_careful(text: &str) -> bool {
    let tokens = lex(text);
    let words: Vec<String> = tokens.iter().filter_map(|token| token.word().map(stem)).collect();
    is_worried(&words)
}

/// Leaves out what a text that forbids or worries must not be offered.
pub(crate) fn keep_harmless(text: &str, suggestions: &mut Vec<String>) {
    if is_careful(text) {
        suggestions.retain(|suggestion| !is_destructive(suggestion));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first() {
        assert_eq!(help_suggestions("add reverb to the vocals")[0], "add a bus called Reverb");
        assert_eq!(help_suggestions("please gate the noise")[0], "strip silence from the dialogue");
    }

    #[test]
    fn the_worried_are_not_offered_to_remove() {
        for text in ["don't delete anything", "careful, never remove a clip", "will I lose a cut?"]
        {
            let offers = help_suggestions(text);
            assert!(!offers.is_empty());
            assert!(!offers.iter().any(|offer| is_destructive(offer)), "{offers:?}");
        }
    }

    #[test]
    fn no_time_is_offered_to_go_that_was_not_named() {
        for text in ["cut the question", "crop the intro", "how long does each speak in time"] {
            let offers = help_suggestions(text);
            assert!(!offers.iter().any(|offer| takes_time_out(offer)), "{offers:?}");
        }
        let offers = help_suggestions("cut 0:10 to 0:20");
        assert!(offers.iter().any(|offer| takes_time_out(offer)), "{offers:?}");
    }

    #[test]
    fn there_is_always_something_to_say() {
        assert_eq!(help_suggestions("").len(), 4);
    }
}

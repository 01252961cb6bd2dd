//! The shared lexicon: words of the language to concepts, for all tools. The items of a sentence are made with it.

use crate::lexer::Token;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What part a concept plays in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Says nothing.
    Empty,
    /// Joins requests, or names.
    Join,
    /// Opens exceptions.
    Except,
    /// Says what to do.
    Verb,
    /// Asks.
    Ask,
    /// Says what shall be done: "muted".
    Done,
    /// Says how.
    Word,
    /// Names a thing.
    Noun,
    /// Relates what follows.
    Prep,
}

/// A meaning that words can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Concept {
    pub part: Part,
    pub name: &'static str,
}

/// A form: its words, and what it means.
type Form = (Vec<String>, Concept);

const ARTICLES: [&str; 5] = ["the", "a", "an", "my", "our"];

/// Forms by their first word, longest first.
static FORMS: LazyLock<HashMap<String, Vec<Form>>> = LazyLock::new(|| {
    let mut forms: HashMap<String, Vec<Form>> = HashMap::new();
    for (words, concept) in include_str!("lexicon.txt").lines().flat_map(entries) {
        if let Some(first) = words.first().cloned() {
            forms.entry(first).or_default().push((words, concept));
        }
    }
    forms
        .values_mut()
        .for_each(|list| list.sort_by_key(|(words, _)| std::cmp::Reverse(words.len())));
    forms
});

/// The forms of one line.
fn entries(line: &'static str) -> Vec<Form> {
    let Some((kind, rest)) = line.split_once(' ').filter(|_| !line.starts_with('#')) else {
        return Vec::new();
    };
    let (name, said) = rest.split_once(':').unwrap_or((rest, ""));
    let part = match kind {
        "empty" => Part::Empty,
        "join" => Part::Join,
        "except" => Part::Except,
        "verb" => Part::Verb,
        "ask" => Part::Ask,
        "noun" => Part::Noun,
        "prep" => Part::Prep,
        _ => Part::Word,
    };
    let concept = Concept { part, name: name.trim() };
    let own = if part == Part::Empty { "" } else { name };
    let texts = said.split('|').chain([own]).map(str::trim).filter(|text| !text.is_empty());
    let mut forms: Vec<Form> = texts.map(|text| (words_of(text), concept)).collect();
    if part == Part::Verb {
        let done = Concept { part: Part::Done, ..concept };
        let past: Vec<Form> =
            forms.iter().flat_map(|(words, _)| pasts(words)).map(|it| (it, done)).collect();
        forms.extend(past);
    }
    if part == Part::Noun {
        let plurals: Vec<Form> = forms.iter().map(|(words, it)| (plural(words), *it)).collect();
        forms.extend(plurals);
    }
    forms
}

fn words_of(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// What is done by a verb, both spellings: "panned", "levelled" and "leveled", "lined up".
fn pasts(words: &[String]) -> Vec<Vec<String>> {
    const IRREGULAR: [(&str, &str); 6] = [
        ("take", "taken"),
        ("bring", "brought"),
        ("ride", "ridden"),
        ("get", "got"),
        ("cut", "cut"),
        ("split", "split"),
    ];
    let Some((verb, rest)) = words.split_first() else { return Vec::new() };
    let irregular =
        IRREGULAR.iter().find(|(now, _)| now == verb).map(|(_, past)| vec![(*past).to_owned()]);
    let regular = || {
        let last = verb.chars().next_back().unwrap_or_default();
        match last {
            'e' => vec![format!("{verb}d")],
            'y' => vec![format!("{}ied", &verb[..verb.len() - 1]), format!("{verb}ed")],
            _ => vec![format!("{verb}ed"), format!("{verb}{last}ed")],
        }
    };
    let pasts = irregular.unwrap_or_else(regular).into_iter();
    pasts.map(|past| [vec![past], rest.to_vec()].concat()).collect()
}

fn plural(words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    if let Some(last) = words.last_mut() {
        let ending = if last.ends_with('s') { "es" } else { "s" };
        last.push_str(ending);
    }
    words
}

/// The longest forms that start at a token, with the index behind them; several where words mean more than one thing.
pub(super) fn at(tokens: &[Token], at: usize) -> (usize, Vec<Concept>) {
    let Some(forms) = tokens.get(at).and_then(Token::word).and_then(|word| FORMS.get(word)) else {
        return (at, Vec::new());
    };
    let fits = |(words, concept): &Form| Some((end_of(words, tokens, at)?, *concept));
    let found: Vec<(usize, Concept)> = forms.iter().filter_map(fits).collect();
    let end = found.iter().map(|(end, _)| *end).max().unwrap_or(at);
    let mut concepts: Vec<Concept> = Vec::new();
    for (_, concept) in found.into_iter().filter(|(it, _)| *it == end) {
        if !concepts.contains(&concept) {
            concepts.push(concept);
        }
    }
    (end, concepts)
}

/// Where the words of a form end, if they stand here; articles between them are passed over.
fn end_of(words: &[String], tokens: &[Token], at: usize) -> Option<usize> {
    let is_article = |word: &str| ARTICLES.contains(&word);
    let mut next = at;
    for (number, word) in words.iter().enumerate() {
        // "make A a bit louder": behind an article there is a name.
        let may_skip = number > 0 && !is_article(&words[number - 1]);
        while may_skip && tokens.get(next)?.word().is_some_and(|it| it != word && is_article(it)) {
            next += 1;
        }
        if !tokens.get(next)?.is(word) {
            return None;
        }
        next += 1;
    }
    Some(next)
}

/// Whether words that say what to do stand at a token.
pub(crate) fn has_verb_at(tokens: &[Token], at: usize) -> bool {
    self::at(tokens, at).1.iter().any(|concept| concept.part == Part::Verb)
}

/// The token behind words that say what to do, if they stand at a token.
pub(crate) fn verb_end(tokens: &[Token], at: usize) -> Option<usize> {
    let (end, concepts) = self::at(tokens, at);
    concepts.iter().any(|concept| concept.part == Part::Verb).then_some(end)
}

/// Whether a request, a question or what is forbidden begins at a token.
pub(crate) fn begins_at(tokens: &[Token], at: usize) -> bool {
    let is_not = tokens.get(at).is_some_and(|token| token.is("not") || token.is("without"));
    let begins = |concept: &Concept| matches!(concept.part, Part::Verb | Part::Ask);
    is_not || self::at(tokens, at).1.iter().any(begins)
}

/// Every form that words can have, as its words.
pub(crate) fn forms() -> impl Iterator<Item = &'static [String]> {
    FORMS.values().flatten().map(|(words, _)| words.as_slice())
}

/// The names of concepts: all, those that say what to do or ask, and those that ask.
static NAMES: LazyLock<[HashSet<&'static str>; 3]> = LazyLock::new(|| {
    let named = |fits: fn(Part) -> bool| {
        let concepts = FORMS.values().flatten().map(|(_, concept)| concept);
        concepts.filter(|concept| fits(concept.part)).map(|concept| concept.name).collect()
    };
    [
        named(|_| true),
        named(|part| matches!(part, Part::Verb | Part::Ask)),
        named(|part| part == Part::Ask),
    ]
});

/// Whether a concept says what to do, or asks.
pub(super) fn is_verb(name: &str) -> bool {
    NAMES[1].contains(name)
}

/// Whether a concept asks. A way to ask with such a verb changes nothing that is heard.
pub(super) fn asks(name: &str) -> bool {
    NAMES[2].contains(name)
}

/// Whether a word alone says what is wrong with a sound: "muddy".
pub(super) fn is_flaw(word: &str) -> bool {
    let forms = FORMS.get(word).into_iter().flatten();
    forms.filter(|(words, _)| words.len() == 1).any(|(_, concept)| concept.name == "flawed")
}

/// Whether a concept is known, so that a declaration can use it.
pub(super) fn is_known(name: &str) -> bool {
    NAMES[0].contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn names(text: &str) -> Vec<&'static str> {
        at(&lex(text), 0).1.iter().map(|concept| concept.name).collect()
    }

    #[test]
    fn the_longest_form_counts_and_articles_between_its_words_do_not() {
        assert_eq!(names("get rid of the hum"), ["remove"]);
        assert_eq!(names("to the left"), ["left"]);
        assert_eq!(names("to the kick"), ["to"]);
        assert_eq!(names("true peaks"), ["true peak"]);
        assert_eq!(names("flibber"), [""; 0]);
    }

    #[test]
    fn a_word_may_mean_two_things() {
        assert_eq!(names("solo"), ["solo", "solo state"]);
    }
}

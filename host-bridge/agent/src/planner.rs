//! From words to requests: the steps in their order, and what is said about words that fail.

use crate::draft::Draft;
use crate::halves;
use crate::in_time;
use crate::lexer::lex;
use crate::musings;
use crate::names::Names;
use crate::offers::{self, Asked, Ground};
use crate::place_first;
use crate::reader::{self, Vocabulary};
use crate::reading::{Reading, Unclear};
use crate::resolve::{Context, Trouble};
use crate::revisions;
use crate::sentences::{Sentence, parts};
use crate::speakers;
use crate::spelling::correct;
use crate::suggest::{help_suggestions, keep_harmless};
use crate::targets::Scope;
use deskhand_session::{ObjectId, Session};
use std::ops::Range;

/// Longer texts are not read, in characters.
pub(crate) const LONGEST_TEXT: usize = 2_000;

/// What lays phrases out.
const FIND_PHRASES: &str = "find the phrases";

/// Reads a person's words against a session.
///
/// Anything that is not understood in full, or could mean more than one thing, is in
/// [`Reading::unclear`]. `vocabulary` is what the tools say of themselves. Never panics; texts over 2,000 characters are
/// unclear.
#[must_use]
pub fn plan_words(words: &str, session: &Session, vocabulary: &Vocabulary) -> Reading {
    let names = Names::new(session);
    let read = |text: &str| read_plainly(text, session, &names, vocabulary);
    let ground = Ground { session, names: &names, read: &read };
    if is_too_long(words) {
        return too_long(words);
    }
    let mut reading = read_whole(words, &ground);
    for unclear in &mut reading.unclear {
        complete_offers(words, unclear, &ground);
    }
    reading
}

/// What [`plan_words`] understands, without what could be said instead of the rest: that takes most of the time.
#[must_use]
pub fn read_words(words: &str, session: &Session, vocabulary: &Vocabulary) -> Reading {
    let names = Names::new(session);
    let read = |text: &str| read_plainly(text, session, &names, vocabulary);
    if is_too_long(words) {
        return too_long(words);
    }
    read_whole(words, &Ground { session, names: &names, read: &read })
}

fn is_too_long(words: &str) -> bool {
    words.chars().count() > LONGEST_TEXT
}

fn too_long(words: &str) -> Reading {
    let reason = format!("it has more than {LONGEST_TEXT} characters; say it in parts");
    refused(&words.chars().take(80).collect::<String>(), reason)
}

/// All of a person's words, with raw offers.
fn read_whole(words: &str, ground: &Ground<'_>) -> Reading {
    let Ground { session, names, read } = *ground;
    if let Some(trouble) = revisions::asked(words, session) {
        let unclear = vec![unclear(words.trim(), trouble)];
        return Reading { understood: Vec::new(), unclear };
    }
    let whole = read(words);
    let whole = musings::without_reason(words, &whole, read).unwrap_or(whole);
    let whole = speakers::on_their_track(words, &whole, ground).unwrap_or(whole);
    let mut reading = halves::understood(words, &whole, names, read).unwrap_or(whole);
    tell_of_no_phrases(words, &mut reading, session);
    match musings::conditional(words, &reading, session) {
        Some(trouble) => {
            let unclear = vec![unclear(words.trim(), trouble)];
            Reading { understood: Vec::new(), unclear }
        }
        None => reading,
    }
}

/// The same without a look at what is offered: that is held against this.
fn read_plainly(words: &str, session: &Session, names: &Names, vocabulary: &Vocabulary) -> Reading {
    let tokens = lex(words);
    let scope = Scope { text: words, session, names, tokens: &tokens, nested: false };
    if let Some(reading) = reader::read(scope, vocabulary) {
        return reading;
    }
    let read = |text: &str| read_in_order(text, session, names, vocabulary);
    place_first::reading(scope, &read).unwrap_or_else(|| read(words))
}

/// Words as they stand.
fn read_in_order(
    words: &str,
    session: &Session,
    names: &Names,
    vocabulary: &Vocabulary,
) -> Reading {
    let mut tokens = lex(words);
    let sentences = Scope { text: words, session, names, tokens: &tokens, nested: false };
    if let Some(trouble) = musings::asked(&tokens, words, session) {
        let unclear = vec![unclear(words.trim(), trouble)];
        return Reading { understood: Vec::new(), unclear };
    }
    if let Some(reading) = read_sentences(words, sentences, vocabulary) {
        return reading;
    }
    correct(&mut tokens, names);
    let scope = Scope { text: words, session, names, tokens: &tokens, nested: false };
    read_rest(scope, Before::default(), vocabulary)
}

/// What is no sentence that is known as a whole.
fn read_rest(scope: Scope<'_>, before: Before, vocabulary: &Vocabulary) -> Reading {
    if !before.others
        && let Some(reading) = reader::read(scope, vocabulary)
    {
        return reading;
    }
    let mut reading = reader::read_each(&before.context(scope), vocabulary);
    if reading.understood.is_empty() && reading.unclear.is_empty() {
        return refused(scope.text.trim(), "it asks for nothing".into());
    }
    for unclear in &mut reading.unclear {
        keep_harmless(scope.text, &mut unclear.suggestions);
    }
    reading
}

/// Nothing is wrong with the words of a sentence about phrases where none are in order yet: "put the intro last".
fn tell_of_no_phrases(words: &str, reading: &mut Reading, session: &Session) {
    let [unclear] = &mut reading.unclear[..] else { return };
    let is_told = unclear.suggestions.iter().any(|offer| offer == FIND_PHRASES);
    let awaits = || Sentence::awaits_phrases(&lex(words), session);
    if reading.understood.is_empty() && !is_told && awaits() {
        unclear.reason = "there is no assembly yet, and only its phrases can be meant".into();
        unclear.is_understood = true;
        unclear.suggestions = vec![FIND_PHRASES.into()];
    }
}

/// Makes of each offer something that can be said as it stands.
fn complete_offers(words: &str, unclear: &mut Unclear, ground: &Ground<'_>) {
    let asked = Asked { text: &unclear.text, open: &unclear.open };
    let is_plain = |offer: &String| {
        musings::conditional(offer, &(ground.read)(offer), ground.session).is_none()
    };
    let complete = |offers: &[String]| {
        let mut found = offers::whole(offers, &asked, ground);
        keep_harmless(words, &mut found);
        found.retain(is_plain);
        found
    };
    let mut found = complete(&unclear.suggestions);
    for nearest in [unclear.text.as_str(), words] {
        if found.is_empty() {
            found = complete(&help_suggestions(nearest));
        }
    }
    if found.is_empty() {
        found.push("help".into());
    }
    unclear.suggestions = found;
}

/// Reads words of which some are whole sentences; none when none are.
fn read_sentences(words: &str, scope: Scope<'_>, vocabulary: &Vocabulary) -> Option<Reading> {
    let whole = Sentence::of(scope.tokens, scope.session).is_some();
    let all = 0..scope.tokens.len();
    let parts = if whole { vec![all] } else { parts(scope.tokens) };
    let in_part =
        |part: &Range<usize>| Sentence::of(scope.tokens.get(part.clone())?, scope.session);
    if !parts.iter().any(|part| in_part(part).is_some()) {
        return None;
    }
    let mut reading = Reading::default();
    let mut before = Before { others: parts.len() > 1, ..Before::default() };
    for part in &parts {
        let mut tokens = scope.tokens.get(part.clone()).unwrap_or_default().to_vec();
        let sentence = in_part(part);
        if sentence.is_none() {
            correct(&mut tokens, scope.names);
        }
        let scope = Scope { tokens: &tokens, ..scope };
        let rest = || read_rest(scope, before.clone(), vocabulary);
        let read = match &sentence {
            // What only says why not takes more words than it knows.
            Some(sentence) if parts.len() > 1 && sentence.is_advice() => Some(rest())
                .filter(|read| read.unclear.is_empty())
                .unwrap_or_else(|| read_sentence(words, sentence, &before.context(scope))),
            Some(sentence) => read_sentence(words, sentence, &before.context(scope)),
            None => rest(),
        };
        let targets = read.understood.iter().flat_map(|request| &request.targets);
        before.previous = targets.map(|target| target.id).collect();
        before.mentioned.extend(before.previous.clone());
        reading.understood.extend(read.understood);
        reading.unclear.extend(read.unclear);
    }
    Some(reading)
}

fn read_sentence(words: &str, sentence: &Sentence, context: &Context<'_>) -> Reading {
    let Scope { tokens, session, .. } = context.scope;
    let ends = tokens.first().zip(tokens.last());
    let text = ends.and_then(|(first, last)| words.get(first.start..last.end));
    let text = text.unwrap_or(words).trim();
    let held = |drafts: Vec<Draft>| -> Result<Vec<Draft>, Trouble> {
        drafts.into_iter().map(|draft| in_time::held(draft, session)).collect()
    };
    let mut reading = Reading::default();
    match sentence.draft(context).and_then(held) {
        Ok(drafts) => {
            let requests = drafts.into_iter().map(|draft| reader::request(text, draft, session));
            reading.understood.extend(requests);
        }
        Err(mut trouble) => {
            let start = ends.map_or(0, |(first, _)| first.start);
            let open = sentence.open(tokens).map(|(from, to)| (from - start, to - start)).collect();
            keep_harmless(words, &mut trouble.suggestions);
            reading.unclear.push(Unclear { open, ..unclear(text, trouble) });
        }
    }
    reading
}

fn refused(text: &str, reason: String) -> Reading {
    let suggestions = help_suggestions(text);
    let unclear = unclear(text, Trouble::not_understood(reason, suggestions));
    Reading { understood: Vec::new(), unclear: vec![unclear] }
}

fn unclear(text: &str, trouble: Trouble) -> Unclear {
    let Trouble { reason, suggestions, is_understood } = trouble;
    Unclear { text: text.to_owned(), reason, is_understood, suggestions, open: Vec::new() }
}

/// What was said ahead of these words.
#[derive(Clone, Default)]
struct Before {
    previous: Vec<ObjectId>,
    mentioned: Vec<ObjectId>,
    /// Whether there are other requests.
    others: bool,
}

impl Before {
    fn context<'a>(&self, scope: Scope<'a>) -> Context<'a> {
        let (previous, mentioned) = (self.previous.clone(), self.mentioned.clone());
        Context { alone: !self.others, previous, mentioned, ..Context::of(scope) }
    }
}

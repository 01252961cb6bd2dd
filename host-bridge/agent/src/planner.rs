//! From words to requests: the steps in their order, and what is said about words that fail.

use crate::halves;
use crate::lexer::lex;
use crate::musings;
use crate::names::Names;
use crate::offers::{self, Asked, Ground};
use crate::place_first;
use crate::reader::{self, Vocabulary};
use crate::reading::{Reading, Unclear};
use crate::resolve::{Context, Trouble};
use crate::revisions;
use crate::speakers;
use crate::spelling::correct;
use crate::suggest::{LONGEST_TEXT, help_suggestions, keep_harmless};
use crate::targets::Scope;
use deskhand_session::Session;

/// Reads a person's words against a session.
///
/// Anything that is not understood in full, or could mean more than one thing, is in
/// [`Reading::unclear`]. `vocabulary` is what the tools say of themselves. Never panics; texts over 2,000 characters are
/// unclear.
#[must_use]
pub fn plan_words(words: &str, session: &Session, vocabulary: &Vocabulary) -> Reading {
    let names = Names::new(session);
    let read = |text: &str| read_plainly(text, session, &names, vocabulary);
    let ground = Ground { session, names: &names, vocabulary, read: &read };
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
    read_whole(words, &Ground { session, names: &names, vocabulary, read: &read })
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
    let Ground { session, names, read, .. } = *ground;
    if let Some(trouble) = revisions::asked(words, session) {
        let unclear = vec![unclear(words.trim(), trouble)];
        return Reading { understood: Vec::new(), unclear };
    }
    let whole = read(words);
    let whole = musings::without_reason(words, &whole, read).unwrap_or(whole);
    let whole = speakers::on_their_track(words, &whole, ground).unwrap_or(whole);
    let reading = halves::understood(words, &whole, names, read).unwrap_or(whole);
    match musings::conditional(words, &reading) {
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
    let read = |text: &str| read_plainly(text, session, names, vocabulary);
    if let Some(trouble) = musings::asked(&tokens, words, session, vocabulary, &read) {
        let unclear = vec![unclear(words.trim(), trouble)];
        return Reading { understood: Vec::new(), unclear };
    }
    if let Some(reading) = reader::read(scope, vocabulary) {
        return reading;
    }
    place_first::reading(scope, &read).unwrap_or_else(|| read_corrected(scope, vocabulary))
}

/// Words that are not understood as they stand: without typing errors, or each request by itself.
fn read_corrected(scope: Scope<'_>, vocabulary: &Vocabulary) -> Reading {
    let Scope { text, names, tokens, .. } = scope;
    let mut tokens = tokens.to_vec();
    let is_other = correct(&mut tokens, names);
    let scope = Scope { tokens: &tokens, ..scope };
    if let Some(reading) = is_other.then(|| reader::read(scope, vocabulary)).flatten() {
        return reading;
    }
    let context = Context { alone: true, ..Context::of(scope) };
    let mut reading = reader::read_each(&context, vocabulary);
    if reading.understood.is_empty() && reading.unclear.is_empty() {
        return refused(text.trim(), "it asks for nothing".into());
    }
    for unclear in &mut reading.unclear {
        keep_harmless(text, &mut unclear.suggestions);
    }
    reading
}

/// Makes of each offer something that can be said as it stands.
fn complete_offers(words: &str, unclear: &mut Unclear, ground: &Ground<'_>) {
    let asked = Asked { text: &unclear.text, open: &unclear.open };
    let mut found = complete(&unclear.suggestions, words, &asked, ground);
    for nearest in [unclear.text.as_str(), words] {
        if found.is_empty() {
            found = complete(&help_suggestions(nearest), words, &asked, ground);
        }
    }
    if found.is_empty() {
        found.push("help".into());
    }
    unclear.suggestions = found;
}

fn complete(offers: &[String], words: &str, asked: &Asked<'_>, ground: &Ground<'_>) -> Vec<String> {
    let is_plain = |offer: &String| musings::conditional(offer, &(ground.read)(offer)).is_none();
    let mut found = offers::whole(offers, asked, ground);
    keep_harmless(words, &mut found);
    found.retain(is_plain);
    found
}

/// Those of `offers` that can be said in this session, in its names; never the same as was `asked`.
pub(crate) fn sayable(
    offers: &[String],
    asked: &str,
    session: &Session,
    vocabulary: &Vocabulary,
) -> Vec<String> {
    let names = Names::new(session);
    let read = |text: &str| read_plainly(text, session, &names, vocabulary);
    let ground = Ground { session, names: &names, vocabulary, read: &read };
    let nothing = Asked { text: "", open: &[] };
    let mut found = complete(offers, asked, &nothing, &ground);
    found.retain(|offer| offer != asked);
    found
}

/// What can be said that is nearest to words that failed; never empty.
pub(crate) fn nearest(words: &str, session: &Session, vocabulary: &Vocabulary) -> Vec<String> {
    let mut found = sayable(&help_suggestions(words), words, session, vocabulary);
    if found.is_empty() {
        found.push("help".into());
    }
    found
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

//! From words to requests: the steps in their order, and what is said about words that fail.

mod protected;

use crate::clause_reader::{OBJECT, Reader};
use crate::clauses::{Clause, clauses_of};
use crate::halves;
use crate::in_time;
use crate::lexer::{Token, lex};
use crate::musings;
use crate::names::{NameKind, Names};
use crate::offers::{self, Asked, Ground};
use crate::pieces::pieces_of;
use crate::place_first;
use crate::reader::{self, Declared, Heritage, Vocabulary};
use crate::reading::{Reading, Request, RequestKind, Target, Unclear};
use crate::requests::{Draft, build, nothing_to_do};
use crate::resolve::{Context, Protection, Trouble};
use crate::revisions;
use crate::sentences::{Sentence, parts};
use crate::speakers;
use crate::spelling::correct;
use crate::suggest::{help_suggestions, keep_harmless};
use crate::targets::Scope;
use crate::vocab::{Noun, Verb};
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
    let clauses = clauses_of(pieces_of(words, scope));
    if clauses.is_empty() {
        return refused(words.trim(), "it asks for nothing".into());
    }
    Planner { words, scope, clauses, before: Before::default(), vocabulary }.read()
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
    let in_part = |part: &Range<usize>| {
        let sentence = Sentence::of(scope.tokens.get(part.clone())?, scope.session)?;
        (parts.len() == 1 || !sentence.goes_on()).then_some(sentence)
    };
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
        let clauses = clauses_of(pieces_of(words, scope));
        let planner = Planner { words, scope, clauses, before: before.clone(), vocabulary };
        let read = match &sentence {
            Some(sentence) => planner.read_sentence(sentence),
            None => planner.read(),
        };
        let targets = read.understood.iter().flat_map(|request| &request.targets);
        before.previous = targets.map(|target| target.id).collect();
        before.mentioned.extend(before.previous.clone());
        reading.understood.extend(read.understood);
        reading.unclear.extend(read.unclear);
    }
    Some(reading)
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

struct Planner<'a> {
    words: &'a str,
    scope: Scope<'a>,
    clauses: Vec<Clause>,
    before: Before,
    vocabulary: &'a Vocabulary,
}

/// What was said ahead of these words.
#[derive(Clone, Default)]
struct Before {
    previous: Vec<ObjectId>,
    mentioned: Vec<ObjectId>,
    /// Whether there are other requests.
    others: bool,
}

/// A clause that forbids, and what it keeps as it is.
type Kept = Result<Protection, Trouble>;

impl Planner<'_> {
    fn read_sentence(&self, sentence: &Sentence) -> Reading {
        let context = Context {
            scope: self.scope,
            alone: !self.before.others,
            previous: self.before.previous.clone(),
            mentioned: self.before.mentioned.clone(),
            protected: Vec::new(),
            verb: None,
        };
        let tokens = self.scope.tokens;
        let ends = tokens.first().zip(tokens.last());
        let text = ends.and_then(|(first, last)| self.words.get(first.start..last.end));
        let text = text.unwrap_or(self.words).trim();
        let mut reading = Reading::default();
        match sentence.draft(&context).and_then(|drafts| self.held(drafts)) {
            Ok(drafts) => {
                let requests = drafts.into_iter().map(|draft| self.complete(text, draft));
                reading.understood.extend(requests);
            }
            Err(trouble) => {
                let start = ends.map_or(0, |(first, _)| first.start);
                let open = sentence.open(tokens).map(|(from, to)| (from - start, to - start));
                let unclear = self.unclear(text, trouble);
                reading.unclear.push(Unclear { open: open.collect(), ..unclear });
            }
        }
        reading
    }

    fn read(&self) -> Reading {
        let kept: Vec<Option<Kept>> =
            self.clauses.iter().map(|clause| self.keeps(clause)).collect();
        let requests = kept.iter().filter(|kept| kept.is_none()).count();
        let mut context = Context {
            scope: self.scope,
            alone: self.clauses.len() == 1 && !self.before.others,
            previous: self.before.previous.clone(),
            mentioned: self.before.mentioned.clone(),
            protected: kept.iter().flatten().flatten().cloned().collect(),
            verb: None,
        };
        let mut reading = Reading::default();
        let mut heritage = None;
        for (clause, kept) in self.clauses.iter().zip(&kept) {
            let text = self.text_of(clause);
            match kept {
                Some(Ok(protection)) if requests > 0 => context.mentioned.extend(&protection.ids),
                Some(Ok(_)) => reading.unclear.push(self.unclear(&text, nothing_to_do())),
                Some(Err(trouble)) => reading.unclear.push(self.unclear(&text, trouble.clone())),
                None => self.request(clause, &mut heritage, &mut context, &mut reading),
            }
        }
        self.check_undo(&kept, &mut reading);
        reading
    }

    /// Undo takes back whole revisions: it can keep nothing as it is.
    fn check_undo(&self, kept: &[Option<Kept>], reading: &mut Reading) {
        let undoes = reading
            .understood
            .iter()
            .any(|request| matches!(request.kind, RequestKind::Undo | RequestKind::Redo));
        if undoes && kept.iter().flatten().any(Result::is_ok) {
            let trouble = Trouble::new(
                "undo takes back a whole revision and can leave nothing of it",
                ["undo"],
            );
            reading.unclear.push(self.unclear(self.words.trim(), trouble));
        }
    }

    fn request(
        &self,
        clause: &Clause,
        heritage: &mut Option<Heritage>,
        context: &mut Context<'_>,
        reading: &mut Reading,
    ) {
        let text = self.text_of(clause);
        context.verb = clause.verb();
        match self.understand(clause, context, heritage) {
            Ok(drafts) => {
                for draft in drafts {
                    context.mentioned.extend(&draft.targets);
                    if !draft.targets.is_empty() {
                        context.previous.clone_from(&draft.targets);
                    }
                    reading.understood.push(self.complete(&text, draft));
                }
            }
            Err(trouble) => {
                context.previous.clear();
                let unclear = self.unclear(&text, trouble);
                reading.unclear.push(Unclear { open: clause.open(), ..unclear });
            }
        }
    }

    /// What the tools' declarations make of a clause; else what the grammar does.
    fn understand(
        &self,
        clause: &Clause,
        context: &Context<'_>,
        heritage: &mut Option<Heritage>,
    ) -> Result<Vec<Draft>, Trouble> {
        let declared = self.declared(clause, context, heritage.take());
        let unsaid = match declared {
            Declared::Requests(drafts, left) => {
                *heritage = Some(left);
                return self.held(drafts);
            }
            Declared::Refused(trouble) => return Err(trouble),
            Declared::Unsaid(trouble) => Some(trouble),
            Declared::Other => None,
        };
        self.by_grammar(clause, context).map_err(|trouble| unsaid.unwrap_or(trouble))
    }

    /// Nothing may be left over: a word that is not understood could change the meaning.
    fn by_grammar(&self, clause: &Clause, context: &Context<'_>) -> Result<Vec<Draft>, Trouble> {
        let mut reader = Reader::new(clause);
        let nameless = Reader::new(clause).unknown();
        let built = build(clause, &mut reader, context);
        let unknown: Vec<_> =
            reader.unknown().into_iter().filter(|place| nameless.contains(place)).collect();
        if !unknown.is_empty() {
            return Err(self.not_known(clause, &unknown));
        }
        let drafts = built?;
        let left = reader.leftovers();
        match left.is_empty() {
            true => self.held(drafts),
            false => Err(Trouble::not_understood(
                self.told(&left, ["does not fit in here", "do not fit in here"]),
                help_suggestions(&self.text_of(clause)),
            )),
        }
    }

    /// What the tools' own declarations explain of a clause; a clause that takes its verb over goes on with the one before.
    fn declared(
        &self,
        clause: &Clause,
        context: &Context<'_>,
        before: Option<Heritage>,
    ) -> Declared {
        let Some((start, end)) = clause.span else { return Declared::Other };
        let is_own = |token: &&Token| start <= token.start && token.end <= end;
        let tokens: Vec<Token> = self.scope.tokens.iter().filter(is_own).cloned().collect();
        let context = Context {
            scope: Scope { tokens: &tokens, ..self.scope },
            alone: context.alone,
            previous: context.previous.clone(),
            mentioned: context.mentioned.clone(),
            protected: context.protected.clone(),
            verb: context.verb,
        };
        let is_taken_over = clause.pieces.iter().any(|piece| piece.start < start);
        reader::read_one(
            &context,
            self.vocabulary,
            before.filter(|_| is_taken_over),
            clause.shared(),
        )
    }

    /// What is asked of what is selected, held to the selected time.
    fn held(&self, drafts: Vec<Draft>) -> Result<Vec<Draft>, Trouble> {
        drafts.into_iter().map(|draft| in_time::held(draft, self.scope.session)).collect()
    }

    fn not_known(&self, clause: &Clause, places: &[(usize, usize)]) -> Trouble {
        if let [(start, end)] = places
            && let Some(words) = self.words.get(*start..*end)
            && let Some(trouble) = speakers::on_a_track(words, self.scope.session)
        {
            return trouble;
        }
        let mut reader = Reader::new(clause);
        let reason = self.told(places, ["is not understood", "are not understood"]);
        let mut offers = help_suggestions(&self.text_of(clause));
        if reader.take_phrase(OBJECT).is_some() {
            return Trouble::not_understood(reason, offers);
        }
        offers.truncate(3);
        match reader.has_noun(Noun::Marker) {
            true => offers
                .extend(self.scope.names.of_kind(NameKind::Marker).map(|name| name.text.clone())),
            // What is removed is named by who asks: "remove the mud" is no track.
            false if clause.verb() == Some(Verb::Remove) => offers.push("list the tracks".into()),
            false => offers.extend(self.scope.track_names()),
        }
        Trouble::not_understood(format!("{reason}, and nothing here is called so"), offers)
    }

    /// The words at these places in quotes, with what is said of one or of several.
    fn told(&self, places: &[(usize, usize)], [one, several]: [&str; 2]) -> String {
        let words = places.iter().filter_map(|(start, end)| self.words.get(*start..*end));
        let quoted: Vec<String> =
            words.map(|word| format!("\"{}\"", word.trim_matches('"'))).collect();
        match &quoted[..] {
            [only] => format!("{only} {one}"),
            [ahead @ .., last] => format!("{} and {last} {several}", ahead.join(", ")),
            [] => format!("it {one}"),
        }
    }

    fn text_of(&self, clause: &Clause) -> String {
        let (start, end) = clause.span.unwrap_or((0, 0));
        self.words.get(start..end).unwrap_or_default().trim().to_owned()
    }

    fn unclear(&self, text: &str, mut trouble: Trouble) -> Unclear {
        keep_harmless(self.words, &mut trouble.suggestions);
        unclear(text, trouble)
    }

    fn complete(&self, text: &str, draft: Draft) -> Request {
        let target = |id: ObjectId| Target { id, name: self.scope.session.name_of(id) };
        Request {
            text: text.to_owned(),
            kind: draft.kind,
            targets: draft.targets.into_iter().map(target).collect(),
        }
    }
}

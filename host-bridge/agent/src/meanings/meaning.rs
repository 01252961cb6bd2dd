//! What words of a person's own mean: words that are said, codes, people who speak, and phrases of the edit.

use super::spoken::{self, Among, phrases, several};
use super::text::{plain, text_of};
use super::{
    are_only_phrases, are_plainly_phrases, choose, codes, gone, hear, is_nothing, kinds,
    may_be_code, may_be_phrases, pointer, stems, transcripts, wanted, word_cut,
};
use crate::lexer::{Token, TokenKind};
use crate::resolve::{Context, Trouble, list};
use deskhand_session::intent::TextKind;
use deskhand_session::{ObjectId, PhraseId, Segment};
use serde_json::{Value, json};
use std::ops::Range;

/// What words mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meaning {
    /// The parameter.
    pub value: Value,
    /// The objects that it names.
    pub ids: Vec<ObjectId>,
}

impl Meaning {
    /// Words that name nothing.
    pub(crate) fn plain(text: impl Into<Value>) -> Self {
        Self { value: text.into(), ids: Vec::new() }
    }
}

/// What tokens mean as words of this kind, or why that cannot be told; `None` if they are nothing of the kind.
// tidy: table
pub(crate) fn meaning(
    kind: TextKind,
    tokens: &[Token],
    context: &Context<'_>,
) -> Option<Result<Meaning, Trouble>> {
    let session = context.scope.session;
    let names_code = matches!(
        kind,
        TextKind::KnownCode
            | TextKind::KnownCodes
            | TextKind::Noted
            | TextKind::Code
            | TextKind::Codes
    );
    let tokens = match tokens {
        [article, rest @ ..] if names_code && article.is("the") && !rest.is_empty() => rest,
        all => all,
    };
    let text = || text_of(tokens, context);
    if kind.is_phrase() && session.assembly.is_empty() {
        return spoken::would_be_phrases(tokens, session).then(|| {
            let reason = "there is no assembly yet, and only its phrases can be meant";
            Err(Trouble::new(reason, ["find the phrases"]))
        });
    }
    let is_known_code = || codes::is_known(tokens, session);
    let playing = || edited(tokens, Among::Playing, context);
    let voice = || Some(Ok(Meaning::plain(transcripts::voice(tokens, session)?)));
    match kind {
        TextKind::Text if !is_nothing(tokens) => Some(Ok(Meaning::plain(text()))),
        TextKind::Stem | TextKind::Quote => match tokens {
            [Token { kind: TokenKind::Quote(text), .. }]
                if kind == TextKind::Quote || !text.contains('.') =>
            {
                Some(Ok(Meaning::plain(text.clone())))
            }
            _ => None,
        },
        TextKind::Words
            if is_nothing(tokens) || kinds::only_point(tokens) || are_plainly_phrases(tokens) =>
        {
            None
        }
        TextKind::Words => Some(words(tokens, context)),
        TextKind::Code | TextKind::Codes | TextKind::CodeName | TextKind::NewCode
            if kinds::only_point(tokens) && !is_known_code() || !may_be_code(tokens, session) =>
        {
            None
        }
        TextKind::KnownCode | TextKind::KnownCodes if !is_known_code() => None,
        TextKind::Code | TextKind::KnownCode => Some(code(&text(), context)),
        TextKind::Codes | TextKind::KnownCodes => {
            let list = |found: Meaning| Meaning { value: json!([found.value]), ..found };
            Some(code(&text(), context).map(list))
        }
        TextKind::CodeName => Some(code_name(&text(), context)),
        TextKind::NewCode => Some(new_code(&text())),
        TextKind::Noted if !is_known_code() && may_be_phrases(tokens, session) => {
            first_segment(tokens, context)
        }
        TextKind::Noted if is_known_code() || !kinds::only_point(tokens) => {
            Some(code(&text(), context))
        }
        TextKind::Segments | TextKind::Coded => segments(tokens, context),
        TextKind::Phrases if may_be_phrases(tokens, session) => playing(),
        TextKind::OnlyPhrases if are_only_phrases(tokens, session) => playing(),
        TextKind::WholePhrases
            if word_cut::is_part(tokens, session)
                || is_known_code()
                || !are_only_phrases(tokens, session) =>
        {
            None
        }
        TextKind::WholePhrases => {
            let mut parts = several(tokens, session).into_iter();
            match parts.find(|it| word_cut::is_part(it, session)) {
                Some(part) => Some(Err(word_cut::no_phrase(part, context))),
                None => playing(),
            }
        }
        TextKind::RemovedPhrases if may_be_phrases(tokens, session) || gone::is_gone(tokens) => {
            edited(tokens, Among::Removed, context)
        }
        TextKind::PhraseOrder => {
            spoken::in_order(tokens, session).map(|found| found.map(phrases_as))
        }
        TextKind::Place => spoken::place(tokens).map(|place| Ok(Meaning::plain(place))),
        TextKind::Phrase if may_be_phrases(tokens, session) => {
            Some(playing()?.and_then(|found| match found.ids[..] {
                [one] => Ok(Meaning { value: json!(one.to_string()), ids: vec![one] }),
                _ => Err(Trouble::new("that is more than one phrase", ["show the phrases"])),
            }))
        }
        TextKind::Stems => stems::named(tokens).map(|stems| Ok(Meaning::plain(stems))),
        // "Everything about money" is words that are looked for.
        TextKind::EachPhrase if !spoken::is_every(tokens) && are_plainly_phrases(tokens) => {
            playing()
        }
        TextKind::Takes => choose::takes(tokens, context).map(|found| found.map(phrases_as)),
        TextKind::MarkedTakes => choose::only_set(tokens, session).map(|ids| Ok(phrases_as(ids))),
        TextKind::TakesOf => choose::takes_of(tokens, context).map(|found| found.map(phrases_as)),
        TextKind::PhraseStart | TextKind::PhraseEnd | TextKind::PhraseSpan => {
            heard(kind, tokens, context)
        }
        TextKind::PhraseClips if are_plainly_phrases(tokens) => {
            let found = phrases(tokens, Among::Playing, context)?;
            let clips = found.and_then(|ids| hear::clips(&ids, session));
            Some(clips.map(|ids| Meaning { value: list(&ids), ids }))
        }
        TextKind::Speaker => voice(),
        TextKind::OnlySpeaker if transcripts::is_stranger(tokens, session) => voice(),
        // They are nothing of the kind.
        _ => None,
    }
}

/// The words that are looked for; those that point at something are none. "Money or price" is each by itself, where
/// nobody says it so.
fn words(tokens: &[Token], context: &Context<'_>) -> Result<Meaning, Trouble> {
    let session = context.scope.session;
    let parts: Vec<_> = tokens.split(|token| token.is("or")).collect();
    let is_list = parts.len() > 1 && parts.iter().all(|part| !part.is_empty());
    let is_quote = |part: &&[Token]| matches!(part, [Token { kind: TokenKind::Quote(_), .. }]);
    let each = || parts.iter().map(|part| wanted::wanted(part, context)).collect::<Vec<_>>();
    if is_list && parts.iter().all(is_quote) {
        return Ok(Meaning::plain(each()));
    }
    if pointer::is_pointer(tokens, session) {
        let why =
            "that names no words; say from when to when, or put one thing that is said in quotes";
        return Err(Trouble::new(why, ["search for \"price\"", "code every \"price\" as Money"]));
    }
    let whole = wanted::wanted(tokens, context);
    let text = format!(" {} ", plain(&whole));
    let is_said = |segment: &Segment| format!(" {} ", plain(&segment.text())).contains(&text);
    match is_list && !session.segments.values().any(is_said) {
        true => Ok(Meaning::plain(each())),
        false => Ok(Meaning::plain(whole)),
    }
}

/// A name as the codebook writes it; "Budget in micB" is no new code where there is a code "Budget".
fn code_name(text: &str, context: &Context<'_>) -> Result<Meaning, Trouble> {
    let session = context.scope.session;
    let name = codes::known_name(session, text);
    let (before, behind) = name.split_once(" in ").unwrap_or_default();
    let is_new = codes::meant(session, &name).is_empty();
    if is_new && !codes::meant(session, &codes::known_name(session, before)).is_empty() {
        let reason = format!("\"{behind}\" is no track, clip or source here");
        return Err(Trouble::new(reason, context.scope.track_names()));
    }
    Ok(Meaning::plain(name))
}

fn code(text: &str, context: &Context<'_>) -> Result<Meaning, Trouble> {
    let session = context.scope.session;
    let name = codes::known_name(session, text);
    match &codes::meant(session, &name)[..] {
        [id] => Ok(Meaning { value: json!(id), ids: vec![(*id).into()] }),
        [] => Err(codes::none_called(session, &name)),
        several => Err(codes::which(session, several, &name)),
    }
}

/// Words that no name begins with, unless it is in quotes.
const NO_NAME: [&str; 9] = ["for", "of", "to", "from", "with", "in", "on", "at", "by"];

fn new_code(name: &str) -> Result<Meaning, Trouble> {
    let first = name.split_whitespace().next().unwrap_or_default().to_lowercase();
    if NO_NAME.contains(&first.as_str()) {
        let reason =
            format!("\"{name}\" does not look like the name of a code; put the name in quotes");
        return Err(Trouble::new(reason, ["add a code called Money"]));
    }
    Ok(Meaning::plain(name))
}

/// What is written down of a phrase first: phrases themselves have no memos.
fn first_segment(tokens: &[Token], context: &Context<'_>) -> Option<Result<Meaning, Trouble>> {
    let found = segments(tokens, context)?;
    Some(found.and_then(|found| match found.ids[..] {
        [one, ..] => Ok(Meaning { value: json!(one.to_string()), ids: vec![one] }),
        [] => Err(Trouble::new("nothing is written down of that phrase", ["show the phrases"])),
    }))
}

/// The phrases that words point at.
fn edited(
    tokens: &[Token],
    among: Among,
    context: &Context<'_>,
) -> Option<Result<Meaning, Trouble>> {
    Some(phrases(tokens, among, context)?.map(phrases_as))
}

fn phrases_as(ids: Vec<PhraseId>) -> Meaning {
    Meaning { value: json!(ids), ids: ids.into_iter().map(Into::into).collect() }
}

/// Where phrases are heard, or the take that plays.
fn heard(
    kind: TextKind,
    tokens: &[Token],
    context: &Context<'_>,
) -> Option<Result<Meaning, Trouble>> {
    let session = context.scope.session;
    let found = match choose::played(tokens, context) {
        None if are_only_phrases(tokens, session) => phrases(tokens, Among::Playing, context)?,
        found => found?,
    };
    let place = |span: Range<f64>| match kind {
        TextKind::PhraseStart => json!(span.start),
        TextKind::PhraseEnd => json!(span.end),
        _ => json!([span.start, span.end]),
    };
    Some(found.and_then(|ids| hear::span(&ids, session)).map(|span| Meaning::plain(place(span))))
}

/// The segments of the phrases, or of what is selected where they only point at it.
fn segments(tokens: &[Token], context: &Context<'_>) -> Option<Result<Meaning, Trouble>> {
    let session = context.scope.session;
    let found = match pointer::is_selection(tokens) {
        true => super::selected::segments(session),
        false if may_be_phrases(tokens, session) => {
            phrases(tokens, Among::Playing, context)?.map(|ids| {
                let phrases = ids.iter().filter_map(|id| session.phrases.get(id));
                phrases.flat_map(|phrase| phrase.segments.clone()).collect()
            })
        }
        false => return None,
    };
    let of = |ids: Vec<deskhand_session::SegmentId>| Meaning {
        value: json!(ids),
        ids: ids.into_iter().map(Into::into).collect(),
    };
    Some(found.map(of))
}

//! What words of a person's own mean: words that are said, codes, people who speak, and phrases of the edit.

use super::spoken::{Among, phrases, plain};
use super::{codes, is_nothing, kinds, pointer, takes, transcripts, wanted};
use crate::lexer::{Token, TokenKind};
use crate::resolve::{Context, Trouble};
use deskhand_session::intent::TextKind;
use deskhand_session::{ObjectId, Segment};
use serde_json::{Value, json};

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
    let text = || super::spoken::text_of(tokens, context);
    let is = |slot: &str| takes(slot, tokens, session);
    match kind {
        TextKind::Name | TextKind::Color => None,
        TextKind::Text => (!is_nothing(tokens)).then(|| Ok(Meaning::plain(text()))),
        TextKind::Stem => match tokens {
            [Token { kind: TokenKind::Quote(text), .. }] if !text.contains('.') => {
                Some(Ok(Meaning::plain(text.clone())))
            }
            _ => None,
        },
        TextKind::Quote => match tokens {
            [Token { kind: TokenKind::Quote(text), .. }] => Some(Ok(Meaning::plain(text.clone()))),
            _ => None,
        },
        TextKind::Words if is_nothing(tokens) || kinds::only_point(tokens) || is("plain") => None,
        TextKind::Words => Some(words(tokens, context)),
        TextKind::Code | TextKind::Codes | TextKind::CodeName | TextKind::NewCode
            if kinds::only_point(tokens) && !is("known") =>
        {
            None
        }
        TextKind::Code => is("code").then(|| code(&text(), context)),
        TextKind::CodeName => is("code").then(|| code_name(&text(), context)),
        TextKind::KnownCode => is("known").then(|| code(&text(), context)),
        TextKind::KnownCodes | TextKind::Codes => {
            is(if kind == TextKind::Codes { "code" } else { "known" }).then(|| {
                let found = code(&text(), context)?;
                Ok(Meaning { value: json!([found.value]), ..found })
            })
        }
        TextKind::NewCode => is("code").then(|| new_code(&text())),
        TextKind::Noted if is("known") => Some(code(&text(), context)),
        TextKind::Noted if is("p") => first_segment(tokens, context),
        TextKind::Noted => (!kinds::only_point(tokens)).then(|| code(&text(), context)),
        TextKind::Segments | TextKind::Coded => segments(tokens, context),
        TextKind::Speaker => {
            transcripts::voice(tokens, session).map(|name| Ok(Meaning::plain(name)))
        }
        TextKind::OnlySpeaker if !transcripts::is_stranger(tokens, session) => None,
        TextKind::OnlySpeaker => {
            transcripts::voice(tokens, session).map(|name| Ok(Meaning::plain(name)))
        }
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

/// The segments of the phrases, or of what is selected where they only point at it.
fn segments(tokens: &[Token], context: &Context<'_>) -> Option<Result<Meaning, Trouble>> {
    let session = context.scope.session;
    let found = match pointer::is_selection(tokens) {
        true => super::selected::segments(session),
        false if takes("p", tokens, session) => {
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

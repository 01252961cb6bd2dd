//! Sentences about codes: what is coded, the codebook, and what is reported of both.

use crate::lexer::{Token, TokenKind};
use crate::resolve::Trouble;
use deskhand_session::{CodeId, Session, Track};

/// Between the names of a path.
const SLASH: &str = "/";

/// Whether tokens are the name of a code, and no track is called so.
pub(crate) fn is_known(tokens: &[Token], session: &Session) -> bool {
    let name = name_in(tokens);
    let is_track = |track: &Track| track.name.eq_ignore_ascii_case(&name);
    is_code(tokens, session) && !session.tracks.values().any(is_track)
}

/// Whether tokens are the name of a code, or of several.
pub(super) fn is_code(tokens: &[Token], session: &Session) -> bool {
    !meant(session, &name_in(tokens)).is_empty()
}

/// The codes of that name; case does not count.
pub(super) fn called(session: &Session, name: &str) -> Vec<CodeId> {
    let wanted = name.trim().to_lowercase();
    let named = session.codes.iter().filter(|(_, code)| code.name.to_lowercase() == wanted);
    named.map(|(id, _)| *id).collect()
}

/// The name of a code without the words around it, as the codebook writes it where it knows it.
pub(super) fn known_name(session: &Session, text: &str) -> String {
    let plain = text.trim();
    let plain = plain.strip_prefix("the ").unwrap_or(plain);
    let plain = plain.strip_prefix("code ").unwrap_or(plain);
    // A path stays one: its last name alone may be that of several.
    let known = match called(session, plain)[..] {
        [id] => session.codes.get(&id),
        _ => None,
    };
    known.map_or_else(|| plain.to_owned(), |code| code.name.clone())
}

/// The codes that a text names: by an id, by their name, or by a path such as "Money/Rent".
pub(super) fn meant(session: &Session, text: &str) -> Vec<CodeId> {
    if let Ok(id) = text.parse::<CodeId>() {
        return Some(id).filter(|id| session.codes.contains_key(id)).into_iter().collect();
    }
    let named = called(session, text);
    if !named.is_empty() || !text.contains(SLASH) {
        return named;
    }
    let folded = |path: &str| -> Vec<String> {
        path.split(SLASH).map(|name| name.trim().to_lowercase()).collect()
    };
    let is_there = |id: &CodeId| folded(&path(session, *id)) == folded(text);
    session.codes.keys().copied().filter(is_there).collect()
}

/// The names from the top of the codebook down to a code.
fn path(session: &Session, id: CodeId) -> String {
    let up = |id: &CodeId| session.codes.get(id).and_then(|code| code.parent);
    // A codebook cannot go round in a circle; the limit is for one that does all the same.
    let steps = std::iter::successors(Some(id), up).take(session.codes.len());
    let mut names: Vec<&str> =
        steps.filter_map(|id| Some(session.codes.get(&id)?.name.as_str())).collect();
    names.reverse();
    names.join(SLASH)
}

/// Why a text names no code.
pub(super) fn none_called(session: &Session, text: &str) -> Trouble {
    let names: Vec<String> = session.codes.values().map(|code| code.name.clone()).collect();
    let offers = if names.is_empty() { vec![format!("add a code called {text}")] } else { names };
    Trouble::new(format!("no code is called \"{text}\""), offers)
}

/// Which of several codes a text names: each by its path, and by its id where the path is the text itself.
pub(super) fn which(session: &Session, several: &[CodeId], text: &str) -> Trouble {
    let paths: Vec<String> = several.iter().map(|id| path(session, *id)).collect();
    let told: Vec<String> = paths.iter().map(|path| format!("\"{path}\"")).collect();
    let reason = format!("{} codes are called \"{text}\": {}", several.len(), told.join(" and "));
    let offers = several.iter().zip(paths).map(|(id, path)| match path.contains(SLASH) {
        true => path,
        false => id.to_string(),
    });
    Trouble::new(reason, offers)
}

fn name_in(tokens: &[Token]) -> String {
    match tokens {
        [Token { kind: TokenKind::Quote(text), .. }] => text.clone(),
        words => words.iter().filter_map(Token::word).collect::<Vec<_>>().join(" "),
    }
}

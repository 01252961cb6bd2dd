//! Sentences about codes: what is coded, the codebook, and what is reported of both.

use super::said::{Built, Said, about};
use super::selected;
use super::spoken::Among;
use crate::lexer::{Token, TokenKind};
use crate::numbers::number_at;
use crate::resolve::Trouble;
use crate::times::{rounded, time_at, unit_of};
use deskhand_dsp::Frames;
use deskhand_session::{CodeId, ObjectId, SegmentId, Session, Spoken, Track};
use serde_json::json;

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

/// From when to when, in seconds.
pub(super) fn times(said: &Said<'_>) -> Option<(f64, f64)> {
    match said.tokens("span") {
        Some(span) => ends(dashed(span)?),
        None => ends((said.tokens("since")?, said.tokens("till")?)),
    }
}

/// What stands on both sides of a dash: "1-2 seconds".
fn dashed(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let is_dash = |token: &Token| token.kind == TokenKind::Dash || token.is("-");
    let at = tokens.iter().position(is_dash)?;
    Some((tokens.get(..at)?, tokens.get(at + 1..)?))
}

/// Two times; where one has no unit it is in that of the other: "1 to 2 seconds".
pub(super) fn ends((from, to): (&[Token], &[Token])) -> Option<(f64, f64)> {
    match (whole(from), whole(to)) {
        (Some(from), Some(to)) => Some((from, to)),
        (None, Some(end)) => Some((rounded(bare(from)? * unit_of(to)?), end)),
        (Some(start), None) => Some((start, rounded(bare(to)? * unit_of(from)?))),
        (None, None) => None,
    }
}

/// A time with its unit, and nothing else.
fn whole(tokens: &[Token]) -> Option<f64> {
    time_at(tokens, 0).filter(|(_, end)| *end == tokens.len()).map(|(time, _)| time.seconds)
}

/// A number, and nothing else.
fn bare(tokens: &[Token]) -> Option<f64> {
    let (number, _) = number_at(tokens, 0).filter(|(_, end)| *end == tokens.len())?;
    (!number.signed).then_some(number.value)
}

/// Whether tokens are a time, with its unit or without.
pub(super) fn is_time(tokens: &[Token]) -> bool {
    whole(tokens).or_else(|| bare(tokens)).is_some()
}

/// Whether tokens are two times with a dash between them, of which one has a unit.
pub(super) fn is_span(tokens: &[Token]) -> bool {
    dashed(tokens).and_then(ends).is_some()
}

/// The slot that names a code.
pub(super) fn named(said: &Said<'_>) -> Option<&'static str> {
    ["code", "known"].into_iter().find(|slot| said.tokens(slot).is_some())
}

/// Each segment of the phrase, or of what is selected where none is named.
pub(super) fn important(said: &Said<'_>, importance: u8) -> Built {
    let segments: Vec<SegmentId> = match (said.tokens("p"), times(said)) {
        (Some(_), _) => segments_of(said, "p")?,
        (None, Some((from, to))) if from < to => selected::between(said.session(), from, to)?,
        (None, _) if is_timed(said) => {
            let offer = "mark 0:10 to 0:20 as important";
            return Err(Trouble::new("it does not say from when to when", [offer]));
        }
        (None, _) => selected::segments(said.session())?,
    };
    let draft = |segment: SegmentId| {
        let params = vec![("segment_id", json!(segment)), ("importance", json!(importance))];
        about(segment.into(), "tool_set_importance", params)
    };
    Ok(segments.into_iter().map(draft).collect())
}

/// The segments of the phrases of a slot.
fn segments_of(said: &Said<'_>, slot: &str) -> Result<Vec<SegmentId>, Trouble> {
    let phrases = said.phrases(slot, Among::Playing)?;
    let each = phrases.iter().filter_map(|id| said.session().phrases.get(id));
    Ok(each.flat_map(|phrase| phrase.segments.clone()).collect())
}

/// Whether times are said, in whatever unit.
fn is_timed(said: &Said<'_>) -> bool {
    said.tokens("since").is_some() || said.tokens("span").is_some()
}

/// "code phrase 3 as Money": each phrase is a region of its recording.
pub(super) fn code_phrases(said: &Said<'_>) -> Built {
    let name = said.code_name(named(said).unwrap_or("code"))?;
    let rate = said.session().rate;
    let phrases = said.phrases("plain", Among::Playing)?;
    let ms = |at: Frames| json!((at.seconds(rate).0 * 1000.0).round());
    let coded = |spoken: Spoken| {
        let target: ObjectId = spoken.source.into();
        let params = vec![
            ("code", json!(name)),
            ("target", json!(target.to_string())),
            ("start_ms", ms(spoken.start)),
            ("end_ms", ms(spoken.end)),
        ];
        about(target, "tool_code_region", params)
    };
    Ok(phrases.iter().filter_map(|id| said.session().spoken(*id)).map(coded).collect())
}

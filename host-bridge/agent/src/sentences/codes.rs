//! Sentences about codes: what is coded, the codebook, and what is reported of both.

use super::pointer::is_pointer;
use super::said::{Built, One, Said, about};
use super::selected;
use super::spoken::Among;
use super::transcripts::is_anybody;
use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
use crate::numbers::number_at;
use crate::reader::colors;
use crate::resolve::{Trouble, Want};
use crate::times::{rounded, time_at, unit_of};
use deskhand_dsp::Frames;
use deskhand_session::{Clip, CodeId, ObjectId, SegmentId, Session, Spoken, Track};
use serde_json::json;

/// Between the names of a path.
const SLASH: &str = "/";

/// Whether tokens are the name of a code, and no track is called so.
pub(super) fn is_known(tokens: &[Token], session: &Session) -> bool {
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

pub(super) fn report(report: &str) -> One {
    Ok(Draft::call("tool_report_codes", vec![("report", json!(report))]))
}

/// How often each code is used, or one that is named.
pub(super) fn counts(said: &Said<'_>) -> One {
    if said.tokens("known").is_none() {
        return report("counts");
    }
    let code = said.code("known")?;
    let params = vec![("report", json!("counts")), ("codes", json!([code]))];
    Ok(about(code.into(), "tool_report_codes", params))
}

/// The words that are looked for: "every 'price'" and "the word price" are both price.
fn looked_for(said: &Said<'_>) -> Result<String, Trouble> {
    let text = said.wanted("text")?;
    if said.tokens("text").is_some_and(|tokens| is_pointer(tokens, said.session())) {
        let why =
            "that names no words; say from when to when, or put one thing that is said in quotes";
        return Err(Trouble::new(why, ["code every \"price\" as Money"]));
    }
    match said.text("who").is_none_or(|who| is_anybody(&who)) {
        true => Ok(text),
        false => Err(Trouble::new(
            "what one speaker says is coded by naming the clips of that speaker",
            ["code every \"price\" as Money"],
        )),
    }
}

pub(super) fn code_text(said: &Said<'_>, match_type: &str, unit: &str) -> One {
    let text = looked_for(said)?;
    let mut params = vec![
        ("code", json!(said.code_name("code")?)),
        ("text", json!(text)),
        ("match_type", json!(match_type)),
        ("unit", json!(unit)),
    ];
    if match_type == "contains" && is_short(&text) {
        params.push(("whole_word", json!(true)));
    }
    Ok(Draft::call("tool_code_exact", params))
}

/// Whether a word is so short that it stands inside of many others: "rent" in "parents".
fn is_short(text: &str) -> bool {
    const SHORT: usize = 4;
    text.chars().count() <= SHORT && text.chars().all(char::is_alphabetic)
}

/// Sentences that end in a question mark, as a transcript writes what is asked.
pub(super) fn code_questions(said: &Said<'_>) -> One {
    let params = vec![
        ("code", json!(said.code_name("code")?)),
        ("text", json!("?")),
        ("match_type", json!("contains")),
        ("unit", json!("sentence")),
    ];
    Ok(Draft::call("tool_code_exact", params))
}

pub(super) fn code_similar(said: &Said<'_>) -> One {
    let params = vec![
        ("code", json!(said.code_name("code")?)),
        ("text", json!(looked_for(said)?)),
        ("unit", json!("sentence")),
    ];
    Ok(Draft::call("tool_code_similar", params))
}

/// Times count from the start of what is named, or on the timeline.
pub(super) fn code_region(said: &Said<'_>) -> One {
    let code = said.code_name("code")?;
    let Some((from, to)) = times(said).filter(|(from, to)| from < to) else {
        let offer = "code 0:10 to 0:20 of take 1 as Laughter";
        return Err(Trouble::new("it does not say from when to when", [offer]));
    };
    let (target, origin) = match said.sound("on", Want::Clips)? {
        Some(found) => {
            let [id @ (ObjectId::Clip(_) | ObjectId::Source(_))] = found.ids[..] else {
                let names = said.context.scope.track_names();
                return Err(Trouble::new("a region is in one clip", names));
            };
            (id, 0.0)
        }
        None => playing(said.session(), from, to)?,
    };
    let params = vec![
        ("code", json!(code)),
        ("target", json!(target.to_string())),
        ("start_ms", json!(((from - origin) * 1000.0).round())),
        ("end_ms", json!(((to - origin) * 1000.0).round())),
    ];
    Ok(about(target, "tool_code_region", params))
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

/// The one clip that plays between two times of the timeline, with where it begins, in seconds; without clips the
/// only source.
fn playing(session: &Session, from: f64, to: f64) -> Result<(ObjectId, f64), Trouble> {
    let seconds = |frames: Frames| frames.seconds(session.rate).0;
    let spans = |clip: &Clip| {
        let start = seconds(clip.position);
        start <= from && to <= start + seconds(clip.length)
    };
    let there: Vec<_> = session.clips.iter().filter(|(_, clip)| spans(clip)).collect();
    let sources: Vec<_> = session.sources.keys().collect();
    match (&there[..], &sources[..]) {
        ([(id, clip)], _) => Ok(((**id).into(), seconds(clip.position))),
        ([], [source]) if session.clips.is_empty() => Ok(((**source).into(), 0.0)),
        _ => {
            let reason = match there.len() {
                0 => "a region is in one clip, and none plays from there to there".to_owned(),
                many => format!("a region is in one clip, and {many} play there"),
            };
            let names = there.iter().map(|(_, clip)| clip.name.clone()).take(3);
            Err(Trouble::new(reason, names))
        }
    }
}

/// Words that no name begins with, unless it is in quotes.
const NO_NAME: [&str; 9] = ["for", "of", "to", "from", "with", "in", "on", "at", "by"];

pub(super) fn new_code(said: &Said<'_>) -> One {
    let name = said.words("code")?;
    let first = name.split_whitespace().next().unwrap_or_default().to_lowercase();
    if NO_NAME.contains(&first.as_str()) {
        let reason =
            format!("\"{name}\" does not look like the name of a code; put the name in quotes");
        return Err(Trouble::new(reason, ["add a code called Money"]));
    }
    let mut params = vec![("name", json!(name))];
    if said.tokens("into").is_some() {
        params.push(("parent", json!(said.code("into")?)));
    }
    Ok(Draft::call("cmd_set_code", params))
}

pub(super) fn move_code(said: &Said<'_>) -> One {
    let (code, parent) = (said.code("code")?, said.code("into")?);
    let params = vec![("code_id", json!(code)), ("parent", json!(parent))];
    Ok(about(code.into(), "cmd_set_code", params))
}

/// The slot that names a code.
pub(super) fn named(said: &Said<'_>) -> Option<&'static str> {
    ["code", "known"].into_iter().find(|slot| said.tokens(slot).is_some())
}

pub(super) fn merge_codes(said: &Said<'_>) -> One {
    let (from, into) = (said.code(named(said).unwrap_or("code"))?, said.code("into")?);
    let params = vec![("from", json!(from)), ("into", json!(into))];
    Ok(Draft { targets: vec![from.into(), into.into()], ..Draft::call("cmd_merge_codes", params) })
}

/// The value of a color that one token is or names.
fn color_of(tokens: &[Token]) -> Option<&str> {
    match tokens {
        [Token { kind: TokenKind::Color(hex), .. }] => Some(hex),
        [only] => only.word().and_then(colors::of),
        _ => None,
    }
}

/// Whether tokens are a color.
pub(super) fn is_color(tokens: &[Token]) -> bool {
    color_of(tokens).is_some()
}

/// Gives a code a color; none where none is said.
pub(super) fn color(said: &Said<'_>) -> One {
    let code = said.code(named(said).unwrap_or("code"))?;
    let color = said.tokens("color").and_then(color_of).unwrap_or_default();
    Ok(about(code.into(), "cmd_set_code", vec![("code_id", json!(code)), ("color", json!(color))]))
}

pub(super) fn no_color(said: &Said<'_>) -> One {
    let (code, text) = (said.words("known")?, said.words("text")?);
    let offers = colors::names().map(|name| format!("color the code {code} {name}"));
    Err(Trouble::new(format!("\"{text}\" is no color that is known here"), offers.take(3)))
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

pub(super) fn quotes(said: &Said<'_>) -> One {
    let mut params = vec![("report", json!("quotes"))];
    let mut targets = Vec::new();
    if let Some(slot) = named(said) {
        let code = said.code(slot)?;
        params.push(("codes", json!([code])));
        targets.push(code.into());
    }
    Ok(Draft { targets, ..Draft::call("tool_report_codes", params) })
}

//! Sentences about transcripts: writing down, writing out, who speaks, and where something is said.

use super::Job;
use super::said::{Built, One, Params, Said, means_talk};
use super::spoken::plain;
use super::wanted::wanted;
use super::written::path;
use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
use crate::reading::{Question, RequestKind};
use crate::resolve::{Trouble, Want};
use deskhand_session::{Segment, Session};
use serde_json::json;
use std::collections::BTreeSet;

const LANGUAGES: [(&str, &str); 12] = [
    ("english", "en"),
    ("german", "de"),
    ("french", "fr"),
    ("spanish", "es"),
    ("italian", "it"),
    ("portuguese", "pt"),
    ("dutch", "nl"),
    ("polish", "pl"),
    ("swedish", "sv"),
    ("japanese", "ja"),
    ("chinese", "zh"),
    ("russian", "ru"),
];

pub(super) fn transcribe(job: Job, said: &Said<'_>) -> One {
    let mut params = Params::new();
    if let Some(name) = said.text("language") {
        let known =
            LANGUAGES.iter().find(|(word, code)| name.to_lowercase() == *word || name == *code);
        let Some((_, code)) = known else {
            let offers = LANGUAGES.map(|(word, _)| word);
            return Err(Trouble::new(
                format!("\"{name}\" is no language that is known here"),
                offers,
            ));
        };
        params.push(("language", json!(code)));
    }
    // What was written down without fillers has to be written down anew.
    if matches!(job, Job::TranscribeAgain | Job::TranscribeVerbatim) {
        params.push(("known", json!("replace")));
    }
    if job == Job::TranscribeVerbatim {
        params.push(("verbatim", json!(true)));
    }
    said.on("targets", "tool_transcribe", params)
}

pub(super) fn export_transcript(said: &Said<'_>) -> One {
    let format = said.text("format").or_else(|| said.text("subtitles"));
    let ending = format.map(ending_of).transpose()?;
    match said.text("new") {
        Some(named) => export_named(said, named, ending),
        None => export_as(said, ending.unwrap_or("txt"), None),
    }
}

/// The ending of a format that was said.
fn ending_of(format: String) -> Result<&'static str, Trouble> {
    match format.to_lowercase().as_str() {
        "srt" | "subrip" | "subtitles" | "captions" => Ok("srt"),
        "vtt" | "webvtt" => Ok("vtt"),
        "json" => Ok("json"),
        "text" | "txt" | "plain text" | "text file" => Ok("txt"),
        _ => {
            let reason = format!("a transcript is not written as \"{format}\"");
            Err(Trouble::new(reason, ["as srt", "as vtt", "as json", "as text"]))
        }
    }
}

/// "save the transcript as talk.srt": the ending says the format; both where they agree.
fn export_named(said: &Said<'_>, named: String, told: Option<&str>) -> One {
    let ends = |ending: &&&str| named.ends_with(&format!(".{ending}"));
    let own = ["srt", "vtt", "json", "txt"].iter().find(ends);
    match (own, told) {
        (Some(own), Some(told)) if *own != told => {
            let reason = format!("{named} is no file of {told}: its ending says what is written");
            Err(Trouble::new(
                reason,
                ["export the transcript as srt", "export the transcript as vtt"],
            ))
        }
        (Some(_), _) => export_as(said, "txt", Some(named)),
        (None, told) => {
            let named = format!("{named}.{}", told.unwrap_or("txt"));
            export_as(said, "txt", Some(named))
        }
    }
}

/// "export the transcript without speakers".
pub(super) fn export_speakerless(said: &Said<'_>) -> One {
    let mut draft = export_transcript(said)?;
    if let RequestKind::Call { params, .. } = &mut draft.kind {
        params["speakers"] = json!(false);
    }
    Ok(draft)
}

/// The transcript as a file with this ending, by the name that was said or the next that is free.
pub(super) fn export_as(said: &Said<'_>, ending: &str, named: Option<String>) -> One {
    let mut params = path(&format!("transcript.{ending}"), named);
    // Several recordings have no common start but the timeline.
    let played: BTreeSet<_> = said.session().clips.values().map(|clip| clip.source).collect();
    if said.tokens("on").is_none() && played.len() > 1 {
        params.push(("from", json!("timeline")));
    }
    said.on("targets", "tool_export_transcript", params)
}

pub(super) fn mark_speakers(said: &Said<'_>) -> One {
    let mut params = Params::new();
    if let Some(format) = said.text("format") {
        let format = format.to_lowercase();
        let format = match format.strip_prefix("their ").unwrap_or(&format) {
            "track" | "tracks" | "microphone" | "microphones" | "mic" | "mics" => "track",
            "sound" | "voice" | "voices" | "ear" => "sound",
            "text" | "names" | "name" => "auto",
            _ => {
                let reason = format!("speakers are not told by \"{format}\"");
                return Err(Trouble::new(reason, ["by track", "by sound", "by name"]));
            }
        };
        params.push(("speaker_format", json!(format)));
    }
    said.on("targets", "tool_mark_speakers", params)
}

/// "who speaks in the interview?"
pub(super) fn turns(said: &Said<'_>) -> One {
    // Who speaks on no track of their own is told of with all others.
    let is_voice = |tokens: &[Token]| voice(tokens, said.session()).is_some();
    let is_all = said.tokens("on").is_none_or(|on| means_talk(on) || is_voice(on));
    let found = match said.sound("on", Want::Sound) {
        Err(trouble) if !is_all => return Err(trouble),
        found => found.ok().flatten(),
    };
    let targets = found.map(|found| found.ids).unwrap_or_default();
    Ok(Draft { kind: RequestKind::Question(Question::Turns), targets })
}

/// "one speaker per track".
pub(super) fn mark_by_track(said: &Said<'_>) -> One {
    said.on("targets", "tool_mark_speakers", vec![("speaker_format", json!("track"))])
}

/// "Speaker 1 is called Anna".
pub(super) fn name_speaker(said: &Said<'_>) -> One {
    let tokens = said.tokens("voice").or_else(|| said.tokens("stranger")).unwrap_or_default();
    let speaker = voice(tokens, said.session()).unwrap_or_default();
    let params = vec![("speaker", json!(speaker)), ("name", json!(said.words("text")?))];
    Ok(Draft::call("cmd_set_speaker", params))
}

/// Who is meant among those who speak: by the whole name, or by one word of it that is no other's.
pub(super) fn voice(tokens: &[Token], session: &Session) -> Option<String> {
    let tokens = match tokens {
        [article, rest @ ..] if article.is("the") => rest,
        all => all,
    };
    let wanted = words(tokens)?;
    let speakers = session.segments.values().filter_map(|segment| segment.speaker.as_deref());
    let speakers: BTreeSet<&str> = speakers.collect();
    let whole = speakers.iter().find(|speaker| plain(speaker) == wanted);
    let has = |speaker: &&&str| plain(speaker).split(' ').any(|word| word == wanted);
    let mut partly = speakers.iter().filter(has);
    // "Speaker" alone is a kind, no name.
    let only = partly.next().filter(|_| wanted != "speaker" && partly.next().is_none());
    whole.or(only).map(|speaker| (*speaker).to_owned())
}

/// Somebody who speaks and after whom no track and no clip is called.
pub(super) fn is_stranger(tokens: &[Token], session: &Session) -> bool {
    let Some(name) = voice(tokens, session).map(|name| plain(&name)) else { return false };
    let tracks = session.tracks.values().map(|track| &track.name);
    let mut names = tracks.chain(session.clips.values().map(|clip| &clip.name));
    !names.any(|other| format!(" {} ", plain(other)).contains(&format!(" {name} ")))
}

/// Words and numbers as they are written in names, in lower case.
fn words(tokens: &[Token]) -> Option<String> {
    let word = |token: &Token| match &token.kind {
        TokenKind::Word(word) => Some(word.clone()),
        TokenKind::Number { value, .. } => Some(value.to_string()),
        TokenKind::Quote(text) => Some(plain(text)),
        _ => None,
    };
    let words: Vec<String> = tokens.iter().map(word).collect::<Option<_>>()?;
    Some(words.join(" ")).filter(|text| !text.is_empty())
}

/// Words for nobody in particular.
const ANYBODY: &[&str] = &[
    "he",
    "she",
    "they",
    "i",
    "we",
    "you",
    "it",
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "people",
    "the speaker",
    "everyone",
    "everybody",
    "one",
];

pub(super) fn search(said: &Said<'_>) -> Built {
    let queries = match said.text("quote") {
        Some(quote) => vec![quote],
        None => looked_for(said)?,
    };
    queries.into_iter().map(|query| search_for(said, query)).collect()
}

/// What is looked for: "money or price" is each by itself, where nobody says it so.
fn looked_for(said: &Said<'_>) -> Result<Vec<String>, Trouble> {
    let whole = said.wanted("text")?;
    let tokens = said.tokens("text").unwrap_or_default();
    let parts: Vec<_> = tokens.split(|token| token.is("or")).collect();
    let text = format!(" {} ", plain(&whole));
    let is_said = |segment: &Segment| format!(" {} ", plain(&segment.text())).contains(&text);
    let is_list = parts.len() > 1 && parts.iter().all(|part| !part.is_empty());
    match is_list && !said.session().segments.values().any(is_said) {
        true => Ok(parts.into_iter().map(|part| wanted(part, said.context)).collect()),
        false => Ok(vec![whole]),
    }
}

fn search_for(said: &Said<'_>, query: String) -> One {
    let mut params = vec![("query", json!(query))];
    let by = said.tokens("voice").or_else(|| said.tokens("who"));
    let speaker = by.and_then(|tokens| voice(tokens, said.session()));
    if let Some(speaker) = speaker {
        params.push(("speaker", json!(speaker)));
        return Ok(Draft::call("tool_search_transcript", params));
    }
    let who = said.text("who").filter(|who| !is_anybody(who));
    let slot = match (&who, said.tokens("place")) {
        (Some(_), _) => "who",
        (None, Some(_)) => "place",
        (None, None) => "on",
    };
    let found = said.sound(slot, Want::Sound)?;
    let targets = found.as_ref().map(|found| found.ids.clone()).unwrap_or_default();
    params.extend(found.map(|found| ("targets", found.param)));
    Ok(Draft { targets, ..Draft::call("tool_search_transcript", params) })
}

/// Whether tokens can be who speaks: a pronoun stands alone, so that "she wobbly" is nobody.
pub(super) fn is_somebody(tokens: &[Token]) -> bool {
    let is_pronoun = |token: &Token| token.word().is_some_and(is_anybody);
    tokens.len() == 1 || !tokens.iter().any(is_pronoun)
}

/// Whether nobody in particular is meant.
pub(super) fn is_anybody(who: &str) -> bool {
    ANYBODY.contains(&who.to_lowercase().as_str())
}

/// Whether tokens are the ending of a file with subtitles.
pub(super) fn is_subtitles(tokens: &[Token]) -> bool {
    matches!(tokens, [only] if only.word().is_some_and(|word| matches!(word, "srt" | "vtt" | "webvtt")))
}

//! Sentences about transcripts: writing down, writing out, who speaks, and where something is said.

use super::Job;
use super::said::{One, Params, Said};
use crate::lexer::Token;
use crate::requests::Draft;
use crate::resolve::{Trouble, Want};
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
    let format = format.unwrap_or_else(|| "text".into());
    let ending = match format.to_lowercase().as_str() {
        "srt" | "subrip" => "srt",
        "vtt" | "webvtt" => "vtt",
        "json" => "json",
        "text" | "txt" | "plain text" | "text file" => "txt",
        _ => {
            let reason = format!("a transcript is not written as \"{format}\"");
            return Err(Trouble::new(reason, ["as srt", "as vtt", "as json", "as text"]));
        }
    };
    export_as(said, ending)
}

/// The transcript as a file with this ending.
pub(super) fn export_as(said: &Said<'_>, ending: &str) -> One {
    let mut params = vec![("path", json!(format!("transcript.{ending}")))];
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

pub(super) fn search(said: &Said<'_>) -> One {
    let query = said.text("quote").map_or_else(|| said.words("text"), Ok)?;
    let mut params = vec![("query", json!(query))];
    let who = said.text("who").filter(|who| !is_anybody(who));
    let slot = if who.is_some() { "who" } else { "on" };
    let found = said.sound(slot, Want::Sound)?;
    let targets = found.as_ref().map(|found| found.ids.clone()).unwrap_or_default();
    params.extend(found.map(|found| ("targets", found.param)));
    Ok(Draft { targets, ..Draft::call("tool_search_transcript", params) })
}

/// Whether nobody in particular is meant.
pub(super) fn is_anybody(who: &str) -> bool {
    ANYBODY.contains(&who.to_lowercase().as_str())
}

/// Whether tokens are the ending of a file with subtitles.
pub(super) fn is_subtitles(tokens: &[Token]) -> bool {
    matches!(tokens, [only] if only.word().is_some_and(|word| matches!(word, "srt" | "vtt" | "webvtt")))
}
